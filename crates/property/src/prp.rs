//! SV-COMP's property files: `CHECK( init(main()), LTL(F end) )`.

use crate::error::{Parsed, Place, shortened};
use crate::ltl::{self, Property};

/// What a property file asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked {
    /// That every run from this function ends: `LTL(F end)`.
    Termination {
        /// Where runs start.
        function: String,
    },
    /// That every run from this function satisfies a formula.
    Ltl {
        /// Where runs start.
        function: String,
        /// The formula.
        property: Property,
    },
}

/// Reads a property file.
pub(crate) fn asked(text: &str) -> Parsed<Asked> {
    let mut reader = Reader { rest: text, place: Place::START };
    reader.expect("CHECK")?;
    reader.expect("(")?;
    reader.expect("init")?;
    reader.expect("(")?;
    let function = reader.word();
    if function.is_empty() {
        return Err(reader.place.refuse("expected the function in which runs start"));
    }
    for sign in ["(", ")", ")", ","] {
        reader.expect(sign)?;
    }
    reader.expect("LTL")?;
    reader.expect("(")?;
    reader.skip();
    let (inner, start) = reader.inside()?;
    for sign in [")", ")"] {
        reader.expect(sign)?;
    }
    reader.skip();
    if !reader.rest.is_empty() {
        let what = shortened(reader.rest.lines().next().unwrap_or(""));
        return Err(reader.place.refuse(format!(
            "a second property starts here ('{what}'); give one property at a time"
        )));
    }
    if inner.split_whitespace().eq(["F", "end"]) {
        return Ok(Asked::Termination { function });
    }
    for known in ["call(", "valid-", "overflow", "data-race", "no-", "label("] {
        if let Some(at) = inner.find(known).filter(|at| !inner[..*at].contains('"')) {
            let mut place = start;
            inner[..at].chars().for_each(|c| place.advance(c));
            return Err(place.refuse(
                "this property is about single states; Ouro checks termination, LTL(F end), and LTL \
                 over expressions in quotes",
            ));
        }
    }
    let property = ltl::parse::formula(inner, start)?;
    Ok(Asked::Ltl { function, property })
}

struct Reader<'t> {
    rest: &'t str,
    place: Place,
}

impl<'t> Reader<'t> {
    fn step(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        taken.chars().for_each(|c| self.place.advance(c));
        self.rest = rest;
        taken
    }

    /// Goes past spaces and lines that are comments.
    fn skip(&mut self) {
        loop {
            let blank = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
            self.step(blank);
            if !self.rest.starts_with("//") {
                return;
            }
            self.step(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        self.skip();
        if !self.rest.starts_with(sign) {
            return Err(self.place.refuse(format!(
                "expected '{sign}', as in CHECK( init(main()), LTL(G \"x > 0\") )"
            )));
        }
        self.step(sign.len());
        Ok(())
    }

    fn word(&mut self) -> String {
        self.skip();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c: char| !is_word(c)).unwrap_or(self.rest.len());
        self.step(end).to_owned()
    }

    /// What stands inside the bracket that is open, which stays.
    fn inside(&mut self) -> Parsed<(&'t str, Place)> {
        let (start, text) = (self.place, self.rest);
        let mut depth = 0_u32;
        let mut quoted = false;
        for (at, character) in text.char_indices() {
            match character {
                '"' => quoted = !quoted,
                '(' if !quoted => depth += 1,
                ')' if !quoted && depth == 0 => {
                    let inner = self.step(at);
                    return Ok((inner, start));
                }
                ')' if !quoted => depth -= 1,
                _ => {}
            }
        }
        Err(start.refuse("the bracket before this is not closed"))
    }
}
