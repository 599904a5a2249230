//! Numbers in the documentation that a script can count.

use std::path::Path;
use std::process::Command;

#[test]
fn trusted_lines_are_counted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output =
        Command::new("./scripts/trusted-lines.sh").arg("--check").current_dir(root).output();
    let output = output.expect("running the script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
