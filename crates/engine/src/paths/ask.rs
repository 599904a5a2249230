//! Questions about polynomials, asked of the solver.

use std::time::{Duration, Instant};

use num_traits::ToPrimitive;
use ouro_solver::clock;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Assignment, Constant, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use super::poly::{Atom, Poly, Var};

/// Values of variables; those not listed are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values(FxHashMap<Var, i128>);

impl Values {
    pub(crate) fn of(&self, var: Var) -> i128 {
        self.0.get(&var).copied().unwrap_or(0)
    }
}

/// An answer of the solver.
#[derive(Clone, Debug)]
pub(crate) enum Told {
    Sat(Values),
    Unsat,
    Unknown,
}

impl Told {
    pub(crate) fn values(self) -> Option<Values> {
        match self {
            Told::Sat(values) => Some(values),
            Told::Unsat | Told::Unknown => None,
        }
    }

    pub(crate) fn is_unsat(&self) -> bool {
        matches!(self, Told::Unsat)
    }
}

/// A solver for polynomials.
pub(crate) struct Ask {
    terms: Terms,
    session: Session,
    symbols: Vec<Term>,
    known: FxHashMap<Atom, Term>,
    /// A question about products of variables was too hard; others are not asked.
    products_are_hard: bool,
    pub(crate) deadline: Instant,
}

impl Ask {
    pub(crate) fn new(query: Duration, deadline: Instant, memory_mib: u64) -> Ask {
        let memory_mib = u32::try_from(memory_mib).unwrap_or(u32::MAX);
        Ask {
            terms: Terms::new(),
            session: Session::new(Limits { query, deadline: Some(deadline), memory_mib }),
            symbols: Vec::new(),
            known: FxHashMap::default(),
            products_are_hard: false,
            deadline,
        }
    }

    /// Whether the time is over.
    pub(crate) fn is_over(&self) -> bool {
        clock::now() >= self.deadline
    }

    /// Values under which all hold.
    pub(crate) fn sat<'a>(&mut self, atoms: impl IntoIterator<Item = &'a Atom>) -> Told {
        self.sat_any(atoms, &[])
    }

    /// Values under which all hold, and one of the others, if there are others.
    pub(crate) fn sat_any<'a>(
        &mut self,
        atoms: impl IntoIterator<Item = &'a Atom>,
        any: &[Atom],
    ) -> Told {
        match any.is_empty() {
            true => self.sat_clauses(atoms, &[]),
            false => self.sat_clauses(atoms, std::slice::from_ref(&any.to_vec())),
        }
    }

    /// Values under which all hold, and one of the others, if there are others; where products of
    /// variables are too hard, values under which all without them hold. So `Unsat` is true, and the
    /// rest is as good as the solver is.
    pub(crate) fn sat_over<'a>(
        &mut self,
        atoms: impl IntoIterator<Item = &'a Atom>,
        any: &[Atom],
    ) -> Told {
        let atoms: Vec<&Atom> = atoms.into_iter().collect();
        let easy: Vec<&Atom> = atoms.iter().copied().filter(|a| a.poly().is_linear()).collect();
        let all_easy = any.iter().all(|atom| atom.poly().is_linear());
        if easy.len() == atoms.len() && all_easy {
            return self.sat_any(atoms, any);
        }
        let first = self.sat_any(easy.iter().copied(), if all_easy { any } else { &[] });
        let Told::Sat(values) = &first else { return first };
        let of = |var: Var| values.of(var);
        let holds = |atom: &Atom| atom.holds(&of);
        if atoms.iter().all(|a| holds(a)) && (any.is_empty() || any.iter().any(holds)) {
            return first;
        }
        if self.products_are_hard {
            return if all_easy { first } else { Told::Unknown };
        }
        match self.sat_any(atoms, any) {
            Told::Unknown => {
                self.products_are_hard = true;
                if all_easy { first } else { Told::Unknown }
            }
            told => told,
        }
    }

    /// Values under which all hold, and one of each of the clauses.
    pub(crate) fn sat_clauses<'a>(
        &mut self,
        atoms: impl IntoIterator<Item = &'a Atom>,
        clauses: &[Vec<Atom>],
    ) -> Told {
        let mut formulas: Vec<Term> = Vec::new();
        for atom in atoms {
            match atom.truth() {
                Some(true) => {}
                Some(false) => return Told::Unsat,
                None => formulas.push(self.term(atom)),
            }
        }
        for clause in clauses {
            let any: Vec<Term> = clause.iter().map(|atom| self.term(atom)).collect();
            formulas.push(self.terms.or_all(&any));
        }
        if formulas.is_empty() {
            return Told::Sat(Values::default());
        }
        match self.session.check(&self.terms, &formulas) {
            Answer::Sat(model) => self.values(&model).map_or(Told::Unknown, Told::Sat),
            Answer::Unsat => Told::Unsat,
            Answer::Unknown(_) => Told::Unknown,
        }
    }

    fn values(&self, model: &Assignment) -> Option<Values> {
        let mut values = FxHashMap::default();
        for (var, symbol) in self.symbols.iter().enumerate() {
            let Op::Symbol(id) = self.terms.op(*symbol) else { continue };
            if let Some(Constant::Int(value)) = model.get(*id) {
                values.insert(var as Var, value.to_i128()?);
            }
        }
        Some(Values(values))
    }

    fn term(&mut self, atom: &Atom) -> Term {
        if let Some(term) = self.known.get(atom) {
            return *term;
        }
        let sum = self.sum(atom.poly());
        let zero = self.terms.int(0);
        let term = match atom {
            Atom::Ge(_) => self.terms.int_le(zero, sum),
            Atom::Eq(_) => self.terms.eq(sum, zero),
        };
        self.known.insert(atom.clone(), term);
        term
    }

    fn sum(&mut self, poly: &Poly) -> Term {
        let mut sum = self.terms.int(0);
        for (monomial, coefficient) in poly.parts() {
            let mut product = self.terms.int(coefficient);
            for var in monomial {
                let symbol = self.symbol(*var);
                product = self.terms.int_mul(product, symbol);
            }
            sum = self.terms.int_add(sum, product);
        }
        sum
    }

    fn symbol(&mut self, var: Var) -> Term {
        while self.symbols.len() <= var as usize {
            let symbol = self.terms.fresh("v", Sort::Int);
            self.symbols.push(symbol);
        }
        self.symbols[var as usize]
    }
}

/// One of these holds where the condition does not.
pub(crate) fn opposite(atom: &Atom) -> Option<Vec<Atom>> {
    let below = |poly: &Poly| Some(Atom::Ge(poly.neg()?.plus(-1)?.tightened()));
    Some(match atom {
        Atom::Ge(poly) => vec![below(poly)?],
        Atom::Eq(poly) => vec![below(poly)?, below(&poly.neg()?)?],
    })
}
