//! A transition system as polynomials: what the engines for systems share.
//!
//! | file | one idea |
//! | --- | --- |
//! | `poly` | polynomials and conditions on them |
//! | `path` | conditions and updates along edges |
//! | `lower` | from terms to paths |
//! | `ask` | questions to the solver |
//! | `graph` | the system made small |
//! | `text` | polynomials as terms of the system |
//! | `accelerate` | a loop taken many times at once |

pub(crate) mod accelerate;
pub(crate) mod ask;
pub(crate) mod graph;
pub(crate) mod lower;
pub(crate) mod path;
pub(crate) mod poly;
pub(crate) mod text;
