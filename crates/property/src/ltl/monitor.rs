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

use ouro_model::monitor::{Monitor, Step, Steps};
use ouro_model::{Event, Events, Fairness, Obligation};

use super::Property;
use super::automaton::{Automaton, State, Transition};
use super::formula::Formula;
use crate::code::{self, Code};
use crate::error::{Parsed, Place};

/// Atoms beyond this are hardly a formula that anyone wrote.
const MOST_ATOMS: usize = 32;

/// The monitor that finds runs which violate a property.
pub(crate) fn monitor(property: &Property, file: &str, name: &str) -> Parsed<Monitor> {
    let start = Place::START;
    let large =
        || start.refuse("this formula becomes too large as an automaton; split it in parts");
    if property.atoms.len() > MOST_ATOMS {
        return Err(start.refuse(format!("this formula has more than {MOST_ATOMS} expressions")));
    }
    let negation = Formula::of(&property.formula, true).ok_or_else(large)?;
    let automaton = Automaton::of(&negation).ok_or_else(large)?;
    let mut code = Code::new(file);
    code.line("static unsigned char __ouro_state;");
    atoms(property, &mut code);
    step(&automaton, &mut code);
    end(&automaton, &mut code);
    let steps = if property.formula.counts_steps() { Steps::All } else { Steps::Changes };
    let events = (0..automaton.marks).map(|_| Event {
        name: format!("what {name} must not put off forever is put off no longer"),
        span: start.span(),
    });
    let mut fairness: Vec<Fairness> = (0..automaton.marks)
        .map(|mark| Fairness {
            name: format!("a violation of {name}"),
            p: Events::Always,
            q: vec![mark],
            span: start.span(),
        })
        .collect();
    if automaton.states.is_empty() {
        // Nothing violates it: no run is one to look for.
        fairness.push(code::no_infinite_run(name, start));
    }
    Ok(Monitor {
        name: name.to_owned(),
        files: vec![file.to_owned()],
        source: code.text(),
        hooks: Vec::new(),
        start: Some("__ouro_monitor_step".to_owned()),
        step: Some(Step { function: "__ouro_monitor_step".to_owned(), steps }),
        end: Some("__ouro_monitor_end".to_owned()),
        events: events.collect(),
        obligations: vec![Obligation { name: name.to_owned(), span: start.span() }],
        fairness,
    })
}

/// A function for each atom, so that clang complains once.
fn atoms(property: &Property, code: &mut Code) {
    for (number, atom) in property.atoms.iter().enumerate() {
        code.line(&format!("static int __ouro_atom_{number}(void) {{ return !!("));
        code.quoted(&atom.text, atom.place);
        code.line("); }");
    }
}

/// `int a0 = …;` for the atoms that are needed.
fn read_atoms(needed: &BTreeSet<u32>, indent: &str, code: &mut Code) {
    for atom in needed {
        code.line(&format!("{indent}int a{atom} = __ouro_atom_{atom}();"));
    }
}

fn step(automaton: &Automaton, code: &mut Code) {
    code.line("void __ouro_monitor_step(void) {");
    code.line("  switch (__ouro_state) {");
    for (number, state) in automaton.states.iter().enumerate() {
        code.line(&format!("  case {number}: {{"));
        let mentioned = state.transitions.iter().flat_map(|t| t.holds.iter().chain(&t.fails));
        read_atoms(&mentioned.copied().collect(), "    ", code);
        state_code(automaton, number, state, code);
        code.line("  }");
    }
    code.line("  }");
    code.line("  __ouro_assume(0);");
    code.line("}");
}

/// Takes one of the transitions, or falls out of the `switch` if there is none.
fn state_code(automaton: &Automaton, number: usize, state: &State, code: &mut Code) {
    // Those that leave the state come first: a guess of 1 is then the moment at which something is
    // claimed about the rest of the run, which is what a report has to show. Of those to one state, the
    // better ones come first.
    let mut transitions: Vec<&Transition> = state.transitions.iter().collect();
    transitions.sort_by_key(|transition| {
        let stays = transition.to == number;
        (!is_universal(automaton, transition.to), stays, Reverse(transition.marks.len()))
    });
    for (index, transition) in transitions.iter().enumerate() {
        let later: Vec<&Transition> = transitions[index + 1..]
            .iter()
            .copied()
            .filter(|other| !excludes(transition, other))
            .filter(|other| !is_better(automaton, transition, other))
            .collect();
        let guard = guard(transition);
        let mut condition = guard;
        if !later.is_empty() {
            // Only where another is possible is there something to guess.
            let others: Vec<String> =
                later.iter().map(|other| format!("({})", self::guard(other))).collect();
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
            code.line(&format!("    {action}return;"));
            return;
        }
        code.line(&format!("    if ({condition}) {{ {action}return; }}"));
    }
    code.line("    break;");
}

/// Whether every word is accepted from here on.
fn is_universal(automaton: &Automaton, number: usize) -> bool {
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
fn is_better(automaton: &Automaton, one: &Transition, other: &Transition) -> bool {
    is_universal(automaton, one.to) || (one.to == other.to && other.marks.is_subset(&one.marks))
}

/// Whether no letter allows both.
fn excludes(a: &Transition, b: &Transition) -> bool {
    !a.holds.is_disjoint(&b.fails) || !a.fails.is_disjoint(&b.holds)
}

/// The condition of a transition. No bits are combined: mathematical integers have none, and branches on
/// single comparisons are the conditions that proofs are made of.
fn guard(transition: &Transition) -> String {
    let holds = transition.holds.iter().map(|atom| format!("a{atom}"));
    let fails = transition.fails.iter().map(|atom| format!("!a{atom}"));
    let parts: Vec<String> = holds.chain(fails).collect();
    if parts.is_empty() { "1".to_owned() } else { parts.join(" && ") }
}

/// Judges a run that ends.
fn end(automaton: &Automaton, code: &mut Code) {
    code.line("void __ouro_monitor_end(int __ouro_return) {");
    code.line("  switch (__ouro_state) {");
    for (number, state) in automaton.states.iter().enumerate() {
        let judged = state.rest.on_constant_word();
        let mut mentioned = BTreeSet::new();
        collect_atoms(&judged, &mut mentioned);
        code.line(&format!("  case {number}: {{"));
        read_atoms(&mentioned, "    ", code);
        code.line(&format!("    if ({}) __ouro_violation(0);", condition(&judged)));
        code.line("    return;");
        code.line("  }");
    }
    code.line("  }");
    code.line("}");
}

fn collect_atoms(formula: &Formula, into: &mut BTreeSet<u32>) {
    match formula {
        Formula::Literal { atom, .. } => drop(into.insert(*atom)),
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| collect_atoms(part, into));
        }
        _ => {}
    }
}

/// A formula without anything temporal, in C.
fn condition(formula: &Formula) -> String {
    let all = |parts: &[Formula], sign: &str| {
        let parts: Vec<String> =
            parts.iter().map(|part| format!("({})", condition(part))).collect();
        parts.join(sign)
    };
    match formula {
        Formula::True => "1".to_owned(),
        Formula::Literal { atom, positive: true } => format!("a{atom}"),
        Formula::Literal { atom, positive: false } => format!("!a{atom}"),
        Formula::And(parts) => all(parts, " && "),
        Formula::Or(parts) => all(parts, " || "),
        // `on_constant_word` leaves nothing else.
        Formula::False | Formula::Next(_) | Formula::Until(..) | Formula::Release(..) => {
            "0".to_owned()
        }
    }
}
