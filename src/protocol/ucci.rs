//! What only UCCI says, and how.

use std::fmt::Write;

use super::mode::Report;
use crate::engine::options::{Kind, REGISTRY, Spec};
use crate::tt::{Bound, Entry};
use crate::types::Score;

/// Ordinary scores stay within ± this.
const SCORE_MAX: i32 = 9000;
/// A mate on the spot; each ply to it takes one off.
const MATE: i32 = 10_000;

/// `id` and `option` lines and `ucciok`.
pub(super) fn banner() -> String {
    let mut text = format!("id name Chuhe {}\nid author the Chuhe developers\n", version());
    for spec in REGISTRY.iter().filter(|spec| spec.in_ucci) {
        text.push_str(&option(spec));
        text.push('\n');
    }
    text + "ucciok"
}

/// The version this was built as.
pub(super) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

fn option(spec: &Spec) -> String {
    let kind = match spec.kind {
        Kind::Button => "button".to_string(),
        Kind::File => format!("string default {}", spec.file_default()),
        Kind::Check(on) => format!("check default {on}"),
        Kind::Spin { default, min, max } => format!("spin min {min} max {max} default {default}"),
        Kind::Combo { default, choices } => {
            let mut text = "combo".to_string();
            for choice in choices {
                // Writing to a string cannot fail.
                let _ = write!(text, " var {}", choice.name.to_ascii_lowercase());
            }
            let chosen = choices.get(default).map_or("", |choice| choice.name);
            format!("{text} default {}", chosen.to_ascii_lowercase())
        }
    };
    format!("option {} type {kind}", spec.ucci_name)
}

/// A score as one number: a win in `p` plies is `10000 - p`, everything unproven stays below.
pub(super) fn score(score: Score) -> i32 {
    match score.mate_plies() {
        Some(plies) if score.is_win() => MATE - plies,
        Some(plies) => plies - MATE,
        None => score.value().clamp(-SCORE_MAX, SCORE_MAX),
    }
}

/// An `info` line without its principal variation.
pub(super) fn info(report: &Report, several: bool) -> String {
    let Report { depth, multipv, nodes, millis, .. } = report;
    let mut line = format!(
        "info depth {depth} score {} time {millis} nodes {nodes} nps {}",
        score(report.score),
        report.nps()
    );
    if several {
        let _ = write!(line, " multipv {multipv}");
    }
    line
}

/// The answer to `probe`: an entry with its score as it is shown; `mv` is its move as text, if it is
/// legal there.
pub(super) fn pophash(known: Option<(Entry, Score)>, mv: Option<String>) -> String {
    let mut line = "pophash".to_string();
    let Some((entry, shown)) = known else { return line };
    if let Some(mv) = mv {
        let _ = write!(line, " bestmove {mv}");
    }
    let value = score(shown);
    let depth = entry.depth.max(0);
    if matches!(entry.bound, Bound::Lower | Bound::Exact) {
        let _ = write!(line, " lowerbound {value} depth {depth}");
    }
    if matches!(entry.bound, Bound::Upper | Bound::Exact) {
        let _ = write!(line, " upperbound {value} depth {depth}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    #[test]
    fn scores_are_one_number() {
        for (given, want) in [
            (Score::new(32), 32),
            (Score::new(-20_000), -9000),
            (Score::rule_win_in(3), 9000),
            (Score::mate_in(7), 9993),
            (Score::mated_in(4), -9996),
        ] {
            assert_eq!(score(given), want);
        }
    }

    #[test]
    fn banner_obeys_the_readers() {
        let text = banner();
        assert!(text.contains("\noption usemillisec type check default true\n"));
        assert!(text.contains("\noption hashsize type spin min 0 max "));
        assert!(text.contains("\noption newgame type button\n"));
        assert!(text.ends_with("\nucciok"));
        for line in text.lines().filter(|line| line.starts_with("option")) {
            assert!(!line.starts_with("option name "), "{line}");
            let line = line.to_ascii_lowercase();
            for word in ["draw", "resign", "bestmove", "bye", "win", "nps"] {
                assert!(!line.contains(word), "{line} contains {word}");
            }
            for (index, field) in line.split(' ').enumerate() {
                let reserved = ["name", "type", "default", "min", "max", "var"].contains(&field);
                assert!(index != 1 || !reserved, "{line}");
            }
        }
    }

    #[test]
    fn entries_of_the_hash_table() {
        let mv: Move = "h2e2".parse().unwrap();
        let entry = |bound| {
            let entry = Entry { mv: Some(mv), score: 70, eval: 0, depth: 7, bound, pv: false };
            Some((entry, Score::new(35)))
        };
        let shown = || Some("h2e2".to_string());
        assert_eq!(pophash(None, None), "pophash");
        assert_eq!(
            pophash(entry(Bound::Exact), shown()),
            "pophash bestmove h2e2 lowerbound 35 depth 7 upperbound 35 depth 7"
        );
        assert_eq!(pophash(entry(Bound::Upper), None), "pophash upperbound 35 depth 7");
        assert_eq!(pophash(entry(Bound::None), shown()), "pophash bestmove h2e2");
    }
}
