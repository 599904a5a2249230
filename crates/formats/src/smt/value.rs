//! Terms of SMT-LIB over integers: what they mean under a scope of names.
//!
//! An existential under conjunctions and disjunctions is a choice of the edge. Where a term is
//! negated or compared it would mean something else, so it is refused there.

use ouro_term::Term;
use rustc_hash::FxHashMap;

use super::read::{SmtNode, SmtNodeKind};
use crate::error::FormatResult;
use crate::formula::{IntegerComparison, PolynomialFormula};
use crate::limits::LIMITS;
use crate::polynomial::Polynomial;
use crate::system::SystemBuilder;

/// What a term means.
#[derive(Clone, Debug)]
pub(super) enum SmtValue {
    Integer(Polynomial),
    Condition(PolynomialFormula),
}

/// The names that a term may use, and what it needed so far.
pub(super) struct SmtScope<'t, 'b> {
    pub(super) builder: &'b mut SystemBuilder,
    names: FxHashMap<&'t str, Vec<SmtValue>>,
    /// The existentials met since this was last emptied.
    pub(super) choices: Vec<Term>,
    copied: usize,
}

impl<'t, 'b> SmtScope<'t, 'b> {
    pub(super) fn new(builder: &'b mut SystemBuilder) -> SmtScope<'t, 'b> {
        SmtScope { builder, names: FxHashMap::default(), choices: Vec::new(), copied: 0 }
    }

    pub(super) fn bind(&mut self, name: &'t str, value: SmtValue) {
        self.names.entry(name).or_default().push(value);
    }

    pub(super) fn bind_symbol(&mut self, name: &'t str, symbol: Term) {
        self.bind(name, SmtValue::Integer(Polynomial::from_atom(symbol)));
    }

    pub(super) fn release(&mut self, name: &str) {
        if let Some(values) = self.names.get_mut(name) {
            values.pop();
        }
    }

    /// A condition; `positive` if existentials may be choices there.
    pub(super) fn read_condition(
        &mut self,
        node: &SmtNode<'t>,
        positive: bool,
    ) -> FormatResult<PolynomialFormula> {
        match self.read_value(node, positive)? {
            SmtValue::Condition(formula) => Ok(formula),
            SmtValue::Integer(_) => Err(node
                .place
                .expected(&format!("a condition, found the integer {}", node.describe()))),
        }
    }

    fn read_integer(&mut self, node: &SmtNode<'t>) -> FormatResult<Polynomial> {
        match self.read_value(node, false)? {
            SmtValue::Integer(polynomial) => Ok(polynomial),
            SmtValue::Condition(_) => Err(node
                .place
                .expected(&format!("an integer, found the condition {}", node.describe()))),
        }
    }

    fn read_value(&mut self, node: &SmtNode<'t>, positive: bool) -> FormatResult<SmtValue> {
        match &node.kind {
            SmtNodeKind::Word(word) => self.read_word(node, word),
            SmtNodeKind::Text => Err(node.place.expected("a term, found a string")),
            SmtNodeKind::List(items) => match node.head() {
                Some(head) => self.read_application(node, head, &items[1..], positive),
                None => {
                    Err(node.place.expected(&format!("an operator, found {}", node.describe())))
                }
            },
        }
    }

    fn read_word(&mut self, node: &SmtNode<'t>, word: &str) -> FormatResult<SmtValue> {
        if let Some(value) = self.names.get(word).and_then(|values| values.last()) {
            if let SmtValue::Condition(formula) = value {
                self.copied = self.copied.saturating_add(formula.part_count());
            }
            let value = value.clone();
            return self.check_within_limits(node).map(|()| value);
        }
        if let "true" | "false" = word {
            return Ok(SmtValue::Condition(PolynomialFormula::Constant(word == "true")));
        }
        let digits = word.strip_prefix('-').unwrap_or(word);
        match Polynomial::parse_number(digits) {
            Some(number) if digits.len() < word.len() => Ok(SmtValue::Integer(number.negated())),
            Some(number) => Ok(SmtValue::Integer(number)),
            None if digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() => {
                Err(node.place.refuse("this number has too many digits"))
            }
            None => Err(node.place.refuse(format!("{} is not declared here", node.describe()))),
        }
    }

    fn check_within_limits(&self, node: &SmtNode) -> FormatResult<()> {
        if self.copied > LIMITS.term_copies { Err(node.place.too_large()) } else { Ok(()) }
    }

    fn read_application(
        &mut self,
        node: &SmtNode<'t>,
        head: &str,
        args: &[SmtNode<'t>],
        positive: bool,
    ) -> FormatResult<SmtValue> {
        match head {
            "and" | "or" | "not" | "=>" | "xor" => {
                self.read_connective(node, head, args, positive).map(SmtValue::Condition)
            }
            "=" | "distinct" | "<" | "<=" | ">" | ">=" => {
                self.read_comparison(node, head, args).map(SmtValue::Condition)
            }
            "+" | "-" | "*" | "div" | "mod" | "abs" => {
                self.read_arithmetic(node, head, args).map(SmtValue::Integer)
            }
            "ite" => self.read_ite(node, args, positive),
            "let" => self.read_let_binding(node, args, positive),
            "exists" => self.read_exists(node, args, positive),
            "forall" => Err(node.place.refuse("forall is not supported")),
            _ => {
                let shown =
                    format!("an operator over integers and conditions, found {}", node.describe());
                Err(node.place.expected(&shown))
            }
        }
    }

    fn read_connective(
        &mut self,
        node: &SmtNode<'t>,
        head: &str,
        args: &[SmtNode<'t>],
        positive: bool,
    ) -> FormatResult<PolynomialFormula> {
        let positive = positive && matches!(head, "and" | "or");
        let mut parts = Vec::with_capacity(args.len());
        for arg in args {
            parts.push(self.read_condition(arg, positive)?);
        }
        match (head, parts.len()) {
            ("and", _) => Ok(PolynomialFormula::conjunction(parts)),
            ("or", _) => Ok(PolynomialFormula::disjunction(parts)),
            ("not", 1) => Ok(parts.remove(0).negated()),
            ("=>", 2..) => {
                let last = parts.len() - 1;
                let one = |(at, part): (usize, PolynomialFormula)| {
                    if at < last { part.negated() } else { part }
                };
                Ok(PolynomialFormula::disjunction(parts.into_iter().enumerate().map(one)))
            }
            ("xor", 2..) => {
                let mut all = parts.into_iter();
                let mut result = all.next().unwrap_or(PolynomialFormula::Constant(false));
                for part in all {
                    self.copied =
                        self.copied.saturating_add(2 * (result.part_count() + part.part_count()));
                    self.check_within_limits(node)?;
                    result = PolynomialFormula::equivalence(&result, &part).negated();
                }
                Ok(result)
            }
            (_, count) => Err(argument_count_refusal(node, count)),
        }
    }

    fn read_comparison(
        &mut self,
        node: &SmtNode<'t>,
        head: &str,
        args: &[SmtNode<'t>],
    ) -> FormatResult<PolynomialFormula> {
        let by = match head {
            "<" => IntegerComparison::Less,
            "<=" => IntegerComparison::AtMost,
            ">" => IntegerComparison::Greater,
            ">=" => IntegerComparison::AtLeast,
            "=" => IntegerComparison::Equal,
            _ => IntegerComparison::Different,
        };
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.read_value(arg, false)?);
        }
        if values.len() < 2 || (by == IntegerComparison::Different && values.len() > 1_000) {
            return Err(argument_count_refusal(node, values.len()));
        }
        let mut parts = Vec::new();
        for (at, left) in values.iter().enumerate() {
            let until = if by == IntegerComparison::Different { values.len() } else { at + 2 };
            for right in values.iter().take(until).skip(at + 1) {
                parts.push(match (left, right) {
                    (SmtValue::Integer(left), SmtValue::Integer(right)) => {
                        PolynomialFormula::compare(by, left, right)
                    }
                    (SmtValue::Condition(left), SmtValue::Condition(right))
                        if matches!(
                            by,
                            IntegerComparison::Equal | IntegerComparison::Different
                        ) =>
                    {
                        self.copied = self
                            .copied
                            .saturating_add(2 * (left.part_count() + right.part_count()));
                        self.check_within_limits(node)?;
                        let same = PolynomialFormula::equivalence(left, right);
                        if by == IntegerComparison::Equal { same } else { same.negated() }
                    }
                    _ => return Err(node.place.expected(&format!("two integers for {head}"))),
                });
            }
        }
        Ok(PolynomialFormula::conjunction(parts))
    }

    fn read_arithmetic(
        &mut self,
        node: &SmtNode<'t>,
        head: &str,
        args: &[SmtNode<'t>],
    ) -> FormatResult<Polynomial> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.read_integer(arg)?);
        }
        let count = values.len();
        let mut rest = values.into_iter();
        let mut result = rest.next().ok_or_else(|| argument_count_refusal(node, 0))?;
        match (head, count) {
            ("-", 1) => return Ok(result.negated()),
            ("abs", 1) => {
                let not_negative = PolynomialFormula::compare(
                    IntegerComparison::AtLeast,
                    &result,
                    &Polynomial::default(),
                );
                return Ok(self.choose_polynomial(
                    &not_negative,
                    &result,
                    &result.clone().negated(),
                ));
            }
            ("abs", _) | ("div" | "mod", 1) => return Err(argument_count_refusal(node, count)),
            ("mod", 3..) => return Err(argument_count_refusal(node, count)),
            _ => {}
        }
        for value in rest {
            match head {
                "+" => result.add(&value),
                "-" => result.subtract(&value),
                "*" => result = result.times(&value).ok_or_else(|| node.place.too_large())?,
                _ => result = self.divide_polynomials(node, head, &result, &value)?,
            }
        }
        Ok(result)
    }

    /// Quotient or remainder. SMT-LIB leaves open what they are for the divisor 0, and so whether
    /// a divisor can be 0 has to be plain to see.
    fn divide_polynomials(
        &mut self,
        node: &SmtNode,
        head: &str,
        dividend: &Polynomial,
        divisor: &Polynomial,
    ) -> FormatResult<Polynomial> {
        let constant = divisor.as_constant();
        if constant.is_none_or(|value| value == 0.into()) {
            return Err(node
                .place
                .refuse(format!("{head} needs a number other than 0 as divisor")));
        }
        let terms = &mut self.builder.system.terms;
        let (left, right) = (dividend.to_term(terms), divisor.to_term(terms));
        let made =
            if head == "div" { terms.int_div(left, right) } else { terms.int_mod(left, right) };
        Ok(match terms.as_constant(made) {
            Some(ouro_term::Constant::Int(value)) => Polynomial::constant(value),
            _ => Polynomial::from_atom(made),
        })
    }

    fn choose_polynomial(
        &mut self,
        condition: &PolynomialFormula,
        yes: &Polynomial,
        no: &Polynomial,
    ) -> Polynomial {
        if yes == no {
            return yes.clone();
        }
        if let PolynomialFormula::Constant(value) = condition {
            return if *value { yes.clone() } else { no.clone() };
        }
        let terms = &mut self.builder.system.terms;
        let condition = condition.to_term(terms);
        let (yes, no) = (yes.to_term(terms), no.to_term(terms));
        Polynomial::from_atom(terms.ite(condition, yes, no))
    }

    fn read_ite(
        &mut self,
        node: &SmtNode<'t>,
        args: &[SmtNode<'t>],
        positive: bool,
    ) -> FormatResult<SmtValue> {
        let [condition, yes, no] = args else {
            return Err(argument_count_refusal(node, args.len()));
        };
        let condition = self.read_condition(condition, false)?;
        match (self.read_value(yes, positive)?, self.read_value(no, positive)?) {
            (SmtValue::Integer(yes), SmtValue::Integer(no)) => {
                Ok(SmtValue::Integer(self.choose_polynomial(&condition, &yes, &no)))
            }
            (SmtValue::Condition(yes), SmtValue::Condition(no)) => {
                self.copied = self.copied.saturating_add(2 * condition.part_count());
                self.check_within_limits(node)?;
                Ok(SmtValue::Condition(PolynomialFormula::if_then_else(&condition, yes, no)))
            }
            _ => Err(node.place.expected("two terms of one sort in ite")),
        }
    }

    fn read_let_binding(
        &mut self,
        node: &SmtNode<'t>,
        args: &[SmtNode<'t>],
        positive: bool,
    ) -> FormatResult<SmtValue> {
        let [bindings, body] = args else { return Err(argument_count_refusal(node, args.len())) };
        let mut bound = Vec::new();
        for binding in bindings.expect_items("a list of names with their terms")? {
            let [name, term] = binding.expect_items("a name with its term")? else {
                return Err(binding.place.expected("a name with its term"));
            };
            bound.push((name.expect_name("a name")?, self.read_value(term, false)?));
        }
        let names: Vec<&str> = bound.iter().map(|(name, _)| *name).collect();
        for (name, value) in bound {
            self.bind(name, value);
        }
        let value = self.read_value(body, positive);
        for name in names {
            self.release(name);
        }
        value
    }

    fn read_exists(
        &mut self,
        node: &SmtNode<'t>,
        args: &[SmtNode<'t>],
        positive: bool,
    ) -> FormatResult<SmtValue> {
        let [bindings, body] = args else { return Err(argument_count_refusal(node, args.len())) };
        if !positive {
            return Err(node.place.refuse(
                "exists is allowed only in a step, and not under a negation or comparison",
            ));
        }
        let mut names = Vec::new();
        for binding in bindings.expect_items("a list of names with their sorts")? {
            let [name, sort] = binding.expect_items("a name with its sort")? else {
                return Err(binding.place.expected("a name with its sort"));
            };
            if !sort.is_word("Int") {
                return Err(sort
                    .place
                    .expected(&format!("the sort Int, found {}", sort.describe())));
            }
            names.push(name.expect_name("a name")?);
        }
        for name in &names {
            let choice = self.builder.add_choice(name);
            self.choices.push(choice);
            self.bind_symbol(name, choice);
        }
        let value = self.read_condition(body, true);
        for name in &names {
            self.release(name);
        }
        value.map(SmtValue::Condition)
    }
}

fn argument_count_refusal(node: &SmtNode, count: usize) -> crate::error::FormatRefusal {
    node.place.refuse(format!("{} cannot have {count} arguments", node.describe()))
}
