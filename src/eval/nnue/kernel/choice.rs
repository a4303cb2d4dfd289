//! Which set of instructions is used.

use std::sync::OnceLock;

use super::instructions::Kernel;
use super::{machine, plain};

/// Which one the program uses, once it has been decided.
static CHOSEN: OnceLock<&'static Kernel> = OnceLock::new();

/// For every machine.
pub(super) static SCALAR: Kernel = Kernel { name: "scalar", is_available: || true, run: plain::run };

/// There is no such set of instructions on this machine, or another one is in use already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this machine calculates by {available}, not by {name:?}")]
pub struct KernelError {
    name: String,
    available: String,
}

impl Kernel {
    /// Those that this machine has, the fastest first.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        machine::KERNELS.iter().chain([&SCALAR]).filter(|kernel| (kernel.is_available)())
    }

    /// The one in use: the fastest, unless another was chosen before.
    pub fn chosen() -> &'static Self {
        CHOSEN.get_or_init(|| Self::all().next().unwrap_or(&SCALAR))
    }

    /// Lets the whole program use the one of this name. Only before it uses any.
    ///
    /// # Errors
    /// If the machine has none of this name, or another one is in use.
    pub fn choose(name: &str) -> Result<(), KernelError> {
        let found = Self::all().find(|kernel| kernel.name == name);
        match found.map(|kernel| CHOSEN.get_or_init(|| kernel)) {
            Some(used) if used.name == name => Ok(()),
            _ => {
                let available: Vec<_> = Self::all().map(|kernel| kernel.name).collect();
                Err(KernelError { name: name.to_owned(), available: available.join(", ") })
            }
        }
    }
}
