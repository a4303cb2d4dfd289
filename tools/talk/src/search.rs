//! A `go` in the model: the moves that may answer it, the time of the answer, and the reports so far.

use chuhe::board::{Move, MoveText, Position, RankBase, Spelled};
use chuhe::engine::event::{Closing, Dialect, Go};
use chuhe::engine::options::Options;
use chuhe::score::Score;

use crate::reply::{Cost, Progress, Value};

/// Description of the fault of a line.
pub type Objection = String;

/// A search that has not been answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// Root position; `None` if the last `position` was invalid.
    pub root: Option<Position>,
    /// Moves allowed as the answer.
    pub allowed: Vec<Move>,
    /// Stage, which determines when the answer may come.
    pub stage: Stage,
    /// Condition under which the answer may come without `stop`.
    pub end: End,
    /// Whether the search has a limit or a clock.
    pub is_bounded: bool,
    /// Whether the user has offered a draw.
    pub draw_offered: bool,
    reports: Reports,
}

/// Stage of a search, determined by the commands so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The answer waits for `ponderhit` or `stop`.
    Pondering,
    /// The answer may come if [`End`] allows it.
    Thinking,
    /// The answer is due.
    Stopped,
    /// The answer is due, and the engine ends after it.
    LastWords,
}

/// Condition under which a search answers without a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A limit, the clock, or nothing to search.
    ByItself,
    /// A mate has been found: `infinite` in UCCI.
    WhenDecided,
    /// No condition: `infinite` in UCI.
    Never,
}

/// Reports of a search so far.
#[derive(Clone, PartialEq, Debug, Default)]
struct Reports {
    /// Depth of the last exact score of the best line, in plies.
    depth: u32,
    /// First moves of the lines at this depth, best first.
    lines: Vec<Move>,
    /// Whether the score of the best line decides the game.
    decided: bool,
    /// Whether a final line has been reported, no deeper than the one before: from the vote of the workers or a stopped
    /// iteration.
    voted: bool,
    cost: Cost,
}

fn ensure(holds: bool, objection: impl FnOnce() -> Objection) -> Result<(), Objection> {
    if holds { Ok(()) } else { Err(objection()) }
}

/// Parses a move in this base; its spelling must be canonical.
pub fn read(text: &str, base: RankBase) -> Result<Move, Objection> {
    let mv = text.parse::<MoveText>().ok().and_then(|mv| mv.read(base));
    mv.filter(|&mv| Spelled(mv, base).to_string() == text)
        .ok_or_else(|| format!("{text:?} is not a move in base {base:?}"))
}

/// Parses the moves of a line, each of which must be legal.
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
    /// Creates a search without reports.
    pub fn new(root: Option<Position>, allowed: Vec<Move>, end: End, go: &Go) -> Self {
        let stage = if go.ponder { Stage::Pondering } else { Stage::Thinking };
        let (is_bounded, draw_offered) = (go.is_bounded(), go.draw);
        Self { root, allowed, stage, end, is_bounded, draw_offered, reports: Reports::default() }
    }

    /// Returns the search at another stage.
    pub fn at(&self, stage: Stage) -> Self {
        Self { stage, ..self.clone() }
    }

    /// Returns the search after `ponderhit`, for which the answer may have been waiting.
    pub fn ponder_hit(&self, draw_offered: bool) -> Self {
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

    /// Processes a line of play.
    ///
    /// # Errors
    /// If the search cannot have reported it.
    pub fn progress(
        &mut self,
        progress: &Progress,
        options: &Options,
        dialect: Dialect,
        base: RankBase,
    ) -> Result<(), Objection> {
        let &Progress { depth, rank, value, is_bound, wdl, cost, ref pv } = progress;
        let moves = self.root_line(pv, base)?;
        ensure(rank <= options.multipv.min(self.allowed.len()), || format!("line {rank} of {}", options.multipv))?;
        let is_wanted = dialect == Dialect::Uci && options.shows_wdl;
        ensure(wdl.is_some() == is_wanted, || "WDL chances shown or missing against `UCI_ShowWDL`".into())?;
        self.cost(cost)?;
        let reports = &mut self.reports;
        ensure(!reports.voted || rank > 1 && depth == reports.depth, || "a report after the last one".into())?;
        if is_bound && depth < reports.depth && options.threads != 1 {
            // Final report of another worker, whose iteration was interrupted.
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
            // A mate proven outside the iterations is reported as soon as it is known.
            let is_proof = decided && depth == reports.depth;
            if depth <= reports.depth && !is_proof {
                // Final report, of another worker or of the current iteration, which has found a better move.
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

    /// Parses a line from the root, which must begin with an allowed move.
    ///
    /// # Errors
    /// If it does not, or is illegal.
    pub fn root_line(&self, texts: &[String], base: RankBase) -> Result<Vec<Move>, Objection> {
        let root = self.root.as_ref().ok_or("moves without a position")?;
        let moves = line(root, texts, base)?;
        let begins_well = moves.first().is_some_and(|mv| self.allowed.contains(mv));
        ensure(begins_well, || format!("{texts:?} does not begin with a move that may be played"))?;
        Ok(moves)
    }

    /// Processes the time and nodes of the search.
    ///
    /// # Errors
    /// If one of them has decreased.
    pub fn cost(&mut self, cost: Cost) -> Result<(), Objection> {
        let before = std::mem::replace(&mut self.reports.cost, cost);
        ensure(cost.nodes >= before.nodes, || format!("{} nodes after {}", cost.nodes, before.nodes))?;
        ensure(cost.time >= before.time, || format!("{} ms after {} ms", cost.time, before.time))
    }

    /// Processes the answer.
    ///
    /// # Errors
    /// If the answer is not due or not allowed.
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
                ensure(self.draw_offered || options.draw_policy.offer_moves > 0, || "an unrequested draw".into())
            }
            Some(Closing::Resign) => ensure(options.draw_policy.resign_score > 0, || "it gives up unasked".into()),
        }
    }

    /// Processes the answer that there is no move.
    ///
    /// # Errors
    /// If there is a move, or the answer is not due.
    pub fn no_answer(&self) -> Result<(), Objection> {
        ensure(self.may_answer(), || "an answer that has to wait".into())?;
        ensure(self.allowed.is_empty(), || format!("no move among {}", self.allowed.len()))
    }
}

/// Whether a score decides the game, by mate or by the rules of repetition.
fn is_decisive(value: Value, dialect: Dialect) -> bool {
    let most = match dialect {
        Dialect::Ucci => Score::MAX_EVAL.raw() * 100 / Score::MINOR,
        Dialect::Uci => Score::MAX_EVAL.raw(),
    };
    matches!(value, Value::Mate(_)) || matches!(value, Value::Units(units) if units.abs() > most)
}
