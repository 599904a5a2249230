//! What surrounds a run: the inputs of the command line, and the standard streams.

use std::io::{self, IsTerminal as _, Write as _};

use ouro_machine::{ChoiceRequest, MachineValue, Provenance, RunEnvironment};
use ouro_model::{ChoiceSource, Type};
use ouro_term::{Sort, Term, TermStore, width_mask};

/// So much output is collected before it is written.
const BUFFER: usize = 1 << 16;

/// The surroundings of a run.
pub(super) struct RunSurroundings<'a> {
    inputs: &'a [String],
    next: usize,
    /// What is wrong with the last input, if anything.
    pub(super) wrong: Option<String>,
    output: Vec<u8>,
    eager: bool,
    /// Why some output could not be written, if it could not.
    pub(super) unwritten: Option<String>,
}

impl<'a> RunSurroundings<'a> {
    /// RunSurroundings that give these inputs.
    pub(super) fn new(inputs: &'a [String]) -> RunSurroundings<'a> {
        let eager = io::stdout().is_terminal();
        RunSurroundings { inputs, next: 0, wrong: None, output: Vec::new(), eager, unwritten: None }
    }

    /// How many inputs were taken.
    pub(super) fn taken(&self) -> usize {
        self.next
    }

    /// Writes what the program printed so far. If nobody reads it, the program runs on.
    pub(super) fn flush(&mut self) {
        let mut stdout = io::stdout().lock();
        if let Err(error) = stdout.write_all(&self.output).and_then(|()| stdout.flush())
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.unwritten.get_or_insert(error.to_string());
        }
        self.output.clear();
    }
}

impl RunEnvironment for RunSurroundings<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let bits = match unasked(request.source) {
            Some(bits) => bits,
            None if self.next == self.inputs.len() && is_leftover(request.source) => 0,
            None => {
                let text = self.inputs.get(self.next)?;
                match bits(text, request.ty, request.width) {
                    Ok(bits) => {
                        self.next += 1;
                        bits
                    }
                    Err(wrong) => {
                        self.wrong = Some(format!("--input '{text}' {wrong}"));
                        return None;
                    }
                }
            }
        };
        Some(match u64::try_from(bits) {
            Ok(bits) if request.width <= 64 => MachineValue::plain(bits),
            _ => MachineValue::symbolic(terms.bv(request.width, bits), Provenance::None),
        })
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        Some(MachineValue::symbolic(terms.fresh_symbol("unknown", sort), Provenance::None))
    }

    fn settles_floats(&self) -> bool {
        true
    }

    // A run goes on under what its unknown values are assumed to be; it claims nothing.
    fn assume(&mut self, _condition: Term) {}

    fn restrict_coverage(&mut self, _condition: Term, _why: &str) {}

    fn write_output(&mut self, stream: u32, bytes: &[u8]) {
        if stream == 2 {
            self.flush();
            let _ = io::stderr().write_all(bytes);
            return;
        }
        self.output.extend_from_slice(bytes);
        if self.output.len() > BUFFER || self.eager && bytes.contains(&b'\n') {
            self.flush();
        }
    }
}

/// What the environment decides without asking the user: allocations and output succeed, the program gets no
/// arguments besides its name, nobody guesses, and what rarely happens does not.
fn unasked(source: &ChoiceSource) -> Option<u128> {
    match source {
        ChoiceSource::Allocation(_) | ChoiceSource::Output(_) | ChoiceSource::Guess => Some(0),
        ChoiceSource::Other(what) if what == "argc" => Some(1),
        ChoiceSource::Other(what) if what.starts_with("whether ") => Some(0),
        _ => None,
    }
}

/// Whether memory that was never written is read, such as the padding of a structure that is copied
/// or the bits around a bit-field: a program that never notices them needs no input for them.
fn is_leftover(source: &ChoiceSource) -> bool {
    matches!(source, ChoiceSource::Other(what) if what.starts_with("uninitialised memory"))
}

/// The bits of an input. Numbers are taken as signed or unsigned, whichever they fit.
fn bits(text: &str, ty: Type, width: u32) -> Result<u128, String> {
    match ty {
        Type::Float(32) => match text.parse::<f32>() {
            Ok(value) => Ok(value.to_bits().into()),
            Err(_) => Err("is not a number".to_owned()),
        },
        Type::Float(64) => match text.parse::<f64>() {
            Ok(value) => Ok(value.to_bits().into()),
            Err(_) => Err("is not a number".to_owned()),
        },
        Type::Int(_) | Type::Ptr | Type::Float(_) => integer(text, width),
    }
}

fn integer(text: &str, width: u32) -> Result<u128, String> {
    let mut characters =
        text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).into_iter();
    if let Some(character) = characters.next() {
        return match character.as_bytes() {
            [byte] => Ok(u128::from(*byte)),
            _ => Err("is not one character".to_owned()),
        };
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => u128::from_str_radix(digits, 16),
        None => digits.parse::<u128>(),
    };
    let magnitude = match magnitude {
        Ok(magnitude) if !digits.contains('+') => magnitude,
        _ => return Err("is not an integer".to_owned()),
    };
    let most = if negative { 1 << (width - 1) } else { width_mask(width) };
    if magnitude > most {
        return Err(format!("does not fit into {width} bits"));
    }
    let value = if negative { magnitude.wrapping_neg() } else { magnitude };
    Ok(value & width_mask(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        assert_eq!(integer("3", 32), Ok(3));
        assert_eq!(integer("-1", 32), Ok(0xffff_ffff));
        assert_eq!(integer("4294967295", 32), Ok(0xffff_ffff));
        assert_eq!(integer("-0x80", 8), Ok(0x80));
        assert_eq!(integer("'a'", 8), Ok(97));
        assert_eq!(integer("1", 1), Ok(1));
        assert_eq!(integer("-1", 128), Ok(u128::MAX));
        for (text, width) in
            [("256", 8), ("-129", 8), ("", 8), ("-", 8), ("1.5", 32), ("+1", 8), ("''", 8)]
        {
            assert!(integer(text, width).is_err(), "{text}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(bits("1.5", Type::Float(64), 64), Ok(u128::from(1.5f64.to_bits())));
        assert!(bits("one", Type::Float(32), 32).is_err());
    }
}
