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
use ouro_solver::linear::{LinearSystem, Row, Solution, Switch};

use super::farkas::{Function, Premise, Sum, difference, total};
use crate::paths::graph::Graph;
use crate::paths::poly::{Poly, Var};

/// More functions than this on paths are not looked for, beyond the first few of a location.
const FUNCTIONS: usize = 60;

/// How functions make a ranking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// So many, each with the help of the one before.
    Nested(usize),
    /// The largest of so many.
    Most(usize),
    /// The smallest of so many.
    Least(usize),
}

impl Shape {
    pub(crate) fn is_usual(self) -> bool {
        matches!(self, Shape::Nested(..=3))
    }
}

/// An element of a ranking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Element {
    Sum(Poly),
    Most(Vec<Poly>),
    Least(Vec<Poly>),
    /// A pair of fairness, and whether it counts here.
    Pair(usize, bool),
}

impl Element {
    pub(crate) fn zero() -> Element {
        Element::Sum(Poly::default())
    }

    pub(crate) fn constant(value: i128) -> Element {
        Element::Sum(Poly::constant(value))
    }

    pub(crate) fn polys(&self) -> &[Poly] {
        match self {
            Element::Sum(poly) => std::slice::from_ref(poly),
            Element::Most(polys) | Element::Least(polys) => polys,
            Element::Pair(..) => &[],
        }
    }
}

/// What was found for a part.
pub(crate) struct Found {
    /// For each location of the part, its elements.
    pub(crate) elements: Vec<(usize, Vec<Element>)>,
    /// Which of the paths make one smaller.
    pub(crate) smaller: Vec<bool>,
}

/// The linear program of a part.
struct Program<'a> {
    system: LinearSystem,
    vars: Vec<Var>,
    locations: Vec<usize>,
    /// The first, the second, … function of each location.
    layers: Vec<Vec<Function>>,
    premises: &'a [&'a Premise<'a>],
    /// For each path, whether it makes the ranking smaller.
    switches: Vec<Switch>,
}

/// Functions of a shape for a part, which these paths are.
pub(crate) fn find(
    graph: &Graph,
    premises: &[&Premise<'_>],
    shape: Shape,
    deadline: Instant,
) -> Option<Found> {
    let (Shape::Nested(count) | Shape::Most(count) | Shape::Least(count)) = shape;
    if !shape.is_usual() && count * premises.len() > FUNCTIONS {
        return None;
    }
    let mut system = LinearSystem::new();
    let vars: Vec<Var> =
        (0..graph.variables as Var).filter(|var| graph.matters[*var as usize]).collect();
    let mut locations: Vec<usize> = premises.iter().map(|premise| premise.path.from).collect();
    locations.sort_unstable();
    locations.dedup();
    let layers = (0..count)
        .map(|_| locations.iter().map(|_| Function::new(&mut system, &vars)).collect())
        .collect();
    let mut program = Program { system, vars, locations, layers, premises, switches: Vec::new() };
    for at in 0..premises.len() {
        match shape {
            Shape::Nested(_) => program.nested(at)?,
            Shape::Most(_) | Shape::Least(_) => program.extreme(at, shape)?,
        }
    }
    let solution = program.solve(shape, deadline)?;
    let mut elements = Vec::new();
    for (at, location) in program.locations.iter().enumerate() {
        let polys = program.read(&solution, at)?;
        let here = match shape {
            Shape::Nested(_) => polys.into_iter().map(Element::Sum).collect(),
            Shape::Most(_) => vec![Element::Most(polys)],
            Shape::Least(_) => vec![Element::Least(polys)],
        };
        elements.push((*location, here));
    }
    let smaller = program.switches.iter().map(|switch| solution.on[switch.0]).collect();
    Some(Found { elements, smaller })
}

impl Program<'_> {
    /// All paths at once if they can be had at once, otherwise some. Only for shapes that come in
    /// many ways; the others find most paths by themselves.
    fn solve(&self, shape: Shape, deadline: Instant) -> Option<Solution> {
        let memory = 0;
        if !matches!(shape, Shape::Nested(_)) {
            let mut all = self.system.clone();
            self.switches.iter().for_each(|switch| all.one_of(vec![*switch]));
            if let Some(solution) = all.solve(deadline, memory) {
                return Some(solution);
            }
        }
        let mut some = self.system.clone();
        some.one_of(self.switches.clone());
        some.solve(deadline, memory)
    }

    fn index(&self, location: usize) -> usize {
        self.locations.binary_search(&location).expect("paths stay inside")
    }

    /// The functions at the start of a path, and at its end.
    fn ends(&self, at: usize) -> (Vec<Vec<Sum>>, Vec<Vec<Sum>>) {
        let premise = self.premises[at];
        let (from, to) = (self.index(premise.path.from), self.index(premise.path.to));
        let before = self.layers.iter().map(|layer| premise.before(&layer[from], &self.vars));
        let after = self.layers.iter().map(|layer| premise.after(&layer[to], &self.vars));
        (before.collect(), after.collect())
    }

    fn nested(&mut self, at: usize) -> Option<()> {
        let (before, after) = self.ends(at);
        let (premise, system) = (self.premises[at], &mut self.system);
        let (switch, off) = (system.switch(), system.switch());
        system.one_of(vec![switch, off]);
        for layer in 0..before.len() {
            let change = difference(&before[layer], &after[layer]);
            // Never larger; one that another comes before may be, where that one gets smaller.
            let always = (layer > 0).then_some(off);
            premise.require(system, change.clone(), always)?;
            // Smaller by 1, where the switch is on, with the help of the function before.
            let mut smaller = match layer {
                0 => change,
                _ => total(&change, &before[layer - 1]),
            };
            smaller[0].constant -= 1;
            premise.require(system, smaller, Some(switch))?;
        }
        premise.require(system, before.last()?.clone(), Some(switch))?;
        self.switches.push(switch);
        Some(())
    }

    fn extreme(&mut self, at: usize, shape: Shape) -> Option<()> {
        let (before, after) = self.ends(at);
        let (premise, system) = (self.premises[at], &mut self.system);
        let switch = system.switch();
        // By how much it gets smaller.
        let gap = system.positive();
        system.require(Row {
            when: Some(switch),
            sum: vec![(gap, 1)],
            constant: -1,
            is_zero: false,
        });
        let (given, sought) = match shape {
            Shape::Least(_) => (&before, &after),
            _ => (&after, &before),
        };
        for one in given {
            let mut ways = Vec::new();
            for other in sought {
                let way = system.switch();
                let mut change = match shape {
                    Shape::Least(_) => difference(one, other),
                    _ => difference(other, one),
                };
                change[0].add(gap, -1);
                premise.require(system, change, Some(way))?;
                ways.push(way);
            }
            system.one_of(ways);
        }
        match shape {
            Shape::Least(_) => {
                for function in before {
                    premise.require(system, function, Some(switch))?;
                }
            }
            // One of them would do; which, is not worth another switch.
            _ => premise.require(system, before.into_iter().next()?, Some(switch))?,
        }
        self.switches.push(switch);
        Some(())
    }

    /// The functions of a location in whole numbers. There is one scale for all locations: what gets
    /// smaller by 1 then gets smaller by more.
    fn read(&self, solution: &Solution, location: usize) -> Option<Vec<Poly>> {
        let mut scale = BigInt::one();
        for function in self.layers.iter().flatten() {
            for unknown in function.unknowns() {
                let below = &solution.values[unknown.0].1;
                scale = &scale * below / gcd(scale.clone(), below.clone());
            }
        }
        let mut polys = Vec::new();
        for layer in &self.layers {
            let mut poly = Poly::default();
            let shapes =
                [Poly::constant(1)].into_iter().chain(self.vars.iter().map(|v| Poly::var(*v)));
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
