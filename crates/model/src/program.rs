//! Functions, blocks, globals, sources.

use std::collections::BTreeSet;

use crate::{
    BlockId, CompassionPair, FairnessEvent, FunctionId, GlobalId, IdVec, MonitorObligation,
    ProgramQuestion, Span, Statement, Terminator, Type, VarId, monitor,
};

/// A whole program, closed: every function it can call is here or is a builtin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Sizes of the machine it was compiled for.
    pub target: TargetLayout,
    /// Source files, as the user named them. Spans index them.
    pub files: Vec<String>,
    /// Objects that live as long as the program, in order of declaration.
    pub globals: IdVec<GlobalId, GlobalObject>,
    /// All functions.
    pub functions: IdVec<FunctionId, Function>,
    /// Where a run starts. It takes no parameters and returns nothing: the front end makes it, and
    /// it runs constructors, chooses arguments, calls the asked function and what runs at exit.
    pub entry: FunctionId,
    /// What the front end had to assume about the program, one sentence each, for the report.
    pub assumptions: Vec<String>,
    /// Where volatile objects are read or written.
    pub volatile: BTreeSet<Span>,
    /// What is asked about its runs. The three lists that follow are empty unless it is liveness.
    pub question: ProgramQuestion,
    /// The events that its monitor can pass.
    pub events: Vec<FairnessEvent>,
    /// The obligations that a run can break.
    pub obligations: Vec<MonitorObligation>,
    /// The pairs that a fair run meets.
    pub fairness: Vec<CompassionPair>,
}

/// Sizes of the machine a program was compiled for. Memory is little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetLayout {
    /// 32 or 64.
    pub pointer_bits: u32,
}

/// An object that lives as long as the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalObject {
    /// The user's name, or one in quotes for a string literal.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// Whether a store into it is undefined.
    pub constant: bool,
    /// Whether another such object may lie at the same place, or overlap: a string literal may be a part of
    /// another one.
    pub shared: bool,
    /// Whether its bytes outside `cells` are zero (C's rule for static objects). If not, they are
    /// the environment's choice (an `extern` object without definition).
    pub zeroed: bool,
    /// The bytes and addresses it starts with, by ascending offset, not overlapping.
    pub cells: Vec<(u64, InitializerCell)>,
    /// Where it was declared.
    pub span: Span,
    /// Whether it is of the user's source (not of the library's).
    pub user: bool,
}

impl GlobalObject {
    /// Whether it holds the phase of a specification: a number of its monitor's that is a place in an
    /// automaton, so that few differ. Who looks for proofs can look at each phase by itself; nothing is
    /// believed because of it.
    pub fn is_phase(&self) -> bool {
        self.size == 1 && !self.constant && self.name.starts_with(monitor::OWN)
    }
}

/// A part of a global's initial content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitializerCell {
    /// Plain bytes.
    Bytes(Vec<u8>),
    /// The address of another global, plus an offset.
    Global(GlobalId, i64),
    /// The address of a function.
    Function(FunctionId),
    /// The address of a block, for computed `goto`.
    Label(FunctionId, BlockId),
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// The user's name.
    pub name: String,
    /// All variables; the parameters are named in `params`.
    pub vars: IdVec<VarId, LocalVar>,
    /// The variables that a call fills, in order.
    pub params: Vec<VarId>,
    /// Whether further arguments may follow the parameters.
    pub variadic: bool,
    /// Types of the returned values; several when C returns a small structure.
    pub returns: Vec<Type>,
    /// The code; a function without blocks does not exist in a well-formed program.
    pub blocks: IdVec<BlockId, Block>,
    /// Where it was defined.
    pub span: Span,
    /// Whether it is of the user's source (not of the library's or the front end's).
    pub user: bool,
    /// Whether it is code of a specification, or called by it. What is undefined there says nothing about
    /// the program: such a run is not covered, whereas one of the program's own ends.
    pub specification: bool,
}

/// A variable of a function: a C variable whose address nobody takes, or a temporary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalVar {
    /// The user's name; temporaries have an empty one.
    pub name: String,
    /// What it holds.
    pub ty: Type,
    /// Where it comes from.
    pub kind: VarKind,
}

/// Where a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VarKind {
    /// A C variable or parameter: shown to the user. Read before it is written, it is the
    /// environment's choice, made once.
    User,
    /// A value the front end named. It is always written before it is read.
    Temp,
}

/// A straight piece of code and where it goes next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it does, in order.
    pub statements: Vec<Statement>,
    /// Where it goes.
    pub terminator: Terminator,
    /// Where its terminator is in the source.
    pub span: Span,
}
