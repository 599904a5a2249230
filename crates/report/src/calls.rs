//! What recursive calls return, in the user's words.

use ouro_evidence::{Evidence, Ints, ProgramRanking, Summary};
use ouro_model::flow::is_unsigned;
use ouro_model::{Function, Program, Type};
use ouro_term::{Op, Sort, Term, Terms};

use crate::infix::{Name, infix};
use crate::{About, Report};

/// Integers narrower than this are bit-vectors, whatever integers are.
const INT: u32 = 32;

/// What is known of the calls of one function.
pub(crate) struct Returns {
    /// The function, with the names of what it is given.
    pub(crate) call: String,
    /// What holds for what it returns, each for itself.
    pub(crate) known: Vec<String>,
}

/// What a proof uses about what calls return; nothing if it uses nothing.
pub(crate) fn returned(report: &Report<'_>) -> Vec<Returns> {
    let About::Program { ints, program: Some(program), .. } = report.about else {
        return Vec::new();
    };
    let Some(Evidence::RankedProgram(ProgramRanking { summaries, .. })) = report.verdict.evidence()
    else {
        return Vec::new();
    };
    summaries.iter().filter_map(|summary| of_function(program, ints, summary)).collect()
}

fn of_function(program: &Program, ints: Ints, summary: &Summary) -> Option<Returns> {
    let function = program.functions.iter().find(|one| one.name == summary.function)?;
    let mut terms = Terms::new();
    for (stem, types) in [("argument", given(function)), ("result", function.returns.clone())] {
        for (index, ty) in types.into_iter().enumerate() {
            let sort = match ty {
                Type::Int(INT..) if ints == Ints::Unbounded => Sort::Int,
                ty => Sort::BitVec(ty.bits(program.target.pointer_bits)),
            };
            terms.symbol(&format!("{stem}.{index}"), sort);
        }
    }
    let formula = terms.parse(&summary.formula).ok()?;
    let name = |symbol: &str| name(function, symbol);
    let known = parts(&terms, formula).into_iter().map(|part| infix(&terms, part, &name)).collect();
    let names: Vec<String> =
        (0..function.params.len()).map(|index| name(&format!("argument.{index}")).text).collect();
    Some(Returns { call: format!("{}({})", summary.function, names.join(", ")), known })
}

fn given(function: &Function) -> Vec<Type> {
    function.params.iter().map(|var| function.vars[*var].ty).collect()
}

fn parts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.op(formula) {
        Op::And => terms.args(formula).to_vec(),
        _ => vec![formula],
    }
}

/// What the user calls a symbol of a summary.
fn name(function: &Function, symbol: &str) -> Name {
    let index = symbol.strip_prefix("argument.").and_then(|index| index.parse::<usize>().ok());
    match index.and_then(|index| function.params.get(index)) {
        Some(var) => {
            let text = function.vars[*var].name.clone();
            let text = if text.is_empty() { symbol.replace('.', " ") } else { text };
            Name { text, unsigned: is_unsigned(function, *var) }
        }
        None => Name { text: "the result".to_owned(), unsigned: false },
    }
}
