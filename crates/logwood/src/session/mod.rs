//! One open session.
