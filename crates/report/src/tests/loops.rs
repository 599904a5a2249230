//! What is said about each loop.

use expect_test::{Expect, expect};
use ouro_evidence::{
    HoleCell, ProgramRanking, RankedHead, RankingLevel, SnapshotRelation, StateHole,
    TransitionInvariant, UnknownReason,
};

use super::*;
use crate::loops::judge_loops;

/// What is said about the loops in lines 3 and 5.
fn check_loops(verdict: &Verdict, explanation: &Explanation, expected: &Expect) {
    let places = [sample_place(3, "search"), sample_place(5, "search")];
    let lines: Vec<String> = judge_loops(&places, None, verdict, explanation)
        .into_iter()
        .map(|one| format!("{} {}: {}\n", one.place.line, one.fate.word(), one.reason))
        .collect();
    expected.assert_eq(&lines.concat());
}

fn ranked_head(line: u32, ranking: &[&str]) -> RankedHead {
    let hole = |symbol: &str| StateHole {
        symbol: symbol.to_owned(),
        sort: "Int".to_owned(),
        name: symbol.to_owned(),
        unsigned: false,
        cell: HoleCell::Variable { call: 0, variable: 0 },
    };
    RankedHead {
        place: sample_place(line, "search"),
        function: "search".to_owned(),
        position: 7,
        calls: None,
        holes: vec![hole("n"), hole("i")],
        shape: String::new(),
        open: Vec::new(),
        invariant: "true".to_owned(),
        ranking: ranking.iter().map(|text| RankingLevel::from(*text)).collect(),
    }
}

fn ranked_verdict(heads: Vec<RankedHead>) -> Verdict {
    Verdict::from_evidence(
        ProgramQuestion::Termination,
        Evidence::RankedProgram(ProgramRanking { heads, ..ProgramRanking::default() }),
    )
}

#[test]
fn rankings() {
    let none = Explanation::default();
    let left = "(+ n (* (- 1) i))";
    // The order of the parts is the same in every iteration, and goes without saying.
    let verdict =
        ranked_verdict(vec![ranked_head(3, &["1", left, left]), ranked_head(5, &["0", "i", "n"])]);
    check_loops(
        &verdict,
        &none,
        &expect![[r#"
            3 terminates: n - i gets smaller with every iteration
            5 terminates: (i, n) gets smaller with every iteration
        "#]],
    );
    // Two ways to come to one loop, and a loop that is never turned in.
    let twice = ranked_verdict(vec![ranked_head(3, &[left]), ranked_head(3, &["n"])]);
    check_loops(
        &twice,
        &none,
        &expect![[r#"
            3 terminates: n - i or n gets smaller with every iteration
            5 terminates: every run terminates, and this loop needs no ranking function of its own
        "#]],
    );
    let judged = judge_loops(&[sample_place(3, "search")], None, &twice, &none);
    assert_eq!(judged[0].rankings, [["n - i"], ["n"]]);
}

#[test]
fn snapshots() {
    let relation = |place| SnapshotRelation { place, formula: "true".to_owned() };
    let snapshot = TransitionInvariant {
        place: 1,
        measures: vec!["i".to_owned(), "(+ n i)".to_owned()],
        relations: vec![relation(1)],
    };
    let verdict = |snapshot: TransitionInvariant| {
        let heads = vec![ranked_head(3, &["1", "n"]), ranked_head(5, &["0", "i"])];
        let snapshots = vec![snapshot];
        Verdict::from_evidence(
            ProgramQuestion::Termination,
            Evidence::RankedProgram(ProgramRanking {
                heads,
                snapshots,
                ..ProgramRanking::default()
            }),
        )
    };
    // What is about one loop leaves the other as it is.
    check_loops(
        &verdict(snapshot.clone()),
        &Explanation::default(),
        &expect![[r#"
            3 terminates: n gets smaller with every iteration
            5 terminates: i or n + i gets smaller between any two iterations
        "#]],
    );
    // An iteration of the other loop, too, may leave its ranking as it is.
    check_loops(
        &verdict(TransitionInvariant { relations: vec![relation(0), relation(1)], ..snapshot }),
        &Explanation::default(),
        &expect![[r#"
            3 terminates: i or n + i gets smaller between any two visits to search.c:5 in search
            5 terminates: i or n + i gets smaller between any two iterations
        "#]],
    );
}

#[test]
fn followed_to_the_end() {
    let (verdict, mut explanation) = terminating_verdict();
    explanation.loops[1].place = sample_place(5, "search");
    check_loops(
        &verdict,
        &explanation,
        &expect![[r#"
            3 terminates: at most 32 iterations on every path
            5 terminates: never reached
        "#]],
    );
}

#[test]
fn endless() {
    let mut explanation = sample_explanation();
    explanation.cycle.clear();
    check_loops(
        &looping_verdict(),
        &explanation,
        &expect![[r#"
            3 loops: some run stays in it forever
            5 unknown: the endless run is elsewhere
        "#]],
    );
    explanation.cycle.push(sample_place(5, "search"));
    check_loops(
        &looping_verdict(),
        &explanation,
        &expect![[r#"
            3 loops: some run stays in it forever
            5 unknown: the endless run passes through it again and again
        "#]],
    );
    // It is no loop that never ends there.
    let recursion = StateRecurrence { recursion: true, ..sample_recurrence() };
    check_loops(
        &Verdict::from_evidence(ProgramQuestion::Termination, Evidence::Recurs(recursion)),
        &Explanation::default(),
        &expect![[r#"
            3 unknown: the endless run is elsewhere
            5 unknown: the endless run is elsewhere
        "#]],
    );
}

#[test]
fn unknown() {
    check_loops(
        &Verdict::Unknown(UnknownReason::SignedOverflow { place: sample_place(3, "search") }),
        &Explanation::default(),
        &expect![[r#"
            3 unknown: only a signed overflow ends it, which is undefined behaviour
            5 unknown: the whole program could not be proved: only a signed overflow ends it, which is undefined behaviour (search.c:3 in search)
        "#]],
    );
}
