//! Completions for shells and the page of the manual, made from the definition of the arguments.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::arguments::Arguments;
use crate::exit;

/// `ouro completions SHELL`
pub(crate) fn print_completions(shell: Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "ouro", &mut text);
    print_bytes(&text)
}

/// `ouro man`: one page, with the options of every command.
pub(crate) fn print_manual() -> ExitCode {
    let mut text = Vec::new();
    match write_page(&mut text) {
        Ok(()) => print_bytes(&text),
        Err(error) => {
            eprintln!("error: cannot write the manual page: {error}");
            ExitCode::from(exit::CRASH)
        }
    }
}

fn write_page(out: &mut Vec<u8>) -> io::Result<()> {
    let mut command = Arguments::command();
    // What subcommands inherit is known only then.
    command.build();
    let whole = clap_mangen::Man::new(command.clone());
    whole.render_title(out)?;
    whole.render_name_section(out)?;
    whole.render_synopsis_section(out)?;
    whole.render_description_section(out)?;
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        writeln!(out, ".SH \"OURO {}\"", part.get_name().to_uppercase())?;
        let part = clap_mangen::Man::new(part.clone());
        for render in
            [clap_mangen::Man::render_description_section, clap_mangen::Man::render_options_section]
        {
            let mut section = Vec::new();
            render(&part, &mut section)?;
            let section = String::from_utf8_lossy(&section).into_owned();
            // The sections of a command are parts of its own section here.
            for line in section.lines() {
                match line.strip_prefix(".SH ") {
                    Some(title) => writeln!(out, ".SS {title}")?,
                    None => writeln!(out, "{line}")?,
                }
            }
        }
    }
    whole.render_extra_section(out)?;
    whole.render_version_section(out)
}

fn print_bytes(text: &[u8]) -> ExitCode {
    crate::outputs::print_and_exit(text, 0)
}
