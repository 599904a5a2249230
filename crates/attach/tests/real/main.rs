//! Real processes, started for real. Every proof is checked a second time, by a checker that lifts
//! everything afresh, and once more from the saved snapshot.

mod ending;
mod hostile;
mod looping;
mod others;
mod scripts;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ouro_attach::{AnalysisOptions, ProcessAnalysis, analyse_snapshot, check_process_certificate};
use ouro_process::ProcessSnapshot;

/// A child that is ended when the test is over.
pub(crate) struct Running(Child);

impl Running {
    /// Starts a program and gives it time to come to its loop, or to fall asleep.
    pub(crate) fn start(mut command: Command) -> Running {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running(command.spawn().expect("starts"));
        let begin = Instant::now();
        // On a loaded machine it may take long until it has had that much.
        while running.ran() < Duration::from_millis(60)
            && (begin.elapsed() < Duration::from_millis(400) || running.wants_more())
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        running
    }

    /// How long it has had a CPU.
    fn ran(&self) -> Duration {
        let times = std::fs::read_to_string(format!("/proc/{}/schedstat", self.pid()));
        let first = times.ok().and_then(|times| times.split(' ').next()?.parse().ok());
        Duration::from_nanos(first.unwrap_or(0))
    }

    /// Whether it is neither asleep nor over.
    fn wants_more(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", self.pid()));
        let state = status.ok().and_then(|text| text.rsplit_once(") ")?.1.chars().next());
        matches!(state, Some('R' | 'D'))
    }

    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.0.id()).expect("a small number")
    }

    /// A snapshot by way of a core file, as gdb writes them.
    pub(crate) fn core(&self) -> ProcessSnapshot {
        let folder = tempfile::tempdir().expect("a folder");
        let stem = folder.path().join("core");
        let made = Command::new("gcore")
            .arg("-o")
            .arg(&stem)
            .arg(self.pid().to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let made = made.expect("gcore is missing: ./scripts/setup.sh installs gdb");
        assert!(made.success());
        let path = format!("{}.{}", stem.display(), self.pid());
        ouro_process::from_core(path.as_ref(), None).expect("a core")
    }

    /// A snapshot; `None` if the program has ended.
    pub(crate) fn snapshot(&self) -> Option<ProcessSnapshot> {
        ouro_process::take_snapshot(self.pid(), ouro_process::SnapshotOptions::default()).ok()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program of `tests/programs`, compiled.
pub(crate) fn compile(folder: &Path, name: &str, options: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/programs/{name}.c"));
    let program = folder.join(format!("{name}{}", options.concat()));
    let mut gcc = Command::new("gcc");
    gcc.args(options).args(["-g", "-fno-builtin", "-w", "-o"]).arg(&program).arg(source);
    assert!(gcc.status().expect("gcc").success());
    program
}

/// The analysis of a snapshot, its proof checked again.
pub(crate) fn judge(snapshot: &ProcessSnapshot, seconds: u64) -> ProcessAnalysis {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let options = AnalysisOptions { deadline, ..AnalysisOptions::default() };
    let analysis = analyse_snapshot(snapshot, options, &mut |_| {});
    if let Some(proof) = analysis.answer.proof() {
        let deadline = Instant::now() + Duration::from_secs(300);
        let accepted =
            check_process_certificate(snapshot, &proof.certificate, deadline).expect("accepted");
        assert_eq!(accepted.word(), analysis.answer.word());
        // A proof with something taken away is no proof.
        let mut broken = proof.certificate.clone();
        broken.iterations.clear();
        assert!(check_process_certificate(snapshot, &broken, deadline).is_err());
        let mut broken = proof.certificate.clone();
        // One instruction more may lead to the head again; another head is wrong for sure.
        broken.head += 1;
        assert!(check_process_certificate(snapshot, &broken, deadline).is_err());
    }
    analysis
}

/// A program of its own, for one answer, compiled at this level.
pub(crate) fn build(folder: &Path, source: &str, level: &str) -> PathBuf {
    build_with(folder, source, &[level])
}

pub(crate) fn build_with(folder: &Path, source: &str, options: &[&str]) -> PathBuf {
    std::fs::write(folder.join("own.c"), source).expect("written");
    let program = folder.join("own");
    let mut gcc = Command::new("gcc");
    gcc.args(options)
        .args(["-g", "-pthread", "-w", "-fno-builtin", "-Wl,-z,now", "-o"])
        .arg(&program)
        .arg(folder.join("own.c"));
    assert!(gcc.status().expect("gcc").success());
    program
}

/// A program of the system: not one in the path, which may be a wrapper that starts another.
pub(crate) fn find(program: &str) -> PathBuf {
    let found = Path::new("/usr/bin").join(program);
    assert!(found.is_file(), "{} is missing: ./scripts/setup.sh installs it", found.display());
    found
}
