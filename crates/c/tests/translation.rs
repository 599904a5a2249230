//! What C becomes in the model, one property a test.

mod common;

use common::{compile_files, function, instructions, limits, program, program_with, text};
use ouro_c::{Allocations, CompileOptions, DataModel, Externs, Monitor};
use ouro_model::{
    BinaryOp, ChoiceSource, FairnessEvent, Instruction, MissingSymbolKind, MonitorObligation,
    Operand, Program, ProgramQuestion, Span, Terminator, Type, VarKind,
};

#[test]
fn variables_read_as_in_the_source() {
    let program = program("int main(void) { int x = 1; while (x < 10) x = x + 2; return x; }");
    assert_eq!(
        text(&program, "main"),
        "\"main\" () -> (i32) user\n  \
           v0 i32 \"x\" user\n  \
           v1 i1 temp\n\
         b0:\n  v0 = i32 1\n  goto b1\n\
         b1:\n  v1 = slt v0, i32 10\n  branch v1, b2, b3\n\
         b2:\n  v0 = add.s v0, i32 2\n  goto b1\n\
         b3:\n  return (v0)"
    );
}

/// What a monitor talks to the model with.
#[test]
fn primitives_of_specifications() {
    let source = "void __ouro_event(unsigned); void __ouro_violation(unsigned);
        unsigned char __ouro_guess(void);
        int main(void) { if (__ouro_guess()) __ouro_violation(0); __ouro_event(1); return 0; }";
    let event = |name: &str| FairnessEvent { name: name.to_owned(), span: Span::NONE };
    let monitor = Monitor {
        events: vec![event("a"), event("b")],
        obligations: vec![MonitorObligation { name: "o".to_owned(), span: Span::NONE }],
        ..Monitor::default()
    };
    let options = CompileOptions { monitor: Some(monitor), ..CompileOptions::default() };
    let watched = program_with(source, &options);
    assert_eq!((watched.question, watched.events.len()), (ProgramQuestion::Liveness, 2));
    let text = text(&watched, "main");
    for line in ["choice guess", "zeroextend", "builtin violation(i32 0)", "builtin event(i32 1)"] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    // Without a specification they mean nothing.
    let alone = program(source);
    assert_eq!(alone.question, ProgramQuestion::Termination);
    assert!(
        limits(&alone).contains(&"__ouro_guess without a specification"),
        "{:?}",
        limits(&alone)
    );
    let pointer =
        "void __ouro_event(unsigned); int main(void) { void (*f)(unsigned) = __ouro_event;
        f(1); return 0; }";
    let pointed = program_with(pointer, &options);
    assert!(limits(&pointed).contains(&"a call of __ouro_event through a pointer"));
    // Events have numbers that are known, and known to the specification.
    for number in ["number", "2"] {
        let source = format!(
            "void __ouro_event(unsigned); unsigned number;
             int main(void) {{ __ouro_event({number}); return 0; }}"
        );
        let other = program_with(&source, &options);
        let expected = "a call of __ouro_event with a number that the specification does not have";
        assert_eq!(limits(&other), [expected], "{number}");
    }
}

#[test]
fn a_parameter_is_its_variable() {
    let program = program("int f(int n) { return n + 1; } int main(void) { return f(1); }");
    let f = function(&program, "f");
    let parameter = &f.vars[f.params[0]];
    assert_eq!((parameter.name.as_str(), parameter.kind), ("n", VarKind::User));
    assert_eq!(instructions(f).len(), 1);
}

#[test]
fn variables_of_one_name_keep_it() {
    let program = program(
        "int main(void) { int s = 0; { int i = 1; s += i; } { int i = 2; s += i; } return s; }",
    );
    let main = function(&program, "main");
    assert_eq!(main.vars.iter().filter(|var| var.name == "i").count(), 2);
}

#[test]
fn escaping_and_volatile_variables_stay_in_memory() {
    let program = program(
        "void g(int *p) { *p = 1; }\n\
         int main(void) { int x; volatile int v = 2; g(&x); return x + v; }",
    );
    let main = function(&program, "main");
    let names: Vec<&str> = instructions(main)
        .iter()
        .filter_map(|i| match i {
            Instruction::Alloca { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["x", "v"]);
    assert!(main.vars.iter().all(|var| var.name.is_empty()));
}

#[test]
fn objects_without_a_variable_say_what_they_are() {
    let program = program(
        "struct s { int a[9]; }; struct s f(void) { struct s s = {{0}}; return s; }\n\
         int main(void) { char *p = __builtin_alloca(3); p[0] = 1; return f().a[0]; }",
    );
    let main = text(&program, "main");
    assert!(main.contains("alloca()") && main.contains("a temporary"), "{main}");
}

#[test]
fn an_uninitialised_variable_is_the_environments() {
    let program = program("int main(void) { int x; return x; }");
    let main = function(&program, "main");
    let x = main.vars.iter().find(|var| var.name == "x").expect("x");
    assert_eq!(x.kind, VarKind::User);
}

#[test]
fn compilers_own_slots_have_no_name() {
    let program = program(
        "int f(int a) { if (a) return 1; return 2; }\n\
                           int g(int a) { if (a) return 1; }\n\
                           int main(void) { return f(0) + g(1); }",
    );
    let slot = |name: &str| {
        let f = function(&program, name);
        f.vars.iter().find(|var| var.name.is_empty() && var.ty == Type::Int(32)).map(|var| var.kind)
    };
    // `f` always writes its result before it reads it; `g` may fall off its end.
    assert_eq!(slot("f"), Some(VarKind::Temp));
    assert_eq!(slot("g"), Some(VarKind::User));
}

#[test]
fn only_signed_arithmetic_overflows() {
    let program = program(
        "int main(void) { int a = 1; unsigned b = 2; a = a + 1; b = b + 1; a = -a; a = a << 1;\n\
         return a + b; }",
    );
    let ops: Vec<BinaryOp> = instructions(function(&program, "main"))
        .iter()
        .filter_map(|i| match i {
            Instruction::Binary { op, .. } => Some(*op),
            _ => None,
        })
        .collect();
    assert_eq!(
        ops,
        [
            BinaryOp::Add { signed: true },
            BinaryOp::Add { signed: false },
            BinaryOp::Sub { signed: true },
            BinaryOp::Shl { signed: false },
            BinaryOp::Add { signed: false },
        ]
    );
}

#[test]
fn a_failed_allocation_is_a_choice_of_its_own() {
    let source = "#include <stdlib.h>\n#include <string.h>\n\
                  int main(void) { return malloc(1) == 0 || strdup(\"a\") == 0; }";
    let choices = |model: &Program| -> Vec<ChoiceSource> {
        let all = model.functions.iter().flat_map(instructions);
        all.filter_map(|i| match i {
            Instruction::Choice { source, .. } => Some(source.clone()),
            _ => None,
        })
        .collect()
    };
    let allocation = |name: &str| ChoiceSource::Allocation(name.to_owned());
    let model = program(source);
    let found = choices(&model);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.contains(&allocation("malloc")), "{found:?}");
    assert!(found.contains(&allocation("strdup")), "{found:?}");
    assert!(model.assumptions.is_empty());

    let succeed =
        CompileOptions { allocations: Some(Allocations::Succeed), ..CompileOptions::default() };
    let model = program_with(source, &succeed);
    assert_eq!(choices(&model), []);
    assert_eq!(model.assumptions, ["memory allocation never fails"]);
    let model = program_with("int main(void) { return 0; }", &succeed);
    assert!(model.assumptions.is_empty(), "nothing is allocated");
}

#[test]
fn operator_new_is_assumed_to_find_memory() {
    let assumptions = |text: &str| {
        let compiled = compile_files(&[("test.cpp", text)], &CompileOptions::default());
        compiled.expect("a program").program.assumptions
    };
    for text in [
        "int main() { int *p = new int(3); delete p; return 0; }",
        "int main() { int *p = new int[3]; delete[] p; return 0; }",
    ] {
        assert_eq!(assumptions(text), ["operator new never runs out of memory"], "{text}");
    }
    // Without `new`, or where no run gets to it, nothing is assumed.
    for text in [
        "int main() { int *p = 0; delete p; return 0; }",
        "int *unused() { return new int; }\nint main() { return 0; }",
    ] {
        assert!(assumptions(text).is_empty(), "{text}");
    }
}

#[test]
fn inputs_need_no_assumption_but_other_externals_do() {
    let source = "int __VERIFIER_nondet_int(void); int input(void); double pow(double, double);\n\
                  int main(void) { return __VERIFIER_nondet_int() + input() + input(); }";
    let model = program(source);
    let sources: Vec<String> = instructions(function(&model, "main"))
        .iter()
        .filter_map(|i| match i {
            Instruction::Choice { source: ChoiceSource::Function(name), .. } => Some(name.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(sources, ["__VERIFIER_nondet_int", "input", "input"]);
    assert_eq!(
        model.assumptions,
        ["the function input has no body: it is assumed to return any value and to change nothing"]
    );
    let unknown = program_with(
        source,
        &CompileOptions { externs: Externs::Unknown, ..CompileOptions::default() },
    );
    let main = instructions(function(&unknown, "main"));
    assert_eq!(main.iter().filter(|i| matches!(i, Instruction::Unknown { .. })).count(), 2);
}

#[test]
fn every_call_that_returns_a_structure_returns_another_one() {
    let program = program(
        "struct big { int a[8]; }; struct big get(void);\n\
         int main(void) { return get().a[0]; }",
    );
    let main = instructions(function(&program, "main"));
    assert_eq!(main.iter().filter(|i| matches!(i, Instruction::Choice { .. })).count(), 8);
    assert_eq!(main.iter().filter(|i| matches!(i, Instruction::Store { .. })).count(), 8);
}

#[test]
fn verifier_functions() {
    let program = program(
        "void __VERIFIER_assume(int); void reach_error(void); void abort(void);\n\
         int main(void) { int x; __VERIFIER_assume(x); if (x == 1) reach_error();\n\
         if (x == 2) abort(); if (x == 3) __assert_fail(\"\", \"\", 1, \"\"); return 0; }",
    );
    let main = function(&program, "main");
    assert!(instructions(main).iter().any(|i| matches!(i, Instruction::Assume { .. })));
    let aborts: Vec<&str> = main
        .blocks
        .iter()
        .filter_map(|block| match &block.terminator {
            Terminator::Abort(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(aborts, ["reach_error()", "assertion failed"]);
    assert!(!function(&program, "abort").user);
}

#[test]
fn own_definitions_win() {
    let program = program(
        "int abs(int x) { return 42; }\n\
         void reach_error(void) { for (;;); }\n\
         int main(void) { if (abs(-1) != 42) reach_error(); return 0; }",
    );
    assert!(function(&program, "abs").user);
    assert!(function(&program, "reach_error").user);
    let calls = instructions(function(&program, "main"));
    assert_eq!(calls.iter().filter(|i| matches!(i, Instruction::Call { .. })).count(), 2);
}

#[test]
fn inline_functions_have_their_body() {
    let program = program("inline int f(int x) { return x + 1; } int main(void) { return f(1); }");
    assert_eq!(program.assumptions, Vec::<String>::new());
    assert!(function(&program, "f").user);
}

#[test]
fn library_functions_are_linked_when_called() {
    let with = program(
        "unsigned long strlen(const char *); int main(void) {\n\
                        char s[2] = \"a\"; return strlen(s); }",
    );
    assert!(!function(&with, "strlen").user);
    let without = program("int main(void) { return 0; }");
    assert_eq!(without.functions.len(), 2);
}

#[test]
fn limits_stop_only_the_path_that_meets_them() {
    let program = program(
        "int pthread_create(void *, void *, void *, void *); int setjmp(void *);\n\
         int main(void) { int x; if (x == 1) asm volatile(\"cpuid\"); if (x == 2) setjmp(0);\n\
         if (x == 3) pthread_create(0, 0, 0, 0); asm volatile(\"\" ::: \"memory\"); return 0; }",
    );
    assert_eq!(
        limits(&program),
        ["inline assembly", "the function setjmp", "the function pthread_create"]
    );
    let main = function(&program, "main");
    assert!(main.blocks.iter().any(|b| matches!(b.terminator, Terminator::Return(_))));
}

#[test]
fn integers_beyond_128_bits_are_a_limit() {
    let program = program(
        "int main(void) { int x = 0; if (x) { _BitInt(200) w = x; w *= w;\n\
                           return w > 3; } return 0; }",
    );
    assert_eq!(limits(&program), ["arithmetic on integers of 200 bits"]);
}

#[test]
fn external_objects() {
    let program = program(
        "extern int shared; extern int table[]; extern struct hidden opaque;\n\
                           int main(int argc) { if (argc == 2) return table[1];\n\
                           if (argc == 3) return &opaque == 0; return shared; }",
    );
    let shared = program.globals.iter().find(|g| g.name == "shared").expect("shared");
    assert!(!shared.zeroed);
    assert!(limits(&program).contains(&"the external array table of unknown size"));
}

#[test]
fn a_pointer_to_an_external_function_can_be_called() {
    let program =
        program("int input(void); int main(void) { int (*f)(void) = input; return f(); }");
    let stub = function(&program, "input");
    assert!(matches!(instructions(stub)[..], [Instruction::Choice { .. }]));
}

#[test]
fn arguments_of_main_are_made_only_if_used() {
    let ignored = program("int main(int argc, char **argv) { return 0; }");
    assert!(!text(&ignored, "start").contains("choice"));
    let counted = program("int main(int argc, char **argv) { return argc; }");
    assert!(text(&counted, "start").contains("choice other \"argc\""));
    assert_eq!(limits(&counted), Vec::<&str>::new());
    let numbered = program("int main(int argc, char **argv) { return argv[1][0]; }");
    assert_eq!(limits(&numbered), Vec::<&str>::new());
    let read = program("int main(int argc, char **argv) { return argv[argc - 1][0]; }");
    assert!(limits(&read).contains(&"more than two command line arguments"));
    assert!(limits(&read).contains(&"a command line argument longer than 8 characters"));
    let environment = program("int main(int c, char **v, char **e) { return e[0][0]; }");
    assert_eq!(limits(&environment), ["the environment variables"]);
}

#[test]
fn an_asked_function_gets_free_numbers() {
    let options = CompileOptions { function: Some("f".to_owned()), ..CompileOptions::default() };
    let source = "struct s { int a[9]; };\n\
                  int f(int n, double d, char *unused, struct s s) { return n + d + s.a[3]; }";
    let program = program_with(source, &options);
    assert_eq!(limits(&program), Vec::<&str>::new());
    assert_eq!(text(&program, "start").matches("choice other").count(), 2);
}

#[test]
fn a_pointer_parameter_of_an_asked_function_is_a_limit() {
    let options = CompileOptions { function: Some("f".to_owned()), ..CompileOptions::default() };
    let pointer = program_with("int f(char *p) { return *p; }", &options);
    assert_eq!(limits(&pointer), ["the pointer parameter p"]);
}

#[test]
fn an_asked_function_finds_any_values_outside_of_functions() {
    let source = "int n = 3; const int k = 4;\n\
                  int f(void) { static int calls = 5; return n + k + calls++; }\n\
                  int main(void) { return f(); }";
    let asked = |name: &str| CompileOptions {
        function: Some(name.to_owned()),
        ..CompileOptions::default()
    };
    let initial = |name: &str| -> Vec<(String, bool, usize)> {
        let program = program_with(source, &asked(name));
        program.globals.iter().map(|g| (g.name.clone(), g.zeroed, g.cells.len())).collect()
    };
    let freed = initial("f");
    let kept = initial("main");
    for (name, zeroed, cells) in &freed {
        assert_eq!((*zeroed, *cells > 0), (name == "k", name == "k"), "{name}");
    }
    assert!(kept.iter().all(|(_, zeroed, cells)| *zeroed && *cells > 0), "{kept:?}");
}

#[test]
fn a_unit_has_all_functions_and_calls_of_unknown_code() {
    let options = CompileOptions { unit: true, ..CompileOptions::default() };
    let source = "void other(int *p);\n\
                  __attribute__((noreturn)) void fail(int);\n\
                  int unused(int n) { return n; }\n\
                  int f(int *p) { other(p); if (!*p) fail(1); return *p; }";
    let program = program_with(source, &options);
    assert_eq!(limits(&program), Vec::<&str>::new());
    assert!(text(&program, "fail").contains("abort"), "{}", text(&program, "fail"));
    assert!(text(&program, "unused").contains("return"));
    assert!(text(&program, "f").contains("call"), "{}", text(&program, "f"));
    assert!(!text(&program, "start").contains("call"));
}

#[test]
fn names_of_globals_are_the_users() {
    let program = program(
        "const char *s = \"hello\"; int f(void) { static int count; return ++count; }\n\
                           int main(void) { return f() + s[0]; }",
    );
    let names: Vec<&str> = program.globals.iter().map(|g| g.name.as_str()).collect();
    assert!(names.contains(&"s") && names.contains(&"count") && names.contains(&"\"hello\""));
}

#[test]
fn several_files_and_static_functions_of_one_name() {
    let files = [
        (
            "a.c",
            "static int f(void) { return 1; } int g(void); int main(void) { return f() + g(); }",
        ),
        ("b.c", "static int f(void) { return 2; } int g(void) { return f(); }"),
    ];
    let program = compile_files(&files, &CompileOptions::default()).expect("compiles").program;
    assert_eq!(program.functions.iter().filter(|f| f.name == "f").count(), 2);
    assert_eq!(program.files.len(), 2);
}

#[test]
fn pointers_are_as_wide_as_the_data_model_says() {
    let source = "char c[3]; int main(void) { return sizeof(long) + sizeof(char *) == 8; }";
    let options = CompileOptions { data_model: DataModel::Ilp32, ..CompileOptions::default() };
    let program = program_with(source, &options);
    assert_eq!(program.target.pointer_bits, 32);
    let main = function(&program, "main");
    let one = Operand::Const { ty: Type::Int(32), bits: 1 };
    assert!(main.blocks.iter().any(|b| b.terminator == Terminator::Return(vec![one])));
}

#[test]
fn undefined_bits_are_unknown_not_chosen() {
    let source = "define i32 @main() {\n  %x = freeze i32 undef\n  ret i32 %x\n}\n";
    let layout = "target datalayout = \"e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n";
    let text = format!("{layout}{source}");
    let program =
        compile_files(&[("a.ll", &text)], &CompileOptions::default()).expect("compiles").program;
    let main = instructions(function(&program, "main"));
    assert!(matches!(main[..], [Instruction::Unknown { .. }]));
}

#[test]
fn phis_read_before_any_is_written() {
    let source = "define i32 @main() {\nentry:\n  br label %loop\nloop:\n  \
                  %a = phi i32 [ 1, %entry ], [ %b, %loop ]\n  \
                  %b = phi i32 [ 2, %entry ], [ %a, %loop ]\n  \
                  %c = icmp slt i32 %a, 2\n  br i1 %c, label %loop, label %end\n\
                  end:\n  ret i32 %a\n}\n";
    let layout = "target datalayout = \"e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n";
    let whole = format!("{layout}{source}");
    let program =
        compile_files(&[("a.ll", &whole)], &CompileOptions::default()).expect("compiles").program;
    let text = text(&program, "main");
    assert!(text.contains("v0 = v1\n"), "{text}");
    assert!(text.contains("v1 = v2\n  v2 = v0\n"), "{text}");
}

#[test]
fn noreturn_functions_do_not_return() {
    let program = program(
        "__attribute__((noreturn)) void die(void); \n\
                           __attribute__((noreturn)) void back(void) {}\n\
                           int main(void) { int x; if (x) die(); back(); }",
    );
    assert_eq!(limits(&program), ["the function die, which has no body and does not return"]);
    let back = function(&program, "back");
    assert!(matches!(
        back.blocks.iter().last().map(|b| &b.terminator),
        Some(Terminator::Undefined(_) | Terminator::Return(_))
    ));
}

#[test]
fn only_functions_of_sv_comp_return_against_their_declaration() {
    let program = program(
        "extern int __VERIFIER_nondet_int(void) __attribute__((noreturn));\n\
         extern void die(void) __attribute__((noreturn));\n\
         __attribute__((__noreturn__)) static void back(void) {}\n\
         int main(void) { if (__VERIFIER_nondet_int()) { die(); for (;;) ; }\n\
         back(); for (;;) ; }",
    );
    assert_eq!(limits(&program), ["the function die, which has no body and does not return"]);
    let main = function(&program, "main");
    assert!(
        ouro_model::flow::FunctionFlow::of_function(main).loops().is_empty(),
        "no call gets to a loop"
    );
    assert!(main.blocks.iter().any(|block| matches!(block.terminator, Terminator::Undefined(_))));
    assert!(program.assumptions.iter().any(|text| text.contains("__VERIFIER_nondet_*")));
}

#[test]
fn noreturn_functions_do_not_return_through_pointers() {
    let program = program(
        "extern void die(void) __attribute__((noreturn));\n\
         int main(void) { void (*f)(void) = die; f(); for (;;) ; }",
    );
    assert_eq!(limits(&program), ["the function die, which has no body and does not return"]);
}

#[test]
fn users_options_cannot_turn_the_optimiser_on() {
    let options =
        CompileOptions { clang_args: vec!["-O2".to_owned()], ..CompileOptions::default() };
    let program =
        program_with("int main(void) { int x = 1; while (x) x = 2; return x; }", &options);
    assert!(function(&program, "main").vars.iter().any(|var| var.name == "x"));
}

#[test]
fn what_a_linker_would_miss() {
    let source = "\
        #include <stdio.h>\n\
        #include <math.h>\n\
        extern struct { int a[5]; } module; extern int table[]; extern __thread char mine;\n\
        extern int unused(void); extern int weak_one __attribute__((weak));\n\
        void handler(void); void (*handlers[])(void) = { handler };\n\
        inline int own(void) { return 1; }\n\
        int never(int x) { asm volatile(\"call __get_user_1\"); printf(\"%d\", module.a[1]);\n\
          return table[x] + mine + (&weak_one != 0) + own() + (int)sin(x) + (int)sqrt(x); }\n\
        int main(void) { fprintf(stderr, \"x\"); return 0; }\n";
    let options = CompileOptions { missing: true, ..CompileOptions::default() };
    let compiled = compile_files(&[("test.c", source)], &options).expect("compiles");
    let found: Vec<(&str, MissingSymbolKind)> =
        compiled.missing.iter().map(|one| (one.name.as_str(), one.kind)).collect();
    let object =
        |size, align, thread_local| MissingSymbolKind::Object { size, align, thread_local };
    assert_eq!(
        found,
        [
            ("__get_user_1", MissingSymbolKind::Function),
            ("handler", MissingSymbolKind::Function),
            ("mine", object(Some(1), 1, true)),
            ("module", object(Some(20), 4, false)),
            ("sin", MissingSymbolKind::Mathematics),
            ("sqrt", MissingSymbolKind::Mathematics),
            ("table", object(None, 4, false)),
        ]
    );
    let unasked =
        compile_files(&[("test.c", source)], &CompileOptions::default()).expect("compiles");
    assert_eq!(unasked.missing, []);
}

#[test]
fn volatile_objects_are_the_programs_own() {
    let assumed = |text: &str| program(text).assumptions;
    let sentence = "volatile objects change only when the program itself writes them";
    let twice = "volatile int flag; int main(void) { flag = 0; while (flag) ; return flag; }";
    assert_eq!(assumed(twice), [sentence]);
    let whole = "struct s { int a[20]; }; volatile struct s from; struct s to;\n\
                 int main(void) { to = from; return 0; }";
    assert_eq!(assumed(whole), [sentence]);
    let unreached = "volatile int flag; int f(void) { return flag; } int main(void) { return 0; }";
    assert_eq!(assumed(unreached), Vec::<String>::new());
}
