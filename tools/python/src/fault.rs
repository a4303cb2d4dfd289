//! The exception of the module.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, create_exception};

create_exception!(
    chuhe,
    Error,
    PyValueError,
    "A FEN, a move, an option or a file that cannot be used. The message says why."
);

/// Makes a Python exception of a fault.
pub(crate) fn error(fault: impl Display) -> PyErr {
    Error::new_err(fault.to_string())
}
