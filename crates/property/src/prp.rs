//! SV-COMP's property files: `CHECK( init(main()), LTL(F end) )`.

use crate::error::{SpecificationPlace, SpecificationResult, shorten_text};
use crate::ltl::{self, LtlProperty};

/// What a property file asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestedProperty {
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
        property: LtlProperty,
    },
}

/// Reads a property file.
pub(crate) fn parse_requested_property(text: &str) -> SpecificationResult<RequestedProperty> {
    let mut reader = PropertyFileReader { rest: text, place: SpecificationPlace::START };
    reader.expect("CHECK")?;
    reader.expect("(")?;
    reader.expect("init")?;
    reader.expect("(")?;
    let function = reader.read_word();
    if function.is_empty() {
        return Err(reader.place.refuse("expected the function in which runs start"));
    }
    for sign in ["(", ")", ")", ","] {
        reader.expect(sign)?;
    }
    reader.expect("LTL")?;
    reader.expect("(")?;
    reader.skip();
    let (inner, start) = reader.read_inside_bracket()?;
    for sign in [")", ")"] {
        reader.expect(sign)?;
    }
    reader.skip();
    if !reader.rest.is_empty() {
        let what = shorten_text(reader.rest.lines().next().unwrap_or(""));
        return Err(reader.place.refuse(format!(
            "a second property starts here ('{what}'); give one property at a time"
        )));
    }
    if inner.split_whitespace().eq(["F", "end"]) {
        return Ok(RequestedProperty::Termination { function });
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
    let property = ltl::parse::parse_property(inner, start)?;
    Ok(RequestedProperty::Ltl { function, property })
}

struct PropertyFileReader<'t> {
    rest: &'t str,
    place: SpecificationPlace,
}

impl<'t> PropertyFileReader<'t> {
    fn advance(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        taken.chars().for_each(|c| self.place.advance(c));
        self.rest = rest;
        taken
    }

    /// Goes past spaces and lines that are comments.
    fn skip(&mut self) {
        loop {
            let blank = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
            self.advance(blank);
            if !self.rest.starts_with("//") {
                return;
            }
            self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    fn expect(&mut self, sign: &str) -> SpecificationResult<()> {
        self.skip();
        if !self.rest.starts_with(sign) {
            return Err(self.place.refuse(format!(
                "expected '{sign}', as in CHECK( init(main()), LTL(G \"x > 0\") )"
            )));
        }
        self.advance(sign.len());
        Ok(())
    }

    fn read_word(&mut self) -> String {
        self.skip();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = self.rest.find(|c: char| !is_word(c)).unwrap_or(self.rest.len());
        self.advance(end).to_owned()
    }

    /// What stands inside the bracket that is open, which stays.
    fn read_inside_bracket(&mut self) -> SpecificationResult<(&'t str, SpecificationPlace)> {
        let (start, text) = (self.place, self.rest);
        let mut depth = 0_u32;
        let mut quoted = false;
        for (at, character) in text.char_indices() {
            match character {
                '"' => quoted = !quoted,
                '(' if !quoted => depth += 1,
                ')' if !quoted && depth == 0 => {
                    let inner = self.advance(at);
                    return Ok((inner, start));
                }
                ')' if !quoted => depth -= 1,
                _ => {}
            }
        }
        Err(start.refuse("the bracket before this is not closed"))
    }
}
