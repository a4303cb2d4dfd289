//! Chunk: consecutive games of a run in one file, with everything they depend on.
//!
//! The file is [sealed]; its data are the compressed streams (zstd) in the order of the header, or the games [packed](pack). The
//! header holds a hash of the uncompressed streams, which is equal wherever and whenever the same games are made, and in both
//! forms.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use chuhe::file;
use chuhe_games::json;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use crate::game::Game;
use crate::pack;
use crate::recipe::Recipe;
use crate::sealed;
use crate::streams::{NAMES, Reader, STREAMS, Streams};

const MAGIC: &[u8; 8] = b"CHUHESP\n";

/// Version of the format with compressed streams.
pub const VERSION: u32 = 1;

/// Version of the format with packed games.
pub const PACKED_VERSION: u32 = 2;

/// Name of the stream of a packed chunk.
const PACKED: &str = "packed";

/// Compression level of zstd, which costs a few seconds for an hour of games.
const LEVEL: i32 = 19;

/// Maximum length of an uncompressed stream, in bytes; a header that claims more is rejected.
const LONGEST_STREAM: u64 = 1 << 31;

/// Context of errors in files that are intact, but inconsistent.
const INVALID: &str = "invalid chunk";

/// Header of a chunk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the format: [`VERSION`] or [`PACKED_VERSION`].
    pub version: u32,
    /// Number of the first game.
    pub first: u64,
    /// Number of games.
    pub games: u64,
    /// Number of positions with scores.
    pub positions: u64,
    /// Recipe of the games.
    pub recipe: Recipe,
    /// Hash (xxh3, 128 bits) of the uncompressed streams and their lengths, in order.
    pub contents: String,
    /// Streams in the order of the file.
    pub streams: Vec<Stream>,
    /// Packing of the games, if they are packed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packing: Option<Packing>,
}

/// Packing of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Packing {
    /// Version of the model: [`pack::MODEL`].
    pub model: u32,
}

/// One stream of a chunk.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// Name of the stream.
    pub name: String,
    /// Uncompressed size, in bytes.
    pub bytes: u64,
    /// Compressed size in the file, in bytes.
    pub stored: u64,
}

/// A chunk in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The header.
    pub header: Header,
    /// Games in the order of their numbers.
    pub games: Vec<Game>,
}

impl Chunk {
    /// Creates a chunk of consecutive games of a recipe.
    ///
    /// # Panics
    /// If the numbers of the games are not consecutive.
    pub fn new(recipe: &Recipe, games: Vec<Game>) -> Self {
        let first = games.first().map_or(0, |game| game.number);
        assert!((first..).zip(&games).all(|(number, game)| game.number == number), "the games are successive");
        let streams = streams(&games);
        let header = Header {
            version: VERSION,
            first,
            games: games.len() as u64,
            positions: games.iter().map(|game| game.moves.len() as u64).sum(),
            recipe: recipe.clone(),
            contents: contents(&streams.bytes),
            streams: vec![],
            packing: None,
        };
        Self { header, games }
    }

    /// Encodes the chunk as the bytes of a file.
    ///
    /// # Errors
    /// If the memory for the compression cannot be allocated.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let streams = streams(&self.games);
        let compressed = streams.bytes.iter().map(|bytes| zstd::bulk::compress(bytes, LEVEL));
        let stored = compressed.collect::<Result<Vec<_>, _>>()?;
        let describe = |((&name, bytes), stored): ((&&str, &Vec<u8>), &Vec<u8>)| Stream {
            name: name.to_owned(),
            bytes: bytes.len() as u64,
            stored: stored.len() as u64,
        };
        let described = NAMES.iter().zip(&streams.bytes).zip(&stored).map(describe).collect();
        let header = Header { streams: described, ..self.header.clone() };
        sealed::seal(MAGIC, &header, stored.iter().map(Vec::as_slice))
    }

    /// Encodes the chunk as the bytes of a packed file.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn to_packed_bytes(&self) -> Result<Vec<u8>> {
        let packed = pack::pack(&self.games, &self.header.recipe)?;
        let bytes = packed.len() as u64;
        let header = Header {
            version: PACKED_VERSION,
            streams: vec![Stream { name: PACKED.to_owned(), bytes, stored: bytes }],
            packing: Some(Packing { model: pack::MODEL }),
            ..self.header.clone()
        };
        sealed::seal(MAGIC, &header, [packed.as_slice()])
    }

    /// Reads a chunk and checks all sums.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or is not a chunk.
    pub fn read(path: &Path) -> Result<Self> {
        Self::from_bytes(&file::read(path)?)
    }

    /// Reads a chunk all of whose moves are legal.
    ///
    /// # Errors
    /// As [`Chunk::read`], or the first illegal move; names the file.
    pub fn read_legal(path: &Path) -> Result<Self> {
        let chunk = Self::read(path).with_context(|| path.display().to_string())?;
        for game in &chunk.games {
            if let Err((ply, mv)) = game.legal() {
                bail!("{}: game {}: ply {ply}: {mv} is illegal", path.display(), game.number);
            }
        }
        Ok(chunk)
    }

    /// Decodes a chunk from the bytes of [`Chunk::to_bytes`] or [`Chunk::to_packed_bytes`].
    ///
    /// # Errors
    /// If the bytes are damaged or not a chunk.
    pub fn from_bytes(file: &[u8]) -> Result<Self> {
        let (header, stored) = parse(file)?;
        let games = decode(&header, stored).context(INVALID)?;
        Ok(Self { header: Header { version: VERSION, streams: vec![], packing: None, ..header }, games })
    }
}

impl Header {
    /// Reads the header of a file after checking the sum of the whole file; the games are not decoded.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged or is not a chunk.
    pub fn read(path: &Path) -> Result<Self> {
        Ok(parse(&file::read(path)?)?.0)
    }

    /// Number after that of the last game.
    pub fn end(&self) -> u64 {
        self.first.saturating_add(self.games)
    }
}

fn streams(games: &[Game]) -> Streams {
    let mut streams = Streams::default();
    games.iter().for_each(|game| streams.push(game));
    streams
}

/// Hash of the streams. Their lengths are hashed too, so that no byte can move from one to the next.
fn contents(streams: &[Vec<u8>; STREAMS]) -> String {
    let mut hash = XxHash3_128::new();
    for bytes in streams {
        hash.write(&(bytes.len() as u64).to_le_bytes());
        hash.write(bytes);
    }
    format!("{:032x}", hash.finish_128())
}

/// Splits an undamaged file into its header and compressed streams.
fn parse(file: &[u8]) -> Result<(Header, &[u8])> {
    let (header, stored) = sealed::open(MAGIC, file, "chunk of games")?;
    Ok((read_header(header).context(INVALID)?, stored))
}

fn read_header(bytes: &[u8]) -> Result<Header> {
    let header: Header = json::read(bytes).context("its header")?;
    let version = header.version;
    ensure!(
        version == VERSION || version == PACKED_VERSION,
        "its version is {version}, this program reads {VERSION} and {PACKED_VERSION}"
    );
    ensure!(
        (version == PACKED_VERSION) == header.packing.is_some(),
        "its version is {version}, its games are of another"
    );
    Ok(header)
}

fn decode(header: &Header, stored: &[u8]) -> Result<Vec<Game>> {
    if let Some(packing) = &header.packing {
        return unpack(header, packing, stored);
    }
    let streams = decompress(header, stored)?;
    ensure!(contents(&streams) == header.contents, "its contents do not match its header");
    let mut reader = Reader::new(streams.each_ref().map(Vec::as_slice));
    let games = (header.first..header.end()).map(|number| reader.next(number)).collect::<Result<_, _>>()?;
    ensure!(reader.is_at_end(), "there are more games than it says");
    Ok(games)
}

fn unpack(header: &Header, packing: &Packing, stored: &[u8]) -> Result<Vec<Game>> {
    let [Stream { name, bytes, stored: length }] = header.streams.as_slice() else { bail!("its streams are others") };
    ensure!(name == PACKED && bytes == length && *length == stored.len() as u64, "its streams are others");
    ensure!(packing.model == pack::MODEL, "its model is {}, this program reads {}", packing.model, pack::MODEL);
    let games = pack::unpack(stored, &header.recipe, header.first..header.end(), header.positions)?;
    ensure!(contents(&streams(&games).bytes) == header.contents, "its contents do not match its header");
    Ok(games)
}

fn decompress(header: &Header, mut stored: &[u8]) -> Result<[Vec<u8>; STREAMS]> {
    ensure!(header.streams.iter().map(|stream| stream.name.as_str()).eq(NAMES), "its streams are others");
    let mut streams = [const { Vec::new() }; STREAMS];
    for (stream, target) in header.streams.iter().zip(&mut streams) {
        let length = usize::try_from(stream.stored).unwrap_or(usize::MAX);
        let part = stored.split_off(..length).context("its streams are shorter than it says")?;
        ensure!(stream.bytes <= LONGEST_STREAM, "a stream is too long");
        let bytes = usize::try_from(stream.bytes)?;
        *target = zstd::bulk::decompress(part, bytes)?;
        ensure!(target.len() == bytes, "a stream is shorter than it says");
    }
    ensure!(stored.is_empty(), "something lies after its streams");
    Ok(streams)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::tests::quick;
    use crate::sealed::SUM_BYTES;
    use crate::streams::tests::any_game;
    use proptest::prelude::*;
    use std::sync::LazyLock;
    use twox_hash::XxHash3_64;

    fn any_chunk() -> impl Strategy<Value = Chunk> {
        (0..5_u64, 0..1_000_000_u64).prop_flat_map(|(games, first)| {
            let games: Vec<_> = (first..first + games).map(any_game).collect();
            (any::<u64>(), games).prop_map(|(seed, games)| Chunk::new(&quick(seed), games))
        })
    }

    static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let moves = [("h7e7", -20), ("e2e6", 31), ("d9e8", -90), ("a0a1", 60)];
        let game = crate::game::tests::game("h2e2", &moves);
        Chunk::new(&quick(1), vec![game.clone(), Game { number: game.number + 1, ..game }]).to_bytes().unwrap()
    });

    /// Replaces the sum of the file by the correct one.
    fn summed(mut file: Vec<u8>) -> Vec<u8> {
        file.truncate(file.len() - SUM_BYTES);
        let sum = XxHash3_64::oneshot(&file).to_le_bytes();
        file.extend_from_slice(&sum);
        file
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn chunks_survive_their_file(chunk in any_chunk()) {
            let file = chunk.to_bytes().unwrap();
            prop_assert_eq!(&Chunk::from_bytes(&file).unwrap(), &chunk);
            prop_assert_eq!(chunk.to_bytes().unwrap(), file);
        }
    }

    proptest! {
        #[test]
        fn several_altered_bytes_are_found(changes in prop::collection::vec((any::<prop::sample::Index>(), 1..=255_u8), 1..4)) {
            let mut file = SMALL.clone();
            for (at, by) in changes {
                let at = at.index(file.len());
                file[at] = file[at].wrapping_add(by);
            }
            prop_assert!(file == *SMALL || Chunk::from_bytes(&file).is_err());
        }

        #[test]
        fn a_chunk_made_senseless_on_purpose_is_an_error_and_no_more(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut file = SMALL.clone();
            for (at, byte) in changes {
                let at = at.index(file.len());
                file[at] = byte;
            }
            drop(Chunk::from_bytes(&summed(file)));
        }
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_found() {
        for at in 0..SMALL.len() {
            assert!(Chunk::from_bytes(&SMALL[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut file = SMALL.clone();
                file[at] ^= 1 << bit;
                assert!(Chunk::from_bytes(&file).is_err(), "bit {bit} of byte {at}");
                assert!(parse(&file).is_err(), "bit {bit} of byte {at}, the header alone");
            }
        }
    }

    #[test]
    fn the_hash_is_of_contents_and_nothing_else() {
        let chunk = Chunk::from_bytes(&SMALL).unwrap();
        let other = Chunk::new(&quick(2), chunk.games.clone());
        assert_eq!(other.header.contents, chunk.header.contents);
        let mut games = chunk.games.clone();
        games[1].moves[2].score += 1;
        assert_ne!(Chunk::new(&quick(1), games).header.contents, chunk.header.contents);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |file: &[u8]| format!("{:#}", Chunk::from_bytes(file).unwrap_err());
        assert_eq!(error(b"CHUHESQ\n and more"), "no chunk of games");
        assert_eq!(error(&SMALL[..SMALL.len() - 1]), "damaged: wrong checksum");
        assert_eq!(error(MAGIC), "damaged: wrong checksum");
        let text = String::from_utf8_lossy(&SMALL).find("\"version\":1").unwrap();
        let mut newer = SMALL.clone();
        newer[text + 10] = b'3';
        assert_eq!(error(&summed(newer)), "invalid chunk: its version is 3, this program reads 1 and 2");
    }
}
