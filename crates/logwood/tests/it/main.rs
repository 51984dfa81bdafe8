//! What the library promises its users, seen from outside.

mod cases;
