//! Adding up games.

use std::collections::{BTreeMap, HashMap};

use super::game::Ending;
use super::journal::GameLine;
use super::stats::Tally;
use crate::record::Outcome;

/// All results of a match so far.
#[derive(Clone, Debug, Default)]
pub struct Standings {
    names: Vec<String>,
    /// Results of the first engine against the second, the first having the smaller index.
    duels: BTreeMap<(usize, usize), Tally>,
    /// Half points of the first engine in pairs of which one game is known.
    open_pairs: HashMap<u64, u64>,
    endings: BTreeMap<Ending, u64>,
    faults: BTreeMap<(usize, Ending), u64>,
}

impl Standings {
    /// Nothing yet between engines of these names.
    pub fn new(names: Vec<String>) -> Standings {
        Standings { names, ..Standings::default() }
    }

    /// Adds a game. `false` when it is between strangers or has no result.
    pub fn add(&mut self, game: &GameLine) -> bool {
        let index = |name: &str| self.names.iter().position(|known| known == name);
        let (Some(red), Some(black)) = (index(&game.red), index(&game.black)) else { return false };
        let red_half_points = match game.outcome() {
            Outcome::RedWins => 2,
            Outcome::Draw => 1,
            Outcome::BlackWins => 0,
            Outcome::Unknown => return false,
        };
        let first = red.min(black);
        let half_points = if first == red { red_half_points } else { 2 - red_half_points };
        let tally = self.duels.entry((first, red.max(black))).or_default();
        match half_points {
            2 => tally.wins += 1,
            1 => tally.draws += 1,
            _ => tally.losses += 1,
        }
        match self.open_pairs.remove(&(game.game / 2)) {
            Some(other) => tally.pairs[(half_points + other) as usize] += 1,
            None => {
                self.open_pairs.insert(game.game / 2, half_points);
            }
        }
        *self.endings.entry(game.ending).or_default() += 1;
        if let Some(guilty) = game.fault.as_deref().and_then(index) {
            *self.faults.entry((guilty, game.ending)).or_default() += 1;
        }
        true
    }

    /// Names of the engines.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.duels.values().map(Tally::games).sum()
    }

    /// Results of one engine against another, seen from the first.
    pub fn duel(&self, one: usize, other: usize) -> Tally {
        let tally = self.duels.get(&(one.min(other), one.max(other))).copied().unwrap_or_default();
        if one < other { tally } else { tally.flip() }
    }

    /// Results of one engine against all others.
    pub fn total(&self, one: usize) -> Tally {
        let mut total = Tally::default();
        for other in (0..self.names.len()).filter(|&other| other != one) {
            total.add(&self.duel(one, other));
        }
        total
    }

    /// How games ended, the commonest last.
    pub fn endings(&self) -> &BTreeMap<Ending, u64> {
        &self.endings
    }

    /// Misbehaviour of one engine.
    pub fn faults(&self, one: usize) -> impl Iterator<Item = (Ending, u64)> + '_ {
        self.faults
            .iter()
            .filter(move |((guilty, _), _)| *guilty == one)
            .map(|((_, e), n)| (*e, *n))
    }

    /// Engines by score, best first; equal ones in the order of the match.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let score = |&one: &usize| self.total(one).score().unwrap_or(0.0);
        order.sort_by(|a, b| score(b).total_cmp(&score(a)));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::game;
    use super::*;

    #[test]
    fn pairs_and_colours() {
        let mut standings = Standings::new(["A", "B", "C"].map(String::from).to_vec());
        let games = [
            game(0, "A", "B", "1-0"),
            game(1, "B", "A", "0-1"),
            game(2, "A", "B", "0-1"),
            game(3, "B", "A", "1/2-1/2"),
            game(4, "C", "A", "1-0"),
            game(7, "B", "C", "1/2-1/2"),
        ];
        assert!(games.iter().all(|game| standings.add(game)));
        assert!(!standings.add(&game(8, "A", "D", "1-0")));
        assert!(!standings.add(&game(8, "A", "B", "*")));
        let ab = standings.duel(0, 1);
        assert_eq!((ab.wins, ab.draws, ab.losses, ab.pairs), (2, 1, 1, [0, 1, 0, 0, 1]));
        let ba = standings.duel(1, 0);
        assert_eq!((ba.wins, ba.draws, ba.losses, ba.pairs), (1, 1, 2, [1, 0, 0, 1, 0]));
        let c = standings.total(2);
        assert_eq!((c.wins, c.draws, c.losses, c.pairs), (1, 1, 0, [0; 5]));
        assert_eq!(standings.ranking(), [2, 0, 1]);
        assert_eq!(standings.games(), 6);
    }

    #[test]
    fn faults_are_counted() {
        let mut standings = Standings::new(["A", "B"].map(String::from).to_vec());
        for number in 0..3 {
            let mut line = game(number, "A", "B", "0-1");
            line.ending = if number < 2 { Ending::Time } else { Ending::Rules };
            line.fault = (number < 2).then(|| "A".to_string());
            assert!(standings.add(&line));
        }
        assert_eq!(standings.faults(0).collect::<Vec<_>>(), [(Ending::Time, 2)]);
        assert_eq!(standings.faults(1).count(), 0);
        assert_eq!(standings.endings()[&Ending::Rules], 1);
    }
}
