//! Any line as a command: read it, write it, read it again, and it is the same command.
#![no_main]

use chuhe::protocol::command::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    let once = parse(line);
    assert_eq!(parse(once.to_string().as_bytes()), once);
});
