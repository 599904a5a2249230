//! Programs in, systems out.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use ouro_machine::{Machine, OverflowSemantics};
use ouro_model::{Program, text, transition};
use ouro_solver::{Session, SessionLimits};
use ouro_term::TermStore;
use ouro_transform::walk::{AssumedSummaries, SymbolicWalk, SymbolicWalker, WalkEvent};
use ouro_transform::{
    ListAbstraction, LoweredProgram, LoweringBounds, LoweringStart, lower_from_head,
};

/// The system of a program, seen from the first mark of its first walk.
fn lowered(program: &Program, frames: Option<usize>) -> Option<LoweredProgram> {
    let mut terms = TermStore::new();
    let machine = Machine::new(program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut session = Session::new(SessionLimits::default());
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut walk = SymbolicWalk::new(machine.start_state(), Vec::new());
    let walk = loop {
        let mut walker = SymbolicWalker {
            machine: &machine,
            session: &mut session,
            deadline,
            floor: 0,
            steps: 0,
            all: false,
            vague: false,
            promises: &AssumedSummaries::new(),
            unanswered: 0,
        };
        match walker.follow_walk(&mut terms, walk, 1_000_000) {
            WalkEvent::Mark(walk) => break *walk,
            WalkEvent::Parted(mut ways) => walk = ways.swap_remove(0),
            _ => panic!("no mark"),
        }
    };
    let frames = frames.unwrap_or(walk.state.depth());
    let start = LoweringStart { walk: &walk, frames, lists: ListAbstraction::AsTheyAre };
    lower_from_head(
        program,
        &machine,
        &terms,
        &mut session,
        &start,
        LoweringBounds::until(deadline),
    )
}

/// Asserts what the system of a program is.
fn check(source: &str, frames: Option<usize>, complete: bool, expected: &Expect) {
    let program = text::parse_program(source).unwrap_or_else(|refused| panic!("{refused}"));
    let lowered = lowered(&program, frames).expect("it can be lowered");
    transition::check_wellformed_system(&lowered.system).unwrap();
    expected.assert_eq(&transition::print_system(&lowered.system));
    assert_eq!(lowered.complete, complete);
}

#[test]
fn a_loop_is_a_location_and_inputs_are_choices() {
    check(
        r#"program 1
target 64
file "input.c"
entry f0

global g0 "count" size 4 align 4 zeroed user {}
global g1 "fixed" size 4 align 4 zeroed user {}

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
  v2 = load &g1
  v1 = eq v2, i32 7
  branch v1, b3, b1
b3:
  exit i32 0
}
"#,
        None,
        true,
        &expect![[r##"
            system 1
            variable "x" bv32
            variable "count" bv32
            location l0 "start"
            location l1 "main:3" @0:3:3
            initial l0 "true"
            edge e0 l0 -> l1 {
              choice "in1.e0" bv32
              set "x" "in1.e0"
              set "count" "#x00000000"
            }
            edge e1 l1 -> l1 {
              choice "in1.e1" bv32
              guard "(bvsle #x00000000 x)"
              set "x" "in1.e1"
              set "count" "(bvadd count #x00000002)"
            }
        "##]],
    );
}

#[test]
fn a_loop_in_a_loop_is_a_location_of_its_own() {
    check(
        r#"program 1
target 64
file "nested.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "n" user
  v1 i32 "i" user
  v2 i1 temp
b0:
  v0 = choice function "nondet"
  goto b1
b1:
  v1 = i32 0 @2:3
  goto b2
b2:
  v2 = slt v1, v0 @3:5
  branch v2, b3, b4
b3:
  v1 = add.s v1, i32 1
  goto b2
b4:
  v0 = add v0, i32 1
  goto b1
}
"#,
        None,
        true,
        &expect![[r##"
            system 1
            variable "n" bv32
            variable "i" bv32
            location l0 "start"
            location l1 "main:2" @0:2:3
            location l2 "main:3" @0:3:5
            initial l0 "true"
            edge e0 l0 -> l1 {
              choice "in1.e0" bv32
              set "n" "in1.e0"
              set "i" "#x00000000"
            }
            edge e1 l1 -> l2 {
              set "i" "#x00000000"
            }
            edge e2 l2 -> l2 {
              guard "(and (bvslt i n) (= ((_ sign_extend 1) (bvadd i #x00000001)) (bvadd ((_ sign_extend 1) i) #b000000000000000000000000000000001)))"
              set "i" "(bvadd i #x00000001)"
            }
            edge e3 l2 -> l1 {
              guard "(not (bvslt i n))"
              set "n" "(bvadd n #x00000001)"
              set "i" "#x00000000"
            }
        "##]],
    );
}

#[test]
fn calls_that_never_return_come_to_one_location() {
    check(
        r#"program 1
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
"#,
        Some(1),
        false,
        &expect![[r##"
            system 1
            variable "n" bv32
            location l0 "start"
            location l1 "f:5" @0:5:3
            initial l0 "true"
            edge e0 l0 -> l1 {
              set "n" "#x00000004"
            }
            edge e1 l1 -> l1 {
              guard "(not (= n #x00000001))"
              set "n" "(bvadd n #x00000002)"
            }
        "##]],
    );
}

#[test]
fn elements_of_an_array_are_variables() {
    check(
        r#"program 1
target 64
file "array.c"
entry f0

global g0 "a" size 12 align 4 zeroed user {}

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
  v0 = and v0, i32 1
  v4 = ult i32 3, v0
  branch v4, b2, b1
b2:
  exit v3
}
"#,
        None,
        true,
        &expect![[r##"
            system 1
            variable "i" bv32
            variable "a[0]" bv32
            variable "a[1]" bv32
            variable "a[2]" bv32
            location l0 "start"
            location l1 "main:3" @0:3:3
            initial l0 "true"
            edge e0 l0 -> l1 {
              set "i" "#x00000000"
              set "a[0]" "#x00000000"
              set "a[1]" "#x00000000"
              set "a[2]" "#x00000000"
            }
            edge e1 l1 -> l1 {
              guard "(let ((?0 (bvmul ((_ zero_extend 32) i) #x0000000000000004))) (and (= ?0 #x0000000000000000) (bvule ?0 #x0000000000000008) (not (bvult #x00000003 ((_ zero_extend 31) ((_ extract 0 0) (bvadd i #x00000001)))))))"
              set "i" "((_ zero_extend 31) ((_ extract 0 0) (bvadd i #x00000001)))"
              set "a[0]" "(bvadd |a[0]| #x00000001)"
            }
            edge e2 l1 -> l1 {
              guard "(let ((?0 (bvmul ((_ zero_extend 32) i) #x0000000000000004))) (and (= ?0 #x0000000000000008) (bvule ?0 #x0000000000000008) (not (bvult #x00000003 ((_ zero_extend 31) ((_ extract 0 0) (bvadd i #x00000001)))))))"
              set "i" "((_ zero_extend 31) ((_ extract 0 0) (bvadd i #x00000001)))"
              set "a[2]" "(bvadd |a[2]| #x00000001)"
            }
            edge e3 l1 -> l1 {
              guard "(let ((?0 (bvmul ((_ zero_extend 32) i) #x0000000000000004))) (and (= ?0 #x0000000000000004) (bvule ?0 #x0000000000000008) (not (bvult #x00000003 ((_ zero_extend 31) ((_ extract 0 0) (bvadd i #x00000001)))))))"
              set "i" "((_ zero_extend 31) ((_ extract 0 0) (bvadd i #x00000001)))"
              set "a[1]" "(bvadd |a[1]| #x00000001)"
            }
        "##]],
    );
}

#[test]
fn inner_loops_without_decisions_are_walked_through() {
    check(
        r#"program 1
target 64
file "inner.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i32 "i" user
  v2 i1 temp
b0:
  v0 = choice function "nondet"
  goto b1
b1:
  v2 = ult i32 0, v0 @3:3
  branch v2, b2, b4
b2:
  v1 = i32 0
  goto b3
b3:
  v0 = add v0, v1
  v1 = add.s v1, i32 1
  v2 = slt v1, i32 4
  branch v2, b3, b1
b4:
  exit i32 0
}
"#,
        None,
        true,
        &expect![[r#"
            system 1
            variable "x" bv32
            location l0 "start"
            location l1 "main:3" @0:3:3
            initial l0 "true"
            edge e0 l0 -> l1 {
              choice "in1.e0" bv32
              set "x" "in1.e0"
            }
            edge e1 l1 -> l1 {
              guard "(bvult #x00000000 x)"
              set "x" "(bvadd x #x00000006)"
            }
        "#]],
    );
}
