//! Processes that wait, talk, or share: neither proved nor mistaken. And proofs elsewhere, from a saved
//! snapshot.

use std::process::{Command, Stdio};

use ouro_attach::{Answer, check};

use crate::{Running, compile, judge};

#[test]
fn sleepers_wait() {
    let mut sleep = Command::new("sleep");
    sleep.arg("1000");
    let sleep = Running::start(sleep);
    for snapshot in [sleep.snapshot().expect("it runs"), sleep.core()] {
        let analysis = judge(&snapshot, 10);
        let Answer::Waits { call } = &analysis.answer else { panic!("{:?}", analysis.answer) };
        assert_eq!(call, "clock_nanosleep");
    }
    // A pipe that nobody writes.
    let child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
    let cat = Running(child.expect("cat"));
    std::thread::sleep(std::time::Duration::from_millis(200));
    let analysis = judge(&cat.snapshot().expect("it runs"), 10);
    let Answer::Waits { call } = &analysis.answer else { panic!("{:?}", analysis.answer) };
    assert!(call.starts_with("read(file 0 = pipe:"), "{call}");
    let analysis = judge(&cat.core(), 10);
    let Answer::Waits { call } = &analysis.answer else { panic!("{:?}", analysis.answer) };
    assert!(call.starts_with("read(file 0"), "{call}");
}

#[test]
fn yes_talks() {
    let yes = Running::start(Command::new("yes"));
    let analysis = judge(&yes.snapshot().expect("it runs"), 10);
    let Answer::TalksToTheOutside { call, .. } = &analysis.answer else {
        panic!("{}", ouro_attach::text(&analysis));
    };
    assert!(call.starts_with("write(file 1 = /dev/null"), "{call}");
    let analysis = judge(&yes.core(), 10);
    assert_eq!(analysis.answer.word(), "talks to the outside");
}

/// A program of its own, for one answer.
fn start(folder: &std::path::Path, source: &str) -> Running {
    std::fs::write(folder.join("own.c"), source).expect("written");
    let program = folder.join("own");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-g", "-pthread", "-w", "-Wl,-z,now", "-o"])
        .arg(&program)
        .arg(folder.join("own.c"));
    assert!(gcc.status().expect("gcc").success());
    Running::start(Command::new(program))
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
    for (source, reason) in [
        (reader, "that other processes may write"),
        (clock, "it reads the clock"),
        (thread, "no other thread interferes"),
        (timer, "no timer interrupts it"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let running = start(folder.path(), source);
        let analysis = judge(&running.snapshot().expect("it runs"), 10);
        let Answer::NotProven { reason: found } = &analysis.answer else {
            panic!("{}", ouro_attach::text(&analysis));
        };
        assert!(found.contains(reason), "{found}");
        // A core knows less, and must not claim more; of timers it knows nothing, and says so.
        let analysis = judge(&running.core(), 10);
        match &analysis.answer {
            Answer::LoopsForever(_) => {
                assert_eq!(source, timer, "{}", ouro_attach::text(&analysis));
                let assumed =
                    |p: &ouro_attach::Premise| p.what.contains("timer") && p.holds.is_none();
                assert!(analysis.premises.iter().any(assumed));
            }
            answer => assert_eq!(answer.word(), "not proven", "{}", ouro_attach::text(&analysis)),
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
    let Answer::LoopsForever(proof) = &analysis.answer else { panic!("{:?}", analysis.answer) };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let certificate = &proof.certificate;
    check(&snapshot, certificate, deadline).expect("accepted");
    // Another thread runs.
    let mut disturbed = snapshot.clone();
    let other = ouro_process::Thread { id: snapshot.pid + 1, ..snapshot.threads[0].clone() };
    disturbed.threads.push(other);
    let refused = check(&disturbed, certificate, deadline).expect_err("refused");
    assert!(refused.to_string().contains("no other thread interferes"), "{refused}");
    // What changes is not said to change; an invariant that does not hold; a path that is cut off.
    let mut fewer = certificate.clone();
    fewer.cells.clear();
    fewer.iterations.iter_mut().for_each(|recipe| recipe.start.clear());
    fewer.invariants.clear();
    assert!(check(&snapshot, &fewer, deadline).is_err());
    let mut wrong = certificate.clone();
    wrong.invariants.push("false".to_owned());
    assert!(check(&snapshot, &wrong, deadline).is_err());
    let mut cut = certificate.clone();
    cut.iterations[0].length -= 1;
    assert!(check(&snapshot, &cut, deadline).is_err());
    // Memory in which the search would succeed.
    let mut other = snapshot.clone();
    let mut memory = ouro_process::Memory::new();
    for (start, length, bytes) in snapshot.memory.stretches() {
        let heap = snapshot.mapping(start).is_some_and(|m| m.name == "[heap]");
        match bytes {
            Some(bytes) if heap => memory.add(start, vec![77; bytes.len()]),
            Some(bytes) => memory.add(start, bytes.to_vec()),
            None => memory.add_zeros(start, length),
        }
    }
    other.memory = memory;
    assert!(check(&other, certificate, deadline).is_err());
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
        assert!(!matches!(analysis.answer, Answer::Waits { .. }), "{:?}", analysis.answer);
        assert_ne!(analysis.thread, analysis.pid, "the one that spins");
    }
}

/// A loop that ends soon: the machine sees the end, and says where and when.
#[test]
fn an_end_that_can_be_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = r#"
        #include <unistd.h>
        int main(void) { for (volatile long i = 0; i < 4000000000; i++) { } _exit(3); }"#;
    let running = start(folder.path(), source);
    let analysis = judge(&running.snapshot().expect("it runs"), 10);
    assert!(!matches!(analysis.answer, Answer::LoopsForever(_)), "{:?}", analysis.answer);
    let soon = source.replace("4000000000", "volatile_bound()").replace(
        "int main",
        "static volatile long end = 4000000000; static long volatile_bound(void) { return end; }\nint main",
    );
    let folder = tempfile::tempdir().expect("a folder");
    let running = start(folder.path(), &soon);
    let mut snapshot = running.snapshot().expect("it runs");
    // The process as it will be, a little before the end.
    let (_, registers) = snapshot.running().next().expect("it runs");
    let at = (0..32).map(|i| registers.general.rsp() + 8 * i).find(|at| {
        snapshot.memory.word(*at).is_ok_and(|word| (1_000_000..4_000_000_000).contains(&word))
    });
    let at = at.expect("the counter is on the stack");
    let mut memory = ouro_process::Memory::new();
    memory.add(at, 3_999_990_000u64.to_le_bytes().to_vec());
    for (start, length, bytes) in snapshot.memory.stretches() {
        match bytes {
            Some(bytes) => memory.add(start, bytes.to_vec()),
            None => memory.add_zeros(start, length),
        }
    }
    snapshot.memory = memory;
    let analysis = judge(&snapshot, 10);
    let Answer::WillLeave { instructions, what, .. } = &analysis.answer else {
        panic!("{}", ouro_attach::text(&analysis));
    };
    assert!((10_000..1_000_000).contains(instructions), "{instructions}");
    assert!(what.contains("exit_group(3)"), "{what}");
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
    ouro_process::save(&live, &mut std::fs::File::create(&path).expect("a file")).expect("written");
    let saved = ouro_process::load(&path).expect("read");
    let analysis = judge(&saved, 60);
    let Answer::LoopsForever(proof) = &analysis.answer else { panic!("{:?}", analysis.answer) };
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    check(&live, &proof.certificate, deadline).expect("the same state");
}
