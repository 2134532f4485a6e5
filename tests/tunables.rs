//! The constants of the search as options: what a tuner sees and sets.

use std::io::Write;
use std::process::{Command, Stdio};

fn chuhe(args: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chuhe"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let written = child.stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()));
    assert!(matches!(written, Some(Ok(()))));
    let output = child.wait_with_output().expect("the engine ends");
    String::from_utf8(output.stdout).expect("answers are text")
}

#[test]
fn the_command_lists_what_the_feature_announces() {
    let list = chuhe(&["tunables", "--openbench"], "");
    let options = chuhe(&[], "uci\nquit\n");
    assert!(list.lines().count() > 20, "{list}");
    for line in list.lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        let [name, "int", default, min, max, step, rate] = fields[..] else {
            panic!("seven fields: {line}")
        };
        assert!(step.parse::<f64>().is_ok_and(|step| step > 0.0), "{line}");
        assert!(rate.parse::<f64>().is_ok_and(|rate| rate > 0.0), "{line}");
        let announced =
            format!("option name {name} type spin default {default} min {min} max {max}");
        let found = options.lines().any(|option| option == announced);
        assert_eq!(found, cfg!(feature = "tune"), "{announced}");
    }
}

/// A value that prunes far more must change the number of nodes, but only in a build for tuning.
#[test]
fn a_set_value_is_used() {
    let nodes = |setting: &str| {
        let text = chuhe(
            &[],
            &format!(
                "uci\nsetoption name batch value true\n{setting}position startpos\ngo depth 8\nquit\n"
            ),
        );
        let line = text.lines().rfind(|line| line.starts_with("info depth")).map(str::to_string);
        let line = line.unwrap_or_else(|| panic!("a search reports: {text}"));
        line.split(" nodes ").nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_string)
    };
    let usual = nodes("");
    let greedy = nodes("setoption name rfp_margin value 25\n");
    assert_eq!(usual != greedy, cfg!(feature = "tune"));
}
