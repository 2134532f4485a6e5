//! `chuhe solve` on small files: what counts as solved, what is refused.

use std::path::PathBuf;
use std::process::Command;

/// A file of its own for each test.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("chuhe-solve-{}-{name}.epd", std::process::id()));
    std::fs::write(&path, text).expect("the directory for temporary files can be written");
    path
}

fn solve(path: &PathBuf, options: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .arg("solve")
        .arg(path)
        .args(options)
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const MATE_IN_ONE: &str = "4ka3/4a4/7R1/p3n4/3P5/6B2/5r3/4B3C/4A4/3AK4 w - - 0 1 bm i2i9;";

#[test]
fn mates_are_announced_and_played_out() {
    let text = format!(
        "# two of these can be solved\n{MATE_IN_ONE} dm 1; id \"one\"; c0 \"mates\";\n\n\
         4k4/9/9/9/9/4N4/9/9/9/3K5 w - - 0 1 result \"win\"; bm e4f6; id \"two\"; c0 \"endings\";\n\
         {} bm a6a5; id \"three\"; c0 \"moves\";\n",
        MATE_IN_ONE.split(" bm").next().unwrap_or_default().replace(" w ", " b "),
    );
    let path = file("mates", &text);
    let (code, out, err) =
        solve(&path, &["--depth", "9", "--replay", "--json", "--concurrency", "2"]);
    assert_eq!(code, Some(0), "{err}");
    let records: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(records.len(), 4, "{out}");
    let of = |id: &str| records.iter().find(|record| record["id"] == id).expect("every position");
    assert_eq!(of("one")["solved"], true);
    assert_eq!(of("one")["move"], "i2i9");
    assert_eq!(of("one")["score"]["mate"], 1);
    assert_eq!(of("two")["solved"], true);
    let groups = records[3]["summary"].as_array().expect("a list of groups");
    let names: Vec<&str> = groups.iter().filter_map(|group| group["group"].as_str()).collect();
    assert_eq!(names, ["endings", "mates", "moves"]);
    let (_, out, _) = solve(&path, &["--depth", "5", "--group", "mates"]);
    assert!(out.contains("mates") && !out.contains("endings") && out.contains("100.0"), "{out}");
    let _ = std::fs::remove_file(path);
}

#[test]
fn a_wrong_answer_is_shown_with_what_was_wanted() {
    let path = file("wrong", &MATE_IN_ONE.replace("i2i9", "d0e0x").replace("bm", "am"));
    let (code, _, err) = solve(&path, &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("line 1") && err.lines().count() == 1, "{err}");
    let _ = std::fs::remove_file(path);
    let path = file("avoid", &MATE_IN_ONE.replace("bm", "am"));
    let (code, out, _) = solve(&path, &["--depth", "4"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("not solved: line 1 - wanted not i2i9, found i2i9 +M1"), "{out}");
    let _ = std::fs::remove_file(path);
    let (code, _, err) = solve(&PathBuf::from("/no/such/file.epd"), &[]);
    assert_eq!((code, err.lines().count()), (Some(2), 1), "{err}");
}
