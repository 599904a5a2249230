//! The certificate file: evidence, and which program it is about. `docs/certificate.md` is its
//! description for others.
//!
//! Reading is strict. A field nobody knows, a number that does not fit or a verdict that its
//! evidence is not for is refused with line and column where there is one, because a certificate
//! that is half understood is worth nothing.

mod agreement;

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Allocations, Claim, DataModel, Evidence, Externs, InputExtent, IntegerSemantics,
    ProgramQuestion, Specification,
};

/// The version of the format that this crate writes and reads.
pub const VERSION: u32 = 1;

/// Evidence, and what it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The version of Ouro that wrote it, for people.
    pub ouro: String,
    /// What it is about.
    pub subject: CertificateSubject,
    /// What is claimed.
    pub verdict: Claim,
    /// Why it holds.
    pub evidence: Evidence,
}

/// What a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CertificateSubject {
    /// A program in C or LLVM.
    Program(ProgramIdentity),
    /// A transition system: its file says all there is to it.
    System(SourceFile),
}

impl CertificateSubject {
    /// Its files.
    pub fn source_files(&self) -> &[SourceFile] {
        match self {
            CertificateSubject::Program(program) => &program.files,
            CertificateSubject::System(file) => std::slice::from_ref(file),
        }
    }
}

/// A certificate as it is written: `program` or `system` is there, not both.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertificateFile {
    /// First so that any reader finds it.
    ouro_certificate: u32,
    ouro: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<ProgramIdentity>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    system: Option<SourceFile>,
    verdict: Claim,
    evidence: Evidence,
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
    pub ints: IntegerSemantics,
    /// What a function without body returns.
    pub externs: Externs,
    /// Whether allocations may fail. The first certificates do not say it: then they may.
    #[serde(default)]
    pub allocations: Allocations,
    /// How far inputs reach. Without a word they may go on forever.
    #[serde(default, skip_serializing_if = "InputExtent::is_default")]
    pub input: InputExtent,
    /// Further options that clang got.
    pub clang_args: Vec<String>,
    /// What it was asked to keep to; without it the question was termination.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<Specification>,
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

/// Why a text is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MalformedCertificate {
    /// Line and column, from 1, where the text itself is at fault.
    pub at: Option<(usize, usize)>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for MalformedCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some((line, column)) => write!(f, "{line}:{column}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for MalformedCertificate {}

impl MalformedCertificate {
    fn with_message(message: impl Into<String>) -> MalformedCertificate {
        MalformedCertificate { at: None, message: message.into() }
    }

    fn from_json_error(error: &serde_json::Error) -> MalformedCertificate {
        let text = error.to_string();
        // serde_json ends its messages with the position that `at` has already.
        let message = text.split(" at line ").next().unwrap_or(&text).to_owned();
        match error.line() {
            0 => MalformedCertificate { at: None, message },
            line => MalformedCertificate { at: Some((line, error.column())), message },
        }
    }
}

impl Certificate {
    /// The certificate of some evidence, as the answer to a question.
    pub fn new(
        subject: CertificateSubject,
        question: ProgramQuestion,
        evidence: Evidence,
    ) -> Certificate {
        Certificate {
            ouro: env!("CARGO_PKG_VERSION").to_owned(),
            subject,
            verdict: evidence.claim(question),
            evidence,
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let Certificate { ouro, subject, verdict, evidence } = self.clone();
        let (program, system) = match subject {
            CertificateSubject::Program(program) => (Some(program), None),
            CertificateSubject::System(system) => (None, Some(system)),
        };
        let file =
            CertificateFile { ouro_certificate: VERSION, ouro, program, system, verdict, evidence };
        let mut text = serde_json::to_string_pretty(&file).expect("no map has keys but strings");
        text.push('\n');
        text
    }

    /// The certificate of a text, if it is one and agrees with itself. Whether the evidence holds
    /// is for the checker to say.
    pub fn from_json(text: &str) -> Result<Certificate, MalformedCertificate> {
        // A file of another version should be told so, and not that its fields are strange.
        #[derive(Deserialize)]
        struct CertificateHeader {
            ouro_certificate: u32,
        }
        let header: CertificateHeader =
            serde_json::from_str(text).map_err(|e| MalformedCertificate::from_json_error(&e))?;
        if header.ouro_certificate != VERSION {
            return Err(MalformedCertificate::with_message(format!(
                "it has version {}, but this Ouro reads version {VERSION}",
                header.ouro_certificate
            )));
        }
        let file: CertificateFile =
            serde_json::from_str(text).map_err(|e| MalformedCertificate::from_json_error(&e))?;
        let CertificateFile { ouro, program, system, verdict, evidence, .. } = file;
        let subject = match (program, system) {
            (Some(program), None) => CertificateSubject::Program(program),
            (None, Some(system)) => CertificateSubject::System(system),
            (Some(_), Some(_)) => {
                return Err(MalformedCertificate::with_message(
                    "it names both a program and a transition system",
                ));
            }
            (None, None) => {
                return Err(MalformedCertificate::with_message(
                    "it names neither a program nor a transition system",
                ));
            }
        };
        let certificate = Certificate { ouro, subject, verdict, evidence };
        certificate.agrees_with_itself().map_err(MalformedCertificate::with_message)?;
        Ok(certificate)
    }
}

/// The SHA-256 of some bytes, as certificates write it.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests;
