//! Options with keys or values of their own, apart from engines and plain numbers.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use chuhe::genfens;
use chuhe::notation::Notation;
use chuhe_console::words::Share;
use chuhe_engines::compliance::TestedEngine;
use chuhe_engines::player::Protocol;
use chuhe_games::encoding::Encoding;
use chuhe_games::openings::read::Format;
use chuhe_games::pgn::{Detail, PgnFormat};
use regex::Regex;

use super::command::Generate;
use super::words::{Group, suggestion};
use crate::game::{DrawAdjudication, Perpetual, ResignAdjudication};
use crate::schedule::Tournament;
use crate::settings::{Gains, LogFile, OpeningsFile, OutputFormat, PgnFile, Source, Spsa, counts_threads};
use crate::sprt::{Model, Sprt};
use crate::viewing::View;

pub(super) fn positive(group: &Group) -> Result<u32> {
    let number = group.single()?;
    ensure!(number > 0, "-{} is at least 1", group.word);
    Ok(number)
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
    bail!("{what}: {text:?} is none of {}", names.join(", "))
}

pub(super) fn tournament(text: &str) -> Result<Tournament> {
    let choices = [
        ("roundrobin", Tournament::RoundRobin),
        ("round-robin", Tournament::RoundRobin),
        ("gauntlet", Tournament::Gauntlet),
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
        _ => bail!("-spsa wants its parameters, by file= or names="),
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
    keys.finish()?;
    Ok(OpeningsFile { path, format, random, plies, start })
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
        move_count: keys.required("movecount")?,
        score: keys.required("score")?,
    };
    keys.finish()?;
    ensure!(draw.move_count > 0, "-draw movecount=: at least 1, or every game would be drawn at once");
    Ok(draw)
}

pub(super) fn resign(group: &Group) -> Result<ResignAdjudication> {
    let mut keys = group.keys();
    let resign = ResignAdjudication {
        move_count: keys.required("movecount")?,
        score: keys.required("score")?,
        two_sided: keys.switch("twosided")?.unwrap_or(false),
    };
    keys.finish()?;
    ensure!(resign.move_count > 0, "-resign movecount=: at least 1, or every game would be lost at once");
    Ok(resign)
}

pub(super) fn pgn(group: &Group) -> Result<PgnFile> {
    let mut keys = group.keys();
    let path = keys.required("file")?;
    let notations = [("iccs", Notation::Iccs), ("wxf", Notation::Wxf), ("chinese", Notation::Chinese)];
    let notation = choice("-pgnout notation", keys.text("notation")?.unwrap_or("iccs"), &notations)?;
    let (utf8, gbk) = (Encoding::Utf8, Encoding::Gb18030);
    let encodings = [("utf-8", utf8), ("utf8", utf8), ("gbk", gbk), ("gb18030", gbk)];
    let encoding = choice("-pgnout encoding", keys.text("encoding")?.unwrap_or("utf-8"), &encodings)?;
    for always in ["nodes", "seldepth"] {
        ensure!(keys.switch(always)? != Some(false), "-pgnout {always}: it is written always");
    }
    let (least, speed) = (keys.switch("min")?.unwrap_or(false), keys.switch("nps")?.unwrap_or(false));
    let match_line = keys.text("match_line")?.map(str::to_owned);
    ensure!(
        !least || !speed && match_line.is_none(),
        "-pgnout min=: there are no comments then, as nps= and match_line= want them"
    );
    if let Some(pattern) = &match_line {
        Regex::new(pattern).with_context(|| format!("-pgnout match_line={pattern}"))?;
    }
    let append = keys.switch("append")?.unwrap_or(false);
    keys.finish()?;
    let detail = match (least, speed) {
        (true, _) => Detail::Least,
        (false, true) => Detail::Speed,
        (false, false) => Detail::Usual,
    };
    let format = PgnFormat { notation, detail, ..PgnFormat::default() };
    Ok(PgnFile { path, format, encoding, append, match_line })
}

/// Parses `[-proto ucci|uci|auto] ENGINE [ARGUMENT...]`; all words after the engine are its arguments.
pub(super) fn tested_engine(words: &[String]) -> Result<TestedEngine> {
    let (protocol, rest) = match words {
        [word, value @ ..] if word.starts_with('-') => {
            let name = word.trim_start_matches('-');
            ensure!(name == "proto", "-compliance knows no -{name}{}", suggestion(name, ["proto"], "-"));
            let (value, rest) = value.split_first().context("-proto wants a value: ucci, uci or auto")?;
            let [ucci, uci] = Protocol::GUESSED.map(|protocol| (protocol.name(), Some(protocol)));
            (choice("-proto", value, &[ucci, uci, ("auto", None)])?, rest)
        }
        _ => (None, words),
    };
    let (program, args) = rest.split_first().context("-compliance wants an engine")?;
    Ok(TestedEngine { program: program.clone(), args: args.to_vec(), protocol })
}

/// Parses a command that shows a journal; `None` if `word` is no such command.
pub(super) fn view(word: &str, rest: &[String]) -> Result<Option<View>> {
    Ok(Some(match (word, rest) {
        ("stats", []) => View::Stats,
        ("watch", []) => View::Watch,
        ("report", [file]) => View::Report(Group { word: word.to_owned(), values: vec![file.clone()] }.file()?),
        ("pgn", values) => {
            let pgn = pgn(&Group { word: "pgnout".to_owned(), values: values.to_vec() })?;
            ensure!(
                pgn.match_line.is_none(),
                "match_line= is for the match: a journal has the lines that were kept then"
            );
            View::Pgn(pgn)
        }
        ("stats" | "watch", _) => bail!("{word} takes a journal and nothing else"),
        ("report", _) => bail!("report JOURNAL FILE: a journal and the file for the report"),
        _ => return Ok(None),
    }))
}

/// Parses `-report`: a file, and fastchess's `penta=` for counting pairs, which is always on here.
pub(super) fn report(group: &Group) -> Result<Option<PathBuf>> {
    let (file, mut keys) = group.file_and_keys()?;
    let penta = keys.switch("penta")?;
    keys.finish()?;
    ensure!(penta != Some(false), "-report penta: pairs of games are always counted, as in Ptnml(0-2)");
    ensure!(file.is_some() || penta.is_some(), "-report wants a file");
    Ok(file)
}

pub(super) fn output_format(group: &Group) -> Result<OutputFormat> {
    let mut keys = group.keys();
    let name: String = keys.required("format")?;
    keys.finish()?;
    choice("-output format", &name, &[("cutechess", OutputFormat::Cutechess), ("fastchess", OutputFormat::Fastchess)])
}

pub(super) fn milliseconds(group: &Group) -> Result<Duration> {
    let time = Duration::from_millis(group.single()?);
    ensure!(!time.is_zero(), "-{}: no time at all", group.word);
    Ok(time)
}

/// Whether an option configures tablebase adjudication, which is ignored here.
pub(super) fn is_ignored(word: &str) -> bool {
    matches!(word, "tb" | "tbpieces" | "tbignore50" | "tbadjudicate")
}

pub(super) fn log(group: &Group) -> Result<LogFile> {
    let mut keys = group.keys();
    let log = LogFile { path: keys.required("file")?, engine: keys.switch("engine")?.unwrap_or(false) };
    keys.finish()?;
    Ok(log)
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
                bail!("-generate-openings knows no -{other}{}", suggestion(other, known, "-"));
            }
        }
    }
    Ok(generate)
}
