//! What stays the same of a loop when the lines around it are edited.

use ouro_evidence::certificate::sha256_hex;

/// Eight bytes are plenty to tell the loops of a project apart, and short enough to read.
const DIGITS: usize = 16;

/// The fingerprint of a loop: its function, its number among the loops of the function (from 0, in the
/// order of lines), and the text of its head line without spaces. No line number: a comment above must
/// not make an old finding a new one. Not the file's name either: tools compare that themselves, and a
/// file that is moved is the same file.
pub fn loop_fingerprint(function: &str, ordinal: usize, head: &str) -> String {
    let text: String = head.split_whitespace().collect();
    // Names and source lines have no line break in them, so no two triples give one text.
    let mut digest = sha256_hex(format!("{function}\n{ordinal}\n{text}").as_bytes());
    digest.truncate(DIGITS);
    digest
}

#[cfg(test)]
mod tests {
    use super::loop_fingerprint;

    #[test]
    fn spaces_do_not_matter_and_all_else_does() {
        let one = loop_fingerprint("search", 0, "  while (low < high) {");
        assert_eq!(one, loop_fingerprint("search", 0, "\twhile( low<high ){"));
        assert_eq!(one.len(), 16);
        for other in [
            loop_fingerprint("find", 0, "while (low < high) {"),
            loop_fingerprint("search", 1, "while (low < high) {"),
            loop_fingerprint("search", 0, "while (low <= high) {"),
        ] {
            assert_ne!(one, other);
        }
    }
}
