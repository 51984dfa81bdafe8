//! Everything that is printed goes through here, to a locked stream and without a control character of a log.
//!
//! [`Line`] is text for a person: what is put into it is made harmless by `clean`, so no command can forget it.
//! [`Object`] puts JSON together; [`Stream::json`] escapes what a terminal would obey.
//! [`Stream`] knows whether there are colours and how wide the terminal is.

mod human;
mod json;
mod sanitize;
mod stream;
pub(crate) mod style;

pub(crate) use human::Line;
pub(crate) use json::Object;
pub(crate) use stream::{Standard, Stream};
