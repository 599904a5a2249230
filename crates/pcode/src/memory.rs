//! Memory of the machine: pages, copied when first written, so that a copy of the whole is cheap.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// The size of a page.
pub const PAGE: u64 = 4096;
const PAGE_BYTES: usize = 4096;

/// Where pages come from when they are touched first.
pub trait MemoryBacking {
    /// Fills in the page that begins at this address; false if not every byte of it is known.
    fn fill_page(&self, address: u64, into: &mut [u8; PAGE_BYTES]) -> bool;
    /// Whether the process may write there.
    fn is_writable(&self, address: u64) -> bool;
    /// Whether the process may execute there.
    fn is_executable(&self, address: u64) -> bool;
}

/// Why memory could not be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryFault {
    /// No byte is known there: not mapped, or not in the snapshot.
    Absent(u64),
    /// It may not be written.
    ReadOnly(u64),
    /// It holds instructions.
    Code(u64),
}

#[derive(Clone)]
struct MemoryPage {
    number: u64,
    bytes: Rc<[u8; PAGE_BYTES]>,
    writable: bool,
    code: bool,
}

const SLOTS: usize = 256;

/// Paged memory over a [`MemoryBacking`].
pub struct PagedMemory {
    backing: Rc<dyn MemoryBacking>,
    pages: Vec<MemoryPage>,
    index: FxHashMap<u64, u32>,
    /// Addresses that must not be used: the first, and the one after the last.
    forbidden: (u64, u64),
    /// Page numbers and where their pages are, by the low bits of the number.
    recent: Box<[(u64, u32); SLOTS]>,
}

impl Clone for PagedMemory {
    fn clone(&self) -> PagedMemory {
        PagedMemory {
            backing: Rc::clone(&self.backing),
            pages: self.pages.clone(),
            index: self.index.clone(),
            forbidden: self.forbidden,
            recent: self.recent.clone(),
        }
    }
}

impl PagedMemory {
    /// Memory with nothing touched.
    pub fn new(backing: Rc<dyn MemoryBacking>) -> PagedMemory {
        PagedMemory {
            backing,
            pages: Vec::new(),
            index: FxHashMap::default(),
            forbidden: (0, 0),
            recent: Box::new([(u64::MAX, 0); SLOTS]),
        }
    }

    /// Lets nobody use these addresses: the kernel writes there whenever it likes, and looks there.
    pub fn forbid(&mut self, start: u64, length: u64) {
        self.forbidden = (start, start.saturating_add(length));
    }

    #[inline]
    fn is_forbidden(&self, address: u64, length: usize) -> bool {
        address < self.forbidden.1 && address.saturating_add(length as u64) > self.forbidden.0
    }

    fn find_page(&mut self, number: u64) -> Result<usize, MemoryFault> {
        let slot = &mut self.recent[usize::try_from(number).unwrap_or(0) % SLOTS];
        if slot.0 == number {
            return Ok(slot.1 as usize);
        }
        let at = match self.index.get(&number) {
            Some(at) => *at,
            None => {
                let address = number * PAGE;
                let mut bytes = [0; PAGE_BYTES];
                if !self.backing.fill_page(address, &mut bytes) {
                    return Err(MemoryFault::Absent(address));
                }
                let writable = self.backing.is_writable(address);
                let at = u32::try_from(self.pages.len()).expect("fewer than 2^32 pages");
                // Instructions are kept once lifted, by whichever copy of this memory ran them.
                let code = self.backing.is_executable(address);
                self.pages.push(MemoryPage { number, bytes: Rc::new(bytes), writable, code });
                self.index.insert(number, at);
                at
            }
        };
        *slot = (number, at);
        Ok(at as usize)
    }

    /// Copies bytes out.
    ///
    /// # Errors
    /// If one of them is absent.
    #[inline]
    pub fn read(&mut self, address: u64, into: &mut [u8]) -> Result<(), MemoryFault> {
        let (number, offset) = (address / PAGE, offset_in_page(address));
        if self.is_forbidden(address, into.len()) {
            return Err(MemoryFault::Absent(address));
        }
        if offset + into.len() <= PAGE_BYTES {
            let at = self.find_page(number).map_err(|_| MemoryFault::Absent(address))?;
            into.copy_from_slice(&self.pages[at].bytes[offset..offset + into.len()]);
            return Ok(());
        }
        let (head, tail) = into.split_at_mut(PAGE_BYTES - offset);
        self.read(address, head)?;
        self.read((number + 1).wrapping_mul(PAGE), tail)
    }

    /// A number of up to eight bytes.
    ///
    /// # Errors
    /// If one of them is absent.
    #[inline]
    pub fn read_number(&mut self, address: u64, size: usize) -> Result<u64, MemoryFault> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes[..size])?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Writes bytes.
    ///
    /// # Errors
    /// If the process could not, or they are instructions.
    #[inline]
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryFault> {
        let (number, offset) = (address / PAGE, offset_in_page(address));
        if offset + bytes.len() > PAGE_BYTES {
            let (head, tail) = bytes.split_at(PAGE_BYTES - offset);
            // Both or none.
            self.check_writable((number + 1).wrapping_mul(PAGE))?;
            self.write(address, head)?;
            return self.write((number + 1).wrapping_mul(PAGE), tail);
        }
        if self.is_forbidden(address, bytes.len()) {
            return Err(MemoryFault::Absent(address));
        }
        let at = self.find_page(number).map_err(|_| MemoryFault::Absent(address))?;
        let page = &mut self.pages[at];
        if !page.writable || page.code {
            let code = page.writable && page.code;
            return Err(if code {
                MemoryFault::Code(address)
            } else {
                MemoryFault::ReadOnly(address)
            });
        }
        Rc::make_mut(&mut page.bytes)[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn check_writable(&mut self, address: u64) -> Result<(), MemoryFault> {
        let at = self.find_page(address / PAGE).map_err(|_| MemoryFault::Absent(address))?;
        let page = &self.pages[at];
        if page.writable && !page.code { Ok(()) } else { Err(MemoryFault::ReadOnly(address)) }
    }

    /// Up to 15 bytes of instructions. Pages of instructions are never written.
    ///
    /// # Errors
    /// If the first byte is absent or must not be executed.
    pub(crate) fn instruction_bytes(&mut self, address: u64) -> Result<Vec<u8>, MemoryFault> {
        if !self.backing.is_executable(address) {
            return Err(MemoryFault::Absent(address));
        }
        let mut bytes = vec![0; 15];
        let here = (PAGE_BYTES - offset_in_page(address)).min(15);
        if here < 15 {
            let next = (address / PAGE + 1) * PAGE;
            if !self.backing.is_executable(next) || self.find_page(next / PAGE).is_err() {
                bytes.truncate(here);
            }
        }
        self.read(address, &mut bytes)?;
        Ok(bytes)
    }

    /// The aligned words in which two memories differ, if there are at most so many: address, then the
    /// word here and there.
    pub fn differing_words(
        &self,
        other: &PagedMemory,
        most: usize,
    ) -> Option<Vec<(u64, u64, u64)>> {
        let mut found = Vec::new();
        let mut numbers: Vec<(u64, u32)> = self.index.iter().map(|(n, at)| (*n, *at)).collect();
        numbers.sort_unstable();
        for (number, at) in numbers {
            let Some(there) = other.index.get(&number) else {
                // Untouched there: as the backing has it.
                let mut bytes = [0; PAGE_BYTES];
                self.backing.fill_page(number * PAGE, &mut bytes);
                compare_pages(number, &self.pages[at as usize].bytes, &bytes, &mut found);
                continue;
            };
            let (here, there) =
                (&self.pages[at as usize].bytes, &other.pages[*there as usize].bytes);
            if !Rc::ptr_eq(here, there) {
                compare_pages(number, here, there, &mut found);
            }
            if found.len() > most {
                return None;
            }
        }
        Some(found)
    }

    /// In how many aligned words a memory differs from an earlier copy of it, if there are at most so
    /// many. `hint` remembers which page differed most the last time; start with 0.
    pub fn count_words_since(
        &self,
        copy: &PagedMemory,
        most: usize,
        hint: &mut usize,
    ) -> Option<usize> {
        let first = *hint;
        let (mut found, mut worst) = (0, 0);
        let others = (0..self.pages.len()).filter(|at| *at != first);
        for at in std::iter::once(first).filter(|at| *at < self.pages.len()).chain(others) {
            let words = self.count_page_words_since(copy, at);
            if words > worst {
                (worst, *hint) = (words, at);
            }
            found += words;
            if found > most {
                return None;
            }
        }
        Some(found)
    }

    fn count_page_words_since(&self, copy: &PagedMemory, at: usize) -> usize {
        let here = &self.pages[at];
        let count = |there: &[u8; PAGE_BYTES]| {
            let words = here.bytes.as_chunks::<8>().0.iter().zip(there.as_chunks::<8>().0);
            if *here.bytes == *there { 0 } else { words.filter(|(a, b)| a != b).count() }
        };
        match copy.pages.get(at) {
            Some(there) if Rc::ptr_eq(&here.bytes, &there.bytes) => 0,
            Some(there) => count(&there.bytes),
            // Touched since: as the backing has it, unless it was written.
            None if here.writable => {
                let mut bytes = [0; PAGE_BYTES];
                self.backing.fill_page(here.number * PAGE, &mut bytes);
                count(&bytes)
            }
            None => 0,
        }
    }

    /// How many pages were touched.
    pub fn touched_page_count(&self) -> usize {
        self.pages.len()
    }
}

fn compare_pages(
    number: u64,
    here: &[u8; PAGE_BYTES],
    there: &[u8; PAGE_BYTES],
    into: &mut Vec<(u64, u64, u64)>,
) {
    if here == there {
        return;
    }
    let words = here.as_chunks::<8>().0.iter().zip(there.as_chunks::<8>().0);
    for (address, (a, b)) in (number * PAGE..).step_by(8).zip(words) {
        if a != b {
            into.push((address, u64::from_le_bytes(*a), u64::from_le_bytes(*b)));
        }
    }
}

fn offset_in_page(address: u64) -> usize {
    usize::try_from(address % PAGE).expect("less than a page")
}
