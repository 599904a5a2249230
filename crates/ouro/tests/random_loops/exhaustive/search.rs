//! The truth about a small program: all of its states are looked at.
//!
//! A run that never ends passes a loop's head or the start of a function infinitely often. Between two of
//! those a run is followed for every input; the states found there are the nodes of a graph, and a program
//! loops exactly if a cycle can be reached. Recursion makes stacks of any height: there, a call that begins
//! like one that is still open (the same function, arguments and all memory that it can reach) can be made
//! again and again, and without such a call the height has an end.

use std::collections::HashMap;

use super::syntax::{
    Condition, Expression, Operator, Place, Program, Slot, Statement, Target, Type,
};

/// What was found out about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    Terminates,
    Loops,
    /// There are too many states to look at.
    TooLarge,
}

const MOST_STATES: usize = 150_000;
const DEEPEST_STACK: usize = 200;

/// One instruction of a function's code; targets are positions in that code.
#[derive(Debug)]
enum Instruction {
    Assign(Place, Expression),
    Input(Place, i64),
    Aim(Target),
    /// Goes to the target if the condition does not hold.
    Unless(Condition, usize),
    Jump(usize),
    Head,
    Call(Place, usize, Vec<Expression>),
    Return(Expression),
}

struct Compiler {
    code: Vec<Instruction>,
    /// For each loop around: jumps to its end and to where `continue` goes, which are not known yet.
    loops: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Compiler {
    fn function(body: &[Statement]) -> Vec<Instruction> {
        let mut compiler = Compiler { code: Vec::new(), loops: Vec::new() };
        compiler.block(body);
        compiler.code.push(Instruction::Return(Expression::Number(0)));
        compiler.code
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    /// Places a jump that is not known yet.
    fn hole(&mut self) -> usize {
        self.code.push(Instruction::Jump(usize::MAX));
        self.code.len() - 1
    }

    fn land(&mut self, at: usize, target: usize) {
        match &mut self.code[at] {
            Instruction::Jump(to) | Instruction::Unless(_, to) => *to = target,
            other => unreachable!("no jump: {other:?}"),
        }
    }

    fn unless(&mut self, condition: &Condition) -> usize {
        self.code.push(Instruction::Unless(condition.clone(), usize::MAX));
        self.code.len() - 1
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign(place, value) => {
                self.code.push(Instruction::Assign(place.clone(), value.clone()));
            }
            Statement::Input(place, most) => {
                self.code.push(Instruction::Input(place.clone(), *most));
            }
            Statement::Aim(target) => self.code.push(Instruction::Aim(*target)),
            Statement::If(condition, then, otherwise) => {
                let not = self.unless(condition);
                self.block(then);
                let over = self.hole();
                self.land(not, self.code.len());
                self.block(otherwise);
                self.land(over, self.code.len());
            }
            Statement::While(condition, body) => self.turns(Some(condition), body, None, None),
            Statement::For(condition, step, body) => {
                self.turns(Some(condition), body, Some(step), None);
            }
            Statement::DoWhile(body, condition) => self.turns(None, body, None, Some(condition)),
            Statement::Break => {
                let hole = self.hole();
                self.loops.last_mut().expect("in a loop").0.push(hole);
            }
            Statement::Continue => {
                let hole = self.hole();
                self.loops.last_mut().expect("in a loop").1.push(hole);
            }
            Statement::Call(place, callee, arguments) => {
                self.code.push(Instruction::Call(place.clone(), *callee, arguments.clone()));
            }
            Statement::Return(value) => self.code.push(Instruction::Return(value.clone())),
        }
    }

    fn turns(
        &mut self,
        before: Option<&Condition>,
        body: &[Statement],
        step: Option<&Statement>,
        after: Option<&Condition>,
    ) {
        let head = self.code.len();
        self.code.push(Instruction::Head);
        let mut leaves = Vec::new();
        leaves.extend(before.map(|condition| self.unless(condition)));
        self.loops.push((Vec::new(), Vec::new()));
        self.block(body);
        let (breaks, continues) = self.loops.pop().expect("pushed above");
        let again = self.code.len();
        for hole in continues {
            self.land(hole, again);
        }
        if let Some(step) = step {
            self.statement(step);
        }
        leaves.extend(after.map(|condition| self.unless(condition)));
        self.code.push(Instruction::Jump(head));
        let end = self.code.len();
        for hole in leaves.into_iter().chain(breaks) {
            self.land(hole, end);
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    function: usize,
    next: usize,
    locals: Vec<i8>,
}

/// Where a run is; the last frame is the one that runs.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    globals: Vec<i8>,
    cells: Vec<i8>,
    pointer: Option<u8>,
    frames: Vec<Frame>,
}

/// What a call that is still open began with.
#[derive(Clone, PartialEq, Eq)]
struct Beginning {
    frame: Frame,
    globals: Vec<i8>,
    cells: Vec<i8>,
    pointer: Option<u8>,
    main: Vec<i8>,
}

/// A state with the calls that led to it; they say nothing about what can follow.
#[derive(Clone)]
struct Node {
    state: State,
    beginnings: Vec<Beginning>,
}

struct Searcher<'a> {
    program: &'a Program,
    code: Vec<Vec<Instruction>>,
    targets: Vec<Target>,
}

/// Why a run cannot be followed as usual.
enum Special {
    EndlessRecursion,
    TooDeep,
}

/// Whether some run of the program never ends.
pub(super) fn truth(program: &Program) -> Truth {
    let code = program.functions.iter().map(|function| Compiler::function(&function.body));
    let main = program.functions.len() - 1;
    let mut targets: Vec<Target> = Vec::new();
    targets.extend((0..program.functions[main].locals.len()).map(Target::Main));
    targets.extend((0..program.globals.len()).map(Target::Global));
    targets.extend((0..program.cells.len()).map(Target::Cell));
    let searcher = Searcher { program, code: code.collect(), targets };
    let locals = vec![0; program.functions[main].locals.len()];
    let start = Node {
        state: State {
            globals: vec![0; program.globals.len()],
            cells: program.cells.iter().map(|cell| small(*cell)).collect(),
            pointer: program.pointer.map(|target| searcher.number(target)),
            frames: vec![Frame { function: main, next: 0, locals }],
        },
        beginnings: Vec::new(),
    };
    searcher.search(start)
}

fn small(value: i64) -> i8 {
    i8::try_from(value).expect("numbers have few bits")
}

impl Searcher<'_> {
    fn number(&self, target: Target) -> u8 {
        let at = self.targets.iter().position(|other| *other == target);
        u8::try_from(at.expect("a target")).expect("there are few")
    }

    /// Depth first: a state that is met on the way to itself is on a cycle.
    fn search(&self, start: Node) -> Truth {
        let mut on_path: HashMap<State, bool> = HashMap::new();
        let next = match self.successors(&start) {
            Ok(next) => next,
            Err(Special::EndlessRecursion) => return Truth::Loops,
            Err(Special::TooDeep) => return Truth::TooLarge,
        };
        let mut path: Vec<(State, Vec<Node>)> = vec![(start.state, next)];
        let mut too_large = false;
        while let Some((_, waiting)) = path.last_mut() {
            let Some(node) = waiting.pop() else {
                let (done, _) = path.pop().expect("there is one");
                on_path.insert(done, false);
                continue;
            };
            match on_path.get(&node.state) {
                Some(true) => return Truth::Loops,
                Some(false) => continue,
                None => {}
            }
            if on_path.len() >= MOST_STATES {
                return Truth::TooLarge;
            }
            match self.successors(&node) {
                Ok(next) => {
                    on_path.insert(node.state.clone(), true);
                    path.push((node.state, next));
                }
                Err(Special::EndlessRecursion) => return Truth::Loops,
                Err(Special::TooDeep) => too_large = true,
            }
        }
        if too_large { Truth::TooLarge } else { Truth::Terminates }
    }

    /// The states at the next heads and starts of functions, for all inputs.
    fn successors(&self, node: &Node) -> Result<Vec<Node>, Special> {
        let mut found = Vec::new();
        let mut running = vec![node.clone()];
        while let Some(mut node) = running.pop() {
            let frame = node.state.frames.last_mut().expect("a function that runs");
            let (function, at) = (frame.function, frame.next);
            frame.next += 1;
            match &self.code[function][at] {
                Instruction::Head => {
                    // The state is that of the head: what comes next is behind it.
                    found.push(node);
                    continue;
                }
                Instruction::Jump(target) => frame.next = *target,
                Instruction::Unless(condition, target) => {
                    let state = &node.state;
                    let (if_not, if_chosen) =
                        (self.holds(state, condition, false), self.holds(state, condition, true));
                    let mut go = |mut node: Node, holds: bool| {
                        if !holds {
                            node.state.frames.last_mut().expect("it runs").next = *target;
                        }
                        running.push(node);
                    };
                    if if_not != if_chosen {
                        go(node.clone(), if_chosen);
                    }
                    go(node, if_not);
                    continue;
                }
                Instruction::Assign(place, value) => {
                    let value = self.value(&node.state, value).1;
                    self.store(&mut node.state, place, value);
                }
                Instruction::Aim(target) => node.state.pointer = Some(self.number(*target)),
                Instruction::Input(place, most) => {
                    for value in 1..=*most {
                        let mut other = node.clone();
                        self.store(&mut other.state, place, value);
                        running.push(other);
                    }
                    self.store(&mut node.state, place, 0);
                }
                Instruction::Call(_, callee, arguments) => {
                    self.begin(&mut node, *callee, arguments)?;
                    found.push(node);
                    continue;
                }
                Instruction::Return(value) => {
                    let (_, value) = self.value(&node.state, value);
                    node.state.frames.pop();
                    node.beginnings.pop();
                    let Some(caller) = node.state.frames.last() else { continue };
                    let call = &self.code[caller.function][caller.next - 1];
                    let Instruction::Call(place, ..) = call else { unreachable!("it called") };
                    let result = self.program.result_representation();
                    let value = result.stored(self.program.width, value);
                    self.store(&mut node.state, place, value);
                }
            }
            running.push(node);
        }
        Ok(found)
    }

    fn begin(
        &self,
        node: &mut Node,
        callee: usize,
        arguments: &[Expression],
    ) -> Result<(), Special> {
        let Node { state, beginnings } = node;
        let function = &self.program.functions[callee];
        let mut locals = vec![0; function.locals.len()];
        for ((argument, local), variable) in arguments.iter().zip(&mut locals).zip(&function.locals)
        {
            let value = self.value(state, argument).1;
            *local = small(variable.representation.stored(self.program.width, value));
        }
        let frame = Frame { function: callee, next: 0, locals };
        let beginning = Beginning {
            frame: frame.clone(),
            globals: state.globals.clone(),
            cells: state.cells.clone(),
            pointer: state.pointer,
            main: state.frames[0].locals.clone(),
        };
        if beginnings.contains(&beginning) {
            return Err(Special::EndlessRecursion);
        }
        if beginnings.len() >= DEEPEST_STACK {
            return Err(Special::TooDeep);
        }
        beginnings.push(beginning);
        state.frames.push(frame);
        Ok(())
    }

    fn cell<'a>(&self, state: &'a mut State, place: &Place) -> &'a mut i8 {
        match place {
            Place::Variable(Slot::Local(at)) => {
                &mut state.frames.last_mut().expect("it runs").locals[*at]
            }
            Place::Variable(Slot::Global(at)) => &mut state.globals[*at],
            Place::Cell(index) => {
                let (_, index) = self.value(state, index);
                let at = cell(index, state.cells.len());
                &mut state.cells[at]
            }
            Place::Through => match self.targets[usize::from(state.pointer.expect("a pointer"))] {
                Target::Main(at) => &mut state.frames[0].locals[at],
                Target::Global(at) => &mut state.globals[at],
                Target::Cell(at) => &mut state.cells[at],
            },
        }
    }

    fn store(&self, state: &mut State, place: &Place, value: i64) {
        let function = state.frames.last().expect("it runs").function;
        let representation = self.program.representation(function, place);
        *self.cell(state, place) = small(representation.stored(self.program.width, value));
    }

    fn read(&self, state: &State, place: &Place) -> i64 {
        i64::from(match place {
            Place::Variable(Slot::Local(at)) => state.frames.last().expect("it runs").locals[*at],
            Place::Variable(Slot::Global(at)) => state.globals[*at],
            Place::Cell(index) => {
                let (_, index) = self.value(state, index);
                state.cells[cell(index, state.cells.len())]
            }
            Place::Through => match self.targets[usize::from(state.pointer.expect("a pointer"))] {
                Target::Main(at) => state.frames[0].locals[at],
                Target::Global(at) => state.globals[at],
                Target::Cell(at) => state.cells[at],
            },
        })
    }

    fn value(&self, state: &State, expression: &Expression) -> (Type, i64) {
        let width = self.program.width;
        match expression {
            Expression::Number(number) => (Type::Int, *number),
            Expression::Read(place) => {
                let function = state.frames.last().expect("it runs").function;
                let representation = self.program.representation(function, place);
                (representation.read_type(), self.read(state, place))
            }
            Expression::Binary(operator, left, right) => {
                let ((one, left), (two, right)) =
                    (self.value(state, left), self.value(state, right));
                let is_shift = matches!(operator, Operator::ShiftLeft | Operator::ShiftRight);
                let kind = if is_shift { one } else { one.meet(two) };
                let left = kind.number(width, left);
                let right = if is_shift { right } else { kind.number(width, right) };
                let value = match operator {
                    Operator::Add => left + right,
                    Operator::Subtract if self.program.is_modular() => {
                        left + (1 << width) - right % (1 << width)
                    }
                    Operator::Subtract => left - right,
                    Operator::Multiply => left.wrapping_mul(right),
                    Operator::And => left & right,
                    Operator::Or => left | right,
                    Operator::Xor => left ^ right,
                    Operator::ShiftLeft => left << right,
                    Operator::ShiftRight => left >> right,
                    Operator::Divide => left / right,
                    Operator::Remainder => left % right,
                };
                (kind, kind.number(width, value))
            }
        }
    }

    fn holds(&self, state: &State, condition: &Condition, choice: bool) -> bool {
        match condition {
            Condition::Compare(relation, left, right) => {
                let ((one, left), (two, right)) =
                    (self.value(state, left), self.value(state, right));
                let kind = one.meet(two);
                let width = self.program.width;
                relation.holds(kind.number(width, left), kind.number(width, right))
            }
            Condition::Choice => choice,
            Condition::Both(one, two) => {
                self.holds(state, one, choice) && self.holds(state, two, choice)
            }
            Condition::Either(one, two) => {
                self.holds(state, one, choice) || self.holds(state, two, choice)
            }
            Condition::Not(inner) => !self.holds(state, inner, choice),
        }
    }
}

/// Which of so many cells an index means.
fn cell(index: i64, count: usize) -> usize {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    usize::try_from(index.rem_euclid(count)).unwrap_or(0)
}
