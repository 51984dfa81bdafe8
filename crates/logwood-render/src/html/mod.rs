//! A session as one page of HTML that needs nothing else: no network, no server.
//!
//! Everything of the session is text in it. What makes markup comes from here alone: text is escaped, Markdown loses its raw
//! HTML, links keep harmless schemes only, and a content security policy in the page lets no script run but the page's own (by
//! its hash) and loads nothing. Each entry is there once; the page shows those on the path of the branch that is looked at.

mod article;
mod body;
mod escape;
mod image;
mod markdown;
mod page;
mod results;
mod sidebar;
#[cfg(test)]
mod tests;
mod tool;

pub use page::{HtmlOptions, html};
