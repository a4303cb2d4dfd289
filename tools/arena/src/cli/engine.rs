//! Keys of `-engine` and `-each`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use chuhe::score::Score;
use chuhe_engines::player::{
    ClockUnit, EngineSpec, LONGEST_TIME, PieceLetters, ProtocolChoice, RankBase, Restart, TimeControl, Timeouts,
};

use super::groups::choice;
use super::words::{Group, Keys, parse};

/// Returns the group if its keys and values are valid.
pub(super) fn checked(group: &Group) -> Result<Group> {
    apply(group, &mut empty())?;
    Ok(group.clone())
}

/// Keys that some take for options.
pub(super) const KEYS: [&str; 12] =
    ["args", "cmd", "depth", "dir", "name", "nodes", "plies", "ponder", "proto", "st", "tc", "timemargin"];

/// Specification without a program, name, or limit.
fn empty() -> EngineSpec {
    EngineSpec { time: TimeControl::default(), ..EngineSpec::new("") }
}

/// Sets the values that a group gives.
fn apply(group: &Group, spec: &mut EngineSpec) -> Result<()> {
    let mut keys = group.keys();
    set(&mut spec.command, keys.value("cmd")?);
    if let Some(name) = keys.value::<String>("name")? {
        ensure!(!name.is_empty(), "-{}: name= is empty", group.word);
        spec.name = name;
    }
    set(&mut spec.args, keys.text("args")?.map(arguments).transpose()?);
    spec.args.extend(keys.every("arg").into_iter().map(str::to_owned));
    spec.first_lines.extend(keys.every("initstr").into_iter().flat_map(first_lines));
    spec.stderr = keys.value::<PathBuf>("stderr")?.or(spec.stderr.take());
    spec.dir = keys.value::<PathBuf>("dir")?.or(spec.dir.take());
    set(&mut spec.protocol, one_of(&mut keys, "proto", &PROTOCOLS)?);
    let options = keys.prefixed("option.");
    spec.options.retain(|(name, _)| !options.iter().any(|(own, _)| own == name));
    spec.options.extend(options.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())));
    let clock = keys.text("tc")?.map(clock).transpose()?;
    let move_time = keys.text("st")?.map(seconds).transpose().context("st=")?;
    let (nodes, depth, plies) = (keys.value("nodes")?, keys.value("depth")?, keys.value("plies")?);
    ensure!(depth.is_none() || plies.is_none(), "-{}: depth= and plies= are the same", group.word);
    let depth = depth.or(plies);
    // An engine with its own limit does not get the common one in addition.
    if clock.is_some() || move_time.is_some() || nodes.is_some() || depth.is_some() {
        spec.time = TimeControl { move_time, nodes, depth, ..clock.unwrap_or_default() };
    }
    set(&mut spec.ponder, keys.switch("ponder")?);
    set(&mut spec.time_margin, keys.value("timemargin")?.map(Duration::from_millis));
    set(&mut spec.scores_for_red, keys.switch("whitepov")?);
    keys.switch("trust")?;
    if let Some(factor) = keys.value::<f64>("tscale")? {
        ensure!((0.01..=100.0).contains(&factor), "-{}: tscale={factor}: not from 0.01 to 100", group.word);
        spec.timeouts = Timeouts::default().scaled(factor);
    }
    for (key, instead) in REFUSED {
        ensure!(keys.every(key).is_empty(), "-{}: {key}= is not taken; {instead}", group.word);
    }
    set(&mut spec.restart, one_of(&mut keys, "restart", &RESTARTS)?);
    let quirks = &mut spec.quirks;
    quirks.unit = one_of(&mut keys, "unit", &UNITS)?.or(quirks.unit);
    quirks.ranks = one_of(&mut keys, "ranks", &RANKS)?.or(quirks.ranks);
    quirks.letters = one_of(&mut keys, "letters", &LETTERS)?.or(quirks.letters);
    quirks.score_unit = keys.text("score")?.map(score_unit).transpose()?.or(quirks.score_unit);
    keys.finish()
}

/// Keys of other match runners that are not taken, and what to do instead.
const REFUSED: [(&str, &str); 3] = [
    ("book", "an opening book for both engines is -openings file=BOOK format=book"),
    ("bookdepth", "that is plies= of -openings"),
    ("conf", "give the engine by cmd= and the keys for its settings"),
];

/// Splits text at `\n`, which is written with two characters.
fn first_lines(text: &str) -> impl Iterator<Item = String> {
    text.split("\\n").map(str::to_owned)
}

fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}

/// Checks a complete specification.
fn check(spec: &EngineSpec) -> Result<()> {
    let EngineSpec { name, time, .. } = spec;
    ensure!(!time.is_unlimited(), "{name} has no time control: tc=, st=, nodes= or depth=");
    ensure!(time.base.is_none() || time.move_time.is_none(), "{name}: tc= and st= exclude each other");
    ensure!(time.nodes != Some(0) && time.depth != Some(0), "{name}: nodes= and depth= are at least 1");
    if let Some(word) = spec.unsupported() {
        bail!("{name}: {word} cannot be said in its protocol");
    }
    Ok(())
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
fn score_unit(text: &str) -> Result<u32> {
    let centipawns = match text {
        "cp" => 100,
        "minor" => Score::MINOR.unsigned_abs(),
        number => number.parse().ok().filter(|score_unit| (1..=100_000).contains(score_unit)).with_context(|| {
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
    let duration =
        Duration::try_from_secs_f64(seconds).with_context(|| format!("{text:?} is not a time in seconds"))?;
    ensure!(!duration.is_zero(), "no time at all");
    ensure!(duration <= LONGEST_TIME, "{text} s is more than a year");
    Ok(duration)
}

/// Returns the engines with distinct names: unnamed engines with the same file name are numbered.
pub(super) fn specs(engines: &[Group], each: Option<&Group>) -> Result<Vec<EngineSpec>> {
    let mut common = empty();
    each.map_or(Ok(()), |each| apply(each, &mut common))?;
    ensure!(common.name.is_empty(), "-each: name= would give all engines the same name");
    let mut specs: Vec<EngineSpec> = Vec::new();
    for (group, number) in engines.iter().zip(1..) {
        let mut spec = common.clone();
        apply(group, &mut spec)?;
        ensure!(!spec.command.as_os_str().is_empty(), "engine {number}: cmd= is missing");
        let is_named = !spec.name.is_empty();
        if !is_named {
            spec.name = EngineSpec::new(&spec.command).name;
        }
        check(&spec)?;
        let taken = |name: &str| specs.iter().any(|other| other.name == name);
        if taken(&spec.name) {
            ensure!(!is_named, "two engines are called {:?}", spec.name);
            let numbered = (2..).map(|number: usize| format!("{} {number}", spec.name)).find(|name| !taken(name));
            spec.name = numbered.expect("there are enough numbers");
        }
        specs.push(spec);
    }
    Ok(specs)
}
