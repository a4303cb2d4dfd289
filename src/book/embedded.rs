//! The book that is part of the program, made by its own analysis: `ci/book.sh` has the command.

use super::format::Record;

/// Bytes that begin where a record may begin.
#[repr(C)]
struct Aligned<T: ?Sized> {
    start: [Record; 0],
    bytes: T,
}

static BOOK: &Aligned<[u8]> = &Aligned { start: [], bytes: *include_bytes!("embedded.book") };

/// The file as it is on disk, aligned for records.
pub(super) fn bytes() -> &'static [u8] {
    let Aligned { start: [], bytes } = BOOK;
    bytes
}
