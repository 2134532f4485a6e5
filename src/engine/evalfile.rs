//! Finds the network file a client names.

use std::path::{Path, PathBuf};

use crate::eval::nnue::{NetError, Network};

/// Whether the value of an option asks for the network that is built in.
pub(super) fn is_internal(name: &str) -> bool {
    let name = name.trim().trim_matches('"').trim();
    let words = ["", "<internal>", "<empty>", super::options::BUILT_IN];
    words.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Reads the network named in an option. A relative path is tried beside the executable first, then
/// in the current directory, as clients start engines anywhere; quotes around it do not matter.
///
/// # Errors
/// When there is no such file or it is no network.
pub(super) fn read(name: &str) -> Result<Network, NetError> {
    let name = name.trim();
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let here = PathBuf::from(name);
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent).map(|directory| directory.join(name));
    match beside.filter(|path| !name.is_empty() && path.is_file()) {
        Some(path) => Network::load(&path),
        None => Network::load(&here),
    }
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
