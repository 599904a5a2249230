//! Where calls carry addresses: to the program's own functions, to the library, and to code that is elsewhere.

use std::collections::BTreeSet;

use super::{AddressFlow, AddressSet, CallingSide, ReachableObject};
use crate::llvm::{LlvmValue, TypeKind};
use crate::strangers::is_stranger;

/// Library functions that keep what they are passed where any other code finds it.
const KEEPERS: [&str; 8] =
    ["strtok", "setvbuf", "setbuf", "setbuffer", "putenv", "signal", "atexit", "on_exit"];

/// Library functions that store data of their own and no address, and whose numbers come from none.
const DATA_ONLY: &str = "scanf fscanf vscanf vfscanf fgets fread read gets memset bzero printf \
    fprintf vprintf vfprintf dprintf puts fputs putchar putc fputc fwrite write perror strlen \
    strnlen strcmp strncmp memcmp strcasecmp strncasecmp strspn strcspn time gettimeofday \
    clock_gettime nanosleep getchar getc fgetc fclose fflush feof ferror free";

impl<'c> AddressFlow<'_, 'c> {
    pub(super) fn follow_call(
        &mut self,
        side: CallingSide,
        caller: LlvmValue<'c>,
        call: LlvmValue<'c>,
    ) {
        let callee = call.callee();
        let name = callee.name();
        if name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime.") {
            return;
        }
        let targets = self.points_to(side, callee);
        for target in targets {
            match self.objects[target] {
                ReachableObject::Function(function) => {
                    self.note_call(side, caller, call, function);
                    if !function.is_declaration() && !self.program.is_library_value(function) {
                        self.follow_own_call(side, call, function);
                    } else if is_stranger(function) && function.is_declaration() {
                        self.hand_over(side, call, Some(function));
                    } else {
                        self.follow_library_call(side, caller, call, &function.name());
                    }
                }
                ReachableObject::Elsewhere => self.hand_over(side, call, None),
                _ => {}
            }
        }
    }

    fn note_call(
        &mut self,
        side: CallingSide,
        caller: LlvmValue<'c>,
        call: LlvmValue<'c>,
        called: LlvmValue<'c>,
    ) {
        if side == CallingSide::Program {
            self.reads.note_call(caller, call.parent(), called);
        }
    }

    fn follow_own_call(&mut self, side: CallingSide, call: LlvmValue<'c>, function: LlvmValue<'c>) {
        self.add_function(side, function);
        let parameters = function.parameters();
        for (index, argument) in call.arguments().into_iter().enumerate() {
            let passed = self.points_to(side, argument);
            let to = match parameters.get(index) {
                Some(parameter) => AddressSet::Value(side, *parameter),
                None => {
                    let rest = self.object(ReachableObject::Rest(side, function));
                    AddressSet::Content(rest)
                }
            };
            self.add(to, &passed);
        }
        let back = self.get(&AddressSet::Result(side, function));
        self.add(AddressSet::Value(side, call), &back);
    }

    /// A call of code that is elsewhere.
    fn hand_over(&mut self, side: CallingSide, call: LlvmValue<'c>, called: Option<LlvmValue<'c>>) {
        let elsewhere = self.object(ReachableObject::Elsewhere);
        let seen = AddressSet::Content(elsewhere);
        for (index, argument) in (0..).zip(call.arguments()) {
            let mut passed = self.points_to(side, argument);
            if called.is_some_and(|called| called.structure_result_type(index).is_some()) {
                let back = self.get(&seen);
                self.put_into(side, &passed, &back);
                continue;
            }
            if called.is_some_and(|called| called.by_value_type(index).is_some()) {
                passed = self.contents(&passed);
            }
            let own = |id: &usize| !matches!(self.objects[*id], ReachableObject::Elsewhere);
            if passed.iter().any(own) {
                self.handed.insert(argument);
            }
            self.add(seen.clone(), &passed);
        }
        let back = self.get(&seen);
        self.add(AddressSet::Value(side, call), &back);
    }

    /// A call of the library: it may store what it is passed, and what it finds there, in everything that it is passed.
    fn follow_library_call(
        &mut self,
        side: CallingSide,
        caller: LlvmValue<'c>,
        call: LlvmValue<'c>,
        name: &str,
    ) {
        let arguments = call.arguments();
        if name.starts_with("llvm.va_start") {
            let rest = self.object(ReachableObject::Rest(side, caller));
            let list = self.points_to(side, arguments[0]);
            return self.put_into(side, &list, &BTreeSet::from([rest]));
        }
        let is_copy = |known: &str| name == known || name.starts_with(&format!("llvm.{known}."));
        let value = AddressSet::Value(side, call);
        if ["memcpy", "memmove"].into_iter().any(is_copy) {
            let to = self.points_to(side, arguments[0]);
            let from = self.points_to(side, arguments[1]);
            let what = self.take_from(side, &from);
            self.put_into(side, &to, &what);
            return self.add(value, &to);
        }
        let mut passed = BTreeSet::new();
        for argument in &arguments {
            passed.extend(self.points_to(side, *argument));
        }
        loop {
            let inside = self.take_from(side, &passed);
            let before = passed.len();
            passed.extend(inside);
            if passed.len() == before {
                break;
            }
        }
        let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_"));
        let is_data = DATA_ONLY.split(' ').any(|known| known == plain.unwrap_or(name))
            || name.starts_with("llvm.memset");
        let all = passed.clone();
        let stored = if is_data { self.contents(&all) } else { passed.clone() };
        self.put_into(side, &all, &stored);
        for id in all {
            if let ReachableObject::Function(function) = self.objects[id]
                && !function.is_declaration()
                && !self.program.is_library_value(function)
            {
                self.note_call(side, caller, call, function);
                if side == CallingSide::Program {
                    self.reads.note_callback(function);
                }
                let back = self.enter(side, function, &passed);
                passed.extend(back);
            }
        }
        if KEEPERS.contains(&name) {
            let elsewhere = self.object(ReachableObject::Elsewhere);
            self.add(AddressSet::Content(elsewhere), &passed);
            passed.extend(self.get(&AddressSet::Content(elsewhere)));
        }
        if call.ty().kind() == TypeKind::LLVMPointerTypeKind {
            passed.insert(self.object(ReachableObject::Heap(side, call)));
        } else if is_data {
            return;
        }
        self.add(value, &passed);
    }
}
