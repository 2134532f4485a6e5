//! What is said to engines and what they answer, as text. No process, no clock.

use std::fmt::Write as _;
use std::time::Duration;

use super::spec::Protocol;
use crate::protocol::coordinates::{Coordinates, MoveToken};
use crate::rules::Game;
use crate::types::{Color, Move};

/// How one engine wants to be spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dialect {
    /// Its language.
    pub protocol: Protocol,
    /// How it numbers ranks.
    pub coordinates: Coordinates,
    /// Whether UCCI clocks are in milliseconds; UCI clocks always are.
    pub milliseconds: bool,
}

/// One side's clock as told to an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockView {
    /// What is left.
    pub left: Duration,
    /// Gain with every move.
    pub increment: Duration,
    /// Moves to the next control, this one included.
    pub moves_to_go: Option<u32>,
}

/// What a search may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// The mover's clock.
    pub own: Option<ClockView>,
    /// The other clock.
    pub other: Option<ClockView>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Node limit.
    pub nodes: Option<u64>,
    /// Depth limit.
    pub depth: Option<u32>,
}

impl Dialect {
    /// `position …`. UCCI engines get the position after the last capture and the quiet moves since
    /// it, as their protocol has it; UCI engines the whole game.
    pub fn position(&self, game: &Game) -> String {
        let from = match self.protocol {
            Protocol::Uci => 0,
            Protocol::Ucci => (0..game.moves().len())
                .rev()
                .find(|&i| game.positions()[i].captured(game.moves()[i]).is_some())
                .map_or(0, |i| i + 1),
        };
        let mut text = format!("position fen {}", game.positions()[from].fen());
        if from < game.moves().len() {
            text.push_str(" moves");
            for &mv in &game.moves()[from..] {
                let _ = write!(text, " {}", self.coordinates.show(mv));
            }
        }
        text
    }

    /// `banmoves …`; `None` when there is nothing to ban or the language has no word for it.
    pub fn ban(&self, moves: &[Move]) -> Option<String> {
        if moves.is_empty() || self.protocol == Protocol::Uci {
            return None;
        }
        let moves = moves.iter().map(|&mv| self.coordinates.show(mv).to_string());
        Some(format!("banmoves {}", moves.collect::<Vec<_>>().join(" ")))
    }

    /// `go …` for `side`. `draw`: the opponent offers a draw, which only UCCI can tell.
    pub fn go(&self, side: Color, budget: &Budget, draw: bool) -> String {
        let mut text = String::from("go");
        match self.protocol {
            Protocol::Ucci => {
                if draw {
                    text.push_str(" draw");
                }
                self.ucci_limits(&mut text, budget);
            }
            Protocol::Uci => uci_limits(&mut text, side, budget),
        }
        if let Some(nodes) = budget.nodes {
            let _ = write!(text, " nodes {nodes}");
        }
        if let Some(depth) = budget.depth {
            let _ = write!(text, " depth {depth}");
        }
        text
    }

    fn ucci_limits(&self, text: &mut String, budget: &Budget) {
        // An engine that counts in seconds must never be told more than it has.
        let unit = |time: Duration| {
            if self.milliseconds { time.as_millis() } else { u128::from(time.as_secs()) }
        };
        if let Some(time) = budget.move_time {
            let _ = write!(text, " time {} movestogo 1", unit(time));
        }
        for (clock, prefix) in [(budget.own, ""), (budget.other, "opp")] {
            let Some(clock) = clock else { continue };
            let _ = write!(text, " {prefix}time {}", unit(clock.left));
            let increment = unit(clock.increment);
            // The language allows one of the two words; both only where both mean something.
            if let Some(moves) = clock.moves_to_go {
                let _ = write!(text, " {prefix}movestogo {moves}");
            }
            if clock.moves_to_go.is_none() || increment > 0 {
                let _ = write!(text, " {prefix}increment {increment}");
            }
        }
    }

    /// A line that sets an option.
    pub fn set_option(&self, name: &str, value: &str) -> String {
        match (self.protocol, value) {
            (Protocol::Ucci, "") => format!("setoption {name}"),
            (Protocol::Ucci, _) => format!("setoption {name} {value}"),
            (Protocol::Uci, "") => format!("setoption name {name}"),
            (Protocol::Uci, _) => format!("setoption name {name} value {value}"),
        }
    }

    /// Reads an engine's line.
    pub fn read(&self, line: &str) -> Reply {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("bestmove") => self.read_best(words),
            Some("nobestmove") => Reply::NoMove,
            Some("info") => Report::read(words).map_or(Reply::Other, Reply::Report),
            _ => Reply::Other,
        }
    }

    fn read_best<'a>(&self, mut words: impl Iterator<Item = &'a str>) -> Reply {
        let Some(text) = words.next() else { return Reply::NoMove };
        if matches!(text, "(none)" | "null" | "0000" | "none" | "NULL") {
            return Reply::NoMove;
        }
        let mv = MoveToken::parse(text).and_then(|token| token.read(self.coordinates));
        let (mut draw, mut resign) = (false, false);
        for word in words {
            draw |= word == "draw";
            resign |= word == "resign";
        }
        let text = text.chars().filter(|c| !c.is_control()).take(12).collect();
        Reply::Best { mv, text, draw, resign }
    }
}

fn uci_limits(text: &mut String, side: Color, budget: &Budget) {
    if let Some(time) = budget.move_time {
        let _ = write!(text, " movetime {}", time.as_millis());
    }
    let (red, black) = match side {
        Color::Red => (budget.own, budget.other),
        Color::Black => (budget.other, budget.own),
    };
    for (clock, letter) in [(red, 'w'), (black, 'b')] {
        if let Some(clock) = clock {
            let _ = write!(text, " {letter}time {}", clock.left.as_millis());
        }
    }
    for (clock, letter) in [(red, 'w'), (black, 'b')] {
        if let Some(clock) = clock {
            let _ = write!(text, " {letter}inc {}", clock.increment.as_millis());
        }
    }
    if let Some(moves) = budget.own.and_then(|clock| clock.moves_to_go) {
        let _ = write!(text, " movestogo {moves}");
    }
}

/// What a line of an engine says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The answer.
    Best {
        /// The move; `None` when the text is none in the engine's numbering.
        mv: Option<Move>,
        /// The text of the move, cut.
        text: String,
        /// It offers or accepts a draw.
        draw: bool,
        /// It gives up.
        resign: bool,
    },
    /// The answer that there is no move.
    NoMove,
    /// A line about the search.
    Report(Report),
    /// Anything else.
    Other,
}

/// What an `info` line tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Iteration.
    pub depth: Option<u32>,
    /// From the engine's side, in hundredths of a pawn as the engine counts them; a mate in `n`
    /// moves is `MATE - n`. Bounds and lines behind the first are left out.
    pub score: Option<i32>,
    /// Nodes so far.
    pub nodes: Option<u64>,
}

/// Above every ordinary score.
pub const MATE: i32 = 30_000;

/// Scores from here on are mates.
pub const MATE_RANGE: i32 = MATE - 1_000;

/// A UCCI engine without a word for mate counts down from 10000; from here it has found one.
const UCCI_MATE: i32 = 9_800;

impl Report {
    /// Reads the words after `info`; `None` when they tell nothing.
    fn read<'a>(words: impl Iterator<Item = &'a str>) -> Option<Report> {
        let mut words = words.peekable();
        let mut report = Report::default();
        let (mut first, mut exact) = (true, true);
        while let Some(word) = words.next() {
            match word {
                "depth" => report.depth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => report.nodes = words.next().and_then(|word| word.parse().ok()),
                "multipv" => first = words.next() == Some("1"),
                "lowerbound" | "upperbound" => exact = false,
                "score" => {
                    let kind = words.next_if(|word| matches!(*word, "cp" | "mate"));
                    let number = words.peek().and_then(|word| word.parse::<i32>().ok());
                    report.score = number.map(|number| score(kind, number));
                }
                // Moves and free text follow to the end of the line.
                "pv" | "string" | "message" => break,
                _ => {}
            }
        }
        if !(first && exact) {
            report.score = None;
        }
        (report != Report::default()).then_some(report)
    }
}

fn score(kind: Option<&str>, number: i32) -> i32 {
    let limit = MATE_RANGE - 1;
    match kind {
        Some("mate") => {
            // `mate 0` is said by a side that has been mated.
            let distance = number.unsigned_abs().min(999) as i32;
            if number > 0 { MATE - distance } else { distance - MATE }
        }
        None if number.abs() >= UCCI_MATE && number.abs() <= 10_000 => {
            let plies = 10_000 - number.abs();
            number.signum() * (MATE - (plies + 1) / 2)
        }
        _ => number.clamp(-limit, limit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use proptest::prelude::*;

    fn dialect(protocol: Protocol) -> Dialect {
        Dialect { protocol, coordinates: Coordinates::ZeroBased, milliseconds: true }
    }

    #[test]
    fn positions_as_the_specification_has_them() {
        // The five lines of the UCCI specification's example, but for its move number.
        let mut game = Game::new(Position::startpos());
        for mv in ["h2e2", "h7e7", "e2e6", "d9e8"] {
            assert!(game.play(mv.parse().unwrap()));
        }
        let ucci = dialect(Protocol::Ucci);
        assert_eq!(
            ucci.position(&game),
            "position fen rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2 moves d9e8"
        );
        let one = Dialect { coordinates: Coordinates::OneBased, ..dialect(Protocol::Uci) };
        let start = Position::START_FEN;
        assert_eq!(one.position(&game), format!("position fen {start} moves h3e3 h8e8 e3e7 d10e9"));
        assert_eq!(
            ucci.position(&Game::new(Position::startpos())),
            format!("position fen {start}")
        );
    }

    #[test]
    fn clocks() {
        let clock = |left, increment, moves_to_go| {
            let (left, increment) = (Duration::from_millis(left), Duration::from_millis(increment));
            Some(ClockView { left, increment, moves_to_go })
        };
        let ucci = dialect(Protocol::Ucci);
        let seconds = Dialect { milliseconds: false, ..ucci };
        let uci = dialect(Protocol::Uci);
        let fischer = Budget {
            own: clock(60_900, 1_000, None),
            other: clock(59_000, 500, None),
            ..Budget::default()
        };
        let go = |dialect: Dialect, budget: &Budget| dialect.go(Color::Black, budget, false);
        assert_eq!(
            go(ucci, &fischer),
            "go time 60900 increment 1000 opptime 59000 oppincrement 500"
        );
        assert_eq!(go(seconds, &fischer), "go time 60 increment 1 opptime 59 oppincrement 0");
        assert_eq!(go(uci, &fischer), "go wtime 59000 btime 60900 winc 500 binc 1000");
        let tournament = Budget { own: clock(1_000, 0, Some(7)), ..Budget::default() };
        assert_eq!(go(ucci, &tournament), "go time 1000 movestogo 7");
        assert_eq!(go(uci, &tournament), "go btime 1000 binc 0 movestogo 7");
        let fixed = Budget {
            move_time: Some(Duration::from_millis(250)),
            depth: Some(9),
            nodes: Some(5),
            ..Budget::default()
        };
        assert_eq!(
            ucci.go(Color::Red, &fixed, true),
            "go draw time 250 movestogo 1 nodes 5 depth 9"
        );
        assert_eq!(uci.go(Color::Red, &fixed, true), "go movetime 250 nodes 5 depth 9");
    }

    #[test]
    fn answers() {
        let ucci = dialect(Protocol::Ucci);
        let best = |line| match ucci.read(line) {
            Reply::Best { mv, text, draw, resign } => {
                (mv.map(|mv| mv.to_string()), text, draw, resign)
            }
            other => panic!("{line}: {other:?}"),
        };
        let h2e2 = Some("h2e2".to_string());
        assert_eq!(best("bestmove h2e2 ponder h9g7"), (h2e2.clone(), "h2e2".into(), false, false));
        assert_eq!(best("bestmove  H2-E2\tdraw"), (h2e2.clone(), "H2-E2".into(), true, false));
        assert!(best("bestmove h2e2 resign").3);
        assert_eq!(best("bestmove e2e4x").0, None);
        let long = best(&format!("bestmove {}", "\u{70ae}".repeat(99)));
        assert_eq!((long.0, long.1.chars().count()), (None, 12));
        for line in ["nobestmove", "bestmove (none)", "bestmove null", "bestmove"] {
            assert_eq!(ucci.read(line), Reply::NoMove, "{line}");
        }
        for line in ["", "info", "bestmoves h2e2", "readyok", "info string depth 5 score cp 3"] {
            assert_eq!(ucci.read(line), Reply::Other, "{line}");
        }
        let one = Dialect { coordinates: Coordinates::OneBased, ..ucci };
        let Reply::Best { mv, .. } = one.read("bestmove h10g8") else { panic!() };
        assert_eq!(mv, "h9g7".parse().ok());
    }

    #[test]
    fn scores() {
        let ucci = dialect(Protocol::Ucci);
        for (line, expected) in [
            ("info depth 14 score 32 time 8 nodes 10 pv h2e2", Some(32)),
            ("info depth 14 score cp -32 nodes 10", Some(-32)),
            ("info depth 4 score 9995 nodes 1", Some(MATE - 3)),
            ("info depth 4 score -9998 nodes 1", Some(1 - MATE)),
            ("info depth 4 score mate 3", Some(MATE - 3)),
            ("info depth 4 score mate -2", Some(2 - MATE)),
            ("info depth 4 score mate 0", Some(-MATE)),
            ("info depth 4 score cp 99999999", Some(MATE_RANGE - 1)),
            ("info depth 4 multipv 2 score cp 5", None),
            ("info depth 4 score cp 5 upperbound nodes 3", None),
            ("info depth 4 score none", None),
        ] {
            let Reply::Report(report) = ucci.read(line) else { panic!("{line}") };
            assert_eq!(report.score, expected, "{line}");
        }
        let Reply::Report(report) = ucci.read("info nodes 7 depth 3 pv depth 9") else { panic!() };
        assert_eq!(report, Report { depth: Some(3), score: None, nodes: Some(7) });
    }

    proptest! {
        #[test]
        fn no_line_does_harm(
            words in prop::collection::vec("info|bestmove|score|cp|mate|depth|nodes|-?[0-9]{1,12}|pv|[a-i][0-9][a-i][0-9]|\\PC{0,5}", 0..12),
        ) {
            let line = words.join(" ");
            for protocol in [Protocol::Ucci, Protocol::Uci] {
                if let Reply::Report(Report { score: Some(score), .. }) = dialect(protocol).read(&line) {
                    prop_assert!(score.abs() <= MATE);
                }
            }
        }
    }
}
