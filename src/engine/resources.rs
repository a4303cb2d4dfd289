//! Resources of searches, above all table and workers, kept at the sizes that the options demand.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::{io, mem};

use super::count::Count;
use super::event::{Event, SearchId};
use super::options::Options;
use super::workers::{EventObserver, Workers, pool};
use crate::board::{Key, Position};
use crate::book::Book;
use crate::endgame::Tables;
use crate::eval::nnue::Network;
use crate::file;
use crate::search::{CorrectionHistory, Outcome, SearchContext, Searcher};
use crate::smp::pool::{SPARE_BYTES, WORKER_BYTES, has_room};
use crate::smp::table::{Entry, Table, TableError};

/// Size of the first table in mebibytes, until the options are known.
const FIRST_TABLE: usize = 1;

/// Resources of searches: table, workers, book, endgame tablebases and network.
///
/// The table is small at first. It is resized late, so that a user who sets `hashsize` first never sees the engine take the
/// memory of the default.
pub(super) struct Resources {
    /// Transposition table, shared with the workers of a search; not shared between searches.
    table: Arc<Table>,
    /// Option value for which the table was last resized, successfully or not.
    hash_tried: Option<usize>,
    /// Number of workers that was last requested, successfully or not.
    threads_tried: Option<usize>,
    /// Size of the table, in mebibytes, when its memory was last touched.
    warm: usize,
    workers: Box<dyn Workers>,
    /// Queue to which workers report.
    events: Sender<Event>,
    /// Searcher for the caller's own thread, which shares the corrhist with the workers.
    searcher: Searcher,
    book: Book,
    /// Errors of its files when they were last opened.
    book_troubles: Vec<String>,
    /// Endgame tablebases; none: the built-in ones, which are unpacked on first use.
    endgames: Option<Arc<Tables>>,
    /// Evaluation network, if one is used, and the file from which it was read.
    network: Option<Arc<Network>>,
    network_file: Option<PathBuf>,
}

impl Resources {
    /// Creates a small table and no workers; later ones report to `events`.
    ///
    /// # Errors
    /// If there is not even memory for the small table.
    pub(super) fn new(events: Sender<Event>) -> Result<Self, TableError> {
        let corrhist = CorrectionHistory::empty();
        let table = Arc::new(Table::new(FIRST_TABLE)?);
        let workers = Box::new(pool(events.clone(), Arc::clone(&corrhist)));
        let searcher = Searcher::sharing(0, corrhist);
        Ok(Self {
            table,
            hash_tried: None,
            threads_tried: None,
            warm: 0,
            workers,
            events,
            searcher,
            book: Book::empty(),
            book_troubles: Vec::new(),
            endgames: None,
            network: Network::embedded().cloned(),
            network_file: None,
        })
    }

    /// Replaces the workers, which may still serve their replacement.
    pub(super) fn replace_workers(self, others: impl FnOnce(Box<dyn Workers>) -> Box<dyn Workers>) -> Self {
        Self { workers: others(self.workers), ..self }
    }

    pub(super) fn workers(&self) -> usize {
        self.workers.size()
    }

    pub(super) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Returns the entry that searches with this salt have stored.
    pub(super) fn probe(&self, key: Key, salt: u64) -> Option<Entry> {
        self.table.probe(key.salted(salt).0)
    }

    /// Resizes table and pool as the options demand, and returns the messages to the user. Here and below no worker may hold a
    /// search, unless both have these sizes already.
    pub(super) fn fit(&mut self, options: &Options) -> Vec<String> {
        self.fit_table(options).into_iter().chain(self.fit_pool(options)).collect()
    }

    /// Resizes the table if it has another size than wanted. A refused size is tried once, not at every move.
    pub(super) fn fit_table(&mut self, options: &Options) -> Option<String> {
        let wanted = options.hash_mebibytes;
        let tried = self.hash_tried.replace(wanted);
        if tried == Some(wanted) {
            return None;
        }
        let missing = threads(options).saturating_sub(self.workers.size());
        let others = missing.saturating_mul(WORKER_BYTES).saturating_add(SPARE_BYTES);
        let mebibytes = if wanted == 0 { Table::automatic_mebibytes() } else { wanted };
        let table = self.own_table();
        if table.mebibytes() == mebibytes {
            return None;
        }
        let resized = match tried {
            // As much as fits, rather than the small table that the engine begins with.
            None => table.resize_as_far_as(mebibytes, |mebibytes| has_room(&[mebibytes << 20, others])),
            Some(_) => table.resize(mebibytes),
        };
        self.warm = 0;
        let error = resized.err()?;
        let table = &self.table;
        Some(format!("{error}; the table has {} MiB", table.mebibytes()))
    }

    /// Touches the table's memory, once for each size, and unpacks what is packed, while the user waits for `readyok` and no
    /// clock runs.
    pub(super) fn warm_up(&mut self, options: &Options) {
        self.endgames();
        if self.warm != self.table.mebibytes() {
            self.own_table().warm_up(threads(options));
            self.warm = self.table.mebibytes();
        }
    }

    /// Starts or ends workers until there are as many as wanted. Refused ones are requested once, not at every move. One worker
    /// is worth more than the size of the table.
    pub(super) fn fit_pool(&mut self, options: &Options) -> Vec<String> {
        let wanted = threads(options);
        if self.threads_tried.replace(wanted) == Some(wanted) {
            return Vec::new();
        }
        let mut resized = self.workers.resize(wanted);
        let mut table_shrank = None;
        if self.workers.size() == 0 && is_for_memory(&resized) && self.table.mebibytes() > FIRST_TABLE {
            table_shrank = self.start_one_before_table();
            resized = self.workers.resize(wanted);
        }
        let refused = resized.err().map(|error| {
            let had = self.workers.size();
            format!("only {had} of {wanted} threads could be started: {error}")
        });
        table_shrank.into_iter().chain(refused).collect()
    }

    /// Gives a worker its memory first and the table the rest, up to its old size. Returns a message if the table became
    /// smaller.
    fn start_one_before_table(&mut self) -> Option<String> {
        let had = self.table.mebibytes();
        self.own_table().resize(FIRST_TABLE).ok()?;
        let spare = if self.workers.resize(1).is_ok() { SPARE_BYTES } else { 0 };
        let table = self.own_table();
        let restored = table.resize_as_far_as(had, |mebibytes| has_room(&[mebibytes << 20, spare]));
        self.warm = 0;
        restored.err()?;
        Some(format!("no memory for a thread beside {had} MiB; the table has {} MiB", self.table.mebibytes()))
    }

    /// Clears the table.
    pub(super) fn clear_table(&mut self, options: &Options) {
        self.own_table().clear(threads(options));
    }

    /// Clears all memory of the last game: table and histories.
    pub(super) fn new_game(&mut self, options: &Options) {
        self.workers.new_game();
        self.searcher.new_game();
        self.clear_table(options);
    }

    /// Opens the files of the book anew and returns their errors.
    pub(super) fn load_book(&mut self, options: &Options) -> Vec<String> {
        let (book, errors) = Book::open(&options.book.files);
        self.book = book;
        self.book_troubles = errors.iter().map(ToString::to_string).collect();
        self.book_troubles.clone()
    }

    /// Opens the files of the book anew for a new game, and returns only errors that are new.
    pub(super) fn reload_book(&mut self, options: &Options) -> Vec<String> {
        let known = mem::take(&mut self.book_troubles);
        let mut troubles = self.load_book(options);
        troubles.retain(|trouble| !known.contains(trouble));
        troubles
    }

    /// Opens the endgame tablebases anew and returns their errors.
    pub(super) fn load_endgames(&mut self, options: &Options) -> Vec<String> {
        let (endgames, errors) = Tables::open(&options.endgame_folders);
        tracing::info!(tables = endgames.len(), "the endgame tablebases");
        self.endgames = Some(Arc::new(endgames));
        errors.iter().map(ToString::to_string).collect()
    }

    /// Reads the network that the options name. If it cannot be used, the old one stays, in the options too, and the error is
    /// returned.
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

    /// Names the evaluation in use, for messages.
    fn evaluation(&self) -> String {
        match (&self.network, &self.network_file) {
            (_, Some(file)) => format!("the network of {}", file.display()),
            (Some(_), None) => "the built-in network".to_owned(),
            (None, None) => "the hand-crafted evaluation".to_owned(),
        }
    }

    /// Returns the evaluation network; none: the hand-crafted evaluation (HCE) is used.
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

    /// Searches on the caller's thread without reports; none if that fails.
    pub(super) fn think(&mut self, context: &SearchContext) -> Option<Outcome> {
        self.searcher.think_safely(context, &mut EventObserver::new(context, &mut |_| ()))
    }

    /// Starts to count the leaves below each legal move.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub(super) fn count(&self, id: SearchId, position: Position, depth: u32) -> io::Result<Count> {
        Count::begin(id, position, depth, self.events.clone())
    }

    /// Starts the search on all workers.
    pub(super) fn start(&mut self, context: &Arc<SearchContext>) {
        self.workers.start(context);
    }

    fn own_table(&mut self) -> &mut Table {
        Arc::get_mut(&mut self.table).expect("workers drop their search before they report, so no other owner is left")
    }
}

/// Whether the request was refused for lack of memory.
fn is_for_memory(wanted: &io::Result<()>) -> bool {
    wanted.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::OutOfMemory)
}

/// Returns the number of workers that the options demand.
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

    /// Workers with memory for `most` workers, after a number of refusals.
    struct Shy {
        most: usize,
        refusals: usize,
        size: usize,
    }

    impl Workers for Shy {
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

    /// Returns the messages when four threads are wanted beside a table of this size, with the number of workers and mebibytes
    /// afterwards.
    fn fitted(table: usize, crew: Shy) -> (Vec<String>, usize, usize) {
        let resources = Resources::new(channel().0).unwrap();
        let mut resources = resources.replace_workers(|_| Box::new(crew));
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
        // There is room for the table again after the worker has started.
        assert_eq!(fitted(8, crew(4, 1)), (vec![], 4, 8));
        assert_eq!(fitted(8, crew(2, 1)), (only(2), 2, 8));
        // A smaller table would gain nothing.
        assert_eq!(fitted(8, crew(0, 0)), (only(0), 0, 8));
        assert_eq!(fitted(FIRST_TABLE, crew(4, 1)), (only(0), 0, FIRST_TABLE));
    }
}
