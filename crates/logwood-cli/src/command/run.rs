//! From the command line to the command and its exit code.

use std::ffi::OsString;

use anstream::ColorChoice;
use clap::{CommandFactory as _, Parser as _};
use logwood::error::ErrorKind;

use super::{
    append, arbitration, branch, catalog, check, completions, context, debug, delete, doctor,
    export, fork, import, label, list, man, migrate, name, navigate, new, perf, relocate, repair,
    restore, rpc, search, show, stats, tree, watch, where_,
};
use crate::app::App;
use crate::args::{Args, Color, Command};
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Clockface, Standard, Stream};

/// Runs the program with `words` (without its own name).
pub(crate) fn main(words: impl Iterator<Item = OsString>) -> Exit {
    let words: Vec<_> = words.collect();
    let early = Early::of(&words);
    let program = std::iter::once(OsString::from("logwood"));
    let result = match Args::try_parse_from(program.chain(words)) {
        Ok(args) => run(args),
        Err(error) => usage(&error, early.color.into()),
    };
    result.unwrap_or_else(|error| {
        let mut stderr = Stream::standard(Standard::Error, early.color.into());
        error.report(&mut stderr, early.json);
        error.exit()
    })
}

fn run(args: Args) -> Result<Exit> {
    let colors: ColorChoice = args.globals.color.into();
    let mut app = App {
        globals: args.globals,
        out: Stream::standard(Standard::Output, colors),
        err: Stream::standard(Standard::Error, colors),
        clock: Clockface::system(),
    };
    let exit = match &args.command {
        Some(command) => dispatch(command, &mut app)?,
        None => help(&mut app)?,
    };
    app.out.finish()?;
    app.err.finish()?;
    Ok(exit)
}

fn dispatch(command: &Command, app: &mut App) -> Result<Exit> {
    match command {
        Command::List(args) => list::run(args, app),
        Command::Search(args) => search::run(args, app),
        Command::Where(args) => where_::run(args, app),
        Command::Doctor(args) => doctor::run(args, app),
        Command::Catalog(args) => catalog::run(args, app),
        Command::Rpc(args) => rpc::run(args, app),
        Command::Show(args) => show::run(args, app),
        Command::Watch(args) => watch::run(args, app),
        Command::Tree(args) => tree::run(args, app),
        Command::Arbitration(args) => arbitration::run(args, app),
        Command::Context(args) => context::run(args, app),
        Command::New(args) => new::run(args, app),
        Command::Append(args) => append::run(args, app),
        Command::Name(args) => name::run(args, app),
        Command::Label(args) => label::run(args, app),
        Command::Navigate(args) => navigate::run(args, app),
        Command::Fork(args) => fork::run(args, app),
        Command::Branch(args) => branch::run(args, app),
        Command::Migrate(args) => migrate::run(args, app),
        Command::Check(args) => check::run(args, app),
        Command::Repair(args) => repair::run(args, app),
        Command::Delete(args) => delete::run(args, app),
        Command::Restore(args) => restore::run(args, app),
        Command::Import(args) => import::run(args, app),
        Command::Export(args) => export::run(args, app),
        Command::Scan(args) => export::scan(args, app),
        Command::Relocate(args) => relocate::run(args, app),
        Command::Perf(args) => perf::run(args, app),
        Command::Stats(args) => stats::run(args, app),
        Command::Debug(args) => debug::run(args, app),
        Command::Completions(args) => completions::run(args, app),
        Command::Man(args) => man::run(args, app),
    }
}

/// `logwood` alone.
fn help(app: &mut App) -> Result<Exit> {
    let help = Args::command().render_help();
    app.out.own_text(help.ansi().to_string().as_bytes())?;
    Ok(Exit::Done)
}

/// Help and version are results; everything else that the parser says is an error of the command line.
fn usage(error: &clap::Error, colors: ColorChoice) -> Result<Exit> {
    if error.use_stderr() {
        let text = error.render().to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
        return Err(CommandError::new(ErrorKind::InvalidArgument, message));
    }
    let mut out = Stream::standard(Standard::Output, colors);
    out.own_text(error.render().ansi().to_string().as_bytes())?;
    out.finish()?;
    Ok(Exit::Done)
}

/// The options that say how an error looks, found even where the command line is wrong.
struct Early {
    color: Color,
    json: bool,
}

impl Early {
    fn of(words: &[OsString]) -> Self {
        let options = || words.iter().take_while(|word| *word != "--");
        let is = |value: &str| {
            let joined = format!("--color={value}");
            let mut pairs = options().zip(options().skip(1));
            options().any(|word| *word == *joined)
                || pairs.any(|(a, b)| a == "--color" && b == value)
        };
        let color = match () {
            () if is("never") => Color::Never,
            () if is("always") => Color::Always,
            () => Color::Auto,
        };
        Self { color, json: options().any(|word| word == "--json") }
    }
}
