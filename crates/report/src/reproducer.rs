//! A C file that makes the program hang: it defines the functions that the program reads its inputs
//! with, so that they return the values of the evidence, in order, and then those of the cycle
//! forever.
//!
//! It covers functions that the program only asks for a value. What else the environment decides
//! (an uninitialised variable, `argc`, an allocation that fails) no other file can arrange, but for output
//! that fails: that is
//! said in the comment on top, with what to do by hand. Functions and objects that the program names
//! and nobody defines get a weak definition, so that it links.

mod call;
mod literal;
mod missing;
mod output;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ouro_evidence::{ChoiceSource, RunInput, StateRecurrence};
use ouro_model::{Instruction, MissingSymbol, MissingSymbolKind, Program};

use crate::ctype::{CType, InputTypes};
use call::ReproducerCall;

/// Which program is to hang.
#[derive(Clone, Copy, Debug)]
pub struct ReproducedProgram<'a> {
    /// The program, to learn the types of its inputs from.
    pub program: &'a Program,
    /// Its source files, as the user named them.
    pub files: &'a [String],
    /// Where the run starts.
    pub function: &'a str,
    /// Options that the compiler needs.
    pub options: &'a [String],
    /// The name of the file that the reproducer will be in.
    pub name: &'a str,
    /// What a linker would miss.
    pub missing: &'a [MissingSymbol],
}

/// The text of the reproducer.
pub fn reproducer_source(recurrence: &StateRecurrence, subject: &ReproducedProgram<'_>) -> String {
    let externs = extern_functions(subject);
    let mut initial = missing::InitialValues::default();
    let mut streams: BTreeMap<&str, ReturnedStream<'_>> = BTreeMap::new();
    let mut notes = Vec::new();
    let types = InputTypes::of_program(Some(subject.program));
    let call = ReproducerCall::new(recurrence, subject);
    let output = output::required_output_failure(&recurrence.inputs[call.arguments..]);
    let looks_at_errno = subject.program.functions.iter().any(|f| f.name == "__errno_location");
    for (index, input) in recurrence.inputs.iter().enumerate().skip(call.arguments) {
        let repeats = index >= recurrence.cycle_inputs;
        match &input.source {
            ChoiceSource::Function(name) => match result_type(name, input, &externs) {
                Some(ty) => {
                    let stream = streams.entry(name).or_insert_with(|| ReturnedStream::new(ty));
                    stream.values.push(input);
                    stream.repeated += usize::from(repeats);
                }
                None if name == "errno" && !looks_at_errno => {}
                None if output.brings_about(input) => {}
                None => notes.extend(manual_note(input, repeats, &types)),
            },
            ChoiceSource::Output(_) if output.brings_about(input) => {}
            ChoiceSource::Other(_) if initial.take_input(input, subject.missing) => {}
            ChoiceSource::Allocation(_)
            | ChoiceSource::Output(_)
            | ChoiceSource::Other(_)
            | ChoiceSource::Guess => {
                notes.extend(manual_note(input, repeats, &types));
            }
        }
    }
    let mut out = heading_comment(recurrence, subject, &notes);
    for (name, stream) in &streams {
        out += &stream.definition(name);
    }
    let defined = streams.keys().copied().collect();
    out += &missing::missing_definitions(subject.missing, &defined, &externs, &initial);
    out += output.definition();
    out += &call.definition;
    out + HELPERS
}

/// What SV-COMP's programs expect to find when they are linked.
const HELPERS: &str = "
/* SV-COMP's helpers, for programs that do not define them. */
extern void exit(int);
extern void abort(void);
__attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
__attribute__((weak)) void __VERIFIER_assert(int condition) { if (!condition) abort(); }
__attribute__((weak)) void __VERIFIER_error(void) { abort(); }
__attribute__((weak)) void __VERIFIER_atomic_begin(void) {}
__attribute__((weak)) void __VERIFIER_atomic_end(void) {}
__attribute__((weak)) void reach_error(void) { abort(); }
";

/// The values that one function returns.
struct ReturnedStream<'a> {
    ty: CType,
    values: Vec<&'a RunInput>,
    /// How many of the last ones repeat.
    repeated: usize,
}

impl<'a> ReturnedStream<'a> {
    fn new(ty: CType) -> ReturnedStream<'a> {
        ReturnedStream { ty, values: Vec::new(), repeated: 0 }
    }

    fn definition(&self, name: &str) -> String {
        let ty = self.ty.name();
        let count = self.values.len();
        let literals: Vec<String> =
            self.values.iter().map(|input| literal::c_literal(input, self.ty)).collect();
        let mut out = format!("\n{}{} {{\n", declare_name(ty, name), parameter_list(name));
        if literals.iter().all(|literal| *literal == literals[0]) {
            return out + &format!("  return {};\n}}\n", literals[0]);
        }
        out += &format!("  static const {} {{", declare_name(ty, "values[] ="));
        let mut column = usize::MAX;
        for literal in &literals {
            if column.saturating_add(literal.len()) > 90 {
                out += "\n    ";
                column = 4;
            }
            column += literal.len() + 2;
            let _ = write!(out, "{literal}, ");
        }
        out.truncate(out.trim_end().len());
        out += "\n  };\n  static unsigned long next;\n";
        let _ = writeln!(out, "  {} = values[next];", declare_name(ty, "value"));
        // Once all are used up, the cycle's come again; without any, nobody asks again.
        let (again, why) = match self.repeated {
            0 => (count - 1, ""),
            repeated => (count - repeated, " /* the cycle */"),
        };
        let _ = writeln!(out, "  if (++next == {count})\n    next = {again};{why}");
        out + "  return value;\n}\n"
    }
}

/// `type name`, with a pointer's star at the name.
fn declare_name(ty: &str, name: &str) -> String {
    if ty.ends_with('*') { format!("{ty}{name}") } else { format!("{ty} {name}") }
}

fn parameter_list(name: &str) -> &'static str {
    match name {
        "getc" | "fgetc" => "(void *stream)",
        _ if CType::of_function(name).is_some() => "(void)",
        // The arguments do not matter, and an old-style definition takes any.
        _ => "()",
    }
}

/// The type that a function has to return this input with, if returning it is all that the function
/// does. What the C library's functions do besides, this file does not imitate.
fn result_type(name: &str, input: &RunInput, externs: &ExternFunctions<'_>) -> Option<CType> {
    let ty = match (CType::of_function(name), externs.get(name)) {
        (Some(ty), _) => ty,
        (None, Some(of)) if of.library => return None,
        (None, Some(of)) => of.ty,
        (None, None) => CType::integer_of_width(input.width),
    };
    (input.width <= 64 || matches!(ty, CType::Integer(..))).then_some(ty)
}

/// The functions that a program gets inputs from.
type ExternFunctions<'a> = BTreeMap<&'a str, ExternFunction>;

struct ExternFunction {
    ty: CType,
    /// Whether the C library has it.
    library: bool,
}

fn extern_functions<'a>(subject: &ReproducedProgram<'a>) -> ExternFunctions<'a> {
    let missing: BTreeSet<&str> = subject.missing.iter().map(|one| one.name.as_str()).collect();
    let mut externs = BTreeMap::new();
    for function in subject.program.functions.iter() {
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let Instruction::Choice { dst, source: ChoiceSource::Function(name) } =
                &statement.instruction
            else {
                continue;
            };
            let ty = CType::of_model(function.vars[*dst].ty);
            // Ouro's own library has the C library's functions; the front end's stubs, which are
            // not the user's either, stand for functions that are missing.
            let library = !function.user
                && !name.starts_with("__VERIFIER")
                && !missing.contains(name.as_str());
            externs.entry(name.as_str()).or_insert(ExternFunction { ty, library });
        }
    }
    externs
}

/// What the user has to arrange by hand, if anything.
fn manual_note(input: &RunInput, repeats: bool, types: &InputTypes) -> Option<String> {
    let again = if repeats { ", each time" } else { "" };
    let place = match input.place.is_known() {
        true => format!("{}: ", input.place),
        false => String::new(),
    };
    let value = types.value_text(input);
    match &input.source {
        ChoiceSource::Function(name) => {
            Some(format!("{place}{name}() has to deliver {value}{again}"))
        }
        ChoiceSource::Allocation(name) => {
            (input.bits != 0).then(|| format!("{place}{name}() has to fail{again}"))
        }
        ChoiceSource::Output(what) => (input.bits != 0)
            .then(|| format!("{place}{} has to fail{again}", crate::text::output_name(what))),
        ChoiceSource::Other(what) => Some(format!("{place}{what} has to be {value}{again}")),
        // The program never sees it.
        ChoiceSource::Guess => None,
    }
}

fn heading_comment(
    recurrence: &StateRecurrence,
    subject: &ReproducedProgram<'_>,
    notes: &[String],
) -> String {
    let kind = if recurrence.recursion { "recursion" } else { "loop" };
    let mut command = "gcc ".to_owned();
    if subject.program.target.pointer_bits == 32 {
        command += "-m32 ";
    }
    for word in subject.options.iter().chain(subject.files) {
        command += &format!("{} ", quote_shell_word(word));
    }
    let mathematics = subject.missing.iter().any(|one| one.kind == MissingSymbolKind::Mathematics);
    let libraries = if mathematics { " -lm" } else { "" };
    command += &format!("{} -o hang{libraries} && ./hang", quote_shell_word(subject.name));
    let mut lines = vec![
        format!("With these inputs the {kind} at {} never ends.", recurrence.place),
        String::new(),
        format!("    {command}"),
    ];
    // A loop that reads thousands of bytes would say the same thing thousands of times.
    let mut seen = BTreeSet::new();
    let notes: Vec<&String> = notes.iter().filter(|note| seen.insert(note.as_str())).collect();
    if !notes.is_empty() {
        lines.push(String::new());
        lines.push("This file cannot set up the following; do it by hand:".to_owned());
        lines.extend(notes.iter().map(|note| format!("  - {note}")));
    }
    let mut out = String::from("/*");
    for line in lines {
        // A file name must not end the comment.
        out += format!(" {}", line.replace("*/", "* /")).trim_end();
        out += "\n *";
    }
    out + "/\n"
}

/// A word of a shell command.
fn quote_shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
