//! Options for output: games, positions, log, report, tables; and the commands that show a journal.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use chuhe::notation::Notation;
use chuhe_games::encoding::Encoding;
use chuhe_games::pgn::{Field, PgnFormat};
use regex::Regex;

use super::groups::choice;
use super::words::Group;
use crate::serving::Serving;
use crate::settings::{Column, EpdOut, LogFile, LogLevel, OutputFormat, PgnFile};
use crate::viewing::{Form, View};

/// Notations by the names that they have here and in fastchess: squares, or the piece and its way.
const NOTATIONS: [(&str, Notation); 6] = [
    ("iccs", Notation::Iccs),
    ("wxf", Notation::Wxf),
    ("chinese", Notation::Chinese),
    ("uci", Notation::Iccs),
    ("lan", Notation::Iccs),
    ("san", Notation::Wxf),
];

const FIELDS: [(&str, Field); 8] = [
    ("nodes", Field::Nodes),
    ("seldepth", Field::SelectiveDepth),
    ("nps", Field::Speed),
    ("hashfull", Field::HashFull),
    ("tbhits", Field::TableHits),
    ("timeleft", Field::TimeLeft),
    ("latency", Field::Latency),
    ("pv", Field::Variation),
];

pub(super) fn pgn(group: &Group) -> Result<PgnFile> {
    let (path, mut keys) = group.first_file_and_keys()?;
    let notation = choice("-pgnout notation", keys.text("notation")?.unwrap_or("iccs"), &NOTATIONS)?;
    let (utf8, gbk) = (Encoding::Utf8, Encoding::Gb18030);
    let encodings = [("utf-8", utf8), ("utf8", utf8), ("gbk", gbk), ("gb18030", gbk)];
    let encoding = choice("-pgnout encoding", keys.text("encoding")?.unwrap_or("utf-8"), &encodings)?;
    let least = keys.switch("min")?.unwrap_or(false);
    // Only finished games are written, as `fi` asks for.
    ensure!(keys.switch("fi")? != Some(false), "-pgnout fi: unfinished games are never written");
    let (mut fields, mut added) = (vec![], None);
    for (key, field) in FIELDS {
        let is_usual = Field::USUAL.contains(&field);
        if keys.switch(key)?.unwrap_or(is_usual) {
            fields.push(field);
            added = added.or((!is_usual).then_some(key));
        }
    }
    let match_line = keys.text("match_line")?.map(str::to_owned);
    let wanted = added.or(match_line.as_ref().map(|_| "match_line"));
    if let Some(key) = wanted.filter(|_| least) {
        bail!("-pgnout min=: there are no comments then, as {key}= needs them");
    }
    if let Some(pattern) = &match_line {
        Regex::new(pattern).with_context(|| format!("-pgnout match_line={pattern}"))?;
    }
    let append = keys.switch("append")?.unwrap_or(false);
    keys.finish()?;
    let format = PgnFormat { notation, comments: (!least).then_some(fields), ..PgnFormat::default() };
    Ok(PgnFile { path, format, encoding, append, match_line })
}

pub(super) fn epd(group: &Group) -> Result<EpdOut> {
    let (path, mut keys) = group.first_file_and_keys()?;
    let append = keys.switch("append")?.unwrap_or(false);
    keys.finish()?;
    Ok(EpdOut { path, append })
}

pub(super) fn log(group: &Group) -> Result<LogFile> {
    const LEVELS: [(&str, LogLevel); 5] = [
        ("trace", LogLevel::Trace),
        ("info", LogLevel::Info),
        ("warn", LogLevel::Warn),
        ("err", LogLevel::Err),
        ("fatal", LogLevel::Fatal),
    ];
    let mut keys = group.keys();
    let path: PathBuf = keys.required("file")?;
    let engine = keys.switch("engine")?.unwrap_or(false);
    let level = keys.text("level")?.map(|name| choice("-log level", name, &LEVELS)).transpose()?.unwrap_or_default();
    let (append, compress) = (keys.switch("append")?.unwrap_or(true), keys.switch("compress")?.unwrap_or(false));
    // Every line is written at once, which is what `realtime` means.
    keys.switch("realtime")?;
    keys.finish()?;
    let is_named = path.extension().is_some_and(|extension| extension == "gz");
    let path = if compress && !is_named { path.with_added_extension("gz") } else { path };
    Ok(LogFile { path, engine, level, append, compress })
}

/// Parses a command that shows a journal; `None` if `word` is no such command.
pub(super) fn view(word: &str, rest: &[String]) -> Result<Option<View>> {
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    Ok(Some(match (word, rest.as_slice()) {
        ("stats", []) => View::Stats(Form::Text),
        ("stats", ["--json" | "-json"]) => View::Stats(Form::Json),
        ("stats", ["--csv" | "-csv"]) => View::Stats(Form::Csv),
        ("stats", _) => bail!("stats takes a journal, then nothing, --json or --csv"),
        ("watch", []) => View::Watch,
        ("report", [file]) => View::Report(Group { word: word.to_owned(), values: vec![(*file).to_owned()] }.file()?),
        ("pgn", values) => {
            let values = values.iter().map(|&value| value.to_owned()).collect();
            let pgn = pgn(&Group { word: "pgnout".to_owned(), values })?;
            ensure!(
                pgn.match_line.is_none(),
                "match_line= is for the match: a journal has the lines that were kept then"
            );
            View::Pgn(pgn)
        }
        ("watch", _) => bail!("watch takes a journal, then nothing, or --serve [ADDRESS] [--host NAME]"),
        ("report", _) => bail!("report JOURNAL FILE: a journal and the file for the report"),
        _ => return Ok(None),
    }))
}

/// Parses `watch JOURNAL --serve [ADDRESS] [--host NAME]...`; `None` for another command.
pub(super) fn serving(word: &str, rest: &[String]) -> Result<Option<Serving>> {
    let [serve, rest @ ..] = rest else { return Ok(None) };
    if word != "watch" || !matches!(serve.as_str(), "-serve" | "--serve") {
        return Ok(None);
    }
    let mut serving = Serving::default();
    let mut words = rest.iter().peekable();
    if let Some(text) = words.next_if(|word| !word.starts_with('-')) {
        serving.address = address(text)?;
    }
    while let Some(word) = words.next() {
        ensure!(
            matches!(word.as_str(), "-host" | "--host"),
            "watch --serve: unknown option {word}; there is --host NAME"
        );
        let name = words.next().filter(|name| !name.starts_with('-'));
        serving.hosts.push(name.context("watch --serve --host needs a name")?.clone());
    }
    Ok(Some(serving))
}

/// Parses an address to listen at: a port of this computer, an IP address, or both.
fn address(text: &str) -> Result<SocketAddr> {
    let local = Serving::default().address;
    let port = || text.parse().ok().map(|port| SocketAddr::new(local.ip(), port));
    let ip = || text.parse().ok().map(|ip| SocketAddr::new(ip, local.port()));
    let found = port().or_else(ip).or_else(|| text.parse().ok());
    found.with_context(|| {
        format!("watch --serve: {text:?} is not an address, such as 8000, 127.0.0.1:8000, 0.0.0.0:8000 or [::1]:8000")
    })
}

/// Parses `-report`: a file, and fastchess's `penta=` for counting pairs, which is always on here.
pub(super) fn report(group: &Group) -> Result<Option<PathBuf>> {
    let (file, mut keys) = group.file_and_keys()?;
    let penta = keys.switch("penta")?;
    keys.finish()?;
    ensure!(penta != Some(false), "-report penta: pairs of games are always counted, as in Ptnml(0-2)");
    ensure!(file.is_some() || penta.is_some(), "-report needs a file");
    Ok(file)
}

pub(super) fn output_format(group: &Group) -> Result<OutputFormat> {
    let mut keys = group.keys();
    let name: String = keys.required("format")?;
    keys.finish()?;
    choice("-output format", &name, &[("cutechess", OutputFormat::Cutechess), ("fastchess", OutputFormat::Fastchess)])
}

/// Parses the columns of the ranking: `default`, `wide`, or a list of names.
pub(super) fn columns(group: &Group) -> Result<Vec<Column>> {
    let text: String = group.single()?;
    match text.as_str() {
        "default" => Ok(Column::USUAL.to_vec()),
        "wide" => Ok(Column::WIDE.to_vec()),
        list => list.split(',').map(|name| choice("-resultformat", name.trim(), &Column::NAMES)).collect(),
    }
}
