//! Command line of the random conversations.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use chuhe::engine::event::Dialect;
use chuhe_talk::act::{COMMENT, read_transcript};
use chuhe_talk::audit::audit;
use chuhe_talk::talk::{Finding, hold};
use chuhe_talk::user::Menu;
use chuhe_talk::{menu, shrink, user};
use clap::{Parser, ValueEnum};

const MANUAL: &str = "\
Examples:
  chuhe-talk target/release/chuhe --seconds 300 --jobs 4
  chuhe-talk --replay target/talk/1.txt --times 10
  chuhe-talk --audit match.log --names new,old

Manual: CONTRIBUTING.md in the source, and ci/talk.sh";

/// Holds random conversations with an engine that speaks UCCI and UCI, and reports its faults.
#[derive(Parser)]
#[command(version, after_help = MANUAL)]
struct Arguments {
    /// Program of the engine.
    #[arg(default_value = "target/release/chuhe")]
    engine: PathBuf,
    /// Duration of the test, in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Seed of the first conversation; later ones count up from it. By default it is taken from the clock.
    #[arg(long)]
    seed: Option<u64>,
    /// Number of conversations at a time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Protocol of the first greeting.
    #[arg(long, value_enum, default_value = "both")]
    protocol: Protocol,
    /// Time limit for shrinking a finding, in seconds.
    #[arg(long, default_value_t = 60)]
    shrink: u64,
    /// Folder for findings.
    #[arg(long, default_value = "target/talk")]
    out: PathBuf,
    /// Replays the conversation of a finding, and nothing else.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// Number of replays.
    #[arg(long, default_value_t = 1, requires = "replay")]
    times: u64,
    /// Checks the lines of our engines in the arena's log of a match, played one game at a time and logged with all lines.
    #[arg(long, value_name = "LOG", conflicts_with = "replay")]
    audit: Option<PathBuf>,
    /// Names of our engines in the log.
    #[arg(long, value_name = "NAME", requires = "audit", default_value = "Chuhe", value_delimiter = ',')]
    names: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    Ucci,
    Uci,
    Both,
}

/// Interval between progress lines.
const PROGRESS: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("chuhe-talk: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the number of findings.
fn run(arguments: &Arguments) -> Result<u64> {
    if let Some(log) = &arguments.audit {
        return audit_match(log, &arguments.names);
    }
    let engine = fs::canonicalize(&arguments.engine).with_context(|| arguments.engine.display().to_string())?;
    if let Some(path) = &arguments.replay {
        return replay(&engine, path, arguments.times);
    }
    let workplace = Workplace::new()?;
    let menu = menu::ask(&engine, workplace.path())?;
    println!("{} options in UCCI, {} in UCI", menu.ucci.len(), menu.uci.len());
    let clock = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let first = arguments.seed.unwrap_or(clock << 20);
    println!("seeds from {first}");
    let session = Session { arguments, engine, menu, first, next: AtomicU64::new(0), counts: Mutex::default() };
    let started = Instant::now();
    let results: Vec<Result<()>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.jobs).map(|_| scope.spawn(|| session.work(started))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no job panics")).collect()
    });
    results.into_iter().collect::<Result<()>>()?;
    let Counts { passed, failed, .. } = *session.counts.lock().expect("no job panics");
    println!("{passed} passed, {failed} failed");
    Ok(failed)
}

fn replay(engine: &Path, path: &Path, times: u64) -> Result<u64> {
    let acts = read_transcript(&fs::read_to_string(path).with_context(|| path.display().to_string())?)?;
    let workplace = Workplace::new()?;
    let mut failed = 0;
    for _ in 0..times {
        if let Some(finding) = hold(engine, workplace.path(), &acts)? {
            failed += 1;
            println!("{}\n{COMMENT}{}", finding.transcript, finding.objection);
        }
    }
    println!("{} passed, {failed} failed", times - failed);
    Ok(failed)
}

fn audit_match(log: &Path, names: &[String]) -> Result<u64> {
    let (mut lines, mut variations, mut findings) = (0, 0, 0);
    for name in names {
        let file = chuhe::file::open(log).with_context(|| log.display().to_string())?;
        let found = audit(BufReader::new(file), name)?;
        for (number, finding) in &found.findings {
            println!("{}:{number}: {name}: {finding}", log.display());
        }
        lines += found.lines;
        variations += found.variations;
        findings += found.findings.len() as u64;
    }
    println!("{lines} lines, {variations} variations, {findings} findings");
    ensure!(lines > 0, "{}: {} has said nothing there", log.display(), names.join(", "));
    Ok(findings)
}

/// Temporary folder for the engine and its files.
struct Workplace(tempfile::TempDir);

impl Workplace {
    fn new() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("chuhe-talk").tempdir()?;
        fs::write(folder.path().join("a file"), "neither a book nor a log\n")?;
        Ok(Self(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

struct Session<'a> {
    arguments: &'a Arguments,
    engine: PathBuf,
    menu: Menu,
    first: u64,
    next: AtomicU64,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
    reported: Duration,
}

impl Session<'_> {
    /// Holds one conversation after the other until the time is up.
    fn work(&self, started: Instant) -> Result<()> {
        while started.elapsed() < Duration::from_secs(self.arguments.seconds) {
            let workplace = Workplace::new()?;
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let seed = self.first.wrapping_add(number);
            let dialect = match self.arguments.protocol {
                Protocol::Ucci => Dialect::Ucci,
                Protocol::Uci => Dialect::Uci,
                Protocol::Both if seed.is_multiple_of(2) => Dialect::Ucci,
                Protocol::Both => Dialect::Uci,
            };
            let acts = user::acts(seed, dialect, &self.menu);
            let found = hold(&self.engine, workplace.path(), &acts)?;
            if let Some(finding) = &found {
                self.report(seed, finding)?;
                let time = Duration::from_secs(self.arguments.shrink);
                if let Some(shorter) = shrink::shrink(&self.engine, workplace.path(), &acts, time) {
                    self.write(&format!("{seed}-short.txt"), seed, &shorter)?;
                }
            }
            self.count(found.is_some(), started.elapsed());
        }
        Ok(())
    }

    fn count(&self, has_failed: bool, elapsed: Duration) {
        let mut counts = self.counts.lock().expect("no job panics");
        counts.passed += u64::from(!has_failed);
        counts.failed += u64::from(has_failed);
        if elapsed >= counts.reported + PROGRESS {
            counts.reported = elapsed;
            println!("{} s: {} passed, {} failed", elapsed.as_secs(), counts.passed, counts.failed);
        }
    }

    fn report(&self, seed: u64, finding: &Finding) -> Result<()> {
        let path = self.write(&format!("{seed}.txt"), seed, finding)?;
        println!("seed {seed}: {}", finding.objection);
        println!("{}\nhold it again with --replay {}", finding.transcript, path.display());
        Ok(())
    }

    fn write(&self, name: &str, seed: u64, finding: &Finding) -> Result<PathBuf> {
        fs::create_dir_all(&self.arguments.out)?;
        let path = self.arguments.out.join(name);
        fs::write(&path, format!("{COMMENT}seed {seed}: {}\n{}\n", finding.objection, finding.transcript))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_examples_of_the_help_are_understood() {
        Arguments::command().debug_assert();
        let examples: Vec<_> = MANUAL.lines().filter_map(|line| line.strip_prefix("  ")).collect();
        assert_eq!(examples.len(), 3);
        for example in examples {
            assert!(Arguments::try_parse_from(example.split(' ')).is_ok(), "{example}");
        }
    }
}
