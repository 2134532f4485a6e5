//! What only UCI says, and how.

use std::fmt::Write;

use super::mode::Report;
use super::ucci::version;
use crate::engine::options::{Kind, Spec, all};
use crate::types::Score;

/// `id` and `option` lines and `uciok`.
pub(super) fn banner() -> String {
    let mut text = format!("id name Chuhe {}\nid author the Chuhe developers\n", version());
    for spec in all().filter(|spec| spec.in_uci) {
        text.push_str(&option(spec));
        text.push('\n');
    }
    text + "uciok"
}

fn option(spec: &Spec) -> String {
    let kind = match spec.kind {
        Kind::Button => "button".to_string(),
        Kind::File => format!("string default {}", spec.file_default()),
        Kind::Check(on) => format!("check default {on}"),
        Kind::Spin { default, min, max } => format!("spin default {default} min {min} max {max}"),
        Kind::Combo { default, choices } => {
            let chosen = choices.get(default).map_or("", |choice| choice.name);
            let mut text = format!("combo default {chosen}");
            for choice in choices {
                // Writing to a string cannot fail.
                let _ = write!(text, " var {}", choice.name);
            }
            text
        }
    };
    format!("option name {} type {kind}", spec.name)
}

/// `cp <centipawns>` or `mate <moves>`: positive when the side to move mates.
pub(super) fn score(score: Score) -> String {
    match score.mate_plies() {
        Some(plies) if score.is_win() => format!("mate {}", (plies + 1) / 2),
        Some(plies) => format!("mate {}", -(plies / 2)),
        None => format!("cp {}", score.shown()),
    }
}

/// An `info` line without its principal variation. The order of the fields is Pikafish's, which
/// clients have grown used to.
pub(super) fn info(report: &Report) -> String {
    let Report { depth, seldepth, multipv, nodes, millis, hashfull, .. } = report;
    let chances = match report.wdl {
        Some([win, draw, loss]) => format!(" wdl {win} {draw} {loss}"),
        None => String::new(),
    };
    format!(
        "info depth {depth} seldepth {seldepth} multipv {multipv} score {}{chances} nodes {nodes} \
         nps {} hashfull {hashfull} tbhits 0 time {millis}",
        score(report.score),
        report.nps()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_in_centipawns_or_moves() {
        for (given, want) in [
            (Score::new(-32), "cp -32"),
            (Score::rule_win_in(1), "cp 30999"),
            (Score::verdict_in(1), "cp 30999"),
            (Score::mate_in(1), "mate 1"),
            (Score::mate_in(4), "mate 2"),
            (Score::mated_in(4), "mate -2"),
            (Score::mated_in(0), "mate 0"),
        ] {
            assert_eq!(score(given), want);
        }
    }

    #[test]
    fn banner_obeys_the_readers() {
        let text = banner();
        for start in ["Threads type spin default 1 min", "Hash type spin default 16 min", "MultiPV"]
        {
            assert!(text.contains(&format!("\noption name {start}")), "{start}");
        }
        assert!(text.ends_with("\nuciok"));
        for line in text.lines().filter(|line| line.starts_with("option")) {
            let fields: Vec<&str> = line.split(' ').collect();
            let of = |word: &str| -> Vec<&str> {
                fields.windows(2).filter(|pair| pair[0] == word).map(|pair| pair[1]).collect()
            };
            let (name, kind) = line.split_once(" type ").unwrap();
            let name = name.strip_prefix("option name ").unwrap();
            for word in ["name", "type", "default", "min", "max", "var"] {
                assert!(!name.split(' ').any(|part| part == word), "{line}");
            }
            match kind.split(' ').next().unwrap() {
                "combo" => assert!(of("var").contains(&of("default")[0]), "{line}"),
                "spin" => {
                    let number = |word: &str| of(word)[0].parse::<i64>().unwrap();
                    assert!((number("min")..=number("max")).contains(&number("default")), "{line}");
                }
                "check" => assert!(["true", "false"].contains(&of("default")[0]), "{line}"),
                "string" => assert!(!of("default")[0].is_empty(), "{line}"),
                other => assert_eq!(other, "button", "{line}"),
            }
        }
    }
}
