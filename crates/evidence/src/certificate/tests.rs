//! Certificates survive the way to a file and back; anything else is refused in plain words.

use expect_test::{Expect, expect};
use ouro_model::ChoiceSource;

use super::*;
use crate::{
    ClosedSet, ClosedSetHead, HoleCell, MoveStep, ObligationViolation, PathExhaustion,
    ProgramRanking, RankedHead, RankedLocation, RankingLevel, RecurrentLocation, RecurrentMove,
    RecurrentSet, RunInput, SnapshotRelation, SourcePlace, StateHole, StateRecurrence, StemStep,
    SystemRanking, TransitionInvariant,
};

fn sample_place(line: u32) -> SourcePlace {
    SourcePlace { file: "search.c".to_owned(), line, function: "main".to_owned() }
}

fn sample_identity() -> CertificateSubject {
    CertificateSubject::Program(ProgramIdentity {
        files: vec![SourceFile { path: "search.c".to_owned(), sha256: sha256_hex(b"int main;") }],
        function: "main".to_owned(),
        data_model: DataModel::Lp64,
        ints: IntegerSemantics::C,
        externs: Externs::Choice,
        allocations: Allocations::Succeed,
        input: InputExtent::Any,
        clang_args: vec!["-DN=3".to_owned()],
        specification: None,
    })
}

/// The same program, asked about a specification.
fn sample_specified_identity() -> CertificateSubject {
    let CertificateSubject::Program(identity) = sample_identity() else {
        unreachable!("it is a program")
    };
    let file = SourceFile { path: "lock.slic".to_owned(), sha256: sha256_hex(b"state {}") };
    let specification = Some(Specification::Slic { file, obligation: "lock".to_owned() });
    CertificateSubject::Program(ProgramIdentity { specification, ..identity })
}

#[test]
fn a_verdict_answers_the_question_that_was_asked() {
    let good = sample_exhaustion();
    let bad = Certificate { subject: sample_specified_identity(), ..good.clone() };
    check_refused(
        &bad.to_json(),
        &expect!["its verdict is 'terminates', but it is about a specification"],
    );
    let bad = Certificate { verdict: Claim::Holds, ..good.clone() };
    check_refused(
        &bad.to_json(),
        &expect!["its verdict is 'holds', but it names no specification"],
    );
    let good = Certificate { subject: sample_specified_identity(), verdict: Claim::Holds, ..good };
    assert_eq!(Certificate::from_json(&good.to_json()).as_ref(), Ok(&good));
}

fn sample_recurrence() -> Certificate {
    let input =
        |bits, width, source, line| RunInput { bits, width, source, place: sample_place(line) };
    Certificate::new(
        sample_identity(),
        ProgramQuestion::Termination,
        Evidence::Recurs(StateRecurrence {
            inputs: vec![
                input(0xffff_ffff, 32, ChoiceSource::Function("getchar".to_owned()), 3),
                input(u128::MAX, 128, ChoiceSource::Other("argc".to_owned()), 4),
            ],
            first_step: 10,
            second_step: 20,
            cycle_inputs: 1,
            place: sample_place(7),
            recursion: false,
        }),
    )
}

fn sample_exhaustion() -> Certificate {
    Certificate::new(
        sample_identity(),
        ProgramQuestion::Termination,
        Evidence::Exhausted(PathExhaustion {
            states: 3,
            forks: 2,
            steps: 100,
            undefined: vec![(sample_place(9), "division by zero".to_owned())],
        }),
    )
}

fn sample_recurrent_set() -> Certificate {
    let system = SourceFile { path: "walk.koat".to_owned(), sha256: sha256_hex(b"(RULES )") };
    let steps = vec![MoveStep { edge: 1, choices: vec!["(+ x 1)".to_owned()] }];
    Certificate::new(
        CertificateSubject::System(system),
        ProgramQuestion::Termination,
        Evidence::Recurrent(RecurrentSet {
            initial: vec!["(- 7)".to_owned()],
            stem: vec![StemStep { edge: 0, choices: vec![] }],
            places: vec![RecurrentLocation {
                location: 1,
                set: "(<= 0 x)".to_owned(),
                moves: vec![RecurrentMove { steps }],
            }],
        }),
    )
}

fn sample_closed_set() -> Certificate {
    let hole = |symbol: &str, cell| StateHole {
        symbol: symbol.to_owned(),
        sort: "(_ BitVec 32)".to_owned(),
        name: "n".to_owned(),
        unsigned: false,
        cell,
    };
    Certificate::new(
        sample_identity(),
        ProgramQuestion::Termination,
        Evidence::Closed(ClosedSet {
            inputs: vec![],
            step: 12,
            frames: 1,
            recursion: false,
            links: Vec::new(),
            heads: vec![ClosedSetHead {
                place: sample_place(7),
                function: "main".to_owned(),
                position: 3,
                holes: vec![
                    hole("h0", HoleCell::Variable { call: 0, variable: 2 }),
                    hole("h1", HoleCell::Memory { slot: 1, generation: 0, offset: 8, bytes: 4 }),
                ],
                shape: String::new(),
                set: "(bvsle #x00000000 h0)".to_owned(),
                choices: vec!["h1".to_owned()],
            }],
        }),
    )
}

fn check_refused(text: &str, expect: &Expect) {
    expect.assert_eq(&Certificate::from_json(text).expect_err("to be refused").to_string());
}

#[test]
fn round_trip() {
    for certificate in
        [sample_recurrence(), sample_exhaustion(), sample_recurrent_set(), sample_closed_set()]
    {
        assert_eq!(Certificate::from_json(&certificate.to_json()), Ok(certificate));
    }
}

#[test]
fn text_form() {
    let expected = expect![[r#"
        {
          "ouro_certificate": 1,
          "ouro": "0.1.0",
          "program": {
            "files": [
              {
                "path": "search.c",
                "sha256": "d0044c695f618c01506cfe1ea63eb15ba1150c21fcc302d40acea345fd4710fa"
              }
            ],
            "function": "main",
            "data_model": "lp64",
            "ints": "c",
            "externs": "choice",
            "allocations": "succeed",
            "clang_args": [
              "-DN=3"
            ]
          },
          "verdict": "loops",
          "evidence": {
            "recurs": {
              "inputs": [
                {
                  "bits": "4294967295",
                  "width": 32,
                  "source": {
                    "function": "getchar"
                  },
                  "place": {
                    "file": "search.c",
                    "line": 3,
                    "function": "main"
                  }
                },
                {
                  "bits": "340282366920938463463374607431768211455",
                  "width": 128,
                  "source": {
                    "other": "argc"
                  },
                  "place": {
                    "file": "search.c",
                    "line": 4,
                    "function": "main"
                  }
                }
              ],
              "first_step": 10,
              "second_step": 20,
              "cycle_inputs": 1,
              "place": {
                "file": "search.c",
                "line": 7,
                "function": "main"
              },
              "recursion": false
            }
          }
        }
    "#]];
    expected.assert_eq(&sample_recurrence().to_json());
}

#[test]
fn without_a_word_allocations_may_fail() {
    let text = sample_recurrence().to_json();
    let older = text.replace("    \"allocations\": \"succeed\",\n", "");
    assert_ne!(older, text);
    let certificate = Certificate::from_json(&older).expect("a certificate");
    let CertificateSubject::Program(program) = certificate.subject else { panic!("not a program") };
    assert_eq!(program.allocations, Allocations::MayFail);
}

#[test]
fn text_that_is_no_json() {
    check_refused("", &expect!["1:0: EOF while parsing a value"]);
    check_refused("int main(void) {}", &expect!["1:1: expected value"]);
    check_refused("{}", &expect!["1:2: missing field `ouro_certificate`"]);
    check_refused("[1, 2]", &expect!["1:5: trailing characters"]);
    let text = sample_recurrence().to_json();
    check_refused(&text[..text.len() / 2], &expect!["31:5: EOF while parsing an object"]);
    check_refused(&format!("{text}{text}"), &expect!["61:1: trailing characters"]);
}

#[test]
fn other_versions_are_named() {
    check_refused(
        r#"{"ouro_certificate": 7, "news": []}"#,
        &expect!["it has version 7, but this Ouro reads version 1"],
    );
}

#[test]
fn tampered_fields() {
    let text = sample_recurrence().to_json();
    let check = |from: &str, to: &str, expect: &Expect| {
        assert!(text.contains(from), "{from} is not in the certificate");
        check_refused(&text.replacen(from, to, 1), expect);
    };
    check(
        r#""verdict": "loops""#,
        r#""verdict": "terminates""#,
        &expect!["its verdict is 'terminates', but its evidence is for 'loops forever'"],
    );
    check(
        r#""verdict": "loops""#,
        r#""verdict": "maybe""#,
        &expect![
            "20:20: unknown variant `maybe`, expected one of `terminates`, `loops`, `holds`, `violated`"
        ],
    );
    check(
        r#""first_step": 10"#,
        r#""first_step": 20"#,
        &expect!["its cycle goes from step 20 to step 20"],
    );
    check(
        r#""first_step": 10"#,
        r#""first_step": -1"#,
        &expect!["49:22: invalid value: integer `-1`, expected u64"],
    );
    check(r#""first_step": 10,"#, "", &expect!["58:5: missing field `first_step`"]);
    check(
        r#""cycle_inputs": 1"#,
        r#""cycle_inputs": 3"#,
        &expect!["its cycle starts at input 3, but there are 2"],
    );
    check(
        r#""recursion""#,
        r#""recursive""#,
        &expect![
            "57:17: unknown field `recursive`, expected one of `inputs`, `first_step`, `second_step`, `cycle_inputs`, `place`, `recursion`"
        ],
    );
    check(
        r#""4294967295""#,
        r#""4294967296""#,
        &expect!["input 0 is 4294967296, which does not fit into 32 bits"],
    );
    check(r#""4294967295""#, r#""-1""#, &expect!["25:22: '-1' is not a decimal number"]);
    check(
        r#""4294967295""#,
        "4294967295",
        &expect!["25:28: invalid type: integer `4294967295`, expected a string"],
    );
    check(
        r#""width": 32"#,
        r#""width": 0"#,
        &expect!["input 0 is 4294967295, which does not fit into 0 bits"],
    );
    check(
        r#""ints": "c""#,
        r#""ints": "C""#,
        &expect!["13:15: unknown variant `C`, expected one of `c`, `wrap`, `unbounded`"],
    );
    check(
        r#""allocations": "succeed""#,
        r#""allocations": "Succeed""#,
        &expect!["15:28: unknown variant `Succeed`, expected `may-fail` or `succeed`"],
    );
    check(
        r#""sha256": ""#,
        r#""sha256": "0"#,
        &expect!["the sha256 of search.c is not 64 hexadecimal digits"],
    );
}

#[test]
fn text_form_of_a_system() {
    expect![[r#"
        {
          "ouro_certificate": 1,
          "ouro": "0.1.0",
          "system": {
            "path": "walk.koat",
            "sha256": "2a69c4bdd85ccbc4514022e80cce33088dd296d69ae86df6f7c06dec59ea350f"
          },
          "verdict": "loops",
          "evidence": {
            "recurrent": {
              "initial": [
                "(- 7)"
              ],
              "stem": [
                {
                  "edge": 0,
                  "choices": []
                }
              ],
              "places": [
                {
                  "location": 1,
                  "set": "(<= 0 x)",
                  "moves": [
                    {
                      "steps": [
                        {
                          "edge": 1,
                          "choices": [
                            "(+ x 1)"
                          ]
                        }
                      ]
                    }
                  ]
                }
              ]
            }
          }
        }
    "#]]
    .assert_eq(&sample_recurrent_set().to_json());
}

/// Replaces the first occurrence of a text that must be there.
fn check_replaced(certificate: &Certificate, from: &str, to: &str, expect: &Expect) {
    let text = certificate.to_json();
    assert!(text.contains(from), "{from} is not in the certificate");
    check_refused(&text.replacen(from, to, 1), expect);
}

#[test]
fn programs_and_systems_are_not_mixed_up() {
    let system = r#""system": { "path": "a.t2", "sha256": "" },"#;
    let both = format!(r#"{system} "verdict""#);
    check_replaced(
        &sample_recurrence(),
        r#""verdict""#,
        &both,
        &expect!["it names both a program and a transition system"],
    );
    check_replaced(
        &sample_recurrence(),
        r#""program""#,
        r#""system""#,
        &expect!["5:11: unknown field `files`, expected `path` or `sha256`"],
    );
    let mut mixed = sample_recurrent_set();
    mixed.subject = sample_identity();
    check_refused(
        &mixed.to_json(),
        &expect!["it is about a program, but its evidence is about a transition system"],
    );
    let mut mixed = sample_exhaustion();
    mixed.subject = sample_recurrent_set().subject;
    check_refused(
        &mixed.to_json(),
        &expect!["it is about a transition system, but its evidence is about a program"],
    );
    let neither = r#"{"ouro_certificate": 1, "ouro": "", "verdict": "terminates", "evidence":
        {"exhausted": {"states": 1, "forks": 0, "steps": 1, "undefined": []}}}"#;
    check_refused(neither, &expect!["it names neither a program nor a transition system"]);
}

#[test]
fn recurrent_sets_have_a_shape() {
    type Tamper = fn(&mut RecurrentSet);
    let check = |tamper: Tamper, expect: &Expect| {
        let mut certificate = sample_recurrent_set();
        let Evidence::Recurrent(set) = &mut certificate.evidence else { panic!("another kind") };
        tamper(set);
        check_refused(&certificate.to_json(), expect);
    };
    check(|set| set.places.clear(), &expect!["its recurrent set has no place"]);
    check(|set| set.places.push(set.places[0].clone()), &expect!["its location 1 has two sets"]);
    check(|set| set.places[0].moves.clear(), &expect!["there is no move from where its stem ends"]);
    check(
        |set| set.places[0].moves[0].steps.clear(),
        &expect!["a move from its location 1 has no step"],
    );
    check_replaced(
        &sample_recurrent_set(),
        r#""edge": 0"#,
        r#""edge": -1"#,
        &expect!["16:20: invalid value: integer `-1`, expected u32"],
    );
    check_replaced(
        &sample_recurrent_set(),
        r#""stem""#,
        r#""stern""#,
        &expect!["14:13: unknown field `stern`, expected one of `initial`, `stem`, `places`"],
    );
}

fn sample_ranking(places: Vec<RankedLocation>) -> Evidence {
    Evidence::Ranked(SystemRanking { places, snapshots: Vec::new() })
}

#[test]
fn rankings_have_a_shape() {
    let place =
        RankedLocation { location: 1, invariant: "true".to_owned(), ranking: vec!["x".into()] };
    let mut certificate = sample_recurrent_set();
    certificate.verdict = Claim::Terminates;
    certificate.evidence = sample_ranking(vec![place.clone()]);
    assert_eq!(Certificate::from_json(&certificate.to_json()).as_ref(), Ok(&certificate));
    certificate.evidence = sample_ranking(vec![place.clone(), place]);
    check_refused(&certificate.to_json(), &expect!["its location 1 has two rankings"]);
    certificate.subject = sample_identity();
    check_refused(
        &certificate.to_json(),
        &expect!["it is about a program, but its evidence is about a transition system"],
    );
}

#[test]
fn snapshots_have_a_shape() {
    let place = RankedLocation { location: 1, invariant: "true".to_owned(), ranking: Vec::new() };
    let snapshot = TransitionInvariant {
        place: 0,
        measures: vec!["x".to_owned()],
        relations: vec![SnapshotRelation { place: 0, formula: "(< x old!x)".to_owned() }],
    };
    let mut certificate = sample_recurrent_set();
    certificate.verdict = Claim::Terminates;
    let mut with = |snapshots: &[&TransitionInvariant]| {
        let snapshots = snapshots.iter().copied().cloned().collect();
        certificate.evidence =
            Evidence::Ranked(SystemRanking { places: vec![place.clone()], snapshots });
        certificate.clone()
    };
    let good = with(&[&snapshot]);
    assert_eq!(Certificate::from_json(&good.to_json()), Ok(good));
    check_refused(
        &with(&[&snapshot, &snapshot]).to_json(),
        &expect!["its place 0 has two snapshots"],
    );
    let mut twice = snapshot.clone();
    twice.relations.push(snapshot.relations[0].clone());
    check_refused(
        &with(&[&twice]).to_json(),
        &expect!["its snapshot at place 0 says twice what holds at place 0"],
    );
    let mut elsewhere = snapshot;
    elsewhere.relations[0].place = 1;
    check_refused(
        &with(&[&elsewhere]).to_json(),
        &expect!["a snapshot speaks of place 1, but there are 1"],
    );
}

#[test]
fn rankings_of_programs_have_a_shape() {
    let Evidence::Closed(set) = sample_closed_set().evidence else { panic!("it is one") };
    let head = RankedHead {
        place: sample_place(7),
        function: "main".to_owned(),
        position: 3,
        calls: Some(1),
        holes: set.heads[0].holes.clone(),
        shape: String::new(),
        open: Vec::new(),
        invariant: "true".to_owned(),
        ranking: vec!["x".into()],
    };
    let ranking = |heads: &[RankedHead]| {
        let ranking = ProgramRanking { heads: heads.to_vec(), ..ProgramRanking::default() };
        Certificate::new(
            sample_identity(),
            ProgramQuestion::Termination,
            Evidence::RankedProgram(ranking),
        )
    };
    let good = ranking(std::slice::from_ref(&head));
    assert_eq!(good.verdict, Claim::Terminates);
    assert_eq!(Certificate::from_json(&good.to_json()), Ok(good));
    let twice = ranking(&[head.clone(), head]).to_json();
    let refused = Certificate::from_json(&twice).expect_err("the holes have the same symbols");
    assert!(refused.message.starts_with("two of its holes are called"), "{refused}");
}

/// Levels of pairs answer the question about a specification, and no other.
#[test]
fn fairness_is_about_specifications() {
    let levels = vec![
        RankingLevel::from("x"),
        RankingLevel::Pair { pair: 0, when: None },
        RankingLevel::Pair { pair: 1, when: Some("(= x 1)".to_owned()) },
    ];
    let head = RankedHead {
        place: sample_place(7),
        function: "main".to_owned(),
        position: 3,
        calls: None,
        holes: Vec::new(),
        shape: String::new(),
        open: Vec::new(),
        invariant: "true".to_owned(),
        ranking: levels,
    };
    let evidence = Evidence::RankedProgram(ProgramRanking {
        heads: vec![head.clone()],
        ..ProgramRanking::default()
    });
    let good = Certificate::new(sample_specified_identity(), ProgramQuestion::Liveness, evidence);
    assert_eq!(good.verdict, Claim::Holds);
    assert_eq!(Certificate::from_json(&good.to_json()).as_ref(), Ok(&good));
    let bad = Certificate { verdict: Claim::Terminates, ..good.clone() };
    check_refused(
        &bad.to_json(),
        &expect!["its ranking speaks of fairness, but it answers another question"],
    );
    let bad = Certificate { verdict: Claim::Violated, ..good.clone() };
    check_refused(
        &bad.to_json(),
        &expect!["its verdict is 'violated', but its evidence is for 'holds'"],
    );
    let strange = good.to_json().replace(r#""when""#, r#""unless""#);
    assert!(Certificate::from_json(&strange).is_err());
}

#[test]
fn violations_have_a_shape() {
    let guess = RunInput { bits: 1, width: 1, source: ChoiceSource::Guess, place: sample_place(3) };
    let violation = ObligationViolation {
        inputs: vec![guess.clone()],
        obligation: 2,
        steps: 10,
        place: sample_place(7),
    };
    let good = Certificate::new(
        sample_specified_identity(),
        ProgramQuestion::Liveness,
        Evidence::Violation(violation.clone()),
    );
    assert_eq!(good.verdict, Claim::Violated);
    assert_eq!(Certificate::from_json(&good.to_json()).as_ref(), Ok(&good));
    let other = Certificate { verdict: Claim::Loops, ..good.clone() };
    check_refused(
        &other.to_json(),
        &expect!["it says which obligation is broken, but answers another question"],
    );
    let inputs = vec![RunInput { bits: 2, ..guess }];
    let wide = Evidence::Violation(ObligationViolation { inputs, ..violation });
    check_refused(
        &Certificate { evidence: wide, ..good }.to_json(),
        &expect!["input 0 is 2, which does not fit into 1 bits"],
    );
    let mut system = sample_recurrent_set();
    system.verdict = Claim::Violated;
    check_refused(
        &system.to_json(),
        &expect![
            "it names a specification, but it is about a \
             transition system"
        ],
    );
}

#[test]
fn closed_sets_have_a_shape() {
    type Tamper = fn(&mut ClosedSet);
    let check = |tamper: Tamper, expect: &Expect| {
        let mut certificate = sample_closed_set();
        let Evidence::Closed(set) = &mut certificate.evidence else { panic!("another kind") };
        tamper(set);
        check_refused(&certificate.to_json(), expect);
    };
    check(|set| set.heads.clear(), &expect!["its closed set has no head"]);
    check(
        |set| set.heads[0].holes[1].symbol = "h0".to_owned(),
        &expect!["two of its holes are called h0"],
    );
}

#[test]
fn signed_values() {
    let input = |bits, width| RunInput {
        bits,
        width,
        source: ChoiceSource::Other(String::new()),
        place: sample_place(1),
    };
    assert_eq!(input(0xff, 8).signed_value(), -1);
    assert_eq!(input(0x7f, 8).signed_value(), 127);
    assert_eq!(input(u128::MAX, 128).signed_value(), -1);
    assert_eq!(input(1, 1).signed_value(), -1);
}
