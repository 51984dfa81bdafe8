//! Content blocks and usage (spec 1.6, 1.7), decoded on demand.

use std::borrow::Cow;

use crate::json::{Elements, JsonKind, Raw};

use super::fields::views;

/// The content of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// A plain string.
    Text(Raw<'a>),
    /// A list of blocks.
    Blocks(Raw<'a>),
    /// Null, missing, or of a type that says nothing (case 46).
    Empty,
}

impl<'a> Content<'a> {
    /// Reads the value of `content`.
    pub fn of(content: Option<Raw<'a>>) -> Self {
        match content {
            Some(raw) if raw.kind() == JsonKind::String => Self::Text(raw),
            Some(raw) if raw.kind() == JsonKind::Array => Self::Blocks(raw),
            _ => Self::Empty,
        }
    }

    /// The blocks; none for a plain string.
    pub fn blocks(self) -> impl Iterator<Item = ContentBlock<'a>> {
        let elements: Option<Elements<'a>> = match self {
            Self::Blocks(raw) => Some(raw.elements()),
            _ => None,
        };
        elements.into_iter().flatten().map(ContentBlock::of)
    }

    /// The text: a plain string, or the text blocks joined by `separator`.
    pub fn text(self, separator: &str) -> Cow<'a, str> {
        match self {
            Self::Text(raw) => raw.as_str().unwrap_or_default(),
            Self::Empty => Cow::Borrowed(""),
            Self::Blocks(_) => {
                let texts = self.blocks().filter_map(|block| match block {
                    ContentBlock::Text(text) => text.text(),
                    _ => None,
                });
                Cow::Owned(texts.collect::<Vec<_>>().join(separator))
            }
        }
    }
}

/// One block of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant has the type of its name")]
pub enum ContentBlock<'a> {
    Text(TextBlock<'a>),
    Thinking(ThinkingBlock<'a>),
    Image(ImageBlock<'a>),
    ToolCall(ToolCallBlock<'a>),
    Unknown(Raw<'a>),
}

impl<'a> ContentBlock<'a> {
    /// Reads one block.
    pub fn of(raw: Raw<'a>) -> Self {
        match raw.get_str("type").as_deref() {
            Some("text") => Self::Text(TextBlock(raw)),
            Some("thinking") => Self::Thinking(ThinkingBlock(raw)),
            Some("image") => Self::Image(ImageBlock(raw)),
            Some("toolCall") => Self::ToolCall(ToolCallBlock(raw)),
            _ => Self::Unknown(raw),
        }
    }

    /// The block as JSON.
    pub fn raw(self) -> Raw<'a> {
        match self {
            Self::Text(block) => block.raw(),
            Self::Thinking(block) => block.raw(),
            Self::Image(block) => block.raw(),
            Self::ToolCall(block) => block.raw(),
            Self::Unknown(raw) => raw,
        }
    }
}

views! {
    /// Text.
    TextBlock {
        /// The text.
        text: str = "text",
        /// Opaque bytes that the provider wants back unchanged.
        text_signature: str = "textSignature",
    }

    /// What the model thought.
    ThinkingBlock {
        /// The text.
        thinking: str = "thinking",
        /// Opaque bytes that the provider wants back unchanged; holds the payload where the text is redacted.
        thinking_signature: str = "thinkingSignature",
        /// Whether the provider hides the text.
        redacted: truthy = "redacted",
    }

    /// A picture.
    ImageBlock {
        /// Base64 without a prefix.
        data: str = "data",
        /// Such as `image/png`.
        mime_type: str = "mimeType",
    }

    /// A call of a tool.
    ToolCallBlock {
        /// The id that the result names.
        id: str = "id",
        /// The tool.
        name: str = "name",
        /// The arguments, an object.
        arguments: raw = "arguments",
        /// Opaque bytes that the provider wants back unchanged (Google).
        thought_signature: str = "thoughtSignature",
        /// Where the tool comes from (pi).
        namespace: str = "namespace",
    }

    /// Tokens and cost of an answer; a missing number is none, never 0.
    Usage {
        /// Input tokens.
        input: f64 = "input",
        /// Output tokens.
        output: f64 = "output",
        /// Tokens read from the cache.
        cache_read: f64 = "cacheRead",
        /// Tokens written to the cache.
        cache_write: f64 = "cacheWrite",
        /// All tokens.
        total_tokens: f64 = "totalTokens",
    }

    /// US dollars.
    Cost {
        /// For input tokens.
        input: f64 = "input",
        /// For output tokens.
        output: f64 = "output",
        /// For tokens read from the cache.
        cache_read: f64 = "cacheRead",
        /// For tokens written to the cache.
        cache_write: f64 = "cacheWrite",
        /// In all.
        total: f64 = "total",
        /// Whether the provider named the total (pi).
        total_from_provider: bool = "totalFromProvider",
    }
}

impl<'a> Usage<'a> {
    /// Reads a usage object.
    pub fn of(raw: Raw<'a>) -> Self {
        Self(raw)
    }

    /// What it cost.
    pub fn cost(self) -> Option<Cost<'a>> {
        self.0.get("cost").filter(|cost| cost.is_object()).map(Cost)
    }
}
