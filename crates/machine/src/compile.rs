//! From the model to compiled code.

use std::rc::Rc;

use ouro_model::flow::FunctionFlow;
use ouro_model::ids::TypedId;
use ouro_model::{
    BlockId, Callee, ChoiceSource, Function, FunctionId, Instruction, Operand, Program, Terminator,
    Type, VarId, VarKind,
};
use ouro_term::TermStore;
use rustc_hash::FxHashMap;

use crate::code::{
    BuiltinCall, CompiledCall, CompiledFunction, CompiledInstruction, CompiledSwitch,
    OperandRegister, StackAllocation,
};
use crate::memory::value_from_term;
use crate::start::StaticAddresses;
use crate::{MachineValue, Provenance};

struct FunctionCompiler<'a> {
    program: &'a Program,
    function: &'a Function,
    id: FunctionId,
    addresses: &'a StaticAddresses,
    terms: &'a mut TermStore,
    constants: Vec<MachineValue>,
    known: FxHashMap<Operand, OperandRegister>,
    blocks: Vec<u32>,
}

/// Compiles a function. `recursive` functions carry a mark at their start; `marks` says whether
/// anybody wants to know of marks.
pub(crate) fn compile_function(
    program: &Program,
    id: FunctionId,
    recursive: bool,
    marks: bool,
    addresses: &StaticAddresses,
    terms: &mut TermStore,
) -> CompiledFunction {
    let function = &program.functions[id];
    let flow = FunctionFlow::of_function(function);
    let marked = |block: BlockId| flow.is_loop_head(block) || (recursive && block.index() == 0);
    let mut blocks = Vec::new();
    let mut position = 0u32;
    for (block_id, block) in function.blocks.enumerate() {
        blocks.push(position);
        position += u32::from(marked(block_id)) + block.statements.len() as u32 + 1;
    }
    let mut compiler = FunctionCompiler {
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
            code.push(CompiledInstruction::Mark);
            let span = block.statements.first().map_or(block.span, |s| s.span);
            places.push((span, block_id, 0));
        }
        for (index, statement) in block.statements.iter().enumerate() {
            code.push(compiler.compile_instruction(&statement.instruction));
            places.push((statement.span, block_id, index as u32));
        }
        code.push(compiler.compile_terminator(&block.terminator));
        places.push((block.span, block_id, block.statements.len() as u32));
    }
    fuse_instructions(&mut code, marks);
    let start = |kind: VarKind| match kind {
        VarKind::User => MachineValue::UNWRITTEN,
        VarKind::Temp => MachineValue::plain(0),
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
            .map(|v| Rc::new(ChoiceSource::Other(unwritten_variable_name(&function.name, &v.name))))
            .collect(),
        params: function.params.iter().map(|v| v.0).collect(),
        returns: function.returns.clone(),
        flow,
        specification: function.specification,
    }
}

/// What a variable that was never written is called. The only one without a name is the value that
/// a function returns.
fn unwritten_variable_name(function: &str, name: &str) -> String {
    match name {
        "" => format!("missing return value of {function}"),
        _ => format!("uninitialised variable {name}"),
    }
}

/// Lets one instruction do the work of two where that is common.
fn fuse_instructions(code: &mut [CompiledInstruction], marks: bool) {
    for i in 0..code.len() {
        let fused = match (&code[i], code.get(i + 1)) {
            (
                CompiledInstruction::Compare { dst, op, left, right, width },
                Some(CompiledInstruction::Branch { condition, then, otherwise }),
            ) if *condition == dst.cast_signed() => CompiledInstruction::CompareBranch {
                dst: *dst,
                op: *op,
                left: *left,
                right: *right,
                width: *width,
                then: *then,
                otherwise: *otherwise,
            },
            (CompiledInstruction::Jump(target), _)
                if !marks && matches!(code[*target as usize], CompiledInstruction::Mark) =>
            {
                CompiledInstruction::JumpPastMark(*target)
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

impl FunctionCompiler<'_> {
    fn operand_register(&mut self, operand: Operand) -> OperandRegister {
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
                let width = ty.size_in_bits(pointer_bits);
                let term = self.terms.bv(width, bits);
                value_from_term(self.terms, term, Provenance::None)
            }
            Operand::Global(global, offset) => {
                let (base, object) = self.addresses.globals[global.index()];
                let mut bits = base.wrapping_add_signed(offset);
                if pointer_bits < 64 {
                    bits &= (1 << pointer_bits) - 1;
                }
                MachineValue::address(bits, object)
            }
            Operand::Function(function) => {
                let (base, object) = self.addresses.functions[function.index()];
                MachineValue::address(base, object)
            }
            Operand::Label(block) => {
                let (base, object) = self.addresses.labels[&(self.id, block)];
                MachineValue::address(base, object)
            }
        };
        self.constants.push(value);
        let reg = !OperandRegister::try_from(self.constants.len() - 1)
            .expect("fewer than 2^31 constants");
        self.known.insert(operand, reg);
        reg
    }

    fn operand_type(&self, operand: Operand) -> Type {
        match operand {
            Operand::Var(var) => self.function.vars[var].ty,
            Operand::Const { ty, .. } => ty,
            Operand::Global(..) | Operand::Function(_) | Operand::Label(_) => Type::Ptr,
        }
    }

    fn operand_width(&self, operand: Operand) -> u32 {
        self.operand_type(operand).size_in_bits(self.program.target.pointer_bits)
    }

    fn var_width(&self, var: VarId) -> u32 {
        self.operand_width(Operand::Var(var))
    }

    fn compile_instruction(&mut self, instruction: &Instruction) -> CompiledInstruction {
        match instruction {
            Instruction::Assign { dst, value } => {
                CompiledInstruction::Move { dst: dst.0, value: self.operand_register(*value) }
            }
            Instruction::Unary { dst, op, value } => CompiledInstruction::Unary {
                dst: dst.0,
                op: *op,
                width: self.operand_width(*value),
                value: self.operand_register(*value),
            },
            Instruction::Binary { dst, op, left, right } => CompiledInstruction::Binary {
                dst: dst.0,
                op: *op,
                width: self.var_width(*dst),
                left: self.operand_register(*left),
                right: self.operand_register(*right),
            },
            Instruction::Float { dst, op, left, right } => CompiledInstruction::Float {
                dst: dst.0,
                op: *op,
                width: self.var_width(*dst),
                left: self.operand_register(*left),
                right: self.operand_register(*right),
            },
            Instruction::Compare { dst, op, left, right } => CompiledInstruction::Compare {
                dst: dst.0,
                op: *op,
                width: self.operand_width(*left),
                left: self.operand_register(*left),
                right: self.operand_register(*right),
            },
            Instruction::Cast { dst, op, value } => CompiledInstruction::Cast {
                dst: dst.0,
                op: *op,
                from: self.operand_width(*value),
                to: self.var_width(*dst),
                value: self.operand_register(*value),
            },
            Instruction::Select { dst, condition, left, right } => CompiledInstruction::Select {
                dst: dst.0,
                condition: self.operand_register(*condition),
                left: self.operand_register(*left),
                right: self.operand_register(*right),
                width: self.var_width(*dst),
                number: matches!(self.function.vars[*dst].ty, Type::Int(_)),
            },
            Instruction::Offset { dst, base, index, scale } => CompiledInstruction::Offset {
                dst: dst.0,
                base: self.operand_register(*base),
                index_width: self.operand_width(*index),
                index: self.operand_register(*index),
                scale: *scale,
            },
            Instruction::Load { dst, address } => CompiledInstruction::Load {
                dst: dst.0,
                address: self.operand_register(*address),
                ty: self.function.vars[*dst].ty,
                bytes: whole_bytes(self.var_width(*dst)),
            },
            Instruction::Store { address, value } => CompiledInstruction::Store {
                address: self.operand_register(*address),
                bits: self.operand_width(*value),
                bytes: whole_bytes(self.operand_width(*value)),
                value: self.operand_register(*value),
            },
            Instruction::Alloca { dst, size, align, name } => {
                CompiledInstruction::Alloca(Box::new(StackAllocation {
                    dst: dst.0,
                    size: self.operand_register(*size),
                    align: *align,
                    name: name.as_str().into(),
                }))
            }
            Instruction::StackSave { dst } => CompiledInstruction::StackSave { dst: dst.0 },
            Instruction::StackRestore { mark } => {
                CompiledInstruction::StackRestore { mark: self.operand_register(*mark) }
            }
            Instruction::Copy { to, from, size, overlap } => CompiledInstruction::Copy {
                to: self.operand_register(*to),
                from: self.operand_register(*from),
                size: self.operand_register(*size),
                overlap: *overlap,
            },
            Instruction::Fill { to, value, size } => CompiledInstruction::Fill {
                to: self.operand_register(*to),
                value: self.operand_register(*value),
                size: self.operand_register(*size),
            },
            Instruction::Choice { dst, source } => CompiledInstruction::Choice {
                dst: dst.0,
                ty: self.function.vars[*dst].ty,
                source: Rc::new(source.clone()),
            },
            Instruction::Unknown { dst, why } => {
                let ty = self.function.vars[*dst].ty;
                CompiledInstruction::Unknown { dst: dst.0, ty, why: why.as_str().into() }
            }
            Instruction::Assume { condition } => {
                CompiledInstruction::Assume { condition: self.operand_register(*condition) }
            }
            Instruction::Call { dsts, callee, args } => self.compile_call(dsts, *callee, args),
            Instruction::VaStart { list } => {
                CompiledInstruction::VaStart { list: self.operand_register(*list) }
            }
        }
    }

    fn compile_call(
        &mut self,
        dsts: &[VarId],
        callee: Callee,
        args: &[Operand],
    ) -> CompiledInstruction {
        if let Callee::Builtin(builtin) = callee {
            let args = args.iter().map(|a| self.operand_register(*a)).collect();
            let dst = dsts.first().map(|v| v.0);
            return CompiledInstruction::CallBuiltin(Box::new(BuiltinCall { builtin, dst, args }));
        }
        let dsts = dsts.iter().map(|v| v.0).collect();
        let args =
            args.iter().map(|a| (self.operand_register(*a), self.operand_type(*a))).collect();
        let call = |function| Box::new(CompiledCall { function, dsts, args });
        match callee {
            Callee::Pointer(pointer) => CompiledInstruction::CallPointer {
                pointer: self.operand_register(pointer),
                call: call(FunctionId(0)),
            },
            Callee::Function(function) => CompiledInstruction::Call(call(function)),
            Callee::Builtin(_) => unreachable!("handled above"),
        }
    }

    fn block_position(&self, block: BlockId) -> u32 {
        self.blocks[block.index()]
    }

    fn compile_terminator(&mut self, terminator: &Terminator) -> CompiledInstruction {
        match terminator {
            Terminator::Goto(block) => CompiledInstruction::Jump(self.block_position(*block)),
            Terminator::Branch { condition, then, otherwise } => CompiledInstruction::Branch {
                condition: self.operand_register(*condition),
                then: self.block_position(*then),
                otherwise: self.block_position(*otherwise),
            },
            Terminator::Switch { value, cases, default } => {
                let mut cases: Vec<(u128, u32)> =
                    cases.iter().map(|(k, block)| (*k, self.block_position(*block))).collect();
                cases.sort();
                CompiledInstruction::Switch(Box::new(CompiledSwitch {
                    width: self.operand_width(*value),
                    value: self.operand_register(*value),
                    cases,
                    default: self.block_position(*default),
                }))
            }
            Terminator::GotoAddress { address, .. } => {
                CompiledInstruction::GotoAddress { address: self.operand_register(*address) }
            }
            Terminator::Return(values) => CompiledInstruction::Return(
                values.iter().map(|v| self.operand_register(*v)).collect(),
            ),
            Terminator::Exit(status) => CompiledInstruction::Exit(self.operand_register(*status)),
            Terminator::Abort(why) => CompiledInstruction::Abort(why.as_str().into()),
            Terminator::Undefined(what) => CompiledInstruction::Undefined(what.as_str().into()),
            Terminator::Limit(what) => CompiledInstruction::Limit(what.as_str().into()),
        }
    }
}
