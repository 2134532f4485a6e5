//! Russian. Sentences are built so that no word has to agree in gender with the name of a man.

use super::{Headings, Words};
use crate::rules::{Chase, FalseGuard, FalseRoot, Grounds, Man, MoveKind, Reason, Verdict};
use crate::tools::judge::findings::{Banned, Conduct, Earlier, Findings, Told};
use crate::types::{Color, PieceType};

pub(super) struct Russian;

fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "красные",
        Color::Black => "чёрные",
    }
}

/// At the beginning of a sentence.
fn side_first(color: Color) -> &'static str {
    match color {
        Color::Red => "Красные",
        Color::Black => "Чёрные",
    }
}

/// Genitive.
fn of_side(color: Color) -> &'static str {
    match color {
        Color::Red => "красных",
        Color::Black => "чёрных",
    }
}

/// Nominative.
fn man(man: &Man) -> String {
    let name = match man.piece.kind() {
        PieceType::King => "король",
        PieceType::Advisor => "советник",
        PieceType::Elephant => "слон",
        PieceType::Knight => "конь",
        PieceType::Rook => "ладья",
        PieceType::Cannon => "пушка",
        PieceType::Pawn => "пешка",
    };
    format!("{name} {}", man.square)
}

/// Accusative.
fn at_man(man: &Man) -> String {
    let name = match man.piece.kind() {
        PieceType::King => "короля",
        PieceType::Advisor => "советника",
        PieceType::Elephant => "слона",
        PieceType::Knight => "коня",
        PieceType::Rook => "ладью",
        PieceType::Cannon => "пушку",
        PieceType::Pawn => "пешку",
    };
    format!("{name} {}", man.square)
}

fn men(men: &[Man]) -> String {
    men.iter().map(man).collect::<Vec<_>>().join(", ")
}

fn false_guard(guard: &FalseGuard) -> String {
    let why = match guard.why {
        FalseRoot::Pinned => "связка, взять в ответ нельзя",
        FalseRoot::DiscoveredCheck => "взятие открывает другой шах, взять в ответ нельзя",
        FalseRoot::KingIntoAttack => "король попал бы под удар",
        FalseRoot::ScreenGone => "после взятия исчезает лафет",
    };
    format!("{} ({why})", man(&guard.guard))
}

fn grounds(grounds: &Grounds) -> String {
    match grounds {
        Grounds::Unguarded => " (защиты нет)".to_string(),
        Grounds::FalseRoot { guards } => {
            let guards: Vec<String> = guards.iter().map(false_guard).collect();
            format!("; защита ложная: {}", guards.join(", "))
        }
        Grounds::Stronger { guard: None } => " (фигура ценнее нападающей)".to_string(),
        Grounds::Stronger { guard: Some(guard) } => {
            format!(" (фигура ценнее нападающей, защита не в счёт: {})", man(guard))
        }
        Grounds::Outnumbered => " (защиты мало: размен выигрывает материал)".to_string(),
        Grounds::Combination => " (материал выигрывается форсированно)".to_string(),
    }
}

fn attack(chase: &Chase, cut_off: &[Man]) -> String {
    let joint = if chase.joint { " вместе с другими" } else { "" };
    let (attacker, victim) = (man(&chase.attacker), at_man(&chase.victim));
    let lost = if cut_off.is_empty() {
        String::new()
    } else {
        format!(", прежняя защита отрезана: {}", men(cut_off))
    };
    format!("{attacker}{joint} нападает на {victim}{}{lost}", grounds(&chase.grounds))
}

/// The game goes on: how near the rules are.
fn open(found: &Findings) -> String {
    let repetition = match found.rules.occurrences {
        Some(needed) => format!(
            "Число появлений позиции после последнего взятия: {}; решение принимается при {needed}-м.",
            found.judgement.occurrences
        ),
        None => "Предел шахов или нападений подряд не превышен.".to_string(),
    };
    let limit = found.rules.natural_limit.map_or(String::new(), |limit| {
        format!(" Полуходов без взятия: {} из {limit}.", found.judgement.clock)
    });
    repetition + &limit
}

impl Words for Russian {
    fn headings(&self) -> Headings {
        Headings {
            rules: "правила",
            verdict: "решение",
            reason: "причина",
            moves: "рассмотрены ходы",
            banned: "запрещено сейчас",
        }
    }

    fn to_move(&self, color: Color) -> &'static str {
        match color {
            Color::Red => "Ход красных",
            Color::Black => "Ход чёрных",
        }
    }

    fn rules(&self, name: &str) -> String {
        format!("Правила: {name}")
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Ongoing => "не решено",
            Verdict::Draw(_) => "ничья",
            Verdict::Win(Color::Black, _) => "красные проиграли",
            Verdict::Win(Color::Red, _) => "чёрные проиграли",
        }
    }

    fn reason(&self, reason: Reason) -> &'static str {
        match reason {
            Reason::None => "игра продолжается",
            Reason::Checkmate => "мат",
            Reason::Stalemate => "пат",
            Reason::PerpetualCheck => "вечный шах",
            Reason::CheckAndMateThreat => "чередование шахов и угроз мата",
            Reason::PerpetualChase => "вечное преследование",
            Reason::ForbiddenLoop => "все ходы запрещены",
            Reason::HeavierLoop => "более тяжкое нарушение",
            Reason::TooManyChecks => "слишком много шахов подряд",
            Reason::TooManyAttacks => "слишком много нападений подряд",
            Reason::MutualPerpetualCheck => "вечный шах с обеих сторон",
            Reason::MutualPerpetualChase => "вечное преследование с обеих сторон",
            Reason::MutualFault => "нарушают обе стороны",
            Reason::Repetition => "повторение без нарушений",
            Reason::NaturalLimit => "предел ходов без взятия",
            Reason::NoProgress => "нет продвижения в игре",
            Reason::MoveLimit => "предел числа ходов",
            Reason::BareMaterial => "нечем атаковать",
        }
    }

    fn headline(&self, verdict: Verdict) -> String {
        format!("Решение: {} ({})", self.verdict(verdict), self.reason(verdict.reason()))
    }

    fn why(&self, found: &Findings) -> String {
        let loser = match found.judgement.verdict {
            Verdict::Win(winner, _) => !winner,
            Verdict::Draw(_) | Verdict::Ongoing => found.side,
        };
        let victims = || men(&found.judgement.victims);
        match found.judgement.reason {
            Reason::None => open(found),
            Reason::Checkmate => {
                format!("{} под шахом и не имеют ни одного хода.", side_first(loser))
            }
            Reason::Stalemate => {
                format!("{} не имеют ни одного хода. Это поражение и без шаха.", side_first(loser))
            }
            Reason::PerpetualCheck => {
                let weight = if found.conduct[(!loser).index()].one_man {
                    " Вечный шах тяжелее преследования."
                } else {
                    ""
                };
                format!(
                    "Каждый ход {} даёт шах, а у {} шахуют не все ходы.{weight}",
                    of_side(loser),
                    of_side(!loser)
                )
            }
            Reason::CheckAndMateThreat => {
                format!("Каждый ход {} даёт шах или грозит матом.", of_side(loser))
            }
            Reason::PerpetualChase if found.judgement.victims.is_empty() => format!(
                "Каждый ход {} — преследование; среди ходов {} запрещены не все.",
                of_side(loser),
                of_side(!loser)
            ),
            Reason::PerpetualChase => format!(
                "Каждый ход {} нападает на одну и ту же фигуру (сейчас это {}). \
                 Нарушение {} не так тяжко, или его нет.",
                of_side(loser),
                victims(),
                of_side(!loser)
            ),
            Reason::ForbiddenLoop => format!(
                "Каждый ход {} — шах, угроза мата или преследование; среди ходов {} есть \
                 разрешённый.",
                of_side(loser),
                of_side(!loser)
            ),
            Reason::HeavierLoop => {
                format!("Все ходы обеих сторон запрещены, но нарушение {} тяжелее.", of_side(loser))
            }
            Reason::TooManyChecks => {
                format!("{} дали больше шахов подряд, чем разрешено.", side_first(loser))
            }
            Reason::TooManyAttacks => format!(
                "{} напали на одну фигуру больше раз подряд, чем разрешено.",
                side_first(loser)
            ),
            Reason::MutualPerpetualCheck => "Каждый ход обеих сторон даёт шах.".to_string(),
            Reason::MutualPerpetualChase => {
                format!("Обе стороны преследуют каждым ходом: {}.", victims())
            }
            Reason::MutualFault => "Нарушения обеих сторон равны.".to_string(),
            Reason::Repetition => "По этим правилам не нарушает никто.".to_string(),
            Reason::NaturalLimit => format!(
                "Полуходов без взятия (тех, что в счёт): {}; предел: {}.",
                found.judgement.clock,
                found.rules.natural_limit.unwrap_or_default()
            ),
            Reason::NoProgress => {
                "Слишком долго не было ни взятий, ни ходов перешедших реку пешек вперёд."
                    .to_string()
            }
            Reason::MoveLimit => "Число ходов достигло предела.".to_string(),
            Reason::BareMaterial => {
                "Ни у одной стороны нет фигур, способных перейти реку.".to_string()
            }
        }
    }

    fn stretch(&self, first: &str, last: &str, occurrences: u32) -> String {
        format!("Рассмотрены ходы: {first} — {last} (число появлений позиции: {occurrences})")
    }

    fn class(&self, told: &Told) -> String {
        let class = &told.class;
        match class.kind {
            MoveKind::Check => format!("шах: {}", men(&class.checkers)),
            MoveKind::Kill => "угроза мата".to_string(),
            MoveKind::Chase if class.chases.is_empty() => "преследование".to_string(),
            MoveKind::Chase => {
                let chases: Vec<String> =
                    super::chases(told).map(|(chase, cut_off)| attack(chase, cut_off)).collect();
                format!("преследование: {}", chases.join("; "))
            }
            MoveKind::Exchange => "предложение размена".to_string(),
            MoveKind::Sacrifice => "предложение жертвы".to_string(),
            MoveKind::Block => "перекрытие".to_string(),
            MoveKind::Follow => "следование за фигурой".to_string(),
            MoveKind::Idle => "тихий ход".to_string(),
        }
    }

    fn conduct(&self, color: Color, conduct: &Conduct, excused: bool) -> String {
        let parts: Vec<String> = [
            ("шахов", conduct.checks),
            ("угроз мата", conduct.kills),
            ("преследований", conduct.chases),
            ("тихих ходов", conduct.others),
        ]
        .into_iter()
        .filter(|&(_, count)| count > 0)
        .map(|(word, count)| format!("{word} — {count}"))
        .collect();
        let mut text = format!("{}: {}.", side_first(color), parts.join(", "));
        if excused {
            text.push_str(" Всё время под нападением одна фигура, но здесь это разрешено.");
        } else if conduct.chases == conduct.all() && !conduct.one_man {
            text.push_str(" Одной фигуры, на которую нападает каждый ход, нет.");
        }
        text
    }

    fn duty(&self, found: &Findings) -> String {
        match (found.at_fault(), found.judgement.verdict) {
            (Some(loser), _) => format!(
                "{} могут повторять ходы; {} обязаны сыграть иначе, не то проиграют.",
                side_first(!loser),
                side(loser)
            ),
            (None, Verdict::Draw(_)) if found.judgement.window.is_some() => {
                "Никто не обязан играть иначе; если никто не изменит хода, ничья.".to_string()
            }
            _ => String::new(),
        }
    }

    fn banned(&self, color: Color, banned: &[Banned]) -> String {
        if banned.is_empty() {
            return format!("Сейчас для {} запретов нет.", of_side(color));
        }
        let each = banned.iter().map(|ban| format!("{} ({})", ban.text, self.reason(ban.reason)));
        let each: Vec<String> = each.collect();
        format!("Сейчас для {} запрещено: {}.", of_side(color), each.join(", "))
    }

    fn earlier(&self, earlier: &Earlier) -> String {
        let (verdict, reason) =
            (self.verdict(earlier.verdict), self.reason(earlier.verdict.reason()));
        if earlier.ply == 0 {
            return format!("По правилам игра окончена ещё до первого хода: {verdict} ({reason}).");
        }
        format!(
            "По правилам игра окончилась раньше, ходом {} (полуход {}): {verdict} ({reason}).",
            earlier.number, earlier.ply
        )
    }

    fn title(&self, number: usize, red: &str, black: &str, result: &str) -> String {
        format!("Партия {number}: {red} — {black}, записанный результат {result}")
    }
}
