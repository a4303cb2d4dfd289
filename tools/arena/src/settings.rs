//! Settings of a match from the command line: plain data.

use std::path::PathBuf;
use std::time::Duration;

use chuhe::rules::RuleSet;
use chuhe_console::words::Share;
use chuhe_engines::player::EngineSpec;
use chuhe_games::encoding::Encoding;
use chuhe_games::openings::Opening;
use chuhe_games::openings::read::Format;
use chuhe_games::pgn::PgnFormat;

use crate::game::{Decides, DrawAdjudication, GameSetup, Perpetual, ResignAdjudication, TableReferee};
use crate::schedule::{Policy, Shape, Tournament};
use crate::sprt::Sprt;

/// Settings of a match.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Engines: at least two with different names, or the one that is tuned.
    pub engines: Vec<EngineSpec>,
    /// Openings; without a file games begin at the start position.
    pub openings: Option<OpeningsFile>,
    /// Tournament format.
    pub tournament: Tournament,
    /// Number of times that all encounters are played.
    pub rounds: u32,
    /// Games per encounter.
    pub games: u32,
    /// Number of successive games with the same opening.
    pub repeat: u32,
    /// Whether colours are exchanged.
    pub swap: bool,
    /// Whether the second engine of an encounter has Red first.
    pub reverse: bool,
    /// Number of engines that play the gauntlet.
    pub seeds: usize,
    /// Pause between two games.
    pub wait: Duration,
    /// Part of the match to play, if not all of it.
    pub shard: Option<Share>,
    /// Number of concurrent games.
    pub concurrency: usize,
    /// Factor of all clocks and times for a move, for a machine of another speed; `None` for 1.
    pub clock_scale: Option<f64>,
    /// Whether each concurrent game is bound to a core of its own.
    pub affinity: bool,
    /// Cores for that; empty for all.
    pub cores: Vec<usize>,
    /// Whether the check of the thread load is skipped.
    pub overload: bool,
    /// Whether the checks of the thread load and of engine files are skipped.
    pub force: bool,
    /// Whether the match goes on although an engine fails again and again.
    pub recover: bool,
    /// Whether a game that is lost by a failure is an error at the end.
    pub strict: bool,
    /// SPRT that ends the match early.
    pub sprt: Option<Sprt>,
    /// SPSA tuning, if any: then there is one engine, which plays against itself.
    pub spsa: Option<Spsa>,
    /// Draw adjudication.
    pub draw: Option<DrawAdjudication>,
    /// Resign adjudication.
    pub resign: Option<ResignAdjudication>,
    /// Maximum length of a game, in full moves.
    pub max_moves: Option<u32>,
    /// Endgame tablebases as referee: where they are, and what they decide.
    pub tables: Option<TablesSpec>,
    /// Opened endgame tablebases; `None` until then.
    pub table_referee: Option<TableReferee>,
    /// Rules of the referee: as given, or chosen by the protocols of the engines; `None` until then.
    pub rules: Option<RuleSet>,
    /// Treatment of a loop that loses under the rules.
    pub perpetual: Perpetual,
    /// Seed of everything random; if it is not given, one is chosen and printed.
    pub seed: Option<u64>,
    /// Output format.
    pub output_format: OutputFormat,
    /// Number of games between two ratings; 0 for only at the end.
    pub rating_interval: u32,
    /// Number of games between two scores; 0 for only at the end.
    pub score_interval: u32,
    /// Number of games between two lists of outcomes; 0 for none.
    pub outcome_interval: u32,
    /// Columns of the ranking; `None` for the usual ones.
    pub columns: Option<Vec<Column>>,
    /// Whether the latency of each engine is printed at the end.
    pub show_latency: bool,
    /// Whether principal variations of mates are checked.
    pub check_mates: bool,
    /// Whether every line to and from the engines is printed.
    pub debug: bool,
    /// Name of the match.
    pub event: Option<String>,
    /// Place of the match.
    pub site: Option<String>,
    /// Lines about options of other match runners for which there is nothing to do here.
    pub nothing_to_do: Vec<String>,
    /// PGN file.
    pub pgn: Option<PgnFile>,
    /// File for the final positions of the games.
    pub epd: Option<EpdOut>,
    /// Log file.
    pub log: Option<LogFile>,
    /// Report file.
    pub report: Option<PathBuf>,
    /// Journal file.
    pub journal: Option<PathBuf>,
}

/// Whether an engine option with this name sets the number of threads, in UCCI and UCI or in the XBoard protocol.
pub(crate) fn counts_threads(name: &str) -> bool {
    ["threads", "cores"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

impl Settings {
    /// Returns the rules of the referee.
    pub(crate) fn rules(&self) -> RuleSet {
        self.rules.unwrap_or(RuleSet::Asian)
    }

    /// Returns the parameters of the schedule.
    pub(crate) fn shape(&self) -> Shape {
        Shape {
            tournament: self.tournament,
            policy: self.openings.as_ref().and_then(|openings| openings.policy),
            engines: self.engines.len(),
            seeds: self.seeds,
            reverse: self.reverse,
            rounds: self.rounds,
            games: self.games,
            repeat: self.repeat,
            swap: self.swap,
        }
    }

    /// Returns a game of the match from this opening; the caller numbers it.
    pub(crate) fn game_from(&self, opening: &Opening) -> GameSetup {
        GameSetup {
            opening_moves: opening.moves.clone(),
            opening_name: opening.name.clone(),
            rules: self.rules().rules(),
            perpetual: self.perpetual,
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves,
            tables: self.table_referee.clone(),
            ..GameSetup::new(opening.start)
        }
    }
}

/// A file of openings and its use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningsFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Format of the file.
    pub format: Format,
    /// Whether the openings are shuffled.
    pub random: bool,
    /// Number of plies to play from each recorded game, or from each line of a book.
    pub plies: Option<usize>,
    /// Number of the first opening, from 1.
    pub start: usize,
    /// Games that share an opening, if not given by the repetitions alone.
    pub policy: Option<Policy>,
}

/// Endgame tablebases as referee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablesSpec {
    /// Folders, separated by semicolons.
    pub folders: String,
    /// Largest number of pieces, kings included, of a position that is decided; `None` for any.
    pub most_pieces: Option<u8>,
    /// Results that are decided.
    pub decides: Decides,
    /// Whether a win counts that the move limit of the rules may prevent.
    pub ignores_limit: bool,
}

/// A file for the final positions of the games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EpdOut {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether the file may already contain other positions, which stay before those of the match.
    pub append: bool,
}

/// A column of the ranking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Column {
    /// Rank by score.
    Rank,
    /// Name of the engine.
    Name,
    /// Elo difference to the others.
    Elo,
    /// Error margin of the Elo difference.
    Error,
    /// Number of games.
    Games,
    /// Number of games won.
    Wins,
    /// Number of games lost.
    Losses,
    /// Number of games drawn.
    Draws,
    /// Points.
    Points,
    /// Points per game in percent.
    Score,
    /// Share of drawn games in percent.
    DrawRatio,
    /// Points per game with Red in percent.
    Red,
    /// Points per game with Black in percent.
    Black,
    /// Games lost on time.
    Time,
    /// Games lost by illegal moves.
    Illegal,
    /// Games lost because the process ended.
    Disconnections,
    /// Games lost because the engine did not answer.
    Stalls,
    /// Time control.
    TimeControl,
}

impl Column {
    /// Columns with the names that cutechess-cli gives them.
    pub const NAMES: [(&'static str, Self); 18] = [
        ("rank", Self::Rank),
        ("name", Self::Name),
        ("elo", Self::Elo),
        ("error", Self::Error),
        ("games", Self::Games),
        ("wins", Self::Wins),
        ("losses", Self::Losses),
        ("draws", Self::Draws),
        ("points", Self::Points),
        ("score", Self::Score),
        ("drawscore", Self::DrawRatio),
        ("whitescore", Self::Red),
        ("blackscore", Self::Black),
        ("timeforfeits", Self::Time),
        ("illegalmoves", Self::Illegal),
        ("disconnections", Self::Disconnections),
        ("stalledconnections", Self::Stalls),
        ("tc", Self::TimeControl),
    ];

    /// Usual columns.
    pub const USUAL: [Self; 7] =
        [Self::Rank, Self::Name, Self::Elo, Self::Error, Self::Games, Self::Score, Self::DrawRatio];

    /// Columns of the wide table.
    pub const WIDE: [Self; 13] = [
        Self::Rank,
        Self::Name,
        Self::Elo,
        Self::Error,
        Self::Games,
        Self::Wins,
        Self::Losses,
        Self::Draws,
        Self::Points,
        Self::Score,
        Self::DrawRatio,
        Self::Red,
        Self::Black,
    ];
}

/// Parameters of an SPSA tuning.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// Source of the tuned parameters.
    pub source: Source,
    /// Number of iterations.
    pub iterations: u32,
    /// Pairs of games per iteration.
    pub pairs: u32,
    /// Decay of the steps and perturbations.
    pub gains: Gains,
}

/// Source of the tuned parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file with one parameter on each line.
    File(PathBuf),
    /// The engine's announcement of the options with these names.
    Names(Vec<String>),
}

/// Exponents and constant of Spall's gain sequences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// Exponent of the decay of the steps.
    pub alpha: f64,
    /// Exponent of the decay of the perturbations.
    pub gamma: f64,
    /// Spall's stability constant A as a share of all iterations; it damps the first steps.
    pub stability: f64,
}

impl Default for Gains {
    /// Returns the values that Spall recommends.
    fn default() -> Self {
        Self { alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

/// Output format of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OutputFormat {
    /// Separate lines for score, rating and SPRT, as in cutechess-cli.
    #[default]
    Cutechess,
    /// Blocks between dashed lines, as in fastchess.
    Fastchess,
}

/// A PGN file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Format of the games.
    pub format: PgnFormat,
    /// Character encoding.
    pub encoding: Encoding,
    /// Whether the file may already contain other games, which stay before those of the match.
    pub append: bool,
    /// Regular expression for lines of the engines that are kept with their moves.
    pub match_line: Option<String>,
}

impl PgnFile {
    /// Returns the file with this event and site in its format.
    #[must_use]
    pub fn of(mut self, event: Option<&str>, site: Option<&str>) -> Self {
        let PgnFormat { event: own_event, site: own_site, .. } = &mut self.format;
        if let Some(event) = event {
            event.clone_into(own_event);
        }
        if let Some(site) = site {
            site.clone_into(own_site);
        }
        self
    }
}

/// A log file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether the lines to and from the engines are logged too, whatever the level.
    pub engine: bool,
    /// Lowest level of the lines that are logged.
    pub level: LogLevel,
    /// Whether the lines follow those of an earlier match.
    pub append: bool,
    /// Whether the file is compressed by gzip.
    pub compress: bool,
}

/// Level of a line in the log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum LogLevel {
    /// Everything.
    Trace,
    /// The course of the match.
    #[default]
    Info,
    /// Warnings, and games lost by failures.
    Warn,
    /// Standard error of engines that failed.
    Err,
    /// The reason why a match stops.
    Fatal,
}
