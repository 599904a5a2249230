//! Who else may write the memory of a process is seen.

use ouro_process::{SnapshotOptions, take_snapshot};

use crate::{compile, start};

/// Prints a line, and turns forever.
fn look(source: &str) -> (ouro_process::ProcessSnapshot, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (running, line) = start(&compile(folder.path(), "writer", source));
    (take_snapshot(running.pid(), SnapshotOptions::default()).expect("it runs"), line)
}

#[test]
fn a_process_with_the_same_memory() {
    let (snapshot, other) = look(
        r#"
        #define _GNU_SOURCE
        #include <sched.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/prctl.h>
        #include <signal.h>
        #include <unistd.h>
        static int sleeps(void *unused) { prctl(PR_SET_PDEATHSIG, SIGKILL); for (;;) pause(); }
        int main(void) {
            char *stack = malloc(1 << 16);
            int pid = clone(sleeps, stack + (1 << 16), CLONE_VM | SIGCHLD, 0);
            printf("%d\n", pid); fflush(stdout);
            for (;;) { }
        }"#,
    );
    let other: i32 = other.parse().expect("a number");
    assert_eq!(snapshot.circumstances.same_memory, [other]);
    assert_eq!(snapshot.threads.len(), 1, "it is a process of its own");
}

#[test]
fn nobody_else() {
    let (snapshot, _) = look(crate::SPIN);
    assert!(snapshot.circumstances.same_memory.is_empty());
    assert!(snapshot.circumstances.writers.is_empty(), "{:?}", snapshot.circumstances.writers);
    assert!(snapshot.mappings.iter().all(|mapping| !mapping.special));
}

/// Where the kernel does not let the test program ask for it, there is nothing to be seen.
#[test]
fn asynchronous_reads_and_pages_that_another_fills_in() {
    let (snapshot, found) = look(
        r#"
        #include <fcntl.h>
        #include <linux/userfaultfd.h>
        #include <stdio.h>
        #include <sys/ioctl.h>
        #include <sys/mman.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int main(void) {
            char parameters[256] = {0};
            int ring = syscall(425, 4, parameters);
            int faults = syscall(SYS_userfaultfd, O_CLOEXEC | 1);
            char *page = mmap(0, 65536 * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            struct uffdio_api api = {.api = UFFD_API};
            struct uffdio_register all = {.range = {(unsigned long)page, 65536 * 8},
                                          .mode = UFFDIO_REGISTER_MODE_MISSING};
            int registered = faults >= 0 && !ioctl(faults, UFFDIO_API, &api)
                && !ioctl(faults, UFFDIO_REGISTER, &all);
            printf("%d %d %lx\n", ring >= 0, registered, (unsigned long)page); fflush(stdout);
            for (;;) { }
        }"#,
    );
    let words: Vec<&str> = found.split(' ').collect();
    let writers = &snapshot.circumstances.writers;
    let has = |name: &str| writers.iter().any(|writer| writer.contains(name));
    assert_eq!(has("[io_uring]"), words[0] == "1", "{writers:?}");
    let page = u64::from_str_radix(words[2], 16).expect("an address");
    let special = snapshot.mapping_at(page).expect("a mapping").special;
    assert_eq!((has("[userfaultfd]"), special), (words[1] == "1", words[1] == "1"), "{writers:?}");
}
