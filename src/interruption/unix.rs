//! Interruption by signals.

use std::ffi::c_int;
use std::fs;
use std::io;
use std::thread;

use libc::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Calls `listener` at the signals for interruption, termination and, unless it is ignored, hangup.
pub(super) fn listen(mut listener: impl FnMut() + Send + 'static) -> io::Result<()> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let is_wanted = |&signal: &c_int| signal != SIGHUP || !is_ignored(&status, signal);
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP].iter().filter(|signal| is_wanted(signal)))?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(|_| listener()))?;
    Ok(())
}

/// Whether a process with this text in `/proc/self/status` ignores the signal. Systems without such a file are assumed to
/// ignore none.
fn is_ignored(status: &str, signal: c_int) -> bool {
    let digits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = digits.and_then(|digits| u128::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_mask() {
        let status = "Name:\tchuhe\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001002\nSigCgt:\t0000000000000001\n";
        assert!(is_ignored(status, SIGINT) && !is_ignored(status, SIGHUP) && !is_ignored(status, SIGTERM));
        assert!(is_ignored(&status.replace("1002", "0001"), SIGHUP));
        assert!(!is_ignored("", SIGHUP) && !is_ignored("SigIgn:\tnone\n", SIGHUP));
    }
}
