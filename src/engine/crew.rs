//! Those who search, as the controller sees them: a pool of threads, or whoever a test puts in its place.

use std::io;
use std::sync::Arc;

use crate::search::SearchContext;

/// Workers that stay from search to search. To each search every one of them answers once, with [`Finished`] or [`Died`]:
/// worker 0 when it has come to an end of its own or the search's stop flag is raised, the others when it is raised. By
/// then it holds the search no longer. Whoever drops a crew has raised that flag before.
///
/// [`Finished`]: super::event::Event::Finished
/// [`Died`]: super::event::Event::Died
pub trait Crew: Send {
    /// How many they are.
    fn size(&self) -> usize;

    /// Starts or ends as many as `count` demands; the others keep their memories.
    ///
    /// # Errors
    /// If the system has no more threads; those that could be started stay.
    fn resize(&mut self, count: usize) -> io::Result<()>;

    /// Puts all to work on this search.
    fn start(&mut self, context: &Arc<SearchContext>);

    /// Makes all forget the last game before their next search.
    fn new_game(&mut self);
}
