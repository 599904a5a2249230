//! The language of the small programs: what a piece of it looks like in C, and what number it is.
//!
//! All variables hold numbers of a few bits, in one of several ways that C has for that. Arithmetic follows
//! C's conversions: `int`, `unsigned`, and narrow `_BitInt`s that do not promote. It is written down here a
//! second time, from the standard and not from Ouro.

/// How a variable of so many bits is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Representation {
    /// `unsigned x; x = … & 31;`
    Masked,
    /// `unsigned char x; x = … & 31;`
    Char,
    /// `int x; x = (int)(… & 31) - 16;`
    Offset,
    /// `unsigned _BitInt(5) x; x = …;`
    BitInt,
    /// `struct { unsigned x : 5; } v; v.x = …;`
    BitField,
    /// `int x; x = … % 32;`, of numbers that are never negative: the same for integers of all kinds.
    Modulo,
}

use Representation::{BitField, BitInt, Char, Masked, Modulo, Offset};

/// What an expression is for C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Int,
    Unsigned,
    Narrow,
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) representation: Representation,
}

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// Of the function that speaks.
    Local(usize),
    Global(usize),
}

/// What can be read and written.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Variable(Slot),
    /// `cells[… & 3]`
    Cell(Box<Expression>),
    /// `*p`
    Through,
}

/// What `p` can point to: objects of type `unsigned`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A variable of `main`.
    Main(usize),
    Global(usize),
    Cell(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Divide,
    Remainder,
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(i64),
    Read(Place),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug)]
pub(super) enum Condition {
    Compare(Relation, Expression, Expression),
    /// `__VERIFIER_nondet_int() & 1`, at most one in a condition.
    Choice,
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Assign(Place, Expression),
    /// One of the numbers up to the second, inclusive; that is one less than a power of two.
    Input(Place, i64),
    Aim(Target),
    If(Condition, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
    DoWhile(Vec<Statement>, Condition),
    /// `for (; condition; step)`
    For(Condition, Box<Statement>, Vec<Statement>),
    Break,
    Continue,
    Call(Place, usize, Vec<Expression>),
    Return(Expression),
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    /// The parameters come first, and a function has two.
    pub(super) locals: Vec<Variable>,
    pub(super) body: Vec<Statement>,
}

/// A program; `main` is the last function, its locals are set by its first statements.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) width: u32,
    pub(super) globals: Vec<Variable>,
    /// What the array holds at first, if there is one.
    pub(super) cells: Vec<i64>,
    pub(super) cell_representation: Representation,
    /// What `p` points to at first, if there is one.
    pub(super) pointer: Option<Target>,
    pub(super) functions: Vec<Function>,
}

impl Representation {
    /// What a variable is in an expression.
    pub(super) fn read_type(self) -> Type {
        match self {
            Masked => Type::Unsigned,
            Char | Offset | BitField | Modulo => Type::Int,
            BitInt => Type::Narrow,
        }
    }

    /// What is in the variable after such a number was stored.
    pub(super) fn stored(self, width: u32, value: i64) -> i64 {
        let size = 1 << width;
        match self {
            Masked | Char | BitInt | BitField => value & (size - 1),
            Offset => (value & (size - 1)) - size / 2,
            Modulo => {
                assert!(value >= 0, "the generator keeps these numbers positive");
                value % size
            }
        }
    }

    fn stored_text(self, width: u32, value: &str) -> String {
        let size = 1 << width;
        match self {
            Masked | Char => format!("{value} & {}", size - 1),
            BitInt | BitField => value.to_owned(),
            Offset => format!("(int)({value} & {}) - {}", size - 1, size / 2),
            Modulo => format!("{value} % {size}"),
        }
    }

    fn declaration(self, width: u32, name: &str) -> String {
        match self {
            Masked => format!("unsigned {name}"),
            Char => format!("unsigned char {name}"),
            Offset | Modulo => format!("int {name}"),
            BitInt => format!("unsigned _BitInt({width}) {name}"),
            BitField => unreachable!("declared in its structure"),
        }
    }
}

impl Type {
    /// The type in which two operands meet.
    pub(super) fn meet(self, other: Type) -> Type {
        match (self, other) {
            (Type::Unsigned, _) | (_, Type::Unsigned) => Type::Unsigned,
            (Type::Narrow, Type::Narrow) => Type::Narrow,
            _ => Type::Int,
        }
    }

    /// A number as one of this type.
    pub(super) fn number(self, width: u32, value: i64) -> i64 {
        match self {
            Type::Int => {
                // From `unsigned` nothing becomes `int` here, and no sum is that large.
                assert!(i32::try_from(value).is_ok(), "the generator keeps clear of overflow");
                value
            }
            Type::Unsigned => value & 0xffff_ffff,
            Type::Narrow => value & ((1 << width) - 1),
        }
    }
}

impl Relation {
    pub(super) fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Relation::Less => left < right,
            Relation::LessEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterEqual => left >= right,
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
        }
    }
}

impl Program {
    /// Whether numbers are kept by remainders, and no bits are looked at.
    pub(super) fn is_modular(&self) -> bool {
        self.cell_representation == Modulo
    }

    pub(super) fn variable(&self, function: usize, slot: Slot) -> &Variable {
        match slot {
            Slot::Local(at) => &self.functions[function].locals[at],
            Slot::Global(at) => &self.globals[at],
        }
    }

    /// How the place keeps its number.
    pub(super) fn representation(&self, function: usize, place: &Place) -> Representation {
        match place {
            Place::Variable(slot) => self.variable(function, *slot).representation,
            Place::Cell(_) => self.cell_representation,
            Place::Through => Masked,
        }
    }

    /// How a call hands back its number.
    pub(super) fn result_representation(&self) -> Representation {
        if self.is_modular() { Modulo } else { Masked }
    }

    /// The program in C.
    pub(super) fn text(&self) -> String {
        let mut text = "extern int __VERIFIER_nondet_int(void);\n\
                        extern unsigned __VERIFIER_nondet_uint(void);\n\n"
            .to_owned();
        text += &self.fields("s", &self.globals, "");
        for global in &self.globals {
            if global.representation != BitField {
                let declaration = global.representation.declaration(self.width, &global.name);
                text += &format!("{declaration} = 0;\n");
            }
        }
        if !self.cells.is_empty() {
            let name = format!("cells[{}]", self.cells.len());
            let declaration = self.cell_representation.declaration(self.width, &name);
            let values: Vec<String> = self.cells.iter().map(i64::to_string).collect();
            text += &format!("{declaration} = {{ {} }};\n", values.join(", "));
        }
        if self.pointer.is_some() {
            text += "unsigned *p;\n";
        }
        for at in 0..self.functions.len() {
            text += &self.function(at);
        }
        text
    }

    fn fields(&self, name: &str, variables: &[Variable], pad: &str) -> String {
        let is_field = |variable: &&Variable| variable.representation == BitField;
        let fields: Vec<&Variable> = variables.iter().filter(is_field).collect();
        if fields.is_empty() {
            return String::new();
        }
        let mut text = format!("{pad}struct {{ ");
        for field in fields {
            let (_, field) = field.name.split_once('.').expect("a field of a structure");
            text += &format!("unsigned {field} : {}; ", self.width);
        }
        text + &format!("}} {name};\n")
    }

    fn function(&self, at: usize) -> String {
        let Function { locals, body } = &self.functions[at];
        let declaration =
            |variable: &Variable| variable.representation.declaration(self.width, &variable.name);
        let is_main = at + 1 == self.functions.len();
        let mut text = if is_main {
            "\nint main(void)\n{\n".to_owned()
        } else {
            let result = if self.is_modular() { "int" } else { "unsigned" };
            let (one, two) = (declaration(&locals[0]), declaration(&locals[1]));
            format!("\n{result} f{at}({one}, {two})\n{{\n")
        };
        text += &self.fields("v", locals, "    ");
        for variable in locals.iter().skip(if is_main { 0 } else { 2 }) {
            if variable.representation != BitField {
                text += &format!("    {} = 0;\n", declaration(variable));
            }
        }
        if let (true, Some(target)) = (is_main, self.pointer) {
            text += &format!("    {}\n", self.aim(target));
        }
        for statement in body {
            text += &self.statement(at, statement, 1);
        }
        if is_main {
            text += "    return 0;\n";
        }
        text + "}\n"
    }

    fn aim(&self, target: Target) -> String {
        match target {
            Target::Main(at) => {
                format!("p = &{};", self.functions.last().expect("main").locals[at].name)
            }
            Target::Global(at) => format!("p = &{};", self.globals[at].name),
            Target::Cell(at) => format!("p = &cells[{at}];"),
        }
    }

    fn block(&self, at: usize, statements: &[Statement], depth: usize) -> String {
        let inner = statements.iter().map(|statement| self.statement(at, statement, depth + 1));
        format!("{{\n{}{}}}", inner.collect::<String>(), "    ".repeat(depth))
    }

    fn store(&self, at: usize, place: &Place, value: &str) -> String {
        let representation = self.representation(at, place);
        let value = representation.stored_text(self.width, value);
        format!("{} = {value}", self.place(at, place))
    }

    fn simple(&self, at: usize, statement: &Statement) -> String {
        match statement {
            Statement::Assign(place, value) => {
                self.store(at, place, &format!("({})", self.expression(at, value)))
            }
            Statement::Input(place, most) => {
                let input = if self.is_modular() {
                    format!("(int)(__VERIFIER_nondet_uint() % {})", most + 1)
                } else {
                    format!("(__VERIFIER_nondet_uint() & {most})")
                };
                self.store(at, place, &input)
            }
            _ => unreachable!("no other statement is part of a for"),
        }
    }

    fn statement(&self, at: usize, statement: &Statement, depth: usize) -> String {
        let pad = "    ".repeat(depth);
        let block = |statements: &[Statement]| self.block(at, statements, depth);
        let inner = match statement {
            Statement::Assign(..) | Statement::Input(..) => {
                format!("{};", self.simple(at, statement))
            }
            Statement::Aim(target) => self.aim(*target),
            Statement::If(condition, then, otherwise) => {
                let text = format!("if ({}) {}", self.condition(at, condition), block(then));
                if otherwise.is_empty() { text } else { text + " else " + &block(otherwise) }
            }
            Statement::While(condition, body) => {
                format!("while ({}) {}", self.condition(at, condition), block(body))
            }
            Statement::DoWhile(body, condition) => {
                format!("do {} while ({});", block(body), self.condition(at, condition))
            }
            Statement::For(condition, step, body) => {
                let condition = self.condition(at, condition);
                format!("for (; {condition}; {}) {}", self.simple(at, step), block(body))
            }
            Statement::Break => "break;".to_owned(),
            Statement::Continue => "continue;".to_owned(),
            Statement::Call(place, callee, arguments) => {
                let parameters = &self.functions[*callee].locals;
                let arguments: Vec<String> = (arguments.iter().zip(parameters))
                    .map(|(argument, parameter)| {
                        let argument = format!("({})", self.expression(at, argument));
                        parameter.representation.stored_text(self.width, &argument)
                    })
                    .collect();
                let call = format!("f{callee}({})", arguments.join(", "));
                format!("{};", self.store(at, place, &call))
            }
            Statement::Return(value) => {
                let value = format!("({})", self.expression(at, value));
                let value = self.result_representation().stored_text(self.width, &value);
                format!("return {value};")
            }
        };
        format!("{pad}{inner}\n")
    }

    fn place(&self, at: usize, place: &Place) -> String {
        match place {
            Place::Variable(slot) => self.variable(at, *slot).name.clone(),
            Place::Cell(index) => {
                let index = self.expression(at, index);
                let within = if self.is_modular() { "%" } else { "&" };
                let most = self.cells.len() - usize::from(!self.is_modular());
                format!("cells[({index}) {within} {most}]")
            }
            Place::Through => "*p".to_owned(),
        }
    }

    fn expression(&self, at: usize, expression: &Expression) -> String {
        match expression {
            Expression::Number(number) => number.to_string(),
            Expression::Read(place) => self.place(at, place),
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.operand(at, left), self.operand(at, right));
                if *operator == Operator::Subtract && self.is_modular() {
                    // Never below zero.
                    let size = 1 << self.width;
                    return format!("{left} + {size} - {right} % {size}");
                }
                format!("{left} {} {right}", operator.text())
            }
        }
    }

    fn operand(&self, at: usize, expression: &Expression) -> String {
        let text = self.expression(at, expression);
        match expression {
            Expression::Number(number) if *number >= 0 => text,
            Expression::Read(Place::Variable(_) | Place::Cell(_)) => text,
            _ => format!("({text})"),
        }
    }

    fn condition(&self, at: usize, condition: &Condition) -> String {
        match condition {
            Condition::Compare(relation, left, right) => {
                let (left, right) = (self.operand(at, left), self.operand(at, right));
                format!("{left} {} {right}", relation.text())
            }
            Condition::Choice if self.is_modular() => "__VERIFIER_nondet_int() > 0".to_owned(),
            Condition::Choice => "__VERIFIER_nondet_int() & 1".to_owned(),
            Condition::Both(one, two) => {
                format!("({}) && ({})", self.condition(at, one), self.condition(at, two))
            }
            Condition::Either(one, two) => {
                format!("({}) || ({})", self.condition(at, one), self.condition(at, two))
            }
            Condition::Not(inner) => format!("!({})", self.condition(at, inner)),
        }
    }
}

impl Operator {
    fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
            Operator::Divide => "/",
            Operator::Remainder => "%",
        }
    }
}
