//! One `go` as the model sees it: which moves may answer it, when, and what its reports have said so far.

use chuhe::board::{Move, MoveText, Position, RankBase, Spelled};
use chuhe::engine::event::{Closing, Dialect, Go};
use chuhe::engine::options::Options;
use chuhe::score::Score;

use crate::reply::{Cost, Progress, Value};

/// What is wrong with a line.
pub type Objection = String;

/// A search that has not been answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// Where it begins; none if the last position was none.
    pub root: Option<Position>,
    /// The moves that may answer.
    pub allowed: Vec<Move>,
    /// When the answer may come.
    pub stage: Stage,
    /// When it may come without `stop`.
    pub end: End,
    /// It has a limit or a clock.
    pub is_bounded: bool,
    /// The user has offered a draw.
    pub draw_offered: bool,
    reports: Reports,
}

/// How far a search has come, by what the user has said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The answer waits for `ponderhit` or `stop`.
    Pondering,
    /// The answer may come if [`End`] allows it.
    Thinking,
    /// The answer is due.
    Stopped,
    /// The answer is due, and is the last.
    LastWords,
}

/// When a search answers without being told to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By a limit, the clock, or because there is nothing to search.
    ByItself,
    /// When it has found a mate: UCCI's `infinite`.
    WhenDecided,
    /// UCI's `infinite`.
    Never,
}

/// What its reports have said so far.
#[derive(Clone, PartialEq, Debug, Default)]
struct Reports {
    /// Of the last exact score of the best line, in plies.
    depth: u32,
    /// The first moves of the lines at this depth, best first.
    lines: Vec<Move>,
    /// The best line's score decides the game.
    decided: bool,
    /// A line has been reported that is no deeper than the one before: the last word, of the workers' vote or of an
    /// iteration that was stopped.
    voted: bool,
    cost: Cost,
}

fn ensure(holds: bool, objection: impl FnOnce() -> Objection) -> Result<(), Objection> {
    if holds { Ok(()) } else { Err(objection()) }
}

/// The move in this base, spelled as it should be.
pub fn read(text: &str, base: RankBase) -> Result<Move, Objection> {
    let mv = text.parse::<MoveText>().ok().and_then(|mv| mv.read(base));
    mv.filter(|&mv| Spelled(mv, base).to_string() == text)
        .ok_or_else(|| format!("{text:?} is no move in base {base:?}"))
}

/// The moves of a line, each legal where it stands.
pub fn line(root: &Position, texts: &[String], base: RankBase) -> Result<Vec<Move>, Objection> {
    let mut position = *root;
    let mut moves = Vec::with_capacity(texts.len());
    for text in texts {
        let mv = read(text, base)?;
        ensure(position.is_legal(mv), || format!("{text} is not legal in {}", position.to_fen()))?;
        position = position.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}

impl Search {
    /// A search that has reported nothing.
    pub fn new(root: Option<Position>, allowed: Vec<Move>, end: End, go: &Go) -> Self {
        let stage = if go.ponder { Stage::Pondering } else { Stage::Thinking };
        let (is_bounded, draw_offered) = (go.is_bounded(), go.draw);
        Self { root, allowed, stage, end, is_bounded, draw_offered, reports: Reports::default() }
    }

    /// The same at another stage.
    pub fn at(&self, stage: Stage) -> Self {
        Self { stage, ..self.clone() }
    }

    /// The same after the expected move; the answer may have been held for it.
    pub fn hit(&self, draw_offered: bool) -> Self {
        Self { stage: Stage::Thinking, end: End::ByItself, draw_offered, ..self.clone() }
    }

    /// Whether the answer may come now.
    pub fn may_answer(&self) -> bool {
        match (self.stage, self.end) {
            (Stage::Pondering, _) => false,
            (Stage::Stopped | Stage::LastWords, _) | (Stage::Thinking, End::ByItself) => true,
            (Stage::Thinking, End::WhenDecided) => self.reports.decided,
            (Stage::Thinking, End::Never) => false,
        }
    }

    /// Hears a line of play.
    ///
    /// # Errors
    /// If the search cannot have said it.
    pub fn progress(
        &mut self,
        progress: &Progress,
        options: &Options,
        dialect: Dialect,
        base: RankBase,
    ) -> Result<(), Objection> {
        let &Progress { depth, rank, value, is_bound, wdl, cost, ref pv } = progress;
        let moves = self.root_line(pv, base)?;
        ensure(rank <= options.lines.min(self.allowed.len()), || format!("line {rank} of {}", options.lines))?;
        let is_wanted = dialect == Dialect::Uci && options.shows_wdl;
        ensure(wdl.is_some() == is_wanted, || "chances shown or not against the user's wish".into())?;
        self.cost(cost)?;
        let reports = &mut self.reports;
        ensure(!reports.voted || rank > 1 && depth == reports.depth, || "a report behind the last one".into())?;
        if is_bound && depth < reports.depth && options.threads != 1 {
            // The last word of another worker, whose iteration was broken off.
            reports.voted = true;
            return Ok(());
        }
        if is_bound {
            return ensure(depth >= reports.depth, || {
                format!("a bound at depth {depth} after depth {}", reports.depth)
            });
        }
        if rank == 1 {
            let decided = is_decisive(value, dialect);
            // A mate that is proven beside the iterations is told as soon as it is known.
            let is_proof = decided && depth == reports.depth;
            if depth <= reports.depth && !is_proof {
                // The last word: of another worker, or of the iteration under way, which had found another move to be better.
                let is_another = depth == reports.depth && !reports.lines.contains(&moves[0]);
                ensure(options.threads != 1 || is_another, || format!("depth {depth} after depth {}", reports.depth))?;
                reports.voted = true;
            }
            (reports.depth, reports.decided) = (depth, decided);
            reports.lines = vec![moves[0]];
            return Ok(());
        }
        ensure(depth == reports.depth, || format!("line {rank} at depth {depth}, the first at {}", reports.depth))?;
        ensure(rank == reports.lines.len() + 1, || format!("line {rank} after {} others", reports.lines.len()))?;
        ensure(!reports.lines.contains(&moves[0]), || format!("{} begins two lines", pv[0]))?;
        reports.lines.push(moves[0]);
        Ok(())
    }

    /// Hears a line that begins at the root with a move that may be played.
    ///
    /// # Errors
    /// If it is none.
    pub fn root_line(&self, texts: &[String], base: RankBase) -> Result<Vec<Move>, Objection> {
        let root = self.root.as_ref().ok_or("moves without a position")?;
        let moves = line(root, texts, base)?;
        let begins_well = moves.first().is_some_and(|mv| self.allowed.contains(mv));
        ensure(begins_well, || format!("{texts:?} does not begin with a move that may be played"))?;
        Ok(moves)
    }

    /// Hears what the search has cost.
    ///
    /// # Errors
    /// If it was more before.
    pub fn cost(&mut self, cost: Cost) -> Result<(), Objection> {
        let before = std::mem::replace(&mut self.reports.cost, cost);
        ensure(cost.nodes >= before.nodes, || format!("{} nodes after {}", cost.nodes, before.nodes))?;
        ensure(cost.time >= before.time, || format!("{} ms after {} ms", cost.time, before.time))
    }

    /// Hears the answer.
    ///
    /// # Errors
    /// If it is not due, or not allowed.
    pub fn answer(
        &self,
        best: &str,
        ponder: Option<&str>,
        closing: Option<Closing>,
        options: &Options,
        base: RankBase,
    ) -> Result<(), Objection> {
        ensure(self.may_answer(), || "an answer that has to wait".into())?;
        let texts: Vec<String> = [Some(best), ponder].into_iter().flatten().map(str::to_owned).collect();
        self.root_line(&texts, base)?;
        match closing {
            None => Ok(()),
            Some(_) if options.analysing => Err("a game is closed in analysis".into()),
            Some(Closing::Draw) => {
                ensure(self.draw_offered || options.manners.offer_moves > 0, || "a draw that nobody asked for".into())
            }
            Some(Closing::Resign) => ensure(options.manners.resign_score > 0, || "it gives up unasked".into()),
        }
    }

    /// Hears that there is no move.
    ///
    /// # Errors
    /// If there is one, or the answer is not due.
    pub fn no_answer(&self) -> Result<(), Objection> {
        ensure(self.may_answer(), || "an answer that has to wait".into())?;
        ensure(self.allowed.is_empty(), || format!("no move among {}", self.allowed.len()))
    }
}

/// Whether a score decides the game: by mate, or by the rules of repetition.
fn is_decisive(value: Value, dialect: Dialect) -> bool {
    let most = match dialect {
        Dialect::Ucci => Score::MAX_EVAL.raw() * 100 / Score::MINOR,
        Dialect::Uci => Score::MAX_EVAL.raw(),
    };
    matches!(value, Value::Mate(_)) || matches!(value, Value::Units(units) if units.abs() > most)
}
