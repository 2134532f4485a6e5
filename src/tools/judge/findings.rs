//! What is told of a judgement, without the words: moves as people write them, what each side did,
//! which moves are banned and why.

use crate::notation::Notation;
use crate::position::Position;
use crate::rules::{
    Chase, Game, Grounds, Judgement, Man, MoveClass, MoveKind, Reason, RuleSet, Verdict,
};
use crate::types::{Bitboard, Color, Move, Square};

/// A move with the words for it that do not depend on the language.
pub(super) struct Told {
    /// Its number in the game, `12.` for Red and `12...` for Black.
    pub number: String,
    /// The move in the notation asked for.
    pub text: String,
    /// What it is.
    pub class: MoveClass,
    /// For each chase of the class: men that guarded the victim before the move and no longer bear
    /// on it.
    pub cut_off: Vec<Vec<Man>>,
}

/// What the moves of one side in the stretch were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Conduct {
    /// Checks.
    pub checks: usize,
    /// Threats of mate.
    pub kills: usize,
    /// Chases.
    pub chases: usize,
    /// All others.
    pub others: usize,
    /// One and the same man is chased by every move.
    pub one_man: bool,
}

impl Conduct {
    /// Number of moves.
    pub(super) fn all(&self) -> usize {
        self.checks + self.kills + self.chases + self.others
    }
}

/// A legal move that would lose by the rules at once.
pub(super) struct Banned {
    pub mv: Move,
    pub text: String,
    pub reason: Reason,
}

/// The moment at which the rules had ended the game, when more moves were played.
pub(super) struct Earlier {
    /// Plies played until then.
    pub ply: usize,
    /// Number of the last of them, as in [`Told::number`].
    pub number: String,
    pub verdict: Verdict,
}

/// A judgement with everything that is told of it.
pub(super) struct Findings {
    pub rules: RuleSet,
    pub judgement: Judgement,
    /// The side to move.
    pub side: Color,
    /// The moves of the stretch.
    pub moves: Vec<Told>,
    /// What the sides did in it, Red first.
    pub conduct: [Conduct; 2],
    pub banned: Vec<Banned>,
    pub earlier: Option<Earlier>,
}

impl Findings {
    /// Judges a game as it stands.
    pub(super) fn new(game: &Game, rules: RuleSet, notation: Notation) -> Findings {
        let mut judgement = game.judgement(rules);
        let shared = shared_victims(game, &judgement);
        for judged in &mut judgement.moves {
            put_first(&mut judged.class.chases, |chase| {
                let victim = origin(game, judged.ply, chase.victim.square);
                shared[judged.side.index()].contains(&victim)
            });
        }
        let moves = judgement
            .moves
            .iter()
            .map(|judged| {
                let before = &game.positions()[judged.ply];
                let chases = judged.class.chases.iter();
                Told {
                    number: move_number(before),
                    text: notation.write(before, judged.mv),
                    cut_off: chases.map(|chase| cut_off(before, judged.mv, chase)).collect(),
                    class: judged.class.clone(),
                }
            })
            .collect();
        let mut conduct = [Conduct::default(); 2];
        for judged in &judgement.moves {
            let own = &mut conduct[judged.side.index()];
            own.one_man = !shared[judged.side.index()].is_empty();
            match judged.class.kind {
                MoveKind::Check => own.checks += 1,
                MoveKind::Kill => own.kills += 1,
                MoveKind::Chase => own.chases += 1,
                _ => own.others += 1,
            }
        }
        let pos = game.position();
        let banned = judgement.banned.iter().map(|&mv| Banned {
            mv,
            text: notation.write(pos, mv),
            reason: reason_of_ban(game, mv, rules),
        });
        Findings {
            rules,
            side: pos.side(),
            moves,
            conduct,
            banned: banned.collect(),
            earlier: earlier(game, rules),
            judgement,
        }
    }

    /// The side that loses because of what it played; none when it is mated or stalemated.
    pub(super) fn at_fault(&self) -> Option<Color> {
        match self.judgement.verdict {
            Verdict::Win(_, Reason::Checkmate | Reason::Stalemate) => None,
            Verdict::Win(winner, _) => Some(!winner),
            Verdict::Draw(_) | Verdict::Ongoing => None,
        }
    }

    /// The numbers of the first and the last move of the stretch.
    pub(super) fn stretch(&self) -> Option<(&str, &str)> {
        Some((&self.moves.first()?.number, &self.moves.last()?.number))
    }
}

/// `12.` before a move of Red, `12...` before one of Black.
fn move_number(pos: &Position) -> String {
    let dots = if pos.side() == Color::Red { "." } else { "..." };
    format!("{}{dots}", pos.fullmove())
}

/// Where the man that stands on `sq` after move `ply` stood at the start of the game.
fn origin(game: &Game, ply: usize, sq: Square) -> Square {
    let back = game.moves()[..=ply].iter().rev();
    back.fold(sq, |sq, mv| if mv.to() == sq { mv.from() } else { sq })
}

/// The men chased by every move of a side in the stretch, by their origins; Red's moves first.
fn shared_victims(game: &Game, judgement: &Judgement) -> [Vec<Square>; 2] {
    Color::ALL.map(|side| {
        let own = judgement.moves.iter().filter(|judged| judged.side == side);
        let victims = own.map(|judged| -> Vec<Square> {
            let chases = judged.class.chases.iter();
            chases.map(|chase| origin(game, judged.ply, chase.victim.square)).collect()
        });
        let in_both = |a: Vec<Square>, b: Vec<Square>| -> Vec<Square> {
            a.into_iter().filter(|sq| b.contains(sq)).collect()
        };
        victims.reduce(in_both).unwrap_or_default()
    })
}

/// Moves what matters most to the front.
fn put_first(chases: &mut [Chase], matters: impl Fn(&Chase) -> bool) {
    chases.sort_by_key(|chase| !matters(chase));
}

/// Men that could have taken back before a move, and cannot after it, when the same man captures: a
/// move can make a chase of an old attack by cutting off a guard. Those that the grounds name are
/// left out.
fn cut_off(before: &Position, mv: Move, chase: &Chase) -> Vec<Man> {
    let named = |square: Square| match &chase.grounds {
        Grounds::Stronger { .. } => true,
        Grounds::FalseRoot { guards } => guards.iter().any(|guard| guard.guard.square == square),
        Grounds::Unguarded | Grounds::Outnumbered | Grounds::Combination => false,
    };
    let capture = Move::new(chase.attacker.square, chase.victim.square);
    let guards = |pos: &Position| -> Bitboard {
        if !pos.is_legal(capture) {
            return Bitboard::EMPTY;
        }
        let after = pos.make(capture);
        let bearing = after.attackers_to(capture.to(), after.occupied());
        let takes_back = |&guard: &Square| after.is_legal(Move::new(guard, capture.to()));
        (bearing & after.color(after.side())).into_iter().filter(takes_back).collect()
    };
    let lost = guards(before) - guards(&before.make(mv).make_null());
    let man = |square: Square| before.piece_on(square).map(|piece| Man { piece, square });
    lost.into_iter().filter(|&square| !named(square)).filter_map(man).collect()
}

fn reason_of_ban(game: &Game, mv: Move, rules: RuleSet) -> Reason {
    let mut game = game.clone();
    game.play(mv);
    game.verdict(rules).reason()
}

/// When the rules first ended the game, if moves were played after that.
fn earlier(game: &Game, rules: RuleSet) -> Option<Earlier> {
    let mut replay = Game::new(*game.start());
    for (ply, &mv) in game.moves().iter().enumerate() {
        let verdict = replay.verdict(rules);
        if verdict != Verdict::Ongoing {
            let last = ply.checked_sub(1).map_or(game.start(), |last| &game.positions()[last]);
            return Some(Earlier { ply, number: move_number(last), verdict });
        }
        replay.play(mv);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(rules: &str, fen: &str, moves: &str) -> Findings {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            assert!(game.play(text.parse().unwrap()), "{text}");
        }
        Findings::new(&game, RuleSet::by_name(rules).unwrap(), Notation::Wire)
    }

    const CHECKED: &str = "3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 7";
    const ROUND: &str = "a2d2 d9e9 d2e2 e9d9 e2d2 d9e9 d2e2 e9d9 e2d2";

    #[test]
    fn what_the_sides_did() {
        let found = findings("wxf", CHECKED, ROUND);
        assert_eq!(found.at_fault(), Some(Color::Red));
        assert_eq!(found.conduct[0], Conduct { checks: 4, ..Conduct::default() });
        assert_eq!(found.conduct[1], Conduct { others: 4, ..Conduct::default() });
        assert_eq!(found.stretch(), Some(("7...", "11.")));
        assert!(found.earlier.is_none());
    }

    #[test]
    fn a_game_that_went_on_too_long() {
        let found = findings("wxf", CHECKED, &format!("{ROUND} d9e9 d2c2"));
        assert_eq!(found.judgement.verdict, Verdict::Ongoing);
        let earlier = found.earlier.unwrap();
        assert_eq!((earlier.ply, earlier.number.as_str()), (9, "11."));
        assert_eq!(earlier.verdict, Verdict::Win(Color::Black, Reason::PerpetualCheck));
    }

    #[test]
    fn bans_have_reasons() {
        let almost = ROUND.rsplit_once(' ').unwrap().0;
        let found = findings("wxf", CHECKED, almost);
        let banned: Vec<_> =
            found.banned.iter().map(|ban| (ban.text.as_str(), ban.reason)).collect();
        assert_eq!(banned, [("e2d2", Reason::PerpetualCheck)]);
    }

    #[test]
    fn a_pawn_cuts_off_a_guard() {
        let fen = "2ca1k3/4a4/b3b4/2P5P/6p2/1c7/9/B7N/2nR5/2BAK4 w";
        let found = findings("wxf", fen, "c6b6 e7c5 b6c6 c5e7 c6b6 e7c5 b6c6 c5e7");
        let cut = |told: &Told| -> Vec<Square> {
            told.cut_off.concat().iter().map(|man| man.square).collect()
        };
        // the cannon's screen goes, the elephant becomes one, the pawn makes it one too many
        let cut: Vec<Vec<Square>> = found.moves[..4].iter().map(cut).collect();
        assert_eq!(cut, [vec![Square::C9], vec![], vec![Square::C9], vec![]]);
    }

    #[test]
    fn mated_is_not_at_fault() {
        let found = findings("wxf", "1R2k4/R8/9/9/9/9/9/9/9/3K5 b", "");
        assert_eq!(found.judgement.reason, Reason::Checkmate);
        assert_eq!(found.at_fault(), None);
    }
}
