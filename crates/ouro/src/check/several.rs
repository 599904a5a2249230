//! Several questions about one program: the obligations of specifications, one after the other. Each is
//! a proof of its own, and the worst answer is the answer to all.

use std::time::Instant;

use ouro_report::check_report::ObligationRecord;
use ouro_solver::clock;

use crate::exit;
use crate::failure::Failure;
use crate::options::CheckOptions;
use crate::outcome::OutputFile;
use crate::outputs;
use crate::pipeline::EngineBudget;
use crate::questions::AskedQuestion;
use crate::report::CheckOutcome;

/// Answers them, each within its share of the time that is left.
pub(super) fn answer_questions(
    questions: Vec<AskedQuestion>,
    asked: &CheckOptions,
    mut one: impl FnMut(AskedQuestion, Instant) -> Result<CheckOutcome, Failure>,
    budget: &EngineBudget,
) -> Result<CheckOutcome, Failure> {
    if let [question] = &questions[..] {
        return one(question.clone(), budget.deadline);
    }
    let files = [
        ("--reproducer", &asked.reproducer),
        ("--witness", &asked.witness),
        ("--graph", &asked.graph),
    ];
    if let Some((option, _)) = files.iter().find(|(_, file)| file.is_some()) {
        return Err(Failure::BadInput(format!(
            "{option} needs a single obligation, and there are several; choose one with \
             --obligation"
        )));
    }
    let mut answers = Vec::new();
    let count = questions.len();
    for (index, question) in questions.into_iter().enumerate() {
        let now = clock::budget_now();
        let left = budget.deadline.saturating_duration_since(now);
        let share = left / u32::try_from(count - index).unwrap_or(u32::MAX);
        let name = question.name().to_owned();
        answers.push((name, one(question, now + share)?));
    }
    Ok(join_answers(answers))
}

/// What is said about all of them: the report of the worst, with the verdicts of all in `obligations`.
fn join_answers(answers: Vec<(String, CheckOutcome)>) -> CheckOutcome {
    let badness = |outcome: &CheckOutcome| match outcome.exit_code {
        exit::TERMINATES => 0,
        exit::UNKNOWN => 1,
        exit::LOOPS => 2,
        _ => 3,
    };
    // Of several that are as bad, the first.
    let worst = answers.iter().rev().max_by_key(|(_, outcome)| badness(outcome));
    let (_, worst) = worst.expect("several questions have several answers");
    let mut all = CheckOutcome::new(worst.report.clone(), String::new(), worst.exit_code);
    all.report.findings.clear();
    all.report.notes.clear();
    for (name, outcome) in answers {
        all.text += &format!("obligation '{name}':\n{}", outcome.text);
        let verdict = outcome.report.verdict;
        all.report.obligations.push(ObligationRecord { name: name.clone(), verdict });
        all.messages.extend(outcome.messages);
        all.report.notes.extend(outcome.report.notes);
        for OutputFile { path, text } in outcome.files {
            // Certificates of several obligations are beside each other, as those of several call sites.
            let path = match all.files.first() {
                None => path,
                Some(first) => outputs::numbered_path(&first.path, all.files.len() + 1),
            };
            all.note(format!("{} is about '{name}'", path.display()));
            all.add_file(path, text);
        }
        for mut finding in outcome.report.findings {
            // All are about the same program; which promise is meant has to be in the words.
            finding.argument = Some(match finding.argument {
                Some(argument) => format!("obligation '{name}': {argument}"),
                None => format!("obligation '{name}'"),
            });
            finding.fingerprint = format!("{}-{name}", finding.fingerprint);
            all.report.findings.push(finding);
        }
    }
    all
}
