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
    ChoiceSource, Evidence, Exhaustion, Explanation, Input, Ints, LoopStatus, Place, Question,
    Recurrence, Undefined, UndefinedRun, Verdict,
};

use super::loops::judged;
use super::{About, Report, Sources, Style};

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

fn place(line: u32, function: &str) -> Place {
    Place { file: "search.c".to_owned(), line, function: function.to_owned() }
}

fn input(bits: u128, width: u32, source: ChoiceSource, line: u32) -> Input {
    Input { bits, width, source, place: place(line, "main") }
}

fn function(name: &str) -> ChoiceSource {
    ChoiceSource::Function(name.to_owned())
}

fn other(what: &str) -> ChoiceSource {
    ChoiceSource::Other(what.to_owned())
}

fn recurrence() -> Recurrence {
    Recurrence {
        inputs: vec![
            input(0xffff_ffff, 32, function("__VERIFIER_nondet_uint"), 14),
            input(0xffff_fff6, 32, function("__VERIFIER_nondet_int"), 15),
            input(0, 1, ChoiceSource::Allocation("malloc".to_owned()), 16),
            input(0xffff_ffff, 32, other("uninitialised variable x"), 17),
            input(0x8000_0000, 32, function("sensor"), 17),
            input(u128::from(1.5f64.to_bits()), 64, function("__VERIFIER_nondet_double"), 18),
            input(97, 32, function("getchar"), 19),
            input(7, 32, function("__VERIFIER_nondet_int"), 20),
        ],
        first_step: 100,
        second_step: 110,
        cycle_inputs: 6,
        place: place(3, "search"),
        recursion: false,
    }
}

fn explanation() -> Explanation {
    Explanation {
        cycle: [3, 4, 5, 6].map(|line| place(line, "search")).to_vec(),
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
    show: impl Fn(&Report<'_>) -> T,
) -> T {
    let sources = Sources::from([("search.c".to_owned(), SEARCH.to_owned())]);
    let engine = verdict.evidence().map(|_| "explore");
    let places: Vec<Place> = explanation.loops.iter().map(|one| one.place.clone()).collect();
    show(&Report {
        verdict,
        others: &[],
        explanation,
        engine,
        elapsed: Duration::from_millis(1234),
        about: About::Program { function: "main", ints: Ints::C, program: None },
        loops: &judged(&places, None, verdict, explanation),
        sources: &sources,
    })
}

fn loops() -> Verdict {
    Verdict::of(Question::Termination, Evidence::Recurs(recurrence()))
}

fn terminates() -> (Verdict, Explanation) {
    let exhaustion = Exhaustion { states: 12, forks: 11, steps: 4321, undefined: vec![] };
    let explanation = Explanation {
        loops: vec![
            LoopStatus {
                place: place(3, "search"),
                status: "at most 32 iterations on every path".to_owned(),
            },
            LoopStatus { place: place(120, "main"), status: "never reached".to_owned() },
        ],
        undefined: vec![Undefined {
            place: place(4, ""),
            what: "division by zero".to_owned(),
            run: Some(UndefinedRun {
                head: None,
                variables: vec![],
                inputs: vec![input(0, 32, function("__VERIFIER_nondet_int"), 2)],
            }),
        }],
        ..Explanation::default()
    };
    (Verdict::of(Question::Termination, Evidence::Exhausted(exhaustion)), explanation)
}

/// The report for tools, on one line. Its findings have tests of their own, and the version changes.
fn json(report: &Report<'_>) -> String {
    let mut object = crate::check_report(report, None);
    assert!(!object.findings.is_empty());
    object.findings.clear();
    object.tool_version = "0".to_owned();
    crate::json(&object)
}
