//! Any bytes as a network file. Half of the inputs damage a good file at places they choose; the other
//! half choose the numbers of a network, since no damage gets past the checksum.
#![no_main]

use std::sync::LazyLock;

use chuhe::eval::nnue::{MAX_WEIGHT, Network, Parts};
use libfuzzer_sys::fuzz_target;

const WIDTH: usize = 32;
const INPUTS: usize = 689;

/// The smallest network there is, all zero.
fn small() -> Parts {
    Parts {
        buckets: 1,
        width: WIDTH,
        scale: 400,
        weights: vec![0; INPUTS * WIDTH],
        bias: vec![0; WIDTH],
        output_unit: 64,
        output: vec![0; 8 * 2 * WIDTH],
        output_bias: [0; 8],
        description: "fuzz".to_string(),
    }
}

static GOOD: LazyLock<Vec<u8>> =
    LazyLock::new(|| Network::new(&small()).expect("zeros are a network").to_bytes());

fn read(bytes: &[u8]) {
    match Network::from_bytes(bytes) {
        Ok(network) => {
            let again = Network::from_bytes(&network.to_bytes()).expect("what is written is read");
            assert_eq!(again.checksum(), network.checksum());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    match kind % 3 {
        0 => read(rest),
        1 => {
            let mut file = GOOD.clone();
            for change in rest.chunks_exact(3) {
                // Most places are weights, most of interest is in the header.
                let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
                let at = if change[1] & 1 == 0 { at % 128 } else { at % file.len() };
                file[at] = change[2];
            }
            if kind & 128 != 0 {
                file.truncate(file.len() / 2);
            }
            read(&file);
        }
        _ => {
            let mut parts = small();
            let number = |at: usize| {
                i16::from_le_bytes([
                    rest.get(at).copied().unwrap_or(0),
                    rest.get(at + 1).copied().unwrap_or(0),
                ])
            };
            parts.scale = i32::from(number(0));
            parts.output_unit = i32::from(number(2));
            parts.weights[0] = number(4);
            parts.bias[WIDTH - 1] = number(6);
            parts.output[0] = number(8);
            parts.output_bias[7] = i32::from(number(10)) << 16;
            parts.width = number(12).unsigned_abs().into();
            parts.buckets = number(14).unsigned_abs().into();
            parts.description = String::from_utf8_lossy(rest.get(16..).unwrap_or(&[])).into_owned();
            if let Ok(network) = Network::new(&parts) {
                assert!(parts.weights[0].abs() <= MAX_WEIGHT);
                read(&network.to_bytes());
            }
        }
    }
});
