//! Signals reach the process as if nobody looked: each once, and real-time ones in order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::libc;
use ouro_process::{SnapshotOptions, take_snapshot};

use crate::{compile, runs_on, start};

/// Keeps the values of real-time signals as they come, and says at the end whether they came in order.
const COLLECT: &str = r#"
#include <signal.h>
#include <stdio.h>
#define WANTED 400
static volatile int count, values[2 * WANTED];
static void collect(int number, siginfo_t *info, void *unused) {
    if (count < 2 * WANTED) values[count] = info->si_value.sival_int;
    count++;
}
int main(void) {
    struct sigaction action = {.sa_sigaction = collect, .sa_flags = SA_SIGINFO};
    sigaction(SIGRTMIN + 3, &action, 0);
    printf("ready\n"); fflush(stdout);
    while (count < WANTED) { }
    /* One that came twice would come now. */
    for (volatile long i = 0; i < 100000000; i++) { }
    if (count != WANTED) return 1;
    for (int i = 0; i < WANTED; i++) if (values[i] != i) return 2;
    return 7;
}
"#;

fn queue(pid: i32, number: i32, value: i32) {
    let value = usize::try_from(value).expect("not negative");
    let value = libc::sigval { sival_ptr: std::ptr::without_provenance_mut(value) };
    // SAFETY: the value is a number, which the receiver takes for one.
    while unsafe { libc::sigqueue(pid, number, value) } != 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn real_time_signals_come_once_and_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut running, _) = start(&compile(folder.path(), "collect", COLLECT));
    let pid = running.pid();
    let number = libc::SIGRTMIN() + 3;
    let done = AtomicBool::new(false);
    let looked = std::thread::scope(|scope| {
        scope.spawn(|| {
            for value in 0..400 {
                queue(pid, number, value);
                // Some together, so that they wait in a queue.
                if value % 5 == 0 {
                    std::thread::sleep(Duration::from_micros(500));
                }
            }
            done.store(true, Ordering::Relaxed);
        });
        let mut looked = 0;
        while !done.load(Ordering::Relaxed) {
            looked += u32::from(take_snapshot(pid, SnapshotOptions::default()).is_ok());
        }
        looked
    });
    assert!(looked > 0);
    let begin = Instant::now();
    let code = loop {
        if let Some(status) = running.0.try_wait().expect("a child") {
            break status.code();
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "signals are missing");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(code, Some(7), "after {looked} looks: 1 if too many came, 2 if not in order");
}

/// Real-time signals come so often that a thread mostly stops for one of them when it is looked at.
#[test]
fn a_flood_of_real_time_signals() {
    const FLOOD: &str = r#"
        #include <signal.h>
        #include <stdio.h>
        #include <time.h>
        static void ignore(int number) { }
        int main(void) {
            struct sigaction action = {.sa_handler = ignore};
            sigaction(SIGRTMIN + 3, &action, 0);
            struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
            timer_t timer; timer_create(CLOCK_MONOTONIC, &event, &timer);
            printf("ready\n"); fflush(stdout);
            struct itimerspec often = {{0, 20000}, {0, 20000}};
            timer_settime(timer, 0, &often, 0);
            for (;;) { }
        }"#;
    let folder = tempfile::tempdir().expect("a folder");
    let (running, _) = start(&compile(folder.path(), "flood", FLOOD));
    for look in 0..500 {
        if let Err(error) = take_snapshot(running.pid(), SnapshotOptions::default()) {
            panic!("look {look}: {error}");
        }
    }
    runs_on(&running);
}

/// A signal that waits is seen, unless it is blocked.
#[test]
fn waiting_signals_are_seen() {
    // Stopped, a process takes no signals.
    const WAIT: &str = r#"
        #include <signal.h>
        #include <stdio.h>
        int main(void) {
            sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1);
            sigprocmask(SIG_BLOCK, &set, 0);
            printf("ready\n"); fflush(stdout);
            for (;;) { }
        }"#;
    let folder = tempfile::tempdir().expect("a folder");
    let (running, _) = start(&compile(folder.path(), "wait", WAIT));
    let send = |number: i32| {
        // SAFETY: a signal to a child of ours.
        assert_eq!(unsafe { libc::kill(running.pid(), number) }, 0);
    };
    let pending = || {
        take_snapshot(running.pid(), SnapshotOptions::default())
            .expect("it runs")
            .circumstances
            .pending
    };
    send(libc::SIGUSR1);
    assert_eq!(pending(), 0, "it is blocked");
    send(libc::SIGSTOP);
    while ouro_process::state_of(running.pid()) != Some(ouro_process::ThreadState::Stopped) {
        std::thread::yield_now();
    }
    send(libc::SIGUSR2);
    assert_eq!(pending(), 1 << (libc::SIGUSR2 - 1));
}
