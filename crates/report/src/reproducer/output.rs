//! Output that has to fail: the standard streams lead to a device that is always full.

use ouro_evidence::{ChoiceSource, RunInput};

/// How the reproducer lets output fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutputFailure {
    /// It does not: there is nothing to fail, or the device cannot fail in this way.
    Nothing,
    /// What is in the buffer cannot be written.
    Flushing,
    /// Nothing can be written, and there is no buffer.
    Everything,
}

/// What the device has to do. It fails always, so output must not succeed in between; but with a buffer,
/// only flushing it shows that.
pub(super) fn required_output_failure(inputs: &[RunInput]) -> OutputFailure {
    let seen = |flushes: bool, bits: u128| {
        inputs.iter().any(|input| {
            matches!(&input.source, ChoiceSource::Output(name) if is_flush(name) == flushes)
                && input.bits == bits
        })
    };
    let (flush_fails, flush_succeeds) = (seen(true, 1), seen(true, 0));
    let (write_fails, write_succeeds) = (seen(false, 1), seen(false, 0));
    match (flush_fails, write_fails) {
        (true, false) if !flush_succeeds => OutputFailure::Flushing,
        (false, true) if !write_succeeds => OutputFailure::Everything,
        _ => OutputFailure::Nothing,
    }
}

fn is_flush(name: &str) -> bool {
    matches!(name, "fflush" | "fclose")
}

/// The number of the error on a full device.
const NO_SPACE: u128 = 28;

impl OutputFailure {
    /// Whether an input comes about by that.
    pub(super) fn brings_about(self, input: &RunInput) -> bool {
        let all = u128::MAX >> (128 - input.width.clamp(1, 128));
        match &input.source {
            ChoiceSource::Output(_) => self != OutputFailure::Nothing || input.bits == 0,
            ChoiceSource::Function(name) if self != OutputFailure::Nothing => match name.as_str() {
                "write" | "pwrite" => input.bits == all,
                "fwrite" => input.bits == 0,
                "errno" => input.bits == NO_SPACE,
                _ => false,
            },
            _ => false,
        }
    }

    /// The code for it.
    pub(super) fn definition(self) -> &'static str {
        match self {
            OutputFailure::Nothing => "",
            OutputFailure::Flushing => FLUSHING,
            OutputFailure::Everything => EVERYTHING,
        }
    }
}

const FLUSHING: &str = r#"
/* Output fails as on a full disk, once its buffer is written. */
extern int open(const char *, int, ...);
extern int dup2(int, int);
__attribute__((constructor)) static void fill_the_disk(void) {
  int full = open("/dev/full", 1);
  dup2(full, 1);
  dup2(full, 2);
}
"#;

const EVERYTHING: &str = r#"
/* Output fails as on a full disk, and is not buffered. */
extern int open(const char *, int, ...);
extern int dup2(int, int);
extern int setvbuf(struct _IO_FILE *, char *, int, unsigned long);
extern struct _IO_FILE *stdout;
__attribute__((constructor)) static void fill_the_disk(void) {
  int full = open("/dev/full", 1);
  dup2(full, 1);
  dup2(full, 2);
  setvbuf(stdout, 0, 2, 0);
}
"#;
