//! Which worker's answer to take.
//!
//! Workers of a lazy parallel search reach different depths and opinions. A proven win beats
//! everything; otherwise each worker votes for its move with a weight that grows with depth and
//! with how well it stands, and the deepest worker behind the winning move speaks for it (the scheme
//! of Stockfish's thread voting, with weights of our own).

use crate::search::Outcome;

/// Added to every score difference, in centipawns, so that depth counts even when all agree.
const BASE_WEIGHT: i64 = 20;

/// The index of the outcome to answer with; the main worker's is the first and wins ties. `None`
/// only for an empty list.
pub(super) fn pick(outcomes: &[Outcome]) -> Option<usize> {
    let usable = |outcome: &&Outcome| outcome.depth > 0 && !outcome.pv.is_empty();
    let least = outcomes.iter().filter(usable).map(|outcome| outcome.score).min();
    let Some(least) = least else { return (!outcomes.is_empty()).then_some(0) };
    let weight = |outcome: &Outcome| {
        (i64::from(outcome.score - least) + BASE_WEIGHT) * i64::from(outcome.depth)
    };
    let votes = |outcome: &Outcome| -> i64 {
        let same = |other: &&Outcome| other.pv.first() == outcome.pv.first();
        outcomes.iter().filter(usable).filter(same).map(weight).sum()
    };
    let proven = outcomes.iter().filter(usable).any(|outcome| outcome.score.is_win());
    let mut best: Option<(usize, (i64, i64))> = None;
    for (index, outcome) in outcomes.iter().enumerate().filter(|(_, o)| usable(o)) {
        // the score of a win is the higher the shorter it is
        let rank = if proven {
            (i64::from(outcome.score.value()), i64::from(outcome.depth))
        } else {
            (votes(outcome), i64::from(outcome.depth))
        };
        if best.is_none_or(|(_, most)| rank > most) {
            best = Some((index, rank));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    fn outcome(mv: &str, depth: u32, score: Score) -> Outcome {
        Outcome { depth, seldepth: depth, score, pv: vec![mv.parse().unwrap()] }
    }

    fn cp(value: i32) -> Score {
        Score::new(value)
    }

    #[test]
    fn the_main_worker_wins_ties() {
        let same = [outcome("h2e2", 9, cp(10)), outcome("b2e2", 9, cp(10))];
        assert_eq!(pick(&same), Some(0));
        assert_eq!(pick(&[]), None);
    }

    #[test]
    fn many_agreeing_workers_outvote_one() {
        let workers =
            [outcome("h2e2", 9, cp(10)), outcome("b2e2", 9, cp(12)), outcome("b2e2", 10, cp(11))];
        assert_eq!(pick(&workers), Some(2), "the deepest of the winners");
    }

    #[test]
    fn the_shortest_win_is_taken_and_unfinished_workers_are_not() {
        let workers = [
            outcome("h2e2", 20, cp(900)),
            outcome("b2e2", 12, Score::mate_in(9)),
            outcome("c3c4", 11, Score::mate_in(5)),
            outcome("g3g4", 0, Score::mate_in(1)),
        ];
        assert_eq!(pick(&workers), Some(2));
        let unfinished = [outcome("h2e2", 0, cp(0)), outcome("b2e2", 0, cp(5))];
        assert_eq!(pick(&unfinished), Some(0));
    }
}
