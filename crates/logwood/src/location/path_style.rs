//! Lexical path rules of both platforms, so that each can be tested on the other.

/// The rules by which a path is read: rooted or not, which characters separate, how it is joined (rule L8).
///
/// They are the rules of Node's `path`, which dreb and pi resolve by; where Rust's `std::path` reads a path otherwise
/// (`\x` on Windows is absolute for Node only) Node's rule counts.
///
/// ```
/// use logwood::location::PathStyle;
///
/// assert!(PathStyle::Windows.is_absolute(r"C:\work"));
/// assert!(!PathStyle::Windows.is_absolute("C:work"));
/// assert!(!PathStyle::Unix.is_absolute(r"C:\work"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathStyle {
    /// `/` separates; a path that starts with it is absolute.
    Unix,
    /// `\` and `/` separate; drives and network shares are roots.
    Windows,
}

impl PathStyle {
    /// The style of the platform this was built for.
    pub const HOST: Self = if cfg!(windows) { Self::Windows } else { Self::Unix };

    /// Whether `path` is absolute by this style's rule.
    pub fn is_absolute(self, path: &str) -> bool {
        let after_drive = match self {
            Self::Windows if has_drive(path) => path.get(2..),
            _ => Some(path),
        };
        after_drive.is_some_and(|rest| rest.starts_with(|c| self.is_separator(c)))
    }

    /// What stands between the paths of a list in a variable: `:` or `;`.
    pub fn list_separator(self) -> char {
        match self {
            Self::Unix => ':',
            Self::Windows => ';',
        }
    }

    /// Whether `c` separates the parts of a path.
    pub(super) fn is_separator(self, c: char) -> bool {
        c == '/' || (self == Self::Windows && c == '\\')
    }

    /// `path`, which is relative, taken from `base`: normalised, without separator at the end (Node's `resolve`).
    ///
    /// A path relative to another drive (`D:x`) is taken from that drive's root, as Node does where the drive has no
    /// directory of its own.
    pub(super) fn resolve(self, base: &str, path: &str) -> String {
        let (base, path) = (self.split(base), self.split(path));
        match path.drive {
            None => self.assemble(&base.prefix, &[base.rest, path.rest]),
            Some(drive) if base.is_on(drive) => {
                self.assemble(&format!(r"{drive}\"), &[base.rest, path.rest])
            }
            Some(drive) => self.assemble(&format!(r"{drive}\"), &[path.rest]),
        }
    }

    /// `path` below `base`: normalised; a separator at the end of `path` stays (Node's `join`).
    pub(super) fn join(self, base: &str, path: &str) -> String {
        let base = self.split(base);
        let mut joined = self.assemble(&base.prefix, &[base.rest, path]);
        if path.ends_with(|c| self.is_separator(c)) && !joined.ends_with(|c| self.is_separator(c)) {
            joined.push(self.separator());
        }
        joined
    }

    fn separator(self) -> char {
        match self {
            Self::Unix => '/',
            Self::Windows => '\\',
        }
    }

    fn assemble(self, prefix: &str, parts: &[&str]) -> String {
        let rooted = prefix.ends_with(self.separator());
        let mut names: Vec<&str> = Vec::new();
        for name in parts.iter().flat_map(|part| part.split(|c| self.is_separator(c))) {
            match name {
                "" | "." => {}
                ".." if names.last().is_some_and(|last| *last != "..") => drop(names.pop()),
                ".." if rooted => {}
                _ => names.push(name),
            }
        }
        let path = format!("{prefix}{}", names.join(&self.separator().to_string()));
        if path.is_empty() { ".".to_owned() } else { path }
    }

    fn split(self, path: &str) -> Split<'_> {
        match self {
            Self::Unix => Split { prefix: self.root_mark(path), drive: None, rest: path },
            Self::Windows => self.split_share(path).unwrap_or_else(|| self.split_drive(path)),
        }
    }

    /// The separator where `rest` starts with one.
    fn root_mark(self, rest: &str) -> String {
        let rooted = rest.starts_with(|c| self.is_separator(c));
        if rooted { self.separator().to_string() } else { String::new() }
    }

    fn split_drive(self, path: &str) -> Split<'_> {
        let drive = path.split_at_checked(2).filter(|_| has_drive(path));
        let (drive, rest) = drive.map_or((None, path), |(drive, rest)| (Some(drive), rest));
        let prefix = format!("{}{}", drive.unwrap_or_default(), self.root_mark(rest));
        Split { prefix, drive, rest }
    }

    /// `\\server\share\rest`; anything less is no share.
    fn split_share(self, path: &str) -> Option<Split<'_>> {
        let is_separator = |c| self.is_separator(c);
        let after = path.strip_prefix(is_separator)?.strip_prefix(is_separator)?;
        let (server, after) = after.split_once(is_separator)?;
        let after = after.trim_start_matches(is_separator);
        let (share, rest) = after.split_once(is_separator).unwrap_or((after, ""));
        let whole = !server.is_empty() && !share.is_empty();
        let prefix = format!(r"\\{server}\{share}\");
        whole.then_some(Split { prefix, drive: None, rest })
    }
}

/// A path cut into its root, in normal form, and the rest.
struct Split<'a> {
    prefix: String,
    /// Letter and colon.
    drive: Option<&'a str>,
    rest: &'a str,
}

impl Split<'_> {
    fn is_on(&self, drive: &str) -> bool {
        self.drive.is_some_and(|own| own.eq_ignore_ascii_case(drive))
    }
}

/// Whether `path` starts with a drive letter and a colon.
pub(super) fn has_drive(path: &str) -> bool {
    let mut chars = path.chars();
    chars.next().is_some_and(|letter| letter.is_ascii_alphabetic()) && chars.next() == Some(':')
}
