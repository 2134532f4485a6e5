//! A neural network that values positions: one wide layer, updated move by move (an NNUE, after
//! Yu Nasu 2018), and one of eight outputs.

mod embedded;
pub mod features;
mod kernel;
mod network;
mod simd;
mod state;

pub use embedded::embedded;
pub use network::{MAX_OUTPUT, MAX_WEIGHT, MAX_WIDTH, NetError, Network, OUTPUT_UNITS, Parts};
pub use simd::{BACKEND_VARIABLE, Backend};
pub use state::{Change, State};
