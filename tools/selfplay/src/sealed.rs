//! Sealed file: a header and data after a magic, with a sum that detects any damage.
//!
//! ```text
//!  magic                 8 bytes
//!  length of the header  4 bytes, little-endian
//!  header                JSON
//!  data
//!  sum                   8 bytes: xxh3 of everything before
//! ```

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use twox_hash::XxHash3_64;

pub(crate) const SUM_BYTES: usize = 8;

/// Encodes a file; its data are the parts one after the other.
///
/// # Errors
/// If the header is too long or cannot be written as JSON.
pub fn seal<'a>(
    magic: &[u8; 8],
    header: &impl Serialize,
    parts: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<u8>> {
    let header = serde_json::to_vec(header)?;
    let mut file = [magic.as_slice(), &u32::try_from(header.len())?.to_le_bytes(), &header].concat();
    parts.into_iter().for_each(|part| file.extend_from_slice(part));
    file.extend_from_slice(&XxHash3_64::oneshot(&file).to_le_bytes());
    Ok(file)
}

/// Splits a file into the bytes of its header and its data; `kind` names it in messages.
///
/// # Errors
/// If the file has another magic or is damaged.
pub fn open<'a>(magic: &[u8; 8], file: &'a [u8], kind: &str) -> Result<(&'a [u8], &'a [u8])> {
    ensure!(file.starts_with(magic), "no {kind}");
    let cut = "damaged: it is cut off";
    let (body, sum) = file.split_last_chunk::<SUM_BYTES>().context(cut)?;
    ensure!(XxHash3_64::oneshot(body) == u64::from_le_bytes(*sum), "damaged: wrong checksum");
    let rest = body.strip_prefix(magic.as_slice()).context(cut)?;
    let (length, rest) = rest.split_first_chunk().context(cut)?;
    rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length))?).context(cut)
}
