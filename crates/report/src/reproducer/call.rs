//! A `main` that calls the asked function, when that is another one.

use ouro_evidence::{ChoiceSource, RunInput, StateRecurrence};

use super::{ReproducedProgram, literal};
use crate::ctype::CType;

/// How the run gets started.
pub(super) struct ReproducerCall {
    /// How many of the first inputs are arguments.
    pub(super) arguments: usize,
    /// The text of `main`; empty if the program has its own.
    pub(super) definition: String,
}

impl ReproducerCall {
    pub(super) fn new(
        recurrence: &StateRecurrence,
        subject: &ReproducedProgram<'_>,
    ) -> ReproducerCall {
        let asked = subject.program.functions.iter().find(|one| one.name == subject.function);
        let (Some(function), false) = (asked, subject.function == "main") else {
            return ReproducerCall { arguments: 0, definition: String::new() };
        };
        // The front end chooses arguments before anything else, outside of any source.
        let is_argument = |input: &&RunInput| !input.place.is_known();
        let chosen: Vec<&RunInput> = recurrence.inputs.iter().take_while(is_argument).collect();
        let mut types = Vec::new();
        let mut values = Vec::new();
        for param in &function.params {
            let var = &function.vars[*param];
            let ty = CType::of_model(var.ty);
            let named = |input: &&&RunInput| matches!(&input.source, ChoiceSource::Other(name) if *name == var.name);
            types.push(ty.name());
            // A parameter that the function never looks at is not chosen.
            values.push(match chosen.iter().find(named) {
                Some(input) => literal::c_literal(input, ty),
                None => "0".to_owned(),
            });
        }
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let name = subject.function;
        let definition = format!(
            "\n/* The run starts in {name}(); a main() of the program would take precedence. */\n\
             extern void {name}({types});\n\
             __attribute__((weak)) int main(void) {{\n  {name}({});\n  return 0;\n}}\n",
            values.join(", ")
        );
        ReproducerCall { arguments: chosen.len(), definition }
    }
}
