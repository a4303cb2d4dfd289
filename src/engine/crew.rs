//! Workers as the controller sees them: a pool of threads, or a replacement in tests.

use std::io;
use std::sync::Arc;

use crate::search::SearchContext;

/// Workers that stay from search to search.
///
/// Each worker answers every search once, with [`Finished`] or [`Died`]: worker 0 when it has come to its own end or the
/// search's stop flag is raised, the others when that flag is raised. By then it holds the search no longer. The flag is raised
/// before a crew is dropped.
///
/// [`Finished`]: super::event::Event::Finished
/// [`Died`]: super::event::Event::Died
pub trait Crew: Send {
    /// Returns the number of workers.
    fn size(&self) -> usize;

    /// Starts or ends workers until there are `count`; the others keep their memories.
    ///
    /// # Errors
    /// If the system has no more threads; those that could be started stay.
    fn resize(&mut self, count: usize) -> io::Result<()>;

    /// Starts this search on all workers.
    fn start(&mut self, context: &Arc<SearchContext>);

    /// Clears the memories of all workers before their next search.
    fn new_game(&mut self);
}
