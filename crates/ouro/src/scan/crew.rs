//! The workers: several at once, each with one file; one that fails costs the loop that it was at.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use ouro_report::finding::{FindingAnswer, ReportFinding, SkippedFile};

use super::arguments::ScanArguments;
use super::cache::{FileResult, ResultCache};
use super::project::{CompilationUnit, ScannedProject};
use crate::exit;
use crate::message::WorkerMessage;
use crate::supervise::{WorkerEnding, WorkerJob, listen_to_worker};

/// How long clang and the front end may take for one file, in times that a loop has, and at least.
const COMPILE: u32 = 24;
const LEAST_COMPILE: Duration = Duration::from_secs(10);
/// How long after its time a loop is given up.
const PATIENCE: Duration = Duration::from_secs(3);

/// The time of clang and the front end for one file.
fn compile_time(asked: &ScanArguments) -> Duration {
    asked.timeout.saturating_mul(COMPILE).max(LEAST_COMPILE)
}

/// What is known of all files, in their order; or the signal that ended the work.
pub(super) fn scan_files(
    asked: &ScanArguments,
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
                    match scan_file(asked, &project.root, unit, cache) {
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
    asked: &ScanArguments,
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
        let from = work.from;
        let job = WorkerJob {
            arguments: worker_arguments(
                asked,
                root,
                unit,
                &["--from".into(), from.to_string().into()],
            ),
            limits: asked.limit_arguments(),
            first: compile_time(asked),
            next: asked.timeout + PATIENCE,
        };
        let heard = listen_to_worker(&job, |message| work.hear_message(message));
        match heard {
            Ok(WorkerEnding::Done(done)) if done.code == 0 => break,
            Ok(WorkerEnding::Done(done)) => {
                let why = done.stderr.trim().trim_start_matches("error: ");
                let why = if done.code == exit::BAD_INPUT { why } else { done.stderr.trim() };
                // Whatever is missing may be there the next time.
                return Ok(work.into_skipped(name, first_lines(why)));
            }
            Ok(WorkerEnding::Signal(signal)) => return Err(signal),
            Ok(
                WorkerEnding::Late(why) | WorkerEnding::Failed(why) | WorkerEnding::Crashed(why),
            ) if work.read.is_none() => {
                return Ok(work.into_skipped(name, why));
            }
            Ok(
                heard
                @ (WorkerEnding::Late(_) | WorkerEnding::Failed(_) | WorkerEnding::Crashed(_)),
            ) => {
                work.give_up(&name, heard);
                if work.from >= work.known.findings.len() {
                    break;
                }
            }
            Err(error) => {
                return Ok(work.into_skipped(name, error.to_string()));
            }
        }
    }
    for name in work.open_functions() {
        let job = WorkerJob {
            arguments: worker_arguments(
                asked,
                root,
                unit,
                &["--entry".into(), name.clone().into()],
            ),
            limits: asked.limit_arguments(),
            // Half of the time on top is for the checker.
            first: asked.timeout * 2 + PATIENCE,
            next: asked.timeout + PATIENCE,
        };
        match listen_to_worker(&job, |message| work.hear_entry(&name, message)) {
            Ok(WorkerEnding::Signal(signal)) => return Err(signal),
            Ok(WorkerEnding::Done(done)) if done.code == exit::UNKNOWN => work.note_time(&name),
            Ok(WorkerEnding::Late(_)) => work.note_time(&name),
            _ => {}
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
        let finding = |value| serde_json::from_value::<ReportFinding>(value).ok();
        match message {
            // A second worker plans the same as the first.
            WorkerMessage::Plan(read, plan, notes) if self.read.is_none() => {
                self.read = Some(read);
                self.known.notes = notes;
                self.known.findings = plan.into_iter().filter_map(finding).collect();
            }
            WorkerMessage::Judged(number, value) => {
                if let (Some(place), Some(finding)) =
                    (self.known.findings.get_mut(number), finding(value))
                {
                    *place = finding;
                }
                self.from = self.from.max(number + 1);
            }
            WorkerMessage::Certificate(name, text) => {
                drop(self.known.certificates.insert(name, text));
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
        let WorkerMessage::Judged(_, value) = message else { return };
        let Ok(said) = serde_json::from_value::<ReportFinding>(value) else { return };
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
            let ReportFinding { verdict, reason, argument, assumed, .. } = said.clone();
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
                Some(format!("{why}; the time was over while looking at the function as a whole"));
        }
    }

    /// Gives up on what the worker was at. Where Ouro itself failed, the file was not looked at to its end.
    fn give_up(&mut self, file: &str, heard: WorkerEnding) {
        if let Some(finding) = self.known.findings.get_mut(self.from) {
            finding.timed_out = matches!(heard, WorkerEnding::Late(_));
            let line = finding.line;
            let (WorkerEnding::Late(why) | WorkerEnding::Failed(why) | WorkerEnding::Crashed(why)) =
                &heard
            else {
                return;
            };
            finding.reason = Some(why.clone());
            if let WorkerEnding::Crashed(why) = heard {
                let reason = format!("line {line}: {why}");
                self.known.skipped.push(SkippedFile { file: file.to_owned(), reason });
            }
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
fn cache_question(
    asked: &ScanArguments,
    root: &Path,
    unit: &CompilationUnit,
    build: &str,
) -> String {
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

fn worker_arguments(
    asked: &ScanArguments,
    root: &Path,
    unit: &CompilationUnit,
    what: &[OsString],
) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["unit".into()];
    words.extend(what.iter().cloned());
    words.push("--root".into());
    words.push(root.into());
    if let Some(model) = asked.data_model {
        words.extend(["--data-model".into(), model.to_string().into()]);
    }
    words.extend(["--timeout".into(), format!("{}ms", asked.timeout.as_millis()).into()]);
    words.extend(["--memory".into(), asked.memory.to_string().into()]);
    if asked.certificates.is_some() {
        words.push("--certificates".into());
    }
    words.push(unit.file.clone().into());
    words.push("--".into());
    words.extend(unit.options.iter().map(OsString::from));
    words
}
