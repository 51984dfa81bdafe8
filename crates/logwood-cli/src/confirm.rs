//! The question before something is changed that a person may want to look at first.

use std::io::{self, BufRead as _, IsTerminal as _};

use logwood::error::ErrorKind;

use crate::app::App;
use crate::error::{CommandError, Result};
use crate::output::Line;

/// Asks in a terminal, on standard error; anything but `y` or `yes` is a no. `yes` answers beforehand.
///
/// # Errors
/// `invalid_argument` where there is no terminal to ask in.
pub(crate) fn confirm(question: &str, yes: bool, app: &mut App) -> Result<bool> {
    if yes {
        return Ok(true);
    }
    let stdin = io::stdin();
    if !stdin.is_terminal() || !io::stderr().is_terminal() {
        let message = "this changes files, and there is no terminal to ask in";
        return Err(CommandError::new(ErrorKind::InvalidArgument, message)
            .hint("add --yes to do it without being asked"));
    }
    app.out.finish()?;
    app.err.line(&Line::new().plain(format!("{question} [y/N]")))?;
    app.err.finish()?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    Ok(is_yes(&answer))
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_a_yes_is_a_yes() {
        assert!(["y\n", " YES \n"].into_iter().all(is_yes));
        assert!(!["", "\n", "n\n", "yesterday\n"].into_iter().any(is_yes));
    }
}
