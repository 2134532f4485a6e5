//! What the search makes of the rules: it does not lose by them while it has a choice, and claims
//! what they give.

mod common;

use std::sync::Arc;

use chuhe::position::Position;
use chuhe::rules::{DrawAward, Game, Line, Repetition, RuleSet, Verdict};
use chuhe::search::{Control, Job, Limits, NodeCounters, Outcome, Silent, Worker};
use chuhe::tt::Table;
use chuhe::types::{Color, Move};
use serde_json::Value as Json;

struct Searcher {
    worker: Worker,
    table: Arc<Table>,
}

impl Searcher {
    fn new() -> Searcher {
        let table = Arc::new(Table::new(1).expect("a megabyte"));
        let counters = Arc::new(NodeCounters::new(1));
        Searcher { worker: Worker::new(0, Arc::clone(&table), counters), table }
    }

    fn search(&mut self, game: &Game, rules: RuleSet, depth: u32) -> Outcome {
        self.table.clear();
        self.worker.clear();
        let job = Job {
            root_moves: game.position().legal_moves(),
            game: game.clone(),
            limits: Limits { depth: Some(depth), ..Limits::default() },
            multipv: 1,
            rules,
        };
        self.worker.search(&job, &Control::new(false), &mut Silent)
    }
}

fn play(fen: &str, moves: &[Move]) -> Game {
    let mut game = Game::new(Position::from_fen(fen).expect("a good FEN"));
    for &mv in moves {
        assert!(game.play(mv), "{mv}");
    }
    game
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

/// Collected cases in which somebody loses by repetition: set, FEN, moves.
fn losses() -> Vec<(RuleSet, String, Vec<Move>)> {
    let text = common::read("tests/data/rules/cases.jsonl");
    let mut losses = Vec::new();
    for line in text.lines() {
        let json: Json = serde_json::from_str(line).expect("a JSON object");
        let text = |key: &str| json[key].as_str().expect("a string");
        let lost = text("verdict").ends_with("_loss") && text("confidence") != "disputed";
        if !lost || text("rules") == "cxa" {
            continue;
        }
        let rules = RuleSet::by_name(text("rules")).expect("a rule set");
        let list = json["moves"].as_array().expect("a list");
        let list = list.iter().map(|mv| mv.as_str().unwrap_or("").parse().expect("a move"));
        losses.push((rules, text("fen").to_string(), list.collect()));
    }
    losses
}

#[test]
fn the_guilty_side_turns_off_and_the_other_claims() {
    let mut searcher = Searcher::new();
    let (mut avoided, mut claimed) = (0, 0);
    for (rules, fen, list) in losses() {
        let (&last, before) = list.split_last().expect("moves");
        let Verdict::Win(winner, _) = play(&fen, &list).verdict(rules) else {
            panic!("{} {fen}: nobody loses", rules.name());
        };
        let game = play(&fen, before);
        let us = game.position().side();
        let outcome = searcher.search(&game, rules, 6);
        if us == winner {
            // the last move wins by rule, so nothing less will do
            assert!(outcome.score.is_win(), "{} {fen}: {:?}", rules.name(), outcome.score);
            claimed += 1;
        } else if game.banned_moves(rules).len() < game.position().legal_moves().len() {
            assert_ne!(outcome.pv[0], last, "{} {fen}", rules.name());
            avoided += 1;
        }
    }
    assert!(avoided >= 70 && claimed > 200, "{avoided} avoided, {claimed} claimed");
}

#[test]
fn perpetual_check_is_no_way_out() {
    let mut searcher = Searcher::new();
    let game = play("4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1", &[]);
    let draw = searcher.search(&game, RuleSet::by_name("alwaysdraw").expect("a set"), 8);
    assert!(draw.score.value().abs() <= 1, "{:?}", draw.score);
    for name in ["wxf", "computer", "checkonly", "cxa"] {
        let lost = searcher.search(&game, RuleSet::by_name(name).expect("a set"), 8);
        assert!(lost.score.value() < -300, "{name}: {:?}", lost.score);
    }
}

#[test]
fn draws_can_be_given_to_a_side() {
    let mut searcher = Searcher::new();
    let mut value = |fen: &str, winner, only_repetitions| {
        let rules = RuleSet {
            draw_award: Some(DrawAward { winner, only_repetitions }),
            ..RuleSet::by_name("alwaysdraw").expect("a set")
        };
        searcher.search(&play(fen, &[]), rules, 8).score
    };
    // Red is lost but for perpetual check
    let fen = "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1";
    for only_repetitions in [false, true] {
        let score = value(fen, Color::Red, only_repetitions);
        assert!(score.is_win() && score.is_rule(), "{score:?}");
        assert!(value(fen, Color::Black, only_repetitions).value() < -300);
    }
    // a horse cannot win against two advisors, and the natural limit is near
    let fen = "3ak4/4a4/9/9/9/4N4/9/9/9/3K5 w - - 116 1";
    assert!(value(fen, Color::Red, false).is_win());
    assert!(value(fen, Color::Black, false).is_loss());
    assert!(!value(fen, Color::Red, true).is_decisive());
}

#[test]
fn a_banned_move_is_played_only_when_there_is_nothing_else() {
    let rules = RuleSet::default();
    let list = moves("i8i9 e9e8 i9i8 e8e9 i8i9 e9e8 i9i8 e8e9");
    let game = play("4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1", &list);
    let banned = game.banned_moves(rules);
    assert_eq!(banned.as_slice(), moves("i8i9").as_slice());
    let mut searcher = Searcher::new();
    assert_ne!(searcher.search(&game, rules, 8).pv[0], banned[0]);
    let job = Job {
        root_moves: banned.clone(),
        game: game.clone(),
        limits: Limits { depth: Some(3), ..Limits::default() },
        multipv: 3,
        rules,
    };
    let outcome = searcher.worker.search(&job, &Control::new(false), &mut Silent);
    assert_eq!(outcome.pv[0], banned[0]);
    assert!(outcome.score.is_rule() && outcome.score.is_loss(), "{:?}", outcome.score);
}

/// A line whose root lies `tail` plies before its end, with the last position.
fn line(fen: &str, text: &str, tail: usize, rules: RuleSet) -> (Line, Position) {
    let list = moves(text);
    let (game, rest) = list.split_at(list.len() - tail);
    let mut game = play(fen, game);
    let mut line = game.line(rules);
    for &mv in rest {
        let capture = game.position().captured(mv).is_some();
        assert!(game.play(mv));
        let pos = game.position();
        line.push(pos.key(), Some(mv), pos.in_check(), capture);
    }
    (line, *game.position())
}

#[test]
fn second_occurrence_in_the_tree() {
    let rules = RuleSet::default();
    let once = "a2d2 d9e9 d2e2 e9d9 e2d2";
    let seen = |text: &str, tail| {
        let (mut line, pos) = line("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1", text, tail, rules);
        line.repetition(&pos, None)
    };
    // the first occurrence is the root, or lies before it: the full count is needed
    assert_eq!(seen(once, 4), None);
    assert_eq!(seen(once, 2), None);
    // entered by a2d2 and by e2d2: Red may still turn off
    assert_eq!(seen(once, 5), Some(Repetition::AtLeastDraw));
    // one ply on, both occurrences were reached by the same move
    assert_eq!(seen(&format!("{once} d9e9"), 6), Some(Repetition::ForeseenLoss));
    // the third occurrence is judged wherever the root is
    let thrice = format!("{once} d9e9 d2e2 e9d9 e2d2");
    for tail in 0..9 {
        assert_eq!(seen(&thrice, tail), Some(Repetition::Win), "root {tail} plies back");
    }
}

/// Both occurrences were reached by the same move, but on the way another position recurred.
#[test]
fn a_loop_within_a_loop_is_not_plain() {
    let fen = "4k4/9/9/3R5/5P3/9/9/9/9/5K3 w - - 0 1";
    let detour = "d6e6 e9d9 e6d6 d9e9 d6e6 e9f9 e6f6 f9e9 f6e6 e9d9 e6d6";
    let direct = "d6e6 e9d9 e6d6 d9e9 d6e6 e9d9 e6d6";
    let (mut path, pos) = line(fen, detour, 11, RuleSet::default());
    assert_eq!(path.repetition(&pos, None), Some(Repetition::AtLeastDraw));
    let (mut path, pos) = line(fen, direct, 7, RuleSet::default());
    assert_eq!(path.repetition(&pos, None), Some(Repetition::ForeseenWin));
}

#[test]
fn a_verdict_matters_as_far_back_as_its_loop_reaches() {
    let text = "a2d2 d9e9 d2e2 e9d9 e2d2 d9e9";
    let (mut line, pos) = line("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1", text, 6, RuleSet::default());
    assert!(!line.is_judged_by_path(Color::Red));
    assert_eq!(line.repetition(&pos, None), Some(Repetition::ForeseenLoss));
    for back in 0..6 {
        // the loop began four plies ago
        assert_eq!(line.is_judged_by_path(Color::Red), back < 4, "{back}");
        assert!(!line.is_judged_by_path(Color::Black));
        line.pop();
    }
}

/// Black has perpetual check, which is forbidden, against a mate that was published as ten moves long.
/// It may go round once before it has to let the mate happen.
#[test]
fn a_forbidden_loop_delays_a_mate() {
    let game = play("2ba1kbRC/2N1a4/9/4p4/4c1p2/9/9/1p2B1r2/4r1n2/3K2B2 w - - 0 1", &[]);
    let job = Job {
        root_moves: game.position().legal_moves(),
        game,
        limits: Limits { nodes: Some(1_000_000), ..Limits::default() },
        multipv: 1,
        rules: RuleSet::default(),
    };
    let outcome = Searcher::new().worker.search(&job, &Control::new(false), &mut Silent);
    assert_eq!(outcome.score.mate_plies(), Some(23), "{:?}", outcome.score);
}

#[test]
fn a_pass_and_a_capture_cut_the_line() {
    let rules = RuleSet::default();
    let (mut line, pos) =
        line("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1", "a2d2 d9e9 d2e2 e9d9", 4, rules);
    line.push(pos.make_null().key(), None, false, false);
    let mv: Move = "d9e9".parse().expect("a move");
    line.push(pos.key(), Some(mv), false, false);
    assert!(!line.has_repeated());
    assert_eq!(line.repetition(&pos, None), None);
}

#[test]
fn a_near_limit_keeps_a_loop_from_being_judged_early() {
    let rules = RuleSet::default();
    // four plies a loop, and the third occurrence would come after the limit
    let text = "a2d2 d9e9 d2e2 e9d9 e2d2 d9e9";
    for (clock, want) in [(100, Repetition::ForeseenLoss), (112, Repetition::AtMostDraw)] {
        let fen = format!("3k5/9/9/9/9/9/9/R8/9/5K3 w - - {clock} 1");
        let (mut line, pos) = line(&fen, text, 6, rules);
        assert_eq!(line.repetition(&pos, None), Some(want), "clock {clock}");
        assert_eq!(pos.side(), Color::Red);
    }
}

#[test]
fn checks_beyond_ten_do_not_bring_the_limit_nearer() {
    // `checks` checks by Red, each answered; the keys do not matter here
    let at_limit = |rules: RuleSet, checks: usize| {
        let mv = moves("a2a3")[0];
        let mut line = Line::new(rules);
        line.push(0, None, false, false);
        for ply in 0..2 * checks {
            line.push(ply as u64 + 1, Some(mv), ply % 2 == 0, false);
        }
        let fen = format!("3k5/9/9/9/9/9/9/R8/9/5K3 w - - {} 1", 2 * checks);
        line.is_at_limit(&Position::from_fen(&fen).expect("a good FEN"))
    };
    let limited = |limit| RuleSet { natural_limit: Some(limit), ..RuleSet::default() };
    assert!(at_limit(limited(20), 10));
    assert!(!at_limit(limited(22), 11));
    assert!(at_limit(limited(20), 30));
    assert!(at_limit(RuleSet { counted_checks: None, ..limited(22) }, 11));
    assert!(!at_limit(RuleSet { natural_limit: None, ..limited(0) }, 100));
}
