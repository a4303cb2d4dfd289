//! The Python module `chuhe`: positions, moves, verdicts, books, tables and the engine, as Python objects.
//!
//! Python sees texts for moves (`h2e2`), exceptions for faults (`chuhe.Error`) and centipawns for scores. Long work releases
//! the interpreter's lock and ends at Ctrl-C.

mod book;
mod engine;
mod fault;
mod games;
mod interruption;
mod position;
mod score;
mod tablebase;
mod verdict;

use pyo3::prelude::*;

/// The part of the package `chuhe` that is written in Rust.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("START_FEN", chuhe::board::START_FEN)?;
    module.add("Error", module.py().get_type::<fault::Error>())?;
    module.add_class::<position::Position>()?;
    module.add_class::<verdict::Verdict>()?;
    module.add_class::<score::Score>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Line>()?;
    module.add_class::<engine::SearchResult>()?;
    module.add_class::<book::Book>()?;
    module.add_class::<book::BookMove>()?;
    module.add_class::<tablebase::Tablebase>()?;
    module.add_class::<games::Game>()?;
    module.add_function(wrap_pyfunction!(verdict::judge, module)?)?;
    module.add_function(wrap_pyfunction!(games::read_games, module)?)
}
