//! A lasso: steps from the place of a snapshot back to it, of which the relations do not say that some
//! measure gets smaller. Either no run takes them, or a ranking of these steps alone says what to
//! look at; or it may be a run that never ends.

use std::time::Duration;

use ouro_solver::clock;

use super::part::Part;
use crate::Limits;
use crate::paths::ask::Ask;
use crate::paths::graph::Graph;
use crate::paths::path::{NoPath, Path};
use crate::paths::poly::{Atom, Poly};
use crate::ranking::farkas::Premise;
use crate::ranking::functions::{self, Element, Shape};

/// The longest that one linear program may take.
const PROGRAM: Duration = Duration::from_secs(5);

/// The one that explains most comes first: with fewer functions there are fewer cases.
const SHAPES: [Shape; 4] = [Shape::Nested(1), Shape::Nested(2), Shape::Nested(3), Shape::Nested(4)];

/// What is the matter with a lasso.
pub(crate) enum Matter {
    /// No run takes it.
    Impossible,
    /// These get smaller along it, one after the other.
    Ranked(Vec<Poly>),
    /// Nothing was found. It is one path.
    Open(Path),
    /// Its numbers are too large.
    TooLarge,
}

/// Looks at the steps as one path.
pub(crate) fn explain(
    graph: &Graph,
    part: &Part<'_>,
    steps: &[usize],
    case: &[Atom],
    ask: &mut Ask,
) -> Matter {
    let mut path = Path::empty(part.at, part.variables);
    for step in steps {
        match path.then(part.steps[*step]) {
            Ok(longer) => path = longer,
            Err(NoPath::Impossible) => return Matter::Impossible,
            Err(NoPath::TooLarge) => return Matter::TooLarge,
        }
    }
    let atoms: Vec<Atom> =
        path.atoms.iter().chain(case).chain(part.known_at_place()).cloned().collect();
    if ask.sat_over(&atoms, &[]).is_unsat() {
        return Matter::Impossible;
    }
    let premise = Premise::new(&path, atoms, Limits::USUAL);
    for shape in SHAPES {
        let deadline = ask.deadline.min(clock::now() + PROGRAM);
        if let Some(found) = functions::find(graph, &[&premise], shape, deadline) {
            let elements = found.elements.into_iter().flat_map(|(_, elements)| elements);
            let polys = elements.filter_map(|element| match element {
                Element::Sum(poly) => Some(poly),
                Element::Most(_) | Element::Least(_) | Element::Pair(..) => None,
            });
            return Matter::Ranked(polys.collect());
        }
    }
    Matter::Open(path)
}
