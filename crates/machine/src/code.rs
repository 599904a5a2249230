//! Compiled code: the instructions of a function in one vector, operands resolved to registers or
//! to constants, blocks to positions. Position by position it does what the model says; only the
//! looking-up is gone.
//!
//! Each position is one step, and steps are counted: certificates refer to them. An instruction that
//! does the work of two counts as two.

use std::rc::Rc;

use ouro_model::flow::FunctionFlow;
use ouro_model::{
    BinaryOp, BlockId, BuiltinFunction, CastOp, ChoiceSource, CompareOp, FloatOp, FunctionId, Span,
    Type, UnaryOp,
};

use crate::MachineValue;

/// An operand: a register if not negative, else a constant at `!index`.
pub(crate) type OperandRegister = i32;

/// One instruction. Rare ones are behind a box, so that all are small.
#[derive(Clone, Debug)]
pub(crate) enum CompiledInstruction {
    Move {
        dst: u32,
        value: OperandRegister,
    },
    Unary {
        dst: u32,
        op: UnaryOp,
        value: OperandRegister,
        width: u32,
    },
    Binary {
        dst: u32,
        op: BinaryOp,
        left: OperandRegister,
        right: OperandRegister,
        width: u32,
    },
    Float {
        dst: u32,
        op: FloatOp,
        left: OperandRegister,
        right: OperandRegister,
        width: u32,
    },
    Compare {
        dst: u32,
        op: CompareOp,
        left: OperandRegister,
        right: OperandRegister,
        width: u32,
    },
    Cast {
        dst: u32,
        op: CastOp,
        value: OperandRegister,
        from: u32,
        to: u32,
    },
    /// `Compare`, where the next instruction branches by its result. That branch is still there,
    /// for who stops between the two.
    CompareBranch {
        dst: u32,
        op: CompareOp,
        left: OperandRegister,
        right: OperandRegister,
        width: u32,
        then: u32,
        otherwise: u32,
    },
    Select {
        dst: u32,
        condition: OperandRegister,
        left: OperandRegister,
        right: OperandRegister,
        width: u32,
        /// Whether the type is one of integers.
        number: bool,
    },
    Offset {
        dst: u32,
        base: OperandRegister,
        index: OperandRegister,
        scale: i64,
        index_width: u32,
    },
    Load {
        dst: u32,
        address: OperandRegister,
        ty: Type,
        /// How many bytes the value fills; 0 if it does not fill whole ones, or more than eight.
        bytes: u8,
    },
    Store {
        address: OperandRegister,
        value: OperandRegister,
        bits: u32,
        /// As for `Load`.
        bytes: u8,
    },
    Alloca(Box<StackAllocation>),
    StackSave {
        dst: u32,
    },
    StackRestore {
        mark: OperandRegister,
    },
    Copy {
        to: OperandRegister,
        from: OperandRegister,
        size: OperandRegister,
        overlap: bool,
    },
    Fill {
        to: OperandRegister,
        value: OperandRegister,
        size: OperandRegister,
    },
    Choice {
        dst: u32,
        ty: Type,
        source: Rc<ChoiceSource>,
    },
    Unknown {
        dst: u32,
        ty: Type,
        why: Rc<str>,
    },
    Assume {
        condition: OperandRegister,
    },
    Call(Box<CompiledCall>),
    CallPointer {
        pointer: OperandRegister,
        call: Box<CompiledCall>,
    },
    CallBuiltin(Box<BuiltinCall>),
    VaStart {
        list: OperandRegister,
    },
    Jump(u32),
    /// `Jump` to a `Mark` that nobody wants to know of.
    JumpPastMark(u32),
    Branch {
        condition: OperandRegister,
        then: u32,
        otherwise: u32,
    },
    Switch(Box<CompiledSwitch>),
    GotoAddress {
        address: OperandRegister,
    },
    Return(Box<[OperandRegister]>),
    Exit(OperandRegister),
    Abort(Rc<str>),
    Undefined(Rc<str>),
    Limit(Rc<str>),
    /// The start of a loop's head, or of a function that may call itself.
    Mark,
}

/// A new object of the frame.
#[derive(Clone, Debug)]
pub(crate) struct StackAllocation {
    pub(crate) dst: u32,
    pub(crate) size: OperandRegister,
    pub(crate) align: u64,
    pub(crate) name: Rc<str>,
}

/// A call of a primitive.
#[derive(Clone, Debug)]
pub(crate) struct BuiltinCall {
    pub(crate) builtin: BuiltinFunction,
    pub(crate) dst: Option<u32>,
    pub(crate) args: Box<[OperandRegister]>,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct CompiledCall {
    pub(crate) function: FunctionId,
    pub(crate) dsts: Box<[u32]>,
    pub(crate) args: Box<[(OperandRegister, Type)]>,
}

/// A switch; cases ascend.
#[derive(Clone, Debug)]
pub(crate) struct CompiledSwitch {
    pub(crate) value: OperandRegister,
    pub(crate) width: u32,
    pub(crate) cases: Vec<(u128, u32)>,
    pub(crate) default: u32,
}

/// A compiled function.
#[derive(Clone, Debug)]
pub(crate) struct CompiledFunction {
    pub(crate) code: Vec<CompiledInstruction>,
    /// Source place, block and statement index of each position.
    pub(crate) places: Vec<(Span, BlockId, u32)>,
    pub(crate) constants: Vec<MachineValue>,
    /// What each register starts as.
    pub(crate) registers: Vec<MachineValue>,
    pub(crate) types: Vec<Type>,
    pub(crate) names: Vec<Rc<ChoiceSource>>,
    pub(crate) params: Vec<u32>,
    pub(crate) returns: Vec<Type>,
    /// The position of each block.
    pub(crate) blocks: Vec<u32>,
    /// Which variables are live where.
    pub(crate) flow: FunctionFlow,
    /// Whether it is code of a specification: a run that does something undefined there is not covered.
    pub(crate) specification: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_small() {
        assert!(size_of::<CompiledInstruction>() <= 32);
    }
}
