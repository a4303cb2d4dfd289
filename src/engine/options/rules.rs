//! Options of the rules: repetitions, and the end of a game without captures.

use super::spec::{Change, OptionKind, OptionSpec};
use crate::rules::RuleSet;

/// Names of the rule sets, as values of an option.
const NAMES: [&str; RuleSet::ALL.len()] = {
    let mut names = [""; RuleSet::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = RuleSet::ALL[index].name();
        index += 1;
    }
    names
};

/// Synonyms of these names.
const SYNONYMS: [(&str, &str); RuleSet::SYNONYMS.len()] = {
    let mut words = [("", ""); RuleSet::SYNONYMS.len()];
    let mut index = 0;
    while index < words.len() {
        words[index] = (RuleSet::SYNONYMS[index].0, RuleSet::SYNONYMS[index].1.name());
        index += 1;
    }
    words
};

/// Repetition rules.
pub(super) const REPETITION: OptionSpec = OptionSpec {
    ucci: Some("repetition"),
    uci: Some("Repetition Rule"),
    also: &[],
    kind: OptionKind::ComboOfProtocol {
        choices: &NAMES,
        synonyms: &SYNONYMS,
        // The league's referee speaks UCCI, and no other referee applies its rules.
        ucci: RuleSet::League.name(),
        uci: RuleSet::Asian.name(),
        store: |options, name| {
            options.rule_set = Some(name.parse().expect("the choices are the names of the rule sets"));
        },
    },
    change: Change::Rules,
    about: "rules for repetitions",
};

/// Move limit: when a game without a capture is drawn.
pub(super) const MOVE_LIMIT: OptionSpec = OptionSpec {
    ucci: Some("movelimit"),
    uci: Some("Move Limit"),
    also: &["drawmoves"],
    kind: OptionKind::Spin {
        min: 0,
        max: 1000,
        default: 0,
        store: |options, moves| options.limit_plies = plies(2 * moves),
    },
    change: Change::Rules,
    about: "full moves without a capture that draw the game; 0: by the rules",
};

/// Move limit in plies, as Pikafish counts it.
pub(super) const MOVE_LIMIT_IN_PLIES: OptionSpec = OptionSpec {
    ucci: None,
    uci: None,
    also: &["Rule60MaxPly"],
    kind: OptionKind::Spin {
        min: 0,
        max: 2000,
        default: 0,
        store: |options, count| options.limit_plies = plies(count),
    },
    change: Change::Rules,
    about: "plies without a capture that draw the game; 0: by the rules",
};

/// Whether a game without a capture is drawn at all.
pub(super) const MOVE_LIMIT_USED: OptionSpec = OptionSpec {
    ucci: None,
    uci: None,
    also: &["Sixty Move Rule"],
    kind: OptionKind::Check { default: true, store: |options, on| options.has_move_limit = on },
    change: Change::Rules,
    about: "draw games by the move limit; off: no limit",
};

/// Converts a limit as the user gives it; 0 is none.
fn plies(count: i64) -> Option<u16> {
    u16::try_from(count).ok().filter(|&count| count > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::event::Dialect;
    use crate::engine::options::Options;
    use crate::rules::Rules;

    const GREETINGS: [Option<Dialect>; 3] = [None, Some(Dialect::Ucci), Some(Dialect::Uci)];

    fn set(options: &mut Options, name: &str, value: &str) {
        let applied = options.set(name, value).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(applied.clamped, None, "{name} {value}");
    }

    fn rules_with(name: &str, value: &str) -> Rules {
        let mut options = Options::default();
        set(&mut options, name, value);
        options.rules(Some(Dialect::Uci))
    }

    #[test]
    fn unless_told_otherwise_the_rules_are_those_of_the_protocol() {
        let [nobody, ucci, uci] = GREETINGS.map(|greeting| Options::default().rules(greeting));
        assert_eq!([nobody, ucci, uci], [RuleSet::Asian, RuleSet::League, RuleSet::Asian].map(RuleSet::rules));
        for set_by_user in RuleSet::ALL {
            let mut options = Options::default();
            set(&mut options, "Repetition Rule", set_by_user.name());
            assert!(
                GREETINGS.iter().all(|&greeting| options.rules(greeting) == set_by_user.rules()),
                "{set_by_user:?}"
            );
        }
    }

    #[test]
    fn the_rules_have_the_names_that_other_engines_announce() {
        for (value, named) in [
            ("AsianRule", RuleSet::Asian),
            ("WXF", RuleSet::Asian),
            ("ChineseRule", RuleSet::Chinese),
            ("ComputerRule", RuleSet::Pikafish),
            ("AllowChase", RuleSet::CheckBan),
            ("NoJudgement", RuleSet::AlwaysDraw),
        ] {
            assert_eq!(rules_with("Repetition Rule", value), named.rules(), "{value}");
        }
    }

    #[test]
    fn the_move_limit_is_set_in_moves_or_plies_and_lifted() {
        for (name, value, limit) in [
            ("movelimit", "60", Some(120)),
            ("movelimit", "0", Some(120)),
            ("Move Limit", "1000", Some(2000)),
            ("Rule60MaxPly", "99", Some(99)),
            ("Sixty Move Rule", "true", Some(120)),
            ("Sixty Move Rule", "false", None),
        ] {
            assert_eq!(rules_with(name, value).limit_plies(), limit, "{name} {value}");
        }
        let mut options = Options::default();
        set(&mut options, "Sixty Move Rule", "false");
        set(&mut options, "Rule60MaxPly", "80");
        assert_eq!(options.rules(None).limit_plies(), None);
        set(&mut options, "Sixty Move Rule", "true");
        assert_eq!(options.rules(None).limit_plies(), Some(80));
    }
}
