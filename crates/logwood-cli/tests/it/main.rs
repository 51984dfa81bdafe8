//! The program from the outside: one binary, a module for each subject.

mod skeleton;
