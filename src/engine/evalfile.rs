//! Reads the network file a client names.

use super::file::locate;
use crate::eval::nnue::{NetError, Network};

/// Whether the value of an option asks for the network that is built in.
pub(super) fn is_internal(name: &str) -> bool {
    let name = name.trim().trim_matches('"').trim();
    let words = ["", "<internal>", "<empty>", super::options::BUILT_IN];
    words.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Reads the network named in an option.
///
/// # Errors
/// When there is no such file or it is no network.
pub(super) fn read(name: &str) -> Result<Network, NetError> {
    Network::load(&locate(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_network_is_refused() {
        for name in ["", "\"", " \"\" ", "<empty>", "<Internal>", "<built-in>"] {
            assert!(is_internal(name), "{name:?}");
        }
        for name in ["\"", "\"\"", "no/such.nnue", "src", "a\0b"] {
            assert!(!is_internal(name) || name.contains('"'), "{name:?}");
            assert!(matches!(read(name), Err(NetError::Unreadable(_))), "{name:?}");
        }
        assert_eq!(read("\"Cargo.toml\"").err(), Some(NetError::NotANetwork));
        // reading it would never come to an end
        #[cfg(unix)]
        assert_eq!(read("/dev/zero").err(), Some(NetError::NotANetwork));
    }
}
