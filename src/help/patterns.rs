//! Translation of short texts by patterns.

/// Patterns and their translations; `{}` stands for any text in both.
pub type Patterns = &'static [(&'static str, &'static str)];

/// Returns the translation of a text by the first pattern that it fits; none if it fits none.
pub fn translated(text: &str, patterns: Patterns) -> Option<String> {
    patterns.iter().find_map(|(pattern, translation)| Some(filled(translation, &gaps(pattern, text)?)))
}

/// Returns the texts in the places of `{}`; none if `text` does not fit the pattern.
fn gaps<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut found = vec![];
    for piece in pieces {
        let end = if piece.is_empty() { rest.len() } else { rest.find(piece)? };
        found.push(&rest[..end]);
        rest = &rest[end + piece.len()..];
    }
    rest.is_empty().then_some(found)
}

/// Returns the pattern with texts in the places of `{}`.
fn filled(pattern: &str, texts: &[&str]) -> String {
    let texts = texts.iter().copied().chain([""]);
    pattern.split("{}").zip(texts).map(|(piece, text)| piece.to_owned() + text).collect()
}

/// Returns the patterns whose translation has another number of gaps, or that an earlier one hides.
#[cfg(test)]
pub(crate) fn faulty(patterns: Patterns) -> Vec<&'static str> {
    let is_faulty = |pattern: &str, translation: &str| {
        let instance = pattern.replace("{}", "x");
        let first = patterns.iter().find(|(other, _)| gaps(other, &instance).is_some());
        let is_hidden = first.is_none_or(|(other, _)| *other != pattern);
        is_hidden || pattern.matches("{}").count() != translation.matches("{}").count()
    };
    patterns.iter().filter(|(pattern, text)| is_faulty(pattern, text)).map(|(pattern, _)| *pattern).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATTERNS: Patterns = &[("{} of {} here", "{}：{}"), ("no move", "没有"), ("end {}", "终 {}")];

    #[test]
    fn a_text_is_translated_with_its_parts() {
        let chinese = |text| translated(text, PATTERNS);
        assert_eq!(chinese("a of b of c here").as_deref(), Some("a：b of c"));
        assert_eq!(chinese("no move").as_deref(), Some("没有"));
        assert_eq!(chinese("end of it").as_deref(), Some("终 of it"));
        assert_eq!((chinese("no moves"), chinese("a of b here x"), chinese("")), (None, None, None));
    }

    #[test]
    fn faulty_patterns_are_found() {
        assert_eq!(faulty(PATTERNS), [""; 0]);
        assert_eq!(faulty(&[("a {}", "甲"), ("{}", "{}"), ("a b", "乙")]), ["a {}", "a b"]);
    }
}
