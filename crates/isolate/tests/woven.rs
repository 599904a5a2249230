//! Functions that call each other, as one function with a loop.

use std::collections::BTreeSet;

use ouro_isolate::{WeavingOptions, WovenFunctions, weave_functions};
use ouro_model::flow::FunctionFlow;
use ouro_model::{FunctionId, Program, Terminator, text};

/// `f(a, b)` calls itself with `(b, a)` in a loop, and `g`, which returns its argument.
fn swapping() -> Program {
    let source = "program 1\ntarget 64\nfile \"a.c\"\nentry f0\n\n\
        fn f0 \"start\" () -> () {\nb0:\n  call f1(i32 1, i32 2)\n  exit i32 0\n}\n\n\
        fn f1 \"f\" (v0, v1) -> () user @1:1 {\n  v0 i32 \"a\" user\n  v1 i32 \"b\" user\n  v2 i1 temp\n  v3 i32 \"k\" user\n\
        b0:\n  goto b1\n\
        b1:\n  v2 = slt v0, v1\n  branch v2, b2, b3\n\
        b2:\n  v3 = call f2(v0)\n  call f1(v1, v0)\n  goto b1\n\
        b3:\n  return ()\n}\n\n\
        fn f2 \"g\" (v0) -> (i32) user @5:1 {\n  v0 i32 \"x\" user\nb0:\n  return (v0)\n}\n";
    text::parse_program(source).expect(source)
}

fn weave(program: &Program, callers: u32, inlines: bool) -> WovenFunctions {
    let members = BTreeSet::from([FunctionId(1)]);
    let reached: BTreeSet<FunctionId> = program.functions.ids().collect();
    let how = WeavingOptions {
        members: &members,
        reached: &reached,
        recursive: &members,
        vague: &BTreeSet::new(),
        callers,
        inlines,
    };
    weave_functions(program, how).expect("it is small")
}

/// The woven function as text.
fn code(woven: &WovenFunctions) -> String {
    let all = text::print_program(&woven.program);
    let start = all.find(&format!("fn f{}", woven.function.0)).expect("it is there");
    all[start..].to_owned()
}

#[test]
fn recursion_is_a_loop_around_the_loop() {
    let woven = weave(&swapping(), 0, false);
    let function = &woven.program.functions[woven.function];
    let flow = FunctionFlow::of_function(function);
    let heads: Vec<_> = flow.loops().iter().map(|one| one.head).collect();
    let inner = woven.blocks[&(FunctionId(1), ouro_model::BlockId(1))];
    assert_eq!(heads, [woven.hub, inner]);
    let outer = &flow.loops()[0].body;
    assert!(outer.contains(&inner), "the loop is passed on the way to the next call");
    // The block that starts the next call leaves the loop inside.
    let calls = flow.predecessors(woven.hub).iter().filter(|from| outer.contains(from));
    assert!(
        calls.clone().count() == 1 && !calls.clone().any(|one| flow.loops()[1].body.contains(one))
    );
}

#[test]
fn arguments_are_passed_at_once() {
    let woven = weave(&swapping(), 0, false);
    let text = code(&woven);
    // `(b, a)` for `(a, b)`: neither may be written before both were read.
    let assigned: Vec<&str> =
        text.lines().map(str::trim).filter(|one| one.starts_with('v')).collect();
    let position = |start: &str| assigned.iter().rposition(|one| one.starts_with(start));
    let first = position("v0 = ").expect(&text);
    let second = position("v1 = ").expect(&text);
    assert!(!assigned[second].ends_with("= v0") || second < first, "{text}");
    assert!(!assigned[first].ends_with("= v1") || first < second, "{text}");
    assert!(assigned[first] != "v0 = v1" || assigned[second] != "v1 = v0", "{text}");
}

#[test]
fn callers_and_called_functions_are_there_if_asked_for() {
    let program = swapping();
    let alone = weave(&program, 0, false);
    assert!(code(&alone).contains("call f2"), "g is called");
    let inlined = weave(&program, 0, true);
    assert!(!code(&inlined).contains("call f2"), "{}", code(&inlined));
    let known = weave(&program, 1, false);
    assert!(code(&known).contains("v0 = i32 1"), "{}", code(&known));
    assert!(!code(&alone).contains("v0 = i32 1"), "{}", code(&alone));
}

#[test]
fn limits_of_the_library_are_limits_in_what_is_woven() {
    let mut program = swapping();
    let what = ouro_model::RESULT_LIMITS[0].to_owned();
    program.functions[FunctionId(1)].blocks[ouro_model::BlockId(3)].terminator =
        Terminator::Limit(what);
    let woven = weave(&program, 0, false);
    let blocks = &woven.program.functions[woven.function].blocks;
    assert!(!blocks.iter().any(|block| block.terminator.is_result_limit()));
}
