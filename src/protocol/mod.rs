//! Layer 6: UCCI and UCI on standard input and output.
