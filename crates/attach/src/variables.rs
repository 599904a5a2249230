//! Memory as the source calls it: variables of the frames on the stack, and global ones.
//!
//! **What it misses:** variables that live in registers, or move (optimised code); they stay addresses.

use gimli::{
    AttributeValue, DebuggingInformationEntry, DwAt, Dwarf, EndianArcSlice, EvaluationResult,
    Expression, LittleEndian, Location, Unit,
};
use object::{Object as _, ObjectSection as _};
use rustc_hash::FxHashMap;

use crate::symbols::SnapshotSymbols;
use crate::unwind::StackFrame;

type DwarfReader = EndianArcSlice<LittleEndian>;
type DebugEntry<'a> = DebuggingInformationEntry<'a, 'a, DwarfReader>;

/// The debug information of a file.
pub(crate) struct DebugInformation(Dwarf<DwarfReader>);

impl DebugInformation {
    pub(crate) fn read(file: &object::File<'_>) -> Option<DebugInformation> {
        file.section_by_name(".debug_info")?;
        let load = |id: gimli::SectionId| -> Result<DwarfReader, gimli::Error> {
            let section = file.section_by_name(id.name());
            let data = section.and_then(|section| section.uncompressed_data().ok());
            Ok(DwarfReader::new(data.unwrap_or_default().into_owned().into(), LittleEndian))
        };
        Dwarf::load(load).ok().map(DebugInformation)
    }
}

/// Addresses of variables on the stack, and their names.
pub(crate) fn stack_variables(
    symbols: &SnapshotSymbols<'_>,
    frames: &[StackFrame],
) -> FxHashMap<u64, String> {
    let mut all = FxHashMap::default();
    for (depth, frame) in frames.iter().enumerate() {
        // A return address points behind the call.
        let at = if depth == 0 { frame.rip } else { frame.rip.wrapping_sub(1) };
        if let Some((module, inside)) = symbols.module_at(at)
            && let Some(debug) = &module.debug
        {
            // A broken or odd table names nothing.
            let _ = collect_frame_variables(&debug.0, inside, frame, &mut all);
        }
    }
    all
}

fn collect_frame_variables(
    dwarf: &Dwarf<DwarfReader>,
    inside: u64,
    frame: &StackFrame,
    into: &mut FxHashMap<u64, String>,
) -> Result<(), gimli::Error> {
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        let mut depth = 0;
        // The function that is looked at, and how deep it lies.
        let mut function: Option<(isize, String, Option<u64>)> = None;
        while let Some((delta, entry)) = entries.next_dfs()? {
            depth += delta;
            if function.as_ref().is_some_and(|(at, ..)| depth <= *at) {
                function = None;
            }
            match entry.tag() {
                gimli::DW_TAG_subprogram if entry_contains(dwarf, &unit, entry, inside)? => {
                    let name = entry_name(dwarf, &unit, entry).unwrap_or_default();
                    function = Some((depth, name, frame_base_address(&unit, entry, frame)?));
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    if let Some((_, function, base)) = &function
                        && let Some(expression) =
                            attribute_expression(entry, gimli::DW_AT_location)?
                        && let Some(at) = expression_address(&unit, expression, *base, frame)?
                        && let Some(name) = entry_name(dwarf, &unit, entry)
                    {
                        into.entry(at).or_insert(format!("{name} in {function}"));
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn entry_contains(
    dwarf: &Dwarf<DwarfReader>,
    unit: &Unit<DwarfReader>,
    entry: &DebugEntry<'_>,
    address: u64,
) -> Result<bool, gimli::Error> {
    let mut ranges = dwarf.die_ranges(unit, entry)?;
    while let Some(range) = ranges.next()? {
        if (range.begin..range.end).contains(&address) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn entry_name(
    dwarf: &Dwarf<DwarfReader>,
    unit: &Unit<DwarfReader>,
    entry: &DebugEntry<'_>,
) -> Option<String> {
    let value = entry.attr_value(gimli::DW_AT_name).ok()??;
    let text = dwarf.attr_string(unit, value).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

fn attribute_expression(
    entry: &DebugEntry<'_>,
    attribute: DwAt,
) -> Result<Option<Expression<DwarfReader>>, gimli::Error> {
    Ok(match entry.attr_value(attribute)? {
        Some(AttributeValue::Exprloc(expression)) => Some(expression),
        _ => None,
    })
}

/// Where the variables of a function are counted from.
fn frame_base_address(
    unit: &Unit<DwarfReader>,
    entry: &DebugEntry<'_>,
    frame: &StackFrame,
) -> Result<Option<u64>, gimli::Error> {
    match attribute_expression(entry, gimli::DW_AT_frame_base)? {
        Some(expression) => expression_address(unit, expression, None, frame),
        None => Ok(None),
    }
}

/// The address that an expression gives in a frame; `None` if it is no address.
fn expression_address(
    unit: &Unit<DwarfReader>,
    expression: Expression<DwarfReader>,
    base: Option<u64>,
    frame: &StackFrame,
) -> Result<Option<u64>, gimli::Error> {
    // DWARF's numbers of RAX, RDX, RCX, RBX, RSI, RDI, RBP and RSP; the others are the same.
    const ORDER: [usize; 8] = [0, 2, 1, 3, 6, 7, 5, 4];
    let register = |number: u16| -> Option<u64> {
        let number = usize::from(number);
        frame.gpr.get(ORDER.get(number).copied().unwrap_or(number)).copied()
    };
    let mut evaluation = expression.evaluation(unit.encoding());
    let mut result = evaluation.evaluate()?;
    loop {
        result = match (result, base, frame.cfa) {
            (EvaluationResult::RequiresFrameBase, Some(base), _) => {
                evaluation.resume_with_frame_base(base)?
            }
            (EvaluationResult::RequiresCallFrameCfa, _, Some(cfa)) => {
                evaluation.resume_with_call_frame_cfa(cfa)?
            }
            (EvaluationResult::RequiresRegister { register: which, .. }, ..) => {
                match register(which.0) {
                    Some(value) => evaluation.resume_with_register(gimli::Value::Generic(value))?,
                    None => return Ok(None),
                }
            }
            (EvaluationResult::Complete, ..) => break,
            _ => return Ok(None),
        };
    }
    Ok(match &evaluation.result()[..] {
        [piece] => match piece.location {
            Location::Address { address } => Some(address),
            // A frame base that is a register means what is in it.
            Location::Register { register: which } if base.is_none() => register(which.0),
            _ => None,
        },
        _ => None,
    })
}
