//! From programs to text.

use std::fmt::{self, Display, Write};

use super::lex::QuotedString;
use super::{BINARY, CAST, COMPARE, FLOAT, UNARY, operator_name};
use crate::{
    Block, Callee, ChoiceSource, CompassionPair, EventTrigger, FairnessEvent, Function, FunctionId,
    GlobalId, GlobalObject, InitializerCell, Instruction, MonitorObligation, Operand, Program,
    ProgramQuestion, Span, Terminator, Type, VarId, VarKind,
};

/// The text of a program.
pub fn print_program(program: &Program) -> String {
    let mut text = String::new();
    write_program(&mut text, program).expect("writing to a string does not fail");
    text
}

/// The text of an instruction, as in the text of a program.
impl Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_instruction(f, self)
    }
}

/// The text of a terminator, as in the text of a program.
impl Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_terminator(f, self)
    }
}

/// The text of an operand, as in the text of a program.
impl Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Var(var) => write!(f, "{var}"),
            Operand::Const { ty, bits } => write_constant(f, *ty, *bits),
            Operand::Global(global, offset) => write_global(f, *global, *offset),
            Operand::Function(function) => write!(f, "&{function}"),
            Operand::Label(block) => write!(f, "&{block}"),
        }
    }
}

fn write_program(out: &mut String, program: &Program) -> fmt::Result {
    writeln!(out, "program 1")?;
    writeln!(out, "target {}", program.target.pointer_bits)?;
    for file in &program.files {
        writeln!(out, "file {}", QuotedString(file))?;
    }
    for assumption in &program.assumptions {
        writeln!(out, "assumption {}", QuotedString(assumption))?;
    }
    for span in &program.volatile {
        write!(out, "volatile")?;
        write_span(out, *span)?;
        writeln!(out)?;
    }
    write_question(out, program)?;
    writeln!(out, "entry {}", program.entry)?;
    for (id, global) in program.globals.enumerate() {
        write_global_item(out, id, global)?;
    }
    for (id, function) in program.functions.enumerate() {
        write_function(out, id, function)?;
    }
    Ok(())
}

fn write_question(out: &mut String, program: &Program) -> fmt::Result {
    if program.question == ProgramQuestion::Liveness {
        writeln!(out, "liveness")?;
    }
    for FairnessEvent { name, span } in &program.events {
        write!(out, "event {}", QuotedString(name))?;
        write_span(out, *span)?;
        writeln!(out)?;
    }
    for MonitorObligation { name, span } in &program.obligations {
        write!(out, "obligation {}", QuotedString(name))?;
        write_span(out, *span)?;
        writeln!(out)?;
    }
    for CompassionPair { name, p, q, span } in &program.fairness {
        write!(out, "fair {} ", QuotedString(name))?;
        match p {
            EventTrigger::Always => write!(out, "always")?,
            EventTrigger::Of(numbers) => {
                write!(out, "[")?;
                write_list(out, numbers)?;
                write!(out, "]")?;
            }
        }
        write!(out, " [")?;
        write_list(out, q)?;
        write!(out, "]")?;
        write_span(out, *span)?;
        writeln!(out)?;
    }
    Ok(())
}

fn write_global_item(out: &mut String, id: GlobalId, global: &GlobalObject) -> fmt::Result {
    let GlobalObject { name, size, align, constant, shared, zeroed, cells, span, user } = global;
    write!(out, "\nglobal {id} {} size {size} align {align}", QuotedString(name))?;
    let flags = [(constant, "constant"), (shared, "shared"), (zeroed, "zeroed"), (user, "user")];
    for (flag, word) in flags {
        if *flag {
            write!(out, " {word}")?;
        }
    }
    write_span(out, *span)?;
    if cells.is_empty() {
        return writeln!(out, " {{}}");
    }
    writeln!(out, " {{")?;
    for (offset, cell) in cells {
        write!(out, "  {offset}: ")?;
        match cell {
            InitializerCell::Bytes(bytes) => {
                write!(out, "bytes [")?;
                bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
                write!(out, "]")?;
            }
            InitializerCell::Global(global, offset) => write_global(out, *global, *offset)?,
            InitializerCell::Function(function) => write!(out, "&{function}")?,
            InitializerCell::Label(function, block) => write!(out, "&{function}:{block}")?,
        }
        writeln!(out)?;
    }
    writeln!(out, "}}")
}

fn write_function(out: &mut String, id: FunctionId, function: &Function) -> fmt::Result {
    let Function { name, vars, params, variadic, returns, blocks, span, user, specification } =
        function;
    write!(out, "\nfn {id} {} (", QuotedString(name))?;
    write_list(out, params)?;
    if *variadic {
        write!(out, "{}...", if params.is_empty() { "" } else { ", " })?;
    }
    write!(out, ") -> (")?;
    write_list(out, returns)?;
    write!(out, "){}", if *user { " user" } else { "" })?;
    write!(out, "{}", if *specification { " specification" } else { "" })?;
    write_span(out, *span)?;
    writeln!(out, " {{")?;
    for (id, var) in vars.enumerate() {
        write!(out, "  {id} {}", var.ty)?;
        if !var.name.is_empty() {
            write!(out, " {}", QuotedString(&var.name))?;
        }
        writeln!(out, "{}", if var.kind == VarKind::User { " user" } else { " temp" })?;
    }
    for (id, block) in blocks.enumerate() {
        writeln!(out, "{id}:")?;
        write_block(out, block)?;
    }
    writeln!(out, "}}")
}

fn write_block(out: &mut String, block: &Block) -> fmt::Result {
    for statement in &block.statements {
        write!(out, "  ")?;
        write_instruction(out, &statement.instruction)?;
        write_span(out, statement.span)?;
        writeln!(out)?;
    }
    write!(out, "  ")?;
    write_terminator(out, &block.terminator)?;
    write_span(out, block.span)?;
    writeln!(out)
}

fn write_span(out: &mut impl Write, span: Span) -> fmt::Result {
    match span {
        Span::NONE => Ok(()),
        Span { file, line, column } if file.0 == 0 => write!(out, " @{line}:{column}"),
        Span { file, line, column } => write!(out, " @{}:{line}:{column}", file.0),
    }
}

fn write_list<T: Display>(out: &mut impl Write, items: &[T]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        write!(out, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}

fn write_constant(out: &mut impl Write, ty: Type, bits: u128) -> fmt::Result {
    match ty {
        Type::Int(1) if bits <= 1 => write!(out, "{ty} {bits}"),
        Type::Int(width @ 2..=128) if bits <= ouro_term::width_mask(width) => {
            write!(out, "{ty} {}", ouro_term::sign_extend(width, bits))
        }
        _ => write!(out, "{ty} {bits:#x}"),
    }
}

fn write_global(out: &mut impl Write, global: GlobalId, offset: i64) -> fmt::Result {
    match offset {
        0 => write!(out, "&{global}"),
        _ => write!(out, "&{global}{offset:+}"),
    }
}

fn write_instruction(out: &mut impl Write, instruction: &Instruction) -> fmt::Result {
    use Instruction as I;
    let mut one =
        |dst: &VarId, name: &str, rest: &dyn Display| write!(out, "{dst} = {name} {rest}");
    match instruction {
        I::Assign { dst, value } => write!(out, "{dst} = {value}"),
        I::Unary { dst, op, value } => one(dst, operator_name(&UNARY, op), value),
        I::Cast { dst, op, value } => one(dst, operator_name(&CAST, op), value),
        I::Binary { dst, op, left, right } => {
            one(dst, operator_name(&BINARY, op), &format_args!("{left}, {right}"))
        }
        I::Float { dst, op, left, right } => {
            one(dst, operator_name(&FLOAT, op), &format_args!("{left}, {right}"))
        }
        I::Compare { dst, op, left, right } => {
            one(dst, operator_name(&COMPARE, op), &format_args!("{left}, {right}"))
        }
        I::Select { dst, condition, left, right } => {
            write!(out, "{dst} = select {condition}, {left}, {right}")
        }
        I::Offset { dst, base, index, scale } => {
            write!(out, "{dst} = offset {base}, {index} * {scale}")
        }
        I::Load { dst, address } => write!(out, "{dst} = load {address}"),
        I::Store { address, value } => write!(out, "store {address}, {value}"),
        I::Alloca { dst, size, align, name } => {
            write!(out, "{dst} = alloca {size} align {align} {}", QuotedString(name))
        }
        I::StackSave { dst } => write!(out, "{dst} = stacksave"),
        I::StackRestore { mark } => write!(out, "stackrestore {mark}"),
        I::Copy { to, from, size, overlap } => {
            write!(out, "{} {to}, {from}, {size}", if *overlap { "move" } else { "copy" })
        }
        I::Fill { to, value, size } => write!(out, "fill {to}, {value}, {size}"),
        I::Choice { dst, source: ChoiceSource::Function(name) } => {
            write!(out, "{dst} = choice function {}", QuotedString(name))
        }
        I::Choice { dst, source: ChoiceSource::Allocation(name) } => {
            write!(out, "{dst} = choice allocation {}", QuotedString(name))
        }
        I::Choice { dst, source: ChoiceSource::Output(name) } => {
            write!(out, "{dst} = choice output {}", QuotedString(name))
        }
        I::Choice { dst, source: ChoiceSource::Other(what) } => {
            write!(out, "{dst} = choice other {}", QuotedString(what))
        }
        I::Choice { dst, source: ChoiceSource::Guess } => write!(out, "{dst} = choice guess"),
        I::Unknown { dst, why } => write!(out, "{dst} = unknown {}", QuotedString(why)),
        I::Assume { condition } => write!(out, "assume {condition}"),
        I::Call { dsts, callee, args } => {
            write_list(out, dsts)?;
            write!(out, "{}call ", if dsts.is_empty() { "" } else { " = " })?;
            match callee {
                Callee::Function(function) => write!(out, "{function}")?,
                Callee::Pointer(pointer) => write!(out, "*{pointer}")?,
                Callee::Builtin(builtin) => write!(out, "builtin {builtin}")?,
            }
            write!(out, "(")?;
            write_list(out, args)?;
            write!(out, ")")
        }
        I::VaStart { list } => write!(out, "vastart {list}"),
    }
}

fn write_terminator(out: &mut impl Write, terminator: &Terminator) -> fmt::Result {
    match terminator {
        Terminator::Goto(to) => write!(out, "goto {to}"),
        Terminator::Branch { condition, then, otherwise } => {
            write!(out, "branch {condition}, {then}, {otherwise}")
        }
        Terminator::Switch { value, cases, default } => {
            write!(out, "switch {value} [")?;
            for (index, (case, to)) in cases.iter().enumerate() {
                write!(out, "{}{case}: {to}", if index == 0 { "" } else { ", " })?;
            }
            write!(out, "] {default}")
        }
        Terminator::GotoAddress { address, targets } => {
            write!(out, "gotoaddress {address} [")?;
            write_list(out, targets)?;
            write!(out, "]")
        }
        Terminator::Return(values) => {
            write!(out, "return (")?;
            write_list(out, values)?;
            write!(out, ")")
        }
        Terminator::Exit(status) => write!(out, "exit {status}"),
        Terminator::Abort(why) => write!(out, "abort {}", QuotedString(why)),
        Terminator::Undefined(why) => write!(out, "undefined {}", QuotedString(why)),
        Terminator::Limit(why) => write!(out, "limit {}", QuotedString(why)),
    }
}
