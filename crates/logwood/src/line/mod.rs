//! Cuts bytes into lines with byte position and line number; knows no JSON and no files.

mod position;

pub use position::Position;
