//! Command line of the arena.

use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::process::{self as system, ExitCode};
use std::sync::Arc;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use chuhe::engine::options::Language;
use chuhe::genfens;
use chuhe::help::is_chinese;
use chuhe::io::{on_termination_request, write_stderr};
use chuhe_arena::cli::{self, Command, Generate, Resume, Watchdog};
use chuhe_arena::journal;
use chuhe_arena::merging;
use chuhe_arena::outputs;
use chuhe_arena::screen::Screen;
use chuhe_arena::serving::{self, Serving};
use chuhe_arena::settings::Settings;
use chuhe_arena::speed;
use chuhe_arena::sprt::Decision;
use chuhe_arena::spsa;
use chuhe_arena::stop::{Interrupted, Stop, StopLevel};
use chuhe_arena::tournament::{self, End};
use chuhe_arena::viewing::{self, View};
use chuhe_console::ending::{self, INTERRUPTED};
use chuhe_engines::{compliance, process, watchdog};
use chuhe_games::replace::{self, write_bytes};

/// Exit status: the SPRT accepted H0.
const H0: u8 = 3;

/// Exit status: all games were played, and the SPRT is undecided.
const UNDECIDED: u8 = 4;

/// Exit status: with `-strict`, a game was lost by a failure.
const FAULTY: u8 = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    match run(arguments) {
        Err(error) if error.is::<Interrupted>() => {
            write_stderr(&format!("chuhe-arena: {error:#}"));
            ExitCode::from(INTERRUPTED)
        }
        done => ending::of("chuhe-arena", done),
    }
}

fn run(arguments: Vec<String>) -> Result<ExitCode> {
    match cli::parse(&arguments)? {
        Command::Help => print(&cli::help(language_of_system())),
        Command::Version => print(&format!("chuhe-arena {}\n", env!("CARGO_PKG_VERSION"))),
        Command::Play(settings) => play(&settings, &arguments),
        Command::Generate(wanted) => generate(&wanted),
        Command::Compliance(engine) => {
            keep_watchdog();
            let count = compliance::run(&engine, &mut io::stdout())?;
            Ok(if count.passed == count.held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Command::Watchdog(step) => watch(step),
        Command::Resume(resume) => go_on(&resume),
        Command::Speed => print(&format!("{:.0} nodes per second\n", speed::of_a_thread()?)),
        Command::Merge(out, parts) => merge(&out, &parts),
        Command::Show(journal, view) => show(&journal, &view),
        Command::Serve(journal, serving) => serve(&journal, &serving),
    }
}

fn language_of_system() -> Language {
    if is_chinese() { Language::Chinese } else { Language::English }
}

/// Starts the watchdog, which ends the engines if this process is killed.
fn keep_watchdog() {
    if let Err(error) = own_program(Watchdog::Detach).and_then(|mut command| watchdog::begin(&mut command)) {
        write_stderr(&format!("chuhe-arena: no watchdog, engines may outlive an arena that is killed: {error}"));
    }
}

fn watch(step: Watchdog) -> Result<ExitCode> {
    match step {
        Watchdog::Detach => watchdog::detach(&mut own_program(Watchdog::Watch)?)?,
        Watchdog::Watch => watchdog::watch(io::stdin().lock()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the command that starts this program as its watchdog.
fn own_program(step: Watchdog) -> io::Result<system::Command> {
    let mut command = system::Command::new(env::current_exe()?);
    command.args(step.arguments());
    Ok(command)
}

/// Shows a journal, without the engines and openings of its match.
fn show(journal: &Path, view: &View) -> Result<ExitCode> {
    let settings = settings_of(journal)?;
    let stop = if *view == View::Watch { raised_by_termination()? } else { Arc::default() };
    viewing::show(journal, &settings, view, &stop, &mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// Shows a journal in a browser, likewise.
fn serve(journal: &Path, serving: &Serving) -> Result<ExitCode> {
    serving::run(journal, serving, &*raised_by_termination()?, settings_of, &mut io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the settings of the match of a journal.
fn settings_of(journal: &Path) -> Result<Settings> {
    let command = cli::parse(&journal::read_header(journal)?.command);
    match command.with_context(|| format!("the command in {}", journal.display()))? {
        Command::Play(settings) => Ok(*settings),
        _ => bail!("{} holds no match", journal.display()),
    }
}

/// Returns a stop that Ctrl-C requests.
fn raised_by_termination() -> Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    on_termination_request(move || {
        raised.raise();
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(stop)
}

fn merge(out: &Path, parts: &[PathBuf]) -> Result<ExitCode> {
    let merged = merging::merge(out, parts, cli::whole)?;
    print(&format!("{}: {} games, {} more were there twice\n", out.display(), merged.games, merged.repeated))
}

/// Resumes a match in the directory where it was begun, so that relative paths stay valid.
fn go_on(resume: &Resume) -> Result<ExitCode> {
    let mut journal = absolute(&resume.journal)?;
    if let Some(other) = &resume.outname {
        let other = absolute(other)?;
        if !other.exists() {
            fs::copy(&journal, &other)
                .with_context(|| format!("copying {} to {}", journal.display(), other.display()))?;
        }
        journal = other;
    }
    let header = journal::read_header(&journal)?;
    let arguments = cli::amended(&header.command, &resume.changes)?;
    env::set_current_dir(&header.directory)
        .with_context(|| format!("{}, where the match was begun", header.directory.display()))?;
    let command = cli::parse(&arguments).with_context(|| format!("the command in {}", journal.display()))?;
    let Command::Play(mut settings) = command else { bail!("{} holds no match", journal.display()) };
    settings.journal = Some(journal);
    play(&settings, &arguments)
}

fn generate(wanted: &Generate) -> Result<ExitCode> {
    if let Some(path) = &wanted.file {
        outputs::check_new(path)?;
        replace::check(path)?;
    }
    let mut text = String::new();
    let mut made = 0;
    for opening in genfens::generate(&wanted.settings, Vec::new(), None)?.take(wanted.count) {
        text += &format!("{}\n", opening.to_fen());
        made += 1;
    }
    ensure!(made == wanted.count, "there seem to be no more than {made} such openings");
    match &wanted.file {
        None => print(&text),
        Some(path) => {
            write_bytes(path, text.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Prints text; a closed pipe is not an error, a full disk is one.
fn print(text: &str) -> Result<ExitCode> {
    let mut out = io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn play(settings: &Settings, arguments: &[String]) -> Result<ExitCode> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    on_termination_request(move || match raised.raise() {
        StopLevel::Graceful => {}
        StopLevel::KillEngines => process::end_all(),
        StopLevel::Exit => system::exit(INTERRUPTED.into()),
    })
    .context("Ctrl-C cannot be caught")?;
    keep_watchdog();
    let mut screen = Screen::new(settings.log.as_ref(), settings.debug)?;
    let played = if settings.spsa.is_some() {
        match spsa::run(settings, arguments, &mut screen, &stop)? {
            spsa::End::Complete => ExitCode::SUCCESS,
            spsa::End::Interrupted => ExitCode::from(INTERRUPTED),
        }
    } else {
        let finished = tournament::run(settings, arguments, &mut screen, &stop)?;
        let is_faulty = settings.strict && finished.games.iter().any(|game| game.ending.class.is_failure());
        match finished.end {
            End::Complete | End::Decided(_) if is_faulty => ExitCode::from(FAULTY),
            End::Complete if settings.sprt.is_some() => ExitCode::from(UNDECIDED),
            End::Complete | End::Decided(Decision::AcceptH1) => ExitCode::SUCCESS,
            End::Decided(Decision::AcceptH0) => ExitCode::from(H0),
            End::Decided(Decision::Open) => ExitCode::from(UNDECIDED),
            End::Failed => ExitCode::FAILURE,
            End::Interrupted => ExitCode::from(INTERRUPTED),
        }
    };
    // The error was reported when the first line could not be written.
    Ok(if screen.is_incomplete() { ExitCode::FAILURE } else { played })
}
