//! A session as people read it, without a terminal: the rows of its tree, highlighted code, and exports of it.
//!
//! Pure: a session goes in, text comes out. Where the text goes is the front end's work.

pub mod plain;

pub mod highlight;

pub mod tree_view;

pub mod about;

mod hidden;

pub use hidden::is_hidden;

pub mod html;

pub mod markdown;

pub mod jsonl;

pub mod redact;

pub mod export;
