//! `page`: a book as a tree on a board, in one self-contained HTML file.

use std::collections::{HashSet, VecDeque};
use std::path::PathBuf;

use anyhow::{Result, ensure};
use chuhe::board::{Move, Position};
use chuhe::book::Source;
use chuhe::score::Score;
use chuhe_games::outputs;
use chuhe_games::page::{self, MoveName, name_of};
use chuhe_games::replace::write_bytes;
use clap::Args;
use serde::Serialize;

use super::position::PositionArguments;
use crate::entry::{Entry, entries, knows};
use crate::file;

/// Show a book as a tree on a board: one HTML file for a browser
///
/// A position shows its moves with weight, share and score, as arrows on the board and as a list; replies to moves outside
/// the book are included. The positions are those nearest to the start.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools page my.book -o my.html
  book-tools page BOOK.DAT -o eleeye.html --positions 20000 炮二平五")]
pub(super) struct Page {
    /// A book of any format
    book: PathBuf,
    /// Page to write
    #[arg(short, long)]
    out: PathBuf,
    /// Maximum number of positions
    #[arg(long, value_name = "N", default_value_t = 5000)]
    positions: usize,
    #[command(flatten)]
    position: PositionArguments,
}

/// Generator by which a page is recognised.
const GENERATOR: &str = "book-tools";

/// Data for the script of the page.
#[derive(Serialize)]
struct Data {
    title: String,
    /// FEN of the position shown first.
    start: String,
    /// Number of moves in the book.
    moves: usize,
    positions: Vec<Node>,
    /// Whether the book has more positions than the page.
    is_cut: bool,
}

#[derive(Serialize)]
struct Node {
    /// Placement and side to move.
    fen: String,
    moves: Vec<Branch>,
}

#[derive(Serialize)]
struct Branch {
    /// Move such as `h2e2`.
    mv: String,
    /// Names in WXF and Chinese notation.
    names: MoveName,
    /// Weight; `None` for a move outside the book that leads to a position of the book.
    weight: Option<u16>,
    /// Score in centipawns for the mover, and as text.
    score: Option<(i32, String)>,
    depth: Option<u8>,
    forbidden: bool,
}

impl Page {
    pub(super) fn run(self) -> Result<()> {
        outputs::check(&self.out, &[&self.book], "page of a book", |start| page::is_made_by(GENERATOR, start))?;
        let book = file::open(&self.book)?;
        let start = self.position.read()?;
        let data = self.data(&book, start);
        ensure!(
            data.positions.iter().any(|node| !node.moves.is_empty()),
            "{}: has no move from {} on",
            self.book.display(),
            start.to_fen()
        );
        let page = page::Page {
            generator: GENERATOR,
            title: &data.title,
            style: include_str!("page/style.css"),
            body: include_str!("page/body.html"),
            script: include_str!("page/tree.js"),
            data: &serde_json::to_string(&data)?,
        };
        write_bytes(&self.out, page.text().as_bytes())?;
        say!(
            "{}: {} positions{}",
            self.out.display(),
            data.positions.len(),
            if data.is_cut { ", and there are more" } else { "" }
        )?;
        Ok(())
    }

    /// Collects the positions in their own orientation: the page looks them up like this, without mirrors or exchanged colours.
    fn data(&self, book: &Source, start: Position) -> Data {
        let (mut seen, mut waiting) = (HashSet::from([start.key()]), VecDeque::from([start]));
        let mut positions = vec![];
        while let Some(position) = waiting.pop_front().filter(|_| positions.len() < self.positions) {
            let moves = branches(book, &position);
            for branch in moves.iter().filter_map(|branch| branch.mv.parse().ok()) {
                let next = position.play(branch);
                if knows(book, &next) && seen.insert(next.key()) {
                    waiting.push_back(next);
                }
            }
            let fen = position.to_fen().split(' ').take(2).collect::<Vec<_>>().join(" ");
            positions.push(Node { fen, moves });
        }
        let is_cut = positions.len() < seen.len();
        let title = self.book.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Data { title, start: start.to_fen(), moves: book.len(), positions, is_cut }
    }
}

/// Returns the moves of the book, the heaviest first, then other moves to positions of the book.
fn branches(book: &Source, position: &Position) -> Vec<Branch> {
    let mut known = entries(book, position);
    known.sort_by_key(|entry| (entry.forbidden, u16::MAX - entry.weight));
    let is_other = |mv: &Move| !known.iter().any(|entry| entry.mv == *mv);
    let others = position.legal_moves().into_iter().filter(is_other).filter(|mv| knows(book, &position.play(*mv)));
    let others: Vec<Branch> = others.map(|mv| branch(position, mv, None)).collect();
    known.iter().map(|entry| branch(position, entry.mv, Some(entry))).chain(others).collect()
}

fn branch(position: &Position, mv: Move, entry: Option<&Entry>) -> Branch {
    let eval = entry.and_then(|entry| entry.eval);
    let score = eval.map(|(score, _)| Score::from_table(score, 0));
    Branch {
        mv: mv.to_string(),
        names: name_of(position, mv),
        weight: entry.map(|entry| entry.weight),
        score: score.map(|score| (score.raw(), format!("{score:?}"))),
        depth: eval.map(|(_, depth)| depth),
        forbidden: entry.is_some_and(|entry| entry.forbidden),
    }
}
