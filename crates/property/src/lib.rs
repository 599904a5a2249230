//! What a program has to do, in three languages, each to a [`Monitor`]: C code that runs with the
//! program, and what that code speaks of.
//!
//! | language | written as | read by |
//! | --- | --- | --- |
//! | the liveness language of TERMINATOR | `lock.slic` | [`monitors_of_specification`] |
//! | linear temporal logic over C expressions | `--ltl 'G("a" -> F "b")'` | [`formula`] |
//! | SV-COMP's property files | `unreach.prp` | [`parse_property_file`] |
//!
//! No C is understood here: expressions are kept as they were written, with their places, and clang reads
//! them in the program's own context. So a mistake in a specification is either refused here or reported
//! by clang, in both cases at its line. What all three mean is in `docs/liveness-language.md`.
//!
//! **A monitor is exact.** A run violates the specification if and only if the monitor can run beside it
//! such that it breaks an obligation or never ends and is fair. Whoever uses a monitor relies on both
//! directions: a proof that there is no such run needs all violations, a counterexample only true ones.
//!
//! A text of any kind gives a result or an [`SpecificationError`], also one that is nested without end.
//!
//! | file | one idea |
//! | --- | --- |
//! | `error` | where and why a text was refused |
//! | `expression` | expressions of the program inside a specification |
//! | `code` | the C text of a monitor |
//! | `slic` | the liveness language |
//! | `ltl` | formulas, automata and their monitors |
//! | `prp` | SV-COMP's property files |
//! | `limits` | how far everything goes, in one place |

mod code;
mod error;
mod expression;
mod limits;
pub mod ltl;
mod prp;
pub mod slic;

use std::path::Path;

use ouro_model::monitor::Monitor;

pub use error::{SpecificationError, SpecificationPlace};
pub use prp::RequestedProperty;

/// Reads a specification and makes a monitor of each obligation in it.
pub fn monitors_of_specification(
    text: &str,
    file: &str,
) -> Result<Vec<Monitor>, SpecificationError> {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).unwrap_or(file);
    slic::parse::parse_slic(text)
        .and_then(|spec| slic::monitor::make_obligation_monitors(&spec, file, stem))
        .map_err(|refusal| refusal.in_file(file))
}

/// Reads a specification.
pub fn parse_specification(
    text: &str,
    file: &str,
) -> Result<slic::SlicSpecification, SpecificationError> {
    slic::parse::parse_slic(text).map_err(|refusal| refusal.in_file(file))
}

/// Reads a formula. `file` is what messages call it.
pub fn parse_formula(text: &str, file: &str) -> Result<ltl::LtlProperty, SpecificationError> {
    ltl::parse::parse_property(text, SpecificationPlace::START)
        .map_err(|refusal| refusal.in_file(file))
}

/// Reads one of SV-COMP's property files.
pub fn parse_property_file(
    text: &str,
    file: &str,
) -> Result<RequestedProperty, SpecificationError> {
    prp::parse_requested_property(text).map_err(|refusal| refusal.in_file(file))
}

/// The monitor of a formula that was read from a file. `name` is what reports call it.
pub fn monitor_of_formula(
    property: &ltl::LtlProperty,
    file: &str,
    name: &str,
) -> Result<Monitor, SpecificationError> {
    ltl::monitor::make_formula_monitor(property, file, name)
        .map_err(|refusal| refusal.in_file(file))
}
