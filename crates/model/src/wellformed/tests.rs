//! Each rule is broken once, in text, and the violation names the rule and the place.

use super::check_wellformed_program;
use crate::samples::{EVERYTHING, LOOPS, parse_sample};
use crate::{BlockId, FunctionId, text};

/// The first violation of a text.
fn first_violation(text: &str) -> super::RuleViolation {
    let program =
        text::parse_program(text).unwrap_or_else(|refused| panic!("{refused} in\n{text}"));
    match check_wellformed_program(&program) {
        Ok(()) => panic!("nothing is wrong with\n{text}"),
        Err(found) => found[0].clone(),
    }
}

fn assert_refused(text: &str, rule: &str) {
    let found = first_violation(text);
    assert!(found.rule.contains(rule), "{found}, not {rule}:\n{text}");
}

/// A program around some code of a function.
fn program_around(code: &str) -> String {
    format!(
        "program 1 target 64 file \"a.c\" entry f0
         global g0 \"x\" size 8 align 4 {{}}
         fn f0 \"start\" () -> () {{ b0: return () }}
         fn f1 \"f\" (v0, v1) -> (i32) {{
           v0 i32 user v1 ptr user v2 i1 user v3 i64 user v4 f64 user v5 f32 user v6 i8 user
           v7 i32 temp v8 i12 user
         {code} }}
         fn f2 \"g\" (v0) -> (i32, i64) {{ v0 ptr user b0: return (i32 0, i64 0) }}"
    )
}

#[test]
fn the_samples_keep_the_rules() {
    parse_sample(EVERYTHING);
    parse_sample(LOOPS);
    parse_sample(&program_around("b0: return (v0)"));
}

#[test]
fn rules_of_programs() {
    let body = "fn f0 \"\" () -> () { b0: return () }";
    assert_refused(&format!("program 1 target 16 entry f0 {body}"), "pointers have 16 bits");
    assert_refused(&format!("program 1 target 64 entry f1 {body}"), "entry f1 does not exist");
    let with = "fn f0 \"\" (v0) -> () { v0 i32 user b0: return () }";
    assert_refused(&format!("program 1 target 64 entry f0 {with}"), "parameters or results");
    let variadic = "fn f0 \"\" (...) -> () { b0: return () }";
    assert_refused(&format!("program 1 target 64 entry f0 {variadic}"), "parameters or results");
    assert_refused("program 1 target 64 entry f0 fn f0 \"\" () -> () {}", "no block");
    assert_refused(
        "program 1 target 64 entry f0 fn f0 \"\" () -> () { b0: return () @1:1 }",
        "file 0 of 0",
    );
}

#[test]
fn rules_of_questions() {
    let asked = |question: &str, code: &str| {
        format!(
            "program 1 target 64 file \"a.c\" {question} entry f0
             fn f0 \"start\" () -> () {{ v0 i32 user b0: {code} return () }}"
        )
    };
    let event = "liveness event \"e\" obligation \"o\"";
    parse_sample(&asked(event, "call builtin event(i32 0) call builtin violation(i32 0)"));
    assert_refused(&asked("event \"e\"", ""), "only asked to terminate");
    assert_refused(&asked("obligation \"e\"", ""), "only asked to terminate");
    assert_refused(&asked("fair \"f\" always []", ""), "only asked to terminate");
    assert_refused(&asked("liveness event \"e\" fair \"f\" [0] [1]", ""), "event 1 of 1");
    assert_refused(&asked("liveness event \"e\" fair \"f\" [1] [0]", ""), "event 1 of 1");
    assert_refused(&asked("liveness event \"e\" @4:1:1", ""), "file 4 of 1");
    assert_refused(&asked(event, "call builtin event(i32 1)"), "no event 1 among 1");
    assert_refused(&asked(event, "call builtin violation(i32 1)"), "no obligation 1 among 1");
    assert_refused(&asked(event, "call builtin event(v0)"), "is no constant");
    assert_refused(&asked(event, "call builtin event(i64 0)"), "not i32");
    assert_refused(&asked(event, "v0 = choice guess"), "not i1");
}

#[test]
fn rules_of_globals() {
    let global = |item: &str| {
        format!(
            "program 1 target 64 entry f0 global g0 \"\" {item}
             fn f0 \"\" () -> () {{ b0: return () }}"
        )
    };
    parse_sample(&global("size 16 align 8 { 0: &g0 8: &f0:b0 }"));
    assert_refused(&global("size 8 align 3 {}"), "3 is not a power of two");
    assert_refused(&global("size 8 align 0 {}"), "0 is not a power of two");
    assert_refused(&global("size 7 align 1 { 0: &g0 }"), "past its 7 bytes");
    assert_refused(&global("size 16 align 1 { 0: &g0 7: bytes [00] }"), "overlap or descend");
    assert_refused(
        &global("size 16 align 1 { 8: bytes [00] 0: bytes [00] }"),
        "overlap or descend",
    );
    assert_refused(&global("size 8 align 1 { 18446744073709551615: &g0 }"), "past its 8 bytes");
    assert_refused(&global("size 8 align 1 { 0: &g1 }"), "no g1");
    assert_refused(&global("size 8 align 1 { 0: &f1 }"), "no f1");
    assert_refused(&global("size 8 align 1 { 0: &f0:b1 }"), "address of no block");
    assert_refused(&global("size 8 align 1 @2:1 {}"), "file 0 of 0");
}

#[test]
fn rules_of_functions() {
    let function = |head: &str| {
        format!(
            "program 1 target 64 entry f0 fn f0 \"\" () -> () {{ b0: return () }}
             fn f1 \"\" {head} b0: abort \"\" }}"
        )
    };
    parse_sample(&function("(v0) -> (i128) { v0 f80 user"));
    assert_refused(&function("(v1) -> () { v0 i32 user"), "parameter v1 does not exist");
    assert_refused(&function("(v0, v0) -> () { v0 i32 user"), "v0 comes twice");
    assert_refused(&function("() -> () { v0 i0 user"), "v0 has the type i0");
    assert_refused(&function("() -> () { v0 i129 user"), "v0 has the type i129");
    assert_refused(&function("() -> () { v0 f16 user"), "v0 has the type f16");
    assert_refused(&function("() -> (f65) {"), "a result has the type f65");
}

#[test]
fn rules_of_operands_and_types() {
    for (code, rule) in [
        ("v9 = v0", "no v9"),
        ("v0 = v9", "no v9"),
        ("v1 = &g1", "no g1"),
        ("v1 = &f3", "no f3"),
        ("v1 = &b1", "no b1"),
        ("v6 = i8 0x100", "0x100 does not fit i8"),
        ("v1 = ptr 0x10000000000000000", "does not fit ptr"),
        ("v5 = f32 0x100000000", "does not fit f32"),
        ("v6 = i0 0x0", "the type i0"),
        ("v0 = v3", "i32 and i64 are mixed"),
        ("v4 = fneg v5", "f64 and f32 are mixed"),
        ("v0 = fneg v0", "not a float"),
        ("v4 = popcount v4", "not an integer"),
        ("v8 = byteswap v8", "no whole bytes"),
        ("v0 = add v0, v3", "i32 and i64 are mixed"),
        ("v3 = add v0, v0", "i64 and i32 are mixed"),
        ("v4 = add v4, v4", "not an integer"),
        ("v1 = add v1, v1", "not an integer"),
        ("v4 = fadd v4, v5", "f64 and f32 are mixed"),
        ("v0 = fadd v0, v0", "not a float"),
        ("v0 = eq v0, v0", "the result is i32, not i1"),
        ("v2 = eq v0, v3", "are mixed"),
        ("v2 = eq v4, v4", "floats are compared as integers"),
        ("v2 = slt v1, v1", "ptr, not an integer"),
        ("v2 = flt v0, v0", "i32, not a float"),
        ("v0 = select v0, v0, v0", "the condition is i32, not i1"),
        ("v0 = select v2, v0, v3", "are mixed"),
        ("v1 = offset v0, v0 * 1", "are mixed"),
        ("v0 = offset v0, v0 * 1", "i32, not ptr"),
        ("v1 = offset v1, v1 * 1", "the index is ptr"),
        ("v0 = load v0", "the address is i32"),
        ("store v0, v0", "the address is i32"),
        ("v1 = alloca v1 align 1 \"\"", "the size is ptr"),
        ("v0 = alloca v0 align 1 \"\"", "the result is i32"),
        ("v1 = alloca v0 align 6 \"\"", "6 is not a power of two"),
        ("v0 = stacksave", "the mark is i32"),
        ("stackrestore v0", "the mark is i32"),
        ("copy v1, v0, v0", "are mixed"),
        ("copy v1, v1, v1", "the size is ptr"),
        ("fill v0, v6, v0", "the address is i32"),
        ("fill v1, v0, v0", "the value is i32, not i8"),
        ("fill v1, v6, v1", "the size is ptr"),
        ("v9 = unknown \"\"", "no v9"),
        ("v9 = choice other \"\"", "no v9"),
        ("v0 = choice allocation \"malloc\"", "the choice is i32, not i1"),
        ("assume v0", "the condition is i32"),
        ("vastart v1", "not variadic"),
        ("vastart v0", "the list is i32"),
        ("v0 = v7", "v7 may be read before"),
        ("v0 = v0 @1:2:3", "file 1 of 1"),
    ] {
        let found = first_violation(&program_around(&format!("b0: {code} return (v0)")));
        assert!(found.rule.contains(rule), "{code}: {found}, not {rule}");
        let place = (found.function, found.block, found.statement);
        assert_eq!(place, (Some(FunctionId(1)), Some(BlockId(0)), Some(0)), "{code}");
        assert!(found.to_string().starts_with("f1 b0 statement 0 "), "{found}");
    }
}

#[test]
fn rules_of_casts() {
    for code in [
        "v0 = truncate v0",
        "v3 = truncate v0",
        "v0 = zeroextend v0",
        "v6 = signextend v0",
        "v0 = ptrtoint v0",
        "v1 = inttoptr v1",
        "v0 = bits v4",
        "v0 = bits v0",
        "v4 = floattofloat v0",
        "v4 = floattosigned v4",
        "v0 = floattounsigned v0",
        "v0 = signedtofloat v0",
        "v4 = unsignedtofloat v4",
    ] {
        assert_refused(&program_around(&format!("b0: {code} return (v0)")), "does not go from");
    }
    for code in ["v6 = truncate v0", "v3 = bits v4", "v5 = bits v0", "v8 = floattosigned v4"] {
        parse_sample(&program_around(&format!("b0: {code} return (v0)")));
    }
}

#[test]
fn rules_of_calls() {
    for (code, rule) in [
        ("v0 = call f3()", "no f3"),
        ("v0 = call f1(v0)", "1 arguments are passed for 2 parameters"),
        ("v0 = call f1(v1, v0)", "argument 0 is ptr, not i32"),
        ("call f1(v0, v1)", "0 variables take 1 results"),
        ("v3 = call f1(v0, v1)", "result 0 is i64, not i32"),
        ("v0, v0 = call f2(v1)", "v0 is filled twice"),
        ("v0 = call f2(v1)", "1 variables take 2 results"),
        ("call *v0()", "what is called is i32"),
        ("call builtin free(v0)", "argument 0 is i32, not ptr"),
        ("call builtin free(v1, v1)", "2 arguments"),
        ("v0 = call builtin free(v1)", "1 variables take 0 results"),
        ("v0 = call builtin allocate(v3)", "result 0 is i32, not ptr"),
        ("v0 = call builtin print(v0, v1)", "2 arguments"),
        ("v3 = call builtin format(v1, v3, v1, v1)", "result 0 is i64, not i32"),
        ("call builtin write(v3, v1, v3)", "argument 0 is i64, not i32"),
        ("v0 = call builtin object_size(v0)", "argument 0 is i32, not ptr"),
        ("call builtin apart(v1, v3, v0, v3)", "argument 2 is i32, not ptr"),
    ] {
        assert_refused(&program_around(&format!("b0: {code} return (v0)")), rule);
    }
    for code in ["v0, v3 = call f2(v1)", "v0 = call f1(v0, v1, v4)", "v4 = call *v1(v0)"] {
        parse_sample(&program_around(&format!("b0: {code} return (v0)")));
    }
}

#[test]
fn rules_of_terminators() {
    for (code, rule) in [
        ("goto b1", "no b1"),
        ("branch v2, b0, b7", "no b7"),
        ("branch v0, b0, b0", "the condition is i32"),
        ("switch v1 [] b0", "the value is ptr"),
        ("switch v6 [256: b0] b0", "the case 256 does not fit i8"),
        ("switch v6 [1: b0, 2: b0, 1: b0] b0", "the case 1 comes twice"),
        ("switch v6 [1: b3] b0", "no b3"),
        ("gotoaddress v0 [b0]", "the address is i32"),
        ("gotoaddress v1 [b5]", "no b5"),
        ("return ()", "0 values for 1 results"),
        ("return (v3)", "result 0 is i64, not i32"),
        ("exit v3", "the exit status is i64"),
        ("return (v7)", "v7 may be read before"),
        ("goto b0 @5:1:1", "file 5 of 1"),
    ] {
        assert_refused(&program_around(&format!("b0: {code}")), rule);
    }
}

#[test]
fn temporaries_are_written_on_every_path() {
    assert_refused(
        &program_around("b0: branch v2, b1, b2 b1: v7 = i32 1 goto b2 b2: return (v7)"),
        "v7 may be read",
    );
    assert_refused(&program_around("b0: goto b1 b1: v0 = v7 v7 = i32 1 goto b1"), "v7 may be read");
    // A loop back to block 0 does not make it written on the way in.
    assert_refused(&program_around("b0: v0 = v7 v7 = i32 1 goto b0"), "v7 may be read");
    for code in [
        "b0: branch v2, b1, b2 b1: v7 = i32 1 goto b3 b2: v7 = i32 2 goto b3 b3: return (v7)",
        "b0: v7 = i32 1 goto b1 b1: v7 = add v7, v7 branch v2, b1, b2 b2: return (v7)",
        // Nothing reaches b1.
        "b0: return (v0) b1: return (v7)",
    ] {
        parse_sample(&program_around(code));
    }
}
