//! Runs the collection of situations users met (`tests/data/engine-cases.jsonl`, described in
//! `tests/data/README.md`) against the real binary. A new case needs no code here.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::thread;

use serde_json::Value as Json;
use support::info::{Info, Value};
use support::pattern::Pattern;
use support::session::{Session, limit};

/// Kinds of cases that are not a dialogue with the engine, and where they are tested instead.
const OTHER_KINDS: [&str; 3] = [
    "notation", // tests/notation.rs, through the library
    "rule",     // tests/rules_games.rs, through the library
    "tool",     // about other programs than the engine: the match runner and a batch tool
];

/// Cases the engine does not pass yet, each with the reason. A test fails as soon as one passes,
/// or names no case, so the list can only shrink.
const KNOWN_GAPS: &[(&str, &str)] = &[];

struct Case {
    id: String,
    kind: String,
    commands: Vec<String>,
    expect: serde_json::Map<String, Json>,
}

fn cases() -> Vec<Case> {
    include_str!("data/engine-cases.jsonl")
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let json: Json = serde_json::from_str(line).expect("a case is a JSON object");
            let text = |name: &str| json[name].as_str().expect("a string").to_owned();
            Case {
                id: text("id"),
                kind: text("kind"),
                commands: strings(&json["commands"]),
                expect: json["expect"].as_object().expect("an object").clone(),
            }
        })
        .collect()
}

fn strings(json: &Json) -> Vec<String> {
    let list = json.as_array().map_or(&[][..], Vec::as_slice);
    list.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Splits `@expect REGEX MS`.
fn pattern_and_limit(text: &str) -> Result<(Pattern, u64), String> {
    let (pattern, ms) = text.rsplit_once(' ').ok_or("@expect without a limit")?;
    Ok((Pattern::new(pattern)?, ms.parse().map_err(|_| format!("bad limit {ms}"))?))
}

/// Plays the commands of a case up to the first that goes wrong; the session is left open.
fn play(case: &Case) -> (Session, Option<String>) {
    let argv = case.commands.iter().find_map(|line| line.strip_prefix("@argv "));
    let args: Vec<&str> = argv.map_or(Vec::new(), |text| text.split(' ').collect());
    let mut session = Session::with_args(&args);
    let fault = case.commands.iter().find_map(|line| step(&mut session, line).err());
    (session, fault)
}

fn step(session: &mut Session, line: &str) -> Result<(), String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = || rest.parse::<u64>().map_err(|_| format!("bad number in {line:?}"));
    match word {
        "@expect" => {
            let (pattern, ms) = pattern_and_limit(rest)?;
            let found = session.wait_for(ms, |line| pattern.matches(line));
            found.map(|_| ()).ok_or_else(|| format!("not seen: {rest}"))?;
        }
        "@none" => {
            let pattern = Pattern::new(rest)?;
            session.listen(0);
            if let Some(line) = session.unread().iter().find(|line| pattern.matches(&line.text)) {
                return Err(format!("unwanted line {:?}", line.text));
            }
        }
        "@wait" => session.listen(number()?),
        "@eof" => session.close_stdin(),
        "@exit" => {
            session.wait_exit(number()?).ok_or_else(|| format!("still running: {line}"))?;
        }
        "@crlf" => session.use_crlf(),
        "@argv" => {}
        _ if word.starts_with('@') => return Err(format!("unknown directive {line:?}")),
        _ => session.send(line),
    }
    Ok(())
}

/// Everything wrong with one case.
fn run(case: &Case) -> Vec<String> {
    let (mut session, fault) = play(case);
    let mut faults: Vec<String> = fault.into_iter().collect();
    if faults.is_empty() {
        // Output that the last command still owes, such as a board, precedes this answer.
        if !case.commands.iter().any(|line| line.starts_with("@exit")) {
            session.send("isready");
            if session.wait_for(5000, |line| line == "readyok").is_none() {
                faults.push("does not answer at the end".to_owned());
            }
        }
        for (key, want) in &case.expect {
            if let Err(fault) = check(case, &mut session, key, want) {
                faults.push(format!("{key}: {fault}"));
            }
        }
    }
    faults.extend(session.finish());
    if !faults.is_empty() {
        faults.push(session.dialogue());
    }
    faults
}

fn ensure(condition: bool, fault: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(fault()) }
}

fn infos(session: &Session) -> Vec<Info> {
    session.lines.iter().filter_map(|line| Info::parse(&line.text)).collect()
}

/// The last line with a score of the first variation.
fn last_scored(session: &Session) -> Result<Info, String> {
    let all = infos(session);
    let last = all.into_iter().rfind(|info| info.multipv == 1 && info.score.is_some());
    last.ok_or_else(|| "no info line with a score".to_owned())
}

fn last_mate(session: &Session) -> Result<i64, String> {
    match last_scored(session)?.score {
        Some(Value::Mate(n)) => Ok(n),
        other => Err(format!("final score is {other:?}")),
    }
}

/// The lines of the last depth whose number of lines is the largest seen.
fn last_complete_depth(session: &Session) -> Vec<Info> {
    let mut groups: Vec<Vec<Info>> = Vec::new();
    for info in infos(session).into_iter().filter(|info| !info.pv.is_empty()) {
        match groups.last_mut() {
            Some(group) if group[0].depth == info.depth && info.multipv > 1 => group.push(info),
            _ => groups.push(vec![info]),
        }
    }
    let most = groups.iter().map(Vec::len).max().unwrap_or(0);
    groups.into_iter().rfind(|group| group.len() == most).unwrap_or_default()
}

/// The last line of the first variation before an answer.
fn info_before(session: &Session, line: usize) -> Option<Info> {
    let before = session.lines[..line].iter().rev();
    before.filter_map(|line| Info::parse(&line.text)).find(|info| info.multipv == 1)
}

fn check(case: &Case, session: &mut Session, key: &str, want: &Json) -> Result<(), String> {
    let number = || want.as_i64().ok_or_else(|| "not a number".to_owned());
    let list = strings(want);
    match key {
        // The words are for people, and both levels are kept; `alive` is asked of every case.
        "text" | "level" | "alive" | "ruleset" | "depth" => Ok(()),
        "stdout_has" | "stdout_not" => list.iter().try_for_each(|text| {
            let pattern = Pattern::new(text)?;
            let found = session.count(|line| pattern.matches(line)) > 0;
            ensure(found == (key == "stdout_has"), || text.clone())
        }),
        "within_ms" => {
            let took = session.answer_time();
            let most = limit(number()?.unsigned_abs());
            ensure(took <= most, || format!("took {took:?}"))
        }
        "at_least_ms" => {
            let took = session.answer_time();
            ensure(took.as_millis() >= u128::from(number()?.unsigned_abs()), || {
                format!("took only {took:?}")
            })
        }
        "perft" => {
            let text = format!("^Nodes searched\\s*: {}$", number()?);
            let pattern = Pattern::new(&text)?;
            ensure(session.count(|line| pattern.matches(line)) > 0, || text)
        }
        "exit_code" => {
            let status = session.wait_exit(0).ok_or("still running")?;
            ensure(status.code().map(i64::from) == Some(number()?), || status.to_string())
        }
        "info_lines_max" => {
            let count = session.count(|line| line.starts_with("info "));
            ensure(count as i64 <= number()?, || format!("{count} lines"))
        }
        "deterministic_nodes" => same_nodes_again(case, session),
        _ if key.starts_with("bestmove") => check_answers(session, key, want, &list),
        _ => check_scores(session, key, want),
    }
}

fn check_answers(session: &Session, key: &str, want: &Json, list: &[String]) -> Result<(), String> {
    let answers = &session.answers;
    let last = || answers.last().ok_or_else(|| "no bestmove".to_owned());
    match key {
        "bestmove_legal" => {
            last()?;
            let wrong = answers.iter().find(|answer| !answer.is_legal());
            wrong.map_or(Ok(()), |answer| Err(format!("{} is not legal", answer.best)))
        }
        "bestmove_in" => ensure(list.contains(&last()?.best), || format!("{:?}", last())),
        "bestmove_not_in" => ensure(!list.contains(&last()?.best), || format!("{:?}", last())),
        "bestmove_count" => {
            ensure(Some(answers.len() as u64) == want.as_u64(), || format!("{}", answers.len()))
        }
        "bestmove_equals_last_pv" => {
            let answer = last()?;
            let info = info_before(session, answer.line).ok_or("no info line before the answer")?;
            ensure(info.pv.first() == Some(&answer.best), || format!("{} {info:?}", answer.best))
        }
        _ => Err("unknown key".to_owned()),
    }
}

fn check_scores(session: &Session, key: &str, want: &Json) -> Result<(), String> {
    let number = || want.as_i64().ok_or_else(|| "not a number".to_owned());
    match key {
        "mate_min" => {
            last_mate(session).and_then(|n| ensure(Ok(n) >= number(), || format!("mate {n}")))
        }
        "mate_max" => {
            last_mate(session).and_then(|n| ensure(Ok(n) <= number(), || format!("mate {n}")))
        }
        "mate_exact" => {
            last_mate(session).and_then(|n| ensure(Ok(n) == number(), || format!("mate {n}")))
        }
        "cp_min" | "cp_max" => {
            let score = last_scored(session)?.score.map_or(0, Value::centipawns);
            let good = if key == "cp_min" { score >= number()? } else { score <= number()? };
            ensure(good, || format!("final score {score}"))
        }
        "depth_reached" => {
            ensure(!session.answers.is_empty(), || "no bestmove".to_owned())?;
            session.answers.iter().try_for_each(|answer| {
                let info = info_before(session, answer.line).ok_or("no info line")?;
                let proven = matches!(info.score, Some(Value::Mate(_)));
                ensure(proven || i64::from(info.depth) >= number()?, || format!("{info:?}"))
            })
        }
        "multipv_count" => {
            let group = last_complete_depth(session);
            let firsts: BTreeSet<&String> =
                group.iter().filter_map(|info| info.pv.first()).collect();
            ensure(Some(group.len() as u64) == want.as_u64() && firsts.len() == group.len(), || {
                format!("{group:?}")
            })
        }
        "multipv_sorted" => {
            let group = last_complete_depth(session);
            // Nearer mates are worth more; the exact scale does not matter.
            let rank = |info: &Info| match info.score {
                Some(Value::Mate(n)) if n > 0 => 100_000 - n,
                Some(Value::Mate(n)) => -100_000 - n,
                Some(Value::Centipawns(cp)) => cp,
                None => i64::MIN,
            };
            ensure(group.is_sorted_by(|a, b| rank(a) >= rank(b)), || format!("{group:?}"))
        }
        "multipv_mate" => {
            let group = last_complete_depth(session);
            let shown: BTreeMap<&str, Option<Value>> =
                group.iter().map(|info| (info.pv[0].as_str(), info.score)).collect();
            let wanted = want.as_object().ok_or("not an object")?;
            wanted.iter().try_for_each(|(mv, n)| {
                let score = n.as_i64().map(Value::Mate);
                ensure(shown.get(mv.as_str()) == Some(&score), || format!("{mv}: {shown:?}"))
            })
        }
        _ => Err("unknown key".to_owned()),
    }
}

/// Runs the case a second time and compares the node totals.
fn same_nodes_again(case: &Case, session: &mut Session) -> Result<(), String> {
    let total = |session: &Session| {
        let lines = session.lines.iter().map(|line| line.text.to_ascii_lowercase());
        let mut totals = lines.filter(|line| line.contains("nodes searched"));
        let digits = totals.next_back()?.chars().filter(char::is_ascii_digit).collect::<String>();
        digits.parse::<u64>().ok()
    };
    let first = total(session).ok_or("no node total")?;
    // Give up this session's place first: with both places taken a third would wait for ever.
    session.finish();
    session.release();
    let (mut again, _) = play(case);
    let second = total(&again);
    again.finish();
    ensure(second == Some(first), || format!("{first} nodes, then {second:?}"))
}

/// Runs all cases of some kinds, two at a time, and reports all failures together.
fn run_kinds(kinds: &[&str]) {
    let gaps: BTreeSet<&str> = KNOWN_GAPS.iter().map(|&(id, _)| id).collect();
    let wanted: Vec<Case> = cases()
        .into_iter()
        .filter(|case| kinds.contains(&case.kind.as_str()) && !gaps.contains(case.id.as_str()))
        .collect();
    assert!(!wanted.is_empty(), "no cases of kind {kinds:?}");
    let failures = run_all(&wanted);
    let text: Vec<String> =
        failures.iter().map(|(id, faults)| format!("== {id}\n{}", faults.join("\n"))).collect();
    let failed = failures.len();
    assert!(failures.is_empty(), "{failed} of {} failed\n{}", wanted.len(), text.join("\n"));
}

fn run_all(cases: &[Case]) -> BTreeMap<String, Vec<String>> {
    let next = Mutex::new(cases.iter());
    let failures = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let case = next.lock().expect("no panic while locked").next();
                    let Some(case) = case else { break };
                    let faults = run(case);
                    if !faults.is_empty() {
                        failures.lock().expect("no panic").insert(case.id.clone(), faults);
                    }
                }
            });
        }
    });
    failures.into_inner().expect("no panic")
}

#[test]
fn protocol_cases() {
    run_kinds(&["protocol"]);
}

#[test]
fn ucci_cases() {
    run_kinds(&["ucci"]);
}

#[test]
fn cyclone_cases() {
    run_kinds(&["cyclone"]);
}

#[test]
fn fen_cases() {
    run_kinds(&["fen-accept", "fen-reject", "fen-either"]);
}

#[test]
fn perft_and_legality_cases() {
    run_kinds(&["perft", "legality"]);
}

#[test]
fn mate_cases() {
    run_kinds(&["mate"]);
}

#[test]
fn false_mate_and_value_cases() {
    run_kinds(&["no-false-mate", "value"]);
}

#[test]
fn rule_play_cases() {
    run_kinds(&["rule-play"]);
}

/// Every kind is run by some test above or excused by name, and no excuse outlives its reason.
#[test]
fn nothing_is_left_out() {
    let run_here = [
        "protocol",
        "ucci",
        "cyclone",
        "fen-accept",
        "fen-reject",
        "fen-either",
        "perft",
        "legality",
        "mate",
        "no-false-mate",
        "value",
        "rule-play",
    ];
    let all = cases();
    for case in &all {
        let kind = case.kind.as_str();
        assert!(run_here.contains(&kind) || OTHER_KINDS.contains(&kind), "kind {kind} is not run");
    }
    for kind in OTHER_KINDS {
        assert!(all.iter().any(|case| case.kind == kind), "no case of the excused kind {kind}");
    }
    let ids: BTreeSet<&str> = all.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), all.len(), "case ids are not unique");
    for (id, reason) in KNOWN_GAPS {
        assert!(ids.contains(id), "known gap {id} names no case");
        assert!(!reason.is_empty(), "known gap {id} has no reason");
    }
}

/// A gap that has closed must leave the list.
#[test]
fn known_gaps_still_fail() {
    let gaps: BTreeSet<&str> = KNOWN_GAPS.iter().map(|&(id, _)| id).collect();
    let listed: Vec<Case> =
        cases().into_iter().filter(|case| gaps.contains(case.id.as_str())).collect();
    let failures = run_all(&listed);
    let passed: Vec<&str> = gaps.iter().copied().filter(|&id| !failures.contains_key(id)).collect();
    assert!(passed.is_empty(), "these pass now, take them off the list: {passed:?}");
}
