//! One game between two engines, judged here and nowhere else.

use std::time::Duration;

use super::adjudicate::{Adjudication, Adjudicator, DrawRule, ResignRule};
use super::player::{Answer, Fault, Player, Question};
use super::spec::{Limits, TimeControl};
use super::wire::{Budget, ClockView, Reply, Report};
use crate::record::Outcome;
use crate::rules::{Game, Reason, RuleSet, Verdict};
use crate::types::{Color, Move, MoveList};
use serde::{Deserialize, Serialize};

/// What all games of a match share.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The rules that judge.
    pub rules: RuleSet,
    /// Draws by agreement of the engines' scores.
    pub draw: Option<DrawRule>,
    /// Losses by the loser's scores.
    pub resign: Option<ResignRule>,
    /// A game of so many plies, opening included, is a draw.
    pub max_plies: usize,
}

/// The kinds of ends of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Mate, stalemate, repetition, natural limit, material.
    Rules,
    /// An engine gave up.
    Resignation,
    /// A draw was offered and accepted.
    Agreement,
    /// Drawn by both engines' scores.
    DrawAdjudication,
    /// Lost by the loser's scores.
    ResignAdjudication,
    /// The longest game allowed.
    MaxPlies,
    /// The clock ran out.
    Time,
    /// An answer that is no legal move.
    IllegalMove,
    /// The answer that there is no move where there is one.
    NoMove,
    /// The process ended.
    Crash,
    /// No answer without a clock.
    Hang,
    /// The process could not be started for the game.
    NoStart,
}

impl Ending {
    /// Whether an engine misbehaved.
    pub fn is_fault(self) -> bool {
        self >= Ending::Time
    }

    /// The words for a table.
    pub fn label(self) -> &'static str {
        match self {
            Ending::Rules => "rules",
            Ending::Resignation => "resignation",
            Ending::Agreement => "agreement",
            Ending::DrawAdjudication => "draw adjudication",
            Ending::ResignAdjudication => "resign adjudication",
            Ending::MaxPlies => "maximum length",
            Ending::Time => "time loss",
            Ending::IllegalMove => "illegal move",
            Ending::NoMove => "no move",
            Ending::Crash => "crash",
            Ending::Hang => "hang",
            Ending::NoStart => "failed start",
        }
    }
}

/// A move and what its side said about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// The engine's last report before it.
    pub report: Report,
    /// Time used.
    pub elapsed: Duration,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// Never [`Outcome::Unknown`].
    pub outcome: Outcome,
    /// The kind of end.
    pub ending: Ending,
    /// The end in words.
    pub reason: String,
    /// The word of the rule that ended it.
    pub rule: Option<&'static str>,
    /// The side that misbehaved.
    pub fault: Option<Color>,
    /// The moves of the engines, behind those of the opening.
    pub played: Vec<Played>,
    /// Whether each side's process can play on, Red first.
    pub usable: [bool; 2],
}

/// One side's clock.
#[derive(Clone, Copy, Debug)]
struct Clock {
    control: TimeControl,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    fn new(control: TimeControl) -> Clock {
        Clock { control, left: control.base, moves_to_go: control.moves }
    }

    fn view(&self) -> ClockView {
        let increment = self.control.increment;
        ClockView { left: self.left, increment, moves_to_go: self.moves_to_go }
    }

    /// Books a move. What was overdrawn within the margin is forgiven.
    fn charge(&mut self, elapsed: Duration) {
        self.left = self.left.saturating_sub(elapsed) + self.control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = self.control.moves.unwrap_or(1);
                self.left += self.control.base;
            }
        }
    }
}

/// A game in progress.
struct Table<'a> {
    terms: &'a Terms,
    game: Game,
    players: [&'a mut Player; 2],
    limits: [Limits; 2],
    clocks: [Option<Clock>; 2],
    adjudicator: Adjudicator,
    played: Vec<Played>,
    draw_offered: bool,
}

/// Plays a game from `opening`; players and limits Red first. `None` when the match is to end.
pub fn play(
    opening: &Game,
    players: [&mut Player; 2],
    limits: [Limits; 2],
    terms: &Terms,
) -> Option<Finished> {
    let mut table = Table {
        terms,
        game: opening.clone(),
        players,
        limits,
        clocks: limits.map(|limits| limits.clock.map(Clock::new)),
        adjudicator: Adjudicator::new(terms.draw, terms.resign),
        played: Vec::new(),
        draw_offered: false,
    };
    for color in Color::ALL {
        if let Err(fault) = table.players[color.index()].new_game() {
            return table.forfeit(color, fault);
        }
    }
    loop {
        if let Some(finished) = table.judge() {
            return Some(finished);
        }
        let side = table.game.position().side();
        let answer = match table.ask(side) {
            Ok(answer) => answer,
            Err(fault) => return table.forfeit(side, fault),
        };
        if let Some(finished) = table.accept(side, answer) {
            return Some(finished);
        }
    }
}

impl Table<'_> {
    fn finish(&mut self, outcome: Outcome, ending: Ending, reason: String) -> Finished {
        let played = std::mem::take(&mut self.played);
        Finished { outcome, ending, reason, rule: None, fault: None, played, usable: [true; 2] }
    }

    /// A loss by misbehaviour.
    fn lose(&mut self, side: Color, ending: Ending, reason: String) -> Finished {
        let finished = self.finish(Outcome::win(!side), ending, reason);
        Finished { fault: Some(side), ..finished }
    }

    fn forfeit(&mut self, side: Color, fault: Fault) -> Option<Finished> {
        let (name, mut usable) = (side_name(side), false);
        let (ending, reason) = match fault {
            Fault::Interrupted => return None,
            Fault::Crash(status) => (Ending::Crash, format!("{name} crashes ({status})")),
            Fault::Hang => (Ending::Hang, format!("{name} does not answer")),
            Fault::Start(why) => (Ending::NoStart, format!("{name} does not start: {why}")),
            Fault::Time(over) => {
                usable = self.players[side.index()].is_usable();
                (Ending::Time, format!("{name} loses on time ({} ms over)", over.as_millis()))
            }
        };
        let mut finished = self.lose(side, ending, reason);
        finished.usable[side.index()] = usable;
        Some(finished)
    }

    /// What the rules say of the position, then the limit of length.
    fn judge(&mut self) -> Option<Finished> {
        match self.game.verdict(self.terms.rules) {
            Verdict::Win(winner, reason) => {
                let words = match reason {
                    Reason::Checkmate | Reason::Stalemate => {
                        format!("{} wins by {reason}", side_name(winner))
                    }
                    // All other reasons are misdeeds of the loser.
                    _ => format!("{} loses by {reason}", side_name(!winner)),
                };
                let finished = self.finish(Outcome::win(winner), Ending::Rules, words);
                Some(Finished { rule: Some(reason.word()), ..finished })
            }
            Verdict::Draw(reason) => {
                let finished =
                    self.finish(Outcome::Draw, Ending::Rules, format!("draw by {reason}"));
                Some(Finished { rule: Some(reason.word()), ..finished })
            }
            Verdict::Ongoing if self.game.moves().len() >= self.terms.max_plies => {
                let words = format!("draw after {} plies", self.game.moves().len());
                Some(self.finish(Outcome::Draw, Ending::MaxPlies, words))
            }
            Verdict::Ongoing => None,
        }
    }

    fn ask(&mut self, side: Color) -> Result<Answer, Fault> {
        let (us, them) = (side.index(), (!side).index());
        let view = |clock: Option<Clock>| clock.map(|clock| clock.view());
        let limits = self.limits[us];
        let budget = Budget {
            own: view(self.clocks[us]),
            other: view(self.clocks[them]).filter(|_| limits.clock.is_some()),
            move_time: limits.move_time,
            nodes: limits.nodes,
            depth: limits.depth,
        };
        let banned = banned_moves(&self.game, self.terms.rules);
        let question =
            Question { game: &self.game, banned: &banned, draw_offered: self.draw_offered, budget };
        let answer = self.players[us].think(&question)?;
        if let Some(clock) = &mut self.clocks[us] {
            clock.charge(answer.elapsed);
        }
        Ok(answer)
    }

    /// Plays an answer, or ends the game with it.
    fn accept(&mut self, side: Color, answer: Answer) -> Option<Finished> {
        let name = side_name(side);
        let (mv, text, draw, resign) = match answer.reply {
            Reply::Best { mv, text, draw, resign } => (mv, text, draw, resign),
            _ => return Some(self.lose(side, Ending::NoMove, format!("{name} gives no move"))),
        };
        if resign {
            let outcome = Outcome::win(!side);
            return Some(self.finish(outcome, Ending::Resignation, format!("{name} resigns")));
        }
        if draw && self.draw_offered {
            return Some(self.finish(Outcome::Draw, Ending::Agreement, "draw agreed".to_string()));
        }
        let full_move = self.full_move();
        let Some(mv) = mv.filter(|&mv| self.game.play(mv)) else {
            let reason = format!("{name} answers {text:?}, which is not a legal move");
            return Some(self.lose(side, Ending::IllegalMove, reason));
        };
        self.draw_offered = draw;
        self.played.push(Played { mv, report: answer.report, elapsed: answer.elapsed });
        // The board comes before any opinion of it.
        if let Some(finished) = self.judge() {
            return Some(finished);
        }
        match self.adjudicator.note(side, answer.report.score, full_move)? {
            Adjudication::Draw => {
                let reason = "draw by both scores".to_string();
                Some(self.finish(Outcome::Draw, Ending::DrawAdjudication, reason))
            }
            Adjudication::Loss(loser) => {
                let reason = format!("{} loses by its scores", side_name(loser));
                Some(self.finish(Outcome::win(!loser), Ending::ResignAdjudication, reason))
            }
        }
    }

    /// Full moves since the start of the game, this one included.
    fn full_move(&self) -> u32 {
        (self.game.moves().len() / 2 + 1) as u32
    }
}

/// The word for a side.
pub fn side_name(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

/// Moves that would at once lose the game by a rule. Empty when every move would: then the rules, not
/// the referee, end the game.
fn banned_moves(game: &Game, rules: RuleSet) -> MoveList {
    let banned = game.banned_moves(rules);
    let all = banned.len() == game.position().legal_moves().len();
    if all { MoveList::new() } else { banned }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn clocks_run() {
        let second = Duration::from_secs(1);
        let mut clock =
            Clock::new(TimeControl { moves: Some(2), base: 10 * second, increment: second });
        clock.charge(4 * second);
        assert_eq!((clock.left, clock.moves_to_go), (7 * second, Some(1)));
        clock.charge(8 * second);
        assert_eq!(
            (clock.left, clock.moves_to_go),
            (11 * second, Some(2)),
            "overdrawn, then refilled"
        );
    }

    #[test]
    fn perpetual_check_is_banned() {
        let fen = "3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1";
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        let rules = RuleSet::default();
        for mv in "a2d2 d9e9 d2e2 e9d9 e2d2 d9e9 d2e2 e9d9".split(' ') {
            assert!(banned_moves(&game, rules).is_empty(), "before {mv}");
            assert!(game.play(mv.parse().unwrap()));
        }
        assert_eq!(banned_moves(&game, rules)[..], ["e2d2".parse().unwrap()]);
    }
}
