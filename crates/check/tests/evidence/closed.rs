//! Certificates for runs on ever new states, made by hand, and what is made wrong in them.

use std::time::{Duration, Instant};

use ouro_check::check_program_evidence;
use ouro_evidence::{
    Claim, ClosedSet, ClosedSetHead, Evidence, HoleCell, IntegerSemantics, RunInput, SourcePlace,
    StateHole,
};
use ouro_machine::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, OverflowSemantics,
    RunEnvironment, StateCell,
};
use ouro_model::{ChoiceSource, Program, VarId, text};
use ouro_term::{Sort, Term, TermStore};

/// `while (x >= 0) { x = nondet(); count += 2; if (count == 7) exit(0); }`, `count` in memory.
const INPUT: &str = r#"program 1
target 64
file "input.c"
entry f0

global g0 "count" size 4 align 4 zeroed user {}

fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i1 temp
  v2 i32 temp
b0:
  v0 = choice function "nondet" @2:3
  goto b1
b1:
  v1 = sle i32 0, v0 @3:3
  branch v1, b2, b3
b2:
  v0 = choice function "nondet" @4:3
  v2 = load &g0
  v2 = add v2, i32 2
  store &g0, v2
  v1 = eq v2, i32 7
  branch v1, b3, b1
b3:
  exit i32 0
}
"#;

/// `while (x > 0) { x = x + step; if (x > 1000) x = 1; }`, `step` an input, and signed.
const SIGNED: &str = r#"program 1
target 64
file "signed.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i32 "step" user
  v2 i1 temp
b0:
  v0 = i32 1
  v1 = choice function "nondet"
  goto b1
b1:
  v2 = slt i32 0, v0 @3:3
  branch v2, b2, b4
b2:
  v0 = add.s v0, v1
  v2 = slt i32 1000, v0
  branch v2, b3, b1
b3:
  v0 = i32 1
  goto b1
b4:
  exit i32 0
}
"#;

/// `for (n = 1; ; n++) for (i = 0; i < n; i++);`
const NESTED: &str = r#"program 1
target 64
file "nested.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "n" user
  v1 i32 "i" user
  v2 i1 temp
b0:
  v0 = i32 1
  goto b1
b1:
  v1 = i32 0 @2:3
  goto b2
b2:
  v2 = ult v1, v0 @3:5
  branch v2, b3, b4
b3:
  v1 = add v1, i32 1
  goto b2
b4:
  v0 = add v0, i32 1
  goto b1
}
"#;

/// `void f(unsigned n) { if (n == 1) return; f(n + 2); }`
const RECURSION: &str = r#"program 1
target 64
file "recursion.c"
entry f0

fn f0 "main" () -> () user @1:1 {
b0:
  call f1(i32 4)
  exit i32 0
}

fn f1 "f" (v0) -> () user @4:1 {
  v0 i32 "n" user
  v1 i1 temp
  v2 i32 temp
b0:
  v1 = eq v0, i32 1 @5:3
  branch v1, b2, b1
b1:
  v2 = add v0, i32 2
  call f1(v2)
  goto b2
b2:
  return ()
}
"#;

/// `while (1) { x++; y = WHAT; if (y == 3) exit(0); }`, what is unknown.
const UNKNOWN: &str = r#"program 1
target 64
file "unknown.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i32 "y" user
  v2 i1 temp
b0:
  v0 = i32 0
  goto b1
b1:
  v0 = add v0, i32 1 @3:3
  v1 = unknown "a load"
  v1 = or v1, i32 COMMON
  v1 = and v1, i32 7
  v2 = eq v1, i32 3
  branch v2, b3, b2
b2:
  v2 = eq v0, i32 0
  branch v2, b1, b1
b3:
  exit i32 0
}
"#;

/// `a[i] = n; i = (i + 1) % 4;`, forever, `a` in memory.
const ARRAY: &str = r#"program 1
target 64
file "array.c"
entry f0

global g0 "a" size 16 align 4 zeroed user {}

fn f0 "main" () -> () user @1:1 {
  v0 i32 "i" user
  v1 i64 temp
  v2 ptr temp
  v3 i32 temp
  v4 i1 temp
b0:
  v0 = i32 0
  goto b1
b1:
  v1 = zeroextend v0 @3:3
  v2 = offset &g0, v1 * 4
  v3 = load v2
  v3 = add v3, i32 1
  store v2, v3
  v0 = add v0, i32 1
  v0 = and v0, i32 3
  v4 = ult i32 3, v0
  branch v4, b2, b1
b2:
  exit v3
}
"#;

fn program(text: &str) -> Program {
    text::parse_program(text).unwrap_or_else(|refused| panic!("{refused}"))
}

/// Gives inputs and stops at marks.
struct Given(Vec<u128>);

impl RunEnvironment for Given {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let bits = if self.0.is_empty() { 0 } else { self.0.remove(0) };
        let term = terms.bv(request.width, bits);
        Some(MachineValue::from_term(terms, term))
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        let term = terms.fresh_symbol("unknown", sort);
        Some(MachineValue::from_term(terms, term))
    }

    fn assume(&mut self, _: Term) {}

    fn restrict_coverage(&mut self, _: Term, _: &str) {}

    fn reach_mark(&mut self, _: &mut MachineState) -> bool {
        true
    }
}

/// The state at the n-th mark of a run.
fn at_mark(program: &Program, inputs: &[u128], n: usize) -> MachineState {
    let mut terms = TermStore::new();
    let machine = Machine::new(program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut state = machine.start_state();
    let mut given = Given(inputs.to_vec());
    for _ in 0..n {
        let stop = machine.run_until(&mut state, &mut terms, &mut given, u64::MAX);
        assert!(matches!(stop, MachineStop::Mark), "{stop:?}");
    }
    state
}

fn head(
    program: &Program,
    state: &MachineState,
    line: u32,
    holes: &[(&str, HoleCell)],
    set: &str,
) -> ClosedSetHead {
    let (function, position) = state.position();
    let function = program.functions[function].name.clone();
    ClosedSetHead {
        place: SourcePlace { file: program.files[0].clone(), line, function: function.clone() },
        function,
        position,
        holes: holes
            .iter()
            .map(|(name, cell)| StateHole {
                symbol: (*name).to_owned(),
                sort: "(_ BitVec 32)".to_owned(),
                name: (*name).to_owned(),
                unsigned: false,
                cell: cell.clone(),
            })
            .collect(),
        shape: String::new(),
        set: set.to_owned(),
        choices: Vec::new(),
    }
}

fn variable(index: u32) -> HoleCell {
    HoleCell::Variable { call: 0, variable: index }
}

/// The cell of four bytes at an offset of the first global.
fn global(state: &MachineState, name: &str, offset: u64) -> HoleCell {
    let (object, _) = state.memory.objects().find(|(_, o)| &*o.name == name).unwrap();
    HoleCell::Memory { slot: object.slot, generation: object.generation, offset, bytes: 4 }
}

fn input(bits: u128, line: u32) -> RunInput {
    let source = ChoiceSource::Function("nondet".to_owned());
    let place = SourcePlace { file: "input.c".to_owned(), line, function: "main".to_owned() };
    RunInput { bits, width: 32, source, place }
}

fn verdict(program: &Program, set: &ClosedSet) -> Result<(), String> {
    let deadline = Instant::now() + Duration::from_secs(60);
    check_program_evidence(
        program,
        IntegerSemantics::C,
        Claim::Loops,
        &Evidence::Closed(set.clone()),
        deadline,
    )
    .map_err(|r| r.why)
}

/// Asserts that a certificate is refused, for a reason that has this in it.
fn refused(program: &Program, set: &ClosedSet, why: &str) {
    let said = verdict(program, set).expect_err("it is wrong");
    assert!(said.contains(why), "{said}");
}

fn input_certificate() -> (Program, ClosedSet) {
    let program = program(INPUT);
    let state = at_mark(&program, &[5], 1);
    let holes = [("x", variable(0)), ("c", global(&state, "count", 0))];
    let set = "(and (bvsge x #x00000000) (= ((_ extract 0 0) c) #b0))";
    let mut first = head(&program, &state, 3, &holes, set);
    first.choices = vec!["x".to_owned()];
    let set = ClosedSet {
        inputs: vec![input(5, 2)],
        step: state.steps,
        frames: state.depth(),
        recursion: false,
        links: Vec::new(),
        heads: vec![first],
    };
    (program, set)
}

#[test]
fn a_loop_that_reads_inputs_and_counts_is_accepted() {
    let (program, mut set) = input_certificate();
    assert_eq!(verdict(&program, &set), Ok(()));
    set.heads[0].choices = vec!["#x00000000".to_owned()];
    assert_eq!(verdict(&program, &set), Ok(()));
}

#[test]
fn what_is_made_wrong_in_it_is_refused() {
    let (program, good) = input_certificate();

    let mut weaker = good.clone();
    weaker.heads[0].set = "(bvsge x #x00000000)".to_owned();
    refused(&program, &weaker, "ends: it exits");

    let mut narrower = good.clone();
    narrower.heads[0].set = "(and (= x #x00000005) (= c #x00000000))".to_owned();
    refused(&program, &narrower, "ends: it exits");

    let mut later = good.clone();
    later.step += 1;
    refused(&program, &later, "do not lead to the first loop head");
    later.step += 1_000;
    refused(&program, &later, "the run ends");

    let mut chosen = good.clone();
    chosen.heads[0].choices = vec!["#xffffffff".to_owned()];
    refused(&program, &chosen, "ends: it exits");
    chosen.heads[0].choices = vec!["#x05".to_owned()];
    refused(&program, &chosen, "a different sort");
    chosen.heads[0].choices = vec!["y".to_owned()];
    refused(&program, &chosen, "not a term");
    chosen.heads[0].choices = Vec::new();
    refused(&program, &chosen, "ends: it exits");

    let mut fewer = good.clone();
    fewer.heads[0].holes.truncate(1);
    fewer.heads[0].set = "(bvsge x #x00000000)".to_owned();
    refused(&program, &fewer, "ends: it exits");

    let mut dead = good.clone();
    dead.heads[0].holes.push(StateHole {
        symbol: "t".to_owned(),
        cell: variable(2),
        ..good.heads[0].holes[0].clone()
    });
    refused(&program, &dead, "do not lead into the set");
    dead.heads[0].holes[2].cell = variable(9);
    refused(&program, &dead, "the state has no");
    dead.heads[0].holes[2].cell = HoleCell::Memory { slot: 0, generation: 7, offset: 0, bytes: 4 };
    refused(&program, &dead, "the state has no");
    dead.heads[0].holes[2].symbol = "x".to_owned();
    refused(&program, &dead, "two holes");

    let mut narrow = good.clone();
    narrow.heads[0].holes[0].sort = "(_ BitVec 8)".to_owned();
    refused(&program, &narrow, "has sort");

    let mut negative = good.clone();
    negative.inputs[0].bits = 0xffff_ffff;
    refused(&program, &negative, "do not lead into the set");
    negative.inputs.push(input(5, 2));
    refused(&program, &negative, "1 inputs were taken");

    let mut elsewhere = good.clone();
    elsewhere.heads[0].position += 1;
    refused(&program, &elsewhere, "do not lead to the first loop head");
    let mut elsewhere = good.clone();
    elsewhere.heads[0].function = "f".to_owned();
    refused(&program, &elsewhere, "do not lead to the first loop head");
    let mut elsewhere = good.clone();
    elsewhere.heads[0].place.line = 9;
    refused(&program, &elsewhere, "the head is not at");

    let mut frames = good.clone();
    frames.frames = 2;
    refused(&program, &frames, "2 of 1 calls");
    frames.frames = 0;
    refused(&program, &frames, "0 of 1 calls");

    let mut nothing = good.clone();
    nothing.heads.clear();
    refused(&program, &nothing, "no loop head");
    let mut idle = good;
    idle.heads.push(ClosedSetHead { position: 99, holes: Vec::new(), ..idle.heads[0].clone() });
    refused(&program, &idle, "never comes to head 1");
}

#[test]
fn a_set_must_exclude_overflow() {
    let program = program(SIGNED);
    let state = at_mark(&program, &[7], 1);
    let holes = [("x", variable(0)), ("s", variable(1))];
    let set = |set: &str| ClosedSet {
        inputs: vec![input(7, 2)],
        step: state.steps,
        frames: 1,
        recursion: false,
        links: Vec::new(),
        heads: vec![head(&program, &state, 3, &holes, set)],
    };
    let bounds = "(bvsge s #x00000001) (bvsge x #x00000001) (bvsle x #x000003e8)";
    assert_eq!(verdict(&program, &set(&format!("(and (bvsle s #x00000400) {bounds})"))), Ok(()));
    assert_eq!(verdict(&program, &set(&format!("(and (= s #x00000007) {bounds})"))), Ok(()));
    refused(&program, &set(&format!("(and {bounds})")), "undefined");
}

fn nested_certificate() -> (Program, ClosedSet) {
    let program = program(NESTED);
    let (outer, inner) = (at_mark(&program, &[], 1), at_mark(&program, &[], 2));
    let heads = vec![
        head(&program, &outer, 2, &[("n", variable(0))], "true"),
        head(&program, &inner, 3, &[("m", variable(0)), ("i", variable(1))], "(bvule i m)"),
    ];
    let set = ClosedSet {
        inputs: Vec::new(),
        step: outer.steps,
        frames: 1,
        recursion: false,
        links: Vec::new(),
        heads,
    };
    (program, set)
}

#[test]
fn a_loop_in_a_loop_is_two_heads() {
    let (program, good) = nested_certificate();
    assert_eq!(verdict(&program, &good), Ok(()));
    let mut lost = good.clone();
    lost.heads[1].holes.remove(0);
    lost.heads[1].set = "true".to_owned();
    refused(&program, &lost, "outside the set");
    let mut wrong = good;
    wrong.heads[1].set = "(bvult i m)".to_owned();
    assert!(verdict(&program, &wrong).is_err());
}

#[test]
fn calls_that_never_return_are_a_recursion() {
    let program = program(RECURSION);
    let state = at_mark(&program, &[], 1);
    let even = "(= ((_ extract 0 0) n) #b0)";
    let mut set = ClosedSet {
        inputs: Vec::new(),
        step: state.steps,
        frames: 1,
        recursion: false,
        links: Vec::new(),
        heads: vec![head(&program, &state, 5, &[("n", variable(0))], even)],
    };
    assert_eq!(verdict(&program, &set), Ok(()));
    // The whole stack is never the same again.
    set.frames = 2;
    assert!(verdict(&program, &set).is_err());
    set.frames = 1;
    set.heads[0].set = "true".to_owned();
    refused(&program, &set, "returns from a call");
}

#[test]
fn values_that_nobody_knows_may_not_matter() {
    for (common, holds) in [("4", true), ("1", false)] {
        let program = program(&UNKNOWN.replace("COMMON", common));
        let state = at_mark(&program, &[], 1);
        let set = ClosedSet {
            inputs: Vec::new(),
            step: state.steps,
            frames: 1,
            recursion: false,
            links: Vec::new(),
            heads: vec![head(&program, &state, 3, &[("x", variable(0))], "true")],
        };
        assert_eq!(verdict(&program, &set).is_ok(), holds);
    }
}

#[test]
fn symbolic_addresses_have_finitely_many_values() {
    let program = program(ARRAY);
    let state = at_mark(&program, &[], 1);
    let mut holes = vec![("i", variable(0))];
    for (offset, name) in [(0, "a0"), (4, "a1"), (8, "a2"), (12, "a3")] {
        holes.push((name, global(&state, "a", offset)));
    }
    let mut set = ClosedSet {
        inputs: Vec::new(),
        step: state.steps,
        frames: 1,
        recursion: false,
        links: Vec::new(),
        heads: vec![head(&program, &state, 3, &holes, "(bvule i #x00000003)")],
    };
    assert_eq!(verdict(&program, &set), Ok(()));
    set.heads[0].set = "(bvule i #x00000004)".to_owned();
    refused(&program, &set, "out of bounds");
    set.heads[0].set = "(bvule i #x00000003)".to_owned();
    set.heads[0].holes.pop();
    assert!(verdict(&program, &set).is_err());
}

#[test]
fn holes_are_where_the_machine_has_them() {
    let program = program(ARRAY);
    let mut terms = TermStore::new();
    let machine = Machine::new(&program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut state = at_mark(&program, &[], 1);
    let spot = StateCell::Variable { call: 0, variable: VarId(0) };
    let zero = terms.bv(32, 0);
    assert_eq!(machine.number_in(&mut terms, &state, spot), Some(zero));
    let seven = terms.bv(32, 7);
    assert!(machine.put_number(&mut terms, &mut state, spot, seven));
    assert_eq!(machine.number_in(&mut terms, &state, spot), Some(seven));
    let short = terms.bv(8, 7);
    assert!(!machine.put_number(&mut terms, &mut state, spot, short));
    let none = StateCell::Variable { call: 1, variable: VarId(0) };
    assert!(!machine.put_number(&mut terms, &mut state, none, seven));
}
