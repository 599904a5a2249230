//! Numbers that are counted down because it was assumed that something comes to an end.

use ouro_model::{
    BinaryOp, BlockId, CompareOp, Instruction, LocalVar, Operand, Type, VarId, VarKind,
};

use super::instructions::address_constant;
use super::{ADDRESS, RegionRewriter};
use crate::inputs::{EndOfInput, InputCalls};
use crate::links::LinkPointers;

/// A number that is counted down.
#[derive(Clone, Debug)]
pub(crate) struct CountdownVariable {
    pub(crate) var: VarId,
    /// What was assumed, in words.
    pub(crate) assumed: Vec<String>,
    what: CountdownSubject,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CountdownSubject {
    /// Of links that a pointer follows.
    Links(VarId),
    /// Of calls at a statement that are not at the end of their input.
    Input(BlockId, usize),
}

impl RegionRewriter<'_> {
    /// Makes a number for each pointer and each call.
    pub(super) fn make_counts(&mut self, links: &LinkPointers, inputs: &InputCalls) {
        for (pointer, steps) in &links.of {
            let name = match self.function.vars[*pointer].name.as_str() {
                "" => "links".to_owned(),
                name => format!("links_of_{name}"),
            };
            let assumed = steps.iter().map(|step| links.text(step)).collect();
            self.make_count(name, assumed, CountdownSubject::Links(*pointer));
        }
        for ((block, index), call) in &inputs.calls {
            let what = CountdownSubject::Input(*block, *index);
            self.make_count("left_to_read".to_owned(), vec![call.text()], what);
        }
    }

    fn make_count(&mut self, name: String, assumed: Vec<String>, what: CountdownSubject) {
        let var = self.vars.push(LocalVar { name, ty: ADDRESS, kind: VarKind::User });
        self.counts.push(CountdownVariable { var, assumed, what });
    }

    /// Counts what the statement that was just made passes.
    pub(super) fn count_statement(
        &mut self,
        links: &LinkPointers,
        inputs: &InputCalls,
        (block, index): (BlockId, usize),
        instruction: &Instruction,
    ) {
        let pointers: Vec<VarId> = links.pointers_at(block, index).collect();
        for CountdownVariable { var, what, .. } in self.counts.clone() {
            match what {
                CountdownSubject::Links(pointer) if pointers.contains(&pointer) => {
                    self.decrement_count(var);
                    self.assume_object_address(Operand::Var(var));
                }
                CountdownSubject::Input(..) if what == CountdownSubject::Input(block, index) => {
                    let end = inputs.calls[&(block, index)].end;
                    if let [result] = instruction.destination_vars() {
                        self.decrement_count(var);
                        self.assume_end_of_input(var, *result, end);
                    }
                }
                _ => {}
            }
        }
    }

    fn decrement_count(&mut self, count: VarId) {
        let (op, left) = (BinaryOp::Add { signed: true }, Operand::Var(count));
        // It stays where it is once it is below 0, and so within its type.
        let less = self.add_temporary(ADDRESS);
        self.emit(Instruction::Binary { dst: less, op, left, right: address_constant(-1) });
        let positive = self.emit_compare(CompareOp::Sle, address_constant(0), left);
        let value = Operand::Var(less);
        self.emit(Instruction::Select {
            dst: count,
            condition: positive,
            left: value,
            right: left,
        });
    }

    /// That a result says that the input is at its end, if the count is below 0.
    fn assume_end_of_input(&mut self, count: VarId, result: VarId, end: EndOfInput) {
        let Type::Int(width) = self.vars[result].ty else { return };
        let number = |number: i128| {
            let bits = number.cast_unsigned() & (u128::MAX >> (128 - width));
            Operand::Const { ty: Type::Int(width), bits }
        };
        let left = self.emit_compare(CompareOp::Sle, address_constant(0), Operand::Var(count));
        let result = Operand::Var(result);
        let at_end = match end {
            EndOfInput::Just(end) => self.emit_compare(CompareOp::Eq, result, number(end)),
            EndOfInput::ZeroOrError => {
                let zero = self.emit_compare(CompareOp::Eq, result, number(0));
                let error = self.emit_compare(CompareOp::Eq, result, number(-1));
                let dst = self.add_temporary(Type::Int(1));
                self.emit(Instruction::Select { dst, condition: zero, left: zero, right: error });
                Operand::Var(dst)
            }
        };
        let dst = self.add_temporary(Type::Int(1));
        let right = at_end;
        self.emit(Instruction::Select { dst, condition: left, left, right });
        self.emit(Instruction::Assume { condition: Operand::Var(dst) });
    }

    fn emit_compare(&mut self, op: CompareOp, left: Operand, right: Operand) -> Operand {
        let dst = self.add_temporary(Type::Int(1));
        self.emit(Instruction::Compare { dst, op, left, right });
        Operand::Var(dst)
    }
}
