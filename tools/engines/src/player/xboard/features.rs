//! Features of an XBoard engine: `feature NAME=VALUE NAME="VALUE"...`, over any number of lines.

use crate::player::dialect::Announced;

/// All features, in the order of their announcement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Features(Vec<(String, String)>);

impl Features {
    /// Parses the lines of a handshake; lines that announce no feature are ignored.
    pub(crate) fn read(lines: &[String]) -> Self {
        Self(lines.iter().filter_map(|line| read_line(line)).flatten().collect())
    }

    /// Returns the last value of a feature.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether the engine announces a feature that is off by default.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name) == Some("1")
    }

    /// Whether the engine denies a feature that is on by default.
    pub(crate) fn lacks(&self, name: &str) -> bool {
        self.get(name) == Some("0")
    }

    /// Returns all options for the user.
    pub(crate) fn options(&self) -> Vec<Announced> {
        let command = |feature, name: &str| {
            let spin = || Announced { name: name.to_owned(), definition: "type spin".to_owned() };
            self.has(feature).then(spin)
        };
        let own = self.0.iter().filter(|(name, _)| name == "option").map(|(_, value)| read_option(value));
        own.chain(command("memory", MEMORY)).chain(command("smp", CORES)).collect()
    }
}

/// Command for the size of all tables, in MiB.
pub(crate) const MEMORY: &str = "memory";

/// Command for the number of threads.
pub(crate) const CORES: &str = "cores";

/// Whether this line announces features.
pub(crate) fn is_feature(line: &str) -> bool {
    read_line(line).is_some()
}

/// Whether this line says that all features have been announced.
pub(crate) fn is_done(line: &str) -> bool {
    read_line(line).is_some_and(|features| Features(features).has("done"))
}

/// Parses the names and values of one line; a quoted value ends at the next quotation mark, any other one at a blank.
fn read_line(line: &str) -> Option<Vec<(String, String)>> {
    let mut rest = line.trim().strip_prefix("feature ")?.trim_start();
    let mut features = Vec::new();
    while let Some((name, value)) = rest.split_once('=') {
        let (value, behind) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        features.push((name.trim().to_owned(), value.to_owned()));
        rest = behind.trim_start();
    }
    Some(features)
}

/// Parses `Contempt -spin 0 -50 50`; the definition takes the form of UCI.
fn read_option(text: &str) -> Announced {
    let (name, kind) = text.split_once(" -").unwrap_or((text, ""));
    let words: Vec<&str> = kind.split_whitespace().collect();
    let definition = match words[..] {
        ["spin" | "slider", default, min, max] => format!("type spin default {default} min {min} max {max}"),
        ["combo", ref values @ ..] => combo(values),
        ["check", default] => format!("type check default {}", default == "1"),
        [kind, ..] => format!("type {kind}"),
        [] => String::new(),
    };
    Announced { name: name.trim().to_owned(), definition }
}

/// Parses `one /// *another`, where the star marks the default.
fn combo(words: &[&str]) -> String {
    let text = words.join(" ");
    let values: Vec<&str> = text.split("///").map(str::trim).collect();
    let default =
        values.iter().find_map(|value| value.strip_prefix('*')).or(values.first().copied()).unwrap_or_default();
    let all = values.iter().map(|value| format!(" var {}", value.strip_prefix('*').unwrap_or(value)));
    format!("type combo default {default}{}", all.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(lines: &[&str]) -> Features {
        Features::read(&lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn features_come_over_several_lines_and_quoted() {
        let all = features(&[
            "Reading something=1",
            "feature done=0",
            "feature myname=\"Some Engine 1.0\" variants=\"normal,xiangqi\" ping=1",
            "  feature setboard=1 time=0 done=1",
        ]);
        assert_eq!((all.get("myname"), all.get("variants")), (Some("Some Engine 1.0"), Some("normal,xiangqi")));
        assert!(all.has("ping") && all.has("setboard") && all.has("done") && all.lacks("time"));
        assert!(!all.has("something") && !all.lacks("usermove") && !all.has("usermove"));
    }

    #[test]
    fn the_end_is_done_1() {
        assert!(is_done("feature ping=1 done=1") && !is_done("feature done=0") && !is_done("done=1"));
        assert!(is_feature("feature ping=1") && !is_feature("features are many"));
    }

    #[test]
    fn a_broken_line_says_what_it_can() {
        assert_eq!(features(&["feature ping=1 myname=\"half"]).get("myname"), Some("half"));
        assert_eq!(features(&["feature ping"]), Features::default());
        assert_eq!(features(&["feature =="]).get(""), Some("="));
    }

    #[test]
    fn options_are_defined_as_in_uci() {
        let options = features(&[
            "feature memory=1 smp=1 option=\"Eval Noise -spin 3 -5 7\" option=\"OwnBook -check 1\"",
            "feature option=\"Rules -combo one /// *the other\" option=\"Clear -button\" option=\"Log -file /a b\" option=\"Odd\"",
        ])
        .options();
        let expected = [
            ("Eval Noise", "type spin default 3 min -5 max 7"),
            ("OwnBook", "type check default true"),
            ("Rules", "type combo default the other var one var the other"),
            ("Clear", "type button"),
            ("Log", "type file"),
            ("Odd", ""),
            (MEMORY, "type spin"),
            (CORES, "type spin"),
        ];
        assert_eq!(options.iter().map(|o| (o.name.as_str(), o.definition.as_str())).collect::<Vec<_>>(), expected);
        assert!(features(&["feature memory=0"]).options().is_empty());
    }
}
