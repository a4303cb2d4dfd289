//! Options with keys or values of their own, apart from engines and plain numbers.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use chuhe::genfens;
use chuhe_console::words::Share;
use chuhe_engines::compliance::TestedEngine;
use chuhe_engines::player::Protocol;
use chuhe_games::openings::read::Format;

use super::command::Generate;
use super::words::{Group, suggestion};
use crate::game::{Decides, DrawAdjudication, Perpetual, ResignAdjudication};
use crate::schedule::{Policy, Tournament};
use crate::settings::{Gains, OpeningsFile, Source, Spsa, counts_threads};
use crate::sprt::{Model, Sprt};

pub(super) fn positive(group: &Group) -> Result<u32> {
    let number = group.single()?;
    ensure!(number > 0, "-{} is at least 1", group.word);
    Ok(number)
}

pub(super) fn count(group: &Group) -> Result<usize> {
    Ok(usize::try_from(positive(group)?)?)
}

/// Parses `-config` without a journal to resume: `outname=` names a new one, as `file=` does with `discard=true`.
pub(super) fn new_journal(group: &Group) -> Result<Option<PathBuf>> {
    let Config { file, outname, discard } = config(group)?;
    ensure!(file.is_none() || discard, "-config file= comes first: the journal has the rest of the command");
    Ok(outname.or(file))
}

/// Values of `-config`.
pub(super) struct Config {
    /// Journal of the match to resume.
    pub(super) file: Option<PathBuf>,
    /// Journal for the games.
    pub(super) outname: Option<PathBuf>,
    /// Whether the match of `file` is not resumed.
    pub(super) discard: bool,
}

pub(super) fn config(group: &Group) -> Result<Config> {
    let mut keys = group.keys();
    let (file, outname) = (keys.value("file")?, keys.value("outname")?);
    let discard = keys.switch("discard")?.unwrap_or(false);
    let stats = keys.switch("stats")?.unwrap_or(true);
    keys.finish()?;
    ensure!(stats || discard, "-config stats=false: a journal that is resumed counts all of its games");
    Ok(Config { file, outname, discard })
}

pub(super) fn wants_several_threads(options: &[(String, String)]) -> bool {
    options.iter().any(|(name, value)| counts_threads(name) && value != "1")
}

/// Returns the one of `choices` whose name is `text`.
pub(super) fn choice<T: Copy>(what: &str, text: &str, choices: &[(&str, T)]) -> Result<T> {
    if let Some((_, value)) = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Ok(*value);
    }
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
    bail!("{what}: invalid value {text:?} (possible values: {})", names.join(", "))
}

pub(super) fn tournament(text: &str) -> Result<Tournament> {
    let choices = [
        ("roundrobin", Tournament::RoundRobin),
        ("round-robin", Tournament::RoundRobin),
        ("gauntlet", Tournament::Gauntlet),
        ("swiss", Tournament::Swiss),
    ];
    choice("-tournament", text, &choices)
}

pub(super) fn perpetual(text: &str) -> Result<Perpetual> {
    choice("-perpetual", text, &[("lose", Perpetual::Lose), ("ban", Perpetual::Ban)])
}

pub(super) fn spsa(group: &Group) -> Result<Spsa> {
    let mut keys = group.keys();
    let names = keys.text("names")?.map(|names| names.split(',').map(|name| name.trim().to_owned()).collect());
    let source = match (keys.value("file")?, names) {
        (Some(path), None) => Source::File(path),
        (None, Some(names)) => Source::Names(names),
        _ => bail!("-spsa needs its parameters, by file= or names="),
    };
    let usual = Gains::default();
    let spsa = Spsa {
        source,
        iterations: keys.required("iterations")?,
        pairs: keys.value("pairs")?.unwrap_or(1),
        gains: Gains {
            alpha: keys.value("alpha")?.unwrap_or(usual.alpha),
            gamma: keys.value("gamma")?.unwrap_or(usual.gamma),
            stability: keys.value("stability")?.unwrap_or(usual.stability),
        },
    };
    keys.finish()?;
    let games = u64::from(spsa.iterations) * u64::from(spsa.pairs);
    ensure!(games > 0, "-spsa: iterations= and pairs= are at least 1");
    ensure!(games < 1_000_000_000, "-spsa: too many games");
    let Gains { alpha, gamma, stability } = spsa.gains;
    let sensible = [alpha, gamma, stability].iter().all(|number| (0.0..=1.0).contains(number));
    ensure!(sensible, "-spsa: alpha=, gamma= and stability= lie between 0 and 1");
    Ok(spsa)
}

const FORMATS: [(&str, Format); 4] =
    [("epd", Format::Epd), ("fen", Format::Epd), ("pgn", Format::Pgn), ("book", Format::Book)];

pub(super) fn openings(group: &Group) -> Result<OpeningsFile> {
    let mut keys = group.keys();
    let path: PathBuf = keys.required("file")?;
    let format = match keys.text("format")? {
        None => Format::of(&path),
        Some(name) => choice("-openings format", name, &FORMATS)?,
    };
    let order = keys.text("order")?.unwrap_or("sequential");
    let random = choice("-openings order", order, &[("sequential", false), ("random", true)])?;
    let plies = keys.value("plies")?;
    ensure!(
        plies.is_none() || format != Format::Epd,
        "-openings plies=: positions have no moves to cut; that is for pgn and book"
    );
    let start = keys.value("start")?.unwrap_or(1);
    ensure!(start > 0, "-openings start=: the first opening is number 1");
    let policy = keys.text("policy")?.map(|name| choice("-openings policy", name, &POLICIES)).transpose()?;
    keys.finish()?;
    Ok(OpeningsFile { path, format, random, plies, start, policy })
}

const POLICIES: [(&str, Policy); 4] =
    [("default", Policy::Fresh), ("encounter", Policy::Encounter), ("round", Policy::Round), ("keep", Policy::Keep)];

/// Parses a list of cores such as `0,2,4-7`; empty without one.
pub(super) fn cores(group: &Group) -> Result<Vec<usize>> {
    let list: Vec<String> = if group.values.is_empty() { vec![] } else { vec![group.single()?] };
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let [first, last] = [first, last].map(|number| number.parse::<usize>().ok());
        Some(first?..=last?).filter(|range| !range.is_empty() && *range.end() < 100_000)
    };
    let mut cores = vec![];
    for part in list.iter().flat_map(|list| list.split(',')) {
        cores.extend(range(part).with_context(|| format!("-{} {part}: neither a core nor FIRST-LAST", group.word))?);
    }
    cores.sort_unstable();
    cores.dedup();
    Ok(cores)
}

/// Parses the results that the tablebases decide.
pub(super) fn decides(group: &Group) -> Result<Decides> {
    let choices = [("BOTH", Decides::Both), ("WIN_LOSS", Decides::Wins), ("DRAW", Decides::Draws)];
    choice("-tbadjudicate", &group.single::<String>()?, &choices)
}

/// Expands fastchess's `-quick cmd=A cmd=B book=FILE`, apart from the options that are given as well.
pub(super) fn quick(group: &Group, others: &[Group]) -> Result<Vec<Group>> {
    let mut keys = group.keys();
    let (engines, book) = (keys.every("cmd"), keys.text("book")?);
    keys.finish()?;
    ensure!(engines.len() == 2, "-quick needs cmd= twice: two engines");
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let group = |word: &str, values: &[&str]| Group {
        word: word.to_owned(),
        values: values.iter().map(|&value| value.to_owned()).collect(),
    };
    let mut expanded = vec![
        group("engine", &[&format!("cmd={}", engines[0])]),
        group("engine", &[&format!("cmd={}", engines[1])]),
        group("each", &["tc=10+0.1"]),
        group("games", &["2"]),
        group("rounds", &["25000"]),
        group("recover", &[]),
        group("concurrency", &[&cores.saturating_sub(2).max(1).to_string()]),
        group("draw", &["movenumber=30", "movecount=8", "score=8"]),
        group("output", &["format=cutechess"]),
    ];
    expanded.extend(book.map(|book| group("openings", &[&format!("file={book}"), "order=random"])));
    let is_given = |word: &str| word != "engine" && others.iter().any(|other| other.word == word);
    expanded.retain(|group| !is_given(&group.word));
    Ok(expanded)
}

/// Parses a part such as `2/5`.
pub(super) fn shard(group: &Group) -> Result<Share> {
    let text: String = group.single()?;
    text.parse().map_err(|fault: String| anyhow!("-shard {text}: {fault}"))
}

pub(super) fn sprt(group: &Group) -> Result<Sprt> {
    let mut keys = group.keys();
    let (elo0, elo1) = (keys.required("elo0")?, keys.required("elo1")?);
    let (alpha, beta) = (keys.value("alpha")?.unwrap_or(0.05), keys.value("beta")?.unwrap_or(0.05));
    let model: Model = keys.value("model")?.unwrap_or_default();
    keys.finish()?;
    Sprt::new(elo0, elo1, alpha, beta, model).map_err(|error| anyhow::Error::new(error).context("-sprt"))
}

pub(super) fn draw(group: &Group) -> Result<DrawAdjudication> {
    let mut keys = group.keys();
    let draw = DrawAdjudication {
        move_number: keys.value("movenumber")?.unwrap_or(0),
        move_count: keys.value("movecount")?.unwrap_or(1),
        score: keys.value("score")?.unwrap_or(0),
    };
    keys.finish()?;
    ensure!(draw.move_count > 0, "-draw movecount=: at least 1, or every game would be drawn at once");
    Ok(draw)
}

pub(super) fn resign(group: &Group) -> Result<ResignAdjudication> {
    let mut keys = group.keys();
    let resign = ResignAdjudication {
        move_count: keys.value("movecount")?.unwrap_or(1),
        score: keys.value("score")?.unwrap_or(0),
        two_sided: keys.switch("twosided")?.unwrap_or(false),
    };
    keys.finish()?;
    ensure!(resign.move_count > 0, "-resign movecount=: at least 1, or every game would be lost at once");
    Ok(resign)
}

/// Parses `[-proto ucci|uci|auto] ENGINE [ARGUMENT...]`; all words after the engine are its arguments.
pub(super) fn tested_engine(words: &[String]) -> Result<TestedEngine> {
    let (protocol, rest) = match words {
        [word, value @ ..] if word.starts_with('-') => {
            let name = word.trim_start_matches('-');
            ensure!(name == "proto", "-compliance has no option -{name}{}", suggestion(name, ["proto"], "-"));
            let (value, rest) = value.split_first().context("-proto needs a value: ucci, uci or auto")?;
            let [ucci, uci] = Protocol::GUESSED.map(|protocol| (protocol.name(), Some(protocol)));
            (choice("-proto", value, &[ucci, uci, ("auto", None)])?, rest)
        }
        _ => (None, words),
    };
    let (program, args) = rest.split_first().context("-compliance needs an engine")?;
    Ok(TestedEngine { program: program.clone(), args: args.to_vec(), protocol })
}

/// Parses `-clockscale`.
pub(super) fn clock_scale(group: &Group) -> Result<f64> {
    let factor: f64 = group.single()?;
    ensure!((0.01..=100.0).contains(&factor), "-clockscale {factor}: not from 0.01 to 100");
    Ok(factor)
}

pub(super) fn milliseconds(group: &Group) -> Result<Duration> {
    let time = Duration::from_millis(group.single()?);
    ensure!(!time.is_zero(), "-{}: no time at all", group.word);
    Ok(time)
}

pub(super) fn generate(groups: &[Group]) -> Result<Generate> {
    let mut generate = Generate { count: 0, settings: genfens::Settings::default(), file: None };
    for group in groups {
        match group.word.as_str() {
            "generate-openings" => generate.count = group.single()?,
            "plies" => generate.settings.plies = group.single()?,
            "seed" => generate.settings.seed = group.single()?,
            "nodes" => generate.settings.nodes = group.single()?,
            "limit" => generate.settings.limit = group.single()?,
            "least" => generate.settings.least = group.single()?,
            "o" => generate.file = Some(group.file()?),
            other => {
                let known = ["plies", "seed", "nodes", "limit", "least", "o"];
                bail!("-generate-openings has no option -{other}{}", suggestion(other, known, "-"));
            }
        }
    }
    Ok(generate)
}
