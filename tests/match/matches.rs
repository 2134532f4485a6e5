//! Whole matches of this engine against itself.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::*;
use chuhe::position::Position;
use chuhe::record::pgn;
use chuhe::tools::arena::game::Ending;

/// Two strengths, so that games are decided.
fn two() -> [String; 2] {
    [own("strong", "nodes=1500"), own("weak", "nodes=60")]
}

fn openings() -> String {
    format!("{}/tests/data/openings.epd", env!("CARGO_MANIFEST_DIR"))
}

/// Games by number, reduced to what must be the same every time.
fn games(journal: &Journal) -> Vec<(u64, String, String, String)> {
    let mut games: Vec<_> = journal
        .games
        .iter()
        .map(|game| (game.game, game.red.clone(), game.moves.clone(), game.reason.clone()))
        .collect();
    games.sort();
    games
}

#[test]
fn node_limits_make_matches_repeatable() {
    let directory = scratch("repeat");
    let openings = openings();
    let play = |name: &str, more: &[&str]| {
        let file = directory.join(name);
        let mut arguments = vec!["--openings", &openings, "--order", "random", "--games", "8"];
        arguments.extend(["--jsonl", shown(&file)]);
        arguments.extend(more);
        let result = summary(&two(), &arguments);
        (result, read_journal(&file))
    };
    let (result, journal) = play("one", &[]);
    let (_, again) = play("two", &["--concurrency", "2"]);
    assert_eq!(games(&journal), games(&again), "in any order of play");
    let duel = &result["duels"][0];
    let count = |key: &str| duel[key].as_u64().expect("a number");
    assert_eq!(count("wins") + count("draws") + count("losses"), 8);
    assert!(count("wins") > count("losses"), "{result}");
    let pairs: u64 =
        duel["pairs"].as_array().expect("pairs").iter().filter_map(Value::as_u64).sum();
    assert_eq!(pairs, 4);
    // Both games of a pair begin alike, with colours swapped.
    let mut sorted = journal.games.clone();
    sorted.sort_by_key(|game| game.game);
    for pair in sorted.chunks(2) {
        assert_eq!(pair[0].fen, pair[1].fen);
        assert_eq!((&pair[0].red, &pair[0].black), (&pair[1].black, &pair[1].red));
    }
    // Another seed plays other openings.
    let (_, other) = play("three", &["--seed", "2"]);
    assert_ne!(games(&journal), games(&other));
    // Shards add up to the whole.
    for shard in ["1/3", "2/3", "3/3"] {
        play(&shard.replace('/', "-"), &["--shard", shard]);
    }
    let files = ["3-3", "1-3", "2-3"].map(|name| directory.join(name));
    let output = run(Command::new(CHUHE).arg("merge").args(&files).arg("--json"));
    let merged: Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
    assert_eq!(merged["duels"], result["duels"]);
    let output =
        Command::new(CHUHE).arg("merge").args([&files[0], &files[0]]).output().expect("it runs");
    assert!(text(&output.stderr).starts_with("merge: game "), "{}", text(&output.stderr));
}

#[test]
fn records_hold_the_games() {
    let directory = scratch("pgn");
    let (jsonl, file) = (directory.join("games.jsonl"), directory.join("games.pgn"));
    let openings = openings();
    let arguments = ["--openings", &openings, "--pgn", shown(&file), "--notation", "chinese"];
    summary(&two(), &[&arguments[..], &["--jsonl", shown(&jsonl), "--max-plies", "60"]].concat());
    let reading = pgn::read(&std::fs::read(&file).expect("the PGN file"));
    assert_eq!(reading.warnings, []);
    let journal = read_journal(&jsonl);
    assert_eq!(reading.records.len(), 2);
    for (record, game) in reading.records.iter().zip(&journal.games) {
        assert_eq!(record.start.fen(), game.fen);
        let moves: Vec<String> = record.moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves.join(" "), game.moves);
        assert_eq!(record.outcome.as_str(), game.result);
        assert_eq!(record.tag("Red"), Some(game.red.as_str()));
        assert!(record.plies.last().is_some_and(|ply| ply.comment.contains(&game.reason)));
    }
}

#[test]
fn openings_from_records_and_the_longest_game() {
    let directory = scratch("book");
    let (book, jsonl) = (directory.join("book.pgn"), directory.join("games.jsonl"));
    std::fs::write(&book, "[Red \"x\"]\n\n1. C2.5 N8+7 2. N2+3 R9.8 3. R1.2 *\n").expect("written");
    let arguments = ["--openings", shown(&book), "--opening-plies", "4", "--max-plies", "20"];
    let result = summary(&two(), &[&arguments[..], &["--jsonl", shown(&jsonl)]].concat());
    assert_eq!(result["endings"]["maximum_length"], 2, "{result}");
    for game in read_journal(&jsonl).games {
        assert_eq!(game.opening, "h2e2 h9g7 h0g2 i9h9");
        assert_eq!(game.moves.split(' ').count(), 16);
        assert_eq!(game.fen, Position::START_FEN);
    }
}

#[test]
fn adjudication() {
    let openings = openings();
    let file = scratch("adjudication").join("games.jsonl");
    // Everything within 100 pawns is a draw at the third move of Red, who begins.
    let arguments = ["--openings", &openings, "--draw", "movenumber=3,movecount=2,score=10000"];
    summary(&two(), &[&arguments[..], &["--jsonl", shown(&file)]].concat());
    for game in read_journal(&file).games {
        assert_eq!((game.ending, game.moves.split(' ').count()), (Ending::DrawAdjudication, 5));
    }
    let file = scratch("resignation").join("games.jsonl");
    let arguments = ["--openings", &openings, "--resign", "movecount=2,score=300"];
    summary(&two(), &[&arguments[..], &["--jsonl", shown(&file)]].concat());
    let journal = read_journal(&file);
    for game in journal.games.iter().filter(|game| game.ending == Ending::ResignAdjudication) {
        let loser_is_red = game.result == "0-1";
        let parity = usize::from(game.fen.contains(" w ") != loser_is_red);
        let own: Vec<_> = game.scores.iter().skip(parity).step_by(2).collect();
        assert!(own.iter().rev().take(2).all(|score| score.is_some_and(|score| score <= -300)));
    }
    assert!(journal.games.iter().any(|game| game.ending == Ending::ResignAdjudication));
}

/// A script that only moves its rook between two points against one that only moves its king.
fn shuttle(name: &str, mode: &str) -> String {
    scripted(mode, "nodes=1").replace(&format!("name={mode}"), &format!("name={name}"))
}

#[test]
fn repetitions_are_judged_here() {
    let directory = scratch("rules");
    let book = directory.join("book.epd");
    let verdicts = |position: &str, engines: &[String], rules: &str| {
        let file = directory.join("games.jsonl");
        let _ = std::fs::remove_file(&file);
        std::fs::write(&book, position).expect("written");
        let arguments = ["--openings", shown(&book), "--rules", rules, "--jsonl", shown(&file)];
        summary(engines, &arguments);
        let mut games = read_journal(&file).games;
        games.sort_by_key(|game| game.game);
        games.into_iter().map(|game| (game.result, game.reason, game.rule)).collect::<Vec<_>>()
    };
    // The script checks for ever with its rook; the other script's king goes to and fro.
    let fen = "3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1\n";
    let engines = [shuttle("checker", "checker"), shuttle("runner", "runner")];
    let games = verdicts(fen, &engines, "wxf");
    let rule = Some("perpetual_check".to_string());
    assert_eq!(games[0], ("0-1".to_string(), "Red loses by perpetual check".to_string(), rule));
    // The same line under a rule set that knows no faults.
    let games = verdicts(fen, &engines, "alwaysdraw");
    assert_eq!((games[0].0.as_str(), games[0].2.as_deref()), ("1/2-1/2", Some("repetition")));
    // The engine is told which move would lose, at the third occurrence and not before.
    let told = directory.join("told");
    let checker = engines[0].replace(" checker,", &format!(" checker {},", told.display()));
    verdicts(fen, &[checker, engines[1].clone()], "wxf");
    let told = std::fs::read_to_string(told).expect("what the script noted");
    let bans: Vec<&str> = told.lines().filter(|line| line.starts_with("banmoves")).collect();
    assert_eq!(bans, ["banmoves e2d2"]);
    // One that obeys does not lose so: a rook against nothing wins or draws.
    let engines = [own("own", "nodes=300"), shuttle("runner", "runner")];
    assert_ne!(verdicts(fen, &engines, "wxf")[0].2.as_deref(), Some("perpetual_check"));
    // Limits of the rules end a game, too.
    let limit = "3ak4/4a4/4b4/9/9/9/9/R3B4/4A4/3AK4 w - - 118 1\n";
    for (result, _, rule) in verdicts(limit, &two(), "wxf") {
        assert_eq!((result.as_str(), rule.as_deref()), ("1/2-1/2", Some("natural_limit")));
    }
    std::fs::write(&book, "3ak4/4a4/4b4/9/9/9/9/4B4/4A4/3AK4 w - - 0 1\n").expect("written");
    let output = command(&two(), &["--openings", shown(&book)]).output().expect("it runs");
    assert!(text(&output.stderr).contains("line 1: already over"), "{}", text(&output.stderr));
}

#[test]
fn a_test_stops_by_itself() {
    let openings = openings();
    let file = scratch("sprt").join("games.jsonl");
    let arguments = ["--openings", &openings, "--games", "100000", "--concurrency", "2"];
    let engines = [own("strong", "nodes=1500"), own("weak", "depth=1")];
    let test =
        ["--sprt", "elo0=0,elo1=100,alpha=0.1,beta=0.1,model=normalized", "--jsonl", shown(&file)];
    let result = summary(&engines, &[&arguments[..], &test].concat());
    assert_eq!(result["sprt"]["decision"], "H1", "{result}");
    assert_eq!(result["complete"], true);
    let played = result["games"].as_u64().expect("a number");
    assert!(played < 2000, "{played}");
    assert_eq!(read_journal(&file).games.len() as u64, played);
}

#[test]
fn several_engines() {
    let engines = [own("a", "nodes=900"), own("b", "nodes=60"), own("c", "depth=1")];
    let openings = openings();
    let result = summary(&engines, &["--openings", &openings, "--concurrency", "2"]);
    assert_eq!(result["games"], 6);
    assert_eq!(result["duels"].as_array().map(Vec::len), Some(3));
    let result = summary(&engines, &["--openings", &openings, "--gauntlet"]);
    assert_eq!(result["duels"].as_array().map(Vec::len), Some(2));
    let output = run(&mut command(&engines, &["--openings", &openings, "--gauntlet"]));
    let shown = text(&output.stdout);
    assert!(shown.is_ascii() && shown.contains("Elo against the field"), "{shown}");
    assert!(text(&output.stderr).is_empty(), "{}", text(&output.stderr));
}

#[test]
fn interrupted_matches_go_on() {
    let directory = scratch("interrupt");
    let (file, pgn_file) = (directory.join("games.jsonl"), directory.join("games.pgn"));
    let whole = directory.join("whole.jsonl");
    let openings = openings();
    let engines = two();
    let arguments = |file| ["--openings", &openings, "--games", "12", "--jsonl", file];
    summary(&engines, &arguments(shown(&whole)));
    let files =
        [&arguments(shown(&file))[..], &["--pgn", shown(&pgn_file), "--concurrency", "2"]].concat();
    let mut child = command(&engines, &files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    // Interrupt it behind its third game.
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let seen: Vec<String> = lines.by_ref().take(3).map(|line| line.expect("text")).collect();
    assert!(seen.iter().all(|line| line.contains(" - ")), "{seen:?}");
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.expect("kill runs").success());
    let rest: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest:?}");
    assert!(rest.iter().any(|line| line == "Interrupted."), "{rest:?}");
    assert!(rest.iter().any(|line| line.starts_with("strong - weak: +")), "{rest:?}");
    let journal = read_journal(&file);
    assert!((3..12).contains(&journal.games.len()), "{}", journal.games.len());
    assert!(journal.games.iter().all(|game| game.fault.is_none()), "no engine is blamed");

    // A torn last line, as a power failure leaves it.
    let mut torn = std::fs::read(&file).expect("the journal");
    torn.extend(b"{\"type\":\"game\",\"game\":7,");
    std::fs::write(&file, torn).expect("written");
    // Not without --resume, and not with other settings.
    assert!(!command(&engines, &files).output().expect("it runs").status.success());
    let other = [own("strong", "nodes=1500"), own("weak", "nodes=61")];
    let output = command(&other, &[&files[..], &["--resume"]].concat()).output().expect("it runs");
    assert!(text(&output.stderr).contains("other settings"), "{}", text(&output.stderr));

    let result = summary(&engines, &[&files[..], &["--resume"]].concat());
    assert_eq!((&result["games"], &result["complete"]), (&12.into(), &true.into()));
    assert_eq!(games(&read_journal(&file)), games(&read_journal(&whole)));
    let reading = pgn::read(&std::fs::read(&pgn_file).expect("the PGN file"));
    assert_eq!((reading.records.len(), reading.warnings.len()), (12, 0));
}
