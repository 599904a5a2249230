//! Text in, text out.

use super::{BINARY, CAST, COMPARE, FLOAT, UNARY, find_operator, parse_program, print_program};
use crate::samples::{EVERYTHING, LOOPS, RandomModelParts, parse_sample, random_program};
use crate::{FileId, Operand, Span, Type, wellformed};

#[test]
fn programs_written_by_hand_come_back() {
    let everything = parse_sample(EVERYTHING);
    assert_eq!(print_program(&everything), EVERYTHING);
    let loops = parse_sample(LOOPS);
    assert_eq!(parse_program(&print_program(&loops)), Ok(loops));
}

#[test]
fn random_programs_are_wellformed_and_come_back() {
    for seed in 0..3_000 {
        let program = random_program(seed);
        let text = print_program(&program);
        assert_eq!(wellformed::check_wellformed_program(&program), Ok(()), "seed {seed}:\n{text}");
        assert_eq!(parse_program(&text).as_ref(), Ok(&program), "seed {seed}:\n{text}");
    }
}

/// Even what breaks the rules is printed exactly.
#[test]
fn illformed_programs_come_back_too() {
    let mut program = parse_sample(LOOPS);
    let block = &mut program.functions[crate::FunctionId(1)].blocks[crate::BlockId(0)];
    block.span = Span { file: FileId(7), line: 0, column: 3 };
    let values =
        [(Type::Int(0), 5), (Type::Int(8), u128::MAX), (Type::Int(1), 2), (Type::Int(200), 1)];
    for (statement, (ty, bits)) in block.statements.iter_mut().zip(values) {
        statement.instruction =
            crate::Instruction::Assume { condition: Operand::Const { ty, bits } };
    }
    assert_eq!(parse_program(&print_program(&program)), Ok(program));
}

#[test]
fn every_operator_has_one_name() {
    fn distinct<T: Copy + PartialEq + std::fmt::Debug>(table: &[(&str, T)]) {
        for (index, (name, op)) in table.iter().enumerate() {
            assert_eq!(find_operator(table, name), Some(*op));
            assert!(table[..index].iter().all(|(_, other)| other != op), "{op:?}");
        }
    }
    distinct(&UNARY);
    distinct(&BINARY);
    distinct(&FLOAT);
    distinct(&COMPARE);
    distinct(&CAST);
}

#[test]
fn refusals_say_where() {
    let head = "program 1\ntarget 64\nentry f0\n";
    for (text, line, column) in [
        ("", 1, 1),
        ("program 2", 1, 9),
        ("program 1 target x", 1, 18),
        ("program 1\ntarget 64\nentry g0", 3, 7),
        (&format!("{head}fn f1"), 4, 4),
        (&format!("{head}global g0 \"x"), 4, 11),
        (&format!("{head}global g0 \"\\q\""), 4, 11),
        (&format!("{head}fn f0 \"é\" () -> () {{ b0: goto x }}"), 4, 31),
        (&format!("{head}fn f0 \"\" () -> () {{ b0: }}"), 4, 25),
        (&format!("{head}fn f0 \"\" () -> () {{ b0:"), 4, 24),
        (&format!("{head}fn f0 \"\" () -> () {{ b0: frob"), 4, 25),
        (&format!("{head}fn f0 \"\" () -> () {{ b00: return ()"), 4, 21),
        (&format!("{head}?"), 4, 1),
    ] {
        let refused = parse_program(text).unwrap_err();
        assert_eq!((refused.line, refused.column), (line, column), "{text}\n{refused}");
    }
}

#[test]
fn mutilated_text_never_panics() {
    let noise = [
        "",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "v9",
        "b0:",
        "99999999999999999999",
        ",",
        "-",
        "->",
        "i0",
        "i129",
        "f64",
        "@",
        ":",
        "&g",
        "0x",
        "é",
        "\u{0}",
        ";",
        "\n",
        "call",
        "*",
    ];
    let texts: Vec<String> = (0..20)
        .map(|seed| print_program(&random_program(seed)))
        .chain([EVERYTHING.to_owned(), LOOPS.to_owned()])
        .collect();
    let mut random = RandomModelParts::new(3);
    for _ in 0..6_000 {
        let mut text: Vec<char> = random.pick(&texts).chars().collect();
        for _ in 0..=random.number_below(3) {
            let at = random.number_below(text.len() + 1);
            let until = (at + random.number_below(4)).min(text.len());
            let piece: Vec<char> = random.pick(&noise).chars().collect();
            text.splice(at..until, piece);
        }
        let text: String = text.into_iter().collect();
        // What is still a program may break every rule; saying so must not panic either.
        if let Ok(program) = parse_program(&text) {
            assert_eq!(parse_program(&print_program(&program)).as_ref(), Ok(&program));
            let _ = wellformed::check_wellformed_program(&program);
        }
    }
}
