//! The program `ouro`. What it does is in the library: `ouro::cli`.

mod memory;

use std::process::ExitCode;

fn main() -> ExitCode {
    ouro::cli::run_command_line()
}
