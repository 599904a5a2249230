//! Hand-made findings and what is said about them.

mod closed;
mod finding;
mod formats;
mod json;
mod liveness;
mod loops;
mod reproducer;
mod system;
mod text;

use std::time::Duration;

use ouro_evidence::{
    ChoiceSource, Evidence, Explanation, IntegerSemantics, LoopStatus, PathExhaustion,
    ProgramQuestion, RunInput, SourcePlace, StateRecurrence, UndefinedBehaviour, UndefinedRun,
    Verdict,
};

use super::loops::judge_loops;
use super::{ReportSubject, SourceTexts, TextStyle, VerdictReport};

const SEARCH: &str = "\
unsigned search(unsigned key, unsigned n) {
  unsigned lo = 0, hi = n;
  while (lo < hi) {
\tunsigned mid = (lo + hi) / 2;
    if (mid < key)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}
";

fn sample_place(line: u32, function: &str) -> SourcePlace {
    SourcePlace { file: "search.c".to_owned(), line, function: function.to_owned() }
}

fn sample_input(bits: u128, width: u32, source: ChoiceSource, line: u32) -> RunInput {
    RunInput { bits, width, source, place: sample_place(line, "main") }
}

fn function_source(name: &str) -> ChoiceSource {
    ChoiceSource::Function(name.to_owned())
}

fn other_source(what: &str) -> ChoiceSource {
    ChoiceSource::Other(what.to_owned())
}

fn sample_recurrence() -> StateRecurrence {
    StateRecurrence {
        inputs: vec![
            sample_input(0xffff_ffff, 32, function_source("__VERIFIER_nondet_uint"), 14),
            sample_input(0xffff_fff6, 32, function_source("__VERIFIER_nondet_int"), 15),
            sample_input(0, 1, ChoiceSource::Allocation("malloc".to_owned()), 16),
            sample_input(0xffff_ffff, 32, other_source("uninitialised variable x"), 17),
            sample_input(0x8000_0000, 32, function_source("sensor"), 17),
            sample_input(
                u128::from(1.5f64.to_bits()),
                64,
                function_source("__VERIFIER_nondet_double"),
                18,
            ),
            sample_input(97, 32, function_source("getchar"), 19),
            sample_input(7, 32, function_source("__VERIFIER_nondet_int"), 20),
        ],
        first_step: 100,
        second_step: 110,
        cycle_inputs: 6,
        place: sample_place(3, "search"),
        recursion: false,
    }
}

fn sample_explanation() -> Explanation {
    Explanation {
        cycle: [3, 4, 5, 6].map(|line| sample_place(line, "search")).to_vec(),
        variables: vec![
            ("lo".to_owned(), "1".to_owned()),
            ("hi".to_owned(), "4294967295".to_owned()),
        ],
        loops: vec![],
        assumptions: vec!["sensor() returns any int and touches nothing else".to_owned()],
        ..Explanation::default()
    }
}

fn with_report<T>(
    verdict: &Verdict,
    explanation: &Explanation,
    show: impl Fn(&VerdictReport<'_>) -> T,
) -> T {
    let sources = SourceTexts::from([("search.c".to_owned(), SEARCH.to_owned())]);
    let engine = verdict.evidence().map(|_| "explore");
    let places: Vec<SourcePlace> = explanation.loops.iter().map(|one| one.place.clone()).collect();
    show(&VerdictReport {
        verdict,
        others: &[],
        explanation,
        engine,
        elapsed: Duration::from_millis(1234),
        about: ReportSubject::Program {
            function: "main",
            ints: IntegerSemantics::C,
            program: None,
        },
        loops: &judge_loops(&places, None, verdict, explanation),
        sources: &sources,
    })
}

fn looping_verdict() -> Verdict {
    Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Recurs(sample_recurrence()))
}

fn terminating_verdict() -> (Verdict, Explanation) {
    let exhaustion = PathExhaustion { states: 12, forks: 11, steps: 4321, undefined: vec![] };
    let explanation = Explanation {
        loops: vec![
            LoopStatus {
                place: sample_place(3, "search"),
                status: "at most 32 iterations on every path".to_owned(),
            },
            LoopStatus { place: sample_place(120, "main"), status: "never reached".to_owned() },
        ],
        undefined: vec![UndefinedBehaviour {
            place: sample_place(4, ""),
            what: "division by zero".to_owned(),
            run: Some(UndefinedRun {
                head: None,
                variables: vec![],
                inputs: vec![sample_input(0, 32, function_source("__VERIFIER_nondet_int"), 2)],
            }),
        }],
        ..Explanation::default()
    };
    (
        Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Exhausted(exhaustion)),
        explanation,
    )
}
