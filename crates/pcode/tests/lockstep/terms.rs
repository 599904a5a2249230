//! Terms tell the truth: where the conditions of a trace hold for other values, the machine takes the
//! same path with them and ends in the values of the terms.

use std::process::Command;
use std::time::Duration;

use ouro_pcode::op::file;
use ouro_pcode::{InstructionCache, InstructionTracer, PcodeMachine};
use ouro_term::{Assignment, Constant, TermEvaluator, TermOp, TermStore};

use crate::machine_of;
use crate::target::Target;
use crate::workloads::{FLOATS, INTEGERS, STRINGS, build};

fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

/// Names some registers, traces some instructions, and tries other values for the names.
fn trial(start: &PcodeMachine, program: &mut InstructionCache, seed: &mut u64) -> (u32, u32) {
    let mut terms = TermStore::new();
    let (mut tracer, mut machine) = (InstructionTracer::new(), start.clone());
    let mut named = Vec::new();
    for number in 0..16 {
        if number != 4 && random(seed).is_multiple_of(3) {
            let term = terms.fresh_bv("r", 64);
            let at = file::general_register_offset(number);
            tracer.name_register(at, 8, term);
            named.push((at, term));
        }
    }
    for number in 0..8 {
        let term = terms.fresh_bv("x", 64);
        tracer.name_register(file::ZMM + 64 * number, 8, term);
        named.push((file::ZMM + 64 * number, term));
    }
    let length = random(seed) % 40;
    for _ in 0..length {
        if tracer.step(&mut terms, &mut machine, program).is_err() {
            return (0, 0);
        }
    }
    let (mut tried, mut held) = (0, 0);
    for _ in 0..8 {
        tried += 1;
        let mut other = start.clone();
        let mut assignment = Assignment::new();
        for (at, term) in &named {
            let old = start.read_file_number(*at, 8);
            let new = match random(seed) % 4 {
                0 => random(seed),
                1 => old.wrapping_add(random(seed) % 5).wrapping_sub(2),
                _ => old,
            };
            other.registers_mut()[*at..*at + 8].copy_from_slice(&new.to_le_bytes());
            let TermOp::Symbol(id) = terms.op(*term) else { panic!("a symbol") };
            assignment.set(*id, Constant::Bv { width: 64, value: u128::from(new) });
        }
        let holds = {
            let mut evaluator = TermEvaluator::new(&terms, &assignment);
            tracer.conditions.iter().all(|c| evaluator.evaluate_formula(c.term) == Some(true))
        };
        if !holds {
            continue;
        }
        held += 1;
        for _ in 0..length {
            other.step(program).expect("the same path");
        }
        assert_eq!(other.rip, machine.rip);
        let ends: Vec<_> = (0..16)
            .map(file::general_register_offset)
            .chain((0..16).map(|i| file::ZMM + 64 * i))
            .map(|at| (at, tracer.register_term(&mut terms, &machine, at, 8)))
            .collect();
        let mut evaluator = TermEvaluator::new(&terms, &assignment);
        for (at, end) in ends {
            let Some(end) = end else { continue };
            let value = evaluator.evaluate_term(end).and_then(|v| v.as_bv()).expect("specified");
            assert_eq!(
                value,
                u128::from(other.read_file_number(at, 8)),
                "{} {:#x}",
                file::register_name(at),
                start.rip
            );
        }
        for (flag, _) in file::FLAGS {
            let Some(end) = tracer.register_term(&mut terms, &machine, flag, 1) else { continue };
            let value =
                TermEvaluator::new(&terms, &assignment).evaluate_term(end).and_then(|v| v.as_bv());
            assert_eq!(
                value,
                Some(u128::from(other.registers()[flag])),
                "{}",
                file::register_name(flag)
            );
        }
    }
    (tried, held)
}

#[test]
fn on_real_code() {
    let mut seed = 0x1234_5678_9abc_def1;
    let folder = tempfile::tempdir().expect("a folder");
    for (name, options, source) in [
        ("i0", "-O0", INTEGERS),
        ("i2", "-O2", INTEGERS),
        ("f2", "-O2", FLOATS),
        ("s1", "-O1", STRINGS),
    ] {
        let command = Command::new(build(folder.path(), name, &[options], source));
        let target = Target::start(command, Duration::from_millis(200));
        let (mut machine, mut program) = (machine_of(&target), InstructionCache::new());
        let (mut tried, mut held) = (0, 0);
        for _ in 0..300 {
            let (t, h) = trial(&machine, &mut program, &mut seed);
            tried += t;
            held += h;
            for _ in 0..random(&mut seed) % 200 {
                if machine.step(&mut program).is_err() {
                    break;
                }
            }
        }
        eprintln!("{name}: {held} of {tried} other values took the same path");
        assert!(held > 50, "{name}: {held} of {tried}");
    }
}
