//! Strongly connected parts of a graph: who can reach each other.
//!
//! Kosaraju's way. Places are put in the order in which a depth-first search is done with them. No other
//! part leads into that of the last one, so whoever can reach it is in its part; and so on with the last of
//! the rest.

/// For each place a number, the same for those that can reach each other. Ways from nowhere do not count.
pub(crate) fn strongly_connected_components(
    places: usize,
    ways: &[(Option<usize>, usize)],
) -> Vec<usize> {
    let mut out = vec![Vec::new(); places];
    let mut into = vec![Vec::new(); places];
    for (from, to) in ways {
        if let Some(from) = *from {
            out[from].push(*to);
            into[*to].push(from);
        }
    }
    let mut done = Vec::new();
    let mut seen = vec![false; places];
    for start in 0..places {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        // Each place on the way with how many of its ways were taken.
        let mut open = vec![(start, 0)];
        while let Some((at, taken)) = open.pop() {
            let Some(next) = out[at].get(taken) else {
                done.push(at);
                continue;
            };
            open.push((at, taken + 1));
            if !std::mem::replace(&mut seen[*next], true) {
                open.push((*next, 0));
            }
        }
    }
    let mut part: Vec<Option<usize>> = vec![None; places];
    for root in done.into_iter().rev() {
        let mut open = vec![root];
        while let Some(at) = open.pop() {
            if part[at].is_none() {
                part[at] = Some(root);
                open.extend(&into[at]);
            }
        }
    }
    part.into_iter().enumerate().map(|(at, part)| part.unwrap_or(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::strongly_connected_components;

    /// Whether one place can reach another, by looking everywhere.
    fn reaches(ways: &[(Option<usize>, usize)], from: usize, to: usize) -> bool {
        let mut seen = vec![from];
        let mut next = 0;
        while next < seen.len() {
            let here = seen[next];
            for (_, end) in ways.iter().filter(|(start, _)| *start == Some(here)) {
                if !seen.contains(end) {
                    seen.push(*end);
                }
            }
            next += 1;
        }
        seen.contains(&to)
    }

    #[test]
    fn places_are_in_one_part_if_they_reach_each_other() {
        // All graphs with few places and ways that a simple generator comes to.
        let mut random: u64 = 1;
        let mut below = |most: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % most
        };
        for _ in 0..300 {
            let places = 1 + below(7);
            let ways: Vec<(Option<usize>, usize)> = (0..below(12))
                .map(|_| (Some(below(places + 1)).filter(|from| *from < places), below(places)))
                .collect();
            let part = strongly_connected_components(places, &ways);
            for a in 0..places {
                for b in 0..places {
                    let both = reaches(&ways, a, b) && reaches(&ways, b, a);
                    assert_eq!(part[a] == part[b], both, "{a} and {b} of {ways:?}");
                }
            }
        }
    }
}
