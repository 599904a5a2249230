//! The report on the terminal.

mod closed;
mod liveness;
mod overflow;
mod system;

use ouro_evidence::{
    AttemptRecord, ChoiceSource, Evidence, Exhaustion, Input, InputOfRun, Reason, Recurrence,
    Verdict, Wrapping, attempts_by_engine,
};

use crate::calls::{self, Returns};
use crate::ctype::Types;
use crate::excerpt::Excerpt;
use crate::liveness::of_program;
use crate::{About, Fate, Report, Style};

/// More inputs than this in a row are counted, not listed.
const MOST_INPUTS: usize = 20;

/// More loops than this are counted, not listed.
const MOST_LOOPS: usize = 100;

/// More variables than this are counted, not listed.
const MOST_VARIABLES: usize = 12;

/// The report for people. It ends with a line break.
pub fn text(report: &Report<'_>, style: Style) -> String {
    let mut out = match report.verdict {
        Verdict::Terminates(evidence) => terminates(report, evidence, style),
        Verdict::Loops(evidence) => loops(report, evidence, style),
        Verdict::Holds(evidence) => liveness::holds(report, evidence, style),
        Verdict::Violated(Evidence::Violation(violation)) => {
            liveness::broken(report, violation, style)
        }
        Verdict::Violated(evidence) => loops(report, evidence, style),
        Verdict::Unknown(reason) => unknown(report, reason, style),
    };
    out += &liveness::others(report, style);
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
    let tried = tried(report);
    out += &format!("\n({engine}{checked}{tried}{seconds:.2} s)\n");
    out
}

/// Who was asked for how long, where nobody had an answer.
fn tried(report: &Report<'_>) -> String {
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

fn loops(report: &Report<'_>, evidence: &Evidence, style: Style) -> String {
    let head = heading(report, style);
    if let Some(run) = report.endless_run() {
        return system::endless(report, &run, style);
    }
    let recurrence = match evidence {
        Evidence::Recurs(recurrence) => recurrence,
        Evidence::Closed(set) => return closed::shown(report, set, style),
        Evidence::Recurrent(_)
        | Evidence::Exhausted(_)
        | Evidence::Violation(_)
        | Evidence::Ranked(_)
        | Evidence::RankedProgram(_) => return head,
    };
    let what =
        if recurrence.recursion { "this recursion never ends" } else { "this loop never ends" };
    let mut out = head;
    let mut notes = loop_notes(report, recurrence);
    notes.extend(liveness::notes(report));
    notes.extend(overflow::notes(report));
    notes.extend(input_note(report));
    out += &Excerpt {
        place: &recurrence.place,
        label: what,
        others: &report.explanation.cycle,
        notes: &notes,
    }
    .render(report.sources, style);
    let (before, cycle) = recurrence.split_inputs();
    out += &inputs(report, &of_program(before), &of_program(cycle), style);
    out
}

/// What a run that never ends means.
fn heading(report: &Report<'_>, style: Style) -> String {
    match report.verdict {
        Verdict::Violated(_) => liveness::heading(report, style),
        _ => {
            let how = match report.after_overflow() {
                Some(overflow) => format!("loops forever once {}", overflow::happened(overflow)),
                None => "loops forever".to_owned(),
            };
            let how = match report.explanation.input {
                Some(InputOfRun::Endless) => how + " if its input never ends",
                _ => how,
            };
            format!("{}: some run of {} never ends\n", style.bad(&how), report.asked())
        }
    }
}

/// How far what the run reads reaches.
fn input_note(report: &Report<'_>) -> Option<String> {
    match report.explanation.input? {
        InputOfRun::Finite => Some("all that it reads comes to an end".to_owned()),
        InputOfRun::Endless => Some(
            "no run was found that never ends although all that it reads does (--input ends asks for those \
             alone)"
                .to_owned(),
        ),
    }
}

/// Why the loop never ends, in the user's words.
fn loop_notes(report: &Report<'_>, recurrence: &Recurrence) -> Vec<String> {
    let (turn, every) = if recurrence.recursion {
        ("with every call", "every call")
    } else {
        ("after every iteration", "every iteration")
    };
    let variables = &report.explanation.variables;
    let shown: Vec<String> = variables
        .iter()
        .take(MOST_VARIABLES)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    let mut notes = Vec::new();
    match (shown.as_slice(), variables.len()) {
        ([], _) => notes.push(format!("{every} leaves everything that matters as it was")),
        ([one], _) => notes.push(format!("{one} comes back unchanged {turn}")),
        (some, all) if all > some.len() => notes.push(format!(
            "{}, and {} more come back unchanged {turn}",
            some.join(", "),
            all - some.len()
        )),
        (some, _) => notes.push(format!("{} come back unchanged {turn}", some.join(", "))),
    }
    let (_, cycle) = recurrence.split_inputs();
    if !of_program(cycle).is_empty() {
        notes
            .push(format!("provided that the inputs marked 'again' below are the same in {every}"));
    }
    if recurrence.recursion {
        notes.push("in practice the stack overflows".to_owned());
    }
    notes
}

/// The inputs, in the order in which the program asks for them.
fn inputs(report: &Report<'_>, before: &[Input], cycle: &[Input], style: Style) -> String {
    if before.is_empty() && cycle.is_empty() {
        return "\nIt needs no input: every run gets here.\n".to_owned();
    }
    let mut out = format!("\n{}\n", style.strong("With these inputs, in this order:"));
    let types = Types::of(report.program());
    let mut number = 0;
    for (part, mark) in [(before, ""), (cycle, "again and again")] {
        for input in part.iter().take(MOST_INPUTS) {
            number += 1;
            let aside = match (input.place.is_known(), mark) {
                (true, "") => format!("  ({}:{})", input.place.file, input.place.line),
                (true, _) => format!("  ({}:{}, {mark})", input.place.file, input.place.line),
                (false, "") => String::new(),
                (false, _) => format!("  ({mark})"),
            };
            out += &format!("{number:>4}. {}{aside}\n", style.strong(&described(input, &types)));
        }
        number += part.len().saturating_sub(MOST_INPUTS);
        out += &more(part.len(), MOST_INPUTS, "      ");
    }
    out
}

/// The output that the environment decides about: a function's, or one in plain words.
pub(crate) fn called(output: &str) -> String {
    if output.contains(' ') { output.to_owned() } else { format!("{output}()") }
}

/// What the environment decides, and how.
fn described(input: &Input, types: &Types) -> String {
    match &input.source {
        ChoiceSource::Function(name) => format!("{name}() = {}", types.shown(input)),
        ChoiceSource::Allocation(name) => {
            format!("{name}() {}", if input.bits == 0 { "succeeds" } else { "fails" })
        }
        ChoiceSource::Output(what) => {
            format!("{} {}", called(what), if input.bits == 0 { "succeeds" } else { "fails" })
        }
        ChoiceSource::Other(what) => format!("{what} = {}", types.shown(input)),
        ChoiceSource::Guess => format!("the specification guesses {}", input.bits),
    }
}

fn terminates(report: &Report<'_>, evidence: &Evidence, style: Style) -> String {
    let mut out = format!(
        "{}: every run of {} ends, whatever the input\n",
        style.good("terminates"),
        report.asked()
    );
    if let Evidence::Exhausted(exhaustion) = evidence {
        out += &format!("  {}\n", exhausted(exhaustion));
    }
    if let Some(Wrapping::Terminates) = report.explanation.wrapping {
        out += "  also with integers that wrap around, as with gcc -fwrapv\n";
    }
    // Those of a program are in the list of its loops.
    if let (About::System(_), Some(all)) = (report.about, report.ranked()) {
        out += &system::ranked(&all, style);
    }
    out
}

fn exhausted(exhaustion: &Exhaustion) -> String {
    let Exhaustion { states, forks, steps, .. } = exhaustion;
    let steps = plural(*steps, "step");
    match states {
        0 | 1 => format!("its only path was run to the end: {steps}"),
        _ => format!("all {states} paths were run to the end: {}, {steps}", plural(*forks, "fork")),
    }
}

/// How many were left out.
fn more(all: usize, shown: usize, indent: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        more => format!("{indent}… and {more} more (--format json has all)\n"),
    }
}

fn plural(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Each loop of the program and what became of it.
fn loop_list(report: &Report<'_>, style: Style) -> String {
    // An excerpt has shown the only loop already, if that is the one that never ends.
    if report.loops.is_empty() || matches!(report.loops, [only] if only.fate == Fate::Loops) {
        return String::new();
    }
    let places: Vec<String> = report.loops.iter().map(|one| one.place.to_string()).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0).min(60);
    let mut out = format!("\n{}\n", style.strong("Loops:"));
    for (place, one) in places.iter().zip(report.loops).take(MOST_LOOPS) {
        let word = match one.fate {
            Fate::Terminates => style.good("terminates"),
            Fate::Loops => style.bad("runs forever"),
            Fate::Open => style.doubtful("open"),
        };
        out += &format!("  {place:width$}  {word}: {}\n", system::cut(&one.reason));
    }
    out + &more(places.len(), MOST_LOOPS, "  ")
}

/// What the proof uses about what recursive calls return.
fn call_list(report: &Report<'_>, style: Style) -> String {
    let calls = calls::returned(report);
    if calls.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{}\n", style.strong("Recursive calls:"));
    for Returns { call, known } in calls.iter().take(MOST_LOOPS) {
        out += &format!("  {call} returns\n");
        for known in known {
            out += &format!("    {}\n", system::cut(known));
        }
    }
    out + &more(calls.len(), MOST_LOOPS, "  ")
}

fn unknown(report: &Report<'_>, reason: &Reason, style: Style) -> String {
    let mut out = format!("{}: {}\n", style.doubtful("unknown"), reason.what());
    let advice: Vec<String> =
        advice(report, reason).into_iter().map(|advice| format!("help: {advice}")).collect();
    match report.place() {
        Some(place) => {
            let excerpt = Excerpt { place: &place, label: "", others: &[], notes: &advice };
            out += &excerpt.render(report.sources, style);
        }
        None => advice.iter().for_each(|advice| out += &format!("  {advice}\n")),
    }
    out
}

/// What the user could do about it.
fn advice(report: &Report<'_>, reason: &Reason) -> Option<&'static str> {
    match reason {
        // There is nothing smaller to ask of a system.
        Reason::Limit { .. } | Reason::Incomplete { .. }
            if matches!(report.about, About::System(_)) =>
        {
            None
        }
        Reason::Time { .. } => Some("--timeout gives it more time, e.g. --timeout 10m"),
        Reason::Memory { .. } => Some("--memory gives it more, in MiB"),
        Reason::Limit { .. } => {
            Some("ask about a part without it: --function NAME starts elsewhere")
        }
        Reason::Incomplete { .. } => {
            Some("a smaller question may have an answer: --function NAME starts elsewhere")
        }
        Reason::LayoutDependent { .. } => Some(
            "make it independent of addresses, e.g. of comparing pointers to different objects",
        ),
        Reason::SignedOverflow { .. } if report.explanation.wrapping.is_some() => Some(
            "with integers that wrap around, as with gcc -fwrapv, every run ends (--ints wrap)",
        ),
        Reason::SignedOverflow { .. } => Some(
            "--ints wrap asks what happens when signed integers wrap around, as with gcc -fwrapv",
        ),
        Reason::Solver { .. } => Some("--timeout gives the solver more time"),
        Reason::Rejected { .. } => Some("please report it, together with the program"),
    }
}
