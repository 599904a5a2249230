//! Which specification evidence is about.

use serde::{Deserialize, Serialize};

use crate::SourceFile;

/// What a program was asked to keep to; a certificate about termination has none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Specification {
    /// An obligation of a file in the liveness language.
    Slic {
        /// The file.
        file: SourceFile,
        /// The obligation.
        obligation: String,
    },
    /// A formula of linear temporal logic.
    Ltl {
        /// Its text.
        formula: String,
    },
    /// A property file of SV-COMP.
    Property {
        /// The file.
        file: SourceFile,
    },
}

impl Specification {
    /// Its file, if it has one.
    pub fn file(&self) -> Option<&SourceFile> {
        match self {
            Specification::Slic { file, .. } | Specification::Property { file } => Some(file),
            Specification::Ltl { .. } => None,
        }
    }
}
