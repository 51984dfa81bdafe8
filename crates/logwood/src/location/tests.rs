//! Tests of the room, one file for each part.

mod anything;
mod choice;
mod paths;
mod settings;
mod stores;
mod transcripts;
