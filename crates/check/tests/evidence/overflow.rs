//! Rankings made by hand of loops that only a signed overflow ends, which are refused, and of loops that
//! may overflow and end all the same, which are accepted and say where.

use std::time::{Duration, Instant};

use ouro_check::{check_and_name_undefined, check_program_evidence};
use ouro_evidence::{
    Claim, Evidence, FunctionSummary, HavocObject, HoleCell, IntegerSemantics, PathExhaustion,
    ProgramRanking, RankedHead, RankingLevel, SourcePlace, StateHole,
};
use ouro_machine::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, OverflowSemantics,
    RunEnvironment,
};
use ouro_model::{Program, text};
use ouro_term::{Sort, Term, TermStore};

/// `i = nondet(); n = nondet(); w = 0; while (CONDITION) { BODY }`; `b2` is the end.
const LOOP: &str = r#"program 1
target 64
file "loop.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "i" user
  v1 i32 "n" user
  v2 i32 "w" user
  v3 i1 temp
  v4 i64 temp
  v5 i32 temp
b0:
  v0 = choice function "nondet"
  v1 = choice function "nondet"
  v2 = i32 0
  goto b1
b1:
  CONDITION
  branch v3, b3, b2
b2:
  exit v2
b3:
  BODY
  goto b1
}
"#;

fn program(condition: &str, body: &str) -> Program {
    let text = LOOP.replace("CONDITION", condition).replace("BODY", body);
    text::parse_program(&text).unwrap_or_else(|refused| panic!("{refused}"))
}

/// Gives zeroes and stops at marks.
struct Zeroes;

impl RunEnvironment for Zeroes {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let term = terms.bv(request.width, 0);
        Some(MachineValue::from_term(terms, term))
    }

    fn provide_unknown(&mut self, _: &mut TermStore, _: Sort, _: &str) -> Option<MachineValue> {
        None
    }

    fn assume(&mut self, _: Term) {}

    fn restrict_coverage(&mut self, _: Term, _: &str) {}

    fn reach_mark(&mut self, _: &mut MachineState) -> bool {
        true
    }
}

/// A ranking at the head of the loop.
fn ranked(program: &Program, invariant: &str, ranking: &[&str]) -> Evidence {
    let mut terms = TermStore::new();
    let machine = Machine::new(program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut state = machine.start_state();
    let stop = machine.run_until(&mut state, &mut terms, &mut Zeroes, u64::MAX);
    assert!(matches!(stop, MachineStop::Mark), "{stop:?}");
    let hole = |(name, variable): (&str, u32)| StateHole {
        symbol: name.to_owned(),
        sort: "(_ BitVec 32)".to_owned(),
        name: name.to_owned(),
        unsigned: false,
        cell: HoleCell::Variable { call: 0, variable },
    };
    let head = RankedHead {
        place: SourcePlace { file: "loop.c".to_owned(), line: 3, function: "main".to_owned() },
        function: "main".to_owned(),
        position: state.position().1,
        calls: None,
        holes: [("i", 0), ("n", 1), ("w", 2)].map(hole).to_vec(),
        shape: String::new(),
        open: Vec::new(),
        invariant: invariant.to_owned(),
        ranking: ranking.iter().map(|text| RankingLevel::from(*text)).collect(),
    };
    Evidence::RankedProgram(ProgramRanking { heads: vec![head], ..ProgramRanking::default() })
}

fn judged(
    program: &Program,
    evidence: &Evidence,
    ints: IntegerSemantics,
) -> Result<Vec<String>, String> {
    let deadline = Instant::now() + Duration::from_secs(60);
    check_and_name_undefined(program, ints, Claim::Terminates, evidence, deadline)
        .map(|named| named.into_iter().map(|one| one.what).collect())
        .map_err(|rejection| rejection.why)
}

/// Whether a ranking is accepted, and what is named; all of `i`, `n` and `w` are used in the loop.
fn judge(
    condition: &str,
    body: &str,
    invariant: &str,
    ranking: &[&str],
) -> Result<Vec<String>, String> {
    let condition = format!("{} @3:3", condition.replace('\n', " @3:3\n"));
    let program = program(&condition, body);
    judged(&program, &ranked(&program, invariant, ranking), IntegerSemantics::C)
}

/// Uses all variables without changing what happens.
const USE: &str = "v5 = xor v1, v2\n  v5 = xor v5, v0\n  v3 = eq v5, i32 0\n  v2 = zeroextend v3";
const GROWS: &str = "v0 = add.s v0, i32 1 @4:5";

fn check_refused(condition: &str, body: &str, invariant: &str, ranking: &[&str]) {
    let said = judge(condition, &format!("{body}\n  {USE}"), invariant, ranking)
        .expect_err("only an overflow ends it");
    assert!(said.contains("ends only because of signed integer overflow"), "{said}");
}

fn check_accepted(condition: &str, body: &str, invariant: &str, ranking: &[&str]) {
    let said = judge(condition, &format!("{body}\n  {USE}"), invariant, ranking);
    assert_eq!(said, Ok(vec!["signed integer overflow".to_owned()]));
}

const UP_TO_MOST: &str = "(bvsub #x7fffffff i)";
const FAR_AWAY: &str = "(bvsub #x4000000000000000 ((_ sign_extend 32) i))";

#[test]
fn a_ranking_that_needs_an_overflow_is_refused() {
    // while (i >= 0) i++;
    check_refused("v3 = sle i32 0, v0", GROWS, "true", &[UP_TO_MOST]);
    check_refused("v3 = sle i32 0, v0", GROWS, "(bvsle #x00000000 i)", &[UP_TO_MOST]);
    // A bound far beyond the type is none of mathematical integers.
    check_refused("v3 = sle i32 0, v0", GROWS, "true", &[FAR_AWAY]);
    check_refused("v3 = sle i32 0, v0", GROWS, "true", &["0", UP_TO_MOST]);
    // while (i < n) i--;
    let down = "v0 = sub.s v0, i32 1 @4:5";
    check_refused(
        "v3 = slt v0, v1",
        down,
        "true",
        &["(bvadd ((_ sign_extend 32) i) #x0000000080000000)"],
    );
    // while (i != 5) i += 2; while (i > 0) i *= 2;
    check_refused("v3 = ne v0, i32 5", "v0 = add.s v0, i32 2 @4:5", "true", &[FAR_AWAY]);
    check_refused("v3 = slt i32 0, v0", "v0 = mul.s v0, i32 2 @4:5", "true", &[UP_TO_MOST]);
    // while ((long)i <= 3000000000) i++;
    let wide = "v4 = signextend v0\n  v3 = sle v4, i64 3000000000";
    check_refused(wide, GROWS, "true", &[FAR_AWAY]);
}

#[test]
fn a_branch_that_only_an_overflow_leads_to_does_not_help() {
    // while (i >= 0) { i++; if (i - 1 >= INT_MAX) w++; }: the branch is left out, as no run comes there.
    let body = "v0 = add.s v0, i32 1 @4:5\n  v5 = sub.s v0, i32 1\n  v3 = sle i32 2147483647, v5\n  \
                branch v3, b4, b5\nb4:\n  v2 = add v2, i32 1\n  goto b5\nb5:";
    check_refused("v3 = sle i32 0, v0", &format!("{body}\n"), "true", &[UP_TO_MOST]);
}

#[test]
fn a_ranking_of_mathematical_integers_is_accepted_and_the_overflow_named() {
    let distance = "(bvsub ((_ sign_extend 32) n) ((_ sign_extend 32) i))";
    // for (; i <= n; i++), also with the largest n.
    check_accepted("v3 = sle v0, v1", GROWS, "true", &[distance]);
    // for (; i <= n; i += 7)
    check_accepted("v3 = sle v0, v1", "v0 = add.s v0, i32 7 @4:5", "true", &[distance]);
    // for (; i >= n; i -= 3)
    let other = "(bvsub ((_ sign_extend 32) i) ((_ sign_extend 32) n))";
    check_accepted("v3 = sle v1, v0", "v0 = sub.s v0, i32 3 @4:5", "true", &[other]);
}

/// The size of a number of 32 bits, in 64.
const SIZE_OF_N: &str =
    "(ite (bvslt n #x00000000) (bvneg ((_ sign_extend 32) n)) ((_ sign_extend 32) n))";

#[test]
fn quotients_and_remainders_by_what_is_not_fixed_have_a_size_without_bounds() {
    let counts = "v2 = add.s v2, i32 1 @5:5";
    // while (n != 0) { t = i % n; i = n; n = t; w++; }
    let euclid = format!("v5 = srem v0, v1\n  v0 = v1\n  v1 = v5\n  {counts}");
    let said = judge("v3 = ne v1, i32 0", &euclid, "true", &[SIZE_OF_N]);
    // The least number by -1, and w.
    let named = ["signed integer overflow of a quotient", "signed integer overflow"];
    assert_eq!(said, Ok(named.map(str::to_owned).to_vec()));
}

#[test]
fn a_counter_that_does_not_end_the_loop_may_overflow() {
    // for (; i < n; i++) w += 3;
    let body = "v0 = add.s v0, i32 1 @4:5\n  v2 = add.s v2, i32 3 @5:5\n  v5 = xor v1, v2";
    let distance = "(bvsub ((_ sign_extend 32) n) ((_ sign_extend 32) i))";
    let said = judge("v3 = slt v0, v1", body, "true", &[distance]);
    assert_eq!(said, Ok(vec!["signed integer overflow".to_owned()]));
}

#[test]
fn what_cannot_overflow_is_not_named() {
    let distance = "(bvsub ((_ sign_extend 32) n) ((_ sign_extend 32) i))";
    let said = judge("v3 = slt v0, v1", &format!("{GROWS}\n  {USE}"), "true", &[distance]);
    assert_eq!(said, Ok(vec![]));
}

#[test]
fn nothing_of_that_matters_where_integers_wrap() {
    let program = program("v3 = slt v0, v1 @3:3", &format!("{GROWS}\n  {USE}"));
    let distance = "(bvsub ((_ sign_extend 32) n) ((_ sign_extend 32) i))";
    let evidence = ranked(&program, "true", &[distance]);
    assert_eq!(judged(&program, &evidence, IntegerSemantics::Wrap), Ok(vec![]));
}

/// `while (i > 1000000000) i += 500000000;`: each path ends, but only where `i` overflows.
#[test]
fn paths_that_all_end_in_an_overflow_are_refused() {
    let program = program("v3 = slt i32 1000000000, v0 @3:3", "v0 = add.s v0, i32 500000000 @4:5");
    let evidence = Evidence::Exhausted(PathExhaustion {
        states: 100,
        forks: 100,
        steps: 10_000,
        undefined: Vec::new(),
    });
    let deadline = Instant::now() + Duration::from_secs(60);
    let said = check_program_evidence(
        &program,
        IntegerSemantics::C,
        Claim::Terminates,
        &evidence,
        deadline,
    );
    let why = said.expect_err("only an overflow ends it").why;
    assert!(why.contains("ends only because of signed integer overflow"), "{why}");
    // Without heads, the rankings are none, and all paths are followed to their ends, too.
    let none = Evidence::RankedProgram(ProgramRanking::default());
    let said =
        check_program_evidence(&program, IntegerSemantics::C, Claim::Terminates, &none, deadline);
    let why = said.expect_err("only an overflow ends it").why;
    assert!(why.contains("ends only because of signed integer overflow"), "{why}");
}

/// The bits of `n` from the lowest one up: `n | -n`.
const BITS: &str = "((_ zero_extend 1) (bvor n (bvneg n)))";

#[test]
fn bits_that_no_overflow_touches_are_accepted() {
    // while (n != 0) { n <<= 1; i++; }
    let shifts = format!("v1 = shl v1, i32 1\n  {GROWS}");
    check_accepted("v3 = ne v1, i32 0", &shifts, "true", &[BITS]);
    // The ranking is still asked to get smaller: n |= 1 does not make it so.
    let program =
        program("v3 = ne v1, i32 0 @3:3", &format!("v1 = or v1, i32 1\n  {GROWS}\n  {USE}"));
    let said = judged(&program, &ranked(&program, "true", &[BITS]), IntegerSemantics::C);
    assert!(said.expect_err("it never ends").contains("does not get smaller"));
}

#[test]
fn bits_that_an_overflow_touches_are_refused() {
    // while (i >= 0) i++; with INT_MAX - i as bits
    check_refused(
        "v3 = sle i32 0, v0",
        GROWS,
        "true",
        &["((_ zero_extend 1) (bvxor i #x7fffffff))"],
    );
    // while (n != 0) { i++; n = (n >> 1) & i; } ends whatever i is.
    let masked = format!("{GROWS}\n  v1 = lshr v1, i32 1\n  v1 = and v1, v0");
    check_accepted("v3 = ne v1, i32 0", &masked, "true", &["((_ zero_extend 1) n)"]);
}

/// The same with an array of unknown contents: `while (i < a[n]) { i++; BODY }`, where `v5` is `a[n]`.
fn judge_array(body: &str) -> Result<Vec<String>, String> {
    let text = LOOP
        .replace("  v5 i32 temp\n", "  v5 i32 temp\n  v6 ptr temp\n  v7 ptr temp\n")
        .replace("v2 = i32 0\n", "v2 = i32 0\n  v6 = alloca i64 400 align 4 \"a\"\n")
        .replace(
            "CONDITION",
            "v4 = signextend v1 @3:3\n  v7 = offset v6, v4 * 4 @3:3\n  v5 = load v7 @3:3\n  v3 = slt v0, v5 @3:3",
        )
        .replace("BODY", &format!("{GROWS}\n  {body}\n  {USE}"));
    let program = text::parse_program(&text).unwrap_or_else(|refused| panic!("{refused}"));
    let Evidence::RankedProgram(mut ranking) = ranked(&program, "true", &[FAR_AWAY]) else {
        unreachable!("a ranking of a program");
    };
    ranking.vague = true;
    ranking.heads[0].open = vec![HavocObject { slot: 1, generation: 0 }];
    judged(&program, &Evidence::RankedProgram(ranking), IntegerSemantics::C)
}

#[test]
fn what_vague_memory_holds_may_have_overflowed() {
    // What is read is at most INT_MAX, whoever wrote it: nothing overflows here.
    assert_eq!(judge_array("store v7, i32 5"), Ok(vec!["an access outside of a".to_owned()]));
    // a[n]++: only its overflow ends the loop, although what is read back has the bounds of its type.
    let said = judge_array("v5 = add.s v5, i32 1 @4:9\n  store v7, v5");
    let said = said.expect_err("only an overflow ends it");
    assert!(said.contains("ends only because of signed integer overflow"), "{said}");
}

/// A run that is impossible by the bounds of a type alone is possible without them, whether or not anything overflows
/// before it.
#[test]
fn a_branch_that_only_bounds_exclude_is_looked_at() {
    // while (n == INT_MAX) { if (i <= n) i++; else i = 0; }
    let body = "v3 = sle v0, v1\n  branch v3, b4, b5\nb4:\n  v0 = add.s v0, i32 1 @4:5\n  goto b6\n\
                b5:\n  v0 = i32 0\n  goto b6\nb6:";
    check_refused("v3 = eq v1, i32 2147483647", &format!("{body}\n"), "true", &[FAR_AWAY]);
}

/// What is no hole has to be as it was without bounds, too.
#[test]
fn what_is_no_hole_stays_what_it_is_without_bounds() {
    // i = 0; while (w || i <= n) { i++; w = (unsigned)i > INT_MAX; }
    let text = LOOP
        .replace("v0 = choice function \"nondet\"", "v0 = i32 0")
        .replace("  v5 i32 temp\n", "  v5 i32 temp\n  v6 i1 temp\n")
        .replace(
            "CONDITION",
            "v3 = sle v0, v1 @3:3\n  v6 = ne v2, i32 0 @3:3\n  v3 = or v3, v6 @3:3",
        )
        .replace("BODY", &format!("{GROWS}\n  v6 = ult i32 2147483647, v0\n  v2 = zeroextend v6"));
    let program = text::parse_program(&text).unwrap_or_else(|refused| panic!("{refused}"));
    let distance = "(bvsub ((_ sign_extend 32) n) ((_ sign_extend 32) i))";
    let Evidence::RankedProgram(mut ranking) =
        ranked(&program, "(bvsle #x00000000 i)", &[distance])
    else {
        unreachable!("a ranking of a program");
    };
    ranking.heads[0].holes.retain(|hole| hole.symbol != "w");
    let said = judged(&program, &Evidence::RankedProgram(ranking), IntegerSemantics::C);
    let said = said.expect_err("it goes on without bounds");
    assert!(said.contains("ends only because of signed integer overflow"), "{said}");
}

/// Objects are left open only where memory is vague, and what they hold is unknown.
#[test]
fn objects_are_left_open_in_vague_memory_only() {
    let program = program("v3 = slt v0, v1 @3:3", &format!("{GROWS}\n  {USE}"));
    let distance = "(bvsub ((_ sign_extend 32) n) ((_ sign_extend 32) i))";
    let Evidence::RankedProgram(mut ranking) = ranked(&program, "true", &[distance]) else {
        unreachable!("a ranking of a program");
    };
    ranking.heads[0].open = vec![HavocObject { slot: 0, generation: 0 }];
    let said = judged(&program, &Evidence::RankedProgram(ranking), IntegerSemantics::C);
    assert!(said.expect_err("memory is not vague").contains("memory has to be vague"));
}

/// A branch that has to do with other numbers says nothing about whether a sum may overflow.
#[test]
fn a_decided_branch_does_not_hide_an_overflow() {
    // if (i > 0 && n > 5) while (1) { i += 1000000000; if (n <= 3) break; if (i < 5) break; }
    let body = "v0 = add.s v0, i32 1000000000 @4:5\n  v3 = sle v1, i32 3\n  branch v3, b2, b4\n\
                b4:\n  v3 = slt v0, i32 5\n  branch v3, b2, b5\nb5:";
    let text = LOOP
        .replace(
            "  v2 = i32 0\n  goto b1\n",
            "  v2 = i32 0\n  v3 = slt i32 0, v0\n  branch v3, b6, b2\n",
        )
        .replace("b1:\n  CONDITION\n  branch v3, b3, b2\n", "b1:\n  goto b3 @3:3\n")
        .replace("BODY", body)
        .replace("}\n", "b6:\n  v3 = slt i32 5, v1\n  branch v3, b1, b2\n}\n");
    let program = text::parse_program(&text).unwrap_or_else(|refused| panic!("{refused}"));
    let evidence = Evidence::Exhausted(PathExhaustion {
        states: 1000,
        forks: 1000,
        steps: 100_000,
        undefined: Vec::new(),
    });
    let said = judged(&program, &evidence, IntegerSemantics::C);
    let said = said.expect_err("only an overflow ends it");
    assert!(said.contains("ends only because of signed integer overflow"), "{said}");
}

/// `while (i < deep(n)) i++;` with `int deep(int n) { int r = n <= 0 ? nondet() : deep(n - 1); END return r; }`.
const DEEP: &str = r#"program 1
target 64
file "loop.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "i" user
  v1 i32 "n" user
  v2 i32 temp
  v3 i1 temp
b0:
  v0 = choice function "nondet"
  v1 = choice function "nondet"
  goto b1
b1:
  v2 = call f1(v1) @3:3
  v3 = slt v0, v2 @3:3
  branch v3, b2, b3 @3:3
b2:
  v0 = add.s v0, i32 1 @3:9
  goto b1
b3:
  exit i32 0
}

fn f1 "deep" (v1) -> (i32) user @6:1 {
  v0 i32 "r" user
  v1 i32 "n" user
  v2 i1 temp
  v3 i32 temp
b0:
  v2 = sle v1, i32 0 @7:3
  branch v2, b1, b2 @7:3
b1:
  v0 = choice function "nondet" @7:9
  goto b3
b2:
  v3 = sub.s v1, i32 1 @7:15
  v0 = call f1(v3) @7:15
  goto b3
b3:
  END
b4:
  return (v0) @9:1
b5:
  exit i32 0
}
"#;

/// A ranking of the loop by the promise that `deep` returns at most 1000, and one of the recursion.
fn judge_promise(end: &str) -> Result<Vec<String>, String> {
    let text = DEEP.replace("END", end);
    let program = text::parse_program(&text).unwrap_or_else(|refused| panic!("{refused}"));
    let mut terms = TermStore::new();
    let machine = Machine::new(&program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut state = machine.start_state();
    let mut head = |(function, line): (&str, u32), holes: &[(&str, u32)], ranking: &str| {
        let stop = machine.run_until(&mut state, &mut terms, &mut Zeroes, u64::MAX);
        assert!(matches!(stop, MachineStop::Mark), "{stop:?}");
        let hole = |(name, variable): &(&str, u32)| StateHole {
            symbol: (*name).to_owned(),
            sort: "(_ BitVec 32)".to_owned(),
            name: (*name).to_owned(),
            unsigned: false,
            cell: HoleCell::Variable { call: 0, variable: *variable },
        };
        RankedHead {
            place: SourcePlace { file: "loop.c".to_owned(), line, function: function.to_owned() },
            function: function.to_owned(),
            position: state.position().1,
            calls: None,
            holes: holes.iter().map(hole).collect(),
            shape: String::new(),
            open: Vec::new(),
            invariant: "true".to_owned(),
            ranking: vec![RankingLevel::from(ranking)],
        }
    };
    let up = "(bvsub #x00000000000003e8 ((_ sign_extend 32) i))";
    let heads =
        vec![head(("main", 3), &[("i", 0), ("n", 1)], up), head(("deep", 7), &[("n", 1)], "n")];
    let promise = FunctionSummary {
        function: "deep".to_owned(),
        formula: "(bvsle result.0 #x000003e8)".to_owned(),
    };
    let ranking = ProgramRanking {
        vague: true,
        heads,
        summaries: vec![promise],
        ..ProgramRanking::default()
    };
    judged(&program, &Evidence::RankedProgram(ranking), IntegerSemantics::C)
}

/// What is promised of calls is shown with bounds, so it says nothing where there are none.
#[test]
fn a_promise_that_only_an_overflow_keeps_does_not_end_a_loop() {
    // if (r > 1000) exit(0);
    let kept = "v2 = sle v0, i32 1000 @8:3\n  branch v2, b4, b5 @8:3";
    assert_eq!(judge_promise(kept), Ok(vec![]));
    // r + (INT_MAX - 1000);
    let said = judge_promise("v3 = add.s v0, i32 2147482647 @8:3\n  goto b4");
    let said = said.expect_err("without the overflow the loop goes on");
    assert!(said.contains("ends only because of signed integer overflow"), "{said}");
}

/// `while (n > 0) { if (nondet() != 0) { n--; continue; } BODY }`: `b2` is the end, `b5` goes on. `a` is `{ 0, 1 }`.
fn check_aside_refused(body: &str) {
    let text = LOOP
        .replace("  v5 i32 temp\n", "  v5 i32 temp\n  v6 ptr temp\n  v7 ptr temp\n")
        .replace(
            "v2 = i32 0\n",
            "v2 = i32 0\n  v6 = alloca i64 8 align 4 \"a\"\n  v7 = offset v6, i64 1 * 4\n  \
             store v6, i32 0\n  store v7, i32 1\n",
        )
        .replace("CONDITION", "v3 = slt i32 0, v1 @3:3")
        .replace(
            "BODY\n  goto b1",
            &format!(
                "v5 = choice function \"nondet\"\n  v3 = eq v5, i32 0\n  branch v3, b6, b4\n\
                 b4:\n  v1 = sub.s v1, i32 1 @4:5\n  goto b5\nb5:\n  {USE}\n  goto b1\nb6:\n  {body}"
            ),
        );
    let program = text::parse_program(&text).unwrap_or_else(|refused| panic!("{refused}"));
    let said = judged(&program, &ranked(&program, "true", &["n"]), IntegerSemantics::C);
    let said = said.expect_err("only an overflow ends it");
    assert!(said.contains("ends only because of signed integer overflow"), "{said}");
}

/// An operation on runs alone that were given up touches what it is about, too.
#[test]
fn an_overflow_touches_runs_that_were_given_up() {
    // if (n != INT_MAX || i + 1 <= n) break;
    check_aside_refused(
        "v3 = eq v1, i32 2147483647\n  branch v3, b7, b2\nb7:\n  v5 = add.s v0, i32 1 @5:5\n  \
         v3 = sle v5, v1\n  branch v3, b2, b5",
    );
}

/// Values that a needed one cannot have with bounds, it may have without.
#[test]
fn values_that_only_bounds_exclude_are_looked_at() {
    // if (n != INT_MAX || a[i + 1 > n] == 0) break;
    check_aside_refused(
        "v3 = eq v1, i32 2147483647\n  branch v3, b7, b2\nb7:\n  v5 = add.s v0, i32 1 @5:5\n  \
         v3 = slt v1, v5\n  v4 = zeroextend v3\n  v7 = offset v6, v4 * 4\n  v5 = load v7\n  \
         v3 = eq v5, i32 0\n  branch v3, b2, b5",
    );
}

/// A run beyond the model that is impossible only because of an overflow is one without bounds.
#[test]
fn a_run_beyond_the_model_that_only_an_overflow_excludes_is_refused() {
    // if (i != INT_MAX) break; i + 1; asm("...");
    check_aside_refused(
        "v3 = eq v0, i32 2147483647\n  branch v3, b7, b2\nb7:\n  v5 = add.s v0, i32 1 @5:5\n  \
         limit \"assembly code\"",
    );
}
