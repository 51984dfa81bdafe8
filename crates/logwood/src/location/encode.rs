//! The folder of a working directory.

use sha2::{Digest, Sha256};

/// The longest file name, in bytes, that the common file systems take.
const LONGEST_NAME: usize = 255;
/// How much of a name that is too long stays readable, in bytes.
const KEPT_PREFIX: usize = 200;
/// How many bytes of the hash go into the name, two hex digits each.
const HASH_BYTES: usize = 8;

/// The name of the folder below `sessions/` for `cwd` (rules L5 to L7; spec 3.3, case 54).
///
/// One leading separator is dropped, every `/`, `\` and `:` becomes `-`, and `--` goes on both sides; nothing is
/// normalised. Different directories may share a name (`/a-b` and `/a/b`), so what belongs to a project is decided
/// by the header's cwd (case 53), see [`CwdKey`](super::CwdKey).
///
/// A name over 255 bytes, which no file system takes, is cut to its first 200 bytes (less where a character would be
/// split) and gets `-`, 16 hex digits of the SHA-256 of the cwd, and `--`.
///
/// ```
/// use logwood::location::encode_cwd;
///
/// assert_eq!(encode_cwd("/home/me/proj"), "--home-me-proj--");
/// assert_eq!(encode_cwd(r"C:\Users\me\proj"), "--C--Users-me-proj--");
/// assert_eq!(encode_cwd("/a-b"), encode_cwd("/a/b"));
/// ```
#[doc(alias = "getDefaultSessionDir")]
pub fn encode_cwd(cwd: &str) -> String {
    let name = format!("--{}--", strip_one_separator(cwd).replace(['/', '\\', ':'], "-"));
    if name.len() <= LONGEST_NAME { name } else { shorten(&name, cwd) }
}

fn strip_one_separator(cwd: &str) -> &str {
    cwd.strip_prefix(['/', '\\']).unwrap_or(cwd)
}

fn shorten(name: &str, cwd: &str) -> String {
    let kept = &name[..name.floor_char_boundary(KEPT_PREFIX)];
    let hash = Sha256::digest(cwd.as_bytes());
    let hex: String = hash.iter().take(HASH_BYTES).map(|byte| format!("{byte:02x}")).collect();
    format!("{kept}-{hex}--")
}

#[cfg(test)]
mod tests {
    use super::encode_cwd;

    #[derive(serde::Deserialize)]
    struct Table {
        cases: Vec<Row>,
    }

    #[derive(serde::Deserialize)]
    struct Row {
        cwd: String,
        name: String,
    }

    #[test]
    fn every_row_of_the_table() {
        let table: Table = serde_json::from_str(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../conformance/tables/session-directory-names.json"
        )))
        .unwrap();
        assert!(table.cases.len() >= 17, "the table lost rows");
        for row in table.cases {
            assert_eq!(encode_cwd(&row.cwd), row.name, "cwd {:?}", row.cwd);
        }
    }

    /// The rows of spec 3.3 and case 54 that the table does not have.
    #[test]
    fn rows_of_the_specification_and_case_54() {
        for (cwd, name) in [
            ("/", "----"),
            ("", "----"),
            ("/a/b/", "--a-b---"),
            (r"\\server\share", "---server-share--"),
            ("/proj/.worktrees/a.b", "--proj-.worktrees-a.b--"),
            ("/proj/a b", "--proj-a b--"),
            ("/proj/海港", "--proj-海港--"),
            ("/proj/灯塔", "--proj-灯塔--"),
            ("/proj/café", "--proj-café--"),
        ] {
            assert_eq!(encode_cwd(cwd), name, "cwd {cwd:?}");
        }
    }

    #[test]
    fn different_directories_may_share_a_folder() {
        assert_eq!(encode_cwd("/proj/client/app"), "--proj-client-app--");
        assert_eq!(encode_cwd("/proj/client-app"), "--proj-client-app--");
        assert_eq!(encode_cwd("/proj/client:app"), "--proj-client-app--");
    }

    /// Case 54, `too_long`: the hash is what `sha256sum` says of the cwd.
    #[test]
    fn a_name_that_is_too_long_is_cut_and_hashed() {
        let cwd = format!("/{}/{}", "work", "海港灯塔".repeat(30));
        assert_eq!(2 + cwd.len() - 1 + 2, 369, "the length that case 54 names");
        let name = encode_cwd(&cwd);
        let kept = format!("--work-{}", "海港灯塔".repeat(16));
        assert_eq!(name, format!("{kept}-ae85168276fa26b9--"));
        assert!(name.len() <= 255);
    }

    #[test]
    fn names_of_up_to_255_bytes_stay_as_they_are() {
        let longest = format!("/{}", "a".repeat(251));
        assert_eq!(encode_cwd(&longest), format!("--{}--", "a".repeat(251)));
        let longer = format!("/{}", "a".repeat(252));
        assert_eq!(encode_cwd(&longer), format!("--{}-f7e0454cf6d31d26--", "a".repeat(198)));
    }

    #[test]
    fn long_directories_with_the_same_start_stay_apart() {
        let start = format!("/{}", "d".repeat(300));
        assert_ne!(encode_cwd(&format!("{start}/one")), encode_cwd(&format!("{start}/two")));
    }
}
