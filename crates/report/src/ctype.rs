//! C types of inputs, and values in them.
//!
//! The model knows the width of an input, and whether it is a float; C's name for the type, and
//! whether it is signed, are known for the functions that everybody uses.

use std::collections::{BTreeMap, BTreeSet};

use ouro_evidence::{ChoiceSource, RunInput};
use ouro_model::{Instruction, Program, Type};

/// A C type, as far as a value and a function's result need it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CType {
    /// `_Bool`
    Bool,
    /// An integer: its name in C and whether it is signed.
    Integer(&'static str, bool),
    /// `float` or `double`
    Float(&'static str),
    /// `void *`
    Pointer,
}

impl CType {
    /// Its name in C.
    pub(crate) fn name(self) -> &'static str {
        match self {
            CType::Bool => "_Bool",
            CType::Integer(name, _) | CType::Float(name) => name,
            CType::Pointer => "void *",
        }
    }

    /// The type that a function of this name returns in every program.
    pub(crate) fn of_function(name: &str) -> Option<CType> {
        let signed = |name| Some(CType::Integer(name, true));
        let unsigned = |name| Some(CType::Integer(name, false));
        let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") else {
            return match name {
                "getchar" | "getchar_unlocked" | "getc" | "fgetc" | "rand" => signed("int"),
                "random" | "lrand48" | "mrand48" => signed("long"),
                "arc4random" => unsigned("unsigned int"),
                "drand48" => Some(CType::Float("double")),
                _ => None,
            };
        };
        match kind {
            "int" => signed("int"),
            "char" => signed("char"),
            "schar" => signed("signed char"),
            "short" => signed("short"),
            "long" => signed("long"),
            "longlong" | "loff_t" => signed("long long"),
            "int128" => signed("__int128"),
            "uchar" | "unsigned_char" | "u8" => unsigned("unsigned char"),
            "ushort" | "u16" => unsigned("unsigned short"),
            "uint" | "unsigned" | "unsigned_int" | "u32" => unsigned("unsigned int"),
            "ulong" | "size_t" | "sector_t" => unsigned("unsigned long"),
            "ulonglong" => unsigned("unsigned long long"),
            "uint128" => unsigned("unsigned __int128"),
            "bool" | "_Bool" => Some(CType::Bool),
            "float" => Some(CType::Float("float")),
            "double" => Some(CType::Float("double")),
            "pointer" | "pchar" | "charp" | "const_char_pointer" => Some(CType::Pointer),
            _ => None,
        }
    }

    /// A type that values of the model fit into.
    pub(crate) fn of_model(ty: Type) -> CType {
        match ty {
            Type::Int(width) => CType::integer_of_width(width),
            Type::Ptr => CType::Pointer,
            Type::Float(32) => CType::Float("float"),
            Type::Float(64) => CType::Float("double"),
            Type::Float(_) => CType::Float("long double"),
        }
    }

    /// An integer type of this width.
    pub(crate) fn integer_of_width(width: u32) -> CType {
        match width {
            1 => CType::Bool,
            2..=8 => CType::Integer("signed char", true),
            9..=16 => CType::Integer("short", true),
            17..=32 => CType::Integer("int", true),
            33..=64 => CType::Integer("long long", true),
            _ => CType::Integer("__int128", true),
        }
    }
}

/// What is known about the types of a program's inputs.
pub(crate) struct InputTypes {
    /// Those that are no integers, by where they come from and their width.
    types: BTreeMap<(ChoiceSource, u32), CType>,
    /// Of which of them there are integers as well, as with `scanf`.
    mixed: BTreeSet<(ChoiceSource, u32)>,
}

impl InputTypes {
    /// The types of a program, beyond those that every program shares.
    pub(crate) fn of_program(program: Option<&Program>) -> InputTypes {
        let mut types = BTreeMap::new();
        let mut integers = BTreeSet::new();
        for function in program.iter().flat_map(|program| program.functions.iter()) {
            for statement in function.blocks.iter().flat_map(|block| &block.statements) {
                let Instruction::Choice { dst, source } = &statement.instruction else { continue };
                match function.vars[*dst].ty {
                    ty @ Type::Float(width @ (32 | 64)) => {
                        types.insert((source.clone(), width), CType::of_model(ty));
                    }
                    Type::Ptr => {
                        for width in [32, 64] {
                            types.entry((source.clone(), width)).or_insert(CType::Pointer);
                        }
                    }
                    Type::Int(width) => {
                        integers.insert((source.clone(), width));
                    }
                    Type::Float(_) => {}
                }
            }
        }
        let mixed = integers.into_iter().filter(|one| types.contains_key(one)).collect();
        InputTypes { types, mixed }
    }

    /// Whether nobody knows if an input is a float or an integer.
    fn is_mixed(&self, input: &RunInput) -> bool {
        self.mixed.contains(&(input.source.clone(), input.width))
    }

    /// The type of an input, if it is more than a number of bits.
    fn get(&self, input: &RunInput) -> Option<CType> {
        let shared = match &input.source {
            ChoiceSource::Function(name) => CType::of_function(name),
            ChoiceSource::Allocation(_)
            | ChoiceSource::Output(_)
            | ChoiceSource::Other(_)
            | ChoiceSource::Guess => None,
        };
        let own = || self.types.get(&(input.source.clone(), input.width)).copied();
        shared.or_else(own).filter(|_| input.width != 1)
    }

    /// The value of an input as its user would write it.
    pub(crate) fn value_text(&self, input: &RunInput) -> String {
        match self.get(input) {
            Some(CType::Float(name)) if self.is_mixed(input) => {
                format!("{} ({} as a {name})", input.signed_value(), float_text(input))
            }
            Some(CType::Integer(name, true))
                if name.ends_with("char") || is_character_reader(&input.source) =>
            {
                match u8::try_from(input.signed_value()) {
                    Ok(byte @ b' '..=b'~') => format!("{byte} ('{}')", char::from(byte)),
                    _ => input.signed_value().to_string(),
                }
            }
            // Whether it is signed nobody said: where that makes a difference, show both.
            None if input.width > 1 && input.signed_value() < 0 => {
                format!("{} ({} if unsigned)", input.signed_value(), input.bits)
            }
            _ => self.number_text(input),
        }
    }

    /// The value of an input as one number.
    pub(crate) fn number_text(&self, input: &RunInput) -> String {
        match self.get(input) {
            Some(CType::Float(_)) if !self.is_mixed(input) => float_text(input),
            Some(CType::Float(_)) => input.signed_value().to_string(),
            Some(CType::Pointer) => format!("{:#x}", input.bits),
            Some(CType::Bool | CType::Integer(_, false)) => input.bits.to_string(),
            Some(CType::Integer(_, true)) => input.signed_value().to_string(),
            None if input.width == 1 => input.bits.to_string(),
            None => input.signed_value().to_string(),
        }
    }
}

/// The value of an input that is a float.
pub(crate) fn float_text(input: &RunInput) -> String {
    match (input.width, u32::try_from(input.bits), u64::try_from(input.bits)) {
        (32, Ok(bits), _) => format!("{:?}", f32::from_bits(bits)),
        (64, _, Ok(bits)) => format!("{:?}", f64::from_bits(bits)),
        _ => format!("{:#x}", input.bits),
    }
}

fn is_character_reader(source: &ChoiceSource) -> bool {
    let ChoiceSource::Function(name) = source else { return false };
    matches!(name.as_str(), "getchar" | "getchar_unlocked" | "getc" | "fgetc")
}
