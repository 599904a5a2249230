//! Limits of which it is known what a run does behind them, though not with which values.
//!
//! Who follows a run must stop at a limit. Who only wants to know that every run ends, whatever the values are, can tell
//! these from others.

use crate::Terminator;

/// A limit in the entry: there are more arguments on the command line than the model has.
pub const MANY_ARGUMENTS_LIMIT: &str = "more than two command line arguments";
/// A limit in the entry: an argument on the command line is longer than the model has it. More words follow.
pub const LONG_ARGUMENT_LIMIT: &str = "a command line argument longer than";

/// Limits in functions of the C library that return to their caller all the same, with results that the model does not
/// have.
pub const RESULT_LIMITS: [&str; 29] = [
    "reading a file that the program itself wrote",
    "scanf into wide characters",
    "an unusual conversion in a scanf format",
    "scanf of a floating number with a width",
    "scanf into a long double",
    "scanf of a number whose first character was given back",
    "scanf from a stream for writing",
    "getw",
    "ungetc to a stream for writing",
    "a second character given to ungetc",
    "fflush of a stream that a character was given back to",
    "freopen without a path",
    "tmpnam",
    "fgetpos",
    "a binary number in a string",
    "sscanf of 0x or 0b without digits after it",
    "sscanf of a floating number with a width",
    "sscanf of an unfinished floating number",
    "a hexadecimal number that has to be rounded",
    "a decimal number that is hard to round",
    "a hexadecimal number for a float",
    "a number at the end of the range of float",
    "another rounding mode",
    "a NaN with a payload",
    "a floating number rounded to an integer that cannot hold it",
    "qsort with a comparison that contradicts itself",
    "qsort with three different elements that compare equal",
    "qsort with a comparison that does more than compare, or that has a loop",
    "bsearch with a comparison that does more than compare, or that has a loop",
];

impl Terminator {
    /// Whether this limit of the entry is just one of the command line: whoever is called behind it is called all the
    /// same, with other arguments.
    pub fn is_command_line_limit(&self) -> bool {
        matches!(self, Terminator::Limit(what)
            if what == MANY_ARGUMENTS_LIMIT || what.starts_with(LONG_ARGUMENT_LIMIT))
    }

    /// Whether this limit is one of the C library's where only the result is unknown: the call of the library comes back,
    /// and may have written whatever it can reach and called whatever it was handed.
    pub fn is_result_limit(&self) -> bool {
        matches!(self, Terminator::Limit(what) if RESULT_LIMITS.contains(&what.as_str()))
    }
}
