//! Any line as a command: read it, write it, read it again, and it is the same command. XBoard's
//! lines are only read.
#![no_main]

use chuhe::protocol::command::parse;
use chuhe::protocol::xboard::order;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    let once = parse(line);
    let _ = order::read(line);
    assert_eq!(parse(once.to_string().as_bytes()), once);
});
