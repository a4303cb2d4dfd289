//! Scheduler time slice: short slices for threads that mostly wait, which get the processor sooner for that. Applies
//! to the calling thread, whatever it does.
//!
//! Of the threads that have not used more than their share, Linux runs the one whose request would be done first.
//! Since 6.12 an ordinary thread can set the length of its requests by `sched_setattr(2)` in `sched_runtime`, 0.1 to
//! 100 ms (kernel commit 857b158dc5e8, "sched/eevdf: Use sched_attr::sched_runtime to set request/slice suggestion");
//! its share stays the same. Older kernels ignore the field, other systems are left alone, and a refusal changes
//! nothing.
#![allow(unsafe_code)]

/// Requests short time slices for the calling thread as long as it lives, but not for the threads that it starts.
#[cfg(all(target_os = "linux", not(any(miri, loom))))]
pub fn request_short() {
    linux::request_short();
}

/// Does nothing: no such request is known for this system.
#[cfg(not(all(target_os = "linux", not(any(miri, loom)))))]
pub fn request_short() {}

#[cfg(all(target_os = "linux", not(any(miri, loom))))]
mod linux {
    use libc::{
        SCHED_FLAG_RESET_ON_FORK, SCHED_OTHER, SYS_sched_getattr, SYS_sched_setattr, c_uint, pid_t, sched_attr, syscall,
    };

    /// Shortest time slice that the kernel grants, in nanoseconds.
    pub(super) const SHORT: u64 = 100_000;
    const CALLER: pid_t = 0;
    const NO_FLAGS: c_uint = 0;
    #[expect(clippy::cast_possible_truncation, reason = "it is 48 bytes long")]
    const SIZE: c_uint = size_of::<sched_attr>() as c_uint;

    pub(super) fn request_short() {
        let Some(mut attributes) = attributes() else { return };
        // Real-time threads have time slices of another kind. The reset on fork would take a raised priority from
        // child threads, and a thread with a raised priority is no less prompt.
        if attributes.sched_policy != SCHED_OTHER.cast_unsigned() || attributes.sched_nice < 0 {
            return;
        }
        attributes.sched_runtime = SHORT;
        attributes.sched_flags |= u64::from(SCHED_FLAG_RESET_ON_FORK.cast_unsigned());
        // SAFETY: the kernel reads a `sched_attr` of the size that its first field names, which `attributes` has filled.
        let _ = unsafe { syscall(SYS_sched_setattr, CALLER, &raw const attributes, NO_FLAGS) };
    }

    /// Returns the scheduling attributes of the calling thread.
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

    /// Returns the time slice of the calling thread in nanoseconds, if this system reports it.
    fn turn() -> Option<u64> {
        linux::attributes().map(|attributes| attributes.sched_runtime).filter(|&turn| turn > 0)
    }

    #[test]
    fn the_calling_thread_alone_gets_short_slices() {
        // A raised priority is left alone.
        let is_raised = linux::attributes().is_some_and(|attributes| attributes.sched_nice < 0);
        let (before, after, of_child) = thread::spawn(|| {
            let before = turn();
            request_short();
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
            request_short();
            assert_eq!(scheduled(), before);
        })
        .join()
        .unwrap();
    }
}
