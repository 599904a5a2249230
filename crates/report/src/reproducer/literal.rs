//! Values as C literals.

use ouro_evidence::RunInput;

use crate::ctype::{self, CType};

/// The value of an input as a constant expression of a type.
pub(super) fn c_literal(input: &RunInput, ty: CType) -> String {
    match ty {
        CType::Bool => (input.bits & 1).to_string(),
        CType::Pointer => format!("(void *){:#x}ULL", input.bits),
        CType::Float(_) => match ctype::float_text(input).as_str() {
            "NaN" => "__builtin_nan(\"\")".to_owned(),
            "inf" => "__builtin_inf()".to_owned(),
            "-inf" => "-__builtin_inf()".to_owned(),
            number => number.to_owned(),
        },
        CType::Integer(_, signed) => match (signed, input.width) {
            (_, 65..) => format!(
                "(__int128)((unsigned __int128){:#x}ULL << 64 | {:#x}ULL)",
                input.bits >> 64,
                input.bits & u128::from(u64::MAX)
            ),
            (false, 33..) => format!("{}ULL", input.bits),
            (false, _) => format!("{}u", input.bits),
            // C has no literal for the least value: it would negate one that does not fit.
            (true, 64) if input.signed_value() == i128::from(i64::MIN) => {
                "-9223372036854775807LL - 1".to_owned()
            }
            (true, 32) if input.signed_value() == i128::from(i32::MIN) => {
                "-2147483647 - 1".to_owned()
            }
            (true, 33..) => format!("{}LL", input.signed_value()),
            (true, _) => input.signed_value().to_string(),
        },
    }
}
