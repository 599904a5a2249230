//! Small random C programs with loops: nested, branching, with inputs, with numbers of all kinds.
//!
//! Most loops are one mistake away from a loop that people write: a counter and a bound, with a body
//! that may touch them. So a good share of them ends, a good share does not, and the reason is
//! rarely the same. A program is made from its seed alone.
//!
//! `TURN` stands wherever a run can go round. It is nothing, unless the program is compiled with
//! `COUNT_TURNS`; with `WIDE` as well, signed integers have 128 bits, so that no run of a test gets
//! to the end of them. Where signed and unsigned meet, the conversion is written down, since wide
//! numbers would convert the other way.

/// What is known of a type: its name, the function that gives such an input, and what it counts as
/// in an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Unsigned,
    Long,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
}

use Kind::{Int, Long, Short, SignedChar, Unsigned, UnsignedChar, UnsignedShort};

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Int => "int",
            Unsigned => "unsigned",
            Long => "long",
            SignedChar => "signed char",
            UnsignedChar => "unsigned char",
            Short => "short",
            UnsignedShort => "unsigned short",
        }
    }

    fn input(self) -> &'static str {
        match self {
            Int => "__VERIFIER_nondet_int()",
            Unsigned => "__VERIFIER_nondet_uint()",
            Long => "__VERIFIER_nondet_long()",
            SignedChar => "__VERIFIER_nondet_schar()",
            UnsignedChar => "__VERIFIER_nondet_uchar()",
            Short => "__VERIFIER_nondet_short()",
            UnsignedShort => "__VERIFIER_nondet_ushort()",
        }
    }

    fn promoted(self) -> Kind {
        match self {
            Int | Unsigned | Long => self,
            SignedChar | UnsignedChar | Short | UnsignedShort => Int,
        }
    }

    fn is_unsigned(self) -> bool {
        matches!(self, Unsigned | UnsignedChar | UnsignedShort)
    }
}

pub(crate) const PRELUDE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern signed char __VERIFIER_nondet_schar(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
#ifdef COUNT_TURNS
extern void turn(void);
#define TURN turn()
#else
#define TURN
#endif
#ifdef WIDE
#define int __int128
#define long __int128
#endif

";

/// The program of a seed.
pub(crate) fn program(seed: u64) -> String {
    let random = Random::of(seed);
    let mut maker =
        Maker { random, variables: Vec::new(), kept: Vec::new(), helpers: 0, array: false };
    maker.program()
}

/// Numbers from a seed, by splitmix64.
pub(crate) struct Random(u64);

impl Random {
    /// Seeds that follow each other have nothing in common.
    pub(crate) fn of(seed: u64) -> Random {
        let mut random = Random(seed);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True so many times in a hundred.
    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[derive(Clone)]
struct Variable {
    name: String,
    kind: Kind,
}

/// A piece of an expression and what it counts as.
struct Piece {
    text: String,
    kind: Kind,
    /// A constant fits any kind.
    constant: bool,
}

struct Maker {
    random: Random,
    /// The variables in sight.
    variables: Vec<Variable>,
    /// Counters and bounds that the body of a loop should rather not touch.
    kept: Vec<String>,
    /// Functions that can be called.
    helpers: usize,
    /// Whether there is an array.
    array: bool,
}

impl Maker {
    fn program(&mut self) -> String {
        let mut text = PRELUDE.to_owned();
        if self.random.percent(25) {
            self.array = true;
            text += "int cells[4] = { 3, 1, 4, 1 };\n\n";
        }
        let helpers = self.random.pick(&[0, 0, 0, 1, 1, 2]);
        for _ in 0..helpers {
            text += &self.helper();
            self.helpers += 1;
        }
        text += "int main(void)\n{\n";
        self.variables.clear();
        let count = 2 + self.random.below(3);
        for name in ["x", "y", "z", "w"].into_iter().take(count) {
            text += &self.declaration(name);
        }
        let loops = 1 + usize::from(self.random.percent(30));
        for _ in 0..loops {
            text += &self.turns(1, 0);
        }
        text += "    return 0;\n}\n";
        text
    }

    fn declaration(&mut self, name: &str) -> String {
        const KINDS: [Kind; 20] = [
            Int,
            Int,
            Int,
            Int,
            Int,
            Int,
            Int,
            Int,
            Int,
            Int,
            Unsigned,
            Unsigned,
            Unsigned,
            Long,
            SignedChar,
            UnsignedChar,
            UnsignedChar,
            Short,
            UnsignedShort,
            Int,
        ];
        let kind = self.random.pick(&KINDS);
        self.variables.push(Variable { name: name.to_owned(), kind });
        if self.random.percent(25) {
            let value = self.random.pick(&[0, 0, 1, 2, 5, 10, 100]);
            return format!("    {} {name} = {value};\n", kind.name());
        }
        let mut text = format!("    {} {name} = {};\n", kind.name(), kind.input());
        if self.random.percent(40) {
            let most = self.random.pick(&[5, 10, 20, 100]);
            text += &if kind.is_unsigned() {
                format!("    if ({name} > {most})\n        return 0;\n")
            } else {
                let least = self.random.pick(&[0, 0, -5, -20]);
                format!("    if ({name} < {least} || {name} > {most})\n        return 0;\n")
            };
        }
        text
    }

    /// A function of two numbers: one that loops, or one that calls itself.
    fn helper(&mut self) -> String {
        let name = format!("f{}", self.helpers);
        let kinds = [Int, Int, Int, Unsigned, Long];
        self.variables.clear();
        let mut parameters = Vec::new();
        for name in ["a", "b"] {
            let kind = self.random.pick(&kinds);
            parameters.push(format!("{} {name}", kind.name()));
            self.variables.push(Variable { name: name.to_owned(), kind });
        }
        let mut text = format!("int {name}({})\n{{\n    TURN;\n", parameters.join(", "));
        if self.random.percent(40) {
            let bound = self.random.pick(&[0, 0, 1, 2]);
            let relation = self.random.pick(&["<=", "<", "=="]);
            text += &format!("    if (a {relation} {bound})\n        return 1;\n");
            let step = self.random.pick(&[1, 1, 1, 2, -1]);
            let other = self.sum(1);
            let callee = if self.helpers > 0 && self.random.percent(30) { "f0" } else { &name };
            if self.random.percent(25) {
                text += &format!("    if (b > 0)\n        return {callee}(a, b - 1);\n");
            }
            text += &format!("    return {callee}(a - {step}, {});\n}}\n\n", other.text);
        } else {
            text += &self.turns(1, 0);
            text += "    return a > 0;\n}\n\n";
        }
        text
    }

    /// A loop with its body; `depth` is how far it is indented, `inside` in how many loops.
    fn turns(&mut self, depth: usize, inside: usize) -> String {
        let kept = self.kept.len();
        let text = match self.random.below(20) {
            0..=9 => self.counting(depth, inside),
            10..=13 => self.several(depth, inside),
            14..=15 => self.phases(depth),
            16 => self.left_by_break(depth, inside),
            _ => self.any(depth, inside),
        };
        self.kept.truncate(kept);
        text
    }

    /// `while (x < y) { …; x += 1; }`
    fn counting(&mut self, depth: usize, inside: usize) -> String {
        let counter = self.variable();
        let bound = self.bound(&counter);
        let up = self.random.percent(60);
        let relation = match (up, self.random.below(10)) {
            (_, 0) => "!=",
            (true, 1..=3) => "<=",
            (true, _) => "<",
            (false, 1..=3) => ">=",
            (false, _) => ">",
        };
        let condition = self.compared(&counter, relation, &bound);
        let amount = self.random.pick(&["1", "1", "1", "1", "2", "3", "7"]);
        let wrong = self.random.percent(8);
        let sign = if up != wrong { "+=" } else { "-=" };
        let step = match self.random.below(20) {
            0 => format!("{} *= 2", counter.name),
            1 => format!("{} /= 2", counter.name),
            2 => {
                let other = self.variable();
                format!("{} {sign} {}", counter.name, cast(counter.kind, &other))
            }
            _ => format!("{} {sign} {amount}", counter.name),
        };
        self.kept.push(counter.name.clone());
        if !bound.constant {
            self.kept.push(bound.text.clone());
        }
        let body = self.block(depth + 1, inside + 1);
        let pad = indent(depth);
        match self.random.below(6) {
            0 | 1 => {
                let start = self.sum(1).text;
                let start = if self.random.percent(60) {
                    format!("{} = {start}", counter.name)
                } else {
                    String::new()
                };
                format!("{pad}for ({start}; {condition}; {step}) {{\n{body}{pad}}}\n")
            }
            2 => format!("{pad}do {{\n{body}{pad}    {step};\n{pad}}} while ({condition});\n"),
            _ => format!("{pad}while ({condition}) {{\n{body}{pad}    {step};\n{pad}}}\n"),
        }
    }

    /// `while (x > 0 && y > 0) { if (input) x--; else y--; }`
    fn several(&mut self, depth: usize, inside: usize) -> String {
        let (one, two) = (self.variable(), self.variable());
        let joined = self.random.pick(&["&&", "&&", "||"]);
        let pad = indent(depth);
        let test = if self.random.percent(70) {
            "__VERIFIER_nondet_int()".to_owned()
        } else {
            self.condition()
        };
        let first = self.step(&one);
        let reset = if self.random.percent(30) {
            format!(" {}", self.assignment(&two))
        } else {
            String::new()
        };
        let second = self.step(&two);
        let limit = self.random.pick(&["0", "0", "1", "5"]);
        let body = if self.random.percent(25) {
            self.block(depth + 1, inside + 1)
        } else {
            format!("{pad}    TURN;\n")
        };
        format!(
            "{pad}while ({} > {limit} {joined} {} > 0) {{\n{body}{pad}    if ({test}) {{ {first}{reset} \
             }}\n{pad}    else {{ {second} }}\n{pad}}}\n",
            one.name, two.name
        )
    }

    /// `while (x > 0) { x += y; y--; }`
    fn phases(&mut self, depth: usize) -> String {
        let (one, two) = (self.variable(), self.variable());
        let (first, second) =
            (self.random.pick(&["+=", "-="]), self.random.pick(&["-= 1", "+= 1", "-= 2"]));
        let pad = indent(depth);
        let relation = self.random.pick(&["> 0", ">= 0", "< 10", "!= 0"]);
        let by = cast(one.kind, &two);
        format!(
            "{pad}while ({} {relation}) {{\n{pad}    TURN;\n{pad}    {} {first} {by};\n{pad}    {} \
             {second};\n{pad}}}\n",
            one.name, one.name, two.name
        )
    }

    /// `for (;;) { if (x > y) break; … }`
    fn left_by_break(&mut self, depth: usize, inside: usize) -> String {
        let variable = self.variable();
        let condition = self.condition();
        let step = self.step(&variable);
        let body = self.block(depth + 1, inside + 1);
        let pad = indent(depth);
        format!(
            "{pad}for (;;) {{\n{pad}    if ({condition})\n{pad}        break;\n{body}{pad}    \
             {step}\n{pad}}}\n"
        )
    }

    /// Any condition, any body.
    fn any(&mut self, depth: usize, inside: usize) -> String {
        let condition = self.condition();
        let body = self.block(depth + 1, inside + 1);
        let variable = self.variable();
        let step = self.step(&variable);
        let pad = indent(depth);
        format!("{pad}while ({condition}) {{\n{body}{pad}    {step}\n{pad}}}\n")
    }

    /// The body of a loop, with its turn counted.
    fn block(&mut self, depth: usize, inside: usize) -> String {
        let mut text = format!("{}TURN;\n", indent(depth));
        for _ in 0..self.random.pick(&[0, 0, 1, 1, 1, 2]) {
            text += &self.statement(depth, inside);
        }
        text
    }

    fn statement(&mut self, depth: usize, inside: usize) -> String {
        let pad = indent(depth);
        match self.random.below(20) {
            0..=3 if inside < 3 => self.turns(depth, inside),
            4..=8 => {
                let condition = self.condition();
                let variable = self.touched();
                let then = self.step(&variable);
                let otherwise = self.touched();
                let otherwise = self.assignment(&otherwise);
                match self.random.below(3) {
                    0 => format!("{pad}if ({condition})\n{pad}    {then}\n"),
                    _ => format!(
                        "{pad}if ({condition})\n{pad}    {then}\n{pad}else\n{pad}    {otherwise}\n"
                    ),
                }
            }
            9 => format!("{pad}if ({})\n{pad}    break;\n", self.condition()),
            10 => format!("{pad}if ({})\n{pad}    continue;\n", self.condition()),
            11 | 12 if self.helpers > 0 => {
                let target = self.touched();
                let helper = self.random.below(self.helpers);
                let (one, two) = (self.sum(0).text, self.sum(0).text);
                format!("{pad}{} = f{helper}({one}, {two});\n", target.name)
            }
            13 | 14 if self.array => {
                let (index, value) = (self.variable(), self.sum(1).text);
                let target = self.touched();
                let place = if self.random.percent(70) {
                    format!("{} & 3", index.name)
                } else {
                    index.name
                };
                if self.random.percent(50) {
                    format!("{pad}cells[{place}] = {value};\n")
                } else {
                    format!("{pad}{} = cells[{place}];\n", target.name)
                }
            }
            _ => {
                let variable = self.touched();
                format!("{pad}{}\n", self.assignment(&variable))
            }
        }
    }

    /// A variable to change; rarely one that a loop counts with.
    fn touched(&mut self) -> Variable {
        let free: Vec<Variable> = (self.variables.iter())
            .filter(|variable| !self.kept.contains(&variable.name))
            .cloned()
            .collect();
        if free.is_empty() || self.random.percent(12) {
            return self.variable();
        }
        let at = self.random.below(free.len());
        free[at].clone()
    }

    fn variable(&mut self) -> Variable {
        let at = self.random.below(self.variables.len());
        self.variables[at].clone()
    }

    /// A change by a constant.
    fn step(&mut self, variable: &Variable) -> String {
        let change = self.random.pick(&["-= 1", "-= 1", "-= 1", "-= 2", "+= 1", "/= 2"]);
        format!("{} {change};", variable.name)
    }

    fn assignment(&mut self, variable: &Variable) -> String {
        if self.random.percent(20) {
            return format!("{} = {};", variable.name, variable.kind.input());
        }
        format!("{} = {};", variable.name, self.sum(2).text)
    }

    fn bound(&mut self, counter: &Variable) -> Piece {
        if self.random.percent(45) {
            return self.constant();
        }
        let variable = self.variable();
        if variable.name == counter.name { self.constant() } else { plain(&variable) }
    }

    fn constant(&mut self) -> Piece {
        let value = self.random.pick(&[0, 0, 0, 1, 1, 2, 3, 7, 10, 50, 100, -1, -7]);
        Piece { text: value.to_string(), kind: Int, constant: true }
    }

    /// An expression with so many operations.
    fn sum(&mut self, operations: usize) -> Piece {
        if operations == 0 || self.random.percent(35) {
            if self.random.percent(30) {
                return self.constant();
            }
            let variable = self.variable();
            return plain(&variable);
        }
        let left = self.variable();
        if self.random.percent(20) {
            let (sign, right) = self.random.pick(&[
                ("/", "2"),
                ("/", "3"),
                ("%", "2"),
                ("%", "5"),
                ("&", "7"),
                ("*", "2"),
                ("*", "3"),
                (">>", "1"),
                ("^", "1"),
            ]);
            let left = plain(&left);
            return Piece { text: format!("{} {sign} {right}", left.text), ..left };
        }
        let right = self.sum(operations - 1);
        let sign = self.random.pick(&["+", "-", "+", "-", "*"]);
        let (left, right, kind) = meet(plain(&left), right);
        Piece { text: format!("{left} {sign} ({right})"), kind, constant: false }
    }

    fn condition(&mut self) -> String {
        match self.random.below(10) {
            0 | 1 => "__VERIFIER_nondet_int()".to_owned(),
            2 => {
                let variable = self.variable();
                format!("{} % 2 == 0", variable.name)
            }
            3 => format!("{} && {}", self.comparison(), self.comparison()),
            4 => format!("{} || {}", self.comparison(), self.comparison()),
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> String {
        let left = self.variable();
        let right = self.sum(1);
        let relation = self.random.pick(&["<", "<=", ">", ">=", "!=", "=="]);
        self.compared(&left, relation, &right)
    }

    fn compared(&mut self, left: &Variable, relation: &str, right: &Piece) -> String {
        let right = Piece { text: right.text.clone(), ..*right };
        let (left, right, _) = meet(plain(left), right);
        format!("{left} {relation} {right}")
    }
}

fn plain(variable: &Variable) -> Piece {
    let kind = variable.kind.promoted();
    Piece { text: variable.name.clone(), kind, constant: false }
}

/// Both sides of an operation as numbers of one kind, which is the last of the three.
fn meet(left: Piece, right: Piece) -> (String, String, Kind) {
    let kind = match (left.kind, right.kind) {
        (Long, _) | (_, Long) => Long,
        (Unsigned, _) | (_, Unsigned) => Unsigned,
        _ => Int,
    };
    let side = |piece: Piece| {
        if piece.kind == kind || piece.constant {
            piece.text
        } else {
            format!("({})({})", kind.name(), piece.text)
        }
    };
    (side(left), side(right), kind)
}

/// A variable as a number of another's kind, so that adding it does what it says.
fn cast(kind: Kind, variable: &Variable) -> String {
    let kind = kind.promoted();
    if variable.kind.promoted() == kind {
        variable.name.clone()
    } else {
        format!("({}){}", kind.name(), variable.name)
    }
}

fn indent(depth: usize) -> String {
    "    ".repeat(depth)
}
