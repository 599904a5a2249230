//! Random programs with more of C than `generate` has: pointers, structures, unions, strings, floats, and
//! calls of the C library. Each loop is one of some patterns, with numbers, relations and mistakes by chance.
//!
//! Their seeds begin at [`FIRST_SEED`]. They include headers, so they cannot be compiled with wide integers;
//! a run with undefined behaviour says nothing, and gcc's sanitizers find it.

use crate::generate::Random;

/// The first seed of these programs.
pub(crate) const FIRST_SEED: u64 = 1_000_000;

const PRELUDE: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#ifdef COUNT_TURNS
extern void turn(void);
#define TURN turn()
#else
#define TURN
#endif

struct node {
    struct node *next;
    int value;
    struct { short low, high; } pair;
};
union word {
    unsigned whole;
    unsigned char bytes[4];
    unsigned short halves[2];
    float real;
};
static struct node nodes[4];
static union word word;
static char text[8] = \"abc\";
static int cells[4] = { 3, 1, 4, 1 };
static int x, y;

static int ascending(const void *one, const void *two)
{
    int a = *(const int *)one, b = *(const int *)two;
    return (a > b) - (a < b);
}

";

/// The program of a seed.
pub(crate) fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::of(seed) };
    let mut text = PRELUDE.to_owned();
    if maker.random.percent(30) {
        text += &maker.recursion();
    } else {
        text += "static int deep(int a) { return a; }\n\n";
    }
    text += "int main(void)\n{\n";
    for name in ["x", "y"] {
        let value = match maker.random.below(3) {
            0 => "__VERIFIER_nondet_int()".to_owned(),
            1 => "__VERIFIER_nondet_uchar()".to_owned(),
            _ => maker.number().to_string(),
        };
        text += &format!("    {name} = {value};\n");
    }
    if maker.random.percent(50) {
        text += "    if (x < -50 || x > 50 || y < -50 || y > 50)\n        return 0;\n";
    }
    for _ in 0..maker.random.pick(&[1, 1, 2]) {
        text += &maker.pattern();
    }
    text + "    return 0;\n}\n"
}

struct Maker {
    random: Random,
}

impl Maker {
    fn number(&mut self) -> i32 {
        self.random.pick(&[0, 0, 1, 1, 2, 3, 5, 7, 10, 16, 100])
    }

    fn relation(&mut self) -> &'static str {
        self.random.pick(&["<", "<=", ">", ">=", "!=", "=="])
    }

    fn variable(&mut self) -> &'static str {
        self.random.pick(&["x", "y"])
    }

    /// Something that changes a number a little.
    fn change(&mut self) -> String {
        let name = self.random.pick(&["x", "y", "x", "y", "cells[x & 3]", "nodes[y & 3].value"]);
        match self.random.below(8) {
            0 | 1 => format!("{name}++;"),
            2 | 3 => format!("{name}--;"),
            4 => format!("{name} /= 2;"),
            5 => format!("{name} = cells[{} & 3];", self.variable()),
            6 => format!("{name} = abs({} % 100);", self.variable()),
            _ => format!("{name} = deep({} & 7);", self.variable()),
        }
    }

    /// A condition, rarely one that an input decides.
    fn test(&mut self) -> String {
        if self.random.percent(20) {
            return "__VERIFIER_nondet_int() & 1".to_owned();
        }
        let (variable, relation, number) = (self.variable(), self.relation(), self.number());
        format!("{variable} {relation} {number}")
    }

    fn pattern(&mut self) -> String {
        let body = match self.random.below(10) {
            0 => self.walk(),
            1 => self.bytes(),
            2 => self.letters(),
            3 => self.reals(),
            4 => self.copies(),
            5 => self.digits(),
            6 => self.sorted(),
            7 => self.numbers_in_text(),
            8 => self.cursor(),
            _ => self.objects(),
        };
        // A block of its own: two patterns of one kind declare the same names.
        let body: String = body.lines().map(|line| format!("        {line}\n")).collect();
        format!("    {{\n{body}    }}\n")
    }

    fn recursion(&mut self) -> String {
        let (relation, number) = (self.relation(), self.number());
        let step = self.random.pick(&["a - 1", "a - 1", "a / 2", "a - 2", "a + 1"]);
        format!(
            "static int deep(int a)\n{{\n    TURN;\n    if (a {relation} {number})\n        return a & 7;\n    \
             return deep({step});\n}}\n\n"
        )
    }

    /// A list of nodes that is linked by chance.
    fn walk(&mut self) -> String {
        let mut text = String::new();
        for at in 0..4 {
            match self.random.below(5) {
                0 => {}
                1 => {
                    let other = self.random.below(4);
                    text += &format!("nodes[{at}].next = &nodes[{other}];\n");
                }
                2 if self.random.percent(50) => {
                    text += &format!("nodes[{at}].next = &nodes[{} & 3];\n", self.variable());
                }
                _ if at < 3 => text += &format!("nodes[{at}].next = &nodes[{}];\n", at + 1),
                _ => {}
            }
        }
        let change = self.change();
        let cut = match self.random.below(4) {
            0 => format!("    if ({})\n        p->next = 0;\n", self.test()),
            1 => format!("    if ({})\n        p = p->next ? p->next : p;\n", self.test()),
            _ => String::new(),
        };
        text + &format!(
            "for (struct node *p = nodes; p; p = p->next) {{\n    TURN;\n    {change}\n{cut}}}\n"
        )
    }

    fn bytes(&mut self) -> String {
        let part =
            self.random.pick(&["bytes[0]", "bytes[1]", "bytes[3]", "halves[0]", "halves[1]"]);
        let (relation, number) = (self.relation(), self.number());
        let step =
            self.random.pick(&["+= 1", "-= 1", ">>= 1", "*= 2", "+= 256", "^= 1", "+= 65537"]);
        let start = self.random.pick(&["word.whole = (unsigned)x;", "word.real = (float)y;", ""]);
        format!(
            "{start}\nwhile (word.{part} {relation} {number}) {{\n    TURN;\n    word.whole {step};\n}}\n"
        )
    }

    fn letters(&mut self) -> String {
        let (relation, number) = (self.relation(), self.random.below(6));
        let letter = self.random.pick(&["'x'", "0", "'a'", "(char)y"]);
        let (place, change) = (self.variable(), self.change());
        let call = self.random.pick(&[
            "strlen(text)",
            "(unsigned long)(strchr(text, 'x') ? 1 : 4)",
            "(unsigned long)abs(strcmp(text, \"abc\"))",
            "strspn(text, \"abcx\")",
        ]);
        format!(
            "while ({call} {relation} {number}) {{\n    TURN;\n    text[{place} & 3] = {letter};\n    \
             {change}\n}}\n"
        )
    }

    fn reals(&mut self) -> String {
        let kind = self.random.pick(&["double", "float"]);
        let (relation, number) = (self.relation(), self.number());
        let step = self.random.pick(&["* 0.5", "+ 1.0", "- 0.25", "/ 3", "* 2", "+ 0.1", "- x"]);
        let start = self.random.pick(&["x", "y", "1.5", "1e30"]);
        format!("for ({kind} r = {start}; r {relation} {number}; r = r {step})\n    TURN;\n")
    }

    fn copies(&mut self) -> String {
        let (relation, number) = (self.relation(), self.number());
        let (one, two) = (self.random.below(4), self.random.below(4));
        let copy = if one == two {
            "nodes[0].pair.low = nodes[1].pair.high;".to_owned()
        } else {
            match self.random.below(3) {
                0 => format!("nodes[{one}] = nodes[{two}];"),
                1 => format!("memcpy(&nodes[{one}], &nodes[{two}], sizeof nodes[0]);"),
                _ => {
                    format!("memset(&nodes[{one}].pair, {}, sizeof nodes[0].pair);", self.number())
                }
            }
        };
        let field = self.random.pick(&["value", "pair.low", "pair.high"]);
        let step = self.random.pick(&["++", "--", " += 2"]);
        let (test, target) = (self.test(), self.random.pick(&[one, two]));
        format!(
            "nodes[{two}].{field} = (short)x;\nwhile (nodes[{one}].{field} {relation} {number}) {{\n    \
             TURN;\n    nodes[{target}].{field}{step};\n    if ({test}) {{\n        {copy}\n    }}\n}}\n"
        )
    }

    fn digits(&mut self) -> String {
        let number = self.random.below(5);
        let step = self.random.pick(&["x /= 10;", "x /= 2;", "x = x / 10 * 10;", "x -= 1;"]);
        let conversion = self.random.pick(&["%d", "%5d", "%x", "%u", "%+d"]);
        let relation = self.random.pick(&[">", ">=", "!="]);
        format!(
            "char digits[16];\nwhile (snprintf(digits, sizeof digits, \"{conversion}\", x) {relation} {number}) \
             {{\n    TURN;\n    {step}\n}}\n"
        )
    }

    fn sorted(&mut self) -> String {
        let (at, relation, number) = (self.random.below(4), self.relation(), self.number());
        let other = self.random.below(4);
        let step = self.random.pick(&["++", "--", " += 3", " /= 2"]);
        format!(
            "cells[1] = x & 7;\nwhile (cells[{at}] {relation} {number}) {{\n    TURN;\n    \
             cells[{other}]{step};\n    qsort(cells, 4, sizeof *cells, ascending);\n}}\n"
        )
    }

    fn numbers_in_text(&mut self) -> String {
        let source = self.random.pick(&["12 7", "x", "-3,4", "", "0x1f", "9 a 9"]);
        let base = self.random.pick(&[10, 0, 16]);
        let on = self.random.pick(&["at++;", "at++;", "", "break;"]);
        format!(
            "for (const char *at = \"{source}\"; *at;) {{\n    TURN;\n    char *end;\n    y = (int)strtol(at, \
             &end, {base});\n    if (end == at) {{\n        {on}\n    }}\n    else\n        at = end;\n}}\n"
        )
    }

    /// A pointer that goes through an array.
    fn cursor(&mut self) -> String {
        let limit = self.random.below(4);
        let step = self.random.pick(&["p++", "p++", "p += y & 1", "p = &cells[x & 3]"]);
        let (relation, number, change) = (self.relation(), self.number(), self.change());
        format!(
            "for (int *p = cells; p < cells + {limit}; {step}) {{\n    TURN;\n    if (*p {relation} {number}) \
             {{\n        *p = y;\n        continue;\n    }}\n    {change}\n}}\n"
        )
    }

    /// Objects of the heap, by one name or another.
    fn objects(&mut self) -> String {
        let (relation, number) = (self.relation(), self.number());
        let (test, step) = (self.test(), self.random.pick(&["++", "--", " -= 2"]));
        let target = self.random.pick(&["*one", "*two", "*either"]);
        format!(
            "int *one = calloc(1, sizeof *one), *two = calloc(1, sizeof *two);\nif (!one || !two)\n    return \
             0;\n*one = x;\n*two = y;\nint *either = {test} ? one : two;\nwhile ({target} {relation} {number}) \
             {{\n    TURN;\n    (*either){step};\n    if ({test})\n        either = either == one ? two : \
             one;\n}}\n"
        )
    }
}
