//! A session as people read it, without a terminal: the rows of its tree, and exports of it.
//!
//! Pure: a session goes in, text comes out. Writing the text somewhere is the front end's work.

pub mod tree_view;
