//! Reproducible random games.

use chuhe::position::Position;

/// SplitMix64: the same numbers on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `n`, which is not 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Calls `visit` with the start of a random game of up to `plies` moves and every position after.
/// Captures and checks are preferred now and then, or sharp positions would be rare.
pub(crate) fn walk(
    start: Position,
    plies: usize,
    random: &mut Random,
    mut visit: impl FnMut(&Position),
) {
    let mut pos = start;
    visit(&pos);
    for _ in 0..plies {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return;
        }
        let sharp: Vec<_> = match random.below(4) {
            0 => moves.iter().copied().filter(|&mv| pos.captured(mv).is_some()).collect(),
            1 => moves.iter().copied().filter(|&mv| pos.make(mv).in_check()).collect(),
            _ => Vec::new(),
        };
        let choice = if sharp.is_empty() { &moves[..] } else { &sharp[..] };
        pos = pos.make(choice[random.below(choice.len())]);
        visit(&pos);
    }
}
