//! The last bytes that are known of a file: what comes behind them is a tail only if they still stand there.

/// Enough to hold the id or the end of a message of a line, which no other line has in that place.
const LENGTH: usize = 48;

/// The end of what was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seam {
    bytes: [u8; LENGTH],
    len: usize,
}

impl Default for Seam {
    fn default() -> Self {
        Self { bytes: [0; LENGTH], len: 0 }
    }
}

impl Seam {
    /// How many bytes it holds at most.
    pub(crate) const LENGTH: usize = LENGTH;

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get(LENGTH - self.len..).unwrap_or_default()
    }

    /// Takes what was read next.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let new = bytes.get(bytes.len().saturating_sub(LENGTH)..).unwrap_or_default();
        self.bytes.rotate_left(new.len() % LENGTH);
        if let Some(room) = self.bytes.get_mut(LENGTH - new.len()..) {
            room.copy_from_slice(new);
        }
        self.len = LENGTH.min(self.len + new.len());
    }

    /// Forgets what was taken last, in bytes; what stood before the seam is not known again.
    pub(crate) fn take_back(&mut self, count: u64) {
        let count = usize::try_from(count).map_or(self.len, |count| count.min(self.len));
        self.bytes.rotate_right(count);
        self.len -= count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_bytes() {
        let mut seam = Seam::default();
        let mut all = Vec::new();
        assert_eq!(seam.bytes(), b"");
        for length in [3, 1, 0, 40, 7, 48, 2, 200, 47] {
            let piece: Vec<u8> = (0..length).map(|n: usize| (n + all.len()) as u8).collect();
            seam.push(&piece);
            all.extend(piece);
            assert_eq!(seam.bytes(), &all[all.len().saturating_sub(LENGTH)..]);
        }
    }

    #[test]
    fn takes_back_what_came_last() {
        let mut seam = Seam::default();
        seam.push(b"0123456789");
        seam.push(b"torn");
        seam.take_back(4);
        assert_eq!(seam.bytes(), b"0123456789");
        seam.push(&[b'x'; 45]);
        seam.take_back(45);
        assert_eq!(seam.bytes(), b"789");
        seam.push(b"ab");
        assert_eq!(seam.bytes(), b"789ab");
        seam.take_back(1000);
        assert_eq!(seam.bytes(), b"");
    }
}
