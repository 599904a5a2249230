//! When a ranking gets smaller on a way.
//!
//! Some level gets smaller, and none before it grows. A function gets smaller if it was not negative
//! and is less by at least 1 afterwards. The level of a pair (p, q) counts in some states. From one of
//! those to another it gets smaller where p is passed and q is not, grows where q is passed, and stays
//! the same otherwise. From a state in which it counts to one in which it does not, or back, it grows;
//! where it counts in neither, it stays the same.
//!
//! Why no fair run goes on like that forever. In each state one level is the reason. Take the first
//! that is the reason infinitely often. From some moment on none before it is, so from then on it
//! never grows. If it is a function, it gets smaller infinitely often from values that are not
//! negative, which cannot be. If it is a pair, it counts in all states from then on, since it is the
//! reason somewhere; so q is never passed again, and p is infinitely often: the run is not fair.

use ouro_evidence::RankingLevel;
use ouro_term::{Sort, Term, TermStore};

use crate::fair::PairProgress;
use crate::over::{CheckResult, reject_evidence};

/// A level, read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParsedLevel {
    Function(Term),
    /// The number of the pair, and in which states it counts.
    Pair(usize, Term),
}

impl ParsedLevel {
    /// Reads a level; there are so many pairs. `read` gives the term of a text: of a function, or
    /// of a condition.
    pub(crate) fn parse_level(
        level: &RankingLevel,
        pairs: usize,
        mut read: impl FnMut(&str, LevelTextKind) -> CheckResult<Term>,
    ) -> CheckResult<ParsedLevel> {
        match level {
            RankingLevel::Function(text) => {
                Ok(ParsedLevel::Function(read(text, LevelTextKind::Number)?))
            }
            RankingLevel::Pair { pair, .. } if (*pair as usize) >= pairs => {
                reject_evidence(format!("there is no fairness pair {pair}"))
            }
            RankingLevel::Pair { pair, when } => {
                let when = when.as_deref().unwrap_or("true");
                Ok(ParsedLevel::Pair(*pair as usize, read(when, LevelTextKind::Condition)?))
            }
        }
    }

    /// The level with another term.
    pub(crate) fn map_term(self, change: impl FnOnce(Term) -> Term) -> ParsedLevel {
        match self {
            ParsedLevel::Function(term) => ParsedLevel::Function(change(term)),
            ParsedLevel::Pair(pair, when) => ParsedLevel::Pair(pair, change(when)),
        }
    }
}

/// What a text of a level is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LevelTextKind {
    Number,
    Condition,
}

/// When a ranking gets smaller on a way that does this for each pair.
pub(crate) fn ranking_decreases(
    terms: &mut TermStore,
    before: &[ParsedLevel],
    after: &[ParsedLevel],
    meets: &[PairProgress],
) -> CheckResult<Term> {
    let mut reasons = Vec::new();
    let mut not_grown: Vec<Term> = Vec::new();
    for change in level_changes(terms, before, after, meets)? {
        let mut reason = not_grown.clone();
        reason.push(change.smaller);
        reasons.push(terms.and_all(&reason));
        not_grown.push(change.not_grown);
    }
    Ok(terms.or_all(&reasons))
}

/// When no level of a ranking grows on a way that does this for each pair.
pub(crate) fn ranking_never_increases(
    terms: &mut TermStore,
    before: &[ParsedLevel],
    after: &[ParsedLevel],
    meets: &[PairProgress],
) -> CheckResult<Term> {
    let changes = level_changes(terms, before, after, meets)?;
    let all: Vec<Term> = changes.into_iter().map(|change| change.not_grown).collect();
    Ok(terms.and_all(&all))
}

/// How each level changes. Bit-vectors are read as signed numbers, so all that is said about integers
/// is true of them.
fn level_changes(
    terms: &mut TermStore,
    before: &[ParsedLevel],
    after: &[ParsedLevel],
    meets: &[PairProgress],
) -> CheckResult<Vec<LevelChange>> {
    if before.len() != after.len() {
        return reject_evidence("two rankings that are compared differ in length");
    }
    let mut all = Vec::new();
    for (now, then) in before.iter().copied().zip(after.iter().copied()) {
        all.push(match (now, then) {
            (ParsedLevel::Function(now), ParsedLevel::Function(then)) => {
                function_change(terms, now, then)?
            }
            (ParsedLevel::Pair(number, now), ParsedLevel::Pair(other, then)) if number == other => {
                let Some(meets) = meets.get(number) else {
                    return reject_evidence(format!("there is no fairness pair {number}"));
                };
                pair_change(terms, now, then, *meets)
            }
            (now, then) => {
                let what = |rank| match rank {
                    ParsedLevel::Function(_) => "a function".to_owned(),
                    ParsedLevel::Pair(pair, _) => format!("pair {pair}"),
                };
                return reject_evidence(format!("{} is compared with {}", what(now), what(then)));
            }
        });
    }
    Ok(all)
}

/// How a level changes.
struct LevelChange {
    /// It gets smaller, and cannot do so forever without growing.
    smaller: Term,
    not_grown: Term,
}

/// A pair that counts in a state if `now`, and in the next if `then`.
fn pair_change(terms: &mut TermStore, now: Term, then: Term, meets: PairProgress) -> LevelChange {
    let counts = terms.and(now, then);
    let (not_now, not_then) = (terms.not(now), terms.not(then));
    let idle = terms.and(not_now, not_then);
    let never = terms.bool(false);
    LevelChange {
        smaller: if meets.p && !meets.q { counts } else { never },
        not_grown: if meets.q { idle } else { terms.or(counts, idle) },
    }
}

fn function_change(terms: &mut TermStore, now: Term, then: Term) -> CheckResult<LevelChange> {
    match (terms.sort(now), terms.sort(then)) {
        (Sort::Int, Sort::Int) => {
            let (zero, one) = (terms.int(0), terms.int(1));
            let more = terms.int_add(then, one);
            let (less, bounded) = (terms.int_le(more, now), terms.int_le(zero, now));
            Ok(LevelChange {
                smaller: terms.and(less, bounded),
                not_grown: terms.int_le(then, now),
            })
        }
        (Sort::BitVec(width), Sort::BitVec(other)) if width == other => {
            let zero = terms.bv(width, 0);
            let (less, bounded) = (terms.bv_slt(then, now), terms.bv_sle(zero, now));
            Ok(LevelChange {
                smaller: terms.and(less, bounded),
                not_grown: terms.bv_sle(then, now),
            })
        }
        (now, then) => reject_evidence(format!("{now} is compared with {then}")),
    }
}
