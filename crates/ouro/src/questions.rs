//! What is asked about a program: that it terminates, or what a specification says. A specification with
//! several obligations is several questions.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ouro_evidence::{SourceFile, Specification, certificate};
use ouro_model::Monitor;
use ouro_property::RequestedProperty;

use crate::exit::BadInput;
use crate::limits::LIMITS;
use crate::options::{ProgramOptions, PropertyOptions};

/// What messages call a formula of the command line.
const FORMULA: &str = "--ltl";

/// One question.
#[derive(Clone, Debug, Default)]
pub(crate) struct AskedQuestion {
    /// The specification; none asks for termination.
    pub(crate) monitor: Option<Monitor>,
    /// Its identity for a certificate.
    pub(crate) identity: Option<Specification>,
}

impl AskedQuestion {
    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        self.monitor.as_ref().map_or("termination", |monitor| &monitor.name)
    }
}

/// The questions of a command, at least one.
pub(crate) fn questions_of_command(
    property: &PropertyOptions,
    program: &ProgramOptions,
) -> Result<Vec<AskedQuestion>, BadInput> {
    let mut questions = Vec::new();
    if let Some(formula) = &property.ltl {
        questions.push(read_question(Specification::Ltl { formula: formula.clone() })?);
    } else if let Some(path) = &property.prop {
        let (text, file) = read_specification(path)?;
        match ouro_property::parse_property_file(&text, &file.path)
            .map_err(|error| specification_refusal(&error))?
        {
            RequestedProperty::Termination { function } => {
                require_same_start(&function, path, program)?;
                questions.push(AskedQuestion::default());
            }
            RequestedProperty::Ltl { function, .. } => {
                require_same_start(&function, path, program)?;
                questions.push(read_question(Specification::Property { file })?);
            }
        }
    } else {
        for path in &property.spec {
            let (text, file) = read_specification(path)?;
            let monitors = ouro_property::monitors_of_specification(&text, &file.path)
                .map_err(|error| specification_refusal(&error))?;
            questions.extend(monitors.into_iter().map(|monitor| {
                let obligation = monitor.name.clone();
                let identity = Specification::Slic { file: file.clone(), obligation };
                AskedQuestion { monitor: Some(monitor), identity: Some(identity) }
            }));
        }
    }
    if let Some(name) = &property.obligation {
        let known: Vec<String> = questions.iter().map(|q| format!("'{}'", q.name())).collect();
        questions.retain(|question| question.name() == name);
        if questions.is_empty() {
            let known = known.join(", ");
            return Err(BadInput(format!(
                "--obligation '{name}': no obligation has this name; the specification has {known}"
            )));
        }
    }
    if questions.is_empty() {
        questions.push(AskedQuestion::default());
    }
    Ok(questions)
}

/// A property file that names another function than the command.
fn require_same_start(
    function: &str,
    path: &Path,
    program: &ProgramOptions,
) -> Result<(), BadInput> {
    if function == program.function {
        return Ok(());
    }
    Err(BadInput(format!(
        "{}: the property is about runs from {function}, but --function says {}; use the same \
         function in both",
        path.display(),
        program.function
    )))
}

/// The question that a certificate says it answers, from the same files.
pub(crate) fn question_of_certificate(
    specification: &Specification,
) -> Result<AskedQuestion, BadInput> {
    if let Some(file) = specification.file() {
        let (_, now) = read_specification(Path::new(&file.path))?;
        if now.sha256 != file.sha256 {
            return Err(BadInput(format!(
                "the certificate is about another version of {}: the file has changed since it \
                 was written",
                file.path
            )));
        }
    }
    read_question(specification.clone())
}

fn read_question(identity: Specification) -> Result<AskedQuestion, BadInput> {
    let monitor = match &identity {
        Specification::Ltl { formula } => {
            let property = ouro_property::parse_formula(formula, FORMULA)
                .map_err(|error| specification_refusal(&error))?;
            ouro_property::monitor_of_formula(&property, FORMULA, formula)
                .map_err(|error| specification_refusal(&error))?
        }
        Specification::Property { file } => {
            let (text, _) = read_specification(Path::new(&file.path))?;
            match ouro_property::parse_property_file(&text, &file.path)
                .map_err(|error| specification_refusal(&error))?
            {
                RequestedProperty::Ltl { property, .. } => {
                    ouro_property::monitor_of_formula(&property, &file.path, &file.path)
                        .map_err(|error| specification_refusal(&error))?
                }
                RequestedProperty::Termination { .. } => return Ok(AskedQuestion::default()),
            }
        }
        Specification::Slic { file, obligation } => {
            let (text, _) = read_specification(Path::new(&file.path))?;
            let monitors = ouro_property::monitors_of_specification(&text, &file.path)
                .map_err(|error| specification_refusal(&error))?;
            let found = monitors.into_iter().find(|monitor| monitor.name == *obligation);
            found.ok_or_else(|| {
                BadInput(format!(
                    "{}: the specification has no obligation '{obligation}'",
                    file.path
                ))
            })?
        }
    };
    Ok(AskedQuestion { monitor: Some(monitor), identity: Some(identity) })
}

fn specification_refusal(error: &ouro_property::SpecificationError) -> BadInput {
    BadInput(error.to_string())
}

fn read_specification(path: &Path) -> Result<(String, SourceFile), BadInput> {
    let refuse = |what: String| BadInput(format!("{}: {what}", path.display()));
    let found = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => refuse("there is no such file".to_owned()),
        _ => refuse(error.to_string()),
    })?;
    if !found.is_file() || found.len() > LIMITS.specification_bytes {
        return Err(refuse("not a specification".to_owned()));
    }
    let bytes = fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let sha256 = certificate::sha256_hex(&bytes);
    let text = String::from_utf8(bytes).map_err(|_| refuse("not UTF-8 text".to_owned()))?;
    let name = path.to_str().ok_or_else(|| refuse("the file name is not UTF-8".to_owned()))?;
    Ok((text, SourceFile { path: name.to_owned(), sha256 }))
}

/// The files of a specification, for `ouro verify`.
pub(crate) fn specification_files(specification: Option<&Specification>) -> Vec<PathBuf> {
    let file = specification.and_then(Specification::file);
    file.into_iter().map(|file| PathBuf::from(&file.path)).collect()
}
