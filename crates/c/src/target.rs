//! The machine that options of a compiler ask for: followed, or refused in so many words.
//!
//! Ouro knows two machines, x86-64 and i386 under Linux as clang sees them. An option that asks for another one, or
//! for arithmetic that is up to the compiler, changes what the program means; it must not be overlooked.

use crate::{CompileError, DataModel};

/// What options say about the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RequestedTarget {
    /// Sizes of the machine, if they say so.
    pub data_model: Option<DataModel>,
    /// Whether signed integers wrap around (`-fwrapv`).
    pub wraps: bool,
    /// Whether the program is ended where one overflows.
    pub traps: bool,
}

/// Options after which nobody but the compiler knows what floating-point arithmetic gives.
const INEXACT: [&str; 20] = [
    "-Ofast",
    "-ffast-math",
    "-funsafe-math-optimizations",
    "-fassociative-math",
    "-freciprocal-math",
    "-ffinite-math-only",
    "-fno-signed-zeros",
    "-frounding-math",
    "-fapprox-func",
    "-fcx-limited-range",
    "-fcx-fortran-rules",
    "-fsingle-precision-constant",
    "-fno-honor-nans",
    "-fno-honor-infinities",
    "-mdaz-ftz",
    "-ffp-model=fast",
    "-ffp-model=aggressive",
    "-ffp-contract=fast",
    "-ffp-contract=fast-honor-pragmas",
    "-ffp-eval-method=extended",
];

/// Options with which an overflow ends the program, where the program is built with them: sanitizers that do not
/// go on.
const TRAPPING: [&str; 4] =
    ["-ftrapv", "-fsanitize-trap", "-fno-sanitize-recover", "-fsanitize-undefined-trap-on-error"];

/// Options for machines that Ouro does not know, or that lay out objects as its C library does not.
const OTHER: [&str; 23] = [
    "-mx32",
    "-m16",
    "-mlong-double-64",
    "-mlong-double-128",
    "-mthumb",
    "-marm",
    "-mbig-endian",
    "-EB",
    "-miamcu",
    "-mms-bitfields",
    "-funsigned-bitfields",
    "-fshort-double",
    "-mcpu=",
    "-mabi=",
    "-mfpu=",
    "-mfloat-abi=",
    "-mmcu=",
    "-march=arm",
    "-march=rv",
    "-march=mips",
    "-fpack-struct",
    "-mfpmath=387",
    "-mfpmath=both",
];

/// What options for clang say about the machine, or which of them cannot be followed.
pub fn requested_target(options: &[String]) -> Result<RequestedTarget, CompileError> {
    let refuse = |option: &str, why: &str| Err(CompileError::Target(format!("{option}: {why}")));
    let mut asked = RequestedTarget::default();
    let mut words = options.iter().map(String::as_str);
    while let Some(word) = words.next() {
        // clang hands these on as they are.
        let word = match word {
            "-Xclang" | "-Xpreprocessor" => words.next().unwrap_or(word),
            word => word,
        };
        if INEXACT.contains(&word) || word.starts_with("-fdenormal-fp-math") {
            return refuse(
                word,
                "it changes the meaning of floating-point arithmetic, and Ouro supports only IEEE \
                 754",
            );
        }
        let other = |option: &&&str| match option.ends_with('=') || option.starts_with("-march=") {
            true => word.starts_with(**option),
            false => word == **option || word.strip_prefix(**option).is_some_and(is_option_value),
        };
        if OTHER.iter().find(other).is_some() {
            return refuse(word, "Ouro supports only x86-64 and i386 Linux");
        }
        if word.strip_prefix("-Wl,").is_some_and(relinks) {
            return refuse(
                word,
                "the linker then gives a name other code; Ouro does not follow that",
            );
        }
        if word.starts_with('@') {
            return refuse(word, "Ouro does not read response files; give the options themselves");
        }
        let triple = match word {
            "-target" | "--target" | "-triple" => words.next(),
            word => word.strip_prefix("--target="),
        };
        match word {
            "-m32" => note_data_model(&mut asked, DataModel::Ilp32, word)?,
            "-m64" => note_data_model(&mut asked, DataModel::Lp64, word)?,
            "-fwrapv" | "-fno-strict-overflow" => asked.wraps = true,
            "-fno-wrapv" | "-fstrict-overflow" => asked.wraps = false,
            _ if TRAPPING.iter().any(|option| word.starts_with(option)) => asked.traps = true,
            _ => {}
        }
        if let Some(triple) = triple {
            match data_model_of_triple(triple) {
                Some(model) => note_data_model(&mut asked, model, triple)?,
                None => {
                    return refuse(triple, "Ouro supports only x86-64 and i386 Linux");
                }
            }
        }
    }
    Ok(asked)
}

/// Whether options for the linker change which code a name means, or where the program starts.
fn relinks(options: &str) -> bool {
    const STARTS: [&str; 6] = ["--wrap", "-wrap", "--defsym", "-defsym", "--entry", "-entry"];
    let starts = |word: &str| STARTS.iter().any(|start| word.starts_with(start));
    options.split(',').any(|word| starts(word) || word == "-e")
}

fn is_option_value(rest: &str) -> bool {
    rest.starts_with('=')
}

/// Notes a data model. `-m32` after a name of x86-64 means the smaller machine, as for clang.
fn note_data_model(
    asked: &mut RequestedTarget,
    model: DataModel,
    word: &str,
) -> Result<(), CompileError> {
    match asked.data_model {
        Some(known) if known != model && word.starts_with("-m") => asked.data_model = Some(model),
        Some(known) if known != model => {
            return Err(CompileError::Target(format!(
                "{word}: it contradicts another option that selects a machine"
            )));
        }
        _ => asked.data_model = Some(model),
    }
    Ok(())
}

/// The data model of a machine, by its name: `i686-linux-gnu`. None for those that Ouro does not know.
fn data_model_of_triple(triple: &str) -> Option<DataModel> {
    let mut parts = triple.split('-');
    let processor = parts.next()?;
    let foreign =
        ["windows", "win32", "mingw", "cygwin", "msvc", "darwin", "macos", "apple", "x32"];
    if parts.any(|part| foreign.iter().any(|name| part.contains(name))) {
        return None;
    }
    match processor {
        "x86_64" | "amd64" | "x86-64" => Some(DataModel::Lp64),
        "i386" | "i486" | "i586" | "i686" => Some(DataModel::Ilp32),
        _ => None,
    }
}

/// The machine that a compiler is for, by its name (`i686-linux-gnu-gcc`), as an option for clang. None where the name
/// says nothing. A machine that Ouro does not know is for [`asked`] to refuse.
pub fn target_option_of_compiler(path: &str) -> Option<String> {
    const NAMES: [&str; 7] = ["gcc", "g++", "cc", "c++", "clang", "clang++", "tcc"];
    const PROCESSORS: [&str; 31] = [
        "x86_64",
        "amd64",
        "i386",
        "i486",
        "i586",
        "i686",
        "arm",
        "armv",
        "armeb",
        "aarch64",
        "thumb",
        "avr",
        "msp430",
        "mips",
        "powerpc",
        "ppc",
        "riscv",
        "sparc",
        "s390",
        "m68k",
        "sh4",
        "xtensa",
        "hppa",
        "alpha",
        "loongarch",
        "wasm",
        "bpf",
        "nios2",
        "microblaze",
        "tricore",
        "hexagon",
    ];
    const ALONE: [(&str, &str); 6] = [
        ("emcc", "wasm32"),
        ("armcc", "arm"),
        ("armclang", "arm"),
        ("iccarm", "arm"),
        ("sdcc", "z80"),
        ("clang-cl", "x86_64-windows"),
    ];
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    if let Some((_, machine)) = ALONE.iter().find(|(own, _)| *own == name) {
        return Some(format!("--target={machine}"));
    }
    // A version at the end: gcc-12, clang-19.
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let name = name.strip_suffix('-').unwrap_or(name);
    let (prefix, own) = name.rsplit_once('-')?;
    let processor = prefix.split('-').next().unwrap_or(prefix);
    let known = PROCESSORS.iter().any(|known| {
        processor == *known || (processor.starts_with(known) && !known.starts_with(['x', 'i']))
    });
    (NAMES.contains(&own) && known).then(|| format!("--target={prefix}"))
}

/// Whether a compiler takes every source file for C++, by its name.
pub fn is_cxx_compiler(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let name = name.strip_suffix('-').unwrap_or(name);
    ["g++", "c++", "clang++"].contains(&name)
        || ["-g++", "-c++", "-clang++"].iter().any(|end| name.ends_with(end))
}

/// Whether an option changes what a program means on its machine, so that it must reach [`asked`] and clang.
pub fn affects_target(word: &str) -> bool {
    const STARTS: [&str; 21] = [
        "-m32",
        "-m64",
        "-m16",
        "-mx32",
        "-march=",
        "-mcpu=",
        "-mabi=",
        "-mfpu=",
        "-mfloat-abi=",
        "-mmcu=",
        "-mlong-double",
        "-mfpmath=",
        "-malign-double",
        "-mthumb",
        "-marm",
        "-msse",
        "-mavx",
        "-mno-sse",
        "-fpack-struct",
        "--target=",
        "-fsanitize=signed-integer-overflow",
    ];
    const WORDS: [&str; 19] = [
        "-fwrapv",
        "-fno-wrapv",
        "-ftrapv",
        "-fno-strict-overflow",
        "-fstrict-overflow",
        "-funsigned-char",
        "-fsigned-char",
        "-fno-signed-char",
        "-fno-unsigned-char",
        "-fshort-enums",
        "-fno-short-enums",
        "-fshort-wchar",
        "-fno-short-wchar",
        "-ffreestanding",
        "-fno-builtin",
        "-mbig-endian",
        "-EB",
        "-miamcu",
        "-mms-bitfields",
    ];
    STARTS.iter().any(|start| word.starts_with(start))
        || WORDS.contains(&word)
        || INEXACT.contains(&word)
        || OTHER.contains(&word)
}

/// Refuses options that ask for another machine than the one of a translation.
pub(crate) fn check_requested_target(
    options: &[String],
    data_model: DataModel,
) -> Result<(), CompileError> {
    match requested_target(options)?.data_model {
        Some(asked) if asked != data_model => Err(CompileError::Target(format!(
            "the clang options select {}, but --data-model is {}; leave one of them out",
            asked.name(),
            data_model.name()
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(words: &str) -> Result<RequestedTarget, CompileError> {
        requested_target(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn machines_that_are_known() {
        let model = |words: &str| ask(words).expect(words).data_model;
        assert_eq!(model("-DN=3 -O2"), None);
        for words in ["-m32", "--target=i686-linux-gnu", "-target i386-pc-linux-gnu", "-m64 -m32"] {
            assert_eq!(model(words), Some(DataModel::Ilp32), "{words}");
        }
        for words in ["-m64", "--target=x86_64-linux-gnu", "-m32 -m64", "--target x86_64-elf"] {
            assert_eq!(model(words), Some(DataModel::Lp64), "{words}");
        }
        assert!(ask("-fwrapv").expect("followed").wraps);
        assert!(!ask("-fwrapv -fno-wrapv").expect("followed").wraps);
        assert!(ask("-fsanitize=undefined -fsanitize-trap=all").expect("followed").traps);
        assert!(ask("-ftrapv").expect("followed").traps);
        assert!(!ask("-fsanitize=undefined").expect("followed").traps);
        assert!(ask("-march=native -msse2 -ftrapv -malign-double -mfpmath=sse").is_ok());
    }

    #[test]
    fn machines_that_are_refused() {
        for words in [
            "-mx32",
            "--target=aarch64-linux-gnu",
            "-target arm-none-eabi",
            "--target=x86_64-w64-mingw32",
            "--target=x86_64-linux-gnux32",
            "-mcpu=cortex-m4",
            "-march=armv7-a",
            "-mlong-double-64",
            "-fpack-struct=1",
            "-fpack-struct",
            "-ffast-math",
            "-ffp-model=fast",
            "-ffp-contract=fast",
            "-fno-honor-nans",
            "-fdenormal-fp-math=positive-zero",
            "-Ofast",
            "-mfpmath=387",
            "-m32 --target=x86_64-linux-gnu",
            "@options.txt",
            "-Wl,--wrap=malloc",
            "-Wl,-O1,-e,start",
        ] {
            assert!(ask(words).is_err(), "{words}");
        }
    }

    #[test]
    fn compilers_say_their_machine() {
        let is = |path: &str, machine: &str| {
            assert_eq!(
                target_option_of_compiler(path),
                Some(format!("--target={machine}")),
                "{path}"
            );
        };
        is("arm-none-eabi-gcc", "arm-none-eabi");
        is("/opt/x/bin/i686-linux-gnu-gcc-12", "i686-linux-gnu");
        is("x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32");
        is("riscv64-unknown-elf-clang", "riscv64-unknown-elf");
        is("avr-gcc", "avr");
        for path in ["gcc", "/usr/bin/cc", "clang-19", "gcc-12.2", "musl-gcc", "afl-clang", "my-cc"]
        {
            assert_eq!(target_option_of_compiler(path), None, "{path}");
        }
    }
}
