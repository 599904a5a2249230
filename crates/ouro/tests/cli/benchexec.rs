//! The tool-info module for BenchExec, tried by BenchExec itself where it is installed.

use std::path::Path;
use std::process::{Command, Output};

use super::{COUNTS, Folder, WAITS};

/// A folder with the module as a package of its own, and Python that finds it and BenchExec; none if there is no
/// BenchExec: `scripts/setup.sh --tests` installs it.
fn folder() -> Option<Folder> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let module =
        std::fs::read_to_string(root.join("contrib/benchexec/ouro.py")).expect("the module");
    let folder = Folder::with(&[("counts.c", COUNTS), ("waits.c", WAITS)]);
    std::fs::create_dir(folder.path("info")).expect("a folder");
    folder.write("info/__init__.py", "");
    folder.write("info/ouro.py", module);
    let there = python(&folder, &["-c", "import benchexec.test_tool_info"]);
    if there.is_some_and(|output| output.status.success()) {
        return Some(folder);
    }
    eprintln!("skipped: there is no BenchExec; scripts/setup.sh --tests installs it");
    None
}

fn python(folder: &Folder, arguments: &[&str]) -> Option<Output> {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/benchexec");
    let program = Path::new(env!("CARGO_BIN_EXE_ouro")).parent().expect("a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    Command::new("python3")
        .args(arguments)
        .current_dir(folder.path("."))
        .env("PYTHONPATH", format!("{}:{}", installed.display(), folder.path(".").display()))
        .env("PATH", path)
        .output()
        .ok()
}

#[test]
fn the_module_passes_its_test() {
    let Some(folder) = folder() else { return };
    let arguments = ["-m", "benchexec.test_tool_info", "info.ouro", "--no-container"];
    let output = python(&folder, &arguments).expect("python");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("ERROR"), "{said}");
    assert!(said.contains("'--prop', 'PROPERTY.PRP', '--data-model', 'ilp32'"), "{said}");
}

/// The real output of Ouro, judged by the module.
const JUDGE: &str = "\
import subprocess, sys
from benchexec import util
from benchexec.tools.template import BaseTool2
from info.ouro import Tool
for name in ('counts.c', 'waits.c', 'missing.c'):
    done = subprocess.run(['ouro', 'check', name], capture_output=True, text=True)
    output = BaseTool2.RunOutput((done.stdout + done.stderr).splitlines(True))
    code = util.ProcessExitCode.create(value=done.returncode)
    run = BaseTool2.Run([], code, output, None)
    print(name, Tool().determine_result(run))
";

#[test]
fn the_module_reads_verdicts() {
    let Some(folder) = folder() else { return };
    let output = python(&folder, &["-c", JUDGE]).expect("python");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "counts.c true\nwaits.c false\nmissing.c ERROR(input)\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
