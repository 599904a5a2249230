//! A process that is looked at again and again computes what it would have computed alone.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ouro_process::{SnapshotOptions, ThreadState, state_of, take_snapshot};

use crate::{Running, SPIN, compile, start};

/// One thread computes a checksum, another waits in `epoll_wait` and serves a socket; any system call
/// that fails changes the exit code.
const SERVER: &str = r#"
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
static int listener, failures;
static void *serve(void *unused) {
    int poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, got;
    if (epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event)) exit(100);
    for (;;) {
        int n = epoll_wait(poll, &got, 1, -1);
        if (n < 1) { failures++; continue; }
        int c = accept(listener, 0, 0);
        if (c < 0) { failures++; continue; }
        if (write(c, "ok", 2) != 2) failures++;
        close(c);
    }
}
int main(int argc, char **argv) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t l = sizeof a;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (void *)&a, l) || listen(listener, 100)) return 100;
    getsockname(listener, (void *)&a, &l);
    pthread_t t;
    pthread_create(&t, 0, serve, 0);
    printf("%d\n", ntohs(a.sin_port)); fflush(stdout);
    unsigned long h = 1; double d = 0;
    unsigned long rounds = strtoul(argv[1], 0, 10);
    for (unsigned long i = 0; i < rounds; i++) { h = h * 6364136223846793005ul + i; d += h & 7; }
    printf("%lx %g %d\n", h, d, failures); fflush(stdout);
    // However quick the machine: it stays until nobody looks any more.
    char unused;
    if (read(0, &unused, 1) != 0) failures++;
    return failures ? 1 : 7;
}
"#;

/// Open files, signals and who traces it, as the kernel shows them.
fn circumstances(pid: i32) -> (Vec<String>, Vec<String>) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    // `SigQ` counts what all processes of the user have queued, so it is not this one's.
    let kept = ["SigPnd", "ShdPnd", "SigBlk", "SigIgn", "SigCgt", "TracerPid", "Threads", "FDSize"];
    let lines = status.lines().filter(|line| kept.iter().any(|name| line.starts_with(name)));
    let folder = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs");
    let files = folder.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
    let mut files: Vec<String> = files.map(|file| file.display().to_string()).collect();
    files.sort_unstable();
    (lines.map(str::to_owned).collect(), files)
}

/// Looks at the server so often while it computes for so many rounds.
fn run(attachments: usize, rounds: usize) -> (String, Option<i32>, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), "server", SERVER);
    let mut child = Command::new(program)
        .arg(rounds.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut port = String::new();
    output.read_line(&mut port).expect("a port");
    let mut running = Running(child);
    // Once it has served, it has opened what it needs; what it opens to serve, it closes soon.
    let serve = || {
        let mut text = String::new();
        let mut stream =
            TcpStream::connect(format!("127.0.0.1:{}", port.trim())).expect("it serves");
        stream.read_to_string(&mut text).expect("it answers");
        assert_eq!(text, "ok");
        std::thread::sleep(Duration::from_millis(50));
    };
    serve();
    let before = circumstances(running.pid());
    let mut done = 0;
    while done < attachments {
        match take_snapshot(running.pid(), SnapshotOptions::default()) {
            Ok(_) => done += 1,
            Err(error) => panic!("after {done}: {error}"),
        }
        if done % 10 == 0 {
            serve();
        }
    }
    let begin = Instant::now();
    while circumstances(running.pid()) != before && begin.elapsed() < Duration::from_secs(60) {
        std::thread::yield_now();
    }
    assert_eq!(circumstances(running.pid()), before);
    drop(running.0.stdin.take());
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("a result");
    let code = running.0.wait().expect("an exit code").code();
    (rest, code, done)
}

#[test]
fn a_checksum_and_a_socket() {
    let wanted = std::env::var("OURO_ATTACHMENTS").ok().and_then(|n| n.parse().ok());
    let wanted: usize = wanted.unwrap_or(50);
    // Long enough that most looks, if not all, find it computing.
    let rounds = 800_000_000 + wanted * 4_000_000;
    let (alone, code, _) = run(0, rounds);
    let (watched, watched_code, done) = run(wanted, rounds);
    assert_eq!((alone, code), (watched, watched_code), "after {done} attachments");
    assert_eq!(watched_code, Some(7));
}

/// A process that is stopped stays stopped.
#[test]
fn a_stopped_process_stays_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let (spin, _) = start(&compile(folder.path(), "spin", SPIN));
    let send = |signal: &str| {
        let kill = Command::new("kill").args([signal, &spin.pid().to_string()]).status();
        assert!(kill.expect("kill").success());
    };
    send("-STOP");
    while state_of(spin.pid()) != Some(ThreadState::Stopped) {
        std::thread::yield_now();
    }
    for _ in 0..5 {
        let _ = take_snapshot(spin.pid(), SnapshotOptions::default());
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(state_of(spin.pid()), Some(ThreadState::Stopped));
    }
    send("-CONT");
    let begin = Instant::now();
    while state_of(spin.pid()) != Some(ThreadState::Runs) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::yield_now();
    }
}

#[test]
fn killing_the_looker_leaves_it_running() {
    if let Ok(pid) = std::env::var("OURO_TEST_LOOK_FOREVER") {
        let pid = pid.parse().expect("a number");
        loop {
            let _ = take_snapshot(pid, SnapshotOptions::default());
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (spin, _) = start(&compile(folder.path(), "spin", SPIN));
    for round in 0..20 {
        let mut looker = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "undisturbed::killing_the_looker_leaves_it_running"])
            .env("OURO_TEST_LOOK_FOREVER", spin.pid().to_string())
            .stdout(Stdio::null())
            .spawn()
            .expect("starts");
        std::thread::sleep(Duration::from_micros(20_000 + round * 731));
        looker.kill().expect("killed");
        looker.wait().expect("gone");
        let start = Instant::now();
        while state_of(spin.pid()) != Some(ThreadState::Runs) {
            assert!(start.elapsed() < Duration::from_secs(60), "stopped in round {round}");
            std::thread::yield_now();
        }
    }
    take_snapshot(spin.pid(), SnapshotOptions::default()).expect("nobody holds it");
}
