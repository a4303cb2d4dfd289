//! Capacity of a table: the machine's memory, the limits, and the errors when there is too little.

use std::io;
use std::ops::RangeInclusive;

/// Error in creating a table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The size is beyond the limit for any machine.
    #[error("a table of {mebibytes} MiB is too large, the limit is {largest} MiB", largest = LARGEST)]
    TooLarge {
        /// Size asked for.
        mebibytes: usize,
    },
    /// The machine has too little free memory.
    #[error("no memory for a table of {mebibytes} MiB, only {available} MiB are available")]
    Unavailable {
        /// Size asked for.
        mebibytes: usize,
        /// Largest size that would fit, in mebibytes.
        available: usize,
    },
    /// The system refused the memory.
    #[error("no memory for a table of {mebibytes} MiB: {reason}")]
    Refused {
        /// Size asked for.
        mebibytes: usize,
        /// Error of the system.
        #[source]
        reason: io::Error,
    },
}

/// Largest size, in mebibytes: one tebibyte, or what the address space holds.
pub(super) const LARGEST: usize = {
    let addressable = isize::MAX as usize >> 20;
    if addressable < 1 << 20 { addressable } else { 1 << 20 }
};

/// Range of the sizes that [`automatic`] chooses from, in mebibytes.
const AUTOMATIC: RangeInclusive<usize> = 16..=128;
const AUTOMATIC_WHEN_UNKNOWN: usize = 64;

/// Checks whether a table of this size is sensible, when `reusable` mebibytes will be given back for it.
pub(super) fn check(mebibytes: usize, reusable: usize) -> Result<(), TableError> {
    if mebibytes > LARGEST {
        return Err(TableError::TooLarge { mebibytes });
    }
    // An eighth stays free: to use all of the available memory, everything else would have to be pushed out.
    match available_mebibytes(reusable).map(|available| available / 8 * 7) {
        Some(available) if mebibytes > available => Err(TableError::Unavailable { mebibytes, available }),
        _ => Ok(()),
    }
}

/// Returns the largest size up to `mebibytes` that [`check`] may admit.
pub(super) fn most(mebibytes: usize, reusable: usize) -> usize {
    let available = available_mebibytes(reusable).map_or(LARGEST, |available| available / 8 * 7);
    mebibytes.min(LARGEST).min(available)
}

/// Returns the size to use if the user sets none, in mebibytes.
pub(super) fn automatic() -> usize {
    available_mebibytes(0)
        .map_or(AUTOMATIC_WHEN_UNKNOWN, |available| (available / 8).clamp(*AUTOMATIC.start(), *AUTOMATIC.end()))
}

/// Returns the memory available once `reusable` mebibytes are given back, if the system reports it.
#[cfg(not(all(target_os = "linux", not(miri))))]
fn available_mebibytes(_reusable: usize) -> Option<usize> {
    None
}

#[cfg(all(target_os = "linux", not(miri)))]
use linux::available_mebibytes;

#[cfg(all(target_os = "linux", not(miri)))]
mod linux {
    use std::fs::read_to_string;

    /// Returns the available memory in mebibytes, within the limit of a container if there is one.
    pub(super) fn available_mebibytes(reusable: usize) -> Option<usize> {
        let available = available(&read_to_string("/proc/meminfo").ok()?)?.saturating_add(reusable);
        let limit = read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| limit(&text));
        Some(limit.map_or(available, |limit| limit.min(available)))
    }

    /// Returns the available memory from the text of `/proc/meminfo`, in mebibytes.
    fn available(meminfo: &str) -> Option<usize> {
        let kibibytes = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        Some(kibibytes.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? >> 10)
    }

    /// Returns the limit from the text of `memory.max`, in mebibytes; `None` for a group without limit ("max").
    fn limit(memory_max: &str) -> Option<usize> {
        Some(memory_max.trim().parse::<usize>().ok()? >> 20)
    }

    #[cfg(all(test, not(loom)))]
    mod tests {
        use super::*;

        #[test]
        fn the_texts_of_the_system_are_read() {
            let meminfo = "MemTotal:       24684092 kB\nMemFree:        24297992 kB\nMemAvailable:   24342396 kB\n";
            assert_eq!(available(meminfo), Some(23771));
            assert_eq!(available("MemAvailable: lots"), None);
            assert_eq!(available(""), None);
            assert_eq!(limit("max\n"), None);
            assert_eq!(limit("1073741824\n"), Some(1024));
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_automatic_size_is_within_its_bounds() {
        assert!(AUTOMATIC.contains(&automatic()));
        assert!(check(1, 0).is_ok());
    }

    #[test]
    fn more_than_the_machine_has_is_refused() {
        let Some(available) = available_mebibytes(0) else { return };
        assert!(check(2 * available.max(1), 0).is_err());
    }

    #[test]
    fn memory_that_will_be_given_back_counts() {
        let Some(available) = available_mebibytes(0) else { return };
        assert!(available_mebibytes(1 << 30).unwrap() >= available / 2);
    }

    #[test]
    fn an_error_names_the_sizes() {
        let error = TableError::Unavailable { mebibytes: 512, available: 300 };
        assert_eq!(error.to_string(), "no memory for a table of 512 MiB, only 300 MiB are available");
    }
}
