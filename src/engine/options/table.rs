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
        about: "commands that arrive during a search wait for its end, as in UCI they always do, so that a file can be piped in; `stop`, `ponderhit` and `quit` end one that would not end by itself",
    },
    OptionSpec {
        ucci: Some("debug"),
        uci: None,
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.debug = on },
        change: Change::Setting,
        about: "say what each command was taken for, and what was not understood; at a terminal it is on",
    },
    OptionSpec {
        ucci: Some("ponder"),
        uci: Some("Ponder"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.ponder = on },
        change: Change::Setting,
        about: "the user will ponder, so a move may take a little longer",
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
        about: "size of the table in MiB; 0 chooses from the machine's memory; a first size beyond it gives the \
                largest that fits, and so does one that leaves no room for a single thread",
    },
    OptionSpec {
        ucci: Some("threads"),
        uci: Some("Threads"),
        also: &[],
        kind: OptionKind::Spin { min: 0, max: 512, default: 1, store: |options, count| options.threads = size(count) },
        change: Change::Threads,
        about: "number of search threads; 0 takes every physical core",
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
        about: "a variant: advisors and elephants on their back rank may become pawns (`d0d0`) while there are fewer than five",
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
        about: "number of the first rank in moves; `auto` learns it from the moves of the user",
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
        about: "the game; programs that name it count ranks from 1 unless what they write shows something else",
    },
    OptionSpec {
        ucci: Some("multipv"),
        uci: Some("MultiPV"),
        also: &[],
        kind: OptionKind::Spin { min: 1, max: 120, default: 1, store: |options, lines| options.lines = size(lines) },
        change: Change::Setting,
        about: "how many best moves are searched for and shown with their lines",
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
        about: "how much the search leaves out on suspicion; `none` leaves out nothing and first looks for a mate by force",
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
        about: "how much the evaluation looks at; `none` is material alone",
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
        about: "file of the network that values positions; `<embedded>` or empty: what is in the program; libraries, which other engines load here, are left alone",
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
        about: "chance among moves that are nearly as good as the best: up to 0, 5, 15, 40, 100, 250 centipawns; the book's choices but `weighted` are wider by as much",
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
        about: "the seed of that chance; 0 draws another one at every `newgame`",
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
        about: "what a draw is worth to us, and how much an attack",
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
        about: "share of the processor left free while thinking: none, 25, 50, 75 percent",
    },
    OptionSpec {
        ucci: Some("usehash"),
        uci: Some("Use Hash"),
        also: &[],
        kind: OptionKind::Check { default: true, store: |options, on| options.uses_table = on },
        change: Change::Setting,
        about: "use the table; off: neither read nor written",
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
        about: "for study, not for a game: no chance, and a draw is worth nothing to either side",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowWDL"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.shows_wdl = on },
        change: Change::Setting,
        about: "show how likely the mover wins, draws and loses, in thousandths, by a model",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowCurrLine"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.shows_current_line = on },
        change: Change::Setting,
        about: "show where each thread is in the tree",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_ShowRefutations"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.shows_refutations = on },
        change: Change::Setting,
        about: "show what refutes the moves that are not best",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_Opponent"),
        also: &[],
        kind: OptionKind::Text { default: "", store: |options, text| options.opponent = Opponent::read(text) },
        change: Change::Setting,
        about: "`TITLE ELO computer` or `TITLE ELO human` and a name: the stronger, the more welcome a draw",
    },
    OptionSpec {
        ucci: None,
        uci: Some("UCI_EngineAbout"),
        also: &[],
        kind: OptionKind::Text { default: ABOUT, store: |_, _| {} },
        change: Change::Setting,
        about: "who made this; cannot be changed",
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
        about: "`N FEN`: the position is worth N centipawns to red, wherever the search meets it; `clear FEN`, `clearall`",
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
        about: "clocks count nodes: so many for each millisecond, so that one thread plays the same twice; 0: off",
    },
    OptionSpec {
        ucci: Some("newgame"),
        uci: None,
        also: &[],
        kind: OptionKind::Button,
        change: Change::NewGame,
        about: "forget the last game: clears the table and all that the search has learnt, and opens the files of the book anew",
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
        about: "milliseconds kept back from every clock for the way to the user and back",
    },
    OptionSpec {
        ucci: Some("logfile"),
        uci: Some("Debug Log File"),
        also: &[],
        kind: OptionKind::Path { default: "", store: |options, path| options.log_file = path.map(Into::into) },
        change: Change::LogFile,
        about: "file for a log of every line in and out; empty: none",
    },
    OptionSpec {
        ucci: Some("usebook"),
        uci: Some("OwnBook"),
        also: &[],
        kind: OptionKind::CheckOfProtocol { ucci: true, uci: false, store: |options, on| options.book.used = Some(on) },
        change: Change::Setting,
        about: "play from the opening book; in UCI only if told to",
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
        about: "opens the files of the book anew",
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
        about: "which book move is played: by chance in proportion to the weights, always the best, or by weight among those within the margin",
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
        about: "centipawns below the best scored book move for the choice `margin`",
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
        about: "the book is asked up to this move of a game",
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
        about: "book moves that weigh less are not played",
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
        about: "the book is left when it knows fewer plies than these behind a move",
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
        about: "give a game up that has been so many centipawns behind for `giveupmoves` moves; 0: never",
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
        about: "own moves in a row for which a game has to be hopeless",
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
        about: "accept an offer to end the game evenly at this score, in centipawns, or below",
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
        about: "a game is even when neither side is more centipawns ahead",
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
        about: "offer to end a game that has been even for so many own moves in a row; 0: never",
    },
    OptionSpec {
        ucci: Some("autoponder"),
        uci: Some("Auto Ponder"),
        also: &[],
        kind: OptionKind::Check { default: false, store: |options, on| options.auto_ponder = on },
        change: Change::Setting,
        about: "think on silently after a move, for users who never say `go ponder`; rules of matches may forbid it",
    },
    OptionSpec {
        ucci: Some("forcedatonce"),
        uci: Some("Forced At Once"),
        also: &[],
        kind: OptionKind::Check { default: true, store: |options, on| options.forced_at_once = on },
        change: Change::Setting,
        about: "on the clock of a game, play an only move at once and a proven mate after an effort to shorten it; off: use the time",
    },
    // UCCI 2.x had this option; since 3.0 it is only understood.
    OptionSpec {
        ucci: None,
        uci: Some("Clear Hash"),
        also: &[],
        kind: OptionKind::Button,
        change: Change::ClearHash,
        about: "clears the table alone",
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
