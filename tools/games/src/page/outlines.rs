//! Outlines of the characters on boards, so that no page needs a Chinese font. `ci/outlines.py` makes them.

/// One character a line, with its path; `OFL.txt` is their licence.
const OUTLINES: &str = include_str!("outlines.txt");

/// Units of an em.
pub(super) const EM: u32 = 256;

/// Returns the outline of a character as an SVG path, centred at the origin.
pub(super) fn outline(character: char) -> &'static str {
    let path = OUTLINES.lines().find_map(|line| line.strip_prefix(character)?.strip_prefix(' '));
    path.expect("every character of a board has an outline")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the extent of a path with relative commands, in x and y.
    fn extent(path: &str) -> [(i32, i32); 2] {
        let (mut at, mut start, mut extent) = ([0; 2], [0; 2], [(i32::MAX, i32::MIN); 2]);
        for command in path
            .split_inclusive(|c: char| c.is_ascii_alphabetic())
            .zip(path.split(|c: char| c.is_ascii_alphabetic()).skip(1))
        {
            let numbers = numbers(command.1);
            let Some([x, y]) = numbers.last_chunk::<2>() else {
                at = start;
                continue;
            };
            at = [at[0] + x, at[1] + y];
            if command.0.ends_with('m') {
                start = at;
            }
            for (extent, at) in extent.iter_mut().zip(at) {
                *extent = (extent.0.min(at), extent.1.max(at));
            }
        }
        extent
    }

    fn numbers(text: &str) -> Vec<i32> {
        text.replace('-', " -").split_whitespace().map(|number| number.parse().unwrap()).collect()
    }

    #[test]
    fn every_outline_is_centred_and_inside_an_em() {
        let lines: Vec<&str> = OUTLINES.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines.len(), 27);
        for line in lines {
            let character = line.chars().next().unwrap();
            for (low, high) in extent(outline(character)) {
                assert!((low + high).abs() <= 6 && high - low <= EM as i32, "{character}: {low} to {high}");
            }
        }
    }
}
