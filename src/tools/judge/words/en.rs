//! English.

use super::{Headings, Words};
use crate::rules::{Chase, FalseRoot, Grounds, Man, MoveKind, Reason, Verdict};
use crate::tools::judge::findings::{Banned, Conduct, Earlier, Findings, Told};
use crate::types::{Color, PieceType};

pub(super) struct English;

fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

fn man(man: &Man) -> String {
    let kind = match man.piece.kind() {
        PieceType::King => "king",
        PieceType::Advisor => "advisor",
        PieceType::Elephant => "elephant",
        PieceType::Knight => "horse",
        PieceType::Rook => "chariot",
        PieceType::Cannon => "cannon",
        PieceType::Pawn => "pawn",
    };
    format!("the {kind} on {}", man.square)
}

fn list(items: Vec<String>) -> String {
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn why_false(why: FalseRoot) -> &'static str {
    match why {
        FalseRoot::Pinned => "it is pinned and cannot take back",
        FalseRoot::DiscoveredCheck => "the capture uncovers another check, so it cannot take back",
        FalseRoot::KingIntoAttack => "the king would step into attack",
        FalseRoot::ScreenGone => "its screen is the attacker and would be gone",
    }
}

fn grounds(grounds: &Grounds) -> String {
    match grounds {
        Grounds::Unguarded => ", which nothing guards".to_string(),
        Grounds::FalseRoot { guards } => {
            let guard = |false_guard: &crate::rules::FalseGuard| {
                format!("{} ({})", man(&false_guard.guard), why_false(false_guard.why))
            };
            format!(", whose protection is false: {}", list(guards.iter().map(guard).collect()))
        }
        Grounds::Stronger { guard: None } => ", which is worth more".to_string(),
        Grounds::Stronger { guard: Some(guard) } => {
            format!(", which is worth more, so its guard, {}, does not matter", man(guard))
        }
        Grounds::Outnumbered => {
            ", which has too few guards: the exchange wins material".to_string()
        }
        Grounds::Combination => ", and wins material by force".to_string(),
    }
}

fn attack(chase: &Chase, cut_off: &[Man]) -> String {
    let joint = if chase.joint { ", together with others," } else { "" };
    let (attacker, victim) = (man(&chase.attacker), man(&chase.victim));
    let lost = if cut_off.is_empty() {
        String::new()
    } else {
        format!(" (its former guard cut off: {})", list(cut_off.iter().map(man).collect()))
    };
    format!("{attacker}{joint} attacks {victim}{}{lost}", grounds(&chase.grounds))
}

fn counted(number: usize, one: &str, many: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    }
}

fn ordinal(number: u8) -> String {
    match number {
        1 => "1st".to_string(),
        2 => "2nd".to_string(),
        3 => "3rd".to_string(),
        n => format!("{n}th"),
    }
}

/// The game goes on: how near the rules are.
fn open(found: &Findings) -> String {
    let times = counted(found.judgement.occurrences as usize, "time", "times").unwrap_or_default();
    let repetition = match found.rules.occurrences {
        Some(needed) => format!(
            "The position has occurred {times} since the last capture; it is judged at the {} occurrence.",
            ordinal(needed)
        ),
        None => "No series of checks or attacks has reached its limit.".to_string(),
    };
    let limit = found.rules.natural_limit.map_or(String::new(), |limit| {
        format!(" {} of {limit} plies without a capture are used up.", found.judgement.clock)
    });
    repetition + &limit
}

impl Words for English {
    fn headings(&self) -> Headings {
        Headings {
            rules: "rules",
            verdict: "verdict",
            reason: "reason",
            moves: "moves judged",
            banned: "banned now",
        }
    }

    fn to_move(&self, color: Color) -> &'static str {
        match color {
            Color::Red => "Red to move",
            Color::Black => "Black to move",
        }
    }

    fn rules(&self, name: &str) -> String {
        format!("Rules: {name}")
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Ongoing => "undecided",
            Verdict::Draw(_) => "draw",
            Verdict::Win(Color::Black, _) => "Red loses",
            Verdict::Win(Color::Red, _) => "Black loses",
        }
    }

    fn reason(&self, reason: Reason) -> &'static str {
        match reason {
            Reason::None => "the game goes on",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::PerpetualCheck => "perpetual check",
            Reason::CheckAndMateThreat => "checks and mate threats in turn",
            Reason::PerpetualChase => "perpetual chase",
            Reason::ForbiddenLoop => "every move forbidden",
            Reason::HeavierLoop => "the heavier offence",
            Reason::TooManyChecks => "too many checks in a row",
            Reason::TooManyAttacks => "too many attacks in a row",
            Reason::MutualPerpetualCheck => "perpetual check by both sides",
            Reason::MutualPerpetualChase => "perpetual chase by both sides",
            Reason::MutualFault => "both sides at fault",
            Reason::Repetition => "repetition, nobody at fault",
            Reason::NaturalLimit => "natural limit",
            Reason::NoProgress => "no progress",
            Reason::MoveLimit => "too many moves",
            Reason::BareMaterial => "no attacking men left",
        }
    }

    fn headline(&self, verdict: Verdict) -> String {
        format!("Verdict: {} ({})", self.verdict(verdict), self.reason(verdict.reason()))
    }

    fn why(&self, found: &Findings) -> String {
        let (loser, other) = match found.judgement.verdict {
            Verdict::Win(winner, _) => (side(!winner), side(winner)),
            Verdict::Draw(_) | Verdict::Ongoing => ("", ""),
        };
        let victims = || list(found.judgement.victims.iter().map(man).collect());
        match found.judgement.reason {
            Reason::None => open(found),
            Reason::Checkmate => format!("{loser} is in check and has no legal move."),
            Reason::Stalemate => {
                format!("{loser} has no legal move. That loses, although there is no check.")
            }
            Reason::PerpetualCheck => {
                let weight = match found.judgement.verdict {
                    Verdict::Win(winner, _) if found.conduct[winner.index()].one_man => {
                        " Perpetual check weighs more than a chase."
                    }
                    _ => "",
                };
                format!(
                    "Every move of {loser} gives check, not every move of {other} does.{weight}"
                )
            }
            Reason::CheckAndMateThreat => {
                format!("Every move of {loser} gives check or threatens mate.")
            }
            Reason::PerpetualChase if found.judgement.victims.is_empty() => format!(
                "Every move of {loser} chases a man; not every move of {other} is forbidden."
            ),
            Reason::PerpetualChase => format!(
                "Every move of {loser} attacks one and the same man, {} where it stands now. \
                 {other} does not offend as gravely.",
                victims()
            ),
            Reason::ForbiddenLoop => format!(
                "Every move of {loser} is a check, a mate threat or a chase; {other} has at least \
                 one allowed move."
            ),
            Reason::HeavierLoop => {
                format!("Both sides play forbidden moves only, but {loser}'s weigh more.")
            }
            Reason::TooManyChecks => {
                format!("{loser} has given more checks in a row than the rules allow.")
            }
            Reason::TooManyAttacks => {
                format!("{loser} has attacked one man more often in a row than the rules allow.")
            }
            Reason::MutualPerpetualCheck => "Every move of both sides gives check.".to_string(),
            Reason::MutualPerpetualChase => {
                format!("Both sides chase with every move: {}.", victims())
            }
            Reason::MutualFault => "Both sides offend in the same degree.".to_string(),
            Reason::Repetition => "By these rules neither side is at fault.".to_string(),
            Reason::NaturalLimit => format!(
                "{} plies without a capture have been played (those that count); the limit is {}.",
                found.judgement.clock,
                found.rules.natural_limit.unwrap_or_default()
            ),
            Reason::NoProgress => {
                "For too long nothing was captured and no crossed pawn stepped forward.".to_string()
            }
            Reason::MoveLimit => "The game has as many moves as the rules allow.".to_string(),
            Reason::BareMaterial => "Neither side has a man that can cross the river.".to_string(),
        }
    }

    fn stretch(&self, first: &str, last: &str, occurrences: u32) -> String {
        let times = counted(occurrences as usize, "time", "times").unwrap_or_default();
        format!("Moves judged: {first} to {last} (the position has occurred {times})")
    }

    fn class(&self, told: &Told) -> String {
        let class = &told.class;
        match class.kind {
            MoveKind::Check => {
                format!("check by {}", list(class.checkers.iter().map(man).collect()))
            }
            MoveKind::Kill => "threatens mate".to_string(),
            MoveKind::Chase if class.chases.is_empty() => "chase".to_string(),
            MoveKind::Chase => {
                let chases: Vec<String> =
                    super::chases(told).map(|(chase, cut_off)| attack(chase, cut_off)).collect();
                format!("chase: {}", chases.join("; "))
            }
            MoveKind::Exchange => "offers an exchange".to_string(),
            MoveKind::Sacrifice => "offers a man".to_string(),
            MoveKind::Block => "blocks".to_string(),
            MoveKind::Follow => "follows a man".to_string(),
            MoveKind::Idle => "idle".to_string(),
        }
    }

    fn conduct(&self, color: Color, conduct: &Conduct, excused: bool) -> String {
        let parts: Vec<String> = [
            counted(conduct.checks, "check", "checks"),
            counted(conduct.kills, "mate threat", "mate threats"),
            counted(conduct.chases, "chase", "chases"),
            counted(conduct.others, "idle move", "idle moves"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut text = format!("{}: {}.", side(color), parts.join(", "));
        if excused {
            text.push_str(" One man is attacked throughout, but these rules allow it here.");
        } else if conduct.chases == conduct.all() && !conduct.one_man {
            text.push_str(" No single man is attacked throughout.");
        }
        text
    }

    fn duty(&self, found: &Findings) -> String {
        match (found.at_fault(), found.judgement.verdict) {
            (Some(loser), _) => format!(
                "{} may go on like this; {} must play something else or loses.",
                side(!loser),
                side(loser)
            ),
            (None, Verdict::Draw(_)) if found.judgement.window.is_some() => {
                "Neither side has to change; if neither does, it is a draw.".to_string()
            }
            _ => String::new(),
        }
    }

    fn banned(&self, color: Color, banned: &[Banned]) -> String {
        if banned.is_empty() {
            return format!("Banned now for {}: nothing.", side(color));
        }
        let each = banned.iter().map(|ban| format!("{} ({})", ban.text, self.reason(ban.reason)));
        format!("Banned now for {}: {}.", side(color), each.collect::<Vec<_>>().join(", "))
    }

    fn earlier(&self, earlier: &Earlier) -> String {
        let (verdict, reason) =
            (self.verdict(earlier.verdict), self.reason(earlier.verdict.reason()));
        if earlier.ply == 0 {
            return format!(
                "The rules ended the game before the first move: {verdict} ({reason})."
            );
        }
        format!(
            "The rules ended the game earlier, with move {} (ply {}): {verdict} ({reason}).",
            earlier.number, earlier.ply
        )
    }

    fn title(&self, number: usize, red: &str, black: &str, result: &str) -> String {
        format!("Game {number}: {red} - {black}, recorded result {result}")
    }
}
