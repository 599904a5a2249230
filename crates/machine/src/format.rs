//! `printf`'s formatting, from memory to bytes.
//!
//! What is formatted from values that are not known has a length between two bounds; what the
//! formatting itself does not cover is a limit, never left out.

use std::iter::Peekable;

use ouro_model::{Span, Type};
use ouro_term::Terms;

use crate::Value;
use crate::access::{Trouble, limit, resolve};
use crate::digits::{self, Magnitude};
use crate::memory::{Loaded, Memory};
use crate::variadic::Arguments;

/// The greatest `int`: no text is longer.
pub(crate) const LONGEST: u64 = 0x7fff_ffff;

/// More characters than this of one piece are counted and not made.
const MOST_MADE: u64 = 1 << 20;

/// Formatted output.
pub(crate) struct Text {
    /// The parts that are known.
    pub(crate) bytes: Vec<u8>,
    /// Whether every part was known.
    pub(crate) exact: bool,
    /// Its length is at least this.
    pub(crate) least: u64,
    /// And at most this.
    pub(crate) most: u64,
}

impl Text {
    fn new() -> Text {
        Text { bytes: Vec::new(), exact: true, least: 0, most: 0 }
    }

    /// Appends what is known.
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        self.lengthen(bytes.len() as u64, bytes.len() as u64);
    }

    fn lengthen(&mut self, least: u64, most: u64) {
        self.least = self.least.saturating_add(least);
        self.most = self.most.saturating_add(most);
    }

    /// Appends a part of which only bounds of the length are known, filled up to the width.
    fn push_unknown(&mut self, width: Count, least: u64, most: u64) {
        self.exact = false;
        match width {
            Count::Absent => self.lengthen(least, most),
            Count::Known(width) => self.lengthen(least.max(width), most.max(width)),
            Count::Unknown => self.lengthen(least, most.max(LONGEST + 1)),
        }
    }

    /// Appends a part that is known, filled up to the width.
    fn push_filled(&mut self, spec: Spec, prefix: &[u8], digits: &[u8], zeros: bool) {
        let length = (prefix.len() + digits.len()) as u64;
        match spec.width {
            Count::Known(width) if width > MOST_MADE => {
                self.push_unknown(spec.width, length, length);
            }
            Count::Unknown => self.push_unknown(spec.width, length, length),
            Count::Absent | Count::Known(_) => {
                let width = spec.width.known().unwrap_or(0);
                let before = self.bytes.len();
                pad(&mut self.bytes, spec.minus, width as usize, prefix, digits, zeros);
                let length = (self.bytes.len() - before) as u64;
                self.lengthen(length, length);
            }
        }
    }
}

/// A width or precision.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Count {
    #[default]
    Absent,
    Known(u64),
    Unknown,
}

impl Count {
    fn known(self) -> Option<u64> {
        match self {
            Count::Known(count) => Some(count),
            Count::Absent | Count::Unknown => None,
        }
    }
}

#[derive(Default, Clone, Copy)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    hash: bool,
    zero: bool,
    width: Count,
    precision: Count,
    /// Bits of an integer.
    size: u32,
    wide: bool,
    long_double: bool,
}

/// Formatting in progress.
struct Formatter<'a> {
    memory: &'a mut Memory,
    terms: &'a mut Terms,
    pointer_bits: u32,
    arguments: &'a mut Arguments,
    /// Whether `%n` may store.
    stores: bool,
    span: Span,
    text: Text,
}

/// Formats as `vprintf` does. Without `stores`, a format with `%n` is a limit.
pub(crate) fn format(
    memory: &mut Memory,
    terms: &mut Terms,
    pointer_bits: u32,
    pattern: Value,
    arguments: &mut Arguments,
    stores: bool,
    span: Span,
) -> Result<Text, Trouble> {
    let text = Text::new();
    let mut formatter = Formatter { memory, terms, pointer_bits, arguments, stores, span, text };
    let pattern = formatter.string(pattern, Count::Absent)?;
    if !pattern.exact {
        return limit("a format that is not known");
    }
    let mut rest = pattern.bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let (spec, conversion) = formatter.spec(&mut rest)?;
            formatter.convert(spec, conversion)?;
        } else {
            formatter.text.push(&[byte]);
        }
    }
    Ok(formatter.text)
}

impl Formatter<'_> {
    fn next(&mut self, ty: Type) -> Result<Option<Value>, Trouble> {
        self.arguments.next(self.memory, self.terms, ty, self.span)
    }

    /// Reads what stands between `%` and the letter of a conversion, and that letter.
    fn spec<I>(&mut self, rest: &mut Peekable<I>) -> Result<(Spec, u8), Trouble>
    where
        I: Iterator<Item = u8>,
    {
        let mut spec = Spec::default();
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
        match self.count(rest)? {
            Some(Some(width)) => {
                spec.minus |= width < 0;
                spec.width = Count::Known(width.unsigned_abs());
            }
            Some(None) => spec.width = Count::Unknown,
            None => {}
        }
        if rest.peek() == Some(&b'.') {
            rest.next();
            spec.precision = match self.count(rest)? {
                None => Count::Known(0),
                // A negative one counts as absent.
                Some(Some(precision)) => {
                    u64::try_from(precision).map_or(Count::Absent, Count::Known)
                }
                Some(None) => Count::Unknown,
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
            None => limit("a format that ends within a conversion"),
        }
    }

    /// A number of the format or, for `*`, of the arguments; the inner `None` if that is not known.
    #[allow(clippy::option_option)]
    fn count<I>(&mut self, rest: &mut Peekable<I>) -> Result<Option<Option<i64>>, Trouble>
    where
        I: Iterator<Item = u8>,
    {
        if rest.peek() == Some(&b'*') {
            rest.next();
            if rest.peek().is_some_and(u8::is_ascii_digit) {
                return limit("a format with numbered arguments");
            }
            let value = self.next(Type::Int(32))?;
            let bits = value.and_then(Value::bits);
            return Ok(Some(bits.map(|bits| i64::from((bits as u32).cast_signed()))));
        }
        let mut number = None;
        while let Some(digit) = rest.peek().filter(|byte| byte.is_ascii_digit()) {
            let so_far: i64 = number.unwrap_or(0);
            number = Some(so_far.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
            rest.next();
        }
        if rest.peek() == Some(&b'$') {
            return limit("a format with numbered arguments");
        }
        Ok(number.map(Some))
    }

    fn convert(&mut self, spec: Spec, conversion: u8) -> Result<(), Trouble> {
        match conversion {
            b'%' => self.text.push(b"%"),
            b'c' | b's' if spec.wide => return limit("wide characters in formatted output"),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'b' | b'B' => {
                self.integer(spec, conversion)?;
            }
            b'c' => match self.next(Type::Int(32))?.and_then(Value::bits) {
                Some(bits) => self.text.push_filled(spec, b"", &[bits as u8], false),
                None => self.text.push_unknown(spec.width, 1, 1),
            },
            b's' => {
                let found = match self.next(Type::Ptr)? {
                    Some(address) => self.string(address, spec.precision)?,
                    None => Text { exact: false, most: LONGEST, ..Text::new() },
                };
                match found.exact {
                    true => self.text.push_filled(spec, b"", &found.bytes, false),
                    false => self.text.push_unknown(spec.width, found.least, found.most),
                }
            }
            b'p' => match self.next(Type::Ptr)?.filter(|value| value.object().is_none()) {
                Some(value) if value.bits() == Some(0) => {
                    self.text.push_filled(spec, b"", b"(nil)", false);
                }
                // An address is the layout's business: its text is not known.
                _ => self.text.push_unknown(spec.width, 3, 18),
            },
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                self.float(spec, conversion)?;
            }
            // The text of an error.
            b'm' => self.text.push_unknown(spec.width, 0, LONGEST),
            b'n' => self.store_length(spec)?,
            other => {
                let letter = char::from(other);
                return limit(format!("the conversion %{letter} in formatted output"));
            }
        }
        Ok(())
    }

    fn integer(&mut self, spec: Spec, conversion: u8) -> Result<(), Trouble> {
        let size = spec.size;
        let value = self.next(Type::Int(size.max(32)))?;
        let (Some(bits), false) = (value.and_then(Value::bits), spec.precision == Count::Unknown)
        else {
            // Digits, and a sign or what `#` puts before them.
            let digits: u64 = match conversion {
                b'o' => 22,
                b'x' | b'X' => 16,
                b'b' | b'B' => 64,
                _ => 20,
            };
            let (least, most) = match spec.precision {
                Count::Absent => (1, digits),
                Count::Known(precision) => (precision, digits.max(precision)),
                Count::Unknown => (0, LONGEST),
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
            Some(least) if least > MOST_MADE => {
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
        let zeros = spec.zero && spec.precision == Count::Absent;
        self.text.push_filled(spec, prefix, digits.as_bytes(), zeros);
        Ok(())
    }

    fn float(&mut self, spec: Spec, conversion: u8) -> Result<(), Trouble> {
        let width = if spec.long_double { 80 } else { 64 };
        let pattern = match self.next(Type::Float(width))? {
            Some(value) => match value.term() {
                Some(term) => self.terms.as_bv(term),
                None => value.bits().map(u128::from),
            },
            None => None,
        };
        let is_small = match spec.precision {
            Count::Absent => true,
            Count::Known(precision) => precision <= MOST_MADE,
            Count::Unknown => false,
        };
        match pattern.filter(|_| is_small) {
            Some(pattern) => {
                let (prefix, digits, is_finite) = float_text(spec, conversion, width, pattern);
                self.text.push_filled(spec, &prefix, digits.as_bytes(), spec.zero && is_finite);
            }
            None => {
                // A digit at least; as many as the greatest number has, the precision, and signs.
                let most = match spec.precision {
                    Count::Absent => 6000,
                    Count::Known(precision) => precision.saturating_add(6000),
                    Count::Unknown => LONGEST + 1,
                };
                self.text.push_unknown(spec.width, 1, most);
            }
        }
        Ok(())
    }

    /// `%n`.
    fn store_length(&mut self, spec: Spec) -> Result<(), Trouble> {
        if !self.stores {
            return limit("%n in output to a stream");
        }
        let Some(address) = self.next(Type::Ptr)? else {
            return limit("%n with an address that is not known");
        };
        if self.text.least != self.text.most {
            return limit("%n after output of unknown length");
        }
        let bytes = u64::from(spec.size / 8);
        let (object, at) = resolve(self.memory, self.terms, address, -1, bytes, true, self.span)?;
        let mask = if spec.size == 64 { u64::MAX } else { (1 << spec.size) - 1 };
        let written = Value::plain(self.text.least & mask);
        self.memory.store(self.terms, object, at, spec.size, written, self.span)?;
        Ok(())
    }

    /// Bytes up to a zero, at most as many as the precision says.
    fn string(&mut self, address: Value, precision: Count) -> Result<Text, Trouble> {
        let mut text = Text::new();
        let longest = precision.known().unwrap_or(LONGEST);
        if address.is_symbolic() {
            return Ok(Text { exact: false, most: longest, ..text });
        }
        while precision.known().is_none_or(|most| text.least < most) {
            let here = Value { bits: address.bits + text.least, tag: address.tag };
            let place = resolve(self.memory, self.terms, here, -1, 1, false, self.span);
            // With an unknown precision, it need not get that far.
            if place.is_err() && precision == Count::Unknown {
                return Ok(Text { exact: false, least: 0, ..text });
            }
            let (object, at) = place?;
            let loaded = self.memory.load(self.terms, object, at, Type::Int(8), self.span);
            let byte = match loaded {
                Loaded::Value(value) => value.bits(),
                _ => None,
            };
            match byte {
                Some(0) => break,
                Some(byte) => text.push(&[byte as u8]),
                None => return Ok(Text { exact: false, most: longest, ..text }),
            }
        }
        if precision == Count::Unknown {
            return Ok(Text { exact: false, least: 0, ..text });
        }
        Ok(text)
    }
}

fn pad(out: &mut Vec<u8>, minus: bool, width: usize, prefix: &[u8], digits: &[u8], zeros: bool) {
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
fn float_text(spec: Spec, conversion: u8, width: u32, pattern: u128) -> (Vec<u8>, String, bool) {
    let (negative, magnitude) = Magnitude::of(width, pattern);
    let prefix: &[u8] = match (negative, spec.plus, spec.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        _ => b"",
    };
    let given = spec.precision.known().map(|precision| precision as usize);
    let precision = given.unwrap_or(6);
    let mut text = match magnitude {
        Magnitude::Nan => "nan".to_owned(),
        Magnitude::Infinite => "inf".to_owned(),
        Magnitude::Finite { mantissa, exponent } => match conversion.to_ascii_lowercase() {
            b'f' => digits::fixed(mantissa, exponent, precision, spec.hash),
            b'e' => digits::scientific(mantissa, exponent, precision, spec.hash),
            b'g' => digits::shortest(mantissa, exponent, precision, spec.hash),
            _ => digits::hexadecimal(width, mantissa, exponent, given, spec.hash),
        },
    };
    if conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    let is_finite = matches!(magnitude, Magnitude::Finite { .. });
    // The zeros that fill up the width stand after the `0x`.
    let (mark, digits) = text.split_at(if text[1..].starts_with(['x', 'X']) { 2 } else { 0 });
    ([prefix, mark.as_bytes()].concat(), digits.to_owned(), is_finite)
}
