//! Findings from hand-made answers.

use ouro_evidence::UnknownReason;

use super::*;
use crate::finding::{EvidenceStatus, FindingAnswer, FindingKind, findings_of_report};

#[test]
fn the_loop_that_never_ends_has_the_run() {
    let all = with_report(&looping_verdict(), &sample_explanation(), |report| {
        findings_of_report(report, Some("c.json"))
    });
    let [finding] = all.as_slice() else { panic!("one finding: {all:?}") };
    assert_eq!((finding.file.as_str(), finding.line, finding.column), ("search.c", 3, 3));
    assert_eq!((finding.kind, finding.verdict), (FindingKind::Loop, FindingAnswer::Loops));
    assert_eq!(
        finding.argument.as_deref(),
        Some("lo = 1, hi = 4294967295 come back unchanged in every iteration")
    );
    let inputs: Vec<String> = finding
        .inputs
        .iter()
        .map(|one| format!("{} {} {}", one.name, one.value, one.again))
        .collect();
    assert_eq!(inputs[0], "__VERIFIER_nondet_uint() 4294967295 false");
    assert_eq!(inputs[2], "malloc() succeeds false");
    assert_eq!(inputs[6], "getchar() 97 ('a') true");
    assert_eq!(finding.stem.len(), 6);
    let cycle: Vec<(u32, &str)> =
        finding.cycle.iter().map(|place| (place.line, place.text.as_str())).collect();
    assert_eq!(cycle[1], (4, "unsigned mid = (lo + hi) / 2;"));
    assert_eq!(finding.certificate.status, EvidenceStatus::Accepted);
    assert_eq!(finding.certificate.file.as_deref(), Some("c.json"));
    assert_eq!(finding.assumed.len(), 1);
}

#[test]
fn every_loop_of_a_program_that_ends_is_a_finding() {
    let (verdict, explanation) = terminating_verdict();
    let all = with_report(&verdict, &explanation, |report| findings_of_report(report, None));
    let found: Vec<_> =
        all.iter().map(|one| (one.line, one.verdict, one.argument.as_deref())).collect();
    assert_eq!(
        found,
        [
            (3, FindingAnswer::Terminates, Some("at most 32 iterations on every path")),
            (120, FindingAnswer::Terminates, Some("never reached")),
        ]
    );
    assert_ne!(all[0].fingerprint, all[1].fingerprint);
}

#[test]
fn what_is_unknown_has_no_certificate() {
    let verdict = Verdict::Unknown(UnknownReason::Time { limit: Duration::from_secs(5) });
    let nothing = Explanation::default();
    let all = with_report(&verdict, &nothing, |report| findings_of_report(report, Some("c.json")));
    let [finding] = all.as_slice() else { panic!("one finding: {all:?}") };
    assert_eq!((finding.kind, finding.verdict), (FindingKind::Program, FindingAnswer::Unknown));
    assert_eq!(finding.reason.as_deref(), Some("the time limit of 5 s was reached"));
    assert_eq!(finding.certificate.status, EvidenceStatus::None);
    assert_eq!(finding.certificate.file, None);
}

#[test]
fn a_recursion_is_no_loop() {
    let run = StateRecurrence { recursion: true, ..sample_recurrence() };
    let verdict = Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Recurs(run));
    let all =
        with_report(&verdict, &sample_explanation(), |report| findings_of_report(report, None));
    assert_eq!((all[0].kind, all[0].verdict), (FindingKind::Recursion, FindingAnswer::Loops));
}
