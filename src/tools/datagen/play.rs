//! One self-play game: moves and adjudication.

use std::sync::Arc;

use super::opening::{Beginning, Openings};
use crate::eval::nnue::Network;
use crate::record::archive::{self, Ending, GameResult};
use crate::rules::{self, Reason, RuleSet, Verdict};
use crate::search::{Control, Job, Limits, NodeCounters, Silent, Worker};
use crate::tt::{OutOfMemory, Table};
use crate::types::{Color, Move, MoveList, Score};

/// A search may take this many times the nodes asked for to finish its iteration.
const HARD_NODES: u64 = 8;
/// A score that decides the game when it lasts, in centipawns.
const DECISIVE: i32 = 1_500;
/// Plies it has to last.
const DECISIVE_PLIES: usize = 4;
/// One game in so many is played out whatever the score, so that the network sees won endings.
const PLAYED_OUT: u64 = 10;
/// A score that makes a draw when it lasts, in centipawns.
const LEVEL: i32 = 8;
/// Plies it has to last.
const LEVEL_PLIES: usize = 12;
/// No such draw before this ply.
const LEVEL_FROM: usize = 100;
/// Plies after which the game is drawn.
const PLY_LIMIT: usize = 400;

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// A stream of its own for each game of each seed.
    pub(super) fn new(seed: u64, game: u64) -> Random {
        let mut random = Random(seed);
        let start = random.next() ^ game.wrapping_mul(0xd134_2543_de82_ef95);
        Random(start)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// Plays games against itself.
#[derive(Debug)]
pub(super) struct Player {
    worker: Worker,
    table: Arc<Table>,
    counters: Arc<NodeCounters>,
    nodes: u64,
    rules: RuleSet,
}

impl Player {
    /// A player with a table of its own.
    pub(super) fn new(
        nodes: u64,
        hash: u32,
        network: Option<Arc<Network>>,
    ) -> Result<Player, OutOfMemory> {
        let table = Arc::new(Table::new(hash as usize)?);
        let counters = Arc::new(NodeCounters::new(1));
        let mut worker = Worker::new(0, Arc::clone(&table), Arc::clone(&counters));
        worker.set_network(network);
        Ok(Player { worker, table, counters, nodes, rules: RuleSet::default() })
    }

    /// Plays a game that depends on nothing but the random numbers and the settings.
    pub(super) fn game(&mut self, mut random: Random, openings: Openings) -> archive::Game {
        // drawn once, or unfair openings would change the shares
        let beginning = Beginning::draw(openings, &mut random);
        let mut job = loop {
            if let Some(job) = self.opening(beginning, &mut random) {
                break job;
            }
        };
        let played_out = random.below(PLAYED_OUT as usize) == 0;
        let mut scores = Vec::new();
        let (result, ending) = loop {
            if let Some(end) = self.ruled(&job.game) {
                break end;
            }
            if job.game.moves().len() >= PLY_LIMIT {
                break (GameResult::Draw, Ending::PlyLimit);
            }
            let side = job.game.position().side();
            let (score, mv) = self.search(&mut job, self.nodes);
            let seen_by_red = seen_by_red(score, side);
            scores.push(seen_by_red);
            job.game.play(mv);
            if score.is_mate() {
                break (winner(seen_by_red), Ending::FoundMate);
            }
            if !played_out && is_decisive(&scores) {
                break (winner(seen_by_red), Ending::DecisiveScore);
            }
            if is_level(&scores, job.game.moves().len()) {
                break (GameResult::Draw, Ending::LevelScore);
            }
        };
        archive::Game {
            start: *job.game.start(),
            result,
            ending,
            moves: job.game.moves().to_vec(),
            scores,
        }
    }

    /// Nodes a move.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets everything, as before the first move of a game.
    pub(super) fn forget(&mut self) {
        self.table.clear();
        self.worker.clear();
    }

    /// A search of the last position of a game.
    pub(super) fn job(&self, game: rules::Game) -> Job {
        Job {
            game,
            root_moves: MoveList::new(),
            limits: Limits::default(),
            multipv: 1,
            rules: self.rules,
        }
    }

    /// The score and the best move of a position that has one.
    pub(super) fn search(&mut self, job: &mut Job, nodes: u64) -> (Score, Move) {
        job.root_moves = job.game.position().legal_moves();
        job.limits = Limits {
            soft_nodes: Some(nodes),
            nodes: Some(nodes.saturating_mul(HARD_NODES)),
            ..Limits::default()
        };
        self.table.age();
        self.counters.reset();
        let outcome = self.worker.search(job, &Control::new(false), &mut Silent);
        (outcome.score, outcome.pv[0])
    }

    /// What the rules say of a game, if it is over.
    pub(super) fn ruled(&self, game: &rules::Game) -> Option<(GameResult, Ending)> {
        match game.verdict(self.rules) {
            Verdict::Ongoing => None,
            Verdict::Draw(reason) => Some((GameResult::Draw, ending(reason))),
            Verdict::Win(side, reason) => Some((GameResult::win(side), ending(reason))),
        }
    }
}

/// The archive tells apart what matters for judging its content.
fn ending(reason: Reason) -> Ending {
    match reason {
        Reason::Checkmate => Ending::Checkmate,
        Reason::Stalemate => Ending::Stalemate,
        Reason::PerpetualCheck | Reason::TooManyChecks => Ending::PerpetualCheck,
        Reason::PerpetualChase | Reason::TooManyAttacks => Ending::PerpetualChase,
        Reason::Repetition => Ending::Repetition,
        Reason::NaturalLimit | Reason::NoProgress => Ending::NaturalLimit,
        Reason::BareMaterial => Ending::BareMaterial,
        _ => Ending::OtherRule,
    }
}

/// The score of a position in which `side` moves, as archives have it.
pub(super) fn seen_by_red(score: Score, side: Color) -> i16 {
    (score.shown() * side.sign()) as i16
}

fn winner(seen_by_red: i16) -> GameResult {
    GameResult::win(if seen_by_red > 0 { Color::Red } else { Color::Black })
}

/// Whether one side has been winning for long enough.
fn is_decisive(scores: &[i16]) -> bool {
    let Some(start) = scores.len().checked_sub(DECISIVE_PLIES) else { return false };
    let last = &scores[start..];
    last.iter().all(|&score| i32::from(score) >= DECISIVE)
        || last.iter().all(|&score| i32::from(score) <= -DECISIVE)
}

/// Whether the game has been level for long enough.
fn is_level(scores: &[i16], plies: usize) -> bool {
    let Some(start) = scores.len().checked_sub(LEVEL_PLIES) else { return false };
    plies > LEVEL_FROM && scores[start..].iter().all(|&score| i32::from(score).abs() <= LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjudication_needs_patience() {
        assert!(!is_decisive(&[1500; 3]) && is_decisive(&[1500; 4]) && is_decisive(&[-1600; 5]));
        assert!(
            !is_decisive(&[1500, 1500, -1500, 1500]) && !is_decisive(&[2000, 1499, 2000, 2000])
        );
        assert!(is_level(&[8; 12], 101) && !is_level(&[8; 12], 100) && !is_level(&[8; 11], 300));
        assert!(!is_level(&[9; 12], 300));
    }

    #[test]
    fn games_end_as_they_say_and_repeat_from_their_seed() {
        let mut player = Player::new(60, 1, None).expect("memory");
        let mut endings = Vec::new();
        for number in 0..8 {
            let game = player.game(Random::new(1, number), Openings::Random);
            assert!((8..=9).contains(&game.unscored()) || game.scores.is_empty());
            assert!(game.moves.len() <= PLY_LIMIT);
            let last = game.samples().last().expect("a move").position;
            let end = last.make(game.moves[game.moves.len() - 1]);
            match game.ending {
                Ending::Checkmate => assert!(end.in_check() && !end.has_legal_move()),
                Ending::FoundMate => assert!(game.scores.last().is_some_and(|s| s.abs() > 31_000)),
                Ending::DecisiveScore => assert!(is_decisive(&game.scores)),
                _ => {}
            }
            assert_eq!(
                game,
                player.game(Random::new(1, number), Openings::Random),
                "game {number}"
            );
            endings.push(game);
        }
        endings.dedup();
        assert_eq!(endings.len(), 8, "games are distinct");
    }
}
