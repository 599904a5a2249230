//! What recursive calls return, in the user's words.

use ouro_evidence::{Evidence, FunctionSummary, IntegerSemantics, ProgramRanking};
use ouro_model::flow::is_unsigned;
use ouro_model::{Function, Program, Type};
use ouro_term::{Sort, Term, TermOp, TermStore};

use crate::infix::{SymbolName, infix_text};
use crate::{ReportSubject, VerdictReport};

/// Integers narrower than this are bit-vectors, whatever integers are.
const INT: u32 = 32;

/// What is known of the calls of one function.
pub(crate) struct CallReturnFacts {
    /// The function, with the names of what it is given.
    pub(crate) call: String,
    /// What holds for what it returns, each for itself.
    pub(crate) known: Vec<String>,
}

/// What a proof uses about what calls return; nothing if it uses nothing.
pub(crate) fn call_return_facts(report: &VerdictReport<'_>) -> Vec<CallReturnFacts> {
    let ReportSubject::Program { ints, program: Some(program), .. } = report.about else {
        return Vec::new();
    };
    let Some(Evidence::RankedProgram(ProgramRanking { summaries, .. })) = report.verdict.evidence()
    else {
        return Vec::new();
    };
    summaries.iter().filter_map(|summary| facts_of_function(program, ints, summary)).collect()
}

fn facts_of_function(
    program: &Program,
    ints: IntegerSemantics,
    summary: &FunctionSummary,
) -> Option<CallReturnFacts> {
    let function = program.functions.iter().find(|one| one.name == summary.function)?;
    let mut terms = TermStore::new();
    for (stem, types) in
        [("argument", result_types(function)), ("result", function.returns.clone())]
    {
        for (index, ty) in types.into_iter().enumerate() {
            let sort = match ty {
                Type::Int(INT..) if ints == IntegerSemantics::Unbounded => Sort::Int,
                ty => Sort::BitVec(ty.size_in_bits(program.target.pointer_bits)),
            };
            terms.intern_symbol(&format!("{stem}.{index}"), sort);
        }
    }
    let formula = terms.parse(&summary.formula).ok()?;
    let name = |symbol: &str| symbol_name(function, symbol);
    let known = conjuncts(&terms, formula)
        .into_iter()
        .map(|part| infix_text(&terms, part, &name))
        .collect();
    let names: Vec<String> =
        (0..function.params.len()).map(|index| name(&format!("argument.{index}")).text).collect();
    Some(CallReturnFacts { call: format!("{}({})", summary.function, names.join(", ")), known })
}

fn result_types(function: &Function) -> Vec<Type> {
    function.params.iter().map(|var| function.vars[*var].ty).collect()
}

fn conjuncts(terms: &TermStore, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        TermOp::And => terms.args(formula).to_vec(),
        _ => vec![formula],
    }
}

/// What the user calls a symbol of a summary.
fn symbol_name(function: &Function, symbol: &str) -> SymbolName {
    let index = symbol.strip_prefix("argument.").and_then(|index| index.parse::<usize>().ok());
    match index.and_then(|index| function.params.get(index)) {
        Some(var) => {
            let text = function.vars[*var].name.clone();
            let text = if text.is_empty() { symbol.replace('.', " ") } else { text };
            SymbolName { text, unsigned: is_unsigned(function, *var) }
        }
        None => SymbolName { text: "the result".to_owned(), unsigned: false },
    }
}
