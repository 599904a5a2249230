//! A monitor: what a specification adds to a program. `property` makes it, the front end of C runs it with
//! the program; both know only this.

use crate::{CompassionPair, FairnessEvent, MonitorObligation, Span};

/// How the functions and objects of a monitor are called.
pub const OWN: &str = "__ouro_";

/// How those of its functions are called that run at a function of the program.
pub const HOOK: &str = "__ouro_hook_";

/// C code that runs together with a program, and what that code speaks of.
///
/// It is compiled in the program's own context, after its last line. It calls `__ouro_event(n)`,
/// `__ouro_violation(n)` and `__ouro_guess()`; nothing else of it is seen by the program. Spans have
/// their file in [`Monitor::files`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Monitor {
    /// What it is about, in the words of the specification.
    pub name: String,
    /// The files of the specification, as the user named them.
    pub files: Vec<String>,
    /// Its C text without the hooks. Line markers name the specification's files and lines.
    pub source: String,
    /// Functions that run when a function of the program is entered or left, in their order.
    pub hooks: Vec<MonitorHook>,
    /// A function without parameters that runs before the program.
    pub start: Option<String>,
    /// A function that runs again and again.
    pub step: Option<MonitorStep>,
    /// A function that runs when the program ends: by a return from `main` or by `exit`, not when it
    /// is aborted. Its parameter is the status, an `int`.
    pub end: Option<String>,
    /// What `__ouro_event` numbers.
    pub events: Vec<FairnessEvent>,
    /// What `__ouro_violation` numbers.
    pub obligations: Vec<MonitorObligation>,
    /// The pairs that a fair run meets.
    pub fairness: Vec<CompassionPair>,
}

/// A function of the monitor that runs at a function of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonitorHook {
    /// The function of the program; `main` is where the run starts.
    pub function: String,
    /// When it runs.
    pub moment: HookMoment,
    /// Its own name.
    pub name: String,
    /// Its body in C, with braces. `__ouro_1`, `__ouro_2` … are the program's arguments and
    /// `__ouro_return` is what the program's function returns.
    pub body: String,
    /// The parameters that the body mentions, from 1, ascending, and where it does so first.
    pub parameters: Vec<(u32, Span)>,
    /// Where the body mentions the returned value first, if it does.
    pub returned: Option<Span>,
    /// Whether a program without the function is fine.
    pub optional: bool,
    /// What never happens if nobody calls the function, one sentence each, for the report.
    pub vacuous: Vec<String>,
    /// Where the specification names the function.
    pub span: Span,
}

/// When a hook runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HookMoment {
    /// Before the first statement.
    Entry,
    /// Before control goes back to the caller.
    Exit,
}

/// A function of the monitor that runs again and again, without parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MonitorStep {
    /// Its name.
    pub function: String,
    /// When it runs.
    pub steps: MonitorStepFrequency,
}

/// How often a step runs. Each kind runs wherever the one before it does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MonitorStepFrequency {
    /// Often enough: in every iteration of a loop and in every call, so that each infinite run has it
    /// infinitely often.
    Turns,
    /// Also after every statement that may change what the step reads.
    Changes,
    /// Also after every other statement: whatever writes a variable or memory, and every call.
    All,
}
