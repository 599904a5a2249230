//! Which bytes are terms: a byte is a number (and not listed), a byte of a term, or unknown.

use ouro_term::{Term, TermStore};
use rustc_hash::FxHashMap;

/// What a byte is beside its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteShade {
    /// This byte (0 is the lowest) of a term.
    Byte(Term, u8),
    /// Nobody may look at it: an undefined flag, or what was computed from one.
    Opaque,
    /// It is its number after all, where everything around it is unknown.
    Plain,
}

/// Listed bytes are counted in so many groups of words.
const GROUPS: usize = 1024;

/// Shades by address or offset.
#[derive(Clone, Debug)]
pub(crate) struct ShadowBytes {
    bytes: FxHashMap<u64, ByteShade>,
    /// How many bytes are listed in each group of words: hardly any, so most words need no look-up.
    listed: Box<[u32; GROUPS]>,
    /// Where bytes that are not listed are unknown: first, and after the last.
    unknown: Vec<(u64, u64)>,
}

/// What a stretch of bytes is.
pub(crate) enum StretchMeaning {
    /// All bytes are numbers.
    Plain,
    /// The stretch is this term.
    Term(Term),
    /// A byte of it is unknown.
    Opaque,
}

impl Default for ShadowBytes {
    fn default() -> ShadowBytes {
        let listed = Box::new([0; GROUPS]);
        ShadowBytes { bytes: FxHashMap::default(), listed, unknown: Vec::new() }
    }
}

fn group_index(at: u64) -> usize {
    usize::try_from(at >> 3).unwrap_or(0) % GROUPS
}

impl ShadowBytes {
    /// Makes a stretch unknown, whatever it was.
    pub(crate) fn forget_stretch(&mut self, start: u64, end: u64) {
        let ShadowBytes { bytes, listed, unknown } = self;
        bytes.retain(|at, _| {
            let stays = !(start..end).contains(at);
            listed[group_index(*at)] -= u32::from(!stays);
            stays
        });
        unknown.push((start, end));
    }

    /// Whether all bytes of a stretch are numbers, as far as that can be said at once.
    pub(crate) fn is_clear(&self, at: u64, size: usize) -> bool {
        let Some(end) = at.checked_add(size as u64) else { return false };
        let mut words = (at >> 3)..=(end >> 3);
        self.unknown.is_empty() && words.all(|word| self.listed[group_index(word << 3)] == 0)
    }

    fn list_byte(&mut self, at: u64, shade: ByteShade) {
        if self.bytes.insert(at, shade).is_none() {
            self.listed[group_index(at)] += 1;
        }
    }

    fn is_unknown(&self, at: u64) -> bool {
        self.unknown.iter().any(|(start, end)| (*start..*end).contains(&at))
    }

    /// Whether every byte is its number.
    fn is_plain(&self) -> bool {
        self.bytes.is_empty() && self.unknown.is_empty()
    }

    pub(crate) fn get(&self, at: u64) -> Option<ByteShade> {
        match self.bytes.get(&at) {
            _ if self.is_plain() => None,
            Some(ByteShade::Plain) => None,
            Some(shade) => Some(*shade),
            None if self.is_unknown(at) => Some(ByteShade::Opaque),
            None => None,
        }
    }

    pub(crate) fn set_shade(&mut self, at: u64, shade: Option<ByteShade>) {
        match shade {
            Some(shade) => self.list_byte(at, shade),
            None if self.is_plain() => {}
            None if self.is_unknown(at) => self.list_byte(at, ByteShade::Plain),
            None => {
                if self.bytes.remove(&at).is_some() {
                    self.listed[group_index(at)] -= 1;
                }
            }
        }
    }

    pub(crate) fn put_term(&mut self, at: u64, size: u8, term: Term) {
        for i in 0..size {
            self.set_shade(at + u64::from(i), Some(ByteShade::Byte(term, i)));
        }
    }

    pub(crate) fn clear(&mut self, at: u64, size: usize) {
        if !self.is_clear(at, size) {
            for i in 0..size as u64 {
                self.set_shade(at.wrapping_add(i), None);
            }
        }
    }

    /// Listed bytes, in order.
    pub(crate) fn listed_bytes(&self) -> Vec<(u64, ByteShade)> {
        let listed = self.bytes.iter().filter(|(_, shade)| **shade != ByteShade::Plain);
        let mut all: Vec<(u64, ByteShade)> = listed.map(|(at, s)| (*at, *s)).collect();
        all.sort_unstable_by_key(|(at, _)| *at);
        all
    }

    /// What a stretch of at most 16 bytes is; `numbers` are its bytes as numbers.
    pub(crate) fn stretch_meaning(
        &self,
        terms: &mut TermStore,
        at: u64,
        numbers: &[u8],
    ) -> StretchMeaning {
        let shade = |i: u64| self.get(at.wrapping_add(i));
        if self.is_clear(at, numbers.len()) || (0..numbers.len() as u64).all(|i| shade(i).is_none())
        {
            return StretchMeaning::Plain;
        }
        let shades: Vec<Option<ByteShade>> = (0..numbers.len() as u64).map(shade).collect();
        if shades.contains(&Some(ByteShade::Opaque)) {
            return StretchMeaning::Opaque;
        }
        // From the highest byte down, in pieces that are as long as possible.
        let mut whole: Option<Term> = None;
        let mut end = numbers.len();
        while end > 0 {
            let mut start = end - 1;
            let piece = match shades[start] {
                Some(ByteShade::Byte(term, high)) => {
                    let mut low = high;
                    while start > 0
                        && low > 0
                        && shades[start - 1] == Some(ByteShade::Byte(term, low - 1))
                    {
                        start -= 1;
                        low -= 1;
                    }
                    terms.extract(8 * u32::from(high) + 7, 8 * u32::from(low), term)
                }
                _ => {
                    while start > 0 && shades[start - 1].is_none() {
                        start -= 1;
                    }
                    let value = numbers[start..end]
                        .iter()
                        .rev()
                        .fold(0u128, |v, b| v << 8 | u128::from(*b));
                    let bytes = u32::try_from(end - start).expect("at most 16");
                    terms.bv(8 * bytes, value)
                }
            };
            whole = Some(match whole {
                Some(high) => terms.concat(high, piece),
                None => piece,
            });
            end = start;
        }
        whole.map_or(StretchMeaning::Plain, StretchMeaning::Term)
    }
}
