//! Bytes in bulk: what `memcpy` and `memset` do.

use std::rc::Rc;

use ouro_model::Span;
use ouro_term::TermStore;

use crate::integer::is_integer;
use crate::memory::{MachineMemory, TAKEN_APART};
use crate::object::MemoryCell;
use crate::stop::RunEnd;
use crate::{MachineValue, ObjectRef, Provenance};

impl MachineMemory {
    /// Copies bytes with all that is known of them; both ranges are within their objects.
    pub(crate) fn copy_bytes(
        &mut self,
        terms: &mut TermStore,
        to: (ObjectRef, usize),
        from: (ObjectRef, usize),
        len: usize,
        span: Span,
    ) -> Result<(), RunEnd> {
        if len == 0 {
            return Ok(());
        }
        let source = self.shared_object(from.0).expect("the caller looked").clone();
        // Cells that the range cuts are copied byte by byte: split them in a copy of the source.
        let mut straddling = source.cells_touching(from.1, len);
        straddling.retain(|(o, c)| *o < from.1 || o + c.bytes as usize > from.1 + len);
        if straddling.iter().any(|(_, cell)| is_integer(terms, cell.value)) {
            return Err(RunEnd::Limit(TAKEN_APART.to_owned()));
        }
        let straddles = !straddling.is_empty();
        let split = straddles.then(|| {
            let mut bytes = (*source).clone();
            for (offset, cell) in straddling {
                let end = offset + cell.bytes as usize;
                bytes.remove_cell(offset);
                if let Some(term) = cell.value.term() {
                    for i in offset..end {
                        let low = (i - offset) as u32 * 8;
                        let byte = terms.extract(low + 7, low, term);
                        match terms.as_bv(byte) {
                            Some(bits) => bytes.data[i] = bits as u8,
                            None => {
                                let value = MachineValue::symbolic(byte, Provenance::None);
                                bytes.insert_cell(i, MemoryCell { bytes: 1, value });
                            }
                        }
                    }
                }
            }
            Rc::new(bytes)
        });
        if straddles {
            self.observe_layout(span);
        }
        let source = split.unwrap_or(source);
        self.cut_cells(terms, to.0, to.1, len, span)?;
        let target = self.object_mut(to.0).expect("the caller looked");
        target.data[to.1..to.1 + len].copy_from_slice(&source.data[from.1..from.1 + len]);
        if source.unwritten.is_some() {
            target.mark_written(to.1, len);
            for i in 0..len {
                if source.is_unwritten(from.1 + i) {
                    target.mark_unwritten(to.1 + i, 1);
                }
            }
        } else {
            target.mark_written(to.1, len);
        }
        for (offset, cell) in source.cells_touching(from.1, len) {
            target.insert_cell(offset - from.1 + to.1, cell);
        }
        Ok(())
    }

    /// Sets bytes to one value; the range is within the object.
    pub(crate) fn fill_bytes(
        &mut self,
        terms: &mut TermStore,
        to: (ObjectRef, usize),
        byte: MachineValue,
        len: usize,
        span: Span,
    ) -> Result<(), RunEnd> {
        if len == 0 {
            return Ok(());
        }
        if byte.is_plain() {
            self.cut_cells(terms, to.0, to.1, len, span)?;
            let object = self.object_mut(to.0).expect("the caller looked");
            object.data[to.1..to.1 + len].fill(byte.bits as u8);
            object.mark_written(to.1, len);
        } else {
            for i in 0..len {
                self.store_value(terms, to.0, to.1 + i, 8, byte, span)?;
            }
        }
        Ok(())
    }
}
