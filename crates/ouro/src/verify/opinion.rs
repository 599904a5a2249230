//! `ouro verify --solver`: what another solver says about the checker's queries.

use std::fs;
use std::path::Path;
use std::time::Instant;

use ouro_check::{OpinionTally, SecondOpinion};
use ouro_report::{ReportVerdict, VerifyReport};

use crate::exit::BadInput;
use crate::options::OtherSolver;

/// The other solver, while the checker works.
pub(super) struct SolverCrossCheck {
    name: &'static str,
    asked: SecondOpinion,
}

/// Starts the solver; from now on it hears every query of this process.
pub(super) fn start_second_opinion(
    solver: OtherSolver,
    deadline: Instant,
) -> Result<SolverCrossCheck, BadInput> {
    let (name, arguments, advice) = match solver {
        OtherSolver::Cvc5 => {
            let arguments: &[&str] = &["--lang=smt2", "--tlimit-per=5000"];
            ("cvc5", arguments, "on Debian: apt-get install cvc5")
        }
    };
    match SecondOpinion::start(name, arguments, deadline) {
        Ok(asked) => Ok(SolverCrossCheck { name, asked }),
        Err(error) => Err(BadInput(format!("cannot start {name}: {error}; install it, {advice}"))),
    }
}

impl SolverCrossCheck {
    /// What the checker's answer is worth with what the other solver says. `path` is where the certificate lies.
    pub(super) fn judge_result(self, report: &mut VerifyReport, path: &Path) {
        let SolverCrossCheck { name, asked } = self;
        let opinion = asked.finish();
        if let Some(found) = &opinion.disagreement {
            let query = path.with_extension(format!("query-{}.smt2", found.number));
            let text = format!(
                "; Z3: {}, {name}: {}\n{}(check-sat)\n",
                found.ours, found.theirs, found.script
            );
            let mut why = format!(
                "Z3 and {name} disagree about query {} of the checker: Z3 says {}, {name} says {}",
                found.number, found.ours, found.theirs
            );
            if fs::write(&query, text).is_ok() {
                why += &format!("; the query is in {}", query.display());
            }
            let file = report.certificate_file.clone();
            *report = VerifyReport {
                reason: Some(why),
                ..VerifyReport::new(file, ReportVerdict::Rejected)
            };
        } else if report.verdict == ReportVerdict::Accepted {
            report.second_opinion = Some(opinion_sentence(name, &opinion));
        }
    }
}

fn opinion_sentence(name: &str, opinion: &OpinionTally) -> String {
    let OpinionTally { answers, confirmed, complaint, .. } = opinion;
    let mut text = match (answers, opinion.unanswered_count()) {
        (0, _) => return format!("{name} was not needed: the checker did not use a solver"),
        (_, 0) => return format!("{name} confirmed all {answers} answers of Z3"),
        (_, open) => {
            format!(
                "{name} confirmed {confirmed} of {answers} answers of Z3 and could not decide \
                 {open}"
            )
        }
    };
    if let Some(complaint) = complaint {
        text += &format!(" ({complaint})");
    }
    text
}
