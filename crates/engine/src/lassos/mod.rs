//! Lassos: what the searches for recurrent sets (`recurrent`, `forward`) share.
//!
//! A lasso is a stem, a way from the start to a loop, and a cycle that may be taken again and again.
//!
//! | file | one idea |
//! | --- | --- |
//! | `stems` | ways from the start |
//! | `cycles` | candidate loops |
//! | `choices` | what to choose in a loop |
//! | `strengthen` | conditions that keep themselves |
//! | `rays` | geometric arguments |
//! | `write` | the evidence |

pub(crate) mod choices;
pub(crate) mod cycles;
pub(crate) mod rays;
pub(crate) mod stems;
pub(crate) mod strengthen;
pub(crate) mod write;
