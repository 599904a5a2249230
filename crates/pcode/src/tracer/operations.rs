//! The operations of an instruction, on terms.

use ouro_term::{Term, Terms};

use super::{Halt, Tracer, Why};
use crate::lift::Instruction;
use crate::machine::{Machine, Refused, stop};
use crate::meaning::{Meaning, meaning};
use crate::op::{Arg, Code, Op, Place, file};

impl Tracer {
    pub(super) fn operations(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
    ) -> Result<(), Halt> {
        machine.check_alignment(instruction)?;
        let target = self.run(terms, machine, instruction)?;
        let start = instruction.named.address;
        let mut next = target.unwrap_or(start + instruction.length);
        // As the machine does: the last round of a repetition is noticed at once.
        if instruction.repeats && next == start {
            let counter = Arg { place: Place::File, size: 8, value: file::general(1) as u64 };
            let done = machine.general(1) == 0;
            self.decide(terms, machine, instruction, counter, !done)?;
            if done {
                next += instruction.length;
            }
        }
        machine.rip = next;
        machine.steps += 1;
        Ok(())
    }

    /// Whether an argument is not zero decides the way: the condition that it does so again.
    fn decide(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        arg: Arg,
        nonzero: bool,
    ) -> Result<(), Halt> {
        let opaque = || Halt::Opaque(instruction.named.clone());
        if let Some(term) = self.see(terms, machine, instruction, arg)?.ok_or_else(opaque)? {
            let holds = self.truth(terms, term);
            let condition = if nonzero { holds } else { terms.not(holds) };
            self.require(terms, condition, instruction, Why::Branch);
        }
        Ok(())
    }

    fn truth(&mut self, terms: &mut Terms, byte: Term) -> Term {
        match self.truths.get(&byte) {
            Some(truth) => *truth,
            None => terms.bv_is_nonzero(byte),
        }
    }

    /// Runs the operations; where control goes, if not to the next instruction.
    pub(super) fn run(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
    ) -> Result<Option<u64>, Halt> {
        let refuse = |refused: Refused| Halt::Stop(stop(instruction, refused));
        let number = |value: u64| usize::try_from(value).expect("a number of an operation");
        let mut at = 0;
        while let Some(op) = instruction.ops.get(at) {
            at += 1;
            for arg in [op.out, op.a, op.b] {
                if arg.place == Place::Memory {
                    self.note(arg.value, arg.size);
                    self.absolute(instruction, arg.value, u64::from(arg.size))?;
                }
            }
            match op.code {
                Code::Jump => at = number(op.a.value),
                Code::Branch => return Ok(Some(op.a.value)),
                Code::JumpIf | Code::BranchIf => {
                    let taken = machine.small(op.b).map_err(refuse)? != 0;
                    self.decide(terms, machine, instruction, op.b, taken)?;
                    match (taken, op.code) {
                        (true, Code::JumpIf) => at = number(op.a.value),
                        (true, _) => return Ok(Some(op.a.value)),
                        (false, _) => {}
                    }
                }
                Code::BranchTo => {
                    self.fix(terms, machine, instruction, op.a, Why::Target)?;
                    return Ok(Some(machine.small(op.a).map_err(refuse)?));
                }
                Code::Load => {
                    self.locate(terms, machine, instruction, op.a, op.out.size)?;
                    let address = machine.small(op.a).map_err(refuse)?;
                    self.note(address, op.out.size);
                    machine.operation(op, false).map_err(refuse)?;
                    self.copy(Place::Memory, address, op.out);
                }
                Code::Store => {
                    self.locate(terms, machine, instruction, op.a, op.b.size)?;
                    let address = machine.small(op.a).map_err(refuse)?;
                    self.note(address, op.b.size);
                    machine.operation(op, false).map_err(refuse)?;
                    let out = Arg { place: Place::Memory, size: op.b.size, value: address };
                    self.copy_arg(op.b, out);
                }
                Code::Copy => {
                    machine.operation(op, false).map_err(refuse)?;
                    self.copy_arg(op.a, op.out);
                }
                _ => self.compute(terms, machine, instruction, op)?,
            }
        }
        Ok(None)
    }

    /// An operation that computes.
    fn compute(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        op: &Op,
    ) -> Result<(), Halt> {
        let refuse = |refused: Refused| Halt::Stop(stop(instruction, refused));
        if op.a.size > 16 || op.b.size > 16 || op.out.size > 16 {
            // Only extensions and parts are that wide.
            self.fix_wide(terms, machine, instruction, op.a)?;
            machine.operation(op, false).map_err(refuse)?;
            self.put(op.out, None);
            return Ok(());
        }
        let a = self.see(terms, machine, instruction, op.a)?;
        let b = self.see(terms, machine, instruction, op.b)?;
        if let (Some(None), Some(None)) = (a, b) {
            machine.operation(op, instruction.divides).map_err(refuse)?;
            self.put(op.out, None);
            return Ok(());
        }
        // The same register twice: `xor eax, eax` is 0 whatever it was, opaque or not.
        if op.a == op.b && matches!(op.code, Code::Xor | Code::Sub) {
            machine.operation(op, false).map_err(refuse)?;
            self.put(op.out, None);
            return Ok(());
        }
        let (Some(seen_a), Some(seen_b)) = (a, b) else {
            machine.operation(op, instruction.divides).map_err(refuse)?;
            self.put_opaque(op.out);
            return Ok(());
        };
        let mut term_of = |seen: Option<Term>, arg: Arg| -> Result<Option<Term>, Halt> {
            if arg.size == 0 {
                return Ok(None);
            }
            match seen {
                Some(term) => Ok(Some(term)),
                None => {
                    let number = machine.wide(arg).map_err(refuse)?;
                    Ok(Some(terms.bv(8 * u32::from(arg.size), number)))
                }
            }
        };
        let (a, b) = (term_of(seen_a, op.a)?, term_of(seen_b, op.b)?);
        let a = a.expect("every operation has an argument");
        let result = match op.code {
            Code::BoolNot | Code::BoolAnd | Code::BoolOr | Code::BoolXor => {
                let x = self.truth(terms, a);
                let y = b.map(|b| self.truth(terms, b));
                Meaning::Truth(match (op.code, y) {
                    (Code::BoolAnd, Some(y)) => terms.and(x, y),
                    (Code::BoolOr, Some(y)) => terms.or(x, y),
                    (Code::BoolXor, Some(y)) => {
                        let same = terms.eq(x, y);
                        terms.not(same)
                    }
                    _ => terms.not(x),
                })
            }
            _ => meaning(terms, op, a, b),
        };
        // Terms round to nearest, and know no flushing to zero.
        let rounds = machine.mxcsr & 0xe040 == 0;
        let without = match result {
            Meaning::None => true,
            Meaning::Float(_) => !rounds,
            _ => op.code == Code::IntToFloat && !rounds,
        };
        self.float_terms |= !without && is_float(op.code);
        if without {
            self.fix(terms, machine, instruction, op.a, Why::Operand)?;
            self.fix(terms, machine, instruction, op.b, Why::Operand)?;
        }
        machine.operation(op, instruction.divides).map_err(refuse)?;
        match result {
            _ if without => self.put(op.out, None),
            Meaning::Value(term) => self.put(op.out, plain(terms, term)),
            Meaning::Truth(truth) => {
                let byte = terms.bool_to_bv(8 * u32::from(op.out.size), truth);
                self.truths.insert(byte, truth);
                self.put(op.out, plain(terms, byte));
            }
            Meaning::Guarded(term, condition) => {
                self.require(terms, condition, instruction, Why::Defined);
                self.put(op.out, plain(terms, term));
            }
            Meaning::Float(term) => {
                let nan = terms.fp_is_nan(term);
                let number = terms.not(nan);
                self.require(terms, number, instruction, Why::Defined);
                self.put(op.out, plain(terms, term));
            }
            Meaning::Opaque | Meaning::None => self.put_opaque(op.out),
        }
        Ok(())
    }

    /// Makes a wide argument a number, in pieces of 8 bytes.
    pub(super) fn fix_wide(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        arg: Arg,
    ) -> Result<(), Halt> {
        let mut done = 0;
        while done < arg.size {
            let size = (arg.size - done).min(8);
            let piece = Arg { value: arg.value + u64::from(done), size, ..arg };
            self.fix(terms, machine, instruction, piece, Why::Operand)?;
            done += size;
        }
        Ok(())
    }
}

fn is_float(code: Code) -> bool {
    matches!(
        code,
        Code::FloatAdd
            | Code::FloatSub
            | Code::FloatMul
            | Code::FloatDiv
            | Code::FloatEq
            | Code::FloatNe
            | Code::FloatLt
            | Code::FloatLe
            | Code::IntToFloat
            | Code::FloatSqrt
    )
}

/// A term unless it is a number.
fn plain(terms: &Terms, term: Term) -> Option<Term> {
    terms.as_bv(term).is_none().then_some(term)
}
