//! The seams to the outside world besides storage: the clock and the source of new ids.
