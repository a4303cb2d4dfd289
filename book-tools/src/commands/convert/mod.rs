//! `convert`: between Chuhe's books, `BOOK.DAT`, the databases of interfaces, and text.

mod eleeye;
mod losses;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chuhe::board::Position;
use chuhe::book::{About, EleEyeRecord, Record, Source, Symmetry, canonical};
use chuhe_games::replace::{write_bytes, write_with};
use clap::Args;

use super::outputs;
use super::position::read_fen;
use crate::binghe::{self, Database, Dialect, Keys, without_causes};
use crate::catalogue::Catalogue;
use crate::entry::{Entry, entries};
use crate::file;
use crate::progress::Progress;
use crate::text;
use crate::walk::{Node, explore, moves_to_follow, symmetry};
use losses::Losses;

/// Convert a BOOK.DAT, an interface's database or a text to a book, or the reverse
///
/// The input format is detected from the contents, the output format from the name: `.dat` for ElephantEye, `.obk` for Binghe,
/// `.pfBook` for public-Xiangqi, `.txt` for text, `.book` or no extension for Chuhe's own format.
///
/// A BOOK.DAT keeps its short keys and nothing is lost either way, unless `--rekey` searches its positions from the start
/// and gives them Chuhe's keys.
///
/// The keys of a database are made from a table that all programs share; `--keys` names a file with another one: 14 x 256
/// hexadecimal numbers, pieces in the order KABNRCPkabnrcp, 16 x 16 squares each, `#` for comments. A database does not contain
/// its positions, so they are searched from the start, over all moves that lead to one. A win adds 2 to a weight and a draw 1;
/// scores are centipawns for the mover.
///
/// Losses are counted and reported, and with any loss nothing is written unless `--allow-loss` is given.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools convert BOOK.DAT eleeye.book
  book-tools convert BOOK.DAT native.book --rekey --allow-loss
  book-tools convert my.book my.dat
  book-tools convert shared.obk my.book
  book-tools convert my.book my.pfBook")]
pub(super) struct Convert {
    /// A book, a BOOK.DAT, a .obk, a .pfBook, or the output of `dump`
    from: PathBuf,
    /// File to write
    to: PathBuf,
    /// Give Chuhe's own keys to all positions that can be reached from the start by moves of the book
    #[arg(long)]
    rekey: bool,
    /// Keep Red and Black apart in a book with Chuhe's own keys, for books that are not meant for both sides
    #[arg(long)]
    one_sided: bool,
    /// Search positions from here too, not only from the start; may be repeated
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,
    /// Table of keys for a .obk or a .pfBook, instead of the shared one
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Write the new file even if something is lost
    #[arg(long)]
    allow_loss: bool,
}

/// Input of a conversion.
enum Input<'a> {
    /// Records without positions.
    Text(About, Vec<Record>),
    Book(Source),
    Database(Database<'a>),
}

impl Input<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Text(_, records) => records.len(),
            Self::Book(book) => book.len(),
            Self::Database(database) => database.len(),
        }
    }

    /// Whether the keys are those of ElephantEye.
    fn is_eleeye(&self) -> bool {
        match self {
            Self::Text(about, _) => about.symmetry == Symmetry::EleEye,
            Self::Book(Source::Native(book)) => book.layout().about.symmetry == Symmetry::EleEye,
            Self::Book(Source::EleEye(_)) => true,
            Self::Book(Source::Binghe(_)) | Self::Database(_) => false,
        }
    }
}

/// Start of the search for positions, and the symmetry that identifies them.
struct SearchStart {
    starts: Vec<Position>,
    symmetry: Symmetry,
}

/// Output of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Native,
    Text,
    Dat,
    Database(Dialect),
}

impl Target {
    fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        Ok(match ending.to_ascii_lowercase().as_str() {
            "dat" => Self::Dat,
            "txt" => Self::Text,
            "book" | "" => Self::Native,
            other => Self::Database(
                Dialect::of_ending(other)
                    .with_context(|| format!("{}: neither .book nor .dat, .txt, .obk or .pfBook", path.display()))?,
            ),
        })
    }
}

impl Convert {
    pub(super) fn run(self) -> Result<()> {
        let target = Target::of(&self.to)?;
        let inputs: Vec<&Path> = [&self.from].into_iter().chain(&self.keys).map(PathBuf::as_path).collect();
        outputs::check(&self.to, &inputs)?;
        let keys = self.keys.as_deref().map_or_else(|| Ok(Keys::shared()), Keys::open)?;
        let mut input = self.read(&keys)?;
        self.check_options(&input, target)?;
        let all = input.len();
        let mut losses = Losses::default();
        let written = match target {
            Target::Native | Target::Text => {
                let (about, records) = self.records(&mut input, &mut losses)?;
                if target == Target::Native {
                    losses.repeated = file::repeated(&records);
                }
                self.allow(&losses, &input)?;
                self.write_records(about, records, target)?
            }
            Target::Dat => self.write_dat(&mut input, &mut losses)?,
            Target::Database(dialect) => self.write_database(&mut input, dialect, &keys, &mut losses)?,
        };
        say!("{}: {written} moves of {all}", self.to.display())?;
        for loss in self.describe(&losses, &input) {
            say!("{}: lost {loss}", self.to.display())?;
        }
        Ok(())
    }

    /// Returns what is lost, one line per reason.
    fn describe(&self, losses: &Losses, input: &Input) -> Vec<String> {
        match input {
            Input::Text(..) => losses.describe(None, None),
            Input::Book(book) => losses.describe(losses.has_walked().then_some(book), None),
            Input::Database(database) => losses.describe(None, Some(database)),
        }
    }

    /// Fails if something is lost, unless that is allowed.
    fn allow(&self, losses: &Losses, input: &Input) -> Result<()> {
        let describe = self.describe(losses, input);
        ensure!(
            self.allow_loss || describe.is_empty(),
            "{}: not written, for it would be without {}; --allow-loss writes it nevertheless",
            self.to.display(),
            describe.join(", and without ")
        );
        Ok(())
    }

    fn read<'a>(&self, keys: &'a Keys) -> Result<Input<'a>> {
        let place = || format!("{}: cannot be read", self.from.display());
        let mut start = vec![];
        chuhe::file::open(&self.from).with_context(place)?.take(64).read_to_end(&mut start).with_context(place)?;
        if text::is_text(&start) {
            let bytes = chuhe::file::read(&self.from).with_context(place)?;
            let text = String::from_utf8(bytes).with_context(|| format!("{}: not UTF-8", self.from.display()))?;
            let (about, records) = text::read(&text).with_context(|| self.from.display().to_string())?;
            return Ok(Input::Text(about, records));
        }
        if binghe::is_database(&start) {
            return Ok(Input::Database(Database::open(&self.from, keys)?));
        }
        Ok(Input::Book(file::open(&self.from)?))
    }

    /// Rejects options without effect.
    fn check_options(&self, input: &Input, target: Target) -> Result<()> {
        let is_database = matches!(input, Input::Database(_)) || matches!(target, Target::Database(_));
        let can_have_ours = matches!(target, Target::Native | Target::Text);
        let can_rekey = can_have_ours && input.is_eleeye();
        let makes_keys = can_have_ours && matches!(input, Input::Database(_)) || self.rekey && can_rekey;
        let walks = is_database || makes_keys || target == Target::Dat && !input.is_eleeye();
        ensure!(self.keys.is_none() || is_database, "--keys: neither file is a database");
        ensure!(
            !self.rekey || can_rekey,
            "--rekey: only keys of ElephantEye are made ours, and only in our own formats"
        );
        ensure!(!self.one_sided || makes_keys, "--one-sided: the keys stay what they are");
        ensure!(self.fen.is_empty() || walks, "--fen: no positions are looked for");
        Ok(())
    }

    /// Returns the positions to search from.
    fn search_start(&self, symmetry: Symmetry) -> Result<SearchStart> {
        let more = self.fen.iter().map(|fen| read_fen(fen));
        let starts = std::iter::once(Ok(Position::start())).chain(more).collect::<Result<_>>()?;
        Ok(SearchStart { starts, symmetry })
    }

    /// Visits every reachable position, including those after forbidden moves, with its entries in the input.
    fn each_position(
        &self,
        input: &mut Input,
        from: &SearchStart,
        losses: &mut Losses,
        mut visit: impl FnMut(&Position, &[Entry], &mut Losses) -> Result<()>,
    ) -> Result<()> {
        losses.begin_walk();
        let mut progress = Progress::new(input.len());
        match input {
            Input::Text(..) => bail!("{}: a text has no positions; make a book of it first", self.from.display()),
            Input::Book(book) => {
                let catalogue = Catalogue::new(book);
                explore(&from.starts, from.symmetry, |Node { position, .. }, is_new| {
                    losses.reach(book, position);
                    let entries = entries(book, position);
                    visit(position, &entries, losses)?;
                    progress.step(entries.len());
                    let of_book = entries.iter().map(|entry| entry.mv).collect();
                    let others = catalogue.may_know_after(position);
                    Ok(moves_to_follow(position, of_book, others, is_new, |next| catalogue.knows(next)))
                })
            }
            Input::Database(database) => {
                explore::<anyhow::Error>(&from.starts, from.symmetry, |Node { position, .. }, is_new| {
                    let entries = database.entries(position);
                    visit(position, &entries, losses)?;
                    progress.step(entries.len());
                    let of_book = entries.iter().map(|entry| entry.mv).collect();
                    let others = database.may_know_after(position);
                    Ok(moves_to_follow(position, of_book, others, is_new, |next| database.knows(next)))
                })?;
                database.check_keys()
            }
        }
    }

    /// Returns the records of a book in Chuhe's own format.
    fn records(&self, input: &mut Input, losses: &mut Losses) -> Result<(About, Vec<Record>)> {
        match input {
            Input::Database(_) | Input::Book(Source::Binghe(_)) => self.rekeyed(input, losses),
            _ if self.rekey && input.is_eleeye() => self.rekeyed(input, losses),
            Input::Text(about, records) => Ok((*about, std::mem::take(records))),
            Input::Book(Source::Native(book)) => Ok((book.layout().about, book.records().to_vec())),
            Input::Book(Source::EleEye(book)) => {
                let about = About { symmetry: Symmetry::EleEye, ..About::default() };
                Ok((about, eleeye::records(book, &self.from)?))
            }
        }
    }

    /// Returns the reachable records, under Chuhe's own keys. If a book for both sides has the moves of two positions in one
    /// place, those nearer to the start count.
    fn rekeyed(&self, input: &mut Input, losses: &mut Losses) -> Result<(About, Vec<Record>)> {
        let symmetry = if self.one_sided { Symmetry::Mirror } else { Symmetry::MirrorAndColours };
        let mut from = self.search_start(Symmetry::Mirror)?;
        if symmetry == Symmetry::MirrorAndColours {
            // A book for both sides, converted for ElephantEye, has each position twice, once for either colour.
            from.starts.extend(from.starts.clone().iter().map(Position::colours_swapped));
        }
        let mut records = BTreeMap::new();
        self.each_position(input, &from, losses, |position, entries, losses| {
            let (key, frame) = canonical(position, symmetry);
            for record in entries.iter().map(|entry| entry.record(key, frame.apply(entry.mv))) {
                let nearer = records.entry((record.key, record.mv)).or_insert(record);
                losses.exchanged += usize::from(*nearer != record);
            }
            Ok(())
        })?;
        Ok((About { symmetry, ..About::default() }, records.into_values().collect()))
    }

    fn write_records(&self, about: About, records: Vec<Record>, target: Target) -> Result<u64> {
        if target == Target::Native {
            return file::write(&self.to, about, file::in_order(records).into_iter().map(Ok));
        }
        let mut lines = text::header(&about) + "\n";
        for record in &records {
            lines += &text::line(record);
            lines.push('\n');
        }
        write_bytes(&self.to, lines.as_bytes())?;
        Ok(records.len() as u64)
    }

    fn write_dat(&self, input: &mut Input, losses: &mut Losses) -> Result<u64> {
        let mut found: Vec<EleEyeRecord> = if input.is_eleeye() {
            let (_, records) = self.records(input, losses)?;
            losses.forbidden += records.iter().filter(|record| record.is_forbidden()).count();
            losses.scores += records.iter().filter(|it| !it.is_forbidden() && it.eval().is_some()).count();
            records.iter().filter_map(eleeye::record).collect()
        } else {
            self.eleeye_records(input, losses)?
        };
        found.sort_by_key(EleEyeRecord::order);
        let all = found.len();
        found.dedup_by_key(|record| record.order());
        losses.collisions += all - found.len();
        if found.is_empty() {
            bail!("{}: no move can be written for ElephantEye", self.from.display());
        }
        self.allow(losses, input)?;
        write_bytes(&self.to, bytemuck::cast_slice(&found))?;
        Ok(found.len() as u64)
    }

    /// Returns the moves of all reachable positions, under ElephantEye's keys.
    fn eleeye_records(&self, input: &mut Input, losses: &mut Losses) -> Result<Vec<EleEyeRecord>> {
        let symmetry = if let Input::Book(book) = input { symmetry(book) } else { Symmetry::Mirror };
        let mut found = vec![];
        self.each_position(input, &self.search_start(symmetry)?, losses, |position, entries, losses| {
            losses.leave_for_dat(entries);
            found.extend(eleeye::of_position(position, entries));
            // A book for both sides applies to two positions, which ElephantEye keeps apart.
            if symmetry == Symmetry::MirrorAndColours {
                let swapped: Vec<_> = entries.iter().map(eleeye::swapped).collect();
                found.extend(eleeye::of_position(&position.colours_swapped(), &swapped));
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Writes every reachable position in its own orientation: readers of a database look up the mirror image too.
    fn write_database(&self, input: &mut Input, dialect: Dialect, keys: &Keys, losses: &mut Losses) -> Result<u64> {
        let from = self.search_start(Symmetry::Mirror)?;
        let written = write_with(&self.to, |path| {
            binghe::write(path, dialect, |enter| {
                self.each_position(input, &from, losses, |position, entries, _| {
                    let key = keys.of(position);
                    entries.iter().try_for_each(|entry| enter(key, entry))
                })?;
                self.allow(losses, input)
            })
        });
        // Other errors name the input file.
        written.map_err(|error| match error.is::<rusqlite::Error>() {
            true => without_causes(error).context(format!("{}: cannot be written", self.to.display())),
            false => error,
        })
    }
}
