//! Set of endgame tablebases from several folders, and probing of positions.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::{fmt, fs};

use super::archive;
use super::distances::{DISTANCES_EXTENSION, Distances};
use super::error::{Fault, TableError};
use super::index::Index;
use super::material::Material;
use super::results::{Outcome, RESULTS_EXTENSION, Results};
use crate::board::{Position, Side, Variant};
use crate::file;
use crate::splitmix::mix;

/// Most folders in a list: user input could name hundreds of thousands.
const MOST_FOLDERS: usize = 64;

/// Archive of the embedded tables; the manual's page on endgame tablebases has the command that makes it.
static EMBEDDED: &[u8] = include_bytes!("embedded.tables");

/// Set of tables, by material.
#[derive(Default)]
pub struct Tables {
    tables: HashMap<Material, Table>,
    /// Most attackers in any table.
    most_across: u32,
    /// Sum over the hashes of the tables.
    id: u64,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("len", &self.len()).field("id", &self.id).finish_non_exhaustive()
    }
}

/// Tables of one material.
struct Table {
    results: Results,
    distances: Option<Distances>,
}

impl Tables {
    /// Creates an empty set.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Returns the embedded tables, packed by `chuhe-endgame pack`. They are unpacked on first use.
    ///
    /// # Panics
    /// Never: a test checks that the embedded tables are valid.
    pub fn embedded() -> &'static Arc<Self> {
        static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| {
            let mut tables = Tables::empty();
            tables.add_embedded();
            Arc::new(tables)
        });
        &TABLES
    }

    /// Opens the tables of a list of at most 64 folders, separated by semicolons. The first table of a material counts; the
    /// embedded ones come last. Tables that cannot be used are skipped and reported. Relative names are searched beside the
    /// program, then in the working directory.
    pub fn open(folders: &OsStr) -> (Self, Vec<TableError>) {
        let mut tables = Self::empty();
        let mut errors = vec![];
        for (number, folder) in file::names(folders).enumerate() {
            if number == MOST_FOLDERS {
                errors.push(TableError { path: folder.to_owned(), fault: Fault::TooMany(MOST_FOLDERS) });
                break;
            }
            errors.extend(tables.add_folder(&file::beside_program_or_here(folder)));
        }
        tables.add_embedded();
        (tables, errors)
    }

    fn add_embedded(&mut self) {
        self.add_archive(EMBEDDED).expect("what is built in can be used, as a test says");
    }

    /// Adds the tables of an archive. A table that is there already stays, and gets the distances if it has none.
    ///
    /// # Errors
    /// If the archive is damaged.
    pub fn add_archive(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for file in archive::files(bytes) {
            let file = file?;
            match Results::copied(&file) {
                Ok(results) => {
                    results.verify()?;
                    self.add(results);
                }
                Err(Fault::Foreign(_)) => {
                    let distances = Distances::copied(&file)?;
                    distances.verify()?;
                    self.add_distances(distances);
                }
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }

    /// Adds the tables of a folder; files that cannot be used are skipped and reported. Files with other extensions are ignored.
    pub fn add_folder(&mut self, folder: &Path) -> Vec<TableError> {
        let failed = |path: &Path, fault: Fault| TableError { path: path.to_owned(), fault };
        let mut errors = vec![];
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return vec![failed(folder, error.into())],
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == RESULTS_EXTENSION)) {
            if let Err(fault) = self.add_file(path) {
                errors.push(failed(path, fault));
                continue;
            }
            let path = path.with_extension(DISTANCES_EXTENSION);
            if paths.binary_search(&path).is_ok()
                && let Err(fault) = self.add_distances_of(&path)
            {
                errors.push(failed(&path, fault));
            }
        }
        errors
    }

    /// Adds a table of results, unless its material has one already.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid table.
    pub fn add_file(&mut self, path: &Path) -> Result<(), Fault> {
        let results = Results::open(path)?;
        check_name(path, results.index())?;
        self.add(results);
        Ok(())
    }

    fn add(&mut self, results: Results) {
        let material = results.index().material();
        if let Slot::Vacant(slot) = self.tables.entry(material) {
            self.most_across = self.most_across.max(material.attackers().into());
            // Wrapping addition: the order of the tables does not matter.
            self.id = self.id.wrapping_add(mix(results.id()));
            slot.insert(Table { results, distances: None });
        }
    }

    fn add_distances_of(&mut self, path: &Path) -> Result<(), Fault> {
        let distances = Distances::open(path)?;
        check_name(path, distances.index())?;
        self.add_distances(distances);
        Ok(())
    }

    /// Adds the distances of a table that is there already.
    fn add_distances(&mut self, distances: Distances) {
        if let Some(table) = self.tables.get_mut(&distances.index().material()) {
            table.distances.get_or_insert(distances);
        }
    }

    /// Returns a hash that identifies the set of tables.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Whether few enough attackers are left that a table may have the position: a cheap test before a probe.
    pub fn may_know(&self, position: &Position) -> bool {
        // Cheaper than counting all of them where there are many.
        (0..self.most_across).fold(position.attackers(), |left, _| left.without_first()).is_empty()
    }

    /// Number of tables.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether there are no tables.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Returns the materials of the tables, those with few pieces first.
    pub fn materials(&self) -> Vec<Material> {
        let mut materials: Vec<_> = self.tables.keys().copied().collect();
        materials.sort_by_key(|material| (material.piece_count(), *material));
        materials
    }

    /// Returns the results of a material, if they are there.
    pub fn results(&self, material: Material) -> Option<&Results> {
        self.tables.get(&material).map(|table| &table.results)
    }

    /// Returns the distances of a material, if they are there.
    pub fn distances(&self, material: Material) -> Option<&Distances> {
        self.tables.get(&material)?.distances.as_ref()
    }

    /// Probes the outcome for the side to move. Without attackers it is a draw, except in variants that can promote new ones.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.outcome_within(position, None)
    }

    /// Probes the outcome under a move limit: a win or loss counts only if it, or a capture on the way, comes in fewer than
    /// `limit` plies. Returns `None` if that is unknown.
    pub fn outcome_within(&self, position: &Position, limit: Option<u16>) -> Option<Outcome> {
        if position.attackers().is_empty() && position.variant() == Variant::Standard {
            return Some(Outcome::Draw);
        }
        let entry = self.find(position)?;
        let outcome = entry.outcome();
        let is_even = matches!(outcome, Outcome::Draw | Outcome::Open);
        (is_even || limit.is_none_or(|limit| entry.ends_within(limit))).then_some(outcome)
    }

    /// Probes the distance to conversion (DTC): plies to the end of the game or the next capture. Meaningless for draws.
    pub fn distance(&self, position: &Position) -> Option<u16> {
        self.find(position)?.distance()
    }

    /// Finds the entry of a position.
    fn find(&self, position: &Position) -> Option<Entry<'_>> {
        let (material, swapped) = Material::of(position);
        let table = self.tables.get(&material)?;
        let index = table.results.index();
        let number = index.place(&index.placement_of(position, swapped)?)?.number;
        Some(Entry { table, number, mover: if swapped { !position.side() } else { position.side() } })
    }
}

/// Entry of a position in its table.
struct Entry<'a> {
    table: &'a Table,
    /// Number of the placement.
    number: u64,
    /// Side to move, as the table counts the sides.
    mover: Side,
}

impl Entry<'_> {
    fn outcome(&self) -> Outcome {
        self.table.results.outcome(self.mover, self.number)
    }

    fn distance(&self) -> Option<u16> {
        let distances = self.table.distances.as_ref()?;
        let is_there = !distances.knows_losses_alone() || self.outcome() == Outcome::Loss;
        distances.distance(self.mover, self.number).ok().filter(|_| is_there)
    }

    /// Whether the distance is known to be below `limit`. The longest distance of the table, which needs no unpacking, is nearly
    /// always short enough.
    fn ends_within(&self, limit: u16) -> bool {
        let longest = self.table.distances.as_ref().and_then(|distances| distances.longest(self.mover));
        let suffices = |plies: u16| plies < limit;
        longest.is_some_and(suffices) || self.distance().is_some_and(suffices)
    }
}

/// Checks that the file is named after the material in it.
fn check_name(path: &Path, index: &Index) -> Result<(), Fault> {
    let name = index.material().to_string();
    if path.file_stem().is_some_and(|stem| stem == name.as_str()) { Ok(()) } else { Err(Fault::Misnamed(name)) }
}

#[cfg(all(test, not(miri)))]
mod tests {
    use std::fs::File;

    use super::super::distances::write_distances;
    use super::super::results::write_results;
    use super::*;

    /// Writes a table in which the first side to move wins in nine plies and the second draws, for all placements.
    fn write(folder: &Path, name: &str, material: &str) {
        let index = Index::new(material.parse().unwrap()).unwrap();
        let outcome = |mover| if mover == Side::Red { Outcome::Win } else { Outcome::Draw };
        let mut file = File::create(folder.join(name).with_extension(RESULTS_EXTENSION)).unwrap();
        write_results(&mut file, &index, |mover, _| Some(outcome(mover))).unwrap();
        let mut file = File::create(folder.join(name).with_extension(DISTANCES_EXTENSION)).unwrap();
        write_distances(&mut file, &index, |mover, _| if mover == Side::Red { 9 } else { 0 }).unwrap();
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn a_folder_of_tables_knows_its_positions_in_either_colour() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "KR-KA", "KR-KA");
        write(folder.path(), "KP-KP", "KP-KP");
        std::fs::write(folder.path().join("notes.txt"), "no table").unwrap();
        let mut tables = Tables::empty();
        assert!(tables.add_folder(folder.path()).is_empty());
        assert_eq!(tables.len(), 2);
        let rook = position("3k5/4a4/9/9/9/9/9/9/9/R3K4 w");
        for position in [rook, rook.colours_swapped(), rook.mirrored()] {
            assert_eq!(tables.outcome(&position), Some(Outcome::Win));
            assert_eq!(tables.distance(&position), Some(9));
        }
        assert_eq!(tables.outcome(&position("3k5/4a4/9/9/9/9/9/9/9/R3K4 b")), Some(Outcome::Draw));
        assert_eq!(tables.outcome(&position("3k5/9/9/9/9/9/9/9/9/R3K4 b")), None);
        assert_eq!(
            tables.outcome(&position("3k5/4a4/9/9/9/9/9/9/4A4/4KA3 b")),
            Some(Outcome::Draw),
            "there are no attackers"
        );
        let promotion = Position::from_fen_in("3k5/4a4/9/9/9/9/9/9/4A4/4KA3 b", Variant::Promotion).unwrap();
        assert_eq!(tables.outcome(&promotion), None, "advisors may become pawns");
        assert_eq!(tables.outcome(&Position::start()), None);
        assert_eq!(tables.distance(&Position::start()), None);
    }

    #[test]
    fn what_is_built_in_can_be_used_and_is_small() {
        assert!(EMBEDDED.len() <= 300_000);
        let tables = Tables::embedded();
        for attacker in ["R", "N", "C", "P"] {
            for defenders in ["", "A", "B", "AA", "AB", "BB", "AAB", "ABB", "AABB"] {
                let material = format!("K{attacker}-K{defenders}").parse().unwrap();
                assert!(tables.results(material).is_some() && tables.distances(material).is_some(), "{material}");
            }
        }
        let won = position("5k3/9/9/9/9/9/9/9/9/R2K5 b");
        assert_eq!((tables.outcome(&won), tables.distance(&won)), (Some(Outcome::Loss), Some(4)));
        let rook_to_move = position("5k3/9/9/9/9/9/9/9/9/R2K5 w");
        assert_eq!(tables.outcome(&rook_to_move), Some(Outcome::Win));
        assert_eq!(tables.distance(&rook_to_move), None, "the loss that it leads to says it");
        assert_eq!(
            tables.outcome_within(&rook_to_move, Some(4)),
            Some(Outcome::Win),
            "no win takes longer than three plies"
        );
        assert_eq!(tables.outcome_within(&rook_to_move, Some(3)), None);
        assert_eq!(tables.outcome_within(&rook_to_move, None), Some(Outcome::Win));
    }

    #[test]
    fn tables_of_folders_go_before_those_in_the_program_and_are_distinguished_from_them() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "KR-KA", "KR-KA");
        let (tables, errors) = Tables::open(folder.path().as_os_str());
        assert!(errors.is_empty());
        let rook = position("3k5/4a4/9/9/9/9/9/9/9/R3K4 w");
        assert_eq!((tables.distance(&rook), Tables::embedded().distance(&rook)), (Some(9), None));
        assert_eq!(tables.len(), Tables::embedded().len());
        assert_ne!(tables.id(), Tables::embedded().id());
        assert!(tables.may_know(&rook) && !tables.may_know(&Position::start()));
        let (same, _) = Tables::open(OsStr::new(""));
        assert_eq!(same.id(), Tables::embedded().id());
    }

    #[test]
    fn distances_with_a_damaged_body_are_named_and_their_results_are_there() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "KR-KA", "KR-KA");
        let path = folder.path().join("KR-KA.dtc");
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x55;
        std::fs::write(&path, bytes).unwrap();
        let mut tables = Tables::empty();
        let messages: Vec<String> = tables.add_folder(folder.path()).iter().map(ToString::to_string).collect();
        assert_eq!(messages, [format!("{}: {}", path.display(), Fault::Body)]);
        let rook = position("3k5/4a4/9/9/9/9/9/9/9/R3K4 w");
        assert_eq!((tables.outcome(&rook), tables.distance(&rook)), (Some(Outcome::Win), None));
        let (open, _) = Tables::open(folder.path().as_os_str());
        assert!(open.distances("KR-KA".parse().unwrap()).is_some(), "those in the program stand in for them");
    }

    #[test]
    fn files_that_cannot_be_used_are_named_and_the_others_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for material in ["KR-KA", "KN-K", "KC-K", "KP-K"] {
            write(folder.path(), material, material);
        }
        write(folder.path(), "KC-KA", "KC-KB");
        std::fs::write(path("KN-K.wdl"), b"ChuheEg\n").unwrap();
        std::fs::write(path("KC-K.dtc"), b"something else").unwrap();
        std::fs::remove_file(path("KP-K.dtc")).unwrap();
        let mut tables = Tables::empty();
        let messages: Vec<String> = tables.add_folder(folder.path()).iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                format!("{}: foreign: no table of distances", path("KC-K.dtc").display()),
                format!("{}: misnamed: its header says KC-KB", path("KC-KA.wdl").display()),
                format!("{}: truncated: 8 bytes of 192", path("KN-K.wdl").display()),
            ]
        );
        assert_eq!(tables.len(), 3);
        let pawn = position("4k4/9/9/P8/9/9/9/9/9/3K5 w");
        assert_eq!((tables.outcome(&pawn), tables.distance(&pawn)), (Some(Outcome::Win), None), "without distances");
        let missing = tables.add_folder(&path("no such folder"));
        assert!(matches!(missing[..], [TableError { fault: Fault::Unreadable(_), .. }]));
    }
}
