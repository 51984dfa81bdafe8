//! Survivable findings, with position and what was done about them.
