//! The examples of `examples/liveness`, run on some inputs.

use std::fs;
use std::path::Path;

use crate::watch::{compiled, violates};

/// Program, specification, inputs, and whether that run violates the specification.
const RUNS: [(&str, &str, &[u64], bool); 16] = [
    ("device_name.c", "device_name.slic", &[2], false),
    ("device_name.c", "device_name.slic", &[2, 2, 0], false),
    ("block.c", "block.slic", &[1], false),
    ("block.c", "block.slic", &[1, 1, 0], false),
    ("block.c", "block_unfair.slic", &[1], true),
    ("block.c", "block_unfair.slic", &[1, 1, 0], false),
    ("block_broken.c", "block.slic", &[1], false),
    ("block_broken.c", "block.slic", &[0], false),
    ("block_broken.c", "block.slic", &[0, 1, 2], true),
    ("level.c", "level.slic", &[7], false),
    ("level.c", "level_safe.slic", &[7], false),
    ("level_broken.c", "level.slic", &[0], true),
    ("level_broken.c", "level_safe.slic", &[3], true),
    ("level_unsafe.c", "level_safe.slic", &[3], false),
    ("level_unsafe.c", "level_safe.slic", &[3, 7], true),
    ("level_unsafe.c", "level.slic", &[3], false),
];

#[test]
fn examples_keep_and_break_their_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/liveness");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    for (program, specification, inputs, expected) in RUNS {
        let monitors =
            ouro_property::monitors_of_specification(&read(specification), specification)
                .unwrap_or_else(|error| panic!("{error}"));
        let [monitor] = &monitors[..] else { panic!("{specification}: one obligation") };
        let compiled =
            compiled(&[(program, &read(program))], monitor).unwrap_or_else(|e| panic!("{e}"));
        let found = violates(&compiled, inputs);
        assert_eq!(found, expected, "{program} with {specification} on {inputs:?}");
    }
}
