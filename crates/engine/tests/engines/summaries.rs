//! Loops and recursions that end because of what a call returns: the evidence is found, accepted, and
//! rejected once it is changed.

use std::time::{Duration, Instant};

use ouro_engine::EngineSettings;
use ouro_engine::ranked_program::{TerminationArgument, find_program_ranking};
use ouro_engine::ranking::RankingEffort;
use ouro_evidence::{Claim, Evidence, FunctionSummary, IntegerSemantics, ProgramRanking};
use ouro_model::{Program, text};

/// `while (n > 0) n = half(n)`, where `half(n)` is 0 below 2, else `1 + half(n - 2)`.
const HALVES: &str = r#"program 1
target 64
file "halves.c"
entry f0

fn f0 "main" () -> () user @11:0 {
  v0 i32 "n" user
  v1 i1 temp
b0:
  v0 = choice function "nondet" @13:13
  goto b1
b1:
  v1 = slt i32 0, v0 @14:14
  branch v1, b2, b3 @14:5
b2:
  v0 = call f1(v0) @15:13
  goto b1
b3:
  exit i32 0
}

fn f1 "half" (v1) -> (i32) user @4:0 {
  v0 i32 temp
  v1 i32 "n" user
  v2 i1 temp
  v3 i32 temp
  v4 i32 temp
b0:
  v2 = slt v1, i32 2 @6:11
  branch v2, b1, b2 @6:9
b1:
  v0 = i32 0 @7:9
  goto b3 @7:9
b2:
  v3 = sub.s v1, i32 2 @8:23
  v4 = call f1(v3) @8:16
  v0 = add.s i32 1, v4 @8:14
  goto b3 @8:5
b3:
  return (v0) @9:1
}
"#;

fn program() -> Program {
    text::parse_program(HALVES).unwrap_or_else(|refused| panic!("{refused}"))
}

fn accepted(ints: IntegerSemantics, ranking: &ProgramRanking) -> Result<(), String> {
    let evidence = Evidence::RankedProgram(ranking.clone());
    let deadline = Instant::now() + Duration::from_secs(60);
    ouro_check::check_program_evidence(&program(), ints, Claim::Terminates, &evidence, deadline)
        .map_err(|rejection| rejection.why)
}

fn found(ints: IntegerSemantics) -> ProgramRanking {
    let time = Duration::from_secs(60);
    let deadline = Instant::now() + time;
    let settings = EngineSettings { ints, deadline, time, memory_mib: 4096 };
    let finding = find_program_ranking(
        &program(),
        &settings,
        TerminationArgument::Ranking(RankingEffort::Thorough),
    );
    let finding = finding.expect("it ends");
    let Some(Evidence::RankedProgram(ranking)) = finding.verdict.evidence() else {
        panic!("{finding:?}")
    };
    assert_eq!(accepted(ints, ranking), Ok(()), "{ranking:?}");
    ranking.clone()
}

#[test]
fn halving_ends_whether_integers_wrap_or_not() {
    for ints in [IntegerSemantics::C, IntegerSemantics::Wrap] {
        let summaries = found(ints).summaries;
        assert_eq!(summaries.len(), 1);
        assert_eq!(summaries[0].function, "half");
    }
}

#[test]
fn tampered_summaries_are_rejected() {
    let right = found(IntegerSemantics::C);
    let cases: [(&str, &[(&str, &str)]); 9] = [
        // Without it nothing is known of what the call returns; nor with one that says nothing.
        ("smaller", &[]),
        ("smaller", &[("half", "true")]),
        // Nobody returns this: not at the end of the recursion, not before.
        ("returns something that its summary excludes", &[("half", "(= result.0 argument.0)")]),
        ("returns something that its summary excludes", &[("half", "false")]),
        ("returns something that its summary excludes", &[("half", "(bvsle result.0 #x00000001)")]),
        // Another function, one that does not call itself, one that is not there, one twice.
        ("does not call itself", &[("main", "true")]),
        ("no unique function", &[("third", "true")]),
        ("has two summaries", &[("half", "true"), ("half", "true")]),
        ("no symbol", &[("half", "(= argument.1 result.0)")]),
    ];
    for (why, summaries) in cases {
        let mut wrong = right.clone();
        wrong.summaries = (summaries.iter())
            .map(|(function, formula)| FunctionSummary {
                function: (*function).to_owned(),
                formula: (*formula).to_owned(),
            })
            .collect();
        let rejected = accepted(IntegerSemantics::C, &wrong).expect_err("it is wrong");
        assert!(rejected.contains(why), "{summaries:?}: {rejected}");
    }
    let mut wrong = right;
    wrong.vague = false;
    assert!(accepted(IntegerSemantics::C, &wrong).is_err());
}
