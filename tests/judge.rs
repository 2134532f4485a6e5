//! `chuhe judge` as a player, an arbiter or a script runs it.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use chuhe::rules::RuleSet;
use serde_json::Value;

fn judge(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_chuhe")).arg("judge").args(args).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Standard output of a run that must succeed without complaint.
fn stdout(args: &[&str]) -> String {
    let output = judge(args);
    assert_eq!(text(&output.stderr), "", "{args:?}");
    assert_eq!(output.status.code(), Some(0), "{args:?}");
    text(&output.stdout)
}

fn json(args: &[&str]) -> Value {
    let line = stdout(&[args, &["--json"]].concat());
    assert_eq!(line.lines().count(), 1, "{line}");
    serde_json::from_str(&line).expect("JSON")
}

fn scratch(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("judge-{name}"));
    fs::write(&path, content).expect("a file for the test");
    path
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Rules, FEN and moves of a collected case.
fn case(id: &str) -> (String, String, String) {
    let lines = common::read("tests/data/rules/cases.jsonl");
    let cases = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let case = cases.into_iter().find(|case| case["id"] == id).expect("a known case");
    let moves: Vec<&str> =
        case["moves"].as_array().expect("moves").iter().filter_map(Value::as_str).collect();
    let text = |key: &str| case[key].as_str().expect("a string").to_string();
    (text("rules"), text("fen"), moves.join(" "))
}

fn explain(id: &str, more: &[&str]) -> String {
    let (rules, fen, moves) = case(id);
    stdout(&[&["--rules", &rules, "--fen", &fen, "--moves", &moves], more].concat())
}

const CHECKED: &str = "c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 0 1";
const ROUND: &str = "h8h9 f9f8 h9h8 f8f9 ";

#[test]
fn the_whole_explanation() {
    let expected = "\
9  c . . a . k . . .
8  . . c . a . . R .
7  b . . . . . . P .
6  . . . . . . . . p
5  . . . . . . . . .
4  . . . . . . . . .
3  . . . . . . . . .
2  . . . . . . . . .
1  . . . . K . . . .
0  . . . . . . . . .
   a b c d e f g h i

c2a1k3/2c1a2R1/b6P1/8p/9/9/9/9/4K4/9 w - - 8 5
Red to move

Rules: checkonly
Verdict: Red loses (perpetual check)
Every move of Red gives check, not every move of Black does.
Moves judged: 1. to 4... (the position has occurred 3 times)
  1.    R2+1  check by the chariot on h9
  1...  K6+1  idle
  2.    R2-1  check by the chariot on h8
  2...  K6-1  idle
  3.    R2+1  check by the chariot on h9
  3...  K6+1  idle
  4.    R2-1  check by the chariot on h8
  4...  K6-1  idle
Red: 4 checks.
Black: 4 idle moves.
Black may go on like this; Red must play something else or loses.
Banned now for Red: R2+1 (perpetual check).
";
    let moves = ROUND.repeat(2);
    let args = ["--rules", "checkban", "--fen", CHECKED, "--moves", &moves, "--notation", "wxf"];
    assert_eq!(stdout(&args), expected);
}

#[test]
fn three_languages_say_who_and_why() {
    for (id, parts) in [
        (
            "wxf-d001",
            ["Red loses (perpetual check)", "红方负（长将）", "красные проиграли (вечный шах)"],
        ),
        (
            "wxf-d084",
            [
                "the chariot on g6 attacks the cannon on g7, whose protection is false: the horse \
                 on f9 (it is pinned and cannot take back)",
                "车g6捉炮g7（假根：马f9被牵制，不能反吃）",
                "ладья g6 нападает на пушку g7; защита ложная: конь f9 (связка",
            ],
        ),
        (
            "wxf-d105",
            [
                "which nothing guards (its former guard cut off: the cannon on c9)",
                "原有根子炮c9已被切断",
                "прежняя защита отрезана: пушка c9",
            ],
        ),
        ("comp-e22", ["the king would step into attack", "反吃即送吃", "король попал бы под удар"]),
        (
            "wxf-d048",
            [
                "draw (perpetual chase by both sides)",
                "和棋（双方长捉）",
                "ничья (вечное преследование с обеих сторон)",
            ],
        ),
        (
            "hk4-k01",
            [
                "Every move of Red gives check or threatens mate.",
                "红方步步为将军或杀着。",
                "Каждый ход красных даёт шах или грозит матом.",
            ],
        ),
        (
            "prc4-07",
            [
                "One man is attacked throughout, but these rules allow it here.",
                "虽步步捉同一子，此规则不禁。",
                "здесь это разрешено",
            ],
        ),
        (
            "cxq-01",
            [
                "c8d8 (too many checks in a row)",
                "c8d8（连续将军过多）",
                "c8d8 (слишком много шахов подряд)",
            ],
        ),
        (
            "tri-02",
            [
                "Red has given more checks in a row than the rules allow.",
                "红方连续将军超过规则限度。",
                "Красные дали больше шахов подряд, чем разрешено.",
            ],
        ),
        (
            "lim-p01",
            ["draw (natural limit)", "和棋（自然限着）", "ничья (предел ходов без взятия)"],
        ),
        (
            "ucci-u1",
            [
                "it is judged at the 4th occurrence",
                "第4次出现时裁决",
                "решение принимается при 4-м",
            ],
        ),
    ] {
        for (lang, part) in ["en", "zh", "ru"].into_iter().zip(parts) {
            let told = explain(id, &["--lang", lang]);
            assert!(told.contains(part), "{id}: {part}\n{told}");
        }
    }
}

#[test]
fn json_has_its_fields() {
    let moves = ROUND.repeat(2);
    let told = json(&["--fen", CHECKED, "--moves", &moves, "--notation", "chinese"]);
    for (key, value) in [
        ("rules", "\"wxf\""),
        ("verdict", "\"red_loss\""),
        ("at_fault", "\"red\""),
        ("reason", "\"perpetual_check\""),
        ("window", "[0,8]"),
        ("occurrences", "3"),
        ("clock", "8"),
        ("banned", "[\"h8h9\"]"),
        ("bans", "[{\"move\":\"h8h9\",\"reason\":\"perpetual_check\",\"text\":\"车二进一\"}]"),
        ("earlier", "null"),
        ("game", "1"),
        ("plies", "8"),
    ] {
        assert_eq!(told[key].to_string(), value, "{key}");
    }
    assert!(told.get("file").is_none() && told.get("result").is_none());
    let per_move = told["per_move"].as_array().expect("a list");
    assert_eq!(per_move.len(), 8);
    let first = &per_move[0];
    for (key, value) in [
        ("ply", "0"),
        ("side", "\"red\""),
        ("move", "\"h8h9\""),
        ("text", "\"车二进一\""),
        ("kind", "\"check\""),
        ("checkers", "[{\"piece\":\"R\",\"square\":\"h9\"}]"),
        ("chases", "[]"),
        ("words", "\"check by the chariot on h9\""),
    ] {
        assert_eq!(first[key].to_string(), value, "{key}");
    }
    let chase = &per_move[1]["chases"][0];
    assert_eq!(chase["attacker"]["square"], "a9");
    assert_eq!(chase["grounds"]["kind"], "stronger");
    let explanation = told["explanation"].as_str().expect("a text");
    let lines = stdout(&["--fen", CHECKED, "--moves", &moves, "--notation", "chinese"]);
    assert!(lines.ends_with(&format!("\n{explanation}\n")));
}

#[test]
fn mate_is_nobody_s_fault() {
    let told = json(&["--fen", "1R2k4/R8/9/9/9/9/9/9/9/3K5 b"]);
    assert_eq!(told["verdict"], "black_loss");
    assert_eq!(told["reason"], "checkmate");
    assert_eq!(told["at_fault"], Value::Null);
    assert_eq!(told["window"], Value::Null);
}

#[test]
fn all_rules_in_one_table() {
    let moves = ROUND.repeat(2);
    let args = ["--fen", CHECKED, "--moves", &moves, "--all-rules"];
    let table = stdout(&args);
    let rows: Vec<&str> = table.lines().skip_while(|line| !line.starts_with("rules ")).collect();
    let names: Vec<&str> =
        rows[1..].iter().filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(names, RuleSet::names().collect::<Vec<_>>());
    let row = |name: &str| rows.iter().find(|row| row.starts_with(name)).expect("a row");
    assert!(row("wxf").contains("Red loses") && row("wxf").ends_with("h8h9"));
    assert!(row("alwaysdraw").contains("draw") && row("ucci").contains("undecided"));
    let all = json(&args);
    let judgements = all["judgements"].as_array().expect("a list");
    assert_eq!(judgements.len(), names.len());
    let verdict = |name: &str| {
        judgements.iter().find(|judged| judged["rules"] == name).expect("a set")["verdict"].clone()
    };
    assert_eq!(verdict("wxf"), "red_loss");
    assert_eq!(verdict("alwaysdraw"), "draw");
}

#[test]
fn banned_moves_alone() {
    let almost = ROUND.repeat(2);
    let almost = almost.trim_end().rsplit_once(' ').expect("moves").0;
    let args = |moves| ["--fen", CHECKED, "--moves", moves, "--banned", "--rules", "checkonly"];
    assert_eq!(stdout(&args(almost)), "Banned now for Black: nothing.\n");
    let twice = format!("{almost} f8f9");
    assert_eq!(stdout(&args(&twice)), "h8h9  perpetual check\n");
    // the second time the king comes back, the rook's next check is not yet a third occurrence
    assert_eq!(stdout(&args(ROUND.trim_end())), "Banned now for Red: nothing.\n");
}

#[test]
fn numbers_of_the_rules_can_be_changed() {
    let moves = ROUND.repeat(2);
    let verdict = |more: &[&str]| {
        json(&[&["--fen", CHECKED, "--moves", &moves], more].concat())["verdict"].clone()
    };
    assert_eq!(verdict(&["--occurrences", "4"]), "undecided");
    assert_eq!(verdict(&["--rules", "hk4"]), "undecided");
    assert_eq!(verdict(&["--rules", "hk4", "--occurrences", "3"]), "red_loss");
    assert_eq!(verdict(&["--occurrences", "4", "--limit", "8"]), "draw");
    assert_eq!(verdict(&["--ply", "7"]), "undecided");
}

#[test]
fn games_of_a_file() {
    let fen = format!("[FEN \"{CHECKED}\"]\n");
    let moves = format!("{}h8h9 f9f8 h9g9 ", ROUND.repeat(2));
    let pgn = format!(
        "[Red \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n{fen}\n{moves} 1-0\n\n\
         [Red \"C\"]\n{fen}\n{ROUND} *\n"
    );
    let path = scratch("games.pgn", pgn);
    let lines = stdout(&[shown(&path), "--rules", "checkonly", "--json"]);
    let games: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0]["game"], 1);
    assert_eq!(games[0]["result"], "1-0");
    assert_eq!(games[0]["verdict"], "undecided");
    assert_eq!(games[0]["earlier"]["ply"], 8);
    assert_eq!(games[0]["earlier"]["verdict"], "red_loss");
    assert_eq!(games[1]["game"], 2);
    assert_eq!(games[1]["earlier"], Value::Null);
    let told = stdout(&[shown(&path), "--rules", "checkonly"]);
    assert!(told.starts_with("Game 1: A - B, recorded result 1-0\n"), "{told}");
    assert!(told.contains(
        "The rules ended the game earlier, with move 4... (ply 8): Red loses (perpetual check).\n"
    ));
    assert!(told.contains("\n\nGame 2: C - ?, recorded result *\n"), "{told}");
}

#[test]
fn the_case_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules/cases.jsonl");
    let output = judge(&["--cases", shown(&path)]);
    assert_eq!(text(&output.stderr), "");
    let report = text(&output.stdout);
    let (last, failures) = report.lines().collect::<Vec<_>>().split_last().map_or_else(
        || panic!("no report"),
        |(last, failures)| (last.to_string(), failures.to_vec()),
    );
    let unexpected: Vec<&&str> = failures
        .iter()
        .filter(|line| !line.contains(" (cxa): ") && !line.ends_with(", disputed"))
        .collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    let cases = common::read("tests/data/rules/cases.jsonl").lines().count();
    assert_eq!(last, format!("{} passed, {} failed", cases - failures.len(), failures.len()));
    let undisputed = failures.iter().any(|line| !line.ends_with(", disputed"));
    assert_eq!(output.status.code(), Some(i32::from(undisputed)));
}

#[test]
fn wrong_and_disputed_cases() {
    let line = |id: &str, verdict: &str, confidence: &str| {
        let moves = ROUND.repeat(2);
        format!(
            "{{\"id\":\"{id}\",\"rules\":\"checkonly\",\"fen\":\"{CHECKED}\",\"moves\":\"{moves}\",\
             \"verdict\":\"{verdict}\",\"confidence\":\"{confidence}\"}}\n"
        )
    };
    let good = line("good", "red_loss", "high");
    let disputed = line("odd", "draw", "disputed");
    let wrong = line("wrong", "draw", "medium");
    let path = scratch("cases.jsonl", format!("{good}\n{disputed}"));
    let told = "odd (checkonly): red_loss (perpetual_check), expected draw, disputed\n\
                1 passed, 1 failed\n";
    assert_eq!(stdout(&["--cases", shown(&path)]), told);
    let path = scratch("wrong.jsonl", format!("{good}{wrong}"));
    let output = judge(&["--cases", shown(&path), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&told["passed"], &told["failed"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(told["failures"][0]["id"], "wrong");
    assert_eq!(told["failures"][0]["line"], 2);
}

#[test]
fn malformed_cases_are_named_by_line() {
    let good = format!("{{\"fen\":\"{CHECKED}\",\"verdict\":\"undecided\"}}");
    for (bad, reason) in [
        ("{", "EOF while parsing an object (column 1)"),
        ("[]", "invalid length 0, expected struct Line"),
        ("{\"fen\":\"startpos\"}", "missing field `verdict` (column 18)"),
        ("{\"fen\":\"9/9 w\",\"verdict\":\"draw\"}", "bad FEN: 2 ranks instead of ten"),
        (
            "{\"fen\":\"3k5/9/9/9/9/9/9/9/9/5K3 w\",\"verdict\":\"lost\"}",
            "verdict \"lost\" is none of red_loss, black_loss, draw, undecided",
        ),
        (
            "{\"fen\":\"3k5/9/9/9/9/9/9/9/9/5K3 w\",\"verdict\":\"draw\",\"rules\":\"moon\"}",
            "unknown rule set \"moon\"",
        ),
        (
            "{\"fen\":\"3k5/9/9/9/9/9/9/9/9/5K3 w\",\"verdict\":\"draw\",\"moves\":[\"a0a1\"]}",
            "move 1: a0a1 is not a legal move",
        ),
    ] {
        let path = scratch("bad.jsonl", format!("{good}\n{bad}\n{good}\n"));
        let output = judge(&["--cases", shown(&path)]);
        assert_eq!(output.status.code(), Some(2), "{bad}");
        let message = text(&output.stderr);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.starts_with("chuhe judge: "), "{message}");
        assert!(message.contains(&format!("bad.jsonl: line 2: {reason}")), "{message}");
        assert_eq!(text(&output.stdout), "2 passed, 0 failed\n");
    }
    let noise: Vec<u8> = (0..5000u32).map(|n| (n * n % 251) as u8).collect();
    let output = judge(&["--cases", shown(&scratch("noise.jsonl", noise))]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).lines().count() <= 11);
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    for (args, reason) in [
        (vec!["--fen", "9/9 w"], "bad FEN: 2 ranks instead of ten"),
        (vec!["--moves", "h2e2 h2e2"], "move 2: h2e2 is not a legal move"),
        (vec!["no-such-game.pgn"], "no-such-game.pgn: "),
        (vec!["--cases", "no-such-cases.jsonl"], "no-such-cases.jsonl: "),
    ] {
        let output = judge(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stdout), "");
        let message = text(&output.stderr);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.starts_with(&format!("chuhe judge: {reason}")), "{message}");
    }
    let empty = scratch("empty", "");
    for args in [vec![shown(&empty)], vec!["--cases", shown(&empty)]] {
        let output = judge(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stderr).lines().count(), 1);
    }
    for args in [
        vec![],
        vec!["--rules", "moon", "--moves", "h2e2"],
        vec!["--lang", "fr", "--moves", "h2e2"],
        vec!["--moves", "h2e2", "--cases", "x"],
        vec!["--banned", "--json", "--moves", "h2e2"],
        vec!["--occurrences", "1", "--moves", "h2e2"],
    ] {
        let output = judge(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stdout), "");
    }
    assert!(text(&judge(&["--rules", "moon", "--moves", "h2e2"]).stderr).contains("threecheck"));
}

#[test]
fn a_damaged_file_costs_no_more_than_the_damage() {
    let path = scratch("damaged.pgn", "[Red \"A\"]\n\n1. h2e2 h9g7 2. h2e9 *\n");
    let output = judge(&[shown(&path), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["plies"], 2);
    assert!(text(&output.stderr).contains("damaged.pgn: line 3: ply 3: "));
}

/// What a perpetual check is worth depends on the rules: Red is behind and has nothing else.
#[test]
fn analysis_takes_rules() {
    let analyze = |moves: &str, rules: &str, more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
            .args(["analyze", CHECKED, moves, "--rules", rules, "--hash", "1"])
            .args(more)
            .output()
            .expect("it runs");
        text(&output.stdout)
    };
    let score = |rules: &str| -> i64 {
        let lines = analyze(ROUND, rules, &["--depth", "7", "--json"]);
        let last = lines.lines().last().expect("a result");
        let last: Value = serde_json::from_str(last).expect("JSON");
        last["score"]["cp"].as_i64().expect("a score")
    };
    assert!(score("alwaysdraw").abs() <= 1);
    assert!(score("wxf") < -200);
    for (rules, words) in [
        ("wxf", "the game is over, Black has won: perpetual check"),
        ("alwaysdraw", "the game is a draw: repetition"),
    ] {
        let told = analyze(&ROUND.repeat(2), rules, &["--depth", "1"]);
        assert!(told.contains(words), "{rules}: {told}");
    }
}

/// The guide shows what the program prints, and names every set with all its names.
#[test]
fn the_guide_is_up_to_date() {
    let guide = common::read("docs/rules.md");
    let mut examples = 0;
    for block in guide.split("```text\n$ chuhe judge ").skip(1) {
        let block = block.split("```").next().expect("the end of the block");
        // the command goes on while lines end in a backslash
        let lines: Vec<&str> = block.split_inclusive('\n').collect();
        let goes_on = lines.iter().take_while(|line| line.ends_with("\\\n")).count();
        let (command, output) = lines.split_at(goes_on + 1);
        let (command, output) = (command.concat(), output.concat());
        let words = shlex::split(&command.replace("\\\n", " ")).expect("words");
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let printed = stdout(&args);
        assert!(printed.ends_with(&output) && !output.is_empty(), "{command}\n{printed}");
        examples += 1;
    }
    assert_eq!(examples, 3);
    for name in RuleSet::names() {
        let row = guide.lines().find(|line| line.starts_with(&format!("| `{name}`")));
        let row = row.unwrap_or_else(|| panic!("{name} has no row"));
        let set = RuleSet::by_name(name).expect("a set");
        for alias in set.aliases() {
            assert!(row.contains(&format!("`{alias}`")), "{alias} is missing: {row}");
        }
        let number = |n: Option<u16>| n.map_or("-".to_string(), |n| n.to_string());
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[5], number(set.natural_limit), "{name}");
        let judged = set.occurrences.map_or("-".to_string(), |n| format!("{n}"));
        assert!(cells[4].starts_with(&judged), "{name}");
    }
}
