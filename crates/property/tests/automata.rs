//! Automata of random formulas against the meaning of these formulas, on random words that repeat.

use std::collections::BTreeSet;

use ouro_property::ltl::LtlFormula;
use ouro_property::ltl::automaton::BuchiAutomaton;
use ouro_property::ltl::formula::NegationNormalForm;

/// Numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from((self.0 >> 20) % u64::from(bound)).expect("a small number")
    }
}

/// A word `u v v v …`: its letters, and where `v` starts. A letter has a bit for each atom.
struct Word {
    letters: Vec<u32>,
    again: usize,
}

impl Word {
    fn random(random: &mut Random, atoms: u32) -> Word {
        let length = 1 + random.below(6);
        let letters: Vec<u32> = (0..length).map(|_| random.below(1 << atoms)).collect();
        let again = random.below(length) as usize;
        Word { letters, again }
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.again }
    }

    /// The least or greatest solution of `x = now || (stay && next x)`, at every position.
    fn solve(&self, now: &[bool], stay: &[bool], greatest: bool) -> Vec<bool> {
        let mut x = vec![greatest; self.letters.len()];
        for _ in 0..=self.letters.len() {
            x = (0..x.len()).map(|i| now[i] || (stay[i] && x[self.after(i)])).collect();
        }
        x
    }

    /// Where a formula holds, straight from the definition.
    fn holds(&self, formula: &LtlFormula) -> Vec<bool> {
        let n = self.letters.len();
        let both = |a: &LtlFormula, b: &LtlFormula| (self.holds(a), self.holds(b));
        let map = |a: Vec<bool>, b: Vec<bool>, f: fn(bool, bool) -> bool| -> Vec<bool> {
            a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
        };
        let (always, never) = (vec![true; n], vec![false; n]);
        match formula {
            LtlFormula::Constant(value) => vec![*value; n],
            LtlFormula::Atom(atom) => {
                self.letters.iter().map(|letter| letter >> atom & 1 == 1).collect()
            }
            LtlFormula::Not(a) => self.holds(a).into_iter().map(|a| !a).collect(),
            LtlFormula::And(a, b) => map(self.holds(a), self.holds(b), |a, b| a && b),
            LtlFormula::Or(a, b) => map(self.holds(a), self.holds(b), |a, b| a || b),
            LtlFormula::Implies(a, b) => map(self.holds(a), self.holds(b), |a, b| !a || b),
            LtlFormula::Equivalent(a, b) => map(self.holds(a), self.holds(b), |a, b| a == b),
            LtlFormula::Next(a) => {
                let a = self.holds(a);
                (0..n).map(|i| a[self.after(i)]).collect()
            }
            LtlFormula::Finally(a) => self.solve(&self.holds(a), &always, false),
            LtlFormula::Globally(a) => self.solve(&never, &self.holds(a), true),
            LtlFormula::Until(a, b) => {
                let (a, b) = both(a, b);
                self.solve(&b, &a, false)
            }
            LtlFormula::WeakUntil(a, b) => {
                let (a, b) = both(a, b);
                self.solve(&b, &a, true)
            }
            LtlFormula::Release(a, b) => {
                let (a, b) = both(a, b);
                let now = map(a, b.clone(), |a, b| a && b);
                self.solve(&now, &b, true)
            }
        }
    }

    /// Whether the automaton accepts the word from a state.
    fn accepted(&self, automaton: &BuchiAutomaton, start: usize) -> bool {
        let steps = |(state, position): (usize, usize)| {
            let letter = self.letters[position];
            let allowed = move |atom: &u32| letter >> atom & 1 == 1;
            automaton.states[state]
                .transitions
                .iter()
                .filter(move |t| t.holds.iter().all(allowed) && !t.fails.iter().any(allowed))
                .map(move |t| ((t.to, self.after(position)), &t.marks))
        };
        let reach = |from: (usize, usize)| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(node) = open.pop() {
                for (next, _) in steps(node) {
                    if seen.insert(next) {
                        open.push(next);
                    }
                }
            }
            seen
        };
        let all: BTreeSet<u32> = (0..automaton.marks).collect();
        reach((start, 0)).into_iter().chain([(start, 0)]).any(|node| {
            let ahead = reach(node);
            if !ahead.contains(&node) {
                return false;
            }
            let part: BTreeSet<_> =
                ahead.iter().copied().filter(|other| reach(*other).contains(&node)).collect();
            let marks: BTreeSet<u32> = part
                .iter()
                .flat_map(|from| steps(*from))
                .filter(|(to, _)| part.contains(to))
                .flat_map(|(_, marks)| marks.iter().copied())
                .collect();
            marks == all
        })
    }
}

fn random_formula(random: &mut Random, depth: u32, atoms: u32) -> LtlFormula {
    if depth == 0 || random.below(7) == 0 {
        return match random.below(8) {
            0 => LtlFormula::Constant(random.below(2) == 0),
            _ => LtlFormula::Atom(random.below(atoms)),
        };
    }
    let mut inner = || Box::new(random_formula(random, depth - 1, atoms));
    let (a, b) = (inner(), inner());
    match random.below(12) {
        0 => LtlFormula::Not(a),
        1 => LtlFormula::And(a, b),
        2 => LtlFormula::Or(a, b),
        3 => LtlFormula::Implies(a, b),
        4 => LtlFormula::Equivalent(a, b),
        5 => LtlFormula::Next(a),
        6 | 7 => LtlFormula::Finally(a),
        8 => LtlFormula::Globally(a),
        9 => LtlFormula::Until(a, b),
        10 => LtlFormula::Release(a, b),
        _ => LtlFormula::WeakUntil(a, b),
    }
}

/// The formula as one that was written, to evaluate what a state says about the rest.
fn written(formula: &NegationNormalForm) -> LtlFormula {
    let fold = |parts: &[NegationNormalForm],
                join: fn(Box<LtlFormula>, Box<LtlFormula>) -> LtlFormula,
                empty: bool| {
        parts
            .iter()
            .map(written)
            .fold(LtlFormula::Constant(empty), |a, b| join(Box::new(a), Box::new(b)))
    };
    let boxed = |formula: &NegationNormalForm| Box::new(written(formula));
    match formula {
        NegationNormalForm::True => LtlFormula::Constant(true),
        NegationNormalForm::False => LtlFormula::Constant(false),
        NegationNormalForm::Literal { atom, positive: true } => LtlFormula::Atom(*atom),
        NegationNormalForm::Literal { atom, positive: false } => {
            LtlFormula::Not(Box::new(LtlFormula::Atom(*atom)))
        }
        NegationNormalForm::And(parts) => fold(parts, LtlFormula::And, true),
        NegationNormalForm::Or(parts) => fold(parts, LtlFormula::Or, false),
        NegationNormalForm::Next(a) => LtlFormula::Next(boxed(a)),
        NegationNormalForm::Until(a, b) => LtlFormula::Until(boxed(a), boxed(b)),
        NegationNormalForm::Release(a, b) => LtlFormula::Release(boxed(a), boxed(b)),
    }
}

#[test]
fn an_automaton_accepts_what_its_formula_means() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut refused, mut states, mut checked) = (0, 0, 0, 0);
    for round in 0..3000 {
        let atoms = 1 + random.below(3);
        let depth = 1 + random.below(4);
        let ltl = random_formula(&mut random, depth, atoms);
        let Some(negation) = NegationNormalForm::of_ltl(&ltl, true) else { continue };
        let Some(automaton) = BuchiAutomaton::of_formula(&negation) else { continue };
        states += automaton.states.len();
        checked += 1;
        for _ in 0..8 {
            let word = Word::random(&mut random, atoms);
            let satisfied = word.holds(&ltl)[0];
            assert_eq!(word.holds(&written(&negation))[0], !satisfied, "round {round}: {ltl:?}");
            let found = !automaton.states.is_empty() && word.accepted(&automaton, 0);
            assert_eq!(
                found, !satisfied,
                "round {round}: {ltl:?} on {:?} from {}: {automaton:?}",
                word.letters, word.again
            );
            *(if found { &mut accepted } else { &mut refused }) += 1;
            // What a state says about the rest is what it accepts.
            let state = random.below(u32::try_from(automaton.states.len()).unwrap_or(0).max(1));
            if let Some(rest) = automaton.states.get(state as usize) {
                let said = word.holds(&written(&rest.rest))[0];
                assert_eq!(said, word.accepted(&automaton, state as usize), "{ltl:?}, {state}");
            }
        }
    }
    // The words must not all fall on one side, nor the formulas be given up.
    assert!(accepted > 5000 && refused > 5000, "{accepted} {refused}");
    assert!(checked > 2900, "{checked}");
    assert!(states < checked * 5, "{states} states in {checked} automata");
}

#[test]
fn a_constant_word_needs_no_automaton() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    for _ in 0..3000 {
        let ltl = random_formula(&mut random, 4, 3);
        let Some(formula) = NegationNormalForm::of_ltl(&ltl, false) else { continue };
        let judged = formula.on_constant_word();
        for letter in 0..8 {
            let word = Word { letters: vec![letter], again: 0 };
            assert_eq!(
                word.holds(&written(&judged))[0],
                word.holds(&ltl)[0],
                "{ltl:?} on {letter}"
            );
        }
    }
}

/// The size of the automaton of the negation: states, transitions, marks.
fn size(text: &str) -> (usize, usize, u32) {
    let property = ouro_property::parse_formula(text, "formula").expect("a formula");
    let negation = NegationNormalForm::of_ltl(&property.formula, true).expect("a small formula");
    let automaton = BuchiAutomaton::of_formula(&negation).expect("a small automaton");
    let transitions = automaton.states.iter().map(|state| state.transitions.len()).sum();
    (automaton.states.len(), transitions, automaton.marks)
}

#[test]
fn automata_are_small() {
    assert_eq!(size(r#"G "a""#), (2, 3, 1));
    assert_eq!(size(r#"F "a""#), (1, 1, 0));
    assert_eq!(size(r#"G("a" -> F "b")"#), (2, 3, 1));
    assert_eq!(size(r#"FG "a""#), (1, 2, 1));
    assert_eq!(size(r#"GF "a""#), (2, 3, 1));
    assert_eq!(size(r#""a" U "b""#), (2, 3, 0));
    assert_eq!(size(r#"G(F "a" && F "b")"#), (3, 5, 1));
    assert_eq!(size("true"), (0, 0, 0));
    assert_eq!(size("false"), (1, 1, 0));
}
