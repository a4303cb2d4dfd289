//! Settings of a match, built from its options one by one.

use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::command::help_words;
use super::engine;
use super::files;
use super::groups::{self, positive};
use super::words::{Group, suggestion};
use crate::game::Decides;
use crate::schedule::Tournament;
use crate::settings::{Settings, TablesSpec};

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
    /// Timeout for the preparation of a game.
    new_game: Option<Duration>,
    /// Largest number of pieces, results and use of the move limit for the tablebases.
    tables: (Option<u8>, Decides, bool),
    is_lenient: bool,
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
            seeds: 1,
            ..Settings::default()
        };
        Self {
            settings,
            engines: vec![],
            each: None,
            rounds: None,
            startup: None,
            ping: None,
            new_game: None,
            tables: (None, Decides::Both, false),
            is_lenient: false,
            seen: vec![],
        }
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
            let is_seeded = self.seen.iter().any(|seen| matches!(seen.as_str(), "seed" | "srand"));
            let is_random = self.seen.iter().any(|seen| seen == "randomseed");
            ensure!(!is_seeded || !is_random, "-randomseed and -seed exclude each other");
        }
        if self.take_of_output(group)? {
            return Ok(());
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
            "use-affinity" => (settings.affinity, settings.cores) = (true, groups::cores(group)?),
            "reverse" => settings.reverse = group.flag()?,
            "seeds" => settings.seeds = groups::count(group)?,
            "clockscale" => settings.clock_scale = Some(groups::clock_scale(group)?),
            "wait" => settings.wait = Duration::from_millis(group.single()?),
            "shard" => settings.shard = Some(groups::shard(group)?),
            "sprt" => settings.sprt = Some(groups::sprt(group)?),
            "spsa" => settings.spsa = Some(groups::spsa(group)?),
            "draw" => settings.draw = Some(groups::draw(group)?),
            "resign" => settings.resign = Some(groups::resign(group)?),
            // As in cutechess-cli, 0 means no limit.
            "maxmoves" => settings.max_moves = Some(group.single()?).filter(|moves| *moves > 0),
            "rules" => settings.rules = Some(group.single()?),
            "perpetual" => settings.perpetual = groups::perpetual(&group.single::<String>()?)?,
            "tb" => {
                let (most_pieces, decides, ignores_limit) = (None, Decides::Both, false);
                settings.tables = Some(TablesSpec { folders: group.single()?, most_pieces, decides, ignores_limit });
            }
            "tbpieces" => self.tables.0 = Some(group.single()?),
            "tbadjudicate" => self.tables.1 = groups::decides(group)?,
            "tbignore50" => self.tables.2 = group.flag()?,
            "seed" | "srand" => settings.seed = Some(group.single()?),
            // Without a seed one is always chosen at random.
            "randomseed" => drop(group.flag()?),
            "startup-ms" => self.startup = Some(groups::milliseconds(group)?),
            "ping-ms" => self.ping = Some(groups::milliseconds(group)?),
            "ucinewgame-ms" => self.new_game = Some(groups::milliseconds(group)?),
            "force" => settings.force = group.flag()?,
            "force-concurrency" => settings.overload = group.flag()?,
            "recover" => settings.recover = group.flag()?,
            "lenient" => self.is_lenient = group.flag()?,
            "strict" => settings.strict = group.flag()?,
            "testEnv" => _ = group.flag()?,
            "variant" => {
                let variant: String = group.single()?;
                ensure!(
                    matches!(variant.as_str(), "standard" | "xiangqi"),
                    "-variant {variant}: only Xiangqi is played here, which is also what `standard` means"
                );
            }
            "config" => settings.journal = groups::new_journal(group)?.or(settings.journal.take()),
            "quick" => bail!("-quick comes first"),
            "help" | "version" | "compliance" | "generate-openings" => bail!("-{word} takes no other options"),
            key if engine::KEYS.contains(&key) => {
                bail!("unknown option -{key}; {key}= goes after -engine or -each")
            }
            unknown => bail!("unknown option -{unknown}{}", suggestion(unknown, help_words(), "-")),
        }
        Ok(())
    }

    /// Adds an option about output; `false` if it is another one.
    fn take_of_output(&mut self, group: &Group) -> Result<bool> {
        let settings = &mut self.settings;
        match group.word.as_str() {
            "ratinginterval" => settings.rating_interval = group.single()?,
            "scoreinterval" => settings.score_interval = group.single()?,
            "outcomeinterval" => settings.outcome_interval = group.single()?,
            "resultformat" => settings.columns = Some(files::columns(group)?),
            "output" => settings.output_format = files::output_format(group)?,
            "show-latency" => settings.show_latency = group.flag()?,
            "check-mate-pvs" => settings.check_mates = group.flag()?,
            "debug" => settings.debug = group.flag()?,
            "event" => settings.event = Some(group.single()?),
            "site" => settings.site = Some(group.single()?),
            "epdout" => settings.epd = Some(files::epd(group)?),
            "pgnout" => settings.pgn = Some(files::pgn(group)?),
            "log" => settings.log = Some(files::log(group)?),
            "report" => settings.report = files::report(group)?,
            "journal" => settings.journal = Some(group.file()?),
            word => {
                let Some((_, why)) = NOTHING_TO_DO.iter().find(|(known, _)| *known == word) else { return Ok(false) };
                settings.nothing_to_do.push(format!("-{word}: nothing to do: {why}"));
            }
        }
        Ok(true)
    }

    /// Checks that no option was given that has no meaning for tuning.
    fn check_tuning(&self) -> Result<()> {
        const OF_MATCHES: [&str; 25] = [
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
            "strict",
            "seeds",
            "reverse",
            "wait",
            "outcomeinterval",
            "resultformat",
            "show-latency",
            "check-mate-pvs",
            "quick",
        ];
        ensure!(self.engines.len() == 1, "-spsa tunes one engine, not {}", self.engines.len());
        if let Some(word) = self.seen.iter().find(|word| OF_MATCHES.contains(&word.as_str())) {
            bail!("-{word} has no effect with -spsa");
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
            engine.timeouts.new_game = self.new_game.or(engine.timeouts.new_game);
            engine.is_lenient = self.is_lenient;
        }
        let has_trust = |group: &Group| group.values.iter().any(|value| value == "trust");
        if self.engines.iter().chain(&self.each).any(has_trust) {
            settings.nothing_to_do.push("trust: nothing to do: the referee decides every game by itself".to_owned());
        }
        let given = ["tbpieces", "tbadjudicate", "tbignore50"].map(|word| self.seen.iter().any(|seen| seen == word));
        match &mut settings.tables {
            Some(tables) => (tables.most_pieces, tables.decides, tables.ignores_limit) = self.tables,
            None if given.contains(&true) => {
                settings.nothing_to_do.push("-tbpieces and the like: nothing to do without -tb".to_owned());
            }
            None => {}
        }
        if settings.seeds > 1 && settings.tournament != Tournament::Gauntlet {
            settings.nothing_to_do.push("-seeds: nothing to do: only a gauntlet has seeds".to_owned());
        }
        // An SPRT ends the match by itself.
        settings.rounds = self.rounds.unwrap_or(if settings.sprt.is_some() { ROUNDS_OF_A_TEST } else { 1 });
        settings.pgn = settings.pgn.map(|pgn| pgn.of(settings.event.as_deref(), settings.site.as_deref()));
        check(&settings)?;
        Ok(settings)
    }
}

/// Options of other match runners for which there is nothing to do, and why.
const NOTHING_TO_DO: [(&str, &str); 3] = [
    ("autosaveinterval", "a -journal has every game as soon as it is finished"),
    ("bookmode", "a book is mapped into memory, and read where it is asked"),
    ("crc32", "a PGN file is compared with the games of the journal, one by one"),
];

/// Checks that options do not exclude each other.
fn check(settings: &Settings) -> Result<()> {
    let engines = &settings.engines;
    ensure!(settings.sprt.is_none() || engines.len() == 2, "-sprt compares two engines, not {}", engines.len());
    ensure!(settings.concurrency != 0, "-concurrency is at least 1");
    let is_gauntlet = settings.tournament == Tournament::Gauntlet;
    ensure!(!is_gauntlet || settings.seeds < engines.len().max(2), "-seeds: a gauntlet leaves engines to play against");
    let is_swiss = settings.tournament == Tournament::Swiss;
    ensure!(!is_swiss || settings.shard.is_none(), "-shard: a Swiss tournament is played as a whole");
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
    ensure!(
        encounters < 1_000_000 && rounds.saturating_mul(games).saturating_mul(engines.pow(2)) < 100_000_000,
        "too many games"
    );
    Ok(())
}
