//! Lexicographic rankings by linear programming.
//!
//! A function of the state for each location, affine with unknown coefficients. That a path does
//! not make it larger means that the difference is a sum of the path's conditions with factors that
//! are not negative (Farkas), which is linear in the coefficients and the factors. A switch for each
//! path says whether it also gets smaller by 1 and is not negative there; some switch has to be on.
//! Those paths can be taken only finitely often in a row of the others, and are taken away.
//!
//! If there is none, a function may get smaller without bound as long as another then does
//! (nested): `f` gets smaller always, and `g` gets smaller by 1 and minus `f`, and is not negative.

use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use ouro_solver::linear::{LinearSystem, Row, Solution, Switch, Unknown};

use super::invariants::Known;
use crate::Settings;
use crate::paths::ask::Ask;
use crate::paths::graph::{Graph, parts};
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly, Var};

/// For each location, the elements of its ranking.
pub(crate) type Ranks = Vec<Vec<Poly>>;

/// The longest that one linear program may take.
const PROGRAM: Duration = Duration::from_secs(5);
/// How many functions can be nested.
const NESTED: usize = 3;

/// Rankings for all locations, if no cycle remains.
pub(crate) fn find(
    graph: &Graph,
    invariants: &[Known],
    ask: &mut Ask,
    settings: &Settings,
) -> Option<Ranks> {
    // Paths that the invariants exclude are none.
    let mut left: Vec<Premise<'_>> = Vec::new();
    for path in &graph.paths {
        if let Some(known) = &invariants[path.from] {
            let mut atoms: Vec<Atom> = path.atoms.clone();
            atoms.extend(known.iter().cloned());
            if !ask.sat(&atoms).is_unsat() {
                atoms.retain(|atom| atom.poly().is_linear());
                left.push(Premise { path, atoms });
            }
        }
    }
    let mut ranks: Ranks = vec![Vec::new(); graph.locations];
    loop {
        // The order of the parts is an element of its own: paths between parts make it smaller.
        let part = part_of(graph, &left);
        let between = left.iter().any(|premise| part[premise.path.from] != part[premise.path.to]);
        left.retain(|premise| part[premise.path.from] == part[premise.path.to]);
        if between {
            for (rank, part) in ranks.iter_mut().zip(&part) {
                rank.push(Poly::constant(*part as i128));
            }
        }
        if left.is_empty() {
            return Some(ranks);
        }
        let mut parts: Vec<usize> = left.iter().map(|premise| part[premise.path.from]).collect();
        parts.sort_unstable();
        parts.dedup();
        let mut removed = vec![false; left.len()];
        let mut level: Vec<Vec<Poly>> = vec![Vec::new(); graph.locations];
        for current in parts {
            let inside: Vec<usize> =
                (0..left.len()).filter(|at| part[left[*at].path.from] == current).collect();
            let premises: Vec<&Premise<'_>> = inside.iter().map(|at| &left[*at]).collect();
            let found = (1..=NESTED).find_map(|depth| {
                let deadline = settings.deadline.min(Instant::now() + PROGRAM);
                functions(graph, &premises, depth, deadline)
            })?;
            for (at, functions) in found.functions {
                level[at] = functions;
            }
            for (at, smaller) in inside.iter().zip(found.smaller) {
                removed[*at] |= smaller;
            }
        }
        // Every location has equally many elements.
        let depth = level.iter().map(Vec::len).max().unwrap_or(0);
        for (rank, mut level) in ranks.iter_mut().zip(level) {
            level.resize(depth, Poly::default());
            rank.append(&mut level);
        }
        let mut keep = removed.iter().map(|removed| !removed);
        left.retain(|_| keep.next().unwrap_or(true));
    }
}

/// A path, and what holds where it is taken.
struct Premise<'a> {
    path: &'a Path,
    atoms: Vec<Atom>,
}

fn part_of(graph: &Graph, left: &[Premise<'_>]) -> Vec<usize> {
    let mut out = vec![Vec::new(); graph.locations];
    for (at, premise) in left.iter().enumerate() {
        out[premise.path.from].push(at);
    }
    parts(graph.locations, &out, &|at| left[at].path.to)
}

struct Found {
    /// For each location of the part, its functions.
    functions: Vec<(usize, Vec<Poly>)>,
    /// Which of the paths make one smaller.
    smaller: Vec<bool>,
}

/// An affine function with unknown coefficients.
struct Function {
    /// For the variables that matter, in order.
    coefficients: Vec<Unknown>,
    constant: Unknown,
}

/// A sum of unknowns and a constant: the coefficient of one variable, or what remains.
#[derive(Clone, Default)]
struct Sum {
    parts: Vec<(Unknown, i128)>,
    constant: i128,
}

fn functions(
    graph: &Graph,
    premises: &[&Premise<'_>],
    depth: usize,
    deadline: Instant,
) -> Option<Found> {
    let mut system = LinearSystem::new();
    let vars: Vec<Var> =
        (0..graph.variables as Var).filter(|var| graph.matters[*var as usize]).collect();
    let mut locations: Vec<usize> = premises.iter().map(|premise| premise.path.from).collect();
    locations.sort_unstable();
    locations.dedup();
    let layers: Vec<Vec<Function>> = (0..depth)
        .map(|_| {
            let function = |_: &usize| Function {
                coefficients: vars.iter().map(|_| system.unknown()).collect(),
                constant: system.unknown(),
            };
            locations.iter().map(function).collect()
        })
        .collect();
    let index = |location: usize| locations.binary_search(&location).expect("paths stay inside");
    let mut switches = Vec::new();
    for premise in premises {
        let path = premise.path;
        let linear = vars.iter().all(|var| path.update[*var as usize].is_linear());
        let affine = Affine { vars: &vars, path };
        let (switch, off) = (system.switch(), system.switch());
        system.one_of(vec![switch, off]);
        let mut earlier: Option<Vec<Sum>> = None;
        for (layer, functions) in layers.iter().enumerate() {
            let before = affine.here(&functions[index(path.from)]);
            if !linear {
                return None;
            }
            let after = affine.there(&functions[index(path.to)])?;
            let change = difference(&before, &after);
            // Never larger; one that another comes before may be, where that one gets smaller.
            let always = (layer > 0).then_some(off);
            farkas(&mut system, premise, change.clone(), always)?;
            // Smaller by 1, where the switch is on, with the help of the function before.
            let mut smaller = match &earlier {
                None => change,
                Some(earlier) => total(&change, earlier),
            };
            smaller[0].constant -= 1;
            farkas(&mut system, premise, smaller, Some(switch))?;
            if layer + 1 == layers.len() {
                farkas(&mut system, premise, before.clone(), Some(switch))?;
            }
            earlier = Some(before);
        }
        switches.push(switch);
    }
    system.one_of(switches.clone());
    let memory = 0;
    let solution = system.solve(deadline, memory)?;
    let mut functions = Vec::new();
    for (at, location) in locations.iter().enumerate() {
        let mut here = Vec::new();
        for layer in &layers {
            // One scale for all locations: what gets smaller by 1 then gets smaller by more.
            here.push(read(&solution, &layers, &layer[at], &vars)?);
        }
        functions.push((*location, here));
    }
    Some(Found {
        functions,
        smaller: switches.iter().map(|switch| solution.on[switch.0]).collect(),
    })
}

/// The affine functions of a path's variables, as sums for each: first the constant, then the
/// variables and locals in order.
struct Affine<'a> {
    vars: &'a [Var],
    path: &'a Path,
}

impl Affine<'_> {
    fn size(&self) -> usize {
        1 + self.path.variables() as usize + self.path.locals as usize
    }

    fn here(&self, function: &Function) -> Vec<Sum> {
        let mut sums = vec![Sum::default(); self.size()];
        sums[0].parts.push((function.constant, 1));
        for (var, unknown) in self.vars.iter().zip(&function.coefficients) {
            sums[1 + *var as usize].parts.push((*unknown, 1));
        }
        sums
    }

    /// The function at the end of the path, in what holds at its start.
    fn there(&self, function: &Function) -> Option<Vec<Sum>> {
        let mut sums = vec![Sum::default(); self.size()];
        sums[0].parts.push((function.constant, 1));
        for (var, unknown) in self.vars.iter().zip(&function.coefficients) {
            for (monomial, coefficient) in self.path.update[*var as usize].parts() {
                let at = match monomial {
                    [] => 0,
                    [var] => 1 + *var as usize,
                    _ => return None,
                };
                sums[at].parts.push((*unknown, coefficient));
            }
        }
        Some(sums)
    }
}

fn difference(a: &[Sum], b: &[Sum]) -> Vec<Sum> {
    let one = |(a, b): (&Sum, &Sum)| Sum {
        parts: a.parts.iter().copied().chain(b.parts.iter().map(|(u, c)| (*u, -c))).collect(),
        constant: a.constant - b.constant,
    };
    a.iter().zip(b).map(one).collect()
}

fn total(a: &[Sum], b: &[Sum]) -> Vec<Sum> {
    let one = |(a, b): (&Sum, &Sum)| Sum {
        parts: a.parts.iter().chain(&b.parts).copied().collect(),
        constant: a.constant + b.constant,
    };
    a.iter().zip(b).map(one).collect()
}

/// Requires that an affine function is not negative wherever the premise holds.
fn farkas(
    system: &mut LinearSystem,
    premise: &Premise<'_>,
    mut function: Vec<Sum>,
    when: Option<Switch>,
) -> Option<()> {
    for atom in &premise.atoms {
        let factor = match atom {
            Atom::Ge(_) => system.positive(),
            Atom::Eq(_) => system.unknown(),
        };
        for (monomial, coefficient) in atom.poly().parts() {
            let at = match monomial {
                [] => 0,
                [var] => 1 + *var as usize,
                _ => return None,
            };
            function[at].parts.push((factor, coefficient.checked_neg()?));
        }
    }
    for (at, sum) in function.into_iter().enumerate() {
        if at > 0 && sum.parts.is_empty() {
            continue;
        }
        let (parts, constant) = (sum.parts, sum.constant);
        system.require(Row { when, sum: parts, constant, is_zero: at > 0 });
    }
    Some(())
}

/// A function in whole numbers, all functions scaled alike.
fn read(
    solution: &Solution,
    layers: &[Vec<Function>],
    function: &Function,
    vars: &[Var],
) -> Option<Poly> {
    let all = layers.iter().flatten();
    let mut scale = BigInt::one();
    for unknown in all.flat_map(|f| f.coefficients.iter().chain([&f.constant])) {
        let below = &solution.values[unknown.0].1;
        scale = &scale * below / gcd(scale.clone(), below.clone());
    }
    let number = |unknown: &Unknown| {
        let (above, below) = &solution.values[unknown.0];
        (above * (&scale / below)).to_i128()
    };
    let mut poly = Poly::constant(number(&function.constant)?);
    for (var, unknown) in vars.iter().zip(&function.coefficients) {
        poly = poly.add_scaled(&Poly::var(*var), number(unknown)?)?;
    }
    Some(poly)
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    if b.is_zero() { a } else { gcd(b.clone(), a % b) }
}
