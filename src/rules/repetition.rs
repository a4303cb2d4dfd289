//! Repetition: finds the loop that ends in the last position, and the side that is to blame for it.

use super::ruleset::{ChaseRules, DEEPEST_MATE_THREAT, Offences, Rules};
use super::window::Window;
use super::{chase, first_hit};
use crate::board::{Bitboard, Move, Position, Side, Square};

/// Conduct of a side in a loop: what all of its moves did, least serious first. The worse conduct loses, equal conduct draws.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Conduct {
    /// No offence under the rules.
    Idle,
    /// Attacked in one way or another (Chinese rules).
    Attack,
    /// Chased one and the same piece, which now stands on this square.
    Chase(Square),
    /// Chased a rook that could not leave because of a horse.
    ChaseOfPinnedRook(Square),
    /// Gave check.
    Check,
}

impl Conduct {
    /// Severity of the conduct; equal levels draw, whichever piece was chased.
    const fn level(self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Attack | Self::Chase(_) => 1,
            Self::ChaseOfPinnedRook(_) => 2,
            Self::Check => 3,
        }
    }
}

/// A loop and the conduct of each side in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Plies from the earlier occurrence to the last position.
    pub plies: usize,
    /// Red's and black's conduct.
    pub conduct: [Conduct; 2],
}

impl Loop {
    /// The reason for the loss or draw, in a few words.
    pub fn name(&self) -> &'static str {
        let worst = |side: Side| self.conduct[side.index()];
        match (self.loser().map(worst), self.conduct[0]) {
            (Some(Conduct::Check), _) => "perpetual check",
            (Some(Conduct::ChaseOfPinnedRook(_)), _) => "perpetual chase of a pinned rook",
            (Some(Conduct::Chase(_)), _) => "perpetual chase",
            (Some(Conduct::Attack), _) => "perpetual attack",
            (None, Conduct::Check) => "mutual perpetual check",
            (None, Conduct::Chase(_) | Conduct::ChaseOfPinnedRook(_)) => "mutual perpetual chase",
            (None, Conduct::Attack) => "mutual perpetual attack",
            (Some(Conduct::Idle) | None, Conduct::Idle) | (Some(Conduct::Idle), _) => "repetition",
        }
    }

    /// The side that has lost; `None` if the conduct of both is equally serious.
    pub fn loser(&self) -> Option<Side> {
        let [red, black] = self.conduct.map(Conduct::level);
        match red.cmp(&black) {
            std::cmp::Ordering::Greater => Some(Side::Red),
            std::cmp::Ordering::Less => Some(Side::Black),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// Minimum number of plies between two occurrences of a position.
pub(super) const SHORTEST_LOOP: usize = 4;

/// Indices of the earlier positions equal to the last one, newest first, at most `plies` moves back.
pub(super) fn earlier_occurrences(line: &[Position], plies: usize) -> impl Iterator<Item = usize> {
    let last = line.len() - 1;
    let key = line[last].key();
    (SHORTEST_LOOP..=plies.min(last))
        .step_by(2)
        .map(move |back| last - back)
        .filter(move |&index| line[index].key() == key)
}

/// Judges the moves between two occurrences of a position; `positions` starts and ends with it.
pub(super) fn judge_window(positions: &[Position], rules: &Rules) -> Loop {
    let plies = positions.len() - 1;
    let idle = Loop { plies, conduct: [Conduct::Idle; 2] };
    if rules.offences == Offences::Nothing {
        return idle;
    }
    let checks =
        Side::ALL.map(|side| positions.windows(2).filter(|pair| pair[0].side() == side).all(|pair| pair[1].in_check()));
    if checks.contains(&true) || rules.offences == Offences::Checks {
        return Loop { plies, conduct: checks.map(|checked| if checked { Conduct::Check } else { Conduct::Idle }) };
    }
    if is_ended_by_any_check(rules.offences) && positions[1..].iter().any(Position::in_check) {
        return idle;
    }
    let window = Window::new(positions);
    Loop { plies, conduct: Side::ALL.map(|side| conduct(&window, side, rules)) }
}

/// Whether a single check in a loop excludes a chase.
fn is_ended_by_any_check(offences: Offences) -> bool {
    matches!(offences, Offences::ChecksAndChases(ChaseRules { any_check_ends_chase: true, .. }))
}

/// The conduct of `side`, which did not check with every move.
fn conduct(window: &Window, side: Side, rules: &Rules) -> Conduct {
    match rules.offences {
        Offences::Nothing | Offences::Checks => Conduct::Idle,
        Offences::ChecksAndFirstHits => first_hit::chased(window, side).first().map_or(Conduct::Idle, Conduct::Chase),
        Offences::ChecksAndChases(rules) => {
            let chased = chase::chased(window, side, rules);
            let pinned =
                if rules.ranks_pinned_rook { chase::pinned_rooks(window, side, chased) } else { Bitboard::EMPTY };
            let worst = pinned.first().map(Conduct::ChaseOfPinnedRook);
            worst.or_else(|| chased.first().map(Conduct::Chase)).unwrap_or(Conduct::Idle)
        }
        Offences::Attacks { mate_threat_depth } => {
            let attacks = |index| attacks(window, index, mate_threat_depth);
            if window.moves_of(side).all(attacks) { Conduct::Attack } else { Conduct::Idle }
        }
    }
}

/// Whether the move played in position `index` checks, chases or threatens mate.
fn attacks(window: &Window, index: usize, mate_threat_depth: u8) -> bool {
    let after = window.position(index + 1);
    after.in_check()
        || chase::threatens_anew(window, index)
        || chase::threatens_to_take_with_check(window, index)
        || chase::mates_by_checks(&after.pass(), mate_threat_depth)
}

/// Whether `mv` is harmless under every rule set: it gives no check and is not an attack of any other kind, so its mover
/// cannot be blamed for a loop that contains it.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::rules::is_innocent;
/// let position = Position::from_fen("3k5/9/4n4/9/9/9/9/9/9/R3K4 w").unwrap();
/// let innocent = ["a0a9", "a0a7", "a0a1", "e0e1"].map(|text| is_innocent(&position, text.parse().unwrap()));
/// assert_eq!(innocent, [false, false, true, true]); // a check, a chase, nothing, nothing
/// ```
pub fn is_innocent(position: &Position, mv: Move) -> bool {
    if position.is_capture(mv) {
        return true; // no loop contains a capture
    }
    let pair = [*position, position.play(mv)];
    let window = Window::new(&pair);
    // Every new threat under Pikafish's rules is one under the Asian rules.
    !first_hit::hits_anything(&window, 0) && !attacks(&window, 0, DEEPEST_MATE_THREAT)
}

/// Judges the loop that ends in the last position of `line`, if that has occurred as often as the rules allow.
///
/// Referee and search share this definition of where the loop begins: at the occurrence from which on the last one is
/// one too many.
pub(super) fn judge_line(line: &[Position], plies: usize, rules: &Rules) -> Option<Loop> {
    let earlier_needed = rules.occurrences - 1;
    let start = earlier_occurrences(line, plies).nth(earlier_needed - 1)?;
    Some(judge_window(&line[start..], rules))
}

/// Judges the game as the referee does, if its last position has occurred as often as the rules allow.
pub(super) fn judge_game(history: &[Position], rules: &Rules) -> Option<Loop> {
    judge_line(history, usize::from(history[history.len() - 1].reversible_plies()), rules)
}
