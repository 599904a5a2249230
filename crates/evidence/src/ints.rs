//! What an integer is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How integers behave.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntegerSemantics {
    /// As in C: unsigned wraps, a run that overflows a signed integer is undefined.
    #[default]
    C,
    /// Two's complement throughout.
    Wrap,
    /// Mathematical integers.
    Unbounded,
}

impl IntegerSemantics {
    /// All of them, the default first.
    pub const ALL: [IntegerSemantics; 3] =
        [IntegerSemantics::C, IntegerSemantics::Wrap, IntegerSemantics::Unbounded];

    /// The word of the command line and the certificate.
    pub fn name(self) -> &'static str {
        match self {
            IntegerSemantics::C => "c",
            IntegerSemantics::Wrap => "wrap",
            IntegerSemantics::Unbounded => "unbounded",
        }
    }
}

impl fmt::Display for IntegerSemantics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for IntegerSemantics {
    type Err = String;

    fn from_str(text: &str) -> Result<IntegerSemantics, String> {
        IntegerSemantics::ALL
            .into_iter()
            .find(|ints| ints.name() == text)
            .ok_or_else(|| format!("'{text}' is not one of c, wrap, unbounded"))
    }
}
