//! Lists of files as users write them: names as the system's raw bytes, separated by semicolons.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The names of a list, trimmed; empty ones are left out.
///
/// Trailing bytes of characters in GBK and GB18030 are digits or lie above 0x3F, those in UTF-8 above 0x7F: none of
/// them is a semicolon, so names in any of these encodings are split correctly.
pub(crate) fn names(list: &OsStr) -> impl Iterator<Item = &Path> {
    let names = list.as_bytes().split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
    names.filter(|name| !name.is_empty()).map(|name| Path::new(OsStr::from_bytes(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_at_semicolons_and_keeps_every_byte() {
        // A folder and a file in GBK, among whose second bytes are a backslash and a bar.
        let list = OsStr::from_bytes(b" /\xcf\xf3 \xc6\xe5/\x81\x5c\x81\x7c.dat ;; b;\t");
        let found: Vec<&[u8]> = names(list).map(|name| name.as_os_str().as_bytes()).collect();
        assert_eq!(found, [b"/\xcf\xf3 \xc6\xe5/\x81\x5c\x81\x7c.dat".as_slice(), b"b"]);
        assert_eq!(names(OsStr::new(" ; ;")).count(), 0);
    }
}
