//! Everything the command line says about a match: plain data.

use std::path::PathBuf;

use chuhe::rules::RuleSet;
use chuhe_console::words::Share;
use chuhe_engines::player::EngineSpec;
use chuhe_games::encoding::Encoding;
use chuhe_games::openings::Opening;
use chuhe_games::openings::read::Format;
use chuhe_games::pgn::PgnFormat;

use crate::game::{DrawAdjudication, GameSetup, Perpetual, ResignAdjudication};
use crate::schedule::{Shape, Tournament};
use crate::sprt::Sprt;

/// A match as it was asked for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// At least two, with different names, or the one that is tuned.
    pub engines: Vec<EngineSpec>,
    /// Where games begin; without them at the start position.
    pub openings: Option<OpeningsFile>,
    /// Who meets whom.
    pub tournament: Tournament,
    /// How often all encounters are played.
    pub rounds: u32,
    /// Games of an encounter.
    pub games: u32,
    /// Games running from one opening.
    pub repeat: u32,
    /// Whether colours are exchanged.
    pub swap: bool,
    /// Which part of it is played, if not all.
    pub shard: Option<Share>,
    /// Games at the same time.
    pub concurrency: usize,
    /// Whether each concurrent game is tied to a core of its own.
    pub affinity: bool,
    /// Whether more threads may think than there are cores.
    pub force: bool,
    /// Whether the match goes on although an engine fails again and again.
    pub recover: bool,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// What is tuned, if anything: then there is one engine, which plays against itself.
    pub spsa: Option<Spsa>,
    /// When quiet games are called a draw.
    pub draw: Option<DrawAdjudication>,
    /// When decided games are called won.
    pub resign: Option<ResignAdjudication>,
    /// The longest game, in full moves.
    pub max_moves: Option<u32>,
    /// Rules of the referee: as given, or chosen by what the engines speak; none before that.
    pub rules: Option<RuleSet>,
    /// What becomes of a loop that loses.
    pub perpetual: Perpetual,
    /// The seed of everything random; found and told if it was not given.
    pub seed: Option<u64>,
    /// In whose wording the match is told.
    pub wording: Wording,
    /// The rating is printed after so many games; 0 for only at the end.
    pub rating_interval: u32,
    /// The score is printed after so many games; 0 for only at the end.
    pub score_interval: u32,
    /// What the match is called.
    pub event: Option<String>,
    /// Where it is played.
    pub site: Option<String>,
    /// Words that were given for the sake of other runners' command lines, and have no meaning here.
    pub ignored: Vec<String>,
    /// The games as PGN.
    pub pgn: Option<PgnFile>,
    /// The positions in which games have ended.
    pub epd: Option<PathBuf>,
    /// Every line to and from the engines.
    pub log: Option<LogFile>,
    /// The report.
    pub report: Option<PathBuf>,
    /// The journal.
    pub journal: Option<PathBuf>,
}

/// Whether the option of an engine that is called so says with how many threads it thinks: in UCCI and UCI, or in the
/// XBoard protocol.
pub(crate) fn counts_threads(name: &str) -> bool {
    ["threads", "cores"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

impl Settings {
    /// Whether every line to and from the engines is wanted.
    pub(crate) fn logs_engines(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.engine)
    }

    /// Returns the rules of the referee.
    pub(crate) fn rules(&self) -> RuleSet {
        self.rules.unwrap_or(RuleSet::Asian)
    }

    /// What its plan is made from.
    pub(crate) fn shape(&self) -> Shape {
        Shape {
            tournament: self.tournament,
            engines: self.engines.len(),
            rounds: self.rounds,
            games: self.games,
            repeat: self.repeat,
            swap: self.swap,
        }
    }

    /// A game of the match from this opening; the caller numbers it.
    pub(crate) fn game_from(&self, opening: &Opening) -> GameSetup {
        GameSetup {
            opening_moves: opening.moves.clone(),
            opening_name: opening.name.clone(),
            rules: self.rules().rules(),
            perpetual: self.perpetual,
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves,
            ..GameSetup::new(opening.start)
        }
    }
}

/// A file of openings and how it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningsFile {
    /// The file.
    pub path: PathBuf,
    /// What it holds.
    pub format: Format,
    /// Whether they are shuffled.
    pub random: bool,
    /// Plies of each recorded game that are played, or of each line of a book.
    pub plies: Option<usize>,
    /// The first one, from 1.
    pub start: usize,
}

/// What is tuned, and for how long.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// Where the parameters come from.
    pub source: Source,
    /// How often the values move.
    pub iterations: u32,
    /// Pairs of games for each of those.
    pub pairs: u32,
    /// How steps and perturbations sink.
    pub gains: Gains,
}

/// Where the parameters come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file with one of them on each line.
    File(PathBuf),
    /// The engine's own announcement of these.
    Names(Vec<String>),
}

/// The exponents and the constant of Spall's gain sequences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// How the steps sink.
    pub alpha: f64,
    /// How the perturbations sink.
    pub gamma: f64,
    /// Iterations during which the steps hardly sink, as a share of all.
    pub stability: f64,
}

impl Default for Gains {
    /// Those that Spall recommends.
    fn default() -> Self {
        Self { alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }
}

/// In whose wording a match is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wording {
    /// A line for score, rating and test each.
    #[default]
    Cutechess,
    /// All of them in a block, between lines of dashes.
    Fastchess,
}

/// A file for the games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnFile {
    /// The file.
    pub path: PathBuf,
    /// How games are written.
    pub format: PgnFormat,
    /// In which bytes.
    pub encoding: Encoding,
    /// Whether games of others may be in it already, which stay before those of the match.
    pub append: bool,
    /// Which lines of the engines are kept with their moves: a regular expression.
    pub match_line: Option<String>,
}

impl PgnFile {
    /// The same for the games of this event.
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

/// A file for what happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogFile {
    /// The file.
    pub path: PathBuf,
    /// Whether the lines to and from the engines are written too.
    pub engine: bool,
}
