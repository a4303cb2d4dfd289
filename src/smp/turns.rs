//! Short turns on the processor for threads that mostly wait: who asks for little gets it sooner. Knows the calling thread, nothing
//! of what it does.
//!
//! Of the threads that have not had more than their share, Linux runs the one whose request would be done first. Since 6.12 an
//! ordinary thread says how long its requests are by `sched_setattr(2)` in `sched_runtime`, 0.1 to 100 ms (kernel commit
//! 857b158dc5e8, "sched/eevdf: Use sched_attr::sched_runtime to set request/slice suggestion"); its share remains what it was.
//! Older kernels read nothing there, other systems are not asked, and a refusal leaves everything as it is.
#![allow(unsafe_code)]

/// Asks for short turns for the calling thread as long as it lives, not for the threads that it starts.
#[cfg(all(target_os = "linux", not(any(miri, loom))))]
pub fn ask_for_short_ones() {
    linux::ask_for_short_ones();
}

/// Nothing is known that could be asked of this system.
#[cfg(not(all(target_os = "linux", not(any(miri, loom)))))]
pub fn ask_for_short_ones() {}

#[cfg(all(target_os = "linux", not(any(miri, loom))))]
mod linux {
    use libc::{
        SCHED_FLAG_RESET_ON_FORK, SCHED_OTHER, SYS_sched_getattr, SYS_sched_setattr, c_uint, pid_t, sched_attr, syscall,
    };

    /// The shortest that the kernel grants, in nanoseconds.
    pub(super) const SHORT: u64 = 100_000;
    const CALLER: pid_t = 0;
    const NO_FLAGS: c_uint = 0;
    #[expect(clippy::cast_possible_truncation, reason = "it is 48 bytes long")]
    const SIZE: c_uint = size_of::<sched_attr>() as c_uint;

    pub(super) fn ask_for_short_ones() {
        let Some(mut attributes) = attributes() else { return };
        // Real-time threads have turns of another kind. Forking would take away a priority that was raised, which is no less prompt.
        if attributes.sched_policy != SCHED_OTHER.cast_unsigned() || attributes.sched_nice < 0 {
            return;
        }
        attributes.sched_runtime = SHORT;
        attributes.sched_flags |= u64::from(SCHED_FLAG_RESET_ON_FORK.cast_unsigned());
        // SAFETY: the kernel reads a `sched_attr` of the size that its first field names, which `attributes` has filled.
        let _ = unsafe { syscall(SYS_sched_setattr, CALLER, &raw const attributes, NO_FLAGS) };
    }

    /// How the calling thread is scheduled.
    pub(super) fn attributes() -> Option<sched_attr> {
        let mut attributes = sched_attr {
            size: SIZE,
            sched_policy: 0,
            sched_flags: 0,
            sched_nice: 0,
            sched_priority: 0,
            sched_runtime: 0,
            sched_deadline: 0,
            sched_period: 0,
        };
        // SAFETY: the kernel writes at most `SIZE` bytes, which is as long as `attributes` is.
        let answer = unsafe { syscall(SYS_sched_getattr, CALLER, &raw mut attributes, SIZE, NO_FLAGS) };
        (answer == 0).then_some(attributes)
    }
}

#[cfg(all(test, target_os = "linux", not(any(miri, loom))))]
mod tests {
    use std::thread;

    use super::*;

    /// Length of the caller's turns in nanoseconds, if this system says.
    fn turn() -> Option<u64> {
        linux::attributes().map(|attributes| attributes.sched_runtime).filter(|&turn| turn > 0)
    }

    #[test]
    fn whoever_asks_has_short_turns_and_whom_he_starts_has_not() {
        // A priority that was raised is left alone.
        let is_raised = linux::attributes().is_some_and(|attributes| attributes.sched_nice < 0);
        let (before, after, of_child) = thread::spawn(|| {
            let before = turn();
            ask_for_short_ones();
            (before, turn(), thread::spawn(turn).join().unwrap())
        })
        .join()
        .unwrap();
        assert_eq!(after, before.map(|turn| if is_raised { turn } else { linux::SHORT }));
        assert_eq!(of_child, before);
    }

    #[test]
    fn nothing_else_changes() {
        let scheduled = || {
            let of = linux::attributes().unwrap();
            (of.sched_policy, of.sched_nice, of.sched_priority)
        };
        thread::spawn(move || {
            let before = scheduled();
            ask_for_short_ones();
            assert_eq!(scheduled(), before);
        })
        .join()
        .unwrap();
    }
}
