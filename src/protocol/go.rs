//! The one `go` grammar of both protocols.
//!
//! Tokens come in any order and every token of either protocol is understood in either mode.
//! Numbers may be negative, huge or garbage: they saturate, and a keyword without a number drops.

use std::fmt;

use crate::engine::options::parse_number;

/// What a `go` line asks for, as written. Times are in the unit of the clock option for `time`,
/// `increment`, `opptime` and `oppincrement`, in milliseconds for all others; they may be negative.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Go {
    /// Hold answer and clock until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// No clock; hold the answer until `stop`.
    pub infinite: bool,
    /// Depth limit in plies.
    pub depth: Option<i64>,
    /// Node limit.
    pub nodes: Option<i64>,
    /// Search for a mate in this many moves.
    pub mate: Option<i64>,
    /// Time for this move.
    pub movetime: Option<i64>,
    /// The mover's clock.
    pub time: Option<i64>,
    /// The mover's increment per move.
    pub increment: Option<i64>,
    /// Moves to the next time control, this one included.
    pub movestogo: Option<i64>,
    /// The opponent's clock.
    pub opptime: Option<i64>,
    /// The opponent's increment per move.
    pub oppincrement: Option<i64>,
    /// The opponent's moves to the next time control.
    pub oppmovestogo: Option<i64>,
    /// Red's clock.
    pub wtime: Option<i64>,
    /// Black's clock.
    pub btime: Option<i64>,
    /// Red's increment per move.
    pub winc: Option<i64>,
    /// Black's increment per move.
    pub binc: Option<i64>,
    /// Count leaf nodes to this depth instead of searching.
    pub perft: Option<i64>,
    /// Root moves to consider, as written and possibly illegal; `Some` when at least one token
    /// followed the keyword.
    pub searchmoves: Option<Vec<String>>,
}

/// Keywords that take a number, in the order [`Go`] prints them.
const NUMBERS: [&str; 15] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "time",
    "increment",
    "movestogo",
    "opptime",
    "oppincrement",
    "oppmovestogo",
    "wtime",
    "btime",
    "winc",
    "binc",
    "perft",
];
/// Keywords that stand alone.
const FLAGS: [&str; 3] = ["ponder", "draw", "infinite"];
const SEARCHMOVES: &str = "searchmoves";

fn is_keyword(token: &str) -> bool {
    NUMBERS
        .iter()
        .chain(&FLAGS)
        .chain([&SEARCHMOVES])
        .any(|keyword| token.eq_ignore_ascii_case(keyword))
}

impl Go {
    /// Reads what follows the word `go`.
    pub fn parse(text: &str) -> Go {
        let mut go = Go::default();
        let mut tokens = text.split_ascii_whitespace().peekable();
        while let Some(token) = tokens.next() {
            let word = token.to_ascii_lowercase();
            match word.as_str() {
                "ponder" => go.ponder = true,
                "draw" => go.draw = true,
                // `depth infinite` comes out right too: `depth` finds no number and drops.
                "infinite" => go.infinite = true,
                SEARCHMOVES => {
                    let list = go.searchmoves.get_or_insert_default();
                    while let Some(token) = tokens.next_if(|token| !is_keyword(token)) {
                        list.push(token.to_string());
                    }
                }
                _ => {
                    if let Some(slot) = go.number(&word)
                        && let Some(value) = tokens.peek().and_then(|token| parse_number(token))
                    {
                        *slot = Some(value);
                        tokens.next();
                    }
                }
            }
        }
        go.searchmoves = go.searchmoves.filter(|list| !list.is_empty());
        go
    }

    fn number(&mut self, keyword: &str) -> Option<&mut Option<i64>> {
        Some(match keyword {
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.movetime,
            "time" => &mut self.time,
            "increment" => &mut self.increment,
            "movestogo" => &mut self.movestogo,
            "opptime" => &mut self.opptime,
            "oppincrement" => &mut self.oppincrement,
            "oppmovestogo" => &mut self.oppmovestogo,
            "wtime" => &mut self.wtime,
            "btime" => &mut self.btime,
            "winc" => &mut self.winc,
            "binc" => &mut self.binc,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }
}

impl fmt::Display for Go {
    /// The arguments, each with a blank before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (flag, keyword) in [self.ponder, self.draw, self.infinite].into_iter().zip(FLAGS) {
            if flag {
                write!(f, " {keyword}")?;
            }
        }
        let mut copy = self.clone();
        for keyword in NUMBERS {
            if let Some(&mut Some(value)) = copy.number(keyword) {
                write!(f, " {keyword} {value}")?;
            }
        }
        if let Some(moves) = &self.searchmoves {
            write!(f, " {SEARCHMOVES} {}", moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any `go`, for round trips.
    pub(in crate::protocol) fn any_go() -> impl Strategy<Value = Go> {
        let numbers = prop::collection::vec(prop::option::of(any::<i64>()), NUMBERS.len());
        let moves = prop::option::of(prop::collection::vec("[a-i][0-9][a-i][0-9]", 1..4));
        (any::<[bool; 3]>(), numbers, moves).prop_map(
            |([ponder, draw, infinite], numbers, moves)| {
                let mut go = Go { ponder, draw, infinite, searchmoves: moves, ..Go::default() };
                for (keyword, value) in NUMBERS.into_iter().zip(numbers) {
                    *go.number(keyword).unwrap() = value;
                }
                go
            },
        )
    }

    #[test]
    fn tokens_in_any_order() {
        let go = Go::parse("searchmoves h2e2 0000 WTIME 5 btime -7 ponder depth 3 movetime 99");
        assert_eq!(go.searchmoves.as_deref(), Some(&["h2e2".to_string(), "0000".to_string()][..]));
        assert_eq!(
            (go.wtime, go.btime, go.depth, go.movetime),
            (Some(5), Some(-7), Some(3), Some(99))
        );
        assert!(go.ponder && !go.infinite && !go.draw);
    }

    #[test]
    fn numbers_saturate_and_garbage_drops_its_keyword() {
        assert_eq!(Go::parse("nodes 99999999999999999999").nodes, Some(i64::MAX));
        assert_eq!(Go::parse("time -99999999999999999999").time, Some(i64::MIN));
        for text in
            ["nodes None", "depth abc", "wtime", "movetime 5x", "depth -", "searchmoves", ""]
        {
            assert_eq!(Go::parse(text), Go::default(), "{text}");
        }
        assert_eq!(Go::parse("wtime btime 9"), Go { btime: Some(9), ..Go::default() });
        assert_eq!(Go::parse("depth infinite"), Go { infinite: true, ..Go::default() });
    }
}
