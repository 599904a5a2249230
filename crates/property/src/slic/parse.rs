//! The text of a specification.

use super::cursor::Cursor;
use super::rules;
use super::{
    Condition, Constraint, Field, Guarded, Obligation, Pattern, Spec, Stmt, Text, Transfer,
};
use crate::error::Parsed;
use crate::expression;

/// How deep statements may be nested: more is nothing that anyone wrote.
const DEEPEST: u32 = 100;

/// Words with which C repeats or jumps.
const LOOPS: [&str; 6] = ["while", "for", "do", "goto", "switch", "asm"];

/// Reads a specification.
pub(crate) fn spec(text: &str) -> Parsed<Spec> {
    let mut reader = Reader { cursor: Cursor::new(text), depth: 0 };
    let mut spec = Spec::default();
    let mut has_state = false;
    while !reader.cursor.at_end()? {
        let place = reader.cursor.place;
        match reader.cursor.name_ahead()? {
            "state" => {
                reader.cursor.takes_word("state")?;
                if std::mem::replace(&mut has_state, true) {
                    return Err(place.refuse("a specification has one state; join the two"));
                }
                spec.state = reader.fields()?;
            }
            "fairness" => {
                reader.cursor.takes_word("fairness")?;
                spec.fairness.push(reader.constraint(place)?);
            }
            "obligation" => {
                reader.cursor.takes_word("obligation")?;
                spec.obligations.push(reader.obligation()?);
            }
            _ => spec.transfers.push(reader.transfer()?),
        }
    }
    rules::check(&spec)?;
    Ok(spec)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    depth: u32,
}

impl Reader<'_> {
    fn fields(&mut self) -> Parsed<Vec<Field>> {
        self.cursor.expect("{", "before the variables of the state")?;
        let mut fields = Vec::new();
        while !self.cursor.takes("}")? {
            let declared = self.cursor.code(&['=', ';', '{', '}'])?;
            let field = field(&declared)?;
            let initial =
                if self.cursor.takes("=")? { Some(self.expression(&[';', '}'])?) } else { None };
            self.cursor.expect(";", "after a variable of the state")?;
            fields.push(Field { initial, ..field });
        }
        Ok(fields)
    }

    fn obligation(&mut self) -> Parsed<Obligation> {
        let name = self.cursor.title("the name of an obligation")?;
        self.cursor.expect("{", "after the name of an obligation")?;
        let mut transfers = Vec::new();
        while !self.cursor.takes("}")? {
            transfers.push(self.transfer()?);
        }
        Ok(Obligation { name, transfers })
    }

    fn constraint(&mut self, place: crate::error::Place) -> Parsed<Constraint> {
        let unnamed = self.cursor.takes("{")?;
        let name = if unnamed { None } else { Some(self.cursor.title("'{' or a name")?) };
        if !unnamed {
            self.cursor.expect("{", "after the name of a fairness constraint")?;
        }
        let p = self.guarded()?;
        let q = self.guarded()?;
        self.cursor.expect("}", "after the second part of a fairness constraint")?;
        Ok(Constraint { name, p, q, place })
    }

    fn guarded(&mut self) -> Parsed<Guarded> {
        let pattern = self.pattern()?;
        self.cursor.expect("{", "before a condition")?;
        let condition = self.expression(&['}', ';', '{'])?;
        self.cursor.expect("}", "after a condition")?;
        Ok(Guarded { pattern, condition })
    }

    fn transfer(&mut self) -> Parsed<Transfer> {
        let optional = self.cursor.takes_word("optional")?;
        let mut patterns = vec![self.pattern()?];
        while self.cursor.takes(",")? {
            patterns.push(self.pattern()?);
        }
        self.cursor.expect("{", "before what happens there")?;
        let body = self.block()?;
        Ok(Transfer { optional, patterns, body })
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let name = self.cursor.name("f.entry, f.exit or any")?;
        if name.text == "any" && !self.cursor.takes(".")? {
            return Ok(Pattern::Any(name.place));
        }
        if name.text != "any" {
            self.cursor.expect(".", "between a function and entry or exit")?;
        }
        let event = self.cursor.name("entry or exit")?;
        match event.text.as_str() {
            "entry" => Ok(Pattern::Entry(name)),
            "exit" => Ok(Pattern::Exit(name)),
            other => Err(event
                .place
                .refuse(format!("'{other}' is no moment of a function; it is entry or exit"))),
        }
    }

    /// Statements up to a brace, which is taken.
    fn block(&mut self) -> Parsed<Vec<Stmt>> {
        let mut statements = Vec::new();
        while !self.cursor.takes("}")? {
            statements.extend(self.statement()?);
        }
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Vec<Stmt>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self
                .cursor
                .place
                .refuse(format!("this is nested more than {DEEPEST} times")));
        }
        let statement = self.plain_statement();
        self.depth -= 1;
        statement
    }

    fn plain_statement(&mut self) -> Parsed<Vec<Stmt>> {
        if self.cursor.takes(";")? {
            return Ok(Vec::new());
        }
        if self.cursor.takes("{")? {
            return self.block();
        }
        let word = self.cursor.name("a statement")?;
        let place = word.place;
        let one = match word.text.as_str() {
            "if" => return Ok(vec![self.conditional()?]),
            "return" => {
                // What a transfer function would return, nobody asks for.
                if !self.cursor.takes(";")? {
                    self.expression(&[';', '}', '{'])?;
                    self.cursor.expect(";", "after return")?;
                }
                return Ok(vec![Stmt::Return(place)]);
            }
            "error" => Stmt::Error(place),
            "set" => Stmt::Set(place),
            "unset" => Stmt::Unset(place),
            "abort" => {
                return Err(
                    place.refuse("there is no abort() here; error() says that a rule is broken")
                );
            }
            name if LOOPS.contains(&name) => {
                return Err(place.refuse(format!(
                    "'{name}' has no place in a transfer function: it must end, so it has no loops \
                     and no jumps; count in a variable of the state instead"
                )));
            }
            _ => return Ok(vec![self.assignment(word)?]),
        };
        self.cursor.expect("(", "in a call")?;
        self.cursor.expect(")", "since this takes no argument")?;
        self.cursor.expect(";", "after a call")?;
        Ok(vec![one])
    }

    fn conditional(&mut self) -> Parsed<Stmt> {
        self.cursor.expect("(", "after if")?;
        let condition = self.expression(&[')', ';', '{', '}'])?;
        self.cursor.expect(")", "after the condition of an if")?;
        let squeezed: String = condition.text.split_whitespace().collect();
        let condition = match squeezed.as_str() {
            "nondet()" => Condition::Nondet(condition.place),
            _ => Condition::Expression(no_nondet(condition)?),
        };
        let then = self.statement()?;
        let otherwise =
            if self.cursor.takes_word("else")? { self.statement()? } else { Vec::new() };
        Ok(Stmt::If(condition, then, otherwise))
    }

    fn assignment(&mut self, target: Text) -> Parsed<Stmt> {
        if !self.cursor.takes("=")? {
            return Err(target.place.refuse(format!(
                "expected a statement: an assignment to a variable of the state, if, error(), set(), \
                 unset() or return; '{}' starts none of these",
                target.text
            )));
        }
        let value = no_nondet(self.expression(&[';', '}', '{'])?)?;
        self.cursor.expect(";", "after an assignment")?;
        Ok(Stmt::Assign(target, value))
    }

    fn expression(&mut self, ends: &[char]) -> Parsed<Text> {
        let text = self.cursor.code(ends)?;
        expression::check(&text.text, text.place)?;
        Ok(text)
    }
}

/// Refuses a guess inside an expression: it has to be a condition of its own.
fn no_nondet(text: Text) -> Parsed<Text> {
    let mut words = text.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    if words.any(|word| word == "nondet") {
        return Err(text.place.refuse("nondet() can only be the whole condition of an if"));
    }
    Ok(text)
}

/// Parts a declaration into type and name.
fn field(declared: &Text) -> Parsed<Field> {
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
    Ok(Field {
        ctype: Text { text: ctype.trim().to_owned(), place: declared.place },
        name: Text { text: name.to_owned(), place },
        initial: None,
    })
}
