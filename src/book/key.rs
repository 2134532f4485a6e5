//! Position keys of BOOK.DAT: a cipher stream cut into numbers, so that every program that knows the
//! recipe makes the same table.

use std::sync::LazyLock;

use super::square_number;
use crate::position::Position;
use crate::types::{Color, Piece, Square};

/// Three numbers that describe a position independently: `key`, `lock0`, `lock1`.
type Triple = [u32; 3];

/// The numbers whose exclusive-or is a key.
struct Table {
    /// Black is to move.
    black: Triple,
    /// By piece, then by square number.
    men: [[Triple; 256]; 14],
}

/// Made when the first key is asked for.
static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut stream = Rc4::new([0; 4]);
    let black = stream.triple();
    let mut table = Box::new(Table { black, men: [[[0; 3]; 256]; 14] });
    for triple in table.men.iter_mut().flatten() {
        *triple = stream.triple();
    }
    table
});

/// The three keys of a position; books are sorted by the third.
pub fn key(pos: &Position) -> [u32; 3] {
    let table = &**TABLE;
    let side = if pos.side() == Color::Black { table.black } else { [0; 3] };
    let man = |&sq: &Square| Some(number(table, pos.piece_on(sq)?, square_number(sq)));
    Square::ALL.iter().filter_map(man).fold(side, |sum, one| {
        let [a, b, c] = sum;
        let [x, y, z] = one;
        [a ^ x, b ^ y, c ^ z]
    })
}

fn number(table: &Table, piece: Piece, square: u8) -> Triple {
    table.men[piece.index()][usize::from(square)]
}

/// The RC4 cipher as a source of numbers. Nothing here is secret.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new(key: [u8; 4]) -> Rc4 {
        let mut state: [u8; 256] = std::array::from_fn(|i| i as u8);
        let mut j = 0u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
            state.swap(i, usize::from(j));
        }
        Rc4 { state, i: 0, j: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(self.state[usize::from(self.i)]);
        self.state.swap(usize::from(self.i), usize::from(self.j));
        let at = self.state[usize::from(self.i)].wrapping_add(self.state[usize::from(self.j)]);
        self.state[usize::from(at)]
    }

    fn triple(&mut self) -> Triple {
        [0; 3].map(|_: u32| u32::from_le_bytes([0; 4].map(|_: u8| self.byte())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published vector of the cipher for the key "Wiki" and the plain text "pedia".
    #[test]
    fn the_stream_is_the_ciphers() {
        let mut stream = Rc4::new(*b"Wiki");
        let cipher: Vec<u8> = b"pedia".iter().map(|byte| byte ^ stream.byte()).collect();
        assert_eq!(cipher, [0x10, 0x21, 0xbf, 0x04, 0x20]);
    }

    #[test]
    fn the_table_is_everyones() {
        assert_eq!(TABLE.black, [0x4189_18de, 0x3a5d_37a3, 0x671e_068a]);
        let first = number(&TABLE, Piece::RedKing, 0);
        assert_eq!(first, [0x6d92_6e57, 0xa37f_1ac7, 0x97eb_ccf0]);
    }

    #[test]
    fn positions_have_the_known_keys() {
        let mut pos = Position::startpos();
        assert_eq!(key(&pos), [0xe6db_463e, 0x8f89_9c24, 0x0526_56d5]);
        pos = pos.make("h2e2".parse().unwrap());
        assert_eq!(key(&pos), [0xe204_9e57, 0xeabc_90f8, 0xeb50_5d7d]);
        assert_eq!(key(&pos.mirror()), [0x1826_0818, 0x6073_86e9, 0x5396_644f]);
        pos = pos.make("b9c7".parse().unwrap());
        assert_eq!(key(&pos), [0xcdb0_cb7f, 0xe70d_0ce6, 0x4901_3568]);
    }
}
