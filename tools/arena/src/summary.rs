//! Report of a match: the settings and conditions around its games.

use std::path::Path;

use anyhow::Result;
use chuhe_engines::player::{EngineSpec, ProtocolChoice};
use chuhe_games::record::GameRecord;
use chuhe_games::replace::write_bytes;
use serde_json::Value;

use crate::journal::{CONTENTS, Header};
use crate::report::{self, EngineSummary, MatchSummary};
use crate::settings::Settings;
use crate::standing::Standing;

/// Writes the report of the match with this header.
pub(crate) fn write(path: &Path, settings: &Settings, header: &Header, games: &[GameRecord]) -> Result<()> {
    let names: Vec<&str> = settings.engines.iter().map(|engine| engine.name.as_str()).collect();
    let engines: Vec<EngineSummary> = settings
        .engines
        .iter()
        .enumerate()
        .map(|(index, spec)| engine(spec, header.origin.versions.get(index)))
        .collect();
    let conditions: Vec<(String, String)> =
        conditions(settings, header).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let text = report::write(&MatchSummary {
        title: settings.event.as_deref().unwrap_or(&names.join(" \u{2013} ")),
        games,
        engines: &engines,
        sprt: Standing::of(settings, games).tested(),
        conditions: &conditions,
        repeat: &repeat(header)?,
    });
    write_bytes(path, text.as_bytes())
}

/// Returns the command, its directory, and the digests that identify its inputs.
fn repeat(header: &Header) -> Result<Vec<(String, String)>> {
    let mut words = vec!["chuhe-arena"];
    words.extend(header.command.iter().map(String::as_str));
    let seed = header.seed.to_string();
    if !header.command.iter().any(|word| matches!(word.trim_start_matches('-'), "seed" | "srand")) {
        words.extend(["-seed", &seed]);
    }
    let entry = |name: &str, value: String| (name.to_owned(), value);
    let mut list = vec![
        entry("Command", shlex::try_join(words)?),
        entry("In the folder", header.directory.display().to_string()),
        entry("Seed", seed.clone()),
        entry("Version of the arena", header.version.clone()),
    ];
    let digests = header.conditions.iter().filter(|(name, _)| name.starts_with(CONTENTS) || *name == "openings");
    list.extend(digests.map(|(name, value)| {
        let digest = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let name = name.strip_prefix(CONTENTS).map_or_else(|| "Openings".to_owned(), |file| format!("XXH3 of {file}"));
        (name, digest)
    }));
    Ok(list)
}

fn engine(spec: &EngineSpec, version: Option<&String>) -> EngineSummary {
    let protocol = match spec.protocol {
        ProtocolChoice::Auto => "UCCI or UCI",
        ProtocolChoice::Ucci => "UCCI",
        ProtocolChoice::Uci => "UCI",
        ProtocolChoice::Xboard => "XBoard",
    };
    let mut details = vec![protocol.to_owned(), report::time_control(&spec.time.to_string())];
    details.extend(spec.ponder.then(|| "ponder".to_owned()));
    details.extend(spec.options.iter().map(|(name, value)| format!("{name}={value}")));
    let version = version.cloned().unwrap_or_default();
    EngineSummary { name: spec.name.clone(), version, details: details.join(", ") }
}

fn conditions(settings: &Settings, header: &Header) -> Vec<(&'static str, String)> {
    let openings = settings.openings.as_ref().map_or_else(
        || "the start position".to_owned(),
        |openings| openings.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    );
    // The header of a command without `-rules` has them too.
    let rules = header.conditions.get("rules").and_then(Value::as_str).unwrap_or(settings.rules().name());
    let mut list = vec![("Rules", rules.to_owned()), ("Openings", openings)];
    if !header.origin.machine.is_empty() {
        list.push(("Machine", header.origin.machine.clone()));
    }
    list.extend(settings.site.iter().map(|site| ("Site", site.clone())));
    if let Some(moves) = settings.max_moves {
        list.push(("Longest game", format!("{moves} moves")));
    }
    list.push(("Games at the same time", settings.concurrency.to_string()));
    list
}
