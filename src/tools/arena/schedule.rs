//! Who plays whom, where from, and in which order.

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// Number in the match, from 0; the two games of a pair are `2 * pair` and `2 * pair + 1`.
    pub game: u64,
    /// The pair: one opening, two engines, both colours.
    pub pair: u64,
    /// From 0.
    pub round: u64,
    /// Engine with the red men.
    pub red: usize,
    /// Engine with the black men.
    pub black: usize,
}

/// All games of a match. A round is one opening, played by every pair of opponents with both
/// colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    opponents: Vec<(usize, usize)>,
    rounds: u64,
    /// This shard and how many there are: a shard takes whole pairs.
    shard: (u64, u64),
}

impl Schedule {
    /// A schedule for engines `0..engines`. In a gauntlet the first plays all others and these do
    /// not meet. `shard` counts from 0.
    pub fn new(engines: usize, gauntlet: bool, rounds: u64, shard: (u64, u64)) -> Schedule {
        let firsts = if gauntlet { 1.min(engines) } else { engines };
        let opponents = (0..firsts).flat_map(|i| (i + 1..engines).map(move |j| (i, j))).collect();
        Schedule { opponents, rounds, shard }
    }

    /// The games of this shard in order.
    pub fn tasks(&self) -> impl Iterator<Item = Task> + '_ {
        let width = self.opponents.len() as u64;
        let (index, count) = self.shard;
        (0..self.rounds * width).filter(move |pair| pair % count == index).flat_map(move |pair| {
            let (first, second) = self.opponents[(pair % width) as usize];
            let round = pair / width;
            [(first, second), (second, first)].into_iter().enumerate().map(
                move |(leg, (red, black))| Task {
                    game: 2 * pair + leg as u64,
                    pair,
                    round,
                    red,
                    black,
                },
            )
        })
    }

    /// How many games this shard has.
    pub fn games(&self) -> u64 {
        let (index, count) = self.shard;
        let pairs = self.rounds * self.opponents.len() as u64;
        2 * ((pairs + count - 1 - index) / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let schedule = Schedule::new(4, false, 3, (0, 1));
        let tasks: Vec<Task> = schedule.tasks().collect();
        assert_eq!((tasks.len() as u64, schedule.games()), (36, 36));
        for red in 0..4 {
            for black in (0..4).filter(|&black| black != red) {
                let met = tasks.iter().filter(|task| (task.red, task.black) == (red, black));
                assert_eq!(met.map(|task| task.round).collect::<Vec<_>>(), [0, 1, 2]);
            }
        }
        assert!(tasks.iter().enumerate().all(|(i, task)| task.game == i as u64));
    }

    #[test]
    fn gauntlets() {
        let tasks: Vec<Task> = Schedule::new(4, true, 2, (0, 1)).tasks().collect();
        assert_eq!(tasks.len(), 12);
        assert!(tasks.iter().all(|task| task.red == 0 || task.black == 0));
    }

    #[test]
    fn shards_share_out_whole_pairs() {
        let whole: Vec<Task> = Schedule::new(3, false, 5, (0, 1)).tasks().collect();
        let mut parts = Vec::new();
        for index in 0..4 {
            let shard = Schedule::new(3, false, 5, (index, 4));
            let tasks: Vec<Task> = shard.tasks().collect();
            assert_eq!(tasks.len() as u64, shard.games());
            assert!(tasks.chunks(2).all(|two| two[0].pair == two[1].pair));
            parts.extend(tasks);
        }
        parts.sort_by_key(|task| task.game);
        assert_eq!(parts, whole);
    }
}
