//! Numbers that are counted down because it was assumed that something comes to an end.

use ouro_model::{BinaryOp, BlockId, CompareOp, Instruction, Operand, Type, Var, VarId, VarKind};

use super::instructions::address;
use super::{ADDRESS, Rewrite};
use crate::inputs::{End, Inputs};
use crate::links::Links;

/// A number that is counted down.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub(crate) var: VarId,
    /// What was assumed, in words.
    pub(crate) assumed: Vec<String>,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Of links that a pointer follows.
    Links(VarId),
    /// Of calls at a statement that are not at the end of their input.
    Input(BlockId, usize),
}

impl Rewrite<'_> {
    /// Makes a number for each pointer and each call.
    pub(super) fn make_counts(&mut self, links: &Links, inputs: &Inputs) {
        for (pointer, steps) in &links.of {
            let name = match self.function.vars[*pointer].name.as_str() {
                "" => "links".to_owned(),
                name => format!("links_of_{name}"),
            };
            let assumed = steps.iter().map(|step| links.text(step)).collect();
            self.make_count(name, assumed, What::Links(*pointer));
        }
        for ((block, index), call) in &inputs.calls {
            let what = What::Input(*block, *index);
            self.make_count("left_to_read".to_owned(), vec![call.text()], what);
        }
    }

    fn make_count(&mut self, name: String, assumed: Vec<String>, what: What) {
        let var = self.vars.push(Var { name, ty: ADDRESS, kind: VarKind::User });
        self.counts.push(Count { var, assumed, what });
    }

    /// Counts what the statement that was just made passes.
    pub(super) fn count(
        &mut self,
        links: &Links,
        inputs: &Inputs,
        (block, index): (BlockId, usize),
        instruction: &Instruction,
    ) {
        let pointers: Vec<VarId> = links.at(block, index).collect();
        for Count { var, what, .. } in self.counts.clone() {
            match what {
                What::Links(pointer) if pointers.contains(&pointer) => {
                    self.one_less(var);
                    self.bound(Operand::Var(var));
                }
                What::Input(..) if what == What::Input(block, index) => {
                    let end = inputs.calls[&(block, index)].end;
                    if let [result] = instruction.dsts() {
                        self.one_less(var);
                        self.ends_with(var, *result, end);
                    }
                }
                _ => {}
            }
        }
    }

    fn one_less(&mut self, count: VarId) {
        let (op, left) = (BinaryOp::Add { signed: true }, Operand::Var(count));
        // It stays where it is once it is below 0, and so within its type.
        let less = self.temp(ADDRESS);
        self.emit(Instruction::Binary { dst: less, op, left, right: address(-1) });
        let positive = self.compare_with(CompareOp::Sle, address(0), left);
        let value = Operand::Var(less);
        self.emit(Instruction::Select {
            dst: count,
            condition: positive,
            left: value,
            right: left,
        });
    }

    /// That a result says that the input is at its end, if the count is below 0.
    fn ends_with(&mut self, count: VarId, result: VarId, end: End) {
        let Type::Int(width) = self.vars[result].ty else { return };
        let number = |number: i128| {
            let bits = number.cast_unsigned() & (u128::MAX >> (128 - width));
            Operand::Const { ty: Type::Int(width), bits }
        };
        let left = self.compare_with(CompareOp::Sle, address(0), Operand::Var(count));
        let result = Operand::Var(result);
        let at_end = match end {
            End::Just(end) => self.compare_with(CompareOp::Eq, result, number(end)),
            End::ZeroOrError => {
                let zero = self.compare_with(CompareOp::Eq, result, number(0));
                let error = self.compare_with(CompareOp::Eq, result, number(-1));
                let dst = self.temp(Type::Int(1));
                self.emit(Instruction::Select { dst, condition: zero, left: zero, right: error });
                Operand::Var(dst)
            }
        };
        let dst = self.temp(Type::Int(1));
        let right = at_end;
        self.emit(Instruction::Select { dst, condition: left, left, right });
        self.emit(Instruction::Assume { condition: Operand::Var(dst) });
    }

    fn compare_with(&mut self, op: CompareOp, left: Operand, right: Operand) -> Operand {
        let dst = self.temp(Type::Int(1));
        self.emit(Instruction::Compare { dst, op, left, right });
        Operand::Var(dst)
    }
}
