//! Specifications and formulas as text: what is read, what is refused and where, and back.

use ouro_property::{
    RequestedProperty, monitor_of_formula, monitors_of_specification, parse_formula,
    parse_property_file, parse_specification,
};

/// The message about a specification that is wrong.
fn refused(text: &str) -> String {
    match monitors_of_specification(text, "a.slic") {
        Err(error) => error.to_string(),
        Ok(monitors) => panic!("not refused: {text}\n{monitors:?}"),
    }
}

const IRQL: &str = "state { int irql = -1; }\n\
    \n\
    KeRaiseIrql.entry {\n\
    \x20   if ($1 <= KeGetCurrentIrql()) { error(); }\n\
    \x20   if (irql == -1) { irql = KeGetCurrentIrql(); set(); }\n\
    }\n\
    \n\
    KeLowerIrql.entry {\n\
    \x20   if ($1 == irql && irql > -1) unset(); else if (nondet()) return;\n\
    \x20   irql = -1;\n\
    }\n\
    \n\
    fairness \"names\" {\n\
    \x20   IoCreateDevice.exit { 1 }\n\
    \x20   IoCreateDevice.exit { $return != STATUS_OBJ_NAME_COLLISION }\n\
    }\n";

#[test]
fn a_specification_reads_back_as_it_was() {
    let first = parse_specification(IRQL, "a.slic").expect("a specification").to_string();
    let second = parse_specification(&first, "a.slic").expect("a specification").to_string();
    assert_eq!(first, second);
    for piece in
        ["int irql = -1;", "$1 <= KeGetCurrentIrql()", "if (nondet())", "fairness \"names\""]
    {
        assert!(first.contains(piece), "{piece} in\n{first}");
    }
}

#[test]
fn a_promise_and_its_rule_are_one_monitor() {
    let monitors = monitors_of_specification(IRQL, "dir/irql.slic").expect("a specification");
    let [monitor] = &monitors[..] else { panic!("{} monitors", monitors.len()) };
    assert_eq!(monitor.name, "irql");
    let names: Vec<&str> = monitor.hooks.iter().map(|hook| hook.function.as_str()).collect();
    assert_eq!(names, ["KeRaiseIrql", "KeLowerIrql", "IoCreateDevice", "IoCreateDevice"]);
    assert_eq!(monitor.hooks[0].parameters.len(), 1);
    assert!(monitor.hooks[2].returned.is_none() && monitor.hooks[3].returned.is_some());
    assert_eq!(monitor.obligations.len(), 2);
    assert_eq!(monitor.obligations[1].span.line, 4);
    assert_eq!(monitor.fairness.len(), 2);
}

#[test]
fn obligations_are_questions_of_their_own() {
    let text = "state { int held = 0; }
        lock.entry { held = held + 1; }
        obligation released { lock.entry { set(); } unlock.entry { unset(); } }
        obligation \"not twice\" { lock.entry { if (held > 1) error(); } }";
    let monitors = monitors_of_specification(text, "a.slic").expect("a specification");
    let names: Vec<&str> = monitors.iter().map(|monitor| monitor.name.as_str()).collect();
    assert_eq!(names, ["released", "not twice"]);
    assert_eq!(monitors[0].hooks.len(), 3);
    // A rule alone is broken in finite time: no infinite run is fair.
    assert!(monitors[1].step.is_none() && monitors[1].fairness[0].q.is_empty());
}

#[test]
fn the_empty_specification_is_termination() {
    let monitors = monitors_of_specification("state {}", "a.slic").expect("a specification");
    assert_eq!(monitors.len(), 1);
    assert!(monitors[0].fairness.is_empty() && monitors[0].events.is_empty());
    assert!(monitors[0].step.is_none() && monitors[0].end.is_none());
}

#[test]
fn what_is_wrong_is_said_at_its_place() {
    let cases = [
        (
            "f.entry { while (1) set(); }",
            "a.slic:1:11: 'while' is not allowed: a transfer function",
        ),
        ("f.entry { for (;;) set(); }", "a.slic:1:11: 'for' is not allowed"),
        ("f.entry { x = 1; }", "a.slic:1:11: 'x' is not a variable of the state"),
        ("state { int x; } f.entry {\n  x = $return; }", "a.slic:2:7: $return has no value yet"),
        ("state { int x; int x; }", "a.slic:1:20: the state has two variables 'x'"),
        ("f.enter { set(); }", "a.slic:1:3: 'enter' is not an event of a function"),
        ("f.entry { unset(); }", "a.slic:1:11: unset() keeps a promise, but there is no set()"),
        ("f.entry { if (x = 1) set(); }", "a.slic:1:17: '=' changes the program"),
        ("f.entry { if (x++) set(); }", "a.slic:1:16: '++' changes the program"),
        ("f.entry { if ((x) set(); }", "a.slic:1:24: expected ')' after the condition of an if"),
        ("f.entry { set() }", "a.slic:1:17: expected ';' after a call, not '}'"),
        ("f.entry { set();", "a.slic:1:17: expected a statement, not the end of the file"),
        ("f.entry { if ($0) set(); }", "a.slic:1:15: '$0' has no meaning"),
        (
            "any { if ($1) error(); }",
            "a.slic:1:11: no function is entered or left at any statement",
        ),
        (
            "main.exit { if ($1) error(); }",
            "a.slic:1:17: $1 is not available when the program ends",
        ),
        ("obligation o { f.entry { } }", "a.slic:1:12: the obligation 'o' has neither set() nor"),
        ("fairness { f.exit { 0 } f.exit { x } }", "a.slic:1:21: this is never true"),
        ("fairness { f.exit { 1 } any { 1 } }", "a.slic:1:31: this is true in every step"),
        ("fairness { f.exit { x } f.exit { 1 } }", "a.slic:1:34: this is true whenever the first"),
        ("fairness { f.exit { x } }", "a.slic:1:25: expected f.entry, f.exit or any, not '}'"),
        ("/* never closed", "a.slic:1:1: this comment is not closed"),
        ("state { int (*f)(int); }", "a.slic:1:9: expected a variable of a plain type"),
        ("f.entry { if (1 + nondet()) set(); }", "a.slic:1:15: nondet() can only be"),
    ];
    for (text, message) in cases {
        let said = refused(text);
        assert!(said.starts_with(message), "{text}\n  said     {said}\n  expected {message}");
    }
}

#[test]
fn formulas_are_read_as_written() {
    for text in [
        r#"FG"x==1""#,
        r#"!GF"otime < time""#,
        r#"G( !"init == 3" || ( !"temp > limit" || FG" chainBroken == 1" ) )"#,
        r#""i == 0" U( ("i == 1" U G "i == 3") || G "i == 1")"#,
        r#"(! "o == 26" WU ("o == 26" WU (G ! "o == 26")))"#,
        r#"[] ("a" -> <> "b") <-> ("c" R "d" && X true)"#,
    ] {
        let property =
            parse_formula(text, "--ltl").unwrap_or_else(|error| panic!("{text}: {error}"));
        monitor_of_formula(&property, "--ltl", "the formula").expect("a monitor");
    }
    let property = parse_formula(r#"G("a" -> F "b") && F "a""#, "--ltl").expect("a formula");
    assert_eq!(property.atoms.len(), 2, "one atom for one expression");
}

#[test]
fn formulas_that_are_wrong() {
    let deep = "!".repeat(100_000) + "true";
    let cases = [
        ("", "f:1:1: expected a formula, not the end"),
        ("G x", "f:1:3: 'x' is not an LTL operator; write expressions of the program in quotes"),
        ("G \"x", "f:1:3: this expression has no closing quote"),
        ("G \"x = 1\"", "f:1:6: '=' changes the program"),
        ("(G \"x\"", "f:1:7: expected ')', not the end"),
        ("\"a\" \"b\"", "f:1:5: expected an operator or the end, not \"b\""),
        ("\"a\" &&\n  U", "f:2:3: expected a formula, not U"),
        ("\"\"", "f:1:2: an expression of the program is missing here"),
        (deep.as_str(), "f:1:"),
    ];
    for (text, message) in cases {
        let said = parse_formula(text, "f").expect_err(text).to_string();
        assert!(said.starts_with(message), "{text}\n  said     {said}\n  expected {message}");
    }
}

#[test]
fn property_files() {
    let asked = |text: &str| parse_property_file(text, "a.prp");
    let termination = RequestedProperty::Termination { function: "main".to_owned() };
    assert_eq!(asked("CHECK( init(main()), LTL(F end) )\n"), Ok(termination));
    match asked("CHECK( init(start()), LTL( G(\"(a) > 1\" -> F \"b\") ) )\n\n") {
        Ok(RequestedProperty::Ltl { function, property }) => {
            assert_eq!((function.as_str(), property.atoms.len()), ("start", 2));
            assert_eq!(property.atoms[0].place.column, 31);
        }
        other => panic!("{other:?}"),
    }
    for (text, message) in [
        (
            "CHECK( init(main()), LTL(G ! call(reach_error())) )",
            "a.prp:1:30: this property is about",
        ),
        ("CHECK( init(main()), LTL(G valid-free) )", "a.prp:1:28: this property is about"),
        ("CHECK( init(main()), FQL(x) )", "a.prp:1:22: expected 'LTL'"),
        ("CHECK( init(main()), LTL(F end )", "a.prp:1:33: expected ')'"),
        ("", "a.prp:1:1: expected 'CHECK'"),
    ] {
        let said = asked(text).expect_err(text).to_string();
        assert!(said.starts_with(message), "{text}\n  said     {said}\n  expected {message}");
    }
}

/// Whatever bytes come, there is an answer.
#[test]
fn no_text_is_too_strange() {
    let pieces = [
        "state",
        "{",
        "}",
        "int x = 1;",
        "f.entry",
        "any",
        "if (",
        "nondet()",
        ")",
        "else",
        "set();",
        "unset();",
        "\"",
        "'",
        "$1",
        "$return",
        "/*",
        "*/",
        "//",
        "\n",
        "==",
        "=",
        ";",
        "fairness",
        "obligation o",
        "optional",
        ".",
        ",",
        "G",
        "F(",
        "U",
        "é",
        "\0",
        "\\",
        "[",
        "]",
        "CHECK(",
    ];
    let mut seed = 7_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let index = usize::try_from(seed >> 33).unwrap_or(0) % pieces.len();
            text.push_str(pieces[index]);
            text.push(' ');
        }
        let _ = parse_formula(&text, "f");
        let _ = parse_property_file(&text, "f");
        if let Ok(spec) = parse_specification(&text, "f") {
            let printed = spec.to_string();
            let again = parse_specification(&printed, "f").expect(&printed);
            assert_eq!(again.to_string(), printed);
        }
    }
}
