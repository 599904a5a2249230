//! Random automata.

use super::automaton::{Automaton, Count, MOST, Step, To};

/// A deterministic source of random numbers (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// Some of these events, each with the same chance.
    fn some(&mut self, events: u32, chance: usize) -> Vec<u32> {
        (0..events).filter(|_| self.one_in(chance)).collect()
    }
}

/// The automaton of a seed. Few of them have a violation: that is no question of fairness.
pub(crate) fn automaton(seed: u64) -> Automaton {
    let random = &mut Random::new(seed);
    let events = 2 + random.below(4) as u32;
    let states = 1 + random.below(4);
    let pairs = 1 + random.below(4);
    Automaton {
        states: (0..states)
            .map(|_| (0..1 + random.below(3)).map(|_| step(random, states, events)).collect())
            .collect(),
        pairs: (0..pairs)
            .map(|_| {
                let p = (!random.one_in(5)).then(|| random.some(events, 2));
                (p, random.some(events, 3))
            })
            .collect(),
        events,
    }
}

fn step(random: &mut Random, states: usize, events: u32) -> Step {
    Step {
        only_at: random.one_in(5).then(|| random.below(MOST as usize + 1) as u32),
        count: match random.below(8) {
            0 => Count::Up,
            1 => Count::Down,
            2 => Count::Set(random.below(MOST as usize + 1) as u32),
            _ => Count::Keep,
        },
        events: random.some(events, 3),
        to: match random.below(24) {
            0 => To::Violation,
            1 => To::Exit,
            _ => To::State(random.below(states)),
        },
    }
}
