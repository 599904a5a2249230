//! How large a specification may be.

/// The limits of this room. None of them decides a verdict: what is beyond one is *unknown*, refused, or not shown.
pub(crate) struct SpecificationLimits {
    /// How deep statements may be nested: more is nothing that anyone wrote.
    pub(crate) slic_depth: u32,
    /// Atoms beyond this are hardly a formula that anyone wrote.
    pub(crate) formula_expressions: usize,
    /// How large a formula may become; `<->` doubles what it stands between.
    pub(crate) formula_size: usize,
    /// How deep a formula may be nested: more is no formula that anyone wrote.
    pub(crate) formula_depth: u32,
    /// How many states an automaton may have, before it is made smaller.
    pub(crate) automaton_states: usize,
    /// How many ways there may be to satisfy a state.
    pub(crate) automaton_ways: usize,
}

/// The limits, all in one place.
pub(crate) const LIMITS: SpecificationLimits = SpecificationLimits {
    slic_depth: 100,
    formula_expressions: 32,
    formula_size: 2000,
    formula_depth: 200,
    automaton_states: 400,
    automaton_ways: 4000,
};
