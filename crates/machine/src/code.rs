//! Compiled code: the instructions of a function in one vector, operands resolved to registers or
//! to constants, blocks to positions. Position by position it does what the model says; only the
//! looking-up is gone.
//!
//! Each position is one step, and steps are counted: certificates refer to them. An instruction that
//! does the work of two counts as two.

use std::rc::Rc;

use ouro_model::flow::Flow;
use ouro_model::{
    BinaryOp, BlockId, Builtin, CastOp, ChoiceSource, CompareOp, FloatOp, FunctionId, Span, Type,
    UnaryOp,
};

use crate::Value;

/// An operand: a register if not negative, else a constant at `!index`.
pub(crate) type Reg = i32;

/// One instruction. Rare ones are behind a box, so that all are small.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Move {
        dst: u32,
        value: Reg,
    },
    Unary {
        dst: u32,
        op: UnaryOp,
        value: Reg,
        width: u32,
    },
    Binary {
        dst: u32,
        op: BinaryOp,
        left: Reg,
        right: Reg,
        width: u32,
    },
    Float {
        dst: u32,
        op: FloatOp,
        left: Reg,
        right: Reg,
        width: u32,
    },
    Compare {
        dst: u32,
        op: CompareOp,
        left: Reg,
        right: Reg,
        width: u32,
    },
    Cast {
        dst: u32,
        op: CastOp,
        value: Reg,
        from: u32,
        to: u32,
    },
    /// `Compare`, where the next instruction branches by its result. That branch is still there,
    /// for who stops between the two.
    CompareBranch {
        dst: u32,
        op: CompareOp,
        left: Reg,
        right: Reg,
        width: u32,
        then: u32,
        otherwise: u32,
    },
    Select {
        dst: u32,
        condition: Reg,
        left: Reg,
        right: Reg,
        width: u32,
        /// Whether the type is one of integers.
        number: bool,
    },
    Offset {
        dst: u32,
        base: Reg,
        index: Reg,
        scale: i64,
        index_width: u32,
    },
    Load {
        dst: u32,
        address: Reg,
        ty: Type,
        /// How many bytes the value fills; 0 if it does not fill whole ones, or more than eight.
        bytes: u8,
    },
    Store {
        address: Reg,
        value: Reg,
        bits: u32,
        /// As for `Load`.
        bytes: u8,
    },
    Alloca(Box<Alloca>),
    StackSave {
        dst: u32,
    },
    StackRestore {
        mark: Reg,
    },
    Copy {
        to: Reg,
        from: Reg,
        size: Reg,
        overlap: bool,
    },
    Fill {
        to: Reg,
        value: Reg,
        size: Reg,
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
        condition: Reg,
    },
    Call(Box<Call>),
    CallPointer {
        pointer: Reg,
        call: Box<Call>,
    },
    CallBuiltin(Box<BuiltinCall>),
    VaStart {
        list: Reg,
    },
    Jump(u32),
    /// `Jump` to a `Mark` that nobody wants to know of.
    JumpPastMark(u32),
    Branch {
        condition: Reg,
        then: u32,
        otherwise: u32,
    },
    Switch(Box<Switch>),
    GotoAddress {
        address: Reg,
    },
    Return(Box<[Reg]>),
    Exit(Reg),
    Abort(Rc<str>),
    Undefined(Rc<str>),
    Limit(Rc<str>),
    /// The start of a loop's head, or of a function that may call itself.
    Mark,
}

/// A new object of the frame.
#[derive(Clone, Debug)]
pub(crate) struct Alloca {
    pub(crate) dst: u32,
    pub(crate) size: Reg,
    pub(crate) align: u64,
    pub(crate) name: Rc<str>,
}

/// A call of a primitive.
#[derive(Clone, Debug)]
pub(crate) struct BuiltinCall {
    pub(crate) builtin: Builtin,
    pub(crate) dst: Option<u32>,
    pub(crate) args: Box<[Reg]>,
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: FunctionId,
    pub(crate) dsts: Box<[u32]>,
    pub(crate) args: Box<[(Reg, Type)]>,
}

/// A switch; cases ascend.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    pub(crate) value: Reg,
    pub(crate) width: u32,
    pub(crate) cases: Vec<(u128, u32)>,
    pub(crate) default: u32,
}

/// A compiled function.
#[derive(Clone, Debug)]
pub(crate) struct CompiledFunction {
    pub(crate) code: Vec<Code>,
    /// Source place, block and statement index of each position.
    pub(crate) places: Vec<(Span, BlockId, u32)>,
    pub(crate) constants: Vec<Value>,
    /// What each register starts as.
    pub(crate) registers: Vec<Value>,
    pub(crate) types: Vec<Type>,
    pub(crate) names: Vec<Rc<ChoiceSource>>,
    pub(crate) params: Vec<u32>,
    pub(crate) returns: Vec<Type>,
    /// The position of each block.
    pub(crate) blocks: Vec<u32>,
    /// Which variables are live where.
    pub(crate) flow: Flow,
    /// Whether it is code of a specification: a run that does something undefined there is not covered.
    pub(crate) specification: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_small() {
        assert!(size_of::<Code>() <= 32);
    }
}
