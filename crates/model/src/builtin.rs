//! The library functions that are primitive: what C itself cannot express, or what must be quick.
//! All other library functions are C code that the front end links in.

use std::fmt;

/// A primitive function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BuiltinFunction {
    /// `ptr allocate(size)`: a new heap object with uninitialised content, aligned for any type.
    /// It never fails: failure is a choice that the library makes before calling it.
    Allocate,
    /// `free(ptr)`: null is allowed; anything but the start of a live heap object is undefined.
    Free,
    /// `size object_size(ptr)`: the bytes from the pointer to the end of its object.
    ObjectSize,
    /// `apart(ptr, size, ptr, size)`: undefined if the two regions share a byte: one is written, the other
    /// is what it is written from.
    Apart,
    /// `print(stream, format, list)`: formats as `vprintf` does and writes to stream 1 or 2 (`i32`);
    /// the arguments come from a `va_list`. Returns the number of characters (`i32`), or -1 if an
    /// `int` cannot hold it. Nothing is stored: `%n` is a limit.
    Print,
    /// `format(buffer, size, format, list)`: as `vsnprintf`, returns the length (`i32`).
    Format,
    /// `write(stream, ptr, size)`: writes bytes to stream 1 or 2 (`i32`).
    Write,
    /// `event(number)`: the run passes an event of the specification, an `i32` constant. Nothing
    /// changes.
    Event,
    /// `violation(number)`: the run ends, having broken an obligation of the specification, an
    /// `i32` constant.
    Violation,
}

impl BuiltinFunction {
    /// All of them.
    pub const ALL: [BuiltinFunction; 9] = [
        BuiltinFunction::Allocate,
        BuiltinFunction::Free,
        BuiltinFunction::ObjectSize,
        BuiltinFunction::Apart,
        BuiltinFunction::Print,
        BuiltinFunction::Format,
        BuiltinFunction::Write,
        BuiltinFunction::Event,
        BuiltinFunction::Violation,
    ];

    /// The name in the text form and, with `__ouro_` in front, in the library's C source.
    pub fn name(self) -> &'static str {
        match self {
            BuiltinFunction::Allocate => "allocate",
            BuiltinFunction::Free => "free",
            BuiltinFunction::ObjectSize => "object_size",
            BuiltinFunction::Apart => "apart",
            BuiltinFunction::Print => "print",
            BuiltinFunction::Format => "format",
            BuiltinFunction::Write => "write",
            BuiltinFunction::Event => "event",
            BuiltinFunction::Violation => "violation",
        }
    }

    /// The builtin of this name.
    pub fn from_name(name: &str) -> Option<BuiltinFunction> {
        Self::ALL.into_iter().find(|b| b.name() == name)
    }
}

impl fmt::Display for BuiltinFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
