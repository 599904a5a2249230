//! The answer for people, and for tools.

use std::fmt::Write as _;

use crate::answer::{CodePlace, ProcessAnalysis, ProcessAnswer};

/// One JSON object.
pub fn process_json(analysis: &ProcessAnalysis) -> String {
    let mut value = serde_json::to_value(analysis).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        let verdict = match analysis.answer {
            ProcessAnswer::LoopsForever(_) => "loops",
            ProcessAnswer::LoopsUntil { .. } => "loops_until_signal",
            ProcessAnswer::NotProven { .. } => "unknown",
            ProcessAnswer::WillLeave { .. } => "leaves",
            ProcessAnswer::Waits { .. } => "waits",
            ProcessAnswer::TalksToTheOutside { .. } => "talks",
        };
        object.insert("verdict".to_owned(), verdict.into());
        object.insert("seconds".to_owned(), analysis.elapsed.as_secs_f64().into());
        object.insert("stopped_seconds".to_owned(), analysis.stopped.as_secs_f64().into());
        object.remove("elapsed");
        object.remove("stopped");
        // The fields that `ouro check` has too.
        match &analysis.answer {
            ProcessAnswer::LoopsForever(proof) | ProcessAnswer::LoopsUntil { proof, .. } => {
                object.insert("engine".to_owned(), proof.method.as_str().into());
                object.insert("certificate".to_owned(), "checked".into());
                object.insert("location".to_owned(), place_json(&proof.head));
                if let ProcessAnswer::LoopsUntil { signals, .. } = &analysis.answer {
                    object.insert("signals".to_owned(), signals.as_slice().into());
                }
            }
            ProcessAnswer::NotProven { reason } => {
                object.insert("reason".to_owned(), reason.as_str().into());
            }
            ProcessAnswer::WillLeave { place, .. }
            | ProcessAnswer::TalksToTheOutside { place, .. } => {
                object.insert("location".to_owned(), place_json(place));
            }
            ProcessAnswer::Waits { .. } => {}
        }
    }
    format!("{value:#}\n")
}

fn place_json(place: &CodePlace) -> serde_json::Value {
    let (file, line) = match &place.line {
        Some((file, line)) => (Some(file.as_str()), Some(*line)),
        None => (place.module.as_deref(), None),
    };
    let function = place.function.as_ref().map(|(name, _)| name.as_str());
    serde_json::json!({ "file": file, "line": line, "function": function })
}

/// A few lines that can be pasted into a bug report.
pub fn process_text(analysis: &ProcessAnalysis) -> String {
    let mut out = String::new();
    let _ = write_process_text(&mut out, analysis);
    out
}

/// The most lines of a list.
const MOST: usize = 12;

fn write_process_text(out: &mut String, analysis: &ProcessAnalysis) -> std::fmt::Result {
    let word = analysis.answer.word();
    writeln!(out, "{word}: process {} ({})", analysis.pid, analysis.program)?;
    match &analysis.answer {
        ProcessAnswer::LoopsForever(proof) | ProcessAnswer::LoopsUntil { proof, .. } => {
            if let ProcessAnswer::LoopsUntil { handlers, .. } = &analysis.answer {
                writeln!(out, "\n  By itself it never ends.")?;
                write_lines(out, handlers)?;
            }
            writeln!(
                out,
                "\n  The loop begins again at {}, every {} instructions.",
                proof.head, proof.length
            )?;
            writeln!(out, "\n  It runs through")?;
            write_lines(out, &proof.lines)?;
            if !proof.exits.is_empty() {
                writeln!(out, "\n  It could leave only at")?;
                let exits: Vec<String> =
                    proof.exits.iter().map(|e| format!("{}: {}", e.place, e.text)).collect();
                write_lines(out, &exits)?;
            }
            match proof.method.as_str() {
                "recurrence" => {
                    writeln!(
                        out,
                        "\n  Why: after an iteration, all registers and memory are as before."
                    )?;
                }
                "projection" => {
                    writeln!(out, "\n  Why: what changes each time decides nothing:")?;
                    write_facts(out, proof)?;
                }
                _ => {
                    writeln!(out, "\n  Why: these change or decide, and stay within")?;
                    write_facts(out, proof)?;
                    write_lines(out, &proof.invariants)?;
                }
            }
        }
        ProcessAnswer::NotProven { reason } => writeln!(out, "\n  {reason}")?,
        ProcessAnswer::WillLeave { instructions, place, what } => {
            writeln!(out, "\n  After {instructions} more instructions, at {place}, {what}.")?;
        }
        ProcessAnswer::Waits { call } => writeln!(out, "\n  It is blocked in {call}.")?,
        ProcessAnswer::TalksToTheOutside { call, instructions, place } => {
            writeln!(out, "\n  After {instructions} instructions, at {place}, it calls {call}.")?;
            writeln!(out, "  What comes then, the outside decides.")?;
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
    if analysis.answer.proof().is_some()
        || matches!(analysis.answer, ProcessAnswer::NotProven { .. })
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
        "\n  The process stood still for {:.1} ms; {} instructions were executed in its stead, in {:.1} s.",
        analysis.stopped.as_secs_f64() * 1e3,
        analysis.instructions,
        analysis.elapsed.as_secs_f64()
    )
}

fn write_facts(out: &mut String, proof: &crate::answer::ProcessProof) -> std::fmt::Result {
    let lines: Vec<String> = proof
        .changing
        .iter()
        .map(|fact| format!("{} = {} ({:#x})", fact.name, fact.value.cast_signed(), fact.value))
        .collect();
    write_lines(out, &lines)
}

fn write_lines(out: &mut String, lines: &[String]) -> std::fmt::Result {
    for line in lines.iter().take(MOST) {
        writeln!(out, "    {line}")?;
    }
    if lines.len() > MOST {
        writeln!(out, "    and {} more", lines.len() - MOST)?;
    }
    Ok(())
}
