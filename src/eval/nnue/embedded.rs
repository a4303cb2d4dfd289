//! The embedded network: `embedded.nnue`, whose origin is in `MANIFEST.toml`, or the file that EVALFILE names at build
//! time (`build.rs`). An empty file means no network; then the hand-crafted evaluation (HCE) is used.

use std::sync::{Arc, LazyLock};

use super::network::{Line, Network};

/// Bytes aligned for a network.
#[repr(C)]
struct Aligned<T: ?Sized> {
    start: [Line; 0],
    bytes: T,
}

static FILE: &Aligned<[u8]> = &Aligned { start: [], bytes: *include_bytes!(env!("CHUHE_NETWORK")) };

static NETWORK: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
    let Aligned { start: [], bytes } = FILE;
    let network = || Network::in_place(bytes).expect("what is built in can be used, as a test says");
    (!bytes.is_empty()).then(|| Arc::new(network()))
});

impl Network {
    /// The embedded network, if there is one; it is used in place.
    pub fn embedded() -> Option<&'static Arc<Self>> {
        NETWORK.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mebibyte.
    const MIB: usize = 1 << 20;

    #[test]
    fn what_is_built_in_is_a_network_and_is_not_copied() {
        let Aligned { start: [], bytes } = FILE;
        assert!(bytes.as_ptr().cast::<Line>().is_aligned() && bytes.len() <= 8 * MIB);
        match Network::embedded() {
            Some(network) => assert_eq!(network.bytes().as_ptr_range(), bytes.as_ptr_range()),
            None => assert!(bytes.is_empty()),
        }
    }

    #[test]
    fn the_manifest_is_of_the_network_in_the_tree() {
        let (network, manifest) = (include_bytes!("embedded.nnue"), include_str!("MANIFEST.toml"));
        let id = Network::from_bytes(network).expect("it can be read").id();
        let says = |line: &str| manifest.lines().any(|said| said == line);
        assert!(says(&format!("id = \"{id:016x}\"")), "{id:016x}");
        assert!(says(&format!("bytes = {}", network.len())));
    }
}
