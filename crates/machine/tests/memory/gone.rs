//! What the rest of a run can tell of addresses whose objects are gone, of switches and of sizes: where it
//! depends on where objects lie, that is noted, and where it does not, states that differ in it are different.

use ouro_machine::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, OverflowSemantics, RunEnd,
    RunEnvironment,
};
use ouro_model::text;
use ouro_term::{Sort, Term, TermStore};

/// Surroundings that give nothing, and stop at marks.
struct Nothing;

impl RunEnvironment for Nothing {
    fn provide_choice(&mut self, _: &mut TermStore, _: ChoiceRequest<'_>) -> Option<MachineValue> {
        None
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

/// Two addresses, which are live at the mark.
const TWO: &str = r#"program 1
target 64
file "gone.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 ptr "p" user
  v1 ptr "q" user
  v2 ptr temp
  v3 i1 temp
b0:
BEFORE
  goto b1
b1:
  branch i1 1, b2, b1 @3:3
b2:
  v3 = eq v0, v1
  branch v3, b3, b4
b3:
  exit i32 1
b4:
  exit i32 0
}
"#;

// Each has as many instructions, so that the marks are at the same position.

const ONE_FREED: &str = "  v2 = call builtin allocate(i64 16)
  v0 = call builtin allocate(i64 16)
  v1 = v0
  call builtin free(v0)
  call builtin free(v2)";

const ONE_FREED_APART: &str = "  v2 = call builtin allocate(i64 16)
  v0 = call builtin allocate(i64 16)
  v1 = offset v0, i64 8 * 1
  call builtin free(v0)
  call builtin free(v2)";

/// The same, elsewhere in memory.
const LATER_FREED_APART: &str = "  v2 = call builtin allocate(i64 64)
  v0 = call builtin allocate(i64 16)
  v1 = offset v0, i64 8 * 1
  call builtin free(v0)
  call builtin free(v2)";

const TWO_FREED: &str = "  v0 = call builtin allocate(i64 16)
  v2 = call builtin allocate(i64 16)
  v1 = v2
  call builtin free(v0)
  call builtin free(v2)";

/// The state at the first mark of a program.
fn at_mark(source: &str) -> (Machine, MachineState) {
    let program = text::parse_program(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut terms = TermStore::new();
    let machine = Machine::new(&program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut state = machine.start_state();
    let stop = machine.run_until(&mut state, &mut terms, &mut Nothing, u64::MAX);
    assert!(matches!(stop, MachineStop::Mark), "{stop:?}");
    (machine, state)
}

fn same(first: &str, second: &str) -> bool {
    let (machine, a) = at_mark(&TWO.replace("BEFORE", first));
    let (_, b) = at_mark(&TWO.replace("BEFORE", second));
    machine.subsumes_exactly(&a, &b, 1)
}

#[test]
fn addresses_of_one_object_are_as_far_apart_when_it_is_gone() {
    assert!(same(ONE_FREED, ONE_FREED));
    assert!(same(ONE_FREED_APART, LATER_FREED_APART));
    assert!(!same(ONE_FREED, ONE_FREED_APART));
    assert!(!same(ONE_FREED, TWO_FREED));
    assert!(!same(TWO_FREED, ONE_FREED_APART));
    assert!(same(TWO_FREED, TWO_FREED));
}

/// The address of an object, and what is done with it.
const ONE: &str = r#"program 1
target 64
file "one.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 ptr "p" user
  v1 i64 temp
  v2 ptr temp
  v3 f64 temp
  v4 ptr temp
  v5 i8 temp
b0:
  v0 = call builtin allocate(i64 16)
  v1 = ptrtoint v0
THEN
b1:
  exit i32 0
}
"#;

/// Whether a run with this in it depends on where objects lie, and how it ends.
fn ends(then: &str) -> (bool, RunEnd) {
    let source = ONE.replace("THEN", then);
    let program = text::parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut terms = TermStore::new();
    let machine = Machine::new(&program, &mut terms, OverflowSemantics::Undefined, false).unwrap();
    let mut state = machine.start_state();
    match machine.run_until(&mut state, &mut terms, &mut Nothing, 1_000) {
        MachineStop::End(end, _) => (state.memory.layout_observed().is_some(), end),
        stop => panic!("{stop:?}"),
    }
}

#[test]
fn what_an_address_is_compared_with_matters() {
    let exits = RunEnd::Exit(Some(0));
    assert_eq!(ends("  switch v1 [0: b1, 18446744073709551615: b1] b1"), (false, exits.clone()));
    assert_eq!(ends("  switch v1 [65552: b1] b1"), (true, exits.clone()));
    assert_eq!(ends("  v2 = offset ptr 0x0, v1 * 1\n  goto b1"), (true, exits.clone()));
    assert_eq!(ends("  v3 = unsignedtofloat v1\n  goto b1"), (true, exits));
}

/// What is left of an address that was overwritten in part says where objects lie, but only to who reads it.
#[test]
fn what_is_left_of_an_address_is_noted_when_it_is_read() {
    let overwritten = "  v2 = call builtin allocate(i64 16)
  store v2, v0
  v4 = offset v2, i64 1 * 1
  store v4, i8 7";
    let exits = RunEnd::Exit(Some(0));
    assert_eq!(ends(&format!("{overwritten}\n  goto b1")), (false, exits.clone()));
    let reads_what_was_written = format!("{overwritten}\n  v5 = load v4\n  goto b1");
    assert_eq!(ends(&reads_what_was_written), (false, exits.clone()));
    let reads_the_rest = format!("{overwritten}\n  v5 = load v2\n  goto b1");
    assert_eq!(ends(&reads_the_rest), (true, exits.clone()));
    let reads_all = format!("{overwritten}\n  v1 = load v2\n  goto b1");
    assert_eq!(ends(&reads_all), (true, exits.clone()));
    let overwrites_all = format!("{overwritten}\n  store v2, v0\n  v0 = load v2\n  goto b1");
    assert_eq!(ends(&overwrites_all), (false, exits));
}

#[test]
fn an_address_is_no_size() {
    let (_, end) = ends("  v2 = call builtin allocate(v1)\n  goto b1");
    assert!(matches!(end, RunEnd::Limit(_)), "{end:?}");
}
