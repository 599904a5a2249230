//! Names of C++ functions as people write them, by the C++ runtime that LLVM and Z3 are linked with.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

#[link(name = "stdc++")]
unsafe extern "C" {
    fn __cxa_demangle(
        name: *const c_char,
        buffer: *mut c_char,
        length: *mut usize,
        status: *mut c_int,
    ) -> *mut c_char;
    fn free(pointer: *mut c_void);
}

/// The name, types included, that a mangled one stands for.
pub(crate) fn demangle_name(name: &str) -> Option<String> {
    let name = CString::new(name).ok()?;
    let mut status = 0;
    // SAFETY: without a buffer the function allocates its answer, which is ours to free.
    unsafe {
        let text = __cxa_demangle(
            name.as_ptr(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            &raw mut status,
        );
        if text.is_null() {
            return None;
        }
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        free(text.cast());
        (status == 0).then_some(copy)
    }
}
