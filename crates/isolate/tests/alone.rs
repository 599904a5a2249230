//! Loops of small programs, on their own.

use ouro_isolate::{
    CodeScope, IsolatedLoop, IsolatedProgram, IsolationOptions, MemoryTrust, ProgramEffects,
    isolate_loop,
};
use ouro_model::flow::FunctionFlow;
use ouro_model::{FunctionId, Instruction, Program, text, wellformed};

/// `for (i = 0; i < s->n; i++) BODY`, where `s` is `v0`, `i` is `v1` and the body may use `v4` to `v8`, and blocks
/// from `b4` on.
fn counting(body: &str) -> Program {
    program(&format!(
        "b0:\n  v1 = i32 0 @2:1\n  goto b1 @2:1\n\
         b1:\n  v2 = load v0 @2:5\n  v3 = slt v1, v2 @2:5\n  branch v3, b3, b2 @2:5\n\
         b2:\n  return ()\n\
         b3:\n  {body}\n  v1 = add.s v1, i32 1 @2:9\n  goto b1 @2:9"
    ))
}

/// A function `f` with this code; it can call `g` of which nothing is known, `h` that does nothing, and `a` that the
/// model does not cover.
fn program(code: &str) -> Program {
    calling("abs", code)
}

/// The same with a function of the C library that returns any number.
fn calling(name: &str, code: &str) -> Program {
    let text = format!(
        "program 1\ntarget 64\nfile \"a.c\"\nentry f0\n\n\
         fn f0 \"start\" () -> () {{\nb0:\n  exit i32 0\n}}\n\n\
         fn f1 \"f\" (v0) -> () user @1:1 {{\n  v0 ptr \"s\" user\n  v1 i32 \"i\" user\n  v2 i32 temp\n  \
         v3 i1 temp\n  v4 ptr temp\n  v5 i32 temp\n  v6 i32 \"k\" user\n  v7 i1 temp\n  v8 ptr temp\n{code}\n}}\n\n\
         fn f2 \"g\" () -> () {{\nb0:\n  return ()\n}}\n\n\
         fn f3 \"h\" () -> () user @9:1 {{\nb0:\n  return ()\n}}\n\n\
         fn f4 \"{name}\" () -> (i32) {{\n  v0 i32 temp\nb0:\n  v0 = unknown \"outside\"\n  return (v0)\n}}\n\n\
         fn f5 \"a\" () -> () user @12:1 {{\nb0:\n  limit \"assembly\"\n}}\n"
    );
    let program = text::parse_program(&text).expect(&text);
    assert_eq!(
        wellformed::check_wellformed_program(&program).map_err(|all| all.len()),
        Ok(()),
        "{text}"
    );
    program
}

/// The loop of `f` that has the most blocks.
fn outer(program: &Program, trust: MemoryTrust, cuts: bool) -> IsolatedLoop {
    let id = FunctionId(1);
    let flow = FunctionFlow::of_function(&program.functions[id]);
    let found = flow.loops().iter().max_by_key(|one| one.body.len()).expect("a loop");
    let made = isolate_loop(
        program,
        &ProgramEffects::of_program(program, CodeScope::Project),
        id,
        &flow,
        found,
        IsolationOptions { cuts, wide: false, trust, without: &[] },
    );
    let made = made.expect("loops that do not overlap");
    for IsolatedProgram { program, .. } in [&made.full, &made.slim].into_iter().chain(&made.sights)
    {
        let fine = wellformed::check_wellformed_program(program).map_err(|all| all[0].to_string());
        assert_eq!(fine, Ok(()), "{}", text::print_program(program));
        assert!(!has(program, |one| matches!(one, Instruction::Load { .. })));
        assert!(!has(program, |one| matches!(one, Instruction::Call { .. })));
    }
    made
}

fn has(program: &Program, what: impl Fn(&Instruction) -> bool) -> bool {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    blocks.flat_map(|block| &block.statements).any(|one| what(&one.instruction))
}

/// How often the variable of this name gets any value, the start included.
fn lost(program: &Program, name: &str) -> usize {
    let function = &program.functions[program.entry];
    let var = function.vars.enumerate().find(|(_, var)| var.name == name).expect(name).0;
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    let unknown =
        |one: &Instruction| matches!(one, Instruction::Unknown { dst, .. } if *dst == var);
    statements.filter(|one| unknown(&one.instruction)).count()
}

#[test]
fn what_is_read_and_never_written_stays_the_same() {
    let made = outer(&counting("v5 = i32 1"), MemoryTrust::Nothing, false);
    assert_eq!(lost(&made.full.program, "s_at_0"), 1);
    assert_eq!(lost(&made.slim.program, "s_at_0"), 1);
    assert!(made.full.assumed.is_empty());
}

#[test]
fn a_write_through_another_pointer_may_change_it() {
    let written =
        counting("v4 = offset v0, i64 8 * 1 @3:1\n  v8 = load v4 @3:1\n  store v8, i8 0 @3:2");
    let made = outer(&written, MemoryTrust::Nothing, false);
    assert_eq!(lost(&made.full.program, "s_at_0"), 2);
    let made = outer(&written, MemoryTrust::Writes, false);
    assert_eq!(lost(&made.full.program, "s_at_0"), 1);
    assert_eq!(made.slim.assumed, ["the write on line 3 does not change what line 2 reads"]);
}

#[test]
fn a_write_to_the_same_place_is_seen() {
    let same = counting("v5 = i32 7\n  store v0, v5 @3:1");
    let made = outer(&same, MemoryTrust::Calls, false);
    assert_eq!(lost(&made.full.program, "s_at_0"), 1, "it becomes 7");
    assert!(made.full.assumed.is_empty());
    let beside = counting("v4 = offset v0, i64 4 * 1\n  store v4, i32 7 @3:1");
    assert_eq!(lost(&outer(&beside, MemoryTrust::Nothing, false).full.program, "s_at_0"), 1);
    let within = counting("v4 = offset v0, i64 3 * 1\n  store v4, i32 7 @3:1");
    assert_eq!(lost(&outer(&within, MemoryTrust::Calls, false).full.program, "s_at_0"), 2);
    let indexed = counting("v4 = offset v0, v1 * 4\n  store v4, i32 7 @3:1");
    assert_eq!(lost(&outer(&indexed, MemoryTrust::Calls, false).full.program, "s_at_0"), 2);
}

#[test]
fn a_call_of_unknown_code_may_change_it() {
    let unknown = counting("call f2() @3:1");
    assert_eq!(lost(&outer(&unknown, MemoryTrust::Writes, false).full.program, "s_at_0"), 2);
    let made = outer(&unknown, MemoryTrust::Calls, false);
    assert_eq!(made.full.assumed, ["the call on line 3 does not change what line 2 reads"]);
    let harmless = counting("call f3() @3:1");
    assert_eq!(lost(&outer(&harmless, MemoryTrust::Nothing, false).full.program, "s_at_0"), 1);
}

#[test]
fn a_pointer_that_moves_is_no_base() {
    // while (*s) s = s->next: each time another place.
    let walk = program(
        "b0:\n  goto b1\nb1:\n  v5 = load v0 @2:1\n  v3 = ne v5, i32 0 @2:1\n  branch v3, b2, b3\n\
         b2:\n  v0 = load v0 @3:1\n  goto b1\nb3:\n  return ()",
    );
    let made = outer(&walk, MemoryTrust::Calls, false);
    let names = &made.full.program.functions[made.full.program.entry].vars;
    assert!(names.iter().all(|var| !var.name.contains("_at_")));
}

#[test]
fn a_loop_inside_can_be_cut() {
    let nested = program(
        "b0:\n  v1 = i32 0\n  goto b1\n\
         b1:\n  v3 = slt v1, i32 9 @2:1\n  branch v3, b2, b5\n\
         b2:\n  v3 = slt v6, i32 9 @3:1\n  branch v3, b3, b4\n\
         b3:\n  v6 = add.s v6, i32 1 @3:2\n  goto b2\n\
         b4:\n  v1 = add.s v1, i32 1 @4:1\n  goto b1\n\
         b5:\n  return ()",
    );
    let heads = |program: &Program| {
        FunctionFlow::of_function(&program.functions[program.entry]).loops().len()
    };
    let whole = outer(&nested, MemoryTrust::Nothing, false);
    assert_eq!((heads(&whole.full.program), whole.cut), (2, false));
    let cut = outer(&nested, MemoryTrust::Nothing, true);
    assert_eq!((heads(&cut.full.program), cut.cut), (1, true));
    assert_eq!(lost(&cut.full.program, "k"), 1, "what the loop inside writes is unknown");
    assert_eq!(lost(&cut.full.program, "i"), 1);
    // Nothing that the loop inside does decides whether the outer one is left, but that it is left does.
    assert_eq!(heads(&whole.slim.program), 2, "no cycle is lost");
}

#[test]
fn a_loop_with_two_entries_starts_anywhere() {
    let code = |to: &str| {
        format!(
            "b0:\n  v1 = i32 0\n  v3 = slt v6, i32 3\n  branch v3, b1, {to}\n\
             b1:\n  v3 = slt v1, i32 9 @2:1\n  branch v3, b2, b3\n\
             b2:\n  v1 = add.s v1, v6 @3:1\n  goto b1\nb3:\n  return ()"
        )
    };
    let starts_at_zero = |program: &Program| {
        let zero = ouro_model::Operand::Const { ty: ouro_model::Type::Int(32), bits: 0 };
        has(program, |one| matches!(one, Instruction::Assign { value, .. } if *value == zero))
    };
    let one = outer(&program(&code("b3")), MemoryTrust::Nothing, false);
    assert!(starts_at_zero(&one.full.program));
    let two = outer(&program(&code("b2")), MemoryTrust::Nothing, false);
    assert!(!starts_at_zero(&two.full.program), "it can come to its head from the other entry");
}

#[test]
fn what_decides_nothing_is_left_out() {
    let busy = counting(
        "v7 = slt v6, i32 5 @3:1\n  branch v7, b4, b5\n\
         b4:\n  v6 = add.s v6, i32 1 @3:2\n  goto b6\n\
         b5:\n  v6 = sub.s v6, i32 1 @3:3\n  goto b6\n\
         b6:\n  v5 = i32 1",
    );
    let made = outer(&busy, MemoryTrust::Nothing, false);
    let function = &made.slim.program.functions[made.slim.program.entry];
    assert!(
        function.blocks.len() < made.full.program.functions[made.full.program.entry].blocks.len()
    );
    let k = function.vars.enumerate().find(|(_, var)| var.name == "k").expect("k").0;
    assert!(!has(&made.slim.program, |one| one.destination_vars().contains(&k)));
}

#[test]
fn what_the_model_does_not_cover_stays_uncovered() {
    let limit = counting(
        "v7 = slt v6, i32 5\n  branch v7, b4, b5\nb4:\n  limit \"assembly\"\nb5:\n  v5 = i32 1",
    );
    let made = outer(&limit, MemoryTrust::Calls, true);
    for IsolatedProgram { program, .. } in [&made.full, &made.slim] {
        assert!(
            text::print_program(program).contains("limit \""),
            "{}",
            text::print_program(program)
        );
    }
}

/// Whether one of the sights has a variable of this name, and what is assumed there.
fn sight_with(made: &IsolatedLoop, name: &str) -> Option<Vec<String>> {
    let wants = |one: &&IsolatedProgram| {
        let function = &one.program.functions[one.program.entry];
        let written = |var| has(&one.program, |i| i.destination_vars().contains(&var));
        function.vars.enumerate().any(|(id, var)| var.name == name && written(id))
    };
    made.sights.iter().find(wants).map(|one| one.assumed.clone())
}

#[test]
fn a_sight_has_one_reason() {
    // Whether i grows by 1 or by 2 is decided by k, which matters to the loop as a whole.
    let busy = counting(
        "v7 = slt v6, i32 5 @3:1\n  branch v7, b4, b5\n\
         b4:\n  v6 = add.s v6, i32 1 @3:2\n  v1 = add.s v1, i32 1 @3:2\n  goto b5\n\
         b5:\n  v5 = i32 1",
    );
    let made = outer(&busy, MemoryTrust::Nothing, false);
    assert!(sight_with(&made, "i").is_some());
    assert!(sight_with(&made, "k").is_none(), "both ways are possible");
    let [sight] = &made.sights[..] else { panic!("one jump leads out") };
    let branches = text::print_program(&sight.program).matches("branch").count();
    assert_eq!(branches, 2, "no way is lost: {}", text::print_program(&sight.program));
}

#[test]
fn code_that_is_not_seen_may_do_anything() {
    let hidden = counting("call f5() @3:1");
    let made = outer(&hidden, MemoryTrust::Writes, false);
    assert_eq!(lost(&made.full.program, "s_at_0"), 2);
    assert!(text::print_program(&made.full.program).contains("add.s"), "it may come back");
}

#[test]
fn a_copy_of_a_pointer_leads_to_the_same_place() {
    let copied = counting("v4 = v0 @3:1\n  v4 = v0 @3:1\n  store v4, i32 7 @3:2");
    let made = outer(&copied, MemoryTrust::Ends, false);
    assert_eq!(lost(&made.full.program, "s_at_0"), 2);
    assert!(made.full.assumed.is_empty(), "{:?}", made.full.assumed);
}

#[test]
fn a_part_of_an_array_stays_the_same_if_its_index_does() {
    // while (i < s[k].n) …
    let parts = |body: &str| {
        program(&format!(
            "b0:\n  goto b1\n\
             b1:\n  v4 = offset v0, v6 * 8 @2:1\n  v2 = load v4 @2:5\n  v3 = slt v1, v2 @2:5\n  \
             branch v3, b2, b3\nb2:\n  {body}\n  v1 = add.s v1, i32 1 @3:9\n  goto b1\nb3:\n  return ()"
        ))
    };
    assert_eq!(
        lost(&outer(&parts("v5 = i32 1"), MemoryTrust::Nothing, false).full.program, "s_k_at_0"),
        1
    );
    let moved = outer(&parts("v6 = add.s v6, i32 1"), MemoryTrust::Ends, false);
    assert!(sight_with(&moved, "s_k_at_0").is_none(), "another part each time");
}

#[test]
fn links_are_counted_if_nothing_else_happens_to_the_pointer() {
    let walk = |body: &str| {
        program(&format!(
            "b0:\n  goto b1\nb1:\n  v3 = ne v0, ptr 0x0 @2:1\n  branch v3, b2, b3\n\
             b2:\n  {body}\n  goto b1\nb3:\n  return ()"
        ))
    };
    let next = "v4 = offset v0, i64 8 * 1 @3:1\n  v0 = load v4 @3:2";
    let made = outer(&walk(next), MemoryTrust::Ends, false);
    let assumed = sight_with(&made, "links_of_s").expect("a sight");
    assert!(assumed[0].starts_with("the links that line 3 follows"), "{assumed:?}");
    assert!(sight_with(&outer(&walk(next), MemoryTrust::Handed, false), "links_of_s").is_none());
    for spoiled in [
        "v4 = offset v0, i64 8 * 1 @3:1\n  store v4, v0 @3:1\n  v0 = load v4 @3:2",
        "v4 = offset v0, i64 8 * 1 @3:1\n  v0 = v4 @3:2",
        "v4 = offset v0, v6 * 1 @3:1\n  v0 = load v4 @3:2",
        "v4 = offset v0, i64 8 * 1 @3:1\n  store v4, v6 @3:1\n  v0 = load v4 @3:2",
        "v4 = offset v0, i64 11 * 1 @3:1\n  store v4, i8 1 @3:1\n  v4 = offset v0, i64 8 * 1\n  v0 = load v4 @3:2",
        "copy v0, v0, i64 16 @3:1\n  v4 = offset v0, i64 8 * 1\n  v0 = load v4 @3:2",
        "fill v0, i8 1, i64 9 @3:1\n  v4 = offset v0, i64 8 * 1\n  v0 = load v4 @3:2",
    ] {
        let made = outer(&walk(spoiled), MemoryTrust::Ends, false);
        assert!(sight_with(&made, "links_of_s").is_none(), "{spoiled}");
    }
}

#[test]
fn inputs_are_counted_by_their_calls() {
    let reads = |name: &str, more: &str| {
        let code = format!(
            "b0:\n  goto b1\nb1:\n  v5 = call f4() @2:1\n  v3 = ne v5, i32 -1 @2:1\n  branch v3, b2, b3\n\
             b2:\n  {more}\n  goto b1\nb3:\n  return ()"
        );
        let made = outer(&calling(name, &code), MemoryTrust::Ends, false);
        sight_with(&made, "left_to_read")
    };
    let assumed = reads("getc", "v1 = i32 1").expect("a sight");
    assert_eq!(assumed, ["the input that line 2 reads is finite"]);
    assert!(reads("rand", "v1 = i32 1").is_none());
    assert!(reads("ungetc", "v1 = i32 1").is_none());
}
