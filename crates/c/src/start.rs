//! What happens around the asked function: constructors before it, its arguments, and what runs
//! at exit.

use ouro_model::{
    BlockId, Callee, ChoiceSource, CompareOp, Function, FunctionId, Instruction, Operand, Span,
    Terminator, Type, VarId, VarKind,
};

use crate::builder::FunctionBuilder;
use crate::llvm::{BasicBlock, LlvmModule, LlvmValue, Opcode, ValueKind};
use crate::lower::{LlvmLowering, ResolvedSymbol, plain_name};
use crate::values::{aggregate_elements, int_constant};
use crate::{arguments, escape, layout};

/// Longest command line argument that is looked at, without its closing zero.
pub(crate) const LONGEST_ARGUMENT: u64 = 8;
/// Arguments that are looked at, besides the program's name.
const MOST_ARGUMENTS: u128 = 2;
/// Arguments for which Linux has room: six megabytes, of which each takes an address and a byte.
const USUAL_ARGUMENTS: u128 = 1 << 19;

/// Makes the function where a run starts.
pub(crate) fn make_entry_function<'c>(
    program: &mut LlvmLowering<'c>,
    asked: LlvmValue<'c>,
) -> FunctionId {
    let id = program.reserve_function();
    let mut start = EntryBuilder::new(program);
    let result = start.emit_run(asked);
    if let Err(terminator) = result {
        start.builder.finish(terminator);
    }
    let function = start.into_function("start");
    program.set_function(id, function);
    program.translate_pending();
    if !program.broken.is_empty() {
        // Some initial value cannot be expressed: no run of this program proves anything.
        let text = program.broken.join("; ");
        let mut start = EntryBuilder::new(program);
        start.builder.finish(Terminator::Limit(text));
        let function = start.into_function("start");
        program.set_function(id, function);
    }
    id
}

/// Translates all functions of the user, and makes a function to start with that does nothing.
pub(crate) fn make_unit_program(program: &mut LlvmLowering<'_>) -> FunctionId {
    let id = program.reserve_function();
    for function in program.user.functions() {
        if !function.is_declaration() {
            program.function_id(ResolvedSymbol::Function(function));
        }
    }
    // What such objects point to is called by somebody, with arguments that nobody sees.
    for (value, _) in program.running_definitions() {
        if !matches!(value.kind(), ValueKind::LLVMFunctionValueKind) {
            let _ = program.global_id(value);
        }
    }
    program.translate_pending();
    let mut start = EntryBuilder::new(program);
    start.builder.finish(Terminator::Exit(int_constant(32, 0)));
    let function = start.into_function("start");
    program.set_function(id, function);
    id
}

/// Makes the function that runs `llvm.global_dtors`.
pub(crate) fn make_destructors_function(program: &mut LlvmLowering<'_>) -> Function {
    let mut start = EntryBuilder::new(program);
    match start.emit_destructors_call() {
        Ok(()) => start.builder.finish(Terminator::Return(Vec::new())),
        Err(terminator) => start.builder.finish(terminator),
    }
    start.into_function("run destructors")
}

/// Functions in a list such as `llvm.global_ctors`, with their priorities.
pub(crate) fn listed_functions<'c>(
    module: LlvmModule<'c>,
    name: &str,
) -> Vec<(u128, LlvmValue<'c>)> {
    let Some(list) = module.find_global(name).and_then(LlvmValue::initializer) else {
        return Vec::new();
    };
    aggregate_elements(list)
        .into_iter()
        .filter_map(|entry| {
            let priority = entry.aggregate_element(0)?.int_value()?;
            let function = entry.aggregate_element(1)?;
            (!function.is_zero()).then_some((priority, function))
        })
        .collect()
}

pub(crate) struct EntryBuilder<'a, 'c> {
    pub(crate) program: &'a mut LlvmLowering<'c>,
    pub(crate) builder: FunctionBuilder,
}

impl<'a, 'c> EntryBuilder<'a, 'c> {
    fn new(program: &'a mut LlvmLowering<'c>) -> Self {
        let mut builder = FunctionBuilder::new();
        let first = builder.reserve_block();
        builder.start_block(first);
        EntryBuilder { program, builder }
    }

    fn into_function(self, name: &str) -> Function {
        finish_own_function(self.builder, name)
    }

    fn emit_run(&mut self, asked: LlvmValue<'c>) -> Result<(), Terminator> {
        let mut constructors = listed_functions(self.program.user, "llvm.global_ctors");
        constructors.sort_by_key(|entry| entry.0);
        // Long before the call: what they left, others have changed since.
        let before = self.program.is_any_time().then(|| self.program.reserve_function());
        if let Some(before) = before {
            constructors.clear();
            // What it does is known once everything else is, unless that comes to a limit.
            self.program.set_function(before, empty_function("what happened before"));
            let callee = Callee::Function(before);
            self.builder.emit(Instruction::Call { dsts: Vec::new(), callee, args: Vec::new() });
        }
        self.emit_provided_objects();
        let constructed = !constructors.is_empty();
        for (_, function) in constructors {
            self.emit_plain_call(function)?;
        }
        let args = if asked.name() == "main" && asked.parameters().len() <= 3 {
            self.emit_main_arguments(asked)?
        } else {
            self.emit_free_arguments(asked)?
        };
        self.program.weave_monitor();
        if constructed && let Some(flag) = self.program.flag_of_main() {
            let address = Operand::Global(flag, 0);
            self.builder.emit(Instruction::Store { address, value: int_constant(8, 1) });
        }
        if let Some(id) = self.program.woven.start {
            let callee = Callee::Function(id);
            self.builder.emit(Instruction::Call { dsts: Vec::new(), callee, args: Vec::new() });
        }
        let name = plain_name(asked);
        let leaves = layout::type_leaves(self.program.layout, asked.value_type().result())
            .map_err(Terminator::Limit)?;
        let dsts: Vec<VarId> =
            leaves.iter().map(|leaf| self.builder.add_temporary(leaf.ty)).collect();
        let id = self.program.function_id(ResolvedSymbol::Function(asked));
        self.builder.emit(Instruction::Call {
            dsts: dsts.clone(),
            callee: Callee::Function(id),
            args,
        });
        let status = match (&dsts[..], &leaves[..]) {
            ([status], [leaf]) if name == "main" && leaf.ty == Type::Int(32) => {
                Operand::Var(*status)
            }
            _ => int_constant(32, 0),
        };
        // Everything that `main` reaches must be known before we can say what runs at exit.
        self.program.translate_pending();
        if let Some(before) = before {
            // That the function returns is not the end of its program.
            self.program.make_any_time_function(before);
            self.builder.finish(Terminator::Exit(status));
            return Ok(());
        }
        self.emit_exit(status)
    }

    /// Ends the program as a return from `main` does.
    fn emit_exit(&mut self, status: Operand) -> Result<(), Terminator> {
        // Destructors may register something, too, or call `exit` once more.
        let destroys = !listed_functions(self.program.user, "llvm.global_dtors").is_empty();
        if destroys {
            self.program.destructors_function_id();
            self.program.translate_pending();
        }
        let registers = ["atexit", "on_exit", "__cxa_atexit"];
        let exits = ["exit", "quick_exit"];
        if (self.program.uses_library_function(&registers)
            || destroys && self.program.uses_library_function(&exits))
            && let Some(exit) = self.program.library_function("exit").map_err(Terminator::Limit)?
        {
            let id = self.program.function_id(ResolvedSymbol::Function(exit));
            self.builder.emit(Instruction::Call {
                dsts: Vec::new(),
                callee: Callee::Function(id),
                args: vec![status],
            });
            return Err(Terminator::Undefined("exit() returns".to_owned()));
        }
        self.emit_destructors_call()?;
        self.builder.finish(Terminator::Exit(status));
        Ok(())
    }

    fn emit_destructors_call(&mut self) -> Result<(), Terminator> {
        let mut destructors = listed_functions(self.program.user, "llvm.global_dtors");
        // As constructors, but from the last to the first: the linker sorts one list for both.
        destructors.sort_by_key(|entry| entry.0);
        destructors.reverse();
        for (_, function) in destructors {
            self.emit_plain_call(function)?;
        }
        Ok(())
    }

    /// Calls a constructor or destructor.
    fn emit_plain_call(&mut self, function: LlvmValue<'c>) -> Result<(), Terminator> {
        let symbol = self.program.resolve(function).map_err(Terminator::Limit)?;
        let (ResolvedSymbol::Function(value)
        | ResolvedSymbol::External(value)
        | ResolvedSymbol::Global(value)) = symbol;
        let ty = value.value_type();
        let name = plain_name(value);
        let plain = matches!(symbol, ResolvedSymbol::Function(_)) && ty.parameters().is_empty();
        if !plain {
            return Err(Terminator::Limit(format!("the constructor {name} with parameters")));
        }
        let leaves =
            layout::type_leaves(self.program.layout, ty.result()).map_err(Terminator::Limit)?;
        let dsts = leaves.iter().map(|leaf| self.builder.add_temporary(leaf.ty)).collect();
        let id = self.program.function_id(symbol);
        self.builder.emit(Instruction::Call {
            dsts,
            callee: Callee::Function(id),
            args: Vec::new(),
        });
        Ok(())
    }

    pub(crate) fn emit_choice(&mut self, name: &str, ty: Type) -> Operand {
        let dst = self.builder.add_variable(name, ty, VarKind::User);
        let source = ChoiceSource::Other(name.to_owned());
        self.builder.emit(Instruction::Choice { dst, source });
        Operand::Var(dst)
    }

    pub(crate) fn emit_compare(&mut self, op: CompareOp, left: Operand, right: Operand) -> Operand {
        self.builder.emit_with_result(Type::Int(1), |dst| Instruction::Compare {
            dst,
            op,
            left,
            right,
        })
    }

    /// Goes on only if the condition holds; otherwise the model has a limit.
    fn require_or_limit(&mut self, condition: Operand, otherwise: &str) {
        let (good, bad) = (self.builder.reserve_block(), self.builder.reserve_block());
        self.builder.finish(Terminator::Branch { condition, then: good, otherwise: bad });
        self.builder.start_block(bad);
        self.builder.finish(Terminator::Limit(otherwise.to_owned()));
        self.builder.start_block(good);
    }

    pub(crate) fn emit_alloca(&mut self, size: Operand, align: u64, name: &str) -> Operand {
        let name = name.to_owned();
        self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Alloca {
            dst,
            size,
            align,
            name,
        })
    }

    pub(crate) fn size_constant(&self, bytes: u64) -> Operand {
        int_constant(self.program.pointer_bits, u128::from(bytes))
    }

    fn emit_main_arguments(&mut self, main: LlvmValue<'c>) -> Result<Vec<Operand>, Terminator> {
        let parameters = main.parameters();
        let used =
            |index: usize| parameters.get(index).is_some_and(|p| !escape::is_unread_parameter(*p));
        let types = parameter_types(self.program, main)?;
        let expected = [Type::Int(32), Type::Ptr, Type::Ptr];
        if types != expected[..types.len()] {
            return self.emit_free_arguments(main);
        }
        if used(2) {
            return Err(Terminator::Limit("the environment variables".to_owned()));
        }
        let mut args = vec![
            int_constant(32, 1),
            Operand::Const { ty: Type::Ptr, bits: 0 },
            Operand::Const { ty: Type::Ptr, bits: 0 },
        ];
        if used(0) || used(1) {
            args[0] = self.emit_choice("argc", Type::Int(32));
            let condition = self.emit_compare(CompareOp::Sle, int_constant(32, 0), args[0]);
            self.builder.emit(Instruction::Assume { condition });
            self.tolerate_strange_count(args[0]);
        }
        if used(1) {
            args[1] = match arguments::argument_numbers(parameters[1]) {
                Some(numbers) => self.emit_numbered_arguments(args[0], &numbers),
                None => self.emit_argument_vector(args[0]),
            };
        }
        args.truncate(types.len());
        Ok(args)
    }

    /// C and older kernels allow a command line without even a name, or with more arguments than today's have room for:
    /// a program that ends must survive that, and no run that never ends may rest on it, so it might as well end here.
    fn tolerate_strange_count(&mut self, argc: Operand) {
        let none = self.emit_compare(CompareOp::Eq, argc, int_constant(32, 0));
        let many = self.emit_compare(CompareOp::Slt, int_constant(32, USUAL_ARGUMENTS), argc);
        let none = self.builder.emit_with_result(Type::Int(1), |dst| Instruction::Binary {
            dst,
            op: ouro_model::BinaryOp::Or,
            left: none,
            right: many,
        });
        let (seldom, end, go) = (
            self.builder.reserve_block(),
            self.builder.reserve_block(),
            self.builder.reserve_block(),
        );
        self.builder.finish(Terminator::Branch { condition: none, then: seldom, otherwise: go });
        self.builder.start_block(seldom);
        let why = "a command line without the program's name, or too long for Linux".to_owned();
        let refused =
            self.builder.emit_with_result(Type::Int(1), |dst| Instruction::Unknown { dst, why });
        self.builder.finish(Terminator::Branch { condition: refused, then: end, otherwise: go });
        self.builder.start_block(end);
        self.builder.finish(Terminator::Exit(int_constant(32, 0)));
        self.builder.start_block(go);
    }

    /// Builds `argv`: strings of free content and bounded length.
    fn emit_argument_vector(&mut self, argc: Operand) -> Operand {
        self.program.note_assumption(format!(
            "the command line has at most {MOST_ARGUMENTS} arguments of at most \
             {LONGEST_ARGUMENT} characters; longer ones are not covered by the model"
        ));
        let few = self.emit_compare(CompareOp::Sle, argc, int_constant(32, MOST_ARGUMENTS + 1));
        self.require_or_limit(few, ouro_model::MANY_ARGUMENTS_LIMIT);
        let pointer_bits = self.program.pointer_bits;
        let pointer_bytes = u64::from(pointer_bits / 8);
        let scale = i64::from(pointer_bits / 8);
        let count = if pointer_bits == 32 {
            argc
        } else {
            self.builder.emit_with_result(Type::Int(pointer_bits), |dst| Instruction::Cast {
                dst,
                op: ouro_model::CastOp::ZeroExtend,
                value: argc,
            })
        };
        let add = ouro_model::BinaryOp::Add { signed: false };
        let multiply = ouro_model::BinaryOp::Mul { signed: false };
        let one = self.size_constant(1);
        let count = self.builder.emit_with_result(Type::Int(pointer_bits), |dst| {
            Instruction::Binary { dst, op: add, left: count, right: one }
        });
        let each = self.size_constant(pointer_bytes);
        let size = self.builder.emit_with_result(Type::Int(pointer_bits), |dst| {
            Instruction::Binary { dst, op: multiply, left: count, right: each }
        });
        let vector = self.emit_alloca(size, pointer_bytes, "argv");
        let end = self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
            dst,
            base: vector,
            index: argc,
            scale,
        });
        let null = Operand::Const { ty: Type::Ptr, bits: 0 };
        self.builder.emit(Instruction::Store { address: end, value: null });
        let done = self.builder.reserve_block();
        let named = self.emit_compare(CompareOp::Slt, int_constant(32, 0), argc);
        let first = self.builder.reserve_block();
        self.builder.finish(Terminator::Branch { condition: named, then: first, otherwise: done });
        self.builder.start_block(first);
        let text = u64::from_le_bytes(*b"program\0");
        let size = self.size_constant(8);
        let name = self.emit_alloca(size, 1, "argv[0]");
        let value = Operand::Const { ty: Type::Int(64), bits: u128::from(text) };
        self.builder.emit(Instruction::Store { address: name, value });
        self.builder.emit(Instruction::Store { address: vector, value: name });
        for index in 1..=u64::try_from(MOST_ARGUMENTS).unwrap_or(0) {
            self.emit_argument(argc, vector, index, done);
        }
        self.builder.finish(Terminator::Goto(done));
        self.builder.start_block(done);
        vector
    }

    /// Makes `argv[index]` if there is one, else goes to `done`.
    fn emit_argument(&mut self, argc: Operand, vector: Operand, index: u64, done: BlockId) {
        let exists = self.emit_compare(CompareOp::Slt, int_constant(32, u128::from(index)), argc);
        let next = self.builder.reserve_block();
        self.builder.finish(Terminator::Branch { condition: exists, then: next, otherwise: done });
        self.builder.start_block(next);
        let name = format!("argv[{index}]");
        let short = self.emit_choice(
            &format!("{name} has at most {LONGEST_ARGUMENT} characters"),
            Type::Int(1),
        );
        self.require_or_limit(
            short,
            &format!("{} {LONGEST_ARGUMENT} characters", ouro_model::LONG_ARGUMENT_LIMIT),
        );
        let size = self.size_constant(LONGEST_ARGUMENT + 1);
        let text = self.emit_alloca(size, 1, &name);
        let offset = self.size_constant(LONGEST_ARGUMENT);
        let end = self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
            dst,
            base: text,
            index: offset,
            scale: 1,
        });
        self.builder.emit(Instruction::Store { address: end, value: int_constant(8, 0) });
        let scale = i64::from(self.program.pointer_bits / 8);
        let position = self.size_constant(index);
        let slot = self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
            dst,
            base: vector,
            index: position,
            scale,
        });
        self.builder.emit(Instruction::Store { address: slot, value: text });
    }

    /// Arguments of a function other than `main`: free numbers.
    fn emit_free_arguments(&mut self, function: LlvmValue<'c>) -> Result<Vec<Operand>, Terminator> {
        let mut args = Vec::new();
        if reads_further_arguments(function) {
            // How many a caller passes, and of which types, nobody knows.
            self.builder.span = self.program.source_span(function.debug_place(), false);
            return Err(Terminator::Limit("an argument behind the last parameter".to_owned()));
        }
        for (index, parameter) in (0..).zip(function.parameters()) {
            let name = parameter.name();
            let leaves = layout::type_leaves(self.program.layout, parameter.ty())
                .map_err(Terminator::Limit)?;
            let pointee =
                function.by_value_type(index).or_else(|| function.structure_result_type(index));
            if let Some(ty) = pointee {
                // The caller's own object, of free content: uninitialised memory is a choice.
                let size = self.size_constant(self.program.layout.size(ty));
                let align = self.program.layout.align(ty);
                args.push(self.emit_alloca(size, align, &name));
                continue;
            }
            let ignored = escape::is_unread_parameter(parameter);
            for leaf in leaves {
                args.push(match leaf.ty {
                    ty if ignored => Operand::Const { ty, bits: 0 },
                    // It may lead anywhere: to a function, to what can be freed, to another parameter.
                    Type::Ptr => {
                        self.builder.span = self.program.source_span(function.debug_place(), false);
                        return Err(Terminator::Limit(format!("the pointer parameter {name}")));
                    }
                    ty => self.emit_choice(&name, ty),
                });
            }
        }
        Ok(args)
    }
}

/// Whether a function looks at arguments behind its last parameter.
fn reads_further_arguments(function: LlvmValue<'_>) -> bool {
    let code = function.blocks().into_iter().flat_map(BasicBlock::instructions);
    let mut calls = code.filter(|one| matches!(one.opcode(), Opcode::LLVMCall));
    calls.any(|call| call.callee().name().starts_with("llvm.va_start"))
}

/// A function that does nothing.
fn empty_function(name: &str) -> Function {
    let mut builder = FunctionBuilder::new();
    let first = builder.reserve_block();
    builder.start_block(first);
    builder.finish(Terminator::Return(Vec::new()));
    finish_own_function(builder, name)
}

/// A function of the front end's own.
pub(crate) fn finish_own_function(builder: FunctionBuilder, name: &str) -> Function {
    let (vars, blocks, _) = builder.into_blocks(&[]);
    Function {
        name: name.to_owned(),
        vars,
        params: Vec::new(),
        variadic: false,
        returns: Vec::new(),
        blocks,
        span: Span::NONE,
        user: false,
        specification: false,
    }
}

fn parameter_types<'c>(
    program: &LlvmLowering<'c>,
    function: LlvmValue<'c>,
) -> Result<Vec<Type>, Terminator> {
    let mut types = Vec::new();
    for parameter in function.parameters() {
        let leaves =
            layout::type_leaves(program.layout, parameter.ty()).map_err(Terminator::Limit)?;
        types.extend(leaves.into_iter().map(|leaf| leaf.ty));
    }
    Ok(types)
}
