//! The words for what a judge found, one file a language.

mod en;
mod ru;
mod zh;

use clap::ValueEnum;

use super::findings::{Banned, Conduct, Earlier, Findings};
use crate::rules::{MoveClass, Reason, Verdict};
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
    fn class(&self, class: &MoveClass) -> String;
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
        let width = |of: fn(&super::findings::Told) -> &str| {
            found.moves.iter().map(|told| columns(of(told))).max().unwrap_or(0)
        };
        let (numbers, texts) = (width(|told| &told.number), width(|told| &told.text));
        for told in &found.moves {
            lines.push(format!(
                "  {}  {}  {}",
                pad(&told.number, numbers),
                pad(&told.text, texts),
                words.class(&told.class)
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

/// Columns of a terminal that a text takes: Chinese characters take two.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| if c as u32 >= 0x1100 { 2 } else { 1 }).sum()
}

/// A text filled up with blanks to a number of columns.
pub(super) fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}
