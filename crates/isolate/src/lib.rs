//! One loop of a program, on its own.
//!
//! A function may be too much to follow from its start, and still its loops end for simple reasons.
//! [`isolate_loop`] makes a program of one loop: it starts shortly before the loop, in any state, and ends where
//! the loop is left. It has no memory and no calls, only integers, and it can do whatever the loop can do:
//!
//! - variables start with any value, and a pointer is the number of its address;
//! - a read from memory gives any value, unless it is a *cell*, a place that is known to stay the same place
//!   (`places`); a call returns anything and leaves anything in the cells that it may reach (`effects`);
//! - a loop inside may be *cut* (`region`): it is taken to end, and to leave anything in what it writes.
//!
//! So if every run of that program ends, no run of the real one stays in the loop forever, provided that the
//! calls in it, and the loops that were cut, end. That is what a finding about one loop says. If it holds for
//! every loop of a function, whose calls end, then the function ends: of the loops that a run which never
//! ends passes forever, take the outermost.
//!
//! The converse is not true: a run of that program need not be one of the loop. So it is never evidence that
//! something loops forever, and nobody may use it for that.
//!
//! Like everywhere in Ouro, what C leaves undefined ends a run: a pointer moves within its object and thus
//! within the address space, and addresses of objects are below the middle of it.
//!
//! This room is trusted as the front end is: the checker sees the program that is made here.
//!
//! | file | one idea |
//! | --- | --- |
//! | `region` | which blocks belong to the loop |
//! | `effects` | what calls can do |
//! | `writes` | what code is seen to write, in all functions that it comes to |
//! | `copies` | which variables hold the same address |
//! | `flows` | which addresses may be the same because code hands them on |
//! | `objects` | which addresses are in different objects |
//! | `places` | memory that becomes variables |
//! | `assumption` | what is assumed about memory, in words |
//! | `links` | pointers that follow links |
//! | `inputs` | calls that read an input |
//! | `strays` | pointers that may leave their objects |
//! | `rewrite` | instructions on integers alone |
//! | `slim` | what decides whether the loop is left |
//! | `weave` | several functions as one, in which a recursion is a loop |
//! | `limits` | how far all of that goes |

mod assumption;
mod copies;
mod effects;
mod flows;
mod inputs;
mod limits;
mod links;
mod objects;
mod places;
mod region;
mod rewrite;
mod slim;
mod strays;
mod weave;
mod writes;

use std::collections::BTreeSet;

use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::{Function, FunctionId, Instruction, Operand, Program, Span, VarId};

pub use effects::{CodeScope, ProgramEffects};
pub use region::has_one_entry;
pub use weave::{WeavingOptions, WovenFunctions, weave_functions};
pub use writes::address_taken_functions;

/// How a loop is made a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IsolationOptions<'a> {
    /// Whether the loops inside are cut, and so taken to end.
    pub cuts: bool,
    /// Whether all ways to the loop from the start of its function come before it, not only one that is straight.
    pub wide: bool,
    /// What is assumed about memory.
    pub trust: MemoryTrust,
    /// What is not assumed nevertheless, as in [`IsolatedProgram::assumed`].
    pub without: &'a [String],
}

/// What is assumed about memory. More includes less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MemoryTrust {
    /// Nothing: two addresses may be the same unless they cannot.
    Nothing,
    /// A write through one pointer does not change what is read through another, and an index is not
    /// negative. Each is named in [`IsolatedProgram::assumed`].
    Writes,
    /// A call does not change what it is not handed either, as far as nobody sees that it does. Named as well.
    Calls,
    /// Nor what it is handed. Named as well.
    Handed,
    /// Links that a loop follows do not lead in a circle, and what it reads comes to an end. Named as well.
    Ends,
}

/// A loop on its own.
#[derive(Clone, Debug)]
pub struct IsolatedLoop {
    /// The program, and the same without what does not decide whether the loop is left, which can do more.
    /// The only function of each has the name of the one that the loop is in.
    pub full: IsolatedProgram,
    /// See `full`.
    pub slim: IsolatedProgram,
    /// The same with one reason at a time why the loop may end; they can do yet more, and are small.
    pub sights: Vec<IsolatedProgram>,
    /// Whether a loop was cut.
    pub cut: bool,
    /// The variables that stand for memory.
    pub names: Vec<NamedCell>,
}

/// A variable that stands for a place in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedCell {
    /// Its name in the programs.
    pub name: String,
    /// Where the place is read: what the user calls it is written there.
    pub span: Span,
    /// Whether it holds an address.
    pub is_pointer: bool,
}

/// A program, and what it rests on.
#[derive(Clone, Debug)]
pub struct IsolatedProgram {
    /// It can do whatever the loop can, under the assumptions.
    pub program: Program,
    /// What was assumed about memory, one sentence each.
    pub assumed: Vec<String>,
}

/// Makes a program of a loop; `None` if the loops in it overlap and should be cut.
pub fn isolate_loop(
    program: &Program,
    effects: &ProgramEffects,
    function: FunctionId,
    flow: &FunctionFlow,
    found: &Loop,
    how: IsolationOptions<'_>,
) -> Option<IsolatedLoop> {
    let source = program;
    let code = &program.functions[function];
    let region = region::LoopRegion::of_loop(flow, found, how.cuts, how.wide)?;
    let objects = objects::FunctionObjects::of_function(program, code);
    let places =
        places::PromotedCells::of_region(program, function, effects, &objects, &region, how);
    let (mut links, mut inputs) = match how.trust >= MemoryTrust::Ends {
        true => (
            links::LinkPointers::of_region(program, effects, function, flow, &region, found.head),
            inputs::InputCalls::of_region(program, effects, code, &region),
        ),
        false => Default::default(),
    };
    links.drop_pointers(how.without);
    inputs.calls.retain(|_, call| !how.without.contains(&call.text()));
    let ends = rewrite::AssumedEnds { links: &links, inputs: &inputs, how };
    let rewrite::RegionProgram { program, head, out, cells, assumed, counts, compared } =
        rewrite::rewrite_region(program, code, effects, &region, &places, ends, found.head);
    let slim = slim::slice_loop(&program, head, out);
    let sights = slim::slice_by_exit(&program, head, out);
    let volatile: Vec<&String> =
        source.assumptions.iter().filter(|one| one.starts_with("volatile objects")).collect();
    // What is said about a cell that nobody looks at matters to nobody.
    let assumed = |program: &Program| -> Vec<String> {
        let used = variables_read(&program.functions[program.entry]);
        let read = (0..cells.len()).filter(|cell| used.contains(&cells[*cell]));
        let needed: BTreeSet<usize> = read.flat_map(|cell| places.address_cells(cell)).collect();
        let about = assumed.iter().filter(|one| needed.contains(&one.cell));
        let mut texts: BTreeSet<String> = about.map(assumption::MemoryAssumption::text).collect();
        let counted = counts.iter().filter(|count| used.contains(&count.var));
        texts.extend(counted.flat_map(|count| count.assumed.iter().cloned()));
        let compared = compared.iter().filter(|(var, _)| used.contains(var));
        texts.extend(compared.map(|(_, text)| text.clone()));
        if keeps_volatile(source, program) {
            texts.extend(volatile.iter().map(|one| (*one).clone()));
        }
        texts.into_iter().collect()
    };
    let cut = !region.cut.is_empty();
    let made = |program| IsolatedProgram { assumed: assumed(&program), program };
    let sights = sights.into_iter().map(made).collect();
    let names = places.cell_names();
    Some(IsolatedLoop { full: made(program), slim: made(slim), sights, cut, names })
}

/// Whether a program takes what a volatile object holds for what was written there. Where it may be anything, nothing
/// is assumed about it.
fn keeps_volatile(source: &Program, made: &Program) -> bool {
    let statements = made.functions[made.entry].blocks.iter().flat_map(|block| &block.statements);
    let is_read =
        |one: &Instruction| matches!(one, Instruction::Assign { value: Operand::Var(_), .. });
    let mut read = statements.filter(|one| is_read(&one.instruction));
    read.any(|one| one.span.is_known() && source.volatile.contains(&one.span))
}

/// The variables that something reads.
fn variables_read(function: &Function) -> BTreeSet<VarId> {
    let mut read = BTreeSet::new();
    let mut note = |operand: Operand| {
        if let Operand::Var(var) = operand {
            read.insert(var);
        }
    };
    for block in function.blocks.iter() {
        block.statements.iter().for_each(|one| one.instruction.each_operand(&mut note));
        block.terminator.each_operand(&mut note);
    }
    read
}
