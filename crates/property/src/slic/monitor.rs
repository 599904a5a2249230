//! Each obligation of a specification as C code that runs with the program.
//!
//! An obligation is a question of its own, with the state, the transfer functions and the fairness that
//! it shares with the others. What stands outside of all `obligation` blocks is one more, with the
//! name of the file.
//!
//! `set()` guesses whether this is the promise that is never kept. If so, the promise is *pending* from
//! there on: an infinite run in which it stays so passes the event `pending` infinitely often and is a
//! violation if it is fair, and a run that ends is one. `unset()` cuts a run off on which the promise
//! was pending: the guess was wrong, and the same run without the guess goes on beside it. So nothing
//! is lost when it is cut: each run of the program is also there without any guess, and on that one
//! every `error()` and every later promise is seen.

use ouro_model::monitor::{HOOK, Hook, Moment, Monitor, Step, Steps};
use ouro_model::{Event, Events, Fairness, Obligation};

use super::rules::says;
use super::{Condition, Guarded, Pattern, Spec, Stmt, Text, Transfer};
use crate::code::{self, Code};
use crate::error::{Parsed, Place};
use crate::expression::{self, Mentions};

/// The monitors of a specification, one for each obligation.
pub(crate) fn monitors(spec: &Spec, file: &str, title: &str) -> Parsed<Vec<Monitor>> {
    let mut monitors = Vec::new();
    let acts = |s: &Stmt| matches!(s, Stmt::Set(_) | Stmt::Error(_));
    if spec.obligations.is_empty() || says(&spec.transfers, &acts) {
        monitors.push(monitor(spec, None, file, title)?);
    }
    for (number, obligation) in spec.obligations.iter().enumerate() {
        monitors.push(monitor(spec, Some(number), file, &obligation.name.text)?);
    }
    Ok(monitors)
}

/// One monitor under construction.
struct Maker<'s> {
    spec: &'s Spec,
    file: &'s str,
    name: &'s str,
    code: Code,
    hooks: Vec<Hook>,
    /// Functions of the monitor that `any` calls.
    steps: Vec<String>,
    often: Option<Steps>,
    /// Functions of the monitor that the end of the program calls.
    ends: Vec<String>,
    events: Vec<Event>,
    obligations: Vec<Obligation>,
    fairness: Vec<Fairness>,
    /// The event where a promise is made.
    made: Option<u32>,
    functions: usize,
}

fn monitor(spec: &Spec, number: Option<usize>, file: &str, name: &str) -> Parsed<Monitor> {
    let own: &[Transfer] = match number {
        Some(number) => &spec.obligations[number].transfers,
        None => &spec.transfers,
    };
    let place = match number {
        Some(number) => spec.obligations[number].name.place,
        None => Place::START,
    };
    let promises = says(own, &|s| matches!(s, Stmt::Set(_)));
    let mut maker = Maker {
        spec,
        file,
        name,
        code: Code::new(file),
        hooks: Vec::new(),
        steps: Vec::new(),
        often: None,
        ends: Vec::new(),
        events: Vec::new(),
        obligations: vec![Obligation { name: name.to_owned(), span: place.span() }],
        fairness: Vec::new(),
        made: None,
        functions: 0,
    };
    maker.state();
    if promises {
        maker.promise(place);
    } else if number.is_some() {
        // Only `error()`: what goes on forever breaks no rule.
        maker.fairness.push(code::no_infinite_run(name, place));
    }
    for transfer in &spec.transfers {
        maker.transfer(transfer, number.is_none())?;
    }
    if number.is_some() {
        for transfer in own {
            maker.transfer(transfer, true)?;
        }
    }
    for (number, constraint) in (1..).zip(&spec.fairness) {
        let called = match &constraint.name {
            Some(name) => name.text.clone(),
            None => format!("fairness constraint {number}"),
        };
        let p = maker.guarded(&constraint.p, &called)?;
        let q = maker.guarded(&constraint.q, &called)?;
        // `rules` has refused a second part that is always true.
        let q = q.into_iter().collect();
        let p = p.map_or(Events::Always, |event| Events::Of(vec![event]));
        maker.fairness.push(Fairness { name: called, p, q, span: constraint.place.span() });
    }
    Ok(maker.finish(promises))
}

impl Maker<'_> {
    /// The variables of the state, and the function that sets them.
    fn state(&mut self) {
        let spec = self.spec;
        for field in &spec.state {
            self.code.line("static");
            self.code.quoted(&field.ctype.text, field.ctype.place);
            self.code.line(&format!("{};", variable(&field.name.text)));
        }
        self.code.line("void __ouro_monitor_start(void) {");
        for field in &spec.state {
            if let Some(initial) = &field.initial {
                self.code.line(&format!("{} = (", variable(&field.name.text)));
                self.quoted(initial);
                self.code.line(");");
            }
        }
        self.code.line("}");
    }

    /// What `set()` and `unset()` need.
    fn promise(&mut self, place: Place) {
        let pending = self.event(format!("the promise of {} is pending", self.name), place);
        let made = self.event(format!("the promise of {} is made", self.name), place);
        self.made = Some(made);
        self.code.line("static unsigned char __ouro_pending;");
        self.code.line("static void __ouro_monitor_pending(void) {");
        self.code.line(&format!("  if (__ouro_pending) __ouro_event({pending});"));
        self.code.line("}");
        self.step("__ouro_monitor_pending".to_owned(), Steps::Turns);
        self.fairness.push(Fairness {
            name: format!("the promise of {} stays pending", self.name),
            p: Events::Always,
            q: vec![pending],
            span: place.span(),
        });
    }

    fn event(&mut self, name: String, place: Place) -> u32 {
        self.events.push(Event { name, span: place.span() });
        u32::try_from(self.events.len() - 1).unwrap_or(u32::MAX)
    }

    fn step(&mut self, function: String, steps: Steps) {
        self.steps.push(function);
        self.often = self.often.max(Some(steps));
    }

    fn new_name(&mut self) -> String {
        self.functions += 1;
        format!("{HOOK}{}", self.functions)
    }

    /// A transfer function: at each of its patterns.
    fn transfer(&mut self, transfer: &Transfer, acts: bool) -> Parsed<()> {
        let mut body = Code::fragment(self.file);
        body.line("{");
        self.statements(&transfer.body, acts, &mut body);
        body.line("}");
        let body = body.text();
        let mut mentions = Mentions::default();
        mentioned(&transfer.body, &mut mentions)?;
        let mut vacuous = Vec::new();
        if acts && Stmt::any(&transfer.body, &|s| matches!(s, Stmt::Set(_))) {
            vacuous.push(format!("the promise of {} is not made there", self.name));
        }
        for pattern in &transfer.patterns {
            self.hook(pattern, transfer.optional, &body, &mentions, vacuous.clone());
        }
        Ok(())
    }

    /// Code that runs at a pattern.
    fn hook(
        &mut self,
        pattern: &Pattern,
        optional: bool,
        body: &str,
        mentions: &Mentions,
        vacuous: Vec<String>,
    ) {
        let name = self.new_name();
        let (function, moment) = match pattern {
            Pattern::Any(_) => {
                self.code.line(&format!("static void {name}(void) {body}"));
                return self.step(name, Steps::All);
            }
            Pattern::Exit(function) if function.text == "main" => {
                self.code.line(&format!("static void {name}(int $return) {body}"));
                return self.ends.push(name);
            }
            Pattern::Entry(function) => (function, Moment::Entry),
            Pattern::Exit(function) => (function, Moment::Exit),
        };
        let mut parameters: Vec<(u32, Place)> = mentions.parameters.clone();
        parameters.sort_unstable();
        parameters.dedup_by_key(|one| one.0);
        self.hooks.push(Hook {
            function: function.text.clone(),
            moment,
            name,
            body: body.to_owned(),
            parameters: parameters
                .into_iter()
                .map(|(number, place)| (number, place.span()))
                .collect(),
            returned: mentions.returned.map(Place::span),
            optional,
            vacuous,
            span: function.place.span(),
        });
    }

    fn statements(&mut self, statements: &[Stmt], acts: bool, body: &mut Code) {
        for statement in statements {
            match statement {
                Stmt::Assign(target, value) => {
                    body.line(&format!("{} = (", variable(&target.text)));
                    body.quoted(&self.in_c(value), value.place);
                    body.line(");");
                }
                Stmt::If(condition, then, otherwise) => {
                    body.line("if (");
                    match condition {
                        Condition::Nondet(_) => body.line("__ouro_guess()"),
                        Condition::Expression(text) => body.quoted(&self.in_c(text), text.place),
                    }
                    body.line(") {");
                    self.statements(then, acts, body);
                    body.line("} else {");
                    self.statements(otherwise, acts, body);
                    body.line("}");
                }
                Stmt::Return(place) => body.quoted("return;", *place),
                // The statements of other obligations are looked at where those are checked.
                Stmt::Error(_) | Stmt::Set(_) | Stmt::Unset(_) if !acts => {}
                Stmt::Error(place) => {
                    let name = format!("{} (error() in line {})", self.name, place.line);
                    self.obligations.push(Obligation { name, span: place.span() });
                    let number = self.obligations.len() - 1;
                    body.quoted(&format!("__ouro_violation({number});"), *place);
                }
                Stmt::Set(place) => {
                    let made = self.made.unwrap_or_default();
                    let text = format!(
                        "if (!__ouro_pending && __ouro_guess()) {{ __ouro_pending = 1; \
                         __ouro_event({made}); }}"
                    );
                    body.quoted(&text, *place);
                }
                Stmt::Unset(place) => body.quoted("if (__ouro_pending) __ouro_assume(0);", *place),
            }
        }
    }

    /// The event that a guarded condition passes; none if that is in every step.
    fn guarded(&mut self, guarded: &Guarded, called: &str) -> Parsed<Option<u32>> {
        let Guarded { pattern, condition } = guarded;
        let place = condition.place;
        let constant = condition.text == "1";
        if constant && matches!(pattern, Pattern::Any(_)) {
            return Ok(None);
        }
        let event = self.event(format!("{pattern} {{ {} }}", condition.text), place);
        let mut body = Code::fragment(self.file);
        body.line("{ if (");
        body.quoted(&self.in_c(condition), place);
        body.line(&format!(") __ouro_event({event}); }}"));
        let body = body.text();
        let mentions = expression::mentions(&condition.text, place)?;
        let vacuous = vec![format!("{called} does not apply there")];
        if let Pattern::Any(_) = pattern {
            let name = self.new_name();
            self.code.line(&format!("static void {name}(void) {body}"));
            self.step(name, Steps::Changes);
        } else {
            self.hook(pattern, false, &body, &mentions, vacuous);
        }
        Ok(Some(event))
    }

    fn quoted(&mut self, text: &Text) {
        let c = self.in_c(text);
        self.code.quoted(&c, text.place);
    }

    /// An expression as the monitor writes it: variables of the state have names of their own there.
    fn in_c(&self, text: &Text) -> String {
        expression::renamed(&text.text, |word| {
            let known = self.spec.state.iter().any(|field| field.name.text == word);
            known.then(|| variable(word))
        })
    }

    fn finish(mut self, promises: bool) -> Monitor {
        if self.often.is_some() {
            self.code.line("void __ouro_monitor_step(void) {");
            for step in &self.steps {
                self.code.line(&format!("  {step}();"));
            }
            self.code.line("}");
        }
        let ends = promises || !self.ends.is_empty();
        if ends {
            self.code.line("void __ouro_monitor_end(int status) {");
            for end in &self.ends {
                self.code.line(&format!("  {end}(status);"));
            }
            if promises {
                self.code.line("  if (__ouro_pending) __ouro_violation(0);");
            }
            self.code.line("}");
        }
        Monitor {
            name: self.name.to_owned(),
            files: vec![self.file.to_owned()],
            source: self.code.text(),
            hooks: self.hooks,
            start: Some("__ouro_monitor_start".to_owned()),
            step: self
                .often
                .map(|steps| Step { function: "__ouro_monitor_step".to_owned(), steps }),
            end: ends.then(|| "__ouro_monitor_end".to_owned()),
            events: self.events,
            obligations: self.obligations,
            fairness: self.fairness,
        }
    }
}

/// The name of a variable of the state in the monitor: none of the program's.
fn variable(name: &str) -> String {
    format!("__ouro_var_{name}")
}

fn mentioned(statements: &[Stmt], into: &mut Mentions) -> Parsed<()> {
    for statement in statements {
        let text = match statement {
            Stmt::Assign(_, value) => Some(value),
            Stmt::If(Condition::Expression(text), ..) => Some(text),
            _ => None,
        };
        if let Some(text) = text {
            let found = expression::mentions(&text.text, text.place)?;
            into.parameters.extend(found.parameters);
            into.returned = into.returned.or(found.returned);
        }
        if let Stmt::If(_, then, otherwise) = statement {
            mentioned(then, into)?;
            mentioned(otherwise, into)?;
        }
    }
    Ok(())
}
