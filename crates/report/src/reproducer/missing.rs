//! Definitions of what the program names and nobody defines, so that it links.
//!
//! They are weak: a real definition, in a file that the user adds, takes precedence. Their types are
//! nobody's business, since this is another translation unit and a linker looks at names alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ouro_evidence::{ChoiceSource, RunInput};
use ouro_model::{MissingSymbol, MissingSymbolKind};

use super::{ExternFunctions, HELPERS, declare_name, parameter_list};
use crate::ctype::CType;

/// Bytes of an object whose size nobody knows. The run does not look into it.
const SOME_BYTES: u64 = 4096;

/// Values of scalar objects without definition that the run starts with.
#[derive(Default)]
pub(super) struct InitialValues<'a>(BTreeMap<&'a str, &'a RunInput>);

impl<'a> InitialValues<'a> {
    /// Takes an input if a definition of the object can provide it.
    pub(super) fn take_input(&mut self, input: &'a RunInput, missing: &[MissingSymbol]) -> bool {
        let ChoiceSource::Other(what) = &input.source else { return false };
        let Some(name) = what.strip_prefix("external memory of ") else { return false };
        let size = missing.iter().find(|one| one.name == name).and_then(|one| match one.kind {
            MissingSymbolKind::Object { size, .. } => size,
            _ => None,
        });
        // Which part of a larger object it is, nobody says; but each part starts as zero.
        match size {
            Some(size) if size * 8 == u64::from(input.width) => {
                self.0.entry(name).or_insert(input);
                true
            }
            Some(_) => input.bits == 0,
            None => false,
        }
    }
}

/// Definitions of everything that has none yet.
pub(super) fn missing_definitions(
    missing: &[MissingSymbol],
    defined: &BTreeSet<&str>,
    externs: &ExternFunctions<'_>,
    initial: &InitialValues<'_>,
) -> String {
    let mut functions = BTreeMap::new();
    let mut objects = String::new();
    for (name, of) in externs.iter().filter(|(_, of)| !of.library) {
        functions.insert(*name, of.ty);
    }
    for one in missing {
        match one.kind {
            MissingSymbolKind::Mathematics => {}
            MissingSymbolKind::Function => {
                functions.entry(&one.name).or_insert(CType::Pointer);
            }
            MissingSymbolKind::Object { size, align, thread_local } => {
                let storage = if thread_local { "__thread " } else { "" };
                let size = size.unwrap_or(SOME_BYTES);
                let (label, name) =
                    linked_name(&one.name, &format!("{storage}unsigned char"), "[]");
                let value = match initial.0.get(one.name.as_str()) {
                    Some(input) if input.bits != 0 => {
                        let bytes = &input.bits.to_le_bytes()[..(input.width / 8) as usize];
                        let bytes: Vec<String> = bytes.iter().map(ToString::to_string).collect();
                        format!(" = {{ {} }}", bytes.join(", "))
                    }
                    _ => String::new(),
                };
                let _ = writeln!(
                    objects,
                    "{label}__attribute__((weak, aligned({align}))) \
                     {storage}unsigned char {name}[{size}]{value};"
                );
            }
        }
    }
    let mut out = String::new();
    for (name, ty) in functions {
        if defined.contains(name) || HELPERS.contains(&format!(" {name}(")) {
            continue;
        }
        let ty = CType::of_function(name).unwrap_or(ty).name();
        let (label, own) = linked_name(name, ty, "()");
        let head = format!("{}{}", declare_name(ty, &own), parameter_list(name));
        let _ = writeln!(out, "{label}__attribute__((weak)) {head} {{ return 0; }}");
    }
    if !out.is_empty() {
        out = format!("\n/* This run does not use the results of these. */\n{out}");
    }
    if !objects.is_empty() {
        out += "\n/* Objects without a definition, with their values when this run starts. */\n";
        out += &objects;
    }
    out
}

/// A declaration that gives a C name to a symbol that C cannot name, if need be; and the C name.
fn linked_name(name: &str, ty: &str, after: &str) -> (String, String) {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if name.bytes().all(word) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return (String::new(), name.to_owned());
    }
    let own: String = name.bytes().map(|b| if word(b) { char::from(b) } else { '_' }).collect();
    let own = format!("missing_{own}");
    (format!("extern {}{after} __asm__(\"{name}\");\n", declare_name(ty, &own)), own)
}
