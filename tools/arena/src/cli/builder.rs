//! Settings of a match, built from its options one by one.

use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::command::help_words;
use super::engine;
use super::groups::{self, positive};
use super::words::{Group, suggestion};
use crate::settings::Settings;

/// Default number of rounds with an SPRT: more than any test takes.
pub(super) const ROUNDS_OF_A_TEST: u32 = 1_000_000;

/// Settings under construction.
pub(super) struct SettingsBuilder {
    settings: Settings,
    engines: Vec<Group>,
    each: Option<Group>,
    rounds: Option<u32>,
    /// Timeout from the start of a process to the end of the handshake.
    startup: Option<Duration>,
    /// Timeout for the answer to `isready`.
    ping: Option<Duration>,
    seen: Vec<String>,
}

impl SettingsBuilder {
    /// Starts with the default settings.
    pub(super) fn new() -> Self {
        let settings = Settings {
            games: 2,
            repeat: 2,
            swap: true,
            concurrency: 1,
            rating_interval: 10,
            score_interval: 1,
            ..Settings::default()
        };
        Self { settings, engines: vec![], each: None, rounds: None, startup: None, ping: None, seen: vec![] }
    }

    /// Adds an option.
    ///
    /// # Errors
    /// If it is unknown, malformed, or given twice.
    pub(super) fn take(&mut self, group: &Group) -> Result<()> {
        let word = group.word.as_str();
        if word != "engine" {
            ensure!(!self.seen.iter().any(|seen| seen == word), "-{word} is given twice");
            self.seen.push(word.to_owned());
        }
        let settings = &mut self.settings;
        match word {
            "engine" => self.engines.push(engine::checked(group)?),
            "each" => self.each = Some(engine::checked(group)?),
            "openings" => settings.openings = Some(groups::openings(group)?),
            "tournament" => settings.tournament = groups::tournament(&group.single::<String>()?)?,
            "rounds" => self.rounds = Some(positive(group)?),
            "games" => settings.games = positive(group)?,
            "repeat" => settings.repeat = if group.values.is_empty() { 2 } else { positive(group)? },
            "noswap" => settings.swap = !group.flag()?,
            "concurrency" => settings.concurrency = group.single()?,
            "use-affinity" => settings.affinity = group.flag()?,
            "shard" => settings.shard = Some(groups::shard(group)?),
            "sprt" => settings.sprt = Some(groups::sprt(group)?),
            "spsa" => settings.spsa = Some(groups::spsa(group)?),
            "draw" => settings.draw = Some(groups::draw(group)?),
            "resign" => settings.resign = Some(groups::resign(group)?),
            // As in cutechess-cli, 0 means no limit.
            "maxmoves" => settings.max_moves = Some(group.single()?).filter(|moves| *moves > 0),
            "rules" => settings.rules = Some(group.single()?),
            "perpetual" => settings.perpetual = groups::perpetual(&group.single::<String>()?)?,
            "seed" | "srand" => settings.seed = Some(group.single()?),
            "ratinginterval" => settings.rating_interval = group.single()?,
            "scoreinterval" => settings.score_interval = group.single()?,
            "output" => settings.output_format = groups::output_format(group)?,
            "event" => settings.event = Some(group.single()?),
            "site" => settings.site = Some(group.single()?),
            "startup-ms" => self.startup = Some(groups::milliseconds(group)?),
            "ping-ms" => self.ping = Some(groups::milliseconds(group)?),
            "epdout" => settings.epd = Some(group.file()?),
            ignored if groups::is_ignored(ignored) => settings.ignored.push(ignored.to_owned()),
            "pgnout" => settings.pgn = Some(groups::pgn(group)?),
            "log" => settings.log = Some(groups::log(group)?),
            "report" => settings.report = groups::report(group)?,
            "journal" => settings.journal = Some(group.file()?),
            "force" => settings.force = group.flag()?,
            "recover" => settings.recover = group.flag()?,
            "testEnv" => _ = group.flag()?,
            "variant" => {
                let variant: String = group.single()?;
                ensure!(
                    matches!(variant.as_str(), "standard" | "xiangqi"),
                    "-variant {variant}: only Xiangqi is played here, which is also what `standard` means"
                );
            }
            "config" => bail!("-config stands at the beginning: the journal knows the rest of the command"),
            "help" | "version" | "compliance" | "generate-openings" => bail!("-{word} stands alone"),
            unknown => bail!("-{unknown} is no known word{}", suggestion(unknown, help_words(), "-")),
        }
        Ok(())
    }

    /// Checks that no option was given that has no meaning for tuning.
    fn check_tuning(&self) -> Result<()> {
        const OF_MATCHES: [&str; 16] = [
            "tournament",
            "rounds",
            "games",
            "repeat",
            "noswap",
            "sprt",
            "shard",
            "pgnout",
            "epdout",
            "report",
            "output",
            "scoreinterval",
            "event",
            "site",
            "use-affinity",
            "recover",
        ];
        ensure!(self.engines.len() == 1, "-spsa tunes one engine, not {}", self.engines.len());
        if let Some(word) = self.seen.iter().find(|word| OF_MATCHES.contains(&word.as_str())) {
            bail!("-{word} means nothing to -spsa");
        }
        Ok(())
    }

    /// Returns the settings.
    ///
    /// # Errors
    /// If options exclude each other, or an engine is missing or incomplete.
    pub(super) fn finish(self) -> Result<Settings> {
        if self.settings.spsa.is_some() {
            self.check_tuning()?;
        }
        let mut settings = self.settings;
        let enough = self.engines.len() >= 2 || settings.spsa.is_some();
        ensure!(enough, "a match takes at least two engines: -engine cmd=A -engine cmd=B");
        settings.engines = engine::specs(&self.engines, self.each.as_ref())?;
        for engine in &mut settings.engines {
            engine.timeouts.handshake = self.startup.unwrap_or(engine.timeouts.handshake);
            engine.timeouts.ready = self.ping.unwrap_or(engine.timeouts.ready);
        }
        // An SPRT ends the match by itself.
        settings.rounds = self.rounds.unwrap_or(if settings.sprt.is_some() { ROUNDS_OF_A_TEST } else { 1 });
        settings.pgn = settings.pgn.map(|pgn| pgn.of(settings.event.as_deref(), settings.site.as_deref()));
        check(&settings)?;
        Ok(settings)
    }
}

/// Checks that options do not exclude each other.
fn check(settings: &Settings) -> Result<()> {
    let engines = &settings.engines;
    ensure!(settings.sprt.is_none() || engines.len() == 2, "-sprt compares two engines, not {}", engines.len());
    ensure!(settings.concurrency != 0, "-concurrency is at least 1");
    if settings.sprt.is_some() {
        // An SPRT counts pairs: each opening with both colours.
        let pairs = settings.swap && settings.games.is_multiple_of(2) && settings.repeat.is_multiple_of(2);
        ensure!(pairs, "-sprt counts pairs of games with colours exchanged: no -noswap, even -games and -repeat");
    }
    if settings.affinity {
        if let Some(engine) = engines.iter().find(|engine| groups::wants_several_threads(&engine.options)) {
            bail!("-use-affinity gives each game one core, but {} is set to several threads", engine.name);
        }
        if let Some(engine) = engines.iter().find(|engine| engine.ponder) {
            bail!("-use-affinity gives each game one core, but {} ponders while its opponent thinks", engine.name);
        }
    }
    let (engines, rounds, games) = (engines.len() as u64, u64::from(settings.rounds), u64::from(settings.games));
    let encounters = engines * (engines - 1) / 2;
    ensure!(encounters < 1_000_000 && rounds * games * engines.pow(2) < 100_000_000, "too many games");
    Ok(())
}
