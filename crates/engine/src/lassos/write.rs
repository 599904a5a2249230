//! From polynomials back to the system: the evidence.

use std::ops::Range;

use ouro_evidence::{MoveStep, RecurrentLocation, RecurrentMove, RecurrentSet, StemStep};
use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term};

use super::rays::GeometricArgument;
use crate::fair::is_fair_recurrent_set;
use crate::limits::LASSO_LIMITS;
use crate::paths::ask::VarValues;
use crate::paths::path::{PathSegment, PolyPath};
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};
use crate::paths::text::{PolyTermWriter, number_width};

/// A number: a polynomial and whole quotients `factor * (numerator / denominator)`.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuotientNumber {
    pub(crate) poly: IntegerPolynomial,
    pub(crate) quotients: Vec<(i128, IntegerPolynomial, i128)>,
}

impl From<IntegerPolynomial> for QuotientNumber {
    fn from(poly: IntegerPolynomial) -> QuotientNumber {
        QuotientNumber { poly, quotients: Vec::new() }
    }
}

/// A set of states at a location, and how it is not left.
#[derive(Clone, Debug)]
pub(crate) struct RecurrentPlace {
    pub(crate) location: usize,
    /// The states of any of these.
    pub(crate) cases: Vec<RecurrentPlaceCase>,
    /// Paths, and what their local variables are.
    pub(crate) moves: Vec<(PolyPath, Vec<QuotientNumber>)>,
}

/// States that meet all of these conditions.
#[derive(Clone, Debug)]
pub(crate) struct RecurrentPlaceCase {
    pub(crate) atoms: Vec<PolyAtom>,
    /// Polynomials, and what they are multiples of.
    pub(crate) multiples: Vec<(IntegerPolynomial, i128)>,
}

/// A path that leaves nothing open.
pub(crate) fn decide_path(path: &PolyPath) -> (PolyPath, Vec<QuotientNumber>) {
    (path.clone(), vec![QuotientNumber::default(); path.locals as usize])
}

impl RecurrentPlace {
    /// A loop that leads a set into itself and leaves nothing open.
    pub(crate) fn of_loop(path: &PolyPath, atoms: Vec<PolyAtom>) -> RecurrentPlace {
        let cases = vec![RecurrentPlaceCase { atoms, multiples: Vec::new() }];
        RecurrentPlace { location: path.to, cases, moves: vec![decide_path(path)] }
    }

    /// The states in some directions from a state, and the loop that goes there.
    pub(crate) fn along_rays(
        path: &PolyPath,
        rays: &GeometricArgument,
        matters: &[bool],
    ) -> Option<RecurrentPlace> {
        let vars: Vec<usize> = (0..matters.len()).filter(|var| matters[*var]).collect();
        let from =
            |var: usize| IntegerPolynomial::var(var as PolyVar).plus_constant(-rays.point[var]);
        let mut atoms = Vec::new();
        let mut multiples = Vec::new();
        // For each direction how far the state is: numerator and denominator, which is positive.
        let mut far: Vec<(IntegerPolynomial, i128)> = Vec::new();
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
            atoms.push(PolyAtom::Ge(numerator.clone()));
            if *denominator > 1 {
                multiples.push((numerator.clone(), *denominator));
            }
        }
        for var in &vars {
            let mut rest = from(*var)?.scale(common)?;
            for ((direction, _), (numerator, _)) in rays.directions.iter().zip(&far) {
                rest = rest.add_scaled(numerator, -direction[*var])?;
            }
            let atom = PolyAtom::Eq(rest);
            if atom.constant_truth().is_none() {
                atoms.push(atom);
            }
        }
        let mut numbers = Vec::new();
        for (at, value) in rays.locals.iter().enumerate() {
            let mut number = QuotientNumber::from(IntegerPolynomial::constant(*value));
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
        let cases = vec![RecurrentPlaceCase { atoms, multiples }];
        Some(RecurrentPlace { location, cases, moves: vec![(path.clone(), numbers)] })
    }
}

/// The evidence: how the stem goes with these values, and the places; the stem ends at the first.
/// `None` if some run in it would not be fair.
pub(crate) fn write_recurrent_set(
    system: &TransitionSystem,
    stem: &PolyPath,
    values: &VarValues,
    places: &[RecurrentPlace],
) -> Option<RecurrentSet> {
    let mut writer = RecurrentSetWriter { writer: PolyTermWriter::new(system) };
    let mut initial = Vec::new();
    for (var, variable) in system.variables.iter().enumerate() {
        initial.push(writer.writer.constant_text(values.value_of(var as PolyVar), variable.sort)?);
    }
    let stem = writer.write_stem(stem, values)?;
    let places: Option<Vec<RecurrentLocation>> =
        places.iter().map(|place| writer.write_place(place)).collect();
    let set = RecurrentSet { initial, stem, places: places? };
    is_fair_recurrent_set(system, &set).then_some(set)
}

/// Writes a recurrent set.
struct RecurrentSetWriter<'a> {
    writer: PolyTermWriter<'a>,
}

impl RecurrentSetWriter<'_> {
    fn write_stem(&mut self, stem: &PolyPath, values: &VarValues) -> Option<Vec<StemStep>> {
        let mut steps = Vec::new();
        let of = |var: PolyVar| values.value_of(var);
        for segment in &stem.segments {
            match segment {
                PathSegment::Edge { edge, choices } => {
                    steps.push(self.write_stem_step(*edge, choices, &of)?);
                }
                PathSegment::Repeat { path, times, state } => {
                    let mut now: Vec<i128> =
                        state.iter().map(|poly| poly.value_under(&of)).collect::<Option<_>>()?;
                    for _ in 0..times.value_under(&of)? {
                        let here = |var: PolyVar| now.get(var as usize).copied().unwrap_or(0);
                        for segment in &path.segments {
                            let PathSegment::Edge { edge, choices } = segment else { return None };
                            steps.push(self.write_stem_step(*edge, choices, &here)?);
                        }
                        let next: Option<Vec<i128>> =
                            path.update.iter().map(|poly| poly.value_under(&here)).collect();
                        now = next?;
                        if steps.len() > LASSO_LIMITS.stem_steps {
                            return None;
                        }
                    }
                }
            }
        }
        Some(steps)
    }

    fn write_stem_step(
        &mut self,
        edge: u32,
        choices: &[IntegerPolynomial],
        of: &dyn Fn(PolyVar) -> i128,
    ) -> Option<StemStep> {
        let symbols = &self.writer.system.edges[ouro_model::ids::EdgeId(edge)].choices;
        let mut texts = Vec::new();
        for (symbol, choice) in symbols.iter().zip(choices) {
            texts.push(
                self.writer
                    .constant_text(choice.value_under(of)?, self.writer.terms.sort(*symbol))?,
            );
        }
        Some(StemStep { edge, choices: texts })
    }

    fn write_place(&mut self, place: &RecurrentPlace) -> Option<RecurrentLocation> {
        let mut cases = Vec::new();
        for case in &place.cases {
            let mut parts = Vec::new();
            for atom in &case.atoms {
                parts.push(self.writer.atom_term(atom)?);
            }
            for (poly, of) in &case.multiples {
                parts.push(self.writer.multiple_term(poly, *of)?);
            }
            cases.push(self.writer.terms.and_all(&parts));
        }
        let set = self.writer.terms.or_all(&cases);
        let mut moves = Vec::new();
        for (path, numbers) in &place.moves {
            let mut steps = Vec::new();
            for segment in &path.segments {
                let PathSegment::Edge { edge, choices } = segment else { return None };
                steps.push(self.write_move_step(*edge, choices, numbers)?);
            }
            moves.push(RecurrentMove { steps });
        }
        let location = u32::try_from(place.location).ok()?;
        Some(RecurrentLocation { location, set: self.writer.term_text(set), moves })
    }

    fn write_move_step(
        &mut self,
        edge: u32,
        choices: &[IntegerPolynomial],
        numbers: &[QuotientNumber],
    ) -> Option<MoveStep> {
        let symbols = &self.writer.system.edges[ouro_model::ids::EdgeId(edge)].choices;
        let mut texts = Vec::new();
        for (symbol, choice) in symbols.iter().zip(choices) {
            let sort = self.writer.terms.sort(*symbol);
            let number =
                resolve_locals(choice, self.writer.system.variables.len() as PolyVar, numbers)?;
            let term = self.number_term(&number, sort)?;
            texts.push(self.writer.term_text(term));
        }
        Some(MoveStep { edge, choices: texts })
    }

    /// A number of a choice's sort.
    fn number_term(&mut self, number: &QuotientNumber, sort: Sort) -> Option<Term> {
        match sort {
            Sort::Int => {
                let mut sum = self.writer.poly_term(&number.poly, Sort::Int)?;
                for (factor, numerator, denominator) in &number.quotients {
                    let numerator = self.writer.poly_term(numerator, Sort::Int)?;
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
                let arithmetic = self.writer.arithmetic_sort(&number.poly)?;
                let sum = self.writer.poly_term(&number.poly, arithmetic)?;
                let zero = self.writer.zero_term(arithmetic);
                Some(self.writer.terms.ne(sum, zero))
            }
            Sort::BitVec(width) => {
                let wide = match self.writer.arithmetic_sort(&number.poly)? {
                    Sort::BitVec(wide) => wide.max(width),
                    _ => width.max(number_width(&number.poly)),
                };
                let sum = self.writer.poly_term(&number.poly, Sort::BitVec(wide))?;
                Some(self.writer.terms.truncate(width, sum))
            }
        }
    }
}

/// A polynomial with numbers in place of local variables.
fn resolve_locals(
    poly: &IntegerPolynomial,
    variables: PolyVar,
    numbers: &[QuotientNumber],
) -> Option<QuotientNumber> {
    let locals: Range<PolyVar> = variables..variables + numbers.len() as PolyVar;
    let mut number = QuotientNumber {
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
