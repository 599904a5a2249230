//! A process that executes one instruction at a time, from any state.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::process::{Child, Command, Stdio};

use nix::libc;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use ouro_process::{ThreadRegisters, registers_of_stopped};

use crate::state::{CODE, CODE_LENGTH, DATA, DATA_LENGTH, State};

/// Maps a page for code and one for data, and waits.
const SOURCE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv) {
    unsigned long code = strtoul(argv[1], 0, 0), length = strtoul(argv[2], 0, 0);
    unsigned long data = strtoul(argv[3], 0, 0), size = strtoul(argv[4], 0, 0);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap((void *)code, length, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1, 0) == MAP_FAILED) return 1;
    if (mmap((void *)data, size, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) return 1;
    puts("ready"); fflush(stdout);
    for (;;) pause();
}
"#;

const NT_PRSTATUS: usize = 1;
const NT_X86_XSTATE: usize = 0x202;

pub(crate) struct Executor {
    child: Child,
    memory: File,
    /// Registers as the process had them, for those that are not set.
    words: [u64; 27],
    area: Vec<u8>,
}

fn set_of(pid: Pid, request: libc::c_uint, kind: usize, bytes: &mut [u8]) -> usize {
    let mut vector = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    // SAFETY: the kernel reads or writes at most `iov_len` bytes of a buffer that outlives the call.
    let result = unsafe { libc::ptrace(request, pid.as_raw(), kind, &raw mut vector) };
    assert_eq!(result, 0, "{}", std::io::Error::last_os_error());
    vector.iov_len
}

/// Where a part of the XSAVE area lies on this CPU.
fn offset(feature: u32) -> Option<usize> {
    let leaf = std::arch::x86_64::__cpuid_count(0xd, feature);
    (leaf.eax != 0).then_some(leaf.ebx as usize)
}

impl Executor {
    pub(crate) fn new(code: &[u8]) -> Executor {
        let folder = tempfile::tempdir().expect("a folder");
        let (source, program) = (folder.path().join("child.c"), folder.path().join("child"));
        fs::write(&source, SOURCE).expect("written");
        let gcc = Command::new("gcc").arg("-o").args([&program, &source]).status();
        assert!(gcc.expect("gcc").success());
        let numbers = [CODE, CODE_LENGTH, DATA, DATA_LENGTH].map(|n| n.to_string());
        let mut child =
            Command::new(&program).args(numbers).stdout(Stdio::piped()).spawn().expect("starts");
        let mut ready = [0; 6];
        let output = child.stdout.as_mut().expect("piped");
        std::io::Read::read_exact(output, &mut ready).expect("it is ready");
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("small"));
        ptrace::seize(pid, ptrace::Options::PTRACE_O_EXITKILL).expect("seized");
        ptrace::interrupt(pid).expect("interrupted");
        waitpid(pid, Some(WaitPidFlag::__WALL)).expect("stops");
        let memory = File::options().read(true).write(true).open(format!("/proc/{pid}/mem"));
        let memory = memory.expect("its memory");
        memory.write_all_at(code, CODE).expect("written");
        let mut bytes = [0; 27 * 8];
        set_of(pid, libc::PTRACE_GETREGSET, NT_PRSTATUS, &mut bytes);
        let mut words = [0; 27];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let mut area = vec![0; 1 << 14];
        let length = set_of(pid, libc::PTRACE_GETREGSET, NT_X86_XSTATE, &mut area);
        area.truncate(length);
        Executor { child, memory, words, area }
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("small"))
    }

    /// Executes the instruction at an address; `None` if it faults.
    pub(crate) fn step(
        &mut self,
        address: u64,
        state: &State,
    ) -> Option<(ThreadRegisters, Vec<u8>)> {
        self.memory.write_all_at(&state.data, DATA).expect("written");
        let mut words = self.words;
        let order = [10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0];
        for (number, at) in order.into_iter().enumerate() {
            words[at] = state.gpr[number];
        }
        (words[15], words[16], words[18]) = (u64::MAX, address, state.flags | 0x202);
        (words[21], words[22]) = (state.segment, state.segment);
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        set_of(self.pid(), libc::PTRACE_SETREGSET, NT_PRSTATUS, &mut bytes);
        let mut area = self.area.clone();
        area[..160].copy_from_slice(&state.fx[..160]);
        let mut present = 3u64;
        for i in 0..16 {
            area[160 + 16 * i..176 + 16 * i].copy_from_slice(&state.zmm[64 * i..64 * i + 16]);
        }
        if let Some(at) = offset(2) {
            present |= 4;
            for i in 0..16 {
                let from = &state.zmm[64 * i + 16..64 * i + 32];
                area[at + 16 * i..at + 16 * i + 16].copy_from_slice(from);
            }
        }
        if let (Some(masks), Some(high), Some(upper)) = (offset(5), offset(6), offset(7)) {
            present |= 0xe0;
            for i in 0..8 {
                area[masks + 8 * i..masks + 8 * i + 8].copy_from_slice(&state.k[i].to_le_bytes());
            }
            for i in 0..16 {
                let from = &state.zmm[64 * i + 32..64 * i + 64];
                area[high + 32 * i..high + 32 * i + 32].copy_from_slice(from);
            }
            area[upper..upper + 1024].copy_from_slice(&state.zmm[1024..]);
        }
        let header = u64::from_le_bytes(area[512..520].try_into().expect("eight"));
        area[512..520].copy_from_slice(&(header | present).to_le_bytes());
        set_of(self.pid(), libc::PTRACE_SETREGSET, NT_X86_XSTATE, &mut area);
        ptrace::step(self.pid(), None).expect("it is stopped");
        match waitpid(self.pid(), Some(WaitPidFlag::__WALL)).expect("it stops") {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => {}
            WaitStatus::Stopped(..) => return None,
            other => panic!("the child ended: {other:?}"),
        }
        let registers = registers_of_stopped(self.pid().as_raw()).expect("it is stopped");
        let mut data = vec![0; state.data.len()];
        self.memory.read_exact_at(&mut data, DATA).expect("read");
        Some((registers, data))
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
