//! Functions of the state, one for each location of a part, that no path makes larger and some path
//! makes smaller: one linear program for all of them.
//!
//! A switch for each path says whether the function also gets smaller by 1 and is not negative
//! there; some switch has to be on. There are three shapes.
//!
//! *Nested*: a function may get smaller without bound as long as another then does: `f` gets smaller
//! always, and `g` gets smaller by 1 and minus `f`, and is not negative.
//!
//! *Most* and *least* of several functions: for each of them at the end of a path there is one at its
//! start that is larger (for the most), or the other way round (for the least). Which one is left
//! to switches.

use std::time::Instant;

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use ouro_solver::linear::{LinearRow, LinearSolution, LinearSwitch, LinearSystem};

use super::farkas::{AffineTemplate, FarkasPremise, UnknownSum, add_functions, subtract_functions};
use crate::paths::graph::PathGraph;
use crate::paths::poly::{IntegerPolynomial, PolyVar};

/// More functions than this on paths are not looked for, beyond the first few of a location.
const FUNCTIONS: usize = 60;

/// How functions make a ranking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RankingTemplate {
    /// So many, each with the help of the one before.
    Nested(usize),
    /// The largest of so many.
    Most(usize),
    /// The smallest of so many.
    Least(usize),
}

impl RankingTemplate {
    pub(crate) fn is_usual_template(self) -> bool {
        matches!(self, RankingTemplate::Nested(..=3))
    }
}

/// An element of a ranking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RankingElement {
    Sum(IntegerPolynomial),
    Most(Vec<IntegerPolynomial>),
    Least(Vec<IntegerPolynomial>),
    /// A pair of fairness, and whether it counts here.
    Pair(usize, bool),
}

impl RankingElement {
    pub(crate) fn zero() -> RankingElement {
        RankingElement::Sum(IntegerPolynomial::default())
    }

    pub(crate) fn constant(value: i128) -> RankingElement {
        RankingElement::Sum(IntegerPolynomial::constant(value))
    }

    pub(crate) fn polys(&self) -> &[IntegerPolynomial] {
        match self {
            RankingElement::Sum(poly) => std::slice::from_ref(poly),
            RankingElement::Most(polys) | RankingElement::Least(polys) => polys,
            RankingElement::Pair(..) => &[],
        }
    }
}

/// What was found for a part.
pub(crate) struct ComponentRanking {
    /// For each location of the part, its elements.
    pub(crate) elements: Vec<(usize, Vec<RankingElement>)>,
    /// Which of the paths make one smaller.
    pub(crate) smaller: Vec<bool>,
}

/// The linear program of a part.
struct RankingLinearProgram<'a> {
    system: LinearSystem,
    vars: Vec<PolyVar>,
    locations: Vec<usize>,
    /// The first, the second, … function of each location.
    layers: Vec<Vec<AffineTemplate>>,
    premises: &'a [&'a FarkasPremise<'a>],
    /// For each path, whether it makes the ranking smaller.
    switches: Vec<LinearSwitch>,
}

/// Functions of a shape for a part, which these paths are.
pub(crate) fn find_component_ranking(
    graph: &PathGraph,
    premises: &[&FarkasPremise<'_>],
    shape: RankingTemplate,
    deadline: Instant,
) -> Option<ComponentRanking> {
    let (RankingTemplate::Nested(count)
    | RankingTemplate::Most(count)
    | RankingTemplate::Least(count)) = shape;
    if !shape.is_usual_template() && count * premises.len() > FUNCTIONS {
        return None;
    }
    let mut system = LinearSystem::new();
    let vars: Vec<PolyVar> =
        (0..graph.variables as PolyVar).filter(|var| graph.matters[*var as usize]).collect();
    let mut locations: Vec<usize> = premises.iter().map(|premise| premise.path.from).collect();
    locations.sort_unstable();
    locations.dedup();
    let layers = (0..count)
        .map(|_| locations.iter().map(|_| AffineTemplate::new(&mut system, &vars)).collect())
        .collect();
    let mut program =
        RankingLinearProgram { system, vars, locations, layers, premises, switches: Vec::new() };
    for at in 0..premises.len() {
        match shape {
            RankingTemplate::Nested(_) => program.require_nested(at)?,
            RankingTemplate::Most(_) | RankingTemplate::Least(_) => {
                program.require_extreme(at, shape)?;
            }
        }
    }
    let solution = program.solve_template(shape, deadline)?;
    let mut elements = Vec::new();
    for (at, location) in program.locations.iter().enumerate() {
        let polys = program.read_functions(&solution, at)?;
        let here = match shape {
            RankingTemplate::Nested(_) => polys.into_iter().map(RankingElement::Sum).collect(),
            RankingTemplate::Most(_) => vec![RankingElement::Most(polys)],
            RankingTemplate::Least(_) => vec![RankingElement::Least(polys)],
        };
        elements.push((*location, here));
    }
    let smaller = program.switches.iter().map(|switch| solution.on[switch.0]).collect();
    Some(ComponentRanking { elements, smaller })
}

impl RankingLinearProgram<'_> {
    /// All paths at once if they can be had at once, otherwise some. Only for shapes that come in
    /// many ways; the others find most paths by themselves.
    fn solve_template(&self, shape: RankingTemplate, deadline: Instant) -> Option<LinearSolution> {
        let memory = 0;
        if !matches!(shape, RankingTemplate::Nested(_)) {
            let mut all = self.system.clone();
            self.switches.iter().for_each(|switch| all.require_one_of(vec![*switch]));
            if let Some(solution) = all.solve(deadline, memory) {
                return Some(solution);
            }
        }
        let mut some = self.system.clone();
        some.require_one_of(self.switches.clone());
        some.solve(deadline, memory)
    }

    fn location_index(&self, location: usize) -> usize {
        self.locations.binary_search(&location).expect("paths stay inside")
    }

    /// The functions at the start of a path, and at its end.
    fn functions_at_ends(&self, at: usize) -> (Vec<Vec<UnknownSum>>, Vec<Vec<UnknownSum>>) {
        let premise = self.premises[at];
        let (from, to) =
            (self.location_index(premise.path.from), self.location_index(premise.path.to));
        let before =
            self.layers.iter().map(|layer| premise.function_before(&layer[from], &self.vars));
        let after = self.layers.iter().map(|layer| premise.function_after(&layer[to], &self.vars));
        (before.collect(), after.collect())
    }

    fn require_nested(&mut self, at: usize) -> Option<()> {
        let (before, after) = self.functions_at_ends(at);
        let (premise, system) = (self.premises[at], &mut self.system);
        let (switch, off) = (system.new_switch(), system.new_switch());
        system.require_one_of(vec![switch, off]);
        for layer in 0..before.len() {
            let change = subtract_functions(&before[layer], &after[layer]);
            // Never larger; one that another comes before may be, where that one gets smaller.
            let always = (layer > 0).then_some(off);
            premise.require_nonnegative(system, change.clone(), always)?;
            // Smaller by 1, where the switch is on, with the help of the function before.
            let mut smaller = match layer {
                0 => change,
                _ => add_functions(&change, &before[layer - 1]),
            };
            smaller[0].constant -= 1;
            premise.require_nonnegative(system, smaller, Some(switch))?;
        }
        premise.require_nonnegative(system, before.last()?.clone(), Some(switch))?;
        self.switches.push(switch);
        Some(())
    }

    fn require_extreme(&mut self, at: usize, shape: RankingTemplate) -> Option<()> {
        let (before, after) = self.functions_at_ends(at);
        let (premise, system) = (self.premises[at], &mut self.system);
        let switch = system.new_switch();
        // By how much it gets smaller.
        let gap = system.new_nonnegative();
        system.require_row(LinearRow {
            when: Some(switch),
            sum: vec![(gap, 1)],
            constant: -1,
            is_zero: false,
        });
        let (given, sought) = match shape {
            RankingTemplate::Least(_) => (&before, &after),
            _ => (&after, &before),
        };
        for one in given {
            let mut ways = Vec::new();
            for other in sought {
                let way = system.new_switch();
                let mut change = match shape {
                    RankingTemplate::Least(_) => subtract_functions(one, other),
                    _ => subtract_functions(other, one),
                };
                change[0].add_unknown(gap, -1);
                premise.require_nonnegative(system, change, Some(way))?;
                ways.push(way);
            }
            system.require_one_of(ways);
        }
        match shape {
            RankingTemplate::Least(_) => {
                for function in before {
                    premise.require_nonnegative(system, function, Some(switch))?;
                }
            }
            // One of them would do; which, is not worth another switch.
            _ => premise.require_nonnegative(system, before.into_iter().next()?, Some(switch))?,
        }
        self.switches.push(switch);
        Some(())
    }

    /// The functions of a location in whole numbers. There is one scale for all locations: what gets
    /// smaller by 1 then gets smaller by more.
    fn read_functions(
        &self,
        solution: &LinearSolution,
        location: usize,
    ) -> Option<Vec<IntegerPolynomial>> {
        let mut scale = BigInt::one();
        for function in self.layers.iter().flatten() {
            for unknown in function.unknowns() {
                let below = &solution.values[unknown.0].1;
                scale = &scale * below / gcd(scale.clone(), below.clone());
            }
        }
        let mut polys = Vec::new();
        for layer in &self.layers {
            let mut poly = IntegerPolynomial::default();
            let shapes = [IntegerPolynomial::constant(1)]
                .into_iter()
                .chain(self.vars.iter().map(|v| IntegerPolynomial::var(*v)));
            for (unknown, shape) in layer[location].unknowns().zip(shapes) {
                let (above, below) = &solution.values[unknown.0];
                poly = poly.add_scaled(&shape, (above * (&scale / below)).to_i128()?)?;
            }
            polys.push(poly);
        }
        Some(polys)
    }
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    if b.is_zero() { a } else { gcd(b.clone(), a % b) }
}
