//! Facts and checkpoints as bytes: numbers in as few bytes as they need, texts with their length before them.

/// Writes values one after the other.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    pub(super) fn number(&mut self, mut value: u64) {
        while value > 0x7f {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Small numbers of either sign in few bytes.
    pub(super) fn signed(&mut self, value: i64) {
        self.number((value << 1 ^ value >> 63).cast_unsigned());
    }

    pub(super) fn bytes(&mut self, value: &[u8]) {
        self.number(value.len() as u64);
        self.bytes.extend_from_slice(value);
    }

    pub(super) fn text(&mut self, value: &str) {
        self.bytes(value.as_bytes());
    }

    /// 0, or 1 and the value.
    pub(super) fn maybe<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.number(u64::from(value.is_some()));
        if let Some(value) = value {
            write(self, value);
        }
    }

    /// How many, and each.
    pub(super) fn each<T>(
        &mut self,
        values: impl ExactSizeIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.number(values.len() as u64);
        values.for_each(|value| write(self, value));
    }
}

/// Reads what an [`Encoder`] wrote; none for bytes that it did not write.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Nothing is left.
    pub(super) fn end(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let value = self.number()?;
        Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    pub(super) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (value, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(value)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        Some(std::str::from_utf8(self.bytes()?).ok()?.to_owned())
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(super) fn maybe<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Some(None) }
    }

    pub(super) fn each<T, C: FromIterator<T>>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<C> {
        let count = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_bytes_they_need_and_come_back() {
        for (value, length) in [(0, 1), (127, 1), (128, 2), (1 << 35, 6), (u64::MAX, 10)] {
            let mut encoder = Encoder::default();
            encoder.number(value);
            let bytes = encoder.finish();
            assert_eq!(bytes.len(), length);
            assert_eq!(Decoder::new(&bytes).number(), Some(value));
        }
        for value in [0, -1, 1, 63, -64, i64::MIN, i64::MAX] {
            let mut encoder = Encoder::default();
            encoder.signed(value);
            let bytes = encoder.finish();
            assert_eq!(Decoder::new(&bytes).signed(), Some(value));
        }
    }

    #[test]
    fn bytes_that_are_cut_or_odd_give_nothing() {
        assert_eq!(Decoder::new(&[]).number(), None);
        assert_eq!(Decoder::new(&[0xff; 11]).number(), None);
        assert_eq!(Decoder::new(&[3, b'a', b'b']).text(), None);
        assert_eq!(Decoder::new(&[1, 0xff]).text(), None);
        assert_eq!(Decoder::new(&[2]).flag(), None);
        assert_eq!(Decoder::new(&[9, 1]).each::<_, Vec<_>>(Decoder::number), None);
    }
}
