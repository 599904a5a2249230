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

use ouro_model::monitor::{
    HOOK, HookMoment, Monitor, MonitorHook, MonitorStep, MonitorStepFrequency,
};
use ouro_model::{CompassionPair, EventTrigger, FairnessEvent, MonitorObligation};

use super::rules::transfers_contain;
use super::{
    BranchCondition, CodeFragment, GuardedPattern, ProgramPointPattern, SlicSpecification,
    SlicStatement, TransferFunction,
};
use crate::code::{self, MonitorCode};
use crate::error::{SpecificationPlace, SpecificationResult};
use crate::expression::{self, ParameterMentions};

/// The monitors of a specification, one for each obligation.
pub(crate) fn make_obligation_monitors(
    spec: &SlicSpecification,
    file: &str,
    title: &str,
) -> SpecificationResult<Vec<Monitor>> {
    let mut monitors = Vec::new();
    let acts = |s: &SlicStatement| matches!(s, SlicStatement::Set(_) | SlicStatement::Error(_));
    if spec.obligations.is_empty() || transfers_contain(&spec.transfers, &acts) {
        monitors.push(make_obligation_monitor(spec, None, file, title)?);
    }
    for (number, obligation) in spec.obligations.iter().enumerate() {
        monitors.push(make_obligation_monitor(spec, Some(number), file, &obligation.name.text)?);
    }
    Ok(monitors)
}

/// One monitor under construction.
struct MonitorMaker<'s> {
    spec: &'s SlicSpecification,
    file: &'s str,
    name: &'s str,
    code: MonitorCode,
    hooks: Vec<MonitorHook>,
    /// Functions of the monitor that `any` calls.
    steps: Vec<String>,
    often: Option<MonitorStepFrequency>,
    /// Functions of the monitor that the end of the program calls.
    ends: Vec<String>,
    events: Vec<FairnessEvent>,
    obligations: Vec<MonitorObligation>,
    fairness: Vec<CompassionPair>,
    /// The event where a promise is made.
    made: Option<u32>,
    functions: usize,
}

fn make_obligation_monitor(
    spec: &SlicSpecification,
    number: Option<usize>,
    file: &str,
    name: &str,
) -> SpecificationResult<Monitor> {
    let own: &[TransferFunction] = match number {
        Some(number) => &spec.obligations[number].transfers,
        None => &spec.transfers,
    };
    let place = match number {
        Some(number) => spec.obligations[number].name.place,
        None => SpecificationPlace::START,
    };
    let promises = transfers_contain(own, &|s| matches!(s, SlicStatement::Set(_)));
    let mut maker = MonitorMaker {
        spec,
        file,
        name,
        code: MonitorCode::new(file),
        hooks: Vec::new(),
        steps: Vec::new(),
        often: None,
        ends: Vec::new(),
        events: Vec::new(),
        obligations: vec![MonitorObligation { name: name.to_owned(), span: place.span() }],
        fairness: Vec::new(),
        made: None,
        functions: 0,
    };
    maker.write_state();
    if promises {
        maker.write_promise(place);
    } else if number.is_some() {
        // Only `error()`: what goes on forever breaks no rule.
        maker.fairness.push(code::finite_runs_only_pair(name, place));
    }
    for transfer in &spec.transfers {
        maker.write_transfer(transfer, number.is_none())?;
    }
    if number.is_some() {
        for transfer in own {
            maker.write_transfer(transfer, true)?;
        }
    }
    for (number, constraint) in (1..).zip(&spec.fairness) {
        let called = match &constraint.name {
            Some(name) => name.text.clone(),
            None => format!("fairness constraint {number}"),
        };
        let p = maker.add_guarded_event(&constraint.p, &called)?;
        let q = maker.add_guarded_event(&constraint.q, &called)?;
        // `rules` has refused a second part that is always true.
        let q = q.into_iter().collect();
        let p = p.map_or(EventTrigger::Always, |event| EventTrigger::Of(vec![event]));
        maker.fairness.push(CompassionPair { name: called, p, q, span: constraint.place.span() });
    }
    Ok(maker.finish(promises))
}

impl MonitorMaker<'_> {
    /// The variables of the state, and the function that sets them.
    fn write_state(&mut self) {
        let spec = self.spec;
        for field in &spec.state {
            self.code.push_line("static");
            self.code.push_quoted(&field.ctype.text, field.ctype.place);
            self.code.push_line(&format!("{};", state_variable_name(&field.name.text)));
        }
        self.code.push_line("void __ouro_monitor_start(void) {");
        for field in &spec.state {
            if let Some(initial) = &field.initial {
                self.code.push_line(&format!("{} = (", state_variable_name(&field.name.text)));
                self.push_fragment(initial);
                self.code.push_line(");");
            }
        }
        self.code.push_line("}");
    }

    /// What `set()` and `unset()` need.
    fn write_promise(&mut self, place: SpecificationPlace) {
        let pending = self.add_event(format!("the promise of {} is pending", self.name), place);
        let made = self.add_event(format!("the promise of {} is made", self.name), place);
        self.made = Some(made);
        self.code.push_line("static unsigned char __ouro_pending;");
        self.code.push_line("static void __ouro_monitor_pending(void) {");
        self.code.push_line(&format!("  if (__ouro_pending) __ouro_event({pending});"));
        self.code.push_line("}");
        self.add_step("__ouro_monitor_pending".to_owned(), MonitorStepFrequency::Turns);
        self.fairness.push(CompassionPair {
            name: format!("the promise of {} stays pending", self.name),
            p: EventTrigger::Always,
            q: vec![pending],
            span: place.span(),
        });
    }

    fn add_event(&mut self, name: String, place: SpecificationPlace) -> u32 {
        self.events.push(FairnessEvent { name, span: place.span() });
        u32::try_from(self.events.len() - 1).unwrap_or(u32::MAX)
    }

    fn add_step(&mut self, function: String, steps: MonitorStepFrequency) {
        self.steps.push(function);
        self.often = self.often.max(Some(steps));
    }

    fn new_name(&mut self) -> String {
        self.functions += 1;
        format!("{HOOK}{}", self.functions)
    }

    /// A transfer function: at each of its patterns.
    fn write_transfer(
        &mut self,
        transfer: &TransferFunction,
        acts: bool,
    ) -> SpecificationResult<()> {
        let mut body = MonitorCode::fragment(self.file);
        body.push_line("{");
        self.write_statements(&transfer.body, acts, &mut body);
        body.push_line("}");
        let body = body.into_text();
        let mut mentions = ParameterMentions::default();
        collect_mentions(&transfer.body, &mut mentions)?;
        let mut vacuous = Vec::new();
        if acts
            && SlicStatement::contains_statement(&transfer.body, &|s| {
                matches!(s, SlicStatement::Set(_))
            })
        {
            vacuous.push(format!("the promise of {} is not made there", self.name));
        }
        for pattern in &transfer.patterns {
            self.add_hook(pattern, transfer.optional, &body, &mentions, vacuous.clone());
        }
        Ok(())
    }

    /// Code that runs at a pattern.
    fn add_hook(
        &mut self,
        pattern: &ProgramPointPattern,
        optional: bool,
        body: &str,
        mentions: &ParameterMentions,
        vacuous: Vec<String>,
    ) {
        let name = self.new_name();
        let (function, moment) = match pattern {
            ProgramPointPattern::Any(_) => {
                self.code.push_line(&format!("static void {name}(void) {body}"));
                return self.add_step(name, MonitorStepFrequency::All);
            }
            ProgramPointPattern::Exit(function) if function.text == "main" => {
                self.code.push_line(&format!("static void {name}(int $return) {body}"));
                return self.ends.push(name);
            }
            ProgramPointPattern::Entry(function) => (function, HookMoment::Entry),
            ProgramPointPattern::Exit(function) => (function, HookMoment::Exit),
        };
        let mut parameters: Vec<(u32, SpecificationPlace)> = mentions.parameters.clone();
        parameters.sort_unstable();
        parameters.dedup_by_key(|one| one.0);
        self.hooks.push(MonitorHook {
            function: function.text.clone(),
            moment,
            name,
            body: body.to_owned(),
            parameters: parameters
                .into_iter()
                .map(|(number, place)| (number, place.span()))
                .collect(),
            returned: mentions.returned.map(SpecificationPlace::span),
            optional,
            vacuous,
            span: function.place.span(),
        });
    }

    fn write_statements(
        &mut self,
        statements: &[SlicStatement],
        acts: bool,
        body: &mut MonitorCode,
    ) {
        for statement in statements {
            match statement {
                SlicStatement::Assign(target, value) => {
                    body.push_line(&format!("{} = (", state_variable_name(&target.text)));
                    body.push_quoted(&self.c_text_of(value), value.place);
                    body.push_line(");");
                }
                SlicStatement::If(condition, then, otherwise) => {
                    body.push_line("if (");
                    match condition {
                        BranchCondition::Nondet(_) => body.push_line("__ouro_guess()"),
                        BranchCondition::Expression(text) => {
                            body.push_quoted(&self.c_text_of(text), text.place);
                        }
                    }
                    body.push_line(") {");
                    self.write_statements(then, acts, body);
                    body.push_line("} else {");
                    self.write_statements(otherwise, acts, body);
                    body.push_line("}");
                }
                SlicStatement::Return(place) => body.push_quoted("return;", *place),
                // The statements of other obligations are looked at where those are checked.
                SlicStatement::Error(_) | SlicStatement::Set(_) | SlicStatement::Unset(_)
                    if !acts => {}
                SlicStatement::Error(place) => {
                    let name = format!("{} (error() in line {})", self.name, place.line);
                    self.obligations.push(MonitorObligation { name, span: place.span() });
                    let number = self.obligations.len() - 1;
                    body.push_quoted(&format!("__ouro_violation({number});"), *place);
                }
                SlicStatement::Set(place) => {
                    let made = self.made.unwrap_or_default();
                    let text = format!(
                        "if (!__ouro_pending && __ouro_guess()) {{ __ouro_pending = 1; \
                         __ouro_event({made}); }}"
                    );
                    body.push_quoted(&text, *place);
                }
                SlicStatement::Unset(place) => {
                    body.push_quoted("if (__ouro_pending) __ouro_assume(0);", *place);
                }
            }
        }
    }

    /// The event that a guarded condition passes; none if that is in every step.
    fn add_guarded_event(
        &mut self,
        guarded: &GuardedPattern,
        called: &str,
    ) -> SpecificationResult<Option<u32>> {
        let GuardedPattern { pattern, condition } = guarded;
        let place = condition.place;
        let constant = condition.text == "1";
        if constant && matches!(pattern, ProgramPointPattern::Any(_)) {
            return Ok(None);
        }
        let event = self.add_event(format!("{pattern} {{ {} }}", condition.text), place);
        let mut body = MonitorCode::fragment(self.file);
        body.push_line("{ if (");
        body.push_quoted(&self.c_text_of(condition), place);
        body.push_line(&format!(") __ouro_event({event}); }}"));
        let body = body.into_text();
        let mentions = expression::find_mentions(&condition.text, place)?;
        let vacuous = vec![format!("{called} does not apply there")];
        if let ProgramPointPattern::Any(_) = pattern {
            let name = self.new_name();
            self.code.push_line(&format!("static void {name}(void) {body}"));
            self.add_step(name, MonitorStepFrequency::Changes);
        } else {
            self.add_hook(pattern, false, &body, &mentions, vacuous);
        }
        Ok(Some(event))
    }

    fn push_fragment(&mut self, text: &CodeFragment) {
        let c = self.c_text_of(text);
        self.code.push_quoted(&c, text.place);
    }

    /// An expression as the monitor writes it: variables of the state have names of their own there.
    fn c_text_of(&self, text: &CodeFragment) -> String {
        expression::rename_words(&text.text, |word| {
            let known = self.spec.state.iter().any(|field| field.name.text == word);
            known.then(|| state_variable_name(word))
        })
    }

    fn finish(mut self, promises: bool) -> Monitor {
        if self.often.is_some() {
            self.code.push_line("void __ouro_monitor_step(void) {");
            for step in &self.steps {
                self.code.push_line(&format!("  {step}();"));
            }
            self.code.push_line("}");
        }
        let ends = promises || !self.ends.is_empty();
        if ends {
            self.code.push_line("void __ouro_monitor_end(int status) {");
            for end in &self.ends {
                self.code.push_line(&format!("  {end}(status);"));
            }
            if promises {
                self.code.push_line("  if (__ouro_pending) __ouro_violation(0);");
            }
            self.code.push_line("}");
        }
        Monitor {
            name: self.name.to_owned(),
            files: vec![self.file.to_owned()],
            source: self.code.into_text(),
            hooks: self.hooks,
            start: Some("__ouro_monitor_start".to_owned()),
            step: self
                .often
                .map(|steps| MonitorStep { function: "__ouro_monitor_step".to_owned(), steps }),
            end: ends.then(|| "__ouro_monitor_end".to_owned()),
            events: self.events,
            obligations: self.obligations,
            fairness: self.fairness,
        }
    }
}

/// The name of a variable of the state in the monitor: none of the program's.
fn state_variable_name(name: &str) -> String {
    format!("__ouro_var_{name}")
}

fn collect_mentions(
    statements: &[SlicStatement],
    into: &mut ParameterMentions,
) -> SpecificationResult<()> {
    for statement in statements {
        let text = match statement {
            SlicStatement::Assign(_, value) => Some(value),
            SlicStatement::If(BranchCondition::Expression(text), ..) => Some(text),
            _ => None,
        };
        if let Some(text) = text {
            let found = expression::find_mentions(&text.text, text.place)?;
            into.parameters.extend(found.parameters);
            into.returned = into.returned.or(found.returned);
        }
        if let SlicStatement::If(_, then, otherwise) = statement {
            collect_mentions(then, into)?;
            collect_mentions(otherwise, into)?;
        }
    }
    Ok(())
}
