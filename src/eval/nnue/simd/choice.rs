//! Choice of a kernel.

use std::sync::OnceLock;

use super::instructions::Kernel;
use super::{machine, plain};

/// The kernel that the program uses, once it has been chosen.
static CHOSEN: OnceLock<&'static Kernel> = OnceLock::new();

/// The scalar kernel, for every machine.
pub(super) static SCALAR: Kernel = Kernel { name: "scalar", is_available: || true, run: plain::run };

/// Error: this machine has no kernel of this name, or another one is in use already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown instruction set {name:?} (available: {available})")]
pub struct KernelError {
    name: String,
    available: String,
}

impl Kernel {
    /// The kernels that this machine supports, the fastest first.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        machine::KERNELS.iter().chain([&SCALAR]).filter(|kernel| (kernel.is_available)())
    }

    /// The kernel in use: the fastest one, unless another was chosen before.
    pub fn chosen() -> &'static Self {
        CHOSEN.get_or_init(|| Self::all().next().unwrap_or(&SCALAR))
    }

    /// Makes the whole program use the kernel of this name. Must be called before any kernel is used.
    ///
    /// # Errors
    /// If the machine has no kernel of this name, or another one is in use.
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
