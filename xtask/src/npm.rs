//! Installs npm packages that tests need under a lock file, into `target/NAME`, when npm is there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::step::root;

/// How long npm may take; pi's packages are some 500 MB on the disk.
const LIMIT: Duration = Duration::from_secs(300);
const FILES: [&str; 2] = ["package.json", "package-lock.json"];

/// A folder of this repository with a package.json and its lock file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packages(pub(crate) &'static str);

/// Why nothing was installed.
pub(crate) enum Fault {
    /// npm or its registry is not there: nobody's fault here.
    Absent(String),
    /// The files of this repository are wrong.
    Ours(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Absent(error.to_string())
    }
}

impl Packages {
    /// Where the packages of the present lock file are installed; none where they are not.
    pub(crate) fn place(self) -> Option<PathBuf> {
        let folder = self.folder();
        let wanted = fs::read(self.source().join("package-lock.json")).ok()?;
        (fs::read(stamp(&folder)).ok()? == wanted).then_some(folder)
    }

    /// Installs them, and says how in a few words.
    pub(crate) fn install(self) -> Result<String, Fault> {
        if self.place().is_some() {
            return Ok("installed already".to_owned());
        }
        let folder = self.folder();
        fs::create_dir_all(&folder)?;
        for file in FILES {
            fs::copy(self.source().join(file), folder.join(file))?;
        }
        self.npm_ci(&folder)?;
        fs::copy(folder.join("package-lock.json"), stamp(&folder))?;
        Ok("installed from npm".to_owned())
    }

    fn source(self) -> PathBuf {
        root().join(self.0)
    }

    fn folder(self) -> PathBuf {
        root().join("target").join(self.0)
    }

    fn npm_ci(self, folder: &Path) -> Result<(), Fault> {
        let log = folder.join("npm.log");
        let mut command = Command::new("npm");
        command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]);
        command.args(["--loglevel", "error", "--fetch-retries", "1", "--fetch-timeout", "60000"]);
        command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(fs::File::create(&log)?);
        let child = command.spawn().map_err(|error| Fault::Absent(format!("npm: {error}")))?;
        let ok = ended_well(child)?;
        let said = fs::read_to_string(&log).unwrap_or_default();
        let first = said.lines().next().unwrap_or("npm took too long").to_owned();
        match ok {
            true => Ok(()),
            false if said.contains("EUSAGE") || said.contains("EINTEGRITY") => {
                Err(Fault::Ours(format!("{}/package-lock.json does not fit: {first}", self.0)))
            }
            false => Err(Fault::Absent(first)),
        }
    }
}

/// A copy of the lock file, written when everything is installed.
fn stamp(folder: &Path) -> PathBuf {
    folder.join("installed.json")
}

/// Waits for the end, not longer than the limit; false when it failed or had to be stopped.
fn ended_well(mut child: Child) -> io::Result<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
