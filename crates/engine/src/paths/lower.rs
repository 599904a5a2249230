//! From the terms of an edge to paths: conditions and updates as polynomials, one path for each
//! way in which the guard can hold.
//!
//! Integers are exact. A bit-vector is read as the signed number that it is, or, if it is one of those
//! that should be ([`BitVectorReading`]), as the natural number that it is. An operation that wraps around is
//! one path for each number of times that it can, as far as they are few; where the guard says that
//! it does not, it is exact. What has no reading is left out. For a run that never ends, a way that is
//! left out is no path ([`ApproximationMode::Under`]); for a proof that every run ends, a condition that is left out
//! holds, and a value that is left out is any value ([`ApproximationMode::Over`]).
//!
//! | file | one idea |
//! | --- | --- |
//! | `truth` | when a formula holds |
//! | `value` | which number a term is |
//! | `natural` | bit-vectors as natural numbers |
//! | `range` | what sorts say about numbers |
//! | `exact` | sums and products that do not wrap |
//! | `quotient` | quotients and remainders |
//! | `signs` | which inputs are natural numbers |

mod exact;
mod natural;
mod quotient;
mod range;
mod signs;
mod truth;
mod value;

pub(crate) use exact::exact_operation;
use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_term::{SymbolId, Term, TermOp, TermStore};
use rustc_hash::FxHashMap;

use super::path::{PathFailure, PathSegment, PolyPath};
use super::poly::{IntegerPolynomial, PolyAtom, PolyVar};
use crate::Limits;

/// Types of fewer bits are not computed in: C widens their values first.
const INT: u32 = 32;

/// A way in which a term has a value.
#[derive(Clone, Debug)]
struct ValueCase {
    atoms: Vec<PolyAtom>,
    value: IntegerPolynomial,
}

/// Alternatives, each a conjunction.
type AtomAlternatives = Vec<Vec<PolyAtom>>;

struct EdgeLowering<'a> {
    terms: &'a TermStore,
    mode: ApproximationMode,
    reading: BitVectorReading<'a>,
    variables: FxHashMap<SymbolId, PolyVar>,
    /// Bit-vectors of which the guard says that they are as large as these wider ones.
    exact: FxHashMap<Term, Term>,
    /// The next local variable.
    next: PolyVar,
    /// Whether a condition is looked at that says what a number is exactly.
    exactly: bool,
    /// What is known of terms, by whether that was so. A term has one reading in all of an edge: what stands
    /// for it in one place stands for it in all others.
    values: FxHashMap<(Term, bool), Vec<ValueCase>>,
    /// The same as natural numbers.
    naturals: FxHashMap<(Term, bool), Vec<ValueCase>>,
    /// Which variables and choices are natural numbers.
    is_natural: Vec<bool>,
    /// Which terms are best read as natural numbers.
    preferred: FxHashMap<Term, bool>,
}

/// How bit-vectors are read as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BitVectorReading<'a> {
    /// Which variables of the system are natural numbers; none if it is empty.
    pub(crate) naturals: &'a [bool],
    /// Whether signed numbers count as if their types had no bounds: then nothing ends because a
    /// type does.
    pub(crate) boundless: bool,
    /// Whether inputs are nevertheless within the bounds of their types.
    pub(crate) bounded_inputs: bool,
    /// How much is tried.
    pub(crate) limits: Limits,
}

impl BitVectorReading<'_> {
    pub(crate) fn is_natural(&self, var: PolyVar) -> bool {
        self.naturals.get(var as usize) == Some(&true)
    }
}

/// Which side is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ApproximationMode {
    /// No more than the edge does.
    Under,
    /// No less than the edge does.
    Over,
}

/// The conjunctive paths of an edge; `None` if there would be more to say than fits.
pub(crate) fn edge_paths(
    system: &TransitionSystem,
    index: u32,
    edge: &TransitionEdge,
    reading: BitVectorReading<'_>,
    mode: ApproximationMode,
) -> Option<Vec<PolyPath>> {
    match mode {
        ApproximationMode::Under => {
            Some(lower_edge(system, index, edge, reading, mode).unwrap_or_default())
        }
        ApproximationMode::Over => lower_edge(system, index, edge, reading, mode),
    }
}

/// The ways in which the initial condition holds, as conditions on the state.
pub(crate) fn initial_alternatives(
    system: &TransitionSystem,
    reading: BitVectorReading<'_>,
    mode: ApproximationMode,
) -> Option<(AtomAlternatives, u32)> {
    let mut lowering = EdgeLowering::new(system, None, &[], reading, mode);
    let ways = lowering.guard_alternatives(system.condition)?;
    Some((ways, lowering.next - system.variables.len() as PolyVar))
}

fn lower_edge(
    system: &TransitionSystem,
    index: u32,
    edge: &TransitionEdge,
    reading: BitVectorReading<'_>,
    mode: ApproximationMode,
) -> Option<Vec<PolyPath>> {
    // A run that never ends has to survive every unknown; paths let it pick.
    if mode == ApproximationMode::Under && !edge.unknowns.is_empty() {
        return None;
    }
    let open: Vec<Term> = edge.choices.iter().chain(&edge.unknowns).copied().collect();
    let mut lowering = EdgeLowering::new(system, Some(edge), &open, reading, mode);
    let mut ways: Vec<(Vec<PolyAtom>, Vec<IntegerPolynomial>)> = lowering
        .guard_alternatives(edge.guard)?
        .into_iter()
        .map(|atoms| (atoms, Vec::new()))
        .collect();
    for (var, term) in edge.update.iter().enumerate() {
        let cases = match lowering.is_natural(var as PolyVar) {
            true => lowering.natural_values(*term),
            false => lowering.term_values(*term),
        };
        let cases = match (cases, mode) {
            (Some(cases), ApproximationMode::Under) => cases,
            (Some(cases), ApproximationMode::Over)
                if possible(&ways, &cases) <= reading.limits.ways =>
            {
                cases
            }
            (_, ApproximationMode::Over) => {
                vec![ValueCase::without_conditions(lowering.new_local())]
            }
            _ => return None,
        };
        let mut next = Vec::new();
        for (atoms, values) in &ways {
            for case in cases.iter().filter(|case| !exclude(atoms, &case.atoms)) {
                let (mut atoms, mut values) = (atoms.clone(), values.clone());
                add_new(&mut atoms, &case.atoms);
                values.push(case.value.clone());
                next.push((atoms, values));
            }
        }
        ways = next;
        if ways.len() > reading.limits.ways {
            return None;
        }
    }
    let ranges = lowering.sort_range_atoms(system, &open, edge.choices.len());
    let variables = system.variables.len() as PolyVar;
    let choices: Vec<IntegerPolynomial> = (0..edge.choices.len() as PolyVar)
        .map(|at| IntegerPolynomial::var(variables + at))
        .collect();
    let path = |(mut atoms, update): (Vec<PolyAtom>, Vec<IntegerPolynomial>)| {
        atoms.extend(ranges.iter().cloned());
        let path = PolyPath {
            from: edge.from.0 as usize,
            to: edge.to.0 as usize,
            segments: vec![PathSegment::Edge { edge: index, choices: choices.clone() }],
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
            Err(PathFailure::TooLarge) if mode == ApproximationMode::Over => return None,
            Err(_) => {}
        }
    }
    Some(paths)
}

impl<'a> EdgeLowering<'a> {
    fn new(
        system: &'a TransitionSystem,
        edge: Option<&TransitionEdge>,
        choices: &[Term],
        reading: BitVectorReading<'a>,
        mode: ApproximationMode,
    ) -> EdgeLowering<'a> {
        let mut variables = FxHashMap::default();
        let symbols = system.variables.iter().map(|v| v.symbol).chain(choices.iter().copied());
        for symbol in symbols {
            if let TermOp::Symbol(id) = system.terms.op(symbol) {
                variables.insert(*id, variables.len() as PolyVar);
            }
        }
        let next = variables.len() as PolyVar;
        EdgeLowering {
            terms: &system.terms,
            mode,
            reading,
            variables,
            exact: FxHashMap::default(),
            next,
            exactly: false,
            values: FxHashMap::default(),
            naturals: FxHashMap::default(),
            is_natural: signs::naturals(
                system,
                edge.filter(|_| mode == ApproximationMode::Over),
                choices,
                reading,
            ),
            preferred: FxHashMap::default(),
        }
    }

    fn is_natural(&self, var: PolyVar) -> bool {
        self.is_natural.get(var as usize) == Some(&true)
    }

    /// How many alternatives there may be.
    fn most(&self) -> usize {
        self.reading.limits.ways
    }

    fn new_local(&mut self) -> IntegerPolynomial {
        self.next += 1;
        IntegerPolynomial::var(self.next - 1)
    }
}

impl ValueCase {
    fn without_conditions(value: IntegerPolynomial) -> ValueCase {
        ValueCase { atoms: Vec::new(), value }
    }
}

/// Both at once, without what is plainly impossible; `None` if there would be more than so many.
fn conjoin_alternatives(
    left: &AtomAlternatives,
    right: &AtomAlternatives,
    most: usize,
) -> Option<AtomAlternatives> {
    let mut all: AtomAlternatives = Vec::new();
    for x in left {
        for y in right.iter().filter(|y| !exclude(x, y)) {
            let mut both = x.clone();
            add_new(&mut both, y);
            all.push(both);
            if all.len() > most {
                return None;
            }
        }
    }
    Some(all)
}

/// How many ways there are to take one of each that do not plainly exclude each other.
fn possible(ways: &[(Vec<PolyAtom>, Vec<IntegerPolynomial>)], cases: &[ValueCase]) -> usize {
    let with = |(atoms, _): &(Vec<PolyAtom>, Vec<IntegerPolynomial>)| {
        cases.iter().filter(|case| !exclude(atoms, &case.atoms)).count()
    };
    ways.iter().map(with).sum()
}

/// Whether some condition of the one is plainly impossible with some condition of the other. The same term, met
/// twice, has the same alternatives twice, and most of what they make together is of this kind.
fn exclude(left: &[PolyAtom], right: &[PolyAtom]) -> bool {
    left.iter().any(|x| right.iter().any(|y| x.excludes(y)))
}

/// Adds conditions that are not there already.
fn add_new(atoms: &mut Vec<PolyAtom>, more: &[PolyAtom]) {
    let before = atoms.len();
    for atom in more {
        if !atoms[..before].contains(atom) {
            atoms.push(atom.clone());
        }
    }
}
