//! From invariants and rankings over polynomials to evidence.

use ouro_evidence::{RankedLocation, RankingLevel, SystemRanking};
use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term};

use super::functions::RankingElement;
use super::invariants::LocationInvariant;
use super::lexicographic::LocationRankings;
use super::split::SplitGraph;
use crate::paths::graph::strongly_connected_components;
use crate::paths::lower::BitVectorReading;
use crate::paths::poly::PolyAtom;
use crate::paths::text::PolyTermWriter;

/// The evidence.
pub(crate) fn write_ranking(
    system: &TransitionSystem,
    reading: BitVectorReading<'_>,
    split: &SplitGraph,
    invariants: &[LocationInvariant],
    ranks: &LocationRankings,
) -> Option<SystemRanking> {
    let SplitGraph { graph, cases } = split;
    let mut writer = PolyTermWriter::new_with_reading(system, reading);
    let mut places = Vec::new();
    let length = ranks.iter().map(Vec::len).max().unwrap_or(0);
    let part = location_components(system.locations.len(), split);
    let pairs: Vec<Option<usize>> = (0..length)
        .map(|element| match ranks.first()?.get(element)? {
            RankingElement::Pair(pair, _) => Some(*pair),
            _ => None,
        })
        .collect();
    for location in 0..system.locations.len() {
        // An element has the same sort everywhere in a part, so that it can be compared.
        let together = |at: usize| part[cases[at].origin] == part[location];
        let sorts: Option<Vec<Sort>> = (0..length)
            .map(|element| {
                let here = ranks.iter().enumerate().filter(|(at, _)| together(*at));
                let elements = here.filter_map(|(_, rank)| rank.get(element));
                writer.common_sort(elements.flat_map(RankingElement::polys))
            })
            .collect();
        let sorts = sorts?;
        // Where runs end comes last, as what the other cases are not.
        let is_end = |at: &usize| graph.out[*at].is_empty();
        let mut here: Vec<usize> =
            (0..graph.locations).filter(|at| cases[*at].origin == location).collect();
        here.sort_by_key(is_end);
        // A location that the graph does not have is only passed through, or leads nowhere; the
        // initial one is a place only if something comes back to it.
        let is_left = graph.paths.iter().any(|path| here.contains(&path.from));
        if !is_left || location == graph.start {
            continue;
        }
        let mut invariant = Vec::new();
        let mut others = Vec::new();
        // The first of the cases that a state is in has the ranking; the last needs no condition.
        let mut ranking: Option<Vec<Term>> = None;
        for at in here.iter().copied().rev() {
            let case = writer.conjunction_term(&cases[at].atoms)?;
            if !is_end(&at) {
                others.push(case);
            }
            let Some(known) = &invariants[at] else { continue };
            let atoms: Vec<PolyAtom> =
                known.iter().filter(|atom| !writer.follows_from_sorts(atom)).cloned().collect();
            let known = writer.conjunction_term(&atoms)?;
            if !is_end(&at) {
                invariant.push(writer.terms.and(case, known));
            }
            let elements: Option<Vec<Term>> = (ranks[at].iter().zip(&sorts))
                .map(|(element, sort)| writer.element_term(element, *sort))
                .collect();
            ranking = Some(match ranking {
                None => elements?,
                Some(others) => (elements?.into_iter().zip(others))
                    .map(|(one, other)| writer.terms.ite(case, one, other))
                    .collect(),
            });
        }
        invariant.reverse();
        if here.iter().any(is_end) {
            let others = writer.terms.or_all(&others);
            invariant.push(writer.terms.not(others));
        }
        let invariant = writer.terms.or_all(&invariant);
        let ranking = match ranking {
            Some(ranking) => ranking,
            None => (sorts.iter().zip(&pairs))
                .map(|(sort, pair)| match pair {
                    Some(_) => writer.terms.bool(false),
                    None => writer.zero_term(*sort),
                })
                .collect(),
        };
        places.push(RankedLocation {
            location: u32::try_from(location).ok()?,
            invariant: writer.term_text(invariant),
            ranking: (ranking.into_iter().zip(&pairs))
                .map(|(term, pair)| match pair {
                    None => RankingLevel::Function(writer.term_text(term)),
                    Some(pair) => {
                        let always = writer.terms.as_bool(term) == Some(true);
                        let when = (!always).then(|| writer.term_text(term));
                        RankingLevel::Pair { pair: *pair as u32, when }
                    }
                })
                .collect(),
        });
    }
    Some(SystemRanking { places, snapshots: Vec::new() })
}

/// The strongly connected part of each location, whatever the cases.
fn location_components(locations: usize, split: &SplitGraph) -> Vec<usize> {
    let SplitGraph { graph, cases } = split;
    // The start may be one that the system does not have.
    let locations = cases.iter().map(|case| case.origin + 1).fold(locations, usize::max);
    let mut out = vec![Vec::new(); locations];
    for (number, path) in graph.paths.iter().enumerate() {
        out[cases[path.from].origin].push(number);
    }
    strongly_connected_components(locations, &out, &|number| cases[graph.paths[number].to].origin)
}

impl PolyTermWriter<'_> {
    pub(crate) fn conjunction_term(&mut self, atoms: &[PolyAtom]) -> Option<Term> {
        let parts: Option<Vec<Term>> = atoms.iter().map(|atom| self.atom_term(atom)).collect();
        Some(self.terms.and_all(&parts?))
    }

    fn element_term(&mut self, element: &RankingElement, sort: Sort) -> Option<Term> {
        if let RankingElement::Pair(_, counts) = element {
            return Some(self.terms.bool(*counts));
        }
        let is_most = matches!(element, RankingElement::Most(_));
        let mut polys = element.polys().iter();
        let mut value = self.poly_term(polys.next()?, sort)?;
        for poly in polys {
            let other = self.poly_term(poly, sort)?;
            let (low, high) = if is_most { (other, value) } else { (value, other) };
            let kept = match sort {
                Sort::BitVec(_) => self.terms.bv_sle(low, high),
                _ => self.terms.int_le(low, high),
            };
            value = self.terms.ite(kept, value, other);
        }
        Some(value)
    }
}
