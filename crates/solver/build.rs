//! Says what to do when Z3 is missing, before the linker says something less clear.

fn main() {
    let library =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/z3/lib/libz3.so");
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        println!("cargo::error=Z3 is missing: run scripts/setup.sh first");
    }
}
