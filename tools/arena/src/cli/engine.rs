//! Keys of `-engine` and `-each`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use chuhe::score::Score;
use chuhe_engines::player::{ClockUnit, EngineSpec, PieceLetters, ProtocolChoice, RankBase, Restart, TimeControl};

use super::groups::choice;
use super::words::{Group, Keys, parse};

/// Keys given for one engine, or for all of them.
#[derive(Clone, Default)]
pub(super) struct Words {
    command: Option<PathBuf>,
    name: Option<String>,
    args: Option<Vec<String>>,
    dir: Option<PathBuf>,
    protocol: Option<ProtocolChoice>,
    options: Vec<(String, String)>,
    clock: Option<TimeControl>,
    move_time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
    ponder: Option<bool>,
    time_margin: Option<u64>,
    restart: Option<Restart>,
    unit: Option<ClockUnit>,
    ranks: Option<RankBase>,
    letters: Option<PieceLetters>,
    hundred: Option<u32>,
}

impl Words {
    pub(super) fn read(group: &Group) -> Result<Self> {
        let mut keys = group.keys()?;
        let words = Self {
            command: keys.value("cmd")?,
            name: keys.value("name")?,
            args: keys.text("args")?.map(arguments).transpose()?,
            dir: keys.value("dir")?,
            protocol: one_of(&mut keys, "proto", &PROTOCOLS)?,
            options: keys
                .prefixed("option.")
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            clock: keys.text("tc")?.map(clock).transpose()?,
            move_time: keys.text("st")?.map(seconds).transpose().context("st=")?,
            nodes: keys.value("nodes")?,
            depth: keys.value("depth")?,
            ponder: keys.switch("ponder")?,
            time_margin: keys.value("timemargin")?,
            restart: one_of(&mut keys, "restart", &RESTARTS)?,
            unit: one_of(&mut keys, "unit", &UNITS)?,
            ranks: one_of(&mut keys, "ranks", &RANKS)?,
            letters: one_of(&mut keys, "letters", &LETTERS)?,
            hundred: keys.text("score")?.map(hundred).transpose()?,
        };
        keys.finish()?;
        Ok(words)
    }

    fn has_limit(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// Returns an engine's own values, and those of `-each` where it has none.
    fn or(self, each: &Self) -> Self {
        let each = each.clone();
        // An engine with its own limit does not get the common one in addition.
        let limits = if self.has_limit() { &self } else { &each };
        let (clock, move_time, nodes, depth) = (limits.clock, limits.move_time, limits.nodes, limits.depth);
        let common = each.options.iter().filter(|(name, _)| !self.options.iter().any(|(own, _)| own == name));
        Self {
            options: common.chain(&self.options).cloned().collect(),
            command: self.command.or(each.command),
            name: self.name,
            args: self.args.or(each.args),
            dir: self.dir.or(each.dir),
            protocol: self.protocol.or(each.protocol),
            clock,
            move_time,
            nodes,
            depth,
            ponder: self.ponder.or(each.ponder),
            time_margin: self.time_margin.or(each.time_margin),
            restart: self.restart.or(each.restart),
            unit: self.unit.or(each.unit),
            ranks: self.ranks.or(each.ranks),
            letters: self.letters.or(each.letters),
            hundred: self.hundred.or(each.hundred),
        }
    }

    fn spec(self, number: usize) -> Result<EngineSpec> {
        let Some(command) = self.command else { bail!("engine {number}: cmd= is missing") };
        let mut spec = EngineSpec::new(command);
        if let Some(name) = self.name {
            ensure!(!name.is_empty(), "engine {number}: its name is empty");
            spec.name = name;
        }
        let clock = self.clock.unwrap_or_default();
        spec.time = TimeControl { move_time: self.move_time, nodes: self.nodes, depth: self.depth, ..clock };
        ensure!(!spec.time.is_unlimited(), "{} has no time control: tc=, st=, nodes= or depth=", spec.name);
        ensure!(clock.base.is_none() || self.move_time.is_none(), "{}: tc= and st= exclude each other", spec.name);
        ensure!(self.nodes != Some(0) && self.depth != Some(0), "{}: nodes= and depth= are at least 1", spec.name);
        spec.args = self.args.unwrap_or_default();
        spec.dir = self.dir;
        spec.protocol = self.protocol.unwrap_or_default();
        spec.options = self.options;
        spec.ponder = self.ponder.unwrap_or(false);
        spec.time_margin = Duration::from_millis(self.time_margin.unwrap_or(0));
        spec.restart = self.restart.unwrap_or_default();
        spec.habits.unit = self.unit;
        spec.habits.ranks = self.ranks;
        spec.habits.letters = self.letters;
        spec.habits.hundred = self.hundred;
        if let Some(word) = spec.unsayable() {
            bail!("{}: {word} cannot be said in its protocol", spec.name);
        }
        Ok(spec)
    }
}

const PROTOCOLS: [(&str, ProtocolChoice); 4] = [
    ("auto", ProtocolChoice::Auto),
    ("ucci", ProtocolChoice::Ucci),
    ("uci", ProtocolChoice::Uci),
    ("xboard", ProtocolChoice::Xboard),
];
const RESTARTS: [(&str, Restart); 3] = [("auto", Restart::Auto), ("on", Restart::On), ("off", Restart::Off)];
const UNITS: [(&str, ClockUnit); 2] = [("ms", ClockUnit::Milliseconds), ("s", ClockUnit::Seconds)];
const RANKS: [(&str, RankBase); 2] = [("0", RankBase::Zero), ("1", RankBase::One)];
const LETTERS: [(&str, PieceLetters); 2] = [("nb", PieceLetters::KnightBishop), ("he", PieceLetters::HorseElephant)];

fn one_of<T: Copy>(keys: &mut Keys<'_>, key: &'static str, choices: &[(&str, T)]) -> Result<Option<T>> {
    keys.text(key)?.map(|text| choice(key, text, choices)).transpose()
}

/// Parses the value of a score of 100 in centipawns: `cp` (a pawn), `minor` (a minor piece), or a number.
fn hundred(text: &str) -> Result<u32> {
    let centipawns = match text {
        "cp" => 100,
        "minor" => Score::MINOR.unsigned_abs(),
        number => number.parse().ok().filter(|hundred| (1..=100_000).contains(hundred)).with_context(|| {
            format!("score={number}: neither cp nor minor, nor the centipawns that a score of 100 is worth")
        })?,
    };
    Ok(centipawns)
}

/// Splits text into arguments as a shell does.
fn arguments(text: &str) -> Result<Vec<String>> {
    shlex::split(text).with_context(|| format!("args={text}: a quote has no end"))
}

/// Parses a time control that leaves some time on the clock.
fn clock(text: &str) -> Result<TimeControl> {
    let clock: TimeControl = parse(text).context("tc=")?;
    ensure!(!clock.has_no_time(), "tc={text}: no time at all; TIME or INCREMENT is more than 0");
    Ok(clock)
}

fn seconds(text: &str) -> Result<Duration> {
    let seconds: f64 = parse(text)?;
    let duration = Duration::try_from_secs_f64(seconds).with_context(|| format!("{text:?} is no time in seconds"))?;
    ensure!(!duration.is_zero(), "no time at all");
    Ok(duration)
}

/// Returns the engines with distinct names: unnamed engines with the same file name are numbered.
pub(super) fn specs(engines: Vec<Words>, each: &Words) -> Result<Vec<EngineSpec>> {
    ensure!(each.name.is_none(), "-each: name= would give all engines the same name");
    let mut specs: Vec<EngineSpec> = Vec::new();
    for (words, number) in engines.into_iter().zip(1..) {
        let named = words.name.is_some();
        let mut spec = words.or(each).spec(number)?;
        let taken = |name: &str| specs.iter().any(|other| other.name == name);
        if taken(&spec.name) {
            ensure!(!named, "two engines are called {:?}", spec.name);
            let numbered = (2..).map(|number: usize| format!("{} {number}", spec.name)).find(|name| !taken(name));
            spec.name = numbered.expect("there are enough numbers");
        }
        specs.push(spec);
    }
    Ok(specs)
}
