//! From what a search finds to lines a client can keep up with.
//!
//! Clients freeze on floods: positions with a quick mate run through all depths in no time. A line
//! that is held back is kept, so that the last one before the answer is always printed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::coordinates::Coordinates;
use super::mode::{Mode, Report};
use super::output::Output;
use crate::engine::BookAnswer;
use crate::eval::Calibration;
use crate::search::{Info, InfoSink};
use crate::types::{Move, Score};

/// After this many milliseconds depths are reported at most every [`INTERVAL`] milliseconds.
const FREE: u64 = 1000;
/// 20 reports a second.
const INTERVAL: u64 = 50;
/// Time between two lines about the move being searched.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(100);
/// From this depth on, or with a decided game, lines that say nothing new are held back.
const RACING_DEPTH: u32 = 30;

/// Larger weights of book moves are cut: no client is to take one for a mate.
const WEIGHT_MAX: i32 = 9000;

/// How scores are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scores {
    /// What the scores of the search mean.
    pub(super) calibration: Calibration,
    /// Whether to show chances.
    pub(super) wdl: bool,
}

/// Prints the reports of one search, whose scores are as the search knows them.
pub(super) struct Reporter {
    output: Arc<Output>,
    mode: Mode,
    coordinates: Coordinates,
    several: bool,
    scores: Scores,
    /// Whether lines of the present depth are printed or held back.
    open: bool,
    held: Vec<Report>,
    /// The best line as printed last.
    printed: Option<Report>,
    millis: u64,
    nodes: u64,
    current_move_at: Option<Instant>,
    /// Prints nothing.
    muted: bool,
    began: Instant,
    depth: u32,
    current: Option<(Move, usize)>,
    /// Root moves there are.
    root_moves: usize,
}

impl Reporter {
    /// A reporter for one search; `several` when it reports more than one line for each depth.
    pub(super) fn new(
        output: Arc<Output>,
        mode: Mode,
        coordinates: Coordinates,
        several: bool,
        scores: Scores,
    ) -> Reporter {
        Reporter {
            output,
            mode,
            coordinates,
            several,
            scores,
            open: true,
            held: Vec::new(),
            printed: None,
            millis: 0,
            nodes: 0,
            current_move_at: None,
            muted: false,
            began: Instant::now(),
            depth: 0,
            current: None,
            root_moves: 0,
        }
    }

    /// For XBoard: prints nothing when `muted`, and tells how many of `root_moves` are left.
    pub(super) fn for_xboard(mut self, muted: bool, root_moves: usize) -> Reporter {
        self.muted = muted;
        self.root_moves = root_moves;
        self
    }

    /// How far the search is, in the words of the XBoard protocol.
    pub(super) fn print_status(&self) {
        let millis = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let current = self.current.map(|(mv, _)| self.coordinates.show(mv).to_string());
        let number = self.current.map_or(0, |(_, number)| number);
        let root = (number, self.root_moves);
        self.output.print(&super::xboard::status(millis, self.nodes, self.depth, root, current));
    }

    /// Takes one line of a depth; lines of a depth come together and in order.
    pub(super) fn report(&mut self, mut report: Report) {
        // Neither may ever fall within a search, whatever threads and clocks do.
        self.millis = self.millis.max(report.millis);
        self.nodes = self.nodes.max(report.nodes);
        (report.millis, report.nodes) = (self.millis, self.nodes);
        self.depth = report.depth;
        if report.multipv == 1 {
            self.held.clear();
            self.open = self.is_news(&report);
        }
        if self.open {
            self.print(report);
        } else {
            self.held.push(report);
        }
    }

    fn is_news(&self, report: &Report) -> bool {
        let Some(last) = &self.printed else { return true };
        let waited = report.millis - last.millis;
        if report.millis >= FREE && waited < INTERVAL {
            return false;
        }
        // Other lines may still get better when the first is decided.
        let decided = report.score.is_decisive() && !self.several;
        let racing = decided || report.depth > RACING_DEPTH;
        let same = report.score == last.score && report.pv.first() == last.pv.first();
        !(racing && same) || waited >= FREE
    }

    fn print(&mut self, report: Report) {
        let Scores { calibration, wdl } = self.scores;
        let shown = Report {
            score: calibration.shown(report.score),
            wdl: wdl.then(|| calibration.wdl(report.score)),
            ..report.clone()
        };
        if !self.muted {
            self.output.print(&self.mode.info(&shown, self.several, self.coordinates));
        }
        if report.multipv == 1 {
            self.printed = Some(report);
        }
    }

    /// Prints what was held back and, unless the last line for the best move already says so, a line
    /// with the answer.
    pub(super) fn finish(&mut self, answer: Report) {
        for report in std::mem::take(&mut self.held) {
            self.print(report);
        }
        let shown = |printed: &Report| {
            printed.pv.first() == answer.pv.first()
                && answer.pv.get(1).is_none_or(|reply| printed.pv.get(1) == Some(reply))
        };
        if !self.printed.as_ref().is_some_and(shown) {
            self.open = true;
            let (millis, nodes) = (self.millis.max(answer.millis), self.nodes.max(answer.nodes));
            self.print(Report { millis, nodes, multipv: 1, depth: answer.depth.max(1), ..answer });
        }
    }

    /// Prints the moves of an opening book, the one that is played last: clients take the last line
    /// for what was thought. Their weights stand in the place of scores.
    pub(super) fn report_book(&self, book: &BookAnswer) {
        for known in book.others.iter().chain([&book.best]) {
            let report = Report {
                depth: 0,
                seldepth: 0,
                multipv: 1,
                score: Score::new(i32::from(known.weight).min(WEIGHT_MAX)),
                wdl: None,
                nodes: 0,
                millis: 0,
                hashfull: 0,
                pv: vec![known.mv],
            };
            if !self.muted {
                self.output.print(&self.mode.info(&report, false, self.coordinates));
            }
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        self.current = Some((mv, number));
        // The line of UCCI does not start with a depth, without which some of its clients fail.
        // XBoard has none.
        let recent = self.current_move_at.is_some_and(|at| at.elapsed() < CURRENT_MOVE_INTERVAL);
        if matches!(self.mode, Mode::Ucci | Mode::XBoard) || recent {
            return;
        }
        self.current_move_at = Some(Instant::now());
        let shown = self.coordinates.show(mv);
        self.output.print(&format!("info depth {depth} currmove {shown} currmovenumber {number}"));
    }
}

/// The sink a search speaks to; the driver keeps the reporter.
pub(super) struct Sink(pub(super) Arc<Mutex<Reporter>>);

impl InfoSink for Sink {
    fn info(&mut self, info: &Info<'_>) {
        if info.pv.is_empty() {
            return;
        }
        let report = Report {
            depth: info.depth,
            seldepth: info.seldepth,
            multipv: info.multipv,
            score: info.score,
            wdl: None,
            nodes: info.nodes,
            millis: u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX),
            hashfull: info.hashfull,
            pv: info.pv.to_vec(),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).report(report);
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        let mut reporter = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reporter.current_move(depth, mv, number);
    }
}

/// The line of a static evaluation in UCCI, which has neither moves nor time.
pub(super) fn static_score(score: Score) -> String {
    format!("info depth 0 score {}", super::ucci::score(score))
}

#[cfg(test)]
mod tests {
    use super::super::output::tests::Tape;
    use super::*;

    fn report(depth: u32, score: Score, millis: u64, pv: &str) -> Report {
        Report {
            depth,
            seldepth: depth,
            multipv: 1,
            score,
            wdl: None,
            nodes: millis * 1000,
            millis,
            hashfull: 0,
            pv: pv.split(' ').map(|mv| mv.parse().unwrap()).collect(),
        }
    }

    fn reporter(mode: Mode, several: bool) -> (Reporter, Tape) {
        let tape = Tape::default();
        let output = Arc::new(Output::to(Box::new(tape.clone())));
        let scores = Scores { calibration: Calibration::new(250), wdl: false };
        (Reporter::new(output, mode, Coordinates::ZeroBased, several, scores), tape)
    }

    #[test]
    fn forms_of_both_protocols() {
        let line = report(14, Score::new(32), 812, "h2e2 h9g7");
        for (mode, want) in [
            (Mode::Ucci, "info depth 14 score 32 time 812 nodes 812000 nps 1000000 pv h2e2 h9g7\n"),
            (
                Mode::Uci,
                "info depth 14 seldepth 14 multipv 1 score cp 32 nodes 812000 nps 1000000 \
                 hashfull 0 tbhits 0 time 812 pv h2e2 h9g7\n",
            ),
        ] {
            let (mut reporter, tape) = reporter(mode, false);
            reporter.report(line.clone());
            reporter.finish(line.clone());
            assert_eq!(tape.text(), want);
        }
        let (mut reporter, tape) = reporter(Mode::Ucci, true);
        reporter.report(line);
        assert!(tape.text().contains(" nps 1000000 multipv 1 pv h2e2"));
    }

    #[test]
    fn current_moves_are_for_uci_and_not_too_often() {
        for (mode, want) in [
            (Mode::Ucci, ""),
            (Mode::Uci, "info depth 7 currmove h2e2 currmovenumber 1\n"),
            (Mode::XBoard, ""),
        ] {
            let (mut reporter, tape) = reporter(mode, false);
            reporter.current_move(7, "h2e2".parse().unwrap(), 1);
            reporter.current_move(7, "b2e2".parse().unwrap(), 2);
            assert_eq!(tape.text(), want);
        }
    }

    #[test]
    fn scores_and_chances_are_those_of_the_evaluation() {
        let tape = Tape::default();
        let output = Arc::new(Output::to(Box::new(tape.clone())));
        let scores = Scores { calibration: Calibration::new(500), wdl: true };
        let mut reporter = Reporter::new(output, Mode::Uci, Coordinates::ZeroBased, false, scores);
        reporter.report(report(9, Score::new(-300), 10, "h2e2"));
        let [win, draw, loss] = Calibration::new(500).wdl(Score::new(-300));
        let wanted = format!(" score cp -150 wdl {win} {draw} {loss} nodes ");
        assert!(loss > win && tape.text().contains(&wanted), "{}", tape.text());
        reporter.report(report(10, Score::mate_in(3), 10, "h2e2"));
        assert!(tape.text().contains(" score mate 2 wdl 1000 0 0 "), "{}", tape.text());
    }

    #[test]
    fn a_found_mate_is_told_once_and_at_the_end() {
        let (mut reporter, tape) = reporter(Mode::Uci, false);
        for depth in 1..=100 {
            reporter.report(report(depth, Score::mate_in(3), 5, "h2e2 h9g7"));
        }
        assert_eq!(tape.text().lines().count(), 1);
        reporter.report(report(101, Score::mate_in(1), 5, "b2e2"));
        reporter.report(report(102, Score::mate_in(1), 6, "b2e2"));
        assert_eq!(tape.text().lines().count(), 2);
        reporter.finish(report(102, Score::mate_in(1), 6, "b2e2"));
        let text = tape.text();
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().last().unwrap().starts_with("info depth 102 "));
    }

    #[test]
    fn fast_depths_are_thinned_after_a_second_and_the_last_is_kept() {
        let (mut reporter, tape) = reporter(Mode::Ucci, false);
        for depth in 1..=20 {
            reporter.report(report(
                depth,
                Score::new(depth as i32),
                1000 + 10 * u64::from(depth),
                "h2e2",
            ));
        }
        assert_eq!(tape.text().lines().count(), 4, "{}", tape.text());
        reporter.finish(report(20, Score::new(20), 1300, "h2e2"));
        assert!(tape.text().lines().last().unwrap().starts_with("info depth 20 "));
    }

    #[test]
    fn the_answer_is_always_the_last_line() {
        let (mut reporter, tape) = reporter(Mode::Uci, false);
        reporter.report(report(9, Score::new(5), 10, "h2e2 h9g7"));
        reporter.finish(report(0, Score::new(7), 8, "b2e2"));
        let text = tape.text();
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("info depth 1 ") && last.ends_with(" time 10 pv b2e2"), "{last}");
    }

    #[test]
    fn time_and_nodes_never_fall() {
        let (mut reporter, tape) = reporter(Mode::Uci, false);
        reporter.report(report(1, Score::new(5), 10, "h2e2"));
        reporter.report(report(2, Score::new(6), 9, "h2e2"));
        assert!(tape.text().lines().last().unwrap().contains("nodes 10000 nps 1000000 "));
    }
}
