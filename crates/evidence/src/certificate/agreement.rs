//! Whether a certificate agrees with itself: what can be seen without the program.

use std::collections::BTreeSet;

use super::{Certificate, CertificateSubject};
use crate::{
    Claim, ClosedSet, Evidence, ObligationViolation, PartwiseTermination, ProgramQuestion,
    ProgramRanking, RankingLevel, RecurrentSet, RunInput, StateHole, StateRecurrence,
    SystemRanking, TransitionInvariant,
};

/// What does not agree, in a sentence without a full stop.
type AgreementResult = Result<(), String>;

impl Certificate {
    pub(super) fn agrees_with_itself(&self) -> AgreementResult {
        if self.subject.source_files().is_empty() {
            return Err("it names no source file".to_owned());
        }
        for file in self.subject.source_files() {
            let digits = file.sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            if file.sha256.len() != 64 || !digits {
                return Err(format!("the sha256 of {} is not 64 hexadecimal digits", file.path));
            }
        }
        let claim = self.evidence.claim(self.verdict.question());
        if self.verdict != claim {
            return Err(format!(
                "its verdict is '{}', but its evidence is for '{}'",
                self.verdict.phrase(),
                claim.phrase()
            ));
        }
        match (&self.subject, &self.evidence) {
            (CertificateSubject::Program(_), Evidence::Recurs(recurrence)) => {
                recurrence_agrees(recurrence)
            }
            (CertificateSubject::Program(_), Evidence::Closed(set)) => closed_set_agrees(set),
            (CertificateSubject::Program(_), Evidence::Exhausted(_)) => Ok(()),
            (CertificateSubject::Program(_), Evidence::Violation(violation)) => {
                violation_agrees(self.verdict, violation)
            }
            (CertificateSubject::Program(_), Evidence::RankedProgram(ranking)) => {
                program_ranking_agrees(self.verdict, ranking)
            }
            (CertificateSubject::Program(_), Evidence::Partwise(proof)) => {
                parts_agree(self.verdict, proof)
            }
            (CertificateSubject::System(_), _)
                if self.verdict.question() != ProgramQuestion::Termination =>
            {
                Err("it names a specification, but it is about a transition system".to_owned())
            }
            (CertificateSubject::System(_), Evidence::Recurrent(set)) => recurrent_set_agrees(set),
            (CertificateSubject::System(_), Evidence::Ranked(ranking)) => ranking_agrees(ranking),
            (CertificateSubject::Program(_), Evidence::Recurrent(_) | Evidence::Ranked(_)) => {
                Err("it is about a program, but its evidence is about a transition \
                     system"
                    .to_owned())
            }
            (
                CertificateSubject::System(_),
                Evidence::Recurs(_)
                | Evidence::Closed(_)
                | Evidence::Violation(_)
                | Evidence::Exhausted(_)
                | Evidence::Partwise(_)
                | Evidence::RankedProgram(_),
            ) => Err("it is about a transition system, but its evidence is about a \
                      program"
                .to_owned()),
        }?;
        self.answers_its_question()
    }

    /// A program is asked about a specification if and only if there is one. Evidence that all paths end,
    /// for one, means something else without the specification that cuts some of them off.
    fn answers_its_question(&self) -> AgreementResult {
        let CertificateSubject::Program(identity) = &self.subject else { return Ok(()) };
        match (self.verdict.question(), &identity.specification) {
            (ProgramQuestion::Liveness, None) => Err(format!(
                "its verdict is '{}', but it names no specification",
                self.verdict.phrase()
            )),
            (ProgramQuestion::Termination, Some(_)) => Err(format!(
                "its verdict is '{}', but it is about a specification",
                self.verdict.phrase()
            )),
            _ => Ok(()),
        }
    }
}

fn recurrence_agrees(recurrence: &StateRecurrence) -> AgreementResult {
    if recurrence.first_step >= recurrence.second_step {
        return Err(format!(
            "its cycle goes from step {} to step {}",
            recurrence.first_step, recurrence.second_step
        ));
    }
    if recurrence.cycle_inputs > recurrence.inputs.len() {
        return Err(format!(
            "its cycle starts at input {}, but there are {}",
            recurrence.cycle_inputs,
            recurrence.inputs.len()
        ));
    }
    inputs_agree(&recurrence.inputs)
}

fn violation_agrees(verdict: Claim, violation: &ObligationViolation) -> AgreementResult {
    if verdict.question() != ProgramQuestion::Liveness {
        return Err("it says which obligation is broken, but answers another question".to_owned());
    }
    inputs_agree(&violation.inputs)
}

fn inputs_agree(inputs: &[RunInput]) -> AgreementResult {
    for (index, input) in inputs.iter().enumerate() {
        let fits = matches!(input.width, 1..=127) && input.bits >> input.width == 0;
        if !fits && input.width != 128 {
            return Err(format!(
                "input {index} is {}, which does not fit into {} bits",
                input.bits, input.width
            ));
        }
    }
    Ok(())
}

fn recurrent_set_agrees(set: &RecurrentSet) -> AgreementResult {
    if set.places.is_empty() {
        return Err("its recurrent set has no place".to_owned());
    }
    let mut locations = BTreeSet::new();
    for place in &set.places {
        let location = place.location;
        if !locations.insert(location) {
            return Err(format!("its location {location} has two sets"));
        }
        if place.moves.iter().any(|way| way.steps.is_empty()) {
            return Err(format!("a move from its location {location} has no step"));
        }
    }
    if set.places[0].moves.is_empty() {
        return Err("there is no move from where its stem ends".to_owned());
    }
    Ok(())
}

fn ranking_agrees(ranking: &SystemRanking) -> AgreementResult {
    let mut locations = BTreeSet::new();
    for place in &ranking.places {
        if !locations.insert(place.location) {
            return Err(format!("its location {} has two rankings", place.location));
        }
    }
    transition_invariants_agree(&ranking.snapshots, ranking.places.len())
}

fn transition_invariants_agree(all: &[TransitionInvariant], places: usize) -> AgreementResult {
    let mut at = BTreeSet::new();
    for snapshot in all {
        if !at.insert(snapshot.place) {
            return Err(format!("its place {} has two snapshots", snapshot.place));
        }
        let mut later = BTreeSet::new();
        for relation in &snapshot.relations {
            if !later.insert(relation.place) {
                return Err(format!(
                    "its snapshot at place {} says twice what holds at place {}",
                    snapshot.place, relation.place
                ));
            }
        }
        if let Some(none) = at.union(&later).find(|place| **place as usize >= places) {
            return Err(format!("a snapshot speaks of place {none}, but there are {places}"));
        }
    }
    Ok(())
}

fn closed_set_agrees(set: &ClosedSet) -> AgreementResult {
    if set.heads.is_empty() {
        return Err("its closed set has no head".to_owned());
    }
    holes_agree(set.heads.iter().flat_map(|head| &head.holes))?;
    inputs_agree(&set.inputs)
}

fn program_ranking_agrees(verdict: Claim, ranking: &ProgramRanking) -> AgreementResult {
    let mut levels = ranking.heads.iter().flat_map(|head| &head.ranking);
    if verdict.question() != ProgramQuestion::Liveness
        && levels.any(|l| matches!(l, RankingLevel::Pair { .. }))
    {
        return Err("its ranking speaks of fairness, but it answers another question".to_owned());
    }
    holes_agree(ranking.heads.iter().flat_map(|head| &head.holes))?;
    transition_invariants_agree(&ranking.snapshots, ranking.heads.len())
}

fn parts_agree(verdict: Claim, proof: &PartwiseTermination) -> AgreementResult {
    if verdict.question() == ProgramQuestion::Liveness {
        return Err("it is a proof by parts, which says nothing about a specification".to_owned());
    }
    let mut heads = BTreeSet::new();
    for part in &proof.parts {
        if !heads.insert((part.function, part.head)) {
            return Err(format!("two of its parts are about what is at {}", part.place));
        }
        program_ranking_agrees(verdict, &part.ranking)?;
    }
    Ok(())
}

fn holes_agree<'a>(holes: impl Iterator<Item = &'a StateHole>) -> AgreementResult {
    let mut symbols = BTreeSet::new();
    for hole in holes {
        if !symbols.insert(&hole.symbol) {
            return Err(format!("two of its holes are called {}", hole.symbol));
        }
    }
    Ok(())
}
