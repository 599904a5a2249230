//! The rules of instructions and terminators.

use super::WellformednessChecker;
use crate::{
    BlockId, BuiltinFunction, Callee, CastOp, ChoiceSource, CompareOp, Function, Instruction,
    Operand, Terminator, Type, UnaryOp, VarId,
};

const BOOL: Type = Type::Int(1);

/// What kind of type is wanted.
#[derive(Clone, Copy, Debug)]
enum OperandClass {
    Int,
    Ptr,
    Float,
    Exactly(Type),
}

impl OperandClass {
    fn includes_type(self, ty: Type) -> bool {
        match self {
            OperandClass::Int => matches!(ty, Type::Int(_)),
            OperandClass::Ptr => ty == Type::Ptr,
            OperandClass::Float => matches!(ty, Type::Float(_)),
            OperandClass::Exactly(exact) => ty == exact,
        }
    }

    fn name(self) -> String {
        match self {
            OperandClass::Int => "an integer".to_owned(),
            OperandClass::Ptr => "ptr".to_owned(),
            OperandClass::Float => "a float".to_owned(),
            OperandClass::Exactly(ty) => ty.to_string(),
        }
    }
}

impl WellformednessChecker<'_> {
    /// The type of an operand, unless something is wrong with it, which is then known.
    fn existing_operand_type(&mut self, function: &Function, operand: Operand) -> Option<Type> {
        self.operand_exists(Some(function), operand).then(|| function.type_of(operand)).flatten()
    }

    fn destination_type(&mut self, function: &Function, dst: VarId) -> Option<Type> {
        self.existing_operand_type(function, Operand::Var(dst))
    }

    /// The type of an operand, which must be of a kind.
    fn check_operand_class(
        &mut self,
        function: &Function,
        what: &str,
        operand: Operand,
        kind: OperandClass,
    ) -> Option<Type> {
        let ty = self.existing_operand_type(function, operand)?;
        self.check_type_class(what, ty, kind).then_some(ty)
    }

    fn check_type_class(&mut self, what: &str, ty: Type, kind: OperandClass) -> bool {
        let fits = kind.includes_type(ty);
        self.require_rule(fits, || format!("{what} is {ty}, not {}", kind.name()));
        fits
    }

    /// Several operands of one type of a kind.
    fn check_same_type(
        &mut self,
        function: &Function,
        kind: Option<OperandClass>,
        operands: &[Operand],
    ) {
        let types: Vec<Type> = operands
            .iter()
            .filter_map(|operand| self.existing_operand_type(function, *operand))
            .collect();
        if let Some(kind) = kind
            && let Some(first) = types.first()
        {
            self.check_type_class("the operand", *first, kind);
        }
        for pair in types.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            self.require_rule(a == b, || format!("{a} and {b} are mixed"));
        }
    }

    pub(super) fn check_instruction(&mut self, function: &Function, instruction: &Instruction) {
        use Instruction as I;
        match instruction {
            I::Assign { dst, value } => {
                self.check_same_type(function, None, &[Operand::Var(*dst), *value]);
            }
            I::Unary { dst, op, value } => self.check_unary(function, *dst, *op, *value),
            I::Binary { dst, left, right, .. } => {
                self.check_same_type(
                    function,
                    Some(OperandClass::Int),
                    &[Operand::Var(*dst), *left, *right],
                );
            }
            I::Float { dst, left, right, .. } => {
                self.check_same_type(
                    function,
                    Some(OperandClass::Float),
                    &[Operand::Var(*dst), *left, *right],
                );
            }
            I::Compare { dst, op, left, right } => {
                self.check_operand_class(
                    function,
                    "the result",
                    Operand::Var(*dst),
                    OperandClass::Exactly(BOOL),
                );
                self.check_compare(function, *op, *left, *right);
            }
            I::Cast { dst, op, value } => self.check_cast(function, *dst, *op, *value),
            I::Select { dst, condition, left, right } => {
                self.check_operand_class(
                    function,
                    "the condition",
                    *condition,
                    OperandClass::Exactly(BOOL),
                );
                self.check_same_type(function, None, &[Operand::Var(*dst), *left, *right]);
            }
            I::Offset { dst, base, index, .. } => {
                self.check_same_type(
                    function,
                    Some(OperandClass::Ptr),
                    &[Operand::Var(*dst), *base],
                );
                self.check_operand_class(function, "the index", *index, OperandClass::Int);
            }
            I::Load { dst, address } => {
                self.destination_type(function, *dst);
                self.check_operand_class(function, "the address", *address, OperandClass::Ptr);
            }
            I::Store { address, value } => {
                self.check_operand_class(function, "the address", *address, OperandClass::Ptr);
                self.existing_operand_type(function, *value);
            }
            I::Alloca { dst, size, align, .. } => {
                self.check_operand_class(
                    function,
                    "the result",
                    Operand::Var(*dst),
                    OperandClass::Ptr,
                );
                self.check_operand_class(function, "the size", *size, OperandClass::Int);
                self.check_alignment(*align);
            }
            I::StackSave { dst } => {
                self.check_operand_class(
                    function,
                    "the mark",
                    Operand::Var(*dst),
                    OperandClass::Ptr,
                );
            }
            I::StackRestore { mark } => {
                self.check_operand_class(function, "the mark", *mark, OperandClass::Ptr);
            }
            I::Copy { to, from, size, .. } => {
                self.check_same_type(function, Some(OperandClass::Ptr), &[*to, *from]);
                self.check_operand_class(function, "the size", *size, OperandClass::Int);
            }
            I::Fill { to, value, size } => {
                self.check_operand_class(function, "the address", *to, OperandClass::Ptr);
                self.check_operand_class(
                    function,
                    "the value",
                    *value,
                    OperandClass::Exactly(Type::Int(8)),
                );
                self.check_operand_class(function, "the size", *size, OperandClass::Int);
            }
            I::Choice {
                dst,
                source: ChoiceSource::Allocation(_) | ChoiceSource::Output(_) | ChoiceSource::Guess,
            } => {
                self.check_operand_class(
                    function,
                    "the choice",
                    Operand::Var(*dst),
                    OperandClass::Exactly(BOOL),
                );
            }
            I::Choice { dst, .. } | I::Unknown { dst, .. } => {
                self.destination_type(function, *dst);
            }
            I::Assume { condition } => {
                self.check_operand_class(
                    function,
                    "the condition",
                    *condition,
                    OperandClass::Exactly(BOOL),
                );
            }
            I::Call { dsts, callee, args } => self.check_call(function, dsts, *callee, args),
            I::VaStart { list } => {
                self.check_operand_class(function, "the list", *list, OperandClass::Ptr);
                self.require_rule(function.variadic, || "the function is not variadic".to_owned());
            }
        }
    }

    fn check_unary(&mut self, function: &Function, dst: VarId, op: UnaryOp, value: Operand) {
        let kind = match op {
            UnaryOp::FloatNeg
            | UnaryOp::FloatAbs
            | UnaryOp::FloatSqrt
            | UnaryOp::FloatTrunc
            | UnaryOp::FloatFloor
            | UnaryOp::FloatCeil
            | UnaryOp::FloatRound
            | UnaryOp::FloatRint => OperandClass::Float,
            UnaryOp::ByteSwap
            | UnaryOp::PopCount
            | UnaryOp::LeadingZeros
            | UnaryOp::TrailingZeros => OperandClass::Int,
        };
        self.check_same_type(function, Some(kind), &[Operand::Var(dst), value]);
        if op == UnaryOp::ByteSwap
            && let Some(Type::Int(bits)) = function.type_of(value)
        {
            self.require_rule(bits % 8 == 0, || format!("i{bits} has no whole bytes to swap"));
        }
    }

    fn check_compare(&mut self, function: &Function, op: CompareOp, left: Operand, right: Operand) {
        let kind = match op {
            CompareOp::Slt | CompareOp::Sle => Some(OperandClass::Int),
            CompareOp::FloatEq
            | CompareOp::FloatLt
            | CompareOp::FloatLe
            | CompareOp::FloatUnordered => Some(OperandClass::Float),
            CompareOp::Eq | CompareOp::Ne | CompareOp::Ult | CompareOp::Ule => {
                if let Some(Type::Float(_)) = function.type_of(left) {
                    self.note_violation("floats are compared as integers");
                }
                None
            }
        };
        self.check_same_type(function, kind, &[left, right]);
    }

    fn check_cast(&mut self, function: &Function, dst: VarId, op: CastOp, value: Operand) {
        let (Some(to), Some(from)) =
            (self.destination_type(function, dst), self.existing_operand_type(function, value))
        else {
            return;
        };
        let fits = match (op, from, to) {
            (CastOp::Truncate, Type::Int(from), Type::Int(to)) => to < from,
            (CastOp::ZeroExtend | CastOp::SignExtend, Type::Int(from), Type::Int(to)) => to > from,
            (CastOp::Bits, Type::Float(from), Type::Int(to))
            | (CastOp::Bits, Type::Int(from), Type::Float(to)) => to == from,
            (CastOp::PtrToInt, Type::Ptr, Type::Int(_))
            | (CastOp::IntToPtr, Type::Int(_), Type::Ptr)
            | (CastOp::FloatToFloat, Type::Float(_), Type::Float(_))
            | (CastOp::FloatToSigned | CastOp::FloatToUnsigned, Type::Float(_), Type::Int(_))
            | (CastOp::SignedToFloat | CastOp::UnsignedToFloat, Type::Int(_), Type::Float(_)) => {
                true
            }
            _ => false,
        };
        self.require_rule(fits, || format!("{op:?} does not go from {from} to {to}"));
    }

    fn check_call(
        &mut self,
        function: &Function,
        dsts: &[VarId],
        callee: Callee,
        args: &[Operand],
    ) {
        let arg_types: Vec<Option<Type>> =
            args.iter().map(|arg| self.existing_operand_type(function, *arg)).collect();
        let dst_types: Vec<Option<Type>> =
            dsts.iter().map(|dst| self.destination_type(function, *dst)).collect();
        for (index, dst) in dsts.iter().enumerate() {
            let distinct = !dsts[..index].contains(dst);
            self.require_rule(distinct, || format!("{dst} is filled twice"));
        }
        match callee {
            Callee::Pointer(pointer) => {
                self.check_operand_class(function, "what is called", pointer, OperandClass::Ptr);
            }
            Callee::Builtin(builtin) => {
                let (params, result) = builtin_signature(builtin);
                self.check_arguments(&params, &arg_types, false);
                let results: &[OperandClass] =
                    if dsts.is_empty() { &[] } else { result.as_slice() };
                self.check_results(results, &dst_types);
                self.check_builtin_number(builtin, args);
            }
            Callee::Function(id) => {
                if !self.operand_exists(Some(function), Operand::Function(id)) {
                    return;
                }
                let called = &self.program.functions[id];
                let params: Vec<OperandClass> = called
                    .params
                    .iter()
                    .filter_map(|param| called.vars.get(*param))
                    .map(|var| OperandClass::Exactly(var.ty))
                    .collect();
                let results: Vec<OperandClass> =
                    called.returns.iter().copied().map(OperandClass::Exactly).collect();
                self.check_arguments(&params, &arg_types, true);
                self.check_results(&results, &dst_types);
            }
        }
    }

    /// What an event or a violation is the number of.
    fn check_builtin_number(&mut self, builtin: BuiltinFunction, args: &[Operand]) {
        let (what, count) = match builtin {
            BuiltinFunction::Event => ("event", self.program.events.len()),
            BuiltinFunction::Violation => ("obligation", self.program.obligations.len()),
            _ => return,
        };
        match args.first() {
            Some(Operand::Const { bits, .. }) => self.require_rule(*bits < count as u128, || {
                format!("there is no {what} {bits} among {count}")
            }),
            _ => self.note_violation(format!("the number of the {what} is no constant")),
        }
    }

    fn check_arguments(&mut self, params: &[OperandClass], args: &[Option<Type>], more: bool) {
        let enough = if more { args.len() >= params.len() } else { args.len() == params.len() };
        let (wanted, given) = (params.len(), args.len());
        self.require_rule(enough, || {
            format!("{given} arguments are passed for {wanted} parameters")
        });
        for (index, (param, arg)) in params.iter().zip(args).enumerate() {
            if let Some(ty) = arg {
                self.check_type_class(&format!("argument {index}"), *ty, *param);
            }
        }
    }

    fn check_results(&mut self, results: &[OperandClass], dsts: &[Option<Type>]) {
        let (wanted, given) = (results.len(), dsts.len());
        self.require_rule(wanted == given, || format!("{given} variables take {wanted} results"));
        for (index, (result, dst)) in results.iter().zip(dsts).enumerate() {
            if let Some(ty) = dst {
                self.check_type_class(&format!("the variable of result {index}"), *ty, *result);
            }
        }
    }

    pub(super) fn check_terminator(&mut self, function: &Function, terminator: &Terminator) {
        terminator.each_successor(|to: BlockId| {
            let exists = function.blocks.get(to).is_some();
            self.require_rule(exists, || format!("there is no {to}"));
        });
        match terminator {
            Terminator::Branch { condition, .. } => {
                self.check_operand_class(
                    function,
                    "the condition",
                    *condition,
                    OperandClass::Exactly(BOOL),
                );
            }
            Terminator::Switch { value, cases, .. } => {
                let ty = self.check_operand_class(function, "the value", *value, OperandClass::Int);
                if let Some(Type::Int(bits)) = ty {
                    for (case, _) in cases {
                        let fits = case & !ouro_term::width_mask(bits) == 0;
                        self.require_rule(fits, || format!("the case {case} does not fit i{bits}"));
                    }
                }
                let mut sorted: Vec<u128> = cases.iter().map(|(case, _)| *case).collect();
                sorted.sort();
                for pair in sorted.windows(2) {
                    self.require_rule(pair[0] != pair[1], || {
                        format!("the case {} comes twice", pair[0])
                    });
                }
            }
            Terminator::GotoAddress { address, .. } => {
                self.check_operand_class(function, "the address", *address, OperandClass::Ptr);
            }
            Terminator::Return(values) => {
                let types: Vec<Option<Type>> = values
                    .iter()
                    .map(|value| self.existing_operand_type(function, *value))
                    .collect();
                let (wanted, given) = (function.returns.len(), values.len());
                self.require_rule(wanted == given, || {
                    format!("{given} values for {wanted} results")
                });
                for (index, (wanted, given)) in function.returns.iter().zip(types).enumerate() {
                    if let Some(ty) = given {
                        self.check_type_class(
                            &format!("result {index}"),
                            ty,
                            OperandClass::Exactly(*wanted),
                        );
                    }
                }
            }
            Terminator::Exit(status) => {
                self.check_operand_class(
                    function,
                    "the exit status",
                    *status,
                    OperandClass::Exactly(Type::Int(32)),
                );
            }
            Terminator::Goto(_)
            | Terminator::Abort(_)
            | Terminator::Undefined(_)
            | Terminator::Limit(_) => {}
        }
    }
}

/// Parameters and result of a builtin, as its comment has them.
fn builtin_signature(builtin: BuiltinFunction) -> (Vec<OperandClass>, Option<OperandClass>) {
    let int = OperandClass::Exactly(Type::Int(32));
    match builtin {
        BuiltinFunction::Allocate => (vec![OperandClass::Int], Some(OperandClass::Ptr)),
        BuiltinFunction::Free => (vec![OperandClass::Ptr], None),
        BuiltinFunction::ObjectSize => (vec![OperandClass::Ptr], Some(OperandClass::Int)),
        BuiltinFunction::Apart => {
            (vec![OperandClass::Ptr, OperandClass::Int, OperandClass::Ptr, OperandClass::Int], None)
        }
        BuiltinFunction::Print => (vec![int, OperandClass::Ptr, OperandClass::Ptr], Some(int)),
        BuiltinFunction::Format => (
            vec![OperandClass::Ptr, OperandClass::Int, OperandClass::Ptr, OperandClass::Ptr],
            Some(int),
        ),
        BuiltinFunction::Write => (vec![int, OperandClass::Ptr, OperandClass::Int], None),
        BuiltinFunction::Event | BuiltinFunction::Violation => (vec![int], None),
    }
}
