//! C files that make a program hang.

use expect_test::expect;
use ouro_model::{
    Block, Function, FunctionId, IdVec, Instruction, Program, Span, Statement, Target, Terminator,
    Type, Var, VarId, VarKind,
};

use super::*;
use crate::reproducer::{Subject, reproducer};

/// A program with one choice of each type and source.
fn program(choices: &[(Type, ChoiceSource)]) -> Program {
    let mut vars = IdVec::default();
    let mut statements = Vec::new();
    for (index, (ty, source)) in choices.iter().enumerate() {
        vars.push(Var { name: String::new(), ty: *ty, kind: VarKind::Temp });
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
    });
    Program {
        target: Target { pointer_bits: 64 },
        files: vec!["search.c".to_owned()],
        globals: IdVec::default(),
        functions,
        entry: FunctionId(0),
        assumptions: vec![],
    }
}

fn reproducer_of(recurrence: &Recurrence, program: &Program) -> String {
    let files = ["search.c".to_owned()];
    let options = ["-DN=a b".to_owned()];
    let subject =
        Subject { program, files: &files, function: "main", options: &options, name: "repro.c" };
    reproducer(recurrence, &subject)
}

#[test]
fn reproducer_text() {
    let program = program(&[
        (Type::Int(32), function("sensor")),
        (Type::Float(64), function("temperature")),
        (Type::Ptr, function("next_packet")),
    ]);
    expect![[r#"
        /* With these inputs the loop at search.c:3 in search never ends.
         *
         *     gcc '-DN=a b' search.c repro.c -o hang && ./hang
         *
         * This file cannot arrange the following; do it by hand:
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

        /* Not called in this run. */
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
    .assert_eq(&reproducer_of(&recurrence(), &program));
}
