//! What happens when memory runs out.
//!
//! The worker runs under a limit on its address space. An allocation that fails there would end in
//! an abort that looks like any crash, so the allocator leaves with an exit code of its own.

use std::alloc::{GlobalAlloc, Layout, System};

use crate::exit;

/// The system's allocator, which gives up on the whole process rather than on one allocation.
struct GivingUpAllocator;

#[global_allocator]
static ALLOCATOR: GivingUpAllocator = GivingUpAllocator;

// SAFETY: every call is handed to the system's allocator as it is; a null result never comes back.
unsafe impl GlobalAlloc for GivingUpAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules, which are the same.
        exit_if_null(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        exit_if_null(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        exit_if_null(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

fn exit_if_null(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        // SAFETY: `_exit` runs no handlers, which could allocate again.
        unsafe { nix::libc::_exit(i32::from(exit::OUT_OF_MEMORY)) }
    }
    pointer
}
