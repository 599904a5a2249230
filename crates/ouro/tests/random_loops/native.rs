//! Programs as machine code: with inputs of all sorts (`native.c`), or with those of a reproducer
//! (`turns.c`), and with a limit on turns.

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::IntegerSemantics;

/// Turns after which a run is not waited for.
const TURNS: &str = "10000000";
/// The same where inputs are small: all values of an `unsigned` have been there, twice.
const MANY_TURNS: &str = "8600000000";
/// The end of a run that was not waited for.
const LONG: i32 = 99;

/// What is said of a program that ran out of stack on small inputs.
pub(crate) const DEEP: &str = "deeper than the stack";

const SIGSEGV: i32 = 11;

/// Undefined accesses end a run as a trap does, and nothing else is reported.
const SANITIZER: &str = "abort_on_error=1:detect_leaks=0:handle_segv=0:log_path=/dev/null";

/// Surroundings, compiled once.
pub(crate) struct Native {
    inputs: PathBuf,
    turns: PathBuf,
    /// Turns after which a run on small inputs is not waited for.
    pub(crate) many_turns: String,
}

impl Native {
    /// Surroundings in a folder.
    pub(crate) fn new(folder: &Path) -> Native {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/random_loops");
        let compiled = |name: &str| {
            let object = folder.join(format!("{name}.o"));
            let mut gcc = Command::new("gcc");
            gcc.args(["-O2", "-c", "-o"]).arg(&object).arg(sources.join(name));
            assert!(gcc.status().expect("gcc is installed").success(), "{name}");
            object
        };
        let many_turns = MANY_TURNS.to_owned();
        Native { inputs: compiled("native.c"), turns: compiled("turns.c"), many_turns }
    }

    /// Whether a program that terminates does so; `widens` if it can be compiled with wide integers.
    pub(crate) fn ends(
        &self,
        program: &Path,
        ints: IntegerSemantics,
        widens: bool,
    ) -> (&'static str, String) {
        let binary = program.with_extension("native");
        if let Err(why) = compile(program, &self.inputs, None, ints, false, &binary) {
            return ("failed", why);
        }
        let all = rows(&binary, &[("TURNS", TURNS)]);
        let mut outcome = ("agrees", String::new());
        // Rows of small inputs that end because something is undefined.
        let mut undefined = Vec::new();
        for Row { number, small, mut end } in all {
            if is_long(&end) && outcome.0 == "agrees" {
                outcome.0 = "agrees, some long";
            }
            if small && is_long(&end) {
                let again = rows(&binary, &[("TURNS", &self.many_turns), ("ONE", &number)]);
                end = again.into_iter().next().expect("a row").end;
                match end.as_str() {
                    "long" => return ("WRONG", format!("row {number}: {end}")),
                    // An `unsigned` that counts calls down from -1 needs more stack than there is,
                    // and so does a recursion without end: this says nothing.
                    "stack" => outcome = (DEEP, format!("row {number}")),
                    _ => {}
                }
            }
            if small && end == "undefined" {
                undefined.push(number);
            }
        }
        if ints == IntegerSemantics::C && widens && !undefined.is_empty() {
            if let Err(why) = compile(program, &self.inputs, None, ints, true, &binary) {
                return ("failed", why);
            }
            for number in undefined {
                // First as long as it takes to see most ends, then long enough to be sure.
                let ends = |turns: &str| {
                    let row = rows(&binary, &[("TURNS", turns), ("ONE", &number)]);
                    row.iter().all(|row| row.end != "long")
                };
                if !ends(TURNS) && !ends(&self.many_turns) {
                    return ("waits for overflow", format!("row {number}"));
                }
            }
        }
        let _ = std::fs::remove_file(&binary);
        outcome
    }

    /// Whether a program that loops does so with its reproducer.
    pub(crate) fn hangs(
        &self,
        program: &Path,
        reproducer: &Path,
        ints: IntegerSemantics,
        recursion: bool,
    ) -> (&'static str, String) {
        let binary = program.with_extension("native");
        if let Err(why) = compile(program, &self.turns, Some(reproducer), ints, false, &binary) {
            return ("failed", why);
        }
        let output = Command::new(&binary)
            .env("TURNS", TURNS)
            .env("ASAN_OPTIONS", SANITIZER)
            .output()
            .expect("a binary that runs");
        let _ = std::fs::remove_file(&binary);
        if output.status.code() == Some(LONG) {
            ("agrees", String::new())
        } else if ints == IntegerSemantics::Unbounded && output.status.signal().is_some() {
            // Numbers that grow forever leave every type of C some day.
            ("agrees until a trap", String::new())
        } else if recursion && output.status.signal() == Some(SIGSEGV) {
            ("agrees, stack ends", String::new())
        } else {
            ("WRONG", format!("the reproducer ends: {:?}", output.status))
        }
    }
}

/// What became of a row of inputs.
struct Row {
    number: String,
    /// Whether all of them are small.
    small: bool,
    end: String,
}

/// Whether a run was not waited for, or recursed deeper than the stack.
fn is_long(end: &str) -> bool {
    matches!(end, "long" | "stack")
}

fn rows(binary: &Path, variables: &[(&str, &str)]) -> Vec<Row> {
    let mut command = Command::new(binary);
    command.env("ASAN_OPTIONS", SANITIZER);
    command.envs(variables.iter().copied());
    let output = command.output().expect("a binary that runs");
    assert!(output.status.success(), "{}: {:?}", binary.display(), output.status);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let row = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        Row { number: words[0].to_owned(), small: words[1] == "small", end: words[2].to_owned() }
    };
    text.lines().map(row).collect()
}

/// Machine code that counts its turns and traps where C says nothing; `wide` signed integers have
/// no end that a run gets to.
fn compile(
    program: &Path,
    surroundings: &Path,
    reproducer: Option<&Path>,
    ints: IntegerSemantics,
    wide: bool,
    binary: &Path,
) -> Result<(), String> {
    // gcc does not trap where unsigned numbers wrap, which leaves `unbounded`.
    let (compiler, traps): (&str, &[&str]) = match ints {
        IntegerSemantics::C => {
            ("gcc", &["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"])
        }
        IntegerSemantics::Wrap => (
            "gcc",
            &[
                "-fwrapv",
                "-fsanitize=undefined",
                "-fno-sanitize=signed-integer-overflow",
                "-fsanitize-undefined-trap-on-error",
            ],
        ),
        IntegerSemantics::Unbounded => {
            ("clang-19", &["-fsanitize=undefined,integer", "-fsanitize-trap=all"])
        }
    };
    // Programs with objects leave them now and then, which only this sees.
    let address: &[&str] = if has_headers(program) { &["-fsanitize=address"] } else { &[] };
    let object = binary.with_extension("o");
    let mut first = Command::new(compiler);
    first
        .args(["-O1", "-w", "-DCOUNT_TURNS", "-c", "-o"])
        .arg(&object)
        .arg(program)
        .args(traps)
        .args(address);
    if wide {
        first.arg("-DWIDE");
    }
    let mut second = Command::new("gcc");
    second
        .args(["-w", "-o"])
        .arg(binary)
        .arg(&object)
        .arg(surroundings)
        .args(reproducer)
        .args(address);
    for command in [&mut first, &mut second] {
        let output = command.output().expect("a compiler");
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
    }
    let _ = std::fs::remove_file(&object);
    Ok(())
}

fn has_headers(program: &Path) -> bool {
    std::fs::read_to_string(program).is_ok_and(|text| text.starts_with("#include"))
}
