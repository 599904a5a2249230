//! Which process `ouro attach` looks at: by its number, or chosen from a list; busy for long enough.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use ouro_process::{SnapshotError, busy_share, busy_shares};

use super::arguments::AttachArguments;
use crate::exit::BadInput;

/// A process that wants a CPU for less of the time is not busy.
const BUSY: f64 = 0.8;

/// Which process, if it is a process: by its number, or chosen from a list; busy for long enough.
pub(super) fn choose_process(asked: &AttachArguments) -> Result<Option<i32>, BadInput> {
    let pid = if asked.all { Some(ask_for_process()?) } else { asked.options.pid };
    if let (Some(pid), Some(time)) = (pid, asked.watch) {
        wait_until_busy(pid, time)?;
    }
    Ok(pid)
}

/// Waits until a process has been busy for so long.
fn wait_until_busy(pid: i32, time: Duration) -> Result<(), BadInput> {
    let step = (time / 10).clamp(Duration::from_millis(100), Duration::from_secs(1));
    let mut busy = Duration::ZERO;
    while busy < time {
        let Some(share) = busy_share(pid, step) else {
            return Err(BadInput(SnapshotError::NoSuchProcess(pid).to_string()));
        };
        busy = if share >= BUSY { busy + step } else { Duration::ZERO };
    }
    Ok(())
}

/// Lists busy processes and asks for one.
fn ask_for_process() -> Result<i32, BadInput> {
    let own = i32::try_from(std::process::id()).unwrap_or(0);
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let others: Vec<i32> = numbers
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| *pid != own)
        .collect();
    let mut busy = busy_shares(&others, Duration::from_millis(500));
    busy.retain(|(_, share)| *share >= BUSY / 2.0);
    busy.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    if busy.is_empty() {
        return Err(BadInput("no process is using the CPU at the moment".to_owned()));
    }
    for (pid, share) in &busy {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let command: String = String::from_utf8_lossy(&command).replace('\0', " ");
        let command: String = command.chars().take(80).collect();
        eprintln!("{pid:>8}  {:>4.0} %  {command}", share * 100.0);
    }
    if !io::stdin().is_terminal() {
        return Err(BadInput("choose one of these processes".to_owned()));
    }
    eprint!("which process? ");
    let _ = io::stderr().flush();
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    match (read, line.trim().parse()) {
        (Ok(_), Ok(pid)) => Ok(pid),
        _ => Err(BadInput(format!("{} is not one of the listed processes", line.trim()))),
    }
}
