//! The rules a user can choose.

/// What a repeated position means.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RepetitionRule {
    /// A side that gave check with every move of the loop loses, unless the other did too; every
    /// other repetition is a draw.
    #[default]
    CheckOnly,
    /// Every repetition is a draw.
    AlwaysDraw,
}

/// A complete set of draw and repetition rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSet {
    /// What a repeated position means.
    pub repetition: RepetitionRule,
    /// How often a position must have occurred, the first time included, before it is judged.
    pub occurrences: u8,
    /// Plies without capture after which the game is drawn; `None` for no limit.
    pub natural_limit: Option<u16>,
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet { repetition: RepetitionRule::default(), occurrences: 3, natural_limit: Some(120) }
    }
}
