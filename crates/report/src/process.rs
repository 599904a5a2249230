//! What is known about a process, for people: a few lines that can be pasted into a bug report.

use std::fmt::Write as _;

use ouro_evidence::process::{ProcessAnalysis, ProcessAnswer, ProcessProof};

use crate::limits::LIMITS;

/// A few lines that can be pasted into a bug report.
pub fn process_text(analysis: &ProcessAnalysis) -> String {
    let mut out = String::new();
    let _ = write_process_text(&mut out, analysis);
    out
}

fn write_process_text(out: &mut String, analysis: &ProcessAnalysis) -> std::fmt::Result {
    let word = analysis.answer.word();
    writeln!(out, "{word}: process {} ({})", analysis.pid, analysis.program)?;
    match &analysis.answer {
        ProcessAnswer::LoopsForever(proof) | ProcessAnswer::LoopsUntil { proof, .. } => {
            if let ProcessAnswer::LoopsUntil { handlers, .. } = &analysis.answer {
                writeln!(out, "\n  On its own it never ends.")?;
                write_lines(out, handlers)?;
            }
            writeln!(
                out,
                "\n  The loop restarts at {} every {} instructions.",
                proof.head, proof.length
            )?;
            writeln!(out, "\n  It runs through")?;
            write_lines(out, &proof.lines)?;
            if !proof.exits.is_empty() {
                writeln!(out, "\n  It could leave the loop only at")?;
                let exits: Vec<String> =
                    proof.exits.iter().map(|e| format!("{}: {}", e.place, e.text)).collect();
                write_lines(out, &exits)?;
            }
            match proof.method.as_str() {
                "recurrence" => {
                    writeln!(
                        out,
                        "\n  Why: after an iteration, all registers and all memory are unchanged."
                    )?;
                }
                "projection" => {
                    writeln!(
                        out,
                        "\n  Why: the values that change have no effect on control \
                         flow:"
                    )?;
                    write_facts(out, proof)?;
                }
                _ => {
                    writeln!(
                        out,
                        "\n  Why: the values that change or decide stay within these \
                         bounds"
                    )?;
                    write_facts(out, proof)?;
                    write_lines(out, &proof.invariants)?;
                }
            }
        }
        ProcessAnswer::Unknown { reason } => writeln!(out, "\n  {reason}")?,
        ProcessAnswer::WillLeave { instructions, place, what } => {
            writeln!(out, "\n  After {instructions} more instructions, at {place}, {what}.")?;
        }
        ProcessAnswer::Waits { call } => writeln!(out, "\n  It is blocked in {call}.")?,
        ProcessAnswer::TalksToTheOutside { call, instructions, place } => {
            writeln!(out, "\n  After {instructions} instructions, at {place}, it calls {call}.")?;
            writeln!(out, "  What happens next depends on the outside.")?;
        }
    }
    if !analysis.script.is_empty() {
        writeln!(out, "\n  In the script")?;
        let script: Vec<String> = analysis.script.iter().map(ToString::to_string).collect();
        write_lines(out, &script)?;
    }
    if !analysis.stack.is_empty() {
        writeln!(out, "\n  Call stack")?;
        let stack: Vec<String> = analysis.stack.iter().map(ToString::to_string).collect();
        write_lines(out, &stack)?;
    }
    if analysis.answer.proof().is_some() || matches!(analysis.answer, ProcessAnswer::Unknown { .. })
    {
        writeln!(out, "\n  Premises")?;
        for premise in &analysis.premises {
            let holds = match premise.holds {
                Some(true) => "holds",
                Some(false) => "DOES NOT HOLD",
                None => "assumed",
            };
            writeln!(out, "    {}: {holds} ({})", premise.what, premise.found)?;
        }
    }
    writeln!(
        out,
        "\n  The process was stopped for {:.1} ms; Ouro executed {} instructions on its behalf, \
         in {:.1} s.",
        analysis.stopped.as_secs_f64() * 1e3,
        analysis.instructions,
        analysis.elapsed.as_secs_f64()
    )
}

fn write_facts(out: &mut String, proof: &ProcessProof) -> std::fmt::Result {
    let lines: Vec<String> = proof
        .changing
        .iter()
        .map(|fact| format!("{} = {} ({:#x})", fact.name, fact.value.cast_signed(), fact.value))
        .collect();
    write_lines(out, &lines)
}

fn write_lines(out: &mut String, lines: &[String]) -> std::fmt::Result {
    for line in lines.iter().take(LIMITS.process_lines) {
        writeln!(out, "    {line}")?;
    }
    if lines.len() > LIMITS.process_lines {
        writeln!(out, "    and {} more", lines.len() - LIMITS.process_lines)?;
    }
    Ok(())
}
