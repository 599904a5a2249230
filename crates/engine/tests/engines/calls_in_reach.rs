//! Recursive calls leave alone what they cannot reach: loops that end because of it, and what happens to their
//! evidence where a call can reach it after all.

use std::time::{Duration, Instant};

use ouro_engine::EngineSettings;
use ouro_engine::ranked_program::{TerminationArgument, find_program_ranking};
use ouro_engine::ranking::RankingEffort;
use ouro_evidence::{Claim, Evidence, IntegerSemantics, ProgramRanking};
use ouro_model::{Program, text};

/// A counter on the heap goes down in each turn. In between, `spend` empties a purse by recursion; where the purse
/// has an address in it, it sets the number there to 2 at last. The address is KNOWN.
const ROUNDS: &str = r#"program 1
target 64
file "rounds.c"
entry f0

fn f0 "main" () -> () user @11:0 {
  v0 ptr "rounds" user
  v1 i1 temp
  v2 i32 temp
  v3 ptr "purse" user
  v4 ptr temp
b0:
  v0 = call builtin allocate(i64 4)
  v2 = choice function "nondet" @13:13
  store v0, v2
  goto b1
b1:
  v2 = load v0 @14:12
  v1 = slt i32 0, v2 @14:14
  branch v1, b2, b3 @14:5
b2:
  v3 = call builtin allocate(i64 16)
  v2 = choice function "nondet" @15:13
  store v3, v2
  v4 = offset v3, i64 8 * 1
  store v4, KNOWN
  call f1(v3) @16:13
  v2 = load v0
  v2 = sub.s v2, i32 1
  store v0, v2
  goto b1
b3:
  exit i32 0
}

fn f1 "spend" (v0) -> () user @4:0 {
  v0 ptr "purse" user
  v1 i32 temp
  v2 i1 temp
  v3 ptr temp
  v4 ptr temp
b0:
  v1 = load v0 @6:9
  v2 = sle v1, i32 0 @6:11
  branch v2, b1, b2 @6:9
b1:
  v3 = offset v0, i64 8 * 1
  v4 = load v3
  v2 = eq v4, ptr 0x0
  branch v2, b3, b4
b2:
  v1 = sub.s v1, i32 1 @8:23
  store v0, v1
  call f1(v0) @8:16
  goto b3
b3:
  return () @9:1
b4:
  store v4, i32 2
  goto b3
}
"#;

fn program(known: &str) -> Program {
    text::parse_program(&ROUNDS.replace("KNOWN", known))
        .unwrap_or_else(|refused| panic!("{refused}"))
}

fn accepted(program: &Program, ranking: &ProgramRanking) -> Result<(), String> {
    let evidence = Evidence::RankedProgram(ranking.clone());
    let deadline = Instant::now() + Duration::from_secs(60);
    ouro_check::check_program_evidence(
        program,
        IntegerSemantics::C,
        Claim::Terminates,
        &evidence,
        deadline,
    )
    .map_err(|rejection| rejection.why)
}

fn found(program: &Program) -> ProgramRanking {
    let time = Duration::from_secs(60);
    let deadline = Instant::now() + time;
    let settings = EngineSettings { ints: IntegerSemantics::C, deadline, time, memory_mib: 4096 };
    let finding = find_program_ranking(
        program,
        &settings,
        TerminationArgument::Ranking(RankingEffort::Thorough),
    );
    let finding = finding.expect("it ends");
    let Some(Evidence::RankedProgram(ranking)) = finding.verdict.evidence() else {
        panic!("{finding:?}")
    };
    ranking.clone()
}

#[test]
fn a_call_leaves_alone_what_it_cannot_reach() {
    let apart = program("ptr 0x0");
    let ranking = found(&apart);
    assert_eq!(accepted(&apart, &ranking), Ok(()), "{ranking:?}");
    assert!(ranking.vague && ranking.first_calls);

    // It sets the counter to 2 in every turn: this one never ends.
    let reached = program("v0");
    assert!(accepted(&reached, &ranking).is_err());

    // Which calls a head is compared on tells heads apart, and nothing else follows from it.
    let mut deeper = ranking.clone();
    for head in &mut deeper.heads {
        head.calls = head.calls.map(|calls| calls + 1);
    }
    assert!(accepted(&apart, &deeper).is_err());
    let mut all_alike = ranking.clone();
    all_alike.first_calls = false;
    assert!(accepted(&reached, &all_alike).is_err());
    let mut unsaid = ranking;
    for head in &mut unsaid.heads {
        head.calls = None;
    }
    assert!(accepted(&reached, &unsaid).is_err());
}
