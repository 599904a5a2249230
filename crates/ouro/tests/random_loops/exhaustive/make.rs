//! Small random programs, each from its seed alone.
//!
//! As in `generate`, most loops are one mistake away from a loop that people write.

use super::syntax::{
    Condition, Expression, Function, Operator, Place, Program, Relation, Representation, Slot,
    Statement, Target, Variable,
};
use crate::generate::Random;

/// The program that comes next; with remainders if its numbers must be the same for integers of all kinds.
pub(super) fn program(random: &mut Random, is_modular: bool) -> Program {
    let width = random.pick(&[3, 3, 4, 4, 5, 5, 6]);
    let cell_representation = if is_modular {
        Representation::Modulo
    } else {
        random.pick(&[Representation::Masked, Representation::Masked, Representation::Char])
    };
    let program = Program {
        width,
        globals: Vec::new(),
        cells: Vec::new(),
        cell_representation,
        pointer: None,
        functions: Vec::new(),
    };
    let mut maker = Maker { random, program, function: 0, kept: Vec::new(), uniform: None };
    maker.program();
    maker.program
}

struct Maker<'a> {
    random: &'a mut Random,
    program: Program,
    /// The function that is being made.
    function: usize,
    /// Counters that the body of a loop should rather not touch.
    kept: Vec<Slot>,
    /// The one way in which this program keeps numbers, if there is one.
    uniform: Option<Representation>,
}

impl Maker<'_> {
    fn program(&mut self) {
        if self.random.percent(50) {
            self.uniform = Some(self.any_representation());
        }
        let locals = 1 + self.random.below(3);
        let globals = self.random.pick(&[0, 0, 1, 1, 2]).min(4 - locals);
        for name in ["g", "h"].into_iter().take(globals) {
            let variable = self.variable_named(name, "s");
            self.program.globals.push(variable);
        }
        if self.random.percent(25) {
            let most = 1 << self.program.width;
            self.program.cells =
                (0..4).map(|_| i64::try_from(self.random.below(most)).unwrap_or(0)).collect();
        }
        let helpers = self.random.pick(&[0, 0, 0, 1, 1, 2]);
        let main = (["x", "y", "z"].into_iter().take(locals))
            .map(|name| self.variable_named(name, "v"))
            .collect::<Vec<_>>();
        let masked: Vec<Target> = (main.iter().enumerate())
            .filter(|(_, variable)| variable.representation == Representation::Masked)
            .map(|(at, _)| Target::Main(at))
            .chain(
                (self.program.globals.iter().enumerate())
                    .filter(|(_, variable)| variable.representation == Representation::Masked)
                    .map(|(at, _)| Target::Global(at)),
            )
            .chain(
                (self.program.cell_representation == Representation::Masked)
                    .then(|| (0..self.program.cells.len()).map(Target::Cell))
                    .into_iter()
                    .flatten(),
            )
            .collect();
        if !masked.is_empty() && self.random.percent(30) {
            self.program.pointer = Some(self.random.pick(&masked));
        }
        let is_seen = |target: &&Target| !matches!(target, Target::Main(_));
        let seen_everywhere: Vec<Target> = masked.iter().filter(is_seen).copied().collect();
        for at in 0..helpers {
            self.function = at;
            self.helper(&seen_everywhere);
        }
        self.function = helpers;
        let count = main.len();
        self.program.functions.push(Function { locals: main, body: Vec::new() });
        let mut body = Vec::new();
        for at in 0..count {
            let place = Place::Variable(Slot::Local(at));
            body.push(self.beginning(place));
        }
        for at in 0..globals {
            if self.random.percent(50) {
                body.push(self.beginning(Place::Variable(Slot::Global(at))));
            }
        }
        for _ in 0..self.random.pick(&[1, 1, 2]) {
            body.push(self.turns(0, &masked));
        }
        self.program.functions[helpers].body = body;
    }

    /// How a variable starts: as an input, or as a number.
    fn beginning(&mut self, place: Place) -> Statement {
        if self.random.percent(60) {
            Statement::Input(place, self.random.pick(&[1, 3, 7, 7]))
        } else {
            let number = self.number();
            Statement::Assign(place, number)
        }
    }

    fn any_representation(&mut self) -> Representation {
        if self.program.is_modular() {
            return Representation::Modulo;
        }
        self.random.pick(&[
            Representation::Masked,
            Representation::Masked,
            Representation::Char,
            Representation::Offset,
            Representation::BitInt,
            Representation::BitInt,
            Representation::BitField,
        ])
    }

    fn variable_named(&mut self, name: &str, structure: &str) -> Variable {
        let representation = self.uniform.unwrap_or_else(|| self.any_representation());
        let name = if representation == Representation::BitField {
            format!("{structure}.{name}")
        } else {
            name.to_owned()
        };
        Variable { name, representation }
    }

    /// A function of two numbers: one that loops, or one that calls itself or an earlier one.
    fn helper(&mut self, targets: &[Target]) {
        let mut locals = Vec::new();
        for name in ["a", "b"] {
            let mut representation = self.uniform.unwrap_or_else(|| self.any_representation());
            if representation == Representation::BitField {
                representation = Representation::Masked;
            }
            locals.push(Variable { name: name.to_owned(), representation });
        }
        self.program.functions.push(Function { locals, body: Vec::new() });
        let place = |at| Place::Variable(Slot::Local(at));
        let mut body = Vec::new();
        match self.random.below(10) {
            0..=3 => {
                let stop = self.comparison_of(place(0));
                let result = self.expression(1);
                body.push(Statement::If(stop, vec![Statement::Return(result)], Vec::new()));
                if self.random.percent(40) {
                    body.push(self.statement(2, targets));
                }
                let callee = self.random.below(self.function + 1);
                let amount = self.random.pick(&[1, 1, 1, 2]);
                let sign = self.random.pick(&[
                    Operator::Subtract,
                    Operator::Subtract,
                    Operator::Add,
                    Operator::ShiftRight,
                ]);
                let sign = if self.program.is_modular() && sign == Operator::ShiftRight {
                    Operator::Divide
                } else {
                    sign
                };
                let amount = if sign == Operator::Divide { 2 } else { amount };
                let first = binary(sign, Expression::Read(place(0)), Expression::Number(amount));
                let second = self.expression(1);
                body.push(Statement::Call(place(1), callee, vec![first, second]));
            }
            4..=7 => body.push(self.turns(1, targets)),
            _ => body.push(self.statement(2, targets)),
        }
        let result = self.expression(1);
        body.push(Statement::Return(result));
        self.program.functions[self.function].body = body;
    }

    fn turns(&mut self, inside: usize, targets: &[Target]) -> Statement {
        let kept = self.kept.len();
        let counter = self.slot();
        let place = Place::Variable(counter);
        let counts = self.random.percent(75);
        let condition = if counts { self.comparison_of(place.clone()) } else { self.condition() };
        if counts {
            self.kept.push(counter);
        }
        let step = self.step(place);
        let mut body: Vec<Statement> = (0..self.random.pick(&[0, 1, 1, 2, 2, 3]))
            .map(|_| self.statement(inside + 1, targets))
            .collect();
        self.kept.truncate(kept);
        match self.random.below(8) {
            0 | 1 => Statement::For(condition, Box::new(step), body),
            2 => {
                body.push(step);
                Statement::DoWhile(body, condition)
            }
            _ => {
                body.push(step);
                Statement::While(condition, body)
            }
        }
    }

    /// A statement; `inside` says in how many loops, two for none to be made here.
    fn statement(&mut self, inside: usize, targets: &[Target]) -> Statement {
        let is_main = self.function == self.program.functions.len() - 1;
        match self.random.below(20) {
            0 | 1 if inside < 2 => self.turns(inside, targets),
            2..=6 => {
                let condition = self.condition();
                let then = self.simple(inside, targets);
                let otherwise =
                    if self.random.percent(60) { self.simple(inside, targets) } else { Vec::new() };
                Statement::If(condition, then, otherwise)
            }
            7 | 8 if self.function > 0 && is_main => {
                let place = self.touched();
                let callee = self.random.below(self.function);
                let arguments = vec![self.expression(1), self.expression(0)];
                Statement::Call(place, callee, arguments)
            }
            9 if self.program.pointer.is_some() && !targets.is_empty() => {
                Statement::Aim(self.random.pick(targets))
            }
            10 | 11 => {
                let place = self.touched();
                Statement::Input(place, self.random.pick(&[1, 3, 7]))
            }
            _ => {
                let place = self.touched();
                let value = self.expression(2);
                Statement::Assign(place, value)
            }
        }
    }

    fn simple(&mut self, inside: usize, targets: &[Target]) -> Vec<Statement> {
        // A helper that does not loop has nothing to break from.
        let in_loop = inside < 2 || self.function == self.program.functions.len() - 1;
        let in_loop = in_loop && !self.kept.is_empty();
        vec![match self.random.below(12) {
            0 if in_loop => Statement::Break,
            1 if in_loop => Statement::Continue,
            2 if self.program.pointer.is_some() && !targets.is_empty() => {
                Statement::Aim(self.random.pick(targets))
            }
            3..=6 => {
                let place = self.touched();
                self.step(place)
            }
            _ => {
                let place = self.touched();
                let value = self.expression(1);
                Statement::Assign(place, value)
            }
        }]
    }

    fn step(&mut self, place: Place) -> Statement {
        let amount = self.random.pick(&[1, 1, 1, 1, 2, 3]);
        let modular = self.program.is_modular();
        let operator = match self.random.below(12) {
            0..=5 => Operator::Add,
            6..=9 => Operator::Subtract,
            10 => Operator::Multiply,
            _ => Operator::Divide,
        };
        let mut amount = Expression::Number(if operator == Operator::Divide { 2 } else { amount });
        if !modular && self.random.percent(10) && operator == Operator::Add {
            amount = Expression::Read(Place::Variable(self.slot()));
        }
        let value = binary(operator, Expression::Read(place.clone()), amount);
        Statement::Assign(place, value)
    }

    fn slot(&mut self) -> Slot {
        let locals = self.program.functions[self.function].locals.len();
        let at = self.random.below(locals + self.program.globals.len());
        if at < locals { Slot::Local(at) } else { Slot::Global(at - locals) }
    }

    fn place(&mut self) -> Place {
        match self.random.below(10) {
            0 | 1 if !self.program.cells.is_empty() => {
                let index = Expression::Read(Place::Variable(self.slot()));
                Place::Cell(Box::new(index))
            }
            2 if self.program.pointer.is_some() => Place::Through,
            _ => Place::Variable(self.slot()),
        }
    }

    /// A place to change; rarely one that a loop counts with.
    fn touched(&mut self) -> Place {
        for _ in 0..4 {
            let place = self.place();
            match place {
                Place::Variable(slot) if self.kept.contains(&slot) => {}
                _ => return place,
            }
        }
        self.place()
    }

    fn number(&mut self) -> Expression {
        let most = 1 << self.program.width;
        let number = self.random.pick(&[0, 0, 1, 1, 2, 3, 5, most / 2, most - 1, most]);
        let negative = !self.program.is_modular() && self.random.percent(8);
        Expression::Number(if negative { -number } else { number })
    }

    fn expression(&mut self, operations: usize) -> Expression {
        if operations == 0 || self.random.percent(25) {
            return if self.random.percent(30) {
                self.number()
            } else {
                Expression::Read(self.place())
            };
        }
        let left = Expression::Read(self.place());
        let modular = self.program.is_modular();
        let number = |number| Expression::Number(number);
        match self.random.below(12) {
            0 => binary(Operator::Divide, left, number(self.random.pick(&[2, 3]))),
            1 => binary(Operator::Remainder, left, number(self.random.pick(&[2, 3, 5]))),
            2 if modular => {
                let divisor = binary(Operator::Add, Expression::Read(self.place()), number(1));
                binary(Operator::Divide, left, divisor)
            }
            2 => {
                let divisor = binary(Operator::Or, Expression::Read(self.place()), number(1));
                let operator = self.random.pick(&[Operator::Divide, Operator::Remainder]);
                binary(operator, left, divisor)
            }
            3 if !modular => binary(Operator::And, left, number(self.random.pick(&[1, 3, 6]))),
            4 if !modular => {
                let right = self.expression(operations - 1);
                let operator = self.random.pick(&[Operator::And, Operator::Or, Operator::Xor]);
                binary(operator, left, right)
            }
            5 if !modular => {
                // A negative number is not shifted to the left.
                let can_be_negative = match &left {
                    Expression::Read(place) => {
                        self.program.representation(self.function, place) == Representation::Offset
                    }
                    _ => true,
                };
                let operator = self.random.pick(&[Operator::ShiftLeft, Operator::ShiftRight]);
                let operator = if can_be_negative { Operator::ShiftRight } else { operator };
                binary(operator, left, number(self.random.pick(&[1, 2])))
            }
            6 => {
                let right = Expression::Read(self.place());
                binary(Operator::Multiply, left, right)
            }
            7 | 8 => {
                let right = self.expression(operations - 1);
                binary(Operator::Subtract, left, right)
            }
            _ => {
                let right = self.expression(operations - 1);
                binary(Operator::Add, left, right)
            }
        }
    }

    fn comparison_of(&mut self, place: Place) -> Condition {
        let relation = self.random.pick(&[
            Relation::Less,
            Relation::LessEqual,
            Relation::Greater,
            Relation::GreaterEqual,
            Relation::NotEqual,
            Relation::NotEqual,
            Relation::Equal,
        ]);
        let right = if self.random.percent(50) { self.number() } else { self.expression(1) };
        Condition::Compare(relation, Expression::Read(place), right)
    }

    fn comparison(&mut self) -> Condition {
        let place = self.place();
        self.comparison_of(place)
    }

    fn condition(&mut self) -> Condition {
        match self.random.below(12) {
            0 | 1 => Condition::Choice,
            2 => Condition::Both(Box::new(self.comparison()), Box::new(Condition::Choice)),
            3 => Condition::Both(Box::new(self.comparison()), Box::new(self.comparison())),
            4 => Condition::Either(Box::new(self.comparison()), Box::new(self.comparison())),
            5 => Condition::Not(Box::new(self.comparison())),
            _ => self.comparison(),
        }
    }
}

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}
