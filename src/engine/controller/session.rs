//! The session: all that the engine knows between searches, and its output.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::iter;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::echo::describe;
use super::phase::Playing;
use crate::board::{Move, Position, RankBase, Side};
use crate::book::{Candidate, choose};
use crate::engine::choice::{Choice, Purpose};
use crate::engine::draw_policy::{Answer, DrawPolicy};
use crate::engine::event::{
    Closing, Command, Dialect, Effort, Event, GameText, Go, Info, Iteration, OutputFormat, Reply, TableContent, View,
};
use crate::engine::game::{Game, root_moves};
use crate::engine::options::Options;
use crate::engine::plan::{GameSeed, Occasion, plan};
use crate::engine::resources::Resources;
use crate::engine::tb_root::{RootChoice, keep_best};
use crate::engine::wdl;
use crate::eval::nnue::Network;
use crate::rules::{Rules, move_limit_reached};
use crate::score::Score;
use crate::search::{Bound, Limits, Plan, SearchContext, SearchId, random_number, static_value};
use crate::smp::shared::{NodeCounters, StopFlag};
use crate::smp::table::{Entry, TableError};
use crate::smp::time::{Budget, Circumstances, Clock, Horizon, Latency};

/// Number of plies before the move limit at which an even game may as well end.
const NEAR_LIMIT: u16 = 20;

/// Message for what needs a position while there is none.
pub(super) const NO_POSITION: &str = "there is no position, the last one given was wrong";

/// Context of a view: the game and the settings that it shows.
#[derive(Clone, Copy, Debug)]
pub struct ViewContext<'a> {
    /// The game so far, oldest position first; empty if the last one given was wrong.
    pub history: &'a [Position],
    /// The engine's side in a game against the user.
    pub opponent: Option<Side>,
    /// The protocol in whose units values are shown.
    pub dialect: Dialect,
    /// Rank base of the moves.
    pub base: RankBase,
    /// The rules in force.
    pub rules: &'a Rules,
    /// The network that evaluates positions, if one does.
    pub network: Option<&'a Arc<Network>>,
}

/// Front end: receives the replies, and does what the controller cannot do itself.
pub trait FrontEnd {
    /// Sends a reply to the user.
    fn send(&mut self, reply: &Reply, format: &OutputFormat);

    /// Sends replies to the user, in one piece where that is possible: a client that reads the first one may take the processor
    /// before the last is written.
    fn send_all(&mut self, replies: &[Reply], format: &OutputFormat) {
        replies.iter().for_each(|reply| self.send(reply, format));
    }

    /// Whether the last reply has reached the user: a client that neither reads nor writes is gone.
    fn is_connected(&self) -> bool {
        true
    }

    /// Sets whether the user may take time to read: the answers to a batch (option `batch`) are read later.
    fn leave_time(&mut self, _to_read: bool) {}

    /// Marks the start or the end of long work: no event is handled meanwhile, and a user who leaves does not need it.
    fn set_busy(&mut self, _is_busy: bool) {}

    /// Directs the log to this file from now on, or to none.
    ///
    /// # Errors
    /// If the file cannot be opened; the log goes on as before.
    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()>;

    /// Shows a view to a user at a terminal, or the bench to a program. Long output stops once it is not wanted any more.
    fn show(&mut self, _view: View, _context: &ViewContext, _is_wanted: &dyn Fn() -> bool) {}
}

/// All that the engine knows between searches. It neither knows phases nor starts searches.
pub(super) struct Session<F> {
    pub(super) front: F,
    pub(super) game: Game,
    pub(super) options: Options,
    pub(super) dialect: Dialect,
    /// The protocol of the last handshake, if there was one.
    pub(super) greeted_in: Option<Dialect>,
    /// Messages from before the handshake, when nothing may be said.
    pub(super) unsaid: Vec<String>,
    /// Messages from before the handshake about the position that was given then.
    pub(super) unsaid_of_game: Vec<String>,
    /// Whether the user is a person at a terminal, who can leave at any time.
    pub(super) is_for_person: bool,
    /// The game of that person against the engine.
    pub(super) playing: Option<Playing>,
    /// Randomness of the game.
    pub(super) game_seed: GameSeed,
    searches: u64,
    pub(super) draw_policy: DrawPolicy,
    /// Latency of the answers to `go`.
    pub(super) latency: Latency,
    /// Reports of a search that has ended, to be sent in one piece with its answer.
    pub(super) last_reports: Vec<Reply>,
    pub(super) resources: Resources,
}

impl<F: FrontEnd> Session<F> {
    pub(super) fn new(front: F, events: &Sender<Event>) -> Result<Self, TableError> {
        let options = Options::default();
        let mut resources = Resources::new(events.clone())?;
        let unsaid = resources.load_book(&options);
        Ok(Self {
            front,
            game: Game::default(),
            options,
            dialect: Dialect::default(),
            greeted_in: None,
            unsaid,
            unsaid_of_game: Vec::new(),
            is_for_person: false,
            playing: None,
            game_seed: GameSeed::of_new_game(),
            searches: 0,
            draw_policy: DrawPolicy::default(),
            latency: Latency::default(),
            last_reports: Vec::new(),
            resources,
        })
    }

    /// Joins the workers, and says good-bye in protocols that do.
    pub(super) fn shut_down(self, was_greeted: bool) {
        let format = self.format();
        let Self { mut front, resources, .. } = self;
        drop(resources);
        if was_greeted {
            front.send(&Reply::Bye, &format);
        }
    }

    fn format(&self) -> OutputFormat {
        OutputFormat { dialect: self.dialect, base: self.game.rank_base() }
    }

    pub(super) fn message(&mut self, text: String) {
        self.send(&Reply::Message(text));
    }

    /// Sends the reports kept for it, and the reply.
    pub(super) fn send(&mut self, reply: &Reply) {
        if self.is_hidden(reply) {
            return;
        }
        let format = self.format();
        if self.last_reports.is_empty() {
            return self.front.send(reply, &format);
        }
        self.last_reports.push(reply.clone());
        self.send_last_reports();
    }

    /// Whether the active search is for a game against a person.
    pub(super) fn thinks_for_a_person(&self) -> bool {
        self.playing.is_some_and(|playing| playing.is_thinking)
    }

    /// Whether the reply is not sent, since a person who plays wants to see moves alone.
    fn is_hidden(&self, reply: &Reply) -> bool {
        let is_report = matches!(
            reply,
            Reply::BookMove { .. }
                | Reply::Info(_)
                | Reply::CurrentMove { .. }
                | Reply::Refutation(_)
                | Reply::CurrentLine { .. }
                | Reply::ProvenMoves { .. }
                | Reply::Effort(_)
                | Reply::StaticValue(_)
        );
        is_report && self.thinks_for_a_person()
    }

    /// Sends the reports kept for an answer, because the answer has to wait.
    pub(super) fn send_last_reports(&mut self) {
        let format = self.format();
        let mut reports = mem::take(&mut self.last_reports);
        reports.retain(|reply| !self.is_hidden(reply));
        self.front.send_all(&reports, &format);
    }

    /// Reports, in debug mode, how the command was understood, unless a user at a terminal sees its effect.
    pub(super) fn echo(&mut self, command: &Command) {
        let is_seen = self.is_for_person && matches!(command, Command::Show(_) | Command::Flip | Command::Terminal(_));
        if self.options.debug && !is_seen {
            let mover = self.game.position().map_or(Side::Red, Position::side);
            let text = format!("debug: {}", describe(command, mover, &self.options));
            self.message(text);
        }
    }

    /// Returns the rules in force.
    pub(super) fn rules_in_force(&self) -> Rules {
        self.options.rules(self.greeted_in)
    }

    /// Returns the rules in force at the end of `history`; without the move limit if it is reached there and the game goes on all
    /// the same, since otherwise every move would draw.
    pub(super) fn rules(&self, history: &[Position]) -> Rules {
        let rules = self.rules_in_force();
        if move_limit_reached(history, &rules) { rules.without_limit() } else { rules }
    }

    /// Returns the plan of a search with these limits at whose root `mover` is to move.
    pub(super) fn plan(&self, mover: Side, limits: &Limits, saves_time: bool) -> Plan {
        let (network, endgames) = (self.resources.network(), self.resources.endgames());
        let wants_mate = limits.mate.is_some();
        plan(&self.options, &Occasion { mover, wants_mate, saves_time, seed: self.game_seed, network, endgames })
    }

    /// Returns the static evaluation of a position, as a search with these limits would see it.
    pub(super) fn static_value(&self, position: &Position, limits: &Limits) -> Score {
        static_value(position, &self.plan(position.side(), limits, false))
    }

    /// Creates the context of the next search, in the last position of `history`.
    pub(super) fn context(
        &mut self,
        workers: usize,
        limits: Limits,
        history: Vec<Position>,
        choices: RootChoice,
        saves_time: bool,
    ) -> SearchContext {
        self.resources.table().advance_age();
        let id = self.next_search();
        tracing::debug!(search = ?id, ?limits, "the search begins");
        let plan = self.plan(history.last().map_or(Side::Red, Position::side), &limits, saves_time);
        let rules = self.rules(&history);
        SearchContext {
            id,
            table: Arc::clone(self.resources.table()),
            stop: StopFlag::default(),
            limits,
            counters: NodeCounters::new(workers),
            history,
            root_moves: choices.moves,
            root_outcome: choices.outcome,
            rules,
            plan,
        }
    }

    /// Returns the number of a new search or count.
    pub(super) fn next_search(&mut self) -> SearchId {
        self.searches += 1;
        SearchId(self.searches)
    }

    /// Returns the moves to choose from: those that may be played, without those that endgame tablebases advise against.
    ///
    /// Analysis, MultiPV and limited strength keep all moves.
    pub(super) fn choices(&mut self, go: &Go) -> RootChoice {
        let rules = self.rules(self.game.history());
        let moves = self.game.root_moves(&go.search_moves, &rules);
        let is_analysis = go.is_analysis() || self.options.analysing || self.options.multipv > 1;
        let probes = self.options.uses_endgames && self.options.limited_elo().is_none() && !is_analysis;
        if probes {
            keep_best(self.resources.endgames(), self.game.history(), moves, &rules)
        } else {
            RootChoice::all(moves)
        }
    }

    /// Returns the time budget of a `go` in `position` with this number of moves to choose from; `None` without a clock.
    pub(super) fn budget(&self, go: &Go, position: &Position, choices: usize) -> Option<Budget> {
        let clock = go.clock_of(position.side())?.to_time(&self.options);
        let Options { overhead, ponder, forced_at_once, nodes_per_millisecond, .. } = self.options;
        // A budget in nodes has to be reproducible, however busy the machine is.
        let latency = if nodes_per_millisecond > 0 { Duration::ZERO } else { self.latency.expected() };
        let circumstances = Circumstances { overhead, latency, ponder, move_number: position.move_number() };
        let of_this_move = go.move_time.map(|time| Budget::new(&for_this_move(time), &circumstances));
        // A client that names both the move and its time wants the value of the move, and has no clock to save.
        let is_analysis = !go.search_moves.is_empty() && clock.horizon == Horizon::ThisMove;
        let is_forced = choices == 1 && forced_at_once && !is_analysis;
        let budget = if is_forced { Budget::instant } else { Budget::new };
        let of_game = budget(&clock, &circumstances);
        // A time for the move is used up where the clock affords it.
        Some(of_this_move.filter(|of_this_move| of_this_move.hard() < of_game.hard()).unwrap_or(of_game))
    }

    /// Returns the book's move after reporting all moves that it knows here; `None` if the search has to find one. `moves` are
    /// those that may be played.
    pub(super) fn book_move(&mut self, go: &Go, moves: &[Move]) -> Option<Choice> {
        if go.is_analysis() || self.options.analysing {
            return None;
        }
        let candidates = self.book_candidates(moves);
        let chosen = choose(&candidates, self.options.book.choice(self.options.randomness), self.chance()?)?;
        for candidate in &candidates {
            self.send(&Reply::BookMove { mv: candidate.mv, weight: candidate.weight });
        }
        let position = *self.game.position()?;
        let next = position.play(chosen.mv);
        let reply = self.resources.book().candidates(&next).first().map(|candidate| candidate.mv);
        if self.dialect == Dialect::Uci {
            let score = chosen.score().unwrap_or_else(|| self.static_value(&position, &go.limits));
            let pv = [chosen.mv].into_iter().chain(reply).collect();
            self.send(&Reply::Info(self.book_line(&position, score, pv)));
        }
        // To the draw policy, the value of a draw means that a search sees a draw. A book means an even game, or has no score.
        let score = chosen.score().filter(|&score| score != Score::DRAW).unwrap_or(Score::from_eval(1));
        let (draw, draw_offered, purpose) = (Score::DRAW, go.draw, Purpose::Advice);
        Some(Choice { best: chosen.mv, ponder: reply, score, draw, draw_offered, purpose })
    }

    /// Returns the line that UCI receives before a book move: clients expect a value and a variation with every answer.
    fn book_line(&self, position: &Position, score: Score, pv: Vec<Move>) -> Info {
        let (pv_index, depth, selective_depth, bound) = (1, 0, 0, Bound::Exact);
        let iteration =
            Iteration { pv_index, depth, selective_depth, score, bound, pv, nodes: 0, best_move_permille: 0 };
        let hashfull = self.resources.table().permille_full();
        let effort = Effort { nodes: 0, elapsed: Duration::ZERO, hashfull, table_hits: 0 };
        Info { iteration, effort, wdl: self.options.shows_wdl.then(|| wdl::chances(score, position)) }
    }

    /// Returns a random number, or that of this position if the user has set a seed. `None` without a position.
    fn chance(&self) -> Option<u64> {
        let position = self.game.position()?;
        Some(match self.options.random_seed {
            // Two keys of the library's hash maps are never the same, so the hash of nothing is as good as random.
            0 => RandomState::new().build_hasher().finish(),
            seed => random_number(seed, position.key()),
        })
    }

    /// Returns the moves that the book may play here: none that leads back to a position of this game.
    pub(super) fn book_candidates(&self, moves: &[Move]) -> Vec<Candidate> {
        let settings = &self.options.book;
        let is_used = settings.used.unwrap_or(self.dialect == Dialect::Ucci);
        let Some(position) = self.game.position().filter(|_| is_used) else { return Vec::new() };
        if position.move_number() > settings.moves {
            return Vec::new();
        }
        let is_new = |mv: Move| {
            let next = position.play(mv).key();
            self.game.history().iter().all(|earlier| earlier.key() != next)
        };
        let book = self.resources.book();
        let fits = |candidate: &Candidate| {
            moves.contains(&candidate.mv)
                && candidate.weight >= settings.least_weight
                && is_new(candidate.mv)
                && (settings.reserve == 0 || book.continues(&position.play(candidate.mv), settings.reserve))
        };
        book.candidates(position).into_iter().filter(fits).collect()
    }

    /// Returns the position after the choice and its expected reply, with the game that leads there and its moves, if
    /// auto-ponder is wanted and possible.
    pub(super) fn expected_game(&self, choice: &Choice) -> Option<(Vec<Position>, Vec<Move>)> {
        let wanted = self.options.auto_ponder && choice.purpose == Purpose::Game;
        let (expected, position) = (choice.ponder.filter(|_| wanted)?, self.game.position()?);
        let played = position.play(choice.best);
        let mut history = self.game.history().to_vec();
        history.extend([played, played.play(expected)]);
        let moves = root_moves(&history, &[], None, &self.rules(&history));
        // Without workers nothing would be searched.
        (!moves.is_empty() && self.resources.workers() > 0).then_some((history, moves))
    }

    /// Returns the draw offer or the resignation that goes with an answer. UCI has no words for either, and analysis is not a game.
    pub(super) fn closing(&mut self, choice: &Choice) -> Option<Closing> {
        if self.dialect == Dialect::Uci || self.options.analysing {
            return None;
        }
        let position = self.game.position()?;
        let next = position.play(choice.best);
        let soon = position.reversible_plies().saturating_add(NEAR_LIMIT);
        let captures = next.legal_moves().into_iter().filter(|&mv| next.is_capture(mv)).map(|mv| next.key_after(mv));
        let answer = Answer {
            leads_to: iter::once(next.key()).chain(captures).collect(),
            score: choice.score,
            draw: choice.draw,
            draw_offered: choice.draw_offered,
            near_limit: self.rules_in_force().limit_plies().is_some_and(|limit| soon >= limit),
            in_game: choice.purpose == Purpose::Game,
        };
        let game = self.game.history().iter().map(|position| position.key());
        self.draw_policy.close(game, answer, &self.options.draw_policy)
    }

    /// Reports what the table holds about a position.
    pub(super) fn probe(&mut self, text: &GameText) {
        let mut game = self.game.another();
        if let Err(fault) = game.set(text, self.options.variant) {
            return self.nothing_to_probe(&fault.to_string());
        }
        let mover = self.game.position().map_or(Side::Red, Position::side);
        let salt = self.plan(mover, &Limits::default(), false).table_salt();
        let entry = |position: &Position| self.resources.probe(position.key(), salt);
        let content = game.position().and_then(|position| Some(table_content(position, entry(position)?)));
        self.send(&Reply::TableContent(content));
    }

    /// Reports that there is no such position. A client that speaks UCCI waits for exactly one line; UCI has no `probe`, so its
    /// users get a message.
    pub(super) fn nothing_to_probe(&mut self, why: &str) {
        if self.dialect == Dialect::Uci || self.options.debug {
            self.message(format!("nothing to probe: {why}"));
        }
        if self.dialect == Dialect::Ucci {
            self.send(&Reply::TableContent(None));
        }
    }
}

/// Returns a clock for one move alone, of this many milliseconds.
fn for_this_move(milliseconds: i64) -> Clock {
    let remaining = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    Clock { remaining, horizon: Horizon::ThisMove, opponent: None }
}

fn table_content(position: &Position, entry: Entry) -> TableContent {
    let score = Score::from_table(entry.score, 0);
    let (lower, upper) = match entry.bound {
        Bound::Lower => (Some(score), None),
        Bound::Upper => (None, Some(score)),
        Bound::Exact => (Some(score), Some(score)),
    };
    let best = entry.mv.and_then(Move::from_word).filter(|&mv| position.is_legal(mv));
    TableContent { best, lower, upper, depth: u32::from(entry.depth) }
}
