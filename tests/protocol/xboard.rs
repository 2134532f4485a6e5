//! The native XBoard protocol: the engine keeps the game and decides when to think.

use std::time::Duration;

use chuhe::position::Position;
use chuhe::rules::Game;
use chuhe::types::Move;

use super::support::board;
use super::support::session::Session;
use super::{MATE_IN_ONE, MATED};

/// Greets as XBoard does and waits for the features.
fn xboard() -> Session {
    let mut session = Session::start();
    session.send_burst(&["xboard", "protover 2"]);
    session.expect_text("feature done=1", 2000);
    session.send_burst(&["accepted done", "new", "variant xiangqi", "easy", "post"]);
    session
}

/// Waits until everything sent so far has been dealt with.
fn settle(session: &mut Session, token: &str) {
    session.send(&format!("ping {token}"));
    session.expect_text(&format!("pong {token}"), 5000);
}

/// Waits for a move and returns it without the word before it.
fn moved(session: &mut Session) -> String {
    let line = session.expect("move", 10_000, |line| line.starts_with("move "));
    line.text["move ".len()..].to_string()
}

/// Plays a move of the dialogue on the board of the test; fails when it is illegal.
fn play(game: &mut Game, text: &str, session: &Session) {
    let mv = board::legal(game.position(), text);
    assert!(mv.is_some_and(|mv| game.play(mv)), "illegal {text}\n{}", session.dialogue());
}

#[test]
fn features_are_told_within_the_time_xboard_waits() {
    let mut session = Session::start();
    session.send_burst(&["xboard", "protover 2"]);
    session.expect_text("feature done=0", 1000);
    session.expect("name and variant", 1000, |line| {
        line.contains("myname=\"Chuhe ") && line.contains("variants=\"xiangqi\"")
    });
    session.expect("an option", 1000, |line| line.starts_with("feature option=\"MultiPV -spin"));
    session.expect_text("feature done=1", 1000);
    settle(&mut session, "7");
    session.close();
}

#[test]
fn a_game_from_the_start_with_clocks_and_thinking() {
    let mut session = xboard();
    session.send_burst(&["level 40 5 0", "sd 3", "time 30000", "otim 30000", "usermove h2e2"]);
    let mut game = Game::new(Position::startpos());
    play(&mut game, "h2e2", &session);
    session.expect("thinking output", 5000, |line| {
        let fields: Vec<&str> = line.split(' ').collect();
        fields.len() >= 5 && fields[..4].iter().all(|field| field.parse::<i64>().is_ok())
    });
    let reply = moved(&mut session);
    play(&mut game, &reply, &session);
    // Sound moves, so that the game lasts whatever the engine answers.
    let developing = ["h0g2", "b0c2", "i0h0", "c3c4", "g3g4", "a0a1"];
    for _ in 0..3 {
        let pos = *game.position();
        let is_legal = |text: &&&str| text.parse::<Move>().is_ok_and(|mv| pos.is_legal(mv));
        let legal = *developing.iter().find(is_legal).expect("one of many is possible");
        session.send_burst(&["time 20000", "otim 20000", &format!("usermove {legal}")]);
        play(&mut game, legal, &session);
        let reply = moved(&mut session);
        play(&mut game, &reply, &session);
    }
    // Nobody asked for output any more, and the engine takes the other side.
    session.send_burst(&["nopost", "go"]);
    let reply = moved(&mut session);
    play(&mut game, &reply, &session);
    settle(&mut session, "1");
    session.expect_none("output after nopost", |line| line.starts_with(|c: char| c.is_numeric()));
    session.close();
}

#[test]
fn illegal_moves_and_unknown_words_are_named() {
    let mut session = xboard();
    session.send_burst(&[
        "force",
        "usermove h2h9",
        "usermove a0a9",
        "usermove \u{70ae}",
        "foo bar",
    ]);
    session.expect_text("Illegal move: a0a9", 5000);
    session.expect_text("Illegal move: ?", 5000);
    session.expect_text("Error (unknown command): foo bar", 5000);
    session.send_burst(&["variant chess", "setboard 9/9 w", "usermove h2e2", "go"]);
    session.expect_text("Error (unsupported variant): chess", 5000);
    session.expect("what is wrong with the board", 5000, |line| {
        line.starts_with("tellusererror Illegal position: 2 ranks")
    });
    session.expect_text("Illegal move: h2e2", 5000);
    session.expect("a refusal", 5000, |line| line.starts_with("tellusererror "));
    session.send_burst(&["new", "sd 2", "go"]);
    moved(&mut session);
    session.close();
}

#[test]
fn thinking_ends_for_what_makes_it_pointless() {
    for order in
        ["force", "new", "result 1-0 {enough}", "undo", "setboard 3k5/9/9/9/9/9/9/R8/9/5K3 w"]
    {
        let mut session = xboard();
        session.send_burst(&["st 60", "usermove h2e2"]);
        session.expect("thinking", 5000, |line| line.starts_with("1 "));
        session.send(order);
        settle(&mut session, "1");
        assert!(session.count(|line| line.starts_with("move ")) == 0, "{}", session.dialogue());
        session.close();
    }
}

#[test]
fn orders_sent_in_one_write_are_taken_in_order() {
    let mut session = xboard();
    // The search is pointless before it starts; then it is cut short before it starts.
    session.send_burst(&["st 60", "go", "force", "ping 1"]);
    session.expect_text("pong 1", 5000);
    assert!(session.count(|line| line.starts_with("move ")) == 0, "{}", session.dialogue());
    session.send_burst(&["new", "st 60", "go", "?", "ping 2"]);
    moved(&mut session);
    session.expect_text("pong 2", 5000);
    session.send_burst(&["new", "sd 2", "usermove h2e2", "usermove b2c2", "go", "quit"]);
    session.expect_exit(3000);
    session.close();
}

#[test]
fn move_now() {
    let mut session = xboard();
    session.send_burst(&["st 60", "usermove h2e2"]);
    session.expect("thinking", 5000, |line| line.starts_with("1 "));
    session.send("?");
    let reply = moved(&mut session);
    let mut game = Game::new(Position::startpos());
    play(&mut game, "h2e2", &session);
    play(&mut game, &reply, &session);
    session.send("?");
    settle(&mut session, "1");
    session.close();
}

#[test]
fn analysis_follows_the_board_until_it_is_left() {
    let mut session = xboard();
    session.send_burst(&["force", "nopost", "analyze"]);
    let line = session.expect("analysis", 5000, |line| line.starts_with("4 "));
    let first = line.text.split(' ').nth(4).expect("a move").to_string();
    assert!(board::legal(&Position::startpos(), &first).is_some(), "{first}");
    session.send(".");
    session.expect("how far it is", 5000, |line| line.starts_with("stat01: "));
    session.send("usermove h2e2");
    settle(&mut session, "1");
    session.expect("analysis of the new position", 5000, |line| line.starts_with("3 "));
    session.send("undo");
    settle(&mut session, "2");
    session.expect("analysis of the old position", 5000, |line| line.starts_with("3 "));
    session.send("exit");
    settle(&mut session, "3");
    session.listen(50);
    session.expect_none("output without analysis", |_| true);
    assert_eq!(session.count(|line| line.starts_with("move ")), 0);
    session.close();
}

#[test]
fn pondering_hits_and_misses() {
    let mut session = xboard();
    let mut game = Game::new(Position::startpos());
    session.send_burst(&["hard", "level 0 1 0", "st 1", "usermove h2e2"]);
    play(&mut game, "h2e2", &session);
    for round in 0..4 {
        let reply = moved(&mut session);
        play(&mut game, &reply, &session);
        // Let it think on our time, and ask what it expects.
        session.listen(100);
        session.send("hint");
        let hint = session.wait_for(1000, |line| line.starts_with("Hint: "));
        let hinted = hint.map(|line| line.text["Hint: ".len()..].to_string());
        let other = || game.position().legal_moves().last().expect("a move").to_string();
        let next = if round % 2 == 0 { hinted.unwrap_or_else(other) } else { other() };
        session.send_burst(&["time 6000", "otim 6000", &format!("usermove {next}")]);
        play(&mut game, &next, &session);
    }
    let reply = moved(&mut session);
    play(&mut game, &reply, &session);
    session.send_burst(&["undo", "easy", "ping 9"]);
    session.expect_text("pong 9", 5000);
    session.close();
}

#[test]
fn the_end_of_the_game_is_claimed() {
    let mut session = xboard();
    session.send_burst(&["force", &format!("setboard {MATE_IN_ONE}"), "sd 3", "go"]);
    moved(&mut session);
    session.expect_text("1-0 {Red wins: checkmate}", 5000);
    session.send_burst(&["new", "force", &format!("setboard {MATED}"), "go"]);
    session.expect_text("1-0 {Red wins: checkmate}", 5000);
    assert_eq!(session.count(|line| line.starts_with("move ")), 1, "{}", session.dialogue());
    // A third occurrence is claimed by the side that should move.
    session.send_burst(&["new", "force"]);
    for mv in "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0 g7h9".split(' ') {
        session.send(&format!("usermove {mv}"));
    }
    session.send("go");
    session.expect_text("1/2-1/2 {Draw: repetition}", 5000);
    session.close();
}

#[test]
fn draws_and_resignation() {
    let mut session = xboard();
    // A hopeless position: an offer is accepted, and with the option set it is resigned.
    let lost = "3k5/9/9/9/9/9/9/r8/1r7/5K3 w - - 0 1";
    session.send_burst(&["force", &format!("setboard {lost}"), "sd 2", "go"]);
    moved(&mut session);
    session.send("draw");
    session.expect_text("offer draw", 5000);
    session.send_burst(&["force", &format!("setboard {lost}"), "option giveup=1", "go"]);
    session.expect_text("resign", 5000);
    // A won one is not given away.
    let won = "3k5/9/9/9/9/9/9/R8/1R7/5K3 w - - 0 1";
    session.send_burst(&["new", "force", &format!("setboard {won}"), "sd 2", "go"]);
    moved(&mut session);
    session.send("draw");
    settle(&mut session, "1");
    session.expect_none("an accepted draw", |line| line.contains("draw"));
    session.close();
}

#[test]
fn moves_are_taken_back() {
    let mut session = xboard();
    session.send_burst(&["force", "usermove h2e2", "usermove h9g7", "undo", "usermove b9c7"]);
    session.send_burst(&["remove", "usermove h2e2", "undo", "undo", "ping 1"]);
    session.expect_text("Error (no moves to take back): undo", 5000);
    session.expect_text("pong 1", 5000);
    assert_eq!(session.count(|line| line.starts_with("Illegal")), 0, "{}", session.dialogue());
    session.close();
}

#[test]
fn options_memory_and_cores() {
    let mut session = xboard();
    session.send_burst(&["memory 8", "cores 2", "option MultiPV=3", "option Clear Hash"]);
    session.send_burst(&["option nonsense=1", "option MultiPV=lots", "force", "sd 3", "go"]);
    moved(&mut session);
    // Three lines of the last depth, each with its own first move.
    let firsts: Vec<String> = session
        .lines
        .iter()
        .filter(|line| line.text.starts_with("3 "))
        .filter_map(|line| line.text.split(' ').nth(4).map(str::to_string))
        .collect();
    assert!(firsts.len() >= 3, "{}", session.dialogue());
    session.close();
}

#[test]
fn a_clock_in_centiseconds_is_kept() {
    let mut session = xboard();
    session.send_burst(&["level 0 1 0", "time 30", "otim 100"]);
    session.send("go");
    let started = std::time::Instant::now();
    moved(&mut session);
    let slow = Duration::from_millis(300) * super::support::session::slowness();
    assert!(started.elapsed() < slow, "{:?}", started.elapsed());
    session.close();
}

#[test]
fn other_protocols_may_follow_and_precede() {
    let mut session = Session::uci();
    session.send_burst(&["position startpos moves h2e2", "go depth 2"]);
    session.legal_move(5000);
    session.send_burst(&["xboard", "protover 2", "new", "analyze"]);
    session.expect("analysis", 5000, |line| line.starts_with("3 "));
    session.send("ucci");
    session.expect_text("ucciok", 5000);
    session.send_burst(&["position startpos", "go depth 2"]);
    session.legal_move(5000);
    session.close();
}

#[test]
fn the_end_of_input_ends_it_in_every_state() {
    for script in [
        vec!["analyze"],
        vec!["hard", "st 1", "go"],
        vec!["st 60", "go"],
        vec!["force"],
        vec!["st 60", "hard", "usermove h2e2", "?"],
    ] {
        let mut session = xboard();
        session.send_burst(&script);
        session.listen(30);
        session.close_stdin();
        session.expect_exit(2000);
        session.close();
    }
}
