//! Certificates for loops over lists of any length, made by hand, and what is made wrong in them.

use std::time::{Duration, Instant};

use ouro_check::{check_program_evidence, closed_set_paths};
use ouro_evidence::{
    Claim, ClosedSet, ClosedSetHead, Evidence, HoleCell, IntegerSemantics, ListLink, SourcePlace,
    StateHole,
};
use ouro_machine::{
    ChoiceRequest, FoldScope, Machine, MachineState, MachineStop, MachineValue, OverflowSemantics,
    RunEnvironment, SegmentLink,
};
use ouro_model::{Program, text};
use ouro_term::{Sort, Term, TermStore};

/// A list of nodes with a value at 0 and the next at 8. It has two nodes when the loop begins; in each turn
/// TURN is done, and another node is put in front. `b4` is the end.
const LIST: &str = r#"program 1
target 64
file "list.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 ptr "list" user
  v1 ptr "node" user
  v2 ptr temp
  v3 i32 temp
  v4 i1 temp
b0:
  v0 = MAKE
  v2 = offset v0, i64 8 * 1
  store v2, ptr 0x0
  store v0, i32 FIRST
  v1 = MAKE
  v2 = offset v1, i64 8 * 1
  store v2, v0
  store v1, i32 5
  v0 = v1
  goto b1
b1:
  v4 = eq v0, ptr 0x0 @3:3
  branch v4, b4, b2
b2:
  goto b5
b3:
  v1 = MAKE
  v2 = offset v1, i64 8 * 1
  store v2, v0
  store v1, i32 5
  v0 = v1
  goto b1
b4:
  exit i32 0
b5:
TURN
}
"#;

/// Nothing but the new node.
const NOTHING: &str = "  goto b3";

/// Ends if the first node does not hold a 5.
const LOOKS: &str = "  v3 = load v0
  v4 = ne v3, i32 5
  branch v4, b4, b3";

/// Takes the first node off and frees it; ends if it was the only one.
const POPS: &str = "  v2 = offset v0, i64 8 * 1
  v1 = load v2
  call builtin free(v0)
  v0 = v1
  v4 = eq v0, ptr 0x0
  branch v4, b4, b3";

fn program(turn: &str, first: u32) -> Program {
    made(turn, first, "call builtin allocate(i64 16)")
}

fn made(turn: &str, first: u32, make: &str) -> Program {
    let text = LIST.replace("TURN", turn).replace("MAKE", make);
    let text = text.replace("FIRST", &first.to_string());
    text::parse_program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

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

fn link(alike: bool) -> ListLink {
    ListLink { size: 16, link: 8, entry: 0, alike }
}

/// The certificate that the list may have any length of a set, and the number of steps to the loop.
fn certificate(program: &Program, set: &str, alike: bool) -> ClosedSet {
    let mut terms = TermStore::new();
    let machine = Machine::new(program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut state = machine.start_state();
    let stop = machine.run_until(&mut state, &mut terms, &mut Nothing, u64::MAX);
    assert!(matches!(stop, MachineStop::Mark), "{stop:?}");
    let (function, position) = state.position();
    let step = state.steps;
    let ListLink { size, link: at, entry, alike: _ } = link(alike);
    let links = [SegmentLink { size, link: at, entry, alike }];
    machine.fold_lists(&mut state, &mut terms, &links, FoldScope::Heap);
    let place = SourcePlace { file: "list.c".to_owned(), line: 3, function: "main".to_owned() };
    ClosedSet {
        inputs: Vec::new(),
        step,
        frames: 1,
        recursion: false,
        links: vec![link(alike)],
        heads: vec![ClosedSetHead {
            place,
            function: program.functions[function].name.clone(),
            position,
            holes: vec![StateHole {
                symbol: "n".to_owned(),
                sort: "Int".to_owned(),
                name: "length(list)".to_owned(),
                unsigned: false,
                cell: HoleCell::Length { number: 0 },
            }],
            shape: machine.heap_shape(&state),
            set: set.to_owned(),
            choices: Vec::new(),
        }],
    }
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
    .map_err(|rejection| rejection.why)
}

/// Asserts that a certificate is refused, for a reason that has this in it.
fn refused(program: &Program, set: &ClosedSet, why: &str) {
    let said = verdict(program, set).expect_err("it is wrong");
    assert!(said.contains(why), "{said}");
}

#[test]
fn a_list_that_grows_is_a_closed_set() {
    let program = program(NOTHING, 5);
    let set = certificate(&program, "(<= 1 n)", false);
    assert_eq!(verdict(&program, &set), Ok(()));
    let deadline = Instant::now() + Duration::from_secs(60);
    assert_eq!(closed_set_paths(&program, IntegerSemantics::C, &set, deadline), Ok(vec![(0, 0)]));
}

#[test]
fn what_is_made_wrong_in_it_is_refused() {
    let program = program(NOTHING, 5);
    let good = certificate(&program, "(<= 1 n)", false);

    let mut bounded = good.clone();
    bounded.heads[0].set = "(<= n 9)".to_owned();
    refused(&program, &bounded, "outside the set");
    let mut elsewhere = good.clone();
    elsewhere.heads[0].set = "(<= 3 n)".to_owned();
    refused(&program, &elsewhere, "do not lead into the set");

    let mut without = good.clone();
    without.links.clear();
    refused(&program, &without, "the state has no");
    without.heads[0].holes.clear();
    without.heads[0].set = "true".to_owned();
    refused(&program, &without, "outside the set");

    let mut fixed = good.clone();
    fixed.heads[0].holes.clear();
    fixed.heads[0].set = "true".to_owned();
    refused(&program, &fixed, "outside the set");

    for (size, link, entry) in [(24, 8, 0), (16, 0, 0), (16, 8, 4), (16, 16, 0), (16, u64::MAX, 0)]
    {
        let mut other = good.clone();
        other.links = vec![ListLink { size, link, entry, alike: false }];
        assert!(verdict(&program, &other).is_err(), "{size} {link} {entry}");
    }
    let mut shaped = good.clone();
    shaped.heads[0].shape += " 0+8>1";
    refused(&program, &shaped, "linked differently");
    let mut number = good;
    number.heads[0].holes[0].cell = HoleCell::Length { number: 1 };
    refused(&program, &number, "the state has no");
}

#[test]
fn what_is_in_a_list_is_forgotten_or_the_same() {
    let looks = program(LOOKS, 5);
    let forgotten = certificate(&looks, "(<= 1 n)", false);
    refused(&looks, &forgotten, "ends: it exits");
    let kept = certificate(&looks, "(<= 1 n)", true);
    assert_eq!(verdict(&looks, &kept), Ok(()));

    // A first node with another value is no part of the list of those with a 5, and has its own place.
    let mixed = program(LOOKS, 6);
    let set = certificate(&mixed, "(<= 1 n)", true);
    assert_eq!(verdict(&mixed, &set), Ok(()));
    // A loop that takes nodes off comes to it, and looks at a 6.
    let turn = format!("{}\nb6:\n{LOOKS}", POPS.replace("b3", "b6"));
    let comes = program(&turn, 6);
    let set = certificate(&comes, "(<= 1 n)", true);
    refused(&comes, &set, "ends: it exits");
}

#[test]
fn a_list_may_have_only_one_node() {
    let pops = program(POPS, 5);
    let longer = certificate(&pops, "(<= 2 n)", false);
    assert_eq!(verdict(&pops, &longer), Ok(()));
    let shorter = certificate(&pops, "(<= 1 n)", false);
    refused(&pops, &shorter, "ends: it exits");
}

/// An object of the stack would outlive its call in a chain, and free would not be refused.
#[test]
fn objects_of_the_stack_are_no_lists_here() {
    let stack = made(NOTHING, 5, "alloca i64 16 align 8 \"node\"");
    let set = certificate(&stack, "(<= 1 n)", false);
    refused(&stack, &set, "the state has no");
}
