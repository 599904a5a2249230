//! The answer about termination as a witness of SV-COMP, for tools that check the verdicts of others.
//!
//! A witness is a hint and no proof: it names inputs, the states of the cycle, or what gets smaller, in C. What
//! cannot be said in C is left out, so a witness may stand for more runs than the certificate does, and never
//! for others. The verdict rests on the certificate alone.
//!
//! | file | one idea |
//! | --- | --- |
//! | `witness/yaml` | version 2.1: a violation sequence with a cycle, or loop transition invariants |
//! | `witness/graphml` | version 1.0, for runs that never end |
//! | `witness/hints` | what there is to say about the answer |
//! | `witness/c` | terms as C expressions |

mod c;
mod graphml;
mod hints;
mod yaml;

use ouro_evidence::certificate::sha256_hex;

pub use graphml::graphml_witness;
pub(crate) use hints::loop_keyword_column;
pub use yaml::yaml_witness;

/// What a witness is about, and when it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessTask {
    /// The files and the SHA-256 of each.
    pub files: Vec<(String, String)>,
    /// The function where the program starts.
    pub function: String,
    /// Whether pointers have 32 bits.
    pub narrow: bool,
    /// The version of Ouro.
    pub version: String,
    /// Now, as ISO 8601 has it.
    pub time: String,
}

impl WitnessTask {
    fn specification(&self) -> String {
        format!("CHECK( init({}()), LTL(F end) )", self.function)
    }

    /// A name that no other witness has. It is made from what the witness says, so that the same
    /// question has the same one.
    fn witness_identifier(&self, content: &str) -> String {
        let digest = sha256_hex(format!("{self:?}\n{content}").as_bytes());
        let part = |from: usize, to: usize| digest.get(from..to).unwrap_or("");
        // Version 8 is for names that are made in a way of one's own, variant `a` that of RFC 9562.
        format!(
            "{}-{}-8{}-a{}-{}",
            part(0, 8),
            part(8, 12),
            part(13, 16),
            part(17, 20),
            part(20, 32)
        )
    }
}
