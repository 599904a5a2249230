//! Random well-formed programs.

use crate::ids::TypedId;
use crate::{
    BinaryOp, Block, BlockId, BuiltinFunction, Callee, CastOp, ChoiceSource, CompareOp,
    CompassionPair, EventTrigger, FairnessEvent, FileId, FloatOp, Function, FunctionId, GlobalId,
    GlobalObject, IdVec, InitializerCell, Instruction, LocalVar, MonitorObligation, Operand,
    Program, ProgramQuestion, Span, Statement, TargetLayout, Terminator, Type, UnaryOp, VarId,
    VarKind,
};

/// Events of each program.
const EVENTS: usize = 3;
/// Obligations of each program.
const OBLIGATIONS: usize = 2;

/// A deterministic source of random numbers (xorshift64*).
pub(crate) struct RandomModelParts(u64);

impl RandomModelParts {
    pub(crate) fn new(seed: u64) -> RandomModelParts {
        RandomModelParts(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn number_below(&mut self, bound: usize) -> usize {
        usize::try_from((self.next() >> 16) % (bound as u64)).unwrap()
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.number_below(from.len())].clone()
    }

    fn flip_coin(&mut self) -> bool {
        self.number_below(2) == 0
    }

    fn random_number(&mut self) -> u32 {
        u32::try_from(self.number_below(2000)).unwrap()
    }

    fn random_text(&mut self) -> String {
        let parts =
            ["", "x", "main", "a b", "\"", "\\", "\n", "é", "\u{0}", "\u{7f}", ";", "名", "}"];
        (0..self.number_below(4)).map(|_| self.pick(&parts)).collect()
    }

    fn random_span(&mut self) -> Span {
        match self.number_below(3) {
            0 => Span::NONE,
            _ => Span {
                file: FileId(u32::try_from(self.number_below(2)).unwrap()),
                line: 1 + self.random_number(),
                column: self.random_number(),
            },
        }
    }

    fn random_type(&mut self) -> Type {
        match self.number_below(6) {
            0 => Type::Ptr,
            1 => Type::Float(self.pick(&[32, 64, 80, 128])),
            2 => Type::Int(1),
            _ => Type::Int(self.pick(&[1, 3, 8, 16, 32, 64, 128])),
        }
    }

    fn random_types(&mut self, bound: usize) -> Vec<Type> {
        (0..self.number_below(bound)).map(|_| self.random_type()).collect()
    }

    fn random_bits(&mut self, ty: Type, pointer_bits: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = self.pick(&[0, 1, u128::MAX, wide, 1 << (ty.size_in_bits(pointer_bits) - 1)]);
        value & ouro_term::width_mask(ty.size_in_bits(pointer_bits))
    }
}

/// A function's head, known before any code is made.
struct SampleSignature {
    params: Vec<Type>,
    returns: Vec<Type>,
    variadic: bool,
}

/// The program of a seed.
pub(crate) fn random_program(seed: u64) -> Program {
    let mut random = RandomModelParts::new(seed);
    let target = TargetLayout { pointer_bits: random.pick(&[32, 64]) };
    let functions = 1 + random.number_below(4);
    let signatures: Vec<SampleSignature> = (0..functions)
        .map(|index| match index {
            0 => SampleSignature { params: vec![], returns: vec![], variadic: false },
            _ => SampleSignature {
                params: random.random_types(4),
                returns: random.random_types(3),
                variadic: random.flip_coin(),
            },
        })
        .collect();
    let globals = 1 + random.number_below(4);
    let blocks: Vec<usize> = (0..functions).map(|_| 1 + random.number_below(6)).collect();
    let mut made = IdVec::new();
    for (index, blocks) in blocks.iter().enumerate() {
        let maker = RandomFunctionMaker {
            random: &mut random,
            target,
            signatures: &signatures,
            globals,
            blocks: *blocks,
            vars: IdVec::new(),
        };
        made.push(maker.make_function(index));
    }
    Program {
        target,
        files: vec![random.random_text(), random.random_text()],
        globals: (0..globals)
            .map(|_| random_global(&mut random, target, globals, &blocks))
            .collect(),
        functions: made,
        entry: FunctionId(0),
        assumptions: (0..random.number_below(3)).map(|_| random.random_text()).collect(),
        volatile: (0..random.number_below(3)).map(|_| random.random_span()).collect(),
        question: ProgramQuestion::Liveness,
        events: (0..EVENTS)
            .map(|_| FairnessEvent { name: random.random_text(), span: random.random_span() })
            .collect(),
        obligations: (0..OBLIGATIONS)
            .map(|_| MonitorObligation { name: random.random_text(), span: random.random_span() })
            .collect(),
        fairness: (0..random.number_below(3))
            .map(|_| random_compassion_pair(&mut random))
            .collect(),
    }
}

fn random_compassion_pair(random: &mut RandomModelParts) -> CompassionPair {
    let numbers = |random: &mut RandomModelParts| {
        (0..random.number_below(3))
            .map(|_| random.number_below(EVENTS) as u32)
            .collect::<Vec<u32>>()
    };
    let p = match random.flip_coin() {
        true => EventTrigger::Always,
        false => EventTrigger::Of(numbers(random)),
    };
    CompassionPair { name: random.random_text(), p, q: numbers(random), span: random.random_span() }
}

fn random_global(
    random: &mut RandomModelParts,
    target: TargetLayout,
    globals: usize,
    blocks: &[usize],
) -> GlobalObject {
    let mut cells = Vec::new();
    let mut end = 0;
    for _ in 0..random.number_below(4) {
        end += random.number_below(9) as u64;
        let function = random.number_below(blocks.len());
        let cell = match random.number_below(4) {
            0 => InitializerCell::Global(
                GlobalId::from_index(random.number_below(globals)),
                random.next().cast_signed(),
            ),
            1 => InitializerCell::Function(FunctionId::from_index(function)),
            2 => {
                let block = BlockId::from_index(random.number_below(blocks[function]));
                InitializerCell::Label(FunctionId::from_index(function), block)
            }
            _ => InitializerCell::Bytes(
                (0..random.number_below(5)).map(|_| random.next().to_le_bytes()[0]).collect(),
            ),
        };
        let size = match &cell {
            InitializerCell::Bytes(bytes) => bytes.len() as u64,
            _ => u64::from(target.pointer_bits / 8),
        };
        cells.push((end, cell));
        end += size;
    }
    GlobalObject {
        name: random.random_text(),
        size: end + random.number_below(9) as u64,
        align: 1 << random.number_below(5),
        constant: random.flip_coin(),
        shared: random.flip_coin(),
        zeroed: random.flip_coin(),
        cells,
        span: random.random_span(),
        user: random.flip_coin(),
    }
}

struct RandomFunctionMaker<'r> {
    random: &'r mut RandomModelParts,
    target: TargetLayout,
    signatures: &'r [SampleSignature],
    globals: usize,
    blocks: usize,
    vars: IdVec<VarId, LocalVar>,
}

impl RandomFunctionMaker<'_> {
    fn make_function(mut self, index: usize) -> Function {
        let signature = &self.signatures[index];
        let params: Vec<VarId> = signature.params.iter().map(|ty| self.new_var(*ty)).collect();
        // Some variables of every kind of type, so that most operations find operands.
        for ty in [Type::Int(1), Type::Int(32), Type::Ptr, Type::Float(64)] {
            self.new_var(ty);
        }
        for _ in 0..self.random.number_below(6) {
            let ty = self.random.random_type();
            self.new_var(ty);
        }
        let blocks = (0..self.blocks).map(|_| self.random_block(signature)).collect();
        Function {
            name: self.random.random_text(),
            params,
            variadic: signature.variadic,
            returns: signature.returns.clone(),
            blocks,
            span: self.random.random_span(),
            user: self.random.flip_coin(),
            specification: self.random.flip_coin(),
            vars: self.vars,
        }
    }

    fn new_var(&mut self, ty: Type) -> VarId {
        self.vars.push(LocalVar { name: self.random.random_text(), ty, kind: VarKind::User })
    }

    fn random_var(&mut self, ty: Type) -> VarId {
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

    fn random_operand(&mut self, ty: Type) -> Operand {
        match self.random.number_below(4) {
            0 if ty == Type::Ptr => match self.random.number_below(4) {
                0 => {
                    let offset = self.random.pick(&[0, 1, -1, i64::MIN, i64::MAX]);
                    Operand::Global(
                        GlobalId::from_index(self.random.number_below(self.globals)),
                        offset,
                    )
                }
                1 => Operand::Function(FunctionId::from_index(
                    self.random.number_below(self.signatures.len()),
                )),
                2 => Operand::Label(self.random_target_block()),
                _ => Operand::Const { ty, bits: 0 },
            },
            0 | 1 => {
                Operand::Const { ty, bits: self.random.random_bits(ty, self.target.pointer_bits) }
            }
            _ => Operand::Var(self.random_var(ty)),
        }
    }

    fn random_operands(&mut self, types: &[Type]) -> Vec<Operand> {
        types.iter().map(|ty| self.random_operand(*ty)).collect()
    }

    fn random_target_block(&mut self) -> BlockId {
        BlockId::from_index(self.random.number_below(self.blocks))
    }

    fn random_block(&mut self, signature: &SampleSignature) -> Block {
        let mut statements: Vec<Statement> = (0..self.random.number_below(8))
            .map(|_| Statement {
                instruction: self.random_instruction(signature),
                span: self.random.random_span(),
            })
            .collect();
        // A temporary, written and then read in the same block.
        let ty = self.random.random_type();
        let temp = self.vars.push(LocalVar { name: String::new(), ty, kind: VarKind::Temp });
        let copy = self.random_var(ty);
        let why = self.random.random_text();
        for instruction in [
            Instruction::Unknown { dst: temp, why },
            Instruction::Assign { dst: copy, value: Operand::Var(temp) },
        ] {
            statements.push(Statement { instruction, span: self.random.random_span() });
        }
        Block {
            statements,
            terminator: self.random_terminator(signature),
            span: self.random.random_span(),
        }
    }

    fn random_terminator(&mut self, signature: &SampleSignature) -> Terminator {
        match self.random.number_below(9) {
            0 | 1 => Terminator::Goto(self.random_target_block()),
            2 | 3 => Terminator::Branch {
                condition: self.random_operand(Type::Int(1)),
                then: self.random_target_block(),
                otherwise: self.random_target_block(),
            },
            4 => Terminator::Switch {
                value: self.random_operand(Type::Int(8)),
                cases: (0..self.random.number_below(4) as u128)
                    .map(|case| (case * 50, self.random_target_block()))
                    .collect(),
                default: self.random_target_block(),
            },
            5 => Terminator::GotoAddress {
                address: self.random_operand(Type::Ptr),
                targets: (0..self.random.number_below(4))
                    .map(|_| self.random_target_block())
                    .collect(),
            },
            6 => Terminator::Return(self.random_operands(&signature.returns)),
            7 => Terminator::Exit(self.random_operand(Type::Int(32))),
            _ => {
                let why = self.random.random_text();
                let make = self.random.pick(&[
                    Terminator::Abort,
                    Terminator::Undefined,
                    Terminator::Limit,
                ]);
                make(why)
            }
        }
    }

    fn random_instruction(&mut self, signature: &SampleSignature) -> Instruction {
        use Instruction as I;
        let integer = Type::Int(self.random.pick(&[1, 8, 32, 64]));
        let float = Type::Float(self.random.pick(&[32, 64, 80]));
        let any = self.random.random_type();
        match self.random.number_below(20) {
            0 => I::Assign { dst: self.random_var(any), value: self.random_operand(any) },
            1 => {
                let op = self.random.pick(&[UnaryOp::FloatNeg, UnaryOp::FloatSqrt]);
                I::Unary { dst: self.random_var(float), op, value: self.random_operand(float) }
            }
            2 => {
                let op = self.random.pick(&[UnaryOp::PopCount, UnaryOp::LeadingZeros]);
                I::Unary { dst: self.random_var(integer), op, value: self.random_operand(integer) }
            }
            3 | 4 => I::Binary {
                dst: self.random_var(integer),
                op: self.random.pick(&[
                    BinaryOp::Add { signed: true },
                    BinaryOp::Add { signed: false },
                    BinaryOp::Shl { signed: false },
                    BinaryOp::UDiv,
                    BinaryOp::SRem,
                    BinaryOp::Xor,
                ]),
                left: self.random_operand(integer),
                right: self.random_operand(integer),
            },
            5 => I::Float {
                dst: self.random_var(float),
                op: self.random.pick(&[FloatOp::Add, FloatOp::Mod]),
                left: self.random_operand(float),
                right: self.random_operand(float),
            },
            6 => {
                let (op, ty) = self.random.pick(&[
                    (CompareOp::Eq, Type::Ptr),
                    (CompareOp::Ult, integer),
                    (CompareOp::Sle, integer),
                    (CompareOp::FloatLt, float),
                ]);
                let (left, right) = (self.random_operand(ty), self.random_operand(ty));
                I::Compare { dst: self.random_var(Type::Int(1)), op, left, right }
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
                I::Cast { dst: self.random_var(to), op, value: self.random_operand(from) }
            }
            8 => I::Select {
                dst: self.random_var(any),
                condition: self.random_operand(Type::Int(1)),
                left: self.random_operand(any),
                right: self.random_operand(any),
            },
            9 => I::Offset {
                dst: self.random_var(Type::Ptr),
                base: self.random_operand(Type::Ptr),
                index: self.random_operand(integer),
                scale: self.random.pick(&[1, 4, -3, i64::MIN, 0]),
            },
            10 => I::Load { dst: self.random_var(any), address: self.random_operand(Type::Ptr) },
            11 => I::Store {
                address: self.random_operand(Type::Ptr),
                value: self.random_operand(any),
            },
            12 => I::Alloca {
                dst: self.random_var(Type::Ptr),
                size: self.random_operand(Type::Int(64)),
                align: 1 << self.random.number_below(5),
                name: self.random.random_text(),
            },
            13 => match self.random.number_below(3) {
                0 => I::StackSave { dst: self.random_var(Type::Ptr) },
                1 => I::StackRestore { mark: self.random_operand(Type::Ptr) },
                _ if signature.variadic => I::VaStart { list: self.random_operand(Type::Ptr) },
                _ => I::Assume { condition: self.random_operand(Type::Int(1)) },
            },
            14 => I::Copy {
                to: self.random_operand(Type::Ptr),
                from: self.random_operand(Type::Ptr),
                size: self.random_operand(Type::Int(64)),
                overlap: self.random.flip_coin(),
            },
            15 => I::Fill {
                to: self.random_operand(Type::Ptr),
                value: self.random_operand(Type::Int(8)),
                size: self.random_operand(Type::Int(64)),
            },
            16 if self.random.number_below(4) == 0 => {
                I::Choice { dst: self.random_var(Type::Int(1)), source: ChoiceSource::Guess }
            }
            16 => {
                let name = self.random.random_text();
                let kinds = [
                    ChoiceSource::Function,
                    ChoiceSource::Allocation,
                    ChoiceSource::Output,
                    ChoiceSource::Other,
                ];
                let source = self.random.pick(&kinds)(name);
                let decides =
                    matches!(source, ChoiceSource::Allocation(_) | ChoiceSource::Output(_));
                I::Choice { dst: self.random_var(if decides { Type::Int(1) } else { any }), source }
            }
            17 if self.random.flip_coin() => {
                let (builtin, count) = self.random.pick(&[
                    (BuiltinFunction::Event, EVENTS),
                    (BuiltinFunction::Violation, OBLIGATIONS),
                ]);
                let bits = self.random.number_below(count) as u128;
                I::Call {
                    dsts: vec![],
                    callee: Callee::Builtin(builtin),
                    args: vec![Operand::Const { ty: Type::Int(32), bits }],
                }
            }
            17 => I::Call {
                dsts: vec![self.random_var(Type::Ptr)],
                callee: Callee::Builtin(BuiltinFunction::Allocate),
                args: self.random_operands(&[Type::Int(64)]),
            },
            18 => {
                let types = self.random.random_types(4);
                I::Call {
                    dsts: vec![self.random_var(any)],
                    callee: Callee::Pointer(self.random_operand(Type::Ptr)),
                    args: self.random_operands(&types),
                }
            }
            _ => self.random_call(),
        }
    }

    fn random_call(&mut self) -> Instruction {
        let index = self.random.number_below(self.signatures.len());
        let called = &self.signatures[index];
        let mut args = self.random_operands(&called.params);
        if called.variadic {
            let more = self.random.random_types(3);
            args.extend(self.random_operands(&more));
        }
        // Results go to new variables, because they must be distinct.
        let dsts = called.returns.iter().map(|ty| self.new_var(*ty)).collect();
        Instruction::Call { dsts, callee: Callee::Function(FunctionId::from_index(index)), args }
    }
}
