//! What is said about each loop.

use expect_test::{Expect, expect};
use ouro_evidence::{
    Hole, HoleCell, Level, ProgramRanking, RankedHead, Reason, Relation, Snapshot,
};

use super::*;
use crate::loops::judged;

/// What is said about the loops in lines 3 and 5.
fn check(verdict: &Verdict, explanation: &Explanation, expected: &Expect) {
    let places = [place(3, "search"), place(5, "search")];
    let lines: Vec<String> = judged(&places, None, verdict, explanation)
        .into_iter()
        .map(|one| format!("{} {}: {}\n", one.place.line, one.fate.word(), one.reason))
        .collect();
    expected.assert_eq(&lines.concat());
}

fn ranked_head(line: u32, ranking: &[&str]) -> RankedHead {
    let hole = |symbol: &str| Hole {
        symbol: symbol.to_owned(),
        sort: "Int".to_owned(),
        name: symbol.to_owned(),
        unsigned: false,
        cell: HoleCell::Variable { call: 0, variable: 0 },
    };
    RankedHead {
        place: place(line, "search"),
        function: "search".to_owned(),
        position: 7,
        calls: None,
        holes: vec![hole("n"), hole("i")],
        shape: String::new(),
        open: Vec::new(),
        invariant: "true".to_owned(),
        ranking: ranking.iter().map(|text| Level::from(*text)).collect(),
    }
}

fn ranked(heads: Vec<RankedHead>) -> Verdict {
    Verdict::of(
        Question::Termination,
        Evidence::RankedProgram(ProgramRanking { heads, ..ProgramRanking::default() }),
    )
}

#[test]
fn rankings() {
    let none = Explanation::default();
    let left = "(+ n (* (- 1) i))";
    // The order of the parts is the same in every turn, and goes without saying.
    let verdict =
        ranked(vec![ranked_head(3, &["1", left, left]), ranked_head(5, &["0", "i", "n"])]);
    check(
        &verdict,
        &none,
        &expect![[r#"
            3 terminates: n - i gets smaller with every turn
            5 terminates: (i, n) gets smaller with every turn
        "#]],
    );
    // Two ways to come to one loop, and a loop that is never turned in.
    let twice = ranked(vec![ranked_head(3, &[left]), ranked_head(3, &["n"])]);
    check(
        &twice,
        &none,
        &expect![[r#"
            3 terminates: n - i or n gets smaller with every turn
            5 terminates: every run ends, and it needs no ranking of its own
        "#]],
    );
    let judged = judged(&[place(3, "search")], None, &twice, &none);
    assert_eq!(judged[0].rankings, [["n - i"], ["n"]]);
}

#[test]
fn snapshots() {
    let relation = |place| Relation { place, formula: "true".to_owned() };
    let snapshot = Snapshot {
        place: 1,
        measures: vec!["i".to_owned(), "(+ n i)".to_owned()],
        relations: vec![relation(1)],
    };
    let verdict = |snapshot: Snapshot| {
        let heads = vec![ranked_head(3, &["1", "n"]), ranked_head(5, &["0", "i"])];
        let snapshots = vec![snapshot];
        Verdict::of(
            Question::Termination,
            Evidence::RankedProgram(ProgramRanking {
                heads,
                snapshots,
                ..ProgramRanking::default()
            }),
        )
    };
    // What is about one loop leaves the other as it is.
    check(
        &verdict(snapshot.clone()),
        &Explanation::default(),
        &expect![[r#"
            3 terminates: n gets smaller with every turn
            5 terminates: i or n + i gets smaller between any two turns
        "#]],
    );
    // A turn of the other loop, too, may leave its ranking as it is.
    check(
        &verdict(Snapshot { relations: vec![relation(0), relation(1)], ..snapshot }),
        &Explanation::default(),
        &expect![[r#"
            3 terminates: i or n + i gets smaller between any two times at search.c:5 in search
            5 terminates: i or n + i gets smaller between any two turns
        "#]],
    );
}

#[test]
fn followed_to_the_end() {
    let (verdict, mut explanation) = terminates();
    explanation.loops[1].place = place(5, "search");
    check(
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
    let mut explanation = explanation();
    explanation.cycle.clear();
    check(
        &loops(),
        &explanation,
        &expect![[r#"
            3 loops: some run comes back to it forever
            5 open: the run that never ends is elsewhere
        "#]],
    );
    explanation.cycle.push(place(5, "search"));
    check(
        &loops(),
        &explanation,
        &expect![[r#"
            3 loops: some run comes back to it forever
            5 open: the run that never ends passes it again and again
        "#]],
    );
    // It is no loop that never ends there.
    let recursion = Recurrence { recursion: true, ..recurrence() };
    check(
        &Verdict::of(Question::Termination, Evidence::Recurs(recursion)),
        &Explanation::default(),
        &expect![[r#"
            3 open: the run that never ends is elsewhere
            5 open: the run that never ends is elsewhere
        "#]],
    );
}

#[test]
fn unknown() {
    check(
        &Verdict::Unknown(Reason::SignedOverflow { place: place(3, "search") }),
        &Explanation::default(),
        &expect![[r#"
            3 open: runs until signed overflow, which is undefined behaviour
            5 open: no proof for the whole program: runs until signed overflow, which is undefined behaviour (search.c:3 in search)
        "#]],
    );
}
