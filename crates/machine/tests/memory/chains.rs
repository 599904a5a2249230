//! Lists as chains: what is folded together, and that nothing is lost when a chain is taken apart again.

use ouro_machine::{
    ChoiceRequest, FoldScope, Machine, MachineState, MachineStop, MachineValue, OverflowSemantics,
    RunEnd, RunEnvironment, SegmentLink,
};
use ouro_model::text;
use ouro_term::{Sort, Term, TermStore};

/// A list of three nodes with a value at 0 and the next at 8: HEAD, and two of OTHERS. It ends with TAIL. At
/// the mark the list is `v0`, and `v4` is SECOND. Then REST is done.
const LIST: &str = r#"program 1
target 64
file "list.c"
entry f0

fn f0 "main" () -> () user @1:1 {
  v0 ptr "list" user
  v1 ptr temp
  v2 ptr temp
  v3 i32 temp
  v4 ptr "second" user
  v5 i1 temp
  v6 ptr "last" user
b0:
  v6 = OTHERS
  v4 = OTHERS
  v0 = HEAD
  v2 = offset v6, i64 8 * 1
  store v2, TAIL
  store v6, i32 LAST
  v2 = offset v4, i64 8 * 1
  store v2, v6
  store v4, i32 5
  v2 = offset v0, i64 8 * 1
  store v2, v4
  store v0, i32 5
  v4 = SECOND
  goto b1
b1:
  branch i1 1, b2, b1 @3:3
b2:
REST
}
"#;

/// Walks to the last node and exits with its value.
const WALK: &str = "  goto b3
b3:
  v2 = offset v0, i64 8 * 1
  v1 = load v2
  v5 = eq v1, ptr 0x0
  branch v5, b5, b4
b4:
  v0 = v1
  goto b3
b5:
  v3 = load v0
  v5 = eq v4, ptr 0x0
  branch v5, b6, b7
b6:
  exit v3
b7:
  exit v3";

/// Frees the node after the first.
const FREE_SECOND: &str = "  v2 = offset v0, i64 8 * 1
  v1 = load v2
  call builtin free(v1)
  exit i32 0";

/// Compares the address of the node after the first with that of a new one.
const COMPARE_SECOND: &str = "  v2 = offset v0, i64 8 * 1
  v1 = load v2
  v4 = call builtin allocate(i64 16)
  v5 = eq v1, v4
  branch v5, b3, b4
b3:
  exit i32 1
b4:
  exit i32 0";

struct List<'a> {
    head: &'a str,
    others: &'a str,
    tail: &'a str,
    last: &'a str,
    second: &'a str,
    rest: &'a str,
}

const HEAP: &str = "call builtin allocate(i64 16)";
const STACK: &str = "alloca i64 16 align 16 \"head\"";

impl Default for List<'_> {
    fn default() -> Self {
        let (tail, second) = ("ptr 0x0", "ptr 0x0");
        List { head: HEAP, others: HEAP, tail, last: "5", second, rest: WALK }
    }
}

/// Surroundings that stop at the first mark, and do not know any value.
#[derive(Default)]
struct Open {
    listens: bool,
}

impl RunEnvironment for Open {
    fn provide_choice(&mut self, _: &mut TermStore, _: ChoiceRequest<'_>) -> Option<MachineValue> {
        None
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _: &str,
    ) -> Option<MachineValue> {
        let unknown = terms.fresh_symbol("unknown", sort);
        Some(MachineValue::from_term(terms, unknown))
    }

    fn assume(&mut self, _: Term) {}

    fn restrict_coverage(&mut self, _: Term, _: &str) {}

    fn reach_mark(&mut self, _: &mut MachineState) -> bool {
        std::mem::take(&mut self.listens)
    }
}

/// The shape of the list, folded, and how the runs from there end; chains are taken apart into one object
/// and into more, at most a few times.
fn folded(list: &List<'_>, alike: bool, among: FoldScope) -> (String, Vec<RunEnd>) {
    let (shape, runs) = looked_at(list, alike, among);
    (shape, runs.into_iter().map(|(end, _)| end).collect())
}

/// The same, and of each run whether it depends on where objects lie.
fn looked_at(list: &List<'_>, alike: bool, among: FoldScope) -> (String, Vec<(RunEnd, bool)>) {
    let source = LIST
        .replace("HEAD", list.head)
        .replace("OTHERS", list.others)
        .replace("TAIL", list.tail)
        .replace("LAST", list.last)
        .replace("SECOND", list.second)
        .replace("REST", list.rest);
    let program = text::parse_program(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
    let mut terms = TermStore::new();
    let machine = Machine::new(&program, &mut terms, OverflowSemantics::Undefined, true).unwrap();
    let mut state = machine.start_state();
    let stop = machine.run_until(&mut state, &mut terms, &mut Open { listens: true }, u64::MAX);
    assert!(matches!(stop, MachineStop::Mark), "{stop:?}");
    let links = [SegmentLink { size: 16, link: 8, entry: 0, alike }];
    machine.fold_lists(&mut state, &mut terms, &links, among);
    let shape = machine.heap_shape(&state);
    let mut ends = Vec::new();
    let mut runs = vec![(state, 0)];
    while let Some((mut state, forks)) = runs.pop() {
        match machine.run_until(&mut state, &mut terms, &mut Open::default(), u64::MAX) {
            MachineStop::End(end, _) => ends.push((end, state.memory.layout_observed().is_some())),
            MachineStop::Fork(alternatives, _) if forks < 8 => {
                for alternative in alternatives {
                    // What can never be is not followed; the rest may or may not be.
                    if terms.as_bool(alternative.condition) != Some(false) {
                        let mut way = state.clone();
                        machine.take_alternative(&mut way, alternative);
                        runs.push((way, forks + 1));
                    }
                }
            }
            MachineStop::Fork(..) => {}
            stop => panic!("{stop:?}"),
        }
    }
    (shape, ends)
}

#[test]
fn a_list_becomes_one_chain() {
    let (shape, ends) = folded(&List::default(), false, FoldScope::Heap);
    assert_eq!(shape, "v0.0>0*");
    // Nobody knows what is in the last node.
    assert_eq!(ends, [RunEnd::Exit(None)]);
}

#[test]
fn nodes_with_the_same_in_them_keep_it() {
    let (shape, ends) = folded(&List::default(), true, FoldScope::Heap);
    assert_eq!(shape, "v0.0>0*");
    assert_eq!(ends, [RunEnd::Exit(Some(5))]);
    // One with another value is a chain of its own.
    let (shape, ends) = folded(&List { last: "7", ..List::default() }, true, FoldScope::Heap);
    assert_eq!(shape, "v0.0>0* 0+8>1*");
    assert_eq!(ends, [RunEnd::Exit(Some(7))]);
}

#[test]
fn what_is_referred_to_from_elsewhere_begins_a_chain() {
    let (shape, ends) = folded(&List { second: "v4", ..List::default() }, true, FoldScope::Heap);
    assert_eq!(shape, "v0.0>0* v0.4>1* 0+8>1*");
    assert_eq!(ends, [RunEnd::Exit(Some(5))]);
}

#[test]
fn a_ring_is_a_chain_that_ends_in_itself() {
    let rest = "  v3 = load v0\n  exit v3";
    let (shape, _) = folded(&List { tail: "v0", rest, ..List::default() }, false, FoldScope::Heap);
    assert_eq!(shape, "v0.0>0* 0+8>0*");
}

/// What is on the heap can be freed, also behind an object of the stack.
#[test]
fn a_chain_is_of_the_heap_or_of_the_stack() {
    let list = List { head: STACK, rest: FREE_SECOND, ..List::default() };
    let (shape, ends) = folded(&list, false, FoldScope::HeapAndStack);
    assert_eq!(shape, "v0.0>0* 0+8>1*");
    assert!(ends.iter().all(|end| *end == RunEnd::Exit(Some(0))), "{ends:?}");
    let (shape, ends) = folded(&list, false, FoldScope::Heap);
    assert_eq!(shape, "v0.0>0 0+8>1*");
    assert!(ends.iter().all(|end| *end == RunEnd::Exit(Some(0))), "{ends:?}");
}

/// An address says less where an object is aligned to less.
#[test]
fn a_chain_is_of_one_alignment() {
    let others = "alloca i64 16 align 8 \"other\"";
    let list = List { head: STACK, others, ..List::default() };
    let (shape, _) = folded(&list, false, FoldScope::HeapAndStack);
    assert_eq!(shape, "v0.0>0* 0+8>1*");
    let list = List { head: STACK, others: STACK, ..List::default() };
    let (shape, _) = folded(&list, false, FoldScope::HeapAndStack);
    assert_eq!(shape, "v0.0>0*");
}

/// A node of the stack that was taken off a chain may be gone, and others may have its address.
#[test]
fn one_that_may_be_gone_has_no_address_of_its_own() {
    let heap = List { rest: COMPARE_SECOND, ..List::default() };
    let (_, runs) = looked_at(&heap, false, FoldScope::HeapAndStack);
    assert!(runs.iter().all(|run| *run == (RunEnd::Exit(Some(0)), false)), "{runs:?}");
    let stack = List { head: STACK, others: STACK, ..heap };
    let (_, runs) = looked_at(&stack, false, FoldScope::HeapAndStack);
    assert!(runs.iter().any(|(_, looks)| *looks), "{runs:?}");
}
