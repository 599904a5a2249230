//! Functions of SV-COMP that a program wrongly declares never to return.
//!
//! Some tasks write `extern int __VERIFIER_nondet_int() __attribute__((noreturn))`, although by the
//! rules of that set the function returns. clang drops the code after such a call, so the file is
//! compiled once more without the attribute. It is taken away throughout the text; what was said of
//! any other function is then said again to the module, and lowering holds to it.

use crate::llvm::{BasicBlock, LlvmModule, LlvmValue, ValueKind};

/// Options under which no text declares that a function never returns.
pub(crate) const WITHOUT: [&str; 2] = ["-D__noreturn__=__unused__", "-Dnoreturn=__unused__"];

/// What is taken for granted when the attribute is taken away.
pub(crate) const ASSUMPTION: &str = "__VERIFIER_nondet_* and __VERIFIER_assume return, although \
                                     the program declares that they do not";

/// What a module declares.
pub(crate) struct DeclaredNoreturn {
    /// Whether SV-COMP's functions are among those that never return, and the attribute can be taken
    /// away from them alone.
    pub(crate) wrongly: bool,
    /// The other functions that never return.
    rightly: Vec<String>,
}

impl DeclaredNoreturn {
    pub(crate) fn of_module(module: LlvmModule<'_>) -> DeclaredNoreturn {
        let (wrong, right): (Vec<_>, Vec<_>) =
            module.functions().into_iter().filter(|function| is_noreturn(*function)).partition(
                |function| {
                    function.is_declaration() && is_returning_svcomp_function(&function.name())
                },
            );
        let rightly = right.into_iter().map(LlvmValue::name).collect();
        // The type of a pointer can say it, too; that would be lost.
        let wrongly = !wrong.is_empty() && !calls_noreturn_pointer(module);
        DeclaredNoreturn { wrongly, rightly }
    }

    /// Says of the other functions, in a module without the attribute, that they never return.
    pub(crate) fn restore_noreturn(&self, module: LlvmModule<'_>) {
        for function in self.rightly.iter().filter_map(|name| module.find_function(name)) {
            function.add_function_attribute("noreturn");
        }
    }
}

fn is_returning_svcomp_function(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_") || name == "__VERIFIER_assume"
}

fn is_noreturn(function: LlvmValue<'_>) -> bool {
    // clang writes it at the declaration or at the call, where the type has no prototype.
    function.function_has_attribute("noreturn")
        || function.users().into_iter().any(|user| {
            user.is_call() && user.callee() == function && user.call_has_attribute("noreturn")
        })
}

fn calls_noreturn_pointer(module: LlvmModule<'_>) -> bool {
    let functions = module.functions();
    let blocks = functions.iter().flat_map(|function| function.blocks());
    let mut instructions = blocks.flat_map(BasicBlock::instructions);
    instructions.any(|call| {
        call.is_call()
            && call.call_has_attribute("noreturn")
            && !matches!(call.callee().kind(), ValueKind::LLVMFunctionValueKind)
    })
}
