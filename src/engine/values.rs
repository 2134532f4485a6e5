//! The values that the options have.

use super::level::{ELO_MAX, LEVELS, Level, RANDOMNESS, Randomness, SKILL_FULL};
use super::options::{OptionId, REPETITION_CHOICES, USUAL_LIMIT, Value};
use crate::rules::{DrawAward, RuleSet};
use crate::search::TUNABLES;
use crate::types::Color;

/// Values of the options that are kept; buttons are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// See [`OptionId::Hash`].
    pub hash: i64,
    /// See [`OptionId::Threads`].
    pub threads: i64,
    /// See [`OptionId::ShowWdl`].
    pub show_wdl: bool,
    /// See [`OptionId::Ponder`].
    pub ponder: bool,
    /// See [`OptionId::MultiPv`].
    pub multipv: usize,
    /// See [`OptionId::MoveOverhead`], in milliseconds.
    pub move_overhead: u64,
    /// See [`OptionId::UseMillisec`].
    pub use_millisec: bool,
    /// See [`OptionId::OfferPeace`].
    pub offer_peace: bool,
    /// See [`OptionId::GiveUp`].
    pub give_up: bool,
    /// See [`OptionId::SkillLevel`].
    pub skill: i64,
    /// See [`OptionId::LimitStrength`].
    pub limit_strength: bool,
    /// See [`OptionId::Elo`].
    pub elo: i64,
    /// See [`OptionId::Level`].
    pub level: Level,
    /// See [`OptionId::Randomness`].
    pub randomness: Randomness,
    /// See [`OptionId::OwnBook`].
    pub own_book: bool,
    /// See [`OptionId::Seed`].
    pub seed: u64,
    repetition: usize,
    draw_award: Option<DrawAward>,
    sixty_move_rule: bool,
    rule60_max_ply: u16,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            show_wdl: false,
            ponder: false,
            multipv: 1,
            move_overhead: 10,
            use_millisec: true,
            offer_peace: false,
            give_up: false,
            skill: SKILL_FULL,
            limit_strength: false,
            elo: ELO_MAX,
            level: Level::Full,
            randomness: Randomness::None,
            own_book: true,
            seed: 0,
            repetition: 0,
            draw_award: None,
            sixty_move_rule: true,
            rule60_max_ply: USUAL_LIMIT,
        }
    }
}

/// What the choices of [`OptionId::DrawRule`] mean, in their order.
const DRAW_AWARDS: [Option<DrawAward>; 5] = [
    None,
    Some(DrawAward { winner: Color::Black, only_repetitions: false }),
    Some(DrawAward { winner: Color::Red, only_repetitions: false }),
    Some(DrawAward { winner: Color::Black, only_repetitions: true }),
    Some(DrawAward { winner: Color::Red, only_repetitions: true }),
];

impl Options {
    /// Keeps a value. Buttons and options of the connection change nothing here.
    pub fn set(&mut self, id: OptionId, value: Value) {
        match (id, value) {
            (OptionId::Hash, Value::Number(n)) => self.hash = n,
            (OptionId::Threads, Value::Number(n)) => self.threads = n,
            (OptionId::ShowWdl, Value::Flag(on)) => self.show_wdl = on,
            (OptionId::Ponder, Value::Flag(on)) => self.ponder = on,
            (OptionId::MultiPv, Value::Number(n)) => self.multipv = n.max(1) as usize,
            (OptionId::MoveOverhead, Value::Number(n)) => self.move_overhead = n.max(0) as u64,
            (OptionId::UseMillisec, Value::Flag(on)) => self.use_millisec = on,
            (OptionId::OfferPeace, Value::Flag(on)) => self.offer_peace = on,
            (OptionId::GiveUp, Value::Flag(on)) => self.give_up = on,
            (OptionId::RepetitionRule, Value::Choice(index)) => self.repetition = index,
            (OptionId::DrawRule, Value::Choice(index)) => {
                self.draw_award = DRAW_AWARDS.get(index).copied().flatten();
            }
            (OptionId::SixtyMoveRule, Value::Flag(on)) => self.sixty_move_rule = on,
            (OptionId::Rule60MaxPly, Value::Number(n)) => self.rule60_max_ply = n as u16,
            (OptionId::DrawMoves, Value::Number(n)) => self.rule60_max_ply = 2 * n as u16,
            (OptionId::SkillLevel, Value::Number(n)) => self.skill = n,
            (OptionId::LimitStrength, Value::Flag(on)) => self.limit_strength = on,
            (OptionId::Elo, Value::Number(n)) => self.elo = n,
            (OptionId::Level, Value::Choice(index)) => {
                self.level = LEVELS.get(index).copied().unwrap_or(Level::Full);
            }
            (OptionId::Randomness, Value::Choice(index)) => {
                self.randomness = RANDOMNESS.get(index).copied().unwrap_or(Randomness::None);
            }
            (OptionId::OwnBook, Value::Flag(on)) => self.own_book = on,
            (OptionId::Seed, Value::Number(n)) => self.seed = n.max(0) as u64,
            (OptionId::Tunable(index), Value::Number(n)) => {
                if let Some(tunable) = TUNABLES.get(index) {
                    tunable.set(n as i32);
                }
            }
            _ => {}
        }
    }

    /// The rules chosen. The natural limit is the set's own unless the user has set another or
    /// turned it off.
    pub fn rules(&self) -> RuleSet {
        let chosen = REPETITION_CHOICES.get(self.repetition);
        let rules = chosen.and_then(|choice| RuleSet::by_name(choice.name)).unwrap_or_default();
        let natural_limit = match self.rule60_max_ply {
            _ if !self.sixty_move_rule => None,
            0 => None,
            USUAL_LIMIT => rules.natural_limit,
            limit => Some(limit),
        };
        RuleSet { natural_limit, draw_award: self.draw_award, ..rules }
    }
}
