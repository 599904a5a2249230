//! Certificates about fairness that were made wrong.

use ouro_evidence::{Claim, Evidence, ProgramRanking, RankingLevel};
use ouro_model::Program;

use super::{found, judged, parsed};

/// A device that may be busy again and again; it is not, in a fair run, so the loop ends.
const DEVICE: &str = r#"program 1
target 64
file "device.c"
liveness
event "asked" @1:1
event "answered" @1:2
obligation "closed" @1:3
fair "the device answers" [0] [1] @1:4
fair "nothing else" [1] [1] @1:5
entry f0

fn f0 "main" () -> () user @2:1 {
  v0 i32 "tries" user
  v1 i1 temp
b0:
  v0 = i32 3
  goto b1
b1:
  call builtin event(i32 0) @4:3
  v1 = choice function "answer" @5:7
  branch v1, b2, b1
b2:
  call builtin event(i32 1) @6:3
  v0 = add.s v0, i32 -1
  v1 = slt i32 0, v0
  branch v1, b1, b3 @7:3
b3:
  exit i32 0
}
"#;

fn ranking(program: &Program) -> ProgramRanking {
    let found = found(program).into_iter().find_map(|(_, claim, evidence)| match evidence {
        Evidence::RankedProgram(ranking) => Some((claim, ranking)),
        _ => None,
    });
    let (claim, ranking) = found.expect("it holds");
    assert_eq!(claim, Claim::Holds);
    ranking
}

#[test]
fn rankings_with_pairs() {
    let device = parsed(DEVICE);
    let good = ranking(&device);
    let levels = |ranking: &ProgramRanking| -> Vec<RankingLevel> {
        ranking.heads.iter().flat_map(|head| head.ranking.clone()).collect()
    };
    let pairs =
        levels(&good).iter().filter(|l| matches!(l, RankingLevel::Pair { pair: 0, .. })).count();
    assert!(pairs > 0, "{good:?}");
    type Tamper = fn(&mut RankingLevel);
    let to_other: Tamper = |level| {
        if let RankingLevel::Pair { pair, .. } = level {
            *pair = 1;
        }
    };
    let to_none: Tamper = |level| {
        if let RankingLevel::Pair { pair, .. } = level {
            *pair = 7;
        }
    };
    let to_function: Tamper = |level| {
        if let RankingLevel::Pair { .. } = level {
            *level = "0".into();
        }
    };
    let to_never: Tamper = |level| {
        if let RankingLevel::Pair { when, .. } = level {
            *when = Some("false".to_owned());
        }
    };
    let to_number: Tamper = |level| {
        if let RankingLevel::Pair { when, .. } = level {
            *when = Some("3".to_owned());
        }
    };
    for tamper in [to_other, to_none, to_function, to_never, to_number] {
        let mut bad = good.clone();
        bad.heads.iter_mut().flat_map(|head| &mut head.ranking).for_each(tamper);
        let evidence = Evidence::RankedProgram(bad);
        assert!(judged(&device, Claim::Holds, &evidence).is_err(), "{evidence:?}");
    }
    // A level of a pair before the functions grows where the device answers.
    let mut bad = good.clone();
    for head in &mut bad.heads {
        head.ranking.sort_by_key(|level| matches!(level, RankingLevel::Function(_)));
    }
    let evidence = Evidence::RankedProgram(bad);
    assert!(judged(&device, Claim::Holds, &evidence).is_err(), "{evidence:?}");
    // Another question, another claim, and an obligation that is broken at the end.
    let evidence = Evidence::RankedProgram(good);
    assert_eq!(judged(&device, Claim::Holds, &evidence), Ok(()));
    assert!(judged(&device, Claim::Violated, &evidence).is_err());
    assert!(judged(&device, Claim::Terminates, &evidence).is_err());
    let breaks = DEVICE.replace("  exit i32 0", "  call builtin violation(i32 0)\n  exit i32 0");
    assert!(judged(&parsed(&breaks), Claim::Holds, &evidence).is_err());
    let silent = DEVICE.replace("  call builtin event(i32 0) @4:3\n", "");
    assert!(judged(&parsed(&silent), Claim::Holds, &evidence).is_err());
}

#[test]
fn other_questions() {
    let plain: String = (DEVICE.lines())
        .filter(|line| {
            !["liveness", "event", "obligation", "fair"].iter().any(|w| line.starts_with(w))
        })
        .filter(|line| !line.contains("builtin event"))
        .map(|line| format!("{line}\n"))
        .collect();
    let evidence = Evidence::RankedProgram(ranking(&parsed(DEVICE)));
    for claim in [Claim::Holds, Claim::Terminates, Claim::Loops] {
        assert!(judged(&parsed(&plain), claim, &evidence).is_err(), "{claim:?}");
    }
    // A run that never ends is no answer to the other question.
    let (_, claim, evidence) = found(&parsed(&plain)).pop().expect("it runs forever");
    assert_eq!(claim, Claim::Loops);
    assert_eq!(judged(&parsed(&plain), claim, &evidence), Ok(()));
    assert!(judged(&parsed(&plain), Claim::Violated, &evidence).is_err());
    assert!(judged(&parsed(DEVICE), Claim::Loops, &evidence).is_err());
}

#[test]
fn broken_obligations() {
    let source =
        DEVICE.replace("  exit i32 0", "  call builtin violation(i32 0) @9:1\n  exit i32 0");
    let program = parsed(&source);
    let violation = found(&program).into_iter().find_map(|(_, _, evidence)| match evidence {
        Evidence::Violation(violation) => Some(violation),
        _ => None,
    });
    let good = violation.expect("it is violated");
    let refused = |change: &dyn Fn(&mut ouro_evidence::ObligationViolation)| {
        let mut bad = good.clone();
        change(&mut bad);
        let evidence = Evidence::Violation(bad);
        assert!(judged(&program, Claim::Violated, &evidence).is_err(), "{evidence:?}");
    };
    refused(&|bad| bad.obligation = 1);
    refused(&|bad| bad.steps += 1);
    refused(&|bad| bad.steps -= 1);
    refused(&|bad| bad.inputs.truncate(1));
    refused(&|bad| bad.inputs.push(bad.inputs[0].clone()));
    refused(&|bad| bad.inputs[0].bits ^= 1);
    refused(&|bad| bad.place.line = 4);
    let evidence = Evidence::Violation(good.clone());
    assert!(judged(&parsed(DEVICE), Claim::Violated, &evidence).is_err());
    assert_eq!(judged(&program, Claim::Violated, &evidence), Ok(()));
}
