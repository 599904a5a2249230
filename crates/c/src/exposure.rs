//! What of the program's memory its functions without a body can reach.
//!
//! Their code may be anywhere: it sees every variable and calls every function that is not `static`, reads what was
//! handed to it, now or earlier, and follows what it finds there. Which addresses get where is computed for the program
//! as a whole (Andersen's analysis, without order and without fields). A number, a float or a byte may be made of an
//! address as well as a pointer, so types play no part. Functions that are called from elsewhere are looked at a second
//! time, apart from the program's own calls of them, lest what others pass seems to meet what the program passes.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::llvm::{BasicBlock, LlvmValue, Opcode, ValueKind};
use crate::lower::{LlvmLowering, ResolvedSymbol, is_visible};
use crate::start::listed_functions;

mod after;
mod calls;

use after::CodeReads;

/// Functions to which control can come back from anywhere.
const JUMPS: [&str; 6] =
    ["setjmp", "_setjmp", "__sigsetjmp", "getcontext", "__builtin_setjmp", "llvm.eh.sjlj.setjmp"];

/// Passes over the program after which everything counts as reached.
const MOST_PASSES: usize = 200;

/// Who calls a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum CallingSide {
    Program,
    Elsewhere,
}

/// Something that an address can lead to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum ReachableObject<'c> {
    /// Whatever other code has of its own.
    Elsewhere,
    Global(LlvmValue<'c>),
    Slot(CallingSide, LlvmValue<'c>),
    /// What a call of the library allocated.
    Heap(CallingSide, LlvmValue<'c>),
    Function(LlvmValue<'c>),
    /// The arguments behind a variadic function's last parameter.
    Rest(CallingSide, LlvmValue<'c>),
    /// How far two objects are apart: nothing to follow, but with the address of one it leads to the other.
    Distance(usize, usize),
}

/// A set of addresses.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum AddressSet<'c> {
    Value(CallingSide, LlvmValue<'c>),
    Result(CallingSide, LlvmValue<'c>),
    Content(usize),
}

/// An object that other code can change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ExposedObject<'c> {
    Global(LlvmValue<'c>),
    /// A local object, and the function that it is of.
    Slot(LlvmValue<'c>, LlvmValue<'c>),
    Heap,
}

/// What other code can change of what the program reads.
#[derive(Debug, Default)]
pub(crate) struct Exposure<'c> {
    objects: Vec<(usize, ExposedObject<'c>)>,
    /// Whether the program is too large to tell.
    pub(crate) gave_up: bool,
    reads: CodeReads<'c>,
    /// Whether the code of the program does not say what runs after what.
    disordered: bool,
    /// Arguments of such functions in which there is the address of something of the program's.
    addresses: HashSet<LlvmValue<'c>>,
}

impl<'c> Exposure<'c> {
    /// The objects that it matters for if a call in a function changes them.
    pub(crate) fn objects_read_after(
        &self,
        function: LlvmValue<'c>,
        call: Option<LlvmValue<'c>>,
    ) -> Vec<ExposedObject<'c>> {
        let read = match call {
            Some(call) if !self.disordered => self.reads.reads_after(function, call.parent()),
            _ => self.reads.all_reads(),
        };
        let mut found = Vec::new();
        for (id, object) in &self.objects {
            if read.contains(id) && !found.contains(object) {
                found.push(*object);
            }
        }
        found
    }

    /// Whether a call in one function may lead to another one.
    pub(crate) fn may_call(&self, from: LlvmValue<'c>, to: LlvmValue<'c>) -> bool {
        self.reads.may_call(from, to)
    }

    /// Whether an argument holds the address of something of the program's.
    pub(crate) fn holds_address(&self, argument: LlvmValue<'c>) -> bool {
        self.addresses.contains(&argument)
    }
}

/// Adds the objects that distances lead to from others of the set.
fn complete_distances(objects: &[ReachableObject<'_>], set: &mut BTreeSet<usize>) {
    loop {
        let reached = set.iter().filter_map(|id| match objects[*id] {
            ReachableObject::Distance(one, other) if set.contains(&one) => Some(other),
            ReachableObject::Distance(one, other) if set.contains(&other) => Some(one),
            _ => None,
        });
        let more: Vec<usize> = reached.filter(|id| !set.contains(id)).collect();
        if more.is_empty() {
            return;
        }
        set.extend(more);
    }
}

/// Finds out what functions without a body can reach.
pub(crate) fn find_exposure<'c>(program: &mut LlvmLowering<'c>) -> Exposure<'c> {
    let mut analysis = AddressFlow::new(program);
    analysis.seed();
    let mut passes = 0;
    while std::mem::take(&mut analysis.changed) {
        passes += 1;
        if passes > MOST_PASSES {
            return Exposure { gave_up: true, ..Exposure::default() };
        }
        analysis.pass();
    }
    analysis.finish()
}

struct AddressFlow<'a, 'c> {
    program: &'a mut LlvmLowering<'c>,
    objects: Vec<ReachableObject<'c>>,
    object_ids: HashMap<ReachableObject<'c>, usize>,
    sets: HashMap<AddressSet<'c>, BTreeSet<usize>>,
    functions: Vec<(CallingSide, LlvmValue<'c>)>,
    known: HashSet<(CallingSide, LlvmValue<'c>)>,
    owners: HashMap<LlvmValue<'c>, LlvmValue<'c>>,
    symbols: HashMap<LlvmValue<'c>, Option<ResolvedSymbol<'c>>>,
    /// Where the program reads what, and what functions that other code calls write.
    reads: CodeReads<'c>,
    written: BTreeSet<usize>,
    handed: HashSet<LlvmValue<'c>>,
    /// The block that is looked at.
    block: Option<BasicBlock<'c>>,
    changed: bool,
}

impl<'a, 'c> AddressFlow<'a, 'c> {
    fn new(program: &'a mut LlvmLowering<'c>) -> Self {
        AddressFlow {
            program,
            objects: Vec::new(),
            object_ids: HashMap::new(),
            sets: HashMap::new(),
            functions: Vec::new(),
            known: HashSet::new(),
            owners: HashMap::new(),
            symbols: HashMap::new(),
            reads: CodeReads::default(),
            written: BTreeSet::new(),
            handed: HashSet::new(),
            block: None,
            changed: true,
        }
    }

    /// What can be seen by its name.
    fn seed(&mut self) {
        let elsewhere = self.object(ReachableObject::Elsewhere);
        let mut seen = BTreeSet::from([elsewhere]);
        // A specification is about what the program does with its variables: that others leave those alone which they
        // were not handed is assumed there, and listed.
        let by_name = self.program.options.monitor.is_none();
        for global in self.program.user.globals() {
            if by_name
                && is_visible(global)
                && let Some(ResolvedSymbol::Global(found)) = self.resolve(global)
                && !self.program.is_library_value(found)
            {
                seen.insert(self.object(ReachableObject::Global(found)));
            }
        }
        for function in self.program.user.functions() {
            // Nobody calls `main` a second time.
            let is_called = by_name && is_visible(function) && function.name() != "main";
            if is_called && !function.is_declaration() {
                seen.insert(self.object(ReachableObject::Function(function)));
            }
        }
        for function in self.first_functions() {
            self.add_function(CallingSide::Program, function);
        }
        self.add(AddressSet::Content(elsewhere), &seen);
    }

    /// Functions that nobody in the program has to call: its first one, and what runs before and after it.
    fn first_functions(&self) -> Vec<LlvmValue<'c>> {
        let user = self.program.user;
        let main = user.find_function("main").filter(|main| !main.is_declaration());
        match main.filter(|_| self.program.running_definitions().is_empty()) {
            Some(main) if !self.program.is_any_time() && self.program.options.monitor.is_none() => {
                let lists = ["llvm.global_ctors", "llvm.global_dtors"];
                let listed = lists.into_iter().flat_map(|name| listed_functions(user, name));
                std::iter::once(main).chain(listed.map(|(_, function)| function)).collect()
            }
            // Pointers to functions in variables may lead to any, and monitors may call any.
            _ => user.functions().into_iter().filter(|one| !one.is_declaration()).collect(),
        }
    }

    fn object(&mut self, object: ReachableObject<'c>) -> usize {
        if let Some(id) = self.object_ids.get(&object) {
            return *id;
        }
        let id = self.objects.len();
        self.objects.push(object);
        self.object_ids.insert(object, id);
        if let ReachableObject::Global(global) = object
            && let Some(initial) =
                (!global.is_declaration()).then(|| global.initializer()).flatten()
        {
            let inside = self.points_to(CallingSide::Program, initial);
            self.add(AddressSet::Content(id), &inside);
        }
        id
    }

    fn add_function(&mut self, side: CallingSide, function: LlvmValue<'c>) {
        if self.known.insert((side, function)) {
            self.functions.push((side, function));
            self.changed = true;
        }
    }

    fn resolve(&mut self, value: LlvmValue<'c>) -> Option<ResolvedSymbol<'c>> {
        if let Some(found) = self.symbols.get(&value) {
            return *found;
        }
        let found = self.program.resolve(value).ok();
        self.symbols.insert(value, found);
        found
    }

    fn get(&self, set: &AddressSet<'c>) -> BTreeSet<usize> {
        self.sets.get(set).cloned().unwrap_or_default()
    }

    fn add(&mut self, set: AddressSet<'c>, more: &BTreeSet<usize>) {
        if more.is_empty() {
            return;
        }
        let old = self.sets.entry(set).or_default();
        let before = old.len();
        old.extend(more);
        if old.len() != before {
            complete_distances(&self.objects, old);
            self.changed = true;
        }
    }

    /// What the difference of two addresses tells: where they lead to the same object, nothing.
    fn distances(&mut self, from: &BTreeSet<usize>, to: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for one in from {
            for other in to.iter().filter(|other| *other != one) {
                found.insert(match (self.is_distance(*one), self.is_distance(*other)) {
                    (true, _) => *one,
                    (_, true) => *other,
                    _ => self.object(ReachableObject::Distance(*one.min(other), *one.max(other))),
                });
            }
        }
        found
    }

    fn is_distance(&self, id: usize) -> bool {
        matches!(self.objects[id], ReachableObject::Distance(..))
    }

    /// What is inside of some objects.
    fn contents(&self, objects: &BTreeSet<usize>) -> BTreeSet<usize> {
        let inside = objects.iter().filter_map(|id| self.sets.get(&AddressSet::Content(*id)));
        inside.flatten().copied().collect()
    }

    fn put_into(&mut self, side: CallingSide, objects: &BTreeSet<usize>, more: &BTreeSet<usize>) {
        for id in objects {
            self.add(AddressSet::Content(*id), more);
        }
        if side == CallingSide::Elsewhere {
            self.written.extend(objects);
        }
    }

    fn take_from(&mut self, side: CallingSide, objects: &BTreeSet<usize>) -> BTreeSet<usize> {
        if let Some(block) = self.block.filter(|_| side == CallingSide::Program) {
            self.reads.note_reads(block, objects);
        }
        self.contents(objects)
    }

    /// Where a value may lead.
    fn points_to(&mut self, side: CallingSide, value: LlvmValue<'c>) -> BTreeSet<usize> {
        match value.kind() {
            ValueKind::LLVMInstructionValueKind | ValueKind::LLVMArgumentValueKind => {
                self.get(&AddressSet::Value(side, value))
            }
            ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMFunctionValueKind => {
                let object = match self.resolve(value) {
                    Some(ResolvedSymbol::Global(global)) => ReachableObject::Global(global),
                    Some(ResolvedSymbol::Function(f) | ResolvedSymbol::External(f)) => {
                        ReachableObject::Function(f)
                    }
                    None => ReachableObject::Elsewhere,
                };
                BTreeSet::from([self.object(object)])
            }
            ValueKind::LLVMConstantExprValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantVectorValueKind => {
                let operands = value.operands();
                operands.into_iter().flat_map(|one| self.points_to(side, one)).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    fn pass(&mut self) {
        let mut next = 0;
        while let Some((side, function)) = self.functions.get(next).copied() {
            next += 1;
            for block in function.blocks() {
                self.block = Some(block);
                for instruction in block.instructions() {
                    self.follow_instruction(side, function, instruction);
                }
            }
        }
        self.follow_elsewhere();
    }

    /// Other code reads and writes whatever it can reach, and calls the functions.
    fn follow_elsewhere(&mut self) {
        let elsewhere = self.object(ReachableObject::Elsewhere);
        let reached = self.get(&AddressSet::Content(elsewhere));
        for id in &reached {
            match self.objects[*id] {
                ReachableObject::Function(function) => {
                    if !function.is_declaration() && !self.program.is_library_value(function) {
                        let back = self.enter(CallingSide::Elsewhere, function, &reached);
                        self.add(AddressSet::Content(elsewhere), &back);
                    }
                }
                _ => {
                    let inside = self.get(&AddressSet::Content(*id));
                    self.add(AddressSet::Content(elsewhere), &inside);
                    self.add(AddressSet::Content(*id), &reached);
                }
            }
        }
    }

    /// Calls a function with the same for every parameter; returns what it may return.
    fn enter(
        &mut self,
        side: CallingSide,
        function: LlvmValue<'c>,
        passed: &BTreeSet<usize>,
    ) -> BTreeSet<usize> {
        self.add_function(side, function);
        for parameter in function.parameters() {
            self.add(AddressSet::Value(side, parameter), passed);
        }
        let rest = self.object(ReachableObject::Rest(side, function));
        self.add(AddressSet::Content(rest), passed);
        self.get(&AddressSet::Result(side, function))
    }

    fn follow_instruction(
        &mut self,
        side: CallingSide,
        function: LlvmValue<'c>,
        instruction: LlvmValue<'c>,
    ) {
        let value = AddressSet::Value(side, instruction);
        let is_address =
            |one: LlvmValue<'c>| one.is_instruction() && one.opcode() == Opcode::LLVMPtrToInt;
        match instruction.opcode() {
            Opcode::LLVMAlloca => {
                self.owners.insert(instruction, function);
                let slot = self.object(ReachableObject::Slot(side, instruction));
                self.add(value, &BTreeSet::from([slot]));
            }
            Opcode::LLVMLoad => {
                let from = self.points_to(side, instruction.operand(0));
                let found = self.take_from(side, &from);
                self.add(value, &found);
            }
            Opcode::LLVMStore => {
                let what = self.points_to(side, instruction.operand(0));
                let to = self.points_to(side, instruction.operand(1));
                self.put_into(side, &to, &what);
            }
            Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
                let operands = instruction.operands();
                let cell = self.points_to(side, operands[0]);
                let found = self.take_from(side, &cell);
                self.add(value, &found);
                for operand in &operands[1..] {
                    let what = self.points_to(side, *operand);
                    self.put_into(side, &cell, &what);
                }
            }
            Opcode::LLVMCall | Opcode::LLVMInvoke => self.follow_call(side, function, instruction),
            Opcode::LLVMRet => {
                for operand in instruction.operands() {
                    let what = self.points_to(side, operand);
                    self.add(AddressSet::Result(side, function), &what);
                }
            }
            Opcode::LLVMICmp | Opcode::LLVMFCmp | Opcode::LLVMBr | Opcode::LLVMSwitch => {}
            // How far two addresses are apart is no address.
            Opcode::LLVMSub if instruction.operands().into_iter().all(is_address) => {
                let from = self.points_to(side, instruction.operand(0));
                let to = self.points_to(side, instruction.operand(1));
                let apart = self.distances(&from, &to);
                self.add(value, &apart);
            }
            // An index leads out of its object only if it says how far another one is.
            Opcode::LLVMGetElementPtr if !instruction.operand(0).is_zero() => {
                let operands = instruction.operands();
                let mut found = self.points_to(side, operands[0]);
                for index in &operands[1..] {
                    let what = self.points_to(side, *index);
                    found.extend(what.into_iter().filter(|id| self.is_distance(*id)));
                }
                self.add(value, &found);
            }
            _ => {
                for operand in instruction.operands() {
                    let what = self.points_to(side, operand);
                    self.add(value.clone(), &what);
                }
            }
        }
    }

    fn finish(self) -> Exposure<'c> {
        let elsewhere = self.object_ids[&ReachableObject::Elsewhere];
        let mut reached = self.get(&AddressSet::Content(elsewhere));
        reached.extend(&self.written);
        let exposed = |id: usize| match self.objects[id] {
            ReachableObject::Global(global)
                if !global.is_constant_global() && !self.program.is_library_value(global) =>
            {
                Some(ExposedObject::Global(global))
            }
            ReachableObject::Slot(CallingSide::Program, slot) => {
                Some(ExposedObject::Slot(slot, self.owners[&slot]))
            }
            ReachableObject::Heap(CallingSide::Program, _) => Some(ExposedObject::Heap),
            _ => None,
        };
        let objects = reached.into_iter().filter_map(|id| Some((id, exposed(id)?))).collect();
        // Monitors look on at any time, and who jumps comes to code that does not follow.
        let jumps = |name: &str| self.program.user.find_function(name).is_some();
        let disordered = self.program.options.monitor.is_some()
            || JUMPS.into_iter().any(jumps)
            || self.program.is_any_time();
        Exposure { objects, gave_up: false, reads: self.reads, disordered, addresses: self.handed }
    }
}
