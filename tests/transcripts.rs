//! Replays what real clients send, line by line: `tests/data/transcripts/` says how they are written.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use support::session::Session;

/// How long any one answer may take, in milliseconds of an ordinary machine.
const PATIENCE: u64 = 10_000;

/// One line of a transcript.
#[derive(Debug)]
enum Step {
    Send(Vec<u8>),
    Expect(String),
    NotLast(String),
    Absent(String),
    Wait(u64),
    Burst,
    CrLf,
    Exit,
}

fn parse(line: &str) -> Option<Step> {
    let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
    Some(match kind {
        "" | "#" => return None,
        ">" => Step::Send(bytes(rest)),
        "<" => Step::Expect(rest.to_string()),
        "~" => Step::NotLast(rest.to_string()),
        "!" => Step::Absent(rest.to_string()),
        "=" => Step::Wait(rest.parse().expect("milliseconds")),
        "burst" => Step::Burst,
        "crlf" => Step::CrLf,
        "exit" => Step::Exit,
        _ => panic!("not a line of a transcript: {line:?}"),
    })
}

/// The bytes a line stands for.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        if let Some(hex) = rest[at..].strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).expect("two hexadecimal digits"));
            rest = &hex[2..];
        } else {
            bytes.push(b'\\');
            rest = rest[at..].strip_prefix("\\\\").expect("\\x or \\\\");
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Whether a whole line matches a pattern in which `*` stands for anything.
fn matches(pattern: &str, line: &str) -> bool {
    let parts: Vec<String> = pattern.split('*').map(regex::escape).collect();
    Regex::new(&format!("^{}$", parts.join(".*"))).expect("a pattern").is_match(line)
}

fn transcripts() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .expect("the transcripts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files
}

/// Sends lines with one write, with the end of line in force.
fn send(session: &mut Session, lines: &mut Vec<Vec<u8>>, end: &[u8]) {
    let mut all = Vec::new();
    for line in lines.drain(..) {
        session.note(&String::from_utf8_lossy(&line));
        all.extend_from_slice(&line);
        all.extend_from_slice(end);
    }
    session.send_bytes(&all);
}

fn replay(file: &Path) {
    let text = fs::read_to_string(file).expect("a readable transcript");
    let mut session = Session::start();
    let mut end: &[u8] = b"\n";
    let mut burst = false;
    let mut pending = Vec::new();
    let mut last = String::new();
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{name} line {}", index + 1);
        let Some(step) = parse(line) else { continue };
        if !matches!(step, Step::Send(_)) {
            send(&mut session, &mut pending, end);
            burst = false;
        }
        match step {
            Step::Send(line) => {
                pending.push(line);
                if !burst {
                    send(&mut session, &mut pending, end);
                }
            }
            Step::Expect(pattern) => {
                let what = format!("{pattern:?} ({place})");
                last = session.expect(&what, PATIENCE, |line| matches(&pattern, line)).text;
            }
            Step::NotLast(pattern) => {
                assert!(!matches(&pattern, &last), "{place}: {last}\n{}", session.dialogue());
            }
            Step::Absent(pattern) => {
                session.expect_none(&format!("line ({place})"), |line| matches(&pattern, line));
            }
            Step::Wait(millis) => session.listen(millis),
            Step::Burst => burst = true,
            Step::CrLf => end = b"\r\n",
            Step::Exit => session.expect_exit(3000),
        }
    }
    for answer in &session.answers {
        let fine = answer.is_legal() || answer.best == "(none)" || is_one_based(&name);
        assert!(fine, "{name}: {answer:?}\n{}", session.dialogue());
    }
    session.close();
}

/// The only transcript whose client counts ranks from one; its answers are compared in the file.
fn is_one_based(name: &str) -> bool {
    name == "others.txt"
}

#[test]
fn every_transcript_is_answered() {
    let files = transcripts();
    assert!(files.len() >= 14, "{files:?}");
    for file in files {
        replay(&file);
    }
}

#[test]
fn transcripts_are_read_as_described() {
    assert_eq!(bytes(r"a\xbe\\b"), b"a\xbe\\b");
    assert!(matches("info depth * pv *", "info depth 3 score 1 pv h2e2"));
    assert!(!matches("bestmove *", "nobestmove"));
    assert!(matches("a.c", "a.c") && !matches("a.c", "abc"));
    assert!(parse("# x").is_none() && parse("").is_none());
}
