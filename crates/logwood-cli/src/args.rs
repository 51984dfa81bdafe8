//! The command table: every command, its options and its help, which is the documentation of these types.

use std::ffi::OsString;

use clap::{Parser, Subcommand, ValueEnum};

use crate::command::append::AppendArgs;
use crate::command::arbitration::ArbitrationArgs;
use crate::command::branch::BranchArgs;
use crate::command::catalog::CatalogArgs;
use crate::command::check::CheckArgs;
use crate::command::completions::CompletionsArgs;
use crate::command::context::ContextArgs;
use crate::command::debug::DebugArgs;
use crate::command::delete::DeleteArgs;
use crate::command::doctor::DoctorArgs;
use crate::command::export::{ExportArgs, ScanArgs};
use crate::command::fork::ForkArgs;
use crate::command::import::ImportArgs;
use crate::command::label::LabelArgs;
use crate::command::list::ListArgs;
use crate::command::man::ManArgs;
use crate::command::migrate::MigrateArgs;
use crate::command::name::NameArgs;
use crate::command::navigate::NavigateArgs;
use crate::command::new::NewArgs;
use crate::command::perf::PerfArgs;
use crate::command::relocate::RelocateArgs;
use crate::command::repair::RepairArgs;
use crate::command::restore::RestoreArgs;
use crate::command::rpc::RpcArgs;
use crate::command::search::SearchArgs;
use crate::command::show::ShowArgs;
use crate::command::stats::StatsArgs;
use crate::command::tree::TreeArgs;
use crate::command::watch::WatchArgs;
use crate::command::where_::WhereArgs;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  problems were found (check), or it was done in part only
  2  the command line, a reference or the input is wrong
  3  a session or an entry is not there
  4  the file is no session that can be read
  5  refused, so that nothing is lost
  6  the system says no: permissions, space, input and output

Example:
  logwood show @          the newest session of this directory";

/// Read and write the sessions of coding agents, whole and exact
///
/// logwood reads the session files of dreb, pi and their forks as trees and as the context a model would get, and writes
/// them as these programs do. Looking changes nothing on disk.
#[derive(Debug, Parser)]
#[command(name = "logwood", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) globals: Globals,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The option of commands that change a session.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct Alone {
    /// Refuse a session that another process has open
    #[arg(long)]
    pub(crate) exclusive: bool,
}

/// The options of every command.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// Look for sessions in this agent directory (can be repeated)
    ///
    /// Default: those in LOGWOOD_AGENT_DIR, else every store that is found: dreb's (DREB_CODING_AGENT_DIR), pi's
    /// (PI_CODING_AGENT_DIR) and oh-my-pi's.
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) agent_dir: Vec<OsString>,

    /// Look for sessions in this directory and not in an agent directory
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) session_dir: Option<OsString>,

    /// Ask this shell command for the session directory
    ///
    /// It runs in the project directory with LOGWOOD_CWD set to it, where neither --session-dir nor a settings file names
    /// a directory. The first line that it prints counts; where it fails or prints none, the default store does.
    #[arg(long, value_name = "CMD", global = true)]
    pub(crate) session_dir_hook: Option<OsString>,

    /// The project directory that @ looks at (default: the current directory)
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) cwd: Option<OsString>,

    /// Read every session file, and neither use nor fill the catalog
    #[arg(long, global = true)]
    pub(crate) no_catalog: bool,

    /// Print JSON, with names that stay the same
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    pub(crate) color: Color,

    /// Print results only: no header, no summary
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Shorten nothing
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// In a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// In pipes and files too
    Always,
    /// Nowhere
    Never,
}

impl From<Color> for anstream::ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the sessions of this directory, or of all
    ///
    /// The last active first; the first row is what @ names, the second @2. Sessions of subagents are counted and left out.
    /// What cannot be read is counted at the end, and the exit code is 1.
    ///
    /// Marks: live says that a process has the session open for writing; fork and subagent say where a session comes from; interrupted, error and aborted how it ended; future that
    /// its time lies ahead of the clock (it is placed by the time of its file); gone that its directory is not there any
    /// more; damaged that `logwood check` finds a fault.
    #[command(after_help = "Examples:
  logwood list
  logwood list --all --named --sort name
  logwood list --subagents
  logwood list --all 'cost:>1 after:1mo'                what cost more than a dollar lately
  logwood list --all --sort size --limit 10
  logwood list --format '{id}\\t{modified}\\t{title}'
  logwood list --all --json | jq '.sessions[] | select(.status == \"interrupted\").path'")]
    List(ListArgs),

    /// Find what was said in sessions
    ///
    /// Prints the entries in which everything stands that is asked for, the best first: what people
    /// wrote counts most, what tools printed least. Case and accents do not matter. In a query:
    ///
    ///   word          a part of a message, a tool's arguments or output, a name, a label, an id
    ///   word*         the start of a word
    ///   "a phrase"    words in this order
    ///   re:a+b        a regular expression
    ///   -word         not this; before a filter too
    ///
    ///   cwd:~/shop  store:pi  name:plan  label:done  role:user  tool:bash  file:main.rs
    ///   model:opus  after:2d  before:2026-01-31  cost:>1
    ///   is:fork  is:subagent  is:error  is:interrupted  is:abandoned  is:live
    ///
    /// Exit code 3: nothing was found. 1: something could not be read, so hits may be missing.
    #[command(
        after_help = "Examples:
  logwood search 'connection reset'
  logwood search --all '\"connection reset\" tool:bash after:1w'
  logwood search 're:TODO|FIXME' role:assistant
  logwood search --json lighthouse | jq -r '.hits[].path'",
        verbatim_doc_comment
    )]
    Search(SearchArgs),

    /// Show where sessions live, and who decided
    ///
    /// For every store: its directory, where the sessions of this directory go, what a new file would be called, which
    /// source named the directory, and what the others said.
    #[command(after_help = "Examples:
  logwood where
  logwood where --cwd ~/projects/shop --json")]
    Where(WhereArgs),

    /// Check the stores: roots, permissions, locks, settings
    ///
    /// Looks and changes nothing. Each finding comes with what can be done; the exit code is 1 where there are any.
    #[command(after_help = "Example:
  logwood doctor")]
    Doctor(DoctorArgs),

    /// Show, rebuild or remove what is remembered of the sessions
    ///
    /// The catalog holds what listings read, so that the next one opens only files that changed. It is in the cache
    /// directory, one file for each store; nothing is lost with it.
    #[command(after_help = "Examples:
  logwood catalog
  logwood catalog rebuild
  logwood catalog clear --agent-dir ~/old/agent")]
    Catalog(CatalogArgs),

    /// Show a session as a transcript
    ///
    /// Shows the current branch: who said what and when, tool calls with the start of their results, thinking in short.
    #[command(after_help = "Examples:
  logwood show @                    the newest session of this directory
  logwood show -v 7d3c              the session whose id starts so, nothing shortened
  logwood show notes.jsonl --all    every branch and every kind of entry
  logwood show @ --tail 20          the last entries; fast for files of any size
  logwood show @ --around 22fb")]
    Show(ShowArgs),

    /// Follow a session, or all, and print entries as they come
    ///
    /// Each entry comes once, when its line is whole. A file that is migrated, replaced or rewritten meanwhile is told and
    /// followed on. With --json, each line is an object with a `cursor`, which --since takes to go on behind it. Ends with
    /// Ctrl-C, or when nobody reads its output any more.
    #[command(after_help = "Examples:
  logwood watch @
  logwood watch --all --json | jq -r 'select(.type == \"session_added\").path'
  logwood watch --all --once --cursor seen.json       what is new since the last time")]
    Watch(WatchArgs),

    /// Show the entries of a session as a tree
    ///
    /// Draws the tree as the programs' own selectors do: the branch of the current position first, marked with dots, `›` at
    /// the position, `[labels]` before the text.
    ///
    /// With --children it draws a tree of sessions: the oldest parent that is there, and below it every fork and every session
    /// of a subagent, down to the last; `›` is at SESSION.
    #[command(after_help = "Examples:
  logwood tree @
  logwood tree @2 --filter user-only
  logwood tree @ --children
  logwood tree @ --json | jq '.[] | select(.leaf)'")]
    Tree(TreeArgs),

    /// Show what the arbiter decided for the subagents of a session
    ///
    /// One line for each decision, of all branches in the order of the file: when, for which agent, and which route it got or
    /// why none. Decisions are never part of a context. `[odd]` marks a record with something in it that does not belong there.
    #[command(after_help = "Examples:
  logwood arbitration @
  logwood arbitration @ --json | jq '.[] | select(.status == \"failure\")'")]
    Arbitration(ArbitrationArgs),

    /// Show the messages that a model would get
    ///
    /// One line for each message of the context at the current position, with an estimate of its tokens.
    #[command(after_help = "Examples:
  logwood context @
  logwood context @ --explain          why each entry is in the context, or is not
  logwood context @ --llm --json       the messages as they are sent")]
    Context(ContextArgs),

    /// Make a new session
    ///
    /// The session belongs to the directory of --cwd and is on the disk at once, with its header. Its file goes where a
    /// program started there would put it (`logwood where` tells); with several stores, to the first of them. A
    /// subagent's goes to a folder of its own among the transcripts, as dreb starts it. Prints the file and the id, with
    /// --quiet the file only.
    #[command(after_help = "Examples:
  logwood new --name 'Tide tables'
  logwood new --cwd ~/projects/shop --agent-type Explore --parent-session @
  logwood new --agent-type plan --parent-session @ --step 1
  logwood append \"$(logwood new -q)\" --message 'Where were we?'")]
    New(NewArgs),

    /// Append messages or entries to a session
    ///
    /// Reads the standard input: one JSON object, or one on each line. An object with a `role` is a message; any other is
    /// an entry with a `type` and keeps its text, but for id, parentId and timestamp, which are put in. Each stands below
    /// the one before, the first below the current position. Nothing is written where anything of the input is wrong.
    /// Prints the new ids, one a line.
    #[command(after_help = "Examples:
  logwood append @ --message 'Go on with the second point.'
  echo '{\"role\":\"user\",\"content\":\"Go on.\"}' | logwood append @
  jq -c '.entries[]' notes.json | logwood append --raw 7d3c")]
    Append(AppendArgs),

    /// Show or set the name of a session
    ///
    /// Without NAME, prints it. A new name is an entry at the end of the file; its id is printed.
    #[command(after_help = "Examples:
  logwood name @
  logwood name @ 'Tide tables'
  logwood name 7d3c --clear")]
    Name(NameArgs),

    /// Show or set the label of an entry
    ///
    /// Without LABEL, prints it. A label is an entry at the end of the file; its id is printed.
    #[command(after_help = "Examples:
  logwood label @ 22fb
  logwood label @ 22fb 'before the refactoring'
  logwood label @ 22fb --clear")]
    Label(LabelArgs),

    /// Move the current position, so that every program goes on there
    ///
    /// As /tree of the programs: a user message (or one of an extension) is taken back, the position is before it, and its
    /// text is printed, to be edited and sent again; at any other entry the position is the entry itself. What was said
    /// after it stays in the file as another branch.
    ///
    /// Programs go on at the last entry of a file. So a summary or a label is written there or, without, an entry
    /// `logwood.position`, which no model gets.
    #[command(after_help = "Examples:
  logwood navigate @ 22fb
  logwood navigate @ 22fb --summary 'Tried it with a cache; too slow.' --label retry")]
    Navigate(NavigateArgs),

    /// Copy a session, or fork it at a message
    ///
    /// Three ways lead to a new session; the old one stays as it is, and the new one names it as its parent:
    ///
    /// Whole clone (`fork SESSION`): all branches, for the same directory or, with --into, for another one. To go on
    /// elsewhere, or to try things without touching the original.
    ///
    /// Fork (`fork SESSION --at ENTRY`): as /fork of the programs, from one message: up to and with an answer that ended,
    /// or up to just before a user message, whose text is printed, to be edited and sent again.
    ///
    /// Branch (`branch SESSION ENTRY`): the path from the start to any entry, that entry included.
    ///
    /// Prints the file, the id and the text; with --quiet the file only.
    #[command(after_help = "Examples:
  logwood fork @ --into ~/projects/site      the whole session, for another directory
  logwood fork @ --at 22fb                   go on from a message")]
    Fork(ForkArgs),

    /// Take one branch out as a session of its own
    ///
    /// The new session is the path from the start to ENTRY, whatever kind of entry that is, with the labels on it and the
    /// name; other branches are left out. The old session stays as it is, and the new one names it as its parent. To copy
    /// all branches, or to start from a message as /fork does, see `logwood fork --help`.
    ///
    /// Prints the file and the id; with --quiet the file only.
    #[command(after_help = "Example:
  logwood branch @ 22fb")]
    Branch(BranchArgs),

    /// Bring files of version 1 or 2 to version 3
    ///
    /// The original is kept beside the file as .v1.bak or .v2.bak; an older backup is never overwritten. Nothing has to be
    /// migrated to be read, and the first change of a file does it too. Exit code 1: only some could be done.
    #[command(after_help = "Examples:
  logwood migrate old.jsonl
  logwood migrate ~/.dreb/agent/sessions/*/*.jsonl --quiet")]
    Migrate(MigrateArgs),

    /// Find what is wrong with session files
    ///
    /// Names every problem with its line and byte, what logwood does about it, and what can be done. Notes (a byte order
    /// mark, a missing line end, half a character, a newer version) are no faults: the exit code is 0. It is 1 where there
    /// are faults, and 4 where a file is no session that can be read.
    #[command(after_help = "Examples:
  logwood check @
  logwood check ~/.dreb/agent/sessions/*/*.jsonl --quiet")]
    Check(CheckArgs),

    /// Mend damaged session files
    ///
    /// Shows line by line what would be done, asks, and does it: makes a lost header anew (its directory is --cwd, if
    /// nothing else says it), gives records that share a line lines of their own and other sessions in the file files of
    /// their own, gives ids to entries without one, and takes out what is not JSON. Every other line stays as it is.
    ///
    /// The original stays beside the session (.repair.bak), and so does what was taken out (.salvage). A healthy file is
    /// not touched.
    #[command(after_help = "Examples:
  logwood repair --dry-run @
  logwood repair --yes broken.jsonl --cwd ~/projects/shop
  logwood repair --undo broken.jsonl")]
    Repair(RepairArgs),

    /// Move sessions to the trash
    ///
    /// Shows first what would go and who refers to it: the copies that logwood keeps beside a session go along, the
    /// transcripts of its subagents with --family; forks stay and lose their parent. Asks in a terminal; without one, --yes
    /// is needed. The `trash` program is tried first, then the trash folder of the desktop; where neither works nothing is
    /// deleted. A link is removed itself, and not what it leads to.
    #[command(after_help = "Examples:
  logwood delete @2                     after a question
  logwood delete 7d3c --family --yes
  logwood delete --where 'before:1y -name:*' --dry-run
  logwood delete broken.jsonl --force --dry-run")]
    Delete(DeleteArgs),

    /// Bring deleted sessions back from the trash
    ///
    /// With a session comes back what was deleted together with it. Nothing is overwritten. Of several that had the same
    /// path, the one that was deleted last comes back.
    #[command(after_help = "Examples:
  logwood restore                       what is in the trash
  logwood restore 7d3c
  logwood restore ~/.dreb/agent/sessions/--home-ana-shop--/a.jsonl")]
    Restore(RestoreArgs),

    /// Copy session files from elsewhere into the store
    ///
    /// Each goes, byte for byte, to the folder of the project that it names, or to that of --cwd or --session-dir, under a
    /// name that is free. A file whose session is there already, with the same bytes, is not copied: the one that is there
    /// is named. Another session of the same id is refused, unless the copy gets an id of its own.
    #[command(after_help = "Examples:
  logwood import ~/Downloads/session.jsonl
  logwood import old/*.jsonl --cwd ~/shop
  logwood import session.jsonl --new-id")]
    Import(ImportArgs),

    /// Write a session as a web page, as Markdown or as a session file
    ///
    /// The page needs nothing but itself: every branch with a tree to find one's way, no network, nothing in it that could
    /// run. Markdown and --jsonl hold one branch, the current one or that of --branch. The session stays as it is, and a
    /// file that is there is not written over without --force.
    ///
    /// With --redact secrets are taken out, whatever field they stand in; what was taken out is told by kind and count, and
    /// what was written is looked at again: where a secret is left, nothing is written.
    #[command(after_help = "Examples:
  logwood export @ --open
  logwood export 7d3c --markdown -o - | less
  logwood export @ --redact -o talk.html
  logwood export @ --jsonl --whole --redact -o share.jsonl
  logwood export --all --where 'after:30d label:keep' --markdown -o notes")]
    Export(ExportArgs),

    /// Find secrets in sessions
    ///
    /// Shows for each the file, line and entry, what it is, and its first characters; never all of it. The exit code is 1
    /// where there are any. `logwood export --redact` takes them out of a copy.
    #[command(after_help = "Examples:
  logwood scan @
  logwood scan --all --kind github-token
  logwood scan --all --json | jq -r '.[].path' | sort -u")]
    Scan(ScanArgs),

    /// Let sessions follow a project folder that was moved
    ///
    /// Sessions of OLD, and of the folders in it, get their directory in NEW, move to its folder of the store, and stay
    /// the parents of their forks. Asks in a terminal; without one, --yes is needed. What an interruption leaves is done by
    /// running it again.
    #[command(after_help = "Examples:
  logwood relocate ~/shop ~/work/shop --dry-run
  logwood relocate ~/shop ~/work/shop --yes")]
    Relocate(RelocateArgs),

    /// Show what sessions cost
    ///
    /// Of one session: its messages, tokens and cost over the context that a model would get, the current branch and the whole
    /// file, and what its subagents cost. Without one: all sessions of this directory and their subagents, by model or as --by
    /// says. Each answer counts once, however many forks repeat it; summaries, tools and usage entries count too. A session
    /// has the cost of its subagents, told apart in SUBAGENTS; ABANDONED is what branches cost that were left, NO ANSWER
    /// what was paid for summaries, tools and warm caches.
    ///
    /// Costs are in US dollars, as the sessions say them. A cost that is not said is unknown and not nothing: `≥` marks a sum in
    /// which one is missing, `?` one of which nothing is known. Days, weeks (ISO) and months are those of the local time zone.
    #[command(after_help = "Examples:
  logwood stats @
  logwood stats --all --by day --since 30d
  logwood stats --all --by project,model --since 2026-01 --until 2026-01
  logwood stats --all --by month,agent --csv > costs.csv
  logwood stats --all --where 'model:opus is:fork'
  logwood stats 7d3c --json | jq .totalCost")]
    Stats(StatsArgs),

    /// Show how fast models answered
    ///
    /// From the performance log of each store, where dreb records every answer: the median and the average of tokens a second
    /// over the latest 100 answers of a model, how many they are, and how the latest 10 compare with up to 10,000. The
    /// fastest first. Lines of a log that are no records are counted and passed over.
    #[command(after_help = "Examples:
  logwood perf
  logwood perf --model sonnet --since 7d
  logwood perf --json | jq '.models[] | {modelId, median: .rolling.median}'
  logwood perf prune --dry-run")]
    Perf(PerfArgs),

    /// Show each stage of reading a file
    #[command(after_help = "Example:
  logwood debug lines session.jsonl")]
    Debug(DebugArgs),

    Rpc(RpcArgs),

    /// Print completions for a shell
    #[command(after_help = "Example:
  logwood completions bash > ~/.local/share/bash-completion/completions/logwood")]
    Completions(CompletionsArgs),

    /// Print the manual page, or write the pages of all commands to a directory
    #[command(after_help = "Examples:
  logwood man | man -l -
  logwood man ~/.local/share/man/man1")]
    Man(ManArgs),
}
