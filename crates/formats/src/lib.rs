//! Integer transition systems from the files of others.
//!
//! | name | form | who writes it |
//! | --- | --- | --- |
//! | `.smt2` | one relation between the state before and after, in SMT-LIB (`cfg_init`, `cfg_trans2`) | TermComp |
//! | `.koat` | rewrite rules with guards, `f(x, y) -> g(x + 1, y) :|: x > 0` | KoAT, LoAT, CoFloCo |
//! | `.t2` | blocks of commands, `FROM: 1; assume(x > 0); x := x - 1; TO: 2;` | T2 |
//!
//! All three are over mathematical integers, and all three become the same thing: edges with a
//! guard and an update. **The translation is exact.** What a step leaves open (a variable after the
//! step that no equation gives, a variable that occurs only on the right-hand side, an existential,
//! `nondet()`) is a choice of the edge, and the guard says which values it may have: there is a
//! step from one state to another in the file if and only if some choices make the guard true and
//! the update give the second state. The one thing we do not know is what `/` and `%` mean in a
//! `.t2` file, since T2 itself does not interpret them: each is an unknown of the edge.
//!
//! What a transition system cannot say is refused, never approximated: procedures (`cfg_trans3`),
//! several right-hand sides (`Com_2`), universal quantifiers, variables that are not integers.
//! A text of any kind gives a system or an [`FormatError`], also one that is nested without end.
//!
//! | file | one idea |
//! | --- | --- |
//! | `error` | where and why a text was refused |
//! | `polynomial` | integer expressions in one shape |
//! | `formula` | conditions over them, negations at the leaves |
//! | `relation` | a guard and an update from constraints: equations give values to choices |
//! | `system` | locations, variables and choices by name |
//! | `smt` | the `.smt2` form: its commands, `smt/read` its parentheses, `smt/value` its terms |
//! | `lex`, `infix` | words and expressions as the other two write them |
//! | `koat`, `t2` | their grammars |
//! | `limits` | how far everything goes, in one place |

mod error;
mod formula;
mod infix;
mod koat;
mod lex;
mod limits;
mod polynomial;
mod relation;
mod smt;
mod system;
mod t2;

use std::path::Path;

pub use error::FormatError;
use ouro_model::transition::TransitionSystem;

/// The system of a text, which is read as the ending of the file's name says.
///
/// The places of edges and locations are in file 0, the only one there is.
pub fn parse_transition_system(name: &Path, text: &str) -> Result<TransitionSystem, FormatError> {
    let ending = name.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let parsed = match ending {
        "smt2" => smt::parse_smt(text),
        "koat" => koat::parse_koat(text),
        "t2" => t2::parse_t2(text),
        _ => Err(error::FormatPlace::START.expected("a file that ends in .smt2, .koat or .t2")),
    };
    parsed.map_err(|refusal| refusal.in_file(name))
}
