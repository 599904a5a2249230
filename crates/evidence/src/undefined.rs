//! Undefined behaviour that a proof takes to end a run. The checker finds it while it checks; it is in
//! no certificate, and whoever checks a certificate finds the same again.

use crate::{RunInput, SourcePlace};

/// Something undefined that a run may do. About what comes after it nothing was proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndefinedBehaviour {
    /// Where; which function it is in is not known.
    pub place: SourcePlace,
    /// What is undefined, in the machine's words.
    pub what: String,
    /// A run that does it; `None` where it was only not shown that there is none.
    pub run: Option<UndefinedRun>,
}

/// How a run comes to do something undefined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UndefinedRun {
    /// The loop head from which the run is followed, in any state that the proof allows there; `None`
    /// for the start of the program.
    pub head: Option<SourcePlace>,
    /// The user's variables at that head, as far as they matter: name and value.
    pub variables: Vec<(String, String)>,
    /// What the environment chooses from there on, as far as it matters.
    pub inputs: Vec<RunInput>,
}
