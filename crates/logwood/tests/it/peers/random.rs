//! A small random number generator, and the random texts that operations are made of.

use super::driver::Which;
use super::operations::Known;

/// A small random number generator (splitmix64): a seed tells the whole sequence.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }

    pub(super) fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    pub(super) fn maybe(&mut self, member: &str, text: String) -> String {
        if self.below(2) == 0 { String::new() } else { format!(",\"{member}\":{text}") }
    }
}

const STRINGS: [&str; 12] = [
    "\"\"",
    "\"plain\"",
    "\"two\\nlines\\ttab\"",
    "\"quote \\\" slash \\/ back \\\\\"",
    "\"ünïcode 日本 🌲\"",
    "\"half \\ud83d alone\"",
    "\"\\ud83c\\udf32 as escapes\"",
    "\"\\u0000\\u001f\\u007f\\u2028\\u2029\"",
    "\"\u{2028}\u{2029}\u{feff}\"",
    "\"\\u0041\\u00e9\\b\\f\"",
    "\"{\\\"type\\\":\\\"session\\\"}\"",
    "\"</script>\"",
];

const VALUES: [&str; 14] = [
    "null",
    "true",
    "-0",
    "1.0",
    "1e21",
    "1E-7",
    "0.000001",
    "123456789012345680000",
    "0.30000000000000004",
    "5e-324",
    "[]",
    "{\"b\":1,\"10\":2,\"9\":[{}],\"a\":null}",
    "{\"a\":1,\"b\":2,\"a\":3}",
    "{\"__proto__\":{\"x\":1},\"toJSON\":2,\"constructor\":\"c\"}",
];

pub(super) const USAGE: &str = "{\"input\":1,\"output\":2,\"cacheRead\":0,\"cacheWrite\":0,\"totalTokens\":3,\"cost\":{\"input\":0.1,\"output\":0.2,\"cacheRead\":0,\"cacheWrite\":0,\"total\":0.30000000000000004}}";

impl Random {
    pub(super) fn string(&mut self) -> String {
        self.one(&STRINGS).to_owned()
    }

    /// A string that the library takes as a `&str`, which holds no half of a character.
    pub(super) fn word(&mut self) -> String {
        let strings = STRINGS.map(|text| if text.contains("alone") { "\"whole\"" } else { text });
        self.one(&strings).to_owned()
    }

    pub(super) fn value(&mut self) -> String {
        match self.below(4) {
            0 => self.string(),
            1 => format!("[{},{}]", self.one(&VALUES), self.string()),
            _ => self.one(&VALUES).to_owned(),
        }
    }

    pub(super) fn blocks(&mut self) -> String {
        let text = format!("{{\"type\":\"text\",\"text\":{}}}", self.string());
        match self.below(3) {
            0 => "[]".to_owned(),
            1 => format!(
                "[{text},{{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}}]"
            ),
            _ => format!("[{text}]"),
        }
    }

    pub(super) fn content(&mut self) -> String {
        if self.below(2) == 0 { self.string() } else { self.blocks() }
    }

    pub(super) fn pick<'a>(&mut self, known: &'a [Known]) -> Option<&'a Known> {
        (!known.is_empty()).then(|| &known[self.below(known.len())])
    }

    pub(super) fn message(&mut self, which: Which) -> (String, &'static str) {
        let time = self.below(9);
        match self.below(if which == Which::Newest { 7 } else { 6 }) {
            0 | 1 => (
                format!(
                    "{{\"role\":\"user\",\"content\":{},\"timestamp\":{time}}}",
                    self.content()
                ),
                "user",
            ),
            2 | 3 => {
                let call = format!(
                    "{{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"bash\",\"arguments\":{}}}",
                    self.value()
                );
                let thought = format!(
                    "{{\"type\":\"thinking\",\"thinking\":{},\"thinkingSignature\":\"s\"}}",
                    self.string()
                );
                let more = self.maybe("errorMessage", "\"e\"".to_owned());
                let model = self.one(&["m1", "m2"]);
                (
                    format!(
                        "{{\"role\":\"assistant\",\"content\":[{thought},{call}],\"api\":\"a\",\"provider\":\"p\",\"model\":\"{model}\",\"usage\":{USAGE},\"stopReason\":\"stop\"{more},\"timestamp\":{time}}}"
                    ),
                    "assistant",
                )
            }
            4 => {
                let details = self.value();
                let details = self.maybe("details", details);
                (
                    format!(
                        "{{\"role\":\"toolResult\",\"toolCallId\":\"c\",\"toolName\":\"bash\",\"content\":{}{details},\"isError\":false,\"timestamp\":{time}}}",
                        self.blocks()
                    ),
                    "toolResult",
                )
            }
            5 => (
                format!(
                    "{{\"role\":\"bashExecution\",\"command\":{},\"output\":{},\"exitCode\":0,\"cancelled\":false,\"truncated\":false,\"timestamp\":{time}}}",
                    self.string(),
                    self.string()
                ),
                "",
            ),
            _ => {
                let sections = self
                    .one(&["{\"a\":\"A1\",\"b\":\"B1\"}", "{\"a\":null,\"c\":\"C\"}"])
                    .to_owned();
                let sections = self.maybe("sections", sections);
                let tools = self.maybe(
                    "toolsAdded",
                    "[{\"name\":\"read\",\"description\":\"d\",\"parameters\":{}}]".to_owned(),
                );
                (
                    format!(
                        "{{\"role\":\"system\",\"content\":{}{sections}{tools},\"timestamp\":{time}}}",
                        self.string()
                    ),
                    "",
                )
            }
        }
    }
}
