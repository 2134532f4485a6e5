//! Simplified Chinese, with the terms of the rule books.

use super::{Headings, Words};
use crate::rules::{Chase, FalseGuard, FalseRoot, Grounds, Man, MoveKind, Reason, Verdict};
use crate::tools::judge::findings::{Banned, Conduct, Earlier, Findings, Told};
use crate::types::{Color, Piece};

pub(super) struct Chinese;

fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "红方",
        Color::Black => "黑方",
    }
}

fn man(man: &Man) -> String {
    let name = match man.piece {
        Piece::RedKing => "帅",
        Piece::RedAdvisor => "仕",
        Piece::RedElephant => "相",
        Piece::RedPawn => "兵",
        Piece::BlackKing => "将",
        Piece::BlackAdvisor => "士",
        Piece::BlackElephant => "象",
        Piece::BlackPawn => "卒",
        Piece::RedKnight | Piece::BlackKnight => "马",
        Piece::RedRook | Piece::BlackRook => "车",
        Piece::RedCannon | Piece::BlackCannon => "炮",
    };
    format!("{name}{}", man.square)
}

fn men(men: &[Man]) -> String {
    men.iter().map(man).collect::<Vec<_>>().join("、")
}

fn false_root(guard: &FalseGuard) -> String {
    let why = match guard.why {
        FalseRoot::Pinned => "被牵制，不能反吃",
        FalseRoot::DiscoveredCheck => "对方吃子后另有将军，不能反吃",
        FalseRoot::KingIntoAttack => "反吃即送吃",
        FalseRoot::ScreenGone => "对方吃子后失去炮架，不能反吃",
    };
    format!("{}{why}", man(&guard.guard))
}

fn grounds(grounds: &Grounds) -> String {
    match grounds {
        Grounds::Unguarded => "（无根子）".to_string(),
        Grounds::FalseRoot { guards } => {
            let guards: Vec<String> = guards.iter().map(false_root).collect();
            format!("（假根：{}）", guards.join("；"))
        }
        Grounds::Stronger { guard: None } => "（以低价值子捉高价值子）".to_string(),
        Grounds::Stronger { guard: Some(guard) } => {
            format!("（以低价值子捉高价值子，虽有根子{}，仍算捉）", man(guard))
        }
        Grounds::Outnumbered => "（少根子，兑换得子）".to_string(),
        Grounds::Combination => "（可强行得子）".to_string(),
    }
}

fn attack(chase: &Chase, cut_off: &[Man]) -> String {
    let verb = if chase.joint { "联合捉" } else { "捉" };
    let (attacker, victim) = (man(&chase.attacker), man(&chase.victim));
    let lost = if cut_off.is_empty() {
        String::new()
    } else {
        format!("，原有根子{}已被切断", men(cut_off))
    };
    format!("{attacker}{verb}{victim}{}{lost}", grounds(&chase.grounds))
}

/// The game goes on: how near the rules are.
fn open(found: &Findings) -> String {
    let repetition = match found.rules.occurrences {
        Some(needed) => format!(
            "上次吃子以来，此局面出现{}次；第{needed}次出现时裁决。",
            found.judgement.occurrences
        ),
        None => "连续将军或捉子尚未超过限度。".to_string(),
    };
    let limit = found.rules.natural_limit.map_or(String::new(), |limit| {
        format!("自然限着：已计{}步，限{limit}步。", found.judgement.clock)
    });
    repetition + &limit
}

impl Words for Chinese {
    fn headings(&self) -> Headings {
        Headings {
            rules: "规则",
            verdict: "裁决",
            reason: "理由",
            moves: "审查着法",
            banned: "当前禁着",
        }
    }

    fn to_move(&self, color: Color) -> &'static str {
        match color {
            Color::Red => "轮到红方走",
            Color::Black => "轮到黑方走",
        }
    }

    fn rules(&self, name: &str) -> String {
        format!("规则：{name}")
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Ongoing => "未定",
            Verdict::Draw(_) => "和棋",
            Verdict::Win(Color::Black, _) => "红方负",
            Verdict::Win(Color::Red, _) => "黑方负",
        }
    }

    fn reason(&self, reason: Reason) -> &'static str {
        match reason {
            Reason::None => "对局继续",
            Reason::Checkmate => "将死",
            Reason::Stalemate => "困毙",
            Reason::PerpetualCheck => "长将",
            Reason::CheckAndMateThreat => "将杀交替",
            Reason::PerpetualChase => "长捉",
            Reason::ForbiddenLoop => "循环禁止着法",
            Reason::HeavierLoop => "禁止着法较重",
            Reason::TooManyChecks => "连续将军过多",
            Reason::TooManyAttacks => "连续捉子过多",
            Reason::MutualPerpetualCheck => "双方长将",
            Reason::MutualPerpetualChase => "双方长捉",
            Reason::MutualFault => "双方均犯规",
            Reason::Repetition => "循环不变，双方均不犯规",
            Reason::NaturalLimit => "自然限着",
            Reason::NoProgress => "久无进展",
            Reason::MoveLimit => "达到总步数限制",
            Reason::BareMaterial => "双方均无进攻子力",
        }
    }

    fn headline(&self, verdict: Verdict) -> String {
        format!("裁决：{}（{}）", self.verdict(verdict), self.reason(verdict.reason()))
    }

    fn why(&self, found: &Findings) -> String {
        let (loser, other) = match found.judgement.verdict {
            Verdict::Win(winner, _) => (side(!winner), side(winner)),
            Verdict::Draw(_) | Verdict::Ongoing => ("", ""),
        };
        let victims = || men(&found.judgement.victims);
        match found.judgement.reason {
            Reason::None => open(found),
            Reason::Checkmate => format!("{loser}被将军，且无合法着法。"),
            Reason::Stalemate => format!("{loser}未被将军，但无合法着法，判负。"),
            Reason::PerpetualCheck => {
                let weight = match found.judgement.verdict {
                    Verdict::Win(winner, _) if found.conduct[winner.index()].one_man => {
                        "长将重于长捉。"
                    }
                    _ => "",
                };
                format!("{loser}步步将军，{other}并非步步将军：单方长将。{weight}")
            }
            Reason::CheckAndMateThreat => format!("{loser}步步为将军或杀着。"),
            Reason::PerpetualChase if found.judgement.victims.is_empty() => {
                format!("{loser}步步捉子，{other}并非步步为禁止着法。")
            }
            Reason::PerpetualChase => {
                format!("{loser}步步捉同一子（现为{}）；{other}的着法较轻。", victims())
            }
            Reason::ForbiddenLoop => {
                format!("{loser}步步为将、杀或捉，{other}至少有一步允许着法。")
            }
            Reason::HeavierLoop => format!("双方均为循环禁止着法，{loser}较重。"),
            Reason::TooManyChecks => format!("{loser}连续将军超过规则限度。"),
            Reason::TooManyAttacks => format!("{loser}连续捉同一子超过规则限度。"),
            Reason::MutualPerpetualCheck => "双方步步将军。".to_string(),
            Reason::MutualPerpetualChase => format!("双方均长捉：{}。", victims()),
            Reason::MutualFault => "双方犯规程度相同。".to_string(),
            Reason::Repetition => "按此规则，双方均不犯规。".to_string(),
            Reason::NaturalLimit => format!(
                "未吃子已计{}步，限{}步。",
                found.judgement.clock,
                found.rules.natural_limit.unwrap_or_default()
            ),
            Reason::NoProgress => "长时间既无吃子，也无过河兵（卒）前进。".to_string(),
            Reason::MoveLimit => "对局步数已达规则限度。".to_string(),
            Reason::BareMaterial => "双方均无可过河的子力。".to_string(),
        }
    }

    fn stretch(&self, first: &str, last: &str, occurrences: u32) -> String {
        format!("审查着法：{first} 至 {last}（此局面已出现{occurrences}次）")
    }

    fn class(&self, told: &Told) -> String {
        let class = &told.class;
        match class.kind {
            MoveKind::Check => format!("将军：{}", men(&class.checkers)),
            MoveKind::Kill => "杀：威胁将死".to_string(),
            MoveKind::Chase if class.chases.is_empty() => "捉".to_string(),
            MoveKind::Chase => {
                let chases: Vec<String> =
                    super::chases(told).map(|(chase, cut_off)| attack(chase, cut_off)).collect();
                format!("捉：{}", chases.join("；"))
            }
            MoveKind::Exchange => "兑".to_string(),
            MoveKind::Sacrifice => "献".to_string(),
            MoveKind::Block => "拦".to_string(),
            MoveKind::Follow => "跟".to_string(),
            MoveKind::Idle => "闲着".to_string(),
        }
    }

    fn conduct(&self, color: Color, conduct: &Conduct, excused: bool) -> String {
        let parts: Vec<String> = [
            ("将军", conduct.checks),
            ("杀着", conduct.kills),
            ("捉子", conduct.chases),
            ("闲着", conduct.others),
        ]
        .into_iter()
        .filter(|&(_, count)| count > 0)
        .map(|(word, count)| format!("{word}{count}次"))
        .collect();
        let mut text = format!("{}：{}。", side(color), parts.join("，"));
        if excused {
            text.push_str("虽步步捉同一子，此规则不禁。");
        } else if conduct.chases == conduct.all() && !conduct.one_man {
            text.push_str("但并非捉同一子。");
        }
        text
    }

    fn duty(&self, found: &Findings) -> String {
        match (found.at_fault(), found.judgement.verdict) {
            (Some(loser), _) => {
                format!("{}可以不变，{}必须变着，不变判负。", side(!loser), side(loser))
            }
            (None, Verdict::Draw(_)) if found.judgement.window.is_some() => {
                "双方均可不变，不变作和。".to_string()
            }
            _ => String::new(),
        }
    }

    fn banned(&self, color: Color, banned: &[Banned]) -> String {
        if banned.is_empty() {
            return format!("{}当前无禁着。", side(color));
        }
        let each = banned.iter().map(|ban| format!("{}（{}）", ban.text, self.reason(ban.reason)));
        format!("{}当前禁着：{}。", side(color), each.collect::<Vec<_>>().join("，"))
    }

    fn earlier(&self, earlier: &Earlier) -> String {
        let (verdict, reason) =
            (self.verdict(earlier.verdict), self.reason(earlier.verdict.reason()));
        if earlier.ply == 0 {
            return format!("按规则，第一步之前对局已结束：{verdict}（{reason}）。");
        }
        format!(
            "按规则，对局在 {}（第{}步）已结束：{verdict}（{reason}）。",
            earlier.number, earlier.ply
        )
    }

    fn title(&self, number: usize, red: &str, black: &str, result: &str) -> String {
        format!("第{number}局：{red} 对 {black}，记录结果 {result}")
    }
}
