//! A specification as text that reads back as the same.

use std::fmt::{self, Display, Formatter};

use super::{
    BranchCondition, GuardedPattern, ProgramPointPattern, SlicSpecification, SlicStatement,
    TransferFunction,
};

impl Display for SlicSpecification {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("state {")?;
        for field in &self.state {
            write!(f, "\n    {} {}", field.ctype.text, field.name.text)?;
            if let Some(initial) = &field.initial {
                write!(f, " = {}", initial.text)?;
            }
            f.write_str(";")?;
        }
        f.write_str(if self.state.is_empty() { "}\n" } else { "\n}\n" })?;
        for transfer in &self.transfers {
            f.write_str("\n")?;
            print_transfer(transfer, 0, f)?;
        }
        for obligation in &self.obligations {
            writeln!(f, "\nobligation \"{}\" {{", obligation.name.text)?;
            for transfer in &obligation.transfers {
                print_transfer(transfer, 1, f)?;
            }
            f.write_str("}\n")?;
        }
        for constraint in &self.fairness {
            match &constraint.name {
                Some(name) => writeln!(f, "\nfairness \"{}\" {{", name.text)?,
                None => f.write_str("\nfairness {\n")?,
            }
            for GuardedPattern { pattern, condition } in [&constraint.p, &constraint.q] {
                writeln!(f, "    {pattern} {{ {} }}", condition.text)?;
            }
            f.write_str("}\n")?;
        }
        Ok(())
    }
}

impl Display for ProgramPointPattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ProgramPointPattern::Entry(name) => write!(f, "{}.entry", name.text),
            ProgramPointPattern::Exit(name) => write!(f, "{}.exit", name.text),
            ProgramPointPattern::Any(_) => f.write_str("any"),
        }
    }
}

fn print_transfer(transfer: &TransferFunction, depth: usize, f: &mut Formatter<'_>) -> fmt::Result {
    let patterns: Vec<String> = transfer.patterns.iter().map(ToString::to_string).collect();
    let optional = if transfer.optional { "optional " } else { "" };
    writeln!(f, "{:indent$}{optional}{} {{", "", patterns.join(", "), indent = depth * 4)?;
    print_statements(&transfer.body, depth + 1, f)?;
    writeln!(f, "{:indent$}}}", "", indent = depth * 4)
}

fn print_statements(
    statements: &[SlicStatement],
    depth: usize,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let indent = depth * 4;
    for statement in statements {
        write!(f, "{:indent$}", "")?;
        match statement {
            SlicStatement::Assign(target, value) => {
                writeln!(f, "{} = {};", target.text, value.text)?;
            }
            SlicStatement::Error(_) => f.write_str("error();\n")?,
            SlicStatement::Set(_) => f.write_str("set();\n")?,
            SlicStatement::Unset(_) => f.write_str("unset();\n")?,
            SlicStatement::Return(_) => f.write_str("return;\n")?,
            SlicStatement::If(condition, then, otherwise) => {
                match condition {
                    BranchCondition::Nondet(_) => f.write_str("if (nondet()) {\n")?,
                    BranchCondition::Expression(text) => writeln!(f, "if ({}) {{", text.text)?,
                }
                print_statements(then, depth + 1, f)?;
                if !otherwise.is_empty() {
                    writeln!(f, "{:indent$}}} else {{", "")?;
                    print_statements(otherwise, depth + 1, f)?;
                }
                writeln!(f, "{:indent$}}}", "")?;
            }
        }
    }
    Ok(())
}
