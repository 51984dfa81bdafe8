//! One session: what it has and costs over its context, its branch and its file, and what its subagents cost.

use logwood::session::SessionManager;
use logwood::statistics::{
    Calendar, Dimension, Extent, MessageCounts, Money, Scanned, SessionStatistics, Statistics,
};
use unicode_width::UnicodeWidthStr as _;

use super::money::{cost, dollars};
use super::table;
use crate::app::App;
use crate::error::Result;
use crate::output::{Line, cut, one_line, plain_line, style};
use crate::words::tokens;

/// The columns of the names of rows.
const NAME: usize = 14;

/// A figure of an extent.
type Figure = fn(&Extent) -> String;

const ROWS: [(&str, Figure); 11] = [
    ("User", |of| count(of, |messages| messages.user)),
    ("Assistant", |of| count(of, |messages| messages.assistant)),
    ("Tool calls", |of| count(of, |messages| messages.tool_calls)),
    ("Tool results", |of| count(of, |messages| messages.tool_results)),
    ("Messages", |of| count(of, |messages| messages.total)),
    ("Input", |of| tokens(of.totals.tokens.input)),
    ("Output", |of| tokens(of.totals.tokens.output)),
    ("Cache read", |of| tokens(of.totals.tokens.cache_read)),
    ("Cache write", |of| tokens(of.totals.tokens.cache_write)),
    ("Tokens", |of| tokens(of.totals.tokens.total())),
    ("Cost", |of| cost(&of.totals)),
];

fn count(extent: &Extent, of: impl Fn(&MessageCounts) -> u64) -> String {
    of(&extent.messages).to_string()
}

/// Prints everything of a session.
pub(super) fn print(session: &SessionManager, found: &Scanned, app: &mut App) -> Result<()> {
    let counted = SessionStatistics::of(session)?;
    if !app.globals.quiet {
        heading(session, app)?;
    }
    extents(&counted, app)?;
    left(&counted, app)?;
    let statistics = &found.statistics;
    if statistics.owners().len() > 1 {
        app.out.gap()?;
        subagents(statistics, app)?;
    }
    let models = statistics.table(&[Dimension::Model], &Calendar::new(app.clock.zone()));
    if models.rows.len() > 1 {
        app.out.gap()?;
        let home = app.home();
        for line in table::lines(&models, statistics, home.as_deref(), app.row_columns().0) {
            app.out.line(&line)?;
        }
    }
    Ok(())
}

fn heading(session: &SessionManager, app: &mut App) -> Result<()> {
    let name = session.session_name().or(session.title());
    if let Some(name) = name {
        app.out.line(&Line::new().add(style::STRONG, one_line(name)))?;
    }
    let file = session.session_file().map(|file| file.display().to_string());
    app.out.line(&Line::new().add(style::DIM, file.unwrap_or_default()))?;
    Ok(app.out.gap()?)
}

fn extents(counted: &SessionStatistics, app: &mut App) -> Result<()> {
    let heads = ["CONTEXT", "BRANCH", "FILE"];
    let extents = [&counted.context, &counted.branch, &counted.file];
    let cells = ROWS.map(|(name, figure)| (name, extents.map(figure)));
    let width = |at: usize| {
        let cells = cells.iter().filter_map(|(_, cells)| cells.get(at));
        cells
            .map(|cell| cell.width())
            .chain(heads.get(at).map(|head| head.len()))
            .max()
            .unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2)];
    app.out.line(&row("", heads.map(str::to_owned), widths, style::STRONG))?;
    for (name, cells) in cells {
        app.out.line(&row(name, cells, widths, style::PLAIN))?;
    }
    Ok(())
}

fn row(name: &str, cells: [String; 3], widths: [usize; 3], style: anstyle::Style) -> Line {
    let mut line = Line::new().plain(format!("{name:NAME$}"));
    for (cell, width) in cells.iter().zip(widths) {
        line.push(style::PLAIN, &" ".repeat(2 + width.saturating_sub(cell.width())));
        line.push(style, cell);
    }
    line
}

/// The parts of the file's cost that the branch does not show.
fn left(counted: &SessionStatistics, app: &mut App) -> Result<()> {
    let totals = counted.file.totals;
    let mut parts = Vec::new();
    if !totals.abandoned.is_zero() {
        parts.push(format!("{} on abandoned branches", dollars(totals.abandoned)));
    }
    if !totals.others.is_zero() {
        parts.push(format!("{} for summaries, tools and usage entries", dollars(totals.others)));
    }
    if totals.is_lower_bound() {
        parts.push(format!("{} without a cost", totals.without_cost));
    }
    if parts.is_empty() {
        return Ok(());
    }
    Ok(app.out.paragraph(Line::new().plain("of the file: "), &parts.join(", "), 2)?)
}

/// A line for each subagent, and what all cost together.
fn subagents(statistics: &Statistics, app: &mut App) -> Result<()> {
    let owners: Vec<_> = statistics.owners().iter().enumerate().skip(1).collect();
    let costs: Vec<_> = owners.iter().map(|(at, _)| cost(&statistics.totals_of(*at))).collect();
    let width = costs.iter().map(|cost| cost.width()).chain([4]).max().unwrap_or_default();
    let names: Vec<_> = owners
        .iter()
        .map(|(_, owner)| plain_line(&one_line(owner.agent_type.as_deref().unwrap_or("-"))))
        .collect();
    let name = names.iter().map(|name| name.width()).chain([8]).max().unwrap_or_default().min(24);
    let head = format!("{:name$}  {:>width$}  ID        TASK", "SUBAGENT", "COST");
    app.out.line(&Line::new().add(style::STRONG, head))?;
    let columns = app.row_columns().0;
    for ((agent, cost), (_, owner)) in names.iter().zip(&costs).zip(&owners) {
        let agent = cut(agent, name);
        let pad = " ".repeat(name.saturating_sub(agent.width()));
        let id: String = owner.id.chars().take(8).collect();
        let line = Line::new().add(style::LABEL, agent).plain(pad);
        let line = line.plain(format!("  {cost:>width$}  ")).add(style::ID, format!("{id:8}"));
        app.out.line(&line.plain("  ").plain(one_line(&owner.heading)).fit(columns))?;
    }
    let own = statistics.totals_of(0);
    let all = statistics.totals();
    let others =
        Money::from_picodollars(all.cost.picodollars().saturating_sub(own.cost.picodollars()));
    let text =
        format!("own {}, subagents {}, together {}", cost(&own), dollars(others), cost(&all));
    Ok(app.out.line(&Line::new().add(style::STRONG, text))?)
}
