//! Results of which C promises a sign or a truth and no more: `strcmp` may return 1 or the difference of
//! two characters, `isalpha` any number but zero. Where the program looks at more than that, the number
//! is one that nobody knows. Of a function that is called through a pointer nobody sees who looks at the result:
//! what its address stands for is a translation of its own, which returns no more than is promised.

use ouro_model::{BinaryOp, CastOp, CompareOp, Instruction, Operand, Type};

use crate::function::FunctionTranslator;
use crate::llvm::{LlvmValue, Opcode, ValueKind};
use crate::lower::{LiteralArguments, LlvmLowering};
use crate::values::int_constant;

/// Functions whose result says less, equal or greater.
const SIGNS: [&str; 10] = [
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strcoll",
    "memcmp",
    "isinf",
    "isinff",
    "isinfl",
    "strverscmp",
];

/// Functions whose result says yes or no.
const TRUTHS: [&str; 30] = [
    "bcmp",
    "isalnum",
    "isalpha",
    "isascii",
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
    "isnanf",
    "isnanl",
    "finite",
    "finitef",
    "finitel",
    "signbit",
    "signbitf",
    "signbitl",
    "feof",
    "feof_unlocked",
    "ferror",
    "ferror_unlocked",
    "fesetround",
    "setvbuf",
    "atexit",
];

/// The bits of a magnitude: one less than `int`, so that they are bits under every view of integers.
const WIDTH: u32 = 31;

/// The place among the known parameters that asks for a result as far as it is promised.
const PROMISED: u32 = u32::MAX - 1;

/// What is promised of a function's result besides whether it is zero, if that is all: that its sign says something.
fn promise_of(name: &str) -> Option<bool> {
    let name = name.strip_prefix("__").unwrap_or(name);
    if SIGNS.contains(&name) { Some(true) } else { TRUTHS.contains(&name).then_some(false) }
}

/// What stands among the known parameters of a function whose address is taken.
pub(crate) fn literals_of_address<'c>(
    program: &LlvmLowering<'c>,
    function: LlvmValue<'c>,
) -> LiteralArguments {
    match promise_of(&function.name()).is_some() && program.is_library_value(function) {
        true => vec![(PROMISED, "promised".to_owned())],
        false => LiteralArguments::new(),
    }
}

impl<'c> FunctionTranslator<'_, 'c> {
    /// The result of a call of a library function, as far as it is promised.
    pub(crate) fn weaken_to_promised_result(
        &mut self,
        call: LlvmValue<'c>,
        function: LlvmValue<'c>,
        results: Vec<Operand>,
    ) -> Vec<Operand> {
        let is_library = self.program.is_library_value(function);
        if !is_library || call.users().into_iter().all(is_comparison_with_zero) {
            return results;
        }
        self.weaken_result_of(&function.name(), results)
    }

    /// What this function returns, as far as it is promised if its translation is for calls through pointers.
    pub(crate) fn weaken_returned(&mut self, results: Vec<Operand>) -> Vec<Operand> {
        match self.literals.iter().any(|known| known.0 == PROMISED) {
            true => self.weaken_result_of(&self.function.name(), results),
            false => results,
        }
    }

    fn weaken_result_of(&mut self, name: &str, results: Vec<Operand>) -> Vec<Operand> {
        let [result] = results[..] else { return results };
        let Some(has_sign) = promise_of(name) else { return results };
        if self.builder.type_of(result) != Type::Int(32) {
            return results;
        }
        let why = format!("how large a result of {name} is");
        let any = self
            .builder
            .emit_with_result(Type::Int(WIDTH), |dst| Instruction::Unknown { dst, why });
        let zero = int_constant(32, 0);
        let is_zero = self.emit_compare(CompareOp::Eq, result, zero);
        // It is not zero: 1 stands for that.
        let is_none = self.emit_compare(CompareOp::Eq, any, int_constant(WIDTH, 0));
        let one = self.convert_scalar(CastOp::ZeroExtend, is_none, Type::Int(WIDTH));
        let positive = self.emit_binary(BinaryOp::Or, any, one);
        let positive = self.convert_scalar(CastOp::ZeroExtend, positive, Type::Int(32));
        // From the least number up to -1.
        let any = self.convert_scalar(CastOp::ZeroExtend, any, Type::Int(32));
        let ones = int_constant(32, u128::from(u32::MAX));
        let negative = self.emit_binary(BinaryOp::Sub { signed: true }, ones, any);
        let is_negative = match has_sign {
            true => self.emit_compare(CompareOp::Slt, result, zero),
            // A truth may be negative, too.
            false => self.builder.emit_with_result(Type::Int(1), |dst| Instruction::Unknown {
                dst,
                why: format!("the sign of a result of {name}"),
            }),
        };
        let open = self.emit_select(is_negative, negative, positive);
        vec![self.emit_select(is_zero, zero, open)]
    }
}

fn is_comparison_with_zero(user: LlvmValue<'_>) -> bool {
    user.kind() == ValueKind::LLVMInstructionValueKind
        && user.opcode() == Opcode::LLVMICmp
        && user.operands().into_iter().any(|operand| operand.int_value() == Some(0))
}
