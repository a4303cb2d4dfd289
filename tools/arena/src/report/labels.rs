//! Wording of numbers and endings in the report.

use chuhe_games::record::EndingClass;

use crate::stats::Interval;

/// Returns the name of a class of endings.
pub(super) const fn ending(class: EndingClass) -> &'static str {
    match class {
        EndingClass::Mate => "mate",
        EndingClass::Stalemate => "no legal move",
        EndingClass::Repetition => "repetition",
        EndingClass::MoveLimit => "no capture for too long",
        EndingClass::NoAttackers => "nothing left to attack with",
        EndingClass::Resignation => "resignation",
        EndingClass::Agreement => "agreed draw",
        EndingClass::DrawAdjudication => "adjudicated draw",
        EndingClass::WinAdjudication => "adjudicated win",
        EndingClass::MaxMoves => "limit of moves",
        EndingClass::TablebaseDraw => "draw by tablebase",
        EndingClass::TablebaseWin => "win by tablebase",
        EndingClass::TimeLoss => "time",
        EndingClass::Crash => "crash",
        EndingClass::Killed => "killed",
        EndingClass::Hang => "no answer",
        EndingClass::IllegalMove => "illegal move",
        EndingClass::BannedMove => "banned move",
        EndingClass::NoHandshake => "no handshake",
        EndingClass::ProtocolViolation => "protocol violation",
        EndingClass::Interrupted => "interrupted",
    }
}

/// Formats time controls such as `40/60+0.6 against nodes=2000`; `inf` is left out where there is another limit.
pub(crate) fn time_control(text: &str) -> String {
    let one = |limits: &str| limits.strip_prefix("inf ").unwrap_or(limits).to_owned();
    text.split(" against ").map(one).collect::<Vec<_>>().join(" against ")
}

/// Formats an interval such as `+12.3 ± 4.5`; `+∞` if one side has won everything.
pub(super) fn interval(interval: Interval) -> String {
    if interval.value.is_infinite() {
        return signed(interval.value);
    }
    let error = interval.known_error().map_or_else(|| "∞".into(), |error| format!("{error:.1}"));
    format!("{} ± {error}", signed(interval.value))
}

fn signed(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+∞".into() } else { "−∞".into() };
    }
    // A value that is rounded to zero gets a plus sign.
    let value = (value * 10.0).round() / 10.0 + 0.0;
    format!("{value:+.1}").replace('-', "−")
}

/// Formats a share such as `61.2 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Formats a ratio such as `1.25`, or `∞`.
pub(super) fn ratio(value: f64) -> String {
    if value.is_infinite() { "∞".into() } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_has_no_sign_of_its_own() {
        assert_eq!([signed(-0.04), signed(-0.0), signed(0.04)], ["+0.0"; 3]);
        assert_eq!((signed(-0.06), signed(12.34)), ("−0.1".to_owned(), "+12.3".to_owned()));
    }

    #[test]
    fn no_clock_is_reported_where_something_else_limits() {
        assert_eq!(time_control("inf nodes=2000"), "nodes=2000");
        assert_eq!(time_control("10+0.1 against inf nodes=5 depth=3"), "10+0.1 against nodes=5 depth=3");
        assert_eq!(time_control("inf against inf"), "inf against inf");
    }
}
