//! What the user reads when a program cannot be compiled.

mod common;

use std::path::PathBuf;
use std::time::Instant;

use common::compile_files;
use ouro_c::{CompileError, CompileOptions, DataModel};

fn message(files: &[(&str, &str)], options: &CompileOptions) -> String {
    match compile_files(files, options) {
        Ok(_) => panic!("compiled"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn files_that_are_not_there_or_not_c() {
    let of =
        |path: &str| ouro_c::compile_program(&[PathBuf::from(path)], &CompileOptions::default());
    assert!(matches!(of("/no/such/file.c"), Err(CompileError::Missing(_))));
    assert!(matches!(of("/tmp"), Err(CompileError::Directory(_))));
    assert!(matches!(
        ouro_c::compile_program(&[], &CompileOptions::default()),
        Err(CompileError::NoFiles)
    ));
    assert!(matches!(of("/proc/self/exe"), Err(CompileError::NotSource(..))));
    assert!(message(&[("a.c", " \n")], &CompileOptions::default()).contains("is empty"));
    assert!(message(&[("a.c", "int\0x;")], &CompileOptions::default()).contains("a binary file"));
    assert!(
        message(&[("a.bc", "int x;")], &CompileOptions::default()).contains("not hold bitcode")
    );
}

#[test]
fn clangs_own_words_once() {
    let text = message(&[("bad.c", "int main(void) { return x; }")], &CompileOptions::default());
    assert!(text.starts_with("clang rejects the program:"), "{text}");
    assert_eq!(text.matches("undeclared identifier 'x'").count(), 1, "{text}");
    assert!(text.contains("bad.c:1:"), "{text}");
}

#[test]
fn the_asked_function() {
    let asked = |name: &str| CompileOptions {
        function: Some(name.to_owned()),
        ..CompileOptions::default()
    };
    let files = [(
        "a.c",
        "int process(int x) { return x; } static void other(void) {}\n\
                          int main(void) { other(); return process(1); }",
    )];
    assert!(message(&files, &asked("proces")).contains("did you mean process?"));
    assert!(message(&files, &asked("zebra")).contains("main, other, process"));
    let library = [("a.c", "int f(void) { return 1; }")];
    assert!(message(&library, &CompileOptions::default()).contains("there is no function main"));
}

#[test]
fn files_that_do_not_fit_together() {
    let files = [
        ("a.c", "int f(void) { return 1; } int main(void) { return f(); }"),
        ("b.c", "int f(void) { return 2; }"),
    ];
    assert!(message(&files, &CompileOptions::default()).contains("cannot be linked"));
}

#[test]
fn bitcode_for_another_machine() {
    let text = "target datalayout = \"e-p:32:32-i64:32\"\n\
                define i32 @main() {\n  ret i32 0\n}\n";
    let text = message(&[("a.ll", text)], &CompileOptions::default());
    assert!(text.contains("--data-model ilp32"), "{text}");
    let broken = message(&[("a.ll", "define i32 @main( {")], &CompileOptions::default());
    assert!(broken.contains("LLVM 19 cannot read"), "{broken}");
}

#[test]
fn a_deadline_that_is_over() {
    let options = CompileOptions { deadline: Some(Instant::now()), ..CompileOptions::default() };
    let text = message(&[("a.c", "int main(void) { return 0; }")], &options);
    assert!(text.contains("did not finish in time"), "{text}");
}

#[test]
fn both_data_models_and_old_c_compile() {
    let text = "main() { char *m = malloc(4); int *q = 5; q = m; return undeclared(m); }";
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let options = CompileOptions { data_model, ..CompileOptions::default() };
        assert!(compile_files(&[("a.c", text)], &options).is_ok());
    }
}
