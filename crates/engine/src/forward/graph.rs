//! The graph of regions: which moves lead where, which region lies in which, and who can stay.
//!
//! It is the state graph of Bakhirkin, Berdine and Piterman (2015), with one difference. Their sets
//! are universal: whatever the program does, it stays. Here a run may pick its moves, so a region has
//! an edge for each move that can be made everywhere in it, and one good move is enough.

use super::region::StateRegion;

/// What is known about a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RegionStatus {
    /// Nothing yet.
    Unknown,
    /// Every run from here leaves the part.
    MustExit,
    /// It is not in a recurrent component, and larger ones are not either.
    MayExit,
    /// It is in a recurrent component.
    Recurrent,
}

/// A region and its edges.
#[derive(Clone, Debug)]
pub(crate) struct RegionNode {
    pub(crate) region: StateRegion,
    pub(crate) status: RegionStatus,
    /// Whether its moves are known.
    pub(crate) expanded: bool,
    /// Whether further moves can be made in some of its states.
    pub(crate) open: bool,
    /// For each move that can be made everywhere here: its number, and the regions that together
    /// have all states that it leads to.
    pub(crate) moves: Vec<(usize, Vec<usize>)>,
    /// Regions that contain this one.
    pub(crate) within: Vec<usize>,
    /// How often the region that this is a part of was cut.
    pub(crate) cuts: usize,
}

/// All regions found so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionGraph {
    pub(crate) nodes: Vec<RegionNode>,
}

impl RegionGraph {
    /// The number of a region, and whether it is new. A new one is related to all others.
    pub(crate) fn add_region(&mut self, region: StateRegion, cuts: usize) -> (usize, bool) {
        if let Some(known) = self.nodes.iter().position(|node| node.region == region) {
            return (known, false);
        }
        let new = self.nodes.len();
        let mut within = Vec::new();
        for (at, node) in self.nodes.iter_mut().enumerate() {
            if node.region.subsumes(&region) {
                within.push(at);
            } else if region.subsumes(&node.region) {
                node.within.push(new);
            }
        }
        self.nodes.push(RegionNode {
            region,
            status: RegionStatus::Unknown,
            expanded: false,
            open: false,
            moves: Vec::new(),
            within,
            cuts,
        });
        (new, true)
    }

    /// Carries on what is known, until nothing new comes out. For a region:
    ///
    /// 1. it must exit if all targets of all its moves must, and no other move can be made in it;
    /// 2. it must exit if it lies in one that must;
    /// 3. it is recurrent if it lies in one that is;
    /// 4. it is recurrent if all targets of one of its moves are;
    /// 5. it may exit if each of its moves has a target that may or must;
    /// 6. it may exit if one that may or must exit lies in it.
    ///
    /// The paper has two more, from a region to its targets; they hold only where there is no choice
    /// between moves, and save work there.
    pub(crate) fn propagate_statuses(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..self.nodes.len() {
                let status = self.derive_status(at);
                if status != self.nodes[at].status {
                    self.nodes[at].status = status;
                    changed = true;
                }
            }
        }
    }

    fn derive_status(&self, at: usize) -> RegionStatus {
        let node = &self.nodes[at];
        if matches!(node.status, RegionStatus::MustExit | RegionStatus::Recurrent) {
            return node.status;
        }
        let is = |other: &usize, status: RegionStatus| self.nodes[*other].status == status;
        let recurrent = |other: &usize| is(other, RegionStatus::Recurrent);
        let must = |other: &usize| is(other, RegionStatus::MustExit);
        let exits =
            |other: &usize| is(other, RegionStatus::MustExit) || is(other, RegionStatus::MayExit);
        let stays = node.moves.iter().any(|(_, targets)| targets.iter().all(recurrent));
        if stays || node.within.iter().any(recurrent) {
            return RegionStatus::Recurrent;
        }
        let known = node.expanded && !node.open;
        if node.within.iter().any(must)
            || (known && node.moves.iter().all(|(_, targets)| targets.iter().all(must)))
        {
            return RegionStatus::MustExit;
        }
        let leaves =
            node.expanded && node.moves.iter().all(|(_, targets)| targets.iter().any(exits));
        let inner = |other: &RegionNode| {
            matches!(other.status, RegionStatus::MustExit | RegionStatus::MayExit)
                && other.within.contains(&at)
        };
        if leaves || self.nodes.iter().any(inner) { RegionStatus::MayExit } else { node.status }
    }

    /// Marks the largest recurrent component: regions each of which lies in another, or has a move
    /// whose targets are all, among them. Says whether it grew.
    pub(crate) fn mark_recurrent_component(&mut self) -> bool {
        let mut inside: Vec<bool> = (self.nodes.iter())
            .map(|node| matches!(node.status, RegionStatus::Unknown | RegionStatus::Recurrent))
            .collect();
        loop {
            let stays = |at: usize| {
                let node = &self.nodes[at];
                node.status == RegionStatus::Recurrent
                    || node.within.iter().any(|other| inside[*other])
                    || (node.expanded
                        && node.moves.iter().any(|(_, to)| to.iter().all(|other| inside[*other])))
            };
            let leaving: Vec<usize> =
                (0..inside.len()).filter(|at| inside[*at] && !stays(*at)).collect();
            if leaving.is_empty() {
                break;
            }
            for at in leaving {
                inside[at] = false;
            }
        }
        let mut grew = false;
        for (node, inside) in self.nodes.iter_mut().zip(inside) {
            if inside && node.status != RegionStatus::Recurrent {
                node.status = RegionStatus::Recurrent;
                grew = true;
            }
        }
        grew
    }
}
