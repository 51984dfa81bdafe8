//! One JSON text the way JavaScript reads and writes it; knows nothing of sessions.
