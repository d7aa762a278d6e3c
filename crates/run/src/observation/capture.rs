//! Keeping the first bytes of something long, and enough of the others to tell two of them apart.
//!
//! Bytes beyond the cap go into a digest: a sum over its words of eight bytes, each scrambled
//! together with its place. A word of zeros adds nothing, so that the hole of a sparse file costs
//! nothing and equals zeros that were written. A keyed or cryptographic hash was rejected: a
//! program gains nothing by a collision that it could not have by printing the same in both
//! versions.

use super::Captured;

/// The bytes in a word of the digest.
const WORD: u64 = 8;

/// A stream or file that is being captured.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    captured: Captured,
    keep: u64,
    digest: Digest,
}

impl Capture {
    /// Keeps the first `keep` bytes.
    pub(crate) fn new(keep: u64) -> Capture {
        Capture { captured: Captured::default(), keep, digest: Digest::default() }
    }

    /// Number of bytes so far.
    pub(crate) fn total(&self) -> u64 {
        self.captured.total
    }

    /// Takes the bytes that come next.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let room = self.keep.saturating_sub(self.captured.bytes.len() as u64);
        let kept = bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        let (kept, rest) = bytes.split_at(kept);
        self.captured.bytes.extend(kept);
        self.captured.total += bytes.len() as u64;
        self.digest.take(rest);
    }

    /// Takes so many zeros, none of which is to be kept.
    pub(crate) fn take_zeros_beyond(&mut self, count: u64) {
        self.captured.total += count;
        self.digest.skip(count);
    }

    /// The captured bytes.
    pub(crate) fn finish(self) -> Captured {
        Captured { rest: self.digest.finish(), ..self.captured }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Digest {
    sum: u64,
    /// Number of all bytes.
    length: u64,
    /// The bytes of the word that is not complete yet.
    word: u64,
}

impl Digest {
    fn take(&mut self, bytes: &[u8]) {
        let missing = (WORD - self.length % WORD) % WORD;
        let (first, aligned) = bytes.split_at(bytes.len().min(missing as usize));
        first.iter().for_each(|byte| self.push(*byte));
        let (words, last) = aligned.as_chunks();
        for word in words {
            self.add(u64::from_le_bytes(*word));
            self.length += WORD;
        }
        last.iter().for_each(|byte| self.push(*byte));
    }

    fn push(&mut self, byte: u8) {
        let place = self.length % WORD;
        self.word |= u64::from(byte) << (8 * place);
        if place == WORD - 1 {
            self.complete();
        }
        self.length += 1;
    }

    fn skip(&mut self, zeros: u64) {
        if self.length % WORD + zeros >= WORD {
            self.complete();
        }
        self.length += zeros;
    }

    fn complete(&mut self) {
        let word = std::mem::take(&mut self.word);
        self.add(word);
    }

    fn add(&mut self, word: u64) {
        if word != 0 {
            let place = scramble(self.length / WORD + 1);
            self.sum = self.sum.wrapping_add(scramble(place ^ word));
        }
    }

    fn finish(mut self) -> u64 {
        self.complete();
        self.sum
    }
}

/// The finaliser of SplitMix64: each bit of the result depends on all bits.
fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(keep: u64, pieces: &[&[u8]]) -> Captured {
        let mut capture = Capture::new(keep);
        pieces.iter().for_each(|piece| capture.take(piece));
        capture.finish()
    }

    #[test]
    fn nothing_is_beyond_what_was_kept_whole() {
        let whole = Captured { bytes: b"abc".to_vec(), total: 3, rest: 0 };
        assert_eq!(capture(3, &[b"a", b"bc"]), whole);
        assert_eq!(capture(9, &[b"abc"]), whole);
    }

    #[test]
    fn the_pieces_do_not_matter() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = capture(5, &[&bytes]);
        assert_ne!(whole.rest, 0);
        for size in 1..30 {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            assert_eq!(capture(5, &pieces), whole, "pieces of {size}");
        }
    }

    #[test]
    fn every_byte_beyond_and_its_place_count() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = capture(5, &[&bytes]).rest;
        for place in 5..100 {
            let mut other = bytes.clone();
            other[place] ^= 1;
            assert_ne!(capture(5, &[&other]).rest, whole, "byte {place}");
        }
        for place in 5..91 {
            let mut other = bytes.clone();
            other[place..].rotate_left(8);
            assert_ne!(capture(5, &[&other]).rest, whole, "moved at {place}");
        }
    }

    #[test]
    fn a_hole_is_zeros() {
        for before in 0..20 {
            for zeros in 0..40 {
                let mut holed = Capture::new(2);
                holed.take(&vec![7; 2 + before]);
                holed.take_zeros_beyond(zeros);
                holed.take(b"end of it");
                let written = [vec![7; 2 + before], vec![0; zeros as usize], b"end of it".to_vec()];
                assert_eq!(holed.finish(), capture(2, &[&written.concat()]), "{before} {zeros}");
            }
        }
    }
}
