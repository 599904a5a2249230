//! The only unsafe code of the room: Z3's C interface, wrapped so that every null result and every
//! error code becomes a [`Z3Failure`] and nothing else of Z3 can be misread.
//!
//! The C interface is used rather than the crate `z3` for three reasons: that crate panics where Z3
//! reports an error (running out of memory while a term is built is one), it keeps one context per
//! thread instead of one per session, and it does not look at error codes after a check.
//!
//! Every syntax tree made through a [`Z3Context`] stays alive until the context goes, so an [`Z3Ast`] is
//! a plain copyable handle. The session bounds growth by starting a new context now and then.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::fmt;
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use z3_sys::*;

mod solver;
pub(crate) use solver::{SolverKind, SolverOutcome, SolverTuning, Z3Solver};

/// The Z3 whose interface `z3-sys` describes. Another one has other numbers for the same
/// operators, and would answer a different question.
const EXPECTED: &str = "5.3.";

/// Why Z3 could not do what was asked of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Z3Failure {
    /// Z3 reported an error.
    Z3(String),
    /// Nothing in Z3 means this operator.
    Unsupported(&'static str),
}

impl fmt::Display for Z3Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Z3Failure::Z3(message) => write!(f, "Z3: {message}"),
            Z3Failure::Unsupported(what) => write!(f, "{what}"),
        }
    }
}

/// A syntax tree; valid as long as the context that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Z3Ast(Z3_ast);

/// A sort; valid as long as the context that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Z3SortAst(Z3_sort);

/// The version of the library that is loaded, or a sentence saying that it is the wrong one.
pub fn loaded_version() -> Result<String, String> {
    // SAFETY: takes nothing, and returns a static string.
    require_expected_version(unsafe { text_of(Z3_get_full_version()) })
}

fn require_expected_version(text: String) -> Result<String, String> {
    let number = text.trim_start_matches("Z3 ");
    if number.starts_with(EXPECTED) {
        Ok(text)
    } else {
        Err(format!(
            "the loaded libz3 has version {text}, but Ouro needs {EXPECTED}x: run \
             scripts/setup.sh, and make sure that LD_LIBRARY_PATH does not point to another one"
        ))
    }
}

/// Creating contexts and setting global parameters touch global state inside Z3.
static GLOBAL: Mutex<()> = Mutex::new(());

/// Sets one of Z3's global parameters, for every context of the process.
pub(crate) fn set_global_parameter(name: &str, value: &str) {
    let _guard = GLOBAL.lock().unwrap_or_else(PoisonError::into_inner);
    let (name, value) = (c_string(name), c_string(value));
    // SAFETY: both strings end with a zero and outlive the call.
    unsafe { Z3_global_param_set(name.as_ptr(), value.as_ptr()) };
}

/// # Safety
/// `text` is null or ends with a zero, and nobody changes it meanwhile.
unsafe fn text_of(text: Z3_string) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).expect("zeros were replaced")
}

/// A Z3 context and everything built in it.
pub(crate) struct Z3Context {
    raw: Z3_context,
    pinned: RefCell<Vec<Z3_ast>>,
}

/// The address of a context for `Z3_interrupt`, the one call another thread may make. Whoever keeps
/// one makes sure that the context lives.
#[derive(Clone, Copy)]
pub(crate) struct InterruptibleContext(Z3_context);

// SAFETY: only `Z3_interrupt` is called through it, which Z3 allows from any thread.
unsafe impl Send for InterruptibleContext {}

impl InterruptibleContext {
    /// Asks the context to give up what it is doing.
    ///
    /// # Safety
    /// The context is alive and stays so during the call.
    pub(crate) unsafe fn interrupt(self) {
        // SAFETY: promised by the caller.
        unsafe { Z3_interrupt(self.0) };
    }
}

macro_rules! makers {
    ($($name:ident($($arg:ident),*) $function:ident;)*) => {$(
        pub(crate) fn $name(&self, $($arg: Z3Ast),*) -> Result<Z3Ast, Z3Failure> {
            // SAFETY: the arguments belong to this context and are alive (they are pinned).
            self.pin_ast(unsafe { $function(self.raw, $($arg.0),*) })
        }
    )*};
}

macro_rules! counted {
    ($($name:ident $function:ident;)*) => {$(
        pub(crate) fn $name(&self, args: &[Z3Ast]) -> Result<Z3Ast, Z3Failure> {
            let raw: Vec<Z3_ast> = args.iter().map(|a| a.0).collect();
            // SAFETY: as above; the pointer is good for `raw.len()` trees.
            self.pin_ast(unsafe { $function(self.raw, length_as_u32(raw.len()), raw.as_ptr()) })
        }
    )*};
}

macro_rules! numbered {
    ($($name:ident($($number:ident),*) $function:ident;)*) => {$(
        pub(crate) fn $name(&self, $($number: u32,)* a: Z3Ast) -> Result<Z3Ast, Z3Failure> {
            // SAFETY: as above.
            self.pin_ast(unsafe { $function(self.raw, $($number,)* a.0) })
        }
    )*};
}

macro_rules! sized {
    ($($name:ident $function:ident;)*) => {$(
        pub(crate) fn $name(&self, mode: Z3Ast, a: Z3Ast, width: u32) -> Result<Z3Ast, Z3Failure> {
            // SAFETY: as above.
            self.pin_ast(unsafe { $function(self.raw, mode.0, a.0, width) })
        }
    )*};
}

macro_rules! sorted {
    ($($name:ident $function:ident;)*) => {$(
        pub(crate) fn $name(&self, mode: Z3Ast, a: Z3Ast, sort: Z3SortAst) -> Result<Z3Ast, Z3Failure> {
            // SAFETY: as above.
            self.pin_ast(unsafe { $function(self.raw, mode.0, a.0, sort.0) })
        }
    )*};
}

macro_rules! sorts {
    ($($name:ident($($number:ident),*) $function:ident;)*) => {$(
        pub(crate) fn $name(&self, $($number: u32),*) -> Result<Z3SortAst, Z3Failure> {
            // SAFETY: the context is alive.
            let made = unsafe { $function(self.raw, $($number),*) };
            let sort = made.ok_or_else(|| self.last_failure())?;
            // SAFETY: a sort is a syntax tree.
            self.pin_ast(unsafe { Z3_sort_to_ast(self.raw, sort) })?;
            Ok(Z3SortAst(sort))
        }
    )*};
}

fn length_as_u32(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 arguments")
}

impl Z3Context {
    /// A new context.
    pub(crate) fn new() -> Rc<Z3Context> {
        let _guard = GLOBAL.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the configuration is deleted after the context was made from it. Without an error
        // handler Z3 reports errors through results and codes, which `pin` and `error` read.
        let raw = unsafe {
            let config = Z3_mk_config().expect("Z3 makes a configuration");
            let raw = Z3_mk_context_rc(config).expect("Z3 makes a context");
            Z3_del_config(config);
            Z3_set_error_handler(raw, None);
            raw
        };
        Rc::new(Z3Context { raw, pinned: RefCell::default() })
    }

    /// How to interrupt this context.
    pub(crate) fn interruptible(&self) -> InterruptibleContext {
        InterruptibleContext(self.raw)
    }

    /// How many trees were made in this context.
    pub(crate) fn ast_count(&self) -> usize {
        self.pinned.borrow().len()
    }

    fn pin_ast(&self, made: Option<Z3_ast>) -> Result<Z3Ast, Z3Failure> {
        let ast = made.ok_or_else(|| self.last_failure())?;
        // SAFETY: Z3 has just returned this tree; it lives until the next call at least.
        unsafe { Z3_inc_ref(self.raw, ast) };
        self.pinned.borrow_mut().push(ast);
        Ok(Z3Ast(ast))
    }

    /// What Z3 reported last, if it was an error.
    fn last_error(&self) -> Option<Z3Failure> {
        // SAFETY: the context is alive; the message is copied at once.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            (code != ErrorCode::Ok)
                .then(|| Z3Failure::Z3(text_of(Z3_get_error_msg(self.raw, code))))
        }
    }

    fn last_failure(&self) -> Z3Failure {
        self.last_error()
            .unwrap_or_else(|| Z3Failure::Z3("a null result without an error".to_owned()))
    }

    makers! {
        truth() Z3_mk_true; falsehood() Z3_mk_false; not(a) Z3_mk_not; eq(a, b) Z3_mk_eq;
        implies(a, b) Z3_mk_implies; ite(c, a, b) Z3_mk_ite;
        int_le(a, b) Z3_mk_le; int_div(a, b) Z3_mk_div; int_mod(a, b) Z3_mk_mod;
        bvnot(a) Z3_mk_bvnot; bvneg(a) Z3_mk_bvneg; bvadd(a, b) Z3_mk_bvadd;
        bvmul(a, b) Z3_mk_bvmul; bvudiv(a, b) Z3_mk_bvudiv; bvurem(a, b) Z3_mk_bvurem;
        bvsdiv(a, b) Z3_mk_bvsdiv; bvsrem(a, b) Z3_mk_bvsrem; bvand(a, b) Z3_mk_bvand;
        bvor(a, b) Z3_mk_bvor; bvxor(a, b) Z3_mk_bvxor; bvshl(a, b) Z3_mk_bvshl;
        bvlshr(a, b) Z3_mk_bvlshr; bvashr(a, b) Z3_mk_bvashr; bvult(a, b) Z3_mk_bvult;
        bvule(a, b) Z3_mk_bvule; bvslt(a, b) Z3_mk_bvslt; bvsle(a, b) Z3_mk_bvsle;
        concat(a, b) Z3_mk_concat;
        nearest_even() Z3_mk_fpa_rne; toward_zero() Z3_mk_fpa_rtz;
        fp_add(mode, a, b) Z3_mk_fpa_add; fp_sub(mode, a, b) Z3_mk_fpa_sub;
        fp_mul(mode, a, b) Z3_mk_fpa_mul; fp_div(mode, a, b) Z3_mk_fpa_div;
        fp_sqrt(mode, a) Z3_mk_fpa_sqrt; fp_eq(a, b) Z3_mk_fpa_eq; fp_lt(a, b) Z3_mk_fpa_lt;
        fp_le(a, b) Z3_mk_fpa_leq; fp_is_nan(a) Z3_mk_fpa_is_nan;
        fp_to_ieee(a) Z3_mk_fpa_to_ieee_bv;
    }

    counted! { and Z3_mk_and; or Z3_mk_or; int_add Z3_mk_add; int_mul Z3_mk_mul; }

    numbered! {
        extract(high, low) Z3_mk_extract; zero_extend(by) Z3_mk_zero_ext;
        sign_extend(by) Z3_mk_sign_ext; int_to_bv(width) Z3_mk_int2bv;
    }

    sized! { fp_to_sbv Z3_mk_fpa_to_sbv; fp_to_ubv Z3_mk_fpa_to_ubv; }

    sorted! {
        fp_to_fp Z3_mk_fpa_to_fp_float; sbv_to_fp Z3_mk_fpa_to_fp_signed;
        ubv_to_fp Z3_mk_fpa_to_fp_unsigned;
    }

    sorts! {
        bool_sort() Z3_mk_bool_sort; int_sort() Z3_mk_int_sort; real_sort() Z3_mk_real_sort; bv_sort(width) Z3_mk_bv_sort;
        fp_sort(exponent, significand) Z3_mk_fpa_sort;
    }

    /// The unsigned value of a bit-vector as an integer.
    pub(crate) fn bv_to_nat(&self, a: Z3Ast) -> Result<Z3Ast, Z3Failure> {
        // SAFETY: as in `makers`.
        self.pin_ast(unsafe { Z3_mk_bv2int(self.raw, a.0, false) })
    }

    /// A bit-vector read as an IEEE pattern.
    pub(crate) fn ieee_to_fp(&self, a: Z3Ast, sort: Z3SortAst) -> Result<Z3Ast, Z3Failure> {
        // SAFETY: as in `makers`.
        self.pin_ast(unsafe { Z3_mk_fpa_to_fp_bv(self.raw, a.0, sort.0) })
    }

    /// A number, written in decimal.
    pub(crate) fn numeral(&self, decimal: &str, sort: Z3SortAst) -> Result<Z3Ast, Z3Failure> {
        let decimal = c_string(decimal);
        // SAFETY: the string outlives the call.
        self.pin_ast(unsafe { Z3_mk_numeral(self.raw, decimal.as_ptr(), sort.0) })
    }

    /// A number of at most 64 bits.
    pub(crate) fn small_numeral(&self, value: u64, sort: Z3SortAst) -> Result<Z3Ast, Z3Failure> {
        // SAFETY: as in `makers`.
        self.pin_ast(unsafe { Z3_mk_unsigned_int64(self.raw, value, sort.0) })
    }

    /// The constant with this name.
    pub(crate) fn named_constant(&self, name: &str, sort: Z3SortAst) -> Result<Z3Ast, Z3Failure> {
        let name = c_string(name);
        // SAFETY: as in `makers`; Z3 keeps a copy of the name.
        unsafe {
            let symbol =
                Z3_mk_string_symbol(self.raw, name.as_ptr()).ok_or_else(|| self.last_failure())?;
            self.pin_ast(Z3_mk_const(self.raw, symbol, sort.0))
        }
    }

    /// A constant that no other name means.
    pub(crate) fn fresh_constant(&self, stem: &str, sort: Z3SortAst) -> Result<Z3Ast, Z3Failure> {
        let stem = c_string(stem);
        // SAFETY: as above.
        self.pin_ast(unsafe { Z3_mk_fresh_const(self.raw, stem.as_ptr(), sort.0) })
    }

    /// The conjunction of these formulas as an SMT-LIB script with its declarations.
    pub(crate) fn smtlib_script(
        &self,
        formulas: &[Z3Ast],
        status: &str,
    ) -> Result<String, Z3Failure> {
        let last = match formulas.last() {
            Some(last) => *last,
            None => self.truth()?,
        };
        let others: Vec<Z3_ast> =
            formulas[..formulas.len().saturating_sub(1)].iter().map(|a| a.0).collect();
        let (empty, logic, status) = (c_string(""), c_string("ALL"), c_string(status));
        // SAFETY: the strings outlive the call, the trees are pinned, the result is copied at once.
        let text = unsafe {
            text_of(Z3_benchmark_to_smtlib_string(
                self.raw,
                empty.as_ptr(),
                logic.as_ptr(),
                status.as_ptr(),
                empty.as_ptr(),
                length_as_u32(others.len()),
                others.as_ptr(),
                last.0,
            ))
        };
        if text.is_empty() { Err(self.last_failure()) } else { Ok(text) }
    }
}

impl Drop for Z3Context {
    fn drop(&mut self) {
        // SAFETY: solvers hold an `Rc` to the context, so none is left; each pinned tree was counted
        // once.
        unsafe {
            for ast in self.pinned.get_mut().drain(..) {
                Z3_dec_ref(self.raw, ast);
            }
            Z3_del_context(self.raw);
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_expected_version_will_do() {
        assert!(super::loaded_version().is_ok(), "{:?}", super::loaded_version());
        assert!(super::require_expected_version("Z3 5.3.2.0".to_owned()).is_ok());
        for other in ["Z3 4.8.12.0", "Z3 5.30.0.0", "", "Z3 15.3.1"] {
            let message =
                super::require_expected_version(other.to_owned()).expect_err("another version");
            assert!(message.contains("scripts/setup.sh"), "{message}");
        }
    }
}
