//! "Did you mean": the known word that is nearest to a mistyped one.

/// The known word within two edits of `word`, if there is one.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(edits, candidate)| *edits <= 2 && *edits < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edits between two words: insert, delete, replace or swap two neighbours.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let replace = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut least = replace.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if swapped {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_find_their_word() {
        let known = ["args", "stdin", "files", "env"];
        assert_eq!(nearest("stdni", &known), Some("stdin"));
        assert_eq!(nearest("file", &known), Some("files"));
        assert_eq!(nearest("ags", &known), Some("args"));
        assert_eq!(nearest("environment", &known), None);
        assert_eq!(nearest("zz", &known), None);
    }
}
