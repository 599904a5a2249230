//! The rules of the model, checked on everything a front end makes.
//!
//! **Everywhere.** Ids are in range. Types are integers of 1 to 128 bits, pointers, or floats of
//! 32, 64, 80 or 128 bits. Constants have no bits above the width of their type. A place in the
//! source names a file of the program. Alignments are powers of two.
//!
//! **Program.** Pointers have 32 or 64 bits. The entry takes no parameters, is not variadic and
//! returns nothing.
//!
//! **Question.** Events, obligations and fairness are there only if liveness is asked for. Fairness
//! speaks of events that there are.
//!
//! **Globals.** Cells are inside the object, by ascending offset, not overlapping; an address takes
//! as many bytes as a pointer.
//!
//! **Functions.** There is a block 0. Parameters are distinct. A temporary is written before it is
//! read, on every path from block 0.
//!
//! **Instructions.** Operands have the types that the comments of [`LiftedInstruction`] give:
//! - both sides of an assignment, operation, selection or comparison are of one type; conditions
//!   and results of comparisons are `i1`; addresses, bases and marks are pointers; sizes and
//!   indices are integers;
//! - signed comparisons are of integers, unsigned ones of integers or pointers, float ones of
//!   floats; bytes are swapped in integers of whole bytes;
//! - a cast goes between the kinds it names, to fewer bits, more bits or equal bits as it says;
//! - a direct call passes at least the parameters, with their types, and fills as many distinct
//!   variables as there are results, with their types; a builtin has the signature of its comment,
//!   and its result may be left out; the number of an event or obligation is a constant, and there
//!   is such an event or obligation; what is called through a pointer is only known at run time;
//! - `VaStart` is in a variadic function.
//!
//! **Terminators.** A switch is on an integer; its cases are distinct and fit it. A return gives
//! the function's results with their types. An exit status is `i32`.
//!
//! [`LiftedInstruction`]: crate::Instruction

mod assigned;
mod code;

use std::fmt;

use crate::ids::TypedId;
use crate::{
    BlockId, CompassionPair, EventTrigger, Function, FunctionId, GlobalObject, InitializerCell,
    Operand, Program, ProgramQuestion, Span, Type,
};

/// A rule that a program breaks, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleViolation {
    /// The function, unless the program as a whole is at fault.
    pub function: Option<FunctionId>,
    /// The block.
    pub block: Option<BlockId>,
    /// The statement's index; the number of statements stands for the terminator.
    pub statement: Option<usize>,
    /// What is wrong.
    pub rule: String,
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = self.function {
            write!(f, "{function} ")?;
        }
        if let Some(block) = self.block {
            write!(f, "{block} ")?;
        }
        if let Some(statement) = self.statement {
            write!(f, "statement {statement} ")?;
        }
        f.write_str(&self.rule)
    }
}

/// Checks all rules.
pub fn check_wellformed_program(program: &Program) -> Result<(), Vec<RuleViolation>> {
    let mut checker = WellformednessChecker {
        program,
        function: None,
        block: None,
        statement: None,
        found: Vec::new(),
    };
    checker.check_program();
    if checker.found.is_empty() { Ok(()) } else { Err(checker.found) }
}

/// Walks a program and remembers where it is.
struct WellformednessChecker<'p> {
    program: &'p Program,
    function: Option<FunctionId>,
    block: Option<BlockId>,
    statement: Option<usize>,
    found: Vec<RuleViolation>,
}

impl WellformednessChecker<'_> {
    fn note_violation(&mut self, rule: impl Into<String>) {
        let WellformednessChecker { function, block, statement, .. } = *self;
        self.found.push(RuleViolation { function, block, statement, rule: rule.into() });
    }

    fn require_rule(&mut self, holds: bool, rule: impl FnOnce() -> String) {
        if !holds {
            self.note_violation(rule());
        }
    }

    fn check_program(&mut self) {
        let program = self.program;
        let bits = program.target.pointer_bits;
        self.require_rule(matches!(bits, 32 | 64), || format!("pointers have {bits} bits"));
        match program.functions.get(program.entry) {
            None => self.note_violation(format!("the entry {} does not exist", program.entry)),
            Some(entry) => {
                let plain = entry.params.is_empty() && !entry.variadic && entry.returns.is_empty();
                self.require_rule(plain, || "the entry has parameters or results".to_owned());
            }
        }
        self.check_question();
        for (id, global) in program.globals.enumerate() {
            self.check_global(&id.to_string(), global);
        }
        for (id, function) in program.functions.enumerate() {
            self.function = Some(id);
            self.check_function(function);
            (self.block, self.statement) = (None, None);
        }
    }

    fn check_question(&mut self) {
        let Program { question, events, obligations, fairness, .. } = self.program;
        let none = events.is_empty() && obligations.is_empty() && fairness.is_empty();
        self.require_rule(*question == ProgramQuestion::Liveness || none, || {
            "it has events, obligations or fairness, but is only asked to terminate".to_owned()
        });
        for span in events.iter().map(|e| e.span).chain(obligations.iter().map(|o| o.span)) {
            self.check_span(span);
        }
        for CompassionPair { name, p, q, span } in fairness {
            self.check_span(*span);
            let p: &[u32] = match p {
                EventTrigger::Always => &[],
                EventTrigger::Of(numbers) => numbers,
            };
            for number in p.iter().chain(q) {
                let exists = (*number as usize) < events.len();
                self.require_rule(exists, || {
                    format!("{name:?} speaks of event {number} of {}", events.len())
                });
            }
        }
    }

    fn check_global(&mut self, id: &str, global: &GlobalObject) {
        self.check_span(global.span);
        self.check_alignment(global.align);
        let pointer = u64::from(self.program.target.pointer_bits / 8);
        let mut end = 0;
        for (offset, cell) in &global.cells {
            let size = match cell {
                InitializerCell::Bytes(bytes) => bytes.len() as u64,
                InitializerCell::Global(other, _) => {
                    self.operand_exists(None, Operand::Global(*other, 0));
                    pointer
                }
                InitializerCell::Function(function) => {
                    self.operand_exists(None, Operand::Function(*function));
                    pointer
                }
                InitializerCell::Label(function, block) => {
                    let function = self.program.functions.get(*function);
                    let exists = function.is_some_and(|f| f.blocks.get(*block).is_some());
                    self.require_rule(exists, || format!("{id} has the address of no block"));
                    pointer
                }
            };
            self.require_rule(*offset >= end, || format!("{id} has cells that overlap or descend"));
            end = offset.saturating_add(size).max(end);
        }
        self.require_rule(end <= global.size, || {
            format!("{id} has cells past its {} bytes", global.size)
        });
    }

    fn check_function(&mut self, function: &Function) {
        self.check_span(function.span);
        for (id, var) in function.vars.enumerate() {
            self.check_type(var.ty, &id.to_string());
        }
        for ty in &function.returns {
            self.check_type(*ty, "a result");
        }
        for (index, param) in function.params.iter().enumerate() {
            let exists = function.vars.get(*param).is_some();
            self.require_rule(exists, || format!("the parameter {param} does not exist"));
            let distinct = !function.params[..index].contains(param);
            self.require_rule(distinct, || format!("the parameter {param} comes twice"));
        }
        self.require_rule(!function.blocks.is_empty(), || "there is no block".to_owned());
        let before = self.found.len();
        for (id, block) in function.blocks.enumerate() {
            self.block = Some(id);
            for (index, statement) in block.statements.iter().enumerate() {
                self.statement = Some(index);
                self.check_span(statement.span);
                self.check_instruction(function, &statement.instruction);
            }
            self.statement = Some(block.statements.len());
            self.check_span(block.span);
            self.check_terminator(function, &block.terminator);
        }
        // With ids out of range there is no flow to speak of.
        if before == self.found.len() && !function.blocks.is_empty() {
            for read in assigned::find_unwritten_reads(function) {
                (self.block, self.statement) = (Some(read.block), Some(read.statement));
                self.note_violation(format!("{} may be read before it is written", read.var));
            }
        }
    }

    fn check_span(&mut self, span: Span) {
        let files = self.program.files.len();
        let named = !span.is_known() || (span.file.0 as usize) < files;
        self.require_rule(named, || format!("a place is in file {} of {files}", span.file.0));
    }

    fn check_alignment(&mut self, align: u64) {
        self.require_rule(align.is_power_of_two(), || format!("{align} is not a power of two"));
    }

    fn check_type(&mut self, ty: Type, of: &str) -> bool {
        let valid = match ty {
            Type::Int(bits) => (1..=128).contains(&bits),
            Type::Ptr => true,
            Type::Float(bits) => matches!(bits, 32 | 64 | 80 | 128),
        };
        self.require_rule(valid, || format!("{of} has the type {ty}"));
        valid
    }

    /// Whether an operand names something that exists, and its constant fits. Labels belong to
    /// the function they stand in.
    fn operand_exists(&mut self, function: Option<&Function>, operand: Operand) -> bool {
        let found = self.found.len();
        match operand {
            Operand::Var(var) => {
                let exists = function.is_some_and(|f| f.vars.get(var).is_some());
                self.require_rule(exists, || format!("there is no {var}"));
            }
            Operand::Const { ty, bits } => {
                let pointer_bits = self.program.target.pointer_bits;
                if self.check_type(ty, "a constant") {
                    let fits = bits & !ouro_term::width_mask(ty.size_in_bits(pointer_bits)) == 0;
                    self.require_rule(fits, || format!("{bits:#x} does not fit {ty}"));
                }
            }
            Operand::Global(global, _) => {
                let exists = global.index() < self.program.globals.len();
                self.require_rule(exists, || format!("there is no {global}"));
            }
            Operand::Function(callee) => {
                let exists = callee.index() < self.program.functions.len();
                self.require_rule(exists, || format!("there is no {callee}"));
            }
            Operand::Label(block) => {
                let exists = function.is_some_and(|f| f.blocks.get(block).is_some());
                self.require_rule(exists, || format!("there is no {block}"));
            }
        }
        found == self.found.len()
    }
}

#[cfg(test)]
mod tests;
