//! Substitute for `memory.rs` under miri and loom, which cannot map memory.
//!
//! Lines are built one by one, which is slow, so there are fewer of them.

use std::io;
use std::ops::Deref;

use super::line::Line;

/// Lines on the heap.
pub(super) struct Lines(Vec<Line>);

/// Number of lines in a mapped table for each line here.
const SCALE: usize = 64;

impl Lines {
    pub(super) fn new(len: usize) -> io::Result<Self> {
        let mut lines = Vec::new();
        lines.try_reserve_exact(len / SCALE).map_err(|_| io::ErrorKind::OutOfMemory)?;
        lines.resize_with(len / SCALE, Line::empty);
        Ok(Self(lines))
    }

    pub(super) fn touch(&mut self, _threads: usize) {}

    pub(super) fn clear(&mut self, _threads: usize) {
        self.0.fill_with(Line::empty);
    }
}

impl Deref for Lines {
    type Target = [Line];

    fn deref(&self) -> &[Line] {
        &self.0
    }
}

pub(super) fn prefetch(_: &Line) {}
