//! Expressions as `.koat` and `.t2` write them, from loose to tight: `||`, `&&`, `!`, comparisons,
//! sums, products, a sign, powers.

use crate::error::{FormatPlace, FormatResult, shorten_text};
use crate::formula::{IntegerComparison, PolynomialFormula};
use crate::lex::{FormatToken, TokenStream};
use crate::limits::LIMITS;
use crate::polynomial::Polynomial;

/// What an expression means.
pub(crate) enum InfixValue {
    Integer(Polynomial),
    Condition(PolynomialFormula),
}

/// What names mean where an expression stands.
pub(crate) trait InfixScope {
    /// The value of a variable, if this can be one.
    fn variable_value(&mut self, name: &str) -> Option<Polynomial>;
    /// The value of a call without arguments, if the language has it.
    fn call_value(&mut self, name: &str) -> Option<Polynomial>;
    /// The value of a quotient or remainder, if the language has it.
    fn quotient_value(&mut self) -> Option<Polynomial>;
}

/// A condition.
pub(crate) fn parse_condition(
    tokens: &mut TokenStream,
    scope: &mut dyn InfixScope,
) -> FormatResult<PolynomialFormula> {
    let place = tokens.place();
    let value = parse_expression(tokens, scope)?;
    as_condition(value, place)
}

/// An integer.
pub(crate) fn parse_integer(
    tokens: &mut TokenStream,
    scope: &mut dyn InfixScope,
) -> FormatResult<Polynomial> {
    let place = tokens.place();
    let value = parse_expression(tokens, scope)?;
    as_integer(value, place)
}

/// Either.
pub(crate) fn parse_expression(
    tokens: &mut TokenStream,
    scope: &mut dyn InfixScope,
) -> FormatResult<InfixValue> {
    InfixParser { tokens, scope, depth: 0 }.parse_disjunction()
}

fn as_condition(value: InfixValue, place: FormatPlace) -> FormatResult<PolynomialFormula> {
    match value {
        InfixValue::Condition(formula) => Ok(formula),
        InfixValue::Integer(_) => Err(place.expected("a condition, found an integer")),
    }
}

fn as_integer(value: InfixValue, place: FormatPlace) -> FormatResult<Polynomial> {
    match value {
        InfixValue::Integer(polynomial) => Ok(polynomial),
        InfixValue::Condition(_) => Err(place.expected("an integer, found a condition")),
    }
}

struct InfixParser<'i, 't> {
    tokens: &'i mut TokenStream<'t>,
    scope: &'i mut dyn InfixScope,
    depth: usize,
}

impl InfixParser<'_, '_> {
    fn parse_disjunction(&mut self) -> FormatResult<InfixValue> {
        self.parse_junction(&["||", "\\/"], Self::parse_conjunction, PolynomialFormula::disjunction)
    }

    fn parse_conjunction(&mut self) -> FormatResult<InfixValue> {
        self.parse_junction(&["&&", "/\\"], Self::parse_negation, PolynomialFormula::conjunction)
    }

    fn parse_junction(
        &mut self,
        signs: &[&str],
        part: fn(&mut Self) -> FormatResult<InfixValue>,
        joined: fn(Vec<PolynomialFormula>) -> PolynomialFormula,
    ) -> FormatResult<InfixValue> {
        let place = self.tokens.place();
        let first = part(self)?;
        if !signs.iter().any(|sign| self.tokens.is_at_sign(sign)) {
            return Ok(first);
        }
        let mut parts = vec![as_condition(first, place)?];
        while signs.iter().any(|sign| self.tokens.take_sign(sign)) {
            let place = self.tokens.place();
            let next = part(self)?;
            parts.push(as_condition(next, place)?);
        }
        Ok(InfixValue::Condition(joined(parts)))
    }

    fn parse_negation(&mut self) -> FormatResult<InfixValue> {
        let mut negations = 0;
        while self.tokens.take_sign("!") {
            negations += 1;
        }
        let place = self.tokens.place();
        let value = self.parse_comparison()?;
        if negations == 0 {
            return Ok(value);
        }
        let formula = as_condition(value, place)?;
        Ok(InfixValue::Condition(if negations % 2 == 1 { formula.negated() } else { formula }))
    }

    fn parse_comparison(&mut self) -> FormatResult<InfixValue> {
        let place = self.tokens.place();
        let left = self.parse_sum()?;
        let by = match self.tokens.current_token() {
            FormatToken::Sign("<") => IntegerComparison::Less,
            FormatToken::Sign("<=") => IntegerComparison::AtMost,
            FormatToken::Sign(">") => IntegerComparison::Greater,
            FormatToken::Sign(">=") => IntegerComparison::AtLeast,
            FormatToken::Sign("=" | "==") => IntegerComparison::Equal,
            FormatToken::Sign("!=") => IntegerComparison::Different,
            _ => return Ok(left),
        };
        let left = as_integer(left, place)?;
        self.tokens.advance();
        let place = self.tokens.place();
        let right = self.parse_sum()?;
        let right = as_integer(right, place)?;
        Ok(InfixValue::Condition(PolynomialFormula::compare(by, &left, &right)))
    }

    fn parse_sum(&mut self) -> FormatResult<InfixValue> {
        let place = self.tokens.place();
        let first = self.parse_product()?;
        if !self.tokens.is_at_sign("+") && !self.tokens.is_at_sign("-") {
            return Ok(first);
        }
        let mut sum = as_integer(first, place)?;
        loop {
            let plus = self.tokens.take_sign("+");
            if !plus && !self.tokens.take_sign("-") {
                return Ok(InfixValue::Integer(sum));
            }
            let place = self.tokens.place();
            let next = self.parse_product()?;
            let next = as_integer(next, place)?;
            if plus { sum.add(&next) } else { sum.subtract(&next) }
        }
    }

    fn parse_product(&mut self) -> FormatResult<InfixValue> {
        let place = self.tokens.place();
        let first = self.parse_signed()?;
        if !["*", "/", "%"].iter().any(|sign| self.tokens.is_at_sign(sign)) {
            return Ok(first);
        }
        let mut product = as_integer(first, place)?;
        loop {
            let sign = self.tokens.place();
            let times = self.tokens.take_sign("*");
            if !times && !self.tokens.take_sign("/") && !self.tokens.take_sign("%") {
                return Ok(InfixValue::Integer(product));
            }
            let place = self.tokens.place();
            let next = self.parse_signed()?;
            let next = as_integer(next, place)?;
            product = match times {
                true => product.times(&next).ok_or_else(|| sign.too_large())?,
                false => self.scope.quotient_value().ok_or_else(|| {
                    sign.refuse("quotients and remainders are not part of this format")
                })?,
            };
        }
    }

    fn parse_signed(&mut self) -> FormatResult<InfixValue> {
        let mut signs = 0;
        let mut negative = false;
        loop {
            if self.tokens.take_sign("-") {
                negative = !negative;
            } else if !self.tokens.take_sign("+") {
                break;
            }
            signs += 1;
        }
        let place = self.tokens.place();
        let value = self.parse_power()?;
        if signs == 0 {
            return Ok(value);
        }
        let value = as_integer(value, place)?;
        Ok(InfixValue::Integer(if negative { value.negated() } else { value }))
    }

    fn parse_power(&mut self) -> FormatResult<InfixValue> {
        let place = self.tokens.place();
        let mut value = self.parse_primary()?;
        while self.tokens.take_sign("^") || self.tokens.take_sign("**") {
            let base = as_integer(value, place)?;
            let FormatToken::Number(digits) = self.tokens.current_token() else {
                return Err(self.tokens.expected("a number as exponent"));
            };
            let raised = digits.parse().ok().and_then(|exponent| base.power(exponent));
            value = InfixValue::Integer(raised.ok_or_else(|| self.tokens.place().too_large())?);
            self.tokens.advance();
        }
        Ok(value)
    }

    fn parse_primary(&mut self) -> FormatResult<InfixValue> {
        let place = self.tokens.place();
        match self.tokens.current_token() {
            FormatToken::Number(digits) => {
                self.tokens.advance();
                let number = Polynomial::parse_number(digits);
                number
                    .map(InfixValue::Integer)
                    .ok_or_else(|| place.refuse("this number has too many digits"))
            }
            FormatToken::Word(name) if self.tokens.token_ahead(1) == FormatToken::Sign("(") => {
                let Some(value) = self.scope.call_value(name) else {
                    return Err(place
                        .expected(&format!("a variable, found a call of {}", shorten_text(name))));
                };
                self.tokens.advance();
                self.tokens.advance();
                self.tokens.expect_sign(")")?;
                Ok(InfixValue::Integer(value))
            }
            FormatToken::Word(word @ ("TRUE" | "true" | "FALSE" | "false")) => {
                self.tokens.advance();
                Ok(InfixValue::Condition(PolynomialFormula::Constant(
                    word.eq_ignore_ascii_case("true"),
                )))
            }
            FormatToken::Word(name) => {
                let value = self.scope.variable_value(name);
                let value = value.ok_or_else(|| self.tokens.expected("a variable"))?;
                self.tokens.advance();
                Ok(InfixValue::Integer(value))
            }
            FormatToken::Sign("(") => {
                if self.depth == LIMITS.infix_depth {
                    return Err(place
                        .refuse(format!("nested deeper than {} parentheses", LIMITS.infix_depth)));
                }
                self.tokens.advance();
                self.depth += 1;
                let value = self.parse_disjunction()?;
                self.depth -= 1;
                self.tokens.expect_sign(")")?;
                Ok(value)
            }
            _ => Err(self.tokens.expected("an expression")),
        }
    }
}
