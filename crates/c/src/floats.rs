//! Intrinsics on floats.

use ouro_model::{BinaryOp, CastOp, CompareOp, FloatOp, Operand, Type, UnaryOp};

use crate::function::{FunctionTranslator, TranslationResult, limit_terminator};
use crate::llvm::LlvmValue;
use crate::values::{int_constant, width_mask};

impl<'c> FunctionTranslator<'_, 'c> {
    /// Translates `llvm.BASE` if it is about floats.
    pub(crate) fn float_intrinsic(
        &mut self,
        call: LlvmValue<'c>,
        base: &str,
    ) -> TranslationResult<Option<Vec<Operand>>> {
        let unary = match base {
            "fabs" => Some(UnaryOp::FloatAbs),
            "sqrt" => Some(UnaryOp::FloatSqrt),
            "floor" => Some(UnaryOp::FloatFloor),
            "ceil" => Some(UnaryOp::FloatCeil),
            "trunc" => Some(UnaryOp::FloatTrunc),
            "round" | "lround" | "llround" => Some(UnaryOp::FloatRound),
            // The rounding mode is to nearest: changing it is beyond the model.
            "rint" | "nearbyint" | "roundeven" | "lrint" | "llrint" => Some(UnaryOp::FloatRint),
            _ => None,
        };
        let types = self.scalar_types(call.ty())?;
        if let Some(op) = unary {
            let values = self.scalar_operands(call.operand(0))?;
            let mut results = Vec::new();
            for (value, ty) in values.into_iter().zip(types) {
                let result = self.emit_unary(op, value);
                results.push(match ty {
                    Type::Int(_) => self.convert_scalar(CastOp::FloatToSigned, result, ty),
                    _ => result,
                });
            }
            return Ok(Some(results));
        }
        // Such processors need not round the product before the sum.
        if base == "fmuladd" && ["fma", "fma4"].iter().any(|one| self.function.has_feature(one)) {
            return Ok(Some(self.emit_unknowns(&types, "a product and a sum that may be fused")));
        }
        match base {
            "copysign" | "minnum" | "maxnum" | "fmuladd" => {}
            "is" => return self.float_class(call).map(Some),
            "pow" | "powi" | "exp" | "exp2" | "exp10" | "log" | "log2" | "log10" | "sin"
            | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "ldexp"
            | "frexp" | "fma" => {
                return Ok(Some(self.emit_unknowns(&types, &format!("{base}() is not modelled"))));
            }
            _ => return Ok(None),
        }
        let left = self.scalar_operands(call.operand(0))?;
        let right = self.scalar_operands(call.operand(1))?;
        let third =
            if base == "fmuladd" { self.scalar_operands(call.operand(2))? } else { right.clone() };
        let mut results = Vec::new();
        for ((left, right), third) in left.into_iter().zip(right).zip(third) {
            results.push(match base {
                "copysign" => self.copy_sign(left, right)?,
                "fmuladd" => {
                    let product = self.emit_float(FloatOp::Mul, left, right);
                    self.emit_float(FloatOp::Add, product, third)
                }
                _ => {
                    let less = self.emit_compare(CompareOp::FloatLt, left, right);
                    let (better, other) = if base == "minnum" {
                        (self.emit_select(less, left, right), left)
                    } else {
                        (self.emit_select(less, right, left), right)
                    };
                    // Of two zeros it may be either, whatever their signs are.
                    let equal = self.emit_compare(CompareOp::FloatEq, left, right);
                    let which = "which of two zeros is the least or greatest";
                    let which = self.emit_unknowns(&[Type::Int(1)], which)[0];
                    let either = self.emit_binary(BinaryOp::And, equal, which);
                    let better = self.emit_select(either, other, better);
                    // A NaN counts as missing: the other operand is the result.
                    let missing = self.emit_compare(CompareOp::FloatUnordered, right, right);
                    let better = self.emit_select(missing, left, better);
                    let missing = self.emit_compare(CompareOp::FloatUnordered, left, left);
                    self.emit_select(missing, right, better)
                }
            });
        }
        Ok(Some(results))
    }

    fn copy_sign(&mut self, magnitude: Operand, sign: Operand) -> TranslationResult<Operand> {
        let ty = self.builder.type_of(magnitude);
        let Type::Float(bits) = ty else { return Err(limit_terminator("copysign of an integer")) };
        if self.builder.type_of(sign) != ty {
            return Err(limit_terminator("copysign of two formats"));
        }
        let top = 1 << (bits - 1);
        let magnitude = self.bits_of(magnitude, ty);
        let magnitude =
            self.emit_binary(BinaryOp::And, magnitude, int_constant(bits, width_mask(bits) & !top));
        let sign = self.bits_of(sign, ty);
        let sign = self.emit_binary(BinaryOp::And, sign, int_constant(bits, top));
        let both = self.emit_binary(BinaryOp::Or, magnitude, sign);
        Ok(self.convert_scalar(CastOp::Bits, both, ty))
    }

    /// `llvm.is.fpclass`: whether a float is of one of the classes in a mask.
    fn float_class(&mut self, call: LlvmValue<'c>) -> TranslationResult<Vec<Operand>> {
        let unsupported = || limit_terminator("the compiler intrinsic llvm.is.fpclass");
        let value = self.single_operand(call.operand(0)).map_err(|_| unsupported())?;
        let classes = call.operand(1).int_value().ok_or_else(unsupported)?;
        let ty = self.builder.type_of(value);
        let Type::Float(bits) = ty else { return Err(unsupported()) };
        let (infinity, normal) = match bits {
            32 => (0x7f80_0000, 0x0080_0000),
            64 => (0x7ff0_0000_0000_0000, 0x0010_0000_0000_0000),
            80 => (0x7fff_8000_0000_0000_0000, 0x0001_8000_0000_0000_0000),
            _ => (0x7fff << 112, 1 << 112),
        };
        let infinity = Operand::Const { ty, bits: infinity };
        let normal = Operand::Const { ty, bits: normal };
        let zero = Operand::Const { ty, bits: 0 };
        let size = self.emit_unary(UnaryOp::FloatAbs, value);
        let pattern = self.bits_of(value, ty);
        let negative = self.emit_compare(CompareOp::Slt, pattern, int_constant(bits, 0));
        let mut result = int_constant(1, 0);
        let nan = classes & 3;
        if nan == 3 {
            result = self.emit_compare(CompareOp::FloatUnordered, value, value);
        } else if nan != 0 {
            return Err(unsupported());
        }
        // Pairs of classes, negative and positive, with the bounds of their magnitude.
        for (minus, plus, kind) in [(2, 9, 0), (3, 8, 1), (4, 7, 2), (5, 6, 3)] {
            let (minus, plus) = (classes >> minus & 1 == 1, classes >> plus & 1 == 1);
            if !minus && !plus {
                continue;
            }
            let mut member = match kind {
                0 => self.emit_compare(CompareOp::FloatEq, size, infinity),
                1 => {
                    let low = self.emit_compare(CompareOp::FloatLe, normal, size);
                    let high = self.emit_compare(CompareOp::FloatLt, size, infinity);
                    self.emit_binary(BinaryOp::And, low, high)
                }
                2 => {
                    let low = self.emit_compare(CompareOp::FloatLt, zero, size);
                    let high = self.emit_compare(CompareOp::FloatLt, size, normal);
                    self.emit_binary(BinaryOp::And, low, high)
                }
                _ => self.emit_compare(CompareOp::FloatEq, size, zero),
            };
            if minus != plus {
                let sign = if minus { negative } else { self.emit_not(negative) };
                member = self.emit_binary(BinaryOp::And, member, sign);
            }
            result = self.emit_binary(BinaryOp::Or, result, member);
        }
        Ok(vec![result])
    }
}
