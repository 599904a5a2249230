//! Inputs to try: values that the first runs of a tester would have, always the same for the same number.
//!
//! Many loops that do not end do so for small, extreme or degenerate inputs: nothing but zeros, an empty text, a size of one, the
//! largest number, a comma where nobody expects one. A sample says what each input of a run is, without looking at
//! the program.

/// Values for all inputs of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputSample {
    /// Which one.
    pub number: u32,
}

/// The same for each input.
const UNIFORM: [i64; 7] = [0, 1, -1, 2, 10, b'a' as i64, i64::MIN];

/// Characters that texts are made of.
const CHARACTERS: &[u8] = b"\0\0a,1 b0-z(9)\"\\%\n=[]#+*:;.<&'{}x\x01\x7f\x80\xc3\xff";

/// Numbers near which programs decide.
const NUMBERS: [i64; 36] = [
    0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 31, 32, 33, 64, 100, 127, 128,
    255, 256, 366, 1000, 1024, 65_536, -1, -2, -10, -128,
];

/// The most extreme ones, shifted to the width of the input.
const EXTREMES: [u128; 4] = [u128::MAX >> 1, (u128::MAX >> 1) - 1, 1 << 127, u128::MAX];

impl InputSample {
    /// The input with this index, as so many bits.
    pub fn input_bits(self, index: usize, width: u32) -> u128 {
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let signed = |value: i64| i128::from(value).cast_unsigned() & mask;
        let number = self.number as usize;
        if let Some(value) = UNIFORM.get(number) {
            return signed(*value);
        }
        let position = i64::try_from(index).unwrap_or(i64::MAX);
        match number - UNIFORM.len() {
            0 => signed(position + 1),
            1 => signed(20 - position),
            2 => signed(position % 2),
            _ => {
                let dice = mix(u64::from(self.number) << 32 | index as u64);
                let pick = |count: usize| usize::try_from(dice >> 8).unwrap_or(0) % count;
                match dice % 8 {
                    0..=5 if width == 8 => u128::from(CHARACTERS[pick(CHARACTERS.len())]),
                    0 if width <= 64 => (EXTREMES[pick(EXTREMES.len())] >> (128 - width)) & mask,
                    _ => signed(NUMBERS[pick(NUMBERS.len())]),
                }
            }
        }
    }
}

/// A number in which every bit depends on every bit (SplitMix64).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_their_width_and_differ() {
        for number in 0..60 {
            for width in [1, 8, 16, 32, 64] {
                let bits = InputSample { number }.input_bits(3, width);
                assert!(bits < 1 << width, "sample {number}, {width} bits");
            }
        }
        let all: std::collections::BTreeSet<Vec<u128>> = (0..60)
            .map(|number| (0..8).map(|at| InputSample { number }.input_bits(at, 32)).collect())
            .collect();
        assert_eq!(all.len(), 60);
    }
}
