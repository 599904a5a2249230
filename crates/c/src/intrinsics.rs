//! LLVM's intrinsic functions: those that clang makes of C, each by its meaning.

use ouro_model::{BinaryOp, CastOp, CompareOp, Instruction, Operand, Terminator, Type, UnaryOp};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::llvm::{LlvmValue, Opcode};
use crate::values::{int_constant, undefined_terminator, width_mask};
use crate::wide;

/// What is assumed of questions about what the compiler knows.
const COMPILE_TIME: &str = "__builtin_constant_p and __builtin_object_size know only what clang knows at -O0: compilers \
    may answer differently at -O2";

const WRAPPING_ADD: BinaryOp = BinaryOp::Add { signed: false };
const WRAPPING_SUB: BinaryOp = BinaryOp::Sub { signed: false };

impl<'c> FunctionTranslator<'_, 'c> {
    /// Translates a call of `llvm.NAME`; types follow the name after dots.
    pub(crate) fn translate_intrinsic(
        &mut self,
        call: LlvmValue<'c>,
        name: &str,
    ) -> TranslationResult<Vec<Operand>> {
        let is = |base: &str| {
            name.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        if name.starts_with("dbg.")
            || name.starts_with("lifetime.")
            || name.starts_with("invariant.")
            || is("va_end")
            || is("donothing")
            || is("sideeffect")
            || is("prefetch")
            || is("var.annotation")
            || is("experimental.noalias.scope.decl")
            || is("pseudoprobe")
        {
            // `llvm.invariant.start` gives a mark that only `llvm.invariant.end` reads.
            let types = self.scalar_types(call.ty())?;
            return Ok(types.into_iter().map(|ty| Operand::Const { ty, bits: 0 }).collect());
        }
        if is("assume") {
            let holds = self.single_operand(call.operand(0))?;
            self.require_promise(holds);
            return Ok(Vec::new());
        }
        if call.operands().iter().any(|operand| wide::wide_integer_width(operand.ty()).is_some()) {
            return Err(limit_terminator(format!("{name} of an integer of more than 128 bits")));
        }
        if is("debugtrap") {
            // A debugger, or who handles the signal, may let the program go on.
            return Err(limit_terminator("__builtin_debugtrap()"));
        }
        if is("trap") && is_last_before_unreachable(call) {
            // clang's own, where control leaves a C++ function without the value that it must return.
            return Err(undefined_terminator("an end of a function that must return a value"));
        }
        if is("trap") || is("ubsantrap") {
            return Err(Terminator::Abort("__builtin_trap()".to_owned()));
        }
        if is("expect")
            || is("expect.with.probability")
            || is("annotation")
            || is("ptr.annotation")
            || is("launder.invariant.group")
            || is("strip.invariant.group")
            || is("threadlocal.address")
            || is("ssa.copy")
        {
            return self.scalar_operands(call.operand(0));
        }
        if is("memcpy") || is("memmove") || is("memset") {
            return self.memory_intrinsic(call, name);
        }
        if is("va_start") {
            let list = self.single_operand(call.operand(0))?;
            self.builder.emit(Instruction::VaStart { list });
            return Ok(Vec::new());
        }
        if is("va_copy") {
            let to = self.single_operand(call.operand(0))?;
            let from = self.single_operand(call.operand(1))?;
            // The size of `va_list`: a structure of 24 bytes on x86-64, a pointer on i386.
            let size = self.address_constant(if self.program.pointer_bits == 64 { 24 } else { 4 });
            self.builder.emit(Instruction::Copy { to, from, size, overlap: false });
            return Ok(Vec::new());
        }
        if is("stacksave") {
            return Ok(vec![
                self.builder.emit_with_result(Type::Ptr, |dst| Instruction::StackSave { dst }),
            ]);
        }
        if is("stackrestore") {
            let mark = self.single_operand(call.operand(0))?;
            self.builder.emit(Instruction::StackRestore { mark });
            return Ok(Vec::new());
        }
        if is("ptrmask") {
            // The same object, so many bytes lower: an address made from a number would lose it.
            let base = self.single_operand(call.operand(0))?;
            let mask = self.single_operand(call.operand(1))?;
            let mask = self.resize_integer(mask, self.program.pointer_bits);
            let number = self.bits_of(base, Type::Ptr);
            let masked = self.emit_binary(BinaryOp::And, number, mask);
            let index = self.emit_binary(WRAPPING_SUB, masked, number);
            return Ok(vec![self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
                dst,
                base,
                index,
                scale: 1,
            })]);
        }
        if (is("is.constant") || is("objectsize")) && !self.library {
            self.program.note_assumption(COMPILE_TIME.to_owned());
        }
        if is("is.constant") {
            return Ok(vec![int_constant(1, 0)]);
        }
        if is("objectsize") {
            let smallest = call.operand(1).int_value() == Some(1);
            let Type::Int(bits) = self.scalar_types(call.ty())?[0] else {
                return Err(limit_terminator("an object size"));
            };
            return Ok(vec![int_constant(bits, if smallest { 0 } else { u128::MAX })]);
        }
        if is("get.rounding") {
            // 1: to nearest.
            return Ok(vec![int_constant(32, 1)]);
        }
        if is("readcyclecounter") || is("readsteadycounter") || is("x86.rdtsc") {
            // It goes on by itself, whatever the environment wants.
            return Ok(self.emit_unknowns(&[Type::Int(64)], "what the cycle counter shows"));
        }
        let base = name.split('.').next().unwrap_or(name);
        if let Some(results) = self.float_intrinsic(call, base)? {
            return Ok(results);
        }
        if name.contains(".with.overflow.") {
            return self.overflow_intrinsic(call, base);
        }
        self.bit_intrinsic(call, name, base)
    }

    /// A promise to the compiler (`__builtin_assume`): what happens where it is broken is undefined.
    fn require_promise(&mut self, holds: Operand) {
        let [kept, broken] = [(); 2].map(|()| self.builder.reserve_block());
        self.builder.finish(Terminator::Branch { condition: holds, then: kept, otherwise: broken });
        self.builder.start_block(broken);
        self.builder.finish(undefined_terminator("broken __builtin_assume"));
        self.builder.start_block(kept);
    }

    fn memory_intrinsic(
        &mut self,
        call: LlvmValue<'c>,
        name: &str,
    ) -> TranslationResult<Vec<Operand>> {
        let to = self.single_operand(call.operand(0))?;
        let size = self.single_operand(call.operand(2))?;
        let size = self.resize_integer(size, self.program.pointer_bits);
        if name.starts_with("memset") {
            let value = self.single_operand(call.operand(1))?;
            self.builder.emit(Instruction::Fill { to, value, size });
        } else {
            let from = self.single_operand(call.operand(1))?;
            let overlap = name.starts_with("memmove");
            self.builder.emit(Instruction::Copy { to, from, size, overlap });
        }
        Ok(Vec::new())
    }

    /// `llvm.sadd.with.overflow` and the like: the wrapped result, and whether it wrapped.
    fn overflow_intrinsic(
        &mut self,
        call: LlvmValue<'c>,
        base: &str,
    ) -> TranslationResult<Vec<Operand>> {
        let left = self.single_operand(call.operand(0))?;
        let right = self.single_operand(call.operand(1))?;
        let (result, overflow) = self.emit_overflow_check(base, left, right)?;
        Ok(vec![result, overflow])
    }

    fn emit_overflow_check(
        &mut self,
        operation: &str,
        left: Operand,
        right: Operand,
    ) -> TranslationResult<(Operand, Operand)> {
        let Type::Int(bits) = self.builder.type_of(left) else {
            return Err(limit_terminator("vector arithmetic with overflow"));
        };
        Ok(match operation {
            "uadd" => {
                let sum = self.emit_binary(WRAPPING_ADD, left, right);
                (sum, self.emit_compare(CompareOp::Ult, sum, left))
            }
            "usub" => {
                let difference = self.emit_binary(WRAPPING_SUB, left, right);
                (difference, self.emit_compare(CompareOp::Ult, left, right))
            }
            // A sum overflows when both operands have the sign that the sum has not.
            "sadd" => {
                let sum = self.emit_binary(WRAPPING_ADD, left, right);
                let a = self.emit_binary(BinaryOp::Xor, left, sum);
                let b = self.emit_binary(BinaryOp::Xor, right, sum);
                let both = self.emit_binary(BinaryOp::And, a, b);
                (sum, self.emit_compare(CompareOp::Slt, both, int_constant(bits, 0)))
            }
            // A difference overflows when the operands differ in sign and it has the wrong one.
            "ssub" => {
                let difference = self.emit_binary(WRAPPING_SUB, left, right);
                let a = self.emit_binary(BinaryOp::Xor, left, right);
                let b = self.emit_binary(BinaryOp::Xor, left, difference);
                let both = self.emit_binary(BinaryOp::And, a, b);
                (difference, self.emit_compare(CompareOp::Slt, both, int_constant(bits, 0)))
            }
            "smul" | "umul" if bits <= 64 => {
                let extend =
                    if operation == "smul" { CastOp::SignExtend } else { CastOp::ZeroExtend };
                let wide = Type::Int(2 * bits);
                let a = self.convert_scalar(extend, left, wide);
                let b = self.convert_scalar(extend, right, wide);
                let exact = self.emit_binary(BinaryOp::Mul { signed: false }, a, b);
                let product = self.convert_scalar(CastOp::Truncate, exact, Type::Int(bits));
                let back = self.convert_scalar(extend, product, wide);
                (product, self.emit_compare(CompareOp::Ne, back, exact))
            }
            _ => {
                return Err(limit_terminator(format!(
                    "the compiler intrinsic llvm.{operation}.with.overflow"
                )));
            }
        })
    }

    fn bit_intrinsic(
        &mut self,
        call: LlvmValue<'c>,
        name: &str,
        base: &str,
    ) -> TranslationResult<Vec<Operand>> {
        let unsupported = || limit_terminator(format!("the compiler intrinsic llvm.{name}"));
        let supported = matches!(
            base,
            "abs"
                | "smax"
                | "smin"
                | "umax"
                | "umin"
                | "bswap"
                | "ctpop"
                | "ctlz"
                | "cttz"
                | "fshl"
                | "fshr"
                | "sadd"
                | "uadd"
                | "ssub"
                | "usub"
        );
        if !supported {
            return Err(unsupported());
        }
        let types = self.scalar_types(call.ty())?;
        let first = self.scalar_operands(call.operand(0))?;
        let mut results = Vec::new();
        for (lane, value) in first.into_iter().enumerate() {
            let Some(Type::Int(bits)) = types.get(lane).copied() else {
                return Err(unsupported());
            };
            let argument = |body: &mut Self, index: u32| -> TranslationResult<Operand> {
                body.scalar_operands(call.operand(index))?
                    .get(lane)
                    .copied()
                    .ok_or_else(unsupported)
            };
            results.push(match base {
                "abs" => {
                    let signed = call.operand(1).int_value() == Some(1);
                    let negated =
                        self.emit_binary(BinaryOp::Sub { signed }, int_constant(bits, 0), value);
                    let negative = self.emit_compare(CompareOp::Slt, value, int_constant(bits, 0));
                    self.emit_select(negative, negated, value)
                }
                "smax" | "umax" => {
                    let other = argument(self, 1)?;
                    let less = if base == "smax" { CompareOp::Slt } else { CompareOp::Ult };
                    self.emit_maximum(less, value, other)
                }
                "smin" | "umin" => {
                    let other = argument(self, 1)?;
                    let less = if base == "smin" { CompareOp::Slt } else { CompareOp::Ult };
                    self.emit_minimum(less, value, other)
                }
                "bswap" => self.emit_unary(UnaryOp::ByteSwap, value),
                "ctpop" => self.emit_unary(UnaryOp::PopCount, value),
                "ctlz" => {
                    let count = self.emit_unary(UnaryOp::LeadingZeros, value);
                    self.count_of_zero(call, value, count, bits)
                }
                "cttz" => {
                    let count = self.emit_unary(UnaryOp::TrailingZeros, value);
                    self.count_of_zero(call, value, count, bits)
                }
                "fshl" | "fshr" => {
                    let low = argument(self, 1)?;
                    let count = argument(self, 2)?;
                    self.emit_funnel_shift(base == "fshl", value, low, count, bits)
                }
                _ => {
                    if !name.starts_with(&format!("{base}.sat.")) {
                        return Err(unsupported());
                    }
                    let other = argument(self, 1)?;
                    let (result, overflow) = self.emit_overflow_check(base, value, other)?;
                    let bound = match base {
                        "uadd" => int_constant(bits, u128::MAX),
                        "usub" => int_constant(bits, 0),
                        // The sign of the left operand says on which side it overflows.
                        _ => {
                            let negative =
                                self.emit_compare(CompareOp::Slt, value, int_constant(bits, 0));
                            let least = int_constant(bits, 1 << (bits - 1));
                            let greatest = int_constant(bits, width_mask(bits) >> 1);
                            self.emit_select(negative, least, greatest)
                        }
                    };
                    self.emit_select(overflow, bound, result)
                }
            });
        }
        Ok(results)
    }

    /// `__builtin_clz(0)` is undefined but does no harm until it is used (`ffs` computes it and
    /// throws it away), so its value is one that we do not know.
    fn count_of_zero(
        &mut self,
        call: LlvmValue<'c>,
        value: Operand,
        count: Operand,
        bits: u32,
    ) -> Operand {
        if call.operand(1).int_value() != Some(1) {
            return count;
        }
        let unknown =
            self.emit_unknowns(&[Type::Int(bits)], "the count of zeros of 0 is undefined");
        let zero = self.emit_compare(CompareOp::Eq, value, int_constant(bits, 0));
        self.emit_select(zero, unknown[0], count)
    }

    /// Shifts the double word `high:low`. Each single shift stays below the width, where the
    /// model's shifts are defined.
    fn emit_funnel_shift(
        &mut self,
        left: bool,
        high: Operand,
        low: Operand,
        count: Operand,
        bits: u32,
    ) -> Operand {
        let shl = BinaryOp::Shl { signed: false };
        let count = self.emit_binary(BinaryOp::URem, count, int_constant(bits, u128::from(bits)));
        let rest = self.emit_binary(WRAPPING_SUB, int_constant(bits, u128::from(bits) - 1), count);
        let one = int_constant(bits, 1);
        if left {
            let upper = self.emit_binary(shl, high, count);
            let lower = self.emit_binary(BinaryOp::LShr, low, one);
            let lower = self.emit_binary(BinaryOp::LShr, lower, rest);
            self.emit_binary(BinaryOp::Or, upper, lower)
        } else {
            let lower = self.emit_binary(BinaryOp::LShr, low, count);
            let upper = self.emit_binary(shl, high, one);
            let upper = self.emit_binary(shl, upper, rest);
            self.emit_binary(BinaryOp::Or, upper, lower)
        }
    }
}

/// Whether nothing comes after a call. What comes after `__builtin_trap()` is translated like any other code.
fn is_last_before_unreachable(call: LlvmValue<'_>) -> bool {
    call.next_instruction().is_some_and(|next| matches!(next.opcode(), Opcode::LLVMUnreachable))
}
