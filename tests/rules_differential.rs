//! The judges against a naive restatement of the same definitions, and against what the search
//! sees, on seeded play that is steered into loops.
//!
//! `CHUHE_RULES_PLIES` sets how many plies are played (default 8,000).

mod common;
#[path = "rules/oracle.rs"]
mod oracle;

use std::collections::BTreeMap;

use chuhe::position::Position;
use chuhe::rules::{Game, Reason, Repetition, RuleSet, Verdict};
use chuhe::types::{Color, Move, Square};
use common::walk::{Random, walk};
use oracle::Record;
use serde_json::Value as Json;

const DEFAULT_PLIES: usize = 8_000;

/// Sets that judge a repetition by grades.
const GRADED: [&str; 8] =
    ["wxf", "computer", "ucci", "club120", "hk4", "prc4", "checkonly", "alwaysdraw"];

/// Positions of the collected cases: sharp ones, made for chasing.
fn sharp_positions() -> Vec<Position> {
    let text = common::read("tests/data/rules/cases.jsonl");
    let fen = |line: &str| {
        let json: Json = serde_json::from_str(line).expect("a JSON object");
        Position::from_fen(json["fen"].as_str().expect("a FEN")).expect("a good FEN")
    };
    text.lines().map(fen).collect()
}

/// A quiet move, more often than not one that attacks something or gives check.
fn pick(pos: &Position, random: &mut Random) -> Option<Move> {
    let quiet: Vec<Move> =
        pos.legal_moves().into_iter().filter(|&mv| pos.captured(mv).is_none()).collect();
    let hits = |mv: &Move| {
        let after = pos.make(*mv);
        let enemies = after.color(after.side()) - pos.attacks_from(mv.from());
        after.in_check() || (after.attacks_from(mv.to()) & enemies).any()
    };
    let threats: Vec<Move> = quiet.iter().copied().filter(hits).collect();
    let checks: Vec<Move> = quiet.iter().copied().filter(|&mv| pos.make(mv).in_check()).collect();
    let choice = match random.below(8) {
        0..=1 if !checks.is_empty() => &checks,
        0..=4 if !threats.is_empty() => &threats,
        _ => &quiet,
    };
    (!choice.is_empty()).then(|| choice[random.below(choice.len())])
}

/// The move that takes the last man of a side home: to where `first` began, by way of `last`.
fn home(pos: &Position, last: Move, first: Move) -> Option<Move> {
    let (from, to) = (last.to(), first.from());
    (from != to)
        .then(|| Move::new(from, to))
        .filter(|&mv| pos.is_legal(mv) && pos.captured(mv).is_none())
}

/// A move to and fro by each side in which the first side attacks the man that runs, both times.
fn find_hunt(start: &Position, random: &mut Random) -> Option<Vec<Move>> {
    let us = start.side();
    let attacked =
        |pos: &Position, sq: Square| (pos.attackers_to(sq, pos.occupied()) & pos.color(us)).any();
    let mut hunts = Vec::new();
    for _ in 0..12 {
        let Some(hunter) = pick(start, random) else { continue };
        let pos = start.make(hunter);
        for run in pos.legal_moves() {
            if pos.captured(run).is_some() || !attacked(&pos, run.from()) {
                continue;
            }
            let fled = pos.make(run);
            let Some(hunter_home) = home(&fled, hunter, hunter) else { continue };
            let pos = fled.make(hunter_home);
            let again = attacked(&pos, run.to()) && !attacked(&fled, run.to());
            let Some(run_home) = home(&pos, run, run).filter(|_| again) else { continue };
            hunts.push(vec![hunter, run, hunter_home, run_home]);
        }
    }
    (!hunts.is_empty()).then(|| hunts.swap_remove(random.below(hunts.len())))
}

/// Moves that lead from a position back to it, if the dice find some: each side walks one man to
/// and fro or round a triangle, or two men to and fro.
fn find_loop(start: &Position, random: &mut Random) -> Option<Vec<Move>> {
    if random.below(3) > 0 {
        return find_hunt(start, random);
    }
    let triangle = random.below(3) == 0;
    let two_men = !triangle && random.below(4) == 0;
    let mut pos = *start;
    let mut moves: Vec<Move> = Vec::new();
    let steps = if triangle {
        6
    } else if two_men {
        8
    } else {
        4
    };
    for step in 0..steps {
        let own = |back: usize| moves[step - 2 * back];
        let mv = match (triangle, two_men, step / 2) {
            (_, _, 0) | (false, true, 1) => pick(&pos, random)?,
            (true, _, 1) => {
                // the same man goes on, and must be able to come home
                let from = own(1).to();
                let on: Vec<Move> = pos
                    .legal_moves()
                    .into_iter()
                    .filter(|&mv| mv.from() == from && pos.captured(mv).is_none())
                    .collect();
                if on.is_empty() {
                    return None;
                }
                on[random.below(on.len())]
            }
            (true, _, _) => home(&pos, own(1), own(2))?,
            (false, true, _) => home(&pos, own(2), own(2))?,
            _ => home(&pos, own(1), own(1))?,
        };
        pos = pos.make(mv);
        moves.push(mv);
    }
    (pos.key() == start.key()).then_some(moves)
}

struct Tester {
    game: Game,
    record: Record,
    clock: usize,
    plies: usize,
    tally: BTreeMap<(&'static str, &'static str), usize>,
}

impl Tester {
    fn start(&mut self, pos: Position) {
        let fen = pos.fen();
        self.clock = usize::from(pos.rule60());
        self.record = Record::new(&fen);
        self.game = Game::new(pos);
    }

    fn play(&mut self, mv: Move) {
        assert!(self.game.play(mv));
        self.record.play(&mv.to_string());
        self.plies += 1;
        self.compare();
    }

    fn dump(&self) -> String {
        let moves: Vec<String> = self.game.moves().iter().map(Move::to_string).collect();
        format!("{} moves {}", self.game.start().fen(), moves.join(" "))
    }

    fn compare(&mut self) {
        let often = self.record.occurrences().len() >= 3;
        assert_eq!(self.record.occurrences().len(), self.game.occurrences().count());
        if !self.game.position().has_legal_move() {
            return;
        }
        for set in GRADED {
            if often || set == "wxf" {
                self.compare_repetition(set);
            }
        }
        if self.game.moves().len() % 7 == 6 {
            self.compare_limit();
            self.compare_series();
        }
    }

    fn compare_repetition(&mut self, set: &'static str) {
        let rules = RuleSet::by_name(set).expect("a rule set");
        let needed = usize::from(rules.occurrences.expect("a count"));
        let mut line = self.game.line(rules);
        let us = self.game.position().side();
        let seen = line.repetition(self.game.position(), None);
        let Some(want) = self.record.repetition(set, needed) else {
            assert_eq!(seen, None, "{set}: {}", self.dump());
            return;
        };
        let verdict = self.game.verdict(rules);
        assert_eq!(verdict.word(), want, "{set}: {verdict:?} {}", self.dump());
        *self.tally.entry((set, want)).or_default() += 1;
        // the search sees the same, also when it asks for one side only
        let loser = match verdict {
            Verdict::Win(winner, _) => Some(!winner),
            _ => None,
        };
        for matters in [None, Some(Color::Red), Some(Color::Black)] {
            let expected = match loser {
                Some(side) if matters.is_none_or(|asked| asked == side) => {
                    if side == us {
                        Repetition::Loss
                    } else {
                        Repetition::Win
                    }
                }
                // a fault of the side nobody asked about may be reported or not
                Some(_) => continue,
                None => Repetition::Draw,
            };
            let seen = line.repetition(self.game.position(), matters);
            assert_eq!(seen, Some(expected), "{set} {matters:?}: {}", self.dump());
        }
    }

    fn compare_limit(&mut self) {
        for (set, counted) in [("wxf", 10), ("ucci", 0), ("club120", usize::MAX)] {
            let rules = RuleSet::by_name(set).expect("a rule set");
            let plies = self.record.quiet_plies(self.clock, counted);
            assert_eq!(usize::from(self.game.clock(rules)), plies, "{set}: {}", self.dump());
        }
    }

    fn compare_series(&mut self) {
        let verdict = self.game.verdict(RuleSet::by_name("cxq").expect("a rule set"));
        if matches!(verdict.reason(), Reason::NoProgress | Reason::MoveLimit) {
            return;
        }
        let want = self.record.series();
        if matches!(verdict.reason(), Reason::None | Reason::BareMaterial) {
            assert_eq!(want, None, "cxq: {}", self.dump());
        } else {
            assert_eq!(Some(verdict.word()), want, "cxq: {}", self.dump());
            *self.tally.entry(("cxq", verdict.word())).or_default() += 1;
        }
    }
}

#[test]
fn judges_agree_with_their_definitions() {
    let wanted = std::env::var("CHUHE_RULES_PLIES").ok().and_then(|text| text.parse().ok());
    let wanted = wanted.unwrap_or(DEFAULT_PLIES);
    let sharp = sharp_positions();
    let openings = common::openings(7);
    let mut random = Random::new(0x5eed_0007);
    let start = Position::startpos();
    let mut tester = Tester {
        game: Game::new(start),
        record: Record::new(&start.fen()),
        clock: 0,
        plies: 0,
        tally: BTreeMap::new(),
    };
    while tester.plies < wanted {
        let mut pos = match random.below(4) {
            0 => openings[random.below(openings.len())],
            _ => sharp[random.below(sharp.len())],
        };
        let plies = if random.below(3) == 0 { random.below(60) } else { random.below(4) };
        let from = pos;
        walk(from, plies, &mut random, |reached| pos = *reached);
        if !pos.has_legal_move() {
            continue;
        }
        tester.start(pos);
        // a move or two, so that loops do not always begin with the game
        for _ in 0..random.below(3) {
            if let Some(mv) = pick(tester.game.position(), &mut random) {
                tester.play(mv);
            }
        }
        let here = *tester.game.position();
        let loops: Vec<Vec<Move>> =
            (0..30).filter_map(|_| find_loop(&here, &mut random)).take(2).collect();
        let Some(first) = loops.first() else { continue };
        let mixed = loops.len() == 2 && random.below(4) == 0;
        for round in 0..4 {
            let moves = if mixed && round % 2 == 1 { &loops[1] } else { first };
            for &mv in moves {
                tester.play(mv);
            }
        }
    }
    for (key, count) in &tester.tally {
        println!("{key:?}: {count}");
    }
    println!("{} plies", tester.plies);
    for set in ["wxf", "computer", "ucci", "hk4", "cxq"] {
        for verdict in ["red_loss", "black_loss"] {
            assert!(tester.tally.contains_key(&(set, verdict)), "{set} never says {verdict}");
        }
    }
}
