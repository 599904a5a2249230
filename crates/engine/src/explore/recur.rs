//! From a suspected recurrence to evidence: inputs, found by the solver and tried out on the
//! concrete machine before anybody hears of them.

use ouro_evidence::{Evidence, Explanation, Input, Place, Recurrence};
use ouro_machine::concrete::{self, Concrete, Inputs};
use ouro_machine::path::SymbolIndex;
use ouro_machine::{Machine, State, Value};
use ouro_model::{Program, VarKind};
use ouro_solver::{Answer, Session};
use ouro_term::{Assignment, Evaluator, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

use super::symbolic::Choices;

/// Two moments of a run at which the state may be the same.
pub(crate) struct Suspicion<'a> {
    pub(crate) first_step: u64,
    pub(crate) second_step: u64,
    /// Choices made before the first moment.
    pub(crate) first_choices: usize,
    /// Choices made before the second.
    pub(crate) choices: &'a Choices,
    /// Everything that must hold.
    pub(crate) conditions: Vec<Term>,
}

/// Values for all symbols, part by part: conditions that share no symbol are independent.
pub(crate) fn solve(
    session: &mut Session,
    index: &mut SymbolIndex,
    terms: &Terms,
    conditions: &[Term],
) -> Answer {
    let mut parent: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
    fn root(parent: &mut FxHashMap<SymbolId, SymbolId>, of: SymbolId) -> SymbolId {
        let mut at = of;
        while let Some(&up) = parent.get(&at).filter(|up| **up != at) {
            at = up;
        }
        parent.insert(of, at);
        at
    }
    for condition in conditions {
        let symbols = index.of(terms, *condition);
        for pair in symbols.windows(2) {
            let (a, b) = (root(&mut parent, pair[0]), root(&mut parent, pair[1]));
            parent.insert(a, b);
            parent.entry(b).or_insert(b);
        }
    }
    let mut parts: FxHashMap<Option<SymbolId>, Vec<Term>> = FxHashMap::default();
    let mut order = Vec::new();
    for condition in conditions {
        let key = index.of(terms, *condition).first().map(|s| root(&mut parent, *s));
        let part = parts.entry(key).or_default();
        if part.is_empty() {
            order.push(key);
        }
        part.push(*condition);
    }
    let mut values = Assignment::new();
    for key in order {
        match session.check(terms, &parts[&key]) {
            Answer::Sat(found) => {
                for symbol in found.symbols() {
                    values.set(symbol, found.get(symbol).expect("listed").clone());
                }
            }
            other => return other,
        }
    }
    Answer::Sat(values)
}

/// Tries a suspicion out; `None` if it does not hold.
pub(crate) fn confirm(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    values: &Assignment,
    suspicion: &Suspicion<'_>,
) -> Option<(Evidence, Explanation)> {
    if suspicion.first_step >= suspicion.second_step {
        return None;
    }
    let choices = suspicion.choices.in_order();
    let bits: Vec<u128> = {
        let mut evaluator = Evaluator::new(terms, values);
        choices
            .iter()
            .map(|c| evaluator.value(c.symbol).and_then(|v| v.as_bv()).unwrap_or(0))
            .collect()
    };
    let mut silent = |_: u32, _: &[u8]| {};
    let mut surroundings = Concrete::new(Inputs::new(bits.clone()), &mut silent);
    let mut state = machine.start();
    let until = suspicion.first_step;
    if concrete::run(machine, terms, &mut surroundings, &mut state, until).is_some() {
        return None;
    }
    if surroundings.inputs.taken() != suspicion.first_choices {
        return None;
    }
    let first = state.clone();
    state.low = state.depth();
    let mut cycle = Vec::new();
    while state.steps < suspicion.second_step {
        if cycle.len() < 1000 {
            let place = Place::of(program, state.position().0, machine.place(&state));
            if place.is_known() && cycle.last() != Some(&place) {
                cycle.push(place);
            }
            let next = state.steps + 1;
            if concrete::run(machine, terms, &mut surroundings, &mut state, next).is_some() {
                return None;
            }
        } else if concrete::run(
            machine,
            terms,
            &mut surroundings,
            &mut state,
            suspicion.second_step,
        )
        .is_some()
        {
            return None;
        }
    }
    if surroundings.undecided {
        return None;
    }
    let frames = first.depth() - state.low.min(first.depth()) + 1;
    if state.depth() < first.depth() || !machine.same(&first, &state, frames) {
        return None;
    }
    let place = head(program, machine, &first, &cycle);
    let inputs = choices
        .iter()
        .zip(bits)
        .map(|(choice, bits)| Input {
            bits,
            width: choice.width,
            source: choice.source.clone(),
            place: Place {
                file: program.files.get(choice.span.file.0 as usize).cloned().unwrap_or_default(),
                line: choice.span.line,
                function: String::new(),
            },
        })
        .collect();
    let evidence = Evidence::Recurs(Recurrence {
        inputs,
        first_step: suspicion.first_step,
        second_step: suspicion.second_step,
        cycle_inputs: suspicion.first_choices,
        place,
        recursion: state.depth() > first.depth(),
    });
    let explanation = Explanation {
        variables: variables(program, machine, &first),
        cycle: shorten(cycle),
        ..Explanation::default()
    };
    Some((evidence, explanation))
}

/// Where to point at: the place of the first state if it is the user's, else the first of the
/// user's places in the cycle.
fn head(program: &Program, machine: &Machine, state: &State, cycle: &[Place]) -> Place {
    let user = |place: &Place| {
        place.is_known() && program.functions.iter().any(|f| f.user && f.name == place.function)
    };
    let here = Place::of(program, state.position().0, machine.place(state));
    if user(&here) {
        return here;
    }
    cycle.iter().find(|p| user(p)).cloned().unwrap_or(here)
}

/// Each place once, in the order met.
fn shorten(cycle: Vec<Place>) -> Vec<Place> {
    let mut seen = Vec::new();
    for place in cycle {
        if !seen.contains(&place) {
            seen.push(place);
        }
        if seen.len() == 40 {
            break;
        }
    }
    seen
}

/// The user's variables in a concrete state.
fn variables(program: &Program, machine: &Machine, state: &State) -> Vec<(String, String)> {
    let function = &program.functions[state.position().0];
    machine
        .variables(state)
        .into_iter()
        .filter(|(var, _)| function.vars[*var].kind == VarKind::User)
        .filter(|(var, _)| !function.vars[*var].name.is_empty())
        .filter_map(|(var, value)| {
            let var = &function.vars[var];
            Some((var.name.clone(), shown(var.ty, value)?))
        })
        .collect()
}

fn shown(ty: ouro_model::Type, value: Value) -> Option<String> {
    let bits = value.bits()?;
    match ty {
        ouro_model::Type::Int(width) if width <= 64 => {
            let unused = 64 - width;
            let signed = ((bits << unused) as i64) >> unused;
            // The model does not say which of the two the user means.
            Some(if signed < 0 {
                format!("{signed} ({bits} if unsigned)")
            } else {
                bits.to_string()
            })
        }
        ouro_model::Type::Float(64) => Some(f64::from_bits(bits).to_string()),
        ouro_model::Type::Float(32) => Some(f32::from_bits(bits as u32).to_string()),
        ouro_model::Type::Ptr if bits == 0 => Some("NULL".to_owned()),
        _ => None,
    }
}
