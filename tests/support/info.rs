//! Reads `info` lines of either protocol.

/// A score for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Centipawns, or the plain number of UCCI.
    Centipawns(i64),
    /// Full moves to mate, negative when being mated.
    Mate(i64),
}

impl Value {
    /// One number: a mate is worth 30,000 centipawns.
    pub fn centipawns(self) -> i64 {
        match self {
            Value::Centipawns(cp) => cp,
            Value::Mate(n) if n > 0 => 30_000,
            Value::Mate(_) => -30_000,
        }
    }
}

/// The fields of an `info depth` line.
#[derive(Clone, Debug)]
pub struct Info {
    /// Iteration.
    pub depth: u32,
    /// Place of the line among several, from 1.
    pub multipv: u32,
    /// Its score, when shown.
    pub score: Option<Value>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Principal variation; empty when not shown.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line; `None` when it is not of this kind.
    pub fn parse(line: &str) -> Option<Info> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words.get(..2) != Some(&["info", "depth"]) {
            return None;
        }
        let after = |name: &str| {
            let at = words.iter().position(|&word| word == name)?;
            words.get(at + 1).copied()
        };
        let score = words.iter().position(|&word| word == "score").and_then(|at| {
            let number = |at: usize| words.get(at)?.parse::<i64>().ok();
            match *words.get(at + 1)? {
                "cp" => number(at + 2).map(Value::Centipawns),
                "mate" => number(at + 2).map(Value::Mate),
                _ => number(at + 1).map(Value::Centipawns),
            }
        });
        let pv = words.iter().position(|&word| word == "pv");
        Some(Info {
            depth: words.get(2)?.parse().ok()?,
            multipv: after("multipv").map_or(Some(1), |text| text.parse().ok())?,
            score,
            time: after("time").and_then(|text| text.parse().ok()),
            nodes: after("nodes").and_then(|text| text.parse().ok()),
            pv: pv.map_or(Vec::new(), |at| words[at + 1..].iter().map(|&w| w.to_owned()).collect()),
        })
    }
}
