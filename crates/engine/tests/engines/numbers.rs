//! Loops over numbers without a sign: remainders, shifts, bits, roots. What is found is accepted by the checker,
//! and for a loop that need not end nothing is found.

use std::time::{Duration, Instant};

use ouro_engine::ranking::RankingEffort;
use ouro_engine::{EngineSettings, TerminationArgument, find_program_ranking};
use ouro_evidence::{Claim, Evidence, IntegerSemantics};
use ouro_model::text;

/// A loop `while (GUARD) BODY` on two inputs of 32 bits.
const LOOP: &str = r#"program 1
target 64
file "loop.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "a" user
  v1 i32 "b" user
  v2 i1 temp
  v3 i32 temp
  v4 i32 temp
b0:
  v0 = choice function "nondet" @2:3
  v1 = choice function "nondet" @2:3
  goto b1
b1:
  GUARD
  branch v2, b2, b3
b2:
  BODY
  goto b1
b3:
  v2 = ult v0, v1
  branch v2, b4, b4
b4:
  exit i32 0
}
"#;

fn is_ranked(guard: &str, body: &str, ints: IntegerSemantics) -> bool {
    let source = LOOP.replace("GUARD", guard).replace("BODY", body);
    let program =
        text::parse_program(&source).unwrap_or_else(|refused| panic!("{refused}\n{source}"));
    let time = Duration::from_secs(60);
    let deadline = Instant::now() + time;
    let settings = EngineSettings { ints, deadline, time, memory_mib: 4096 };
    let found = find_program_ranking(
        &program,
        &settings,
        TerminationArgument::Ranking(RankingEffort::Quick),
    );
    let Some(finding) = found else { return false };
    let evidence = finding.verdict.evidence().expect("a verdict with evidence");
    assert!(matches!(evidence, Evidence::RankedProgram(_)), "{evidence:?}");
    let deadline = Instant::now() + time;
    let checked =
        ouro_check::check_program_evidence(&program, ints, Claim::Terminates, evidence, deadline);
    assert!(checked.is_ok(), "{body}: {:?}", checked.err().map(|rejection| rejection.why));
    true
}

const NOT_ZERO: &str = "v2 = ne v1, i32 0";

#[test]
fn loops_that_end() {
    let cases = [
        // Euclid.
        (NOT_ZERO, "v3 = urem v0, v1\n  v0 = v1\n  v1 = v3"),
        // A quotient by at least two.
        (NOT_ZERO, "v3 = or v0, i32 2\n  v1 = udiv v1, v3"),
        // The lowest bit is taken away, in three ways.
        (NOT_ZERO, "v3 = sub i32 0, v1\n  v3 = and v1, v3\n  v1 = xor v1, v3"),
        (NOT_ZERO, "v3 = sub i32 0, v1\n  v3 = and v1, v3\n  v1 = sub v1, v3"),
        (NOT_ZERO, "v3 = sub v1, i32 1\n  v1 = and v1, v3"),
        // Shifted by a number that is not fixed but not zero.
        (NOT_ZERO, "v3 = urem v0, i32 7\n  v3 = add v3, i32 1\n  v1 = lshr v1, v3"),
        // What is left of a number is less than the half.
        (NOT_ZERO, "v3 = lshr v1, i32 1\n  v3 = add v3, i32 1\n  v1 = sub v1, v3"),
    ];
    for (guard, body) in cases {
        for ints in [IntegerSemantics::Wrap, IntegerSemantics::C] {
            assert!(is_ranked(guard, body, ints), "{body} {ints:?}");
        }
    }
}

#[test]
fn loops_that_need_not_end() {
    let cases = [
        // A remainder by a larger number, a quotient by one, a shift by nothing.
        (NOT_ZERO, "v1 = urem v1, v0"),
        (NOT_ZERO, "v1 = udiv v1, v0"),
        (NOT_ZERO, "v1 = lshr v1, v0"),
        // Bits that need not be there.
        (NOT_ZERO, "v3 = and v0, v1\n  v1 = xor v1, v3"),
        (NOT_ZERO, "v3 = and v0, i32 -2\n  v1 = xor v1, v3"),
        // The opposite of a number is no smaller.
        (NOT_ZERO, "v1 = sub i32 0, v1"),
        // A difference that goes round.
        (NOT_ZERO, "v1 = sub v1, i32 2"),
        // The same number twice.
        (NOT_ZERO, "v3 = choice function \"nondet\"\n  v1 = and v1, v3"),
    ];
    for (guard, body) in cases {
        for ints in [IntegerSemantics::Wrap, IntegerSemantics::C] {
            assert!(!is_ranked(guard, body, ints), "{body} {ints:?}");
        }
    }
}
