//! A run in pieces is the run at once: certificates say after how many steps something is, so it
//! must not matter where a run was stopped, nor whether anybody listened to marks.

use ouro_machine::concrete::{ConcreteEnvironment, ConcreteInputs};
use ouro_machine::{Machine, MachineState, MachineStop, OverflowSemantics};
use ouro_model::text;
use ouro_term::TermStore;

/// Sorts the digits of a number, by a loop, a recursion, memory and a switch.
const PROGRAM: &str = r#"program 1
target 64
file "digits.c"
entry f0

global g0 "digits" size 40 align 8 zeroed user {}

fn f0 "start" () -> () {
  v0 i32 "n" user
  v1 i32 "i" user
  v2 i1 temp
  v3 ptr temp
  v4 i32 temp
  v5 i64 temp
b0:
  v0 = i32 31415926
  goto b1
b1:
  v2 = ne v0, i32 0
  branch v2, b2, b3
b2:
  v4 = srem v0, i32 10
  v5 = signextend v4
  v3 = offset &g0, v5 * 4
  v4 = load v3
  v4 = add.s v4, i32 1
  store v3, v4
  v0 = sdiv v0, i32 10
  goto b1
b3:
  v1 = call f1(i32 12)
  switch v1 [144: b4] b5
b4:
  v3 = offset &g0, i64 1 * 4
  v1 = load v3
  goto b5
b5:
  exit v1
}

fn f1 "fibonacci" (v0) -> (i32) {
  v0 i32 "n" user
  v1 i1 temp
  v2 i32 temp
  v3 i32 temp
b0:
  v1 = slt v0, i32 2
  branch v1, b1, b2
b1:
  return (v0)
b2:
  v2 = sub.s v0, i32 1
  v2 = call f1(v2)
  v3 = sub.s v0, i32 2
  v3 = call f1(v3)
  v2 = add.s v2, v3
  return (v2)
}
"#;

/// Runs to the end, stopping after every `piece` steps; gives the states at the stops.
fn run(machine: &Machine, terms: &mut TermStore, piece: u64) -> (Vec<MachineState>, String) {
    let mut print = |_: u32, _: &[u8]| {};
    let mut environment = ConcreteEnvironment::new(ConcreteInputs::new(Vec::new()), &mut print);
    let mut state = machine.start_state();
    let mut stops = Vec::new();
    loop {
        let until = state.steps.saturating_add(piece);
        match machine.run_until(&mut state, terms, &mut environment, until) {
            MachineStop::Steps => assert_eq!(state.steps, until),
            stop => return (stops, format!("{stop:?} after {}", state.steps)),
        }
        stops.push(state.clone());
    }
}

#[test]
fn stopping_changes_nothing() {
    let program = text::parse_program(PROGRAM).expect("a program");
    let mut terms = TermStore::new();
    let machine =
        Machine::new(&program, &mut terms, OverflowSemantics::Undefined, false).expect("room");
    let (every, end) = run(&machine, &mut terms, 1);
    assert!(end.contains("Exit(Some(2))"), "{end}");
    let (_, at_once) = run(&machine, &mut terms, u64::MAX);
    assert_eq!(end, at_once);
    let marking =
        Machine::new(&program, &mut terms, OverflowSemantics::Undefined, true).expect("room");
    let (_, marked) = run(&marking, &mut terms, u64::MAX);
    assert_eq!(end, marked);
    for piece in [2, 3, 7, 100] {
        let (some, same_end) = run(&machine, &mut terms, piece);
        assert_eq!(end, same_end);
        for state in some {
            let other = &every[state.steps as usize - 1];
            assert_eq!(state.steps, other.steps);
            assert_eq!(state.position(), other.position());
            assert_eq!(state.depth(), other.depth());
            assert!(
                machine.subsumes_exactly(&state, other, state.depth()),
                "after {} steps",
                state.steps
            );
        }
    }
}
