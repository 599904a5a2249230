//! What a program may ask of addresses without depending on where objects lie, and what not: numbers that were
//! made from addresses can be anywhere.

use ouro_machine::{
    ChoiceRequest, Machine, MachineStop, MachineValue, OverflowSemantics, RunEnd, RunEnvironment,
};
use ouro_model::text;
use ouro_term::{Sort, Term, TermStore};

/// Surroundings that give nothing.
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
}

/// Allocated memory `v0`, its address as a number `v1`; then something is done.
const PROGRAM: &str = r#"program 1
target BITS
file "addresses.c"
entry f0

global g0 "\"foobar\"" size 7 align 1 constant shared zeroed user @1:1 {}

global g1 "\"bar\"" size 4 align 1 constant shared zeroed user @1:1 {}

global g2 "named" size 4 align 1 constant zeroed user @1:1 {}

global g3 "empty" size 0 align 1 zeroed user @1:1 {}

global g4 "empty, too" size 0 align 1 zeroed user @1:1 {}

fn f0 "main" () -> () user @1:1 {
  v0 ptr "p" user
  v1 iBITS temp
  v2 iBITS temp
  v3 i1 temp
  v4 f64 temp
  v5 f64 temp
  v6 ptr temp
  v7 i64 temp
  v8 i64 temp
b0:
  v0 = call builtin allocate(iBITS 16)
  v1 = ptrtoint v0
THEN
  exit i32 0
}
"#;

/// Whether a run with this in it depends on where objects lie.
fn depends(bits: u32, then: &str) -> bool {
    let then: Vec<String> = then.split("; ").map(|line| format!("  {line}")).collect();
    let source = PROGRAM.replace("BITS", &bits.to_string()).replace("THEN", &then.join("\n"));
    let program = text::parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut terms = TermStore::new();
    let machine = Machine::new(&program, &mut terms, OverflowSemantics::Undefined, false).unwrap();
    let mut state = machine.start_state();
    match machine.run_until(&mut state, &mut terms, &mut Nothing, 1_000) {
        MachineStop::End(RunEnd::Exit(_), _) => state.memory.layout_observed().is_some(),
        stop => panic!("{stop:?} of {source}"),
    }
}

#[test]
fn an_address_is_not_null_and_no_other_objects() {
    for fine in [
        "v3 = eq v0, ptr 0x0",
        "v3 = eq v1, i64 -1",
        "v3 = eq v0, &g2",
        "v3 = eq &g0, &g2",
        "v6 = offset v0, i64 16 * 1; v3 = eq v6, ptr 0x0",
        "call builtin free(v0); v3 = eq v0, ptr 0x0",
    ] {
        assert!(!depends(64, fine), "{fine}");
    }
}

#[test]
fn a_number_that_was_made_from_an_address_may_be_any() {
    for stray in [
        "v2 = sub v1, i64 65536; v3 = eq v2, i64 0",
        "v2 = add v1, i64 1000000; v3 = eq v2, i64 -16",
        "v2 = sub v1, i64 1048576; v3 = ult v2, v1",
        "v2 = sub v1, i64 65536; switch v2 [0: b1] b1\nb1:",
        "v2 = sub v1, i64 65536; call builtin free(v0); v3 = eq v2, i64 0",
        "call builtin free(v0); v2 = sub v1, i64 65536; v3 = eq v2, i64 0",
        // A mark of 32 bits is none of 64.
        "v3 = eq v1, i64 4294967280",
    ] {
        assert!(depends(64, stray), "{stray}");
    }
    // Within the object, or so near that no end of memory is between, it is as a pointer is.
    for near in [
        "v2 = add v1, i64 8; v3 = eq v2, i64 0",
        "v2 = sub v1, i64 8; v3 = ult v2, v1",
        "v2 = sub v1, i64 1048576; v2 = add v2, i64 1048576; v3 = eq v2, i64 0",
    ] {
        assert!(!depends(64, near), "{near}");
    }
}

#[test]
fn literals_and_empty_objects_may_lie_at_one_place() {
    for shared in ["v6 = offset &g0, i64 3 * 1; v3 = eq v6, &g1", "v3 = eq &g3, &g4"] {
        assert!(depends(64, shared), "{shared}");
    }
}

#[test]
fn bits_of_an_address_depend_on_where_it_is() {
    for looks in [
        "v2 = and v1, i64 4294967280",
        "v4 = bits v1; v5 = fmul v4, v4",
        "v1 = ptrtoint &f0; v2 = and v1, i64 15",
    ] {
        assert!(depends(64, looks), "{looks}");
    }
    // Memory of the heap is aligned.
    assert!(!depends(64, "v2 = and v1, i64 -16"));
    assert!(!depends(64, "v2 = and v1, i64 15"));
    assert!(!depends(32, "v2 = and v1, i32 -16"));
}

#[test]
fn nobody_knows_the_sign_of_an_address() {
    assert!(depends(32, "v7 = signextend v1"));
    assert!(!depends(32, "v7 = zeroextend v1; v8 = zeroextend v1; v3 = eq v7, v8"));
}
