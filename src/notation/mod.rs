//! Layer 3: moves in ICCS, WXF and Chinese notation.
