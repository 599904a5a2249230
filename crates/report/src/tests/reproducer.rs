//! C files that make a program hang.

use expect_test::expect;
use ouro_model::{
    Block, Function, FunctionId, IdVec, Instruction, LocalVar, MissingSymbol, MissingSymbolKind,
    Program, ProgramQuestion, Span, Statement, TargetLayout, Terminator, Type, VarId, VarKind,
};

use super::*;
use crate::reproducer::{ReproducedProgram, reproducer_source};

/// A program with one choice of each type and source.
fn program_with_choices(choices: &[(Type, ChoiceSource)]) -> Program {
    let mut vars = IdVec::default();
    let mut statements = Vec::new();
    for (index, (ty, source)) in choices.iter().enumerate() {
        vars.push(LocalVar { name: String::new(), ty: *ty, kind: VarKind::Temp });
        let dst = VarId(u32::try_from(index).expect("few"));
        let instruction = Instruction::Choice { dst, source: source.clone() };
        statements.push(Statement { instruction, span: Span::NONE });
    }
    let mut blocks = IdVec::default();
    blocks.push(Block { statements, terminator: Terminator::Return(vec![]), span: Span::NONE });
    let mut functions = IdVec::default();
    functions.push(Function {
        name: "main".to_owned(),
        vars,
        params: vec![],
        variadic: false,
        returns: vec![],
        blocks,
        span: Span::NONE,
        user: true,
        specification: false,
    });
    Program {
        target: TargetLayout { pointer_bits: 64 },
        files: vec!["search.c".to_owned()],
        globals: IdVec::default(),
        functions,
        entry: FunctionId(0),
        assumptions: vec![],
        volatile: std::collections::BTreeSet::new(),
        question: ProgramQuestion::Termination,
        events: vec![],
        obligations: vec![],
        fairness: vec![],
    }
}

fn reproducer_of(
    recurrence: &StateRecurrence,
    program: &Program,
    missing: &[MissingSymbol],
) -> String {
    let files = ["search.c".to_owned()];
    let options = ["-DN=a b".to_owned()];
    let subject = ReproducedProgram {
        program,
        files: &files,
        function: "main",
        options: &options,
        name: "repro.c",
        missing,
    };
    reproducer_source(recurrence, &subject)
}

#[test]
fn reproducer_text() {
    let program = program_with_choices(&[
        (Type::Int(32), function_source("sensor")),
        (Type::Float(64), function_source("temperature")),
        (Type::Ptr, function_source("next_packet")),
    ]);
    expect![[r#"
        /* With these inputs the loop at search.c:3 in search never ends.
         *
         *     gcc '-DN=a b' search.c repro.c -o hang && ./hang
         *
         * This file cannot set up the following; do it by hand:
         *   - search.c:17 in main: uninitialised variable x has to be -1 (4294967295 if unsigned)
         */

        double __VERIFIER_nondet_double(void) {
          return 1.5;
        }

        int __VERIFIER_nondet_int(void) {
          static const int values[] = {
            -10, 7,
          };
          static unsigned long next;
          int value = values[next];
          if (++next == 2)
            next = 1; /* the cycle */
          return value;
        }

        unsigned int __VERIFIER_nondet_uint(void) {
          return 4294967295u;
        }

        int getchar(void) {
          return 97;
        }

        int sensor() {
          return -2147483647 - 1;
        }

        /* This run does not use the results of these. */
        __attribute__((weak)) void *next_packet() { return 0; }
        __attribute__((weak)) double temperature() { return 0; }

        /* SV-COMP's helpers, for programs that do not define them. */
        extern void exit(int);
        extern void abort(void);
        __attribute__((weak)) void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
        __attribute__((weak)) void __VERIFIER_assert(int condition) { if (!condition) abort(); }
        __attribute__((weak)) void __VERIFIER_error(void) { abort(); }
        __attribute__((weak)) void __VERIFIER_atomic_begin(void) {}
        __attribute__((weak)) void __VERIFIER_atomic_end(void) {}
        __attribute__((weak)) void reach_error(void) { abort(); }
    "#]]
    .assert_eq(&reproducer_of(&sample_recurrence(), &program, &[]));
}

#[test]
fn missing_symbols_are_defined() {
    let missing = |name: &str, kind| MissingSymbol { name: name.to_owned(), kind };
    let object =
        |size, align, thread_local| MissingSymbolKind::Object { size, align, thread_local };
    let missing = [
        missing("__VERIFIER_assume", MissingSymbolKind::Function),
        missing("a.b", MissingSymbolKind::Function),
        missing("jiffies", object(Some(4), 4, false)),
        missing("mine", object(Some(1), 1, true)),
        missing("module", object(Some(4480), 32, false)),
        missing("noop", MissingSymbolKind::Function),
        missing("sensor", MissingSymbolKind::Function),
        missing("sin", MissingSymbolKind::Mathematics),
        missing("table", object(None, 16, false)),
    ];
    let mut recurrence = sample_recurrence();
    recurrence.inputs = vec![
        sample_input(258, 32, other_source("external memory of jiffies"), 17),
        sample_input(0, 64, other_source("external memory of module"), 18),
        sample_input(3, 8, other_source("external memory of module"), 19),
        sample_input(1, 32, function_source("sensor"), 20),
    ];
    recurrence.cycle_inputs = 3;
    let program = program_with_choices(&[(Type::Int(32), function_source("sensor"))]);
    let text = reproducer_of(&recurrence, &program, &missing);
    let (before, _) = text.split_once("\n/* SV-COMP").expect("the helpers");
    expect![[r#"
        /* With these inputs the loop at search.c:3 in search never ends.
         *
         *     gcc '-DN=a b' search.c repro.c -o hang -lm && ./hang
         *
         * This file cannot set up the following; do it by hand:
         *   - search.c:19 in main: external memory of module has to be 3
         */

        int sensor() {
          return 1;
        }

        /* This run does not use the results of these. */
        extern void *missing_a_b() __asm__("a.b");
        __attribute__((weak)) void *missing_a_b() { return 0; }
        __attribute__((weak)) void *noop() { return 0; }

        /* Objects without a definition, with their values when this run starts. */
        __attribute__((weak, aligned(4))) unsigned char jiffies[4] = { 2, 1, 0, 0 };
        __attribute__((weak, aligned(1))) __thread unsigned char mine[1];
        __attribute__((weak, aligned(32))) unsigned char module[4480];
        __attribute__((weak, aligned(16))) unsigned char table[4096];
    "#]]
    .assert_eq(before);
}
