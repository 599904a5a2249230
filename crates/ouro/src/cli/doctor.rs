//! `ouro doctor`: is everything there that Ouro needs, and what is to be done if not?

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use crate::{exit, outputs};

/// How an examination came out.
enum State {
    Fine,
    /// Something that few need is missing.
    Lacks,
    /// Ouro does not work without it.
    Broken,
}

/// One thing that was looked at.
struct Finding {
    state: State,
    /// What it is, and how it is.
    what: String,
    /// What to do about it.
    advice: Option<&'static str>,
}

impl Finding {
    fn fine(what: impl Into<String>) -> Finding {
        Finding { state: State::Fine, what: what.into(), advice: None }
    }

    fn lacks(what: impl Into<String>, advice: &'static str) -> Finding {
        Finding { state: State::Lacks, what: what.into(), advice: Some(advice) }
    }

    fn broken(what: impl Into<String>, advice: &'static str) -> Finding {
        Finding { state: State::Broken, what: what.into(), advice: Some(advice) }
    }
}

/// A program that runs forever, and one that needs the solver to see that it ends.
const ENDLESS: &str = "int main(void) { for (;;) { } }\n";
const ENDS: &str = "extern int choose(void);\n\
                    int main(void) { int n = choose(); for (int i = 0; i < n; i++) { } return 0; }\n";

/// Looks at everything, prints what was seen, and exits with 0 if Ouro works.
pub(crate) fn doctor() -> ExitCode {
    let folder = match tempfile::Builder::new().prefix("ouro-").tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            let what = format!("cannot create a temporary folder: {error}");
            return told(&[Finding::broken(what, "set TMPDIR to a writable folder")]);
        }
    };
    let mut all = vec![Finding::fine(format!("Ouro {}", env!("CARGO_PKG_VERSION")))];
    all.extend(clang(folder.path()));
    all.push(match ouro_check::solver_version() {
        Ok(version) => Finding::fine(version),
        Err(wrong) => Finding::broken(
            wrong,
            "nothing can be proved without it, and later checks fail because of it",
        ),
    });
    all.push(verdict(folder.path(), "endless.c", ENDLESS, 1, "finds an endless loop"));
    all.push(verdict(folder.path(), "ends.c", ENDS, 0, "proves termination, with Z3"));
    all.push(other_solver());
    all.push(tracing());
    all.push(machine());
    told(&all)
}

fn told(all: &[Finding]) -> ExitCode {
    let mut text = String::new();
    for finding in all {
        let word = match finding.state {
            State::Fine => "ok",
            State::Lacks => "lacks",
            State::Broken => "broken",
        };
        text += &format!("{word:<7} {}\n", finding.what);
        if let Some(advice) = finding.advice {
            text += &format!("        help: {advice}\n");
        }
    }
    let broken = all.iter().any(|finding| matches!(finding.state, State::Broken));
    text += if broken {
        "Ouro does not work here yet: follow the advice above.\n"
    } else {
        "Ouro \
         works.\n"
    };
    outputs::print_and_exit(text.as_bytes(), if broken { exit::BAD_INPUT } else { 0 })
}

/// clang, and the headers of the C library for both data models.
fn clang(folder: &Path) -> Vec<Finding> {
    let install = "install clang 19 and LLVM 19, on Debian: apt-get install clang-19 llvm-19";
    let version = Command::new("clang-19").arg("--version").output();
    let version = match version {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().next().unwrap_or("clang-19").to_owned()
        }
        Ok(output) => {
            return vec![Finding::broken(format!("clang-19: {}", output.status), install)];
        }
        Err(error) => return vec![Finding::broken(format!("clang-19: {error}"), install)],
    };
    let source = folder.join("header.c");
    if let Err(error) = fs::write(&source, "#include <stdio.h>\n#include <stdlib.h>\n") {
        return vec![Finding::broken(error.to_string(), "free some space on the disk of TMPDIR")];
    }
    let accepts = |width: &str| {
        let mut command = Command::new("clang-19");
        command.args([width, "-fsyntax-only"]).arg(&source);
        let status = command.stdin(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    vec![
        Finding::fine(version),
        match accepts("-m64") {
            true => Finding::fine("headers of the C library"),
            false => Finding::broken(
                "no headers of the C library",
                "install them, on Debian: apt-get install libc6-dev",
            ),
        },
        match accepts("-m32") {
            true => Finding::fine("32-bit headers of the C library (--data-model ilp32)"),
            false => Finding::lacks(
                "no 32-bit headers of the C library (--data-model ilp32)",
                "install them, on Debian: apt-get install libc6-dev-i386",
            ),
        },
    ]
}

/// The whole way: compiled, answered, and the answer checked.
fn verdict(folder: &Path, name: &str, text: &str, code: i32, what: &str) -> Finding {
    let advice = "run scripts/setup.sh and build again; if that does not help, please report it";
    let file = folder.join(name);
    let asked = fs::write(&file, text).and_then(|()| {
        let mut command = Command::new(env::current_exe()?);
        command.args(["check", "--timeout", "60s"]).arg(&file).output()
    });
    match asked {
        Ok(output) if output.status.code() == Some(code) => Finding::fine(what),
        Ok(output) => {
            let said = [output.stderr, output.stdout].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            let said = said.lines().next().unwrap_or("nothing").to_owned();
            Finding::broken(format!("failed: {what}; Ouro said: {said}"), advice)
        }
        Err(error) => Finding::broken(format!("not so: {what}: {error}"), advice),
    }
}

/// The solver of `ouro verify --solver cvc5`.
fn other_solver() -> Finding {
    let version = Command::new("cvc5").arg("--version").stdin(Stdio::null()).output();
    match version {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let first = text.lines().next().unwrap_or_default();
            let number = first.split_whitespace().find(|word| word.starts_with(char::is_numeric));
            Finding::fine(format!(
                "cvc5 {} (ouro verify --solver cvc5)",
                number.unwrap_or_default()
            ))
        }
        _ => Finding::lacks(
            "no cvc5 (ouro verify --solver cvc5)",
            "it is optional; on Debian: apt-get install cvc5",
        ),
    }
}

/// Whether `ouro attach` may look at processes.
fn tracing() -> Finding {
    let scope = fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").unwrap_or_default();
    // A process's own folder belongs to whom it runs as.
    let root = fs::metadata("/proc/self").is_ok_and(|folder| folder.uid() == 0);
    match scope.trim() {
        "" | "0" => Finding::fine("ouro attach can inspect your processes"),
        "1" | "2" if root => Finding::fine("ouro attach can inspect processes, as root"),
        _ => Finding::lacks(
            "ouro attach cannot inspect processes that it did not start",
            "run it as root, or allow it with: sysctl kernel.yama.ptrace_scope=0",
        ),
    }
}

/// Processors and memory.
fn machine() -> Finding {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    let mib = number.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0) / 1024;
    let what = format!("{cores} processors, {mib} MiB of memory available");
    if mib >= 4096 {
        Finding::fine(what)
    } else {
        Finding::lacks(what, "the default is --memory 4096; use a smaller value")
    }
}
