//! When to look again at what is followed: hints of the system, and the clock where it gives none.
//!
//! The library's followers only look when they are asked. [`Wakes`] asks the system to tell of changes and wakes the loop of a command;
//! [`Pace`] keeps looks apart, and has one now and then where no hint came, since network file systems give none and watches are limited.

mod pace;
mod wakes;

pub(crate) use pace::Pace;
pub(crate) use wakes::Wakes;
