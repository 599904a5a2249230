//! What a run asks of its surroundings: inputs, and somewhere to put constraints and output.

use ouro_model::{ChoiceSource, Span, Type};
use ouro_term::{Sort, Term, TermStore, sign_extend, width_mask};

use crate::integer::INT;
use crate::{MachineState, MachineValue};

/// A choice that a run asks for.
#[derive(Clone, Copy, Debug)]
pub struct ChoiceRequest<'a> {
    /// Where it comes from.
    pub source: &'a ChoiceSource,
    /// What it must be.
    pub ty: Type,
    /// Bits of the answer.
    pub width: u32,
    /// Where in the source.
    pub span: Span,
    /// The integers it is among; `None` for a choice of bits.
    pub range: Option<ChoiceRange>,
}

impl ChoiceRequest<'_> {
    /// What a symbol for the choice ranges over.
    pub fn sort(&self) -> Sort {
        match self.range {
            Some(_) => Sort::Int,
            None => Sort::BitVec(self.width),
        }
    }

    /// What is known of a term that stands for the choice.
    pub fn known_constraints(&self, terms: &mut TermStore, term: Term) -> Vec<Term> {
        self.range.map_or_else(Vec::new, |range| range.range_conditions(terms, term))
    }

    /// A symbol for the choice, and what is known of it. The name starts with `stem`; choices of
    /// another sort have another name.
    pub fn fresh_choice_symbol(
        &self,
        terms: &mut TermStore,
        stem: &str,
    ) -> Option<(Term, Vec<Term>)> {
        match self.range {
            Some(range) => {
                let symbol = terms.intern_symbol(&format!("{stem}.int"), Sort::Int)?;
                Some((symbol, range.range_conditions(terms, symbol)))
            }
            None => {
                let name = format!("{stem}.{}", self.width);
                Some((terms.intern_symbol(&name, Sort::BitVec(self.width))?, Vec::new()))
            }
        }
    }
}

/// The integers that a choice is among, where integers are unbounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChoiceRange {
    /// The least, if there is one.
    pub least: Option<i128>,
    /// The greatest, if there is one.
    pub most: Option<i128>,
}

impl ChoiceRange {
    /// What a choice of this width is among, under unbounded integers. Types narrower than `int`
    /// keep their range; where nobody knows whether they have a sign, they stay bits.
    pub(crate) fn of_choice(source: &ChoiceSource, width: u32) -> Option<ChoiceRange> {
        let known = match source {
            ChoiceSource::Function(name) => name.strip_prefix("__VERIFIER_nondet_"),
            ChoiceSource::Allocation(_)
            | ChoiceSource::Output(_)
            | ChoiceSource::Other(_)
            | ChoiceSource::Guess => None,
        };
        let unsigned = match known {
            Some("bool" | "_Bool") if width > 1 => {
                return Some(ChoiceRange { least: Some(0), most: Some(1) });
            }
            Some(
                "uchar" | "unsigned_char" | "u8" | "ushort" | "unsigned_short" | "u16" | "uint"
                | "unsigned" | "unsigned_int" | "u32" | "ulong" | "unsigned_long" | "size_t"
                | "sector_t" | "ulonglong" | "uint128",
            ) => Some(true),
            Some("char" | "schar" | "short") => Some(false),
            _ => None,
        };
        let range =
            ChoiceRange { least: unsigned.filter(|unsigned| *unsigned).map(|_| 0), most: None };
        match (width, unsigned) {
            (1, _) => None,
            (2..INT, None) => None,
            (2..INT, Some(_)) => {
                let (least, most) = range.fitting_bounds(width);
                Some(ChoiceRange { least: Some(least), most: Some(most) })
            }
            _ => Some(range),
        }
    }

    /// The least and the greatest integer of the range that an input of this width can give.
    pub fn fitting_bounds(self, width: u32) -> (i128, i128) {
        let natural = self.least.is_some_and(|least| least >= 0);
        let (least, most) = match natural {
            true => (0, i128::try_from(width_mask(width)).unwrap_or(i128::MAX)),
            false => (-1i128 << (width - 1), !(-1i128 << (width - 1))),
        };
        (least.max(self.least.unwrap_or(least)), most.min(self.most.unwrap_or(most)))
    }

    /// Whether the bits of an input are those of an integer of the range.
    pub fn admits_bits(self, width: u32, bits: u128) -> bool {
        let (least, most) = self.fitting_bounds(width);
        match least >= 0 {
            true => i128::try_from(bits).is_ok_and(|number| (least..=most).contains(&number)),
            false => (least..=most).contains(&sign_extend(width, bits)),
        }
    }

    /// The conditions that a term is within.
    pub fn range_conditions(self, terms: &mut TermStore, term: Term) -> Vec<Term> {
        let mut conditions = Vec::new();
        if let Some(least) = self.least {
            let least = terms.int(least);
            conditions.push(terms.int_le(least, term));
        }
        if let Some(most) = self.most {
            let most = terms.int(most);
            conditions.push(terms.int_le(term, most));
        }
        conditions
    }
}

/// The surroundings of a run.
pub trait RunEnvironment {
    /// A value that the environment of the program decides; `None` if it has none to give.
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue>;

    /// A value that the model does not know, of this sort; the run must be right for every one.
    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        why: &str,
    ) -> Option<MachineValue>;

    /// Whether a float that depends on the compiler is what x86-64's vector instructions make of it. A
    /// run that proves something does not know.
    fn settles_floats(&self) -> bool {
        false
    }

    /// From here on, only runs with this condition exist: the others have ended (in undefined
    /// behaviour, or at an assumption).
    fn assume(&mut self, condition: Term);

    /// As [`RunEnvironment::assume`]: the runs without the condition do something undefined there.
    fn exclude_undefined(&mut self, condition: Term, _undefined: &str, _span: Span) {
        self.assume(condition);
    }

    /// As [`RunEnvironment::assume`], but the runs without the condition have not ended: the model
    /// does not cover them, for the given reason. A proof that all runs end is then impossible.
    fn restrict_coverage(&mut self, condition: Term, why: &str);

    /// As [`RunEnvironment::restrict_coverage`], at a place that is known.
    fn restrict_coverage_at(&mut self, condition: Term, why: &str, _span: Span) {
        self.restrict_coverage(condition, why);
    }

    /// Whether an access at an unknown place of an object is answered with a value that nobody knows,
    /// and an object may have an unknown size. Then a run stands for more runs than there are: good
    /// for a proof that all of them end. Addresses of one object are ordered by how far they are into
    /// it, and stay within reach of it: C says nothing about other runs.
    fn havocs_unknown_accesses(&self) -> bool {
        false
    }

    /// The program writes to its standard output (1) or error (2).
    fn write_output(&mut self, _stream: u32, _bytes: &[u8]) {}

    /// The run passes an event of the specification.
    fn pass_event(&mut self, _number: u32) {}

    /// Whether the run stops ([`crate::MachineStop::Mark`]) when it returns to so many calls in progress.
    #[inline]
    fn awaits_return(&self, _below: usize) -> bool {
        false
    }

    /// The call that it awaits returns these numbers; `None` for what is no number.
    fn receive_results(&mut self, _results: Vec<Option<Term>>) {}

    /// The run takes an iteration of a loop or enters a function that may recurse. Returning true
    /// stops it there ([`crate::MachineStop::Mark`]). Of the state, only `low` may be changed.
    fn reach_mark(&mut self, _state: &mut MachineState) -> bool {
        false
    }
}
