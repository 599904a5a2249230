//! From the model to compiled code.

use std::rc::Rc;

use ouro_model::flow::Flow;
use ouro_model::ids::Id;
use ouro_model::{
    BlockId, Callee, ChoiceSource, Function, FunctionId, Instruction, Operand, Program, Terminator,
    Type, VarId, VarKind,
};
use ouro_term::Terms;
use rustc_hash::FxHashMap;

use crate::code::{Alloca, BuiltinCall, Call, Code, CompiledFunction, Reg, Switch};
use crate::memory::from_term;
use crate::start::Addresses;
use crate::{Provenance, Value};

struct Compiler<'a> {
    program: &'a Program,
    function: &'a Function,
    id: FunctionId,
    addresses: &'a Addresses,
    terms: &'a mut Terms,
    constants: Vec<Value>,
    known: FxHashMap<Operand, Reg>,
    blocks: Vec<u32>,
}

/// Compiles a function. `recursive` functions carry a mark at their start; `marks` says whether
/// anybody wants to know of marks.
pub(crate) fn compile(
    program: &Program,
    id: FunctionId,
    recursive: bool,
    marks: bool,
    addresses: &Addresses,
    terms: &mut Terms,
) -> CompiledFunction {
    let function = &program.functions[id];
    let flow = Flow::of(function);
    let marked = |block: BlockId| flow.is_loop_head(block) || (recursive && block.index() == 0);
    let mut blocks = Vec::new();
    let mut position = 0u32;
    for (block_id, block) in function.blocks.enumerate() {
        blocks.push(position);
        position += u32::from(marked(block_id)) + block.statements.len() as u32 + 1;
    }
    let mut compiler = Compiler {
        program,
        function,
        id,
        addresses,
        terms,
        constants: Vec::new(),
        known: FxHashMap::default(),
        blocks,
    };
    let mut code = Vec::with_capacity(position as usize);
    let mut places = Vec::with_capacity(position as usize);
    for (block_id, block) in function.blocks.enumerate() {
        if marked(block_id) {
            code.push(Code::Mark);
            let span = block.statements.first().map_or(block.span, |s| s.span);
            places.push((span, block_id, 0));
        }
        for (index, statement) in block.statements.iter().enumerate() {
            code.push(compiler.instruction(&statement.instruction));
            places.push((statement.span, block_id, index as u32));
        }
        code.push(compiler.terminator(&block.terminator));
        places.push((block.span, block_id, block.statements.len() as u32));
    }
    fuse(&mut code, marks);
    let start = |kind: VarKind| match kind {
        VarKind::User => Value::UNWRITTEN,
        VarKind::Temp => Value::plain(0),
    };
    CompiledFunction {
        code,
        places,
        blocks: compiler.blocks,
        constants: compiler.constants,
        registers: function.vars.iter().map(|v| start(v.kind)).collect(),
        types: function.vars.iter().map(|v| v.ty).collect(),
        names: function
            .vars
            .iter()
            .map(|v| Rc::new(ChoiceSource::Other(never_written(&function.name, &v.name))))
            .collect(),
        params: function.params.iter().map(|v| v.0).collect(),
        returns: function.returns.clone(),
        flow,
        specification: function.specification,
    }
}

/// What a variable that was never written is called. The only one without a name is the value that
/// a function returns.
fn never_written(function: &str, name: &str) -> String {
    match name {
        "" => format!("missing return value of {function}"),
        _ => format!("uninitialised variable {name}"),
    }
}

/// Lets one instruction do the work of two where that is common.
fn fuse(code: &mut [Code], marks: bool) {
    for i in 0..code.len() {
        let fused = match (&code[i], code.get(i + 1)) {
            (
                Code::Compare { dst, op, left, right, width },
                Some(Code::Branch { condition, then, otherwise }),
            ) if *condition == dst.cast_signed() => Code::CompareBranch {
                dst: *dst,
                op: *op,
                left: *left,
                right: *right,
                width: *width,
                then: *then,
                otherwise: *otherwise,
            },
            (Code::Jump(target), _) if !marks && matches!(code[*target as usize], Code::Mark) => {
                Code::JumpPastMark(*target)
            }
            _ => continue,
        };
        code[i] = fused;
    }
}

/// How many bytes a value fills, if it fills up to eight.
fn whole_bytes(bits: u32) -> u8 {
    if bits.is_multiple_of(8) && bits <= 64 { (bits / 8) as u8 } else { 0 }
}

impl Compiler<'_> {
    fn register(&mut self, operand: Operand) -> Reg {
        if let Operand::Var(var) = operand {
            return var.0.cast_signed();
        }
        if let Some(reg) = self.known.get(&operand) {
            return *reg;
        }
        let pointer_bits = self.program.target.pointer_bits;
        let value = match operand {
            Operand::Var(_) => unreachable!("handled above"),
            Operand::Const { ty, bits } => {
                let width = ty.bits(pointer_bits);
                let term = self.terms.bv(width, bits);
                from_term(self.terms, term, Provenance::None)
            }
            Operand::Global(global, offset) => {
                let (base, object) = self.addresses.globals[global.index()];
                let mut bits = base.wrapping_add_signed(offset);
                if pointer_bits < 64 {
                    bits &= (1 << pointer_bits) - 1;
                }
                Value::address(bits, object)
            }
            Operand::Function(function) => {
                let (base, object) = self.addresses.functions[function.index()];
                Value::address(base, object)
            }
            Operand::Label(block) => {
                let (base, object) = self.addresses.labels[&(self.id, block)];
                Value::address(base, object)
            }
        };
        self.constants.push(value);
        let reg = !Reg::try_from(self.constants.len() - 1).expect("fewer than 2^31 constants");
        self.known.insert(operand, reg);
        reg
    }

    fn ty(&self, operand: Operand) -> Type {
        match operand {
            Operand::Var(var) => self.function.vars[var].ty,
            Operand::Const { ty, .. } => ty,
            Operand::Global(..) | Operand::Function(_) | Operand::Label(_) => Type::Ptr,
        }
    }

    fn width(&self, operand: Operand) -> u32 {
        self.ty(operand).bits(self.program.target.pointer_bits)
    }

    fn width_of(&self, var: VarId) -> u32 {
        self.width(Operand::Var(var))
    }

    fn instruction(&mut self, instruction: &Instruction) -> Code {
        match instruction {
            Instruction::Assign { dst, value } => {
                Code::Move { dst: dst.0, value: self.register(*value) }
            }
            Instruction::Unary { dst, op, value } => Code::Unary {
                dst: dst.0,
                op: *op,
                width: self.width(*value),
                value: self.register(*value),
            },
            Instruction::Binary { dst, op, left, right } => Code::Binary {
                dst: dst.0,
                op: *op,
                width: self.width_of(*dst),
                left: self.register(*left),
                right: self.register(*right),
            },
            Instruction::Float { dst, op, left, right } => Code::Float {
                dst: dst.0,
                op: *op,
                width: self.width_of(*dst),
                left: self.register(*left),
                right: self.register(*right),
            },
            Instruction::Compare { dst, op, left, right } => Code::Compare {
                dst: dst.0,
                op: *op,
                width: self.width(*left),
                left: self.register(*left),
                right: self.register(*right),
            },
            Instruction::Cast { dst, op, value } => Code::Cast {
                dst: dst.0,
                op: *op,
                from: self.width(*value),
                to: self.width_of(*dst),
                value: self.register(*value),
            },
            Instruction::Select { dst, condition, left, right } => Code::Select {
                dst: dst.0,
                condition: self.register(*condition),
                left: self.register(*left),
                right: self.register(*right),
                width: self.width_of(*dst),
                number: matches!(self.function.vars[*dst].ty, Type::Int(_)),
            },
            Instruction::Offset { dst, base, index, scale } => Code::Offset {
                dst: dst.0,
                base: self.register(*base),
                index_width: self.width(*index),
                index: self.register(*index),
                scale: *scale,
            },
            Instruction::Load { dst, address } => Code::Load {
                dst: dst.0,
                address: self.register(*address),
                ty: self.function.vars[*dst].ty,
                bytes: whole_bytes(self.width_of(*dst)),
            },
            Instruction::Store { address, value } => Code::Store {
                address: self.register(*address),
                bits: self.width(*value),
                bytes: whole_bytes(self.width(*value)),
                value: self.register(*value),
            },
            Instruction::Alloca { dst, size, align, name } => Code::Alloca(Box::new(Alloca {
                dst: dst.0,
                size: self.register(*size),
                align: *align,
                name: name.as_str().into(),
            })),
            Instruction::StackSave { dst } => Code::StackSave { dst: dst.0 },
            Instruction::StackRestore { mark } => Code::StackRestore { mark: self.register(*mark) },
            Instruction::Copy { to, from, size, overlap } => Code::Copy {
                to: self.register(*to),
                from: self.register(*from),
                size: self.register(*size),
                overlap: *overlap,
            },
            Instruction::Fill { to, value, size } => Code::Fill {
                to: self.register(*to),
                value: self.register(*value),
                size: self.register(*size),
            },
            Instruction::Choice { dst, source } => Code::Choice {
                dst: dst.0,
                ty: self.function.vars[*dst].ty,
                source: Rc::new(source.clone()),
            },
            Instruction::Unknown { dst, why } => {
                let ty = self.function.vars[*dst].ty;
                Code::Unknown { dst: dst.0, ty, why: why.as_str().into() }
            }
            Instruction::Assume { condition } => {
                Code::Assume { condition: self.register(*condition) }
            }
            Instruction::Call { dsts, callee, args } => self.call(dsts, *callee, args),
            Instruction::VaStart { list } => Code::VaStart { list: self.register(*list) },
        }
    }

    fn call(&mut self, dsts: &[VarId], callee: Callee, args: &[Operand]) -> Code {
        if let Callee::Builtin(builtin) = callee {
            let args = args.iter().map(|a| self.register(*a)).collect();
            let dst = dsts.first().map(|v| v.0);
            return Code::CallBuiltin(Box::new(BuiltinCall { builtin, dst, args }));
        }
        let dsts = dsts.iter().map(|v| v.0).collect();
        let args = args.iter().map(|a| (self.register(*a), self.ty(*a))).collect();
        let call = |function| Box::new(Call { function, dsts, args });
        match callee {
            Callee::Pointer(pointer) => {
                Code::CallPointer { pointer: self.register(pointer), call: call(FunctionId(0)) }
            }
            Callee::Function(function) => Code::Call(call(function)),
            Callee::Builtin(_) => unreachable!("handled above"),
        }
    }

    fn at(&self, block: BlockId) -> u32 {
        self.blocks[block.index()]
    }

    fn terminator(&mut self, terminator: &Terminator) -> Code {
        match terminator {
            Terminator::Goto(block) => Code::Jump(self.at(*block)),
            Terminator::Branch { condition, then, otherwise } => Code::Branch {
                condition: self.register(*condition),
                then: self.at(*then),
                otherwise: self.at(*otherwise),
            },
            Terminator::Switch { value, cases, default } => {
                let mut cases: Vec<(u128, u32)> =
                    cases.iter().map(|(k, block)| (*k, self.at(*block))).collect();
                cases.sort();
                Code::Switch(Box::new(Switch {
                    width: self.width(*value),
                    value: self.register(*value),
                    cases,
                    default: self.at(*default),
                }))
            }
            Terminator::GotoAddress { address, .. } => {
                Code::GotoAddress { address: self.register(*address) }
            }
            Terminator::Return(values) => {
                Code::Return(values.iter().map(|v| self.register(*v)).collect())
            }
            Terminator::Exit(status) => Code::Exit(self.register(*status)),
            Terminator::Abort(why) => Code::Abort(why.as_str().into()),
            Terminator::Undefined(what) => Code::Undefined(what.as_str().into()),
            Terminator::Limit(what) => Code::Limit(what.as_str().into()),
        }
    }
}
