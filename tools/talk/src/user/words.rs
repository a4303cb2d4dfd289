//! Vocabulary of the user, sensible or not.

use chuhe::board::START_FEN;

/// Start positions of games: openings, endings, mates, stalemates, an only move, both sides of a perpetual.
pub(super) const POSITIONS: &[&str] = &[
    START_FEN,
    "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1",
    "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1",
    "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1",
    "3k5/5P3/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "3k5/9/9/9/9/9/9/9/9/4K4 w",
    "4k4/9/9/9/9/9/9/9/9/3K4R b",
    "4k4/9/9/9/9/9/9/9/5R3/3K5 b",
    "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1",
    "9/4k4/9/9/1R7/9/9/9/9/3K1R1r1 w - - 0 1",
    "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 b - - 0 3",
    "3ak4/4a4/4b4/9/2b6/9/4P4/4B4/4A4/2BAK4 w - - 99 60",
    "2bak4/4a4/4b4/9/9/6P2/9/3AB4/4A4/2B1K4 w - - 118 90",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
];

/// Positions that are invalid as a whole or in part.
pub(super) const BAD_POSITIONS: &[&str] = &[
    "position",
    "position fen",
    "position fen xyz",
    "position fen 9/9/9/9/9/9/9/9/9/9 w - - 0 1",
    "position fen rnbakabnrr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/9/9 w - - 0 1",
    "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "position startpos moves h2e2 a0a9 h9g7",
    "position startpos moves h2e2 h9g7h0g2",
    "position startpos moves zzzz",
    "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 65535 65535",
    "position startpos moves",
    "fen 3k5/9/9/9/9/9/9/9/4R4/4K4 b",
    "startpos",
    "startpos moves h2e2 go nodes 100",
];

/// Lines that are not commands, or that no client should send.
pub(super) const SENSELESS: &[&str] = &[
    "",
    " ",
    "\t",
    "xyzzy",
    "joho isready",
    "debug",
    "register later",
    "register name me code 4359874324",
    "setoption",
    "setoption name",
    "setoption name value 3",
    "setoption nosuchoption 7",
    "setoption guiname XQWizard",
    "setoption name No Such Option value x y z",
    "banmoves zzzz a0a9",
    "domove",
    "domove a0a9",
    "probe",
    "probe fen xyz",
    "go depth",
    "go time x",
    "go nodes -7",
    "go mate",
    "ponderhit ponderhit",
    "bestmove h2e2",
    "nobestmove",
    "ucciok",
    "readyok",
    "info depth 6 score 4 pv b0c2",
    "copyprotection ok",
    "bye",
    "help",
    "d",
    "eval",
    "perft 2",
    "flip",
];

/// Commands that clients send at the beginning of a game.
pub(super) const NEW_GAME: &[&str] = &["ucinewgame", "uccinewgame", "uxinewgame", "newgame", "setoption newgame"];

/// Names of options that are accepted but not announced.
pub(super) const SILENT_NAMES: &[&str] = &["selectivity", "loadbook", "clearhash", "usehash", "guiname"];

/// Paths of existing files, of missing ones, of several, and of none.
pub(super) const PATHS: &[&str] =
    &["", "<embedded>", "./a file", "./missing/file", "./missing;<embedded>", "./another;./a file", "./log"];
