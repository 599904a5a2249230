//! A `main` that calls the asked function, when that is another one.

use ouro_evidence::{ChoiceSource, Input, Recurrence};

use super::{Subject, literal};
use crate::ctype::CType;

/// How the run gets started.
pub(super) struct Call {
    /// How many of the first inputs are arguments.
    pub(super) arguments: usize,
    /// The text of `main`; empty if the program has its own.
    pub(super) definition: String,
}

impl Call {
    pub(super) fn new(recurrence: &Recurrence, subject: &Subject<'_>) -> Call {
        let asked = subject.program.functions.iter().find(|one| one.name == subject.function);
        let (Some(function), false) = (asked, subject.function == "main") else {
            return Call { arguments: 0, definition: String::new() };
        };
        // The front end chooses arguments before anything else, outside of any source.
        let is_argument = |input: &&Input| !input.place.is_known();
        let chosen: Vec<&Input> = recurrence.inputs.iter().take_while(is_argument).collect();
        let mut types = Vec::new();
        let mut values = Vec::new();
        for param in &function.params {
            let var = &function.vars[*param];
            let ty = CType::of_model(var.ty);
            let named = |input: &&&Input| matches!(&input.source, ChoiceSource::Other(name) if *name == var.name);
            types.push(ty.name());
            // A parameter that the function never looks at is not chosen.
            values.push(match chosen.iter().find(named) {
                Some(input) => literal::of(input, ty),
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
        Call { arguments: chosen.len(), definition }
    }
}
