//! A session as people read it, without a terminal: the rows of its tree, highlighted code, and exports of it.
//!
//! A session goes in, text comes out, to any writer; [`write_file`] puts it into a file, whole or not at all.

pub mod plain;

pub mod highlight;

pub mod tree_view;

pub mod about;

mod hidden;

mod tool;

pub use hidden::is_hidden;

pub mod html;

pub mod markdown;

pub mod jsonl;

pub mod redact;

pub mod export;

mod to_file;

pub use to_file::write_file;
