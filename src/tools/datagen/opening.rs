//! How games of training data begin.
//!
//! Each opening depends on the random numbers of its game alone: where middle games are wanted, a
//! shallow game is played for the purpose instead of taking one from the archive. So games can be
//! made in any order, by any number of threads, and again.

use super::play::{Player, Random};
use crate::position::{Position, can_stand};
use crate::record::archive::Packed;
use crate::rules;
use crate::search::Job;
use crate::types::{Bitboard, Color, Piece, PieceType, Square};

/// Random moves of an opening, one more in half of the games so that both sides get to move first.
const RANDOM_PLIES: usize = 8;
/// An opening is thrown away when one side stands this much better, in centipawns.
const OPENING_LIMIT: i32 = 400;
/// Nodes to judge an opening with, in multiples of those of a move.
const OPENING_NODES: u64 = 10;
/// A move of a shallow game gets this part of the nodes of a move.
const LEAD_NODES: u64 = 8;
/// Shortest shallow game, and how many plies more it may have.
const LEAD_PLIES: usize = 20;
const LEAD_SPREAD: usize = 61;
/// Random moves after it, and how many more there may be.
const LEAD_RANDOM: usize = 2;
const LEAD_RANDOM_SPREAD: usize = 3;
/// Attackers each side has at most in a sparse position.
const FEW: u32 = 3;

/// Openings to choose from.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Openings {
    /// In 80 % random moves from the start position, 10 % middle games, 10 % positions with few men
    #[default]
    Mix,
    /// Only random moves from the start position
    Random,
}

/// Where a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Beginning {
    /// The start position, then [`RANDOM_PLIES`] random moves or one more.
    Start,
    /// A position of a shallow game, then two to four random moves.
    Middle,
    /// A random placement with one to three attackers a side.
    Sparse,
}

impl Beginning {
    pub(super) const ALL: [Beginning; 3] = [Beginning::Start, Beginning::Middle, Beginning::Sparse];

    /// Draws one. With random moves only, no number is used up.
    pub(super) fn draw(openings: Openings, random: &mut Random) -> Beginning {
        if openings == Openings::Random {
            return Beginning::Start;
        }
        match random.below(10) {
            0 => Beginning::Middle,
            1 => Beginning::Sparse,
            _ => Beginning::Start,
        }
    }

    /// How the game that begins with this position began.
    pub(super) fn of(start: &Position) -> Beginning {
        if *start == Position::startpos() {
            Beginning::Start
        } else if is_sparse(start) {
            Beginning::Sparse
        } else {
            Beginning::Middle
        }
    }
}

/// Whether neither side has more than [`FEW`] men that can attack.
fn is_sparse(pos: &Position) -> bool {
    let count = |side: Color| {
        let kinds = [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn];
        kinds.map(|kind| pos.pieces(side, kind).count()).iter().sum::<u32>()
    };
    Color::ALL.into_iter().all(|side| count(side) <= FEW)
}

impl Player {
    /// A fair opening, with its last position searched; `None` when it was not fair.
    pub(super) fn opening(&mut self, beginning: Beginning, random: &mut Random) -> Option<Job> {
        let game = match beginning {
            Beginning::Start => {
                let plies = RANDOM_PLIES + random.below(2);
                random_moves(Position::startpos(), plies, random)?
            }
            Beginning::Middle => {
                let start = self.middle_game(random)?;
                let plies = LEAD_RANDOM + random.below(LEAD_RANDOM_SPREAD);
                random_moves(start, plies, random)?
            }
            Beginning::Sparse => rules::Game::new(sparse(random)?),
        };
        self.forget();
        if self.ruled(&game).is_some() {
            return None;
        }
        let mut job = self.job(game);
        let (score, _) = self.search(&mut job, self.nodes() * OPENING_NODES);
        (score.value().abs() <= OPENING_LIMIT).then_some(job)
    }

    /// A position of a shallow game, not yet with few men, as a start of its own.
    fn middle_game(&mut self, random: &mut Random) -> Option<Position> {
        let plies = LEAD_PLIES + random.below(LEAD_SPREAD);
        let game = random_moves(Position::startpos(), RANDOM_PLIES + random.below(2), random)?;
        self.forget();
        let mut job = self.job(game);
        let mut last = 0;
        for _ in 0..plies {
            if self.ruled(&job.game).is_some() {
                return None;
            }
            let (score, mv) = self.search(&mut job, (self.nodes() / LEAD_NODES).max(1));
            last = score.value();
            job.game.play(mv);
        }
        let pos = job.game.position();
        let fair = last.abs() <= OPENING_LIMIT && !is_sparse(pos);
        if fair { Packed::board(pos).position() } else { None }
    }
}

/// A game of random moves; `None` when there was none to make.
fn random_moves(start: Position, plies: usize, random: &mut Random) -> Option<rules::Game> {
    let mut game = rules::Game::new(start);
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            return None;
        }
        game.play(moves[random.below(moves.len())]);
    }
    Some(game)
}

/// Kings, one to three attackers and up to four defenders a side where chance puts them; `None` when
/// that is no position.
fn sparse(random: &mut Random) -> Option<Position> {
    let mut cells = [None; 90];
    for side in Color::ALL {
        place(&mut cells, Piece::new(side, PieceType::King), random);
        for kind in [PieceType::Advisor, PieceType::Elephant] {
            for _ in 0..random.below(3) {
                place(&mut cells, Piece::new(side, kind), random);
            }
        }
        for _ in 0..1 + random.below(FEW as usize) {
            let kinds = [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn];
            place(&mut cells, Piece::new(side, kinds[random.below(kinds.len())]), random);
        }
    }
    let side = if random.below(2) == 0 { Color::Red } else { Color::Black };
    Position::from_men(&cells, side).ok()
}

/// Puts a man on a free point where it can stand.
fn place(cells: &mut [Option<Piece>; 90], piece: Piece, random: &mut Random) {
    let free = |sq: &Square| cells[sq.index()].is_none() && can_stand(piece, *sq);
    let points: Vec<Square> = Bitboard::ALL.into_iter().filter(free).collect();
    // far fewer men than points of any kind
    cells[points[random.below(points.len())].index()] = Some(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_positions_are_sparse() {
        let mut random = Random::new(4, 0);
        let (mut found, mut black) = (0, 0);
        for _ in 0..400 {
            let Some(pos) = sparse(&mut random) else { continue };
            found += 1;
            black += (pos.side() == Color::Black) as u32;
            assert!(pos.validate().is_ok() && is_sparse(&pos), "{}", pos.fen());
            assert_eq!(Beginning::of(&pos), Beginning::Sparse);
            assert!((4..=16).contains(&pos.occupied().count()));
            for side in Color::ALL {
                let defenders = pos.pieces(side, PieceType::King)
                    | pos.pieces(side, PieceType::Advisor)
                    | pos.pieces(side, PieceType::Elephant);
                assert!((1..=3).contains(&(pos.color(side) - defenders).count()));
            }
        }
        assert!(found > 200 && (found / 4..3 * found / 4).contains(&black), "{found} {black}");
    }

    #[test]
    fn games_begin_as_was_drawn() {
        let mut player = Player::new(16, 1, None).expect("memory");
        let mut counts = [0; 3];
        for number in 0..200 {
            let drawn = Beginning::draw(Openings::Mix, &mut Random::new(7, number));
            counts[drawn as usize] += 1;
            // playing all of them would take long
            if drawn == Beginning::Start && number > 2 || number > 60 {
                continue;
            }
            let game = player.game(Random::new(7, number), Openings::Mix);
            assert_eq!(Beginning::of(&game.start), drawn, "{}", game.start.fen());
            let unscored = match drawn {
                Beginning::Start => 8..=9,
                Beginning::Middle => 2..=4,
                Beginning::Sparse => 0..=0,
            };
            assert!(unscored.contains(&game.unscored()), "game {number}");
            assert_eq!(game, player.game(Random::new(7, number), Openings::Mix), "game {number}");
        }
        let [start, middle, sparse] = counts;
        assert!((140..=180).contains(&start), "{counts:?}");
        assert!(middle >= 8 && sparse >= 8, "{counts:?}");
        let mut random = Random::new(7, 0);
        assert_eq!(Beginning::draw(Openings::Random, &mut random), Beginning::Start);
        assert_eq!(random.below(1 << 40), Random::new(7, 0).below(1 << 40));
    }
}
