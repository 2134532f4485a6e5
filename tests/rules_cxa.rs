//! The rules of the Chinese association: every collected figure with the printed class of its
//! moves (`tests/data/rules/cases.jsonl`), as printed and in its three mirror images.

mod common;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use chuhe::position::Position;
use chuhe::rules::{Game, Grounds, Judgement, MoveKind, Reason, RuleSet};
use chuhe::types::Move;
use common::walk::{Random, walk};
use serde_json::Value as Json;

/// Figures that get another verdict than the printed one, and why. The test fails as soon as one
/// comes out right or another wrong.
const WRONG: &[(&str, &str)] = &[
    ("cxa-r06", "the rook wins an advisor together with a pawn; printed as idle"),
    ("cxa-r28", "a check wins an advisor while the other side takes a knight; printed as idle"),
    (
        "cxa-r38",
        "without the rook that moved the other king would stand in check, so an old threat counts as new",
    ),
    ("cxa-r49", "no win of material is found after c8b6; printed as a chase"),
    ("cxa-r50", "the same move in nearly the same position"),
];

/// Moves of the figures that get another class than the printed one where it matters: forbidden or
/// not, and which forbidden class.
const OTHER_CLASS: &[(&str, &str)] = &[
    ("cxa-f17", "b8b7"), // the capture that mates is no mere exchange for us: kill for chase
    ("cxa-f28", "b9c9"), // the cannon that the rook leaves is lost for the knight it takes
    ("cxa-r06", "a9a7"),
    ("cxa-r28", "f2h2"),
    ("cxa-r39", "g6g7"), // the cannon wins as much before the move
    ("cxa-r49", "c8b6"),
    ("cxa-r49", "c5b5"), // follows from the move before
    ("cxa-r50", "c8b6"),
];

struct Case {
    id: String,
    start: Position,
    moves: Vec<Move>,
    verdict: String,
    /// Printed classes of the first pass; empty where none are printed.
    printed: Vec<String>,
}

fn strings(json: &Json) -> Vec<String> {
    let list = json.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

fn cases() -> Vec<Case> {
    let text = common::read("tests/data/rules/cases.jsonl");
    let cases = text.lines().filter_map(|line| {
        let json: Json = serde_json::from_str(line).expect("a JSON object");
        let text = |key: &str| json[key].as_str().expect("a string").to_owned();
        (text("rules") == "cxa").then(|| Case {
            id: text("id"),
            start: Position::from_fen(&text("fen")).expect("a position"),
            moves: strings(&json["moves"]).iter().map(|mv| mv.parse().expect("a move")).collect(),
            verdict: text("verdict"),
            printed: strings(&json["per_move"]),
        })
    });
    cases.collect()
}

fn rules() -> RuleSet {
    RuleSet::by_name("cxa").expect("a rule set")
}

fn judge(start: Position, moves: impl Iterator<Item = Move>) -> Judgement {
    let mut game = Game::new(start);
    for mv in moves {
        assert!(game.play(mv), "{mv}");
    }
    game.judgement(rules())
}

fn word(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Check => "check",
        MoveKind::Kill => "kill",
        MoveKind::Chase => "chase",
        MoveKind::Exchange => "exchange",
        _ => "idle",
    }
}

/// The game, mirrored, with colours exchanged, and both; whether colours are exchanged.
fn images(case: &Case) -> [(Judgement, bool); 4] {
    let moves = || case.moves.iter().copied();
    [
        (judge(case.start, moves()), false),
        (judge(case.start.mirror(), moves().map(Move::mirror)), false),
        (judge(case.start.flip(), moves().map(Move::flip)), true),
        (judge(case.start.mirror().flip(), moves().map(|mv| mv.mirror().flip())), true),
    ]
}

fn flipped(verdict: &str) -> &str {
    match verdict {
        "red_loss" => "black_loss",
        "black_loss" => "red_loss",
        same => same,
    }
}

fn kinds(judgement: &Judgement) -> Vec<MoveKind> {
    judgement.moves.iter().map(|judged| judged.class.kind).collect()
}

#[test]
fn verdicts_of_the_figures_and_their_images() {
    let cases = cases();
    assert!(cases.len() >= 76, "{}", cases.len());
    let mut wrong = BTreeSet::new();
    for case in &cases {
        let images = images(case);
        for (judgement, colors) in &images {
            let want = if *colors { flipped(&case.verdict) } else { &case.verdict };
            if judgement.verdict.word() != want {
                wrong.insert(case.id.as_str());
            }
            assert_eq!(kinds(judgement), kinds(&images[0].0), "{}", case.id);
        }
    }
    println!("{} of {} figures as printed", cases.len() - wrong.len(), cases.len());
    let known: BTreeSet<&str> = WRONG.iter().map(|(id, _)| *id).collect();
    assert_eq!(wrong, known);
}

#[test]
fn classes_of_the_figures() {
    let (mut moves, mut exact) = (0, 0);
    let mut other = BTreeSet::new();
    for case in cases() {
        for judged in judge(case.start, case.moves.iter().copied()).moves {
            let Some(printed) = case.printed.get(judged.ply) else { continue };
            let ours = word(judged.class.kind);
            moves += 1;
            exact += usize::from(ours == printed);
            let allowed = |class: &str| !["check", "kill", "chase"].contains(&class);
            if ours != printed && !(allowed(ours) && allowed(printed)) {
                other.insert((case.id.clone(), judged.mv.to_string()));
            }
        }
    }
    println!("{moves} classes printed, {exact} the same, {} differ in kind", other.len());
    let known: BTreeSet<(String, String)> =
        OTHER_CLASS.iter().map(|(id, mv)| (id.to_string(), mv.to_string())).collect();
    assert_eq!(other, known);
}

#[test]
fn chases_come_with_their_grounds() {
    let case = |id: &str| cases().into_iter().find(|case| case.id == id).expect("a case");
    let of = |id: &str| {
        let case = case(id);
        judge(case.start, case.moves.into_iter())
    };
    // a knight after a free cannon against rook and cannon after a guarded knight
    let judgement = of("cxa-f27");
    assert_eq!(judgement.reason, Reason::HeavierLoop);
    let chase = &judgement.moves[0].class.chases[0];
    assert_eq!((chase.attacker.square.to_string(), chase.joint), ("c8".into(), false));
    assert_eq!(chase.grounds, Grounds::Unguarded);
    let chase = &judgement.moves[1].class.chases[0];
    assert_eq!((chase.victim.square.to_string(), chase.joint), ("a0".into(), true));
    assert_eq!(chase.grounds, Grounds::Outnumbered);
    // a rook that wins an elephant by a check
    let judgement = of("cxa-f03");
    assert_eq!(judgement.reason, Reason::MutualFault);
    assert!(judgement.moves[3].class.chases.iter().any(|chase| {
        chase.attacker.square.to_string() == "h1" && chase.grounds == Grounds::Combination
    }));
    assert_eq!(of("cxa-f06").reason, Reason::PerpetualCheck);
    assert_eq!(of("cxa-f29").reason, Reason::CheckAndMateThreat);
    assert_eq!(of("cxa-f14").reason, Reason::PerpetualChase);
    assert_eq!(of("cxa-f16").reason, Reason::ForbiddenLoop);
}

/// A loop of four quiet moves, twice round, so that the position occurs three times.
fn random_loop(pos: &Position, random: &mut Random) -> Option<Vec<Move>> {
    let quiet = |pos: &Position| -> Vec<Move> {
        pos.legal_moves().into_iter().filter(|&mv| pos.captured(mv).is_none()).collect()
    };
    let back = |mv: Move| Move::new(mv.to(), mv.from());
    for _ in 0..30 {
        let moves = quiet(pos);
        let first = *moves.get(random.below(moves.len().max(1)))?;
        let second = pos.make(first);
        let replies = quiet(&second);
        let Some(&reply) = replies.get(random.below(replies.len().max(1))) else { continue };
        let third = second.make(reply);
        if third.is_legal(back(first)) && third.make(back(first)).is_legal(back(reply)) {
            let round = [first, reply, back(first), back(reply)];
            return Some(round.repeat(2));
        }
    }
    None
}

#[test]
fn random_loops_look_the_same_from_both_sides() {
    let mut random = Random::new(2011);
    let mut longest = (Duration::ZERO, String::new());
    let (mut judged, mut lost) = (0, 0);
    for start in common::openings(40) {
        let mut positions = Vec::new();
        walk(start, 60, &mut random, |pos| positions.push(*pos));
        for pos in positions.iter().step_by(12) {
            let Some(moves) = random_loop(pos, &mut random) else { continue };
            let case = Case {
                id: pos.fen(),
                start: *pos,
                moves,
                verdict: String::new(),
                printed: Vec::new(),
            };
            let begin = Instant::now();
            let images = images(&case);
            let time = begin.elapsed() / 4;
            if time > longest.0 {
                longest = (time, case.id.clone());
            }
            judged += 1;
            let word = images[0].0.verdict.word();
            lost += usize::from(word != "draw");
            for (judgement, colors) in &images {
                let want = if *colors { flipped(word) } else { word };
                assert_eq!(judgement.verdict.word(), want, "{} {:?}", case.id, case.moves);
                assert_eq!(kinds(judgement), kinds(&images[0].0), "{} {:?}", case.id, case.moves);
            }
        }
    }
    println!("{judged} loops, {lost} lost, the slowest {:?}: {}", longest.0, longest.1);
    assert!(judged > 20 && lost > 0, "{judged} {lost}");
}
