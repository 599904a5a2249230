//! Names that were probably meant.

/// The nearest of some names, if one is near.
pub(crate) fn nearest_name(name: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    known
        .into_iter()
        .map(|existing| (edit_distance(&existing, name), existing))
        .filter(|(distance, _)| *distance <= 1 + name.len() / 4)
        .min()
        .map(|(_, existing)| existing)
}

/// How many letters differ (Levenshtein's distance).
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(a != *b)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[right.len()]
}
