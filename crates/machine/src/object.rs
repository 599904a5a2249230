//! Objects: bytes with what is known of each.
//!
//! An object keeps plain bytes in one vector. What is not plain is kept beside it: a [`Cell`] for
//! each address or symbolic value that was stored whole, and a bitmap for bytes that were never
//! written. Most cells are addresses in aligned words; those are kept as a tag for each word, the
//! others in a tree. An object without cells and with all bytes written is read and written at full
//! speed, one without a tree at nearly that.

use std::collections::BTreeMap;
use std::rc::Rc;

use ouro_model::{BlockId, FunctionId, GlobalId, Type};
use ouro_term::Term;

use crate::MachineValue;
use crate::chain::ListSegment;

/// Where an object lives, and so when it ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StorageClass {
    /// As long as the program.
    Static(GlobalId),
    /// As long as the call that made it.
    Stack,
    /// Until it is freed.
    Heap,
    /// A function: it has an address, and no content.
    Code(FunctionId),
    /// A label whose address was taken.
    Label(FunctionId, BlockId),
}

/// A stored value that is not plain bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MemoryCell {
    /// How many bytes it covers.
    pub bytes: u32,
    /// What was stored; if it is not symbolic, the object's bytes have its bits too.
    pub value: MachineValue,
}

/// An object of memory.
#[derive(Clone, Debug)]
pub struct MemoryObject {
    /// Its address, as far as anybody asks.
    pub base: u64,
    /// The user's name, or what it is.
    pub name: Rc<str>,
    /// Where it lives.
    pub storage: StorageClass,
    /// Alignment of its address, a power of two.
    pub align: u64,
    /// Whether a store is undefined.
    pub constant: bool,
    /// Whether it may share bytes with others of which the same is said.
    pub(crate) shared: bool,
    /// Whether bytes that the program never wrote were written by its surroundings.
    pub external: bool,
    /// Whether nobody knows what unwritten bytes are: each read of one gives any value.
    pub(crate) vague: bool,
    /// Whether it may be gone, although it is here: a call that was not followed may have freed it, or it
    /// outlived its own call in a chain. Then another object may have its address.
    pub(crate) doubtful: bool,
    /// How many bytes it has, if only a term says so. Then it is vague and none of them is kept.
    pub(crate) extent: Option<Term>,
    /// What makes it a chain of objects, if it is one. Its link is that of the last, and what else is in it
    /// is in all of them.
    pub(crate) chain: Option<ListSegment>,
    /// Where arguments are in it and of which types, if it holds those of a variadic call.
    pub(crate) arguments: Option<Rc<[(u64, Type)]>>,
    pub(crate) data: Vec<u8>,
    /// One bit a byte, set where it was never written; `None` when all were.
    pub(crate) unwritten: Option<Vec<u64>>,
    /// Bytes of an address.
    word: usize,
    /// For each aligned word, the tag of the address in it or zero; empty before the first one.
    tags: Vec<u64>,
    /// How many tags are not zero.
    tagged: usize,
    /// The other cells, by offset.
    cells: BTreeMap<u32, MemoryCell>,
    /// The hash of the plain bytes, once asked for; a change forgets it.
    pub(crate) hash: std::cell::Cell<Option<u64>>,
}

impl MemoryObject {
    /// An object whose bytes were never written; addresses have `word` bytes.
    pub(crate) fn new(
        base: u64,
        size: u64,
        align: u64,
        name: Rc<str>,
        storage: StorageClass,
        word: usize,
    ) -> Self {
        let size = usize::try_from(size).expect("sizes were checked");
        MemoryObject {
            base,
            name,
            storage,
            align,
            constant: matches!(storage, StorageClass::Code(_) | StorageClass::Label(..)),
            shared: false,
            external: false,
            vague: false,
            doubtful: false,
            extent: None,
            chain: None,
            arguments: None,
            data: vec![0; size],
            unwritten: unwritten_bitmap(size),
            word,
            tags: Vec::new(),
            tagged: 0,
            cells: BTreeMap::new(),
            hash: std::cell::Cell::new(None),
        }
    }

    /// Forgets what all bytes are, and what comes after a chain's first object.
    pub(crate) fn havoc_contents(&mut self) {
        self.vague = true;
        self.chain = None;
        self.data.fill(0);
        self.unwritten = unwritten_bitmap(self.data.len());
        self.tags = Vec::new();
        self.tagged = 0;
        self.cells.clear();
    }

    /// Puts an address, or null, into a link.
    pub(crate) fn set_link(&mut self, at: u64, value: MachineValue) {
        let at = at as usize;
        // Nothing but an address was ever stored there whole.
        self.remove_cell(at);
        self.insert_tag(at, self.word, value);
        if !value.is_plain() && !at.is_multiple_of(self.word) {
            self.cells.insert(at as u32, MemoryCell { bytes: self.word as u32, value });
        }
        self.write_bytes(at, self.word, value.bits);
        self.mark_written(at, self.word);
    }

    /// Bytes of an address.
    pub(crate) fn address_bytes(&self) -> usize {
        self.word
    }

    /// Whether it stands for one or more objects, each linked to the next.
    pub fn is_list_segment(&self) -> bool {
        self.chain.is_some()
    }

    /// Whether nothing is known of any byte.
    pub(crate) fn is_blank(&self) -> bool {
        self.vague && !self.has_cells() && self.unwritten == unwritten_bitmap(self.data.len())
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    /// Whether some stored value is not plain bytes.
    #[inline]
    pub(crate) fn has_cells(&self) -> bool {
        self.tagged > 0 || !self.cells.is_empty()
    }

    /// Whether all bytes are written and plain, and of one object, whatever they are read as.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.unwritten.is_none()
            && !self.has_cells()
            && self.chain.is_none()
            && self.arguments.is_none()
    }

    /// The stored values that are not plain bytes, by offset.
    pub fn cells(&self) -> impl Iterator<Item = (u64, MemoryCell)> + '_ {
        let mut all: Vec<(u64, MemoryCell)> = Vec::new();
        if self.tagged > 0 {
            let words = (0..self.tags.len()).filter(|i| self.tags[*i] != 0);
            all.extend(words.map(|i| ((i * self.word) as u64, self.word_cell(i))));
        }
        let (words, others) = (all.len(), self.cells.len());
        all.extend(self.cells.iter().map(|(at, cell)| (u64::from(*at), *cell)));
        if words > 0 && others > 0 {
            all.sort_unstable_by_key(|(at, _)| *at);
        }
        all.into_iter()
    }

    /// The address in a tagged word.
    fn word_cell(&self, index: usize) -> MemoryCell {
        let bits = self.read_bytes(index * self.word, self.word);
        MemoryCell { bytes: self.word as u32, value: MachineValue { bits, tag: self.tags[index] } }
    }

    /// Notes that a value which is not plain bytes is at an offset; no other cell touches it, and
    /// its bits are in the bytes.
    pub(crate) fn insert_cell(&mut self, at: usize, cell: MemoryCell) {
        if !self.insert_tag(at, cell.bytes as usize, cell.value) {
            self.cells.insert(at as u32, cell);
        }
    }

    /// Puts the tag of a value to its word, if it fills one and has bits; says whether it did.
    #[inline]
    fn insert_tag(&mut self, at: usize, len: usize, value: MachineValue) -> bool {
        if len != self.word || at & (self.word - 1) != 0 || value.is_symbolic() {
            return false;
        }
        if self.tags.is_empty() {
            if value.tag == 0 {
                return true;
            }
            self.tags = vec![0; self.data.len() / self.word];
        }
        let tag = &mut self.tags[at / self.word];
        self.tagged = self.tagged + usize::from(value.tag != 0) - usize::from(*tag != 0);
        *tag = value.tag;
        true
    }

    /// Forgets the cell at an offset.
    pub(crate) fn remove_cell(&mut self, at: usize) {
        if self.cells.remove(&(at as u32)).is_none()
            && at.is_multiple_of(self.word)
            && let Some(tag) = self.tags.get_mut(at / self.word)
        {
            self.tagged -= usize::from(*tag != 0);
            *tag = 0;
        }
    }

    /// The cells that touch a range, by offset.
    pub(crate) fn cells_touching(&self, at: usize, len: usize) -> Vec<(usize, MemoryCell)> {
        if !self.has_cells() || len == 0 {
            return Vec::new();
        }
        // No cell is longer than 16 bytes.
        let from = at.saturating_sub(16) as u32;
        let mut all: Vec<(usize, MemoryCell)> = self
            .cells
            .range(from..(at + len) as u32)
            .map(|(o, c)| (*o as usize, *c))
            .filter(|(o, c)| o + c.bytes as usize > at)
            .collect();
        let others = all.len();
        let words = self.words_touching(at, len);
        all.extend(
            words.filter(|i| self.tags[*i] != 0).map(|i| (i * self.word, self.word_cell(i))),
        );
        if others > 0 {
            all.sort_unstable_by_key(|(at, _)| *at);
        }
        all
    }

    /// The indices of the tags of the words that touch a range.
    #[inline]
    fn words_touching(&self, at: usize, len: usize) -> std::ops::Range<usize> {
        let end = (at + len).div_ceil(self.word).min(self.tags.len());
        (at / self.word).min(end)..end
    }

    /// The value of up to eight bytes, if that is easily said: they are plain, or one address.
    #[inline]
    pub(crate) fn try_load(&self, at: usize, len: usize) -> Option<MachineValue> {
        // What is kept of a chain is in its last object, not in its first.
        if !self.cells.is_empty() || self.chain.is_some() || self.any_unwritten(at, len) {
            return None;
        }
        let bits = self.read_bytes(at, len);
        if self.tagged > 0 {
            if len == self.word && at & (self.word - 1) == 0 {
                return Some(MachineValue { bits, tag: self.tags[at / self.word] });
            }
            if self.tags[self.words_touching(at, len)].iter().any(|tag| *tag != 0) {
                return None;
            }
        }
        Some(MachineValue::plain(bits))
    }

    /// Writes a value of up to eight bytes, if that is easy: no cell is in the way, and it is plain
    /// or an address in an aligned word. Says whether it was.
    #[inline]
    pub(crate) fn try_store(&mut self, at: usize, len: usize, value: MachineValue) -> bool {
        if !self.cells.is_empty() || self.chain.is_some() {
            return false;
        }
        if !self.insert_tag(at, len, value) {
            let words = self.words_touching(at, len);
            if !value.is_plain() || self.tags[words].iter().any(|tag| *tag != 0) {
                return false;
            }
        }
        self.write_bytes(at, len, value.bits);
        self.mark_written(at, len);
        true
    }

    /// Whether a byte was never written.
    pub fn is_unwritten(&self, at: usize) -> bool {
        self.any_unwritten(at, 1)
    }

    /// Whether any byte of a range was never written.
    #[inline]
    pub(crate) fn any_unwritten(&self, at: usize, len: usize) -> bool {
        match &self.unwritten {
            None => false,
            Some(map) => bitmap_words(at, len).any(|(word, bits)| map[word] & bits != 0),
        }
    }

    #[inline]
    pub(crate) fn mark_written(&mut self, at: usize, len: usize) {
        let Some(map) = &mut self.unwritten else { return };
        let mut complete = true;
        for (word, bits) in bitmap_words(at, len) {
            map[word] &= !bits;
            complete &= map[word] == 0;
        }
        // Arrays are filled from one end: look there first.
        if complete && map.last().is_none_or(|word| *word == 0) && map.iter().all(|word| *word == 0)
        {
            self.unwritten = None;
        }
    }

    pub(crate) fn mark_unwritten(&mut self, at: usize, len: usize) {
        if len == 0 {
            return;
        }
        let words = self.data.len().div_ceil(64);
        let map = self.unwritten.get_or_insert_with(|| vec![0; words]);
        for (word, bits) in bitmap_words(at, len) {
            map[word] |= bits;
        }
    }

    /// Bits of up to eight bytes, little-endian.
    #[inline]
    pub(crate) fn read_bytes(&self, at: usize, len: usize) -> u64 {
        match len {
            1 => u64::from(self.data[at]),
            2 => u64::from(u16::from_le_bytes(self.data[at..at + 2].try_into().expect("two"))),
            4 => u64::from(u32::from_le_bytes(self.data[at..at + 4].try_into().expect("four"))),
            8 => u64::from_le_bytes(self.data[at..at + 8].try_into().expect("eight")),
            _ => (0..len).rev().fold(0, |bits, i| bits << 8 | u64::from(self.data[at + i])),
        }
    }

    #[inline]
    pub(crate) fn write_bytes(&mut self, at: usize, len: usize, bits: u64) {
        match len {
            1 => self.data[at] = bits as u8,
            2 => self.data[at..at + 2].copy_from_slice(&(bits as u16).to_le_bytes()),
            4 => self.data[at..at + 4].copy_from_slice(&(bits as u32).to_le_bytes()),
            _ => self.data[at..at + len].copy_from_slice(&bits.to_le_bytes()[..len]),
        }
    }
}

/// The bitmap of an object of which no byte was written.
fn unwritten_bitmap(size: usize) -> Option<Vec<u64>> {
    (size > 0).then(|| {
        let mut map = vec![u64::MAX; size.div_ceil(64)];
        if let Some(last) = map.last_mut() {
            *last >>= (64 - size % 64) % 64;
        }
        map
    })
}

/// The words of a bitmap, and the bits in each, that stand for a range.
#[inline]
fn bitmap_words(at: usize, len: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = at + len;
    let words = if len == 0 { 0..0 } else { at / 64..end.div_ceil(64) };
    words.map(move |word| {
        let low = at.saturating_sub(word * 64);
        let high = (end - word * 64).min(64);
        (word, u64::MAX >> (64 - (high - low)) << low)
    })
}
