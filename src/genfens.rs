//! Random openings: random moves from given starts, kept if a short search scores them within the wanted range, usually near
//! zero, and if neither they, nor their mirror image, nor either with colours exchanged was kept before. OpenBench requests
//! them by the word `genfens`.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

use crate::board::Position;
use crate::book::{Symmetry, canonical};
use crate::eval::nnue::Network;
use crate::file;
use crate::rules::{RuleSet, judge};
use crate::search::{Limits, OnMate, Plan, SearchContext, Searcher, Silent};
use crate::smp::table::Table;
use crate::splitmix::SplitMix64;

/// Settings of random openings. The same settings give the same openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Random plies from the start of a game.
    pub plies: u32,
    /// Seed of all randomness.
    pub seed: u64,
    /// Nodes of the search that scores an opening.
    pub nodes: u64,
    /// Maximum score for either side, in centipawns.
    pub limit: i32,
    /// Minimum score for one of the sides, in centipawns: openings that are uneven on purpose end less often in a draw.
    pub least: i32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { plies: 8, seed: 1, nodes: 20_000, limit: 60, least: 0 }
    }
}

/// Iterator over openings, without end unless many attempts in a row fail; see [`generate`].
pub struct Generator {
    settings: Settings,
    starts: Vec<Position>,
    network: Option<Arc<Network>>,
    random: SplitMix64,
    searcher: Searcher,
    table: Arc<Table>,
    seen: HashSet<u64>,
    attempts: u64,
}

/// Failed attempts in a row after which there seem to be no more openings of the wanted kind.
const MOST_VAIN_ATTEMPTS: u32 = 10_000;

/// Rules of the searches. They never change, so that a seed keeps its openings.
const RULES: RuleSet = RuleSet::League;

const TABLE_MEBIBYTES: usize = 1;

/// Returns the openings for `settings`, as many as the caller takes. Games begin at one of `starts`, or without any at the
/// start position. Positions are evaluated by `network`; none: by the hand-crafted evaluation (HCE).
///
/// # Errors
/// If no score can be in the wanted range, or there is no memory for the search's small table.
///
/// ```
/// use chuhe::genfens::{Settings, generate};
/// let settings = Settings { nodes: 500, ..Settings::default() };
/// let openings: Vec<_> = generate(&settings, vec![], None).unwrap().take(3).collect();
/// assert!(openings.iter().all(|position| position.has_legal_move()));
/// ```
pub fn generate(settings: &Settings, starts: Vec<Position>, network: Option<&Arc<Network>>) -> io::Result<Generator> {
    let Settings { least, limit, .. } = *settings;
    if least.max(0) > limit {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("no value is at least {least} and at most {limit}"),
        ));
    }
    let table = Table::new(TABLE_MEBIBYTES).map_err(io::Error::other)?;
    Ok(Generator {
        settings: *settings,
        starts: if starts.is_empty() { vec![Position::start()] } else { starts },
        network: network.cloned(),
        random: SplitMix64::new(settings.seed),
        searcher: Searcher::new(0),
        table: Arc::new(table),
        seen: HashSet::new(),
        attempts: 0,
    })
}

impl Iterator for Generator {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        (0..MOST_VAIN_ATTEMPTS).find_map(|_| self.attempt())
    }
}

impl Generator {
    /// Returns the number of random games so far, kept or not.
    pub fn attempts(&self) -> u64 {
        self.attempts
    }

    fn attempt(&mut self) -> Option<Position> {
        self.attempts += 1;
        let position = self.play_at_random()?;
        let is_new = self.seen.insert(identity(&position));
        (is_new && self.is_as_wanted(&position)).then_some(position)
    }

    /// Plays a random game; `None` if it is over before its last ply, or with it.
    fn play_at_random(&mut self) -> Option<Position> {
        let start = if self.starts.len() == 1 { 0 } else { self.random.below(self.starts.len()) };
        let mut history = vec![self.starts[start]];
        for _ in 0..self.settings.plies {
            let position = history[history.len() - 1];
            let moves = position.legal_moves();
            // Drawn from the generator even if the game is over: a seed must keep its openings.
            let index = self.random.below(moves.len());
            let mv = moves.get(index).filter(|_| goes_on(&history))?;
            history.push(position.play(*mv));
        }
        if goes_on(&history) { history.pop() } else { None }
    }

    /// Whether the score is in the wanted range. Every search begins from nothing, so that an opening's score does not depend
    /// on those before it.
    fn is_as_wanted(&mut self, position: &Position) -> bool {
        Arc::get_mut(&mut self.table).expect("the last search has dropped its share").clear(1);
        self.searcher.new_game();
        let context = SearchContext {
            limits: Limits { nodes: Some(self.settings.nodes), ..Limits::default() },
            rules: RULES.rules(),
            plan: Plan { network: self.network.clone(), on_mate: OnMate::Stop, ..Plan::default() },
            ..SearchContext::new(Arc::clone(&self.table), vec![*position])
        };
        let score = self.searcher.think(&context, &mut Silent).score;
        (self.settings.least..=self.settings.limit).contains(&score.raw().abs())
    }
}

/// Whether the rules let a game go on.
fn goes_on(history: &[Position]) -> bool {
    judge(history, &RULES.rules()).is_none()
}

/// Returns a key that is the same for the four images of a position under mirror and exchange of colours.
fn identity(position: &Position) -> u64 {
    canonical(position, Symmetry::MirrorAndColours).0
}

/// The order `genfens COUNT seed SEED book FILE|None [plies N] [nodes N] [limit N] [least N]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Number of openings.
    pub count: usize,
    /// Settings of the openings.
    pub settings: Settings,
    /// File with starts of games, a position a line; without it games begin at the start position.
    pub book: Option<PathBuf>,
}

/// Reason why there are no openings, or no more.
#[derive(Debug, Error)]
pub enum OrderError {
    /// A word without a usable number after it.
    #[error("genfens: {0:?} needs a number{1}")]
    Number(String, &'static str),
    /// An unknown word.
    #[error("genfens: unknown word {0:?} (known: seed, book, plies, nodes, limit, least)")]
    Unknown(String),
    /// A book that cannot be read.
    #[error("{path}: {error}")]
    Book {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A line of the book that is not a position to play on.
    #[error("{path}:{line}: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// A book without any position.
    #[error("{0}: there is no position in it")]
    Empty(PathBuf),
    /// More openings than there seem to be; this is their number.
    #[error("there seem to be no more than {0} such openings")]
    Few(usize),
    /// An output that cannot be written to, or no memory.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Order {
    /// Parses the words after `genfens`.
    ///
    /// # Errors
    /// If a word is wrong; the error names it.
    pub fn read(words: &[String]) -> Result<Self, OrderError> {
        let mut words = words.iter();
        let mut order = Self { count: 0, settings: Settings::default(), book: None };
        order.count = number("genfens", words.next())?;
        while let Some(word) = words.next() {
            let value = words.next();
            match word.as_str() {
                "seed" => order.settings.seed = number(word, value)?,
                "plies" => order.settings.plies = number(word, value)?,
                "nodes" => order.settings.nodes = number::<u64>(word, value)?.max(1),
                "limit" => order.settings.limit = number(word, value)?,
                "least" => order.settings.least = number(word, value)?,
                "book" => order.book = value.filter(|name| !name.eq_ignore_ascii_case("none")).map(PathBuf::from),
                _ => return Err(OrderError::Unknown(word.clone())),
            }
        }
        Ok(order)
    }

    /// Writes `info string genfens FEN` for each opening as soon as it is found; `network` as in [`generate`].
    ///
    /// # Errors
    /// If the book cannot be used, there are too few openings, or `out` cannot be written to.
    pub fn fill(&self, network: Option<&Arc<Network>>, out: &mut impl Write) -> Result<(), OrderError> {
        let mut openings = generate(&self.settings, self.starts()?, network)?;
        for found in 0..self.count {
            let opening = openings.next().ok_or(OrderError::Few(found))?;
            writeln!(out, "info string genfens {}", opening.to_fen())?;
            // A reader that waits for each opening may give up after seconds.
            out.flush()?;
        }
        Ok(())
    }

    fn starts(&self) -> Result<Vec<Position>, OrderError> {
        let Some(path) = &self.book else { return Ok(Vec::new()) };
        let text = file::read_to_string(path).map_err(|error| OrderError::Book { path: path.clone(), error })?;
        // Editors on Windows begin a text with a byte order mark.
        let lines = text
            .trim_start_matches('\u{feff}')
            .lines()
            .zip(1..)
            .filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
        let position = |(text, line)| {
            let at_fault = |reason: String| OrderError::Line { path: path.clone(), line, reason };
            let position = Position::from_fen(&fen_of(text)).map_err(|error| at_fault(error.to_string()))?;
            goes_on(&[position]).then_some(position).ok_or_else(|| at_fault("the game is over here".to_owned()))
        };
        let starts = lines.map(position).collect::<Result<Vec<_>, _>>()?;
        if starts.is_empty() { Err(OrderError::Empty(path.clone())) } else { Ok(starts) }
    }
}

/// Returns the fields of the position at the beginning of a line, without the operations after it.
fn fen_of(line: &str) -> String {
    let head = line.split(';').next().unwrap_or_default();
    let fields = head.split_whitespace().enumerate().take_while(|(index, field)| {
        *index < 2 || *index < 6 && (*field == "-" || field.bytes().all(|byte| byte.is_ascii_digit()))
    });
    fields.map(|(_, field)| field).collect::<Vec<_>>().join(" ")
}

fn number<T: std::str::FromStr>(word: &str, value: Option<&String>) -> Result<T, OrderError> {
    let not_given = || OrderError::Number(word.to_owned(), "");
    value.ok_or_else(not_given)?.parse().map_err(|_| OrderError::Number(word.to_owned(), " that fits"))
}

/// Splits the arguments of a program as a shell would have done: OpenBench passes a command with all its words as one argument,
/// names a network by `setoption` before it, and adds `quit` at the end.
pub fn separated(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    const NETWORK: &str = "setoption name EvalFile value ";
    let mut words: Vec<OsString> = arguments.collect();
    let text = |words: &[OsString], at: usize| words.get(at).map(|word| word.to_string_lossy().into_owned());
    let network = text(&words, 1).and_then(|word| word.strip_prefix(NETWORK).map(str::to_owned));
    if network.is_some() {
        words.remove(1);
    }
    let command = text(&words, 1).unwrap_or_default();
    let is_theirs = command.starts_with("genfens ") || network.is_some();
    if is_theirs {
        words.splice(1..words.len().min(2), command.split_whitespace().map(OsString::from));
        words.pop_if(|word| word == "quit");
        words.extend(network.into_iter().flat_map(|path| ["--network".into(), path.into()]));
    }
    words
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const QUICK: Settings = Settings { plies: 6, seed: 7, nodes: 300, limit: 80, least: 0 };

    fn fens(settings: &Settings, starts: &[Position]) -> Vec<String> {
        let openings = generate(settings, starts.to_vec(), None).unwrap();
        openings.take(10).map(|position| position.to_fen()).collect()
    }

    fn order(line: &str) -> Result<Order, OrderError> {
        Order::read(&line.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    #[cfg_attr(miri, ignore = "many searches")]
    fn the_same_seed_gives_the_same_openings_and_another_one_others() {
        assert_eq!(fens(&QUICK, &[]), fens(&QUICK, &[]));
        assert_ne!(fens(&QUICK, &[]), fens(&Settings { seed: 8, ..QUICK }, &[]));
    }

    #[test]
    #[cfg_attr(miri, ignore = "many searches")]
    fn images_of_a_position_are_one_opening() {
        let position = generate(&QUICK, vec![], None).unwrap().next().unwrap();
        for image in [position.mirrored(), position.colours_swapped(), position.mirrored().colours_swapped()] {
            assert_eq!(identity(&image), identity(&position));
        }
        // One ply: a move and its mirror image are one opening.
        let all = Settings { plies: 1, limit: i32::MAX, nodes: 50, ..QUICK };
        let mut openings = generate(&all, vec![], None).unwrap();
        let first_moves: HashSet<u64> =
            Position::start().legal_moves().into_iter().map(|mv| identity(&Position::start().play(mv))).collect();
        assert_eq!(openings.by_ref().count(), first_moves.len());
        assert!(openings.attempts() > u64::from(MOST_VAIN_ATTEMPTS));
    }

    #[test]
    #[cfg_attr(miri, ignore = "many searches, and a file")]
    fn games_begin_where_the_book_says() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("x.epd");
        let (ending, other) = ("4ka3/4a4/9/8p/9/9/P8/4B4/4A4/4KA3 w", "4k4/9/9/8p/9/9/P8/9/9/3K1A3 b");
        fs::write(&book, format!("# two\n{ending} - - 0 1; id \"a\";\n{other} ce 3; id \"b\";\n")).unwrap();
        let fill = |line: &str| {
            let mut out = Vec::new();
            order(&line.replace("BOOK", book.to_str().unwrap())).unwrap().fill(None, &mut out).map(|()| out)
        };
        let genfens_line = |fen: &str| format!("info string genfens {fen} - - 0 1\n").into_bytes();
        let printed = String::from_utf8(fill("6 seed 3 book BOOK plies 1 nodes 50 limit 999").unwrap()).unwrap();
        assert_eq!(printed.lines().count(), 6);
        let pieces = |line: &str| line.strip_prefix("info string genfens ").unwrap().matches(['A', 'a']).count();
        let counts: HashSet<usize> = printed.lines().map(pieces).collect();
        assert_eq!(counts, HashSet::from([1, 4]), "both positions are used: {printed}");
        assert!(matches!(fill("99 seed 3 book BOOK plies 0 nodes 50 limit 999"), Err(OrderError::Few(2))));
        fs::write(&book, format!("\u{feff}# two\r\n{ending}\r\n")).unwrap();
        assert_eq!(fill("1 book BOOK plies 0 nodes 50 limit 999").unwrap(), genfens_line(ending));
        fs::write(&book, format!("\u{feff}{ending}\nhello\n")).unwrap();
        assert!(fill("1 book BOOK").unwrap_err().to_string().contains("x.epd:2: "));
        fs::write(&book, "4k4/9/9/9/9/9/9/9/9/3K1A3 b\n").unwrap();
        assert!(fill("1 book BOOK").unwrap_err().to_string().ends_with("x.epd:1: the game is over here"));
        for nothing in ["", "# none\n\n"] {
            fs::write(&book, nothing).unwrap();
            assert!(fill("1 book BOOK").unwrap_err().to_string().ends_with("x.epd: there is no position in it"));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many searches")]
    fn no_opening_is_a_game_that_the_rules_have_ended() {
        let all = |fen: &str, plies| {
            let settings = Settings { plies, limit: i32::MAX, nodes: 50, ..QUICK };
            let openings = generate(&settings, vec![Position::from_fen(fen).unwrap()], None).unwrap();
            openings.map(|position| position.to_fen()).collect::<Vec<_>>()
        };
        // One of three moves takes the last attacker.
        let found = all("9/3Pk4/9/9/9/9/9/9/9/5K3 b", 1);
        assert!(found.len() == 2 && found.iter().all(|fen| fen.contains('P')), "{found:?}");
        assert_eq!(all("4k4/9/9/9/9/9/9/8R/9/3K5 w - - 300 200", 0), [""; 0], "nothing was taken for too long");
    }

    #[test]
    fn what_no_value_can_be_is_refused() {
        for line in ["2 seed 1 book None limit 100 least 5000", "2 limit -1", "2 limit 9 least 10"] {
            let printed = order(line).unwrap().fill(None, &mut Vec::new()).unwrap_err().to_string();
            assert!(
                printed.starts_with("no value is at least ") && printed.contains(" and at most "),
                "{line}: {printed}"
            );
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many searches")]
    fn openings_may_be_uneven_on_purpose() {
        let uneven = Settings { least: 100, limit: 200, ..QUICK };
        let even = fens(&QUICK, &[]);
        let found = fens(&uneven, &[]);
        assert!(found.len() == 10 && found.iter().all(|fen| !even.contains(fen)));
        let inside = |least, limit| {
            let mut generator = generate(&Settings { least, limit, ..QUICK }, vec![], None).unwrap();
            found.iter().filter(|fen| generator.is_as_wanted(&Position::from_fen(fen).unwrap())).count()
        };
        assert_eq!([inside(100, 200), inside(0, 99), inside(201, i32::MAX)], [10, 0, 0]);
    }

    #[test]
    fn orders_name_the_word_that_is_wrong() {
        let found = order("12 seed 5 book None limit 30").unwrap();
        let settings = Settings { seed: 5, limit: 30, ..Settings::default() };
        assert_eq!(found, Order { count: 12, settings, book: None });
        for (line, expected) in [
            ("x", "genfens: \"genfens\" needs a number that fits"),
            ("3 seed", "genfens: \"seed\" needs a number"),
            ("3 sead 4", "genfens: unknown word \"sead\" (known: seed, book, plies, nodes, limit, least)"),
        ] {
            assert_eq!(order(line).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn commands_of_one_argument_are_cut() {
        let cut = |words: &[&str]| separated(words.iter().map(OsString::from));
        assert_eq!(
            cut(&["e", "genfens 3 seed 1 book None ", "quit"]),
            ["e", "genfens", "3", "seed", "1", "book", "None"]
        );
        let network = "setoption name EvalFile value a b.nnue";
        assert_eq!(cut(&["e", network, "bench", "quit"]), ["e", "bench", "--network", "a b.nnue"]);
        for plain in [&["e", "bench", "4"][..], &["e"], &["e", "perft", "2", "x y w"]] {
            assert_eq!(cut(plain), plain);
        }
    }
}
