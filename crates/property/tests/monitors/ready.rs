//! The ready specifications of `specs/`, each on the small program beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ouro_model::{Monitor, Program};

use crate::watch::{compiled, violates};

/// A specification, inputs of the program beside it, and which of its obligations that run violates.
/// The input that decides stands after what the functions without body return before it.
const RUNS: [(&str, &[u64], &[bool]); 38] = [
    ("posix/mutex", &[0], &[false, false]),
    ("posix/mutex", &[1], &[true, false]),
    ("posix/mutex", &[2], &[false, true]),
    ("posix/mutex", &[16], &[false, false]),
    ("posix/spin", &[0, 0], &[false, false]),
    ("posix/spin", &[0, 1], &[true, false]),
    ("posix/spin", &[0, 2, 0], &[false, true]),
    ("posix/rwlock", &[0, 0], &[false, false]),
    ("posix/rwlock", &[0, 1], &[true, false]),
    ("posix/rwlock", &[0, 2, 0], &[false, true]),
    ("posix/file", &[3, 0], &[false, false]),
    ("posix/file", &[3, 1], &[true, false]),
    ("posix/file", &[3, 2, 0], &[false, true]),
    ("posix/memory", &[0, 0], &[false]),
    ("posix/memory", &[0, 1], &[true]),
    ("posix/socket", &[3, 0, 0, 4, 0], &[false, false]),
    ("posix/socket", &[3, 1], &[true, false]),
    ("posix/socket", &[3, 2, 4, 0], &[false, true]),
    ("linux/mutex", &[0], &[false, false]),
    ("linux/mutex", &[1], &[true, false]),
    ("linux/mutex", &[2], &[false, true]),
    ("linux/spinlock", &[0], &[false, false]),
    ("linux/spinlock", &[1], &[true, false]),
    ("linux/spinlock", &[2], &[false, true]),
    ("linux/irq", &[0, 0], &[false, false]),
    ("linux/irq", &[0, 1], &[true, false]),
    ("linux/irq", &[0, 2], &[false, true]),
    ("linux/module", &[1, 0], &[false, false]),
    ("linux/module", &[1, 1], &[true, false]),
    ("linux/module", &[1, 2], &[false, true]),
    ("svcomp/ldv_mutex", &[0], &[false, false]),
    ("svcomp/ldv_mutex", &[1], &[true, false]),
    ("svcomp/ldv_mutex", &[2], &[false, true]),
    ("svcomp/ldv_spin", &[0], &[false, false]),
    ("svcomp/ldv_spin", &[1], &[true, false]),
    ("svcomp/ldv_spin", &[2], &[false, true]),
    ("svcomp/ldv_module", &[0], &[false, false]),
    ("svcomp/ldv_module", &[2], &[false, true]),
];

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The program with each of the obligations.
fn watched(name: &str) -> Vec<(String, Program)> {
    let file = format!("{name}.slic");
    let monitors = ouro_property::monitors_of_specification(&read(&file), &file)
        .unwrap_or_else(|error| panic!("{error}"));
    let text = read(&format!("{name}.c"));
    let program = |monitor: &Monitor| {
        compiled(&[("p.c", &text)], monitor).unwrap_or_else(|error| panic!("{error}"))
    };
    monitors.iter().map(|monitor| (monitor.name.clone(), program(monitor))).collect()
}

#[test]
fn ready_specifications_tell_kept_from_broken() {
    let mut broken = BTreeSet::new();
    let mut programs = BTreeMap::new();
    for (name, inputs, expected) in RUNS {
        let programs = programs.entry(name).or_insert_with(|| watched(name));
        assert_eq!(programs.len(), expected.len(), "{name}");
        for ((obligation, program), expected) in programs.iter().zip(expected) {
            let found = violates(program, inputs);
            assert_eq!(found, *expected, "{name} on {inputs:?}: {obligation}");
            if found {
                broken.insert((name, obligation.clone()));
            }
        }
    }
    // A specification that nothing breaks would say nothing.
    assert!(broken.len() >= 24, "{broken:?}");
}

/// Every file of the library is in the table.
#[test]
fn every_ready_specification_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let mut found = BTreeSet::new();
    for folder in fs::read_dir(&root).expect("the library") {
        let folder = folder.expect("a folder").path();
        for file in fs::read_dir(&folder).expect("a folder of the library") {
            let file = file.expect("a file").path();
            if file.extension().is_some_and(|extension| extension == "slic") {
                let name =
                    |path: &Path| path.file_stem().and_then(|n| n.to_str()).map(str::to_owned);
                found.insert(format!(
                    "{}/{}",
                    name(&folder).unwrap_or_default(),
                    name(&file).unwrap_or_default()
                ));
            }
        }
    }
    let tested: BTreeSet<String> = RUNS.iter().map(|run| run.0.to_owned()).collect();
    assert_eq!(found, tested);
}
