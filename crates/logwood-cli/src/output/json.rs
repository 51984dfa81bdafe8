//! Puts JSON texts together; what comes from a session goes in as it stands there.

use logwood::json::escape_into;

/// A JSON object being written, members in the order in which they are added.
#[derive(Debug, Clone)]
pub(crate) struct Object(String);

impl Object {
    /// An empty object.
    pub(crate) fn new() -> Self {
        Self("{".to_owned())
    }

    /// A string member.
    pub(crate) fn str(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        push_string(&mut self.0, value);
        self
    }

    /// A string member, left out where there is none.
    pub(crate) fn opt_str(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.str(key, value),
            None => self,
        }
    }

    /// A string member, `null` where there is none.
    pub(crate) fn str_or_null(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.str(key, value),
            None => self.json(key, "null"),
        }
    }

    /// A number member, `null` where there is none.
    pub(crate) fn num_or_null(self, key: &str, value: Option<u64>) -> Self {
        match value {
            Some(value) => self.num(key, value),
            None => self.json(key, "null"),
        }
    }

    /// A number member.
    pub(crate) fn num(self, key: &str, value: u64) -> Self {
        self.json(key, &value.to_string())
    }

    /// A boolean member.
    pub(crate) fn bool(self, key: &str, value: bool) -> Self {
        self.json(key, if value { "true" } else { "false" })
    }

    /// A member whose value is a JSON text.
    pub(crate) fn json(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        self.0.push_str(value);
        self
    }

    /// The text.
    pub(crate) fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }

    /// The text up to the value of a last member, for [`Stream::json_with_list`](super::Stream::json_with_list).
    pub(super) fn before(mut self, key: &str) -> String {
        self.key(key);
        self.0
    }

    fn key(&mut self, key: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        push_string(&mut self.0, key);
        self.0.push(':');
    }
}

/// An array of JSON texts.
pub(crate) fn array(values: impl IntoIterator<Item = String>) -> String {
    let values: Vec<_> = values.into_iter().collect();
    format!("[{}]", values.join(","))
}

/// A string as JSON text.
pub(crate) fn string(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    push_string(&mut out, value);
    out
}

fn push_string(out: &mut String, value: &str) {
    let mut escaped = Vec::with_capacity(value.len() + 2);
    escape_into(&mut escaped, value);
    out.push('"');
    out.push_str(&String::from_utf8_lossy(&escaped));
    out.push('"');
}
