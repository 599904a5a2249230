//! Results of which C promises a sign or a truth and no more: `strcmp` may return 1 or the difference of
//! two characters, `isalpha` any number but zero. Where the program looks at more than that, the number
//! is one that nobody knows.

use ouro_model::{BinaryOp, CastOp, CompareOp, Instruction, Operand, Type};

use crate::function::FunctionTranslator;
use crate::llvm::{LlvmValue, Opcode, ValueKind};
use crate::values::int_constant;

/// Functions whose result says less, equal or greater.
const SIGNS: [&str; 8] =
    ["strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "memcmp", "isinf", "__isinf"];

/// Functions whose result says yes or no.
const TRUTHS: [&str; 18] = [
    "bcmp",
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "isnan",
    "__isnan",
    "finite",
    "__finite",
    "__signbit",
];

/// The bits of a magnitude: one less than `int`, so that they are bits under every view of integers.
const WIDTH: u32 = 31;

impl<'c> FunctionTranslator<'_, 'c> {
    /// The result of a call of a library function, as far as it is promised.
    pub(crate) fn weaken_to_promised_result(
        &mut self,
        call: LlvmValue<'c>,
        function: LlvmValue<'c>,
        results: Vec<Operand>,
    ) -> Vec<Operand> {
        let name = function.name();
        let has_sign = SIGNS.contains(&name.as_str());
        let [result] = results[..] else { return results };
        if !(has_sign || TRUTHS.contains(&name.as_str()))
            || !self.program.is_library_value(function)
            || self.builder.type_of(result) != Type::Int(32)
            || call.users().into_iter().all(is_comparison_with_zero)
        {
            return results;
        }
        let why = format!("how large a result of {name} is");
        let any = self
            .builder
            .emit_with_result(Type::Int(WIDTH), |dst| Instruction::Unknown { dst, why });
        let top = 1 << (WIDTH - 1);
        let positive = self.emit_binary(BinaryOp::And, any, int_constant(WIDTH, top - 1));
        let positive = self.emit_binary(BinaryOp::Or, positive, int_constant(WIDTH, 1));
        let positive = self.convert_scalar(CastOp::SignExtend, positive, Type::Int(32));
        let is_zero = self.emit_compare(CompareOp::Eq, result, int_constant(32, 0));
        let mut open = self.emit_select(is_zero, int_constant(32, 0), positive);
        if has_sign {
            let negative = self.emit_binary(BinaryOp::Or, any, int_constant(WIDTH, top | 1));
            let negative = self.convert_scalar(CastOp::SignExtend, negative, Type::Int(32));
            let is_negative = self.emit_compare(CompareOp::Slt, result, int_constant(32, 0));
            open = self.emit_select(is_negative, negative, open);
        }
        vec![open]
    }
}

fn is_comparison_with_zero(user: LlvmValue<'_>) -> bool {
    user.kind() == ValueKind::LLVMInstructionValueKind
        && user.opcode() == Opcode::LLVMICmp
        && user.operands().into_iter().any(|operand| operand.int_value() == Some(0))
}
