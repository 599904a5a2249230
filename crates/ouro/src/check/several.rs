//! Several questions about one program: the obligations of specifications, one after the other. Each is
//! a proof of its own, and the worst answer is the answer to all.

use std::time::Instant;

use ouro_solver::clock;
use serde_json::{Value, json};

use crate::arguments::{CheckArguments, ReportFormat};
use crate::exit::{self, BadInput};
use crate::message::WorkerResult;
use crate::outputs;
use crate::pipeline::EngineBudget;
use crate::questions::AskedQuestion;

/// Answers them, each within its share of the time that is left.
pub(super) fn answer_questions(
    questions: Vec<AskedQuestion>,
    asked: &CheckArguments,
    mut one: impl FnMut(AskedQuestion, Instant) -> Result<WorkerResult, BadInput>,
    budget: &EngineBudget,
) -> Result<WorkerResult, BadInput> {
    if let [question] = &questions[..] {
        return one(question.clone(), budget.deadline);
    }
    let files = [
        ("--reproducer", &asked.reproducer),
        ("--witness", &asked.witness),
        ("--graph", &asked.graph),
    ];
    if let Some((option, _)) = files.iter().find(|(_, file)| file.is_some()) {
        return Err(BadInput(format!(
            "{option} is for one obligation, and there are several; choose one with --obligation"
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
    Ok(join_answers(answers, asked.format))
}

/// What is said about all of them.
fn join_answers(answers: Vec<(String, WorkerResult)>, format: ReportFormat) -> WorkerResult {
    let badness = |done: &WorkerResult| match done.code {
        exit::TERMINATES => 0,
        exit::UNKNOWN => 1,
        exit::LOOPS => 2,
        _ => 3,
    };
    let worst = answers.iter().map(|answer| badness(&answer.1)).max().unwrap_or(0);
    let first = answers.iter().find(|answer| badness(&answer.1) == worst);
    let Some((_, first)) = first else { return WorkerResult::default() };
    let mut all = WorkerResult { code: first.code, ..WorkerResult::default() };
    match format {
        ReportFormat::Text => {
            for (name, done) in &answers {
                all.stdout += &format!("obligation '{name}':\n{}", done.stdout);
            }
        }
        ReportFormat::Json => all.stdout = join_answers_json(&answers, &first.stdout),
        ReportFormat::Sarif | ReportFormat::Junit => {}
    }
    for (name, done) in answers {
        all.stderr += &done.stderr;
        for (path, text) in done.files {
            // Certificates of several obligations are beside each other, as those of several call sites.
            let path = match all.files.first() {
                None => path,
                Some((first, _)) => outputs::numbered_path(first, all.files.len() + 1),
            };
            all.stderr += &format!("note: {} is about '{name}'\n", path.display());
            all.files.push((path, text));
        }
        for mut finding in done.findings {
            // All are about the same program; which promise is meant has to be in the words.
            finding.argument = Some(match finding.argument {
                Some(argument) => format!("obligation '{name}': {argument}"),
                None => format!("obligation '{name}'"),
            });
            finding.fingerprint = format!("{}-{name}", finding.fingerprint);
            all.findings.push(finding);
        }
    }
    all
}

/// The object of the worst answer, with the verdicts of all in `obligations`.
fn join_answers_json(answers: &[(String, WorkerResult)], worst: &str) -> String {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
    let verdicts = answers
        .iter()
        .map(|(name, done)| json!({ "name": name, "verdict": read(&done.stdout)["verdict"] }));
    let mut object = read(worst);
    object["obligations"] = verdicts.collect();
    format!("{object}\n")
}
