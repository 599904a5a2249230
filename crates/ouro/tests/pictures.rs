//! The examples after the paper on recurrent components: each loops with checked evidence and a picture, and each
//! repaired one terminates.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The examples; the repaired ones end in `_fixed`.
const EXAMPLES: [&str; 5] = ["intervals", "calendar", "heap/ring", "heap/prepend", "heap/queue"];

fn ouro(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ouro"))
        .args(arguments)
        .env_remove("OURO_LOG")
        .output()
        .expect("running ouro")
}

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    folder.join(format!("{name}.c")).to_str().expect("UTF-8").to_owned()
}

/// Asks about an example, and has its certificate accepted by another process. Gives the pictures.
fn judged(name: &str, code: i32) -> (Option<String>, Option<String>) {
    let scratch = tempfile::tempdir().expect("a folder");
    let path = |file: &str| scratch.path().join(file).to_str().expect("UTF-8").to_owned();
    let (certificate, svg, dot) = (path("proof.json"), path("run.svg"), path("run.dot"));
    let options = ["--certificate", &certificate, "--graph", &svg];
    let output = ouro(&[&["check", &example(name)], &options[..]].concat());
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{name}: {said}");
    let verified = ouro(&["verify", &certificate]);
    assert_eq!(verified.status.code(), Some(0), "{name}: {verified:?}");
    if code == 1 {
        let again = ouro(&["check", &example(name), "--graph", &dot]);
        assert_eq!(again.status.code(), Some(1), "{name}: {again:?}");
    } else {
        assert!(said.contains("run.svg was not written: "), "{name}: {said}");
    }
    (fs::read_to_string(svg).ok(), fs::read_to_string(dot).ok())
}

#[test]
fn each_example_loops_and_is_drawn() {
    for name in EXAMPLES {
        let (svg, dot) = judged(name, 1);
        let (svg, dot) = (svg.expect("a picture"), dot.expect("a picture"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{name}: {svg}");
        assert!(svg.contains("States that the run never leaves"), "{name}: {svg}");
        assert!(dot.starts_with("digraph ") && dot.contains("n0 -> n1"), "{name}: {dot}");
        // Only the heap has objects to draw.
        assert_eq!(svg.contains("Memory when the run"), name.starts_with("heap/"), "{name}: {svg}");
    }
}

#[test]
fn each_repaired_example_terminates() {
    for name in EXAMPLES {
        let (svg, _) = judged(&format!("{name}_fixed"), 0);
        assert_eq!(svg, None, "{name}");
    }
}

/// The list gets longer in every turn: the states are those with a list of any length.
#[test]
fn no_state_comes_back_where_a_list_grows() {
    let scratch = tempfile::tempdir().expect("a folder");
    let certificate = scratch.path().join("proof.json");
    let certificate = certificate.to_str().expect("UTF-8");
    let dot = scratch.path().join("run.dot");
    let dot = dot.to_str().expect("UTF-8");
    let files = ["--certificate", certificate, "--graph", dot];
    let output = ouro(&[&["check", &example("heap/prepend")], &files[..]].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("the run never leaves these states: "), "{said}");
    let certificate = fs::read_to_string(certificate).expect("a certificate");
    assert!(certificate.contains("\"links\""), "{certificate}");
    assert!(certificate.contains("\"length\""), "{certificate}");
    let dot = fs::read_to_string(dot).expect("a picture");
    assert!(dot.contains("peripheries=2, label=\"a list: one or more of"), "{dot}");
}

/// The removed entry of the queue is linked to itself, and the picture shows it.
#[test]
fn the_memory_of_the_queue_is_drawn() {
    let scratch = tempfile::tempdir().expect("a folder");
    let dot = scratch.path().join("run.dot");
    let dot = dot.to_str().expect("UTF-8");
    ouro(&["check", &example("heap/queue"), "--graph", dot]);
    let dot = fs::read_to_string(dot).expect("a picture");
    let itself = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words[..], [from, "->", to, label] if from == to && label.starts_with("[label=\"+"))
    };
    assert!(dot.lines().any(itself), "{dot}");
}

/// The pages show the same picture, beside the source.
#[test]
fn pages_have_the_picture() {
    let scratch = tempfile::tempdir().expect("a folder");
    let pages = scratch.path().join("pages");
    ouro(&["check", &example("heap/queue"), "--report", pages.to_str().expect("UTF-8")]);
    let texts = fs::read_dir(&pages).expect("pages").filter_map(|entry| {
        let path = entry.expect("a file").path();
        fs::read_to_string(path).ok()
    });
    let texts: Vec<String> = texts.collect();
    assert!(texts.iter().any(|text| text.contains("Memory when the run enters")), "{texts:?}");
}

#[test]
fn a_picture_says_how_it_is_written() {
    let output = ouro(&["check", &example("intervals"), "--graph", "run.png"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("run.png") && said.contains(".svg") && said.contains(".dot"), "{said}");
}
