//! What searches run on, table and workers, kept at the sizes the options want.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::{io, mem};

use super::attendant::Escort;
use super::count::Count;
use super::crew::Crew;
use super::event::{Event, SearchId};
use super::options::Options;
use super::pool::pool;
use crate::board::{Key, Position};
use crate::book::Book;
use crate::endgame::Tables;
use crate::eval::nnue::Network;
use crate::file;
use crate::search::{Attendant, Corrections, Outcome, SearchContext, Searcher, Silent};
use crate::smp::pool::{SPARE_BYTES, WORKER_BYTES, has_room};
use crate::smp::table::{Entry, Table, TableError};

/// Until the user's wishes are known, in mebibytes.
const FIRST_TABLE: usize = 1;

/// Small at first. It is fitted late, so that a user who sets `hashsize` first never sees the engine take the memory of
/// the default.
pub(super) struct Resources {
    /// Shared with the workers of a search; ours alone between searches.
    table: Arc<Table>,
    /// The value of the option for which the table was last sized, successfully or not.
    hash_tried: Option<usize>,
    /// How many workers were last wanted, whether they could be had or not.
    threads_tried: Option<usize>,
    /// The size, in mebibytes, at which the table's memory was last made real.
    warm: usize,
    crew: Box<dyn Crew>,
    /// Where workers report.
    events: Sender<Event>,
    /// For what is searched without waking a worker, with whom it shares the corrections.
    searcher: Searcher,
    book: Book,
    /// What was wrong with its files when they were last opened.
    book_troubles: Vec<String>,
    /// None: those in the program, which are unpacked when they are first wanted.
    endgames: Option<Arc<Tables>>,
    /// What values positions, if a network does, and the file it was read from.
    network: Option<Arc<Network>>,
    network_file: Option<PathBuf>,
}

impl Resources {
    /// A small table and no workers; those to come report to `events`.
    ///
    /// # Errors
    /// If there is not even memory for the small table.
    pub(super) fn new(events: Sender<Event>) -> Result<Self, TableError> {
        let corrections = Corrections::empty();
        let table = Arc::new(Table::new(FIRST_TABLE)?);
        let crew = Box::new(pool(events.clone(), Arc::clone(&corrections)));
        let searcher = Searcher::sharing(0, corrections);
        Ok(Self {
            table,
            hash_tried: None,
            threads_tried: None,
            warm: 0,
            crew,
            events,
            searcher,
            book: Book::empty(),
            book_troubles: Vec::new(),
            endgames: None,
            network: Network::embedded().cloned(),
            network_file: None,
        })
    }

    /// Puts others in the place of the workers, who may still serve them.
    pub(super) fn replace_crew(self, others: impl FnOnce(Box<dyn Crew>) -> Box<dyn Crew>) -> Self {
        Self { crew: others(self.crew), ..self }
    }

    pub(super) fn workers(&self) -> usize {
        self.crew.size()
    }

    pub(super) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// What searches with this salt have found.
    pub(super) fn probe(&self, key: Key, salt: u64) -> Option<Entry> {
        self.table.probe(key.salted(salt).0)
    }

    /// Gives table and pool the sizes that the options want, and returns what the user should know. No worker may hold a
    /// search, here and below, unless both have these sizes already.
    pub(super) fn fit(&mut self, options: &Options) -> Vec<String> {
        self.fit_table(options).into_iter().chain(self.fit_pool(options)).collect()
    }

    /// Resizes the table if it has another size than wanted. One that cannot be had is tried once, not at every move.
    pub(super) fn fit_table(&mut self, options: &Options) -> Option<String> {
        let wanted = options.hash_mebibytes;
        let tried = self.hash_tried.replace(wanted);
        if tried == Some(wanted) {
            return None;
        }
        let missing = threads(options).saturating_sub(self.crew.size());
        let others = missing.saturating_mul(WORKER_BYTES).saturating_add(SPARE_BYTES);
        let mebibytes = if wanted == 0 { Table::automatic_mebibytes() } else { wanted };
        let table = self.own_table();
        if table.mebibytes() == mebibytes {
            return None;
        }
        let resized = match tried {
            // As much as there is, rather than the little that the engine begins with.
            None => table.resize_as_far_as(mebibytes, |mebibytes| has_room(&[mebibytes << 20, others])),
            Some(_) => table.resize(mebibytes),
        };
        self.warm = 0;
        let error = resized.err()?;
        let table = &self.table;
        Some(format!("{error}; the table has {} MiB", table.mebibytes()))
    }

    /// Makes the table's memory real, once for each size, and unpacks what is packed: the user waits for `readyok` and no clock
    /// runs.
    pub(super) fn warm_up(&mut self, options: &Options) {
        self.endgames();
        if self.warm != self.table.mebibytes() {
            self.own_table().warm_up(threads(options));
            self.warm = self.table.mebibytes();
        }
    }

    /// Starts or ends workers until there are as many as wanted. Those that cannot be had are asked for once, not at every
    /// move. One is worth more than the size of the table.
    pub(super) fn fit_pool(&mut self, options: &Options) -> Vec<String> {
        let wanted = threads(options);
        if self.threads_tried.replace(wanted) == Some(wanted) {
            return Vec::new();
        }
        let mut resized = self.crew.resize(wanted);
        let mut table_shrank = None;
        if self.crew.size() == 0 && is_for_memory(&resized) && self.table.mebibytes() > FIRST_TABLE {
            table_shrank = self.start_one_before_table();
            resized = self.crew.resize(wanted);
        }
        let refused = resized.err().map(|error| {
            let had = self.crew.size();
            format!("only {had} of {wanted} threads could be started: {error}")
        });
        table_shrank.into_iter().chain(refused).collect()
    }

    /// Lets a worker have its memory first and the table what is left, up to what it had. Says what that is if it is less.
    fn start_one_before_table(&mut self) -> Option<String> {
        let had = self.table.mebibytes();
        self.own_table().resize(FIRST_TABLE).ok()?;
        let spare = if self.crew.resize(1).is_ok() { SPARE_BYTES } else { 0 };
        let table = self.own_table();
        let restored = table.resize_as_far_as(had, |mebibytes| has_room(&[mebibytes << 20, spare]));
        self.warm = 0;
        restored.err()?;
        Some(format!("no memory for a thread beside {had} MiB; the table has {} MiB", self.table.mebibytes()))
    }

    /// Forgets all positions.
    pub(super) fn clear_table(&mut self, options: &Options) {
        self.own_table().clear(threads(options));
    }

    /// Forgets all that was learnt in the last game.
    pub(super) fn new_game(&mut self, options: &Options) {
        self.crew.new_game();
        self.searcher.new_game();
        self.clear_table(options);
    }

    /// What the table holds is older from now on. Workers may be on their way out of earlier searches.
    pub(super) fn advance_age(&self) {
        self.table.advance_age();
    }

    /// Opens the files of the book anew and says what is wrong with them.
    pub(super) fn load_book(&mut self, options: &Options) -> Vec<String> {
        let (book, errors) = Book::open(&options.book.files);
        self.book = book;
        self.book_troubles = errors.iter().map(ToString::to_string).collect();
        self.book_troubles.clone()
    }

    /// The same for a new game: what was wrong the last time is not said again before each.
    pub(super) fn reload_book(&mut self, options: &Options) -> Vec<String> {
        let known = mem::take(&mut self.book_troubles);
        let mut troubles = self.load_book(options);
        troubles.retain(|trouble| !known.contains(trouble));
        troubles
    }

    /// Opens the tables of endgames anew and says what is wrong with them.
    pub(super) fn load_endgames(&mut self, options: &Options) -> Vec<String> {
        let (endgames, errors) = Tables::open(&options.endgame_folders);
        tracing::info!(tables = endgames.len(), "the tables of endgames");
        self.endgames = Some(Arc::new(endgames));
        errors.iter().map(ToString::to_string).collect()
    }

    /// Reads the network that the options name. One that cannot be used leaves the old one in its place, in the options too,
    /// and what is wrong with it is returned.
    pub(super) fn load_network(&mut self, options: &mut Options) -> Option<String> {
        let wanted = options.network_file.clone();
        match wanted.as_deref().map(file::beside_program_or_here).map(|place| (Network::read(&place), place)) {
            Some((Err(error), place)) => {
                options.network_file.clone_from(&self.network_file);
                return Some(format!("{}: {error}; {} stays in use", place.display(), self.evaluation()));
            }
            Some((Ok(network), _)) => self.network = Some(Arc::new(network)),
            None => self.network = Network::embedded().cloned(),
        }
        tracing::info!(network = ?self.network, "the network");
        self.network_file = wanted;
        None
    }

    /// Names what values positions, for people.
    fn evaluation(&self) -> String {
        match (&self.network, &self.network_file) {
            (_, Some(file)) => format!("the network of {}", file.display()),
            (Some(_), None) => "the built-in network".to_owned(),
            (None, None) => "the hand-crafted evaluation".to_owned(),
        }
    }

    /// What values positions; none: what was written by hand does.
    pub(super) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    pub(super) fn book(&self) -> &Book {
        &self.book
    }

    pub(super) fn endgames(&self) -> &Arc<Tables> {
        match &self.endgames {
            Some(tables) => tables,
            None => Tables::embedded(),
        }
    }

    /// Searches in silence on the caller's thread; none if that fails.
    pub(super) fn think(&mut self, context: &SearchContext) -> Option<Outcome> {
        self.searcher.think_safely(context, &mut Silent)
    }

    /// Whom so many workers of a search shall talk to.
    pub(super) fn attendant(&self, search: SearchId, workers: usize, options: &Options) -> Arc<dyn Attendant> {
        Arc::new(Escort::new(search, self.events.clone(), workers, options.idle_percent))
    }

    /// Begins to count the leaves below each legal move.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub(super) fn count(&self, id: SearchId, position: Position, depth: u32) -> io::Result<Count> {
        Count::begin(id, position, depth, self.events.clone())
    }

    /// Puts all workers to work.
    pub(super) fn start(&mut self, context: &Arc<SearchContext>) {
        self.crew.start(context);
    }

    fn own_table(&mut self) -> &mut Table {
        Arc::get_mut(&mut self.table).expect("workers drop their search before they report, so no other owner is left")
    }
}

/// Whether what was wanted was refused because there is no memory for it.
fn is_for_memory(wanted: &io::Result<()>) -> bool {
    wanted.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::OutOfMemory)
}

/// How many workers the options want.
fn threads(options: &Options) -> usize {
    match options.threads {
        // A container may have fewer cores than its machine.
        0 => num_cpus::get_physical().min(num_cpus::get()).max(1),
        count => count,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// There is memory for this many of them, after so many refusals.
    struct Shy {
        most: usize,
        refusals: usize,
        size: usize,
    }

    impl Crew for Shy {
        fn size(&self) -> usize {
            self.size
        }

        fn resize(&mut self, count: usize) -> io::Result<()> {
            let refused = self.refusals > 0;
            self.refusals = self.refusals.saturating_sub(1);
            self.size = if refused { 0 } else { count.min(self.most) };
            if self.size < count { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(()) }
        }

        fn start(&mut self, _: &Arc<SearchContext>) {}

        fn new_game(&mut self) {}
    }

    /// What is said when four threads are wanted beside a table of this size, and how many workers and mebibytes there are
    /// then.
    fn fitted(table: usize, crew: Shy) -> (Vec<String>, usize, usize) {
        let resources = Resources::new(channel().0).unwrap();
        let mut resources = resources.replace_crew(|_| Box::new(crew));
        let options = Options { hash_mebibytes: table, threads: 4, ..Options::default() };
        let said = resources.fit(&options);
        assert_eq!(resources.fit(&options), Vec::<String>::new(), "once is enough");
        (said, resources.workers(), resources.table().mebibytes())
    }

    #[test]
    fn a_worker_gets_its_memory_before_the_table() {
        let crew = |most, refusals| Shy { most, refusals, size: 0 };
        let only = |had| vec![format!("only {had} of 4 threads could be started: out of memory")];
        assert_eq!(fitted(8, crew(4, 0)), (vec![], 4, 8));
        // There is room for the table again when the worker has come.
        assert_eq!(fitted(8, crew(4, 1)), (vec![], 4, 8));
        assert_eq!(fitted(8, crew(2, 1)), (only(2), 2, 8));
        // Nothing is won by a smaller table.
        assert_eq!(fitted(8, crew(0, 0)), (only(0), 0, 8));
        assert_eq!(fitted(FIRST_TABLE, crew(4, 1)), (only(0), 0, FIRST_TABLE));
    }
}
