//! From the terms of an edge to paths: conditions and updates as polynomials, one path for each
//! way in which the guard can hold.
//!
//! Integers are exact. A bit-vector is read as the signed number that it is, or, if it is one of those
//! that should be ([`Reading`]), as the natural number that it is. An operation that wraps around is
//! one path for each number of times that it can, as far as they are few; where the guard says that
//! it does not, it is exact. What has no reading is left out. For a run that never ends, a way that is
//! left out is no path ([`Mode::Under`]); for a proof that every run ends, a condition that is left out
//! holds, and a value that is left out is any value ([`Mode::Over`]).

use num_traits::ToPrimitive;
use ouro_model::transition::{Edge, TransitionSystem};
use ouro_term::{Op, Sort, SymbolId, Term, Terms, sign_extend};
use rustc_hash::FxHashMap;

use super::ask::opposite;
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

    /// Whether a term is best read as a natural number.
    fn prefers_natural(&self, term: Term) -> bool {
        match self.terms.op(term) {
            Op::Symbol(id) => self.variables.get(id).is_some_and(|var| self.is_natural(*var)),
            Op::BvAdd => self.terms.args(term).iter().any(|arg| self.prefers_natural(*arg)),
            _ => false,
        }
    }

    /// A bit-vector as a natural number.
    fn natural(&mut self, term: Term) -> Option<Vec<Case>> {
        let Sort::BitVec(width) = self.terms.sort(term) else { return None };
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let args = self.terms.args(term).to_vec();
        let cases = match self.terms.op(term).clone() {
            Op::Symbol(id) if self.variables.get(&id).is_some_and(|var| self.is_natural(*var)) => {
                vec![Case::of(Poly::var(self.variables[&id]))]
            }
            Op::Bv { value, .. } => vec![Case::of(Poly::constant(i128::try_from(value).ok()?))],
            Op::ZeroExtend(_) => self.natural(args[0])?,
            Op::Ite => {
                let mut cases = Vec::new();
                for (truth, then) in [(true, args[1]), (false, args[2])] {
                    let ways = self.truth(args[0], truth)?;
                    for case in self.natural(then)? {
                        for atoms in product(&ways, &vec![case.atoms.clone()])? {
                            cases.push(Case { atoms, value: case.value.clone() });
                        }
                    }
                }
                cases
            }
            Op::BvAdd if self.prefers_natural(term) => {
                let mut sums = vec![Case::of(Poly::constant(0))];
                for arg in &args {
                    let parts = self.natural(*arg)?;
                    let mut next = Vec::new();
                    for sum in &sums {
                        for part in &parts {
                            let mut atoms = sum.atoms.clone();
                            atoms.extend(part.atoms.iter().cloned());
                            next.push(Case { atoms, value: sum.value.add(&part.value)? });
                        }
                    }
                    sums = next;
                    if sums.len() > WAYS {
                        return None;
                    }
                }
                let mut cases = Vec::new();
                for sum in sums {
                    for turns in 0..args.len() as i128 {
                        let value = sum.value.plus(turn.checked_mul(-turns)?)?;
                        let mut atoms = sum.atoms.clone();
                        atoms.extend(naturals_of(width, &value)?);
                        cases.push(Case { atoms, value });
                    }
                }
                cases
            }
            _ => {
                let mut cases = Vec::new();
                for case in self.value(term)? {
                    let (mut low, mut high) = (case.clone(), case.clone());
                    low.atoms.push(Atom::Ge(case.value.clone()));
                    high.atoms.push(Atom::Ge(case.value.neg()?.plus(-1)?));
                    high.value = case.value.plus(turn)?;
                    if self.reading.boundless {
                        low.atoms.push(Atom::Ge(case.value.neg()?.plus(turn - 1)?));
                        high.atoms.push(Atom::Ge(high.value.clone()));
                        cases.extend(
                            self.beyond(&case, -turn, turn - 1, |value| naturals_of(width, value))?,
                        );
                    }
                    cases.extend([low, high]);
                }
                cases
            }
        };
        let possible = |case: &Case| case.atoms.iter().all(|atom| atom.truth() != Some(false));
        let cases: Vec<Case> = cases.into_iter().filter(possible).collect();
        (cases.len() <= WAYS).then_some(cases)
    }

    /// What the sorts of variables and choices say about their numbers.
    fn ranges(&self, system: &TransitionSystem, open: &[Term]) -> Vec<Atom> {
        let symbols = system.variables.iter().map(|v| v.symbol).chain(open.iter().copied());
        let mut atoms = Vec::new();
        for (var, symbol) in symbols.enumerate() {
            let value = Poly::var(var as Var);
            let range = match self.terms.sort(symbol) {
                Sort::BitVec(width) if self.is_natural(var as Var) => naturals_of(width, &value),
                Sort::BitVec(INT..) if self.reading.boundless => None,
                sort => range(sort, &value),
            };
            atoms.extend(range.unwrap_or_default());
        }
        atoms
    }

    fn local(&mut self) -> Poly {
        self.next += 1;
        Poly::var(self.next - 1)
    }

    /// The ways in which a guard holds, part by part.
    fn condition(&mut self, guard: Term) -> Option<Ways> {
        let parts = match self.terms.op(guard) {
            Op::And => self.terms.args(guard).to_vec(),
            _ => vec![guard],
        };
        self.exact.clear();
        for (narrow, wide) in parts.iter().filter_map(|part| exact(self.terms, *part)) {
            self.exact.entry(narrow).or_insert(wide);
        }
        let mut all = vec![Vec::new()];
        for part in parts {
            let ways = match exact(self.terms, part) {
                Some((narrow, _)) => self.within(narrow),
                None => self.truth(part, true),
            };
            match (ways.and_then(|ways| product(&all, &ways)), self.mode) {
                (Some(more), _) => all = more,
                (None, Mode::Under) => return None,
                (None, Mode::Over) => {}
            }
        }
        Some(all)
    }

    /// The ways in which a term that is said to be exact is within its sort.
    fn within(&mut self, term: Term) -> Option<Ways> {
        if self.reading.boundless {
            return Some(vec![Vec::new()]);
        }
        let sort = self.terms.sort(term);
        let mut ways = Vec::new();
        for case in self.value(term)? {
            let mut atoms = case.atoms;
            atoms.extend(range(sort, &case.value)?);
            ways.push(atoms);
        }
        Some(ways)
    }

    /// The ways in which a formula has this truth.
    fn truth(&mut self, term: Term, positive: bool) -> Option<Ways> {
        let args = self.terms.args(term).to_vec();
        let ways = match (self.terms.op(term).clone(), positive) {
            (Op::True, true) | (Op::False, false) => vec![Vec::new()],
            (Op::True, false) | (Op::False, true) => Vec::new(),
            (Op::Not, _) => self.truth(args[0], !positive)?,
            (Op::And, true) | (Op::Or, false) => {
                let mut all = vec![Vec::new()];
                for arg in args {
                    let ways = self.truth(arg, positive)?;
                    all = product(&all, &ways)?;
                }
                all
            }
            (Op::Or, true) | (Op::And, false) => {
                let mut any = Vec::new();
                for arg in args {
                    any.extend(self.truth(arg, positive)?);
                }
                any
            }
            (Op::Ite, _) => {
                let mut any = Vec::new();
                for (condition, then) in [(true, args[1]), (false, args[2])] {
                    let condition = self.truth(args[0], condition)?;
                    let then = self.truth(then, positive)?;
                    any.extend(product(&condition, &then)?);
                }
                any
            }
            (Op::Eq, _) if self.terms.sort(args[0]) == Sort::Bool => {
                let mut any = Vec::new();
                for side in [true, false] {
                    let left = self.truth(args[0], side)?;
                    let right = self.truth(args[1], side == positive)?;
                    any.extend(product(&left, &right)?);
                }
                any
            }
            (Op::Eq, _) if args.iter().any(|arg| self.prefers_natural(*arg)) => {
                self.naturals(args[0], args[1], &|difference| equal(difference, positive))?
            }
            (Op::Eq, _) => {
                self.compare(args[0], args[1], &|difference| equal(difference, positive))?
            }
            (Op::IntLe | Op::BvSle, _) => {
                self.compare(args[0], args[1], &|difference| at_least(difference, positive))?
            }
            (Op::BvSlt, _) => {
                self.compare(args[1], args[0], &|difference| at_least(difference, !positive))?
            }
            (Op::BvUle, _) => self.unsigned(args[0], args[1], positive)?,
            (Op::BvUlt, _) => self.unsigned(args[1], args[0], !positive)?,
            (Op::Symbol(_), _) => {
                let value = Poly::constant(i128::from(positive));
                let mut ways = Vec::new();
                for case in self.value(term)? {
                    let mut atoms = case.atoms;
                    atoms.push(Atom::Eq(case.value.sub(&value)?));
                    ways.push(atoms);
                }
                ways
            }
            _ => return None,
        };
        (ways.len() <= WAYS).then_some(ways)
    }

    /// The ways for a condition on `b - a`.
    fn compare(
        &mut self,
        a: Term,
        b: Term,
        condition: &dyn Fn(&Poly) -> Option<Vec<Atom>>,
    ) -> Option<Ways> {
        let (left, right) = (self.value(a)?, self.value(b)?);
        conditions(&left, &right, condition)
    }

    /// The same for natural numbers.
    fn naturals(
        &mut self,
        a: Term,
        b: Term,
        condition: &dyn Fn(&Poly) -> Option<Vec<Atom>>,
    ) -> Option<Ways> {
        let (left, right) = (self.natural(a)?, self.natural(b)?);
        conditions(&left, &right, condition)
    }

    /// The ways in which `a <= b`, unsigned, or not: both of one sign, or `b` the negative one.
    fn unsigned(&mut self, a: Term, b: Term, positive: bool) -> Option<Ways> {
        if self.prefers_natural(a) || self.prefers_natural(b) {
            return self.naturals(a, b, &|difference| at_least(difference, positive));
        }
        let (left, right) = (self.value(a)?, self.value(b)?);
        let mut ways = Vec::new();
        for x in &left {
            for y in &right {
                let not_negative = |poly: &Poly| Some(Atom::Ge(poly.clone()));
                let negative = |poly: &Poly| Some(Atom::Ge(poly.neg()?.plus(-1)?));
                let (p, q) = (&x.value, &y.value);
                let ordered = at_least(&q.sub(p)?, positive)?;
                let mut signs = Vec::new();
                for atom in ordered {
                    signs.push(vec![not_negative(p)?, not_negative(q)?, atom.clone()]);
                    signs.push(vec![negative(p)?, negative(q)?, atom]);
                }
                signs.push(match positive {
                    true => vec![not_negative(p)?, negative(q)?],
                    false => vec![negative(p)?, not_negative(q)?],
                });
                for sign in signs {
                    let mut atoms = x.atoms.clone();
                    atoms.extend(y.atoms.iter().cloned());
                    atoms.extend(sign);
                    ways.push(atoms);
                }
            }
        }
        Some(ways)
    }

    /// The values of a term.
    fn value(&mut self, term: Term) -> Option<Vec<Case>> {
        let key = (term, self.exactly);
        if let Some(cases) = self.values.get(&key) {
            return Some(cases.clone());
        }
        // What a term is by the guard may be said in terms of itself: not again on the way.
        let cases = match self.exact.remove(&term) {
            Some(wide) => {
                let before = std::mem::replace(&mut self.exactly, true);
                let cases = self.value(wide);
                self.exactly = before;
                self.exact.insert(term, wide);
                cases?
            }
            None => self.new_value(term)?,
        };
        let cases: Vec<Case> = cases
            .into_iter()
            .filter(|case| case.atoms.iter().all(|atom| atom.truth() != Some(false)))
            .collect();
        if cases.len() > WAYS {
            return None;
        }
        self.values.insert(key, cases.clone());
        Some(cases)
    }

    fn new_value(&mut self, term: Term) -> Option<Vec<Case>> {
        let args = self.terms.args(term).to_vec();
        let sort = self.terms.sort(term);
        let op = self.terms.op(term).clone();
        Some(match op {
            Op::Symbol(id) => {
                let var = *self.variables.get(&id)?;
                match sort {
                    Sort::BitVec(width) if self.is_natural(var) => signed(width, &Poly::var(var))?,
                    _ => vec![Case::of(Poly::var(var))],
                }
            }
            Op::Int(value) => vec![Case::of(Poly::constant(value.to_i128()?))],
            Op::Bv { width, value } => vec![Case::of(Poly::constant(sign_extend(width, value)))],
            Op::True
            | Op::False
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::IntLe
            | Op::BvSle
            | Op::BvSlt
            | Op::BvUle
            | Op::BvUlt => {
                let mut cases = Vec::new();
                for truth in [true, false] {
                    let value = Poly::constant(i128::from(truth));
                    let ways = self.truth(term, truth)?;
                    cases
                        .extend(ways.into_iter().map(|atoms| Case { atoms, value: value.clone() }));
                }
                cases
            }
            Op::Ite => {
                let mut cases = Vec::new();
                for (truth, then) in [(true, args[1]), (false, args[2])] {
                    let ways = self.truth(args[0], truth)?;
                    for case in self.value(then)? {
                        for atoms in product(&ways, &vec![case.atoms.clone()])? {
                            cases.push(Case { atoms, value: case.value.clone() });
                        }
                    }
                }
                cases
            }
            Op::IntAdd => self.fold(&args, Poly::add)?,
            Op::IntMul => self.fold(&args, Poly::mul)?,
            Op::IntDiv | Op::IntMod => self.divided(&args, op == Op::IntDiv)?,
            Op::BvAdd if fits(self.terms, term) => self.fold(&args, Poly::add)?,
            Op::BvMul if fits(self.terms, term) => self.fold(&args, Poly::mul)?,
            Op::BvAdd => self.wrapped(sort, &args, Poly::add, 1)?,
            Op::BvMul => self.wrapped(sort, &args, Poly::mul, 0)?,
            Op::BvNeg => {
                let cases = self.value(args[0])?;
                let negated: Option<Vec<Case>> =
                    cases.into_iter().map(|c| Some(Case { value: c.value.neg()?, ..c })).collect();
                match fits(self.terms, term) {
                    true => negated?,
                    false => self.around(sort, negated?, 1)?,
                }
            }
            Op::BvNot => {
                let cases = self.value(args[0])?;
                let inverted = cases
                    .into_iter()
                    .map(|c| Some(Case { value: c.value.neg()?.plus(-1)?, atoms: c.atoms }));
                inverted.collect::<Option<Vec<Case>>>()?
            }
            Op::SignExtend(64) => self.in_range(args[0])?,
            Op::SignExtend(_) => self.value(args[0])?,
            Op::ZeroExtend(to) => {
                let from = self.terms.width(args[0]);
                if to == from {
                    return self.value(args[0]);
                }
                if self.prefers_natural(args[0]) {
                    return self.natural(args[0]);
                }
                let mut cases = Vec::new();
                for case in self.in_range(args[0])? {
                    let mut low = case.clone();
                    low.atoms.push(Atom::Ge(case.value.clone()));
                    cases.push(low);
                    let mut high = case.clone();
                    high.atoms.push(Atom::Ge(case.value.neg()?.plus(-1)?));
                    high.value = case.value.plus(1_i128.checked_shl(from)?)?;
                    cases.push(high);
                }
                cases
            }
            Op::BvSdiv => self.toward_zero(&args, true)?,
            Op::BvSrem => self.toward_zero(&args, false)?,
            Op::BvUdiv | Op::BvUrem => {
                // Without a sign: exact where both are, by how they are read.
                let x = self.natural(args[0])?;
                let y = self.natural(args[1])?;
                let cases = self.quotients(x, &y, op == Op::BvUdiv)?;
                self.signed_again(sort, cases)?
            }
            Op::BvShl => {
                let by = self.shift(args[1])?;
                let cases = self.scaled(args[0], by)?;
                self.around(sort, cases, 0)?
            }
            Op::BvAshr => {
                let by = self.shift(args[1])?;
                let x = self.value(args[0])?;
                self.quotients(x, &[Case::of(Poly::constant(1_i128.checked_shl(by)?))], true)?
            }
            Op::BvLshr => {
                let by = self.shift(args[1])?;
                let x = self.natural(args[0])?;
                let cases =
                    self.quotients(x, &[Case::of(Poly::constant(1_i128.checked_shl(by)?))], true)?;
                self.signed_again(sort, cases)?
            }
            Op::BvAnd => self.masked(sort, &args)?,
            Op::Extract { low: 0, .. } => {
                let cases = self.value(args[0])?;
                self.around(sort, cases, 0)?
            }
            _ => return None,
        })
    }

    fn fold(
        &mut self,
        args: &[Term],
        combine: fn(&Poly, &Poly) -> Option<Poly>,
    ) -> Option<Vec<Case>> {
        let mut cases = self.value(args[0])?;
        for arg in &args[1..] {
            let right = self.value(*arg)?;
            let mut next = Vec::new();
            for x in &cases {
                for y in &right {
                    let mut atoms = x.atoms.clone();
                    atoms.extend(y.atoms.iter().cloned());
                    next.push(Case { atoms, value: combine(&x.value, &y.value)? });
                }
            }
            cases = next;
            if cases.len() > WAYS {
                return None;
            }
        }
        Some(cases)
    }

    /// A sum or product of bit-vectors.
    fn wrapped(
        &mut self,
        sort: Sort,
        args: &[Term],
        combine: fn(&Poly, &Poly) -> Option<Poly>,
        turns: i128,
    ) -> Option<Vec<Case>> {
        let cases = self.fold(args, combine)?;
        self.around(sort, cases, turns * (args.len() as i128 - 1))
    }

    /// Quotient or remainder of a division by a constant, Euclidean: local variables with the
    /// equation that defines them.
    fn divided(&mut self, args: &[Term], quotient: bool) -> Option<Vec<Case>> {
        let (x, y) = (self.value(args[0])?, self.value(args[1])?);
        self.quotients(x, &y, quotient)
    }

    /// Quotient or remainder of a division by a constant that is rounded toward zero.
    fn toward_zero(&mut self, args: &[Term], quotient: bool) -> Option<Vec<Case>> {
        let by = self.terms.as_bv(args[1])?;
        let by = sign_extend(self.terms.width(args[1]), by);
        if by == -1 {
            // The least number has no opposite.
            return None;
        }
        let by = [Case::of(Poly::constant(by))];
        let (mut up, mut down) = (Vec::new(), Vec::new());
        for case in self.value(args[0])? {
            let (mut natural, mut negative) = (case.clone(), case.clone());
            natural.atoms.push(Atom::Ge(case.value.clone()));
            up.push(natural);
            negative.value = case.value.neg()?;
            negative.atoms.push(Atom::Ge(negative.value.plus(-1)?));
            down.push(negative);
        }
        let mut cases = self.quotients(up, &by, quotient)?;
        for case in self.quotients(down, &by, quotient)? {
            cases.push(Case { value: case.value.neg()?, ..case });
        }
        Some(cases)
    }

    /// By how many bits a shift is, if that is fixed.
    fn shift(&self, by: Term) -> Option<u32> {
        let width = self.terms.width(by);
        let bits = u32::try_from(self.terms.as_bv(by)?).ok()?;
        (bits < width.min(64)).then_some(bits)
    }

    /// The values of a term, times a power of two.
    fn scaled(&mut self, term: Term, by: u32) -> Option<Vec<Case>> {
        let factor = 1_i128.checked_shl(by)?;
        let cases = self.value(term)?.into_iter();
        cases.map(|case| Some(Case { value: case.value.scale(factor)?, ..case })).collect()
    }

    /// Low bits, cut out by a mask: a remainder, in two's complement for negative numbers too.
    fn masked(&mut self, sort: Sort, args: &[Term]) -> Option<Vec<Case>> {
        let low = |term: Term| self.terms.as_bv(term).filter(|mask| mask & (mask + 1) == 0);
        let (term, mask) = match (low(args[0]), low(args[1])) {
            (_, Some(mask)) => (args[0], mask),
            (Some(mask), _) => (args[1], mask),
            _ => return None,
        };
        let Sort::BitVec(width) = sort else { return None };
        let modulus = i128::try_from(mask).ok()?.checked_add(1)?;
        if args.len() != 2 || width > 64 || modulus >= 1_i128 << (width - 1) {
            return None;
        }
        let x = self.value(term)?;
        self.quotients(x, &[Case::of(Poly::constant(modulus))], false)
    }

    /// Natural numbers of so many bits as signed numbers.
    fn signed_again(&mut self, sort: Sort, cases: Vec<Case>) -> Option<Vec<Case>> {
        let Sort::BitVec(width) = sort else { return None };
        let mut all = Vec::new();
        for case in cases {
            for mut read in signed(width, &case.value)? {
                read.atoms.extend(case.atoms.iter().cloned());
                all.push(read);
            }
        }
        Some(all)
    }

    fn quotients(&mut self, x: Vec<Case>, y: &[Case], quotient: bool) -> Option<Vec<Case>> {
        let mut cases = Vec::new();
        for x in x {
            for y in y {
                let by = y.value.as_constant().filter(|by| *by != 0)?;
                let q = self.local();
                // 0 <= x - by * q < |by|
                let rest = x.value.add_scaled(&q, -by)?;
                let mut atoms = x.atoms.clone();
                atoms.extend(y.atoms.iter().cloned());
                atoms.push(Atom::Ge(rest.clone()));
                atoms.push(Atom::Ge(rest.neg()?.plus(by.checked_abs()? - 1)?));
                cases.push(Case { atoms, value: if quotient { q } else { rest } });
            }
        }
        Some(cases)
    }
}

impl Lowering<'_> {
    /// Values brought into the range of their sort by at most so many turns. Where more may be
    /// needed, those are left out, or are any value of the sort.
    fn around(&mut self, sort: Sort, cases: Vec<Case>, turns: i128) -> Option<Vec<Case>> {
        let Sort::BitVec(width) = sort else { return Some(cases) };
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let mut all = Vec::new();
        for case in cases {
            for k in -turns..=turns {
                let value = case.value.plus(turn.checked_mul(k)?)?;
                let mut atoms = case.atoms.clone();
                atoms.extend(range(sort, &value)?);
                all.push(Case { atoms, value });
            }
            let open = turns == 0 || self.reading.boundless;
            if open && self.mode == Mode::Over && width <= 64 {
                let half = turn / 2;
                let more = turn.checked_mul(turns)?;
                let (least, most) = ((-half).checked_sub(more)?, (half - 1).checked_add(more)?);
                all.extend(self.beyond(&case, least, most, |value| range(sort, value))?);
            }
        }
        Some(all)
    }
}

impl Lowering<'_> {
    /// The values of a number that C makes wider. If signed numbers count as if they had no bounds, one
    /// that has left its type is any number of it here: else a comparison in the wider type could end a
    /// loop that in C only an overflow ends.
    fn in_range(&mut self, term: Term) -> Option<Vec<Case>> {
        let cases = self.value(term)?;
        match self.terms.sort(term) {
            sort @ Sort::BitVec(INT..) if self.reading.boundless && !self.exactly => {
                self.around(sort, cases, 0)
            }
            _ => Some(cases),
        }
    }

    /// A value below or above what was looked at: it is any number in range. Where signed numbers
    /// count as if they had no bounds, leaving these out would be a bound that ends loops.
    fn beyond(
        &mut self,
        case: &Case,
        least: i128,
        most: i128,
        range: impl Fn(&Poly) -> Option<Vec<Atom>>,
    ) -> Option<Vec<Case>> {
        let below = Atom::Ge(case.value.neg()?.plus(least.checked_sub(1)?)?);
        let above = Atom::Ge(case.value.plus(most.checked_neg()?.checked_sub(1)?)?);
        let mut cases = Vec::new();
        for outside in [below, above] {
            let value = self.local();
            let mut atoms = case.atoms.clone();
            atoms.push(outside);
            atoms.extend(range(&value)?);
            cases.push(Case { atoms, value });
        }
        Some(cases)
    }
}

impl Case {
    fn of(value: Poly) -> Case {
        Case { atoms: Vec::new(), value }
    }
}

/// The bit-vector of which a condition says that it is as large as another, which is wide enough for
/// the exact result: the machine asks for that where signed operations may not overflow.
fn exact(terms: &Terms, condition: Term) -> Option<(Term, Term)> {
    let (Op::Eq, &[a, b]) = (terms.op(condition), terms.args(condition)) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(extended, wide)| {
        let (Op::SignExtend(_), &[narrow]) = (terms.op(extended), terms.args(extended)) else {
            return None;
        };
        let computed = matches!(terms.op(narrow), Op::BvAdd | Op::BvMul | Op::BvNeg);
        let exact = matches!(terms.op(wide), Op::BvAdd | Op::BvMul | Op::BvNeg);
        (computed && exact && fits(terms, wide)).then_some((narrow, wide))
    })
}

/// Whether an operation on signed numbers cannot leave its sort, whatever the operands are.
fn fits(terms: &Terms, term: Term) -> bool {
    let args = terms.args(term).iter();
    let bounds: Option<Vec<(i128, i128)>> = args.map(|arg| bounds(terms, *arg)).collect();
    let Some(bounds) = bounds else { return false };
    let result = match terms.op(term) {
        Op::BvAdd => bounds.into_iter().try_fold((0, 0), sum),
        Op::BvMul => bounds.into_iter().try_fold((1, 1), extremes),
        Op::BvNeg => extremes(bounds[0], (-1, -1)),
        _ => None,
    };
    let Some((least, most)) = result else { return false };
    match terms.width(term) {
        128.. => true,
        width => least >= -(1 << (width - 1)) && most < 1 << (width - 1),
    }
}

/// Between which numbers a bit-vector is, by how it is made.
fn bounds(terms: &Terms, term: Term) -> Option<(i128, i128)> {
    let width = terms.width(term);
    let half = |width: u32| (width < 128).then(|| 1_i128 << (width - 1));
    match (terms.op(term), terms.args(term)) {
        (Op::Bv { value, .. }, _) => Some((sign_extend(width, *value), sign_extend(width, *value))),
        (Op::SignExtend(_), &[inner]) => half(terms.width(inner)).map(|half| (-half, half - 1)),
        (Op::ZeroExtend(_), &[inner]) if terms.width(inner) < width => {
            Some((0, half(terms.width(inner) + 1)? - 1))
        }
        // Sums of products of what was widened, and not deeper.
        (Op::BvMul, &[a, b]) if is_leaf(terms, a) && is_leaf(terms, b) && fits(terms, term) => {
            extremes(bounds(terms, a)?, bounds(terms, b)?)
        }
        (Op::BvNeg, &[a]) if is_leaf(terms, a) && fits(terms, term) => {
            extremes(bounds(terms, a)?, (-1, -1))
        }
        _ => half(width).map(|half| (-half, half - 1)),
    }
}

fn is_leaf(terms: &Terms, term: Term) -> bool {
    !matches!(terms.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg)
}

fn sum(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

/// Between which numbers a product is.
fn extremes(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let all = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    Some((*all.iter().min()?, *all.iter().max()?))
}

/// The ways for a condition on the difference of two numbers.
fn conditions(
    left: &[Case],
    right: &[Case],
    condition: &dyn Fn(&Poly) -> Option<Vec<Atom>>,
) -> Option<Ways> {
    let mut ways = Vec::new();
    for x in left {
        for y in right {
            for atom in condition(&y.value.sub(&x.value)?)? {
                let mut atoms = x.atoms.clone();
                atoms.extend(y.atoms.iter().cloned());
                atoms.push(atom);
                ways.push(atoms);
            }
        }
    }
    Some(ways)
}

/// The signed number that a natural one is in so many bits.
fn signed(width: u32, natural: &Poly) -> Option<Vec<Case>> {
    let half = 1_i128.checked_shl(width - 1).filter(|half| *half > 0)?;
    let low =
        Case { atoms: vec![Atom::Ge(natural.neg()?.plus(half - 1)?)], value: natural.clone() };
    let atoms = vec![Atom::Ge(natural.plus(-half)?)];
    let high = Case { atoms, value: natural.plus(half.checked_mul(-2)?)? };
    Some(vec![low, high])
}

/// What is known of a natural number of so many bits.
fn naturals_of(width: u32, value: &Poly) -> Option<Vec<Atom>> {
    let most = 1_i128.checked_shl(width).filter(|turn| *turn > 0)? - 1;
    Some(vec![Atom::Ge(value.clone()), Atom::Ge(value.neg()?.plus(most)?)])
}

/// What a sort says about a number.
fn range(sort: Sort, value: &Poly) -> Option<Vec<Atom>> {
    let (least, most) = match sort {
        Sort::Int => return Some(Vec::new()),
        Sort::Bool => (0, 1),
        Sort::BitVec(width) if width <= 64 => (-(1_i128 << (width - 1)), (1 << (width - 1)) - 1),
        Sort::BitVec(_) => return Some(Vec::new()),
    };
    Some(vec![Atom::Ge(value.plus(-least)?), Atom::Ge(value.neg()?.plus(most)?)])
}

/// Alternatives for a number to be zero, or not.
fn equal(number: &Poly, positive: bool) -> Option<Vec<Atom>> {
    let atom = Atom::Eq(number.clone());
    if positive { Some(vec![atom]) } else { opposite(&atom) }
}

/// Alternatives for a number not to be negative, or to be.
fn at_least(number: &Poly, positive: bool) -> Option<Vec<Atom>> {
    let atom = Atom::Ge(number.clone());
    if positive { Some(vec![atom]) } else { opposite(&atom) }
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
