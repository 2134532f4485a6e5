//! Situations users met, asked through the library, and what a judgement says of a few of them.

mod common;

use chuhe::position::Position;
use chuhe::rules::{FalseRoot, Game, Grounds, MoveKind, Reason, RuleSet, Verdict};
use chuhe::types::{Color, Square};
use serde_json::Value as Json;

fn play(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(fen).expect("a good FEN"));
    for mv in moves.split_whitespace() {
        assert!(game.play(mv.parse().expect("a move")), "{mv}");
    }
    game
}

fn rules(name: &str) -> RuleSet {
    RuleSet::by_name(name).unwrap_or_else(|| panic!("no rule set {name}"))
}

#[test]
fn rule_cases() {
    let text = common::read("tests/data/engine-cases.jsonl");
    let mut cases = 0;
    for line in text.lines().filter(|line| !line.is_empty()) {
        let json: Json = serde_json::from_str(line).expect("a JSON object");
        if json["kind"] != "rule" {
            continue;
        }
        let id = &json["id"];
        let moves = json["moves"].as_str().expect("moves");
        let game = play(json["fen"].as_str().unwrap_or(Position::START_FEN), moves);
        for set in json["expect"]["ruleset"].as_array().expect("a list") {
            let set = rules(set.as_str().expect("a name"));
            let word = match game.verdict(set) {
                Verdict::Ongoing => "none",
                Verdict::Draw(_) => "draw",
                Verdict::Win(Color::Red, _) => "red_wins",
                Verdict::Win(Color::Black, _) => "black_wins",
            };
            assert_eq!(word, json["expect"]["verdict"], "{id} under {}", set.name());
        }
        cases += 1;
    }
    assert!(cases >= 21, "{cases} cases");
}

/// A `rule-play` case is a dialogue; what it rests on can be asked directly.
#[test]
fn rule_play_cases_ban_the_move() {
    let text = common::read("tests/data/engine-cases.jsonl");
    let mut cases = 0;
    for line in text.lines().filter(|line| line.contains("\"rule-play\"")) {
        let json: Json = serde_json::from_str(line).expect("a JSON object");
        let fen = json["fen"].as_str().expect("a FEN");
        let game = play(fen, json["moves"].as_str().expect("moves"));
        for set in json["expect"]["ruleset"].as_array().expect("a list") {
            let banned = game.banned_moves(rules(set.as_str().expect("a name")));
            let words: Vec<String> = banned.iter().map(ToString::to_string).collect();
            let want = json["expect"]["bestmove_not_in"].as_array().expect("a list");
            assert!(want.iter().all(|mv| words.iter().any(|word| mv == word)), "{words:?}");
        }
        cases += 1;
    }
    assert!(cases >= 1);
}

const KING_NO_GUARD: (&str, &str) =
    ("3k5/9/9/9/9/9/3r5/9/9/3NK4 w - - 0 1", "d0c2 d3c3 c2d0 c3d3 d0c2 d3c3 c2d0 c3d3");

#[test]
fn a_judgement_names_attacker_victim_and_false_guards() {
    let game = play(KING_NO_GUARD.0, KING_NO_GUARD.1);
    let judgement = game.judgement(rules("wxf"));
    assert_eq!(judgement.verdict, Verdict::Win(Color::Red, Reason::PerpetualChase));
    assert_eq!((judgement.window, judgement.occurrences), (Some((0, 8)), 3));
    assert_eq!(judgement.moves.len(), 8);
    let last = &judgement.moves[7];
    assert_eq!((last.ply, last.side, last.mv.to_string()), (7, Color::Black, "c3d3".into()));
    assert_eq!(last.class.kind, MoveKind::Chase);
    let chase = &last.class.chases[0];
    assert_eq!((chase.attacker.square, chase.victim.square), (Square::D3, Square::D0));
    let Grounds::FalseRoot { guards } = &chase.grounds else { panic!("{:?}", chase.grounds) };
    assert_eq!(guards.len(), 1);
    assert_eq!((guards[0].guard.square, guards[0].why), (Square::E0, FalseRoot::KingIntoAttack));
    assert_eq!(judgement.victims.len(), 1);
    assert_eq!(judgement.victims[0].square, Square::D0);
}

#[test]
fn a_cannon_loses_its_screen_with_the_capture() {
    let game =
        play("5k3/9/9/9/9/1C7/1r7/9/1C7/4K4 w - - 0 1", "b4c4 b3c3 c4b4 c3b3 b4c4 b3c3 c4b4 c3b3");
    let judgement = game.judgement(rules("wxf"));
    assert_eq!(judgement.verdict.word(), "black_loss");
    let false_guards = judgement.moves.iter().flat_map(|judged| &judged.class.chases);
    let reasons: Vec<FalseRoot> = false_guards
        .filter_map(|chase| match &chase.grounds {
            Grounds::FalseRoot { guards } => Some(guards[0].why),
            _ => None,
        })
        .collect();
    assert!(reasons.contains(&FalseRoot::ScreenGone), "{reasons:?}");
}

#[test]
fn a_judgement_is_plain_data() {
    let game = play(KING_NO_GUARD.0, KING_NO_GUARD.1);
    let json = serde_json::to_value(game.judgement(rules("wxf"))).expect("JSON");
    assert_eq!(json["verdict"], "black_loss");
    assert_eq!(json["reason"], "perpetual_chase");
    assert_eq!(json["rules"], "wxf");
    assert_eq!(json["window"], serde_json::json!([0, 8]));
    assert_eq!(json["moves"][7]["move"], "c3d3");
    assert_eq!(json["moves"][7]["side"], "black");
    assert_eq!(json["moves"][7]["kind"], "chase");
    let chase = &json["moves"][7]["chases"][0];
    assert_eq!(chase["victim"], serde_json::json!({ "piece": "N", "square": "d0" }));
    assert_eq!(chase["grounds"]["kind"], "false_root");
    assert_eq!(chase["grounds"]["guards"][0]["why"], "king_into_attack");
    assert_eq!(json["victims"][0]["square"], "d0");
}

#[test]
fn every_reason_serialises_to_its_word() {
    for reason in [
        Reason::None,
        Reason::Checkmate,
        Reason::CheckAndMateThreat,
        Reason::MutualPerpetualChase,
        Reason::NaturalLimit,
        Reason::TooManyAttacks,
        Reason::BareMaterial,
        Reason::NoProgress,
    ] {
        assert_eq!(serde_json::to_value(reason).expect("JSON"), reason.word());
    }
}

/// Mate beats everything else, repetition beats the limit, the limit beats bare material.
#[test]
fn the_order_of_verdicts() {
    let shuffle = "a2a3 d9d8 a3a2 d8d9 a2a3 d9d8 a3a2 d8d9";
    let game = play("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 112 1", shuffle);
    assert_eq!(game.verdict(rules("wxf")), Verdict::Draw(Reason::Repetition));
    let game = play("3k5/9/9/9/9/9/9/R8/9/5K3 w - - 113 1", shuffle);
    assert_eq!(game.clock(rules("wxf")), 121);
    assert_eq!(game.verdict(rules("wxf")), Verdict::Draw(Reason::Repetition));
    assert_eq!(game.verdict(rules("hk4")), Verdict::Ongoing);
    let bare = play("3k5/9/9/9/9/9/9/4B4/9/5K3 w - - 130 1", "");
    assert_eq!(bare.verdict(rules("wxf")), Verdict::Draw(Reason::NaturalLimit));
    assert_eq!(bare.verdict(rules("prc4")), Verdict::Draw(Reason::BareMaterial));
    let unlimited = RuleSet { natural_limit: None, ..rules("wxf") };
    assert_eq!(bare.verdict(unlimited), Verdict::Draw(Reason::BareMaterial));
}

/// Thirty moves by each side without progress.
#[test]
fn the_club_draws_slow_games() {
    let mut game = Game::new(Position::startpos());
    let cycle = ["a0a1", "a9a8", "a1a0", "a8a9"];
    for i in 0..60 {
        assert_eq!(game.verdict(rules("cxq")), Verdict::Ongoing, "after {i} plies");
        assert!(game.play(cycle[i % 4].parse().expect("a move")));
    }
    assert_eq!(game.verdict(rules("cxq")), Verdict::Draw(Reason::NoProgress));
}

/// 120 effective moves by each side, with progress now and then.
#[test]
fn the_club_draws_long_games() {
    let mut game = Game::new(Position::startpos());
    let progress = ["b2b9 a9b9", "h2h9 i9h9", "c3c4 c6c5 c4c5 g9e7", "g3g4 g6g5 g4g5 b9a9"];
    let mut steps = progress.iter();
    let shuffles = ["a0a1 e9e8", "a1a0 e8e9"];
    while game.verdict(rules("cxq")) == Verdict::Ongoing {
        let stage = game.moves().len();
        let text = match stage % 56 {
            0 if stage > 0 => steps.next().expect("an end before the progress is used up"),
            _ => shuffles[usize::from(game.position().piece_on(Square::A0).is_none())],
        };
        for mv in text.split(' ') {
            assert!(game.play(mv.parse().expect("a move")), "{mv} at ply {stage}");
        }
    }
    assert_eq!(game.verdict(rules("cxq")), Verdict::Draw(Reason::MoveLimit));
    // a few captures attack something and do not count, nor their answers
    assert!((240..256).contains(&game.moves().len()), "{} plies", game.moves().len());
}
