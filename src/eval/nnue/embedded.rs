//! The network that comes with the engine.

use std::sync::{Arc, OnceLock};

use super::network::Network;

/// The file; `net/README.md` says where it comes from. Empty in a tree without a network.
static FILE: &[u8] = include_bytes!("../../../net/chuhe.nnue");

/// The network that comes with the engine, if the build has one. Read when it is first asked for:
/// that takes some milliseconds, which a greeting does not have.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: OnceLock<Option<Arc<Network>>> = OnceLock::new();
    let read = || match Network::from_bytes(FILE) {
        Ok(network) => Some(Arc::new(network)),
        Err(_) if FILE.is_empty() => None,
        Err(error) => {
            // a test keeps such a file out of any build
            log::error!("the built-in network {error}");
            None
        }
    };
    NETWORK.get_or_init(read).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_is_sound() {
        assert_eq!(embedded().is_none(), FILE.is_empty());
        assert!(FILE.len() <= 3 << 20, "{} bytes are too many for the repository", FILE.len());
        if let Some(network) = embedded() {
            assert_eq!(network.to_bytes(), FILE);
            assert!(!network.description().is_empty(), "where does it come from?");
        }
    }
}
