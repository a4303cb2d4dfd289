//! Archive of tables in one file: for each table its packed length in bytes as a little-endian `u32`, and a zlib stream of the
//! table file.

use std::io::{self, Read, Write};

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::error::Fault;
use super::format::MAGIC;

/// Largest unpacked file, in bytes.
const LARGEST: usize = 1 << 24;

/// Compression level of zlib: the highest, since an archive is packed once.
const EFFORT: u8 = 10;

/// Appends a table file to an archive.
///
/// # Errors
/// If it cannot be written.
pub fn write_packed(out: &mut impl Write, file: &[u8]) -> io::Result<()> {
    let packed = compress_to_vec_zlib(file, EFFORT);
    let length = u32::try_from(packed.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&packed)
}

/// Whether `file` begins with a packed table, valid or not. Reads no further than that table.
///
/// # Errors
/// If it cannot be read.
pub fn is_packed(mut file: impl Read) -> io::Result<bool> {
    let mut length = vec![];
    file.by_ref().take(size_of::<u32>() as u64).read_to_end(&mut length)?;
    let Ok(length) = <[u8; size_of::<u32>()]>::try_from(length) else { return Ok(false) };
    let length = u32::from_le_bytes(length);
    // The magic of another file would be a length beyond all tables.
    if length as usize > LARGEST {
        return Ok(false);
    }
    let mut packed = vec![];
    file.take(length.into()).read_to_end(&mut packed)?;
    Ok(decompress_to_vec_zlib_with_limit(&packed, LARGEST).is_ok_and(|table| table.starts_with(&MAGIC)))
}

/// Unpacks the files of an archive.
pub(super) fn files(archive: &[u8]) -> impl Iterator<Item = Result<Vec<u8>, Fault>> {
    let mut rest = archive;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let found = split(rest);
        rest = found.as_ref().map_or(&[], |(_, more)| *more);
        let unpacked = |packed| decompress_to_vec_zlib_with_limit(packed, LARGEST).map_err(|_| Fault::Body);
        Some(found.and_then(|(packed, _)| unpacked(packed)))
    })
}

/// Splits an archive into its first stream and the rest.
fn split(archive: &[u8]) -> Result<(&[u8], &[u8]), Fault> {
    let found = archive.len() as u64;
    let truncated = |expected| Fault::Truncated { found, expected };
    let (length, more) = archive.split_first_chunk().ok_or_else(|| truncated(size_of::<u32>() as u64))?;
    let length = u32::from_le_bytes(*length);
    let streams = usize::try_from(length).ok().and_then(|length| more.split_at_checked(length));
    streams.ok_or_else(|| truncated(size_of::<u32>() as u64 + u64::from(length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_and_what_is_cut_is_noticed() {
        let mut archive = vec![];
        let contents: [&[u8]; 3] = [b"one", b"", &[7; 100_000]];
        contents.iter().for_each(|file| write_packed(&mut archive, file).unwrap());
        let unpacked: Vec<Vec<u8>> = files(&archive).map(Result::unwrap).collect();
        assert_eq!(unpacked, contents);
        for cut in [1, 4, 5, archive.len() - 1] {
            assert!(files(&archive[..cut]).any(|file| file.is_err()), "{cut}");
        }
        archive[6] ^= 0x55;
        assert!(files(&archive).any(|file| file.is_err()));
    }
}
