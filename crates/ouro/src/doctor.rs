//! `ouro doctor`: is everything there that Ouro needs, and what is to be done if not?

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use crate::{exit, outputs};

/// How an examination came out.
enum ExaminationState {
    Fine,
    /// Something that few need is missing.
    Lacks,
    /// Ouro does not work without it.
    Broken,
}

/// One thing that was looked at.
struct ExaminationFinding {
    state: ExaminationState,
    /// What it is, and how it is.
    what: String,
    /// What to do about it.
    advice: Option<&'static str>,
}

impl ExaminationFinding {
    fn fine(what: impl Into<String>) -> ExaminationFinding {
        ExaminationFinding { state: ExaminationState::Fine, what: what.into(), advice: None }
    }

    fn lacks(what: impl Into<String>, advice: &'static str) -> ExaminationFinding {
        ExaminationFinding {
            state: ExaminationState::Lacks,
            what: what.into(),
            advice: Some(advice),
        }
    }

    fn broken(what: impl Into<String>, advice: &'static str) -> ExaminationFinding {
        ExaminationFinding {
            state: ExaminationState::Broken,
            what: what.into(),
            advice: Some(advice),
        }
    }
}

/// A program that runs forever, and one that needs the solver to see that it ends.
const ENDLESS: &str = "int main(void) { for (;;) { } }\n";
const ENDS: &str = "extern int choose(void);\n\
                    int main(void) { int n = choose(); for (int i = 0; i < n; i++) { } return 0; }\n";

/// Looks at everything, prints what was seen, and exits with 0 if Ouro works.
pub(crate) fn run_doctor() -> ExitCode {
    let folder = match tempfile::Builder::new().prefix("ouro-").tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            let what = format!("a temporary folder cannot be made: {error}");
            return print_examination(&[ExaminationFinding::broken(
                what,
                "set TMPDIR to a folder that can be written",
            )]);
        }
    };
    let mut all = vec![ExaminationFinding::fine(format!("Ouro {}", env!("CARGO_PKG_VERSION")))];
    all.extend(examine_clang(folder.path()));
    all.push(match ouro_check::solver_version() {
        Ok(version) => ExaminationFinding::fine(version),
        Err(wrong) => ExaminationFinding::broken(
            wrong,
            "without it there are no proofs; the rest of this list is no wonder",
        ),
    });
    all.push(examine_verdict(
        folder.path(),
        "endless.c",
        ENDLESS,
        1,
        "a program that never ends is found",
    ));
    all.push(examine_verdict(
        folder.path(),
        "ends.c",
        ENDS,
        0,
        "a program that ends is proved to, with Z3",
    ));
    all.push(examine_other_solver());
    all.push(examine_tracing());
    all.push(examine_machine());
    print_examination(&all)
}

fn print_examination(all: &[ExaminationFinding]) -> ExitCode {
    let mut text = String::new();
    for finding in all {
        let word = match finding.state {
            ExaminationState::Fine => "ok",
            ExaminationState::Lacks => "lacks",
            ExaminationState::Broken => "broken",
        };
        text += &format!("{word:<7} {}\n", finding.what);
        if let Some(advice) = finding.advice {
            text += &format!("        help: {advice}\n");
        }
    }
    let broken = all.iter().any(|finding| matches!(finding.state, ExaminationState::Broken));
    text += if broken { "Ouro does not work here yet.\n" } else { "Ouro works.\n" };
    outputs::print_and_exit(text.as_bytes(), if broken { exit::BAD_INPUT } else { 0 })
}

/// clang, and the headers of the C library for both data models.
fn examine_clang(folder: &Path) -> Vec<ExaminationFinding> {
    let install = "install clang 19 and LLVM 19, on Debian: apt-get install clang-19 llvm-19";
    let version = Command::new("clang-19").arg("--version").output();
    let version = match version {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().next().unwrap_or("clang-19").to_owned()
        }
        Ok(output) => {
            return vec![ExaminationFinding::broken(
                format!("clang-19: {}", output.status),
                install,
            )];
        }
        Err(error) => {
            return vec![ExaminationFinding::broken(format!("clang-19: {error}"), install)];
        }
    };
    let source = folder.join("header.c");
    if let Err(error) = fs::write(&source, "#include <stdio.h>\n#include <stdlib.h>\n") {
        return vec![ExaminationFinding::broken(
            error.to_string(),
            "make room on the disk of TMPDIR",
        )];
    }
    let accepts = |width: &str| {
        let mut command = Command::new("clang-19");
        command.args([width, "-fsyntax-only"]).arg(&source);
        let status = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    vec![
        ExaminationFinding::fine(version),
        match accepts("-m64") {
            true => ExaminationFinding::fine("headers of the C library"),
            false => ExaminationFinding::broken(
                "no headers of the C library",
                "install them, on Debian: apt-get install libc6-dev",
            ),
        },
        match accepts("-m32") {
            true => ExaminationFinding::fine(
                "headers of the C library for 32 bits (--data-model ilp32)",
            ),
            false => ExaminationFinding::lacks(
                "no headers of the C library for 32 bits (--data-model ilp32)",
                "install them, on Debian: apt-get install libc6-dev-i386",
            ),
        },
    ]
}

/// The whole way: compiled, answered, and the answer checked.
fn examine_verdict(
    folder: &Path,
    name: &str,
    text: &str,
    code: i32,
    what: &str,
) -> ExaminationFinding {
    let advice = "run scripts/setup.sh again and build anew; if that does not help, report it";
    let file = folder.join(name);
    let asked = fs::write(&file, text).and_then(|()| {
        let mut command = Command::new(env::current_exe()?);
        command.args(["check", "--timeout", "60s"]).arg(&file).output()
    });
    match asked {
        Ok(output) if output.status.code() == Some(code) => ExaminationFinding::fine(what),
        Ok(output) => {
            let said = [output.stderr, output.stdout].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            let said = said.lines().next().unwrap_or("nothing").to_owned();
            ExaminationFinding::broken(format!("not so: {what}; Ouro said: {said}"), advice)
        }
        Err(error) => ExaminationFinding::broken(format!("not so: {what}: {error}"), advice),
    }
}

/// The solver of `ouro verify --solver cvc5`.
fn examine_other_solver() -> ExaminationFinding {
    let version = Command::new("cvc5").arg("--version").stdin(Stdio::null()).output();
    match version {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let first = text.lines().next().unwrap_or_default();
            let number = first.split_whitespace().find(|word| word.starts_with(char::is_numeric));
            ExaminationFinding::fine(format!(
                "cvc5 {} (ouro verify --solver cvc5)",
                number.unwrap_or_default()
            ))
        }
        _ => ExaminationFinding::lacks(
            "no cvc5 (ouro verify --solver cvc5)",
            "it is optional; on Debian: apt-get install cvc5",
        ),
    }
}

/// Whether `ouro attach` may look at processes.
fn examine_tracing() -> ExaminationFinding {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    // A process's own folder belongs to whom it runs as.
    let root = fs::metadata("/proc/self").is_ok_and(|folder| folder.uid() == 0);
    match scope.trim() {
        "" | "0" => ExaminationFinding::fine("ouro attach may look at your processes"),
        "1" | "2" if root => ExaminationFinding::fine("ouro attach may look at processes, as root"),
        _ => ExaminationFinding::lacks(
            "ouro attach may not look at processes that it did not start",
            "run it as root, or allow it: sysctl kernel.yama.ptrace_scope=0",
        ),
    }
}

/// Processors and memory.
fn examine_machine() -> ExaminationFinding {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    let mib = number.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024;
    let what = format!("{cores} processors, {mib} MiB of memory to use");
    if mib >= 4096 {
        ExaminationFinding::fine(what)
    } else {
        ExaminationFinding::lacks(what, "--memory 4096 is the default; give less, or expect less")
    }
}
