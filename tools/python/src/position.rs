//! Positions with the moves that led to them.

use std::sync::atomic::Ordering;

use chuhe::board::{self, Move, MoveText, Piece, START_FEN, Side, Square};
use chuhe::engine::event::{GameText, WrittenMove};
use chuhe::eval::nnue::Network;
use chuhe::notation::{self, Notation, read_any};
use chuhe::search::{Plan, static_value};
use chuhe_games::page::{BoardOptions, Coordinates, PieceStyle, board_svg};
use pyo3::prelude::*;

use crate::fault::error;
use crate::interruption::interruptible;
use crate::verdict::{Verdict, rules_named, verdict_on};

/// A position, and the moves that led to it.
///
/// `Position()` is the start position, `Position(fen)` any other; `moves` are played from there. Moves are texts: `h2e2`,
/// `C2=5` and `炮二平五` are all read, `h2e2` is written.
#[pyclass(module = "chuhe")]
#[derive(Clone)]
pub(crate) struct Position {
    /// All positions, oldest first; never empty.
    positions: Vec<board::Position>,
    moves: Vec<Move>,
}

impl Position {
    /// Plays moves from a start.
    pub(crate) fn new_at(start: board::Position, moves: impl IntoIterator<Item = Move>) -> Self {
        let mut position = Self { positions: vec![start], moves: vec![] };
        moves.into_iter().for_each(|mv| position.push(mv));
        position
    }

    /// The positions, oldest first.
    pub(crate) fn positions(&self) -> &[board::Position] {
        &self.positions
    }

    /// The moves played.
    pub(crate) fn played(&self) -> &[Move] {
        &self.moves
    }

    /// The current position.
    pub(crate) fn last(&self) -> &board::Position {
        self.positions.last().expect("there is always a position")
    }

    fn push(&mut self, mv: Move) {
        self.positions.push(self.last().play(mv));
        self.moves.push(mv);
    }

    /// Plays moves in any notation.
    pub(crate) fn played_from(fen: &str, moves: &[String]) -> PyResult<Self> {
        let mut position = Self::new_at(board::Position::from_fen(fen).map_err(error)?, []);
        for text in moves {
            let mv = position.read(text)?;
            position.push(mv);
        }
        Ok(position)
    }

    /// The game as the controller takes it.
    pub(crate) fn game_text(&self) -> GameText {
        let moves = self.moves.iter().map(|&mv| WrittenMove::from(mv)).collect();
        GameText { start: self.positions[0], moves, rank_hint: None }
    }

    /// Reads a legal move for the controller.
    pub(crate) fn coordinates(&self, text: &str) -> PyResult<MoveText> {
        self.read(text).map(MoveText::from)
    }

    fn read(&self, text: &str) -> PyResult<Move> {
        read_any(self.last(), text).map_err(error)
    }
}

/// Name of a side.
pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

#[pymethods]
impl Position {
    /// Sets up a position and plays moves.
    #[new]
    #[pyo3(signature = (fen=START_FEN, moves=vec![]))]
    fn new(fen: &str, moves: Vec<String>) -> PyResult<Self> {
        Self::played_from(fen, &moves)
    }

    /// FEN of the current position.
    #[getter]
    fn fen(&self) -> String {
        self.last().to_fen()
    }

    /// FEN of the position before the first move.
    #[getter]
    fn start_fen(&self) -> String {
        self.positions[0].to_fen()
    }

    /// The moves played, in coordinates.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    /// Side to move: `"red"` or `"black"`.
    #[getter]
    fn turn(&self) -> &'static str {
        side_name(self.last().side())
    }

    /// Hash key of the current position, 64 bits.
    #[getter]
    fn key(&self) -> u64 {
        self.last().key().0
    }

    /// Whether the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.last().in_check()
    }

    /// Legal moves, in coordinates.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.last().legal_moves().iter().map(ToString::to_string).collect()
    }

    /// Whether a move is legal; false for texts that are not a move.
    fn is_legal(&self, mv: &str) -> bool {
        self.read(mv).is_ok()
    }

    /// Reads a move in any notation and returns it in coordinates.
    fn parse(&self, mv: &str) -> PyResult<String> {
        self.read(mv).map(|mv| mv.to_string())
    }

    /// Writes a move in WXF notation, `C2=5`.
    fn wxf(&self, mv: &str) -> PyResult<String> {
        Ok(notation::write(self.last(), self.read(mv)?, Notation::Wxf))
    }

    /// Writes a move in Chinese notation, `炮二平五`.
    fn chinese(&self, mv: &str) -> PyResult<String> {
        Ok(notation::write(self.last(), self.read(mv)?, Notation::Chinese))
    }

    /// Plays a move and returns it in coordinates.
    fn play(&mut self, mv: &str) -> PyResult<String> {
        let mv = self.read(mv)?;
        self.push(mv);
        Ok(mv.to_string())
    }

    /// Takes the last move back and returns it.
    fn undo(&mut self) -> PyResult<String> {
        let mv = self.moves.pop().ok_or_else(|| error("there is no move to take back"))?;
        self.positions.pop();
        Ok(mv.to_string())
    }

    /// A copy with the same moves.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// The arguments that make this position again, for `pickle`.
    fn __getnewargs__(&self) -> (String, Vec<String>) {
        (self.start_fen(), self.moves())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.fen() == other.fen()
    }

    /// The piece on a square such as `"e0"`, as the letter of the FEN, or None.
    fn piece_at(&self, square: &str) -> PyResult<Option<String>> {
        let square: Square = square.parse().map_err(error)?;
        Ok(self.last().piece_on(square).map(|piece: Piece| piece.letter().to_string()))
    }

    /// Counts the leaves of all lines of this depth in plies.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let leaves = interruptible(py, |stop| {
            board::perft_while(self.last(), depth, &|| !stop.load(Ordering::Relaxed)).unwrap_or_default()
        })?;
        Ok(leaves)
    }

    /// Static evaluation by the network, in centipawns for the side to move: no search.
    fn evaluate(&self) -> i32 {
        static_value(self.last(), &Plan { network: Network::embedded().cloned(), ..Plan::default() }).raw()
    }

    /// Judges the game so far: a verdict, or None while it goes on. `rules`: asian, league, pikafish, chinese, checkban, noban.
    #[pyo3(signature = (rules="asian"))]
    fn judge(&self, rules: &str) -> PyResult<Option<Verdict>> {
        Ok(verdict_on(&self.positions, &self.moves, &rules_named(rules)?))
    }

    /// Picture of the board. `pieces`: characters or letters; `coordinates`: iccs, wxf, chinese or none; `arrows`: moves.
    #[pyo3(signature = (*, pieces="characters", coordinates="iccs", arrows=vec![], flipped=false))]
    fn svg(&self, pieces: &str, coordinates: &str, arrows: Vec<String>, flipped: bool) -> PyResult<String> {
        let pieces = match pieces {
            "characters" => PieceStyle::Characters,
            "letters" => PieceStyle::Letters,
            other => return Err(error(format!("pieces are \"characters\" or \"letters\", not {other:?}"))),
        };
        let coordinates = match coordinates {
            "iccs" => Coordinates::Iccs,
            "wxf" => Coordinates::Wxf,
            "chinese" => Coordinates::Chinese,
            "none" => Coordinates::None,
            other => return Err(error(format!("coordinates are iccs, wxf, chinese or none, not {other:?}"))),
        };
        let arrows = arrows.iter().map(|text| self.read(text)).collect::<PyResult<Vec<_>>>()?;
        let last_move = self.moves.last().copied();
        let options = BoardOptions { pieces, coordinates, last_move, arrows: &arrows, is_flipped: flipped };
        Ok(board_svg(self.last(), &options))
    }

    /// Picture of the board, as notebooks ask for it.
    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg("characters", "iccs", vec![], false)
    }

    fn __str__(&self) -> String {
        self.fen()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?})", self.fen())
    }
}
