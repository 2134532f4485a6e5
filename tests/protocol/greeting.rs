//! Start-up, both greetings and the options they announce.

use crate::support::session::{Session, limit};

#[test]
fn both_greetings_are_quick() {
    for (greeting, answer) in [("ucci", "ucciok"), ("uci", "uciok")] {
        // The best of three: a busy machine may delay any one of them.
        let quickest = (0..3).map(|_| {
            let mut session = Session::start();
            session.send(greeting);
            session.expect_text(answer, 2000);
            let took = session.since_start();
            session.close();
            took
        });
        let took = quickest.min().expect("three tries");
        assert!(took < limit(200), "{greeting} took {took:?}");
    }
}

#[test]
fn nothing_before_input() {
    let mut session = Session::start();
    session.listen(300);
    assert!(session.lines.is_empty(), "{}", session.dialogue());
    session.send("ucci");
    session.expect_text("ucciok", 2000);
    session.close();
}

#[test]
fn one_process_answers_both_greetings_in_any_order() {
    let mut session = Session::start();
    for greeting in ["uci", "ucci", "uci", "uci", "ucci", "ucci"] {
        session.send(greeting);
        let ok = format!("{greeting}ok");
        session.expect(&ok, 2000, |line| line.ends_with("ok"));
        assert_eq!(session.lines.last().map(|line| line.text.as_str()), Some(ok.as_str()));
    }
    session.send_burst(&["ucci", "isready", "uccinewgame"]);
    session.expect_text("ucciok", 2000);
    session.expect_text("readyok", 5000);
    session.close();
}

#[test]
fn commands_before_any_greeting_mean_uci() {
    let mut session = Session::start();
    session.send("hello");
    session.send("isready");
    session.expect_text("readyok", 5000);
    session.send("go depth 2");
    session.legal_move(10_000);
    assert!(session.count(|line| line.contains("score cp")) > 0, "{}", session.dialogue());
    session.close();
}

#[test]
fn identity_has_two_fields_and_fits_small_buffers() {
    for start in [Session::uci, Session::ucci] {
        let mut session = start();
        for field in ["name", "author"] {
            let head = format!("id {field} ");
            let line = session.lines.iter().find(|line| line.text.starts_with(&head));
            let line = line.unwrap_or_else(|| panic!("no id {field}\n{}", session.dialogue()));
            assert!(line.text.len() - head.len() <= 60, "{}", line.text);
        }
        session.ready();
        session.close();
    }
}

/// An announced option, in either protocol.
struct Announced {
    name: String,
    kind: String,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    vars: Vec<String>,
}

/// Reads an option line as strict clients do: key words separate the fields.
fn announced(line: &str) -> Option<Announced> {
    let rest = line.strip_prefix("option ")?;
    let rest = rest.strip_prefix("name ").unwrap_or(rest);
    let mut option = Announced {
        name: String::new(),
        kind: String::new(),
        default: None,
        min: None,
        max: None,
        vars: Vec::new(),
    };
    let mut field = "name".to_owned();
    let mut value = Vec::new();
    for word in rest.split(' ').chain(["end"]) {
        if !["type", "default", "min", "max", "var", "end"].contains(&word) {
            value.push(word);
            continue;
        }
        let text = value.join(" ");
        match field.as_str() {
            "name" => option.name = text,
            "type" => option.kind = text,
            "default" => option.default = Some(text),
            "min" => option.min = text.parse().ok(),
            "max" => option.max = text.parse().ok(),
            _ => option.vars.push(text),
        }
        field = word.to_owned();
        value.clear();
    }
    Some(option)
}

fn options(session: &Session) -> Vec<Announced> {
    session.lines.iter().filter_map(|line| announced(&line.text)).collect()
}

#[test]
fn option_lines_obey_strict_parsers() {
    for protocol in ["uci", "ucci"] {
        let session = if protocol == "uci" { Session::uci() } else { Session::ucci() };
        let all = options(&session);
        assert!(all.len() >= 5, "{} options in {protocol}", all.len());
        for option in &all {
            let Announced { name, kind, default, min, max, vars } = option;
            assert!(!name.is_empty(), "an option of {protocol} has no name");
            assert!(name != "UCI_Variant", "it makes the XBoard adapter misread its variants");
            match kind.as_str() {
                "button" => assert!(default.is_none(), "{name}"),
                "check" => {
                    assert!(matches!(default.as_deref(), Some("true" | "false")), "{name}");
                }
                "string" => assert!(default.as_deref().is_some_and(|d| !d.is_empty()), "{name}"),
                "spin" => {
                    let value: Option<i64> = default.as_deref().and_then(|d| d.parse().ok());
                    assert!(value.is_some() && min <= &value && &value <= max, "{name}");
                }
                "combo" => {
                    let value = default.as_deref().unwrap_or("");
                    assert!(vars.iter().any(|var| var == value), "{name}: {value}");
                }
                other => panic!("{name}: unknown type {other}"),
            }
            if protocol == "ucci" {
                assert!(!name.contains(' ') && *name == name.to_ascii_lowercase(), "{name}");
                assert_ne!(name, "name");
            }
        }
        if protocol == "ucci" {
            let millis = all.iter().find(|option| option.name == "usemillisec");
            assert_eq!(millis.and_then(|option| option.default.as_deref()), Some("true"));
            assert!(all.iter().any(|option| option.name == "newgame"));
        }
        session.close();
    }
}

/// Values to try on an option: its ends, beyond them, nonsense, nothing.
fn trials(option: &Announced) -> Vec<String> {
    let mut values: Vec<String> =
        ["", "xyzzy", "-1", "99999999999999999999", "<empty>"].map(str::to_owned).to_vec();
    values.extend(option.min.map(|min| min.to_string()));
    // The announced limits of memory and threads are honest, but not for a test machine.
    let max = match option.name.to_ascii_lowercase().as_str() {
        "hash" | "hashsize" => Some(64),
        "threads" => Some(4),
        _ => option.max,
    };
    values.extend(max.map(|max| max.to_string()));
    values.extend(option.vars.iter().cloned());
    values.extend(option.default.clone());
    let name = option.name.to_ascii_lowercase();
    if name.contains("threads") || name.contains("hash") {
        values.retain(|value| value.len() < 10);
    }
    values
}

#[test]
fn every_announced_option_survives_every_value() {
    for (uci, uci_form) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut session = if uci { Session::uci() } else { Session::ucci() };
        for option in options(&session) {
            let name = &option.name;
            if name == "Debug Log File" {
                continue; // It would write files named after the values.
            }
            for value in trials(&option) {
                session.send(&match (uci_form, option.kind.as_str()) {
                    (true, "button") => format!("setoption name {name}"),
                    (false, "button") => format!("setoption {name}"),
                    (true, _) => format!("setoption name {name} value {value}"),
                    (false, _) => format!("setoption {name} {value}"),
                });
            }
            session.ready();
            session.send("position startpos");
            session.send("go depth 3");
            session.best_move(20_000);
            assert!(session.answers.last().is_some_and(|a| a.is_legal()), "after {name}");
        }
        session.close();
    }
}
