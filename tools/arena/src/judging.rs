//! Rules of a match: choosing them, and setting them in the engines.

use chuhe::rules::RuleSet;
use chuhe_engines::player::{Announcement, Protocol, RulesOption};

use crate::settings::Settings;

/// Sets the rules of the match in the settings and in every engine.
///
/// Returns the new settings and a line for the user; `announced` is what the engines have announced.
pub(crate) fn with_rules(settings: &Settings, announced: &[Announcement]) -> (Settings, String) {
    let rules = settings.rules.unwrap_or_else(|| usual(announced));
    let mut settings = settings.clone();
    settings.rules = Some(rules);
    let mut groups = Groups::default();
    for (engine, announced) in settings.engines.iter_mut().zip(announced) {
        engine.rules = Some(rules);
        groups.add(&engine.name, announced.rules_option(engine, rules));
    }
    let line = groups.line(rules);
    (settings, line)
}

/// Default rules: those of the UCCI league if all engines speak UCCI, otherwise the Asian rules, usual among UCI engines.
fn usual(announced: &[Announcement]) -> RuleSet {
    let all_speak_ucci = announced.iter().all(|engine| engine.protocol == Protocol::Ucci);
    if all_speak_ucci { RuleSet::League } else { RuleSet::Asian }
}

/// Names of the engines by whether the rules could be set in them.
#[derive(Default)]
struct Groups {
    informed: Vec<String>,
    set_by_user: Vec<String>,
    uninformed: Vec<String>,
}

impl Groups {
    fn add(&mut self, name: &str, rules_option: RulesOption) {
        match rules_option {
            RulesOption::Set { .. } => self.informed.push(name.to_owned()),
            RulesOption::SetByUser { option, value } => self.set_by_user.push(format!("{name} ({option}={value})")),
            RulesOption::NoValue { option } => self.uninformed.push(format!("{name} (no such value of {option})")),
            RulesOption::NoOption => self.uninformed.push(format!("{name} (no option)")),
        }
    }

    /// Returns a line such as `Rules: asian; told: A; not told: B (no option)`.
    fn line(&self, rules: RuleSet) -> String {
        let groups = [("told", &self.informed), ("set by the user", &self.set_by_user), ("not told", &self.uninformed)];
        let named = groups.iter().filter(|(_, names)| !names.is_empty());
        let parts = named.map(|(what, names)| format!("; {what}: {}", names.join(", ")));
        format!("Rules: {}{}", rules.name(), parts.collect::<String>())
    }
}
