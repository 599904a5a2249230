//! The systems of the files in `data`, in the model's text form. `UPDATE_EXPECT=1` writes them anew.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use ouro_model::transition::{check_wellformed_system, parse_system, print_system};

#[test]
fn systems_are_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending != "system"));
    files.sort();
    assert_eq!(files.len(), 6);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let system = ouro_formats::parse_transition_system(&file, &text)
            .unwrap_or_else(|refused| panic!("{refused}"));
        assert_eq!(check_wellformed_system(&system), Ok(()), "{}", file.display());
        let printed = print_system(&system);
        assert_eq!(print_system(&parse_system(&printed).unwrap()), printed);
        let mut golden = file.into_os_string();
        golden.push(".system");
        expect_file![golden].assert_eq(&printed);
    }
}
