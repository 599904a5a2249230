//! From invariants and rankings over polynomials to evidence.

use ouro_evidence::{RankedPlace, Ranking};
use ouro_model::transition::TransitionSystem;
use ouro_term::Sort;

use super::invariants::Known;
use super::lexicographic::Ranks;
use crate::paths::graph::Graph;
use crate::paths::lower::Reading;
use crate::paths::poly::Atom;
use crate::paths::text::Writer;

/// The evidence.
pub(crate) fn ranking(
    system: &TransitionSystem,
    reading: Reading<'_>,
    graph: &Graph,
    invariants: &[Known],
    ranks: &Ranks,
) -> Option<Ranking> {
    let mut writer = Writer::reading(system, reading);
    let mut places = Vec::new();
    // An element has the same sort everywhere, so that it can be compared.
    let length = ranks.iter().map(Vec::len).max().unwrap_or(0);
    let sorts: Option<Vec<Sort>> = (0..length)
        .map(|element| writer.common(ranks.iter().filter_map(|rank| rank.get(element))))
        .collect();
    let sorts = sorts?;
    for location in 0..system.locations.len() {
        // A location that the graph does not have is only passed through, or leads nowhere; the
        // initial one is a place only if something comes back to it.
        let is_left = graph.paths.iter().any(|path| path.from == location);
        if !is_left || location == graph.start {
            continue;
        }
        let invariant = match &invariants[location] {
            Some(atoms) => {
                let atoms: Vec<Atom> =
                    atoms.iter().filter(|atom| !writer.is_idle(atom)).cloned().collect();
                writer.all(&atoms)?
            }
            None => "false".to_owned(),
        };
        let mut ranking = Vec::new();
        for (poly, sort) in ranks[location].iter().zip(&sorts) {
            ranking.push(writer.number(poly, *sort)?);
        }
        places.push(RankedPlace { location: u32::try_from(location).ok()?, invariant, ranking });
    }
    Some(Ranking { places })
}
