//! By which rules a match is judged, and which engines learn of them.

use chuhe::rules::RuleSet;
use chuhe_engines::player::{Announcement, Protocol, Telling};

use crate::settings::Settings;

/// The settings of a match whose engines have announced this, with the rules and the engines that are told them, and the line
/// for the user.
pub(crate) fn with_rules(settings: &Settings, announced: &[Announcement]) -> (Settings, String) {
    let rules = settings.rules.unwrap_or_else(|| usual(announced));
    let mut settings = settings.clone();
    settings.rules = Some(rules);
    let mut groups = Groups::default();
    for (engine, announced) in settings.engines.iter_mut().zip(announced) {
        engine.rules = Some(rules);
        groups.add(&engine.name, announced.telling(engine, rules));
    }
    let line = groups.line(rules);
    (settings, line)
}

/// The UCCI league's own rules where nothing else is spoken, otherwise the Asian ones, which engines of UCI play by.
fn usual(announced: &[Announcement]) -> RuleSet {
    let all_speak_ucci = announced.iter().all(|engine| engine.protocol == Protocol::Ucci);
    if all_speak_ucci { RuleSet::League } else { RuleSet::Asian }
}

/// The engines by how they stand to the rules.
#[derive(Default)]
struct Groups {
    told: Vec<String>,
    set_by_user: Vec<String>,
    untold: Vec<String>,
}

impl Groups {
    fn add(&mut self, name: &str, telling: Telling) {
        match telling {
            Telling::Told { .. } => self.told.push(name.to_owned()),
            Telling::SetByUser { option, value } => self.set_by_user.push(format!("{name} ({option}={value})")),
            Telling::NoValue { option } => self.untold.push(format!("{name} (no such value of {option})")),
            Telling::NoOption => self.untold.push(format!("{name} (no option)")),
        }
    }

    /// `Rules: asian; told: A; not told: B (no option)`.
    fn line(&self, rules: RuleSet) -> String {
        let groups = [("told", &self.told), ("set by the user", &self.set_by_user), ("not told", &self.untold)];
        let named = groups.iter().filter(|(_, names)| !names.is_empty());
        let parts = named.map(|(what, names)| format!("; {what}: {}", names.join(", ")));
        format!("Rules: {}{}", rules.name(), parts.collect::<String>())
    }
}
