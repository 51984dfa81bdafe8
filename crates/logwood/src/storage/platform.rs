//! What differs between operating systems: flags, modes, owners, identities, and renaming that takes nobody's place.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use other::*;
#[cfg(unix)]
pub(super) use unix::*;

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A rename that takes nobody's place, where the system has no call for it: a second name is made, which fails when it is taken,
/// and the first one goes. Without second names an empty file keeps the place for the moment of the rename.
pub(super) fn rename_by_link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Err(error),
        Err(_) => rename_by_place(from, to),
    }
}

fn rename_by_place(from: &Path, to: &Path) -> io::Result<()> {
    fs::symlink_metadata(from)?;
    drop(File::create_new(to)?);
    fs::rename(from, to).inspect_err(|_| {
        // The empty file is ours: it was made a moment ago, and nothing took its place.
        let _ = fs::remove_file(to);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rename = fn(&Path, &Path) -> io::Result<()>;

    /// The three ways differ in what they ask of a file system, not in what they do.
    #[test]
    fn every_way_to_rename_takes_nobodys_place() {
        let ways: [(&str, Rename); 3] =
            [("call", rename_new), ("link", rename_by_link), ("place", rename_by_place)];
        for (name, rename) in ways {
            let dir = tempfile::tempdir().unwrap();
            let [from, to] = ["from", "to"].map(|name| dir.path().join(name));
            fs::write(&from, "mine").unwrap();
            fs::write(&to, "theirs").unwrap();
            let error = rename(&from, &to).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{name}");
            assert_eq!(fs::read(&from).unwrap(), b"mine", "{name}");
            assert_eq!(fs::read(&to).unwrap(), b"theirs", "{name}");
            fs::remove_file(&to).unwrap();
            rename(&from, &to).unwrap();
            assert_eq!(fs::read(&to).unwrap(), b"mine", "{name}");
            assert_eq!(rename(&from, &to).unwrap_err().kind(), io::ErrorKind::NotFound, "{name}");
            fs::remove_file(&to).unwrap();
            assert_eq!(rename(&from, &to).unwrap_err().kind(), io::ErrorKind::NotFound, "{name}");
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "{name}: nothing is left");
        }
    }

    #[cfg(unix)]
    #[test]
    fn errors_that_mean_that_there_are_no_locks() {
        use rustix::io::Errno;
        for code in [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP] {
            assert!(means_no_locks(&code.into()), "{code}");
        }
        for code in [Errno::IO, Errno::ACCESS, Errno::WOULDBLOCK] {
            assert!(!means_no_locks(&code.into()), "{code}");
        }
    }
}
