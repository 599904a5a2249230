//! What a block does.

use crate::{BlockId, BuiltinFunction, FunctionId, GlobalId, Span, Type, VarId};

/// An instruction with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub instruction: Instruction,
    /// Where it comes from.
    pub span: Span,
}

/// A value that an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand {
    /// A variable of the function.
    Var(VarId),
    /// A constant integer, float pattern, or (with [`Type::Ptr`]) a plain address such as null.
    Const {
        /// Its type.
        ty: Type,
        /// Its bits, unsigned; none above the type's width.
        bits: u128,
    },
    /// The address of a global, plus a byte offset.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FunctionId),
    /// The address of a block of this function, for computed `goto`.
    Label(BlockId),
}

/// One step. Operand types must match as the comments say; `wellformed` checks it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum Instruction {
    /// `dst = value`, both of one type.
    Assign { dst: VarId, value: Operand },
    /// `dst = op value`, both of one type.
    Unary { dst: VarId, op: UnaryOp, value: Operand },
    /// `dst = left op right`, integers of one width.
    Binary { dst: VarId, op: BinaryOp, left: Operand, right: Operand },
    /// `dst = left op right`, floats of one format.
    Float { dst: VarId, op: FloatOp, left: Operand, right: Operand },
    /// `dst = left op right`: two integers, two pointers or two floats; `dst` is `i1`.
    Compare { dst: VarId, op: CompareOp, left: Operand, right: Operand },
    /// `dst = (type of dst) value`.
    Cast { dst: VarId, op: CastOp, value: Operand },
    /// `dst = condition ? left : right`; the condition is `i1`.
    Select { dst: VarId, condition: Operand, left: Operand, right: Operand },
    /// `dst = base + index * scale`, bytes; the index is an integer of any width, taken as signed.
    Offset { dst: VarId, base: Operand, index: Operand, scale: i64 },
    /// `dst = *address`, as many bytes as the type of `dst` has.
    Load { dst: VarId, address: Operand },
    /// `*address = value`.
    Store { address: Operand, value: Operand },
    /// `dst =` the address of a new object of the frame, of `size` bytes, uninitialised. It ends
    /// with the call (or at `StackRestore`).
    Alloca { dst: VarId, size: Operand, align: u64, name: String },
    /// `dst =` a mark of the frame's objects, for a variable-length array's scope.
    StackSave { dst: VarId },
    /// Ends the frame's objects made since the mark.
    StackRestore { mark: Operand },
    /// Copies `size` bytes; the regions may overlap if `overlap` (else overlapping is undefined).
    Copy { to: Operand, from: Operand, size: Operand, overlap: bool },
    /// Sets `size` bytes to the low byte of `value` (`i8`).
    Fill { to: Operand, value: Operand, size: Operand },
    /// `dst =` a value that the environment of the program decides: an input.
    Choice { dst: VarId, source: ChoiceSource },
    /// `dst =` a value that we decided not to know; `why` says which simplification.
    Unknown { dst: VarId, why: String },
    /// Runs on which the condition (`i1`) is false do not exist.
    Assume { condition: Operand },
    /// Calls. The results fill `dsts`; arguments past the parameters go to a variadic callee.
    Call { dsts: Vec<VarId>, callee: Callee, args: Vec<Operand> },
    /// Fills the `va_list` at `list` with the variadic arguments of this call, laid out as the
    /// target's calling convention lays out arguments in memory.
    VaStart { list: Operand },
}

/// Where a choice comes from; the report and the reproducer speak of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChoiceSource {
    /// The result of a function without body.
    Function(String),
    /// Whether the function of this name finds no memory (`i1`).
    Allocation(String),
    /// Whether output fails (`i1`): that of the function of this name, or the one in these words.
    Output(String),
    /// Something else, in the user's words: `"uninitialised variable x"`, `"argc"`.
    Other(String),
    /// What the specification guesses (`i1`): no input of the program.
    Guess,
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function of the program.
    Function(FunctionId),
    /// Whatever function the address belongs to.
    Pointer(Operand),
    /// A primitive.
    Builtin(BuiltinFunction),
}

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnaryOp {
    /// `-x` on floats: flips the sign bit.
    FloatNeg,
    /// `fabs(x)`
    FloatAbs,
    /// `sqrt(x)`
    FloatSqrt,
    /// `x` rounded toward zero
    FloatTrunc,
    /// `x` rounded down
    FloatFloor,
    /// `x` rounded up
    FloatCeil,
    /// `x` rounded to the nearest, halves away from zero
    FloatRound,
    /// `x` rounded to the nearest, halves to even
    FloatRint,
    /// Bytes in reverse order
    ByteSwap,
    /// Number of one bits
    PopCount,
    /// Leading zeros (the width for 0)
    LeadingZeros,
    /// Trailing zeros (the width for 0)
    TrailingZeros,
}

/// Operators on integers. `signed` marks an operation whose signed overflow is undefined in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the comment of the type speaks of the field")]
pub enum BinaryOp {
    /// `+`
    Add { signed: bool },
    /// `-`
    Sub { signed: bool },
    /// `*`
    Mul { signed: bool },
    /// `<<`; a count of the width or more is undefined
    Shl { signed: bool },
    /// `>>` on unsigned
    LShr,
    /// `>>` on signed
    AShr,
    /// `/` on unsigned; by zero is undefined
    UDiv,
    /// `/` on signed; by zero is undefined, and the least value by -1
    SDiv,
    /// `%` on unsigned
    URem,
    /// `%` on signed
    SRem,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// Operators on floats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `fmod`
    Mod,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CompareOp {
    /// `==` on integers and pointers
    Eq,
    /// `!=`
    Ne,
    /// `<` unsigned, or on pointers
    Ult,
    /// `<=`
    Ule,
    /// `<` signed
    Slt,
    /// `<=`
    Sle,
    /// `==` on floats: false if either is NaN
    FloatEq,
    /// `<` on floats: false if either is NaN
    FloatLt,
    /// `<=` on floats: false if either is NaN
    FloatLe,
    /// Whether either float is NaN
    FloatUnordered,
}

/// Conversions; the types of `dst` and operand say from what to what.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CastOp {
    /// To fewer bits.
    Truncate,
    /// To more bits, with zeros.
    ZeroExtend,
    /// To more bits, with the sign.
    SignExtend,
    /// Pointer to integer of any width.
    PtrToInt,
    /// Integer of any width to pointer.
    IntToPtr,
    /// Between floats and integers of one width, same bits.
    Bits,
    /// Between float formats.
    FloatToFloat,
    /// Toward zero; out of range is undefined.
    FloatToSigned,
    /// Toward zero; out of range is undefined.
    FloatToUnsigned,
    /// Rounded to nearest.
    SignedToFloat,
    /// Rounded to nearest.
    UnsignedToFloat,
}

/// Where a block goes next.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum Terminator {
    /// To a block.
    Goto(BlockId),
    /// By a condition (`i1`).
    Branch { condition: Operand, then: BlockId, otherwise: BlockId },
    /// By an integer's value; cases are distinct.
    Switch { value: Operand, cases: Vec<(u128, BlockId)>, default: BlockId },
    /// To the label whose address this is; the possible ones are listed.
    GotoAddress { address: Operand, targets: Vec<BlockId> },
    /// Back to the caller, with the function's results.
    Return(Vec<Operand>),
    /// The program ends with this exit status (`i32`).
    Exit(Operand),
    /// The program is aborted; the reason is for the user (`"abort()"`, `"assertion failed"`).
    Abort(String),
    /// Undefined behaviour that the front end knows of (the end of a non-void function whose
    /// value is used, `__builtin_unreachable()`).
    Undefined(String),
    /// The program does something that the model does not cover (inline assembly, a thread): a run
    /// that gets here proves nothing, neither that it ends nor that it goes on.
    Limit(String),
}
