//! Solver objects and their models.

use std::rc::Rc;

use z3_sys::*;

use super::{Z3Ast, Z3Context, Z3Failure, c_string, length_as_u32, text_of};

/// Which of Z3's solvers to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SolverKind<'a> {
    /// For one SMT-LIB logic.
    Logic(&'a str),
    /// The default: tactics chosen by looking at the formulas, when asked once.
    Default,
    /// The SMT core alone.
    Simple,
}

/// What one check may use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct SolverTuning {
    /// Milliseconds; 0 for any number.
    pub(crate) milliseconds: u32,
    /// Steps as Z3 counts them, the same on every run; 0 for any number.
    pub(crate) steps: u32,
}

/// What Z3 said.
pub(crate) enum SolverOutcome {
    /// There is a model; ask [`Z3Solver::model_values`] for it before anything else.
    Sat,
    /// There is none.
    Unsat,
    /// It does not know, or it failed.
    Unknown(String),
}

/// A solver object of a context.
pub(crate) struct Z3Solver {
    context: Rc<Z3Context>,
    raw: Z3_solver,
}

impl Z3Solver {
    /// A new solver. Its parameters are fixed here once and for all: equal queries in equal order
    /// get equal answers.
    pub(crate) fn new(
        context: &Rc<Z3Context>,
        kind: SolverKind<'_>,
        tuning: SolverTuning,
    ) -> Result<Z3Solver, Z3Failure> {
        // SAFETY: the context is alive, and kept so by the solver; objects are counted as Z3 asks.
        unsafe {
            let c = context.raw;
            let made = match kind {
                SolverKind::Logic(name) => {
                    let name = c_string(name);
                    let symbol = Z3_mk_string_symbol(c, name.as_ptr())
                        .ok_or_else(|| context.last_failure())?;
                    Z3_mk_solver_for_logic(c, symbol)
                }
                SolverKind::Default => Z3_mk_solver(c),
                SolverKind::Simple => Z3_mk_simple_solver(c),
            };
            let raw = made.ok_or_else(|| context.last_failure())?;
            Z3_solver_inc_ref(c, raw);
            let solver = Z3Solver { context: Rc::clone(context), raw };
            let SolverTuning { milliseconds, steps } = tuning;
            for (name, value) in [("timeout", milliseconds), ("rlimit", steps)] {
                if value != 0 {
                    solver.set_parameter(name, value)?;
                }
            }
            Ok(solver)
        }
    }

    fn set_parameter(&self, name: &str, value: u32) -> Result<(), Z3Failure> {
        let name = c_string(name);
        let c = self.context.raw;
        // SAFETY: as above.
        unsafe {
            let params = Z3_mk_params(c).ok_or_else(|| self.context.last_failure())?;
            Z3_params_inc_ref(c, params);
            let symbol = Z3_mk_string_symbol(c, name.as_ptr());
            if let Some(symbol) = symbol {
                Z3_params_set_uint(c, params, symbol, value);
                Z3_solver_set_params(c, self.raw, params);
            }
            let error = self.context.last_error();
            Z3_params_dec_ref(c, params);
            error.map_or(Ok(()), Err)
        }
    }

    /// Asserts a formula for good.
    pub(crate) fn assert_formula(&self, formula: Z3Ast) -> Result<(), Z3Failure> {
        // SAFETY: solver and formula belong to the same living context.
        unsafe { Z3_solver_assert(self.context.raw, self.raw, formula.0) };
        self.context.last_error().map_or(Ok(()), Err)
    }

    /// Opens a scope. Only measurements use scopes.
    #[cfg(test)]
    pub(crate) fn push(&self) {
        // SAFETY: the solver is alive.
        unsafe { Z3_solver_push(self.context.raw, self.raw) };
    }

    /// Closes the innermost scope.
    #[cfg(test)]
    pub(crate) fn pop(&self) {
        // SAFETY: the solver is alive.
        unsafe { Z3_solver_pop(self.context.raw, self.raw, 1) };
    }

    /// Whether what was asserted can hold together with these literals.
    pub(crate) fn check_assumptions(&self, assumptions: &[Z3Ast]) -> SolverOutcome {
        let raw: Vec<Z3_ast> = assumptions.iter().map(|a| a.0).collect();
        let c = self.context.raw;
        // SAFETY: solver and literals belong to the same living context.
        let answer = unsafe {
            if raw.is_empty() {
                Z3_solver_check(c, self.raw)
            } else {
                Z3_solver_check_assumptions(c, self.raw, length_as_u32(raw.len()), raw.as_ptr())
            }
        };
        // An error makes any answer worthless, whatever the number says.
        if let Some(failure) = self.context.last_error() {
            return SolverOutcome::Unknown(failure.to_string());
        }
        match answer {
            Z3_L_TRUE => SolverOutcome::Sat,
            Z3_L_FALSE => SolverOutcome::Unsat,
            // SAFETY: the solver is alive; the text is copied at once.
            _ => SolverOutcome::Unknown(unsafe {
                text_of(Z3_solver_get_reason_unknown(c, self.raw))
            }),
        }
    }

    /// The literals that the last `unsat` needed.
    pub(crate) fn unsat_core(&self) -> Result<Vec<Z3Ast>, Z3Failure> {
        let c = self.context.raw;
        // SAFETY: the vector is counted while it is read; its literals were passed to `check`, so
        // they are pinned.
        unsafe {
            let vector =
                Z3_solver_get_unsat_core(c, self.raw).ok_or_else(|| self.context.last_failure())?;
            Z3_ast_vector_inc_ref(c, vector);
            let core = (0..Z3_ast_vector_size(c, vector))
                .map(|i| Z3_ast_vector_get(c, vector, i).map(Z3Ast))
                .collect::<Option<Vec<Z3Ast>>>();
            Z3_ast_vector_dec_ref(c, vector);
            core.ok_or_else(|| self.context.last_failure())
        }
    }

    /// The values of these constants in the model of the last `sat`, written as Z3 writes numbers
    /// (decimal), `true` or `false`; `None` for one that the model gives no number.
    pub(crate) fn model_values(
        &self,
        constants: &[Z3Ast],
    ) -> Result<Vec<Option<String>>, Z3Failure> {
        let c = self.context.raw;
        // SAFETY: the model is counted while it is read; texts are copied at once.
        unsafe {
            let model =
                Z3_solver_get_model(c, self.raw).ok_or_else(|| self.context.last_failure())?;
            Z3_model_inc_ref(c, model);
            let values =
                constants.iter().map(|constant| self.model_value(model, *constant)).collect();
            Z3_model_dec_ref(c, model);
            Ok(values)
        }
    }

    /// # Safety
    /// The model belongs to this context and is alive.
    unsafe fn model_value(&self, model: Z3_model, constant: Z3Ast) -> Option<String> {
        let c = self.context.raw;
        // SAFETY: promised by the caller; the value is counted while it is read.
        unsafe {
            let mut value: Z3_ast = constant.0;
            if !Z3_model_eval(c, model, constant.0, true, &mut value) {
                return None;
            }
            Z3_inc_ref(c, value);
            let text = match Z3_get_bool_value(c, value) {
                Z3_L_TRUE => Some("true".to_owned()),
                Z3_L_FALSE => Some("false".to_owned()),
                _ if Z3_is_numeral_ast(c, value) => Some(text_of(Z3_get_numeral_string(c, value))),
                _ => None,
            };
            Z3_dec_ref(c, value);
            text
        }
    }
}

impl Drop for Z3Solver {
    fn drop(&mut self) {
        // SAFETY: counted once when it was made; the context is kept alive by `self.context`.
        unsafe { Z3_solver_dec_ref(self.context.raw, self.raw) };
    }
}
