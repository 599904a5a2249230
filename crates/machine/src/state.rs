//! States: what a run is, between two instructions. Copying one is cheap: frames and objects are
//! shared until one of the copies changes them.

use std::rc::Rc;

use ouro_model::{FunctionId, Type};

use crate::memory::MachineMemory;
use crate::{MachineValue, ObjectRef};

/// A call in progress.
#[derive(Clone, Debug)]
pub struct CallFrame {
    /// The function.
    pub function: FunctionId,
    /// The next instruction, as an index into the compiled code.
    pub(crate) pc: u32,
    /// The variables.
    pub(crate) registers: Vec<MachineValue>,
    /// Objects that end with the call.
    pub(crate) objects: Vec<ObjectRef>,
    /// Where the stack was before the call.
    pub(crate) stack: u64,
    /// The steps that were done before the call, as far as they were counted then.
    pub(crate) begun: u64,
    /// Arguments past the parameters.
    pub(crate) extra: Vec<(MachineValue, Type)>,
}

impl CallFrame {
    /// A call of a function, without registers yet.
    pub(crate) fn new(function: FunctionId) -> CallFrame {
        CallFrame {
            function,
            pc: 0,
            registers: Vec::new(),
            objects: Vec::new(),
            stack: 0,
            begun: 0,
            extra: Vec::new(),
        }
    }
}

/// A run between two instructions.
#[derive(Clone, Debug)]
pub struct MachineState {
    /// Calls in progress, the outermost first.
    pub(crate) frames: Vec<Rc<CallFrame>>,
    /// All objects.
    pub memory: MachineMemory,
    /// Instructions done since the start.
    pub steps: u64,
    /// The fewest calls that were in progress since this was last set; whoever wants to know sets
    /// it.
    pub low: usize,
}

impl MachineState {
    /// How many calls are in progress.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The function of the call that has so many calls below it.
    pub fn function_at(&self, below: usize) -> FunctionId {
        self.frames[below].function
    }

    /// The function that runs, and the position in its compiled code.
    pub fn position(&self) -> (FunctionId, u32) {
        let frame = self.frames.last().expect("a state that has not ended has a frame");
        (frame.function, frame.pc)
    }

    /// When the innermost call began: a number that tells two calls apart that were both at a mark.
    pub fn call_begun(&self) -> u64 {
        self.frames.last().map_or(0, |frame| frame.begun)
    }

    /// The functions of the calls in progress, outermost first.
    pub fn functions(&self) -> impl DoubleEndedIterator<Item = FunctionId> + '_ {
        self.frames.iter().map(|frame| frame.function)
    }
}

impl crate::Machine {
    /// The user's variables of the innermost call that can still matter, with their values.
    pub fn live_user_variables(
        &self,
        state: &MachineState,
    ) -> Vec<(ouro_model::VarId, MachineValue)> {
        use ouro_model::ids::TypedId;
        let frame = state.frames.last().expect("a state that has not ended has a frame");
        self.live_variables(frame.function, frame.pc, true)
            .map(|var| (var, frame.registers[var.index()]))
            .filter(|(_, value)| !value.is_unwritten())
            .collect()
    }

    /// Where each call in progress is, the innermost first.
    pub fn call_stack_positions<'a>(
        &'a self,
        state: &'a MachineState,
    ) -> impl Iterator<Item = crate::RunPosition> + 'a {
        use ouro_model::ids::TypedId;
        state.frames.iter().rev().enumerate().map(|(i, frame)| {
            // A suspended caller stands after its call.
            let pc = frame.pc as usize - usize::from(i > 0);
            let span = self.functions[frame.function.index()].places[pc].0;
            crate::RunPosition { function: frame.function, span }
        })
    }

    /// The block of a position in a function's compiled code.
    pub fn block_at(&self, function: FunctionId, position: u32) -> ouro_model::BlockId {
        use ouro_model::ids::TypedId;
        self.functions[function.index()].places[position as usize].1
    }
}
