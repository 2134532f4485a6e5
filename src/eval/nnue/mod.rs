//! A neural network that values positions: one wide layer, updated move by move (an NNUE, after
//! Yu Nasu 2018), and one of eight outputs.

pub mod features;
