//! `printf`'s formatting, from memory to bytes.

use ouro_model::{Span, Type};
use ouro_term::Terms;

use crate::Value;
use crate::access::{Trouble, resolve};
use crate::digits::{self, Magnitude};
use crate::memory::{Loaded, Memory};
use crate::variadic::Arguments;

/// Formatted output.
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// Whether every part was known.
    pub(crate) exact: bool,
}

#[derive(Default, Clone, Copy)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    hash: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Formats as `vprintf` does.
pub(crate) fn format(
    memory: &mut Memory,
    terms: &mut Terms,
    pointer_bits: u32,
    pattern: Value,
    arguments: &mut Arguments,
    span: Span,
) -> Result<Text, Trouble> {
    let pattern = string(memory, terms, pattern, None, span)?;
    let mut text = Text { bytes: Vec::new(), exact: pattern.exact };
    let mut rest = pattern.bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            text.bytes.push(byte);
            continue;
        }
        let mut spec = Spec::default();
        while let Some(flag) = rest.peek() {
            match flag {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.hash = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            rest.next();
        }
        let mut take_number = |rest: &mut std::iter::Peekable<_>,
                               memory: &mut Memory,
                               terms: &mut Terms|
         -> Result<Option<i64>, Trouble> {
            if rest.peek() == Some(&b'*') {
                rest.next();
                let value = arguments.next(memory, terms, Type::Int(32), span)?;
                return Ok(value
                    .and_then(Value::bits)
                    .map(|b| i64::from((b as u32).cast_signed())));
            }
            let mut number = None;
            while let Some(digit) = rest.peek().filter(|b: &&u8| b.is_ascii_digit()) {
                number = Some(number.unwrap_or(0i64) * 10 + i64::from(digit - b'0'));
                rest.next();
            }
            Ok(number)
        };
        if let Some(width) = take_number(&mut rest, memory, terms)? {
            spec.minus |= width < 0;
            spec.width = width.unsigned_abs().min(1 << 20) as usize;
        }
        if rest.peek() == Some(&b'.') {
            rest.next();
            let precision = take_number(&mut rest, memory, terms)?.unwrap_or(0);
            spec.precision = usize::try_from(precision).ok().map(|p| p.min(1 << 20));
        }
        let (mut shorts, mut longs, mut fixed_size, mut long_double) = (0, 0, None, false);
        while let Some(letter) = rest.peek() {
            match letter {
                b'h' => shorts += 1,
                b'l' => longs += 1,
                b'L' | b'q' => {
                    fixed_size = Some(64);
                    long_double = true;
                }
                b'j' => fixed_size = Some(64),
                b'z' | b't' => fixed_size = Some(pointer_bits),
                _ => break,
            }
            rest.next();
        }
        let size = fixed_size.unwrap_or(match (shorts, longs) {
            (0, 0) => 32,
            (1, _) => 16,
            (0, 1) => pointer_bits,
            (0, _) => 64,
            _ => 8,
        });
        let Some(conversion) = rest.next() else { break };
        convert(memory, terms, conversion, spec, size, long_double, arguments, &mut text, span)?;
    }
    Ok(text)
}

#[allow(clippy::too_many_arguments)]
fn convert(
    memory: &mut Memory,
    terms: &mut Terms,
    conversion: u8,
    spec: Spec,
    size: u32,
    long_double: bool,
    arguments: &mut Arguments,
    text: &mut Text,
    span: Span,
) -> Result<(), Trouble> {
    let promoted = size.max(32);
    let mask = if size == 64 { u64::MAX } else { (1 << size) - 1 };
    match conversion {
        b'%' => text.bytes.push(b'%'),
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
            let value = arguments.next(memory, terms, Type::Int(promoted), span)?;
            let Some(bits) = value.and_then(Value::bits) else {
                text.exact = false;
                return Ok(());
            };
            if conversion == b'c' {
                pad(&mut text.bytes, spec, b"", &[bits as u8], false);
                return Ok(());
            }
            let bits = bits & mask;
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
                _ => (b"", format!("{bits:o}")),
            };
            let mut digits = match spec.precision {
                Some(0) if bits == 0 => String::new(),
                Some(least) => format!("{digits:0>least$}"),
                None => digits,
            };
            if conversion == b'o' && spec.hash && !digits.starts_with('0') {
                digits.insert(0, '0');
            }
            let zeros = spec.zero && spec.precision.is_none();
            pad(&mut text.bytes, spec, prefix, digits.as_bytes(), zeros);
        }
        b's' => {
            let Some(address) = arguments.next(memory, terms, Type::Ptr, span)? else {
                text.exact = false;
                return Ok(());
            };
            let found = string(memory, terms, address, spec.precision, span)?;
            text.exact &= found.exact;
            pad(&mut text.bytes, spec, b"", &found.bytes, false);
        }
        b'p' => {
            let value = arguments.next(memory, terms, Type::Ptr, span)?;
            // An address is the layout's business: its text is not known.
            text.exact = false;
            let shown = match value.and_then(Value::bits) {
                Some(0) => "(nil)".to_owned(),
                Some(bits) => format!("{bits:#x}"),
                None => "?".to_owned(),
            };
            pad(&mut text.bytes, spec, b"", shown.as_bytes(), false);
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let width = if long_double { 80 } else { 64 };
            let value = arguments.next(memory, terms, Type::Float(width), span)?;
            let pattern = match value {
                Some(value) => match value.term() {
                    Some(term) => terms.as_bv(term),
                    None => value.bits().map(u128::from),
                },
                None => None,
            };
            match pattern {
                Some(pattern) => {
                    float_text(&mut text.bytes, spec, conversion, width, pattern);
                }
                None => text.exact = false,
            }
        }
        b'n' => {
            let Some(address) = arguments.next(memory, terms, Type::Ptr, span)? else {
                text.exact = false;
                return Ok(());
            };
            let (object, at) =
                resolve(memory, terms, address, -1, u64::from(promoted / 8), true, span)?;
            let written = Value::plain(text.bytes.len() as u64);
            memory.store(terms, object, at, promoted, written, span)?;
        }
        _ => text.exact = false,
    }
    Ok(())
}

/// Bytes up to a zero, at most `most`.
fn string(
    memory: &mut Memory,
    terms: &mut Terms,
    address: Value,
    most: Option<usize>,
    span: Span,
) -> Result<Text, Trouble> {
    let mut text = Text { bytes: Vec::new(), exact: true };
    if address.is_symbolic() {
        text.exact = false;
        return Ok(text);
    }
    while most.is_none_or(|most| text.bytes.len() < most) {
        let here = Value { bits: address.bits + text.bytes.len() as u64, tag: address.tag };
        let (object, at) = resolve(memory, terms, here, -1, 1, false, span)?;
        match memory.load(terms, object, at, Type::Int(8), span) {
            Loaded::Value(value) => match value.bits() {
                Some(0) => break,
                Some(byte) => text.bytes.push(byte as u8),
                None => {
                    text.exact = false;
                    break;
                }
            },
            _ => {
                text.exact = false;
                break;
            }
        }
    }
    Ok(text)
}

fn pad(out: &mut Vec<u8>, spec: Spec, prefix: &[u8], digits: &[u8], zeros: bool) {
    let missing = spec.width.saturating_sub(prefix.len() + digits.len());
    if spec.minus {
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

/// A float of 64 or 80 bits.
fn float_text(out: &mut Vec<u8>, spec: Spec, conversion: u8, width: u32, pattern: u128) {
    let (negative, magnitude) = Magnitude::of(width, pattern);
    let prefix: &[u8] = match (negative, spec.plus, spec.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        _ => b"",
    };
    let precision = spec.precision.unwrap_or(6);
    let mut text = match magnitude {
        Magnitude::Nan => "nan".to_owned(),
        Magnitude::Infinite => "inf".to_owned(),
        Magnitude::Finite { mantissa, exponent } => match conversion.to_ascii_lowercase() {
            b'f' => digits::fixed(mantissa, exponent, precision, spec.hash),
            b'e' => digits::scientific(mantissa, exponent, precision, spec.hash),
            b'g' => digits::shortest(mantissa, exponent, precision, spec.hash),
            _ => digits::hexadecimal(width, mantissa, exponent, spec.precision, spec.hash),
        },
    };
    if conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    let is_finite = matches!(magnitude, Magnitude::Finite { .. });
    // The zeros that fill up the width stand after the `0x`.
    let (mark, digits) = text.split_at(if text[1..].starts_with(['x', 'X']) { 2 } else { 0 });
    let prefix = [prefix, mark.as_bytes()].concat();
    pad(out, spec, &prefix, digits.as_bytes(), spec.zero && is_finite);
}
