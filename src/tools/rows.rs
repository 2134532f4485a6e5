//! Search results as people and scripts read them: rows of a table, and JSON objects.
//!
//! All functions are pure; whoever calls them owns the stream.

use std::time::Duration;

use serde::Serialize;

use crate::notation::{self, Notation};
use crate::position::Position;
use crate::search::Info;
use crate::types::{Move, Score};

/// A score for people, from the side to move: `+0.32` in pawns, `+M5` and `-M5` for a mate in so
/// many moves of the side that gives it, `rule win` and `rule loss` where a repetition rule decides.
pub fn score_text(score: Score) -> String {
    if let Some(moves) = mate_moves(score) {
        let sign = if score.value() > 0 { '+' } else { '-' };
        return format!("{sign}M{}", moves.abs());
    }
    if score.is_rule() {
        return if score.value() > 0 { "rule win" } else { "rule loss" }.to_string();
    }
    let sign = if score.value() < 0 { '-' } else { '+' };
    let centipawns = score.value().abs();
    format!("{sign}{}.{:02}", centipawns / 100, centipawns % 100)
}

/// Moves to the mate of a mate score, negative when the side to move is mated.
fn mate_moves(score: Score) -> Option<i32> {
    score.mate_plies().map(|plies| (plies + 1) / 2 * score.value().signum())
}

/// Nodes a second; 0 while no time has passed that could be measured.
pub fn speed(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros();
    (u128::from(nodes) * 1_000_000).checked_div(micros).unwrap_or(0) as u64
}

/// The heading over [`row`]; a column for the rank of a line only where there are `several`.
pub fn heading(several: bool) -> String {
    let rank = if several { "   line" } else { "" };
    format!("depth{rank}     score         nodes        nps      time  moves")
}

/// One completed depth of one line; `line` is what [`notation::write_line`] makes of its moves.
pub fn row(info: &Info<'_>, line: &str, several: bool) -> String {
    let rank = if several { format!("{:>7}", info.multipv) } else { String::new() };
    format!(
        "{:>5}{rank} {:>9} {:>13} {:>10} {:>9}  {line}",
        info.depth,
        score_text(info.score),
        info.nodes,
        speed(info.nodes, info.time),
        seconds(info.time),
    )
}

/// Seconds with two decimals, cut and not rounded: a clock shows what has passed.
fn seconds(time: Duration) -> String {
    format!("{}.{:02}", time.as_secs(), time.subsec_millis() / 10)
}

/// A score in JSON: `{"cp": 32}` or `{"mate": -3}`; a verdict by rule is a large `cp` with the word
/// beside it, `{"cp": 30000, "rule": "win"}`.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoreRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

impl From<Score> for ScoreRecord {
    fn from(score: Score) -> ScoreRecord {
        let mate = mate_moves(score);
        let limit = Score::EVAL_MAX.value();
        let rule = score.is_rule().then_some(if score.value() > 0 { "win" } else { "loss" });
        let cp = mate.is_none().then_some(score.value().clamp(-limit, limit));
        ScoreRecord { cp, mate, rule }
    }
}

/// One completed depth of one line in JSON. `time_ms` and `nodes` count from the start of the search,
/// `hashfull` is in per mille.
#[derive(Serialize, Debug)]
pub struct LineRecord {
    depth: u32,
    seldepth: u32,
    multipv: usize,
    score: ScoreRecord,
    nodes: u64,
    nps: u64,
    time_ms: u64,
    hashfull: u32,
    pv: Vec<String>,
    pv_notation: String,
}

impl LineRecord {
    /// The record of a line that starts at `pos`.
    pub fn new(info: &Info<'_>, pos: &Position, notation: Notation) -> LineRecord {
        LineRecord {
            depth: info.depth,
            seldepth: info.seldepth,
            multipv: info.multipv,
            score: info.score.into(),
            nodes: info.nodes,
            nps: speed(info.nodes, info.time),
            time_ms: milliseconds(info.time),
            hashfull: info.hashfull,
            pv: wire(info.pv),
            pv_notation: notation::write_line(pos, info.pv, notation),
        }
    }
}

/// The result of a search in JSON. `bestmove` is null where the side to move has no move, `result`
/// is there only then and says in words how the game has ended.
#[derive(Serialize, Debug)]
pub struct FinalRecord {
    /// The position searched.
    pub fen: String,
    /// The move to play, in the wire form.
    pub bestmove: Option<String>,
    /// The answer expected, in the wire form.
    pub ponder: Option<String>,
    /// From the side to move.
    pub score: ScoreRecord,
    /// Last completed depth.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Wall-clock time of the search.
    pub time_ms: u64,
    /// The best line in the wire form.
    pub pv: Vec<String>,
    /// The best line in the notation asked for.
    pub pv_notation: String,
    /// How the game has ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
}

impl FinalRecord {
    /// The record of a search of `pos` that found `pv`.
    pub fn found(
        pos: &Position,
        pv: &[Move],
        score: Score,
        depth: u32,
        nodes: u64,
        time: Duration,
        notation: Notation,
    ) -> FinalRecord {
        let moves = wire(pv);
        FinalRecord {
            fen: pos.fen(),
            bestmove: moves.first().cloned(),
            ponder: moves.get(1).cloned(),
            score: score.into(),
            depth,
            nodes,
            time_ms: milliseconds(time),
            pv: moves,
            pv_notation: notation::write_line(pos, pv, notation),
            result: None,
        }
    }

    /// The record of a position without a legal move; `result` says so in words.
    pub fn ended(pos: &Position, result: String) -> FinalRecord {
        let lost = Score::mated_in(0);
        let record = FinalRecord::found(pos, &[], lost, 0, 0, Duration::ZERO, Notation::default());
        FinalRecord { result: Some(result), ..record }
    }
}

fn wire(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn info(pv: &[Move]) -> Info<'_> {
        Info {
            depth: 12,
            seldepth: 19,
            multipv: 2,
            score: Score::new(-7),
            nodes: 1_034_921,
            time: Duration::from_micros(812_499),
            hashfull: 31,
            pv,
        }
    }

    #[test]
    fn scores_for_people() {
        for (score, text) in [
            (Score::new(32), "+0.32"),
            (Score::new(-5), "-0.05"),
            (Score::new(0), "+0.00"),
            (Score::new(-1234), "-12.34"),
            (Score::EVAL_MAX, "+300.00"),
            (Score::mate_in(1), "+M1"),
            (Score::mate_in(9), "+M5"),
            (Score::mated_in(10), "-M5"),
            (Score::mated_in(0), "-M0"),
            (Score::rule_win_in(4), "rule win"),
            (Score::rule_loss_in(5), "rule loss"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }

    #[test]
    fn columns_stand_under_their_headings() {
        let start = Position::startpos();
        let pv = ["h2e2", "h9g7"].map(|text| text.parse().unwrap());
        let line = notation::write_line(&start, &pv, Notation::Chinese);
        for several in [false, true] {
            let (heading, row) = (heading(several), row(&info(&pv), &line, several));
            assert!(row.ends_with("  炮二平五 马８进７"), "{row}");
            assert_eq!(heading.find("moves"), row.find('炮'), "{heading}\n{row}");
            for (word, value) in
                [("depth", "12"), ("score", "-0.07"), ("nodes", "1034921"), ("time", "0.81")]
            {
                let end = |text: &str, word: &str| text.find(word).unwrap() + word.len();
                assert_eq!(end(&heading, word), end(&row, value), "{heading}\n{row}");
            }
            assert_eq!(row.contains(" 2 "), several);
        }
        assert_eq!(speed(1_000, Duration::from_millis(500)), 2_000);
        assert_eq!(speed(1_000, Duration::ZERO), 0);
    }

    #[test]
    fn json_records() {
        let start = Position::startpos();
        let pv: Vec<Move> = ["h2e2", "h9g7"].map(|text| text.parse().unwrap()).to_vec();
        let line = LineRecord::new(&info(&pv), &start, Notation::Wxf);
        assert_eq!(
            serde_json::to_value(&line).unwrap(),
            json!({
                "depth": 12, "seldepth": 19, "multipv": 2, "score": {"cp": -7}, "nodes": 1_034_921,
                "nps": 1_273_750, "time_ms": 812, "hashfull": 31, "pv": ["h2e2", "h9g7"],
                "pv_notation": "C2.5 N8+7",
            })
        );
        let time = Duration::from_millis(5);
        let found =
            FinalRecord::found(&start, &pv[..1], Score::mate_in(5), 9, 100, time, Notation::Iccs);
        assert_eq!(
            serde_json::to_value(&found).unwrap(),
            json!({
                "fen": Position::START_FEN, "bestmove": "h2e2", "ponder": null, "score": {"mate": 3},
                "depth": 9, "nodes": 100, "time_ms": 5, "pv": ["h2e2"], "pv_notation": "H2-E2",
            })
        );
        let ended = FinalRecord::ended(&start, "Red is checkmated".to_string());
        let ended = serde_json::to_value(&ended).unwrap();
        assert_eq!(ended["bestmove"], Value::Null);
        assert_eq!(ended["score"], json!({"mate": 0}));
        assert_eq!(ended["result"], "Red is checkmated");
        let rule = serde_json::to_value(ScoreRecord::from(Score::rule_loss_in(3))).unwrap();
        assert_eq!(rule, json!({"cp": -30_000, "rule": "loss"}));
    }
}
