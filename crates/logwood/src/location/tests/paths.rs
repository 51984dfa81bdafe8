//! Configured paths against Node: the expected column was printed by Node 20 with the rule of spec 6.8 written out
//! over `path.posix` and `path.win32`.

use std::path::{Path, PathBuf};

use super::super::{PathStyle, resolve_root};

#[track_caller]
fn check(style: PathStyle, base: &str, home: &str, rows: &[(&str, Option<&str>)]) {
    for (input, expected) in rows {
        let root = resolve_root(input.as_ref(), Path::new(base), Some(Path::new(home)), style);
        // compared as text: `Path` does not see a separator at the end
        let text = root.as_deref().map(|path| path.to_str().unwrap());
        assert_eq!(text, *expected, "{input:?} from {base}");
    }
}

#[test]
fn unix_rows_as_node_answers() {
    check(
        PathStyle::Unix,
        "/proj/base",
        "/home/ana",
        &[
            ("", None),
            ("   ", None),
            ("\t\n", None),
            ("\u{feff} \u{2028}", None),
            ("\u{85}", Some("/proj/base/\u{85}")),
            ("/abs", Some("/abs")),
            ("/abs/../x/", Some("/abs/../x/")),
            ("  /abs  ", Some("/abs")),
            ("~", Some("/home/ana")),
            ("~/", Some("/home/ana")),
            ("~/x", Some("/home/ana/x")),
            ("~\\x", Some("/home/ana/x")),
            ("~//x", Some("/home/ana/x")),
            ("~/x/", Some("/home/ana/x/")),
            ("~/a/../b", Some("/home/ana/b")),
            ("~/../up", Some("/home/up")),
            ("~user", Some("/proj/base/~user")),
            ("~user/x", Some("/proj/base/~user/x")),
            ("rel", Some("/proj/base/rel")),
            ("./rel", Some("/proj/base/rel")),
            ("../rel", Some("/proj/rel")),
            ("../../../../up", Some("/up")),
            (".", Some("/proj/base")),
            ("..", Some("/proj")),
            ("a//b/./c/", Some("/proj/base/a/b/c")),
            ("a/..", Some("/proj/base")),
            ("~/a\\b", Some("/home/ana/a\\b")),
            ("a\\b", Some("/proj/base/a\\b")),
            ("C:\\x", Some("/proj/base/C:\\x")),
            (" .dreb/sessions ", Some("/proj/base/.dreb/sessions")),
            ("~/\u{a0}x", Some("/home/ana/\u{a0}x")),
            ("~ /x", Some("/proj/base/~ /x")),
            ("-", Some("/proj/base/-")),
            ("日本/語", Some("/proj/base/日本/語")),
        ],
    );
}

#[test]
fn windows_rows_as_node_answers() {
    check(
        PathStyle::Windows,
        r"C:\work\base",
        r"C:\Users\ana",
        &[
            ("", None),
            ("  ", None),
            ("C:\\abs", Some("C:\\abs")),
            ("c:/abs/../x", Some("c:/abs/../x")),
            ("\\rooted", Some("\\rooted")),
            ("/rooted", Some("/rooted")),
            ("\\\\srv\\share\\d", Some("\\\\srv\\share\\d")),
            ("~", Some("C:\\Users\\ana")),
            ("~/", Some("C:\\Users\\ana")),
            ("~\\x", Some("C:\\Users\\ana\\x")),
            ("~//x", Some("C:\\Users\\ana\\x")),
            ("~\\a\\..\\b\\", Some("C:\\Users\\ana\\b\\")),
            ("~/a/b", Some("C:\\Users\\ana\\a\\b")),
            ("~user", Some("C:\\work\\base\\~user")),
            ("rel", Some("C:\\work\\base\\rel")),
            ("rel\\a/b", Some("C:\\work\\base\\rel\\a\\b")),
            ("..\\rel", Some("C:\\work\\rel")),
            ("..\\..\\..\\..\\..\\up", Some("C:\\up")),
            (".", Some("C:\\work\\base")),
            ("..", Some("C:\\work")),
            ("C:rel", Some("C:\\work\\base\\rel")),
            ("c:rel", Some("c:\\work\\base\\rel")),
            ("C:", Some("C:\\work\\base")),
            ("a\\.\\b\\\\c\\", Some("C:\\work\\base\\a\\b\\c")),
            ("C:..\\x", Some("C:\\work\\x")),
        ],
    );
}

/// Node on Windows, where drive D has no directory of its own.
#[test]
fn another_drive_starts_at_its_root() {
    check(
        PathStyle::Windows,
        r"C:\work\base",
        r"C:\Users\ana",
        &[("D:rel", Some(r"D:\rel")), ("D:", Some(r"D:\")), (r"d:..\x", Some(r"d:\x"))],
    );
}

#[test]
fn bases_and_homes_of_other_forms_as_node_answers() {
    let check = |style, base, input, expected| check(style, base, base, &[(input, Some(expected))]);
    check(PathStyle::Unix, "/", "x", "/x");
    check(PathStyle::Unix, "/a/", "x", "/a/x");
    check(PathStyle::Unix, "/a/../b", "x", "/b/x");
    check(PathStyle::Unix, "/a//b", "x", "/a/b/x");
    check(PathStyle::Unix, "/home/ana/", "~/x/", "/home/ana/x/");
    check(PathStyle::Unix, "/", "~/x/", "/x/");
    check(PathStyle::Unix, "/", "~/..", "/");
    check(PathStyle::Windows, r"C:\", "x", r"C:\x");
    check(PathStyle::Windows, "c:/a/", "x", r"c:\a\x");
    check(PathStyle::Windows, r"C:\a\..\b", "x", r"C:\b\x");
    check(PathStyle::Windows, r"\\srv\share", "x", r"\\srv\share\x");
    check(PathStyle::Windows, r"\\srv\share\", "x", r"\\srv\share\x");
    check(PathStyle::Windows, "//srv/share/x", "x", r"\\srv\share\x\x");
    check(PathStyle::Windows, "//srv/share/x", r"..\..\x", r"\\srv\share\x");
    check(PathStyle::Windows, r"\\srv\share\a", ".", r"\\srv\share\a");
    check(PathStyle::Windows, "C:/Users/ana", "~/x/", r"C:\Users\ana\x\");
    check(PathStyle::Windows, r"\\srv\home\ana", "~/..", r"\\srv\home\");
}

#[test]
fn without_a_home_a_tilde_names_nothing() {
    let root = |input: &str| resolve_root(input.as_ref(), Path::new("/b"), None, PathStyle::Unix);
    assert_eq!(root("~"), None);
    assert_eq!(root("~/x"), None);
    assert_eq!(root("x"), Some(PathBuf::from("/b/x")));
}

#[cfg(unix)]
#[test]
fn paths_that_are_not_unicode_keep_their_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let other = |bytes: &'static [u8]| Path::new(OsStr::from_bytes(bytes));
    let root = |input: &'static [u8], base| {
        let home = Some(other(b"/home/\xe9"));
        resolve_root(OsStr::from_bytes(input), base, home, PathStyle::Unix)
    };
    let base = Path::new("/proj/base");
    assert_eq!(root(b"/s\xff/../x", base).as_deref(), Some(other(b"/s\xff/../x")));
    assert_eq!(root(b"../s\xff", base).as_deref(), Some(other(b"/proj/s\xff")));
    assert_eq!(root(b"~/s\xff", base).as_deref(), Some(other(b"/home/\xe9/s\xff")));
    assert_eq!(root(b"~/x", base).as_deref(), Some(other(b"/home/\xe9/x")));
    assert_eq!(root(b"../x", other(b"/w\xff/b")).as_deref(), Some(other(b"/w\xff/x")));
    assert_eq!(root(b"../../../\xff", base).as_deref(), Some(other(b"/\xff")));
}
