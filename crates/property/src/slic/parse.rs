//! The text of a specification.

use super::cursor::SpecificationCursor;
use super::rules;
use super::{
    BranchCondition, CodeFragment, FairnessConstraint, GuardedPattern, ProgramPointPattern,
    SlicObligation, SlicSpecification, SlicStatement, StateField, TransferFunction,
};
use crate::error::SpecificationResult;
use crate::expression;
use crate::limits::LIMITS;

/// Words with which C repeats or jumps.
const LOOPS: [&str; 6] = ["while", "for", "do", "goto", "switch", "asm"];

/// Reads a specification.
pub(crate) fn parse_slic(text: &str) -> SpecificationResult<SlicSpecification> {
    let mut reader = SlicParser { cursor: SpecificationCursor::new(text), depth: 0 };
    let mut spec = SlicSpecification::default();
    let mut has_state = false;
    while !reader.cursor.at_end()? {
        let place = reader.cursor.place;
        match reader.cursor.name_ahead()? {
            "state" => {
                reader.cursor.take_keyword("state")?;
                if std::mem::replace(&mut has_state, true) {
                    return Err(place.refuse(
                        "a specification can have only one state block; merge \
                         the two",
                    ));
                }
                spec.state = reader.parse_fields()?;
            }
            "fairness" => {
                reader.cursor.take_keyword("fairness")?;
                spec.fairness.push(reader.parse_constraint(place)?);
            }
            "obligation" => {
                reader.cursor.take_keyword("obligation")?;
                spec.obligations.push(reader.parse_obligation()?);
            }
            _ => spec.transfers.push(reader.parse_transfer()?),
        }
    }
    rules::check_specification(&spec)?;
    Ok(spec)
}

struct SlicParser<'t> {
    cursor: SpecificationCursor<'t>,
    depth: u32,
}

impl SlicParser<'_> {
    fn parse_fields(&mut self) -> SpecificationResult<Vec<StateField>> {
        self.cursor.expect("{", "before the variables of the state")?;
        let mut fields = Vec::new();
        while !self.cursor.take_sign("}")? {
            let declared = self.cursor.take_code(&['=', ';', '{', '}'])?;
            let field = parse_field_declaration(&declared)?;
            let initial = if self.cursor.take_sign("=")? {
                Some(self.parse_expression(&[';', '}'])?)
            } else {
                None
            };
            self.cursor.expect(";", "after a variable of the state")?;
            fields.push(StateField { initial, ..field });
        }
        Ok(fields)
    }

    fn parse_obligation(&mut self) -> SpecificationResult<SlicObligation> {
        let name = self.cursor.expect_title("the name of an obligation")?;
        self.cursor.expect("{", "after the name of an obligation")?;
        let mut transfers = Vec::new();
        while !self.cursor.take_sign("}")? {
            transfers.push(self.parse_transfer()?);
        }
        Ok(SlicObligation { name, transfers })
    }

    fn parse_constraint(
        &mut self,
        place: crate::error::SpecificationPlace,
    ) -> SpecificationResult<FairnessConstraint> {
        let unnamed = self.cursor.take_sign("{")?;
        let name = if unnamed { None } else { Some(self.cursor.expect_title("'{' or a name")?) };
        if !unnamed {
            self.cursor.expect("{", "after the name of a fairness constraint")?;
        }
        let p = self.parse_guarded()?;
        let q = self.parse_guarded()?;
        self.cursor.expect("}", "after the second part of a fairness constraint")?;
        Ok(FairnessConstraint { name, p, q, place })
    }

    fn parse_guarded(&mut self) -> SpecificationResult<GuardedPattern> {
        let pattern = self.parse_pattern()?;
        self.cursor.expect("{", "before a condition")?;
        let condition = self.parse_expression(&['}', ';', '{'])?;
        self.cursor.expect("}", "after a condition")?;
        Ok(GuardedPattern { pattern, condition })
    }

    fn parse_transfer(&mut self) -> SpecificationResult<TransferFunction> {
        let optional = self.cursor.take_keyword("optional")?;
        let mut patterns = vec![self.parse_pattern()?];
        while self.cursor.take_sign(",")? {
            patterns.push(self.parse_pattern()?);
        }
        self.cursor.expect("{", "before what happens there")?;
        let body = self.parse_block()?;
        Ok(TransferFunction { optional, patterns, body })
    }

    fn parse_pattern(&mut self) -> SpecificationResult<ProgramPointPattern> {
        let name = self.cursor.expect_name("f.entry, f.exit or any")?;
        if name.text == "any" && !self.cursor.take_sign(".")? {
            return Ok(ProgramPointPattern::Any(name.place));
        }
        if name.text != "any" {
            self.cursor.expect(".", "between a function and entry or exit")?;
        }
        let event = self.cursor.expect_name("entry or exit")?;
        match event.text.as_str() {
            "entry" => Ok(ProgramPointPattern::Entry(name)),
            "exit" => Ok(ProgramPointPattern::Exit(name)),
            other => Err(event
                .place
                .refuse(format!("'{other}' is not an event of a function; use entry or exit"))),
        }
    }

    /// Statements up to a brace, which is taken.
    fn parse_block(&mut self) -> SpecificationResult<Vec<SlicStatement>> {
        let mut statements = Vec::new();
        while !self.cursor.take_sign("}")? {
            statements.extend(self.parse_statement()?);
        }
        Ok(statements)
    }

    fn parse_statement(&mut self) -> SpecificationResult<Vec<SlicStatement>> {
        self.depth += 1;
        if self.depth > LIMITS.slic_depth {
            return Err(self
                .cursor
                .place
                .refuse(format!("this is nested more than {} times", LIMITS.slic_depth)));
        }
        let statement = self.parse_plain_statement();
        self.depth -= 1;
        statement
    }

    fn parse_plain_statement(&mut self) -> SpecificationResult<Vec<SlicStatement>> {
        if self.cursor.take_sign(";")? {
            return Ok(Vec::new());
        }
        if self.cursor.take_sign("{")? {
            return self.parse_block();
        }
        let word = self.cursor.expect_name("a statement")?;
        let place = word.place;
        let one = match word.text.as_str() {
            "if" => return Ok(vec![self.parse_conditional()?]),
            "return" => {
                // What a transfer function would return, nobody asks for.
                if !self.cursor.take_sign(";")? {
                    self.parse_expression(&[';', '}', '{'])?;
                    self.cursor.expect(";", "after return")?;
                }
                return Ok(vec![SlicStatement::Return(place)]);
            }
            "error" => SlicStatement::Error(place),
            "set" => SlicStatement::Set(place),
            "unset" => SlicStatement::Unset(place),
            "abort" => {
                return Err(place.refuse(
                    "abort() is not available; use error() to say that a rule is \
                     broken",
                ));
            }
            name if LOOPS.contains(&name) => {
                return Err(place.refuse(format!(
                    "'{name}' is not allowed: a transfer function must terminate, so it has no \
                     loops and no jumps; count in a variable of the state instead"
                )));
            }
            _ => return Ok(vec![self.parse_assignment(word)?]),
        };
        self.cursor.expect("(", "in a call")?;
        self.cursor.expect(")", "since this takes no argument")?;
        self.cursor.expect(";", "after a call")?;
        Ok(vec![one])
    }

    fn parse_conditional(&mut self) -> SpecificationResult<SlicStatement> {
        self.cursor.expect("(", "after if")?;
        let condition = self.parse_expression(&[')', ';', '{', '}'])?;
        self.cursor.expect(")", "after the condition of an if")?;
        let squeezed: String = condition.text.split_whitespace().collect();
        let condition = match squeezed.as_str() {
            "nondet()" => BranchCondition::Nondet(condition.place),
            _ => BranchCondition::Expression(refuse_nondet(condition)?),
        };
        let then = self.parse_statement()?;
        let otherwise =
            if self.cursor.take_keyword("else")? { self.parse_statement()? } else { Vec::new() };
        Ok(SlicStatement::If(condition, then, otherwise))
    }

    fn parse_assignment(&mut self, target: CodeFragment) -> SpecificationResult<SlicStatement> {
        if !self.cursor.take_sign("=")? {
            return Err(target.place.refuse(format!(
                "expected a statement (an assignment to a variable of the state, if, error(), \
                 set(), unset() or return), found '{}'",
                target.text
            )));
        }
        let value = refuse_nondet(self.parse_expression(&[';', '}', '{'])?)?;
        self.cursor.expect(";", "after an assignment")?;
        Ok(SlicStatement::Assign(target, value))
    }

    fn parse_expression(&mut self, ends: &[char]) -> SpecificationResult<CodeFragment> {
        let text = self.cursor.take_code(ends)?;
        expression::check_c_expression(&text.text, text.place)?;
        Ok(text)
    }
}

/// Refuses a guess inside an expression: it has to be a condition of its own.
fn refuse_nondet(text: CodeFragment) -> SpecificationResult<CodeFragment> {
    let mut words = text.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    if words.any(|word| word == "nondet") {
        return Err(text.place.refuse("nondet() can only be the whole condition of an if"));
    }
    Ok(text)
}

/// Parts a declaration into type and name.
fn parse_field_declaration(declared: &CodeFragment) -> SpecificationResult<StateField> {
    let text = &declared.text;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = text.rfind(|c: char| !word(c)).map_or(0, |at| at + 1);
    let (ctype, name) = text.split_at(start);
    let plain = ctype.chars().all(|c| word(c) || c.is_whitespace() || c == '*');
    if ctype.trim().is_empty()
        || name.is_empty()
        || !plain
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(declared
            .place
            .refuse("expected a variable of a plain type or a pointer, such as int level = -1;"));
    }
    let mut place = declared.place;
    ctype.chars().for_each(|c| place.advance(c));
    Ok(StateField {
        ctype: CodeFragment { text: ctype.trim().to_owned(), place: declared.place },
        name: CodeFragment { text: name.to_owned(), place },
        initial: None,
    })
}
