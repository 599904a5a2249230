//! Every form of instruction that occurs in the C library, its mathematics and Python, compared with the
//! CPU on random states; and on terms: where the conditions hold for other values, the terms give what the
//! machine gives.
//!
//! The suite takes a sample; `OURO_FORMS=all` takes every form, many times each.

mod child;
mod found;
mod state;

use std::collections::BTreeMap;
use std::rc::Rc;

use child::Executor;
use iced_x86::{Decoder, DecoderOptions, Instruction};
use ouro_pcode::op::file;
use ouro_pcode::{InstructionCache, InstructionTracer, PcodeMachine, PcodeStop};
use ouro_process::ThreadRegisters;
use ouro_term::{Assignment, Constant, Term, TermEvaluator, TermOp, TermStore};
use state::{CODE, DATA, Random, State, machine};

const LIBRARIES: [&str; 3] = [
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib/x86_64-linux-gnu/libm.so.6",
    // Debian links libpython into the interpreter.
    "/usr/bin/python3",
];

/// Bytes of code for each form.
const SLOT: u64 = 32;

struct Forms {
    code: Rc<Vec<u8>>,
    /// Where each is, what it is there, and how often to try it.
    all: Vec<(u64, Instruction, usize)>,
}

/// Libraries' forms as often as is asked; those that are easily wrong often enough for all their cases.
fn prepare((every, times): (usize, usize)) -> Forms {
    let mut code = vec![0x90; usize::try_from(state::CODE_LENGTH).expect("small")];
    let mut all = Vec::new();
    let found = found::forms(&LIBRARIES).into_iter().step_by(every).map(|found| (found, times));
    let rare = found::rare().into_iter().map(|rare| (rare, times.max(30)));
    for (instruction, times) in found.chain(rare) {
        let address = CODE + 0x100 + SLOT * all.len() as u64;
        let Some(bytes) = found::moved(&instruction, address) else { continue };
        let at = usize::try_from(address - CODE).expect("small");
        code[at..at + bytes.len()].copy_from_slice(&bytes);
        let there = Decoder::with_ip(64, &bytes, address, DecoderOptions::NONE).decode();
        all.push((address, there, times));
    }
    Forms { code: Rc::new(code), all }
}

/// How many forms to leave out, and how often to try each.
fn wanted() -> (usize, usize) {
    match std::env::var("OURO_FORMS").as_deref() {
        Ok("all") => (1, 40),
        _ => (11, 4),
    }
}

/// Where a machine and the CPU differ.
fn difference(
    machine: &mut PcodeMachine,
    undefined: &[usize],
    cpu: &ThreadRegisters,
    data: &[u8],
) -> Option<String> {
    let differs = |name: &str, ours: u64, theirs: u64| {
        (ours != theirs).then(|| format!("{name}: {ours:#x}, and the CPU has {theirs:#x}"))
    };
    if let Some(text) = differs("rip", machine.rip, cpu.general.rip) {
        return Some(text);
    }
    for number in 0..16 {
        let name = file::register_name(file::general_register_offset(number));
        if let Some(text) =
            differs(&name, machine.general_register(number), cpu.general.gpr[number])
        {
            return Some(text);
        }
    }
    for (flag, bit) in file::FLAGS {
        if flag != file::AF && !undefined.contains(&flag) {
            let (ours, theirs) = (machine.registers()[flag], cpu.general.rflags >> bit & 1);
            if let Some(text) = differs(&file::register_name(flag), u64::from(ours), theirs) {
                return Some(text);
            }
        }
    }
    let vector = cpu.vector.as_ref().expect("vector registers");
    for i in 0..256 {
        let at = file::ZMM + 8 * i;
        let theirs = u64::from_le_bytes(vector.zmm[8 * i..8 * i + 8].try_into().expect("eight"));
        if let Some(text) =
            differs(&file::register_name(at), machine.read_file_number(at, 8), theirs)
        {
            return Some(text);
        }
    }
    for i in 0..8 {
        let ours = machine.read_file_number(file::K + 8 * i, 8);
        if let Some(text) = differs(&format!("k{i}"), ours, vector.k[i]) {
            return Some(text);
        }
    }
    if machine.mxcsr.to_le_bytes() != vector.fx[24..28] {
        return Some("mxcsr".to_owned());
    }
    if machine.fx[32..160] != vector.fx[32..160] || machine.fx[..5] != vector.fx[..5] {
        return Some("x87".to_owned());
    }
    let mut ours = vec![0; data.len()];
    machine.memory.read(DATA, &mut ours).expect("the data page");
    let at = ours.iter().zip(data).position(|(a, b)| a != b)?;
    Some(format!("memory at {at:#x}: {:#x}, and the CPU has {:#x}", ours[at], data[at]))
}

#[test]
fn numbers_are_those_of_the_cpu() {
    let forms = prepare(wanted());
    let mut executor = Executor::new(&forms.code);
    let mut program = InstructionCache::new();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let mut left: BTreeMap<String, u32> = BTreeMap::new();
    let (mut compared, mut tried) = (0, 0);
    for (address, instruction, times) in &forms.all {
        let mut agreed = false;
        for _ in 0..*times {
            let state = random.state(instruction);
            let mut ours = machine(&forms.code, *address, &state);
            tried += 1;
            match ours.step(&mut program) {
                Ok(()) => {}
                Err(PcodeStop::Call(_) | PcodeStop::Outside(_)) => continue,
                Err(PcodeStop::Unsupported(named, _)) => {
                    *left.entry(named.text).or_default() += 1;
                    continue;
                }
                // The CPU faults as well, or the address is ours alone.
                Err(_) => continue,
            }
            let Some((cpu, data)) = executor.step(*address, &state) else {
                // Control went to no address at all: the machine finds no code there.
                let upper = ours.rip.cast_signed() >> 47;
                if upper != 0 && upper != -1 {
                    continue;
                }
                let name = program.lifter.get(*address).expect("lifted").named.to_string();
                wrong.entry(name).or_insert("the CPU faults".to_owned());
                continue;
            };
            let lifted = Rc::clone(program.lifter.get(*address).expect("lifted"));
            // Between two rounds of a repetition the CPU shows the flags of before the first.
            let all = file::FLAGS.map(|(flag, _)| flag);
            let between = lifted.repeats && cpu.general.rip == *address;
            let undefined = if between { &all[..] } else { &lifted.undefined };
            if let Some(text) = difference(&mut ours, undefined, &cpu, &data) {
                wrong.entry(lifted.named.to_string()).or_insert(text);
            }
            agreed = true;
        }
        compared += u32::from(agreed);
    }
    eprintln!(
        "{compared} of {} forms compared, {tried} states; not followed: {left:#?}",
        forms.all.len()
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared as usize * 10 > forms.all.len() * 7, "only {compared} were compared");
}

/// Names every register but the stack pointer and what addresses are made of.
fn name_all(
    terms: &mut TermStore,
    tracer: &mut InstructionTracer,
    instruction: &Instruction,
) -> Vec<(usize, u8, Term)> {
    let address = [instruction.memory_base(), instruction.memory_index()];
    let in_address = |number: usize| {
        address.iter().any(|r| r.is_gpr() && r.full_register().number() == number)
            || number == 4
            || instruction.is_string_instruction() && [1, 6, 7].contains(&number)
    };
    let general =
        (0..16).filter(|n| !in_address(*n)).map(|n| (file::general_register_offset(n), 8));
    let vectors = (0..256).map(|i| (file::ZMM + 8 * i, 8));
    let masks = (0..8).map(|i| (file::K + 8 * i, 8));
    let flags = [file::CF, file::PF, file::ZF, file::SF, file::OF].map(|flag| (flag, 1));
    let all: Vec<(usize, u8)> = general.chain(vectors).chain(masks).chain(flags).collect();
    let mut named = Vec::new();
    for (at, size) in all {
        let term = terms.fresh_bv("r", 8 * u32::from(size));
        tracer.name_register(at, size, term);
        named.push((at, size, term));
    }
    named
}

fn value(state: &PcodeMachine, at: usize, size: u8) -> Constant {
    let value = u128::from(state.read_file_number(at, usize::from(size)));
    Constant::Bv { width: 8 * u32::from(size), value }
}

/// The values of `one` for some names and of `other` for the rest, such that the conditions hold.
fn mixed(
    terms: &TermStore,
    tracer: &InstructionTracer,
    named: &[(usize, u8, Term)],
    one: &PcodeMachine,
    other: &PcodeMachine,
) -> Option<(Assignment, PcodeMachine)> {
    let mut from_one = vec![false; named.len()];
    for _ in 0..4 {
        let mut assignment = Assignment::new();
        let mut mixture = one.clone();
        for (i, (at, size, term)) in named.iter().enumerate() {
            let source = if from_one[i] { one } else { other };
            let TermOp::Symbol(id) = terms.op(*term) else { panic!("a symbol") };
            assignment.set(*id, value(source, *at, *size));
            let bytes = source.registers()[*at..*at + usize::from(*size)].to_vec();
            mixture.registers_mut()[*at..*at + usize::from(*size)].copy_from_slice(&bytes);
        }
        let mut broken = Vec::new();
        let mut evaluator = TermEvaluator::new(terms, &assignment);
        for condition in &tracer.conditions {
            if evaluator.evaluate_formula(condition.term) != Some(true) {
                broken.extend(terms.symbols_of(condition.term));
            }
        }
        if broken.is_empty() {
            return Some((assignment, mixture));
        }
        for (i, (_, _, term)) in named.iter().enumerate() {
            let TermOp::Symbol(id) = terms.op(*term) else { panic!("a symbol") };
            from_one[i] |= broken.contains(id);
        }
    }
    None
}

/// Terms of one instruction from one state, tried on another.
fn trial(
    forms: &Forms,
    (address, instruction): &(u64, Instruction),
    program: &mut InstructionCache,
    states: [&State; 2],
) -> Result<bool, String> {
    let mut terms = TermStore::new();
    let mut tracer = InstructionTracer::new();
    let one = machine(&forms.code, *address, states[0]);
    let other = machine(&forms.code, *address, states[1]);
    let named = name_all(&mut terms, &mut tracer, instruction);
    let mut end = one.clone();
    if tracer.step(&mut terms, &mut end, program).is_err() {
        return Ok(false);
    }
    let Some((assignment, mut mixture)) = mixed(&terms, &tracer, &named, &one, &other) else {
        return Ok(false);
    };
    if let Err(stop) = mixture.step(program) {
        return Err(format!("another way: {stop:?}"));
    }
    if mixture.rip != end.rip {
        return Err("another way".to_owned());
    }
    for (at, size, _) in &named {
        let Some(term) = tracer.register_term(&mut terms, &end, *at, usize::from(*size)) else {
            continue;
        };
        let found = TermEvaluator::new(&terms, &assignment).evaluate_term(term);
        if found.as_ref() != Some(&value(&mixture, *at, *size)) {
            let text = terms.display(term).to_string();
            return Err(format!(
                "{}: {text} is {found:?}, and should be {:?}",
                file::register_name(*at),
                value(&mixture, *at, *size)
            ));
        }
    }
    for word in 0..state::DATA_LENGTH / 8 {
        let at = DATA + 8 * word;
        let Some(term) = tracer.memory_term(&mut terms, &mut end, at, 8) else { continue };
        let right = u128::from(mixture.memory.read_number(at, 8).expect("the data page"));
        let found =
            TermEvaluator::new(&terms, &assignment).evaluate_term(term).and_then(|v| v.as_bv());
        if found != Some(right) {
            return Err(format!("memory at {at:#x}: {found:x?}, and should be {right:#x}"));
        }
    }
    Ok(true)
}

#[test]
fn terms_are_those_of_the_machine() {
    let forms = prepare(wanted());
    let mut program = InstructionCache::new();
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let (mut compared, mut held) = (0, 0);
    for (address, instruction, times) in &forms.all {
        let mut agreed = false;
        for _ in 0..times / 2 {
            let one = random.state(instruction);
            let mut other = random.state(instruction);
            other.data.clone_from(&one.data);
            match trial(&forms, &(*address, *instruction), &mut program, [&one, &other]) {
                Ok(some) => {
                    held += u32::from(some);
                    agreed |= some;
                }
                Err(text) => {
                    let name = program.lifter.get(*address).expect("lifted").named.to_string();
                    wrong.entry(name).or_insert(text);
                }
            }
        }
        compared += u32::from(agreed);
    }
    eprintln!("{compared} of {} forms, {held} other states took the same way", forms.all.len());
    assert!(wrong.is_empty(), "{} forms: {wrong:#?}", wrong.len());
    assert!(compared as usize * 2 > forms.all.len(), "only {compared} were compared");
}
