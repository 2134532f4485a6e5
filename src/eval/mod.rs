//! Layer 3: static evaluation, behind one interface.
