//! How the text of a program is read: the sizes of C's types, what integers do when they overflow, what functions
//! without a body return, whether allocations fail, and how far inputs reach. A verdict depends on each of them, so they
//! are on the command line, in certificates and in reports, by the same words.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Makes an enumeration whose variants have one word each, the same in text, on the command line and in JSON.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them, the default first.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The word of the command line, of certificates and of reports.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// Whether nobody has to say it.
            pub fn is_default(&self) -> bool {
                *self == $name::default()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                match text {
                    $($word => Ok($name::$variant),)*
                    _ => Err(format!("'{text}' is not one of {}", [$($word),*].join(", "))),
                }
            }
        }
    };
}

words! {
    /// The sizes of C's types.
    DataModel {
        /// 64-bit `long` and pointers, as on x86-64.
        #[default]
        Lp64 = "lp64",
        /// 32-bit `long` and pointers, as on i386.
        Ilp32 = "ilp32",
    }
}

words! {
    /// How integers behave.
    IntegerSemantics {
        /// As in C: unsigned wraps, a run that overflows a signed integer is undefined.
        #[default]
        C = "c",
        /// Two's complement throughout.
        Wrap = "wrap",
        /// Mathematical integers.
        Unbounded = "unbounded",
    }
}

words! {
    /// What a function without body returns.
    Externs {
        /// The environment chooses: a run that never ends may pick it.
        #[default]
        Choice = "choice",
        /// Nobody knows: a run that never ends must survive every value.
        Unknown = "unknown",
    }
}

words! {
    /// Whether there is memory for an allocation.
    Allocations {
        /// The environment decides, each time.
        #[default]
        MayFail = "may-fail",
        /// Always; the program's `assumptions` say so.
        Succeed = "succeed",
    }
}

words! {
    /// How far the files and streams reach that a program reads.
    InputExtent {
        /// Anything may come, forever.
        #[default]
        Any = "any",
        /// Each has finitely many bytes, then the end of file or the same error forever.
        Ends = "ends",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_go_both_ways() {
        for model in DataModel::ALL {
            assert_eq!(model.name().parse(), Ok(*model));
        }
        for ints in IntegerSemantics::ALL {
            assert_eq!(ints.to_string().parse(), Ok(*ints));
        }
        assert_eq!(
            "x".parse::<IntegerSemantics>(),
            Err("'x' is not one of c, wrap, unbounded".to_owned())
        );
        assert!(Allocations::MayFail.is_default() && !Externs::Unknown.is_default());
    }
}
