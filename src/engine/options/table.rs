//! The table of options: one row each, from which the lines of both protocols, the checks and the pages come.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::parsing::{Opponent, dictate};
use super::spec::{Change, OptionKind, OptionSpec};
use super::values::BookMethod;
use super::{levels, rules, sources};
use crate::board::{RankBase, Variant};
use crate::book::EMBEDDED;
use crate::eval::EvalKind;
use crate::search::Pruning;

/// The four grades of UCCI, least first.
const GRADES: &[&str] = &["none", "small", "medium", "large"];
/// Grades for options that are `large` by default, most first: UCI2WB, the adapter between XBoard and UCCI engines, overlooks
/// the default and sets the first choice.
const FALLING_GRADES: &[&str] = &["large", "medium", "small", "none"];
/// The grades of UCCI with those that ElephantEye adds.
const CHANCES: &[&str] = &["none", "tiny", "small", "medium", "large", "huge"];

const ABOUT: &str =
    concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " by ", env!("CARGO_PKG_AUTHORS"), ", ", env!("CARGO_PKG_LICENSE"));

/// All options, in the order in which protocols announce them.
///
/// No announced name or value contains a word by which a program ends a game, not even within another word: gmchess looks for
/// `draw` in all it reads.
///
/// The default is one thread: match runners expect an engine to take one core unless it is set otherwise, and only one thread
/// makes a search reproducible.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        ucci: Some("usemillisec"),
        uci: None,
        also: &[],
        kind: OptionKind::Check { default: true, store: |options, on| options.milliseconds = on },
        change: Change::Setting,
        about: "`go` counts in milliseconds; off: in seconds",
    },
    OptionSpec {
        ucci: Some("batch"),
        uci: None,
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.batch = on },
        change: Change::Setting,
        about: "queue commands that arrive during a search, as UCI always does, so that a file can be piped in; `stop`, `ponderhit` and `quit` end a search without limits",
    },
    OptionSpec {
        ucci: Some("debug"),
        uci: None,
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.debug = on },
        change: Change::Setting,
        about: "report how each command was understood, and unknown commands; on by default at a terminal",
    },
    OptionSpec {
        ucci: Some("ponder"),
        uci: Some("Ponder"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.ponder = on },
        change: Change::Setting,
        about: "the GUI will ponder, so a move may take a little longer",
    },
    OptionSpec {
        ucci: Some("hashsize"),
        uci: Some("Hash"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 1 << 20,
            default: 0,
            store: |options, mebibytes| options.hash_mebibytes = size(mebibytes),
        },
        change: Change::HashSize,
        about: "size of the transposition table in MiB; 0: chosen by the machine's memory; a first size that does not fit gives the \
                largest that does, with room for one thread",
    },
    OptionSpec {
        ucci: Some("threads"),
        uci: Some("Threads"),
        also: &[],
        kind: OptionKind::Spin { min: 0, max: 512, default: 1, store: |options, count| options.threads = size(count) },
        change: Change::Threads,
        about: "number of search threads; 0: one per physical core",
    },
    rules::REPETITION,
    rules::MOVE_LIMIT,
    rules::MOVE_LIMIT_IN_PLIES,
    rules::MOVE_LIMIT_USED,
    OptionSpec {
        ucci: Some("promotion"),
        uci: None,
        also: &[],
        kind: OptionKind::Check {
            default: false,
            store: |options, on| options.variant = if on { Variant::Promotion } else { Variant::Standard },
        },
        change: Change::Rules,
        about: "variant: advisors and elephants on their back rank may become pawns (`d0d0`) while there are fewer than five",
    },
    OptionSpec {
        ucci: Some("rankbase"),
        uci: Some("UCI_RankBase"),
        also: &[],
        kind: OptionKind::Combo {
            choices: &["auto", "0", "1"],
            synonyms: &[],
            default: "auto",
            store: |options, base| {
                options.rank_base = match base {
                    "0" => Some(RankBase::Zero),
                    "1" => Some(RankBase::One),
                    _ => None,
                };
            },
        },
        change: Change::Setting,
        about: "number of the first rank in moves; `auto`: detected from the moves received",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_Variant"),
        also: &[],
        kind: OptionKind::Combo {
            choices: &["xiangqi"],
            synonyms: &[],
            default: "xiangqi",
            store: |options, _| options.game_named = true,
        },
        change: Change::Setting,
        about: "the variant; clients that set it are taken to count ranks from 1 unless their moves show otherwise",
    },
    OptionSpec {
        ucci: Some("multipv"),
        uci: Some("MultiPV"),
        also: &[],
        kind: OptionKind::Spin { min: 1, max: 120, default: 1, store: |options, lines| options.lines = size(lines) },
        change: Change::Setting,
        about: "number of best moves to search and report",
    },
    OptionSpec {
        ucci: Some("pruning"),
        uci: Some("Pruning"),
        also: &[],
        kind: OptionKind::Combo {
            choices: FALLING_GRADES,
            synonyms: &[],
            default: "large",
            store: |options, grade| {
                options.pruning =
                    [Pruning::Large, Pruning::Medium, Pruning::Small, Pruning::None][place(FALLING_GRADES, grade)]
            },
        },
        change: Change::Setting,
        about: "amount of pruning; `none`: no pruning, and a mate search first",
    },
    OptionSpec {
        ucci: Some("knowledge"),
        uci: Some("Knowledge"),
        also: &[],
        kind: OptionKind::Combo {
            choices: FALLING_GRADES,
            synonyms: &[],
            default: "large",
            store: |options, grade| {
                options.knowledge =
                    [EvalKind::Large, EvalKind::Medium, EvalKind::Small, EvalKind::None][place(FALLING_GRADES, grade)]
            },
        },
        change: Change::Setting,
        about: "extent of the evaluation: `large` network, `medium` hand-crafted, `small` material and placement, `none` material",
    },
    OptionSpec {
        ucci: Some("evalapi"),
        uci: Some("EvalFile"),
        also: &[],
        kind: OptionKind::Path {
            default: EMBEDDED,
            store: |options, path| {
                if !path.is_some_and(is_library) {
                    options.network_file = path.filter(|path| *path != Path::new(EMBEDDED)).map(Into::into);
                }
            },
        },
        change: Change::Network,
        about: "network file; `<embedded>` or empty: the network in the program; shared libraries, which other engines load here, are ignored",
    },
    OptionSpec {
        ucci: Some("randomness"),
        uci: Some("Randomness"),
        also: &["selectivity"],
        kind: OptionKind::Combo {
            choices: CHANCES,
            synonyms: &[],
            default: "none",
            store: |options, grade| options.randomness = [0, 5, 15, 40, 100, 250][place(CHANCES, grade)],
        },
        change: Change::Setting,
        about: "random choice among moves within 0, 5, 15, 40, 100 or 250 centipawns of the best; widens the book choices `best` and `margin` as well",
    },
    OptionSpec {
        ucci: Some("randomseed"),
        uci: Some("Random Seed"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            // Many clients keep numbers in 32 bits with a sign; cutechess rejects a larger range.
            max: i32::MAX as i64,
            default: 0,
            store: |options, seed| options.random_seed = size(seed) as u64,
        },
        change: Change::Setting,
        about: "seed of that choice; 0: a new one at every `newgame`",
    },
    OptionSpec {
        ucci: Some("style"),
        uci: Some("Style"),
        also: &[],
        kind: OptionKind::Combo {
            choices: &["solid", "normal", "risky"],
            synonyms: &[],
            default: "normal",
            store: |options, style| options.style = style.parse().expect("the choices are the names of the styles"),
        },
        change: Change::Setting,
        about: "value of a draw, and weight of an attack",
    },
    OptionSpec {
        ucci: Some("idle"),
        uci: Some("Idle"),
        also: &[],
        kind: OptionKind::Combo {
            choices: GRADES,
            synonyms: &[],
            default: "none",
            store: |options, grade| options.idle_percent = [0, 25, 50, 75][place(GRADES, grade)],
        },
        change: Change::Setting,
        about: "share of the processor left free during a search: 0, 25, 50 or 75 percent",
    },
    OptionSpec {
        ucci: Some("usehash"),
        uci: Some("Use Hash"),
        also: &[],
        kind: OptionKind::Check { default: true, store: |options, on| options.uses_table = on },
        change: Change::Setting,
        about: "use the transposition table",
    },
    levels::STRENGTH_LIMITED,
    levels::ELO,
    levels::SKILL_LEVEL,
    OptionSpec {
        ucci: Some("analysemode"),
        uci: Some("UCI_AnalyseMode"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.analysing = on },
        change: Change::Setting,
        about: "for analysis: no random choice, and a draw counts 0 for both sides",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowWDL"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.shows_wdl = on },
        change: Change::Setting,
        about: "report chances of win, draw and loss for the mover, in thousandths, by a model of games on the clock",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowCurrLine"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.shows_current_line = on },
        change: Change::Setting,
        about: "report the line that each thread searches",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowRefutations"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.shows_refutations = on },
        change: Change::Setting,
        about: "report refutations of moves that are not best",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_Opponent"),
        also: &[],
        kind: OptionKind::Text { default: "", store: |options, text| options.opponent = Opponent::read(text) },
        change: Change::Setting,
        about: "opponent, as `TITLE ELO computer NAME` or `TITLE ELO human NAME`: a draw with a stronger one counts more",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_EngineAbout"),
        also: &[],
        kind: OptionKind::Text { default: ABOUT, store: |_, _| {} },
        change: Change::Setting,
        about: "program, version and authors; read only",
    },
    OptionSpec {
        ucci: None,
        uci: None,
        also: &["UCI_SetPositionValue"],
        kind: OptionKind::Parsed {
            store: |options, order| {
                let variant = options.variant;
                dictate(Arc::make_mut(&mut options.position_values), order, variant)
            },
        },
        change: Change::Setting,
        about: "`N FEN`: sets the value of a position to N centipawns for Red; `clear FEN`, `clearall`",
    },
    OptionSpec {
        ucci: Some("nodestime"),
        uci: Some("nodestime"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 1_000_000,
            default: 0,
            store: |options, nodes| options.nodes_per_millisecond = size(nodes) as u64,
        },
        change: Change::Setting,
        about: "nodes per millisecond: clocks count nodes instead of time, so that one thread is reproducible; 0: off",
    },
    OptionSpec {
        ucci: Some("newgame"),
        uci: None,
        also: &[],
        kind: OptionKind::Button,
        change: Change::NewGame,
        about: "starts a new game: clears the transposition table and the histories, and reopens the book files",
    },
    OptionSpec {
        ucci: Some("moveoverhead"),
        uci: Some("Move Overhead"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 5000,
            default: 10,
            store: |options, milliseconds| options.overhead = Duration::from_millis(size(milliseconds) as u64),
        },
        change: Change::Setting,
        about: "milliseconds reserved on every clock for communication",
    },
    OptionSpec {
        ucci: Some("logfile"),
        uci: Some("Debug Log File"),
        also: &[],
        kind: OptionKind::Path { default: "", store: |options, path| options.log_file = path.map(Into::into) },
        change: Change::LogFile,
        about: "file for a log of all input and output; empty: none",
    },
    OptionSpec {
        ucci: Some("usebook"),
        uci: Some("OwnBook"),
        also: &[],
        kind: OptionKind::CheckOfProtocol { ucci: true, uci: false, store: |options, on| options.book.used = Some(on) },
        change: Change::Setting,
        about: "play from the opening book; off by default in UCI",
    },
    sources::BOOK_FILES,
    sources::ENDGAMES_USED,
    sources::ENDGAME_FOLDERS,
    OptionSpec {
        ucci: None,
        uci: None,
        also: &["loadbook"],
        kind: OptionKind::Button,
        change: Change::Book,
        about: "reopens the book files",
    },
    OptionSpec {
        ucci: Some("bookchoice"),
        uci: Some("Book Choice"),
        also: &[],
        kind: OptionKind::Combo {
            choices: &["weighted", "best", "margin"],
            synonyms: &[],
            default: "weighted",
            store: |options, name| {
                options.book.method = match name {
                    "best" => BookMethod::Best,
                    "margin" => BookMethod::Margin,
                    _ => BookMethod::Weighted,
                }
            },
        },
        change: Change::Setting,
        about: "book move to play: random by weight, the best, or random by weight within the margin",
    },
    OptionSpec {
        ucci: Some("bookmargin"),
        uci: Some("Book Margin"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 1000,
            default: 20,
            store: |options, margin| options.book.margin = size(margin) as u16,
        },
        change: Change::Setting,
        about: "margin below the best book move for `bookchoice margin`, in centipawns",
    },
    OptionSpec {
        ucci: Some("bookdepth"),
        uci: Some("Book Depth"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 1000,
            default: 1000,
            store: |options, moves| options.book.moves = size(moves) as u16,
        },
        change: Change::Setting,
        about: "last move of a game at which the book is used",
    },
    OptionSpec {
        ucci: Some("bookminweight"),
        uci: Some("Book Min Weight"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 65_535,
            default: 1,
            store: |options, weight| options.book.least_weight = size(weight) as u16,
        },
        change: Change::Setting,
        about: "minimum weight of a book move",
    },
    OptionSpec {
        ucci: Some("bookreserve"),
        uci: Some("Book Reserve"),
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 40,
            default: 0,
            store: |options, plies| options.book.reserve = size(plies),
        },
        change: Change::Setting,
        about: "minimum number of plies that the book must know after a move",
    },
    OptionSpec {
        ucci: Some("giveupscore"),
        uci: None,
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 30_000,
            default: 0,
            store: |options, score| options.manners.resign_score = score as i32,
        },
        change: Change::Setting,
        about: "resign when this many centipawns behind for `giveupmoves` moves; 0: never",
    },
    OptionSpec {
        ucci: Some("giveupmoves"),
        uci: None,
        also: &[],
        kind: OptionKind::Spin {
            min: 1,
            max: 100,
            default: 3,
            store: |options, moves| options.manners.resign_moves = moves as u32,
        },
        change: Change::Setting,
        about: "number of own moves in a row before resigning",
    },
    OptionSpec {
        ucci: Some("acceptscore"),
        uci: None,
        also: &[],
        kind: OptionKind::Spin {
            min: -30_000,
            max: 30_000,
            default: -30,
            store: |options, score| options.manners.accept_score = score as i32,
        },
        change: Change::Setting,
        about: "accept a draw at this score or below, in centipawns",
    },
    OptionSpec {
        ucci: Some("offerscore"),
        uci: None,
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 1000,
            default: 10,
            store: |options, score| options.manners.offer_score = score as i32,
        },
        change: Change::Setting,
        about: "offer a draw only while neither side is further ahead, in centipawns",
    },
    OptionSpec {
        ucci: Some("offermoves"),
        uci: None,
        also: &[],
        kind: OptionKind::Spin {
            min: 0,
            max: 1000,
            default: 0,
            store: |options, moves| options.manners.offer_moves = moves as u32,
        },
        change: Change::Setting,
        about: "number of even own moves in a row before offering a draw; 0: never",
    },
    OptionSpec {
        ucci: Some("autoponder"),
        uci: Some("Auto Ponder"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.auto_ponder = on },
        change: Change::Setting,
        about: "ponder after a move without `go ponder` and without output; match rules may forbid it",
    },
    OptionSpec {
        ucci: Some("forcedatonce"),
        uci: Some("Forced At Once"),
        also: &[],
        kind: OptionKind::Check { default: true, store: |options, on| options.forced_at_once = on },
        change: Change::Setting,
        about: "in games on the clock, play an only move instantly, and end the search soon after a proven mate",
    },
    // UCCI 2.x had this option; since 3.0 it is only understood.
    OptionSpec {
        ucci: None,
        uci: Some("Clear Hash"),
        also: &[],
        kind: OptionKind::Button,
        change: Change::ClearHash,
        about: "clears the transposition table alone",
    },
];

/// Converts a spin to a size: its range has no negative value.
fn size(value: i64) -> usize {
    usize::try_from(value).expect("the range of the option is small and not negative")
}

/// Whether the path names a library of code, by its extension.
fn is_library(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ["dll", "so", "dylib"].iter().any(|library| ending == *library))
}

/// Returns the index of this choice.
fn place(choices: &[&str], choice: &str) -> usize {
    choices.iter().position(|&other| other == choice).expect("only choices are stored")
}
