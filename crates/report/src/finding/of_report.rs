//! Findings from the answer to one question.
//!
//! A program about whose termination was asked gives a finding for each loop; the one that never ends has
//! the run. What has no loop to be said of (a recursion, a specification, a transition system, a program
//! without loops) is one finding of its own.

use std::collections::BTreeMap;

use ouro_evidence as evidence;
use ouro_evidence::{ChoiceSource, EndlessRunInput, Evidence, Verdict};

use super::fingerprint::loop_fingerprint;
use super::{
    EvidenceStatus, FindingAnswer, FindingCertificate, FindingInput, FindingKind, FindingPlace,
    ReportFinding,
};
use crate::closed::states_at_heads;
use crate::ctype::InputTypes;
use crate::liveness::violating_run;
use crate::schema::seconds;
use crate::witness::loop_keyword_column;
use crate::{LoopFate, LoopReport, ReportSubject, VerdictReport};

/// The findings of a report, by file and line. `certificate` is the file that the certificate is
/// written to.
pub fn findings_of_report(
    report: &VerdictReport<'_>,
    certificate: Option<&str>,
) -> Vec<ReportFinding> {
    let words = FindingWords { report };
    let mut all: Vec<ReportFinding> = Vec::new();
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for one in report.loops {
        let ordinal = seen.entry((&one.place.file, &one.place.function)).or_default();
        all.push(words.loop_finding(one, *ordinal));
        *ordinal += 1;
    }
    // The loop that never ends is not always one that the front end sees: then it is a finding itself.
    let shown = all.iter().any(|finding| finding.verdict.is_bad());
    let bad = matches!(report.verdict, Verdict::Loops(_) | Verdict::Violated(_));
    if all.is_empty() || (bad && !shown) {
        all.insert(0, words.whole_finding());
    }
    for finding in &mut all {
        finding.seconds = seconds(report.elapsed);
        if finding.verdict != FindingAnswer::Unknown {
            let file = certificate.map(str::to_owned);
            finding.certificate = FindingCertificate { status: EvidenceStatus::Accepted, file };
        }
    }
    all.sort_by(|a, b| (&a.file, a.line, a.kind).cmp(&(&b.file, b.line, b.kind)));
    all
}

struct FindingWords<'a> {
    report: &'a VerdictReport<'a>,
}

impl FindingWords<'_> {
    /// What is known about one of the program's loops.
    fn loop_finding(&self, one: &LoopReport, ordinal: usize) -> ReportFinding {
        let (verdict, reason, argument) = match one.fate {
            LoopFate::Terminates => (FindingAnswer::Terminates, None, Some(one.reason.clone())),
            LoopFate::Loops => (FindingAnswer::Loops, None, self.recurrent_set_text()),
            LoopFate::Unknown => (FindingAnswer::Unknown, Some(one.reason.clone()), None),
        };
        let finding = self.new_finding(&one.place, FindingKind::Loop, verdict, ordinal);
        let finding = ReportFinding { reason, argument, ..finding };
        if verdict == FindingAnswer::Loops { self.with_run(finding) } else { finding }
    }

    /// What is known, where no loop is to be named.
    fn whole_finding(&self) -> ReportFinding {
        let report = self.report;
        let recursion = match report.verdict.evidence() {
            Some(Evidence::Recurs(run)) => run.recursion,
            Some(Evidence::Closed(set)) => set.recursion,
            _ => false,
        };
        let (verdict, reason) = match report.verdict {
            Verdict::Terminates(_) => (FindingAnswer::Terminates, None),
            Verdict::Loops(_) => (FindingAnswer::Loops, None),
            Verdict::Holds(_) => (FindingAnswer::Holds, None),
            Verdict::Violated(_) => (FindingAnswer::Violated, None),
            Verdict::Unknown(reason) => (FindingAnswer::Unknown, Some(reason.to_string())),
        };
        let kind = match report.about {
            _ if matches!(verdict, FindingAnswer::Holds | FindingAnswer::Violated) => {
                FindingKind::Program
            }
            ReportSubject::Program { .. } if recursion => FindingKind::Recursion,
            ReportSubject::Program { .. } if verdict == FindingAnswer::Loops => FindingKind::Loop,
            ReportSubject::Program { function, .. } if function != "main" => FindingKind::Function,
            _ => FindingKind::Program,
        };
        let place =
            report.answer_place().or_else(|| self.start_place()).unwrap_or(evidence::SourcePlace {
                file: String::new(),
                line: 0,
                function: String::new(),
            });
        let mut finding = self.new_finding(&place, kind, verdict, 0);
        finding.reason = reason;
        finding.argument = match report.verdict {
            Verdict::Loops(_) | Verdict::Violated(_) => self.recurrent_set_text(),
            Verdict::Terminates(_) | Verdict::Holds(_) => self.ranking_text(),
            Verdict::Unknown(_) => None,
        };
        if verdict.is_bad() { self.with_run(finding) } else { finding }
    }

    fn new_finding(
        &self,
        place: &evidence::SourcePlace,
        kind: FindingKind,
        verdict: FindingAnswer,
        ordinal: usize,
    ) -> ReportFinding {
        let spot = self.finding_place(place);
        ReportFinding {
            fingerprint: loop_fingerprint(&place.function, ordinal, &spot.text),
            verdict,
            assumed: self.report.assumptions(),
            ..ReportFinding::new_undecided(spot.file, spot.line, spot.column, &place.function, kind)
        }
    }

    /// Where the function that was asked about begins, or the file of a system.
    fn start_place(&self) -> Option<evidence::SourcePlace> {
        match self.report.about {
            ReportSubject::System(Some((_, file))) => Some(evidence::SourcePlace {
                file: file.to_owned(),
                line: 1,
                function: String::new(),
            }),
            ReportSubject::System(None) => None,
            ReportSubject::Program { function, program, .. } => {
                let program = program?;
                let (id, found) =
                    program.functions.enumerate().find(|(_, f)| f.name == function)?;
                Some(evidence::SourcePlace::of_span(program, id, found.span))
            }
        }
    }

    /// The states that the run never leaves, or the obligation that it breaks.
    fn recurrent_set_text(&self) -> Option<String> {
        let report = self.report;
        let mut parts: Vec<String> = Vec::new();
        if let Some(violated) = violating_run(report) {
            parts.extend(violated.obligation.map(|(name, _)| format!("breaks '{name}'")));
            parts.extend(violated.promised.map(|place| format!("promised at {place}")));
            parts.extend(violated.fairness.iter().cloned());
        }
        if let Some(overflow) = report.after_overflow() {
            let places: Vec<String> = overflow.places.iter().map(ToString::to_string).collect();
            parts.push(format!("{} at {}", overflow.what, places.join(" or ")));
        }
        if report.explanation.input == Some(EndlessRunInput::Endless) {
            parts.push("its input never ends".to_owned());
        }
        if report.recurrence().is_some() {
            let variables = report.explanation.variables.iter();
            let state: Vec<String> =
                variables.map(|(name, value)| format!("{name} = {value}")).collect();
            parts.push(match state.as_slice() {
                [] => "the state comes back unchanged, as far as the program can tell".to_owned(),
                [one] => format!("{one} comes back unchanged in every iteration"),
                some => format!("{} come back unchanged in every iteration", some.join(", ")),
            });
        }
        for at in report.closed_set().map(states_at_heads).unwrap_or_default() {
            parts.push(format!("at {}: {}", at.place, at.set));
        }
        for at in report.endless_run().map(|run| run.states).unwrap_or_default() {
            parts.push(format!("at {}: {}", at.location, at.set));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// What gets smaller.
    fn ranking_text(&self) -> Option<String> {
        let ranked = self.report.ranking_texts().unwrap_or_default();
        let parts: Vec<String> = (ranked.iter())
            .filter(|at| !at.ranking.is_empty() || !at.measures.is_empty())
            .map(|at| match at.measures.as_slice() {
                [] => format!("at {}: ({}) gets smaller", at.location, at.ranking.join(", ")),
                some => format!("at {}: {} gets smaller", at.location, some.join(" or ")),
            })
            .collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// A finding with the run that never ends, or breaks an obligation.
    fn with_run(&self, finding: ReportFinding) -> ReportFinding {
        let overflow = self.report.after_overflow().and_then(|overflow| overflow.places.first());
        let finding = ReportFinding {
            after_overflow: overflow.map(|place| self.finding_place(place)),
            ..finding
        };
        let types = InputTypes::of_program(self.report.program());
        let (inputs, again): (&[evidence::RunInput], usize) = match self.report.verdict.evidence() {
            Some(Evidence::Recurs(run)) => (&run.inputs, run.cycle_inputs),
            Some(Evidence::Closed(set)) => (&set.inputs, set.inputs.len()),
            Some(Evidence::Violation(run)) => (&run.inputs, run.inputs.len()),
            _ => return self.with_system_run(finding),
        };
        let of_program = (inputs.iter().enumerate())
            .filter(|(_, input)| input.source != ChoiceSource::Guess)
            .map(|(number, input)| {
                let value = match &input.source {
                    ChoiceSource::Allocation(_) | ChoiceSource::Output(_) => {
                        if input.bits == 0 { "succeeds" } else { "fails" }.to_owned()
                    }
                    _ => types.value_text(input),
                };
                let name = match &input.source {
                    ChoiceSource::Function(name) | ChoiceSource::Allocation(name) => {
                        format!("{name}()")
                    }
                    ChoiceSource::Output(what) => crate::text::output_name(what),
                    ChoiceSource::Other(what) => what.clone(),
                    ChoiceSource::Guess => String::new(),
                };
                let place = self.finding_place(&input.place);
                FindingInput { place, name, value, again: number >= again }
            });
        let inputs: Vec<FindingInput> = of_program.collect();
        let asked = |input: &FindingInput| {
            let text = format!("{} = {}", input.name, input.value);
            (input.place.line != 0).then(|| FindingPlace { text, ..input.place.clone() })
        };
        let stem = inputs.iter().filter(|input| !input.again).filter_map(asked).collect();
        let cycle = self.report.explanation.cycle.iter().filter(|place| place.is_known());
        let cycle = cycle.map(|place| self.finding_place(place)).collect();
        ReportFinding { inputs, stem, cycle, ..finding }
    }

    /// The same for a transition system.
    fn with_system_run(&self, finding: ReportFinding) -> ReportFinding {
        let (Some(run), ReportSubject::System(Some((_, file)))) =
            (self.report.endless_run(), self.report.about)
        else {
            return finding;
        };
        let at =
            |line: u32, text: String| FindingPlace { file: file.to_owned(), line, column: 0, text };
        let initial = run.initial.iter().map(|value| FindingInput {
            place: at(0, String::new()),
            name: value.name.clone(),
            value: value.value.clone(),
            again: false,
        });
        let stem =
            run.stem.iter().map(|step| at(step.line, format!("{} → {}", step.from, step.to)));
        let moves = run.states.iter().flat_map(|states| states.moves.iter().flatten());
        let cycle = moves.map(|step| at(step.line, format!("{} → {}", step.from, step.to)));
        ReportFinding {
            inputs: initial.collect(),
            stem: stem.collect(),
            cycle: cycle.collect(),
            ..finding
        }
    }

    /// A place with the text of its line. The column is that of the loop's keyword, or where the line starts.
    fn finding_place(&self, place: &evidence::SourcePlace) -> FindingPlace {
        let source = self.report.sources.get(&place.file).map_or("", String::as_str);
        let line = match place.line {
            0 => "",
            number => source.lines().nth(number as usize - 1).unwrap_or(""),
        };
        let indent = line.chars().take_while(|c| c.is_whitespace()).count();
        let first = u32::try_from(indent + 1).unwrap_or(0);
        let column = match line.trim() {
            "" => 0,
            _ => loop_keyword_column(line).unwrap_or(first),
        };
        FindingPlace {
            file: place.file.clone(),
            line: place.line,
            column,
            text: line.trim().to_owned(),
        }
    }
}
