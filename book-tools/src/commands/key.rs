//! `key`: the keys of a position.

use std::path::PathBuf;

use anyhow::Result;
use chuhe::book::{Locks, Symmetry, canonical};
use clap::Args;
use serde_json::json;

use super::position::PositionArguments;
use crate::binghe::Keys;

/// Show the keys of a position
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools key 炮二平五
  book-tools key --fen 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b' --json")]
pub(super) struct Key {
    #[command(flatten)]
    position: PositionArguments,
    /// Table of keys for a .obk or a .pfBook, instead of the shared one; see `convert`
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

impl Key {
    pub(super) fn run(self) -> Result<()> {
        let position = self.position.read()?;
        let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
        let (one_sided, one_sided_frame) = canonical(&position, Symmetry::Mirror);
        let locks = Locks::of(&position);
        let mirror = Locks::of(&position.mirrored());
        let keys = self.keys.as_deref().map_or_else(|| Ok(Keys::shared()), Keys::open)?;
        let [binghe, binghe_mirror] = [keys.of(&position), keys.of(&position.mirrored())];
        if self.json {
            let value = json!({
                "fen": position.to_fen(),
                "key": format!("{key:016x}"),
                "swapped": frame.is_swapped(),
                "mirrored": frame.is_mirrored(),
                "one_sided_key": format!("{one_sided:016x}"),
                "one_sided_mirrored": one_sided_frame.is_mirrored(),
                "eleeye": format!("{:08x}", locks.lock1),
                "eleeye_mirrored": format!("{:08x}", mirror.lock1),
                "binghe": format!("{binghe:016x}"),
                "binghe_mirrored": format!("{binghe_mirror:016x}"),
            });
            say!("{value}")?;
            return Ok(());
        }
        let yes = |flag: bool| if flag { "yes" } else { "no" };
        say!("{}", position.to_fen())?;
        let (swapped, mirrored) = (yes(frame.is_swapped()), yes(frame.is_mirrored()));
        say!("key        {key:016x}  colours exchanged: {swapped}, mirrored: {mirrored}")?;
        say!("one-sided  {one_sided:016x}  mirrored: {}", yes(one_sided_frame.is_mirrored()))?;
        say!("BOOK.DAT   {:08x}, its mirror {:08x}", locks.lock1, mirror.lock1)?;
        say!(".obk       {binghe:016x}, its mirror {binghe_mirror:016x}")?;
        Ok(())
    }
}
