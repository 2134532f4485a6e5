//! Layer 6: text in and out. UCCI, UCI and the dialects around them.

pub mod command;
pub mod coordinates;
pub mod go;
