//! Real processes, looked at: what is seen is true, and they notice nothing.

mod bad_input;
mod cores;
mod signals;
mod undisturbed;
mod views;
mod writers;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A child that is ended when the test is over.
struct Running(Child);

impl Running {
    fn pid(&self) -> i32 {
        i32::try_from(self.0.id()).expect("a small number")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sees a process run, soon: it may be waiting for a page just now.
fn runs_on(running: &Running) {
    let begin = std::time::Instant::now();
    while ouro_process::state_of(running.pid()) != Some(ouro_process::ThreadState::Runs) {
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not run on");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Compiles a C program.
fn compile(folder: &Path, name: &str, source: &str) -> PathBuf {
    let file = folder.join(format!("{name}.c"));
    fs::write(&file, source).expect("a file");
    let program = folder.join(name);
    let status = Command::new("gcc")
        .args(["-O1", "-g", "-pthread", "-o"])
        .args([&program, &file])
        .status()
        .expect("gcc");
    assert!(status.success());
    program
}

/// Starts a program and waits for its first line.
fn start(program: &Path) -> (Running, String) {
    let mut child =
        Command::new(program).stdout(Stdio::piped()).stdin(Stdio::null()).spawn().expect("starts");
    let mut line = String::new();
    let output = child.stdout.as_mut().expect("piped");
    BufReader::new(output).read_line(&mut line).expect("a line");
    // It has printed; now it has to come to its loop.
    std::thread::sleep(Duration::from_millis(100));
    (Running(child), line.trim().to_owned())
}

/// Says where its variables are, then turns forever.
const SPIN: &str = r#"
#include <stdio.h>
volatile unsigned long marker = 0x1122334455667788;
int main(void) {
    printf("%lx\n", (unsigned long)&marker); fflush(stdout);
    register unsigned long a __asm__("r12") = 0xabcdef;
    double d = 1.5;
    for (;;) __asm__ volatile("" : "+r"(a), "+x"(d));
}
"#;
