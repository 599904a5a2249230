//! The C library that checked programs run with: it agrees with the system's, it compiles for both
//! data models, and it keeps the rules that `library/ouro.h` states.

use std::collections::{BTreeMap, BTreeSet};
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
fn limits_of_results_are_those_of_the_library() {
    let texts: Vec<String> = sources()
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("it can be read"))
        .collect();
    for limit in ouro_model::RESULT_LIMITS {
        let call = format!("__ouro_limit(\"{limit}\")");
        assert!(texts.iter().any(|text| text.contains(&call)), "nobody says '{limit}'");
    }
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

/// Every public function is compared with the system's, or a list says why it is not.
#[test]
fn functions_without_a_comparison_are_listed() {
    let text = |command: &mut Command| {
        let output = command.output().expect("the compiler runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text in UTF-8")
    };
    let mut public = BTreeSet::new();
    for source in sources() {
        let flags = ["-O0", "-ffreestanding", "-fno-builtin", "-fno-math-errno", "-w"];
        let emit = ["-S", "-emit-llvm", "-o", "-"];
        let code = text(Command::new("clang-19").args(flags).args(emit).arg(source));
        let defined =
            code.lines().filter(|l| l.starts_with("define ") && !l.contains(" internal "));
        let names = defined.filter_map(|line| line.split_once('@')?.1.split_once('('));
        public.extend(names.map(|(name, _)| name.to_owned()));
    }
    public.retain(|name| !name.starts_with("ouro_"));
    // Macros are expanded, so that each use has its name; one of them is the declaration.
    let tests = std::fs::read_dir(library().join("tests")).expect("the tests are here");
    let tests = tests.map(|entry| entry.expect("they can be listed").path());
    let tests = tests.filter(|path| path.extension().is_some_and(|extension| extension == "c"));
    let expanded: String =
        tests.map(|test| text(Command::new("gcc").args(["-E", "-w"]).arg(test))).collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for word in expanded.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if let Some(name) = word.strip_prefix("ouro_test_") {
            *uses.entry(name).or_default() += 1;
        }
    }
    let listed = std::fs::read_to_string(library().join("tests/uncovered.txt"));
    let listed = listed.expect("the list is here");
    let listed: BTreeSet<&str> = listed
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.split_once(": ").expect("a name, a colon, a reason").0)
        .collect();
    let mut wrong = Vec::new();
    for name in &public {
        let compared = uses.get(name.as_str()).is_some_and(|uses| *uses > 1);
        if compared == listed.contains(name.as_str()) {
            wrong.push(name.clone());
        }
    }
    wrong.extend(
        listed.iter().filter(|name| !public.contains(**name)).map(|name| (*name).to_owned()),
    );
    assert!(wrong.is_empty(), "compared and listed, or neither, or not public: {wrong:?}");
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
    let named = [
        "__ouro_choice_",
        "__ouro_unknown_",
        "__ouro_assumption",
        "__ouro_limit",
        "__ouro_abort",
        "__ouro_undefined",
    ];
    if named.iter().any(|prefix| callee.starts_with(prefix)) {
        assert!(arguments.contains("@.str"), "{source} calls {callee} without a literal: {line}");
    }
}
