//! Statistics as JSON, with the names of the protocol.

use logwood::inventory::FileProblem;
use logwood::json::{JsonWriter, iso_from_ms};
use logwood::statistics::{
    Label, Scanned, SessionStatistics, Statistics, Table, TableRow, UsageOwner,
};
use logwood_rpc::{write_file_problem, write_session_statistics, write_totals_members};

/// What a table says: the period, the rows, their sum, and what was left out.
pub(super) fn of_table(table: &Table, found: &Scanned, zone: Option<&str>) -> String {
    let statistics = &found.statistics;
    text(|json| {
        json.begin_object();
        let period = statistics.period();
        for (key, ms) in [("since", period.from_ms), ("until", period.to_ms)] {
            json.key(key);
            match ms.and_then(iso_from_ms) {
                Some(time) => json.str(&time),
                None => json.null(),
            };
        }
        json.key("timeZone");
        match zone {
            Some(zone) => json.str(zone),
            None => json.null(),
        };
        json.key("by").array(|array| {
            for dimension in &table.dimensions {
                array.str(dimension.as_str());
            }
        });
        rows(json, table, statistics);
        json.key("total").begin_object();
        write_totals_members(json, &statistics.totals());
        json.end_object();
        json.key("copiesSkipped").u64(statistics.copies_skipped());
        json.key("withoutTime").u64(statistics.without_time());
        problems(json, &found.problems);
        json.end_object();
    })
}

/// What one session costs: as the protocol says it, then its subagents, and what each model cost.
pub(super) fn of_session(
    path: &str,
    session: &SessionStatistics,
    models: &Table,
    found: &Scanned,
) -> String {
    let statistics = &found.statistics;
    let totals = statistics.totals();
    text(|json| {
        json.begin_object();
        json.key("sessionFile").str(path);
        if let Some(owner) = statistics.owners().first() {
            json.key("sessionId").str(&owner.id);
        }
        write_session_statistics(json, session);
        json.key("subagents").begin_array();
        for (at, owner) in statistics.owners().iter().enumerate().skip(1) {
            json.begin_object();
            members_of_owner(json, owner);
            write_totals_members(json, &statistics.totals_of(at));
            json.end_object();
        }
        json.end_array();
        json.key("ownCost").f64(statistics.totals_of(0).cost.dollars());
        json.key("subagentCost").f64(without_first(statistics));
        json.key("totalCost").f64(totals.cost.dollars());
        json.key("totalIsLowerBound").bool(totals.is_lower_bound());
        json.key("models").begin_array();
        models.rows.iter().for_each(|model| row(json, models, model, statistics));
        json.end_array();
        problems(json, &found.problems);
        json.end_object();
    })
}

/// What the subagents of the first session cost, which may be a subagent's itself.
fn without_first(statistics: &Statistics) -> f64 {
    let all = statistics.totals().cost.picodollars();
    let own = statistics.totals_of(0).cost.picodollars();
    logwood::statistics::Money::from_picodollars(all.saturating_sub(own)).dollars()
}

fn rows(json: &mut JsonWriter<'_>, table: &Table, statistics: &Statistics) {
    json.key("rows").begin_array();
    table.rows.iter().for_each(|at| row(json, table, at, statistics));
    json.end_array();
}

fn row(json: &mut JsonWriter<'_>, table: &Table, row: &TableRow, statistics: &Statistics) {
    json.begin_object();
    for (dimension, label) in table.dimensions.iter().zip(&row.labels) {
        match label {
            Label::Session(at) => {
                if let Some(owner) = statistics.owners().get(*at) {
                    members_of_owner(json, owner);
                }
            }
            Label::Text(text) => {
                json.key(dimension.as_str()).str(text);
            }
            Label::None => {
                json.key(dimension.as_str()).null();
            }
        }
    }
    write_totals_members(json, &row.totals);
    json.end_object();
}

fn members_of_owner(json: &mut JsonWriter<'_>, owner: &UsageOwner) {
    json.key("session").str(&owner.id);
    json.key("sessionFile").str(&owner.path.to_string_lossy());
    json.key("heading").str(&owner.heading);
    if let Some(agent) = &owner.agent_type {
        json.key("agentType").str(agent);
    }
}

fn problems(json: &mut JsonWriter<'_>, problems: &[FileProblem]) {
    json.key("problems").begin_array();
    problems.iter().for_each(|problem| write_file_problem(json, problem));
    json.end_array();
}

fn text(fill: impl FnOnce(&mut JsonWriter<'_>)) -> String {
    let mut out = Vec::new();
    fill(&mut JsonWriter::new(&mut out));
    String::from_utf8_lossy(&out).into_owned()
}
