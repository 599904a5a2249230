//! Objects that the C library has and programs declare: `optind`, `environ`, `timezone`.
//!
//! What they hold is the library's business. The environment does not choose it, so no run that never ends may rest on a
//! value; a few start with the same value everywhere.

use ouro_model::{Instruction, Operand, Type};

use crate::layout;
use crate::llvm::LlvmValue;
use crate::start::EntryBuilder;
use crate::values::int_constant;

/// The objects that programs can name.
const OBJECTS: [&str; 52] = [
    "__daylight",
    "__environ",
    "__fpu_control",
    "__libc_enable_secure",
    "__libc_single_threaded",
    "__libc_stack_end",
    "__progname",
    "__progname_full",
    "__signgam",
    "__stack_chk_guard",
    "__timezone",
    "__tzname",
    "_environ",
    "_nl_msg_cat_cntr",
    "_res",
    "_sys_errlist",
    "_sys_nerr",
    "_sys_siglist",
    "argp_err_exit_status",
    "argp_program_bug_address",
    "argp_program_version",
    "argp_program_version_hook",
    "daylight",
    "environ",
    "error_message_count",
    "error_one_per_line",
    "error_print_progname",
    "getdate_err",
    "h_errlist",
    "h_nerr",
    "in6addr_any",
    "in6addr_loopback",
    "loc1",
    "loc2",
    "locs",
    "obstack_alloc_failed_handler",
    "obstack_exit_failure",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "program_invocation_name",
    "program_invocation_short_name",
    "re_syntax_options",
    "rpc_createerr",
    "signgam",
    "svc_fdset",
    "sys_errlist",
    "sys_nerr",
    "sys_siglist",
    "timezone",
    "tzname",
];

/// Those of which POSIX says what they hold at the start.
const KNOWN: [(&str, u128); 2] = [("optind", 1), ("opterr", 1)];

/// How the names of objects of the C++ library begin.
const CXX: [&str; 4] = ["_ZSt", "_ZNSt", "_ZTVSt", "_ZTVNSt"];

/// Whether the C library, or that of C++, has an object of this name.
pub(crate) fn is_provided_object(name: &str) -> bool {
    OBJECTS.contains(&name) || CXX.iter().any(|start| name.starts_with(start))
}

impl<'c> EntryBuilder<'_, 'c> {
    /// Fills such objects before anything runs.
    pub(crate) fn emit_provided_objects(&mut self) {
        let is_any_time = self.program.is_any_time();
        let user = self.program.user;
        for object in user.globals() {
            let name = object.name();
            let is_declared = object.is_declaration() && !object.users().is_empty();
            if is_declared && is_provided_object(&name) {
                self.emit_provided_object(object, &name, is_any_time);
            }
        }
    }

    fn emit_provided_object(&mut self, object: LlvmValue<'c>, name: &str, is_any_time: bool) {
        // What cannot be expressed is a limit where the program uses it.
        let ty = object.value_type();
        let own = self.program.find_definition(name).ok().flatten();
        if own.is_some() || !ty.is_sized() {
            return;
        }
        let Ok(leaves) = layout::type_leaves(self.program.layout, ty) else { return };
        let Ok(id) = self.program.global_id(object) else { return };
        let known = KNOWN.iter().find(|known| known.0 == name && !is_any_time);
        for leaf in leaves {
            let Ok(offset) = i64::try_from(leaf.offset) else { return };
            let value = match (known, leaf.ty) {
                (Some((_, number)), Type::Int(bits)) => int_constant(bits, *number),
                (_, ty) => {
                    let why = format!("what the C library keeps in {name}");
                    self.builder.emit_with_result(ty, |dst| Instruction::Unknown { dst, why })
                }
            };
            self.builder.emit(Instruction::Store { address: Operand::Global(id, offset), value });
        }
    }
}
