//! What happens when memory runs out.
//!
//! The worker runs under a limit on its address space. An allocation that fails there would end in
//! an abort that looks like any crash, so the allocator leaves with an exit code of its own.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which gives up on the whole process rather than on one allocation.
struct GiveUp;

#[global_allocator]
static ALLOCATOR: GiveUp = GiveUp;

// SAFETY: every call is handed to the system's allocator as it is; a null result never comes back.
unsafe impl GlobalAlloc for GiveUp {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules, which are the same.
        or_leave(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        or_leave(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        or_leave(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn or_leave(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        // SAFETY: `_exit` runs no handlers, which could allocate again.
        unsafe { nix::libc::_exit(i32::from(ouro::cli::OUT_OF_MEMORY)) }
    }
    pointer
}
