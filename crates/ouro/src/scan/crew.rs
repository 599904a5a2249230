//! The workers: several at once, each with one file; one that fails costs the loop that it was at.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use ouro_report::finding::{FindingAnswer, ReportFinding, SkippedFile};

use super::cache::{FileResult, ResultCache};
use super::options::{ScanOptions, UnitOptions};
use super::project::{CompilationUnit, ScannedProject};
use crate::limits::LIMITS;
use crate::message::{UnitEnd, UnitPlan, WorkerMessage};
use crate::supervise::{UnitHeard, UnitJob, listen_to_worker};

/// How long after its time a loop is given up.
const PATIENCE: Duration = Duration::from_secs(3);

/// The time of clang and the front end for one file.
fn compile_time(asked: &ScanOptions) -> Duration {
    asked.timeout.saturating_mul(LIMITS.compile_factor).max(LIMITS.least_compile_time)
}

/// What is known of all files, in their order; or the signal that ended the work.
pub(super) fn scan_files(
    asked: &ScanOptions,
    program: &Path,
    project: &ScannedProject,
    cache: Option<&ResultCache>,
) -> Result<Vec<FileResult>, i32> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let jobs = asked.jobs.map_or(processors, |jobs| jobs as usize).min(project.units.len());
    let next = AtomicUsize::new(0);
    let ended = Mutex::new(None);
    let all: Vec<Mutex<FileResult>> = project.units.iter().map(|_| Mutex::default()).collect();
    let bar = progress_bar(project.units.len());
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(unit) = project.units.get(index) else { return };
                    if let Some(bar) = &bar {
                        bar.set_message(shown_path(&project.root, &unit.file));
                    }
                    match scan_file(asked, program, &project.root, unit, cache) {
                        Ok(known) => *lock_mutex(&all[index]) = known,
                        Err(signal) => {
                            *lock_mutex(&ended) = Some(signal);
                            return;
                        }
                    }
                    if let Some(bar) = &bar {
                        bar.inc(1);
                    }
                }
            });
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let ended = *lock_mutex(&ended);
    match ended {
        Some(signal) => Err(signal),
        None => Ok(all.into_iter().map(|known| std::mem::take(&mut *lock_mutex(&known))).collect()),
    }
}

fn lock_mutex<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn progress_bar(count: usize) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let bar = ProgressBar::new(count as u64);
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len} files ({elapsed}) {msg}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    Some(bar)
}

/// A file's name in messages.
fn shown_path(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).display().to_string()
}

/// What is known of one file, from the last run or from workers.
fn scan_file(
    asked: &ScanOptions,
    program: &Path,
    root: &Path,
    unit: &CompilationUnit,
    cache: Option<&ResultCache>,
) -> Result<FileResult, i32> {
    let question = cache_question(asked, root, unit, cache.map_or("", ResultCache::build_digest));
    if let Some(known) = cache.and_then(|cache| cache.find(&question)) {
        return Ok(known);
    }
    let since = SystemTime::now();
    let mut work = FileWork::default();
    let name = shown_path(root, &unit.file);
    loop {
        let job = UnitJob {
            program,
            options: UnitOptions { from: work.from, ..unit_options(asked, root, unit) },
            first: compile_time(asked),
            next: asked.timeout + PATIENCE,
        };
        match listen_to_worker(&job, |message| work.hear_message(message)) {
            UnitHeard::Done(_) => break,
            // Whatever is missing may be there the next time.
            UnitHeard::Refused(why) => return Ok(work.into_skipped(name, first_lines(why.trim()))),
            UnitHeard::Signal(signal) => return Err(signal),
            UnitHeard::Late(why) | UnitHeard::Limited(why) | UnitHeard::Crashed(why)
                if work.read.is_none() =>
            {
                return Ok(work.into_skipped(name, why));
            }
            UnitHeard::Late(why) => work.give_up(why, true),
            UnitHeard::Limited(why) => work.give_up(why, false),
            UnitHeard::Crashed(why) => {
                // Where Ouro itself failed, the file was not looked at to its end.
                let line = work.known.findings.get(work.from).map_or(0, |finding| finding.line);
                let reason = format!("line {line}: {why}");
                work.known.skipped.push(SkippedFile { file: name.clone(), reason });
                work.give_up(why, false);
            }
        }
        if work.from >= work.known.findings.len() {
            break;
        }
    }
    for name in work.open_functions() {
        let entry = Some(name.clone());
        let job = UnitJob {
            program,
            options: UnitOptions { entry, ..unit_options(asked, root, unit) },
            // Half of the time on top is for the checker.
            first: asked.timeout * 2 + PATIENCE,
            next: asked.timeout + PATIENCE,
        };
        match listen_to_worker(&job, |message| work.hear_entry(&name, message)) {
            UnitHeard::Signal(signal) => return Err(signal),
            UnitHeard::Done(UnitEnd::OutOfTime) | UnitHeard::Late(_) => work.note_time(&name),
            // What the loops alone gave stays.
            UnitHeard::Done(UnitEnd::Complete)
            | UnitHeard::Refused(_)
            | UnitHeard::Limited(_)
            | UnitHeard::Crashed(_) => {}
        }
    }
    // What the time cut short is no answer to keep.
    let timed_out = work.known.findings.iter().any(|one| one.timed_out);
    if let Some(cache) = cache.filter(|_| !timed_out) {
        cache.keep(&question, work.read.as_deref().unwrap_or_default(), &work.known, since);
    }
    Ok(work.known)
}

/// What workers have said about one file.
#[derive(Default)]
struct FileWork {
    known: FileResult,
    /// The files that were read, once that is known.
    read: Option<Vec<PathBuf>>,
    /// The first finding that nothing was said about.
    from: usize,
}

impl FileWork {
    /// What is known of a file that was not looked at, or not to its end.
    fn into_skipped(mut self, file: String, reason: String) -> FileResult {
        self.known.skipped.push(SkippedFile { file, reason });
        self.known
    }

    fn hear_message(&mut self, message: WorkerMessage) {
        match message {
            // A second worker plans the same as the first.
            WorkerMessage::Plan(UnitPlan { read, findings, notes }) if self.read.is_none() => {
                self.read = Some(read);
                self.known.notes = notes;
                self.known.findings = findings;
            }
            WorkerMessage::Judged { number, finding } => {
                if let Some(place) = self.known.findings.get_mut(number) {
                    *place = *finding;
                }
                self.from = self.from.max(number + 1);
            }
            WorkerMessage::Certificate { name, text } => {
                self.known.certificates.insert(name, text);
            }
            _ => {}
        }
    }

    /// The functions with something of which nothing is known.
    fn open_functions(&self) -> Vec<String> {
        let open = self.known.findings.iter().filter(|one| one.verdict == FindingAnswer::Unknown);
        let names: BTreeSet<String> = open.map(|one| one.function.clone()).collect();
        names.into_iter().collect()
    }

    /// Hears what is said about a function as a whole. What is known already stays.
    fn hear_entry(&mut self, name: &str, message: WorkerMessage) {
        let WorkerMessage::Judged { finding: said, .. } = message else { return };
        let same = |one: &ReportFinding| {
            let line = one.line == said.line || said.line == 0;
            one.function == name && one.kind == said.kind && line
        };
        // Of several loops in one line, nobody knows which one the run stays in.
        let among = self.known.findings.iter().filter(|one| same(one)).count();
        if said.verdict == FindingAnswer::Loops && among > 1 {
            return;
        }
        let all = self.known.findings.iter_mut();
        let about = all.filter(|one| same(one) && one.verdict == FindingAnswer::Unknown);
        for finding in about {
            finding.seconds += said.seconds;
            let ReportFinding { verdict, reason, argument, assumed, .. } = (*said).clone();
            *finding = ReportFinding {
                verdict,
                timed_out: false,
                reason,
                argument,
                assumed,
                inputs: said.inputs.clone(),
                stem: said.stem.clone(),
                cycle: said.cycle.clone(),
                certificate: said.certificate.clone(),
                ..finding.clone()
            };
        }
    }

    /// Notes that the time was over for a function as a whole.
    fn note_time(&mut self, name: &str) {
        let open =
            self.known.findings.iter_mut().filter(|one| one.verdict == FindingAnswer::Unknown);
        for finding in open.filter(|one| one.function == name && !one.timed_out) {
            finding.timed_out = true;
            let why = finding.reason.take().unwrap_or_default();
            finding.reason =
                Some(format!("{why}; out of time while checking the function as a whole"));
        }
    }

    /// Gives up on what the worker was at.
    fn give_up(&mut self, why: String, timed_out: bool) {
        if let Some(finding) = self.known.findings.get_mut(self.from) {
            finding.timed_out = timed_out;
            finding.reason = Some(why);
        }
        self.from += 1;
    }
}

/// A long complaint, cut.
fn first_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(3).collect();
    lines.join("; ")
}

/// What is asked about a file, in full, and of which Ouro.
fn cache_question(asked: &ScanOptions, root: &Path, unit: &CompilationUnit, build: &str) -> String {
    format!(
        "{build}\n{}\n{}\n{:?}\n{:?}\n{}\n{:?}\n{}",
        root.display(),
        unit.file.display(),
        unit.options,
        asked.timeout,
        asked.memory,
        asked.data_model,
        asked.certificates.is_some()
    )
}

/// What a worker is asked about a file.
fn unit_options(asked: &ScanOptions, root: &Path, unit: &CompilationUnit) -> UnitOptions {
    UnitOptions {
        file: unit.file.clone(),
        root: root.to_owned(),
        entry: None,
        certificates: asked.certificates.is_some(),
        from: 0,
        data_model: asked.data_model,
        limits: asked.limits(),
        clang: unit.options.clone(),
    }
}
