//! Processes that wait, talk, or share: neither proved nor mistaken. And proofs elsewhere, from a saved
//! snapshot.

use std::process::{Command, Stdio};

use ouro_attach::{ProcessAnswer, check_process_certificate};
use ouro_process::ProcessSnapshot;

use crate::{Running, build, compile, judge};

#[test]
fn sleepers_wait() {
    let mut sleep = Command::new("sleep");
    sleep.arg("1000");
    let sleep = Running::start(sleep);
    for snapshot in [sleep.snapshot().expect("it runs"), sleep.core()] {
        let analysis = judge(&snapshot, 10);
        let ProcessAnswer::Waits { call } = &analysis.answer else {
            panic!("{:?}", analysis.answer)
        };
        assert_eq!(call, "clock_nanosleep(1000 s)");
    }
    // A pipe that nobody writes.
    let child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let cat = Running(child.expect("cat"));
    std::thread::sleep(std::time::Duration::from_millis(200));
    let analysis = judge(&cat.snapshot().expect("it runs"), 10);
    let ProcessAnswer::Waits { call } = &analysis.answer else { panic!("{:?}", analysis.answer) };
    assert!(call.starts_with("read(file 0 = pipe:"), "{call}");
    let analysis = judge(&cat.core(), 10);
    let ProcessAnswer::Waits { call } = &analysis.answer else { panic!("{:?}", analysis.answer) };
    assert!(call.starts_with("read(file 0"), "{call}");
}

#[test]
fn yes_talks() {
    let yes = Running::start(Command::new("yes"));
    let analysis = judge(&yes.snapshot().expect("it runs"), 10);
    let ProcessAnswer::TalksToTheOutside { call, .. } = &analysis.answer else {
        panic!("{}", ouro_report::process_text(&analysis));
    };
    assert!(call.starts_with("write(file 1 = /dev/null"), "{call}");
    let analysis = judge(&yes.core(), 10);
    assert_eq!(analysis.answer.word(), "talks to the outside");
}

/// A program of its own, for one answer.
fn start(folder: &std::path::Path, source: &str) -> Running {
    Running::start(Command::new(build(folder, source, "-O1")))
}

/// Each would be proved if what is shared were taken for granted.
#[test]
fn what_others_may_change_is_not_proved() {
    let reader = r#"
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <unistd.h>
        int main(void) {
            char name[] = "/tmp/ouro-shared-XXXXXX";
            int file = mkstemp(name);
            unlink(name);
            ftruncate(file, 4096);
            volatile int *stop = mmap(0, 4096, PROT_READ, MAP_SHARED, file, 0);
            while (!*stop) { }
        }"#;
    let clock = r#"
        #include <time.h>
        int main(void) {
            struct timespec now;
            do clock_gettime(CLOCK_REALTIME_COARSE, &now); while (now.tv_sec > 0);
        }"#;
    let thread = r#"
        #include <pthread.h>
        #include <unistd.h>
        static volatile int stop;
        static void *later(void *unused) { sleep(1000); stop = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, later, 0); while (!stop) { } }"#;
    let timer = r#"
        #include <signal.h>
        #include <unistd.h>
        static volatile int stop;
        static void ring(int unused) { stop = 1; }
        int main(void) { signal(SIGALRM, ring); alarm(1000); while (!stop) { } }"#;
    let limit = r#"
        #include <sys/resource.h>
        int main(void) {
            struct rlimit some = {100000, 100000};
            setrlimit(RLIMIT_CPU, &some);
            for (;;) { }
        }"#;
    let clone = r#"
        #define _GNU_SOURCE
        #include <sched.h>
        #include <signal.h>
        #include <stdlib.h>
        #include <sys/prctl.h>
        #include <unistd.h>
        static volatile int stop;
        static int later(void *unused) { prctl(PR_SET_PDEATHSIG, SIGKILL); sleep(1000); stop = 1; }
        int main(void) {
            char *stack = malloc(1 << 16);
            clone(later, stack + (1 << 16), CLONE_VM | SIGCHLD, 0);
            while (!stop) { }
        }"#;
    for (source, reason) in [
        (limit, "no limit on CPU time stops it"),
        (clone, "shares its memory"),
        (reader, "that other processes may write"),
        (clock, "it reads the clock"),
        (thread, "no other thread interferes"),
        (timer, "no timer interrupts it"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let running = start(folder.path(), source);
        let analysis = judge(&running.snapshot().expect("it runs"), 10);
        let ProcessAnswer::Unknown { reason: found } = &analysis.answer else {
            panic!("{}", ouro_report::process_text(&analysis));
        };
        assert!(found.contains(reason), "{found}");
        // A core knows less, and must not claim more; of timers it knows nothing, and says so.
        let analysis = judge(&running.core(), 10);
        match &analysis.answer {
            ProcessAnswer::LoopsForever(_) => {
                let hidden = [timer, limit, clone].contains(&source);
                assert!(hidden, "{}", ouro_report::process_text(&analysis));
                let assumed =
                    |p: &ouro_attach::LoopPremise| p.what.contains("timer") && p.holds.is_none();
                assert!(analysis.premises.iter().any(assumed));
            }
            answer => {
                assert_eq!(answer.word(), "unknown", "{}", ouro_report::process_text(&analysis));
            }
        }
    }
}

/// Each is the shortest of loops, and the kernel or the CPU takes it out.
#[test]
fn what_is_taken_out_of_its_loop_is_not_proved() {
    // Each time the thread loses its CPU, the kernel sends it to label 4.
    let sequence = r#"
        #include <sys/rseq.h>
        volatile long aborts;
        int main(void) {
            struct rseq *own = (void *)((char *)__builtin_thread_pointer() + __rseq_offset);
            __asm__ volatile(
                ".pushsection .data.rel, \"aw\"\n.balign 32\n"
                "3: .long 0, 0\n.quad 1f, 2f - 1f, 4f\n.popsection\n"
                "5: leaq 3b(%%rip), %%rax\nmovq %%rax, %0\n"
                "1: jmp 1b\n"
                "2: ud2\n.byte 0x0f, 0xb9, 0x3d\n.long 0x53053053\n"
                "4: incq aborts(%%rip)\njmp 5b\n"
                : "=m"(own->rseq_cs) : : "rax", "memory");
        }"#;
    let alignment = r#"
        int main(void) {
            __asm__ volatile("pushfq\norq $0x40000, (%%rsp)\npopfq\n1: jmp 1b\n" : : : "memory");
        }"#;
    // Stopping it makes it lose its CPU too: it may be seen between label 4 and the loop.
    let taken_out = ["restartable sequence", "or is written by the kernel"];
    let faults = ["alignment checks enabled"];
    for (source, reasons) in [(sequence, &taken_out[..]), (alignment, &faults[..])] {
        let folder = tempfile::tempdir().expect("a folder");
        let running = start(folder.path(), source);
        for snapshot in [running.snapshot().expect("it runs"), running.core()] {
            let analysis = judge(&snapshot, 10);
            let ProcessAnswer::Unknown { reason: found } = &analysis.answer else {
                panic!("{}", ouro_report::process_text(&analysis));
            };
            assert!(reasons.iter().any(|reason| found.contains(reason)), "{found}");
        }
    }
}

/// A proof is about one snapshot, and about one thread that nobody disturbs.
#[test]
fn proofs_are_not_accepted_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "cases", &["-O0"]);
    let mut command = Command::new(&program);
    command.arg("2");
    let running = Running::start(command);
    let snapshot = running.snapshot().expect("it runs");
    let analysis = judge(&snapshot, 30);
    let ProcessAnswer::LoopsForever(proof) = &analysis.answer else {
        panic!("{:?}", analysis.answer)
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let certificate = &proof.certificate;
    check_process_certificate(&snapshot, certificate, deadline).expect("accepted");
    // Another thread runs.
    let mut disturbed = snapshot.clone();
    let other = ouro_process::ProcessThread { id: snapshot.pid + 1, ..snapshot.threads[0].clone() };
    disturbed.threads.push(other);
    let refused =
        check_process_certificate(&disturbed, certificate, deadline).expect_err("refused");
    assert!(refused.to_string().contains("no other thread interferes"), "{refused}");
    // What changes is not said to change; an invariant that does not hold; a path that is cut off.
    let mut fewer = certificate.clone();
    fewer.cells.clear();
    fewer.iterations.iter_mut().for_each(|recipe| recipe.start.clear());
    fewer.invariants.clear();
    assert!(check_process_certificate(&snapshot, &fewer, deadline).is_err());
    let mut wrong = certificate.clone();
    wrong.invariants.push("false".to_owned());
    assert!(check_process_certificate(&snapshot, &wrong, deadline).is_err());
    let mut cut = certificate.clone();
    cut.iterations[0].length -= 1;
    assert!(check_process_certificate(&snapshot, &cut, deadline).is_err());
    // Memory in which the search would succeed.
    let mut other = snapshot.clone();
    let mut memory = ouro_process::SnapshotMemory::new();
    for (start, length, bytes) in snapshot.memory.stretches() {
        let heap = snapshot.mapping_at(start).is_some_and(|m| m.name == "[heap]");
        match bytes {
            Some(bytes) if heap => memory.add(start, vec![77; bytes.len()]),
            Some(bytes) => memory.add(start, bytes.to_vec()),
            None => memory.add_zeros(start, length),
        }
    }
    other.memory = memory;
    assert!(check_process_certificate(&other, certificate, deadline).is_err());
}

/// A thread that waits for the loop itself does not disturb the proof, live and in a core.
#[test]
fn a_waiting_thread_is_harmless() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = r#"
        #include <pthread.h>
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        static volatile int stop;
        static void *spin(void *unused) { pthread_mutex_lock(&lock); while (!stop) { } return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, spin, 0); pthread_join(t, 0); }"#;
    let running = start(folder.path(), source);
    for snapshot in [running.snapshot().expect("it runs"), running.core()] {
        let analysis = judge(&snapshot, 20);
        // pthread_join waits for the kernel's word that the thread has ended: a futex that is not private.
        assert!(!matches!(analysis.answer, ProcessAnswer::Waits { .. }), "{:?}", analysis.answer);
        assert_ne!(analysis.thread, analysis.pid, "the one that spins");
    }
}

/// From a core that the kernel wrote of a running program: the upper half of a vector register decides.
#[test]
fn a_core_that_the_kernel_wrote() {
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    if pattern.starts_with('|') || pattern.contains('/') || !is_x86_feature_detected!("avx") {
        return;
    }
    let source = r#"
        #include <sys/resource.h>
        int main(void) {
            struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
            setrlimit(RLIMIT_CORE, &all);
            static const unsigned long halves[4] = {0, 0, 7, 0};
            __asm__ volatile(
                "vmovdqu %0, %%ymm7\n1: vextractf128 $1, %%ymm7, %%xmm0\nvmovq %%xmm0, %%rax\n"
                "testq %%rax, %%rax\njnz 1b" : : "m"(halves) : "rax");
        }"#;
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(build(folder.path(), source, "-O1"));
    command.current_dir(folder.path());
    let mut running = Running::start(command);
    // Not SIGQUIT: whoever runs the tests in the background has it ignored.
    let ended = Command::new("kill").args(["-ABRT", &running.pid().to_string()]).status();
    assert!(ended.expect("kill").success());
    running.0.wait().expect("an end");
    let files = std::fs::read_dir(folder.path()).expect("a folder").flatten();
    let core = files.map(|file| file.path()).find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("core"))
    });
    let Some(core) = core else { return eprintln!("no core was written: a limit forbids it") };
    let snapshot = ouro_process::from_core(&core, None).expect("a core");
    let analysis = judge(&snapshot, 20);
    assert_eq!(analysis.answer.word(), "loops forever", "{}", ouro_report::process_text(&analysis));
}

/// What lies before the counter.
const MARK: u64 = 0x0123_4567_89ab_cdef;

/// A snapshot of a program whose loop of four thousand million rounds is nearly over.
fn nearly_over(last: &str) -> ProcessSnapshot {
    let source = format!(
        r#"#include <unistd.h>
        static const long fixed = 1;
        static volatile long end = 4000000000;
        int main(void) {{
            volatile struct {{ long mark, i; }} counter = {{ {MARK}, 0 }};
            // In one instruction: no register holds a count that is still to be written.
            while (counter.i < end) __asm__ volatile("incq %0" : "+m"(counter.i));
            {last}
        }}"#
    );
    let folder = tempfile::tempdir().expect("a folder");
    let running = start(folder.path(), &source);
    let mut snapshot = running.snapshot().expect("it runs");
    // The process as it will be, a little before the end.
    let (_, registers) = snapshot.running_threads().next().expect("it runs");
    // A function that calls nothing keeps its variables below the stack pointer.
    let mark = (0..32)
        .map(|i| registers.general.rsp() - 64 + 8 * i)
        .find(|at| snapshot.memory.word(*at).is_ok_and(|word| word == MARK));
    let at = mark.expect("the counter is on the stack") + 8;
    let mut memory = ouro_process::SnapshotMemory::new();
    memory.add(at, 3_999_990_000u64.to_le_bytes().to_vec());
    for (start, length, bytes) in snapshot.memory.stretches() {
        match bytes {
            Some(bytes) => memory.add(start, bytes.to_vec()),
            None => memory.add_zeros(start, length),
        }
    }
    snapshot.memory = memory;
    snapshot
}

/// A loop that ends soon: the machine sees the end, and says where and when.
#[test]
fn an_end_that_can_be_seen() {
    let mut snapshot = nearly_over("_exit(3);");
    let analysis = judge(&snapshot, 10);
    let ProcessAnswer::WillLeave { instructions, what, .. } = &analysis.answer else {
        panic!("{}", ouro_report::process_text(&analysis));
    };
    assert!((10_000..1_000_000).contains(instructions), "{instructions}");
    assert!(what.contains("exit_group(3)"), "{what}");
    // Another thread may see to it that it does not.
    let other = ouro_process::ProcessThread { id: snapshot.pid + 1, ..snapshot.threads[0].clone() };
    snapshot.threads.push(other);
    let analysis = judge(&snapshot, 10);
    let ProcessAnswer::Unknown { reason } = &analysis.answer else {
        panic!("{}", ouro_report::process_text(&analysis));
    };
    assert!(reason.contains("on its own, this thread would leave the loop after"), "{reason}");
    assert!(reason.contains("no other thread interferes"), "{reason}");
}

/// A fault ends a process that handles none; where nobody knows, nothing is said.
#[test]
fn a_fault_that_can_be_seen() {
    let mut snapshot = nearly_over("*(volatile long *)&fixed = 2;");
    let analysis = judge(&snapshot, 10);
    let ProcessAnswer::WillLeave { what, .. } = &analysis.answer else {
        panic!("{}", ouro_report::process_text(&analysis));
    };
    assert!(what.contains("it faults"), "{what}");
    let handled = 1 << 10;
    snapshot.circumstances.caught = handled;
    assert_eq!(judge(&snapshot, 10).answer.word(), "unknown");
    // A core does not tell which handlers there are.
    snapshot.circumstances = ouro_process::ProcessCircumstances::default();
    assert_eq!(judge(&snapshot, 10).answer.word(), "unknown");
}

#[test]
fn a_saved_snapshot_gives_the_same_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "cases", &["-O0"]);
    let mut command = Command::new(&program);
    command.arg("2");
    let running = Running::start(command);
    let live = running.snapshot().expect("it runs");
    let path = folder.path().join("saved");
    ouro_process::save_snapshot(&live, &mut std::fs::File::create(&path).expect("a file"))
        .expect("written");
    let saved = ouro_process::load_snapshot(&path).expect("read");
    let analysis = judge(&saved, 60);
    let ProcessAnswer::LoopsForever(proof) = &analysis.answer else {
        panic!("{:?}", analysis.answer)
    };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    check_process_certificate(&live, &proof.certificate, deadline).expect("the same state");
}
