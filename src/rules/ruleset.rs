//! The rules a user can choose: one value, made from a named set and adjustable after.

use std::fmt;

use super::series::Series;
use super::{Judge, sets};
use crate::types::Color;

/// What a named rule set consists of. Each file below `sets/` holds one.
pub struct Definition {
    /// Its name: one lower-case word.
    pub name: &'static str,
    /// Other names it is known by. Case, blanks, `_` and `-` never matter.
    pub aliases: &'static [&'static str],
    /// One line for a list of rule sets.
    pub summary: &'static str,
    /// How often a position must have occurred, the first time included, before it is judged;
    /// `None` where repetition as such means nothing.
    pub occurrences: Option<u8>,
    /// Plies without capture that make a draw.
    pub natural_limit: Option<u16>,
    /// How many checks of each side count towards the natural limit since the last capture; `None`
    /// for all. Later checks and the moves that answer them do not count.
    pub counted_checks: Option<u16>,
    /// Judges loops.
    pub judge: &'static dyn Judge,
    /// Rules that count over the whole game, if the set has any.
    pub series: Option<&'static dyn Series>,
}

/// Whom draws are given to, for who plays where a draw is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawAward {
    /// A draw counts as this side's win.
    pub winner: Color,
    /// Only draws by repetition do.
    pub only_repetitions: bool,
}

/// A complete set of draw and repetition rules.
#[derive(Clone, Copy)]
pub struct RuleSet {
    /// The named set this value was made from.
    pub definition: &'static Definition,
    /// How often a position must have occurred, the first time included, before it is judged;
    /// `None`: never.
    pub occurrences: Option<u8>,
    /// Plies without capture after which the game is drawn; `None` for no limit.
    pub natural_limit: Option<u16>,
    /// How many checks of each side count towards the limit; `None` for all.
    pub counted_checks: Option<u16>,
    /// What a search is to think of draws; `None`: that they are draws. Verdicts on games played
    /// are the same with it.
    pub draw_award: Option<DrawAward>,
}

impl RuleSet {
    const fn new(definition: &'static Definition) -> RuleSet {
        RuleSet {
            definition,
            occurrences: definition.occurrences,
            natural_limit: definition.natural_limit,
            counted_checks: definition.counted_checks,
            draw_award: None,
        }
    }

    /// The rule set with this name or alias. Case, blanks, `_` and `-` do not matter.
    pub fn by_name(name: &str) -> Option<RuleSet> {
        let wanted = plain(name);
        let known = |definition: &&&'static Definition| {
            plain(definition.name) == wanted
                || definition.aliases.iter().any(|alias| plain(alias) == wanted)
        };
        sets::ALL.iter().find(known).map(|definition| RuleSet::new(definition))
    }

    /// The names of all rule sets, the default first.
    pub fn names() -> impl ExactSizeIterator<Item = &'static str> + Clone {
        sets::ALL.iter().map(|definition| definition.name)
    }

    /// The name of the set this value was made from.
    pub fn name(&self) -> &'static str {
        self.definition.name
    }

    /// Other names of that set.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.definition.aliases
    }

    /// One line about that set.
    pub fn summary(&self) -> &'static str {
        self.definition.summary
    }

    /// Who judges loops.
    #[inline]
    pub(super) fn judge(&self) -> &'static dyn Judge {
        self.definition.judge
    }

    pub(super) fn series(&self) -> Option<&'static dyn Series> {
        self.definition.series
    }
}

fn plain(name: &str) -> String {
    let ignored = |c: &char| !matches!(c, ' ' | '_' | '-');
    name.trim().chars().filter(ignored).map(|c| c.to_ascii_lowercase()).collect()
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet::new(sets::DEFAULT)
    }
}

impl PartialEq for RuleSet {
    fn eq(&self, other: &RuleSet) -> bool {
        // names are unique, and function pointers do not compare
        let rest = |set: &RuleSet| {
            (set.occurrences, set.natural_limit, set.counted_checks, set.draw_award)
        };
        self.name() == other.name() && rest(self) == rest(other)
    }
}

impl Eq for RuleSet {}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("name", &self.name())
            .field("occurrences", &self.occurrences)
            .field("natural_limit", &self.natural_limit)
            .field("counted_checks", &self.counted_checks)
            .field("draw_award", &self.draw_award)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases() {
        let names: Vec<&str> = RuleSet::names().collect();
        let listed = [
            "wxf",
            "computer",
            "cxa",
            "ucci",
            "cxq",
            "club120",
            "hk4",
            "prc4",
            "threecheck",
            "checkonly",
            "alwaysdraw",
        ];
        assert_eq!(names, listed);
        assert_eq!(RuleSet::default().name(), "wxf");
        for (alias, name) in [
            ("asianrule", "wxf"),
            ("AsianRule", "wxf"),
            ("ASIAN_RULE", "wxf"),
            ("chineserule", "cxa"),
            ("ComputerRule", "computer"),
            ("computer rule", "computer"),
            ("checkban", "checkonly"),
            ("AllowChase", "checkonly"),
            ("NoJudgement", "alwaysdraw"),
            (" AlwaysDraw ", "alwaysdraw"),
        ] {
            assert_eq!(RuleSet::by_name(alias).map(|set| set.name()), Some(name), "{alias}");
        }
        for unknown in ["", "skyrule", "YitianRule", "wx", "wxf2", "\u{1F600}"] {
            assert_eq!(RuleSet::by_name(unknown), None, "{unknown:?}");
        }
    }

    #[test]
    fn every_spelling_means_one_set() {
        let spellings = |set: RuleSet| [&[set.name()], set.aliases()].concat();
        for name in RuleSet::names() {
            let set = RuleSet::by_name(name).unwrap();
            assert!(!set.summary().is_empty());
            for spelling in spellings(set) {
                assert_eq!(RuleSet::by_name(spelling).unwrap().name(), name, "{spelling}");
            }
        }
    }
}
