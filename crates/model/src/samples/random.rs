//! Random well-formed programs.

use crate::ids::Id;
use crate::{
    BinaryOp, Block, BlockId, Builtin, Callee, CastOp, Cell, ChoiceSource, CompareOp, Event,
    Events, Fairness, FileId, FloatOp, Function, FunctionId, Global, GlobalId, IdVec, Instruction,
    Obligation, Operand, Program, Question, Span, Statement, Target, Terminator, Type, UnaryOp,
    Var, VarId, VarKind,
};

/// Events of each program.
const EVENTS: usize = 3;
/// Obligations of each program.
const OBLIGATIONS: usize = 2;

/// A deterministic source of random numbers (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from((self.next() >> 16) % (bound as u64)).unwrap()
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn number(&mut self) -> u32 {
        u32::try_from(self.below(2000)).unwrap()
    }

    fn text(&mut self) -> String {
        let parts =
            ["", "x", "main", "a b", "\"", "\\", "\n", "é", "\u{0}", "\u{7f}", ";", "名", "}"];
        (0..self.below(4)).map(|_| self.pick(&parts)).collect()
    }

    fn span(&mut self) -> Span {
        match self.below(3) {
            0 => Span::NONE,
            _ => Span {
                file: FileId(u32::try_from(self.below(2)).unwrap()),
                line: 1 + self.number(),
                column: self.number(),
            },
        }
    }

    fn ty(&mut self) -> Type {
        match self.below(6) {
            0 => Type::Ptr,
            1 => Type::Float(self.pick(&[32, 64, 80, 128])),
            2 => Type::Int(1),
            _ => Type::Int(self.pick(&[1, 3, 8, 16, 32, 64, 128])),
        }
    }

    fn types(&mut self, bound: usize) -> Vec<Type> {
        (0..self.below(bound)).map(|_| self.ty()).collect()
    }

    fn bits(&mut self, ty: Type, pointer_bits: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = self.pick(&[0, 1, u128::MAX, wide, 1 << (ty.bits(pointer_bits) - 1)]);
        value & ouro_term::mask(ty.bits(pointer_bits))
    }
}

/// A function's head, known before any code is made.
struct Signature {
    params: Vec<Type>,
    returns: Vec<Type>,
    variadic: bool,
}

/// The program of a seed.
pub(crate) fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let target = Target { pointer_bits: random.pick(&[32, 64]) };
    let functions = 1 + random.below(4);
    let signatures: Vec<Signature> = (0..functions)
        .map(|index| match index {
            0 => Signature { params: vec![], returns: vec![], variadic: false },
            _ => Signature {
                params: random.types(4),
                returns: random.types(3),
                variadic: random.coin(),
            },
        })
        .collect();
    let globals = 1 + random.below(4);
    let blocks: Vec<usize> = (0..functions).map(|_| 1 + random.below(6)).collect();
    let mut made = IdVec::new();
    for (index, blocks) in blocks.iter().enumerate() {
        let maker = Maker {
            random: &mut random,
            target,
            signatures: &signatures,
            globals,
            blocks: *blocks,
            vars: IdVec::new(),
        };
        made.push(maker.function(index));
    }
    Program {
        target,
        files: vec![random.text(), random.text()],
        globals: (0..globals).map(|_| global(&mut random, target, globals, &blocks)).collect(),
        functions: made,
        entry: FunctionId(0),
        assumptions: (0..random.below(3)).map(|_| random.text()).collect(),
        volatile: (0..random.below(3)).map(|_| random.span()).collect(),
        question: Question::Liveness,
        events: (0..EVENTS).map(|_| Event { name: random.text(), span: random.span() }).collect(),
        obligations: (0..OBLIGATIONS)
            .map(|_| Obligation { name: random.text(), span: random.span() })
            .collect(),
        fairness: (0..random.below(3)).map(|_| fairness(&mut random)).collect(),
    }
}

fn fairness(random: &mut Random) -> Fairness {
    let numbers = |random: &mut Random| {
        (0..random.below(3)).map(|_| random.below(EVENTS) as u32).collect::<Vec<u32>>()
    };
    let p = match random.coin() {
        true => Events::Always,
        false => Events::Of(numbers(random)),
    };
    Fairness { name: random.text(), p, q: numbers(random), span: random.span() }
}

fn global(random: &mut Random, target: Target, globals: usize, blocks: &[usize]) -> Global {
    let mut cells = Vec::new();
    let mut end = 0;
    for _ in 0..random.below(4) {
        end += random.below(9) as u64;
        let function = random.below(blocks.len());
        let cell = match random.below(4) {
            0 => Cell::Global(GlobalId::at(random.below(globals)), random.next().cast_signed()),
            1 => Cell::Function(FunctionId::at(function)),
            2 => {
                let block = BlockId::at(random.below(blocks[function]));
                Cell::Label(FunctionId::at(function), block)
            }
            _ => {
                Cell::Bytes((0..random.below(5)).map(|_| random.next().to_le_bytes()[0]).collect())
            }
        };
        let size = match &cell {
            Cell::Bytes(bytes) => bytes.len() as u64,
            _ => u64::from(target.pointer_bits / 8),
        };
        cells.push((end, cell));
        end += size;
    }
    Global {
        name: random.text(),
        size: end + random.below(9) as u64,
        align: 1 << random.below(5),
        constant: random.coin(),
        shared: random.coin(),
        zeroed: random.coin(),
        cells,
        span: random.span(),
        user: random.coin(),
    }
}

struct Maker<'r> {
    random: &'r mut Random,
    target: Target,
    signatures: &'r [Signature],
    globals: usize,
    blocks: usize,
    vars: IdVec<VarId, Var>,
}

impl Maker<'_> {
    fn function(mut self, index: usize) -> Function {
        let signature = &self.signatures[index];
        let params: Vec<VarId> = signature.params.iter().map(|ty| self.new_var(*ty)).collect();
        // Some variables of every kind of type, so that most operations find operands.
        for ty in [Type::Int(1), Type::Int(32), Type::Ptr, Type::Float(64)] {
            self.new_var(ty);
        }
        for _ in 0..self.random.below(6) {
            let ty = self.random.ty();
            self.new_var(ty);
        }
        let blocks = (0..self.blocks).map(|_| self.block(signature)).collect();
        Function {
            name: self.random.text(),
            params,
            variadic: signature.variadic,
            returns: signature.returns.clone(),
            blocks,
            span: self.random.span(),
            user: self.random.coin(),
            specification: self.random.coin(),
            vars: self.vars,
        }
    }

    fn new_var(&mut self, ty: Type) -> VarId {
        self.vars.push(Var { name: self.random.text(), ty, kind: VarKind::User })
    }

    fn var(&mut self, ty: Type) -> VarId {
        let fitting: Vec<VarId> = self
            .vars
            .enumerate()
            .filter(|(_, var)| var.ty == ty && var.kind == VarKind::User)
            .map(|(id, _)| id)
            .collect();
        match fitting.len() {
            0 => self.new_var(ty),
            _ => self.random.pick(&fitting),
        }
    }

    fn operand(&mut self, ty: Type) -> Operand {
        match self.random.below(4) {
            0 if ty == Type::Ptr => match self.random.below(4) {
                0 => {
                    let offset = self.random.pick(&[0, 1, -1, i64::MIN, i64::MAX]);
                    Operand::Global(GlobalId::at(self.random.below(self.globals)), offset)
                }
                1 => Operand::Function(FunctionId::at(self.random.below(self.signatures.len()))),
                2 => Operand::Label(self.target_block()),
                _ => Operand::Const { ty, bits: 0 },
            },
            0 | 1 => Operand::Const { ty, bits: self.random.bits(ty, self.target.pointer_bits) },
            _ => Operand::Var(self.var(ty)),
        }
    }

    fn operands(&mut self, types: &[Type]) -> Vec<Operand> {
        types.iter().map(|ty| self.operand(*ty)).collect()
    }

    fn target_block(&mut self) -> BlockId {
        BlockId::at(self.random.below(self.blocks))
    }

    fn block(&mut self, signature: &Signature) -> Block {
        let mut statements: Vec<Statement> = (0..self.random.below(8))
            .map(|_| Statement {
                instruction: self.instruction(signature),
                span: self.random.span(),
            })
            .collect();
        // A temporary, written and then read in the same block.
        let ty = self.random.ty();
        let temp = self.vars.push(Var { name: String::new(), ty, kind: VarKind::Temp });
        let copy = self.var(ty);
        let why = self.random.text();
        for instruction in [
            Instruction::Unknown { dst: temp, why },
            Instruction::Assign { dst: copy, value: Operand::Var(temp) },
        ] {
            statements.push(Statement { instruction, span: self.random.span() });
        }
        Block { statements, terminator: self.terminator(signature), span: self.random.span() }
    }

    fn terminator(&mut self, signature: &Signature) -> Terminator {
        match self.random.below(9) {
            0 | 1 => Terminator::Goto(self.target_block()),
            2 | 3 => Terminator::Branch {
                condition: self.operand(Type::Int(1)),
                then: self.target_block(),
                otherwise: self.target_block(),
            },
            4 => Terminator::Switch {
                value: self.operand(Type::Int(8)),
                cases: (0..self.random.below(4) as u128)
                    .map(|case| (case * 50, self.target_block()))
                    .collect(),
                default: self.target_block(),
            },
            5 => Terminator::GotoAddress {
                address: self.operand(Type::Ptr),
                targets: (0..self.random.below(4)).map(|_| self.target_block()).collect(),
            },
            6 => Terminator::Return(self.operands(&signature.returns)),
            7 => Terminator::Exit(self.operand(Type::Int(32))),
            _ => {
                let why = self.random.text();
                let make = self.random.pick(&[
                    Terminator::Abort,
                    Terminator::Undefined,
                    Terminator::Limit,
                ]);
                make(why)
            }
        }
    }

    fn instruction(&mut self, signature: &Signature) -> Instruction {
        use Instruction as I;
        let integer = Type::Int(self.random.pick(&[1, 8, 32, 64]));
        let float = Type::Float(self.random.pick(&[32, 64, 80]));
        let any = self.random.ty();
        match self.random.below(20) {
            0 => I::Assign { dst: self.var(any), value: self.operand(any) },
            1 => {
                let op = self.random.pick(&[UnaryOp::FloatNeg, UnaryOp::FloatSqrt]);
                I::Unary { dst: self.var(float), op, value: self.operand(float) }
            }
            2 => {
                let op = self.random.pick(&[UnaryOp::PopCount, UnaryOp::LeadingZeros]);
                I::Unary { dst: self.var(integer), op, value: self.operand(integer) }
            }
            3 | 4 => I::Binary {
                dst: self.var(integer),
                op: self.random.pick(&[
                    BinaryOp::Add { signed: true },
                    BinaryOp::Add { signed: false },
                    BinaryOp::Shl { signed: false },
                    BinaryOp::UDiv,
                    BinaryOp::SRem,
                    BinaryOp::Xor,
                ]),
                left: self.operand(integer),
                right: self.operand(integer),
            },
            5 => I::Float {
                dst: self.var(float),
                op: self.random.pick(&[FloatOp::Add, FloatOp::Mod]),
                left: self.operand(float),
                right: self.operand(float),
            },
            6 => {
                let (op, ty) = self.random.pick(&[
                    (CompareOp::Eq, Type::Ptr),
                    (CompareOp::Ult, integer),
                    (CompareOp::Sle, integer),
                    (CompareOp::FloatLt, float),
                ]);
                let (left, right) = (self.operand(ty), self.operand(ty));
                I::Compare { dst: self.var(Type::Int(1)), op, left, right }
            }
            7 => {
                let (op, from, to) = self.random.pick(&[
                    (CastOp::Truncate, Type::Int(64), Type::Int(8)),
                    (CastOp::SignExtend, Type::Int(8), Type::Int(32)),
                    (CastOp::PtrToInt, Type::Ptr, integer),
                    (CastOp::IntToPtr, integer, Type::Ptr),
                    (CastOp::Bits, Type::Float(64), Type::Int(64)),
                    (CastOp::FloatToSigned, float, integer),
                    (CastOp::UnsignedToFloat, integer, float),
                ]);
                I::Cast { dst: self.var(to), op, value: self.operand(from) }
            }
            8 => I::Select {
                dst: self.var(any),
                condition: self.operand(Type::Int(1)),
                left: self.operand(any),
                right: self.operand(any),
            },
            9 => I::Offset {
                dst: self.var(Type::Ptr),
                base: self.operand(Type::Ptr),
                index: self.operand(integer),
                scale: self.random.pick(&[1, 4, -3, i64::MIN, 0]),
            },
            10 => I::Load { dst: self.var(any), address: self.operand(Type::Ptr) },
            11 => I::Store { address: self.operand(Type::Ptr), value: self.operand(any) },
            12 => I::Alloca {
                dst: self.var(Type::Ptr),
                size: self.operand(Type::Int(64)),
                align: 1 << self.random.below(5),
                name: self.random.text(),
            },
            13 => match self.random.below(3) {
                0 => I::StackSave { dst: self.var(Type::Ptr) },
                1 => I::StackRestore { mark: self.operand(Type::Ptr) },
                _ if signature.variadic => I::VaStart { list: self.operand(Type::Ptr) },
                _ => I::Assume { condition: self.operand(Type::Int(1)) },
            },
            14 => I::Copy {
                to: self.operand(Type::Ptr),
                from: self.operand(Type::Ptr),
                size: self.operand(Type::Int(64)),
                overlap: self.random.coin(),
            },
            15 => I::Fill {
                to: self.operand(Type::Ptr),
                value: self.operand(Type::Int(8)),
                size: self.operand(Type::Int(64)),
            },
            16 if self.random.below(4) == 0 => {
                I::Choice { dst: self.var(Type::Int(1)), source: ChoiceSource::Guess }
            }
            16 => {
                let name = self.random.text();
                let kinds = [
                    ChoiceSource::Function,
                    ChoiceSource::Allocation,
                    ChoiceSource::Output,
                    ChoiceSource::Other,
                ];
                let source = self.random.pick(&kinds)(name);
                let decides =
                    matches!(source, ChoiceSource::Allocation(_) | ChoiceSource::Output(_));
                I::Choice { dst: self.var(if decides { Type::Int(1) } else { any }), source }
            }
            17 if self.random.coin() => {
                let (builtin, count) = self
                    .random
                    .pick(&[(Builtin::Event, EVENTS), (Builtin::Violation, OBLIGATIONS)]);
                let bits = self.random.below(count) as u128;
                I::Call {
                    dsts: vec![],
                    callee: Callee::Builtin(builtin),
                    args: vec![Operand::Const { ty: Type::Int(32), bits }],
                }
            }
            17 => I::Call {
                dsts: vec![self.var(Type::Ptr)],
                callee: Callee::Builtin(Builtin::Allocate),
                args: self.operands(&[Type::Int(64)]),
            },
            18 => {
                let types = self.random.types(4);
                I::Call {
                    dsts: vec![self.var(any)],
                    callee: Callee::Pointer(self.operand(Type::Ptr)),
                    args: self.operands(&types),
                }
            }
            _ => self.call(),
        }
    }

    fn call(&mut self) -> Instruction {
        let index = self.random.below(self.signatures.len());
        let called = &self.signatures[index];
        let mut args = self.operands(&called.params);
        if called.variadic {
            let more = self.random.types(3);
            args.extend(self.operands(&more));
        }
        // Results go to new variables, because they must be distinct.
        let dsts = called.returns.iter().map(|ty| self.new_var(*ty)).collect();
        Instruction::Call { dsts, callee: Callee::Function(FunctionId::at(index)), args }
    }
}
