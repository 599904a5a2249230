//! Lists the sources of the C library in `library/`, so that they are part of the binary.

use std::fmt::Write as _;
use std::path::Path;

fn main() {
    // Asked for when it runs: a target folder may have moved here with a build script of elsewhere.
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let folder = Path::new(&here).join("library");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .map(|entries| {
            entries
                .filter_map(Result::ok)
                .filter_map(|entry| entry.file_name().into_string().ok())
                .filter(|name| name.ends_with(".c") || name.ends_with(".h"))
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    let mut text = String::from("pub(crate) const SOURCES: &[(&str, &str)] = &[\n");
    for name in names {
        let path = folder.join(&name);
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = writeln!(text, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    text.push_str("];\n");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&out).join("library_sources.rs"), text).expect("OUT_DIR is writable");
}
