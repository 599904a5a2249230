//! `ouro run`: programs print what they print and exit as they exit.

use super::Folder;

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) {
  int *table = malloc(4 * sizeof(int));
  int n = __VERIFIER_nondet_int();
  printf("%d of %d\n", n, argc);
  for (int i = 0; i < n; i++)
    table[i] = i;
  fprintf(stderr, "done\n");
  if (n == 2)
    abort();
  return n;
}
"#;

fn check(inputs: &[&str], code: i32, stdout: &str, stderr: &str) {
    let folder = Folder::with(&[("program.c", PROGRAM)]);
    let mut arguments = vec!["run", "program.c"];
    inputs.iter().for_each(|input| arguments.extend(["--input", input]));
    let outcome = folder.ouro(&arguments);
    assert_eq!(outcome.code, Some(code), "{inputs:?}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, stdout, "{inputs:?}");
    assert!(outcome.stderr.contains(stderr), "{inputs:?}: {}", outcome.stderr);
}

#[test]
fn exits_as_the_program_exits() {
    check(&["3"], 3, "3 of 1\n", "done\n");
    check(&["-1"], 255, "-1 of 1\n", "done\n");
    check(&["0x1", "99"], 1, "1 of 1\n", "done\n");
}

#[test]
fn says_what_went_wrong() {
    check(&["2"], 134, "2 of 1\n", "abort()");
    check(&["9"], 132, "9 of 1\n", "program.c:10 in main: undefined behaviour: ");
    check(&[], 2, "", "__VERIFIER_nondet_int()");
    check(&["many"], 2, "", "--input 'many' is not an integer");
    check(&["4294967296"], 2, "", "does not fit into 32 bits");
}

#[test]
fn integers_are_as_asked() {
    let source = "int main(void) { int i = 2147483647; i++; return i < 0 ? 5 : 6; }\n";
    let folder = Folder::with(&[("program.c", source)]);
    assert_eq!(folder.ouro(&["run", "program.c"]).code, Some(132));
    assert_eq!(folder.ouro(&["run", "program.c", "--ints", "wrap"]).code, Some(5));
}
