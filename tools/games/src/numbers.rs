//! The numbers that stand before moves.

/// `12.`, `12...` and `...` are no moves, `12.炮二平五` holds one, and `62.5` is one.
pub(crate) fn without_number(word: &str) -> &str {
    let behind_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind_dots = behind_digits.trim_start_matches(['.', '…']);
    let numbered = behind_dots.len() < behind_digits.len() && !behind_dots.starts_with(|c: char| c.is_ascii_digit());
    if numbered || behind_digits.is_empty() { behind_dots } else { word }
}
