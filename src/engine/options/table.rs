//! The table of options: one row each, from which the lines of both protocols, the checks and the pages come.

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use super::parsing::{Opponent, Style, set_position_value};
use super::spec::{Change, OptionKind, OptionSpec, button, check, check_by_protocol, combo, parsed, path, spin, text};
use super::values::{BookMethod, ELO_RANGE, FULL_SKILL, Options};
use crate::board::{RankBase, Variant};
use crate::book::EMBEDDED;
use crate::eval::EvalKind;
use crate::rules::RuleSet;
use crate::search::{Parameter, Pruning, parameters};

/// The four grades of UCCI, least first.
const GRADES: &[&str] = &["none", "small", "medium", "large"];
/// Grades for options that are `large` by default, most first: UCI2WB, the adapter between XBoard and UCCI engines, overlooks
/// the default and sets the first choice.
const DESCENDING_GRADES: &[&str] = &["large", "medium", "small", "none"];
/// The grades of UCCI with those that ElephantEye adds.
const RANDOMNESS_GRADES: &[&str] = &["none", "tiny", "small", "medium", "large", "huge"];

/// Names of the rule sets, as values of an option.
const RULE_SETS: [&str; RuleSet::ALL.len()] = {
    let mut names = [""; RuleSet::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = RuleSet::ALL[index].name();
        index += 1;
    }
    names
};

const ABOUT: &str =
    concat!("Chuhe ", env!("CARGO_PKG_VERSION"), " by ", env!("CARGO_PKG_AUTHORS"), ", ", env!("CARGO_PKG_LICENSE"));

/// All options, in the order in which protocols announce them: the names in UCCI and in UCI, the values, the default, and the
/// field that they fill. An empty name is not announced.
///
/// No announced name or value contains a word by which a program ends a game, not even within another word: gmchess looks for
/// `draw` in all it reads.
///
/// The default is one thread: match runners expect an engine to take one core unless it is set otherwise, and only one thread
/// makes a search reproducible.
pub const OPTIONS: &[OptionSpec] = &[
    check("usemillisec", "", true, |options, on| options.milliseconds = on)
        .about("`go` counts in milliseconds; off: in seconds"),
    check("batch", "", false, |options, on| options.batch = on).about(
        "queue commands that arrive during a search, as UCI always does, so that a file can be piped in; \
                `stop`, `ponderhit` and `quit` end a search without limits",
    ),
    check("debug", "", false, |options, on| options.debug = on)
        .about("report how each command was understood, and unknown commands; on by default at a terminal"),
    check("ponder", "Ponder", false, |options, on| options.ponder = on)
        .about("the GUI will ponder, so a move may take a little longer"),
    spin("hashsize", "Hash", 0..=1 << 20, 0, |options, mebibytes| options.hash_mebibytes = size(mebibytes))
        .action(Change::HashSize)
        .about(
            "size of the transposition table in MiB; 0: chosen by the machine's memory; a first size that does \
                not fit gives the largest that does, with room for one thread",
        ),
    spin("threads", "Threads", 0..=512, 1, |options, count| options.threads = size(count))
        .action(Change::Threads)
        .about("number of search threads; 0: one per physical core"),
    repetition().action(Change::Rules).about("rules for repetitions"),
    spin("movelimit", "Move Limit", 0..=1000, 0, |options, moves| options.limit_plies = plies(2 * moves))
        .also(&["drawmoves"])
        .action(Change::Rules)
        .about("full moves without a capture that draw the game; 0: by the rules"),
    spin("", "", 0..=2000, 0, |options, count| options.limit_plies = plies(count))
        .also(&["Rule60MaxPly"])
        .action(Change::Rules)
        .about("plies without a capture that draw the game; 0: by the rules"),
    check("", "", true, |options, on| options.has_move_limit = on)
        .also(&["Sixty Move Rule"])
        .action(Change::Rules)
        .about("draw games by the move limit; off: no limit"),
    check("promotion", "", false, |options, on| {
        options.variant = if on { Variant::Promotion } else { Variant::Standard }
    })
    .action(Change::Rules)
    .about(
        "variant: advisors and elephants on their back rank may become pawns (`d0d0`) while there are fewer \
                than five",
    ),
    combo("rankbase", "UCI_RankBase", &["auto", "0", "1"], "auto", |options, base| {
        options.rank_base = [None, Some(RankBase::Zero), Some(RankBase::One)][base];
    })
    .about("number of the first rank in moves; `auto`: detected from the moves received"),
    combo("", "UCI_Variant", &["xiangqi"], "xiangqi", |options, _| options.game_named = true)
        .about("the variant; clients that set it are taken to count ranks from 1 unless their moves show otherwise"),
    spin("multipv", "MultiPV", 1..=120, 1, |options, lines| options.multipv = size(lines))
        .about("number of best moves to search and report"),
    combo("pruning", "Pruning", DESCENDING_GRADES, "large", |options, grade| {
        options.pruning = [Pruning::Large, Pruning::Medium, Pruning::Small, Pruning::None][grade];
    })
    .about("amount of pruning; `none`: no pruning, with a normal search and a mate search beside it"),
    combo("knowledge", "Knowledge", DESCENDING_GRADES, "large", |options, grade| {
        options.knowledge = [EvalKind::Large, EvalKind::Medium, EvalKind::Small, EvalKind::None][grade];
    })
    .about(
        "extent of the evaluation: `large` network, `medium` hand-crafted, `small` material and placement, \
                `none` material",
    ),
    path("evalapi", "EvalFile", EMBEDDED, |options, path| {
        if !path.is_some_and(is_library) {
            options.network_file = path.filter(|path| *path != Path::new(EMBEDDED)).map(Into::into);
        }
    })
    .action(Change::Network)
    .about(
        "network file; `<embedded>` or empty: the network in the program; shared libraries, which other \
                engines load here, are ignored",
    ),
    combo("randomness", "Randomness", RANDOMNESS_GRADES, "none", |options, grade| {
        options.randomness = [0, 5, 15, 40, 100, 250][grade]
    })
    .also(&["selectivity"])
    .about(
        "random choice among moves within 0, 5, 15, 40, 100 or 250 centipawns of the best; widens the book \
                choices `best` and `margin` as well",
    ),
    // Many clients keep numbers in 32 bits with a sign; cutechess rejects a larger range.
    spin("randomseed", "Random Seed", 0..=i32::MAX as i64, 0, |options, seed| options.random_seed = size(seed) as u64)
        .about("seed of that choice; 0: a new one at every `newgame`"),
    combo("style", "Style", &["solid", "normal", "risky"], "normal", |options, style| {
        options.style = [Style::Solid, Style::Normal, Style::Risky][style];
    })
    .about("value of a draw, and weight of an attack"),
    combo("idle", "Idle", GRADES, "none", |options, grade| options.idle_percent = [0, 25, 50, 75][grade])
        .about("share of the processor left free during a search: 0, 25, 50 or 75 percent"),
    check("usehash", "Use Hash", true, |options, on| options.uses_table = on).about("use the transposition table"),
    check("limitstrength", "UCI_LimitStrength", false, |options, on| options.limits_strength = on)
        .about("limit the strength to `elo`"),
    spin("elo", "UCI_Elo", ELO_RANGE, 1600, |options, elo| options.elo = i32::try_from(elo).unwrap_or(i32::MAX))
        .about("strength with `limitstrength`, on the engine's own scale, which is not calibrated against people"),
    spin("", "Skill Level", 0..=FULL_SKILL as i64, FULL_SKILL as i64, |options, level| options.skill = level as i32)
        .about("strength while `UCI_LimitStrength` is off: 0 to 19 mean an `elo` of 800 to 2700, 20: full strength"),
    check("analysemode", "UCI_AnalyseMode", false, |options, on| options.analysing = on)
        .about("for analysis: no random choice, and a draw counts 0 for both sides"),
    check("", "UCI_ShowWDL", false, |options, on| options.shows_wdl = on)
        .about("report chances of win, draw and loss for the mover, in thousandths, by a model of games on the clock"),
    check("", "UCI_ShowCurrLine", false, |options, on| options.shows_current_line = on)
        .about("report the line that each thread searches"),
    check("", "UCI_ShowRefutations", false, |options, on| options.shows_refutations = on)
        .about("report refutations of moves that are not best"),
    text("", "UCI_Opponent", "", |options, text| options.opponent = Opponent::read(text)).about(
        "opponent, as `TITLE ELO computer NAME` or `TITLE ELO human NAME`: a draw with a stronger one counts \
                more",
    ),
    text("", "UCI_EngineAbout", ABOUT, |_, _| {}).about("program, version and authors; read only"),
    parsed(|options, text| {
        let variant = options.variant;
        set_position_value(Arc::make_mut(&mut options.position_values), text, variant)
    })
    .also(&["UCI_SetPositionValue"])
    .about("`N FEN`: sets the value of a position to N centipawns for Red; `clear FEN`, `clearall`"),
    spin("nodestime", "nodestime", 0..=1_000_000, 0, |options, nodes| {
        options.nodes_per_millisecond = size(nodes) as u64
    })
    .about("nodes per millisecond: clocks count nodes instead of time, so that one thread is reproducible; 0: off"),
    button("newgame", "")
        .action(Change::NewGame)
        .about("starts a new game: clears the transposition table and the histories, and reopens the book files"),
    spin("moveoverhead", "Move Overhead", 0..=5000, 10, |options, milliseconds| {
        options.overhead = Duration::from_millis(size(milliseconds) as u64)
    })
    .about("milliseconds reserved on every clock for communication"),
    path("logfile", "Debug Log File", "", |options, path| options.log_file = path.map(Into::into))
        .action(Change::LogFile)
        .about("file for a log of all input and output; empty: none"),
    check_by_protocol("usebook", "OwnBook", [true, false], |options, on| options.book.used = Some(on))
        .about("play from the opening book; off by default in UCI"),
    path("bookfiles", "Book Files", EMBEDDED, |options, files| {
        options.book.files = files.map_or_else(OsString::new, Into::into)
    })
    .also(&["bookfile"])
    .action(Change::Book)
    .about(
        "book files, separated by `;`; the first that knows a position is used; `<embedded>`: the book in the \
                program; empty: none",
    ),
    check("useegtb", "UseEgtb", true, |options, on| options.uses_endgames = on).about("use endgame tablebases"),
    path("egtbpaths", "EgtbPaths", "", |options, folders| {
        options.endgame_folders = folders.map_or_else(OsString::new, Into::into)
    })
    .also(&["egtbpath"])
    .action(Change::Endgames)
    .about(
        "folders of endgame tablebases besides those in the program, separated by `;`; `chuhe-endgame` makes \
                them",
    ),
    button("", "").also(&["loadbook"]).action(Change::Book).about("reopens the book files"),
    combo("bookchoice", "Book Choice", &["weighted", "best", "margin"], "weighted", |options, method| {
        options.book.method = [BookMethod::Weighted, BookMethod::Best, BookMethod::Margin][method];
    })
    .about("book move to play: random by weight, the best, or random by weight within the margin"),
    spin("bookmargin", "Book Margin", 0..=1000, 20, |options, margin| options.book.margin = size(margin) as u16)
        .about("margin below the best book move for `bookchoice margin`, in centipawns"),
    spin("bookdepth", "Book Depth", 0..=1000, 1000, |options, moves| options.book.moves = size(moves) as u16)
        .about("last move of a game at which the book is used"),
    spin("bookminweight", "Book Min Weight", 0..=65_535, 1, |options, weight| {
        options.book.least_weight = size(weight) as u16
    })
    .about("minimum weight of a book move"),
    spin("bookreserve", "Book Reserve", 0..=40, 0, |options, plies| options.book.reserve = size(plies))
        .about("minimum number of plies that the book must know after a move"),
    spin("giveupscore", "", 0..=30_000, 0, |options, score| options.draw_policy.resign_score = score as i32)
        .about("resign when this many centipawns behind for `giveupmoves` moves; 0: never"),
    spin("giveupmoves", "", 1..=100, 3, |options, moves| options.draw_policy.resign_moves = moves as u32)
        .about("number of own moves in a row before resigning"),
    spin("acceptscore", "", -30_000..=30_000, -30, |options, score| options.draw_policy.accept_score = score as i32)
        .about("accept a draw at this score or below, in centipawns"),
    spin("offerscore", "", 0..=1000, 10, |options, score| options.draw_policy.offer_score = score as i32)
        .about("offer a draw only while neither side is further ahead, in centipawns"),
    spin("offermoves", "", 0..=1000, 0, |options, moves| options.draw_policy.offer_moves = moves as u32)
        .about("number of even own moves in a row before offering a draw; 0: never"),
    check("autoponder", "Auto Ponder", false, |options, on| options.auto_ponder = on)
        .about("ponder after a move without `go ponder` and without output; match rules may forbid it"),
    check("forcedatonce", "Forced At Once", true, |options, on| options.forced_at_once = on)
        .about("in games on the clock, play an only move instantly, and end the search soon after a proven mate"),
    // UCCI 2.x had this option; since 3.0 it is only understood.
    button("", "Clear Hash").action(Change::ClearHash).about("clears the transposition table alone"),
];

/// Repetition rules. By default they are the league's in UCCI, which its referee speaks: no other referee applies its rules.
const fn repetition() -> OptionSpec {
    let store = |options: &mut Options, set: usize| options.rule_set = Some(RuleSet::ALL[set]);
    let synonym = |word: &str| word.parse().ok().and_then(|set| RuleSet::ALL.iter().position(|&other| other == set));
    let (ucci, uci) = (RuleSet::League.name(), RuleSet::Asian.name());
    OptionSpec::new(
        "repetition",
        "Repetition Rule",
        OptionKind::Combo { choices: &RULE_SETS, synonym, ucci, uci, store },
    )
}

/// Returns all options that are understood: the table, and in builds for tuning the search parameters after it, which have the
/// same name in both protocols.
pub fn registry() -> &'static [OptionSpec] {
    static REGISTRY: LazyLock<Vec<OptionSpec>> =
        LazyLock::new(|| OPTIONS.iter().copied().chain(parameters().into_iter().map(tunable)).collect());
    &REGISTRY
}

fn tunable(Parameter { name, default, range, set }: Parameter<Options>) -> OptionSpec {
    spin(name, name, i64::from(*range.start())..=i64::from(*range.end()), i64::from(default), set)
        .about("a parameter of the search, for tuning; it holds for the whole process")
}

/// An announced option, for the pages that list them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name in UCCI; empty if it is not announced there.
    pub ucci: &'static str,
    /// Its name in UCI; empty if it is not announced there.
    pub uci: &'static str,
    /// Allowed values.
    pub values: String,
    /// Default value.
    pub default: String,
    /// Effect of the option.
    pub about: &'static str,
}

/// Returns all options that are announced in either protocol, in the order of their announcement.
pub fn rows() -> Vec<Row> {
    OPTIONS.iter().filter(|spec| spec.ucci.or(spec.uci).is_some()).map(row).collect()
}

fn row(spec: &OptionSpec) -> Row {
    let (values, default) = match spec.kind {
        OptionKind::Check { ucci, .. } => ("true, false".to_owned(), ucci.to_string()),
        OptionKind::Spin { min, max, default, .. } => (format!("{min} to {max}"), default.to_string()),
        OptionKind::Combo { choices, ucci, uci, .. } if ucci == uci => (choices.join(", "), uci.to_owned()),
        OptionKind::Combo { choices, ucci, uci, .. } => (choices.join(", "), format!("{uci}, in UCCI {ucci}")),
        OptionKind::Text { default, .. } | OptionKind::Path { default, .. } => ("text".to_owned(), default.to_owned()),
        OptionKind::Parsed { .. } => ("text".to_owned(), String::new()),
        OptionKind::Button => ("no value".to_owned(), String::new()),
    };
    let (ucci, uci) = (spec.ucci.unwrap_or_default(), spec.uci.unwrap_or_default());
    Row { ucci, uci, values, default, about: spec.about }
}

/// Converts a spin to a size: its range has no negative value.
fn size(value: i64) -> usize {
    usize::try_from(value).expect("the range of the option is small and not negative")
}

/// Converts a move limit as the user gives it; 0 is none.
fn plies(count: i64) -> Option<u16> {
    u16::try_from(count).ok().filter(|&count| count > 0)
}

/// Whether the path names a library of code, by its extension.
fn is_library(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| ["dll", "so", "dylib"].iter().any(|library| extension == *library))
}
