//! `ouro doctor`: is everything there that Ouro needs, and what is to be done if not?

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use crate::{exit, outputs};

/// How an examination came out.
enum DiagnosisState {
    Fine,
    /// Something that few need is missing.
    Lacks,
    /// Ouro does not work without it.
    Broken,
}

/// One thing that was looked at.
struct Diagnosis {
    state: DiagnosisState,
    /// What it is, and how it is.
    what: String,
    /// What to do about it.
    advice: Option<&'static str>,
}

impl Diagnosis {
    fn fine(what: impl Into<String>) -> Diagnosis {
        Diagnosis { state: DiagnosisState::Fine, what: what.into(), advice: None }
    }

    fn lacks(what: impl Into<String>, advice: &'static str) -> Diagnosis {
        Diagnosis { state: DiagnosisState::Lacks, what: what.into(), advice: Some(advice) }
    }

    fn broken(what: impl Into<String>, advice: &'static str) -> Diagnosis {
        Diagnosis { state: DiagnosisState::Broken, what: what.into(), advice: Some(advice) }
    }
}

/// A program that loops forever, and one that needs the solver to see that it ends.
const ENDLESS: &str = "int main(void) { for (;;) { } }\n";
const ENDS: &str = "extern int choose(void);\n\
                    int main(void) { int n = choose(); for (int i = 0; i < n; i++) { } return 0; }\n";

/// Looks at everything, prints what was seen, and exits with 0 if Ouro works.
pub(crate) fn diagnose_installation() -> ExitCode {
    let folder = match tempfile::Builder::new().prefix("ouro-").tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            let what = format!("cannot create a temporary folder: {error}");
            return print_diagnosis(&[Diagnosis::broken(what, "set TMPDIR to a writable folder")]);
        }
    };
    let mut all = vec![Diagnosis::fine(format!("Ouro {}", env!("CARGO_PKG_VERSION")))];
    all.extend(check_clang(folder.path()));
    all.push(match ouro_check::solver_version() {
        Ok(version) => Diagnosis::fine(version),
        Err(wrong) => Diagnosis::broken(
            wrong,
            "nothing can be proved without it, and later checks fail because of it",
        ),
    });
    all.push(check_verdict(folder.path(), "endless.c", ENDLESS, 1, "finds an endless loop"));
    all.push(check_verdict(folder.path(), "ends.c", ENDS, 0, "proves termination, with Z3"));
    all.push(check_other_solver());
    all.push(check_tracing());
    all.push(check_machine());
    print_diagnosis(&all)
}

fn print_diagnosis(all: &[Diagnosis]) -> ExitCode {
    let mut text = String::new();
    for finding in all {
        let word = match finding.state {
            DiagnosisState::Fine => "ok",
            DiagnosisState::Lacks => "lacks",
            DiagnosisState::Broken => "broken",
        };
        text += &format!("{word:<7} {}\n", finding.what);
        if let Some(advice) = finding.advice {
            text += &format!("        help: {advice}\n");
        }
    }
    let broken = all.iter().any(|finding| matches!(finding.state, DiagnosisState::Broken));
    text += if broken {
        "Ouro does not work here yet: follow the advice above.\n"
    } else {
        "Ouro \
         works.\n"
    };
    outputs::print_and_exit(text.as_bytes(), if broken { exit::BAD_INPUT } else { 0 })
}

/// clang, and the headers of the C library for both data models.
fn check_clang(folder: &Path) -> Vec<Diagnosis> {
    let install = "install clang 19 and LLVM 19, on Debian: apt-get install clang-19 llvm-19";
    let version = Command::new("clang-19").arg("--version").output();
    let version = match version {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().next().unwrap_or("clang-19").to_owned()
        }
        Ok(output) => {
            return vec![Diagnosis::broken(format!("clang-19: {}", output.status), install)];
        }
        Err(error) => return vec![Diagnosis::broken(format!("clang-19: {error}"), install)],
    };
    let source = folder.join("header.c");
    if let Err(error) = fs::write(&source, "#include <stdio.h>\n#include <stdlib.h>\n") {
        return vec![Diagnosis::broken(error.to_string(), "free some space on the disk of TMPDIR")];
    }
    let accepts = |width: &str| {
        let mut command = Command::new("clang-19");
        command.args([width, "-fsyntax-only"]).arg(&source);
        let status = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    vec![
        Diagnosis::fine(version),
        match accepts("-m64") {
            true => Diagnosis::fine("headers of the C library"),
            false => Diagnosis::broken(
                "no headers of the C library",
                "install them, on Debian: apt-get install libc6-dev",
            ),
        },
        match accepts("-m32") {
            true => Diagnosis::fine("32-bit headers of the C library (--data-model ilp32)"),
            false => Diagnosis::lacks(
                "no 32-bit headers of the C library (--data-model ilp32)",
                "install them, on Debian: apt-get install libc6-dev-i386",
            ),
        },
    ]
}

/// The whole way: compiled, answered, and the answer checked.
fn check_verdict(folder: &Path, name: &str, text: &str, code: i32, what: &str) -> Diagnosis {
    let advice = "run scripts/setup.sh and build again; if that does not help, please report it";
    let file = folder.join(name);
    let asked = fs::write(&file, text).and_then(|()| {
        let mut command = Command::new(env::current_exe()?);
        command.args(["check", "--timeout", "60s"]).arg(&file).output()
    });
    match asked {
        Ok(output) if output.status.code() == Some(code) => Diagnosis::fine(what),
        Ok(output) => {
            let said = [output.stderr, output.stdout].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            let said = said.lines().next().unwrap_or("nothing").to_owned();
            Diagnosis::broken(format!("failed: {what}; Ouro said: {said}"), advice)
        }
        Err(error) => Diagnosis::broken(format!("not so: {what}: {error}"), advice),
    }
}

/// The solver of `ouro verify --solver cvc5`.
fn check_other_solver() -> Diagnosis {
    let version = Command::new("cvc5").arg("--version").stdin(Stdio::null()).output();
    match version {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let first = text.lines().next().unwrap_or_default();
            let number = first.split_whitespace().find(|word| word.starts_with(char::is_numeric));
            Diagnosis::fine(format!(
                "cvc5 {} (ouro verify --solver cvc5)",
                number.unwrap_or_default()
            ))
        }
        _ => Diagnosis::lacks(
            "no cvc5 (ouro verify --solver cvc5)",
            "it is optional; on Debian: apt-get install cvc5",
        ),
    }
}

/// Whether `ouro attach` may look at processes.
fn check_tracing() -> Diagnosis {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    // A process's own folder belongs to whom it runs as.
    let root = fs::metadata("/proc/self").is_ok_and(|folder| folder.uid() == 0);
    match scope.trim() {
        "" | "0" => Diagnosis::fine("ouro attach can inspect your processes"),
        "1" | "2" if root => Diagnosis::fine("ouro attach can inspect processes, as root"),
        _ => Diagnosis::lacks(
            "ouro attach cannot inspect processes that it did not start",
            "run it as root, or allow it with: sysctl kernel.yama.ptrace_scope=0",
        ),
    }
}

/// Processors and memory.
fn check_machine() -> Diagnosis {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    let mib = number.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024;
    let what = format!("{cores} processors, {mib} MiB of memory available");
    if mib >= 4096 {
        Diagnosis::fine(what)
    } else {
        Diagnosis::lacks(what, "the default is --memory 4096; use a smaller value")
    }
}
