//! C types of inputs, and values in them.
//!
//! The model knows the width of an input, and whether it is a float; C's name for the type, and
//! whether it is signed, are known for the functions that everybody uses.

use ouro_evidence::{ChoiceSource, Input};
use ouro_model::Type;

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
            Type::Int(width) => CType::integer(width),
            Type::Ptr => CType::Pointer,
            Type::Float(32) => CType::Float("float"),
            Type::Float(64) => CType::Float("double"),
            Type::Float(_) => CType::Float("long double"),
        }
    }

    /// An integer type of this width.
    pub(crate) fn integer(width: u32) -> CType {
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

/// The value of an input as its user would write it.
pub(crate) fn shown(input: &Input) -> String {
    let ty = match &input.source {
        ChoiceSource::Function(name) => CType::of_function(name),
        ChoiceSource::Other(_) => None,
    };
    match ty {
        _ if input.width == 1 => input.bits.to_string(),
        Some(CType::Float(_)) => float(input),
        Some(CType::Integer(_, false)) => input.bits.to_string(),
        Some(CType::Pointer) => format!("{:#x}", input.bits),
        Some(CType::Integer(name, true)) => {
            let value = input.signed();
            let is_character = name.ends_with("char") || is_character_reader(&input.source);
            match u8::try_from(value).ok().filter(|byte| byte.is_ascii_graphic() || *byte == b' ') {
                Some(byte) if is_character => format!("{value} ('{}')", char::from(byte)),
                _ => value.to_string(),
            }
        }
        // Whether it is signed nobody said: where that makes a difference, show both.
        Some(CType::Bool) | None if input.signed() < 0 => {
            format!("{} ({} if unsigned)", input.signed(), input.bits)
        }
        Some(CType::Bool) | None => input.bits.to_string(),
    }
}

/// The value of an input as one number, for tools.
pub(crate) fn number(input: &Input) -> String {
    match &input.source {
        ChoiceSource::Function(name) => match CType::of_function(name) {
            Some(CType::Integer(_, true)) => input.signed().to_string(),
            Some(CType::Float(_)) => float(input),
            Some(_) => input.bits.to_string(),
            None => signed_unless_bool(input),
        },
        ChoiceSource::Other(_) => signed_unless_bool(input),
    }
}

fn signed_unless_bool(input: &Input) -> String {
    if input.width == 1 { input.bits.to_string() } else { input.signed().to_string() }
}

/// The value of an input that is a float.
pub(crate) fn float(input: &Input) -> String {
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

/// Whether the input is an allocation that may fail: the model chooses only whether it does.
pub(crate) fn is_allocation(input: &Input) -> bool {
    let ChoiceSource::Function(name) = &input.source else { return false };
    let allocators = [
        "malloc",
        "calloc",
        "realloc",
        "reallocarray",
        "strdup",
        "strndup",
        "aligned_alloc",
        "posix_memalign",
        "memalign",
        "valloc",
        "asprintf",
        "vasprintf",
        "getline",
        "getdelim",
    ];
    input.width == 1 && allocators.contains(&name.as_str())
}
