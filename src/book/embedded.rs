//! The embedded book, made by the engine's own analysis: `ci/book.sh` has the command.

use super::format::Record;

/// Bytes aligned for records.
#[repr(C)]
struct Aligned<T: ?Sized> {
    start: [Record; 0],
    bytes: T,
}

static BOOK: &Aligned<[u8]> = &Aligned { start: [], bytes: *include_bytes!("embedded.book") };

/// The bytes of the file, aligned for records.
pub(super) fn bytes() -> &'static [u8] {
    let Aligned { start: [], bytes } = BOOK;
    bytes
}
