//! Tests of the room, one file for each part.

mod choice;
mod paths;
mod settings;
mod stores;
