//! Questions about polynomials, asked of the solver.

use std::time::{Duration, Instant};

use num_traits::ToPrimitive;
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Constant, Sort, Term, TermOp, TermStore};
use rustc_hash::FxHashMap;

use super::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// Values of variables; those not listed are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct VarValues(FxHashMap<PolyVar, i128>);

impl VarValues {
    pub(crate) fn value_of(&self, var: PolyVar) -> i128 {
        self.0.get(&var).copied().unwrap_or(0)
    }
}

/// An answer of the solver.
#[derive(Clone, Debug)]
pub(crate) enum PolyAnswer {
    Sat(VarValues),
    Unsat,
    Unknown,
}

impl PolyAnswer {
    pub(crate) fn into_values(self) -> Option<VarValues> {
        match self {
            PolyAnswer::Sat(values) => Some(values),
            PolyAnswer::Unsat | PolyAnswer::Unknown => None,
        }
    }

    pub(crate) fn is_unsat(&self) -> bool {
        matches!(self, PolyAnswer::Unsat)
    }
}

/// A solver for polynomials.
pub(crate) struct PolySolver {
    terms: TermStore,
    session: Session,
    symbols: Vec<Term>,
    known: FxHashMap<PolyAtom, Term>,
    /// A question about products of variables was too hard; others are not asked.
    products_are_hard: bool,
    pub(crate) deadline: Instant,
}

impl PolySolver {
    pub(crate) fn new(query: Duration, deadline: Instant, memory_mib: u64) -> PolySolver {
        let memory_mib = u32::try_from(memory_mib).unwrap_or(u32::MAX);
        PolySolver {
            terms: TermStore::new(),
            session: Session::new(SessionLimits { query, deadline: Some(deadline), memory_mib }),
            symbols: Vec::new(),
            known: FxHashMap::default(),
            products_are_hard: false,
            deadline,
        }
    }

    /// Whether the time is over.
    pub(crate) fn is_out_of_time(&self) -> bool {
        clock::budget_now() >= self.deadline
    }

    /// Values under which all hold.
    pub(crate) fn check_sat<'a>(
        &mut self,
        atoms: impl IntoIterator<Item = &'a PolyAtom>,
    ) -> PolyAnswer {
        self.check_sat_any(atoms, &[])
    }

    /// Values under which all hold, and one of the others, if there are others.
    pub(crate) fn check_sat_any<'a>(
        &mut self,
        atoms: impl IntoIterator<Item = &'a PolyAtom>,
        any: &[PolyAtom],
    ) -> PolyAnswer {
        match any.is_empty() {
            true => self.check_sat_clauses(atoms, &[]),
            false => self.check_sat_clauses(atoms, std::slice::from_ref(&any.to_vec())),
        }
    }

    /// Values under which all hold, and one of the others, if there are others; where products of
    /// variables are too hard, values under which all without them hold. So `Unsat` is true, and the
    /// rest is as good as the solver is.
    pub(crate) fn check_sat_relaxed<'a>(
        &mut self,
        atoms: impl IntoIterator<Item = &'a PolyAtom>,
        any: &[PolyAtom],
    ) -> PolyAnswer {
        let atoms: Vec<&PolyAtom> = atoms.into_iter().collect();
        let easy: Vec<&PolyAtom> = atoms.iter().copied().filter(|a| a.poly().is_linear()).collect();
        let all_easy = any.iter().all(|atom| atom.poly().is_linear());
        if easy.len() == atoms.len() && all_easy {
            return self.check_sat_any(atoms, any);
        }
        let first = self.check_sat_any(easy.iter().copied(), if all_easy { any } else { &[] });
        let PolyAnswer::Sat(values) = &first else { return first };
        let of = |var: PolyVar| values.value_of(var);
        let holds = |atom: &PolyAtom| atom.holds_under(&of);
        if atoms.iter().all(|a| holds(a)) && (any.is_empty() || any.iter().any(holds)) {
            return first;
        }
        if self.products_are_hard {
            return if all_easy { first } else { PolyAnswer::Unknown };
        }
        match self.check_sat_any(atoms, any) {
            PolyAnswer::Unknown => {
                self.products_are_hard = true;
                if all_easy { first } else { PolyAnswer::Unknown }
            }
            told => told,
        }
    }

    /// Values under which all hold, and one of each of the clauses.
    pub(crate) fn check_sat_clauses<'a>(
        &mut self,
        atoms: impl IntoIterator<Item = &'a PolyAtom>,
        clauses: &[Vec<PolyAtom>],
    ) -> PolyAnswer {
        let mut formulas: Vec<Term> = Vec::new();
        for atom in atoms {
            match atom.constant_truth() {
                Some(true) => {}
                Some(false) => return PolyAnswer::Unsat,
                None => formulas.push(self.atom_term(atom)),
            }
        }
        for clause in clauses {
            let any: Vec<Term> = clause.iter().map(|atom| self.atom_term(atom)).collect();
            formulas.push(self.terms.or_all(&any));
        }
        if formulas.is_empty() {
            return PolyAnswer::Sat(VarValues::default());
        }
        match self.session.check_sat(&self.terms, &formulas) {
            SolverAnswer::Sat(model) => {
                self.read_model(&model).map_or(PolyAnswer::Unknown, PolyAnswer::Sat)
            }
            SolverAnswer::Unsat => PolyAnswer::Unsat,
            SolverAnswer::Unknown(_) => PolyAnswer::Unknown,
        }
    }

    fn read_model(&self, model: &Assignment) -> Option<VarValues> {
        let mut values = FxHashMap::default();
        for (var, symbol) in self.symbols.iter().enumerate() {
            let TermOp::Symbol(id) = self.terms.op(*symbol) else { continue };
            if let Some(Constant::Int(value)) = model.get(*id) {
                values.insert(var as PolyVar, value.to_i128()?);
            }
        }
        Some(VarValues(values))
    }

    fn atom_term(&mut self, atom: &PolyAtom) -> Term {
        if let Some(term) = self.known.get(atom) {
            return *term;
        }
        let sum = self.poly_term(atom.poly());
        let zero = self.terms.int(0);
        let term = match atom {
            PolyAtom::Ge(_) => self.terms.int_le(zero, sum),
            PolyAtom::Eq(_) => self.terms.eq(sum, zero),
        };
        self.known.insert(atom.clone(), term);
        term
    }

    fn poly_term(&mut self, poly: &IntegerPolynomial) -> Term {
        let mut sum = self.terms.int(0);
        for (monomial, coefficient) in poly.monomials() {
            let mut product = self.terms.int(coefficient);
            for var in monomial {
                let symbol = self.var_symbol(*var);
                product = self.terms.int_mul(product, symbol);
            }
            sum = self.terms.int_add(sum, product);
        }
        sum
    }

    fn var_symbol(&mut self, var: PolyVar) -> Term {
        while self.symbols.len() <= var as usize {
            let symbol = self.terms.fresh_symbol("v", Sort::Int);
            self.symbols.push(symbol);
        }
        self.symbols[var as usize]
    }
}

/// One of these holds where the condition does not.
pub(crate) fn negate_atom(atom: &PolyAtom) -> Option<Vec<PolyAtom>> {
    let below =
        |poly: &IntegerPolynomial| Some(PolyAtom::Ge(poly.neg()?.plus_constant(-1)?.tightened()));
    Some(match atom {
        PolyAtom::Ge(poly) => vec![below(poly)?],
        PolyAtom::Eq(poly) => vec![below(poly)?, below(&poly.neg()?)?],
    })
}
