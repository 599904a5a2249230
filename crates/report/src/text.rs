//! The report on the terminal.

mod closed;
mod liveness;
mod overflow;
mod system;

use ouro_evidence::{
    AttemptRecord, ChoiceSource, EndlessRunInput, Evidence, PathExhaustion, RunInput,
    StateRecurrence, UnknownReason, Verdict, WraparoundBehaviour, attempts_by_engine,
};

use crate::calls::{self, CallReturnFacts};
use crate::ctype::InputTypes;
use crate::excerpt::SourceExcerpt;
use crate::limits::LIMITS;
use crate::liveness::program_inputs;
use crate::{LoopFate, ReportSubject, TextStyle, VerdictReport};

/// The report for people. It ends with a line break.
pub fn report_text(report: &VerdictReport<'_>, style: TextStyle) -> String {
    let mut out = match report.verdict {
        Verdict::Terminates(evidence) => terminates_text(report, evidence, style),
        Verdict::Loops(evidence) => endless_program_text(report, evidence, style),
        Verdict::Holds(evidence) => liveness::holds_text(report, evidence, style),
        Verdict::Violated(Evidence::Violation(violation)) => {
            liveness::broken_obligation_text(report, violation, style)
        }
        Verdict::Violated(evidence) => endless_program_text(report, evidence, style),
        Verdict::Unknown(reason) => unknown_text(report, reason, style),
    };
    out += &liveness::other_violations_text(report, style);
    out += &loop_list(report, style);
    out += &call_list(report, style);
    let assumptions = report.assumptions();
    if !assumptions.is_empty() {
        out += &format!("\n{}\n", style.strong("Assumed:"));
        for assumption in assumptions {
            out += &format!("  - {assumption}\n");
        }
    }
    let seconds = report.elapsed.as_secs_f64();
    let checked = match report.verdict {
        Verdict::Unknown(_) => "",
        _ => "certificate checked, ",
    };
    let engine = report.engine.map(|engine| format!("found by {engine}, ")).unwrap_or_default();
    let tried = attempts_text(report);
    out += &format!("\n({engine}{checked}{tried}{seconds:.2} s)\n");
    out
}

/// Who was asked for how long, where nobody had an answer.
fn attempts_text(report: &VerdictReport<'_>) -> String {
    let all = attempts_by_engine(&report.explanation.attempts);
    if all.is_empty() || !matches!(report.verdict, Verdict::Unknown(_)) {
        return String::new();
    }
    let one = |one: &AttemptRecord| {
        let (seconds, with) = (one.spent.as_secs_f64(), one.ints);
        match one.ints == all[0].ints {
            true => format!("{} {seconds:.2} s", one.engine),
            false => format!("{} with --ints {with} {seconds:.2} s", one.engine),
        }
    };
    let all: Vec<String> = all.iter().map(one).collect();
    format!("tried {}; in all ", all.join(", "))
}

fn endless_program_text(
    report: &VerdictReport<'_>,
    evidence: &Evidence,
    style: TextStyle,
) -> String {
    let head = endless_heading(report, style);
    if let Some(run) = report.endless_run() {
        return system::endless_run_text(report, &run, style);
    }
    let recurrence = match evidence {
        Evidence::Recurs(recurrence) => recurrence,
        Evidence::Closed(set) => return closed::closed_set_text(report, set, style),
        Evidence::Recurrent(_)
        | Evidence::Exhausted(_)
        | Evidence::Violation(_)
        | Evidence::Ranked(_)
        | Evidence::Partwise(_)
        | Evidence::RankedProgram(_) => return head,
    };
    let what =
        if recurrence.recursion { "this recursion never ends" } else { "this loop never ends" };
    let mut out = head;
    let mut notes = loop_notes(report, recurrence);
    notes.extend(liveness::promise_notes(report));
    notes.extend(overflow::overflow_note(report));
    notes.extend(input_note(report));
    out += &SourceExcerpt {
        place: &recurrence.place,
        label: what,
        others: &report.explanation.cycle,
        notes: &notes,
    }
    .render(report.sources, style);
    let (before, cycle) = recurrence.split_inputs();
    out += &inputs_text(report, &program_inputs(before), &program_inputs(cycle), style);
    out
}

/// What a run that never ends means.
fn endless_heading(report: &VerdictReport<'_>, style: TextStyle) -> String {
    match report.verdict {
        Verdict::Violated(_) => liveness::violation_heading(report, style),
        _ => {
            let how = match report.after_overflow() {
                Some(overflow) => {
                    format!("loops forever once {}", overflow::overflow_phrase(overflow))
                }
                None => "loops forever".to_owned(),
            };
            let how = match report.explanation.input {
                Some(EndlessRunInput::Endless) => how + " if its input never ends",
                _ => how,
            };
            format!("{}: some run of {} never ends\n", style.bad(&how), report.subject_name())
        }
    }
}

/// How far what the run reads reaches.
fn input_note(report: &VerdictReport<'_>) -> Option<String> {
    match report.explanation.input? {
        EndlessRunInput::Finite => Some("all of its input is finite".to_owned()),
        EndlessRunInput::Endless => Some(
            "no such run was found for finite input (use --input ends to look only for those)"
                .to_owned(),
        ),
    }
}

/// Why the loop never ends, in the user's words.
fn loop_notes(report: &VerdictReport<'_>, recurrence: &StateRecurrence) -> Vec<String> {
    let (turn, every) = if recurrence.recursion {
        ("with every call", "every call")
    } else {
        ("after every iteration", "every iteration")
    };
    let variables = &report.explanation.variables;
    let shown: Vec<String> = variables
        .iter()
        .take(LIMITS.variables)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let mut notes = Vec::new();
    match (shown.as_slice(), variables.len()) {
        ([], _) => notes.push(format!(
            "{every} leaves the state unchanged, as far as the program \
             can tell"
        )),
        ([one], _) => notes.push(format!("{one} comes back unchanged {turn}")),
        (some, all) if all > some.len() => notes.push(format!(
            "{}, and {} more come back unchanged {turn}",
            some.join(", "),
            all - some.len()
        )),
        (some, _) => notes.push(format!("{} come back unchanged {turn}", some.join(", "))),
    }
    let (_, cycle) = recurrence.split_inputs();
    if !program_inputs(cycle).is_empty() {
        notes
            .push(format!("provided that the inputs marked 'again' below are the same in {every}"));
    }
    if recurrence.recursion {
        notes.push("in practice the stack overflows".to_owned());
    }
    notes
}

/// The inputs, in the order in which the program asks for them.
fn inputs_text(
    report: &VerdictReport<'_>,
    before: &[RunInput],
    cycle: &[RunInput],
    style: TextStyle,
) -> String {
    if before.is_empty() && cycle.is_empty() {
        let runs = match report.assumptions().is_empty() {
            true => "every run",
            false => "every run that is as assumed",
        };
        return format!("\nIt needs no input: {runs} gets here.\n");
    }
    let mut out = format!("\n{}\n", style.strong("With these inputs, in this order:"));
    let types = InputTypes::of_program(report.program());
    let mut number = 0;
    for (part, mark) in [(before, ""), (cycle, "again and again")] {
        for input in part.iter().take(LIMITS.inputs) {
            number += 1;
            let aside = match (input.place.is_known(), mark) {
                (true, "") => format!("  ({}:{})", input.place.file, input.place.line),
                (true, _) => format!("  ({}:{}, {mark})", input.place.file, input.place.line),
                (false, "") => String::new(),
                (false, _) => format!("  ({mark})"),
            };
            out +=
                &format!("{number:>4}. {}{aside}\n", style.strong(&describe_input(input, &types)));
        }
        number += part.len().saturating_sub(LIMITS.inputs);
        out += &left_out_text(part.len(), LIMITS.inputs, "      ");
    }
    out
}

/// The output that the environment decides about: a function's, or one in plain words.
pub(crate) fn output_name(output: &str) -> String {
    if output.contains(' ') { output.to_owned() } else { format!("{output}()") }
}

/// What the environment decides, and how.
fn describe_input(input: &RunInput, types: &InputTypes) -> String {
    match &input.source {
        ChoiceSource::Function(name) => format!("{name}() = {}", types.value_text(input)),
        ChoiceSource::Allocation(name) => {
            format!("{name}() {}", if input.bits == 0 { "succeeds" } else { "fails" })
        }
        ChoiceSource::Output(what) => {
            format!("{} {}", output_name(what), if input.bits == 0 { "succeeds" } else { "fails" })
        }
        ChoiceSource::Other(what) => format!("{what} = {}", types.value_text(input)),
        ChoiceSource::Guess => format!("the specification guesses {}", input.bits),
    }
}

fn terminates_text(report: &VerdictReport<'_>, evidence: &Evidence, style: TextStyle) -> String {
    let mut out = format!(
        "{}: every run of {} terminates, whatever the input\n",
        style.good("terminates"),
        report.subject_name()
    );
    if let Evidence::Exhausted(exhaustion) = evidence {
        out += &format!("  {}\n", exhaustion_text(exhaustion));
    }
    if let Some(WraparoundBehaviour::Terminates) = report.explanation.wrapping {
        out += "  this also holds if integers wrap around, as with gcc -fwrapv\n";
    }
    // Those of a program are in the list of its loops.
    if let (ReportSubject::System(_), Some(all)) = (report.about, report.ranking_texts()) {
        out += &system::rankings_text(&all, style);
    }
    out
}

fn exhaustion_text(exhaustion: &PathExhaustion) -> String {
    let PathExhaustion { states, forks, steps, .. } = exhaustion;
    let steps = count_with_noun(*steps, "step");
    match states {
        0 | 1 => format!("its only path was run to the end: {steps}"),
        _ => format!(
            "all {states} paths were run to the end: {}, {steps}",
            count_with_noun(*forks, "fork")
        ),
    }
}

/// How many were left out.
fn left_out_text(all: usize, shown: usize, indent: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!("{indent}… and {more} more (--format json lists all)\n"),
    }
}

fn count_with_noun(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Each loop of the program and what became of it.
fn loop_list(report: &VerdictReport<'_>, style: TextStyle) -> String {
    // An excerpt has shown the only loop already, if that is the one that never ends.
    if report.loops.is_empty() || matches!(report.loops, [only] if only.fate == LoopFate::Loops) {
        return String::new();
    }
    let places: Vec<String> = report.loops.iter().map(|one| one.place.to_string()).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0).min(60);
    let mut out = format!("\n{}\n", style.strong("Loops:"));
    for (place, one) in places.iter().zip(report.loops).take(LIMITS.loops) {
        let word = match one.fate {
            LoopFate::Terminates => style.good("terminates"),
            LoopFate::Loops => style.bad("loops forever"),
            LoopFate::Unknown => style.doubtful("unknown"),
        };
        out += &format!("  {place:width$}  {word}: {}\n", system::cut_text(&one.reason));
    }
    out + &left_out_text(places.len(), LIMITS.loops, "  ")
}

/// What the proof uses about what recursive calls return.
fn call_list(report: &VerdictReport<'_>, style: TextStyle) -> String {
    let calls = calls::call_return_facts(report);
    if calls.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{}\n", style.strong("Recursive calls:"));
    for CallReturnFacts { call, known } in calls.iter().take(LIMITS.loops) {
        out += &format!("  {call} returns\n");
        for known in known {
            out += &format!("    {}\n", system::cut_text(known));
        }
    }
    out + &left_out_text(calls.len(), LIMITS.loops, "  ")
}

fn unknown_text(report: &VerdictReport<'_>, reason: &UnknownReason, style: TextStyle) -> String {
    let mut out = format!("{}: {}\n", style.doubtful("unknown"), reason.describe_cause());
    let advice: Vec<String> = advice_for_unknown(report, reason)
        .into_iter()
        .map(|advice| format!("help: {advice}"))
        .collect();
    match report.answer_place() {
        Some(place) => {
            let excerpt = SourceExcerpt { place: &place, label: "", others: &[], notes: &advice };
            out += &excerpt.render(report.sources, style);
        }
        None => advice.iter().for_each(|advice| out += &format!("  {advice}\n")),
    }
    out
}

/// What the user could do about it.
fn advice_for_unknown(report: &VerdictReport<'_>, reason: &UnknownReason) -> Option<&'static str> {
    match reason {
        // There is nothing smaller to ask of a system.
        UnknownReason::Limit { .. } | UnknownReason::Incomplete { .. }
            if matches!(report.about, ReportSubject::System(_)) =>
        {
            None
        }
        UnknownReason::Time { .. } => Some("allow more time, for example --timeout 10m"),
        UnknownReason::Memory { .. } => Some("allow more memory with --memory, in MiB"),
        UnknownReason::Limit { .. } => {
            Some("check a part of the program that does not use it: --function NAME")
        }
        UnknownReason::Incomplete { .. } => Some("try a part of the program: --function NAME"),
        UnknownReason::LayoutDependent { .. } => Some(
            "make the program independent of addresses; for example, do not compare pointers to \
             different objects",
        ),
        UnknownReason::SignedOverflow { .. } if report.explanation.wrapping.is_some() => {
            Some("if integers wrap around, as with gcc -fwrapv, every run terminates (--ints wrap)")
        }
        UnknownReason::SignedOverflow { .. } => Some(
            "use --ints wrap to check what happens if signed integers wrap around, as with gcc \
             -fwrapv",
        ),
        UnknownReason::Solver { .. } => Some("allow more time with --timeout"),
        UnknownReason::Rejected { .. } => Some("please report it, and attach the program"),
    }
}
