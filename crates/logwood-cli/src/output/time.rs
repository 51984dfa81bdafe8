//! Times as a person reads them, in the zone of the machine (`TZ`).

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Shows times in one zone.
#[derive(Debug, Clone)]
pub(crate) struct Clockface {
    zone: TimeZone,
}

impl Clockface {
    /// The zone of the machine.
    pub(crate) fn system() -> Self {
        Self { zone: TimeZone::system() }
    }

    /// The zone.
    pub(crate) fn zone(&self) -> TimeZone {
        self.zone.clone()
    }

    /// `2025-03-04 09:00`; a question mark for a time that is none.
    pub(crate) fn full(&self, ms: Option<i64>) -> String {
        self.format(ms, "%Y-%m-%d %H:%M")
    }

    /// `2025-03-04`.
    pub(crate) fn day(&self, ms: Option<i64>) -> String {
        self.format(ms, "%Y-%m-%d")
    }

    /// `09:00`.
    pub(crate) fn time(&self, ms: Option<i64>) -> String {
        self.format(ms, "%H:%M")
    }

    /// How far the local time is ahead of UTC at a time, in milliseconds.
    pub(crate) fn offset_ms(&self, ms: i64) -> i64 {
        let time = Timestamp::from_millisecond(ms).unwrap_or_default();
        i64::from(self.zone.to_offset(time).seconds()) * 1000
    }

    fn format(&self, ms: Option<i64>, format: &str) -> String {
        let time = ms.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        let text =
            time.map(|time| time.to_zoned_datetime(self.zone.clone()).strftime(format).to_string());
        text.unwrap_or_else(|| "?".to_owned())
    }
}
