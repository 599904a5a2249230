//! The certificate file: evidence, and which program it is about. `docs/certificate.md` is its
//! description for others.
//!
//! Reading is strict. A field nobody knows, a number that does not fit or a verdict that its
//! evidence is not for is refused with line and column where there is one, because a certificate
//! that is half understood is worth nothing.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Claim, Evidence, Ints};

/// The version of the format that this crate writes and reads.
pub const VERSION: u32 = 1;

/// Evidence, and which program it is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The version of the format, first so that any reader finds it.
    pub ouro_certificate: u32,
    /// The version of Ouro that wrote it, for people.
    pub ouro: String,
    /// The program.
    pub program: ProgramIdentity,
    /// What is claimed.
    pub verdict: Claim,
    /// Why it holds.
    pub evidence: Evidence,
}

/// Which program a certificate is about: the sources and everything that gives them a meaning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramIdentity {
    /// The source files in the order in which they were given.
    pub files: Vec<SourceFile>,
    /// Where a run starts.
    pub function: String,
    /// The sizes of C's types.
    pub data_model: DataModel,
    /// What an integer is.
    pub ints: Ints,
    /// What a function without body returns.
    pub externs: Externs,
    /// Whether allocations may fail. The first certificates do not say it: then they may.
    #[serde(default)]
    pub allocations: Allocations,
    /// Further options that clang got.
    pub clang_args: Vec<String>,
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Its path, as the user gave it.
    pub path: String,
    /// The SHA-256 of its content, 64 lower-case hexadecimal digits.
    pub sha256: String,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($name::$variant => $word,)* })
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                match text {
                    $($word => Ok($name::$variant),)*
                    _ => Err(format!("'{text}' is not one of {}", [$($word),*].join(", "))),
                }
            }
        }
    };
}

words! {
    /// The sizes of C's types.
    DataModel {
        /// 64-bit `long` and pointers.
        #[default]
        Lp64 = "lp64",
        /// 32-bit `long` and pointers.
        Ilp32 = "ilp32",
    }
}

words! {
    /// What a function without body returns.
    Externs {
        /// The environment chooses: a run that never ends may pick it.
        #[default]
        Choice = "choice",
        /// Nobody knows: a run that never ends must survive every value.
        Unknown = "unknown",
    }
}

words! {
    /// Whether there is memory for an allocation.
    Allocations {
        /// The environment decides, each time.
        #[default]
        MayFail = "may-fail",
        /// Always.
        Succeed = "succeed",
    }
}

/// Why a text is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// Line and column, from 1, where the text itself is at fault.
    pub at: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "{line}:{column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Malformed {}

impl Malformed {
    fn because(message: impl Into<String>) -> Malformed {
        Malformed { at: None, message: message.into() }
    }

    fn json(error: &serde_json::Error) -> Malformed {
        let text = error.to_string();
        // serde_json ends its messages with the position that `at` has already.
        let message = text.split(" at line ").next().unwrap_or(&text).to_owned();
        match error.line() {
            0 => Malformed { at: None, message },
            line => Malformed { at: Some((line, error.column())), message },
        }
    }
}

impl Certificate {
    /// The certificate of some evidence about a program.
    pub fn new(program: ProgramIdentity, evidence: Evidence) -> Certificate {
        Certificate {
            ouro_certificate: VERSION,
            ouro: env!("CARGO_PKG_VERSION").to_owned(),
            program,
            verdict: evidence.claim(),
            evidence,
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("no map has keys but strings");
        text.push('\n');
        text
    }

    /// The certificate of a text, if it is one and agrees with itself. Whether the evidence holds
    /// is for the checker to say.
    pub fn from_json(text: &str) -> Result<Certificate, Malformed> {
        // A file of another version should be told so, and not that its fields are strange.
        #[derive(Deserialize)]
        struct Header {
            ouro_certificate: u32,
        }
        let header: Header = serde_json::from_str(text).map_err(|e| Malformed::json(&e))?;
        if header.ouro_certificate != VERSION {
            return Err(Malformed::because(format!(
                "it is of version {}, and this Ouro reads version {VERSION}",
                header.ouro_certificate
            )));
        }
        let certificate: Certificate =
            serde_json::from_str(text).map_err(|e| Malformed::json(&e))?;
        certificate.agrees_with_itself()?;
        Ok(certificate)
    }

    fn agrees_with_itself(&self) -> Result<(), Malformed> {
        let refuse = |message: String| Err(Malformed::because(message));
        if self.program.files.is_empty() {
            return refuse("it names no source file".to_owned());
        }
        for file in &self.program.files {
            let digits = file.sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            if file.sha256.len() != 64 || !digits {
                return refuse(format!("the sha256 of {} is not 64 hexadecimal digits", file.path));
            }
        }
        if self.verdict != self.evidence.claim() {
            return refuse(format!(
                "its verdict is '{}', but its evidence is for '{}'",
                self.verdict.word(),
                self.evidence.claim().word()
            ));
        }
        let Evidence::Recurs(recurrence) = &self.evidence else { return Ok(()) };
        if recurrence.first_step >= recurrence.second_step {
            return refuse(format!(
                "its cycle goes from step {} to step {}",
                recurrence.first_step, recurrence.second_step
            ));
        }
        if recurrence.cycle_inputs > recurrence.inputs.len() {
            return refuse(format!(
                "its cycle starts at input {}, but there are {}",
                recurrence.cycle_inputs,
                recurrence.inputs.len()
            ));
        }
        for (index, input) in recurrence.inputs.iter().enumerate() {
            let fits = matches!(input.width, 1..=127) && input.bits >> input.width == 0;
            if !fits && input.width != 128 {
                return refuse(format!(
                    "input {index} is {}, which is no number of {} bits",
                    input.bits, input.width
                ));
            }
        }
        Ok(())
    }
}

/// The SHA-256 of some bytes, as certificates write it.
pub fn sha256(bytes: &[u8]) -> String {
    use fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
