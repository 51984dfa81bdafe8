//! The seams to the outside world besides storage: the clock and the source of new ids.

use std::time::SystemTime;

/// Tells the time; a test gives its own.
pub trait Clock: std::fmt::Debug + Send + Sync {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    fn now_ms(&self) -> i64;
}

/// Makes new ids; a test gives its own.
pub trait IdSource: std::fmt::Debug + Send + Sync {
    /// A new UUID version 4 as text of 36 characters; entry ids are its first 8 (spec 1.3).
    fn new_uuid(&self) -> String;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the clock")]
    fn now_ms(&self) -> i64 {
        match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
        }
    }
}

/// Random ids of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomIds;

impl IdSource for RandomIds {
    fn new_uuid(&self) -> String {
        uuid::Uuid::new_v4().to_string()
    }
}
