//! From the terms of an edge to paths: conditions and updates as polynomials, one path for each
//! way in which the guard can hold.
//!
//! Integers are exact. A bit-vector is read as the signed number that it is, or, if it is one of those
//! that should be ([`Reading`]), as the natural number that it is. An operation that wraps around is
//! one path for each number of times that it can, as far as they are few; where the guard says that
//! it does not, it is exact. What has no reading is left out. For a run that never ends, a way that is
//! left out is no path ([`Mode::Under`]); for a proof that every run ends, a condition that is left out
//! holds, and a value that is left out is any value ([`Mode::Over`]).
//!
//! | file | one idea |
//! | --- | --- |
//! | `truth` | when a formula holds |
//! | `value` | which number a term is |
//! | `natural` | bit-vectors as natural numbers |
//! | `range` | what sorts say about numbers |
//! | `exact` | sums and products that do not wrap |

mod exact;
mod natural;
mod range;
mod truth;
mod value;

use ouro_model::transition::{Edge, TransitionSystem};
use ouro_term::{Op, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

use super::path::{NoPath, Path, Segment};
use super::poly::{Atom, Poly, Var};

/// Types of fewer bits are not computed in: C widens their values first.
const INT: u32 = 32;
/// More ways than this through one edge are not followed.
const WAYS: usize = 64;

/// A way in which a term has a value.
#[derive(Clone, Debug)]
struct Case {
    atoms: Vec<Atom>,
    value: Poly,
}

/// Alternatives, each a conjunction.
type Ways = Vec<Vec<Atom>>;

struct Lowering<'a> {
    terms: &'a Terms,
    mode: Mode,
    reading: Reading<'a>,
    variables: FxHashMap<SymbolId, Var>,
    /// Bit-vectors of which the guard says that they are as large as these wider ones.
    exact: FxHashMap<Term, Term>,
    /// The next local variable.
    next: Var,
    /// Whether a condition is looked at that says what a number is exactly.
    exactly: bool,
    /// What is known of terms, by whether that was so.
    values: FxHashMap<(Term, bool), Vec<Case>>,
}

/// How bit-vectors are read as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading<'a> {
    /// Which variables of the system are natural numbers; none if it is empty.
    pub(crate) naturals: &'a [bool],
    /// Whether signed numbers count as if their types had no bounds: then nothing ends because a
    /// type does.
    pub(crate) boundless: bool,
}

impl Reading<'_> {
    pub(crate) fn is_natural(&self, var: Var) -> bool {
        self.naturals.get(var as usize) == Some(&true)
    }
}

/// Which side is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// No more than the edge does.
    Under,
    /// No less than the edge does.
    Over,
}

/// The conjunctive paths of an edge; `None` if there would be more to say than fits.
pub(crate) fn paths(
    system: &TransitionSystem,
    index: u32,
    edge: &Edge,
    reading: Reading<'_>,
    mode: Mode,
) -> Option<Vec<Path>> {
    match mode {
        Mode::Under => Some(lower(system, index, edge, reading, mode).unwrap_or_default()),
        Mode::Over => lower(system, index, edge, reading, mode),
    }
}

/// The ways in which the initial condition holds, as conditions on the state.
pub(crate) fn initial(
    system: &TransitionSystem,
    reading: Reading<'_>,
    mode: Mode,
) -> Option<(Ways, u32)> {
    let mut lowering = Lowering::new(system, &[], reading, mode);
    let ways = lowering.condition(system.condition)?;
    Some((ways, lowering.next - system.variables.len() as Var))
}

fn lower(
    system: &TransitionSystem,
    index: u32,
    edge: &Edge,
    reading: Reading<'_>,
    mode: Mode,
) -> Option<Vec<Path>> {
    // A run that never ends has to survive every unknown; paths let it pick.
    if mode == Mode::Under && !edge.unknowns.is_empty() {
        return None;
    }
    let open: Vec<Term> = edge.choices.iter().chain(&edge.unknowns).copied().collect();
    let mut lowering = Lowering::new(system, &open, reading, mode);
    let mut ways: Vec<(Vec<Atom>, Vec<Poly>)> =
        lowering.condition(edge.guard)?.into_iter().map(|atoms| (atoms, Vec::new())).collect();
    for (var, term) in edge.update.iter().enumerate() {
        let cases = match lowering.is_natural(var as Var) {
            true => lowering.natural(*term),
            false => lowering.value(*term),
        };
        let cases = match (cases, mode) {
            (Some(cases), _) if mode == Mode::Under || ways.len() * cases.len() <= WAYS => cases,
            (_, Mode::Over) => vec![Case::of(lowering.local())],
            _ => return None,
        };
        let mut next = Vec::new();
        for (atoms, values) in &ways {
            for case in &cases {
                let (mut atoms, mut values) = (atoms.clone(), values.clone());
                atoms.extend(case.atoms.iter().cloned());
                values.push(case.value.clone());
                next.push((atoms, values));
            }
        }
        ways = next;
        if ways.len() > WAYS {
            return None;
        }
    }
    let ranges = lowering.ranges(system, &open);
    let variables = system.variables.len() as Var;
    let choices: Vec<Poly> =
        (0..edge.choices.len() as Var).map(|at| Poly::var(variables + at)).collect();
    let path = |(mut atoms, update): (Vec<Atom>, Vec<Poly>)| {
        atoms.extend(ranges.iter().cloned());
        let path = Path {
            from: edge.from.0 as usize,
            to: edge.to.0 as usize,
            segments: vec![Segment::Edge { edge: index, choices: choices.clone() }],
            locals: lowering.next - variables,
            atoms,
            update,
        };
        path.simplified()
    };
    let mut paths = Vec::new();
    for way in ways {
        match path(way) {
            Ok(path) => paths.push(path),
            Err(NoPath::TooLarge) if mode == Mode::Over => return None,
            Err(_) => {}
        }
    }
    Some(paths)
}

impl<'a> Lowering<'a> {
    fn new(
        system: &'a TransitionSystem,
        choices: &[Term],
        reading: Reading<'a>,
        mode: Mode,
    ) -> Lowering<'a> {
        let mut variables = FxHashMap::default();
        let symbols = system.variables.iter().map(|v| v.symbol).chain(choices.iter().copied());
        for symbol in symbols {
            if let Op::Symbol(id) = system.terms.op(symbol) {
                variables.insert(*id, variables.len() as Var);
            }
        }
        let next = variables.len() as Var;
        Lowering {
            terms: &system.terms,
            mode,
            reading,
            variables,
            exact: FxHashMap::default(),
            next,
            exactly: false,
            values: FxHashMap::default(),
        }
    }

    fn is_natural(&self, var: Var) -> bool {
        self.reading.is_natural(var)
    }

    fn local(&mut self) -> Poly {
        self.next += 1;
        Poly::var(self.next - 1)
    }
}

impl Case {
    fn of(value: Poly) -> Case {
        Case { atoms: Vec::new(), value }
    }
}

fn product(left: &Ways, right: &Ways) -> Option<Ways> {
    if left.len() * right.len() > WAYS {
        return None;
    }
    let mut all = Vec::new();
    for x in left {
        for y in right {
            all.push(x.iter().chain(y).cloned().collect());
        }
    }
    Some(all)
}
