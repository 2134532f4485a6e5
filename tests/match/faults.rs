//! Engines that misbehave lose with the right reason, and the match goes on.

use std::process::Command;
use std::time::{Duration, Instant};

use super::*;
use chuhe::tools::arena::game::Ending;

/// Plays two games of a script against this engine and checks that it loses both for one reason.
fn loses_both(
    mode: &str,
    limits: &str,
    ending: Ending,
    words: &str,
    arguments: &[&str],
) -> Journal {
    let directory = scratch(mode);
    let file = directory.join("games.jsonl");
    let engines = [scripted(mode, limits), own("own", "nodes=200")];
    let mut arguments = arguments.to_vec();
    arguments.extend(["--games", "2", "--jsonl", shown(&file)]);
    let result = summary(&engines, &arguments);
    assert_eq!(result["complete"], true);
    assert_eq!(result["duels"][0]["losses"], 2, "{result}");
    let journal = read_journal(&file);
    for game in &journal.games {
        assert_eq!((game.ending, game.fault.as_deref()), (ending, Some(mode)), "{}", game.reason);
        assert!(game.reason.contains(words), "{}", game.reason);
    }
    let faults = result["engines"][1]["faults"].as_object().expect("an object");
    assert_eq!(faults.values().collect::<Vec<_>>(), [2], "{result}");
    journal
}

#[test]
fn crash() {
    let journal = loses_both("crash", "nodes=1", Ending::Crash, "crashes (exit status: 3)", &[]);
    assert_eq!(journal.games[0].result, "0-1");
    assert_eq!(journal.games[0].moves, "", "Red crashed before its first move");
    assert_eq!(journal.games[1].moves.split(' ').count(), 1, "Black after one of Red");
}

#[test]
fn hang() {
    let limits = ["--move-timeout", "0.3", "--exit-timeout", "0.2"];
    loses_both("hang", "depth=3", Ending::Hang, "does not answer", &limits);
}

#[test]
fn illegal_moves() {
    loses_both("illegal", "nodes=1", Ending::IllegalMove, "\"a0a9\"", &[]);
    loses_both(
        "other-side",
        "nodes=1",
        Ending::IllegalMove,
        "not a legal move",
        &["--shard", "1/1"],
    );
    loses_both("garbage", "nodes=1", Ending::IllegalMove, "not a legal move", &[]);
}

#[test]
fn no_move() {
    loses_both("none", "nodes=1", Ending::NoMove, "gives no move", &[]);
}

#[test]
fn time() {
    // The clock is overdrawn by an answer that comes, and by one that comes only after `stop`.
    loses_both("slow", "tc=0.1+0", Ending::Time, "ms over", &["--margin", "50"]);
    loses_both("overdue", "st=0.1", Ending::Time, "loses on time", &[]);
    // One that ignores `stop` as well.
    loses_both("hang", "tc=0.1+0.01", Ending::Time, "loses on time", &["--exit-timeout", "0.1"]);
}

#[test]
fn a_margin_forgives() {
    let file = scratch("margin").join("games.jsonl");
    let engines = [scripted("slow", "st=0.2"), own("own", "nodes=200")];
    let arguments = ["--margin", "2000", "--games", "2", "--jsonl", shown(&file)];
    summary(&engines, &arguments);
    let journal = read_journal(&file);
    // Red's first move is legal; Black's answer is one for Red.
    assert!(journal.games[0].moves.starts_with("h2e2 "), "{}", journal.games[0].moves);
    assert!(journal.games[0].times[0] >= 400);
    assert_eq!(journal.games[1].ending, Ending::IllegalMove);
}

#[test]
fn floods_do_not_block() {
    let journal = loses_both("flood", "nodes=1", Ending::NoMove, "gives no move", &[]);
    assert_eq!(journal.games.len(), 2);
}

#[test]
fn resignation_and_draw_offers() {
    let file = scratch("resign").join("games.jsonl");
    let engines = [scripted("resign", "nodes=1"), own("own", "nodes=200")];
    let result = summary(&engines, &["--jsonl", shown(&file)]);
    assert_eq!(result["duels"][0]["losses"], 2);
    let journal = read_journal(&file);
    assert!(
        journal.games.iter().all(|game| game.ending == Ending::Resignation && game.fault.is_none())
    );
    // Two that always offer agree at Black's first move, which is then not played.
    let file = scratch("draw").join("games.jsonl");
    let other = scripted("draw", "nodes=1").replace("name=draw", "name=draw2");
    let result = summary(&[scripted("draw", "nodes=1"), other], &["--jsonl", shown(&file)]);
    assert_eq!(result["duels"][0]["draws"], 2);
    let journal = read_journal(&file);
    assert!(journal.games.iter().all(|game| game.ending == Ending::Agreement));
    assert_eq!(journal.games[0].moves, "h2e2");
}

#[test]
fn engines_that_do_not_start() {
    for (engine, part) in [
        (scripted("silent", "nodes=1"), "silent: no answer to the greeting"),
        ("name=gone,cmd=/no/such/program,nodes=1".to_string(), "gone: cannot run /no/such/program"),
        ("name=dir,cmd=sh,dir=/no/such/directory,nodes=1".to_string(), "dir: cannot run"),
        ("name=ends,cmd=true,nodes=1".to_string(), "ends: ended during the greeting"),
    ] {
        let engines = [own("own", "nodes=1"), engine];
        let output = command(&engines, &["--start-timeout", "0.5"]).output().expect("it runs");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.starts_with(&format!("match: {part}")), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}

#[test]
fn the_language_is_found_out() {
    let engine = scripted("uci-only", "nodes=1").replace(",proto=ucci", "");
    // It never answers `go`, so it loses; that it could be asked at all is the point.
    let engines = [engine, own("own", "nodes=1").replace(",proto=ucci", "")];
    let result = summary(&engines, &["--move-timeout", "0.2", "--start-timeout", "1"]);
    assert_eq!(result["engines"][1]["faults"]["hang"], 2, "{result}");
}

/// Whether a process is there.
fn is_alive(id: &str) -> bool {
    Command::new("kill").args(["-0", id]).output().expect("kill runs").status.success()
}

#[test]
fn no_process_is_left() {
    let file = scratch("deaf").join("ids");
    let deaf = scripted("deaf", "nodes=1").replace(" deaf,", &format!(" deaf {},", file.display()));
    let started = Instant::now();
    summary(&[deaf, own("own", "nodes=1")], &["--exit-timeout", "0.2"]);
    assert!(started.elapsed() < Duration::from_secs(20), "it does not wait for the deaf");
    let ids = std::fs::read_to_string(file).expect("process ids");
    assert!(ids.lines().count() >= 2, "the trial start and the game: {ids}");
    for id in ids.lines() {
        assert!(!is_alive(id), "process {id} is still there");
    }
}

#[test]
fn wrong_arguments_get_one_line() {
    let two = [own("a", "nodes=1"), own("b", "nodes=1")];
    for (engines, arguments, part) in [
        (&two[..1], &[][..], "needs two engines"),
        (&[own("a", "nodes=1"), own("a", "nodes=2")], &[], "two engines are called a"),
        (&[own("a", "nodes=1"), own("b", "")], &[], "give tc, st, nodes or depth"),
        (&two, &["--openings", "/no/such/file"], "/no/such/file: No such file"),
        (&two, &["--shard", "3/2"], "expected I/N"),
        (&two, &["--draw", "score=1"], "movenumber is missing"),
        (&two, &["--sprt", "elo0=5,elo1=0"], "less than"),
        (&two, &["--rules", "checkers"], "checkers"),
        (&two, &["--jsonl", "/no/such/directory/x"], "/no/such/directory/x"),
    ] {
        let output = command(engines, arguments).output().expect("it runs");
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.starts_with("match: ") && errors.contains(part), "{errors}");
        assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
    }
}
