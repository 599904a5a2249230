//! The library, as programs use it that are not `ouro`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use ouro::options::LimitOptions;
use ouro::{
    AttachOptions, CheckOptions, CheckReport, Failure, Listener, ProgressEvent, ReportVerdict,
    ScanOptions, Stage, VerifyOptions, WorkerProgram, attach, check, check_listening, scan, verify,
};

const COUNTS: &str = "int main(void) { for (int i = 0; i < 10; i++) { } return 0; }\n";
const ENDLESS: &str = "int main(void) { for (;;) { } }\n";

fn ouro() -> WorkerProgram {
    WorkerProgram::At(PathBuf::from(env!("CARGO_BIN_EXE_ouro")))
}

#[test]
fn a_check_with_its_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("counts.c");
    fs::write(&file, COUNTS).expect("written");
    let certificate = folder.path().join("certificate.json");
    let options = CheckOptions {
        certificate: Some(certificate.clone()),
        worker: ouro(),
        ..CheckOptions::new(&file)
    };
    let mut stages = Vec::new();
    let mut hear = |event: ProgressEvent<'_>| {
        if let ProgressEvent::Stage(stage) = event
            && stages.last() != Some(&stage)
        {
            stages.push(stage);
        }
    };
    let mut listener = Listener { colour: false, verbose: false, hear: &mut hear };
    let outcome = check_listening(&options, &mut listener).expect("an answer");
    assert_eq!(outcome.report.verdict, ReportVerdict::Terminates);
    assert_eq!(outcome.exit_code, 0);
    assert_eq!(outcome.report.loops.len(), 1);
    assert_eq!(stages[..3], [Stage::Read, Stage::Lower, Stage::Prove], "{stages:?}");
    assert_eq!(stages.last(), Some(&Stage::Report), "{stages:?}");
    // What it says for tools can be read again.
    let text = ouro::json(&outcome.report);
    let again: CheckReport = serde_json::from_str(&text).expect("a report");
    assert_eq!(again, outcome.report);

    let verified =
        verify(&VerifyOptions { worker: ouro(), ..VerifyOptions::new(&certificate) }).expect("one");
    assert_eq!(verified.report.verdict, ReportVerdict::Accepted);
    assert_eq!(verified.report.claim.as_deref(), Some("terminates"));
}

/// Without a second process the answer is the same.
#[test]
fn in_this_process() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, verdict) in [
        ("counts.c", COUNTS, ReportVerdict::Terminates),
        ("endless.c", ENDLESS, ReportVerdict::Loops),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("written");
        let limits = LimitOptions { timeout: Duration::from_secs(30), ..LimitOptions::default() };
        let here =
            CheckOptions { limits, worker: WorkerProgram::InProcess, ..CheckOptions::new(&file) };
        let there = CheckOptions { worker: ouro(), ..here.clone() };
        let mut here = check(&here).expect("an answer");
        let there = check(&there).expect("an answer");
        assert_eq!(here.report.verdict, verdict);
        here.report.seconds = there.report.seconds;
        here.report.attempts.clone_from(&there.report.attempts);
        for (one, other) in here.report.findings.iter_mut().zip(&there.report.findings) {
            one.seconds = other.seconds;
        }
        assert_eq!(here.report, there.report);
    }
}

#[test]
fn a_scan() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("counts.c"), COUNTS).expect("written");
    let options = ScanOptions { no_cache: true, worker: ouro(), ..ScanOptions::new(folder.path()) };
    let outcome = scan(&options).expect("an answer");
    assert_eq!(outcome.report.verdict, ReportVerdict::Terminates, "{}", outcome.text);
    assert_eq!(outcome.report.findings.findings.len(), 1);
}

#[test]
fn what_is_wrong_is_a_failure() {
    let nowhere = CheckOptions { worker: ouro(), ..CheckOptions::new("nowhere.c") };
    let failure = check(&nowhere).expect_err("there is no such file");
    assert!(matches!(&failure, Failure::BadInput(what) if what.contains("nowhere.c")), "{failure}");
    assert_eq!(failure.exit_code(), 2);
    let nobody = AttachOptions { worker: ouro(), ..AttachOptions::default() };
    assert!(matches!(attach(&nobody), Err(Failure::BadInput(_))));
    // Something else that is no worker.
    let other = WorkerProgram::At(PathBuf::from("/bin/cat"));
    let echo = CheckOptions { worker: other, ..CheckOptions::new("nowhere.c") };
    assert!(matches!(check(&echo), Err(Failure::Internal(_))));
    let inside = ScanOptions { worker: WorkerProgram::InProcess, ..ScanOptions::new(".") };
    assert!(matches!(scan(&inside), Err(Failure::BadInput(_))));
}
