//! Layer 5: owns the table, the workers, the options and the current game.
