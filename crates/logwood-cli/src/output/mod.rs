//! Everything that is printed goes through here, to a locked stream and without a control character of a log.
//!
//! [`Line`] is text for a person: what is put into it is made harmless as it is added, so no command can forget it;
//! [`wrap()`] and [`cut()`] fit text into columns, [`Clockface`] shows times. [`Object`] and [`array()`] put JSON together;
//! [`Stream`] writes it with everything escaped that a terminal would obey, and knows whether there are colours and how
//! wide the terminal is.

mod age;
mod bar;
mod human;
mod json;
mod stream;
pub(crate) mod style;
mod time;
mod wrap;

pub(crate) use age::age;
pub(crate) use bar::bar;
pub(crate) use human::Line;
pub(crate) use json::{Object, array, string};
pub(crate) use stream::{Standard, Stream};
pub(crate) use time::Clockface;
pub(crate) use wrap::{cut, plain_line, wrap};

pub(crate) use logwood_render::plain::{clean, one_line, without_escapes};
