//! Terms of SMT-LIB over integers: what they mean under a scope of names.
//!
//! An existential under conjunctions and disjunctions is a choice of the edge. Where a term is
//! negated or compared it would mean something else, so it is refused there.

use ouro_term::Term;
use rustc_hash::FxHashMap;

use super::read::{Kind, Node};
use crate::error::Parsed;
use crate::formula::{Comparison, Formula};
use crate::polynomial::Polynomial;
use crate::system::Builder;

/// How many parts the copies of conditions may have in a file.
const COPIES: usize = 1_000_000;

/// What a term means.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Integer(Polynomial),
    Condition(Formula),
}

/// The names that a term may use, and what it needed so far.
pub(super) struct Scope<'t, 'b> {
    pub(super) builder: &'b mut Builder,
    names: FxHashMap<&'t str, Vec<Value>>,
    /// The existentials met since this was last emptied.
    pub(super) choices: Vec<Term>,
    copied: usize,
}

impl<'t, 'b> Scope<'t, 'b> {
    pub(super) fn new(builder: &'b mut Builder) -> Scope<'t, 'b> {
        Scope { builder, names: FxHashMap::default(), choices: Vec::new(), copied: 0 }
    }

    pub(super) fn bind(&mut self, name: &'t str, value: Value) {
        self.names.entry(name).or_default().push(value);
    }

    pub(super) fn bind_symbol(&mut self, name: &'t str, symbol: Term) {
        self.bind(name, Value::Integer(Polynomial::atom(symbol)));
    }

    pub(super) fn release(&mut self, name: &str) {
        if let Some(values) = self.names.get_mut(name) {
            values.pop();
        }
    }

    /// A condition; `positive` if existentials may be choices there.
    pub(super) fn condition(&mut self, node: &Node<'t>, positive: bool) -> Parsed<Formula> {
        match self.value(node, positive)? {
            Value::Condition(formula) => Ok(formula),
            Value::Integer(_) => Err(node
                .place
                .expected(&format!("a condition, found the integer {}", node.shown()))),
        }
    }

    fn integer(&mut self, node: &Node<'t>) -> Parsed<Polynomial> {
        match self.value(node, false)? {
            Value::Integer(polynomial) => Ok(polynomial),
            Value::Condition(_) => Err(node
                .place
                .expected(&format!("an integer, found the condition {}", node.shown()))),
        }
    }

    fn value(&mut self, node: &Node<'t>, positive: bool) -> Parsed<Value> {
        match &node.kind {
            Kind::Word(word) => self.word(node, word),
            Kind::Text => Err(node.place.expected("a term, found a string")),
            Kind::List(items) => match node.head() {
                Some(head) => self.application(node, head, &items[1..], positive),
                None => Err(node.place.expected(&format!("an operator, found {}", node.shown()))),
            },
        }
    }

    fn word(&mut self, node: &Node<'t>, word: &str) -> Parsed<Value> {
        if let Some(value) = self.names.get(word).and_then(|values| values.last()) {
            if let Value::Condition(formula) = value {
                self.copied = self.copied.saturating_add(formula.size());
            }
            let value = value.clone();
            return self.within_limits(node).map(|()| value);
        }
        if let "true" | "false" = word {
            return Ok(Value::Condition(Formula::Constant(word == "true")));
        }
        let digits = word.strip_prefix('-').unwrap_or(word);
        match Polynomial::number(digits) {
            Some(number) if digits.len() < word.len() => Ok(Value::Integer(number.negated())),
            Some(number) => Ok(Value::Integer(number)),
            None if digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() => {
                Err(node.place.refuse("this number has too many digits"))
            }
            None => Err(node.place.refuse(format!("{} is not declared here", node.shown()))),
        }
    }

    fn within_limits(&self, node: &Node) -> Parsed<()> {
        if self.copied > COPIES { Err(node.place.too_large()) } else { Ok(()) }
    }

    fn application(
        &mut self,
        node: &Node<'t>,
        head: &str,
        args: &[Node<'t>],
        positive: bool,
    ) -> Parsed<Value> {
        match head {
            "and" | "or" | "not" | "=>" | "xor" => {
                self.connective(node, head, args, positive).map(Value::Condition)
            }
            "=" | "distinct" | "<" | "<=" | ">" | ">=" => {
                self.comparison(node, head, args).map(Value::Condition)
            }
            "+" | "-" | "*" | "div" | "mod" | "abs" => {
                self.arithmetic(node, head, args).map(Value::Integer)
            }
            "ite" => self.ite(node, args, positive),
            "let" => self.binding(node, args, positive),
            "exists" => self.exists(node, args, positive),
            "forall" => Err(node.place.refuse("a transition system cannot say forall")),
            _ => {
                let shown =
                    format!("an operator over integers and conditions, found {}", node.shown());
                Err(node.place.expected(&shown))
            }
        }
    }

    fn connective(
        &mut self,
        node: &Node<'t>,
        head: &str,
        args: &[Node<'t>],
        positive: bool,
    ) -> Parsed<Formula> {
        let positive = positive && matches!(head, "and" | "or");
        let mut parts = Vec::with_capacity(args.len());
        for arg in args {
            parts.push(self.condition(arg, positive)?);
        }
        match (head, parts.len()) {
            ("and", _) => Ok(Formula::all(parts)),
            ("or", _) => Ok(Formula::any(parts)),
            ("not", 1) => Ok(parts.remove(0).negated()),
            ("=>", 2..) => {
                let last = parts.len() - 1;
                let one =
                    |(at, part): (usize, Formula)| if at < last { part.negated() } else { part };
                Ok(Formula::any(parts.into_iter().enumerate().map(one)))
            }
            ("xor", 2..) => {
                let mut all = parts.into_iter();
                let mut result = all.next().unwrap_or(Formula::Constant(false));
                for part in all {
                    self.copied = self.copied.saturating_add(2 * (result.size() + part.size()));
                    self.within_limits(node)?;
                    result = Formula::same(&result, &part).negated();
                }
                Ok(result)
            }
            (_, count) => Err(arguments(node, count)),
        }
    }

    fn comparison(&mut self, node: &Node<'t>, head: &str, args: &[Node<'t>]) -> Parsed<Formula> {
        let by = match head {
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            "=" => Comparison::Equal,
            _ => Comparison::Different,
        };
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(arg, false)?);
        }
        if values.len() < 2 || (by == Comparison::Different && values.len() > 1_000) {
            return Err(arguments(node, values.len()));
        }
        let mut parts = Vec::new();
        for (at, left) in values.iter().enumerate() {
            let until = if by == Comparison::Different { values.len() } else { at + 2 };
            for right in values.iter().take(until).skip(at + 1) {
                parts.push(match (left, right) {
                    (Value::Integer(left), Value::Integer(right)) => {
                        Formula::compare(by, left, right)
                    }
                    (Value::Condition(left), Value::Condition(right))
                        if matches!(by, Comparison::Equal | Comparison::Different) =>
                    {
                        self.copied = self.copied.saturating_add(2 * (left.size() + right.size()));
                        self.within_limits(node)?;
                        let same = Formula::same(left, right);
                        if by == Comparison::Equal { same } else { same.negated() }
                    }
                    _ => return Err(node.place.expected(&format!("two integers for {head}"))),
                });
            }
        }
        Ok(Formula::all(parts))
    }

    fn arithmetic(&mut self, node: &Node<'t>, head: &str, args: &[Node<'t>]) -> Parsed<Polynomial> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.integer(arg)?);
        }
        let count = values.len();
        let mut rest = values.into_iter();
        let mut result = rest.next().ok_or_else(|| arguments(node, 0))?;
        match (head, count) {
            ("-", 1) => return Ok(result.negated()),
            ("abs", 1) => {
                let not_negative =
                    Formula::compare(Comparison::AtLeast, &result, &Polynomial::default());
                return Ok(self.choose(&not_negative, &result, &result.clone().negated()));
            }
            ("abs", _) | ("div" | "mod", 1) => return Err(arguments(node, count)),
            ("mod", 3..) => return Err(arguments(node, count)),
            _ => {}
        }
        for value in rest {
            match head {
                "+" => result.add(&value),
                "-" => result.subtract(&value),
                "*" => result = result.times(&value).ok_or_else(|| node.place.too_large())?,
                _ => result = self.divided(node, head, &result, &value)?,
            }
        }
        Ok(result)
    }

    /// Quotient or remainder. SMT-LIB leaves open what they are for the divisor 0, and so whether
    /// a divisor can be 0 has to be plain to see.
    fn divided(
        &mut self,
        node: &Node,
        head: &str,
        dividend: &Polynomial,
        divisor: &Polynomial,
    ) -> Parsed<Polynomial> {
        let constant = divisor.as_constant();
        if constant.is_none_or(|value| value == 0.into()) {
            return Err(node
                .place
                .refuse(format!("{head} needs a number other than 0 as divisor")));
        }
        let terms = &mut self.builder.system.terms;
        let (left, right) = (dividend.term(terms), divisor.term(terms));
        let made =
            if head == "div" { terms.int_div(left, right) } else { terms.int_mod(left, right) };
        Ok(match terms.as_constant(made) {
            Some(ouro_term::Constant::Int(value)) => Polynomial::constant(value),
            _ => Polynomial::atom(made),
        })
    }

    fn choose(&mut self, condition: &Formula, yes: &Polynomial, no: &Polynomial) -> Polynomial {
        if yes == no {
            return yes.clone();
        }
        if let Formula::Constant(value) = condition {
            return if *value { yes.clone() } else { no.clone() };
        }
        let terms = &mut self.builder.system.terms;
        let condition = condition.term(terms);
        let (yes, no) = (yes.term(terms), no.term(terms));
        Polynomial::atom(terms.ite(condition, yes, no))
    }

    fn ite(&mut self, node: &Node<'t>, args: &[Node<'t>], positive: bool) -> Parsed<Value> {
        let [condition, yes, no] = args else { return Err(arguments(node, args.len())) };
        let condition = self.condition(condition, false)?;
        match (self.value(yes, positive)?, self.value(no, positive)?) {
            (Value::Integer(yes), Value::Integer(no)) => {
                Ok(Value::Integer(self.choose(&condition, &yes, &no)))
            }
            (Value::Condition(yes), Value::Condition(no)) => {
                self.copied = self.copied.saturating_add(2 * condition.size());
                self.within_limits(node)?;
                Ok(Value::Condition(Formula::either(&condition, yes, no)))
            }
            _ => Err(node.place.expected("two terms of one sort in ite")),
        }
    }

    fn binding(&mut self, node: &Node<'t>, args: &[Node<'t>], positive: bool) -> Parsed<Value> {
        let [bindings, body] = args else { return Err(arguments(node, args.len())) };
        let mut bound = Vec::new();
        for binding in bindings.items("a list of names with their terms")? {
            let [name, term] = binding.items("a name with its term")? else {
                return Err(binding.place.expected("a name with its term"));
            };
            bound.push((name.name("a name")?, self.value(term, false)?));
        }
        let names: Vec<&str> = bound.iter().map(|(name, _)| *name).collect();
        for (name, value) in bound {
            self.bind(name, value);
        }
        let value = self.value(body, positive);
        for name in names {
            self.release(name);
        }
        value
    }

    fn exists(&mut self, node: &Node<'t>, args: &[Node<'t>], positive: bool) -> Parsed<Value> {
        let [bindings, body] = args else { return Err(arguments(node, args.len())) };
        if !positive {
            return Err(node.place.refuse(
                "exists can stand in a step only, and there not under a negation or comparison",
            ));
        }
        let mut names = Vec::new();
        for binding in bindings.items("a list of names with their sorts")? {
            let [name, sort] = binding.items("a name with its sort")? else {
                return Err(binding.place.expected("a name with its sort"));
            };
            if !sort.is("Int") {
                return Err(sort.place.expected(&format!("the sort Int, found {}", sort.shown())));
            }
            names.push(name.name("a name")?);
        }
        for name in &names {
            let choice = self.builder.choice(name);
            self.choices.push(choice);
            self.bind_symbol(name, choice);
        }
        let value = self.condition(body, true);
        for name in &names {
            self.release(name);
        }
        value.map(Value::Condition)
    }
}

fn arguments(node: &Node, count: usize) -> crate::error::Refusal {
    node.place.refuse(format!("{} cannot have {count} arguments", node.shown()))
}
