//! Markdown of people and models as HTML that is safe to show.

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::escape::{escaped, push_text};
use crate::highlight::{Highlighter, Token};
use crate::plain::clean_lines;

/// Adds a text as HTML: raw HTML in it is shown as text, pictures from elsewhere are links, links to anything but web pages,
/// mail and places of this page are plain text.
pub(super) fn push_markdown(page: &mut String, text: &str, highlighter: &mut Highlighter) {
    // Before Markdown looks at it; what is markup is Markdown's to escape.
    let clean = clean_lines(text);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Safe {
        events: Parser::new_ext(&clean, options),
        highlighter,
        links: Vec::new(),
        pending: None,
    };
    html::push_html(page, events);
}

/// Adds code, in colours where the language is known.
pub(super) fn push_code(
    page: &mut String,
    code: &str,
    language: &str,
    highlighter: &mut Highlighter,
) {
    for piece in highlighter.lines(code, language).into_iter().flatten() {
        match class(piece.token) {
            "" => push_text(page, piece.text),
            class => {
                page.push_str("<span class=\"");
                page.push_str(class);
                page.push_str("\">");
                push_text(page, piece.text);
                page.push_str("</span>");
            }
        }
    }
}

fn class(token: Token) -> &'static str {
    match token {
        Token::Plain => "",
        Token::Comment => "hc",
        Token::String => "hs",
        Token::Constant => "hn",
        Token::Keyword => "hk",
        Token::Function => "hf",
        Token::Type => "ht",
        Token::Variable => "hv",
        Token::Inserted => "ins",
        Token::Deleted => "del",
        Token::Heading => "hh",
    }
}

/// The events of a text without those that would be dangerous.
struct Safe<'a, 'h> {
    events: Parser<'a>,
    highlighter: &'h mut Highlighter,
    /// What closes each open link or picture; empty inside of another link, which takes no second one.
    links: Vec<&'static str>,
    pending: Option<Event<'a>>,
}

impl<'a> Iterator for Safe<'a, '_> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        if let Some(event) = self.pending.take() {
            return Some(event);
        }
        Some(match self.events.next()? {
            Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
            Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
            Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
            Event::Start(Tag::Link { dest_url, .. }) => self.open(&dest_url, ""),
            Event::Start(Tag::Image { dest_url, .. }) => self.open(&dest_url, "image: "),
            Event::End(TagEnd::Link | TagEnd::Image) => {
                Event::InlineHtml(self.links.pop().unwrap_or_default().into())
            }
            Event::Start(Tag::CodeBlock(kind)) => self.code(&kind),
            Event::Start(Tag::Heading { level, .. }) => {
                let level = heading(level as u8);
                Event::Html(format!("<{level}>").into())
            }
            Event::End(TagEnd::Heading(level)) => {
                let level = heading(level as u8);
                Event::Html(format!("</{level}>\n").into())
            }
            Event::TaskListMarker(done) => Event::Text(if done { "☑ " } else { "☐ " }.into()),
            other => other,
        })
    }
}

impl<'a> Safe<'a, '_> {
    fn open(&mut self, url: &CowStr<'_>, what: &'static str) -> Event<'a> {
        let inside = self.links.iter().any(|end| !end.is_empty());
        if inside || !is_harmless(url) {
            self.links.push("");
            return Event::Text(what.into());
        }
        self.links.push("</a>");
        let rel = "rel=\"noopener noreferrer nofollow\"";
        Event::InlineHtml(format!("<a href=\"{}\" {rel}>{what}", escaped(url)).into())
    }

    /// A whole block of code, up to its end.
    fn code(&mut self, kind: &CodeBlockKind<'_>) -> Event<'a> {
        let mut code = String::new();
        for event in self.events.by_ref() {
            match event {
                Event::Text(text) => code.push_str(&text),
                Event::End(TagEnd::CodeBlock) => break,
                _ => {}
            }
        }
        let language = match kind {
            CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default(),
            CodeBlockKind::Indented => "",
        };
        let mut block = "<pre class=\"code\"><code>".to_owned();
        push_code(&mut block, &code, language, self.highlighter);
        block.push_str("</code></pre>\n");
        Event::Html(block.into())
    }
}

/// Headings of a message stand below those of the page, which go to the second level.
fn heading(level: u8) -> &'static str {
    match level {
        1 => "h3",
        2 => "h4",
        3 => "h5",
        _ => "h6",
    }
}

/// Whether a link may stand in the page: web, mail, or a place in this page. A browser drops white space and control characters
/// from a scheme, so a link with one of them has none that is known.
fn is_harmless(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let named = matches!(scheme.as_str(), "http" | "https" | "mailto") && url.contains(':');
    named || url.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        let mut page = String::new();
        push_markdown(&mut page, text, &mut Highlighter::new(1 << 16));
        page
    }

    #[test]
    fn markdown_is_rendered() {
        assert_eq!(
            html("# a\n\nb **c** `d`"),
            "<h3>a</h3>\n<p>b <strong>c</strong> <code>d</code></p>\n"
        );
        assert!(html("| a |\n|---|\n| b |").contains("<td>b</td>"));
        assert!(html("- [x] a").contains("☑ a"));
        let code = html("```rust\nfn a() {}\n```");
        assert!(
            code.starts_with("<pre class=\"code\"><code><span class=\"hk\">fn</span> "),
            "{code}"
        );
    }

    /// Case 74.
    #[test]
    fn raw_html_is_text() {
        for text in [
            "<script>probe(1)</script>",
            "a <img src=x onerror=probe(1)> b",
            "<div>\n<b>x</b>\n</div>",
            "<!-- x -->",
            "<svg/onload=probe(1)>",
            "`<script>`",
            "```\n</code></pre><script>x</script>\n```",
            "```\"><script>\nx\n```",
        ] {
            let page = html(text);
            let tags = page.matches('<').count();
            let ours = ["<p>", "</p>", "<pre class=\"code\">", "</pre>", "<code>", "</code>"];
            let known: usize = ours.iter().map(|tag| page.matches(tag).count()).sum();
            assert_eq!(tags, known, "{page}");
        }
    }

    #[test]
    fn only_harmless_links_are_links() {
        assert_eq!(
            html("[a](https://x.y/?a=1&b=\"2)"),
            "<p><a href=\"https://x.y/?a=1&amp;b=&quot;2\" rel=\"noopener noreferrer nofollow\">a</a></p>\n"
        );
        for url in [
            "javascript:alert(1)",
            "JaVaScript:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "java&#10;script:x",
            "file:///etc/passwd",
            "//x.y",
            "&#1;javascript:x",
        ] {
            assert_eq!(html(&format!("[a]({url})")), "<p>a</p>\n", "{url}");
            assert_eq!(html(&format!("![a]({url})")), "<p>image: a</p>\n", "{url}");
        }
        assert_eq!(html("<javascript:alert(1)>"), "<p>javascript:alert(1)</p>\n");
        let nested = html("[![alt](https://a/b.png)](https://c)");
        assert_eq!(nested.matches("<a ").count(), 1, "{nested}");
        assert_eq!(nested.matches("</a>").count(), 1, "{nested}");
        assert!(!nested.contains("<img"), "{nested}");
    }

    #[test]
    fn control_characters_show() {
        assert_eq!(html("a\x1b[31mb\x07"), "<p>a␛[31mb␇</p>\n");
    }
}
