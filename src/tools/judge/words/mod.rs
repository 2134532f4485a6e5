//! The words for what a judge found, one file a language.

mod en;
mod ru;
mod zh;

use clap::ValueEnum;

use super::findings::{Banned, Conduct, Earlier, Findings, Told};
use crate::rules::{Chase, Man, Reason, Verdict};
use crate::types::Color;

/// Languages on the command line.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lang {
    /// English
    En,
    /// 简体中文
    Zh,
    /// Русский
    Ru,
}

impl Lang {
    /// The words of this language.
    pub(super) fn words(self) -> &'static dyn Words {
        match self {
            Lang::En => &en::English,
            Lang::Zh => &zh::Chinese,
            Lang::Ru => &ru::Russian,
        }
    }
}

/// Headings of the table of rule sets.
pub(super) struct Headings {
    pub rules: &'static str,
    pub verdict: &'static str,
    pub reason: &'static str,
    pub moves: &'static str,
    pub banned: &'static str,
}

/// A language. Every method gives whole sentences or the text of a cell.
pub(super) trait Words: Sync {
    fn headings(&self) -> Headings;
    /// The side to move, below the board.
    fn to_move(&self, side: Color) -> &'static str;
    /// The rule set.
    fn rules(&self, name: &str) -> String;
    /// Who loses, in a few words.
    fn verdict(&self, verdict: Verdict) -> &'static str;
    /// The name of an offence or an end.
    fn reason(&self, reason: Reason) -> &'static str;
    /// The verdict and its reason on one line.
    fn headline(&self, verdict: Verdict) -> String;
    /// Why it is so.
    fn why(&self, found: &Findings) -> String;
    /// Which moves were looked at.
    fn stretch(&self, first: &str, last: &str, occurrences: u32) -> String;
    /// What one move is, with the grounds.
    fn class(&self, told: &Told) -> String;
    /// What one side did; `excused` when it chased one man throughout and is not at fault.
    fn conduct(&self, side: Color, conduct: &Conduct, excused: bool) -> String;
    /// Who may go on so and who has to change; empty where nobody asks.
    fn duty(&self, found: &Findings) -> String;
    /// The moves that would lose at once.
    fn banned(&self, side: Color, banned: &[Banned]) -> String;
    /// That the game should have ended before.
    fn earlier(&self, earlier: &Earlier) -> String;
    /// A game of a file: its number, the players and the recorded result.
    fn title(&self, number: usize, red: &str, black: &str, result: &str) -> String;
}

/// The whole explanation, line by line.
pub(super) fn explain(found: &Findings, words: &dyn Words) -> Vec<String> {
    let mut lines = vec![
        words.rules(found.rules.name()),
        words.headline(found.judgement.verdict),
        words.why(found),
    ];
    if let Some((first, last)) = found.stretch() {
        lines.push(words.stretch(first, last, found.judgement.occurrences));
        let width = |of: fn(&Told) -> &str| {
            found.moves.iter().map(|told| columns(of(told))).max().unwrap_or(0)
        };
        let (numbers, texts) = (width(|told| &told.number), width(|told| &told.text));
        for told in &found.moves {
            lines.push(format!(
                "  {}  {}  {}",
                pad(&told.number, numbers),
                pad(&told.text, texts),
                words.class(told)
            ));
        }
        for side in Color::ALL {
            let conduct = &found.conduct[side.index()];
            let excused = conduct.one_man && found.judgement.reason == Reason::Repetition;
            lines.push(words.conduct(side, conduct, excused));
        }
    }
    lines.push(words.duty(found));
    lines.extend(found.earlier.iter().map(|earlier| words.earlier(earlier)));
    if found.judgement.reason != Reason::Checkmate && found.judgement.reason != Reason::Stalemate {
        lines.push(words.banned(found.side, &found.banned));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// The chases of a move, each with the guards it has cut off.
fn chases(told: &Told) -> impl Iterator<Item = (&Chase, &[Man])> {
    told.class.chases.iter().zip(told.cut_off.iter().map(Vec::as_slice))
}

/// Columns of a terminal that a text takes: Chinese characters take two.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| if c as u32 >= 0x1100 { 2 } else { 1 }).sum()
}

/// A text filled up with blanks to a number of columns.
pub(super) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::position::Position;
    use crate::rules::{FalseGuard, FalseRoot, Game, Grounds, MoveClass, MoveKind, RuleSet};
    use crate::types::{Piece, Square};
    use std::collections::HashSet;

    const LANGUAGES: [Lang; 3] = [Lang::En, Lang::Zh, Lang::Ru];

    const REASONS: [Reason; 18] = [
        Reason::None,
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::PerpetualCheck,
        Reason::CheckAndMateThreat,
        Reason::PerpetualChase,
        Reason::ForbiddenLoop,
        Reason::HeavierLoop,
        Reason::TooManyChecks,
        Reason::TooManyAttacks,
        Reason::MutualPerpetualCheck,
        Reason::MutualPerpetualChase,
        Reason::MutualFault,
        Reason::Repetition,
        Reason::NaturalLimit,
        Reason::NoProgress,
        Reason::MoveLimit,
        Reason::BareMaterial,
    ];

    fn told(kind: MoveKind, chases: Vec<Chase>) -> Told {
        let cut_off = vec![Vec::new(); chases.len()];
        let class = MoveClass { kind, checkers: Vec::new(), chases };
        Told { number: "1.".to_string(), text: "h2e2".to_string(), class, cut_off }
    }

    fn chase(grounds: Grounds, joint: bool) -> Chase {
        let attacker = Man { piece: Piece::RedCannon, square: Square::C4 };
        let victim = Man { piece: Piece::BlackRook, square: Square::C8 };
        Chase { attacker, victim, grounds, joint }
    }

    fn guard() -> Man {
        Man { piece: Piece::BlackAdvisor, square: Square::D9 }
    }

    fn in_all(told: &Told) -> [String; 3] {
        LANGUAGES.map(|lang| lang.words().class(told))
    }

    #[test]
    fn every_reason_has_a_name_and_a_sentence_of_its_own() {
        let start = Game::new(Position::startpos());
        let mut found = Findings::new(&start, RuleSet::default(), Notation::Wire);
        for lang in LANGUAGES {
            let words = lang.words();
            let names: HashSet<&str> = REASONS.map(|reason| words.reason(reason)).into();
            assert_eq!(names.len(), REASONS.len(), "{lang:?}");
            let mut sentences = HashSet::new();
            for reason in REASONS {
                found.judgement.reason = reason;
                found.judgement.verdict = Verdict::Win(Color::Black, reason);
                let sentence = words.why(&found);
                assert!(sentence.ends_with(['.', '\u{3002}']), "{sentence}");
                let gap = ["  ", "()", " ,", ": ."].iter().any(|gap| sentence.contains(gap));
                assert!(!gap || reason == Reason::MutualPerpetualChase, "{sentence}");
                sentences.insert(sentence);
            }
            assert_eq!(sentences.len(), REASONS.len(), "{lang:?}");
        }
    }

    #[test]
    fn grounds_of_a_chase() {
        let one = |grounds, joint| in_all(&told(MoveKind::Chase, vec![chase(grounds, joint)]));
        assert_eq!(
            one(Grounds::Unguarded, false),
            [
                "chase: the cannon on c4 attacks the chariot on c8, which nothing guards",
                "捉：炮c4捉车c8（无根子）",
                "преследование: пушка c4 нападает на ладью c8 (защиты нет)",
            ]
        );
        let pinned = FalseGuard { guard: guard(), why: FalseRoot::Pinned };
        assert_eq!(
            one(Grounds::FalseRoot { guards: vec![pinned] }, false),
            [
                "chase: the cannon on c4 attacks the chariot on c8, whose protection is false: \
                 the advisor on d9 (it is pinned and cannot take back)",
                "捉：炮c4捉车c8（假根：士d9被牵制，不能反吃）",
                "преследование: пушка c4 нападает на ладью c8; защита ложная: советник d9 \
                 (связка, взять в ответ нельзя)",
            ]
        );
        assert_eq!(
            one(Grounds::Outnumbered, true),
            [
                "chase: the cannon on c4, together with others, attacks the chariot on c8, which \
                 has too few guards: the exchange wins material",
                "捉：炮c4联合捉车c8（少根子，兑换得子）",
                "преследование: пушка c4 вместе с другими нападает на ладью c8 (защиты мало: \
                 размен выигрывает материал)",
            ]
        );
        let [en, zh, ru] = one(Grounds::Stronger { guard: Some(guard()) }, false);
        assert!(en.contains("worth more") && en.contains("the advisor on d9"), "{en}");
        assert!(zh.contains("根子士d9"), "{zh}");
        assert!(ru.contains("советник d9"), "{ru}");
        let mut cut = told(MoveKind::Chase, vec![chase(Grounds::Unguarded, false)]);
        cut.cut_off = vec![vec![guard()]];
        let [en, zh, ru] = in_all(&cut);
        assert!(en.ends_with("(its former guard cut off: the advisor on d9)"), "{en}");
        assert!(zh.ends_with("原有根子士d9已被切断"), "{zh}");
        assert!(ru.ends_with("прежняя защита отрезана: советник d9"), "{ru}");
    }

    #[test]
    fn false_roots_and_kinds_differ_in_words() {
        let roots = [
            FalseRoot::Pinned,
            FalseRoot::DiscoveredCheck,
            FalseRoot::KingIntoAttack,
            FalseRoot::ScreenGone,
        ];
        let of_root = |why| {
            let guards = vec![FalseGuard { guard: guard(), why }];
            in_all(&told(MoveKind::Chase, vec![chase(Grounds::FalseRoot { guards }, false)]))
        };
        let texts: HashSet<[String; 3]> = roots.map(of_root).into();
        assert_eq!(texts.len(), roots.len());
        let kinds = [
            MoveKind::Check,
            MoveKind::Kill,
            MoveKind::Chase,
            MoveKind::Exchange,
            MoveKind::Sacrifice,
            MoveKind::Block,
            MoveKind::Follow,
            MoveKind::Idle,
        ];
        for language in 0..LANGUAGES.len() {
            let words: HashSet<String> =
                kinds.map(|kind| in_all(&told(kind, Vec::new()))[language].clone()).into();
            assert_eq!(words.len(), kinds.len(), "{words:?}");
        }
    }

    #[test]
    fn chinese_cells_are_two_columns() {
        assert_eq!(columns("长将 a1"), 7);
        assert_eq!(pad("长将", 6), "长将  ");
        assert_eq!(pad("long", 2), "long");
    }
}
