//! Floats as text, digit by digit as C's library writes them: exactly, whatever the format.

/// A float without its sign, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatMagnitude {
    Nan,
    Infinite,
    /// `mantissa * 2^exponent`.
    Finite {
        mantissa: u64,
        exponent: i32,
    },
}

impl FloatMagnitude {
    /// Sign and magnitude of a pattern of 64 or 80 bits.
    pub(crate) fn of_pattern(width: u32, pattern: u128) -> (bool, FloatMagnitude) {
        let negative = pattern >> (width - 1) & 1 == 1;
        // How many bits the fraction has, and how many of the mantissa are stored.
        let (fraction_bits, stored) = if width == 80 { (63, 64) } else { (52, 52) };
        let raw = (pattern >> stored) as i32 & if width == 80 { 0x7fff } else { 0x7ff };
        let bias = if width == 80 { 16383 } else { 1023 };
        let fraction = pattern as u64 & ((1 << fraction_bits) - 1);
        let magnitude = if raw == 2 * bias + 1 {
            if fraction == 0 { FloatMagnitude::Infinite } else { FloatMagnitude::Nan }
        } else {
            let implied = if width == 80 { (pattern >> 63) as u64 & 1 } else { u64::from(raw > 0) };
            FloatMagnitude::Finite {
                mantissa: implied << fraction_bits | fraction,
                exponent: raw.max(1) - bias - fraction_bits,
            }
        };
        (negative, magnitude)
    }
}

/// Decimal digits of a number, the first one not zero, and how many of them are before the point.
#[derive(Clone, PartialEq, Eq, Debug)]
struct DecimalDigits {
    digits: Vec<u8>,
    point: i32,
}

/// What a group of digits counts to.
const GROUP: u64 = 1_000_000_000;

impl DecimalDigits {
    /// All digits of `mantissa * 2^exponent`; none for zero.
    fn of_binary(mantissa: u64, exponent: i32) -> DecimalDigits {
        // Groups of nine digits, the lowest first. A negative power of two is one of five, with the
        // point moved.
        let mut groups = vec![mantissa % GROUP, mantissa / GROUP % GROUP, mantissa / GROUP / GROUP];
        let (factor, at_once) = if exponent < 0 { (5u64, 12) } else { (2, 29) };
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            let now = left.min(at_once);
            let mut carry = 0;
            for group in &mut groups {
                let product = *group * factor.pow(now) + carry;
                *group = product % GROUP;
                carry = product / GROUP;
            }
            groups.extend((carry > 0).then_some(carry));
            left -= now;
        }
        let text: String = groups.iter().rev().map(|group| format!("{group:09}")).collect();
        let text = text.trim_start_matches('0');
        let length = i32::try_from(text.len()).expect("at most some ten thousand digits");
        let digits: Vec<u8> = text.bytes().map(|digit| digit - b'0').collect();
        DecimalDigits { digits, point: length + exponent.min(0) }
    }

    /// Rounds to the first `kept` digits, halves to even.
    fn round_to_digits(&mut self, kept: i32) {
        let Ok(kept) = usize::try_from(kept) else {
            self.digits.clear();
            return;
        };
        if kept >= self.digits.len() {
            return;
        }
        let rest = self.digits.split_off(kept);
        let is_odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        let above_half = rest[0] > 5 || rest[0] == 5 && rest[1..].iter().any(|digit| *digit > 0);
        if !(above_half || rest[0] == 5 && is_odd) {
            return;
        }
        while self.digits.last() == Some(&9) {
            self.digits.pop();
        }
        match self.digits.last_mut() {
            Some(digit) => *digit += 1,
            None => {
                self.digits.push(1);
                self.point += 1;
            }
        }
    }

    /// The digit of a power of ten.
    fn digit_of_power(&self, power: i32) -> char {
        let index = usize::try_from(self.point - 1 - power).ok();
        char::from(b'0' + index.and_then(|i| self.digits.get(i)).copied().unwrap_or(0))
    }
}

fn as_i32(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX / 4)
}

/// `%f`.
pub(crate) fn format_fixed(mantissa: u64, exponent: i32, precision: usize, hash: bool) -> String {
    let mut decimal = DecimalDigits::of_binary(mantissa, exponent);
    let precision = as_i32(precision);
    decimal.round_to_digits(decimal.point + precision);
    let mut text: String =
        (0..decimal.point.max(1)).rev().map(|power| decimal.digit_of_power(power)).collect();
    if precision > 0 || hash {
        text.push('.');
    }
    text.extend((1..=precision).map(|place| decimal.digit_of_power(-place)));
    text
}

/// `%e`.
pub(crate) fn format_scientific(
    mantissa: u64,
    exponent: i32,
    precision: usize,
    hash: bool,
) -> String {
    let mut decimal = DecimalDigits::of_binary(mantissa, exponent);
    let precision = as_i32(precision);
    decimal.round_to_digits(precision + 1);
    let power = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let mut text = String::from(decimal.digit_of_power(power));
    if precision > 0 || hash {
        text.push('.');
    }
    text.extend((1..=precision).map(|place| decimal.digit_of_power(power - place)));
    let sign = if power < 0 { '-' } else { '+' };
    format!("{text}e{sign}{:02}", power.unsigned_abs())
}

/// `%g`: the shorter of the two, without trailing zeros unless asked for.
pub(crate) fn format_shortest(
    mantissa: u64,
    exponent: i32,
    precision: usize,
    hash: bool,
) -> String {
    let precision = precision.max(1);
    let mut decimal = DecimalDigits::of_binary(mantissa, exponent);
    decimal.round_to_digits(as_i32(precision));
    let power = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let text = if power < -4 || power >= as_i32(precision) {
        format_scientific(mantissa, exponent, precision - 1, hash)
    } else {
        let places = usize::try_from(as_i32(precision) - 1 - power).unwrap_or(0);
        format_fixed(mantissa, exponent, places, hash)
    };
    if hash || !text.contains('.') {
        return text;
    }
    let (digits, power) = text.split_at(text.find('e').unwrap_or(text.len()));
    format!("{}{power}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// `%a`, for a float with this many bits.
pub(crate) fn format_hexadecimal(
    width: u32,
    mantissa: u64,
    exponent: i32,
    precision: Option<usize>,
    hash: bool,
) -> String {
    // The first digit is one bit of a double, but four bits of an extended one.
    let fraction_bits: u32 = if width == 80 { 60 } else { 52 };
    let power = if mantissa == 0 { 0 } else { exponent + fraction_bits.cast_signed() };
    let places = fraction_bits as usize / 4;
    let mut mantissa = u128::from(mantissa);
    if let Some(precision) = precision.filter(|precision| *precision < places) {
        let dropped = 4 * u32::try_from(places - precision).expect("a few digits");
        let (half, rest) = (1 << (dropped - 1), mantissa & ((1 << dropped) - 1));
        mantissa >>= dropped;
        mantissa += u128::from(rest > half || rest == half && mantissa & 1 == 1);
        mantissa <<= dropped;
    }
    let first = mantissa >> fraction_bits;
    let fraction = format!("{:0places$x}", mantissa & ((1 << fraction_bits) - 1));
    let fraction = match precision {
        None => fraction.trim_end_matches('0').to_owned(),
        Some(precision) if precision <= places => fraction[..precision].to_owned(),
        Some(precision) => format!("{fraction:0<precision$}"),
    };
    let point = if fraction.is_empty() && !hash { "" } else { "." };
    let sign = if power < 0 { '-' } else { '+' };
    format!("0x{first:x}{point}{fraction}p{sign}{}", power.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(value: f64) -> (u64, i32) {
        match FloatMagnitude::of_pattern(64, value.to_bits().into()).1 {
            FloatMagnitude::Finite { mantissa, exponent } => (mantissa, exponent),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn digits_are_those_of_the_standard_library() {
        let mut seed = 1u64;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = f64::from_bits(seed & !(1 << 63));
            if !value.is_finite() {
                continue;
            }
            let (mantissa, exponent) = parts(value);
            let precision = (seed >> 7) as usize % 30;
            assert_eq!(
                format_fixed(mantissa, exponent, precision, false),
                format!("{value:.precision$}")
            );
            let ours = format_scientific(mantissa, exponent, precision, false);
            let theirs = format!("{value:.precision$e}");
            assert_eq!(ours.split_once('e').map(|p| p.0), theirs.split_once('e').map(|p| p.0));
        }
    }

    #[test]
    fn halves_go_to_even() {
        let text = |value, precision| {
            let (mantissa, exponent) = parts(value);
            format_fixed(mantissa, exponent, precision, false)
        };
        assert_eq!(text(0.5, 0), "0");
        assert_eq!(text(1.5, 0), "2");
        assert_eq!(text(2.5, 0), "2");
        assert_eq!(text(0.125, 2), "0.12");
        assert_eq!(text(99.99, 1), "100.0");
        assert_eq!(text(0.0, 3), "0.000");
        assert_eq!(text(0.04, 0), "0");
        assert_eq!(text(0.6, 0), "1");
    }

    #[test]
    fn hexadecimal_digits_are_the_bits() {
        let text = |value, precision| {
            let (mantissa, exponent) = parts(value);
            format_hexadecimal(64, mantissa, exponent, precision, false)
        };
        assert_eq!(text(1.0, None), "0x1p+0");
        assert_eq!(text(0.0, None), "0x0p+0");
        assert_eq!(text(0.1, None), "0x1.999999999999ap-4");
        assert_eq!(text(1.999, Some(1)), "0x2.0p+0");
        assert_eq!(text(5e-324, None), "0x0.0000000000001p-1022");
        let long = format_hexadecimal(80, 1 << 63, -63, None, false);
        assert_eq!(long, "0x8p-3");
    }
}
