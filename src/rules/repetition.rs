//! Finding the loop that ends in the last position, and who is to blame for it.

use super::ruleset::{ChaseRules, DEEPEST_MATE_THREAT, Offences, Rules};
use super::window::Window;
use super::{chase, first_hit, mate_threat};
use crate::board::{Bitboard, Move, Position, Side, Square};

/// What a side did with every one of its moves in a loop, the least first: the worse loses, equals draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Conduct {
    /// Nothing in particular, or nothing that the rules mind.
    Idle,
    /// Attacked in one way or another (the Chinese rules).
    Attack,
    /// Chased one and the same piece, which now stands on this square.
    Chase(Square),
    /// Chased a rook that could not leave because of a horse.
    ChaseOfPinnedRook(Square),
    /// Gave check.
    Check,
}

impl Conduct {
    /// Conducts of equal level draw; which piece was chased makes no difference.
    const fn level(self) -> u8 {
        match self {
            Self::Idle => 0,
            Self::Attack | Self::Chase(_) => 1,
            Self::ChaseOfPinnedRook(_) => 2,
            Self::Check => 3,
        }
    }
}

/// A loop and what each side did in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Plies from the earlier occurrence to the last position.
    pub plies: usize,
    /// Red's and black's conduct.
    pub conduct: [Conduct; 2],
}

impl Loop {
    /// Why it is lost or drawn, in a few words.
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

    /// Who has lost; nobody when both did equally.
    pub fn loser(&self) -> Option<Side> {
        let [red, black] = self.conduct.map(Conduct::level);
        match red.cmp(&black) {
            std::cmp::Ordering::Greater => Some(Side::Red),
            std::cmp::Ordering::Less => Some(Side::Black),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// No position stands again after fewer plies.
pub(super) const SHORTEST_LOOP: usize = 4;

/// Indices, newest first, of the earlier positions equal to the last one; looks back over `plies` moves at most.
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

/// Whether a single check leaves no chase in a loop.
fn is_ended_by_any_check(offences: Offences) -> bool {
    matches!(offences, Offences::ChecksAndChases(ChaseRules { any_check_ends_chase: true, .. }))
}

/// What `side` did, if it did not check with every move.
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
        || mate_threat::mates_by_checks(&after.pass(), mate_threat_depth)
}

/// Whether no rule set can blame the mover of `position` for a loop in which it plays `mv`, because it gives no check and
/// is no attack of any other kind.
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
        return true; // no loop has it
    }
    let pair = [*position, position.play(mv)];
    let window = Window::new(&pair);
    // Pikafish sees no new threat that the Asian rules do not see.
    !first_hit::hits_anything(&window, 0) && !attacks(&window, 0, DEEPEST_MATE_THREAT)
}

/// Judges the loop that ends in the last position of `line` if that stands as often as the rules allow. Where the loop begins
/// is decided here for referee and search alike: at the occurrence from which on the last one is one too many.
pub(super) fn judge_line(line: &[Position], plies: usize, rules: &Rules) -> Option<Loop> {
    let earlier_needed = rules.occurrences - 1;
    let start = earlier_occurrences(line, plies).nth(earlier_needed - 1)?;
    Some(judge_window(&line[start..], rules))
}

/// The referee's view: has the last position stood as often as the rules allow?
pub(super) fn judge_game(history: &[Position], rules: &Rules) -> Option<Loop> {
    judge_line(history, usize::from(history[history.len() - 1].reversible_plies()), rules)
}
