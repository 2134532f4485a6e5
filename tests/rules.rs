//! Every collected case of the repetition and draw rules (`tests/data/rules/`), as printed and in
//! its three mirror images.

mod common;

use std::collections::BTreeMap;

use chuhe::position::Position;
use chuhe::rules::{Game, MoveKind, Reason, RuleSet, Verdict};
use chuhe::types::{Color, Move};
use serde_json::Value as Json;

/// The association's rules need a search of their own; how many of its cases come out right today.
/// A floor, so that it can only rise.
const CXA_FLOOR: usize = 71;

struct Case {
    id: String,
    rules: RuleSet,
    start: Position,
    moves: Vec<Move>,
    verdict: String,
    reason: String,
    window: Option<(usize, usize)>,
    occurrences: u64,
    disputed: bool,
}

fn cases() -> Vec<Case> {
    let text = common::read("tests/data/rules/cases.jsonl");
    let cases: Vec<Case> = text.lines().map(parse).collect();
    assert!(cases.len() > 800, "{} cases", cases.len());
    cases
}

fn parse(line: &str) -> Case {
    let json: Json = serde_json::from_str(line).expect("a JSON object");
    let text = |key: &str| json[key].as_str().expect("a string").to_string();
    let moves = json["moves"].as_array().expect("a list");
    let number = |value: &Json| value.as_u64().expect("a number") as usize;
    Case {
        id: text("id"),
        rules: RuleSet::by_name(&text("rules")).expect("a known rule set"),
        start: Position::from_fen(&text("fen")).unwrap_or_else(|err| panic!("{line}: {err}")),
        moves: moves.iter().map(|mv| mv.as_str().unwrap_or("").parse().expect("a move")).collect(),
        verdict: text("verdict"),
        reason: text("reason"),
        window: json["window"].as_array().map(|ends| (number(&ends[0]), number(&ends[1]))),
        occurrences: json["occurrences"].as_u64().expect("a number"),
        disputed: json["confidence"] == "disputed",
    }
}

fn play(start: Position, moves: impl IntoIterator<Item = Move>) -> Game {
    let mut game = Game::new(start);
    for mv in moves {
        assert!(game.play(mv), "{mv} is illegal in {}", game.position().fen());
    }
    game
}

/// The case as it stands, mirrored, with colours exchanged, and both.
fn images(case: &Case) -> [(Game, bool); 4] {
    let moves = || case.moves.iter().copied();
    [
        (play(case.start, moves()), false),
        (play(case.start.mirror(), moves().map(Move::mirror)), false),
        (play(case.start.flip(), moves().map(Move::flip)), true),
        (play(case.start.mirror().flip(), moves().map(|mv| mv.mirror().flip())), true),
    ]
}

fn flipped(verdict: &str) -> &str {
    match verdict {
        "red_loss" => "black_loss",
        "black_loss" => "red_loss",
        same => same,
    }
}

/// What is wrong with the verdict on a case.
fn faults(case: &Case) -> Vec<String> {
    let mut faults = Vec::new();
    for (i, (game, colors)) in images(case).into_iter().enumerate() {
        let want = if colors { flipped(&case.verdict) } else { &case.verdict };
        let verdict = game.verdict(case.rules);
        if verdict.word() != want {
            faults.push(format!("{} image {i}: {verdict:?}, not {want}", case.id));
        }
    }
    faults
}

#[test]
fn cases_and_their_mirror_images() {
    let mut wrong = Vec::new();
    let mut tally: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut disputed = Vec::new();
    let cases = cases();
    for case in &cases {
        let faults = faults(case);
        let (right, all) = tally.entry(case.rules.name()).or_default();
        *right += usize::from(faults.is_empty());
        *all += 1;
        if case.disputed {
            disputed.extend(faults);
        } else if case.rules.name() != "cxa" {
            wrong.extend(faults);
        }
    }
    for (set, (right, all)) in &tally {
        println!("{set}: {right} of {all}");
    }
    disputed.iter().for_each(|fault| println!("disputed: {fault}"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tally["cxa"].0 >= CXA_FLOOR, "{:?}", tally["cxa"]);
}

#[test]
fn facts_of_the_cases() {
    for case in cases() {
        let game = play(case.start, case.moves.iter().copied());
        let judgement = game.judgement(case.rules);
        let id = &case.id;
        assert_eq!(judgement.verdict, game.verdict(case.rules), "{id}");
        assert_eq!(judgement.reason, judgement.verdict.reason(), "{id}");
        assert_eq!(u64::from(judgement.occurrences), case.occurrences, "{id}");
        if case.rules.name() == "cxa" || case.disputed {
            continue;
        }
        if case.rules.occurrences.is_some() && case.window.is_some() {
            assert_eq!(judgement.window, case.window, "{id}");
        }
        let Verdict::Win(winner, reason) = judgement.verdict else { continue };
        if case.reason.starts_with("perpetual_check") && case.rules.occurrences.is_some() {
            assert_eq!(reason, Reason::PerpetualCheck, "{id}");
        }
        if case.reason.starts_with("perpetual_chase") {
            assert_eq!(reason, Reason::PerpetualChase, "{id}");
            assert!(!judgement.victims.is_empty(), "{id}");
        }
        let (first, last) = judgement.window.expect("a stretch of moves");
        assert_eq!(judgement.moves.len(), last - first, "{id}");
        for judged in judgement.moves.iter().filter(|judged| judged.side != winner) {
            match reason {
                Reason::PerpetualCheck => assert_eq!(judged.class.kind, MoveKind::Check, "{id}"),
                Reason::PerpetualChase => assert!(!judged.class.chases.is_empty(), "{id}"),
                _ => {}
            }
        }
    }
}

/// The side at fault can avoid it, and the move that completes the loop is known beforehand.
#[test]
fn losing_moves_are_banned_one_move_before() {
    let mut banned_last = 0;
    for case in cases() {
        let Some((&last, before)) = case.moves.split_last() else { continue };
        let game = play(case.start, before.iter().copied());
        let loser = match game.position().side() {
            Color::Red => "red_loss",
            Color::Black => "black_loss",
        };
        let banned = game.banned_moves(case.rules);
        let complete = play(case.start, case.moves.iter().copied()).verdict(case.rules);
        if game.verdict(case.rules) == Verdict::Ongoing {
            assert_eq!(banned.contains(&last), complete.word() == loser, "{}", case.id);
            banned_last += usize::from(banned.contains(&last));
        }
        for mv in banned {
            assert_eq!(
                play(*game.start(), before.iter().copied().chain([mv])).verdict(case.rules).word(),
                loser
            );
        }
    }
    assert!(banned_last > 70, "{banned_last}");
}
