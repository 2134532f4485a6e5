//! Coordinates: ICCS `H2-E2` and the wire form `h2e2`.

use crate::types::Move;

/// `H2-E2`.
pub(super) fn write(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// `h2e2`, what protocols carry.
pub(super) fn write_wire(mv: Move) -> String {
    mv.to_string()
}
