//! Expressions as `.koat` and `.t2` write them, from loose to tight: `||`, `&&`, `!`, comparisons,
//! sums, products, a sign, powers.

use crate::error::{Parsed, Place, shortened};
use crate::formula::{Comparison, Formula};
use crate::lex::{Token, Tokens};
use crate::polynomial::Polynomial;

/// How deep parentheses and signs may be nested. The reader calls itself a few times for each.
const DEPTH: usize = 200;

/// What an expression means.
pub(crate) enum Value {
    Integer(Polynomial),
    Condition(Formula),
}

/// What names mean where an expression stands.
pub(crate) trait Scope {
    /// The value of a variable, if this can be one.
    fn variable(&mut self, name: &str) -> Option<Polynomial>;
    /// The value of a call without arguments, if the language has it.
    fn call(&mut self, name: &str) -> Option<Polynomial>;
    /// The value of a quotient or remainder, if the language has it.
    fn quotient(&mut self) -> Option<Polynomial>;
}

/// A condition.
pub(crate) fn condition(tokens: &mut Tokens, scope: &mut dyn Scope) -> Parsed<Formula> {
    let place = tokens.place();
    let value = expression(tokens, scope)?;
    as_condition(value, place)
}

/// An integer.
pub(crate) fn integer(tokens: &mut Tokens, scope: &mut dyn Scope) -> Parsed<Polynomial> {
    let place = tokens.place();
    let value = expression(tokens, scope)?;
    as_integer(value, place)
}

/// Either.
pub(crate) fn expression(tokens: &mut Tokens, scope: &mut dyn Scope) -> Parsed<Value> {
    Infix { tokens, scope, depth: 0 }.disjunction()
}

fn as_condition(value: Value, place: Place) -> Parsed<Formula> {
    match value {
        Value::Condition(formula) => Ok(formula),
        Value::Integer(_) => Err(place.expected("a condition, found an integer")),
    }
}

fn as_integer(value: Value, place: Place) -> Parsed<Polynomial> {
    match value {
        Value::Integer(polynomial) => Ok(polynomial),
        Value::Condition(_) => Err(place.expected("an integer, found a condition")),
    }
}

struct Infix<'i, 't> {
    tokens: &'i mut Tokens<'t>,
    scope: &'i mut dyn Scope,
    depth: usize,
}

impl Infix<'_, '_> {
    fn disjunction(&mut self) -> Parsed<Value> {
        self.junction(&["||", "\\/"], Self::conjunction, Formula::any)
    }

    fn conjunction(&mut self) -> Parsed<Value> {
        self.junction(&["&&", "/\\"], Self::negation, Formula::all)
    }

    fn junction(
        &mut self,
        signs: &[&str],
        part: fn(&mut Self) -> Parsed<Value>,
        joined: fn(Vec<Formula>) -> Formula,
    ) -> Parsed<Value> {
        let place = self.tokens.place();
        let first = part(self)?;
        if !signs.iter().any(|sign| self.tokens.at(sign)) {
            return Ok(first);
        }
        let mut parts = vec![as_condition(first, place)?];
        while signs.iter().any(|sign| self.tokens.take(sign)) {
            let place = self.tokens.place();
            let next = part(self)?;
            parts.push(as_condition(next, place)?);
        }
        Ok(Value::Condition(joined(parts)))
    }

    fn negation(&mut self) -> Parsed<Value> {
        let mut negations = 0;
        while self.tokens.take("!") {
            negations += 1;
        }
        let place = self.tokens.place();
        let value = self.comparison()?;
        if negations == 0 {
            return Ok(value);
        }
        let formula = as_condition(value, place)?;
        Ok(Value::Condition(if negations % 2 == 1 { formula.negated() } else { formula }))
    }

    fn comparison(&mut self) -> Parsed<Value> {
        let place = self.tokens.place();
        let left = self.sum()?;
        let by = match self.tokens.here() {
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::AtMost,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=") => Comparison::AtLeast,
            Token::Sign("=" | "==") => Comparison::Equal,
            Token::Sign("!=") => Comparison::Different,
            _ => return Ok(left),
        };
        let left = as_integer(left, place)?;
        self.tokens.step();
        let place = self.tokens.place();
        let right = self.sum()?;
        let right = as_integer(right, place)?;
        Ok(Value::Condition(Formula::compare(by, &left, &right)))
    }

    fn sum(&mut self) -> Parsed<Value> {
        let place = self.tokens.place();
        let first = self.product()?;
        if !self.tokens.at("+") && !self.tokens.at("-") {
            return Ok(first);
        }
        let mut sum = as_integer(first, place)?;
        loop {
            let plus = self.tokens.take("+");
            if !plus && !self.tokens.take("-") {
                return Ok(Value::Integer(sum));
            }
            let place = self.tokens.place();
            let next = self.product()?;
            let next = as_integer(next, place)?;
            if plus { sum.add(&next) } else { sum.subtract(&next) }
        }
    }

    fn product(&mut self) -> Parsed<Value> {
        let place = self.tokens.place();
        let first = self.signed()?;
        if !["*", "/", "%"].iter().any(|sign| self.tokens.at(sign)) {
            return Ok(first);
        }
        let mut product = as_integer(first, place)?;
        loop {
            let sign = self.tokens.place();
            let times = self.tokens.take("*");
            if !times && !self.tokens.take("/") && !self.tokens.take("%") {
                return Ok(Value::Integer(product));
            }
            let place = self.tokens.place();
            let next = self.signed()?;
            let next = as_integer(next, place)?;
            product = match times {
                true => product.times(&next).ok_or_else(|| sign.too_large())?,
                false => self.scope.quotient().ok_or_else(|| {
                    sign.refuse("quotients and remainders are not part of this format")
                })?,
            };
        }
    }

    fn signed(&mut self) -> Parsed<Value> {
        let mut signs = 0;
        let mut negative = false;
        loop {
            if self.tokens.take("-") {
                negative = !negative;
            } else if !self.tokens.take("+") {
                break;
            }
            signs += 1;
        }
        let place = self.tokens.place();
        let value = self.power()?;
        if signs == 0 {
            return Ok(value);
        }
        let value = as_integer(value, place)?;
        Ok(Value::Integer(if negative { value.negated() } else { value }))
    }

    fn power(&mut self) -> Parsed<Value> {
        let place = self.tokens.place();
        let mut value = self.primary()?;
        while self.tokens.take("^") || self.tokens.take("**") {
            let base = as_integer(value, place)?;
            let Token::Number(digits) = self.tokens.here() else {
                return Err(self.tokens.expected("a number as exponent"));
            };
            let raised = digits.parse().ok().and_then(|exponent| base.power(exponent));
            value = Value::Integer(raised.ok_or_else(|| self.tokens.place().too_large())?);
            self.tokens.step();
        }
        Ok(value)
    }

    fn primary(&mut self) -> Parsed<Value> {
        let place = self.tokens.place();
        match self.tokens.here() {
            Token::Number(digits) => {
                self.tokens.step();
                let number = Polynomial::number(digits);
                number
                    .map(Value::Integer)
                    .ok_or_else(|| place.refuse("this number has too many digits"))
            }
            Token::Word(name) if self.tokens.ahead(1) == Token::Sign("(") => {
                let Some(value) = self.scope.call(name) else {
                    return Err(
                        place.expected(&format!("a variable, found a call of {}", shortened(name)))
                    );
                };
                self.tokens.step();
                self.tokens.step();
                self.tokens.sign(")")?;
                Ok(Value::Integer(value))
            }
            Token::Word(word @ ("TRUE" | "true" | "FALSE" | "false")) => {
                self.tokens.step();
                Ok(Value::Condition(Formula::Constant(word.eq_ignore_ascii_case("true"))))
            }
            Token::Word(name) => {
                let value = self.scope.variable(name);
                let value = value.ok_or_else(|| self.tokens.expected("a variable"))?;
                self.tokens.step();
                Ok(Value::Integer(value))
            }
            Token::Sign("(") => {
                if self.depth == DEPTH {
                    return Err(place.refuse(format!("nested deeper than {DEPTH} parentheses")));
                }
                self.tokens.step();
                self.depth += 1;
                let value = self.disjunction()?;
                self.depth -= 1;
                self.tokens.sign(")")?;
                Ok(value)
            }
            _ => Err(self.tokens.expected("an expression")),
        }
    }
}
