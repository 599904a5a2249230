//! The engines behind the trait, and the bench on which those of one thread lie.

mod parts;
mod program;
mod system;

use std::cell::RefCell;
use std::rc::Rc;

use ouro_engine::recurrent::RecurrentSetMethod;
use ouro_engine::{ClosedSetSearch, ProgramRankingSearch};
use ouro_evidence::{IntegerSemantics, SourcePlace, UnknownReason};

use crate::engine::{CpuSlice, EngineKind, EngineName, EngineOutcome, ProofEngine, ProofSubject};

/// What engines of one thread share about a program and a meaning of integers: the transition systems of the program.
struct SharedSearches<'p> {
    ints: IntegerSemantics,
    /// The inner option is empty if the program is too large for the machine.
    rankings: Rc<RefCell<Option<Option<ProgramRankingSearch<'p>>>>>,
    sets: Rc<RefCell<Option<Option<ClosedSetSearch<'p>>>>>,
}

/// The engines of one thread, made when they first run, with what they keep.
pub(crate) struct EngineBench<'p> {
    subject: ProofSubject<'p>,
    /// The engines that the user named; none means all.
    named: Vec<EngineName>,
    shared: Vec<SharedSearches<'p>>,
    engines: Vec<(EngineKind, IntegerSemantics, Box<dyn ProofEngine + 'p>)>,
}

impl<'p> EngineBench<'p> {
    pub(crate) fn new(subject: ProofSubject<'p>, named: &[EngineName]) -> Self {
        EngineBench { subject, named: named.to_vec(), shared: Vec::new(), engines: Vec::new() }
    }

    /// Runs an engine for a slice.
    pub(crate) fn run_engine(
        &mut self,
        kind: EngineKind,
        ints: IntegerSemantics,
        slice: &CpuSlice,
    ) -> EngineOutcome {
        let known = self.engines.iter().position(|(one, with, _)| (*one, *with) == (kind, ints));
        let at = known.unwrap_or_else(|| {
            let engine = self.make_engine(kind, ints);
            self.engines.push((kind, ints, engine));
            self.engines.len() - 1
        });
        self.engines[at].2.search(slice)
    }

    fn make_engine(
        &mut self,
        kind: EngineKind,
        ints: IntegerSemantics,
    ) -> Box<dyn ProofEngine + 'p> {
        let methods = methods(&self.named);
        match self.subject {
            ProofSubject::System(system) => {
                system::make_system_engine(kind, system, methods, &self.named)
            }
            ProofSubject::Program(program) | ProofSubject::Loop(program) => {
                let explores = self.explores();
                program::make_program_engine(
                    kind,
                    program,
                    ints,
                    methods,
                    self.shared(ints),
                    explores,
                )
            }
        }
    }

    fn explores(&self) -> bool {
        self.named.is_empty() || self.named.contains(&EngineName::Explore)
    }

    fn shared(&mut self, ints: IntegerSemantics) -> &SharedSearches<'p> {
        let known = self.shared.iter().position(|shared| shared.ints == ints);
        let at = known.unwrap_or_else(|| {
            let (rankings, sets) = (Rc::default(), Rc::default());
            self.shared.push(SharedSearches { ints, rankings, sets });
            self.shared.len() - 1
        });
        &self.shared[at]
    }
}

/// The methods for recurrent sets among some engines; none means all.
fn methods(named: &[EngineName]) -> Vec<RecurrentSetMethod> {
    let method = |name: &EngineName| match name {
        EngineName::Explore | EngineName::Parts | EngineName::Ranking | EngineName::Transition => {
            None
        }
        EngineName::Lasso => Some(RecurrentSetMethod::Lasso),
        EngineName::Closed => Some(RecurrentSetMethod::Closed),
        EngineName::Forward => Some(RecurrentSetMethod::Forward),
    };
    named.iter().filter_map(method).collect()
}

/// That a method went as far as it goes.
pub(crate) fn found_nothing(what: &str) -> UnknownReason {
    let place = SourcePlace { file: String::new(), line: 0, function: String::new() };
    UnknownReason::Incomplete { what: what.to_owned(), place }
}
