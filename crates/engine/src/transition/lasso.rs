//! A lasso: steps from the place of a snapshot back to it, of which the relations do not say that some
//! measure gets smaller. Either no run takes them, or a ranking of these steps alone says what to
//! look at; or it may be a run that never ends.

use ouro_solver::clock;

use super::part::SnapshotComponent;
use crate::Limits;
use crate::limits::TRANSITION_INVARIANT_LIMITS;
use crate::paths::ask::PolySolver;
use crate::paths::graph::PathGraph;
use crate::paths::path::{PathFailure, PolyPath};
use crate::paths::poly::{IntegerPolynomial, PolyAtom};
use crate::ranking::farkas::FarkasPremise;
use crate::ranking::functions::{self, RankingElement, RankingTemplate};

/// The one that explains most comes first: with fewer functions there are fewer cases.
const SHAPES: [RankingTemplate; 4] = [
    RankingTemplate::Nested(1),
    RankingTemplate::Nested(2),
    RankingTemplate::Nested(3),
    RankingTemplate::Nested(4),
];

/// What is the matter with a lasso.
pub(crate) enum LassoExplanation {
    /// No run takes it.
    Impossible,
    /// These get smaller along it, one after the other.
    Ranked(Vec<IntegerPolynomial>),
    /// Nothing was found. It is one path.
    Open(PolyPath),
    /// Its numbers are too large.
    TooLarge,
}

/// Looks at the steps as one path.
pub(crate) fn explain_lasso(
    graph: &PathGraph,
    part: &SnapshotComponent<'_>,
    steps: &[usize],
    case: &[PolyAtom],
    ask: &mut PolySolver,
) -> LassoExplanation {
    let mut path = PolyPath::empty(part.at, part.variables);
    for step in steps {
        match path.followed_by(part.steps[*step]) {
            Ok(longer) => path = longer,
            Err(PathFailure::Impossible) => return LassoExplanation::Impossible,
            Err(PathFailure::TooLarge) => return LassoExplanation::TooLarge,
        }
    }
    let atoms: Vec<PolyAtom> =
        path.atoms.iter().chain(case).chain(part.known_at_place()).cloned().collect();
    if ask.check_sat_relaxed(&atoms, &[]).is_unsat() {
        return LassoExplanation::Impossible;
    }
    let premise = FarkasPremise::new(&path, atoms, Limits::USUAL);
    for shape in SHAPES {
        let deadline =
            ask.deadline.min(clock::budget_now() + TRANSITION_INVARIANT_LIMITS.linear_program);
        if let Some(found) = functions::find_component_ranking(graph, &[&premise], shape, deadline)
        {
            let elements = found.elements.into_iter().flat_map(|(_, elements)| elements);
            let polys = elements.filter_map(|element| match element {
                RankingElement::Sum(poly) => Some(poly),
                RankingElement::Most(_) | RankingElement::Least(_) | RankingElement::Pair(..) => {
                    None
                }
            });
            return LassoExplanation::Ranked(polys.collect());
        }
    }
    LassoExplanation::Open(path)
}
