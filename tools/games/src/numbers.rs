//! Move numbers in front of moves.

/// Strips a move number: `12.`, `12...` and `...` leave nothing, `12.炮二平五` leaves its move, and `62.5` is a move itself.
pub(crate) fn without_number(word: &str) -> &str {
    let behind_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let behind_dots = behind_digits.trim_start_matches(['.', '…']);
    let numbered = behind_dots.len() < behind_digits.len() && !behind_dots.starts_with(|c: char| c.is_ascii_digit());
    if numbered || behind_digits.is_empty() { behind_dots } else { word }
}
