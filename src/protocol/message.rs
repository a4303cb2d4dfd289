//! Free text for the user, made harmless to programs that look for protocol words in every line.

/// Maximum length of a line, its end included: clients read blocks of 1,024 bytes.
pub(crate) const MAX_LINE: usize = 999;

/// Words that clients act upon wherever they see them, even inside other words.
pub(crate) const TRIGGERS: &[&str] = &["bestmove", "draw", "resign", "ucciok", "uciok", "readyok", "bye"];

/// Converts a text to one line of ASCII, at most `limit` bytes long; a hyphen breaks protocol words.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit));
    for (at, c) in text.char_indices() {
        if line.len() + "-x".len() > limit {
            break;
        }
        line.push(match c {
            ' '..='~' => c,
            _ if c.is_whitespace() => ' ',
            _ => '?',
        });
        if TRIGGERS.iter().any(|word| starts_with(&text[at..], word)) {
            line.push('-');
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Converts a text to one line for a terminal, which shows every character: at most `limit` bytes long, no word broken.
#[cfg(any(test, feature = "cli"))]
pub(crate) fn one_terminal_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit));
    for c in text.chars() {
        if line.len() + c.len_utf8() > limit {
            break;
        }
        line.push(match c {
            _ if c.is_whitespace() => ' ',
            _ if c.is_control() => '?',
            _ => c,
        });
    }
    line.truncate(line.trim_end().len());
    line
}

fn starts_with(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_of_the_protocol_are_broken_wherever_they_stand() {
        assert_eq!(one_line("unknown command \"draw\"", 100), "unknown command \"d-raw\"");
        assert_eq!(one_line("NoBestMove, drawmoves; goodbye!", 100), "NoB-estMove, d-rawmoves; goodb-ye!");
        assert_eq!(one_line("the kings face each other", 100), "the kings face each other");
    }

    #[test]
    fn a_text_becomes_one_line_of_ascii() {
        assert_eq!(one_line("two\r\nlines \u{4e2d}\u{0}\n", 100), "two  lines ??");
        assert_eq!(one_line("abcdefgh", 6), "abcde");
    }

    #[test]
    fn people_see_every_character_and_no_broken_word() {
        let line = one_terminal_line("/home/draw/象棋.obk:\u{1b}[2J\u{3000}cannot be read\r\n", 100);
        assert_eq!(line, "/home/draw/象棋.obk:?[2J cannot be read");
        assert_eq!(one_terminal_line("象棋", 5), "象");
    }

    proptest! {
        #[test]
        fn no_text_breaks_out_of_its_line(text in "(\\PC|[\n\rdrawbye ]|draw|bestmove|ucciok){0,60}", limit in 0..80_usize) {
            let line = one_line(&text, limit);
            prop_assert!(line.len() <= limit && line.bytes().all(|byte| (b' '..=b'~').contains(&byte)));
            let lower = line.to_ascii_lowercase();
            prop_assert!(TRIGGERS.iter().all(|word| !lower.contains(word)), "{}", line);
        }
    }
}
