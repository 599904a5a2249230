//! The C library that checked programs run with: it agrees with the system's, it compiles for both
//! data models, and it keeps the rules that `library/ouro.h` states.

use std::path::{Path, PathBuf};
use std::process::Command;

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("library")
}

/// An empty folder for what a test builds.
fn workplace(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("cargo's folder for tests is writable");
    folder
}

fn sources() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(library())
        .expect("the library is here")
        .map(|entry| entry.expect("the library can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() > 10, "only {} sources", files.len());
    files
}

#[test]
fn library_agrees_with_the_system() {
    let output = Command::new("sh")
        .arg(library().join("tests/run.sh"))
        .arg(workplace("library-compared"))
        .output()
        .expect("sh runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

#[test]
fn library_compiles_without_warning_for_both_data_models() {
    for model in ["-m64", "-m32"] {
        let output = Command::new("clang-19")
            .args(["-ffreestanding", "-fno-builtin", "-Wall", "-Wextra", "-fsyntax-only", model])
            .args(sources())
            .output()
            .expect("clang-19 runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.is_empty(), "{model}: {text}");
    }
}

/// The program may define any public name with another meaning, and a choice without a literal name
/// is nothing that the front end can translate.
#[test]
fn library_calls_only_its_own_names_and_names_its_choices() {
    for flags in [&[][..], &["-fno-math-errno"]] {
        for source in sources() {
            let output = Command::new("clang-19")
                .args(["-O0", "-ffreestanding", "-fno-builtin", "-S", "-emit-llvm", "-o", "-"])
                .args(flags)
                .arg(&source)
                .output()
                .expect("clang-19 runs");
            let text = String::from_utf8(output.stdout).expect("LLVM's text is UTF-8");
            for line in text.lines().filter(|line| line.contains("call ")) {
                check_call(line, &source);
            }
        }
    }
}

fn check_call(line: &str, source: &Path) {
    let source = source.display();
    let Some((_, call)) = line.split_once("call ") else { return };
    let Some((before, arguments)) = call.split_once('(') else { return };
    let Some((_, callee)) = before.rsplit_once('@') else { return };
    let ours = ["ouro_", "__ouro_", "llvm."].iter().any(|prefix| callee.starts_with(prefix));
    assert!(ours, "{source} calls {callee} by its public name");
    let named = ["__ouro_choice_", "__ouro_limit", "__ouro_abort", "__ouro_undefined"];
    if named.iter().any(|prefix| callee.starts_with(prefix)) {
        assert!(arguments.contains("@.str"), "{source} calls {callee} without a literal: {line}");
    }
}
