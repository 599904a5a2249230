//! How much memory Z3 may have. Its limit is one number for the whole process, whoever asks, so the
//! largest that any session allows is in force; each session's watchdog looks at its own.

use std::sync::{Mutex, PoisonError};

use crate::raw;

/// The limit in force: nothing said yet, so many MiB, or 0 for any amount.
static ALLOWED: Mutex<Option<u32>> = Mutex::new(None);

/// Lets Z3 have this many MiB; 0 for any amount. Beyond it Z3 reports an error instead of an answer.
pub(crate) fn allow_memory(mib: u32) {
    let mut allowed = ALLOWED.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = match *allowed {
        Some(before) if before == 0 || mib == 0 => 0,
        Some(before) => before.max(mib),
        None => mib,
    };
    if *allowed != Some(wanted) {
        *allowed = Some(wanted);
        raw::set_global_parameter("memory_max_size", &wanted.to_string());
    }
}
