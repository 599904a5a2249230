//! Runs a program with its monitor on given inputs, and on many ways to guess.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ouro_machine::{
    ChoiceRequest, Machine, MachineStop, MachineValue, OverflowSemantics, Provenance, RunEnd,
    RunEnvironment,
};
use ouro_model::{ChoiceSource, Monitor, Program};
use ouro_term::{Sort, Term, TermStore};

/// A program of these files with a monitor.
pub(crate) fn compiled(files: &[(&str, &str)], monitor: &Monitor) -> Result<Program, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> = files
        .iter()
        .map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a writable folder");
            path
        })
        .collect();
    let options = ouro_c::CompileOptions {
        monitor: Some(monitor.clone()),
        ..ouro_c::CompileOptions::default()
    };
    ouro_c::compile_program(&paths, &options)
        .map(|compiled| compiled.program)
        .map_err(|e| e.to_string())
}

/// How long a run that does not end is watched.
const STEPS: u64 = 20_000;

/// A way to guess.
#[derive(Clone, Copy, Debug)]
enum Guesses {
    /// So many of the first, then the second forever.
    Then(bool, usize, bool),
    /// One that differs from all others, at this place.
    Once(bool, usize),
}

impl Guesses {
    fn at(self, place: usize) -> bool {
        match self {
            Guesses::Then(first, count, then) => {
                if place < count {
                    first
                } else {
                    then
                }
            }
            Guesses::Once(one, at) => (place == at) == one,
        }
    }

    fn all() -> Vec<Guesses> {
        let mut all = Vec::new();
        for at in 0..24 {
            all.extend([false, true].map(|one| Guesses::Once(one, at)));
            all.extend([false, true].map(|one| Guesses::Then(one, at, !one)));
        }
        all
    }
}

struct Surroundings<'a> {
    inputs: &'a [u64],
    taken: usize,
    guesses: Guesses,
    guessed: usize,
    passed: BTreeSet<u32>,
}

impl RunEnvironment for Surroundings<'_> {
    fn provide_choice(
        &mut self,
        _terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let bits = if *request.source == ChoiceSource::Guess {
            self.guessed += 1;
            u64::from(self.guesses.at(self.guessed - 1))
        } else {
            // The last input comes again and again.
            let input = *self.inputs.get(self.taken).or(self.inputs.last())?;
            self.taken += 1;
            input
        };
        Some(MachineValue::plain(
            bits & u64::MAX.unbounded_shr(64_u32.saturating_sub(request.width)),
        ))
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        Some(MachineValue::symbolic(terms.fresh_symbol("unknown", sort), Provenance::None))
    }

    fn assume(&mut self, _condition: Term) {}

    fn restrict_coverage(&mut self, _condition: Term, _why: &str) {}

    fn pass_event(&mut self, number: u32) {
        self.passed.insert(number);
    }
}

/// Whether the run on these inputs violates the specification, as far as can be seen: some way to
/// guess ends in a violation, or is still going after many steps and has met every pair in the later
/// half of them.
pub(crate) fn violates(program: &Program, inputs: &[u64]) -> bool {
    Guesses::all().into_iter().any(|guesses| violates_with(program, inputs, guesses))
}

fn violates_with(program: &Program, inputs: &[u64], guesses: Guesses) -> bool {
    let mut terms = TermStore::new();
    let machine = Machine::new(program, &mut terms, OverflowSemantics::Undefined, false)
        .unwrap_or_else(|_| panic!("too large"));
    let mut state = machine.start_state();
    let mut around =
        Surroundings { inputs, taken: 0, guesses, guessed: 0, passed: BTreeSet::new() };
    for half in [STEPS / 2, STEPS] {
        around.passed.clear();
        match machine.run_until(&mut state, &mut terms, &mut around, half) {
            MachineStop::Steps => {}
            MachineStop::End(RunEnd::Violation(_), _) => return true,
            // What the model does not cover is no violation that can be seen: a mutex that waits for itself.
            MachineStop::End(RunEnd::Exit(_) | RunEnd::Blocked | RunEnd::Limit(_), _) => {
                return false;
            }
            MachineStop::End(end, at) => panic!("{end:?} at {at:?}"),
            other => panic!("{other:?}"),
        }
    }
    program.fairness.iter().all(|pair| pair.is_met(&around.passed))
}
