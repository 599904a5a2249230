//! From text to programs.

use std::collections::BTreeSet;

use super::cursor::{Parsed, Parser, index, type_named};
use super::lex::{Placed, Token};
use super::{BINARY, CAST, COMPARE, FLOAT, UNARY, named};
use crate::ids::Id;
use crate::{
    Block, Builtin, Callee, Cell, ChoiceSource, Event, Events, Fairness, Function, Global, IdVec,
    Instruction, Obligation, Operand, Program, Question, Statement, Target, Terminator, Type, Var,
    VarId, VarKind,
};

/// The program of a text; the form is checked, the rules of [`crate::wellformed`] are not.
pub fn parse(text: &str) -> Parsed<Program> {
    Parser::of(text)?.program()
}

impl Parser {
    fn program(&mut self) -> Parsed<Program> {
        self.word("program")?;
        self.word("1")?;
        self.word("target")?;
        let target = Target { pointer_bits: self.number()? };
        let mut files = Vec::new();
        while self.take_word("file") {
            files.push(self.text()?);
        }
        let mut assumptions = Vec::new();
        while self.take_word("assumption") {
            assumptions.push(self.text()?);
        }
        let mut volatile = BTreeSet::new();
        while self.take_word("volatile") {
            volatile.insert(self.span()?);
        }
        let question = match self.take_word("liveness") {
            true => Question::Liveness,
            false => Question::Termination,
        };
        let mut events = Vec::new();
        while self.take_word("event") {
            events.push(Event { name: self.text()?, span: self.span()? });
        }
        let mut obligations = Vec::new();
        while self.take_word("obligation") {
            obligations.push(Obligation { name: self.text()?, span: self.span()? });
        }
        let mut fairness = Vec::new();
        while self.take_word("fair") {
            fairness.push(self.fairness()?);
        }
        self.word("entry")?;
        let entry = self.id('f')?;
        let mut globals = IdVec::new();
        while self.take_word("global") {
            self.next_id('g', globals.len())?;
            globals.push(self.global()?);
        }
        let mut functions = IdVec::new();
        while self.take_word("fn") {
            self.next_id('f', functions.len())?;
            functions.push(self.function()?);
        }
        match self.here().token {
            Token::End => Ok(Program {
                target,
                files,
                globals,
                functions,
                entry,
                assumptions,
                volatile,
                question,
                events,
                obligations,
                fairness,
            }),
            _ => self.refuse("fn or the end of the text"),
        }
    }

    /// A pair, after its keyword.
    fn fairness(&mut self) -> Parsed<Fairness> {
        let name = self.text()?;
        let p = match self.take_word("always") {
            true => Events::Always,
            false => Events::Of(self.numbers()?),
        };
        Ok(Fairness { name, p, q: self.numbers()?, span: self.span()? })
    }

    fn numbers(&mut self) -> Parsed<Vec<u32>> {
        self.sign('[')?;
        self.list(']', Self::number)
    }

    fn global(&mut self) -> Parsed<Global> {
        let name = self.text()?;
        self.word("size")?;
        let size = self.number()?;
        self.word("align")?;
        let align = self.number()?;
        let constant = self.take_word("constant");
        let shared = self.take_word("shared");
        let zeroed = self.take_word("zeroed");
        let user = self.take_word("user");
        let span = self.span()?;
        self.sign('{')?;
        let mut cells = Vec::new();
        while !self.take_sign('}') {
            let offset = self.number()?;
            self.sign(':')?;
            cells.push((offset, self.cell()?));
        }
        Ok(Global { name, size, align, constant, shared, zeroed, cells, span, user })
    }

    fn cell(&mut self) -> Parsed<Cell> {
        if self.take_word("bytes") {
            self.sign('[')?;
            let mut bytes = Vec::new();
            if let Some(digits) = self.peek_word() {
                match hex_bytes(digits) {
                    Some(found) => bytes = found,
                    None => return self.refuse("pairs of hexadecimal digits"),
                }
                self.next += 1;
            }
            self.sign(']')?;
            return Ok(Cell::Bytes(bytes));
        }
        match self.address()? {
            Operand::Global(global, offset) => Ok(Cell::Global(global, offset)),
            Operand::Function(function) if self.take_sign(':') => {
                Ok(Cell::Label(function, self.id('b')?))
            }
            Operand::Function(function) => Ok(Cell::Function(function)),
            _ => self.refuse("the address of a global or function before this"),
        }
    }

    fn function(&mut self) -> Parsed<Function> {
        let name = self.text()?;
        self.sign('(')?;
        let mut variadic = false;
        let mut params: Vec<VarId> = Vec::new();
        while !self.take_sign(')') {
            if !params.is_empty() {
                self.sign(',')?;
            }
            if self.take_word("...") {
                variadic = true;
                self.sign(')')?;
                break;
            }
            params.push(self.id('v')?);
        }
        self.arrow()?;
        self.sign('(')?;
        let returns = self.list(')', Self::ty)?;
        let user = self.take_word("user");
        let specification = self.take_word("specification");
        let span = self.span()?;
        self.sign('{')?;
        let mut vars = IdVec::new();
        while self.peek_word().is_some_and(|word| index(word, 'v').is_some()) {
            self.next_id('v', vars.len())?;
            vars.push(self.var()?);
        }
        let mut blocks = IdVec::new();
        while !self.take_sign('}') {
            self.next_id('b', blocks.len())?;
            self.sign(':')?;
            blocks.push(self.block()?);
        }
        Ok(Function { name, vars, params, variadic, returns, blocks, span, user, specification })
    }

    fn var(&mut self) -> Parsed<Var> {
        let ty = self.ty()?;
        let name = match self.here().token {
            Token::Text(_) => self.text()?,
            _ => String::new(),
        };
        let kind = match self.any_word("user or temp")?.as_str() {
            "user" => VarKind::User,
            "temp" => VarKind::Temp,
            _ => {
                self.next -= 1;
                return self.refuse("user or temp");
            }
        };
        Ok(Var { name, ty, kind })
    }

    fn block(&mut self) -> Parsed<Block> {
        let mut statements = Vec::new();
        loop {
            if let Some(terminator) = self.terminator()? {
                return Ok(Block { statements, terminator, span: self.span()? });
            }
            let instruction = self.instruction()?;
            statements.push(Statement { instruction, span: self.span()? });
        }
    }

    fn operand(&mut self) -> Parsed<Operand> {
        if self.at_sign('&') {
            return self.address();
        }
        if let Some(var) = self.peek_word().and_then(|word| index(word, 'v')) {
            self.next += 1;
            return Ok(Operand::Var(VarId::at(var)));
        }
        if self.peek_word().and_then(type_named).is_none() {
            return self.refuse("a variable, constant or address");
        }
        let ty = self.ty()?;
        let negative = self.take_sign('-');
        let bits: u128 = self.number()?;
        Ok(Operand::Const { ty, bits: if negative { negated(ty, bits) } else { bits } })
    }

    fn address(&mut self) -> Parsed<Operand> {
        self.sign('&')?;
        let Some(word) = self.peek_word() else {
            return self.refuse("a global, function or block");
        };
        if word.starts_with('g') {
            let global = self.id('g')?;
            let offset = if self.take_sign('+') {
                self.signed(false)?
            } else if self.take_sign('-') {
                self.signed(true)?
            } else {
                0
            };
            Ok(Operand::Global(global, offset))
        } else if word.starts_with('f') {
            Ok(Operand::Function(self.id('f')?))
        } else {
            Ok(Operand::Label(self.id('b')?))
        }
    }

    fn comma_operand(&mut self) -> Parsed<Operand> {
        self.sign(',')?;
        self.operand()
    }

    fn instruction(&mut self) -> Parsed<Instruction> {
        use Instruction as I;
        if self.peek_word().is_some_and(|word| index(word, 'v').is_some()) {
            return self.definition();
        }
        let start = self.step();
        let Token::Word(word) = &start.token else {
            return Err(start.error("expected an instruction"));
        };
        Ok(match word.as_str() {
            "store" => I::Store { address: self.operand()?, value: self.comma_operand()? },
            "stackrestore" => I::StackRestore { mark: self.operand()? },
            "copy" | "move" => I::Copy {
                to: self.operand()?,
                from: self.comma_operand()?,
                size: self.comma_operand()?,
                overlap: word == "move",
            },
            "fill" => I::Fill {
                to: self.operand()?,
                value: self.comma_operand()?,
                size: self.comma_operand()?,
            },
            "assume" => I::Assume { condition: self.operand()? },
            "call" => self.call(Vec::new())?,
            "vastart" => I::VaStart { list: self.operand()? },
            other => return Err(start.error(format!("{other} is not an instruction"))),
        })
    }

    /// An instruction that starts with what it writes.
    fn definition(&mut self) -> Parsed<Instruction> {
        use Instruction as I;
        let dst = self.id('v')?;
        let mut dsts = vec![dst];
        while self.take_sign(',') {
            dsts.push(self.id('v')?);
        }
        self.sign('=')?;
        if dsts.len() > 1 || self.peek_word() == Some("call") {
            self.word("call")?;
            return self.call(dsts);
        }
        let is_operand = self.at_sign('&')
            || self.peek_word().is_some_and(|w| index(w, 'v').is_some() || type_named(w).is_some());
        if is_operand {
            return Ok(I::Assign { dst, value: self.operand()? });
        }
        let start = self.step();
        let Token::Word(word) = &start.token else {
            return Err(start.error("expected an operation"));
        };
        Ok(match word.as_str() {
            "select" => I::Select {
                dst,
                condition: self.operand()?,
                left: self.comma_operand()?,
                right: self.comma_operand()?,
            },
            "offset" => {
                let (base, index) = (self.operand()?, self.comma_operand()?);
                self.sign('*')?;
                let negative = self.take_sign('-');
                I::Offset { dst, base, index, scale: self.signed(negative)? }
            }
            "load" => I::Load { dst, address: self.operand()? },
            "alloca" => {
                let size = self.operand()?;
                self.word("align")?;
                I::Alloca { dst, size, align: self.number()?, name: self.text()? }
            }
            "stacksave" => I::StackSave { dst },
            "choice" if self.take_word("function") => {
                I::Choice { dst, source: ChoiceSource::Function(self.text()?) }
            }
            "choice" if self.take_word("allocation") => {
                I::Choice { dst, source: ChoiceSource::Allocation(self.text()?) }
            }
            "choice" if self.take_word("output") => {
                I::Choice { dst, source: ChoiceSource::Output(self.text()?) }
            }
            "choice" if self.take_word("guess") => I::Choice { dst, source: ChoiceSource::Guess },
            "choice" => {
                self.word("other")?;
                I::Choice { dst, source: ChoiceSource::Other(self.text()?) }
            }
            "unknown" => I::Unknown { dst, why: self.text()? },
            other => return self.operation(dst, other, &start),
        })
    }

    /// An operator with its one or two operands.
    fn operation(&mut self, dst: VarId, name: &str, start: &Placed) -> Parsed<Instruction> {
        use Instruction as I;
        if let Some(op) = named(&UNARY, name) {
            return Ok(I::Unary { dst, op, value: self.operand()? });
        }
        if let Some(op) = named(&CAST, name) {
            return Ok(I::Cast { dst, op, value: self.operand()? });
        }
        let binary = named(&BINARY, name);
        let float = named(&FLOAT, name);
        let compare = named(&COMPARE, name);
        if binary.is_none() && float.is_none() && compare.is_none() {
            return Err(start.error(format!("{name} is not an operation")));
        }
        let (left, right) = (self.operand()?, self.comma_operand()?);
        Ok(match (binary, float, compare) {
            (Some(op), _, _) => I::Binary { dst, op, left, right },
            (_, Some(op), _) => I::Float { dst, op, left, right },
            (_, _, Some(op)) => I::Compare { dst, op, left, right },
            _ => return Err(start.error(format!("{name} is not an operation"))),
        })
    }

    /// A call, after its keyword.
    fn call(&mut self, dsts: Vec<VarId>) -> Parsed<Instruction> {
        let callee = if self.take_sign('*') {
            Callee::Pointer(self.operand()?)
        } else if self.take_word("builtin") {
            match self.peek_word().and_then(Builtin::named) {
                Some(builtin) => {
                    self.next += 1;
                    Callee::Builtin(builtin)
                }
                None => return self.refuse("the name of a builtin"),
            }
        } else {
            Callee::Function(self.id('f')?)
        };
        self.sign('(')?;
        let args = self.list(')', Self::operand)?;
        Ok(Instruction::Call { dsts, callee, args })
    }

    /// A terminator, if one stands here.
    fn terminator(&mut self) -> Parsed<Option<Terminator>> {
        let Some(word) = self.peek_word() else { return self.refuse("an instruction") };
        let word = word.to_owned();
        let keyword = self.next;
        self.next += 1;
        Ok(Some(match word.as_str() {
            "goto" => Terminator::Goto(self.id('b')?),
            "branch" => {
                let condition = self.operand()?;
                self.sign(',')?;
                let then = self.id('b')?;
                self.sign(',')?;
                Terminator::Branch { condition, then, otherwise: self.id('b')? }
            }
            "switch" => {
                let value = self.operand()?;
                self.sign('[')?;
                let cases = self.list(']', |parser| {
                    let case = parser.number()?;
                    parser.sign(':')?;
                    Ok((case, parser.id('b')?))
                })?;
                Terminator::Switch { value, cases, default: self.id('b')? }
            }
            "gotoaddress" => {
                let address = self.operand()?;
                self.sign('[')?;
                Terminator::GotoAddress { address, targets: self.list(']', |p| p.id('b'))? }
            }
            "return" => {
                self.sign('(')?;
                Terminator::Return(self.list(')', Self::operand)?)
            }
            "exit" => Terminator::Exit(self.operand()?),
            "abort" => Terminator::Abort(self.text()?),
            "undefined" => Terminator::Undefined(self.text()?),
            "limit" => Terminator::Limit(self.text()?),
            _ => {
                self.next = keyword;
                return Ok(None);
            }
        }))
    }
}

/// The bits of a negative number.
fn negated(ty: Type, magnitude: u128) -> u128 {
    let bits = magnitude.wrapping_neg();
    match ty {
        Type::Int(width) => bits & ouro_term::mask(width),
        _ => bits,
    }
}

fn hex_bytes(digits: &str) -> Option<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [high, low] => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                u8::try_from(digit(high)? * 16 + digit(low)?).ok()
            }
            _ => None,
        })
        .collect()
}
