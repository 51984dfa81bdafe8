//! Cuts bytes into lines with byte position and line number; knows no JSON and no files.
//!
//! Only LF ends a line: U+2028, U+2029, U+0085 and CR are data (case 09). The last line may lack its LF.

mod position;
mod reader;
mod reverse;
mod seam;
mod slice;
#[cfg(test)]
mod tests;

pub use position::{LineRef, Position};
pub use reader::{BLOCK, LineReader};
pub use reverse::ReverseLines;
pub(crate) use seam::Seam;
pub use slice::Lines;
