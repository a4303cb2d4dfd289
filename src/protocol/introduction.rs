//! The answer to both handshakes: the engine's identity and its options.

use std::iter;

use crate::engine::event::Dialect;
use crate::engine::options::{OptionKind, OptionSpec, registry};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const NAME: &str = concat!("Chuhe ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = env!("CARGO_PKG_AUTHORS");
const COPYRIGHT: &str = concat!("2026 ", env!("CARGO_PKG_AUTHORS"), ", ", env!("CARGO_PKG_LICENSE"));

/// Returns names, options, and the line that ends them.
pub(super) fn introduction(dialect: Dialect) -> String {
    let (fields, end): (&[_], _) = match dialect {
        // Clients put name and version together.
        Dialect::Ucci => (
            &[
                ("name", "Chuhe"),
                ("version", VERSION),
                ("copyright", COPYRIGHT),
                ("author", AUTHOR),
                ("user", "anyone"),
            ],
            "ucciok\n",
        ),
        Dialect::Uci => (&[("name", NAME), ("author", AUTHOR)], "uciok\n"),
    };
    let ids = fields.iter().map(|(field, text)| format!("id {field} {text}\n"));
    let options = registry().iter().filter_map(|spec| announce(spec, dialect));
    ids.chain(options).chain([end.to_owned()]).collect()
}

/// Announces an option: in UCCI in the order min, max, var, default, without an empty default; in UCI in the order default, min,
/// max, var. There an empty text has the default `<empty>`, since some programs show a text only with a default.
fn announce(spec: &OptionSpec, dialect: Dialect) -> Option<String> {
    let is_uci = dialect == Dialect::Uci;
    let name = if is_uci { spec.uci } else { spec.ucci }?;
    let (kind, values, default) = match spec.kind {
        OptionKind::Check { ucci, uci, .. } => ("check", String::new(), (if is_uci { uci } else { ucci }).to_string()),
        OptionKind::Spin { min, max, default, .. } => ("spin", format!(" min {min} max {max}"), default.to_string()),
        OptionKind::Combo { choices, ucci, uci, .. } => {
            let default = if is_uci { uci } else { ucci };
            // Where the protocols differ, UCCI too: UCI2WB sets the first choice, whatever the default.
            let choices = if is_uci || ucci != uci { first(default, choices) } else { choices.to_vec() };
            ("combo", format!(" var {}", choices.join(" var ")), default.to_owned())
        }
        OptionKind::Text { default, .. } | OptionKind::Path { default, .. } => {
            ("string", String::new(), default.to_owned())
        }
        OptionKind::Parsed { .. } => ("string", String::new(), String::new()),
        OptionKind::Button => ("button", String::new(), String::new()),
    };
    let default = match (kind, default.as_str(), is_uci) {
        ("string", "", true) => " default <empty>".to_owned(),
        (_, "", _) => String::new(),
        (_, default, _) => format!(" default {default}"),
    };
    Some(match dialect {
        Dialect::Ucci => format!("option {name} type {kind}{values}{default}\n"),
        Dialect::Uci => format!("option name {name} type {kind}{default}{values}\n"),
    })
}

/// Returns the choices with this one first: UCI2WB, the adapter between XBoard and UCCI engines, overlooks the default and sets
/// the first choice.
fn first<'a>(default: &'a str, choices: &[&'a str]) -> Vec<&'a str> {
    let others = choices.iter().copied().filter(|&choice| choice != default);
    iter::once(default).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::message::{MAX_LINE, TRIGGERS};

    /// Checks what both protocols have in common, and returns the lines.
    fn lines(dialect: Dialect) -> Vec<String> {
        let lines: Vec<_> = introduction(dialect).lines().map(str::to_owned).collect();
        assert!(lines[0].starts_with("id name Chuhe"));
        let is_expected = |line: &&String| line.starts_with("id ") || line.starts_with("option ");
        assert_eq!(lines.iter().filter(is_expected).count() + 1, lines.len());
        for line in &lines[..lines.len() - 1] {
            // Not even within a word: gmchess looks for some of them in all it reads.
            assert!(TRIGGERS.iter().all(|word| !line.to_ascii_lowercase().contains(word)), "{line}");
            assert!(line.len() <= MAX_LINE, "{line}");
            assert_eq!(line.trim_end(), *line);
        }
        lines
    }

    #[test]
    fn the_introduction_in_ucci_is_complete_and_in_order() {
        let lines = lines(Dialect::Ucci);
        let has = |line: &str| lines.iter().any(|other| other == line);
        assert!(has("option usemillisec type check default true"));
        assert!(has("option hashsize type spin min 0 max 1048576 default 0"));
        assert!(has(
            "option repetition type combo var league var asian var pikafish var chinese var checkban var noban default league"
        ));
        assert!(has("option newgame type button") && has("option logfile type string"));
        assert!(!lines.iter().any(|line| line.contains("clearhash") || line.contains("Clear Hash")));
        assert!(lines.last().unwrap() == "ucciok");
    }

    #[test]
    fn the_introduction_in_uci_has_its_own_names_and_order() {
        let lines = lines(Dialect::Uci);
        let has = |line: &str| lines.iter().any(|other| other == line);
        assert!(has("option name Hash type spin default 0 min 0 max 1048576"));
        assert!(has("option name UCI_Variant type combo default xiangqi var xiangqi"));
        assert!(has("option name UCI_RankBase type combo default auto var auto var 0 var 1"));
        assert!(has("option name Style type combo default normal var normal var solid var risky"));
        assert!(has(
            "option name Repetition Rule type combo default asian var asian var league var pikafish var chinese var checkban var noban"
        ));
        assert!(has("option name Clear Hash type button") && has("option name Ponder type check default false"));
        assert!(has("option name Debug Log File type string default <empty>"));
        assert!(!lines.iter().any(|line| line.contains("usemillisec")));
        assert!(lines.last().unwrap() == "uciok");
    }
}
