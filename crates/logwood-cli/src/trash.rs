//! The trash of this machine, as the environment names it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use logwood::deletion::{HomeTrash, Trash, TrashProgram};
use logwood::env::Clock;
use logwood::storage::LocalStorage;

use crate::now::now_ms;
use crate::output::Clockface;

/// The ways to a trash: the `trash` program, then the folder of freedesktop.org.
pub(crate) fn trash(clock: &Clockface) -> Trash {
    let path = std::env::var_os("PATH");
    let program = path.and_then(|path| TrashProgram::find(&LocalStorage, &path));
    Trash::none().program(program).home(home_trash(clock))
}

/// The folder of the trash; none where the system has a trash of another kind, or nobody's home is known.
pub(crate) fn home_trash(clock: &Clockface) -> Option<HomeTrash> {
    let has_one = cfg!(all(unix, not(target_os = "macos")));
    let dir = has_one.then(data_home).flatten()?.join("Trash");
    Some(HomeTrash::new(dir).clock(Arc::new(Now)).utc_offset_ms(clock.offset_ms(now_ms())))
}

/// `$XDG_DATA_HOME`, which counts only where it is absolute, else `~/.local/share`.
fn data_home() -> Option<PathBuf> {
    let absolute = |dir: OsString| Some(PathBuf::from(dir)).filter(|dir| dir.is_absolute());
    let named = std::env::var_os("XDG_DATA_HOME").and_then(absolute);
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    named.or_else(|| Some(home()?.join(".local/share")))
}

/// The clock of the program.
#[derive(Debug)]
struct Now;

impl Clock for Now {
    fn now_ms(&self) -> i64 {
        now_ms()
    }
}
