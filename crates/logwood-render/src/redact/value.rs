//! Tells a secret from what only stands where one could.

/// What exports write in place of a secret.
pub(super) const MARK: &str = "[redacted";
/// The name that stands in place of a person's in a path.
pub(super) const NOBODY: &str = "redacted";

/// Whether a value that is called a secret is one: no placeholder, no type, no code that fetches it.
pub(super) fn is_secret(value: &str, quoted: bool) -> bool {
    let value = value.trim_matches(|c: char| c == '"' || c == '\'' || c == '`');
    if value.len() < 4 || value.starts_with(MARK) || is_placeholder(value) || is_code(value) {
        return false;
    }
    let digits = value.chars().any(|c| c.is_ascii_digit());
    let letters = value.chars().any(char::is_alphabetic);
    let words = value.split_whitespace().count();
    // A sentence says something about a password; a value without quotes that is one word is a name or a type.
    match quoted {
        true => words <= 4 && (words == 1 || digits),
        false => digits && (letters || value.len() >= 6) || has_symbols(value),
    }
}

/// Whether it is no word: made at random, it has a digit or a capital.
pub(super) fn is_opaque(value: &str) -> bool {
    !value.starts_with(MARK) && value.chars().any(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}

/// `total_tokens=123456`: how many there are.
pub(super) fn is_count(name: &str, value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_digit()) && name.to_ascii_lowercase().contains("tokens")
}

fn has_symbols(value: &str) -> bool {
    value.len() >= 8 && value.chars().any(|c| matches!(c, '!' | '@' | '#' | '%' | '^' | '+' | '='))
}

fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let stands_for = [
        "your",
        "example",
        "placeholder",
        "changeme",
        "change-me",
        "change_me",
        "redacted",
        "xxxx",
        "****",
        "....",
        "todo",
        "dummy",
        "null",
        "none",
        "undefined",
        "true",
        "false",
        "test-token",
        "insert",
        "replace",
        "required",
        "optional",
        "string",
        "hidden",
    ];
    let same = value.chars().next().is_some_and(|first| value.chars().all(|c| c == first));
    same || stands_for.iter().any(|word| lower.starts_with(word))
        || value.starts_with('<') && value.ends_with('>')
        || value.starts_with("${")
        || value.starts_with("{{")
        || value.starts_with('$')
        || value.starts_with('%') && value.ends_with('%')
}

/// Code that names where the secret is, not the secret.
fn is_code(value: &str) -> bool {
    let starts = [
        "process.env",
        "os.environ",
        "os.getenv",
        "env.",
        "std::",
        "self.",
        "this.",
        "config.",
        "settings.",
        "secrets.",
        "args.",
        "getenv",
        "env:",
        "vault:",
        "&",
        "*",
    ];
    starts.iter().any(|start| value.starts_with(start))
        || value.contains("::")
        || value.contains("->")
        || value.ends_with("()")
        || is_path_of_names(value)
}

/// `options.auth.value`, `user_name`: names with dots; a dot in a real secret stands beside digits as a rule.
fn is_path_of_names(value: &str) -> bool {
    value.contains('.')
        && value.split('.').all(|part| {
            part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphabetic() || c == '_')
        })
}

/// Whether an address may belong to somebody: no reserved domain (RFC 2606), no address of a machine that answers nobody.
pub(super) fn is_somebodys(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let Some((local, domain)) = lower.split_once('@') else { return false };
    let reserved = |name: &str| domain == name || domain.ends_with(&format!(".{name}"));
    let made_up = [
        "example.com",
        "example.org",
        "example.net",
        "example",
        "test",
        "invalid",
        "localhost",
        "local",
    ];
    let machine = matches!(local, "noreply" | "no-reply" | "git")
        || domain == "users.noreply.github.com" && local == "noreply";
    // `icon@2x.png`: a file name.
    let file = ["png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "css", "json", "rs", "py"]
        .iter()
        .any(|end| domain.rsplit('.').next() == Some(end));
    !(made_up.iter().any(|name| reserved(name)) || machine || file)
}

/// Whether the name of a home directory is somebody's.
pub(super) fn is_person(name: &str) -> bool {
    let shared = [
        NOBODY, "user", "username", "you", "me", "runner", "ubuntu", "Shared", "Public", "Default",
        "~", "..", ".", "...",
    ];
    !shared.contains(&name)
        && !name.starts_with('$')
        && !name.starts_with('<')
        && !name.starts_with('{')
}
