//! Every option, declared once: names, spellings, kind, range, and where it is announced.
//!
//! Names and values are looked up here whatever the protocol; how an announcement is written is the
//! business of the protocol layer. Names that other engines have and we do not are simply unknown:
//! clients may set them, nothing happens.

use once_cell::sync::Lazy;

use super::level::{ELO_MAX, ELO_MIN, SKILL_FULL, SKILL_MIN};
pub use super::level::{Level, Randomness};
pub use super::values::Options;
use crate::rules::RuleSet;
use crate::search::{TUNABLES, Tunable};

/// What an option controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionId {
    /// Size of the hash table in MB, 0 for automatic.
    Hash,
    /// Number of workers, 0 for one per logical processor.
    Threads,
    /// Empties the hash table.
    ClearHash,
    /// Forgets everything learned.
    NewGame,
    /// The network that values positions.
    EvalFile,
    /// Whether a network is asked at all.
    UseNetwork,
    /// Report the chances of a win, a draw and a loss.
    ShowWdl,
    /// The client intends to ponder.
    Ponder,
    /// Number of lines to report.
    MultiPv,
    /// Milliseconds kept in reserve for each move.
    MoveOverhead,
    /// Whether UCCI clocks count milliseconds or seconds.
    UseMillisec,
    /// Input is a file: no line is acted on before the search ahead of it has ended.
    Batch,
    /// Report what is not understood.
    Debug,
    /// What a repetition means.
    RepetitionRule,
    /// Whom draws are given to.
    DrawRule,
    /// Whether long games without captures are drawn.
    SixtyMoveRule,
    /// Plies without capture that make a draw; 0 for none.
    Rule60MaxPly,
    /// The same in full moves, the name of old UCCI.
    DrawMoves,
    /// How ranks are numbered on the wire.
    Coordinates,
    /// Sent by clients for many games; a hint about their coordinates.
    Variant,
    /// Offer a draw in level positions with little material.
    OfferPeace,
    /// Resign lost games.
    GiveUp,
    /// A file that takes down what passes between client and engine.
    DebugLog,
    /// Playing strength from -4 to 20, which is full.
    SkillLevel,
    /// Whether [`OptionId::Elo`] counts.
    LimitStrength,
    /// Playing strength on the scale that the README describes.
    Elo,
    /// Playing strength in words.
    Level,
    /// Variety among moves that are nearly as good as the best.
    Randomness,
    /// Whether the opening books are asked.
    OwnBook,
    /// The opening books, files separated by `;`.
    BookFile,
    /// Where the random choices of weaker and varied play begin; 0 for the clock.
    Seed,
    /// A constant of the search, by its place in [`TUNABLES`]; with the feature `tune` only.
    Tunable(usize),
}

/// A value of a combo option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The announced text; UCCI announces it in lower case.
    pub name: &'static str,
}

const fn choice(name: &'static str) -> Choice {
    Choice { name }
}

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Yes or no, with its default.
    Check(bool),
    /// A whole number.
    Spin {
        /// Value at start.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Index of the choice at start.
        default: usize,
        /// All choices.
        choices: &'static [Choice],
    },
    /// A file; at start what is built in.
    File,
    /// No value.
    Button,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What it controls.
    pub id: OptionId,
    /// Its name in UCI.
    pub name: &'static str,
    /// Its name in UCCI: one lower-case word.
    pub ucci_name: &'static str,
    /// Other spellings; case and `_` for a blank never matter.
    pub aliases: &'static [&'static str],
    /// Its values.
    pub kind: Kind,
    /// Whether UCI announces it.
    pub in_uci: bool,
    /// Whether UCCI announces it.
    pub in_ucci: bool,
}

/// Choices of [`OptionId::RepetitionRule`]: every rule set once, under the name that clients know
/// from other engines if there is one. [`RuleSet::by_name`] knows them and all other spellings.
pub(super) const REPETITION_CHOICES: &[Choice] = &[
    choice("AsianRule"),
    choice("ChineseRule"),
    choice("ComputerRule"),
    choice("AllowChase"),
    choice("NoJudgement"),
    choice("ucci"),
    choice("cxq"),
    choice("club120"),
    choice("hk4"),
    choice("prc4"),
    choice("threecheck"),
];

/// Choices of [`OptionId::DrawRule`], in the order of their meanings in the module `values`.
const DRAW_CHOICES: &[Choice] = &[
    choice("None"),
    choice("DrawAsBlackWin"),
    choice("DrawAsRedWin"),
    choice("DrawRepAsBlackWin"),
    choice("DrawRepAsRedWin"),
];

const LEVEL_CHOICES: &[Choice] = &[
    choice("Novice"),
    choice("Easy"),
    choice("Normal"),
    choice("Hard"),
    choice("Hardest"),
    choice("Full"),
];

const RANDOMNESS_CHOICES: &[Choice] = &[
    choice("none"),
    choice("tiny"),
    choice("small"),
    choice("medium"),
    choice("large"),
    choice("huge"),
];

/// Choices of [`OptionId::Coordinates`]: automatic, ranks from 0, ranks from 1.
const COORDINATE_CHOICES: &[Choice] = &[choice("Auto"), choice("ZeroBased"), choice("OneBased")];

const VARIANT_CHOICES: &[Choice] = &[choice("xiangqi")];

/// Value of [`OptionId::Rule60MaxPly`] at start. It leaves the natural limit to the rule set, as
/// clients send it back unasked.
pub(super) const USUAL_LIMIT: u16 = 120;

const fn spin(default: i64, min: i64, max: i64) -> Kind {
    Kind::Spin { default, min, max }
}

/// Announced by nobody unless said otherwise.
const fn hidden(
    id: OptionId,
    name: &'static str,
    ucci_name: &'static str,
    aliases: &'static [&'static str],
    kind: Kind,
) -> Spec {
    Spec { id, name, ucci_name, aliases, kind, in_uci: false, in_ucci: false }
}

const fn both(spec: Spec) -> Spec {
    Spec { in_uci: true, in_ucci: true, ..spec }
}

const fn uci_only(spec: Spec) -> Spec {
    Spec { in_uci: true, ..spec }
}

const fn ucci_only(spec: Spec) -> Spec {
    Spec { in_ucci: true, ..spec }
}

/// All options in the order they are announced.
///
/// UCCI must not announce names or values that contain `draw`, `resign`, `bestmove` or `bye`:
/// clients look for these words in every line.
pub static REGISTRY: &[Spec] = &[
    ucci_only(hidden(OptionId::UseMillisec, "usemillisec", "usemillisec", &[], Kind::Check(true))),
    both(hidden(OptionId::Threads, "Threads", "threads", &["cores"], spin(1, 0, 1024))),
    both(hidden(OptionId::Hash, "Hash", "hashsize", &["usi hash"], spin(16, 0, 33_554_432))),
    uci_only(hidden(OptionId::DebugLog, "Debug Log File", "debuglogfile", &[], Kind::File)),
    both(hidden(OptionId::EvalFile, "EvalFile", "evalfile", &[], Kind::File)),
    uci_only(hidden(OptionId::UseNetwork, "Use NNUE", "usennue", &[], Kind::Check(true))),
    uci_only(hidden(OptionId::ClearHash, "Clear Hash", "clearhash", &[], Kind::Button)),
    both(hidden(OptionId::Ponder, "Ponder", "ponder", &[], Kind::Check(false))),
    both(hidden(OptionId::MultiPv, "MultiPV", "multipv", &[], spin(1, 1, 128))),
    uci_only(hidden(OptionId::ShowWdl, "UCI_ShowWDL", "showwdl", &[], Kind::Check(false))),
    both(hidden(OptionId::MoveOverhead, "Move Overhead", "moveoverhead", &[], spin(10, 0, 5000))),
    both(hidden(
        OptionId::RepetitionRule,
        "Repetition Rule",
        "repetition",
        &[],
        Kind::Combo { default: 0, choices: REPETITION_CHOICES },
    )),
    uci_only(hidden(
        OptionId::DrawRule,
        "Draw Rule",
        "drawrule",
        &[],
        Kind::Combo { default: 0, choices: DRAW_CHOICES },
    )),
    uci_only(hidden(
        OptionId::SixtyMoveRule,
        "Sixty Move Rule",
        "sixtymoverule",
        &[],
        Kind::Check(true),
    )),
    uci_only(hidden(
        OptionId::Rule60MaxPly,
        "Rule60MaxPly",
        "rule60maxply",
        &[],
        spin(USUAL_LIMIT as i64, 0, 200),
    )),
    hidden(
        OptionId::DrawMoves,
        "drawmoves",
        "drawmoves",
        &[],
        spin(USUAL_LIMIT as i64 / 2, 0, 100),
    ),
    uci_only(hidden(
        OptionId::Coordinates,
        "UCI_Coordinates",
        "coordinates",
        &[],
        Kind::Combo { default: 0, choices: COORDINATE_CHOICES },
    )),
    hidden(
        OptionId::Variant,
        "UCI_Variant",
        "variant",
        &[],
        Kind::Combo { default: 0, choices: VARIANT_CHOICES },
    ),
    both(hidden(
        OptionId::SkillLevel,
        "Skill Level",
        "skilllevel",
        &[],
        spin(SKILL_FULL, SKILL_MIN, SKILL_FULL),
    )),
    uci_only(hidden(
        OptionId::LimitStrength,
        "UCI_LimitStrength",
        "limitstrength",
        &[],
        Kind::Check(false),
    )),
    uci_only(hidden(OptionId::Elo, "UCI_Elo", "elo", &[], spin(ELO_MAX, ELO_MIN, ELO_MAX))),
    both(hidden(
        OptionId::Level,
        "Level",
        "level",
        &[],
        Kind::Combo { default: 5, choices: LEVEL_CHOICES },
    )),
    both(hidden(
        OptionId::Randomness,
        "Randomness",
        "randomness",
        &["selectivity"],
        Kind::Combo { default: 0, choices: RANDOMNESS_CHOICES },
    )),
    both(hidden(
        OptionId::OwnBook,
        "OwnBook",
        "usebook",
        &["own book", "use book"],
        Kind::Check(true),
    )),
    both(hidden(OptionId::BookFile, "BookFile", "bookfiles", &["book file"], Kind::File)),
    hidden(OptionId::Seed, "Random Seed", "randomseed", &[], spin(0, 0, i64::MAX)),
    ucci_only(hidden(OptionId::OfferPeace, "offerpeace", "offerpeace", &[], Kind::Check(false))),
    ucci_only(hidden(OptionId::GiveUp, "giveup", "giveup", &[], Kind::Check(false))),
    ucci_only(hidden(OptionId::Batch, "batch", "batch", &[], Kind::Check(false))),
    ucci_only(hidden(OptionId::Debug, "debug", "debug", &[], Kind::Check(false))),
    ucci_only(hidden(
        OptionId::NewGame,
        "newgame",
        "newgame",
        &["loadbook", "ucinewgame"],
        Kind::Button,
    )),
];

/// Constants of the search as options; none in an ordinary build.
static TUNING: Lazy<Vec<Spec>> = Lazy::new(|| {
    let spec = |(index, tunable): (usize, &&'static Tunable)| {
        let (min, max) = (i64::from(*tunable.range.start()), i64::from(*tunable.range.end()));
        let kind = spin(i64::from(tunable.default), min, max);
        uci_only(hidden(OptionId::Tunable(index), tunable.name, tunable.name, &[], kind))
    };
    let tuning = if cfg!(feature = "tune") { TUNABLES } else { &[] };
    tuning.iter().enumerate().map(spec).collect()
});

/// All options of this build in the order they are announced.
pub fn all() -> impl Iterator<Item = &'static Spec> {
    REGISTRY.iter().chain(TUNING.iter())
}

/// The value of a file option that uses none.
pub const EMPTY: &str = "<empty>";

/// The value of a file option that has something built in.
pub const BUILT_IN: &str = "<built-in>";

/// An option's new value, already checked against its kind and range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of a check option.
    Flag(bool),
    /// Of a spin option, within its range.
    Number(i64),
    /// Of a combo option: the index of a choice.
    Choice(usize),
    /// Of a file option, as it was given.
    Path(String),
    /// A button was pressed.
    Press,
}

/// Reads a yes or no in any spelling clients use: `true on yes 1`, `false off no 0`.
pub fn parse_flag(text: &str) -> Option<bool> {
    const YES: [&str; 4] = ["true", "on", "yes", "1"];
    const NO: [&str; 4] = ["false", "off", "no", "0"];
    let is = |word: &&str| text.eq_ignore_ascii_case(word);
    if YES.iter().any(is) {
        Some(true)
    } else if NO.iter().any(is) {
        Some(false)
    } else {
        None
    }
}

/// Reads a decimal number with an optional sign; beyond 64 bits it saturates.
pub fn parse_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let limit = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(limit))
}

/// Compares names with case ignored and `_` equal to a blank.
fn same_name(a: &str, b: &str) -> bool {
    let plain = |b: u8| if b == b'_' { b' ' } else { b.to_ascii_lowercase() };
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(x, y)| plain(x) == plain(y))
}

/// The option with this name in any of its spellings.
pub fn find(name: &str) -> Option<&'static Spec> {
    all().find(|spec| {
        [spec.name, spec.ucci_name].iter().chain(spec.aliases).any(|known| same_name(known, name))
    })
}

impl Spec {
    /// The announced value of a file option: what it is when nobody sets it.
    pub fn file_default(&self) -> &'static str {
        match self.id {
            OptionId::DebugLog | OptionId::BookFile => EMPTY,
            _ => BUILT_IN,
        }
    }

    /// Reads a value: numbers are clamped to the range. `None` for what does not fit the kind, which
    /// is to be ignored. A missing value means yes for a check option; an empty one fits nothing but
    /// a button.
    pub fn read(&self, value: Option<&str>) -> Option<Value> {
        match self.kind {
            Kind::Button => Some(Value::Press),
            Kind::File => Some(Value::Path(value?.to_string())),
            Kind::Check(_) => value.map_or(Some(true), parse_flag).map(Value::Flag),
            Kind::Spin { min, max, .. } => {
                Some(Value::Number(parse_number(value?)?.clamp(min, max)))
            }
            Kind::Combo { choices, .. } => {
                let value = value?;
                let named = choices.iter().position(|choice| same_name(choice.name, value));
                named.or_else(|| self.rule_choice(choices, value)).map(Value::Choice)
            }
        }
    }

    /// The choice that means the rule set with this name or alias; `None` for other options.
    fn rule_choice(&self, choices: &[Choice], value: &str) -> Option<usize> {
        let set = |name: &str| RuleSet::by_name(name).map(|rules| rules.name());
        let wanted = (self.id == OptionId::RepetitionRule).then(|| set(value)).flatten()?;
        choices.iter().position(|choice| set(choice.name) == Some(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_every_spelling() {
        for (name, id) in [
            ("hashsize", OptionId::Hash),
            ("USI_Hash", OptionId::Hash),
            ("clear_hash", OptionId::ClearHash),
            ("move overhead", OptionId::MoveOverhead),
            ("MOVE_OVERHEAD", OptionId::MoveOverhead),
            ("cores", OptionId::Threads),
            ("loadbook", OptionId::NewGame),
            ("Repetition_Rule", OptionId::RepetitionRule),
            ("UseBook", OptionId::OwnBook),
            ("own_book", OptionId::OwnBook),
            ("BookFiles", OptionId::BookFile),
            ("Book File", OptionId::BookFile),
        ] {
            assert_eq!(find(name).map(|spec| spec.id), Some(id), "{name}");
        }
        assert!(find("nodestime").is_none());
        assert!(find("").is_none());
    }

    #[test]
    fn no_two_options_share_a_name() {
        let names: Vec<&str> = REGISTRY
            .iter()
            .flat_map(|spec| [spec.name].into_iter().chain(spec.aliases.iter().copied()))
            .collect();
        for name in names {
            let found = find(name).unwrap();
            let owners = REGISTRY.iter().filter(|spec| {
                [spec.name, spec.ucci_name]
                    .iter()
                    .chain(spec.aliases)
                    .any(|known| same_name(known, name))
            });
            assert_eq!(owners.count(), 1, "{name} means {:?} and something else", found.id);
        }
    }

    #[test]
    fn values_clamp_or_are_refused() {
        let hash = find("hash").unwrap();
        assert_eq!(hash.read(Some("64")), Some(Value::Number(64)));
        assert_eq!(hash.read(Some("-5")), Some(Value::Number(0)));
        assert_eq!(hash.read(Some("99999999999999999999")), Some(Value::Number(33_554_432)));
        for bad in [None, Some(""), Some("abc"), Some("<empty>")] {
            assert_eq!(hash.read(bad), None, "{bad:?}");
        }
        let ponder = find("ponder").unwrap();
        for (text, want) in
            [(None, Some(true)), (Some("1"), Some(true)), (Some("OFF"), Some(false))]
        {
            assert_eq!(ponder.read(text), want.map(Value::Flag), "{text:?}");
        }
        assert_eq!(ponder.read(Some("maybe")), None);
        let rule = find("repetition").unwrap();
        assert_eq!(rule.read(Some("alwaysdraw")), Some(Value::Choice(4)));
        assert_eq!(rule.read(Some("ALLOWCHASE")), Some(Value::Choice(3)));
        assert_eq!(rule.read(Some("moonrule")), None);
    }

    #[test]
    fn announced_defaults_are_the_real_ones() {
        let mut options = Options::default();
        let fresh = options.clone();
        for spec in REGISTRY {
            let value = match spec.kind {
                Kind::Check(on) => Value::Flag(on),
                Kind::Spin { default, min, max } => {
                    assert!((min..=max).contains(&default), "{}", spec.name);
                    Value::Number(default)
                }
                Kind::Combo { default, choices } => {
                    assert!(default < choices.len(), "{}", spec.name);
                    Value::Choice(default)
                }
                Kind::File => Value::Path(BUILT_IN.to_string()),
                Kind::Button => Value::Press,
            };
            options.set(spec.id, value);
            assert_eq!(options, fresh, "{}", spec.name);
        }
        assert_eq!(options.rules(), RuleSet::default());
    }

    #[test]
    fn every_rule_set_can_be_chosen_by_every_name() {
        let spec = find("repetition").unwrap();
        for name in RuleSet::names() {
            let set = RuleSet::by_name(name).unwrap();
            for spelling in [&[name], set.aliases()].concat() {
                let mut options = Options::default();
                options.set(spec.id, spec.read(Some(spelling)).unwrap());
                assert_eq!(options.rules(), set, "{spelling}");
            }
        }
        let Kind::Combo { choices, .. } = spec.kind else { panic!("a list of rule sets") };
        assert_eq!(choices.len(), RuleSet::names().len());
        assert_eq!(spec.read(Some("moonrule")), None);
        assert_eq!(find("UCI_Coordinates").unwrap().read(Some("wxf")), None);
    }

    #[test]
    fn natural_limit_has_three_names() {
        let mut options = Options::default();
        options.set(OptionId::DrawMoves, Value::Number(50));
        assert_eq!(options.rules().natural_limit, Some(100));
        options.set(OptionId::Rule60MaxPly, Value::Number(0));
        assert_eq!(options.rules().natural_limit, None);
        options.set(OptionId::Rule60MaxPly, Value::Number(140));
        assert_eq!(options.rules().natural_limit, Some(140));
        options.set(OptionId::SixtyMoveRule, Value::Flag(false));
        assert_eq!(options.rules().natural_limit, None);
    }
}
