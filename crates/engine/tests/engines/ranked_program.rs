//! Programs that end for every input: what is found is checked, always, and what is made wrong in it
//! is rejected.

use std::time::{Duration, Instant};

use ouro_engine::ranking::RankingEffort;
use ouro_engine::{EngineSettings, TerminationArgument, find_program_ranking};
use ouro_evidence::{Claim, Evidence, IntegerSemantics, ProgramRanking};
use ouro_model::{Program, text};

/// `for (i = 0; i < n; i++);`, `n` an input.
const COUNT: &str = r#"program 1
target 64
file "count.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "n" user
  v1 i32 "i" user
  v2 i1 temp
b0:
  v0 = choice function "nondet" @2:3
  v1 = i32 0
  goto b1
b1:
  v2 = slt v1, v0 @3:3
  branch v2, b2, b3
b2:
  v1 = add.s v1, i32 1 @4:3
  goto b1
b3:
  exit i32 0
}
"#;

/// `while (x > 1) x = 2 * x;`, `x` an input.
const DOUBLES: &str = r#"program 1
target 64
file "doubles.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i1 temp
b0:
  v0 = choice function "nondet" @2:3
  goto b1
b1:
  v1 = slt i32 1, v0 @3:3
  branch v1, b2, b3
b2:
  v0 = add.s v0, v0 @4:3
  goto b1
b3:
  exit i32 0
}
"#;

/// `while (x > 0) { x += y; y--; }`, both inputs, and in memory.
const PHASES: &str = r#"program 1
target 64
file "phases.c"
entry f0

global g0 "x" size 4 align 4 zeroed user {}

fn f0 "main" () -> () user @1:1 {
  v0 i32 temp
  v1 i32 "y" user
  v2 i1 temp
b0:
  v0 = choice function "nondet" @2:3
  store &g0, v0
  v1 = choice function "nondet" @2:3
  goto b1
b1:
  v0 = load &g0
  v2 = slt i32 0, v0 @3:3
  branch v2, b2, b3
b2:
  v0 = add.s v0, v1
  store &g0, v0
  v1 = add.s v1, i32 -1 @4:3
  goto b1
b3:
  exit i32 0
}
"#;

fn program(source: &str) -> Program {
    text::parse_program(source).unwrap_or_else(|refused| panic!("{refused}"))
}

fn accepted(
    program: &Program,
    ints: IntegerSemantics,
    ranking: &ProgramRanking,
) -> Result<(), String> {
    let evidence = Evidence::RankedProgram(ranking.clone());
    ouro_check::check_program_evidence(
        program,
        ints,
        Claim::Terminates,
        &evidence,
        Instant::now() + Duration::from_secs(60),
    )
    .map_err(|rejection| rejection.why)
}

fn found(source: &str, ints: IntegerSemantics) -> Option<ProgramRanking> {
    let time = Duration::from_secs(20);
    let deadline = Instant::now() + time;
    let settings = EngineSettings { ints, deadline, time, memory_mib: 4096 };
    let program = program(source);
    let finding = find_program_ranking(
        &program,
        &settings,
        TerminationArgument::Ranking(RankingEffort::Thorough),
    )?;
    let Some(Evidence::RankedProgram(ranking)) = finding.verdict.evidence() else {
        panic!("{finding:?}")
    };
    assert_eq!(accepted(&program, ints, ranking), Ok(()), "{ranking:?}");
    Some(ranking.clone())
}

#[test]
fn counting_ends_whatever_integers_are() {
    for ints in [IntegerSemantics::Wrap, IntegerSemantics::Unbounded] {
        let ranking = found(COUNT, ints).expect("it ends");
        assert_eq!(ranking.heads.len(), 1);
        assert_eq!(ranking.heads[0].place.line, 3);
    }
}

#[test]
fn phases_end_whatever_integers_are() {
    assert!(found(PHASES, IntegerSemantics::Unbounded).is_some());
    // Where y could wrap it is so small that x becomes negative.
    assert!(found(PHASES, IntegerSemantics::Wrap).is_some());
}

#[test]
fn an_overflow_is_no_end() {
    assert_eq!(found(DOUBLES, IntegerSemantics::C), None);
    assert_eq!(found(DOUBLES, IntegerSemantics::Unbounded), None);
    // Where it is no overflow but a wrap, it is one.
    assert!(found(DOUBLES, IntegerSemantics::Wrap).is_some());
}

/// Asserts that the certificate of a program is rejected after a change, and why.
fn check_tampered(
    source: &str,
    ints: IntegerSemantics,
    why: &str,
    change: impl Fn(&mut ProgramRanking),
) {
    let mut ranking = found(source, ints).expect("it ends");
    change(&mut ranking);
    let rejected = accepted(&program(source), ints, &ranking).expect_err("it is wrong");
    assert!(rejected.contains(why), "{rejected}");
}

#[test]
fn tampered_certificates_are_rejected() {
    let ints = IntegerSemantics::Unbounded;
    let again = "times in new states";
    // No head, and no ranking.
    check_tampered(COUNT, ints, "", |ranking| ranking.heads.clear());
    check_tampered(COUNT, ints, "smaller", |ranking| ranking.heads[0].ranking.clear());
    // A constant, what grows, and what is not bounded.
    check_tampered(COUNT, ints, "smaller", |ranking| {
        ranking.heads[0].ranking = vec!["7".into()];
    });
    check_tampered(COUNT, ints, "smaller", |ranking| {
        ranking.heads[0].ranking = vec![hole(ranking, "i").into()];
    });
    check_tampered(COUNT, ints, "smaller", |ranking| {
        ranking.heads[0].ranking = vec![format!("(* (- 1) {})", hole(ranking, "i")).into()];
    });
    // An invariant that is not kept, and one that never holds.
    check_tampered(COUNT, ints, again, |ranking| {
        ranking.heads[0].invariant = format!("(<= {} 5)", hole(ranking, "i"));
    });
    check_tampered(COUNT, ints, again, |ranking| ranking.heads[0].invariant = "false".to_owned());
    // A hole too few: the state is another one each time.
    check_tampered(COUNT, ints, again, |ranking| {
        let i = hole(ranking, "i");
        ranking.heads[0].holes.retain(|hole| hole.symbol != i);
        ranking.heads[0].invariant = "true".to_owned();
        ranking.heads[0].ranking = vec![hole(ranking, "n").into()];
    });
    // Other numbers than the state has, and no number at all.
    check_tampered(COUNT, ints, again, |ranking| {
        ranking.heads[0].holes[0].sort = "(_ BitVec 32)".to_owned();
    });
    check_tampered(COUNT, ints, again, |ranking| {
        ranking.heads[0].ranking = vec!["(- n nobody)".into()];
    });
    // Phases in the wrong order.
    check_tampered(PHASES, ints, "smaller", |ranking| ranking.heads[0].ranking.reverse());
    // The ranking of unbounded integers, where they wrap.
    check_tampered(COUNT, IntegerSemantics::Wrap, "smaller", |ranking| {
        let i = hole(ranking, "i");
        ranking.heads[0].ranking = vec![i.into()];
    });
    let proof = found(PHASES, IntegerSemantics::Unbounded).expect("it ends");
    assert!(accepted(&program(PHASES), IntegerSemantics::C, &proof).is_err());
}

fn hole(ranking: &ProgramRanking, name: &str) -> String {
    let hole = ranking.heads[0].holes.iter().find(|hole| hole.name == name);
    hole.unwrap_or_else(|| panic!("{ranking:?}")).symbol.clone()
}

/// `while (b != 0) { c = a & b; a = a ^ b; b = c << 1; i++; }`, all inputs: only bits tell why it ends.
const CARRIES: &str = r#"program 1
target 64
file "carries.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "a" user
  v1 i32 "b" user
  v2 i32 "i" user
  v3 i32 temp
  v4 i1 temp
b0:
  v0 = choice function "nondet" @2:3
  v1 = choice function "nondet" @2:3
  v2 = i32 0
  goto b1
b1:
  v4 = ne v1, i32 0 @3:3
  branch v4, b2, b3
b2:
  v3 = and v0, v1 @4:3
  v0 = xor v0, v1 @4:3
  v1 = shl v3, i32 1 @4:3
  v2 = add.s v2, i32 1 @4:3
  goto b1
b3:
  exit v2
}
"#;

#[test]
fn bits_are_ranked_beside_a_counter() {
    // The low end of b has more and more zeros; that i may overflow has nothing to do with it.
    for ints in [IntegerSemantics::C, IntegerSemantics::Wrap] {
        assert!(found(CARRIES, ints).is_some(), "{ints:?}");
    }
    let level = |name| {
        move |ranking: &mut ProgramRanking| {
            let bits = format!("((_ zero_extend 1) {})", hole(ranking, name));
            ranking.heads[0].ranking = vec![bits.into()];
        }
    };
    check_tampered(CARRIES, IntegerSemantics::C, "smaller", level("a"));
    check_tampered(CARRIES, IntegerSemantics::C, "smaller", level("b"));
}
