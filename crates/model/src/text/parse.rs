//! From text to programs.

use std::collections::BTreeSet;

use super::cursor::{ModelParseResult, ModelParser, parse_id_index, parse_type_name};
use super::lex::{ModelToken, PlacedToken};
use super::{BINARY, CAST, COMPARE, FLOAT, UNARY, find_operator};
use crate::ids::TypedId;
use crate::{
    Block, BuiltinFunction, Callee, ChoiceSource, CompassionPair, EventTrigger, FairnessEvent,
    Function, GlobalObject, IdVec, InitializerCell, Instruction, LocalVar, MonitorObligation,
    Operand, Program, ProgramQuestion, Statement, TargetLayout, Terminator, Type, VarId, VarKind,
};

/// The program of a text; the form is checked, the rules of [`crate::wellformed`] are not.
pub fn parse_program(text: &str) -> ModelParseResult<Program> {
    ModelParser::of_text(text)?.read_program()
}

impl ModelParser {
    fn read_program(&mut self) -> ModelParseResult<Program> {
        self.expect_word("program")?;
        self.expect_word("1")?;
        self.expect_word("target")?;
        let target = TargetLayout { pointer_bits: self.read_number()? };
        let mut files = Vec::new();
        while self.take_word("file") {
            files.push(self.read_string()?);
        }
        let mut assumptions = Vec::new();
        while self.take_word("assumption") {
            assumptions.push(self.read_string()?);
        }
        let mut volatile = BTreeSet::new();
        while self.take_word("volatile") {
            volatile.insert(self.read_span()?);
        }
        let question = match self.take_word("liveness") {
            true => ProgramQuestion::Liveness,
            false => ProgramQuestion::Termination,
        };
        let mut events = Vec::new();
        while self.take_word("event") {
            events.push(FairnessEvent { name: self.read_string()?, span: self.read_span()? });
        }
        let mut obligations = Vec::new();
        while self.take_word("obligation") {
            obligations
                .push(MonitorObligation { name: self.read_string()?, span: self.read_span()? });
        }
        let mut fairness = Vec::new();
        while self.take_word("fair") {
            fairness.push(self.read_compassion_pair()?);
        }
        self.expect_word("entry")?;
        let entry = self.read_id('f')?;
        let mut globals = IdVec::new();
        while self.take_word("global") {
            self.expect_next_id('g', globals.len())?;
            globals.push(self.read_global()?);
        }
        let mut functions = IdVec::new();
        while self.take_word("fn") {
            self.expect_next_id('f', functions.len())?;
            functions.push(self.read_function()?);
        }
        match self.peek_token().token {
            ModelToken::End => Ok(Program {
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
            _ => self.refuse_token("fn or the end of the text"),
        }
    }

    /// A pair, after its keyword.
    fn read_compassion_pair(&mut self) -> ModelParseResult<CompassionPair> {
        let name = self.read_string()?;
        let p = match self.take_word("always") {
            true => EventTrigger::Always,
            false => EventTrigger::Of(self.read_numbers()?),
        };
        Ok(CompassionPair { name, p, q: self.read_numbers()?, span: self.read_span()? })
    }

    fn read_numbers(&mut self) -> ModelParseResult<Vec<u32>> {
        self.expect_sign('[')?;
        self.read_list(']', Self::read_number)
    }

    fn read_global(&mut self) -> ModelParseResult<GlobalObject> {
        let name = self.read_string()?;
        self.expect_word("size")?;
        let size = self.read_number()?;
        self.expect_word("align")?;
        let align = self.read_number()?;
        let constant = self.take_word("constant");
        let shared = self.take_word("shared");
        let zeroed = self.take_word("zeroed");
        let user = self.take_word("user");
        let span = self.read_span()?;
        self.expect_sign('{')?;
        let mut cells = Vec::new();
        while !self.take_sign('}') {
            let offset = self.read_number()?;
            self.expect_sign(':')?;
            cells.push((offset, self.read_initializer_cell()?));
        }
        Ok(GlobalObject { name, size, align, constant, shared, zeroed, cells, span, user })
    }

    fn read_initializer_cell(&mut self) -> ModelParseResult<InitializerCell> {
        if self.take_word("bytes") {
            self.expect_sign('[')?;
            let mut bytes = Vec::new();
            if let Some(digits) = self.peek_word() {
                match parse_hex_bytes(digits) {
                    Some(found) => bytes = found,
                    None => return self.refuse_token("pairs of hexadecimal digits"),
                }
                self.next += 1;
            }
            self.expect_sign(']')?;
            return Ok(InitializerCell::Bytes(bytes));
        }
        match self.read_address_operand()? {
            Operand::Global(global, offset) => Ok(InitializerCell::Global(global, offset)),
            Operand::Function(function) if self.take_sign(':') => {
                Ok(InitializerCell::Label(function, self.read_id('b')?))
            }
            Operand::Function(function) => Ok(InitializerCell::Function(function)),
            _ => self.refuse_token("the address of a global or function before this"),
        }
    }

    fn read_function(&mut self) -> ModelParseResult<Function> {
        let name = self.read_string()?;
        self.expect_sign('(')?;
        let mut variadic = false;
        let mut params: Vec<VarId> = Vec::new();
        while !self.take_sign(')') {
            if !params.is_empty() {
                self.expect_sign(',')?;
            }
            if self.take_word("...") {
                variadic = true;
                self.expect_sign(')')?;
                break;
            }
            params.push(self.read_id('v')?);
        }
        self.expect_arrow()?;
        self.expect_sign('(')?;
        let returns = self.read_list(')', Self::read_type)?;
        let user = self.take_word("user");
        let specification = self.take_word("specification");
        let span = self.read_span()?;
        self.expect_sign('{')?;
        let mut vars = IdVec::new();
        while self.peek_word().is_some_and(|word| parse_id_index(word, 'v').is_some()) {
            self.expect_next_id('v', vars.len())?;
            vars.push(self.read_local_var()?);
        }
        let mut blocks = IdVec::new();
        while !self.take_sign('}') {
            self.expect_next_id('b', blocks.len())?;
            self.expect_sign(':')?;
            blocks.push(self.read_block()?);
        }
        Ok(Function { name, vars, params, variadic, returns, blocks, span, user, specification })
    }

    fn read_local_var(&mut self) -> ModelParseResult<LocalVar> {
        let ty = self.read_type()?;
        let name = match self.peek_token().token {
            ModelToken::Text(_) => self.read_string()?,
            _ => String::new(),
        };
        let kind = match self.read_word("user or temp")?.as_str() {
            "user" => VarKind::User,
            "temp" => VarKind::Temp,
            _ => {
                self.next -= 1;
                return self.refuse_token("user or temp");
            }
        };
        Ok(LocalVar { name, ty, kind })
    }

    fn read_block(&mut self) -> ModelParseResult<Block> {
        let mut statements = Vec::new();
        loop {
            if let Some(terminator) = self.read_terminator()? {
                return Ok(Block { statements, terminator, span: self.read_span()? });
            }
            let instruction = self.read_instruction()?;
            statements.push(Statement { instruction, span: self.read_span()? });
        }
    }

    fn read_operand(&mut self) -> ModelParseResult<Operand> {
        if self.at_sign('&') {
            return self.read_address_operand();
        }
        if let Some(var) = self.peek_word().and_then(|word| parse_id_index(word, 'v')) {
            self.next += 1;
            return Ok(Operand::Var(VarId::from_index(var)));
        }
        if self.peek_word().and_then(parse_type_name).is_none() {
            return self.refuse_token("a variable, constant or address");
        }
        let ty = self.read_type()?;
        let negative = self.take_sign('-');
        let bits: u128 = self.read_number()?;
        Ok(Operand::Const { ty, bits: if negative { negate_bits(ty, bits) } else { bits } })
    }

    fn read_address_operand(&mut self) -> ModelParseResult<Operand> {
        self.expect_sign('&')?;
        let Some(word) = self.peek_word() else {
            return self.refuse_token("a global, function or block");
        };
        if word.starts_with('g') {
            let global = self.read_id('g')?;
            let offset = if self.take_sign('+') {
                self.read_signed_number(false)?
            } else if self.take_sign('-') {
                self.read_signed_number(true)?
            } else {
                0
            };
            Ok(Operand::Global(global, offset))
        } else if word.starts_with('f') {
            Ok(Operand::Function(self.read_id('f')?))
        } else {
            Ok(Operand::Label(self.read_id('b')?))
        }
    }

    fn read_comma_operand(&mut self) -> ModelParseResult<Operand> {
        self.expect_sign(',')?;
        self.read_operand()
    }

    fn read_instruction(&mut self) -> ModelParseResult<Instruction> {
        use Instruction as I;
        if self.peek_word().is_some_and(|word| parse_id_index(word, 'v').is_some()) {
            return self.read_definition();
        }
        let start = self.next_token();
        let ModelToken::Word(word) = &start.token else {
            return Err(start.error_here("expected an instruction"));
        };
        Ok(match word.as_str() {
            "store" => {
                I::Store { address: self.read_operand()?, value: self.read_comma_operand()? }
            }
            "stackrestore" => I::StackRestore { mark: self.read_operand()? },
            "copy" | "move" => I::Copy {
                to: self.read_operand()?,
                from: self.read_comma_operand()?,
                size: self.read_comma_operand()?,
                overlap: word == "move",
            },
            "fill" => I::Fill {
                to: self.read_operand()?,
                value: self.read_comma_operand()?,
                size: self.read_comma_operand()?,
            },
            "assume" => I::Assume { condition: self.read_operand()? },
            "call" => self.read_call(Vec::new())?,
            "vastart" => I::VaStart { list: self.read_operand()? },
            other => return Err(start.error_here(format!("{other} is not an instruction"))),
        })
    }

    /// An instruction that starts with what it writes.
    fn read_definition(&mut self) -> ModelParseResult<Instruction> {
        use Instruction as I;
        let dst = self.read_id('v')?;
        let mut dsts = vec![dst];
        while self.take_sign(',') {
            dsts.push(self.read_id('v')?);
        }
        self.expect_sign('=')?;
        if dsts.len() > 1 || self.peek_word() == Some("call") {
            self.expect_word("call")?;
            return self.read_call(dsts);
        }
        let is_operand = self.at_sign('&')
            || self
                .peek_word()
                .is_some_and(|w| parse_id_index(w, 'v').is_some() || parse_type_name(w).is_some());
        if is_operand {
            return Ok(I::Assign { dst, value: self.read_operand()? });
        }
        let start = self.next_token();
        let ModelToken::Word(word) = &start.token else {
            return Err(start.error_here("expected an operation"));
        };
        Ok(match word.as_str() {
            "select" => I::Select {
                dst,
                condition: self.read_operand()?,
                left: self.read_comma_operand()?,
                right: self.read_comma_operand()?,
            },
            "offset" => {
                let (base, index) = (self.read_operand()?, self.read_comma_operand()?);
                self.expect_sign('*')?;
                let negative = self.take_sign('-');
                I::Offset { dst, base, index, scale: self.read_signed_number(negative)? }
            }
            "load" => I::Load { dst, address: self.read_operand()? },
            "alloca" => {
                let size = self.read_operand()?;
                self.expect_word("align")?;
                I::Alloca { dst, size, align: self.read_number()?, name: self.read_string()? }
            }
            "stacksave" => I::StackSave { dst },
            "choice" if self.take_word("function") => {
                I::Choice { dst, source: ChoiceSource::Function(self.read_string()?) }
            }
            "choice" if self.take_word("allocation") => {
                I::Choice { dst, source: ChoiceSource::Allocation(self.read_string()?) }
            }
            "choice" if self.take_word("output") => {
                I::Choice { dst, source: ChoiceSource::Output(self.read_string()?) }
            }
            "choice" if self.take_word("guess") => I::Choice { dst, source: ChoiceSource::Guess },
            "choice" => {
                self.expect_word("other")?;
                I::Choice { dst, source: ChoiceSource::Other(self.read_string()?) }
            }
            "unknown" => I::Unknown { dst, why: self.read_string()? },
            other => return self.read_operation(dst, other, &start),
        })
    }

    /// An operator with its one or two operands.
    fn read_operation(
        &mut self,
        dst: VarId,
        name: &str,
        start: &PlacedToken,
    ) -> ModelParseResult<Instruction> {
        use Instruction as I;
        if let Some(op) = find_operator(&UNARY, name) {
            return Ok(I::Unary { dst, op, value: self.read_operand()? });
        }
        if let Some(op) = find_operator(&CAST, name) {
            return Ok(I::Cast { dst, op, value: self.read_operand()? });
        }
        let binary = find_operator(&BINARY, name);
        let float = find_operator(&FLOAT, name);
        let compare = find_operator(&COMPARE, name);
        if binary.is_none() && float.is_none() && compare.is_none() {
            return Err(start.error_here(format!("{name} is not an operation")));
        }
        let (left, right) = (self.read_operand()?, self.read_comma_operand()?);
        Ok(match (binary, float, compare) {
            (Some(op), _, _) => I::Binary { dst, op, left, right },
            (_, Some(op), _) => I::Float { dst, op, left, right },
            (_, _, Some(op)) => I::Compare { dst, op, left, right },
            _ => return Err(start.error_here(format!("{name} is not an operation"))),
        })
    }

    /// A call, after its keyword.
    fn read_call(&mut self, dsts: Vec<VarId>) -> ModelParseResult<Instruction> {
        let callee = if self.take_sign('*') {
            Callee::Pointer(self.read_operand()?)
        } else if self.take_word("builtin") {
            match self.peek_word().and_then(BuiltinFunction::from_name) {
                Some(builtin) => {
                    self.next += 1;
                    Callee::Builtin(builtin)
                }
                None => return self.refuse_token("the name of a builtin"),
            }
        } else {
            Callee::Function(self.read_id('f')?)
        };
        self.expect_sign('(')?;
        let args = self.read_list(')', Self::read_operand)?;
        Ok(Instruction::Call { dsts, callee, args })
    }

    /// A terminator, if one stands here.
    fn read_terminator(&mut self) -> ModelParseResult<Option<Terminator>> {
        let Some(word) = self.peek_word() else { return self.refuse_token("an instruction") };
        let word = word.to_owned();
        let keyword = self.next;
        self.next += 1;
        Ok(Some(match word.as_str() {
            "goto" => Terminator::Goto(self.read_id('b')?),
            "branch" => {
                let condition = self.read_operand()?;
                self.expect_sign(',')?;
                let then = self.read_id('b')?;
                self.expect_sign(',')?;
                Terminator::Branch { condition, then, otherwise: self.read_id('b')? }
            }
            "switch" => {
                let value = self.read_operand()?;
                self.expect_sign('[')?;
                let cases = self.read_list(']', |parser| {
                    let case = parser.read_number()?;
                    parser.expect_sign(':')?;
                    Ok((case, parser.read_id('b')?))
                })?;
                Terminator::Switch { value, cases, default: self.read_id('b')? }
            }
            "gotoaddress" => {
                let address = self.read_operand()?;
                self.expect_sign('[')?;
                Terminator::GotoAddress {
                    address,
                    targets: self.read_list(']', |p| p.read_id('b'))?,
                }
            }
            "return" => {
                self.expect_sign('(')?;
                Terminator::Return(self.read_list(')', Self::read_operand)?)
            }
            "exit" => Terminator::Exit(self.read_operand()?),
            "abort" => Terminator::Abort(self.read_string()?),
            "undefined" => Terminator::Undefined(self.read_string()?),
            "limit" => Terminator::Limit(self.read_string()?),
            _ => {
                self.next = keyword;
                return Ok(None);
            }
        }))
    }
}

/// The bits of a negative number.
fn negate_bits(ty: Type, magnitude: u128) -> u128 {
    let bits = magnitude.wrapping_neg();
    match ty {
        Type::Int(width) => bits & ouro_term::width_mask(width),
        _ => bits,
    }
}

fn parse_hex_bytes(digits: &str) -> Option<Vec<u8>> {
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
