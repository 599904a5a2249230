//! Undefined behaviour that a proof takes to end a run, in words: where, on which run, and what
//! compilers really do there.

use ouro_evidence::{ChoiceSource, RunInput, UndefinedBehaviour, UndefinedRun};
use ouro_model::Program;

use crate::ctype::InputTypes;
use crate::limits::LIMITS;

/// What is assumed of each place, one sentence each without a full stop; of many, the first ones and
/// how many there are.
pub fn undefined_assumptions(
    undefined: &[UndefinedBehaviour],
    program: Option<&Program>,
) -> Vec<String> {
    let types = InputTypes::of_program(program);
    let mut all: Vec<String> = undefined
        .iter()
        .take(LIMITS.undefined_lines)
        .map(|one| assumption_sentence(one, &types))
        .collect();
    if let Some(rest) = undefined.len().checked_sub(LIMITS.undefined_lines).filter(|rest| *rest > 0)
    {
        let places = if rest == 1 { "place" } else { "places" };
        all.push(format!("nothing undefined happens at {rest} more {places} either"));
    }
    all
}

/// What is assumed of one place.
pub(crate) fn assumption_sentence(undefined: &UndefinedBehaviour, types: &InputTypes) -> String {
    let UndefinedBehaviour { place, what, run } = undefined;
    let happens = match run {
        Some(run @ UndefinedRun { head: None, .. }) => {
            format!("it happens{}", run_phrase(run, types))
        }
        // Nobody has looked how the run comes to the head in that state.
        Some(run) => format!("it may happen{}", run_phrase(run, types)),
        None => "Ouro could not rule it out".to_owned(),
    };
    let what = what.strip_prefix("an ").or_else(|| what.strip_prefix("a ")).unwrap_or(what);
    format!("no {what} at {place}: {happens}. {}", compiler_behaviour(what))
}

/// On which run, in words that follow a verb.
fn run_phrase(run: &UndefinedRun, types: &InputTypes) -> String {
    let mut values: Vec<String> =
        run.variables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    values.extend(run.inputs.iter().map(|one| input_phrase(one, types)));
    let values =
        if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
    match &run.head {
        Some(head) => format!("{values} in the loop at {head}"),
        None => values,
    }
}

/// What an input is and which, in the user's words.
fn input_phrase(input: &RunInput, types: &InputTypes) -> String {
    let what = match &input.source {
        ChoiceSource::Function(name) | ChoiceSource::Allocation(name) => format!("{name}()"),
        ChoiceSource::Output(what) => crate::text::output_name(what),
        ChoiceSource::Other(what) => what.clone(),
        ChoiceSource::Guess => "a guess of the specification".to_owned(),
    };
    // Lines of the library's own files are nobody's.
    let line = match input.place.is_known() && !input.place.file.starts_with("<library>") {
        true => format!(" (line {})", input.place.line),
        false => String::new(),
    };
    match (&input.source, input.bits) {
        (ChoiceSource::Allocation(_) | ChoiceSource::Output(_), 0) => {
            format!("{what}{line} succeeding")
        }
        (ChoiceSource::Allocation(_) | ChoiceSource::Output(_), _) => {
            format!("{what}{line} failing")
        }
        _ => format!("{what}{line} = {}", types.value_text(input)),
    }
}

/// What gcc and clang really do where a program does this.
pub(crate) fn compiler_behaviour(what: &str) -> &'static str {
    let starts = |all: &[&str]| all.iter().any(|one| what.starts_with(one));
    let has = |all: &[&str]| all.iter().any(|one| what.contains(one));
    if what == "signed integer overflow" {
        "gcc and clang wrap around at -O0, although gcc rewrites some comparisons even there; at \
         -O2 they may assume that it never happens, which can make a loop endless. Use --ints wrap \
         to check what happens then"
    } else if starts(&["signed integer overflow of a quotient"]) {
        "x86 raises SIGFPE unless the divisor is the literal -1; at -O2 gcc and clang may assume \
         that it never happens. Use --ints wrap to check what happens then"
    } else if starts(&["shift by"]) {
        "x86 takes the count modulo the width; at -O2 gcc and clang may assume that it never \
         happens. Use --ints wrap to check what happens then"
    } else if starts(&["division by zero"]) {
        "x86 raises SIGFPE and other processors return a number; at -O2 gcc and clang may assume \
         that it never happens"
    } else if starts(&["null pointer for %s"]) {
        "glibc prints (null); where the compiler calls puts instead, Linux sends SIGSEGV"
    } else if has(&["null pointer"]) {
        "Linux sends SIGSEGV; at -O2 gcc and clang may assume that the pointer is not null"
    } else if has(&["uninitialised"]) {
        "The value is whatever was in that register or memory before"
    } else if starts(&["free of"]) {
        "glibc aborts or continues with a corrupted heap"
    } else if starts(&["call "]) || starts(&["a call of"]) {
        "The processor executes whatever is there, usually until SIGSEGV"
    } else if has(&["life ended"]) {
        "It reads or writes whatever is there by then"
    } else if has(&["outside of", " at offset ", " bytes in "]) {
        "It reads or writes whatever is there, including other variables, or Linux sends SIGSEGV"
    } else if has(&["which is constant", "of the code of"]) {
        "Linux sends SIGSEGV where the memory is protected"
    } else if has(&["declared unreachable", "declared not to return"]) {
        "The processor continues with whatever code comes next; at -O2 gcc and clang may remove \
         the code that leads there"
    } else if has(&["end of a function that must return"]) {
        "clang traps at -O0, gcc returns whatever is in the register; at -O2 both continue with whatever code comes next"
    } else if has(&["as another type than was passed"]) {
        "x86-64 passes floats in other registers than integers, so the value is whatever is there"
    } else if has(&["a constant local variable"]) {
        "The memory changes, but reads of the variable may still give its first value"
    } else if starts(&["recursion into the initialisation"]) {
        "libstdc++ throws __gnu_cxx::recursive_init_error, which usually ends the program"
    } else if starts(&["broken __builtin_assume"]) {
        "Nothing happens at -O0; at -O2 clang may remove code that it no longer needs"
    } else if has(&["float", "room for"]) {
        "x86 converts to a signed integer of 32 or 64 bits, or returns the smallest one if that has no room either, and \
         keeps the low bits for narrower and unsigned types; other processors return other values"
    } else if has(&["overlapping"]) {
        "The bytes are copied in an order that the C library chooses"
    } else if has(&["beyond all memory", "larger than memory"]) {
        "The address wraps around, or the stack overflows and Linux sends SIGSEGV"
    } else {
        "What happens is up to the compiler and the C library"
    }
}
