//! From polynomials back to the system: the evidence.

use std::ops::Range;

use ouro_evidence::{ClosedPlace, Move, MoveStep, RecurrentSet, StemStep};
use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term};

use super::rays::Rays;
use crate::fair::is_fair;
use crate::paths::ask::Values;
use crate::paths::path::{Path, Segment};
use crate::paths::poly::{Atom, Poly, Var};
use crate::paths::text::{Writer, number_width};

/// More steps than this make no readable stem.
const STEM: usize = 100_000;

/// A number: a polynomial and whole quotients `factor * (numerator / denominator)`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Number {
    pub(crate) poly: Poly,
    pub(crate) quotients: Vec<(i128, Poly, i128)>,
}

impl From<Poly> for Number {
    fn from(poly: Poly) -> Number {
        Number { poly, quotients: Vec::new() }
    }
}

/// A set of states at a location, and how it is not left.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) location: usize,
    /// The states of any of these.
    pub(crate) cases: Vec<Case>,
    /// Paths, and what their local variables are.
    pub(crate) moves: Vec<(Path, Vec<Number>)>,
}

/// States that meet all of these conditions.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) atoms: Vec<Atom>,
    /// Polynomials, and what they are multiples of.
    pub(crate) multiples: Vec<(Poly, i128)>,
}

/// A path that leaves nothing open.
pub(crate) fn decided(path: &Path) -> (Path, Vec<Number>) {
    (path.clone(), vec![Number::default(); path.locals as usize])
}

impl Place {
    /// A loop that leads a set into itself and leaves nothing open.
    pub(crate) fn of(path: &Path, atoms: Vec<Atom>) -> Place {
        let cases = vec![Case { atoms, multiples: Vec::new() }];
        Place { location: path.to, cases, moves: vec![decided(path)] }
    }

    /// The states in some directions from a state, and the loop that goes there.
    pub(crate) fn along(path: &Path, rays: &Rays, matters: &[bool]) -> Option<Place> {
        let vars: Vec<usize> = (0..matters.len()).filter(|var| matters[*var]).collect();
        let from = |var: usize| Poly::var(var as Var).plus(-rays.point[var]);
        let mut atoms = Vec::new();
        let mut multiples = Vec::new();
        // For each direction how far the state is: numerator and denominator, which is positive.
        let mut far: Vec<(Poly, i128)> = Vec::new();
        match &rays.directions[..] {
            [] => {}
            [(y, _)] => {
                let key = |var: &&usize| (y[**var] == 0, y[**var].abs());
                let i = *vars.iter().min_by_key(key)?;
                far.push((from(i)?.scale(y[i].signum())?, y[i].abs()));
            }
            [(y, _), (z, _)] => {
                let minor = |i: usize, j: usize| y[i] * z[j] - y[j] * z[i];
                let pairs = vars.iter().flat_map(|i| vars.iter().map(move |j| (*i, *j)));
                let pairs = pairs.filter(|(i, j)| i < j && minor(*i, *j) != 0);
                let (i, j) = pairs.min_by_key(|(i, j)| minor(*i, *j).abs())?;
                let (sign, minor) = (minor(i, j).signum(), minor(i, j).abs());
                let (di, dj) = (from(i)?, from(j)?);
                let first = di.scale(z[j])?.sub(&dj.scale(z[i])?)?;
                let second = dj.scale(y[i])?.sub(&di.scale(y[j])?)?;
                far.push((first.scale(sign)?, minor));
                far.push((second.scale(sign)?, minor));
            }
            _ => return None,
        }
        let common = far.first().map_or(1, |(_, denominator)| *denominator);
        for (numerator, denominator) in &far {
            atoms.push(Atom::Ge(numerator.clone()));
            if *denominator > 1 {
                multiples.push((numerator.clone(), *denominator));
            }
        }
        for var in &vars {
            let mut rest = from(*var)?.scale(common)?;
            for ((direction, _), (numerator, _)) in rays.directions.iter().zip(&far) {
                rest = rest.add_scaled(numerator, -direction[*var])?;
            }
            let atom = Atom::Eq(rest);
            if atom.truth().is_none() {
                atoms.push(atom);
            }
        }
        let mut numbers = Vec::new();
        for (at, value) in rays.locals.iter().enumerate() {
            let mut number = Number::from(Poly::constant(*value));
            for ((_, direction), (numerator, denominator)) in rays.directions.iter().zip(&far) {
                if direction[at] == 0 {
                } else if *denominator == 1 {
                    number.poly = number.poly.add_scaled(numerator, direction[at])?;
                } else {
                    number.quotients.push((direction[at], numerator.clone(), *denominator));
                }
            }
            numbers.push(number);
        }
        let location = path.to;
        let cases = vec![Case { atoms, multiples }];
        Some(Place { location, cases, moves: vec![(path.clone(), numbers)] })
    }
}

/// The evidence: how the stem goes with these values, and the places; the stem ends at the first.
/// `None` if some run in it would not be fair.
pub(crate) fn recurrent_set(
    system: &TransitionSystem,
    stem: &Path,
    values: &Values,
    places: &[Place],
) -> Option<RecurrentSet> {
    let mut writer = Evidence { writer: Writer::new(system) };
    let mut initial = Vec::new();
    for (var, variable) in system.variables.iter().enumerate() {
        initial.push(writer.writer.constant(values.of(var as Var), variable.sort)?);
    }
    let stem = writer.stem(stem, values)?;
    let places: Option<Vec<ClosedPlace>> = places.iter().map(|place| writer.place(place)).collect();
    let set = RecurrentSet { initial, stem, places: places? };
    is_fair(system, &set).then_some(set)
}

/// Writes a recurrent set.
struct Evidence<'a> {
    writer: Writer<'a>,
}

impl Evidence<'_> {
    fn stem(&mut self, stem: &Path, values: &Values) -> Option<Vec<StemStep>> {
        let mut steps = Vec::new();
        let of = |var: Var| values.of(var);
        for segment in &stem.segments {
            match segment {
                Segment::Edge { edge, choices } => {
                    steps.push(self.stem_step(*edge, choices, &of)?);
                }
                Segment::Repeat { path, times, state } => {
                    let mut now: Vec<i128> =
                        state.iter().map(|poly| poly.value(&of)).collect::<Option<_>>()?;
                    for _ in 0..times.value(&of)? {
                        let here = |var: Var| now.get(var as usize).copied().unwrap_or(0);
                        for segment in &path.segments {
                            let Segment::Edge { edge, choices } = segment else { return None };
                            steps.push(self.stem_step(*edge, choices, &here)?);
                        }
                        let next: Option<Vec<i128>> =
                            path.update.iter().map(|poly| poly.value(&here)).collect();
                        now = next?;
                        if steps.len() > STEM {
                            return None;
                        }
                    }
                }
            }
        }
        Some(steps)
    }

    fn stem_step(
        &mut self,
        edge: u32,
        choices: &[Poly],
        of: &dyn Fn(Var) -> i128,
    ) -> Option<StemStep> {
        let symbols = &self.writer.system.edges[ouro_model::ids::EdgeId(edge)].choices;
        let mut texts = Vec::new();
        for (symbol, choice) in symbols.iter().zip(choices) {
            texts.push(self.writer.constant(choice.value(of)?, self.writer.terms.sort(*symbol))?);
        }
        Some(StemStep { edge, choices: texts })
    }

    fn place(&mut self, place: &Place) -> Option<ClosedPlace> {
        let mut cases = Vec::new();
        for case in &place.cases {
            let mut parts = Vec::new();
            for atom in &case.atoms {
                parts.push(self.writer.atom(atom)?);
            }
            for (poly, of) in &case.multiples {
                parts.push(self.writer.multiple(poly, *of)?);
            }
            cases.push(self.writer.terms.and_all(&parts));
        }
        let set = self.writer.terms.or_all(&cases);
        let mut moves = Vec::new();
        for (path, numbers) in &place.moves {
            let mut steps = Vec::new();
            for segment in &path.segments {
                let Segment::Edge { edge, choices } = segment else { return None };
                steps.push(self.move_step(*edge, choices, numbers)?);
            }
            moves.push(Move { steps });
        }
        let location = u32::try_from(place.location).ok()?;
        Some(ClosedPlace { location, set: self.writer.text(set), moves })
    }

    fn move_step(&mut self, edge: u32, choices: &[Poly], numbers: &[Number]) -> Option<MoveStep> {
        let symbols = &self.writer.system.edges[ouro_model::ids::EdgeId(edge)].choices;
        let mut texts = Vec::new();
        for (symbol, choice) in symbols.iter().zip(choices) {
            let sort = self.writer.terms.sort(*symbol);
            let number = resolved(choice, self.writer.system.variables.len() as Var, numbers)?;
            let term = self.number(&number, sort)?;
            texts.push(self.writer.text(term));
        }
        Some(MoveStep { edge, choices: texts })
    }

    /// A number of a choice's sort.
    fn number(&mut self, number: &Number, sort: Sort) -> Option<Term> {
        match sort {
            Sort::Int => {
                let mut sum = self.writer.whole(&number.poly, Sort::Int)?;
                for (factor, numerator, denominator) in &number.quotients {
                    let numerator = self.writer.whole(numerator, Sort::Int)?;
                    let denominator = self.writer.terms.int(*denominator);
                    let quotient = self.writer.terms.int_div(numerator, denominator);
                    let factor = self.writer.terms.int(*factor);
                    let part = self.writer.terms.int_mul(factor, quotient);
                    sum = self.writer.terms.int_add(sum, part);
                }
                Some(sum)
            }
            _ if !number.quotients.is_empty() => None,
            Sort::Bool => {
                let arithmetic = self.writer.arithmetic(&number.poly)?;
                let sum = self.writer.whole(&number.poly, arithmetic)?;
                let zero = self.writer.zero(arithmetic);
                Some(self.writer.terms.ne(sum, zero))
            }
            Sort::BitVec(width) => {
                let wide = match self.writer.arithmetic(&number.poly)? {
                    Sort::BitVec(wide) => wide.max(width),
                    _ => width.max(number_width(&number.poly)),
                };
                let sum = self.writer.whole(&number.poly, Sort::BitVec(wide))?;
                Some(self.writer.terms.truncate(width, sum))
            }
        }
    }
}

/// A polynomial with numbers in place of local variables.
fn resolved(poly: &Poly, variables: Var, numbers: &[Number]) -> Option<Number> {
    let locals: Range<Var> = variables..variables + numbers.len() as Var;
    let mut number = Number {
        poly: poly.substitute(&|var| {
            locals.contains(&var).then(|| numbers[(var - variables) as usize].poly.clone())
        })?,
        quotients: Vec::new(),
    };
    for local in locals {
        for (factor, numerator, denominator) in &numbers[(local - variables) as usize].quotients {
            if poly.has_in_product(local) {
                return None;
            }
            let factor = factor.checked_mul(poly.coefficient(local))?;
            if factor != 0 {
                number.quotients.push((factor, numerator.clone(), *denominator));
            }
        }
    }
    Some(number)
}
