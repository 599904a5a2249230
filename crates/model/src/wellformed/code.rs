//! The rules of instructions and terminators.

use super::Checker;
use crate::{
    BlockId, Builtin, Callee, CastOp, ChoiceSource, CompareOp, Function, Instruction, Operand,
    Terminator, Type, UnaryOp, VarId,
};

const BOOL: Type = Type::Int(1);

/// What kind of type is wanted.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Int,
    Ptr,
    Float,
    Exactly(Type),
}

impl Kind {
    fn includes(self, ty: Type) -> bool {
        match self {
            Kind::Int => matches!(ty, Type::Int(_)),
            Kind::Ptr => ty == Type::Ptr,
            Kind::Float => matches!(ty, Type::Float(_)),
            Kind::Exactly(exact) => ty == exact,
        }
    }

    fn name(self) -> String {
        match self {
            Kind::Int => "an integer".to_owned(),
            Kind::Ptr => "ptr".to_owned(),
            Kind::Float => "a float".to_owned(),
            Kind::Exactly(ty) => ty.to_string(),
        }
    }
}

impl Checker<'_> {
    /// The type of an operand, unless something is wrong with it, which is then known.
    fn ty(&mut self, function: &Function, operand: Operand) -> Option<Type> {
        self.operand_exists(Some(function), operand).then(|| function.type_of(operand)).flatten()
    }

    fn dst(&mut self, function: &Function, dst: VarId) -> Option<Type> {
        self.ty(function, Operand::Var(dst))
    }

    /// The type of an operand, which must be of a kind.
    fn kind(
        &mut self,
        function: &Function,
        what: &str,
        operand: Operand,
        kind: Kind,
    ) -> Option<Type> {
        let ty = self.ty(function, operand)?;
        self.is_kind(what, ty, kind).then_some(ty)
    }

    fn is_kind(&mut self, what: &str, ty: Type, kind: Kind) -> bool {
        let fits = kind.includes(ty);
        self.require(fits, || format!("{what} is {ty}, not {}", kind.name()));
        fits
    }

    /// Several operands of one type of a kind.
    fn same(&mut self, function: &Function, kind: Option<Kind>, operands: &[Operand]) {
        let types: Vec<Type> =
            operands.iter().filter_map(|operand| self.ty(function, *operand)).collect();
        if let Some(kind) = kind
            && let Some(first) = types.first()
        {
            self.is_kind("the operand", *first, kind);
        }
        for pair in types.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            self.require(a == b, || format!("{a} and {b} are mixed"));
        }
    }

    pub(super) fn instruction(&mut self, function: &Function, instruction: &Instruction) {
        use Instruction as I;
        match instruction {
            I::Assign { dst, value } => self.same(function, None, &[Operand::Var(*dst), *value]),
            I::Unary { dst, op, value } => self.unary(function, *dst, *op, *value),
            I::Binary { dst, left, right, .. } => {
                self.same(function, Some(Kind::Int), &[Operand::Var(*dst), *left, *right]);
            }
            I::Float { dst, left, right, .. } => {
                self.same(function, Some(Kind::Float), &[Operand::Var(*dst), *left, *right]);
            }
            I::Compare { dst, op, left, right } => {
                self.kind(function, "the result", Operand::Var(*dst), Kind::Exactly(BOOL));
                self.compare(function, *op, *left, *right);
            }
            I::Cast { dst, op, value } => self.cast(function, *dst, *op, *value),
            I::Select { dst, condition, left, right } => {
                self.kind(function, "the condition", *condition, Kind::Exactly(BOOL));
                self.same(function, None, &[Operand::Var(*dst), *left, *right]);
            }
            I::Offset { dst, base, index, .. } => {
                self.same(function, Some(Kind::Ptr), &[Operand::Var(*dst), *base]);
                self.kind(function, "the index", *index, Kind::Int);
            }
            I::Load { dst, address } => {
                self.dst(function, *dst);
                self.kind(function, "the address", *address, Kind::Ptr);
            }
            I::Store { address, value } => {
                self.kind(function, "the address", *address, Kind::Ptr);
                self.ty(function, *value);
            }
            I::Alloca { dst, size, align, .. } => {
                self.kind(function, "the result", Operand::Var(*dst), Kind::Ptr);
                self.kind(function, "the size", *size, Kind::Int);
                self.align(*align);
            }
            I::StackSave { dst } => {
                self.kind(function, "the mark", Operand::Var(*dst), Kind::Ptr);
            }
            I::StackRestore { mark } => {
                self.kind(function, "the mark", *mark, Kind::Ptr);
            }
            I::Copy { to, from, size, .. } => {
                self.same(function, Some(Kind::Ptr), &[*to, *from]);
                self.kind(function, "the size", *size, Kind::Int);
            }
            I::Fill { to, value, size } => {
                self.kind(function, "the address", *to, Kind::Ptr);
                self.kind(function, "the value", *value, Kind::Exactly(Type::Int(8)));
                self.kind(function, "the size", *size, Kind::Int);
            }
            I::Choice {
                dst,
                source: ChoiceSource::Allocation(_) | ChoiceSource::Output(_) | ChoiceSource::Guess,
            } => {
                self.kind(function, "the choice", Operand::Var(*dst), Kind::Exactly(BOOL));
            }
            I::Choice { dst, .. } | I::Unknown { dst, .. } => {
                self.dst(function, *dst);
            }
            I::Assume { condition } => {
                self.kind(function, "the condition", *condition, Kind::Exactly(BOOL));
            }
            I::Call { dsts, callee, args } => self.call(function, dsts, *callee, args),
            I::VaStart { list } => {
                self.kind(function, "the list", *list, Kind::Ptr);
                self.require(function.variadic, || "the function is not variadic".to_owned());
            }
        }
    }

    fn unary(&mut self, function: &Function, dst: VarId, op: UnaryOp, value: Operand) {
        let kind = match op {
            UnaryOp::FloatNeg
            | UnaryOp::FloatAbs
            | UnaryOp::FloatSqrt
            | UnaryOp::FloatTrunc
            | UnaryOp::FloatFloor
            | UnaryOp::FloatCeil
            | UnaryOp::FloatRound
            | UnaryOp::FloatRint => Kind::Float,
            UnaryOp::ByteSwap
            | UnaryOp::PopCount
            | UnaryOp::LeadingZeros
            | UnaryOp::TrailingZeros => Kind::Int,
        };
        self.same(function, Some(kind), &[Operand::Var(dst), value]);
        if op == UnaryOp::ByteSwap
            && let Some(Type::Int(bits)) = function.type_of(value)
        {
            self.require(bits % 8 == 0, || format!("i{bits} has no whole bytes to swap"));
        }
    }

    fn compare(&mut self, function: &Function, op: CompareOp, left: Operand, right: Operand) {
        let kind = match op {
            CompareOp::Slt | CompareOp::Sle => Some(Kind::Int),
            CompareOp::FloatEq
            | CompareOp::FloatLt
            | CompareOp::FloatLe
            | CompareOp::FloatUnordered => Some(Kind::Float),
            CompareOp::Eq | CompareOp::Ne | CompareOp::Ult | CompareOp::Ule => {
                if let Some(Type::Float(_)) = function.type_of(left) {
                    self.violation("floats are compared as integers");
                }
                None
            }
        };
        self.same(function, kind, &[left, right]);
    }

    fn cast(&mut self, function: &Function, dst: VarId, op: CastOp, value: Operand) {
        let (Some(to), Some(from)) = (self.dst(function, dst), self.ty(function, value)) else {
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
        self.require(fits, || format!("{op:?} does not go from {from} to {to}"));
    }

    fn call(&mut self, function: &Function, dsts: &[VarId], callee: Callee, args: &[Operand]) {
        let arg_types: Vec<Option<Type>> = args.iter().map(|arg| self.ty(function, *arg)).collect();
        let dst_types: Vec<Option<Type>> =
            dsts.iter().map(|dst| self.dst(function, *dst)).collect();
        for (index, dst) in dsts.iter().enumerate() {
            let distinct = !dsts[..index].contains(dst);
            self.require(distinct, || format!("{dst} is filled twice"));
        }
        match callee {
            Callee::Pointer(pointer) => {
                self.kind(function, "what is called", pointer, Kind::Ptr);
            }
            Callee::Builtin(builtin) => {
                let (params, result) = signature(builtin);
                self.arguments(&params, &arg_types, false);
                let results: &[Kind] = if dsts.is_empty() { &[] } else { result.as_slice() };
                self.results(results, &dst_types);
                self.number(builtin, args);
            }
            Callee::Function(id) => {
                if !self.operand_exists(Some(function), Operand::Function(id)) {
                    return;
                }
                let called = &self.program.functions[id];
                let params: Vec<Kind> = called
                    .params
                    .iter()
                    .filter_map(|param| called.vars.get(*param))
                    .map(|var| Kind::Exactly(var.ty))
                    .collect();
                let results: Vec<Kind> =
                    called.returns.iter().copied().map(Kind::Exactly).collect();
                self.arguments(&params, &arg_types, true);
                self.results(&results, &dst_types);
            }
        }
    }

    /// What an event or a violation is the number of.
    fn number(&mut self, builtin: Builtin, args: &[Operand]) {
        let (what, count) = match builtin {
            Builtin::Event => ("event", self.program.events.len()),
            Builtin::Violation => ("obligation", self.program.obligations.len()),
            _ => return,
        };
        match args.first() {
            Some(Operand::Const { bits, .. }) => self.require(*bits < count as u128, || {
                format!("there is no {what} {bits} among {count}")
            }),
            _ => self.violation(format!("the number of the {what} is no constant")),
        }
    }

    fn arguments(&mut self, params: &[Kind], args: &[Option<Type>], more: bool) {
        let enough = if more { args.len() >= params.len() } else { args.len() == params.len() };
        let (wanted, given) = (params.len(), args.len());
        self.require(enough, || format!("{given} arguments are passed for {wanted} parameters"));
        for (index, (param, arg)) in params.iter().zip(args).enumerate() {
            if let Some(ty) = arg {
                self.is_kind(&format!("argument {index}"), *ty, *param);
            }
        }
    }

    fn results(&mut self, results: &[Kind], dsts: &[Option<Type>]) {
        let (wanted, given) = (results.len(), dsts.len());
        self.require(wanted == given, || format!("{given} variables take {wanted} results"));
        for (index, (result, dst)) in results.iter().zip(dsts).enumerate() {
            if let Some(ty) = dst {
                self.is_kind(&format!("the variable of result {index}"), *ty, *result);
            }
        }
    }

    pub(super) fn terminator(&mut self, function: &Function, terminator: &Terminator) {
        terminator.each_successor(|to: BlockId| {
            let exists = function.blocks.get(to).is_some();
            self.require(exists, || format!("there is no {to}"));
        });
        match terminator {
            Terminator::Branch { condition, .. } => {
                self.kind(function, "the condition", *condition, Kind::Exactly(BOOL));
            }
            Terminator::Switch { value, cases, .. } => {
                let ty = self.kind(function, "the value", *value, Kind::Int);
                if let Some(Type::Int(bits)) = ty {
                    for (case, _) in cases {
                        let fits = case & !ouro_term::mask(bits) == 0;
                        self.require(fits, || format!("the case {case} does not fit i{bits}"));
                    }
                }
                let mut sorted: Vec<u128> = cases.iter().map(|(case, _)| *case).collect();
                sorted.sort();
                for pair in sorted.windows(2) {
                    self.require(pair[0] != pair[1], || {
                        format!("the case {} comes twice", pair[0])
                    });
                }
            }
            Terminator::GotoAddress { address, .. } => {
                self.kind(function, "the address", *address, Kind::Ptr);
            }
            Terminator::Return(values) => {
                let types: Vec<Option<Type>> =
                    values.iter().map(|value| self.ty(function, *value)).collect();
                let (wanted, given) = (function.returns.len(), values.len());
                self.require(wanted == given, || format!("{given} values for {wanted} results"));
                for (index, (wanted, given)) in function.returns.iter().zip(types).enumerate() {
                    if let Some(ty) = given {
                        self.is_kind(&format!("result {index}"), ty, Kind::Exactly(*wanted));
                    }
                }
            }
            Terminator::Exit(status) => {
                self.kind(function, "the exit status", *status, Kind::Exactly(Type::Int(32)));
            }
            Terminator::Goto(_)
            | Terminator::Abort(_)
            | Terminator::Undefined(_)
            | Terminator::Limit(_) => {}
        }
    }
}

/// Parameters and result of a builtin, as its comment has them.
fn signature(builtin: Builtin) -> (Vec<Kind>, Option<Kind>) {
    let int = Kind::Exactly(Type::Int(32));
    match builtin {
        Builtin::Allocate => (vec![Kind::Int], Some(Kind::Ptr)),
        Builtin::Free => (vec![Kind::Ptr], None),
        Builtin::ObjectSize => (vec![Kind::Ptr], Some(Kind::Int)),
        Builtin::Print => (vec![int, Kind::Ptr, Kind::Ptr], Some(int)),
        Builtin::Format => (vec![Kind::Ptr, Kind::Int, Kind::Ptr, Kind::Ptr], Some(int)),
        Builtin::Write => (vec![int, Kind::Ptr, Kind::Int], None),
        Builtin::Event | Builtin::Violation => (vec![int], None),
    }
}
