//! Processes that end, though all that is seen of them looks as if they could not: by a signal, a file, a limit, or
//! by what they see of their allocator. None is called endless, and each answer names what stood in the way. And
//! some that are much like them and never end.

use std::process::Command;

use ouro_attach::{ProcessAnalysis, ProcessAnswer};
use ouro_process::ProcessSnapshot;

use crate::{Running, build, build_with, compile, judge};

/// The answer about a case of `hostile.c`.
fn case(program: &std::path::Path, name: &str, seconds: u64) -> (ProcessAnalysis, ProcessSnapshot) {
    let mut command = Command::new(program);
    command.arg(name);
    let running = Running::start(command);
    let snapshot = running.snapshot().unwrap_or_else(|| panic!("{name} runs"));
    // Some need more memory each time.
    drop(running);
    (judge(&snapshot, seconds), snapshot)
}

/// Each is not proved, for this reason.
fn stopped_by(program: &std::path::Path, cases: &[(&str, &str)]) {
    for (name, expected) in cases {
        let (analysis, _) = case(program, name, 20);
        let said = ouro_report::process_text(&analysis);
        assert!(analysis.answer.proof().is_none(), "{name}: {said}");
        assert!(!matches!(analysis.answer, ProcessAnswer::WillLeave { .. }), "{name}: {said}");
        assert!(said.contains(expected), "{name}: {said}");
        eprintln!("{name}: {}", analysis.answer.word());
    }
}

#[test]
fn files_that_are_mapped_privately() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "hostile", &["-O1"]);
    let reason = "private mapping that changes when the file is written";
    stopped_by(
        &program,
        &[
            ("config", reason),
            ("writable", reason),
            ("unlinked", reason),
            ("memfd", reason),
            ("second page", reason),
            ("string", reason),
            ("looks like a program", reason),
        ],
    );
    // A page that the process has written is its own.
    let (analysis, snapshot) = case(&program, "own page", 20);
    assert_eq!(analysis.answer.word(), "loops forever", "{}", ouro_report::process_text(&analysis));
    let file = snapshot.mappings.iter().find(|m| m.name.contains("ouro-hostile-"));
    let file = file.expect("the file is mapped");
    assert!(!file.is_clean(file.start) && file.is_clean(file.start + 4096), "{file:?}");
    // What is assumed of the program's own file has its line.
    let assumed =
        analysis.premises.iter().find(|p| p.what.contains("libraries are not overwritten"));
    let assumed = assumed.expect("a premise");
    assert_eq!(assumed.holds, None);
    assert!(assumed.found.contains("libc.so.6"), "{assumed:?}");
    // A file that gets shorter takes the process's own pages away too.
    let assumed = analysis.premises.iter().find(|p| p.what.contains("are not truncated"));
    let assumed = assumed.expect("a premise");
    assert_eq!(assumed.holds, None);
    assert!(assumed.found.contains("ouro-hostile-"), "{assumed:?}");
    let (analysis, _) = case(&program, "config", 20);
    let all = &analysis.premises;
    assert!(!all.iter().any(|p| p.what.contains("are not truncated")), "{all:?}");
    stopped_by(&program, &[("given back", "or that the kernel may drop")]);
}

/// A core tells less: what it leaves open is assumed, and a file that only begins like a program is none.
#[test]
fn what_a_core_does_not_tell() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "hostile", &["-O1"]);
    for name in ["looks like a program", "memfd", "own page"] {
        let mut command = Command::new(&program);
        command.arg(name);
        let analysis = judge(&Running::start(command).core(), 20);
        let said = ouro_report::process_text(&analysis);
        assert_eq!(analysis.answer.word(), "unknown", "{name}: {said}");
        assert!(said.contains("memory that other processes may write"), "{name}: {said}");
    }
    let mut command = Command::new(&program);
    command.arg("ignored child");
    let analysis = judge(&Running::start(command).core(), 20);
    let said = ouro_report::process_text(&analysis);
    assert_eq!(analysis.answer.word(), "loops forever", "{said}");
    assert!(analysis.premises.iter().all(|premise| premise.holds.is_none()), "{said}");
    assert!(said.contains("nor which have a handler that may end the loop"), "{said}");
    assert!(said.contains("no limit on CPU time stops it: assumed"), "{said}");
}

#[test]
fn ends_that_the_kernel_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "hostile", &["-O1"]);
    stopped_by(
        &program,
        &[
            ("real time", "RLIMIT_RTTIME"),
            ("cpu", "`ulimit -t`"),
            ("child", "SIGCHLD has a handler"),
            ("parting child", "sends SIGTERM when it exits"),
            ("asynchronous pipe", "sends SIGIO (O_ASYNC)"),
            ("asynchronous socket", "sends SIGIO (O_ASYNC)"),
            ("lease", "no file sends it a signal"),
            ("alarm", "SIGALRM has a handler"),
            ("profile", "SIGPROF has a handler"),
            ("posix timer", "a POSIX timer exists"),
            ("message queue", "notifies about messages (mq_notify)"),
        ],
    );
    // What cannot be seen is named.
    let (analysis, _) = case(&program, "parent", 20);
    let said = ouro_report::process_text(&analysis);
    assert!(said.contains("no signal arrives: assumed (none has a handler"), "{said}");
    assert!(said.contains("PR_SET_PDEATHSIG"), "{said}");
    // Children whose end nobody handles.
    for name in ["ignored child", "quiet child"] {
        let (analysis, snapshot) = case(&program, name, 20);
        assert_eq!(snapshot.circumstances.children.len(), 1);
        assert_eq!(
            analysis.answer.word(),
            "loops forever",
            "{}",
            ouro_report::process_text(&analysis)
        );
    }
}

/// Each ends when enough has been allocated, without a look at what `malloc` returned.
#[test]
fn what_the_allocator_keeps_for_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "hostile", &["-O1"]);
    let asks = "it queries the allocator's state";
    let peeks = "reads the allocator's internal data";
    for (name, reason) in [
        ("break", asks),
        ("break variable", peeks),
        ("usable", asks),
        ("info", asks),
        ("top", peeks),
        ("header", peeks),
        ("lists", peeks),
        ("freed", peeks),
        ("arena", peeks),
    ] {
        let (analysis, _) = case(&program, name, 20);
        let said = ouro_report::process_text(&analysis);
        assert_eq!(analysis.answer.word(), "unknown", "{name}: {said}");
        assert!(said.contains(reason), "{name}: {said}");
        eprintln!("{name}: {}", said.lines().nth(2).unwrap_or_default());
    }
    let limited = "its memory is limited to";
    stopped_by(&program, &[("address space", limited), ("data", limited)]);
    let (analysis, _) = case(&program, "leak", 60);
    let said = ouro_report::process_text(&analysis);
    assert_eq!(analysis.answer.word(), "loops forever", "{said}");
    assert!(said.contains("the heap is unlimited: assumed"), "{said}");
}

/// A program with one handler, and a loop.
fn with_handler(before: &str, handler: &str, install: &str, body: &str) -> String {
    format!(
        "#define _GNU_SOURCE\n#include <setjmp.h>\n#include <signal.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <unistd.h>\n\
         static volatile sig_atomic_t stop, count; static volatile int *away; static sigjmp_buf out;\n\
         {before}\nstatic void on_signal(int number) {{ {handler} }}\n\
         int main(void) {{ {install}\n{body} }}\n"
    )
}

#[test]
fn loops_that_a_handler_ends() {
    let wait = "while (!stop) { }";
    let term = "signal(SIGTERM, on_signal);";
    let both = "signal(SIGTERM, on_signal); signal(SIGINT, on_signal);";
    let action = "struct sigaction a = {.sa_handler = on_signal}; sigaction(SIGUSR1, &a, 0);";
    let real_time = "signal(SIGRTMIN + 3, on_signal);";
    let table = "static struct { int number; void (*handler)(int); } table[] = {{SIGHUP, on_signal}}; \
                 signal(table[0].number, table[0].handler);";
    let far = "volatile int here = 0; away = &here; signal(SIGTERM, on_signal);";
    let blocked = "signal(SIGTERM, on_signal); sigset_t s; sigemptyset(&s); sigaddset(&s, SIGTERM); \
                   sigprocmask(SIG_BLOCK, &s, 0);";
    for (handler, install, body, expected) in [
        ("stop = 1;", term, wait, "loops until SIGTERM arrives"),
        ("stop = 1;", both, wait, "loops until SIGINT or SIGTERM arrives"),
        ("stop = 1;", action, wait, "loops until SIGUSR1 arrives"),
        ("stop = 1;", real_time, wait, "loops until signal 37 arrives"),
        ("stop = 1;", table, wait, "loops until SIGHUP arrives"),
        ("stop++;", term, "while (stop < 3) { }", "loops until SIGTERM arrives"),
        ("if (++count == 3) stop = 1;", term, wait, "loops until SIGTERM arrives"),
        ("if (number == SIGINT) stop = 1;", both, wait, "loops until SIGINT arrives"),
        ("*away = 1;", far, "while (!here) { }", "loops until SIGTERM arrives"),
        ("_exit(0);", term, "for (;;) { }", "loops until SIGTERM arrives"),
        (
            "siglongjmp(out, 1);",
            term,
            "if (!sigsetjmp(out, 1)) for (;;) { }",
            "loops until SIGTERM arrives",
        ),
        ("memset((void *)&stop, 1, sizeof stop);", term, wait, "loops until SIGTERM arrives"),
        // These let the loop alone.
        ("count++;", term, wait, "loops forever"),
        ("", term, wait, "loops forever"),
        ("stop = 1;", blocked, wait, "loops forever"),
        ("stop = 1;", "", wait, "loops forever"),
        ("count = number; stop = 1; stop = 0;", "", "for (;;) { }", "loops forever"),
    ] {
        for level in ["-O0", "-O2"] {
            let folder = tempfile::tempdir().expect("a folder");
            let source = with_handler("", handler, install, body);
            let running = Running::start(Command::new(build(folder.path(), &source, level)));
            let analysis = judge(&running.snapshot().expect("it runs"), 20);
            let said = ouro_report::process_text(&analysis);
            assert_eq!(
                analysis.answer.word(),
                expected,
                "{handler} {install} {body} {level}: {said}"
            );
        }
    }
}

/// Programs that are linked in other ways: at a fixed address, without symbols, with all libraries inside.
#[test]
fn handlers_of_programs_that_are_linked_otherwise() {
    let ends = with_handler("", "stop = 1;", "signal(SIGTERM, on_signal);", "while (!stop) { }");
    let counts = with_handler("", "count++;", "signal(SIGTERM, on_signal);", "while (!stop) { }");
    let until = "loops until SIGTERM arrives";
    for (options, of_other) in [
        (["-O1", "-no-pie"], "loops forever"),
        (["-O2", "-s"], "loops forever"),
        (["-O2", "-static"], until),
    ] {
        for (source, expected) in [(&ends, until), (&counts, of_other)] {
            let folder = tempfile::tempdir().expect("a folder");
            let program = build_with(folder.path(), source, &options);
            let running = Running::start(Command::new(program));
            let analysis = judge(&running.snapshot().expect("it runs"), 20);
            let said = ouro_report::process_text(&analysis);
            assert_eq!(analysis.answer.word(), expected, "{options:?}: {said}");
        }
    }
}

/// Signals whose arrival alone may end a loop, though their handlers write nothing that it uses.
#[test]
fn handlers_that_look_harmless() {
    let dead = "static int *dead(void) { volatile int a[10]; int *volatile r = (int *)&a[0]; return r - 60; }";
    let wait = "#include <pthread.h>\n#include <semaphore.h>\nstatic sem_t sem; \
                static void *wait_then(void *unused) { sem_wait(&sem); stop = 1; return 0; }";
    let term = "struct sigaction a = {.sa_handler = on_signal}; sigaction(SIGTERM, &a, 0);";
    let waiting =
        format!("{term} pthread_t t; sem_init(&sem, 0, 0); pthread_create(&t, 0, wait_then, 0);");
    let alternative = "static char alt[16384]; stack_t s = {alt, 0, sizeof alt}; sigaltstack(&s, 0); \
                       struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK}; sigaction(SIGTERM, &a, 0);";
    for (before, handler, install, body, reason) in [
        (
            dead,
            "count++;",
            term,
            "volatile int *p = dead(); *p = 5; while (*p == 5) { }",
            "below its stack",
        ),
        // The register that the loop looks at, as the kernel saved it.
        (
            "",
            "((volatile long *)__builtin_frame_address(0))[2 + 5 + 13] = 1;",
            term,
            "__asm__ volatile(\"xor %%eax, %%eax\\n1: test %%rax, %%rax\\njz 1b\" : : : \"rax\");",
            "that the kernel saved",
        ),
        (
            "",
            "count++;",
            alternative,
            "for (;;) for (int i = 15000; i < 16384; i++) if (((volatile char *)alt)[i]) return 0;",
            "(sigaltstack)",
        ),
        (wait, "count++;", waiting.as_str(), "while (!stop) { }", "may wake them"),
        (
            "",
            "count++;",
            "signal(SIGTERM, on_signal); syscall(39);",
            "while (!stop) { }",
            "without going through the C library",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let source = with_handler(before, handler, install, body);
        let running = Running::start(Command::new(build(folder.path(), &source, "-O1")));
        let analysis = judge(&running.snapshot().expect("it runs"), 20);
        let said = ouro_report::process_text(&analysis);
        assert_eq!(analysis.answer.word(), "loops until SIGTERM arrives", "{reason}: {said}");
        assert!(said.contains(reason), "{reason}: {said}");
    }
}

/// Handlers that are found nowhere: looked up by name, or one of many.
#[test]
fn handlers_that_cannot_be_found() {
    let lookup = "#include <dlfcn.h>\n";
    let many: String = (0..20).map(|i| format!("void f{i}(int n) {{ count = {i}; }}\n")).collect();
    let list: String = (0..20).map(|i| format!("f{i}, ")).collect();
    let many = format!("{many} void (*all[])(int) = {{{list}}};");
    for (before, install, reason) in [
        (lookup, "signal(SIGTERM, dlsym(RTLD_DEFAULT, \"exit\"));", "(dlsym)"),
        (many.as_str(), "signal(SIGTERM, all[getpid() % 20]);", "functions could be a handler"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let source = with_handler(before, "count++;", install, "for (;;) { }");
        let running = Running::start(Command::new(build(folder.path(), &source, "-O1")));
        let analysis = judge(&running.snapshot().expect("it runs"), 20);
        let said = ouro_report::process_text(&analysis);
        assert_eq!(analysis.answer.word(), "loops until SIGTERM arrives", "{said}");
        assert!(said.contains(reason), "{said}");
        let ProcessAnswer::LoopsUntil { signals, .. } = &analysis.answer else { panic!("{said}") };
        assert_eq!(signals[0], "SIGTERM");
    }
}
