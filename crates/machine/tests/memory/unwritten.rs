//! Objects of which not all bytes were written: states that differ in which are not the same, and where numbers
//! alone were written, all that differs is what is in the object.

use ouro_machine::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, OverflowSemantics,
    RunEnvironment, StateDifferenceKind,
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

/// An object of 16 bytes that is live at the mark, and another one.
const PROGRAM: &str = r#"program 1
target 64
file "unwritten.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 ptr "p" user
  v1 ptr "q" user
  v2 ptr temp
  v3 i64 temp
b0:
  v0 = call builtin allocate(i64 16)
  v1 = call builtin allocate(i64 16)
  v2 = offset v0, i64 PLACE * 8
  store v2, VALUE
  goto b1
b1:
  branch i1 1, b2, b1 @3:3
b2:
  v3 = load v0
  store v1, v3
  exit i32 0
}
"#;

/// The state at the mark, once this was stored at this place.
fn at_mark(place: &str, value: &str) -> (Machine, TermStore, MachineState) {
    let source = PROGRAM.replace("PLACE", place).replace("VALUE", value);
    let program = text::parse_program(&source).unwrap_or_else(|refused| panic!("{refused}"));
    let mut terms = TermStore::new();
    let machine =
        Machine::new(&program, &mut terms, OverflowSemantics::Undefined, true).expect("room");
    let mut state = machine.start_state();
    loop {
        match machine.run_until(&mut state, &mut terms, &mut Nothing, 1000) {
            MachineStop::Mark if state.position().1 > 3 => return (machine, terms, state),
            MachineStop::Mark => {}
            stop => panic!("{stop:?}"),
        }
    }
}

#[test]
fn what_was_written_where_is_told_apart() {
    let (machine, mut terms, one) = at_mark("0", "i64 7");
    for (place, value) in [("1", "i64 7"), ("0", "v1"), ("1", "v1")] {
        let (_, _, other) = at_mark(place, value);
        for (a, b) in [(&one, &other), (&other, &one)] {
            assert!(!machine.subsumes_exactly(a, b, 1), "{value} at {place}");
            assert_eq!(machine.find_subsumption(&mut terms, a, b, 1), None, "{value} at {place}");
        }
    }
    let (_, _, again) = at_mark("0", "i64 7");
    assert!(machine.subsumes_exactly(&one, &again, 1));
}

#[test]
fn an_array_that_is_being_filled_differs_in_its_content() {
    let (machine, mut terms, one) = at_mark("0", "i64 7");
    let (_, _, other) = at_mark("1", "i64 7");
    for (a, b) in [(&one, &other), (&other, &one)] {
        let found = machine.list_differences(&mut terms, a, b, 1).expect("only numbers differ");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].kind, StateDifferenceKind::Content);
    }
    assert_eq!(machine.list_differences(&mut terms, &one, &one, 1), Some(Vec::new()));
}

#[test]
fn addresses_are_not_forgotten() {
    let (machine, mut terms, one) = at_mark("0", "i64 7");
    for place in ["0", "1"] {
        let (_, _, other) = at_mark(place, "v1");
        assert_eq!(machine.list_differences(&mut terms, &one, &other, 1), None, "{place}");
        assert_eq!(machine.list_differences(&mut terms, &other, &one, 1), None, "{place}");
    }
}
