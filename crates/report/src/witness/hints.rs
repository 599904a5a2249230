//! What there is to say about an answer, in places and C expressions.

use std::collections::BTreeSet;

use ouro_evidence::{ChoiceSource, Evidence, ProgramRanking, RunInput, SourcePlace, Verdict};
use ouro_model::Program;

use super::c::{c_expression, is_identifier};
use crate::ctype::{CType, InputTypes};
use crate::{ReportSubject, VerdictReport, closed};

/// A place in a file. Column 0 is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WitnessPlace {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) function: String,
}

/// A function of the environment returned something.
pub(super) struct ReturnedValue {
    /// The end of the call.
    pub(super) spot: WitnessPlace,
    pub(super) function: String,
    /// The value, as a constant of C.
    pub(super) value: String,
}

/// A run that never ends.
pub(super) struct WitnessLasso {
    pub(super) stem: Vec<ReturnedValue>,
    pub(super) head: WitnessPlace,
    /// What holds at the head in every iteration.
    pub(super) recurrent: String,
    pub(super) cycle: Vec<ReturnedValue>,
}

/// What holds at the head of a loop that ends.
pub(super) struct LoopEndHint {
    pub(super) head: WitnessPlace,
    /// Whenever the run is there.
    pub(super) invariant: Option<String>,
    /// Between any two times there.
    pub(super) transition: Option<String>,
}

/// The run, or why there is none to tell of.
pub(super) fn witness_lasso(report: &VerdictReport<'_>) -> Result<WitnessLasso, &'static str> {
    let Verdict::Loops(evidence) = report.verdict else {
        return Err("the verdict is not 'loops forever'");
    };
    match evidence {
        Evidence::Recurs(run) => {
            let (stem, cycle) = run.split_inputs();
            let state = (report.explanation.variables.iter())
                .filter(|(name, _)| is_identifier(name))
                .filter(|(_, value)| value.parse::<i128>().is_ok())
                .map(|(name, value)| format!("{name} == {}", c_constant(value)));
            Ok(WitnessLasso {
                stem: returned_values(report, stem),
                head: head_place(report, &run.place),
                recurrent: join_conjuncts(&state.collect::<Vec<_>>()),
                cycle: returned_values(report, cycle),
            })
        }
        Evidence::Closed(set) => {
            let first = set.heads.first().ok_or("the evidence names no loop")?;
            let words = closed::states_at_heads(set);
            let said = words.first().and_then(|at| {
                let names: BTreeSet<String> = at.variables.iter().cloned().collect();
                c_expression(&at.set, &names, false)
            });
            Ok(WitnessLasso {
                stem: returned_values(report, &set.inputs),
                head: head_place(report, &first.place),
                recurrent: said.unwrap_or_else(|| "1".to_owned()),
                cycle: Vec::new(),
            })
        }
        _ => Err("a witness is about a program, and this is a transition system"),
    }
}

/// The loops that end and why, as far as it can be said.
pub(super) fn loop_end_hints(report: &VerdictReport<'_>) -> Result<Vec<LoopEndHint>, &'static str> {
    let Verdict::Terminates(evidence) = report.verdict else {
        return Err("the verdict is not 'terminates'");
    };
    let ReportSubject::Program { .. } = report.about else {
        return Err("a witness is about a program, and this is a transition system");
    };
    let mut all: Vec<LoopEndHint> = match evidence {
        Evidence::RankedProgram(ranking) => ranked_hints(report, ranking),
        _ => Vec::new(),
    };
    for one in report.loops {
        let head = head_place(report, &one.place);
        if !all.iter().any(|other| other.head == head) {
            all.push(LoopEndHint { head, invariant: None, transition: None });
        }
    }
    all.retain(|one| one.head.line != 0 && !one.head.file.is_empty());
    Ok(all)
}

/// One for each place. Where several heads of the evidence are at one place, what each says holds only in some
/// of the states there; then nothing is said.
fn ranked_hints(report: &VerdictReport<'_>, ranking: &ProgramRanking) -> Vec<LoopEndHint> {
    let words = closed::rankings_at_heads(ranking);
    let mut all = Vec::new();
    for (head_of, said) in ranking.heads.iter().zip(words) {
        let shared = ranking.heads.iter().filter(|other| other.place == head_of.place).count() > 1;
        let names: BTreeSet<String> = head_of.holes.iter().map(|hole| hole.name.clone()).collect();
        let local = names.len() == head_of.holes.len();
        if shared || !local {
            continue;
        }
        let invariant = c_expression(&said.invariant, &names, false).filter(|text| text != "1");
        let transition =
            said.measures.is_empty().then(|| decrease_expression(&said.ranking, &names)).flatten();
        all.push(LoopEndHint { head: head_place(report, &head_of.place), invariant, transition });
    }
    all
}

/// That a list of numbers is lexicographically smaller than it was: some number is, and was not negative, and none
/// before it has grown. What holds for each iteration so holds for several, too.
fn decrease_expression(ranking: &[String], names: &BTreeSet<String>) -> Option<String> {
    let mut cases = Vec::new();
    let mut before: Vec<String> = Vec::new();
    for level in ranking {
        let now = c_expression(level, names, false)?;
        let then = c_expression(level, names, true)?;
        // A constant never gets smaller.
        if now == then {
            continue;
        }
        let mut case = before.clone();
        case.push(format!("{now} < {then}"));
        case.push(format!("{then} >= 0"));
        cases.push(format!("({})", case.join(" && ")));
        before.push(format!("{now} <= {then}"));
    }
    (!cases.is_empty()).then(|| cases.join(" || "))
}

/// What functions of the environment returned, where it can be said.
fn returned_values(report: &VerdictReport<'_>, inputs: &[RunInput]) -> Vec<ReturnedValue> {
    let types = InputTypes::of_program(report.program());
    let one = |input: &RunInput| {
        let ChoiceSource::Function(name) = &input.source else { return None };
        if !input.place.is_known() || !returns_integer(name, report.program(), input.width) {
            return None;
        }
        let value = types.number_text(input);
        value.parse::<i128>().ok()?;
        let (line, column) = call_end(report, &input.place, name).unwrap_or((input.place.line, 0));
        let spot = WitnessPlace {
            file: input.place.file.clone(),
            line,
            column,
            function: input.place.function.clone(),
        };
        Some(ReturnedValue { spot, function: name.clone(), value: c_constant(&value) })
    };
    inputs.iter().filter_map(one).collect()
}

/// Whether a function returns an integer; floats and pointers have no constants that everybody reads alike.
fn returns_integer(name: &str, program: Option<&Program>, width: u32) -> bool {
    match CType::of_function(name) {
        Some(CType::Bool | CType::Integer(..)) => true,
        Some(CType::Float(_) | CType::Pointer) => false,
        None => program.is_some() && width <= 64,
    }
}

/// An integer as a constant of C. The smallest has no constant of its own.
fn c_constant(value: &str) -> String {
    match value {
        "-2147483648" => "(-2147483647 - 1)".to_owned(),
        "-9223372036854775808" => "(-9223372036854775807LL - 1)".to_owned(),
        _ => match value.parse::<i128>() {
            Ok(number) if number > i128::from(i64::MAX) => format!("{value}ULL"),
            Ok(number) if number > i128::from(i32::MAX) || number < i128::from(i32::MIN) => {
                format!("{value}LL")
            }
            _ => value.to_owned(),
        },
    }
}

fn join_conjuncts(parts: &[String]) -> String {
    if parts.is_empty() { "1".to_owned() } else { parts.join(" && ") }
}

/// A loop's head: the keyword of the loop if it is on its line.
fn head_place(report: &VerdictReport<'_>, place: &SourcePlace) -> WitnessPlace {
    let line = line_of(report, place.file.as_str(), place.line);
    WitnessPlace {
        file: place.file.clone(),
        line: place.line,
        column: loop_keyword_column(line).unwrap_or(0),
        function: place.function.clone(),
    }
}

/// The column of the first keyword of a loop in a line.
pub(crate) fn loop_keyword_column(line: &str) -> Option<u32> {
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    let starts = ["for", "while", "do"].into_iter().flat_map(|word| {
        line.match_indices(word).filter(move |(at, _)| {
            !line[..*at].ends_with(is_name) && !line[at + word.len()..].starts_with(is_name)
        })
    });
    let first = starts.map(|(at, _)| at).min()?;
    u32::try_from(line[..first].chars().count() + 1).ok()
}

/// Line and column of the parenthesis that ends the call of a function, if its line has one call of it.
fn call_end(report: &VerdictReport<'_>, place: &SourcePlace, name: &str) -> Option<(u32, u32)> {
    let line = line_of(report, &place.file, place.line);
    let mut calls = line.match_indices(name).filter(|(at, _)| {
        let is_name = |c: char| c == '_' || c.is_alphanumeric();
        !line[..*at].ends_with(is_name) && line[at + name.len()..].trim_start().starts_with('(')
    });
    let (at, _) = calls.next()?;
    if calls.next().is_some() {
        return None;
    }
    let mut depth = 0;
    for (offset, c) in line[at..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => {
                let column = line[..at + offset].chars().count() + 1;
                return Some((place.line, u32::try_from(column).ok()?));
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn line_of<'a>(report: &VerdictReport<'a>, file: &str, line: u32) -> &'a str {
    let text = report.sources.get(file).map_or("", String::as_str);
    match line {
        0 => "",
        number => text.lines().nth(number as usize - 1).unwrap_or(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_words() {
        assert_eq!(loop_keyword_column("  while (low < high) {"), Some(3));
        assert_eq!(loop_keyword_column("before(i); for (;;)"), Some(12));
        assert_eq!(loop_keyword_column("} while (done);"), Some(3));
        assert_eq!(loop_keyword_column("do_it(format, undo);"), None);
    }

    #[test]
    fn constants_are_those_of_c() {
        assert_eq!(c_constant("-10"), "-10");
        assert_eq!(c_constant("-2147483648"), "(-2147483647 - 1)");
        assert_eq!(c_constant("4294967295"), "4294967295LL");
        assert_eq!(c_constant("18446744073709551615"), "18446744073709551615ULL");
        assert_eq!(c_constant("-9223372036854775808"), "(-9223372036854775807LL - 1)");
    }

    #[test]
    fn a_list_gets_smaller_as_words_do() {
        let names = ["n", "i"].map(str::to_owned).into_iter().collect();
        let ranking = ["n", "3", "n - i"].map(str::to_owned);
        assert_eq!(
            decrease_expression(&ranking, &names).as_deref(),
            Some(
                "((long long)n < (long long)\\at(n, AnyPrev) && (long long)\\at(n, AnyPrev) >= 0) || \
                 ((long long)n <= (long long)\\at(n, AnyPrev) && \
                 (long long)n - (long long)i < (long long)\\at(n, AnyPrev) - (long long)\\at(i, AnyPrev) && \
                 (long long)\\at(n, AnyPrev) - (long long)\\at(i, AnyPrev) >= 0)"
            )
        );
        assert_eq!(decrease_expression(&["length(list)".to_owned()], &names), None);
        assert_eq!(decrease_expression(&["3".to_owned()], &names), None);
    }
}
