//! Programs that bring their own `malloc`: functions of the C library that allocate would call it.
//!
//! glibc calls `malloc`, `calloc`, `realloc` and `free` by their public names, and no other function that a program
//! can define. What the model of the library allocates itself is not the program's memory then, and what the program's
//! functions do is not done, so such a call is a limit.

use crate::llvm::LlvmValue;
use crate::lower::{LlvmLowering, REPLACEABLE};

/// Functions of the library that may allocate or free, by the beginning of the name if it ends in `*`.
const ALLOCATING: [&str; 68] = [
    // Streams have buffers, which are made when they are first used.
    "printf",
    "vprintf",
    "fprintf",
    "vfprintf",
    "dprintf",
    "vdprintf",
    "puts",
    "fputs*",
    "perror",
    "putchar*",
    "putc*",
    "fputc*",
    "_IO_*",
    "fwrite*",
    "fflush*",
    "set*buf*",
    "fopen*",
    "fdopen",
    "freopen*",
    "tmpfile*",
    "popen",
    "pclose",
    "fclose",
    "fseek*",
    "rewind",
    "ftell*",
    "fgetpos*",
    "fsetpos*",
    "getchar*",
    "getc*",
    "fgetc*",
    "getw",
    "putw",
    "ungetc",
    "fgets*",
    "gets",
    "fread*",
    "getline",
    "getdelim",
    "__getdelim",
    "scanf",
    "fscanf",
    "vscanf",
    "vfscanf",
    "sscanf",
    "vsscanf",
    "__isoc*",
    // Long fields.
    "snprintf",
    "vsnprintf",
    "sprintf",
    "vsprintf",
    "asprintf",
    "vasprintf",
    "strdup",
    "__strdup",
    "strndup",
    "strerror*",
    "strsignal",
    "strcoll",
    "strxfrm",
    "setlocale",
    "setenv",
    "putenv",
    "tsearch",
    "tdelete",
    "tdestroy",
    // Elements of more than a kilobyte; handlers after the first ones.
    "qsort*",
    "reallocarray",
];

/// Functions that allocate when there are many of what they register.
const REGISTERING: [&str; 4] = ["atexit", "on_exit", "__cxa_atexit", "at_quick_exit"];

impl<'c> LlvmLowering<'c> {
    /// The function of the program that glibc would call instead of its own, if there is one.
    pub(crate) fn own_allocation(&self) -> Option<&'static str> {
        REPLACEABLE.into_iter().find(|name| {
            self.user.find_function(name).is_some_and(|found| !found.is_declaration())
                || self.user.find_alias(name).is_some()
        })
    }

    /// Why a function of the library cannot be followed in a program that replaces what it calls.
    pub(crate) fn calls_replaced_function(&self, function: LlvmValue<'c>) -> Option<String> {
        if !self.is_library_value(function) {
            return None;
        }
        let name = function.name();
        let own = self.own_allocation()?;
        let is_meant =
            ALLOCATING.iter().chain(&REGISTERING).any(|known| match known.split_once('*') {
                Some((start, "")) => name.starts_with(start),
                Some((start, end)) => {
                    let end = end.strip_suffix('*').unwrap_or(end);
                    name.strip_prefix(start).is_some_and(|rest| rest.contains(end))
                }
                None => name == *known,
            });
        // Numbers are read from texts without memory of one's own.
        let converts = name.starts_with("__isoc23_strto");
        (is_meant && !converts).then(|| text_of_limit(&name, own))
    }
}

/// What is not covered, in words.
pub(crate) fn text_of_limit(name: &str, own: &str) -> String {
    format!("{name} in a program with its own {own}")
}
