//! Whole conversations in memory: a script goes in, everything printed comes out.

use super::output::tests::Tape;

/// What the engine prints for a script that ends with the end of input.
fn talk(script: &[u8]) -> String {
    let tape = Tape::default();
    super::converse(script, Box::new(tape.clone()));
    tape.text()
}

fn say(script: &str) -> Vec<String> {
    talk(script.as_bytes()).lines().map(str::to_string).collect()
}

/// The lines that answer a `go`.
fn answers(script: &str) -> Vec<String> {
    let is_answer = |line: &String| line.starts_with("bestmove") || line == "nobestmove";
    say(script).into_iter().filter(is_answer).collect()
}

const MATED: &str = "position fen 1R2k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1\n";

#[test]
fn both_greetings_in_one_process() {
    let lines = say("ucci\nuci\nquit\n");
    let at = |word: &str| lines.iter().position(|line| line == word).unwrap();
    assert!(at("ucciok") < at("uciok"));
    assert_eq!(lines.len() - 1, at("uciok"), "no bye in UCI");
    assert_eq!(say("ucci\nquit\nisready\n").last().unwrap(), "bye");
}

#[test]
fn silence_before_the_first_word() {
    assert!(say("").is_empty());
    assert!(say("hello\n\n# comment\nstop\nponderhit\n").is_empty());
    assert_eq!(say("isready"), ["readyok"]);
}

#[test]
fn no_move_in_every_mode() {
    assert_eq!(answers(&format!("ucci\n{MATED}go depth 3\n")), ["nobestmove"]);
    assert_eq!(answers(&format!("ucci\nuxinewgame\n{MATED}go depth 3\n")), ["bestmove (none)"]);
    let uci = say(&format!("isready\n{MATED}go depth 3\n"));
    assert_eq!(uci, ["readyok", "info depth 0 score mate 0", "bestmove (none)"]);
    let invalid = say("position fen 9/9 w\ngo depth 3\nd\n");
    assert_eq!(invalid[0], "info string invalid position: 2 ranks instead of ten");
    assert_eq!(invalid[1..3], ["info depth 0 score cp 0", "bestmove (none)"]);
    assert_eq!(answers("go depth 1 searchmoves 0000\n"), ["bestmove (none)"]);
    assert_eq!(answers("ucci\ngo infinite searchmoves 0000\nstop\n"), ["nobestmove"]);
}

#[test]
fn one_answer_for_each_go() {
    let script = "position startpos\ngo depth 2\ngo infinite\nposition startpos moves h2e2\n\
                  go ponder wtime 100 btime 100\ngo nodes 1\ngo movetime 1\ngo time -5\n";
    let answers = answers(script);
    assert_eq!(answers.len(), 6, "{answers:?}");
    assert!(answers.iter().all(|line| line.len() >= 13), "{answers:?}");
}

#[test]
fn idle_stops() {
    assert!(say("uci\nstop\n").iter().all(|line| line != "nobestmove"));
    assert_eq!(answers("ucci\nstop\nstop\n"), ["nobestmove", "nobestmove"]);
}

#[test]
fn depth_zero_is_an_evaluation_in_ucci_and_a_search_in_uci() {
    let lines = say("ucci\ngo depth 0\n");
    assert!(lines[lines.len() - 2].starts_with("info depth 0 score "), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "nobestmove");
    assert!(answers("go depth 0\n")[0].starts_with("bestmove "));
}

#[test]
fn messages_name_the_trouble_in_ascii() {
    let lines = say("position startpos moves h2e2 h9g7 a0a9 b9c7\nd\n");
    assert_eq!(lines[0], "info string move 3 of the list is not legal: a0a9");
    assert!(lines.iter().any(|line| line.ends_with(" w - - 2 2")), "{lines:?}");
    let lines = say("ucci\nposition startpos moves \u{70ae}\u{4e8c}\n");
    assert_eq!(lines.last().unwrap(), "info message move 1 of the list cannot be read");
    let lines = say("debug on\nfoo\nucci\nfoo\n");
    assert_eq!(lines[0], "info string unknown command");
    assert_eq!(lines.last().unwrap(), "info message unknown command");
}

#[test]
fn one_based_clients_get_one_based_moves() {
    let script = "setoption name UCI_Coordinates value OneBased\n\
                  position startpos moves h3e3 h10g8\ngo depth 1 searchmoves h1g3\n";
    assert!(answers(script)[0].starts_with("bestmove h1g3"));
    let guessed = "position startpos moves h3e3 h10g8\ngo depth 1 searchmoves h1g3\n";
    assert!(answers(guessed)[0].starts_with("bestmove h1g3"));
}

#[test]
fn several_lines_stand_in_order() {
    let lines = say("setoption name MultiPV value 3\ngo depth 3\n");
    let ranks: Vec<&str> =
        lines.iter().filter_map(|line| line.split(" multipv ").nth(1)?.split(' ').next()).collect();
    assert!(ranks.len() >= 9 && ranks.chunks(3).all(|group| group == ["1", "2", "3"]), "{lines:?}");
}

#[test]
fn the_board_flips_and_counts() {
    let lines = say("position startpos moves h2e2\nflip\nd\ngo perft 1\n");
    let fen = "Fen: rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 1 1";
    assert!(lines.iter().any(|line| line == fen), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("Nodes searched: "));
    assert_eq!(say("go perft 2\n").last().unwrap(), "Nodes searched: 1920");
    assert_eq!(say("perft 0\n").last().unwrap(), "Nodes searched: 1");
}

#[test]
fn noise_does_no_harm() {
    let mut script = b"uci\n".to_vec();
    script.extend((0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8));
    script.extend(b"\nposition startpos moves h2e2\nisready\ngo depth 1\n");
    let text = talk(&script);
    assert!(text.contains("\nreadyok\n") && text.contains("\nbestmove "), "{text}");
    assert!(text.is_ascii());
}

#[test]
fn a_batch_file_is_answered_to_its_last_line() {
    let script = "ucci\nsetoption batch true\nposition startpos\ngo depth 3\n\
                  position startpos moves h2e2\ngo time 50\nstop\nquit\n";
    assert_eq!(answers(script).len(), 2);
}

#[test]
fn a_log_file_holds_both_sides() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.log");
    let name = path.to_str().unwrap();
    let script = format!("setoption name Debug Log File value {name}\nisready\ngo depth 1\n");
    let lines = say(&script);
    let text = std::fs::read_to_string(&path).unwrap();
    let passed = |mark| -> Vec<&str> {
        text.lines().filter_map(|line| line.get(13..)?.strip_prefix(mark)).collect()
    };
    assert_eq!(passed("> "), ["isready", "go depth 1"]);
    assert_eq!(passed("< "), lines);
    let refused = say("setoption name Debug Log File value /\nisready\n");
    assert!(refused[0].starts_with("info string the log file cannot be written"), "{refused:?}");
}

#[test]
fn weak_levels_answer_with_a_line_that_is_shown() {
    for level in ["Novice", "Normal", "Hardest"] {
        let script = format!("setoption Level {level}\ngo depth 3\n");
        let lines = say(&script);
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        let shown = &lines[lines.len() - 2];
        assert!(shown.contains(&format!(" pv {best}")), "{level}: {lines:?}");
        assert!(lines.iter().all(|line| !line.contains(" multipv 2 ")), "{level}: {lines:?}");
    }
}

#[test]
fn the_hash_table_can_be_asked() {
    let lines = say("ucci\nprobe startpos\nposition startpos\ngo depth 4\nisready\n");
    assert!(lines.iter().any(|line| line.starts_with("pophash")));
    assert!(say("ucci\nprobe nonsense\n").iter().any(|line| line == "pophash"));
}
