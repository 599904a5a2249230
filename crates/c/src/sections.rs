//! Objects in sections that the linker and the loader give a meaning: addresses of functions that run before or after
//! `main`, and code between theirs.

use crate::llvm::LlvmValue;
use crate::lower::LlvmLowering;

/// Sections with addresses of functions, also with a priority behind a dot.
const LISTS: [&str; 5] = [".preinit_array", ".init_array", ".ctors", ".fini_array", ".dtors"];
/// Sections with code.
const CODE: [&str; 2] = [".init", ".fini"];

/// The section of an object or function, if what is in it runs without being called.
fn running_section(value: LlvmValue<'_>) -> Option<String> {
    let section = value.section()?;
    let is_list = LISTS.iter().any(|list| {
        section.strip_prefix(list).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    (is_list || CODE.contains(&section.as_str())).then_some(section)
}

impl<'c> LlvmLowering<'c> {
    /// The definitions of the user in such sections.
    pub(crate) fn running_definitions(&self) -> Vec<(LlvmValue<'c>, String)> {
        let all = self.user.globals().into_iter().chain(self.user.functions());
        let defined = all.filter(|value| !value.is_declaration());
        defined.filter_map(|value| Some((value, running_section(value)?))).collect()
    }

    /// Why the program cannot be run from its start: nobody says what such functions are given and when they run.
    pub(crate) fn note_running_sections(&mut self) {
        for (value, section) in self.running_definitions() {
            self.broken.push(format!("{} in section {section}", value.name()));
        }
    }
}
