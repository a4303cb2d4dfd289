//! Shrinks the conversation of a finding to the acts that it needs.
//!
//! The timing of searches and pauses varies, so an act is left out only if the finding recurs without it within a few tries.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::act::Act;
use crate::talk::{Finding, hold};

/// Number of tries for each shorter conversation.
const TRIES: usize = 3;

/// Returns the shortest conversation with a finding that is reached within `time`; `None` if no act can be left out.
pub fn shrink(program: &Path, folder: &Path, acts: &[Act], time: Duration) -> Option<Finding> {
    let started = Instant::now();
    let fails = |acts: &[Act]| (0..TRIES).find_map(|_| hold(program, folder, acts).ok().flatten());
    let mut acts = acts.to_vec();
    let mut found = None;
    let mut length = acts.len().div_ceil(2);
    while length > 0 {
        let mut at = 0;
        while at < acts.len() {
            if started.elapsed() > time {
                return found;
            }
            let mut shorter = acts.clone();
            shorter.drain(at..(at + length).min(acts.len()));
            if let Some(finding) = fails(&shorter) {
                (acts, found) = (shorter, Some(finding));
            } else {
                at += length;
            }
        }
        length /= 2;
    }
    found
}
