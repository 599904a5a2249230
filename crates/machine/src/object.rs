//! Objects: bytes with what is known of each.
//!
//! An object keeps plain bytes in one vector. Bytes that are not plain are listed beside it: a
//! [`Cell`] for each address or symbolic value that was stored whole, and a bitmap for bytes that
//! were never written. An object without cells and with all bytes written is read and written at
//! full speed.

use std::collections::BTreeMap;
use std::rc::Rc;

use ouro_model::{BlockId, FunctionId, GlobalId};

use crate::Value;

/// Where an object lives, and so when it ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Storage {
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
pub struct Cell {
    /// How many bytes it covers.
    pub bytes: u32,
    /// What was stored; if it is not symbolic, the object's bytes have its bits too.
    pub value: Value,
}

/// An object of memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its address, as far as anybody asks.
    pub base: u64,
    /// The user's name, or what it is.
    pub name: Rc<str>,
    /// Where it lives.
    pub storage: Storage,
    /// Alignment of its address, a power of two.
    pub align: u64,
    /// Whether a store is undefined.
    pub constant: bool,
    /// Whether bytes that the program never wrote were written by its surroundings.
    pub external: bool,
    pub(crate) data: Vec<u8>,
    /// One bit a byte, set where it was never written; `None` when all were.
    pub(crate) unwritten: Option<Vec<u64>>,
    pub(crate) cells: BTreeMap<u32, Cell>,
    /// The hash of the plain bytes, once asked for; a change forgets it.
    pub(crate) hash: std::cell::Cell<Option<u64>>,
}

impl Object {
    pub(crate) fn new(base: u64, size: u64, align: u64, name: Rc<str>, storage: Storage) -> Self {
        let size = usize::try_from(size).expect("sizes were checked");
        Object {
            base,
            name,
            storage,
            align,
            constant: false,
            external: false,
            data: vec![0; size],
            unwritten: (size > 0).then(|| vec![u64::MAX; size.div_ceil(64)]),
            cells: BTreeMap::new(),
            hash: std::cell::Cell::new(None),
        }
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    /// Whether all bytes are written and plain.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.unwritten.is_none() && self.cells.is_empty()
    }

    /// The stored values that are not plain bytes, by offset.
    pub fn cells(&self) -> impl Iterator<Item = (u64, Cell)> + '_ {
        self.cells.iter().map(|(at, cell)| (u64::from(*at), *cell))
    }

    /// Whether a byte was never written.
    pub fn is_unwritten(&self, at: usize) -> bool {
        match &self.unwritten {
            None => false,
            Some(map) => map[at / 64] >> (at % 64) & 1 == 1,
        }
    }

    /// Whether any byte of a range was never written.
    pub(crate) fn any_unwritten(&self, at: usize, len: usize) -> bool {
        self.unwritten.is_some() && (at..at + len).any(|i| self.is_unwritten(i))
    }

    pub(crate) fn mark_written(&mut self, at: usize, len: usize) {
        let Some(map) = &mut self.unwritten else { return };
        if at == 0 && len == self.data.len() {
            self.unwritten = None;
            return;
        }
        for i in at..at + len {
            map[i / 64] &= !(1 << (i % 64));
        }
        // Arrays are filled front to back: look for completeness when the last byte is written.
        if at + len == self.data.len() {
            let size = self.data.len();
            let complete = map.iter().enumerate().all(|(word, bits)| {
                let used = (size - word * 64).min(64);
                let mask = if used == 64 { u64::MAX } else { (1 << used) - 1 };
                bits & mask == 0
            });
            if complete {
                self.unwritten = None;
            }
        }
    }

    pub(crate) fn mark_unwritten(&mut self, at: usize, len: usize) {
        if len == 0 {
            return;
        }
        let words = self.data.len().div_ceil(64);
        let map = self.unwritten.get_or_insert_with(|| vec![0; words]);
        for i in at..at + len {
            map[i / 64] |= 1 << (i % 64);
        }
    }

    /// The cells that touch a range, by offset.
    pub(crate) fn cells_touching(&self, at: usize, len: usize) -> Vec<(usize, Cell)> {
        if self.cells.is_empty() || len == 0 {
            return Vec::new();
        }
        // No cell is longer than 16 bytes.
        let from = at.saturating_sub(16) as u32;
        self.cells
            .range(from..(at + len) as u32)
            .map(|(o, c)| (*o as usize, *c))
            .filter(|(o, c)| o + c.bytes as usize > at)
            .collect()
    }

    /// Bits of up to eight plain bytes, little-endian.
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
        let all = bits.to_le_bytes();
        self.data[at..at + len].copy_from_slice(&all[..len]);
    }
}
