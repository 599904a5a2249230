//! From relations over polynomials to evidence.

use ouro_evidence::{
    OLD, PASSED_P, PASSED_Q, SnapshotRelation, SystemRanking, TransitionInvariant,
};
use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term};

use super::FiniteVisitProof;
use crate::paths::lower::BitVectorReading;
use crate::paths::poly::PolyVar;
use crate::paths::text::PolyTermWriter;

/// What the snapshots are in the evidence, beside the places of a ranking; `None` if it has no words
/// for them.
pub(crate) fn write_transition_invariants(
    system: &TransitionSystem,
    reading: BitVectorReading<'_>,
    ranking: &SystemRanking,
    found: &[FiniteVisitProof],
) -> Option<Vec<TransitionInvariant>> {
    let place = |location: usize| {
        let at = |place: &ouro_evidence::RankedLocation| place.location as usize == location;
        u32::try_from(ranking.places.iter().position(at)?).ok()
    };
    // The state twice: as it is, and as it was.
    let mut twice = system.clone();
    for variable in &system.variables {
        twice.add_variable(&format!("{OLD}{}", variable.name), variable.sort)?;
    }
    // And what was passed since then.
    let mut passed: Vec<(Term, Term)> = Vec::new();
    for pair in 0..system.fairness.len() {
        let p = twice.add_variable(&format!("{PASSED_P}{pair}"), Sort::Bool)?;
        let q = twice.add_variable(&format!("{PASSED_Q}{pair}"), Sort::Bool)?;
        passed.push((p, q));
    }
    let naturals: Vec<bool> = (0..system.variables.len() as PolyVar)
        .chain(0..system.variables.len() as PolyVar)
        .map(|var| reading.is_natural(var))
        .collect();
    let mut writer = PolyTermWriter::new_with_reading(
        &twice,
        BitVectorReading { naturals: &naturals, ..reading },
    );
    let mut snapshots = Vec::new();
    for one in found {
        let mut relations = Vec::new();
        for (location, cases) in &one.relations {
            let mut any = Vec::new();
            for case in cases {
                let mut all = vec![writer.conjunction_term(&case.atoms)?];
                for (pair, (p, q)) in one.pairs.iter().zip(&case.passed) {
                    for (symbol, is_so) in [(passed[*pair].0, *p), (passed[*pair].1, *q)] {
                        all.push(if is_so { symbol } else { writer.terms.not(symbol) });
                    }
                }
                any.push(writer.terms.and_all(&all));
            }
            let formula = writer.terms.or_all(&any);
            relations.push(SnapshotRelation {
                place: place(*location)?,
                formula: writer.term_text(formula),
            });
        }
        let mut measures = Vec::new();
        for measure in &one.measures {
            let sort = writer.common_sort([measure].into_iter())?;
            let term = writer.poly_term(measure, sort)?;
            measures.push(writer.term_text(term));
        }
        snapshots.push(TransitionInvariant { place: place(one.at)?, measures, relations });
    }
    Some(snapshots)
}
