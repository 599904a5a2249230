//! Is a value as a JSON schema says?
//!
//! Just the keywords that our schemas use are known. Any other makes the test fail rather than pass unseen, and so
//! does a `pattern` that a value would have to match: nothing that Ouro writes has one.

use serde_json::Value;

/// Fails with all complaints if a value is not as a schema says.
pub(super) fn assert_valid(schema: &str, value: &Value) {
    let complaints = complaints(schema, value);
    assert!(complaints.is_empty(), "{complaints:#?}\n{value:#}");
}

/// What is wrong with a value.
pub(super) fn complaints(schema: &str, value: &Value) -> Vec<String> {
    let root: Value = serde_json::from_str(schema).expect("a schema");
    let mut judge = Judge { root: &root, complaints: Vec::new() };
    judge.value(&root, value, "");
    judge.complaints
}

struct Judge<'a> {
    root: &'a Value,
    complaints: Vec<String>,
}

impl<'a> Judge<'a> {
    fn complain(&mut self, at: &str, what: impl std::fmt::Display) {
        self.complaints.push(format!("{at}: {what}"));
    }

    fn value(&mut self, schema: &'a Value, value: &Value, at: &str) {
        let Some(keywords) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                self.complain(at, "nothing may be here");
            }
            return;
        };
        if let Some(name) = keywords.get("$ref").and_then(Value::as_str) {
            let path = name.strip_prefix('#').expect("a definition of the same schema");
            let target = self.root.pointer(path).unwrap_or_else(|| panic!("no {name}"));
            return self.value(target, value, at);
        }
        for (keyword, said) in keywords {
            self.keyword(schema, keyword, said, value, at);
        }
    }

    fn keyword(
        &mut self,
        schema: &'a Value,
        keyword: &str,
        said: &'a Value,
        value: &Value,
        at: &str,
    ) {
        let number = || said.as_i64().expect("a number");
        let length = |length: usize| i64::try_from(length).expect("a length");
        match (keyword, value) {
            ("type", _) => {
                let names = said.as_array().map_or(std::slice::from_ref(said), Vec::as_slice);
                if !names.iter().filter_map(Value::as_str).any(|name| is(name, value)) {
                    self.complain(at, format!("it is no {said}"));
                }
            }
            ("enum", _) if !said.as_array().is_some_and(|all| all.contains(value)) => {
                self.complain(at, format!("it is none of {said}"));
            }
            ("const", _) if said != value => self.complain(at, format!("it is not {said}")),
            ("required", Value::Object(fields)) => {
                for name in said.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if !fields.contains_key(name) {
                        self.complain(at, format!("it has no {name}"));
                    }
                }
            }
            ("properties", Value::Object(fields)) => {
                for (name, field) in fields {
                    if let Some(inside) = said.get(name) {
                        self.value(inside, field, &format!("{at}/{name}"));
                    }
                }
            }
            ("additionalProperties", Value::Object(fields)) => {
                let known = schema.get("properties");
                for (name, field) in fields {
                    if known.is_none_or(|known| known.get(name).is_none()) {
                        self.value(said, field, &format!("{at}/{name}"));
                    }
                }
            }
            ("items", Value::Array(all)) => {
                for (index, one) in all.iter().enumerate() {
                    self.value(said, one, &format!("{at}/{index}"));
                }
            }
            ("minItems", Value::Array(all)) if length(all.len()) < number() => {
                self.complain(at, "it has too few");
            }
            ("uniqueItems", Value::Array(all)) if said == &Value::Bool(true) => {
                if all.iter().enumerate().any(|(index, one)| all[..index].contains(one)) {
                    self.complain(at, "it has something twice");
                }
            }
            ("minProperties", Value::Object(fields)) if length(fields.len()) < number() => {
                self.complain(at, "it has too few");
            }
            ("minLength", Value::String(text)) if length(text.chars().count()) < number() => {
                self.complain(at, "it is too short");
            }
            ("minimum", Value::Number(n)) if n.as_f64() < said.as_f64() => {
                self.complain(at, "it is too small");
            }
            ("maximum", Value::Number(n)) if n.as_f64() > said.as_f64() => {
                self.complain(at, "it is too large");
            }
            ("format", Value::String(text)) => {
                let name = said.as_str().expect("a name");
                if !has_format(name, text) {
                    self.complain(at, format!("{text} is no {name}"));
                }
            }
            ("anyOf" | "oneOf", _) => {
                let fits = |inside: &&'a Value| {
                    let mut judge = Judge { root: self.root, complaints: Vec::new() };
                    judge.value(inside, value, at);
                    judge.complaints.is_empty()
                };
                let count = said.as_array().into_iter().flatten().filter(fits).count();
                if count == 0 || (keyword == "oneOf" && count > 1) {
                    self.complain(at, format!("{count} of {keyword} fit"));
                }
            }
            ("pattern", Value::String(_)) => panic!("{at}: patterns are not looked at; add that"),
            (
                "enum"
                | "const"
                | "required"
                | "properties"
                | "additionalProperties"
                | "items"
                | "minItems"
                | "uniqueItems"
                | "minProperties"
                | "minLength"
                | "minimum"
                | "maximum"
                | "format"
                | "pattern",
                _,
            ) => {}
            // They say nothing about values.
            (
                "$schema" | "$id" | "id" | "title" | "description" | "default" | "definitions"
                | "$defs",
                _,
            ) => {}
            _ => panic!("{at}: the keyword {keyword} is not known here; add it"),
        }
    }
}

fn is(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("the type {other} is not known here; add it"),
    }
}

fn has_format(name: &str, text: &str) -> bool {
    let is_hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    match name {
        "uri" => text.contains(':') && has_format("uri-reference", text),
        "uri-reference" => {
            let plain =
                |b: u8| b.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&b);
            !text.is_empty() && text.bytes().all(plain)
        }
        "uuid" => {
            let parts: Vec<&str> = text.split('-').collect();
            let lengths = [8, 4, 4, 4, 12];
            parts.len() == 5 && parts.iter().zip(lengths).all(|(part, length)| is_hex(part, length))
        }
        "sha256" => is_hex(text, 64),
        "date-time" => {
            let shape = "0000-00-00T00:00:00Z";
            let digit = |c: char| if c.is_ascii_digit() { '0' } else { c };
            text.chars().map(digit).collect::<String>() == shape
        }
        other => panic!("the format {other} is not known here; add it"),
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let schema = r##"{
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {
            "a": { "$ref": "#/definitions/few" },
            "b": { "enum": ["x", "y"] },
            "c": { "format": "uri-reference" },
            "d": { "oneOf": [{ "const": 1 }, { "type": "integer" }] }
        },
        "definitions": { "few": { "type": "array", "minItems": 1, "uniqueItems": true, "items": { "minimum": 2 } } }
    }"##;
    let refused = |text: &str| {
        let value = serde_json::from_str(text).expect("JSON");
        complaints(schema, &value)
    };
    assert!(refused(r#"{ "a": [2, 3], "b": "x", "c": "a%20b.c", "d": 2 }"#).is_empty());
    for text in [
        "7",
        "{}",
        r#"{ "a": [] }"#,
        r#"{ "a": [1] }"#,
        r#"{ "a": [2, 2] }"#,
        r#"{ "a": [2], "b": "z" }"#,
        r#"{ "a": [2], "c": "a b.c" }"#,
        r#"{ "a": [2], "d": 1 }"#,
        r#"{ "a": [2], "e": 0 }"#,
    ] {
        assert_eq!(refused(text).len(), 1, "{text}: {:?}", refused(text));
    }
}
