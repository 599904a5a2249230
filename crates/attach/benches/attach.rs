//! Instructions a second of the machine, on numbers and on terms, and the time from attach to verdict,
//! for five workloads. `cargo bench -p ouro-attach`.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ouro_attach::{AnalysisOptions, analyse_snapshot, measure_speed};

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() {
    let workloads: [(&str, &[&str]); 5] = [
        ("/usr/bin/python3", &["-c", "while True: pass"]),
        ("/usr/bin/python3", &["-c", "i = 0\nwhile True: i = (i + 1) % 1000"]),
        ("/usr/bin/perl", &["-e", "while (1) {}"]),
        ("/usr/bin/gawk", &["BEGIN { while (1) {} }"]),
        ("/usr/bin/sha256sum", &["/dev/zero"]),
    ];
    println!("stopped ms  verdict s  numbers M/s  terms M/s  verdict");
    for (program, arguments) in workloads {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        let Ok(child) = command.spawn() else { continue };
        let running = Running(child);
        std::thread::sleep(Duration::from_millis(500));
        let pid = i32::try_from(running.0.id()).expect("a small number");
        let start = Instant::now();
        let Ok(snapshot) =
            ouro_process::take_snapshot(pid, ouro_process::SnapshotOptions::default())
        else {
            continue;
        };
        let analysis = analyse_snapshot(&snapshot, AnalysisOptions::default(), &mut |_| {});
        let verdict = start.elapsed().as_secs_f64();
        let (numbers, terms) = measure_speed(&snapshot);
        println!(
            "{:>10.1} {verdict:>10.2} {:>12.2} {:>10.2}  {}: {program} {}",
            snapshot.stopped.as_secs_f64() * 1e3,
            numbers / 1e6,
            terms / 1e6,
            analysis.answer.word(),
            arguments.join(" ").replace('\n', "; ")
        );
    }
}
