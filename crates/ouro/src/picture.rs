//! `--graph`: a picture of a run that never ends, the states it stays in and the memory it has there.
//!
//! The run is replayed on its inputs up to where it is in its states, and the memory is drawn as it is then:
//! the variables that matter, the objects that they lead to, and what is in them.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use ouro_evidence::{Evidence, IntegerSemantics, ListLink, RunInput};
use ouro_machine::concrete::{self, ConcreteEnvironment, ConcreteInputs};
use ouro_machine::{
    AddressHolder, FoldScope, Machine, MachineState, MemoryObject, ObjectRef, OverflowSemantics,
    SegmentLink, StateCell, StorageClass,
};
use ouro_model::{Program, VarId};
use ouro_report::finding::ReportFinding;
use ouro_report::graph::{
    DiagramBoxKind, RunDiagram, closed_set_diagram, dot_text, recurrence_diagram, svg_file,
    svg_in_page,
};
use ouro_term::{Constant, TermStore, sign_extend};

use crate::exit::BadInput;
use crate::limits::LIMITS;

/// Bytes of a number in an object, if nothing says otherwise.
const NUMBER: u32 = 4;

/// How a picture is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PictureForm {
    Dot,
    Svg,
}

/// The form that a file's name asks for.
fn picture_form(path: &Path) -> Option<PictureForm> {
    match path.extension()?.to_str()? {
        "dot" | "gv" => Some(PictureForm::Dot),
        "svg" => Some(PictureForm::Svg),
        _ => None,
    }
}

/// Refuses a name that does not say how the picture is to be written.
pub(crate) fn refuse_unknown_form(path: &Path) -> Result<(), BadInput> {
    match picture_form(path) {
        Some(_) => Ok(()),
        None => Err(BadInput(format!(
            "{}: unknown picture format; name a file that ends in .svg (for a browser) or .dot \
             (for Graphviz)",
            path.display()
        ))),
    }
}

/// The text of a picture, as its file's name asks for.
pub(crate) fn picture_text(graph: &RunDiagram, path: &Path) -> String {
    match picture_form(path) {
        Some(PictureForm::Dot) => dot_text(graph),
        Some(PictureForm::Svg) | None => svg_file(graph),
    }
}

/// Puts the picture of a run into what is known about the loop that it stays in.
pub(crate) fn add_to_findings(findings: &mut [ReportFinding], graph: &RunDiagram) {
    for finding in findings.iter_mut().filter(|one| one.verdict.is_bad()) {
        finding.picture = Some(svg_in_page(graph, &finding.fingerprint));
    }
}

/// The picture of a run of a program; `None` if the evidence is not one of an endless run.
pub(crate) fn picture_of_program(
    program: &Program,
    ints: IntegerSemantics,
    evidence: &Evidence,
    deadline: Instant,
) -> Option<RunDiagram> {
    let (mut graph, inputs, step, place) = match evidence {
        Evidence::Closed(set) => {
            // The evidence was accepted; without the time to follow it again, arrows are left out.
            let ways =
                ouro_check::closed_set_paths(program, ints, set, deadline).unwrap_or_default();
            (closed_set_diagram(set, &ways), &set.inputs, set.step, &set.heads.first()?.place)
        }
        Evidence::Recurs(recurrence) => (
            recurrence_diagram(recurrence),
            &recurrence.inputs,
            recurrence.first_step,
            &recurrence.place,
        ),
        _ => return None,
    };
    let overflow = match ints {
        IntegerSemantics::C => OverflowSemantics::Undefined,
        IntegerSemantics::Wrap => OverflowSemantics::Wraps,
        IntegerSemantics::Unbounded => OverflowSemantics::Unbounded,
    };
    let mut terms = TermStore::new();
    // The checker counts steps in the same way.
    let marks = matches!(evidence, Evidence::Closed(_));
    let machine = Machine::new(program, &mut terms, overflow, marks).ok()?;
    if let Some(state) = replay_state(&machine, &mut terms, inputs, step) {
        let heading = format!("Memory when the run enters these states, at {place}");
        let mut memory =
            MemoryPicture { program, machine: &machine, terms: &mut terms, state: &state };
        memory.draw(&mut graph, &heading);
        if let Evidence::Closed(set) = evidence
            && !set.links.is_empty()
        {
            let folded = fold_state(&machine, &mut terms, &state, &set.links);
            let mut memory =
                MemoryPicture { program, machine: &machine, terms: &mut terms, state: &folded };
            memory.draw(&mut graph, "The same for lists of any length");
        }
    }
    Some(graph)
}

/// The state of a run on these inputs after so many steps.
fn replay_state(
    machine: &Machine,
    terms: &mut TermStore,
    inputs: &[RunInput],
    step: u64,
) -> Option<MachineState> {
    let bits = inputs.iter().map(|input| input.bits).collect();
    let mut silent = |_: u32, _: &[u8]| {};
    let mut surroundings = ConcreteEnvironment::new(ConcreteInputs::new(bits), &mut silent);
    let mut state = machine.start_state();
    let ended = concrete::run_concretely(machine, terms, &mut surroundings, &mut state, step);
    ended.is_none().then_some(state)
}

/// The state with its lists as chains, as the checker has them.
fn fold_state(
    machine: &Machine,
    terms: &mut TermStore,
    state: &MachineState,
    links: &[ListLink],
) -> MachineState {
    let links: Vec<SegmentLink> = links
        .iter()
        .map(|l| SegmentLink { size: l.size, link: l.link, entry: l.entry, alike: l.alike })
        .collect();
    let mut folded = state.clone();
    machine.fold_lists(&mut folded, terms, &links, FoldScope::Heap);
    folded
}

/// A state whose memory is drawn.
struct MemoryPicture<'a> {
    program: &'a Program,
    machine: &'a Machine,
    terms: &'a mut TermStore,
    state: &'a MachineState,
}

impl MemoryPicture<'_> {
    /// Adds the variables and objects to a picture.
    fn draw(&mut self, graph: &mut RunDiagram, heading: &str) {
        let references = self.machine.reachable_objects(self.state);
        let mut shown: Vec<ObjectRef> = Vec::new();
        for (holder, object) in &references {
            if self.is_shown(holder, *object, &shown)
                && !shown.contains(object)
                && shown.len() < LIMITS.picture_objects
            {
                shown.push(*object);
            }
        }
        if shown.is_empty() {
            return;
        }
        let group = graph.add_group(heading);
        let mut variables: BTreeMap<String, usize> = BTreeMap::new();
        for (holder, object) in &references {
            if let AddressHolder::Variable { call, variable } = holder
                && shown.contains(object)
                && let Some(name) = self.variable_name(*call, *variable)
            {
                let next = variables.len();
                variables.entry(name).or_insert(next);
            }
        }
        let mut names: Vec<(&String, &usize)> = variables.iter().collect();
        names.sort_by_key(|(_, order)| **order);
        let mut drawn: BTreeMap<String, usize> = BTreeMap::new();
        for (name, _) in names {
            drawn.insert(
                name.clone(),
                graph.add_box(group, DiagramBoxKind::Variable, vec![name.clone()]),
            );
        }
        let mut boxes: Vec<(ObjectRef, usize)> = Vec::new();
        for object in &shown {
            let lines = self.object_lines(*object);
            let is_chain =
                self.state.memory.object(*object).is_some_and(MemoryObject::is_list_segment);
            let kind = if is_chain { DiagramBoxKind::Chain } else { DiagramBoxKind::Object };
            boxes.push((*object, graph.add_box(group, kind, lines)));
        }
        let number = |object: ObjectRef| boxes.iter().find(|(o, _)| *o == object).map(|b| b.1);
        for (holder, to) in &references {
            let Some(to) = number(*to) else { continue };
            match holder {
                AddressHolder::Variable { call, variable } => {
                    let from =
                        self.variable_name(*call, *variable).and_then(|name| drawn.get(&name));
                    if let Some(from) = from {
                        graph.add_arrow(*from, to, "");
                    }
                }
                AddressHolder::Object { object, offset } => {
                    if let Some(from) = number(*object) {
                        let at = format!("+{offset}");
                        let begins = |line: &String| line.split(':').next() == Some(&at);
                        let line = graph.boxes[from].lines.iter().position(begins);
                        graph.add_arrow_from_line(from, line, to, &at);
                    }
                }
                AddressHolder::Program => {}
            }
        }
    }

    /// Whether an object is of interest: the user's, and not a text.
    fn is_shown(&self, holder: &AddressHolder, object: ObjectRef, shown: &[ObjectRef]) -> bool {
        let Some(there) = self.state.memory.object(object) else { return false };
        let users = match there.storage {
            StorageClass::Static(global) => {
                let global = &self.program.globals[global];
                // What holds no address is shown where one leads to it.
                global.user && !global.constant && there.cells().next().is_some()
            }
            StorageClass::Heap | StorageClass::Stack => true,
            StorageClass::Code(_) | StorageClass::Label(..) => false,
        };
        let known = match holder {
            AddressHolder::Variable { call, variable } => {
                self.variable_name(*call, *variable).is_some()
            }
            AddressHolder::Object { object, .. } => shown.contains(object),
            AddressHolder::Program => true,
        };
        users && known
    }

    /// What the user calls a variable of a call; calls other than the innermost are named.
    fn variable_name(&self, call: usize, variable: VarId) -> Option<String> {
        let function = self.state.functions().rev().nth(call)?;
        let function = &self.program.functions[function];
        let name = function.vars.get(variable).filter(|_| function.user)?.name.as_str();
        match (name, call) {
            ("", _) => None,
            (name, 0) => Some(name.to_owned()),
            (name, _) => Some(format!("{name} in {}", function.name)),
        }
    }

    /// What an object is called, and what is in it; addresses of objects are arrows.
    fn object_lines(&mut self, reference: ObjectRef) -> Vec<String> {
        let Some(object) = self.state.memory.object(reference) else { return Vec::new() };
        let (size, name) = (object.size(), object.name.to_string());
        let addresses: Vec<(u64, u64)> = (object.cells())
            .filter(|(_, cell)| cell.value.object().is_some())
            .map(|(at, cell)| (at, u64::from(cell.bytes)))
            .collect();
        let bytes = if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
        let mut lines = match object.is_list_segment() {
            true => return vec!["a list: one or more of".to_owned(), format!("{name}, {bytes}")],
            false => vec![format!("{name}, {bytes}")],
        };
        let mut at = 0;
        while at < size {
            if let Some((_, bytes)) = addresses.iter().find(|(from, _)| *from == at) {
                lines.push(format!("+{at}: an address"));
                at += bytes;
                continue;
            }
            let next = addresses.iter().map(|(from, _)| *from).filter(|from| *from > at).min();
            let room = next.unwrap_or(size) - at;
            let bytes = if room >= u64::from(NUMBER) { NUMBER } else { 1 };
            lines.push(format!("+{at}: {}", self.number_text(reference, at, bytes)));
            at += u64::from(bytes);
            if lines.len() > LIMITS.picture_lines {
                lines.push("…".to_owned());
                break;
            }
        }
        lines
    }

    /// A number in an object; what nobody wrote or nobody knows is a question mark.
    fn number_text(&mut self, object: ObjectRef, offset: u64, bytes: u32) -> String {
        let spot = StateCell::Memory { object, offset, bytes };
        let term = self.machine.number_in(self.terms, self.state, spot);
        match term.and_then(|term| self.terms.as_constant(term)) {
            Some(Constant::Bv { width, value }) => sign_extend(width, value).to_string(),
            Some(Constant::Int(number)) => number.to_string(),
            Some(Constant::Bool(_)) | None => "?".to_owned(),
        }
    }
}
