//! `printf`'s formatting, from memory to bytes.
//!
//! What is formatted from values that are not known has a length between two bounds; what the
//! formatting itself does not cover is a limit, never left out.

use std::iter::Peekable;

use ouro_model::{Span, Type};
use ouro_term::TermStore;

use crate::access::{InstructionObstacle, fail_at_limit, fail_undefined, resolve_access};
use crate::digits::{self, FloatMagnitude};
use crate::limits::LIMITS;
use crate::memory::{LoadOutcome, MachineMemory};
use crate::variadic::VariadicArguments;
use crate::{MachineValue, ObjectRef};

/// The greatest `int`: no text is longer.
pub(crate) const LONGEST: u64 = 0x7fff_ffff;

/// Bytes of an object.
pub(crate) struct MemoryStretch {
    pub(crate) object: ObjectRef,
    pub(crate) at: u64,
    pub(crate) size: u64,
}

impl MemoryStretch {
    /// Whether they share a byte.
    pub(crate) fn overlaps(&self, other: &MemoryStretch) -> bool {
        self.object == other.object
            && self.at < other.at.saturating_add(other.size)
            && other.at < self.at.saturating_add(self.size)
    }
}

/// Formatted output.
pub(crate) struct FormattedText {
    /// The parts that are known.
    pub(crate) bytes: Vec<u8>,
    /// Whether every part was known.
    pub(crate) exact: bool,
    /// Its length is at least this.
    pub(crate) least: u64,
    /// And at most this.
    pub(crate) most: u64,
    /// What was read for it, and where `%n` stored: the text may not be written there.
    pub(crate) read: Vec<MemoryStretch>,
}

impl FormattedText {
    fn new() -> FormattedText {
        FormattedText { bytes: Vec::new(), exact: true, least: 0, most: 0, read: Vec::new() }
    }

    /// Appends what is known.
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.lengthen_bounds(bytes.len() as u64, bytes.len() as u64);
    }

    fn lengthen_bounds(&mut self, least: u64, most: u64) {
        self.least = self.least.saturating_add(least);
        self.most = self.most.saturating_add(most);
    }

    /// Appends a part of which only bounds of the length are known, filled up to the width.
    fn push_unknown(&mut self, width: FormatCount, least: u64, most: u64) {
        self.exact = false;
        match width {
            FormatCount::Absent => self.lengthen_bounds(least, most),
            FormatCount::Known(width) => self.lengthen_bounds(least.max(width), most.max(width)),
            FormatCount::Unknown => self.lengthen_bounds(least, most.max(LONGEST + 1)),
        }
    }

    /// Appends a part that is known, filled up to the width.
    fn push_filled(&mut self, spec: ConversionSpec, prefix: &[u8], digits: &[u8], zeros: bool) {
        let length = (prefix.len() + digits.len()) as u64;
        match spec.width {
            FormatCount::Known(width) if width > LIMITS.formatted_bytes => {
                self.push_unknown(spec.width, length, length);
            }
            FormatCount::Unknown => self.push_unknown(spec.width, length, length),
            FormatCount::Absent | FormatCount::Known(_) => {
                let width = spec.width.known().unwrap_or(0);
                let before = self.bytes.len();
                pad_to_width(&mut self.bytes, spec.minus, width as usize, prefix, digits, zeros);
                let length = (self.bytes.len() - before) as u64;
                self.lengthen_bounds(length, length);
            }
        }
    }
}

/// A width or precision.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum FormatCount {
    #[default]
    Absent,
    Known(u64),
    Unknown,
}

impl FormatCount {
    fn known(self) -> Option<u64> {
        match self {
            FormatCount::Known(count) => Some(count),
            FormatCount::Absent | FormatCount::Unknown => None,
        }
    }
}

#[derive(Default, Clone, Copy)]
struct ConversionSpec {
    minus: bool,
    plus: bool,
    space: bool,
    hash: bool,
    zero: bool,
    width: FormatCount,
    precision: FormatCount,
    /// Bits of an integer.
    size: u32,
    wide: bool,
    long_double: bool,
}

/// Formatting in progress.
struct PrintfFormatter<'a> {
    memory: &'a mut MachineMemory,
    terms: &'a mut TermStore,
    pointer_bits: u32,
    arguments: &'a mut VariadicArguments,
    /// Whether `%n` may store.
    stores: bool,
    span: Span,
    text: FormattedText,
}

/// Formats as `vprintf` does. Without `stores`, a format with `%n` is a limit.
pub(crate) fn format_printf(
    memory: &mut MachineMemory,
    terms: &mut TermStore,
    pointer_bits: u32,
    pattern: MachineValue,
    arguments: &mut VariadicArguments,
    stores: bool,
    span: Span,
) -> Result<FormattedText, InstructionObstacle> {
    let text = FormattedText::new();
    let mut formatter =
        PrintfFormatter { memory, terms, pointer_bits, arguments, stores, span, text };
    let pattern = formatter.read_string(pattern, FormatCount::Absent)?;
    if !pattern.exact {
        return fail_at_limit("a format that is not known");
    }
    let mut rest = pattern.bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let (spec, conversion) = formatter.read_conversion_spec(&mut rest)?;
            formatter.convert_argument(spec, conversion)?;
        } else {
            formatter.text.push(&[byte]);
        }
    }
    Ok(formatter.text)
}

impl PrintfFormatter<'_> {
    fn next_argument(&mut self, ty: Type) -> Result<Option<MachineValue>, InstructionObstacle> {
        self.arguments.next_argument(self.memory, self.terms, ty, self.span)
    }

    /// Reads what stands between `%` and the letter of a conversion, and that letter.
    fn read_conversion_spec<I>(
        &mut self,
        rest: &mut Peekable<I>,
    ) -> Result<(ConversionSpec, u8), InstructionObstacle>
    where
        I: Iterator<Item = u8>,
    {
        let mut spec = ConversionSpec::default();
        while let Some(flag) = rest.peek() {
            match flag {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.hash = true,
                b'0' => spec.zero = true,
                // The C locale groups no digits and has no others.
                b'\'' | b'I' => {}
                _ => break,
            }
            rest.next();
        }
        match self.read_count(rest)? {
            Some(Some(width)) => {
                spec.minus |= width < 0;
                spec.width = FormatCount::Known(width.unsigned_abs());
            }
            Some(None) => spec.width = FormatCount::Unknown,
            None => {}
        }
        if rest.peek() == Some(&b'.') {
            rest.next();
            spec.precision = match self.read_count(rest)? {
                None => FormatCount::Known(0),
                // A negative one counts as absent.
                Some(Some(precision)) => {
                    u64::try_from(precision).map_or(FormatCount::Absent, FormatCount::Known)
                }
                Some(None) => FormatCount::Unknown,
            };
        }
        let (mut shorts, mut longs, mut fixed_size) = (0, 0, None);
        while let Some(letter) = rest.peek() {
            match letter {
                b'h' => shorts += 1,
                b'l' => longs += 1,
                b'L' | b'q' => {
                    fixed_size = Some(64);
                    spec.long_double = true;
                }
                b'j' => fixed_size = Some(64),
                b'z' | b'Z' | b't' => fixed_size = Some(self.pointer_bits),
                _ => break,
            }
            rest.next();
        }
        spec.size = fixed_size.unwrap_or(match (shorts, longs) {
            (0, 0) => 32,
            (1, _) => 16,
            (0, 1) => self.pointer_bits,
            (0, _) => 64,
            _ => 8,
        });
        spec.wide = longs > 0;
        match rest.next() {
            Some(conversion) => Ok((spec, conversion)),
            None => fail_at_limit("a format that ends within a conversion"),
        }
    }

    /// A number of the format or, for `*`, of the arguments; the inner `None` if that is not known.
    #[allow(clippy::option_option)]
    fn read_count<I>(
        &mut self,
        rest: &mut Peekable<I>,
    ) -> Result<Option<Option<i64>>, InstructionObstacle>
    where
        I: Iterator<Item = u8>,
    {
        if rest.peek() == Some(&b'*') {
            rest.next();
            if rest.peek().is_some_and(u8::is_ascii_digit) {
                return fail_at_limit("a format with numbered arguments");
            }
            let value = self.next_argument(Type::Int(32))?;
            let bits = value.and_then(MachineValue::bits);
            return Ok(Some(bits.map(|bits| i64::from((bits as u32).cast_signed()))));
        }
        let mut number = None;
        while let Some(digit) = rest.peek().filter(|byte| byte.is_ascii_digit()) {
            let so_far: i64 = number.unwrap_or(0);
            number = Some(so_far.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
            rest.next();
        }
        if rest.peek() == Some(&b'$') {
            return fail_at_limit("a format with numbered arguments");
        }
        Ok(number.map(Some))
    }

    fn convert_argument(
        &mut self,
        spec: ConversionSpec,
        conversion: u8,
    ) -> Result<(), InstructionObstacle> {
        match conversion {
            b'%' => self.text.push(b"%"),
            b'c' | b's' if spec.wide => {
                return fail_at_limit("wide characters in formatted output");
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'b' | b'B' => {
                self.format_integer(spec, conversion)?;
            }
            b'c' => match self.next_argument(Type::Int(32))?.and_then(MachineValue::bits) {
                Some(bits) => self.text.push_filled(spec, b"", &[bits as u8], false),
                None => self.text.push_unknown(spec.width, 1, 1),
            },
            b's' => {
                let found = match self.next_argument(Type::Ptr)? {
                    Some(address) => self.read_string(address, spec.precision)?,
                    None => FormattedText { exact: false, most: LONGEST, ..FormattedText::new() },
                };
                match found.exact {
                    true => self.text.push_filled(spec, b"", &found.bytes, false),
                    false => self.text.push_unknown(spec.width, found.least, found.most),
                }
            }
            b'p' => match self.next_argument(Type::Ptr)?.filter(|value| value.object().is_none()) {
                Some(value) if value.bits() == Some(0) => {
                    self.text.push_filled(spec, b"", b"(nil)", false);
                }
                // An address is the layout's business: its text is not known.
                _ => self.text.push_unknown(spec.width, 3, 18),
            },
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                self.format_float(spec, conversion)?;
            }
            // The text of an error.
            b'm' => self.text.push_unknown(spec.width, 0, LONGEST),
            b'n' => self.store_length(spec)?,
            other => {
                let letter = char::from(other);
                return fail_at_limit(format!("the conversion %{letter} in formatted output"));
            }
        }
        Ok(())
    }

    fn format_integer(
        &mut self,
        spec: ConversionSpec,
        conversion: u8,
    ) -> Result<(), InstructionObstacle> {
        let size = spec.size;
        let value = self.next_argument(Type::Int(size.max(32)))?;
        let (Some(bits), false) =
            (value.and_then(MachineValue::bits), spec.precision == FormatCount::Unknown)
        else {
            // Digits, and a sign or what `#` puts before them.
            let digits: u64 = match conversion {
                b'o' => 22,
                b'x' | b'X' => 16,
                b'b' | b'B' => 64,
                _ => 20,
            };
            let (least, most) = match spec.precision {
                FormatCount::Absent => (1, digits),
                FormatCount::Known(precision) => (precision, digits.max(precision)),
                FormatCount::Unknown => (0, LONGEST),
            };
            self.text.push_unknown(spec.width, least, most.saturating_add(2));
            return Ok(());
        };
        let bits = bits & if size == 64 { u64::MAX } else { (1 << size) - 1 };
        let unused = 64 - size;
        let signed = (bits << unused).cast_signed() >> unused;
        let (prefix, digits): (&[u8], String) = match conversion {
            b'd' | b'i' if signed < 0 => (b"-", signed.unsigned_abs().to_string()),
            b'd' | b'i' if spec.plus => (b"+", signed.to_string()),
            b'd' | b'i' if spec.space => (b" ", signed.to_string()),
            b'd' | b'i' => (b"", signed.to_string()),
            b'u' => (b"", bits.to_string()),
            b'x' if spec.hash && bits != 0 => (b"0x", format!("{bits:x}")),
            b'x' => (b"", format!("{bits:x}")),
            b'X' if spec.hash && bits != 0 => (b"0X", format!("{bits:X}")),
            b'X' => (b"", format!("{bits:X}")),
            b'b' if spec.hash && bits != 0 => (b"0b", format!("{bits:b}")),
            b'B' if spec.hash && bits != 0 => (b"0B", format!("{bits:b}")),
            b'b' | b'B' => (b"", format!("{bits:b}")),
            _ => (b"", format!("{bits:o}")),
        };
        let mut digits = match spec.precision.known() {
            Some(0) if bits == 0 => String::new(),
            Some(least) if least > LIMITS.formatted_bytes => {
                let most = least.saturating_add(prefix.len() as u64);
                self.text.push_unknown(spec.width, most, most);
                return Ok(());
            }
            Some(least) => format!("{digits:0>least$}", least = least as usize),
            None => digits,
        };
        if conversion == b'o' && spec.hash && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        let zeros = spec.zero && spec.precision == FormatCount::Absent;
        self.text.push_filled(spec, prefix, digits.as_bytes(), zeros);
        Ok(())
    }

    fn format_float(
        &mut self,
        spec: ConversionSpec,
        conversion: u8,
    ) -> Result<(), InstructionObstacle> {
        let width = if spec.long_double { 80 } else { 64 };
        let pattern = match self.next_argument(Type::Float(width))? {
            Some(value) => match value.term() {
                Some(term) => self.terms.as_bv(term),
                None => value.bits().map(u128::from),
            },
            None => None,
        };
        let is_small = match spec.precision {
            FormatCount::Absent => true,
            FormatCount::Known(precision) => precision <= LIMITS.formatted_bytes,
            FormatCount::Unknown => false,
        };
        match pattern.filter(|_| is_small) {
            Some(pattern) => {
                let (prefix, digits, is_finite) = float_text(spec, conversion, width, pattern);
                self.text.push_filled(spec, &prefix, digits.as_bytes(), spec.zero && is_finite);
            }
            None => {
                // A digit at least; as many as the greatest number has, the precision, and signs.
                let most = match spec.precision {
                    FormatCount::Absent => 6000,
                    FormatCount::Known(precision) => precision.saturating_add(6000),
                    FormatCount::Unknown => LONGEST + 1,
                };
                self.text.push_unknown(spec.width, 1, most);
            }
        }
        Ok(())
    }

    /// `%n`.
    fn store_length(&mut self, spec: ConversionSpec) -> Result<(), InstructionObstacle> {
        if !self.stores {
            return fail_at_limit("%n in output to a stream");
        }
        let Some(address) = self.next_argument(Type::Ptr)? else {
            return fail_at_limit("%n with an address that is not known");
        };
        if self.text.least != self.text.most {
            return fail_at_limit("%n after output of unknown length");
        }
        let bytes = u64::from(spec.size / 8);
        let (object, at) =
            resolve_access(self.memory, self.terms, address, -1, bytes, true, self.span)?;
        let mask = if spec.size == 64 { u64::MAX } else { (1 << spec.size) - 1 };
        let written = MachineValue::plain(self.text.least & mask);
        self.text.read.push(MemoryStretch { object, at: at as u64, size: bytes });
        self.memory.store_value(self.terms, object, at, spec.size, written, self.span)?;
        Ok(())
    }

    /// Notes a byte that is read, mostly the one after the last.
    fn note_read(&mut self, object: ObjectRef, at: u64) {
        match self.text.read.last_mut() {
            Some(last) if last.object == object && last.at + last.size == at => last.size += 1,
            _ => self.text.read.push(MemoryStretch { object, at, size: 1 }),
        }
    }

    /// Bytes up to a zero, at most as many as the precision says.
    fn read_string(
        &mut self,
        address: MachineValue,
        precision: FormatCount,
    ) -> Result<FormattedText, InstructionObstacle> {
        let mut text = FormattedText::new();
        let longest = precision.known().unwrap_or(LONGEST);
        if address.is_symbolic() {
            return Ok(FormattedText { exact: false, most: longest, ..text });
        }
        if address.bits() == Some(0) && matches!(precision, FormatCount::Absent) {
            return fail_undefined("a null pointer for %s");
        }
        while precision.known().is_none_or(|most| text.least < most) {
            let here = MachineValue { bits: address.bits + text.least, tag: address.tag };
            let place = resolve_access(self.memory, self.terms, here, -1, 1, false, self.span);
            // With an unknown precision, it need not get that far.
            if place.is_err() && precision == FormatCount::Unknown {
                return Ok(FormattedText { exact: false, least: 0, ..text });
            }
            let (object, at) = place?;
            self.note_read(object, at as u64);
            let loaded = self.memory.load_value(self.terms, object, at, Type::Int(8), self.span);
            let byte = match loaded {
                LoadOutcome::Value(value) => value.bits(),
                _ => None,
            };
            match byte {
                Some(0) => break,
                Some(byte) => text.push(&[byte as u8]),
                None => return Ok(FormattedText { exact: false, most: longest, ..text }),
            }
        }
        if precision == FormatCount::Unknown {
            return Ok(FormattedText { exact: false, least: 0, ..text });
        }
        Ok(text)
    }
}

fn pad_to_width(
    out: &mut Vec<u8>,
    minus: bool,
    width: usize,
    prefix: &[u8],
    digits: &[u8],
    zeros: bool,
) {
    let missing = width.saturating_sub(prefix.len() + digits.len());
    if minus {
        out.extend(prefix);
        out.extend(digits);
        out.extend(std::iter::repeat_n(b' ', missing));
    } else if zeros {
        out.extend(prefix);
        out.extend(std::iter::repeat_n(b'0', missing));
        out.extend(digits);
    } else {
        out.extend(std::iter::repeat_n(b' ', missing));
        out.extend(prefix);
        out.extend(digits);
    }
}

/// A float of 64 or 80 bits: what stands before its digits, the digits, and whether it is finite.
fn float_text(
    spec: ConversionSpec,
    conversion: u8,
    width: u32,
    pattern: u128,
) -> (Vec<u8>, String, bool) {
    let (negative, magnitude) = FloatMagnitude::of_pattern(width, pattern);
    let prefix: &[u8] = match (negative, spec.plus, spec.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        _ => b"",
    };
    let given = spec.precision.known().map(|precision| precision as usize);
    let precision = given.unwrap_or(6);
    let mut text = match magnitude {
        FloatMagnitude::Nan => "nan".to_owned(),
        FloatMagnitude::Infinite => "inf".to_owned(),
        FloatMagnitude::Finite { mantissa, exponent } => match conversion.to_ascii_lowercase() {
            b'f' => digits::format_fixed(mantissa, exponent, precision, spec.hash),
            b'e' => digits::format_scientific(mantissa, exponent, precision, spec.hash),
            b'g' => digits::format_shortest(mantissa, exponent, precision, spec.hash),
            _ => digits::format_hexadecimal(width, mantissa, exponent, given, spec.hash),
        },
    };
    if conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    let is_finite = matches!(magnitude, FloatMagnitude::Finite { .. });
    // The zeros that fill up the width stand after the `0x`.
    let (mark, digits) = text.split_at(if text[1..].starts_with(['x', 'X']) { 2 } else { 0 });
    ([prefix, mark.as_bytes()].concat(), digits.to_owned(), is_finite)
}
