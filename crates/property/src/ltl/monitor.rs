//! The automaton of the negated formula as C code that runs with the program.
//!
//! A run of the program is a word: its letters are what the atoms are at the start of `main` and after
//! every step. The code keeps the automaton's state and takes one transition in each step; where there
//! are several it guesses, where there is none the run is cut off: it cannot violate the formula in the
//! way that was guessed. What is left is judged:
//!
//! - a run that never ends violates the formula if it passes every mark infinitely often,
//! - a run that ends violates it if the rest is satisfied by the last letter, repeated forever,
//! - a run after which every continuation violates the formula does so at once.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use ouro_model::monitor::{Monitor, MonitorStep, MonitorStepFrequency};
use ouro_model::{CompassionPair, EventTrigger, FairnessEvent, MonitorObligation};

use super::LtlProperty;
use super::automaton::{AutomatonState, AutomatonTransition, BuchiAutomaton};
use super::formula::NegationNormalForm;
use crate::code::{self, MonitorCode};
use crate::error::{SpecificationPlace, SpecificationResult};
use crate::limits::LIMITS;

/// The monitor that finds runs which violate a property.
pub(crate) fn make_formula_monitor(
    property: &LtlProperty,
    file: &str,
    name: &str,
) -> SpecificationResult<Monitor> {
    let start = SpecificationPlace::START;
    let large = || {
        start.refuse(
            "the automaton of this formula becomes too large; split the formula into \
             parts",
        )
    };
    if property.atoms.len() > LIMITS.formula_expressions {
        return Err(start.refuse(format!(
            "this formula has more than {} expressions",
            LIMITS.formula_expressions
        )));
    }
    let negation = NegationNormalForm::of_ltl(&property.formula, true).ok_or_else(large)?;
    let automaton = BuchiAutomaton::of_formula(&negation).ok_or_else(large)?;
    let mut code = MonitorCode::new(file);
    code.push_line("static unsigned char __ouro_state;");
    write_atom_functions(property, &mut code);
    write_step_function(&automaton, &mut code);
    write_end_function(&automaton, &mut code);
    let steps = if property.formula.counts_steps() {
        MonitorStepFrequency::All
    } else {
        MonitorStepFrequency::Changes
    };
    let events = (0..automaton.marks).map(|_| FairnessEvent {
        name: format!("what {name} must not put off forever is put off no longer"),
        span: start.span(),
    });
    let mut fairness: Vec<CompassionPair> = (0..automaton.marks)
        .map(|mark| CompassionPair {
            name: format!("a violation of {name}"),
            p: EventTrigger::Always,
            q: vec![mark],
            span: start.span(),
        })
        .collect();
    if automaton.states.is_empty() {
        // Nothing violates it: no run is one to look for.
        fairness.push(code::finite_runs_only_pair(name, start));
    }
    Ok(Monitor {
        name: name.to_owned(),
        files: vec![file.to_owned()],
        source: code.into_text(),
        hooks: Vec::new(),
        start: Some("__ouro_monitor_step".to_owned()),
        step: Some(MonitorStep { function: "__ouro_monitor_step".to_owned(), steps }),
        end: Some("__ouro_monitor_end".to_owned()),
        events: events.collect(),
        obligations: vec![MonitorObligation { name: name.to_owned(), span: start.span() }],
        fairness,
    })
}

/// A function for each atom, so that clang complains once.
fn write_atom_functions(property: &LtlProperty, code: &mut MonitorCode) {
    for (number, atom) in property.atoms.iter().enumerate() {
        code.push_line(&format!("static int __ouro_atom_{number}(void) {{ return !!("));
        code.push_quoted(&atom.text, atom.place);
        code.push_line("); }");
    }
}

/// `int a0 = …;` for the atoms that are needed.
fn write_atom_reads(needed: &BTreeSet<u32>, indent: &str, code: &mut MonitorCode) {
    for atom in needed {
        code.push_line(&format!("{indent}int a{atom} = __ouro_atom_{atom}();"));
    }
}

fn write_step_function(automaton: &BuchiAutomaton, code: &mut MonitorCode) {
    code.push_line("void __ouro_monitor_step(void) {");
    code.push_line("  switch (__ouro_state) {");
    for (number, state) in automaton.states.iter().enumerate() {
        code.push_line(&format!("  case {number}: {{"));
        let mentioned = state.transitions.iter().flat_map(|t| t.holds.iter().chain(&t.fails));
        write_atom_reads(&mentioned.copied().collect(), "    ", code);
        write_state_code(automaton, number, state, code);
        code.push_line("  }");
    }
    code.push_line("  }");
    code.push_line("  __ouro_assume(0);");
    code.push_line("}");
}

/// Takes one of the transitions, or falls out of the `switch` if there is none.
fn write_state_code(
    automaton: &BuchiAutomaton,
    number: usize,
    state: &AutomatonState,
    code: &mut MonitorCode,
) {
    // Those that leave the state come first: a guess of 1 is then the moment at which something is
    // claimed about the rest of the run, which is what a report has to show. Of those to one state, the
    // better ones come first.
    let mut transitions: Vec<&AutomatonTransition> = state.transitions.iter().collect();
    transitions.sort_by_key(|transition| {
        let stays = transition.to == number;
        (!is_universal(automaton, transition.to), stays, Reverse(transition.marks.len()))
    });
    for (index, transition) in transitions.iter().enumerate() {
        let later: Vec<&AutomatonTransition> = transitions[index + 1..]
            .iter()
            .copied()
            .filter(|other| !are_exclusive(transition, other))
            .filter(|other| !makes_redundant(automaton, transition, other))
            .collect();
        let guard = guard_text(transition);
        let mut condition = guard;
        if !later.is_empty() {
            // Only where another is possible is there something to guess.
            let others: Vec<String> =
                later.iter().map(|other| format!("({})", guard_text(other))).collect();
            let choice = if others.iter().any(|other| other == "(1)") {
                "__ouro_guess()".to_owned()
            } else {
                format!("(!({}) || __ouro_guess())", others.join(" || "))
            };
            condition =
                if condition == "1" { choice } else { format!("({condition}) && {choice}") };
        }
        let mut action = String::new();
        for mark in &transition.marks {
            let _ = write!(action, "__ouro_event({mark}); ");
        }
        if is_universal(automaton, transition.to) {
            action.push_str("__ouro_violation(0); ");
        } else if transition.to != number {
            let _ = write!(action, "__ouro_state = {}; ", transition.to);
        }
        if condition == "1" {
            code.push_line(&format!("    {action}return;"));
            return;
        }
        code.push_line(&format!("    if ({condition}) {{ {action}return; }}"));
    }
    code.push_line("    break;");
}

/// Whether every word is accepted from here on.
fn is_universal(automaton: &BuchiAutomaton, number: usize) -> bool {
    let all = usize::try_from(automaton.marks).unwrap_or(usize::MAX);
    automaton.states[number].transitions.iter().any(|transition| {
        transition.to == number
            && transition.holds.is_empty()
            && transition.fails.is_empty()
            && transition.marks.len() == all
    })
}

/// Whether one transition never has to be taken where the other can be: after the other every word is
/// accepted, or it goes to the same state and passes no fewer marks. Then there is nothing to guess.
fn makes_redundant(
    automaton: &BuchiAutomaton,
    one: &AutomatonTransition,
    other: &AutomatonTransition,
) -> bool {
    is_universal(automaton, one.to) || (one.to == other.to && other.marks.is_subset(&one.marks))
}

/// Whether no letter allows both.
fn are_exclusive(a: &AutomatonTransition, b: &AutomatonTransition) -> bool {
    !a.holds.is_disjoint(&b.fails) || !a.fails.is_disjoint(&b.holds)
}

/// The condition of a transition. No bits are combined: mathematical integers have none, and branches on
/// single comparisons are the conditions that proofs are made of.
fn guard_text(transition: &AutomatonTransition) -> String {
    let holds = transition.holds.iter().map(|atom| format!("a{atom}"));
    let fails = transition.fails.iter().map(|atom| format!("!a{atom}"));
    let parts: Vec<String> = holds.chain(fails).collect();
    if parts.is_empty() { "1".to_owned() } else { parts.join(" && ") }
}

/// Judges a run that ends.
fn write_end_function(automaton: &BuchiAutomaton, code: &mut MonitorCode) {
    code.push_line("void __ouro_monitor_end(int __ouro_return) {");
    code.push_line("  switch (__ouro_state) {");
    for (number, state) in automaton.states.iter().enumerate() {
        let judged = state.rest.on_constant_word();
        let mut mentioned = BTreeSet::new();
        collect_atoms(&judged, &mut mentioned);
        code.push_line(&format!("  case {number}: {{"));
        write_atom_reads(&mentioned, "    ", code);
        code.push_line(&format!("    if ({}) __ouro_violation(0);", condition_text(&judged)));
        code.push_line("    return;");
        code.push_line("  }");
    }
    code.push_line("  }");
    code.push_line("}");
}

fn collect_atoms(formula: &NegationNormalForm, into: &mut BTreeSet<u32>) {
    match formula {
        NegationNormalForm::Literal { atom, .. } => drop(into.insert(*atom)),
        NegationNormalForm::And(parts) | NegationNormalForm::Or(parts) => {
            parts.iter().for_each(|part| collect_atoms(part, into));
        }
        _ => {}
    }
}

/// A formula without anything temporal, in C.
fn condition_text(formula: &NegationNormalForm) -> String {
    let all = |parts: &[NegationNormalForm], sign: &str| {
        let parts: Vec<String> =
            parts.iter().map(|part| format!("({})", condition_text(part))).collect();
        parts.join(sign)
    };
    match formula {
        NegationNormalForm::True => "1".to_owned(),
        NegationNormalForm::Literal { atom, positive: true } => format!("a{atom}"),
        NegationNormalForm::Literal { atom, positive: false } => format!("!a{atom}"),
        NegationNormalForm::And(parts) => all(parts, " && "),
        NegationNormalForm::Or(parts) => all(parts, " || "),
        // `on_constant_word` leaves nothing else.
        NegationNormalForm::False
        | NegationNormalForm::Next(_)
        | NegationNormalForm::Until(..)
        | NegationNormalForm::Release(..) => "0".to_owned(),
    }
}
