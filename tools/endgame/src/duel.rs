//! Plays positions from the tables, an engine against the tables: it must win won positions and hold drawn ones.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use chuhe::board::{Move, Position, Side};
use chuhe::endgame::{Material, Outcome, Results, Tables};
use chuhe::rules::{RuleSet, judge};
use chuhe::splitmix::SplitMix64;
use chuhe_engines::player::{
    ClockState, EngineSpec, Failure, GameState, Player, ProtocolChoice, TimeControl, Timeouts,
};

use crate::folder;

/// Rules of the games: the default of our engine in UCI.
const RULES: RuleSet = RuleSet::Asian;

/// Attempts to find a suitable placement before a material is given up.
const TRIES: u32 = 3_000_000;

/// Settings of a duel.
pub struct Settings {
    /// Folder of the tables.
    pub folder: PathBuf,
    /// Materials from which positions are taken, in turn.
    pub materials: Vec<Material>,
    /// Number of games.
    pub games: u64,
    /// Task of the engine, which moves first: to win, or to hold a draw as the weaker side.
    pub task: Task,
    /// Seed of the positions, and of the tables' choices among equal moves.
    pub seed: u64,
    /// Path of the engine, which must speak UCI.
    pub engine: PathBuf,
    /// Options as `name=value`, set before the first game.
    pub options: Vec<String>,
    /// Limits of a search, as in `go movetime 10`.
    pub go: String,
    /// Timeout for an answer of the engine.
    pub timeout: Duration,
}

/// Task of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Win a position that takes at least `plies`, and fewer than the move limit.
    Win {
        /// Plies to the end of the game or the next capture.
        plies: u16,
    },
    /// Hold a drawn position.
    Hold,
}

/// Results of games, from the engine's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} won, {} drawn, {} lost", self.won, self.drawn, self.lost)
    }
}

/// Plays all games and writes the results by material and in total, and every position in which the engine failed its task.
///
/// # Errors
/// If a table is missing or has no suitable positions, or the engine does not answer in time.
pub fn run(settings: &Settings, out: &mut impl Write) -> Result<Score> {
    let tables = folder::read(&settings.folder)?;
    let mut engine = start(settings)?;
    let source = |&material| Source::new(&tables, material, settings.task);
    let sources: Vec<Source> = settings.materials.iter().map(source).collect::<Result<_>>()?;
    let mut random = SplitMix64::new(settings.seed);
    let mut all = Score::default();
    let mut by_material = vec![Score::default(); settings.materials.len()];
    for game in 0..settings.games {
        // A remainder of the number of materials.
        let at = (game % settings.materials.len() as u64) as usize;
        let start = sources[at].sample(&mut random)?;
        let winner = play(start, &tables, &mut engine, &mut random)?;
        for score in [&mut all, &mut by_material[at]] {
            match winner {
                Some(side) if side == start.side() => score.won += 1,
                Some(_) => score.lost += 1,
                None => score.drawn += 1,
            }
        }
        let is_done = match settings.task {
            Task::Win { .. } => winner == Some(start.side()),
            Task::Hold => winner != Some(!start.side()),
        };
        if !is_done {
            writeln!(out, "not {}: {}", if settings.task == Task::Hold { "held" } else { "won" }, start.to_fen())?;
        }
    }
    for (material, score) in settings.materials.iter().zip(by_material) {
        writeln!(out, "{material}: {score}")?;
    }
    writeln!(out, "{all}")?;
    Ok(all)
}

/// Source of positions of one material.
struct Source<'a> {
    material: Material,
    results: &'a Results,
    task: Task,
    /// Numbers of the wins of suitable length.
    long_wins: Vec<u64>,
}

impl<'a> Source<'a> {
    fn new(tables: &'a Tables, material: Material, task: Task) -> Result<Self> {
        let results = tables.results(material).with_context(|| format!("there is no table of {material}"))?;
        let mut long_wins = vec![];
        if let Task::Win { plies } = task {
            let distances = tables.distances(material).with_context(|| format!("{material} has no distances"))?;
            let all = (0..).zip(distances.all(Side::Red)?);
            let limit = RULES.rules().limit_plies();
            let fits = |length: u16| length >= plies && limit.is_none_or(|limit| length < limit);
            let is_long =
                |&(number, length): &(u64, u16)| results.outcome(Side::Red, number) == Outcome::Win && fits(length);
            long_wins.extend(all.filter(is_long).map(|(number, _)| number));
            ensure!(!long_wins.is_empty(), "{material} has no such positions");
        }
        Ok(Self { material, results, task, long_wins })
    }

    /// Returns a random position that suits the task.
    fn sample(&self, random: &mut SplitMix64) -> Result<Position> {
        let index = self.results.index();
        let size = usize::try_from(index.size())?;
        for _ in 0..TRIES {
            let found = match self.task {
                Task::Win { .. } => index.position(&index.placement(random.pick(&self.long_wins)), Side::Red),
                Task::Hold => {
                    let number = random.below(size) as u64;
                    let is_drawn = self.results.outcome(Side::Black, number) == Outcome::Draw;
                    let position = is_drawn.then(|| index.position(&index.placement(number), Side::Black)).flatten();
                    position.filter(Position::has_legal_move)
                }
            };
            if let Some(position) = found {
                return Ok(position);
            }
        }
        bail!("{} has no such positions, or very few", self.material)
    }
}

/// Plays a game, in which the engine moves first, and returns the winner.
fn play(start: Position, tables: &Tables, engine: &mut Player, random: &mut SplitMix64) -> Result<Option<Side>> {
    let rules = RULES.rules();
    let mut positions = vec![start];
    let mut moves: Vec<Move> = vec![];
    engine.new_game()?;
    loop {
        if let Some(verdict) = judge(&positions, &rules) {
            return Ok(verdict.loser.map(|loser| !loser));
        }
        let position = positions[positions.len() - 1];
        let mv = if position.side() == start.side() {
            let clocks = [ClockState::default(); 2];
            let state = GameState { positions: &positions, moves: &moves, banned: &[], clocks, draw_offered: false };
            let found = engine.think(&state, &mut || false).map_err(Failure::from)?;
            found.mv.with_context(|| format!("the engine plays {:?}", found.text.unwrap_or_default()))?
        } else {
            reply(tables, &position, random)
        };
        ensure!(position.is_legal(mv), "{mv} is illegal in {}", position.to_fen());
        moves.push(mv);
        positions.push(position.play(mv));
    }
}

/// Returns the tables' move: the quickest win or the slowest loss, at random among equals.
fn reply(tables: &Tables, position: &Position, random: &mut SplitMix64) -> Move {
    let rank = |mv: Move| {
        let next = position.play(mv);
        let plies = if position.is_capture(mv) { 0 } else { tables.distance(&next).map_or(0, i32::from) };
        match tables.outcome(&next) {
            Some(Outcome::Loss) => (2, -plies),
            Some(Outcome::Win) => (0, plies),
            _ => (1, 0),
        }
    };
    let ranked: Vec<(Move, (i32, i32))> = position.legal_moves().iter().map(|&mv| (mv, rank(mv))).collect();
    let best = ranked.iter().map(|&(_, rank)| rank).max();
    let choices: Vec<Move> = ranked.iter().filter(|&&(_, rank)| Some(rank) == best).map(|&(mv, _)| mv).collect();
    random.pick(&choices)
}

/// Starts an engine and returns its player.
fn start(settings: &Settings) -> Result<Player> {
    let Settings { engine, options, go, timeout, .. } = settings;
    let pair = |option: &String| {
        let (name, value) =
            option.split_once('=').with_context(|| format!("{option:?} is not of the form name=value"))?;
        Ok((name.to_owned(), value.to_owned()))
    };
    let mut spec = EngineSpec::new(engine);
    spec.protocol = ProtocolChoice::Uci;
    spec.rules = Some(RULES);
    spec.options = options.iter().map(pair).collect::<Result<_>>()?;
    spec.time = limits(go)?;
    // Overrunning `movetime` is not a failure.
    spec.time_margin = spec.time.move_time.map_or(Duration::ZERO, |_| *timeout);
    let handshake = spec.timeouts.handshake.min(*timeout);
    spec.timeouts = Timeouts { handshake, ready: *timeout, unclocked_move: *timeout, ..spec.timeouts };
    Player::start(&spec, None).with_context(|| spec.name.clone())
}

/// Parses the limits of a search, as in `movetime 10` or `depth 8 nodes 5000`.
fn limits(go: &str) -> Result<TimeControl> {
    let mut limits = TimeControl::default();
    let words: Vec<&str> = go.split_whitespace().collect();
    for pair in words.chunks(2) {
        match *pair {
            ["movetime", number] => limits.move_time = Some(Duration::from_millis(number.parse()?)),
            ["depth", number] => limits.depth = Some(number.parse()?),
            ["nodes", number] => limits.nodes = Some(number.parse()?),
            _ => bail!("unknown limits {go:?} (available: movetime, depth, nodes)"),
        }
    }
    ensure!(!limits.is_unlimited(), "no limit (available: movetime, depth, nodes)");
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::generate;

    fn tables() -> Tables {
        let folder = tempfile::tempdir().unwrap();
        let settings = generate::Settings {
            materials: vec!["KR-KAA".parse().unwrap()],
            folder: folder.path().to_owned(),
            threads: 2,
            memory: None,
            interval: Duration::from_secs(3600),
        };
        generate::run(&settings, &AtomicBool::new(false)).unwrap();
        folder::read(folder.path()).unwrap()
    }

    #[test]
    fn positions_are_what_is_asked_for_and_the_tables_play_them_to_the_end() {
        let tables = tables();
        let mut random = SplitMix64::new(7);
        let material: Material = "KR-KAA".parse().unwrap();
        let long = Source::new(&tables, material, Task::Win { plies: 9 }).unwrap();
        let mut captures = 0;
        for _ in 0..20 {
            let start = long.sample(&mut random).unwrap();
            assert_eq!((start.side(), tables.outcome(&start)), (Side::Red, Some(Outcome::Win)));
            let mut left = tables.distance(&start).unwrap();
            assert!(left >= 9);
            let mut position = start;
            while let Some(plies) = left.checked_sub(1) {
                let mv = reply(&tables, &position, &mut random);
                let captured = position.is_capture(mv);
                position = position.play(mv);
                captures += u32::from(captured);
                left = if captured { tables.distance(&position).unwrap() } else { plies };
                assert_eq!(tables.distance(&position), Some(left), "{}", position.to_fen());
            }
            assert!(!position.has_legal_move());
        }
        assert!(captures > 0);
        let held = Source::new(&tables, material, Task::Hold).unwrap().sample(&mut random).unwrap();
        assert_eq!((held.side(), tables.outcome(&held)), (Side::Black, Some(Outcome::Draw)));
        assert!(Source::new(&tables, "KR-K".parse().unwrap(), Task::Win { plies: 4 }).is_err());
    }

    /// Returns the error from an engine that is this shell script and is asked for a move.
    #[cfg(unix)]
    fn complaint(script: &str, timeout: Duration) -> String {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let engine = folder.path().join("script");
        std::fs::write(&engine, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&engine, PermissionsExt::from_mode(0o700)).unwrap();
        let settings = Settings {
            folder: folder.path().to_owned(),
            materials: vec![],
            games: 1,
            task: Task::Hold,
            seed: 1,
            engine,
            options: vec![],
            go: "depth 1".to_owned(),
            timeout,
        };
        let mut engine = match start(&settings) {
            Ok(engine) => engine,
            Err(error) => return format!("{error:#}"),
        };
        let played = play(Position::start(), &Tables::empty(), &mut engine, &mut SplitMix64::new(1));
        format!("{:#}", played.unwrap_err())
    }

    #[test]
    #[cfg(unix)]
    fn an_engine_that_does_not_answer_is_named_and_killed() {
        let started = std::time::Instant::now();
        let short = Duration::from_millis(100);
        for script in ["exec sleep 600", "exec cat"] {
            assert_eq!(complaint(script, short), "script: no answer within 100ms", "{script}");
        }
        assert!(complaint("exec yes", short).starts_with("script: "));
        // Enough time for what is answered, even on a busy machine.
        let long = Duration::from_secs(3);
        assert_eq!(complaint("echo uciok; exec sleep 600", long), "script: no answer within 3s");
        let first_move = "echo uciok; while read -r line; do case $line in isready) echo readyok;; go*) echo bestmove h2e2; \
                          exec sleep 600;; esac; done";
        assert_eq!(complaint(first_move, long), "no answer within 3s");
        assert_eq!(complaint("exit 3", long), "script: the process ended in the handshake (exit status: 3)");
        assert!(started.elapsed() < Duration::from_secs(120), "a sleeping engine holds up nothing");
    }

    #[test]
    fn limits_are_those_of_go() {
        let read = limits("movetime 10 nodes 7").unwrap();
        assert_eq!((read.move_time, read.nodes, read.depth), (Some(Duration::from_millis(10)), Some(7), None));
        for wrong in ["", "infinite", "depth", "depth x", "mate 3"] {
            assert!(limits(wrong).is_err(), "{wrong}");
        }
    }
}
