//! The report of a match: what a reader should know besides the games.

use std::path::Path;

use anyhow::Result;
use chuhe_engines::player::{EngineSpec, ProtocolChoice};
use chuhe_games::record::GameRecord;
use chuhe_games::replace::write_bytes;

use crate::report::{self, EngineSummary, MatchSummary};
use crate::settings::Settings;

/// Writes the report.
pub(crate) fn write(path: &Path, settings: &Settings, games: &[GameRecord]) -> Result<()> {
    let names: Vec<&str> = settings.engines.iter().map(|engine| engine.name.as_str()).collect();
    let engines: Vec<EngineSummary> = settings.engines.iter().map(engine).collect();
    let conditions: Vec<(String, String)> =
        conditions(settings).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let text = report::write(&MatchSummary {
        title: &names.join(" \u{2013} "),
        games,
        engines: &engines,
        sprt: settings.sprt.as_ref(),
        conditions: &conditions,
    });
    write_bytes(path, text.as_bytes())
}

fn engine(spec: &EngineSpec) -> EngineSummary {
    let protocol = match spec.protocol {
        ProtocolChoice::Auto => "UCCI or UCI",
        ProtocolChoice::Ucci => "UCCI",
        ProtocolChoice::Uci => "UCI",
        ProtocolChoice::Xboard => "XBoard",
    };
    let mut details = vec![protocol.to_owned(), spec.time.to_string()];
    details.extend(spec.ponder.then(|| "ponder".to_owned()));
    details.extend(spec.options.iter().map(|(name, value)| format!("{name}={value}")));
    EngineSummary { name: spec.name.clone(), details: details.join(", ") }
}

fn conditions(settings: &Settings) -> Vec<(&'static str, String)> {
    let openings = settings.openings.as_ref().map_or_else(
        || "the start position".to_owned(),
        |openings| openings.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    );
    let mut list = vec![("Rules", settings.rules.name().to_owned()), ("Openings", openings)];
    if let Some(moves) = settings.max_moves {
        list.push(("Longest game", format!("{moves} moves")));
    }
    list.push(("Games at the same time", settings.concurrency.to_string()));
    list
}
