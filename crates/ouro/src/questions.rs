//! What is asked about a program: that it terminates, or what a specification says. A specification with
//! several obligations is several questions.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ouro_evidence::{SourceFile, Specification, certificate};
use ouro_model::Monitor;
use ouro_property::Asked;

use crate::exit::BadInput;
use crate::options::{ProgramOptions, PropertyOptions};

/// What messages call a formula of the command line.
const FORMULA: &str = "--ltl";

/// One question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demand {
    /// The specification; none asks for termination.
    pub(crate) monitor: Option<Monitor>,
    /// Its identity for a certificate.
    pub(crate) identity: Option<Specification>,
}

impl Demand {
    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        self.monitor.as_ref().map_or("termination", |monitor| &monitor.name)
    }
}

/// The questions of a command, at least one.
pub(crate) fn asked(
    property: &PropertyOptions,
    program: &ProgramOptions,
) -> Result<Vec<Demand>, BadInput> {
    let mut questions = Vec::new();
    if let Some(formula) = &property.ltl {
        questions.push(question(Specification::Ltl { formula: formula.clone() })?);
    } else if let Some(path) = &property.prop {
        let (text, file) = read(path)?;
        match ouro_property::property_file(&text, &file.path).map_err(|error| refusal(&error))? {
            Asked::Termination { function } => {
                same_start(&function, path, program)?;
                questions.push(Demand::default());
            }
            Asked::Ltl { function, .. } => {
                same_start(&function, path, program)?;
                questions.push(question(Specification::Property { file })?);
            }
        }
    } else {
        for path in &property.spec {
            let (text, file) = read(path)?;
            let monitors =
                ouro_property::specification(&text, &file.path).map_err(|error| refusal(&error))?;
            questions.extend(monitors.into_iter().map(|monitor| {
                let obligation = monitor.name.clone();
                let identity = Specification::Slic { file: file.clone(), obligation };
                Demand { monitor: Some(monitor), identity: Some(identity) }
            }));
        }
    }
    if let Some(name) = &property.obligation {
        let known: Vec<String> = questions.iter().map(|q| format!("'{}'", q.name())).collect();
        questions.retain(|question| question.name() == name);
        if questions.is_empty() {
            let known = known.join(", ");
            return Err(BadInput(format!(
                "--obligation '{name}': there is none; there are {known}"
            )));
        }
    }
    if questions.is_empty() {
        questions.push(Demand::default());
    }
    Ok(questions)
}

/// A property file that names another function than the command.
fn same_start(function: &str, path: &Path, program: &ProgramOptions) -> Result<(), BadInput> {
    if function == program.function {
        return Ok(());
    }
    Err(BadInput(format!(
        "{}: it is about runs from {function}, and --function says {}; make them the same",
        path.display(),
        program.function
    )))
}

/// The question that a certificate says it answers, from the same files.
pub(crate) fn again(specification: &Specification) -> Result<Demand, BadInput> {
    if let Some(file) = specification.file() {
        let (_, now) = read(Path::new(&file.path))?;
        if now.sha256 != file.sha256 {
            return Err(BadInput(format!(
                "the certificate is not about {} as it is now: the file has changed since",
                file.path
            )));
        }
    }
    question(specification.clone())
}

fn question(identity: Specification) -> Result<Demand, BadInput> {
    let monitor = match &identity {
        Specification::Ltl { formula } => {
            let property =
                ouro_property::formula(formula, FORMULA).map_err(|error| refusal(&error))?;
            ouro_property::monitor_of(&property, FORMULA, formula)
                .map_err(|error| refusal(&error))?
        }
        Specification::Property { file } => {
            let (text, _) = read(Path::new(&file.path))?;
            match ouro_property::property_file(&text, &file.path)
                .map_err(|error| refusal(&error))?
            {
                Asked::Ltl { property, .. } => {
                    ouro_property::monitor_of(&property, &file.path, &file.path)
                        .map_err(|error| refusal(&error))?
                }
                Asked::Termination { .. } => return Ok(Demand::default()),
            }
        }
        Specification::Slic { file, obligation } => {
            let (text, _) = read(Path::new(&file.path))?;
            let monitors =
                ouro_property::specification(&text, &file.path).map_err(|error| refusal(&error))?;
            let found = monitors.into_iter().find(|monitor| monitor.name == *obligation);
            found.ok_or_else(|| {
                BadInput(format!("{}: it has no obligation '{obligation}'", file.path))
            })?
        }
    };
    Ok(Demand { monitor: Some(monitor), identity: Some(identity) })
}

fn refusal(error: &ouro_property::Error) -> BadInput {
    BadInput(error.to_string())
}

/// Specifications are short; whatever is larger is something else.
const LARGEST: u64 = 1 << 20;

fn read(path: &Path) -> Result<(String, SourceFile), BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let found = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => refuse("there is no such file".to_owned()),
        _ => refuse(error.to_string()),
    })?;
    if !found.is_file() || found.len() > LARGEST {
        return Err(refuse("it is not a specification".to_owned()));
    }
    let bytes = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let sha256 = certificate::sha256(&bytes);
    let text = String::from_utf8(bytes).map_err(|_| refuse("it is not UTF-8 text".to_owned()))?;
    let name = path.to_str().ok_or_else(|| refuse("its name is not UTF-8".to_owned()))?;
    Ok((text, SourceFile { path: name.to_owned(), sha256 }))
}

/// The files of a specification, for `ouro verify`.
pub(crate) fn files(specification: Option<&Specification>) -> Vec<PathBuf> {
    let file = specification.and_then(Specification::file);
    file.into_iter().map(|file| PathBuf::from(&file.path)).collect()
}
