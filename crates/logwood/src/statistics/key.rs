use sha2::{Digest, Sha256};

use super::UsageRecord;

/// Names one answer, however many copies of it forks hold: entries with the same id, entry time, message time and usage are one answer
/// (design section 2, "Money"; case 64).
///
/// 16 bytes of a hash, the same in every process and on every machine, so that they can be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UsageKey(pub [u8; 16]);

impl UsageKey {
    pub(super) fn of(record: &UsageRecord) -> Self {
        let mut hash = Sha256::new();
        let id = record.entry_id.as_deref();
        hash.update([u8::from(id.is_some())]);
        hash.update(id.unwrap_or_default().as_bytes());
        hash.update([0]);
        for time in [record.entry_ms, record.message_ms] {
            hash.update([u8::from(time.is_some())]);
            hash.update(time.unwrap_or_default().to_be_bytes());
        }
        let tokens = record.tokens;
        for count in [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write] {
            hash.update(count.to_be_bytes());
        }
        hash.update([u8::from(record.cost.is_some())]);
        hash.update(record.cost.unwrap_or_default().picodollars().to_be_bytes());
        let digest: [u8; 32] = hash.finalize().into();
        let (half, _) = digest.split_at(16);
        Self(half.try_into().expect("half of 32 bytes is 16"))
    }
}
