//! The class of one move.
//!
//! | class | when |
//! |---|---|
//! | check | the enemy king is attacked |
//! | kill | were the opponent to pass, mate by consecutive checks |
//! | chase | were the opponent to pass, a win of material by force that the move has brought about |
//! | exchange | the move attacks a man of the same kind that could capture as well |
//! | idle | anything else; sacrifices, blocks and following a man are not told apart from it |

use std::cell::OnceCell;

use super::kill;
use super::material::LEVELS;
use super::solve::Counter;
use super::threats::Threats;
use crate::position::Position;
use crate::rules::MoveKind;
use crate::types::{Bitboard, Move, PieceType, Square};

/// A threat a move has brought about; the first move of the line that wins.
pub(super) struct NewThreat {
    /// A capture or a check.
    pub(super) mv: Move,
    /// One man alone wins a rook or an unguarded man.
    pub(super) heavy: bool,
    /// The first man to be won.
    pub(super) victim: Option<Square>,
}

/// A class with its grounds.
pub(super) struct Classified {
    pub(super) kind: MoveKind,
    pub(super) threats: Vec<NewThreat>,
}

impl Classified {
    fn plain(kind: MoveKind) -> Classified {
        Classified { kind, threats: Vec::new() }
    }

    /// Whether the move is a check, a kill or a chase.
    pub(super) fn is_forbidden(&self) -> bool {
        matches!(self.kind, MoveKind::Check | MoveKind::Kill | MoveKind::Chase)
    }

    /// Whether the move is more than a joint chase or the chase of an under-protected man.
    pub(super) fn is_heavy(&self) -> bool {
        self.is_forbidden()
            && (self.kind != MoveKind::Chase || self.threats.iter().any(|threat| threat.heavy))
    }
}

/// Classifies the move `mv` made in `before`; `earlier` is the position one move back.
pub(super) fn classify(earlier: &Position, before: &Position, mv: Move) -> Classified {
    let after = before.make(mv);
    if after.in_check() {
        return Classified::plain(MoveKind::Check);
    }
    // A king that leaves check may threaten what it likes.
    if before.in_check() && before.king(before.side()) == mv.from() {
        return Classified::plain(MoveKind::Idle);
    }
    let now = Threats::new(after.make_null(), Some((before, mv)));
    if kill::mates(now.position(), kill::THREAT, now.offers()) {
        return Classified::plain(MoveKind::Kill);
    }
    let change = Change::new(earlier, before, mv, &now);
    let threats: Vec<NewThreat> = now
        .candidates()
        .filter(|&threat| change.is_new(threat))
        .map(|mv| NewThreat { mv, heavy: now.is_heavy(mv), victim: victim(&now, mv) })
        .collect();
    let kind = if !threats.is_empty() && !change.holds_draw(&threats) {
        return Classified { kind: MoveKind::Chase, threats };
    } else if now.offers().iter().any(|&offer| change.creates(offer)) {
        MoveKind::Exchange
    } else {
        MoveKind::Idle
    };
    Classified::plain(kind)
}

fn victim(now: &Threats, mv: Move) -> Option<Square> {
    if now.position().captured(mv).is_some() { Some(mv.to()) } else { now.first_victim(mv) }
}

/// What a move has changed.
struct Change<'a> {
    /// Before the opponent's last move.
    earlier: &'a Position,
    before: &'a Position,
    mv: Move,
    /// After the move and a pass.
    now: &'a Threats,
    /// Before the move.
    then: OnceCell<Threats>,
    /// What the opponent threatened before the move.
    hanging: OnceCell<Vec<Move>>,
    /// Before the move without the man that moved, if that man was hanging.
    alone: OnceCell<Option<Threats>>,
}

impl<'a> Change<'a> {
    fn new(earlier: &'a Position, before: &'a Position, mv: Move, now: &'a Threats) -> Change<'a> {
        let (then, hanging, alone) = Default::default();
        Change { earlier, before, mv, now, then, hanging, alone }
    }

    /// The same line with the moved man where it stood before.
    fn formerly(&self, threat: Move) -> Option<Move> {
        let from = if threat.from() == self.mv.to() { self.mv.from() } else { threat.from() };
        (from != threat.to()).then(|| Move::new(from, threat.to()))
    }

    fn then(&self) -> &Threats {
        self.then.get_or_init(|| Threats::new(*self.before, None))
    }

    fn hanging(&self) -> &[Move] {
        self.hanging.get_or_init(|| {
            if self.before.in_check() {
                return Vec::new();
            }
            Threats::new(self.before.make_null(), None).all()
        })
    }

    fn alone(&self) -> Option<&Threats> {
        let find = || {
            let hangs = self.hanging().iter().any(|threat| threat.to() == self.mv.from());
            let pos = hangs.then(|| without(self.before, self.mv.from())).flatten()?;
            Some(Threats::new(pos, None))
        };
        self.alone.get_or_init(find).as_ref()
    }

    /// Whether a mutual attack is the work of the move.
    fn creates(&self, offer: Move) -> bool {
        self.formerly(offer).is_none_or(|mv| !self.before.attacks_from(mv.from()).has(mv.to()))
    }

    /// Whether `threat` wins something, and more than could be won before the move.
    fn is_new(&self, threat: Move) -> bool {
        let wins = |units| self.now.wins(threat, units, Bitboard::EMPTY);
        wins(1)
            && self.now.is_safe(threat)
            && LEVELS.iter().any(|&units| (units == 1 || wins(units)) && !self.stood(threat, units))
    }

    /// Whether the threat, as far as it wins `units`, stood before the move already.
    fn stood(&self, threat: Move, units: i16) -> bool {
        if let Some(mv) = self.formerly(threat)
            && self.stood_as(mv, units)
        {
            return true;
        }
        if self.before.in_check() && self.stood_under_check(threat, units) {
            return true;
        }
        // A check on the way to a man that could be had before is nothing new.
        self.now.position().captured(threat).is_none()
            && !self.now.wins(threat, units, self.had(units))
    }

    fn stood_as(&self, mv: Move, units: i16) -> bool {
        let then = self.then();
        // The defender was not passing then: all its answers count. Half the gain is enough to
        // say that it was there.
        if then.is_candidate(mv) && then.stands(mv, (units + 1) / 2, Counter::All) {
            return true;
        }
        // If it failed only because the man that moved was hanging, and that man has no part in
        // it, then it stood as well.
        self.before.captured(mv).is_some()
            && self.before.is_legal(mv)
            && self.alone().is_some_and(|alone| {
                alone.is_candidate(mv) && alone.stands(mv, units, Counter::Only(self.hanging()))
            })
    }

    /// In check little else can be captured. A threat is old all the same if it stood before the
    /// check, or if another answer leaves it as well.
    fn stood_under_check(&self, threat: Move, units: i16) -> bool {
        let stands_in = |pos: Position, mv: Move| {
            let threats = Threats::new(pos, None);
            threats.is_candidate(mv) && threats.threatens(mv, units)
        };
        if !self.earlier.in_check()
            && let Some(mv) = self.formerly(threat)
        {
            let threats = Threats::new(self.earlier.make_null(), None);
            if threats.is_candidate(mv) && threats.stands(mv, (units + 1) / 2, Counter::All) {
                return true;
            }
        }
        self.before.legal_moves().iter().any(|&answer| {
            let after = self.before.make(answer);
            let others = answer.from() != self.mv.from() && answer.from() != threat.from();
            others && !after.in_check() && stands_in(after.make_null(), threat)
        })
    }

    /// Men that could be had before the move by capturing them.
    fn had(&self, units: i16) -> Bitboard {
        let then = self.then();
        then.candidates()
            .filter(|&mv| {
                self.before.captured(mv).is_some() && then.stands(mv, (units + 1) / 2, Counter::All)
            })
            .map(|mv| mv.to())
            .collect()
    }

    /// Whether the move only holds the draw: the one attacking man left stops a mate and happens to
    /// attack advisors or elephants.
    fn holds_draw(&self, threats: &[NewThreat]) -> bool {
        let pos = self.now.position();
        let attackers = [PieceType::Rook, PieceType::Knight, PieceType::Cannon, PieceType::Pawn]
            .map(|kind| pos.pieces(pos.side(), kind).count());
        let defenders = pos.kind(PieceType::Advisor) | pos.kind(PieceType::Elephant);
        attackers.iter().sum::<u32>() == 1
            && threats.iter().all(|threat| threat.victim.is_some_and(|sq| defenders.has(sq)))
            && !self.before.in_check()
            && kill::mates(&self.before.make_null(), kill::THREAT, &[])
    }
}

/// The position without the man on `sq`, if that is a position.
fn without(pos: &Position, sq: Square) -> Option<Position> {
    let fen = pos.fen();
    let (board, rest) = fen.split_once(' ')?;
    let mut rows: Vec<String> = Vec::new();
    for row in board.split('/') {
        let cells = row.chars().map(|c| match c.to_digit(10) {
            Some(empty) => "1".repeat(empty as usize),
            None => c.to_string(),
        });
        rows.push(cells.collect());
    }
    let file = usize::from(sq.file());
    rows.get_mut(9 - usize::from(sq.rank()))?.replace_range(file..=file, "1");
    Position::from_fen(&format!("{} {rest}", rows.join("/"))).ok()
}
