//! How large a transition system may be.

/// The limits of this room. None of them decides a verdict: what is beyond one is *unknown*, refused, or not shown.
pub(crate) struct FormatLimits {
    /// How many products of monomials a multiplication may need.
    pub(crate) products: usize,
    /// How many factors a monomial may have.
    pub(crate) degree: usize,
    /// How many bits a product of coefficients may have.
    pub(crate) coefficient_bits: u64,
    /// How many digits a number may have.
    pub(crate) literal_digits: usize,
    /// How deep parentheses and signs may be nested. The reader calls itself a few times for each.
    pub(crate) infix_depth: usize,
    /// How deep parentheses may be nested. What reads them calls itself that often.
    pub(crate) smt_depth: usize,
    /// How many parts the copies of conditions may have in a file.
    pub(crate) term_copies: usize,
}

/// The limits, all in one place.
pub(crate) const LIMITS: FormatLimits = FormatLimits {
    products: 20_000,
    degree: 64,
    coefficient_bits: 20_000,
    literal_digits: 5_000,
    infix_depth: 200,
    smt_depth: 1_000,
    term_copies: 1_000_000,
};
