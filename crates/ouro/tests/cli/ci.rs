//! The hook for pre-commit and the GitHub Action.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::{COUNTS, Folder, WAITS};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn yaml(name: &str) -> Value {
    let text = fs::read_to_string(root().join(name)).expect(name);
    serde_yaml_ng::from_str(&text).expect("YAML")
}

fn hook(folder: &Folder, arguments: &[&str]) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_ouro")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let hooks = yaml(".pre-commit-hooks.yaml");
    let entry = hooks[0]["entry"].as_str().expect("a script");
    let mut command = Command::new(root().join(entry));
    command
        .args(arguments)
        .current_dir(folder.path("."))
        .env("PATH", path)
        .output()
        .expect("the hook")
}

#[test]
fn the_hook_refuses_what_never_ends() {
    let files =
        [("waits.c", WAITS), ("counts.c", COUNTS), ("part.c", "void f(void) { for (;;) ; }\n")];
    let folder = Folder::with(&files);
    let good = hook(&folder, &["counts.c", "part.c"]);
    assert_eq!((good.status.code(), good.stdout.len()), (Some(0), 0));
    let bad = hook(&folder, &["counts.c", "waits.c"]);
    assert_eq!(bad.status.code(), Some(1));
    let said = String::from_utf8_lossy(&bad.stdout).into_owned();
    assert!(said.contains("loops forever") && said.contains("waits.c:7"), "{said}");
}

#[test]
fn the_hook_lets_what_is_unknown_pass_unless_asked() {
    // What a sine is, is not known, so the loop is open whatever the time.
    let open = "#include <math.h>\nint main(void) { while (sin(1.0) > 0.5) ; return 0; }\n";
    let folder = Folder::with(&[("open.c", open)]);
    let short = ["--engine=explore", "--timeout=3s"];
    let unknown = hook(&folder, &[&short[..], &["open.c"]].concat());
    assert_eq!(unknown.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&unknown.stdout).starts_with("open.c: unknown"));
    let strict = hook(&folder, &[&short[..], &["--every-loop", "open.c"]].concat());
    assert_eq!(strict.status.code(), Some(1));
}

#[test]
fn the_action_names_what_is_there() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let steps = action["runs"]["steps"].as_array().expect("steps");
    let script: String = steps.iter().filter_map(|step| step["run"].as_str()).collect();
    for name in ["scripts/setup.sh", "scripts/environment.sh"] {
        assert!(script.contains(name) && root().join(name).exists(), "{name}");
    }
    // Every input is used, and every one that is used is declared.
    for name in action["inputs"].as_object().expect("inputs").keys() {
        let used = format!("${{{{ inputs.{name} }}}}");
        assert!(steps.iter().any(|step| step.to_string().contains(&used)), "{name}");
    }
}
