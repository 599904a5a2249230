//! Programs that never come back to a state: what is found is checked, always.

use std::time::{Duration, Instant};

use ouro_engine::EngineSettings;
use ouro_engine::closed_program::search_loop_heads;
use ouro_engine::recurrent::FoundRecurrentSet;
use ouro_evidence::{
    Claim, ClosedSet, Evidence, IntegerSemantics, MoveStep, RecurrentLocation, RecurrentMove,
    RecurrentSet, StemStep,
};
use ouro_model::ids::EdgeId;
use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_model::{Program, text};
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Term, TermEvaluator, TermStore};
use rustc_hash::FxHashMap;

/// The simplest recurrent set: at one location, that an edge back to it can be taken. It stands in
/// for the real methods, so that these tests are about the way to the system and back.
fn simplest(system: &TransitionSystem, _: &EngineSettings) -> Option<FoundRecurrentSet> {
    let mut terms = system.terms.clone();
    let mut session = Session::new(SessionLimits::default());
    for (location, _) in system.locations.enumerate().skip(1) {
        let turns: Vec<(EdgeId, &TransitionEdge)> = system
            .edges
            .enumerate()
            .filter(|(_, edge)| edge.from == location && edge.to == location)
            .collect();
        let mut guards = Vec::new();
        let mut moves: Vec<(EdgeId, Vec<Term>)> = Vec::new();
        for (id, edge) in &turns {
            let choices: Vec<Term> =
                edge.choices.iter().map(|c| choose(system, &mut terms, *c)).collect();
            guards.push(instance(&mut terms, edge, edge.guard, &choices));
            moves.push((*id, choices));
        }
        let set = terms.or_all(&guards);
        let works: Vec<Term> = moves
            .iter()
            .zip(&guards)
            .map(|((id, choices), guard)| {
                let inside = after(system, &mut terms, &system.edges[*id], set, choices);
                terms.and(*guard, inside)
            })
            .collect();
        let any = terms.or_all(&works);
        let none = terms.not(any);
        if session.check_sat(&terms, &[set, none]) != SolverAnswer::Unsat {
            continue;
        }
        for (id, edge) in system.edges.enumerate() {
            if edge.from != system.initial || edge.to != location {
                continue;
            }
            let into = after(system, &mut terms, edge, set, &edge.choices);
            let SolverAnswer::Sat(model) = session.check_sat(&terms, &[edge.guard, into]) else {
                continue;
            };
            let mut evaluator = TermEvaluator::new(&terms, &model);
            let values: Vec<_> =
                edge.choices.iter().map(|c| evaluator.evaluate_term(*c).unwrap()).collect();
            let mut shown = |value| {
                let term = terms.constant(value);
                terms.display(term).to_string()
            };
            let choices: Vec<String> = values.into_iter().map(&mut shown).collect();
            let set = RecurrentSet {
                initial: Vec::new(),
                stem: vec![StemStep { edge: id.0, choices }],
                places: vec![RecurrentLocation {
                    location: location.0,
                    set: terms.display(set).to_string(),
                    moves: moves
                        .iter()
                        .map(|(id, choices)| RecurrentMove {
                            steps: vec![MoveStep {
                                edge: id.0,
                                choices: choices
                                    .iter()
                                    .map(|c| terms.display(*c).to_string())
                                    .collect(),
                            }],
                        })
                        .collect(),
                }],
            };
            return Some(FoundRecurrentSet { set, method: "simplest" });
        }
    }
    None
}

/// The first variable of the right sort, or zero.
fn choose(system: &TransitionSystem, terms: &mut TermStore, choice: Term) -> Term {
    let sort = terms.sort(choice);
    let variable = system.variables.iter().find(|v| v.sort == sort);
    variable.map_or_else(|| terms.bv(sort.width().unwrap(), 0), |v| v.symbol)
}

fn instance(terms: &mut TermStore, edge: &TransitionEdge, term: Term, choices: &[Term]) -> Term {
    let map: FxHashMap<Term, Term> =
        edge.choices.iter().copied().zip(choices.iter().copied()).collect();
    terms.substitute(term, &map)
}

fn after(
    system: &TransitionSystem,
    terms: &mut TermStore,
    edge: &TransitionEdge,
    set: Term,
    choices: &[Term],
) -> Term {
    let mut map = FxHashMap::default();
    for (variable, update) in system.variables.iter().zip(&edge.update) {
        map.insert(variable.symbol, instance(terms, edge, *update, choices));
    }
    terms.substitute(set, &map)
}

fn found(source: &str) -> Option<(Program, ClosedSet)> {
    let program = text::parse_program(source).unwrap_or_else(|refused| panic!("{refused}"));
    let time = Duration::from_secs(60);
    let settings = EngineSettings {
        ints: IntegerSemantics::C,
        deadline: Instant::now() + time,
        time,
        memory_mib: 4096,
    };
    let (finding, _) = search_loop_heads(&program, &settings, &mut simplest)?;
    let evidence = finding.verdict.evidence().expect("it is definite");
    let checked = ouro_check::check_program_evidence(
        &program,
        IntegerSemantics::C,
        Claim::Loops,
        evidence,
        Instant::now() + time,
    );
    assert_eq!(checked, Ok(()), "{evidence:?}");
    let Evidence::Closed(set) = evidence else { panic!("{evidence:?}") };
    Some((program, set.clone()))
}

/// Asserts that a set is found, and what it is at the first head: its holes and the formula.
fn check(source: &str, holes: &[&str], set: &str) {
    let (_, found) = found(source).expect("it runs forever");
    let head = &found.heads[0];
    let names: Vec<&str> = head.holes.iter().map(|hole| hole.name.as_str()).collect();
    assert_eq!((names.as_slice(), head.set.as_str()), (holes, set));
}

const HEAD: &str = "program 1\ntarget 64\nfile \"x.c\"\nentry f0\n";

#[test]
fn inputs_that_differ_each_time() {
    let source = r#"
fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i1 temp
b0:
  v0 = choice function "nondet" @2:3
  goto b1
b1:
  v1 = sle i32 0, v0 @3:3
  branch v1, b2, b3
b2:
  v0 = choice function "nondet" @4:3
  goto b1
b3:
  exit i32 0
}
"#;
    check(&format!("{HEAD}{source}"), &["x"], "(bvsle #x00000000 x)");
}

#[test]
fn counters_that_wrap() {
    let source = r#"
global g0 "seen" size 8 align 8 zeroed user {}

fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i1 temp
  v2 i64 temp
b0:
  v0 = i32 0
  goto b1
b1:
  v0 = add v0, i32 3 @3:3
  v1 = eq v0, i32 7
  branch v1, b2, b1
b2:
  v2 = load &g0
  v2 = add v2, i64 1
  store &g0, v2
  v1 = eq v2, i64 0
  branch v1, b1, b1
}
"#;
    let (_, set) = found(&format!("{HEAD}{source}")).expect("it runs forever");
    assert_eq!(set.heads[0].holes.len(), 2);
    assert!(set.heads[0].choices.is_empty() && set.inputs.is_empty());
}

#[test]
fn local_memory_behind_a_call() {
    let source = r#"
fn f0 "main" () -> () user @1:1 {
  v0 ptr temp
  v1 i32 "n" user
  v2 i1 temp
b0:
  v0 = alloca i64 16 align 8 "pair"
  v1 = choice function "nondet" @2:3
  store v0, v1
  goto b1
b1:
  call f1(v0) @3:3
  v1 = load v0
  v2 = ult i32 0, v1
  branch v2, b1, b2
b2:
  exit i32 0
}

fn f1 "next" (v0) -> () user @6:1 {
  v0 ptr "p" user
  v1 i32 temp
b0:
  v1 = load v0
  v1 = add v1, i32 2
  v1 = or v1, i32 1
  store v0, v1
  return ()
}
"#;
    let set = "(bvult #x00000000 (bvor (bvadd |pair[0]| #x00000002) #x00000001))";
    check(&format!("{HEAD}{source}"), &["pair[0]"], set);
}

#[test]
fn a_recursion_that_never_returns() {
    let source = r#"
fn f0 "main" () -> () user @1:1 {
  v0 i64 "n" user
b0:
  v0 = choice function "nondet" @2:3
  v0 = call f1(v0)
  exit i32 0
}

fn f1 "f" (v0) -> (i64) user @4:1 {
  v0 i64 "n" user
  v1 i1 temp
  v2 i64 temp
b0:
  v1 = eq v0, i64 1 @5:3
  branch v1, b2, b1
b1:
  v2 = shl v0, i64 1
  v2 = call f1(v2)
  v2 = add v2, v0
  return (v2)
b2:
  return (v0)
}
"#;
    let source = format!("{HEAD}{source}");
    check(&source, &["n"], "(not (= n #x0000000000000001))");
    assert!(found(&source.replace("shl v0", "add v0")).is_none());
}

#[test]
fn what_ends_is_not_found() {
    let source = r#"
fn f0 "main" () -> () user @1:1 {
  v0 i32 "x" user
  v1 i1 temp
b0:
  v0 = choice function "nondet" @2:3
  goto b1
b1:
  v1 = slt i32 0, v0 @3:3
  branch v1, b2, b3
b2:
  v0 = sub.s v0, i32 1
  goto b1
b3:
  exit i32 0
}
"#;
    assert!(found(&format!("{HEAD}{source}")).is_none());
    // Until it overflows.
    let upward = source.replace("sub.s", "add.s");
    assert!(found(&format!("{HEAD}{upward}")).is_none());
}

/// A list of nodes with a value at 0 and the next at 8, which gets another node in every turn. The loop is left
/// if LEAVES, where `v3` is the value of the first node.
const GROWS: &str = r#"
fn f0 "main" () -> () user @1:1 {
  v0 ptr "list" user
  v1 ptr "node" user
  v2 ptr temp
  v3 i32 temp
  v4 i1 temp
b0:
  v0 = ptr 0x0
  goto b1
b1:
  v4 = eq v0, ptr 0x0 @3:3
  branch v4, b3, b2
b2:
  v3 = load v0
  v4 = LEAVES
  branch v4, b4, b3
b3:
  v1 = call builtin allocate(i64 16)
  v2 = offset v1, i64 8 * 1
  store v2, v0
  store v1, i32 5
  v0 = v1
  goto b1
b4:
  exit i32 0
}
"#;

fn grows(leaves: &str) -> String {
    format!("{HEAD}{}", GROWS.replace("LEAVES", leaves))
}

#[test]
fn a_list_that_grows() {
    let source = grows("ne v3, v3");
    // It may have any length.
    let any = "(or (<= 2 |length(list)|) (<= |length(list)| 1))";
    check(&source, &["length(list)"], any);
    let (_, set) = found(&source).expect("it runs forever");
    assert_eq!(set.links.len(), 1);
    assert!(!set.links[0].alike);
}

/// The loop is left where the list holds something else.
#[test]
fn a_list_that_grows_and_holds_the_same() {
    let (_, set) = found(&grows("ne v3, i32 5")).expect("it runs forever");
    assert_eq!(set.links.len(), 1);
    assert!(set.links[0].alike);
    assert!(found(&grows("ne v3, i32 6")).is_none());
}
