//! What a function finds that is called at any time: memory outside of functions holds what earlier calls left there.
//!
//! The user's objects hold whatever their types can. Those of the C library hold what earlier calls of it left: a
//! function of the library may say what that can be (`anytime.c`); some objects stand for anything from the start,
//! since they only remember what the environment was asked; of all others nobody knows what they hold.

use std::collections::BTreeSet;

use ouro_model::{Callee, FunctionId, GlobalId, Instruction, Operand, Terminator};

use crate::builder::FunctionBuilder;
use crate::layout;
use crate::llvm::{Linkage, LlvmValue, Opcode};
use crate::lower::{LlvmLowering, ResolvedSymbol};
use crate::rounding;

/// Objects of the library that only remember answers: at the start nothing was asked, and every answer is possible.
const ANSWERS: [&str; 27] = [
    "all_flushed",
    "changed",
    "ignored",
    "is_none",
    "known",
    "last",
    "locale",
    "ouro_day_seen",
    "ouro_descriptors",
    "ouro_errno_is_kept",
    "ouro_errno_is_open",
    "ouro_exits",
    "ouro_generator",
    "ouro_generator_48",
    "ouro_generator_of_seeds",
    "ouro_open_count",
    "ouro_quick_exits",
    "ouro_settings",
    "ouro_stdout_unseen",
    "ouro_unordered",
    "ouro_written_paths",
    "seen",
    "stderr",
    "stdin",
    "stdout",
    "table",
    "text",
];

/// Functions that register what `exit` calls, and the objects where the library keeps it. Nobody registers anything in a
/// program that does not name them.
const REGISTERS: [&str; 4] = ["atexit", "on_exit", "__cxa_atexit", "at_quick_exit"];
const REGISTERED: [&str; 2] = ["ouro_at_exit", "ouro_at_quick_exit"];

/// Objects of more scalars than this are left with any bytes.
const MOST_SCALARS: usize = 512;

impl<'c> LlvmLowering<'c> {
    /// Whether the question is about a function that is called at any time.
    pub(crate) fn is_any_time(&self) -> bool {
        self.options.function.as_deref().is_some_and(|name| name != "main")
    }

    /// Makes the function that brings the library's objects into any state that earlier calls can leave them in. All
    /// objects that the program uses are known by now.
    pub(crate) fn make_any_time_function(&mut self, id: FunctionId) {
        let mut builder = FunctionBuilder::new();
        let first = builder.reserve_block();
        builder.start_block(first);
        let mut done = BTreeSet::new();
        let change = rounding::rounding_change(self.user).filter(|_| self.has_floats());
        let result = loop {
            if let Some(change) = change {
                break Err(format!("float arithmetic after a call of {change} elsewhere"));
            }
            let next = self.library_objects().into_iter().find(|(id, _)| !done.contains(id));
            let Some((object, value)) = next else { break Ok(()) };
            done.insert(object);
            if let Err(why) = self.havoc_library_object(&mut builder, object, value) {
                break Err(why);
            }
            // What says so may use further objects.
            self.translate_pending();
        };
        builder.finish(match result {
            Ok(()) => Terminator::Return(Vec::new()),
            Err(why) => Terminator::Limit(why),
        });
        let function = crate::start::finish_own_function(builder, "what happened before");
        self.set_function(id, function);
    }

    /// The objects of the library that the program uses and can change, in order.
    fn library_objects(&self) -> Vec<(GlobalId, LlvmValue<'c>)> {
        let mut all: Vec<(GlobalId, LlvmValue<'c>)> = self
            .global_ids
            .iter()
            .filter(|(value, id)| self.is_library_value(**value) && !self.globals[**id].constant)
            .map(|(value, id)| (*id, *value))
            .collect();
        all.sort_by_key(|(id, _)| *id);
        all
    }

    fn havoc_library_object(
        &mut self,
        builder: &mut FunctionBuilder,
        id: GlobalId,
        value: LlvmValue<'c>,
    ) -> Result<(), String> {
        let name = self.globals[id].name.clone();
        if let Some(says) = self.library_function(&format!("ouro_any_time_{name}"))? {
            let callee = Callee::Function(self.function_id(ResolvedSymbol::Function(says)));
            builder.emit(Instruction::Call { dsts: Vec::new(), callee, args: Vec::new() });
            return Ok(());
        }
        let kept = match REGISTERED.contains(&name.as_str()) {
            true => !REGISTERS.iter().any(|name| self.is_named_by_user(name)),
            false => ANSWERS.contains(&name.as_str()) && !self.is_assigned_by_user(value),
        };
        if kept {
            return Ok(());
        }
        let global = &mut self.globals[id];
        global.zeroed = false;
        global.cells.clear();
        let leaves = layout::type_leaves(self.layout, value.value_type())?;
        for leaf in leaves.into_iter().take(MOST_SCALARS) {
            let why = format!("what the C library keeps in {name}");
            let value = builder.emit_with_result(leaf.ty, |dst| Instruction::Unknown { dst, why });
            let offset = i64::try_from(leaf.offset).map_err(|_| "a huge object".to_owned())?;
            builder.emit(Instruction::Store { address: Operand::Global(id, offset), value });
        }
        Ok(())
    }

    pub(crate) fn is_named_by_user(&self, name: &str) -> bool {
        self.user.find_function(name).is_some_and(|function| !function.users().is_empty())
    }

    /// Whether the user's code may write an object of the library that has a public name.
    fn is_assigned_by_user(&self, value: LlvmValue<'c>) -> bool {
        if matches!(value.linkage(), Linkage::LLVMInternalLinkage) {
            return false;
        }
        let Some(own) = self.user.find_global(&value.name()) else { return false };
        let only_read = |user: LlvmValue<'c>| {
            user.is_instruction() && matches!(user.opcode(), Opcode::LLVMLoad)
        };
        !own.users().into_iter().all(only_read)
    }
}
