//! The search of one worker: mates, limits, signals, reports.

use std::sync::Arc;
use std::time::Duration;

use chuhe::clock::Budget;
use chuhe::position::Position;
use chuhe::rules::{Game, RuleSet};
use chuhe::search::{Control, Info, InfoSink, Job, Limits, NodeCounters, Outcome, Worker};
use chuhe::tt::Table;
use chuhe::types::{Move, Score};

/// Keeps all reports.
#[derive(Default)]
struct Log(Vec<Line>);

struct Line {
    depth: u32,
    multipv: usize,
    score: Score,
    nodes: u64,
    pv: Vec<Move>,
}

impl InfoSink for Log {
    fn info(&mut self, info: &Info<'_>) {
        self.0.push(Line {
            depth: info.depth,
            multipv: info.multipv,
            score: info.score,
            nodes: info.nodes,
            pv: info.pv.to_vec(),
        });
    }
}

struct Bench {
    worker: Worker,
    table: Arc<Table>,
    counters: Arc<NodeCounters>,
}

impl Bench {
    fn new() -> Bench {
        let table = Arc::new(Table::new(16).unwrap());
        let counters = Arc::new(NodeCounters::new(1));
        let worker = Worker::new(0, Arc::clone(&table), Arc::clone(&counters));
        Bench { worker, table, counters }
    }

    fn clear(&mut self) {
        self.table.clear();
        self.worker.clear();
    }

    fn search(&mut self, job: &Job, control: &Control) -> (Outcome, Log) {
        let mut log = Log::default();
        let outcome = self.worker.search(job, control, &mut log);
        check_reports(job, &outcome, &log);
        (outcome, log)
    }
}

fn job(fen: &str, limits: Limits) -> Job {
    let pos = Position::from_fen(fen).unwrap();
    Job {
        root_moves: pos.legal_moves(),
        game: Game::new(pos),
        limits,
        multipv: 1,
        rules: RuleSet::default(),
    }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// What must hold of every search: legal lines, monotonous counters, a last report that names the
/// answer.
fn check_reports(job: &Job, outcome: &Outcome, log: &Log) {
    assert!(job.root_moves.contains(&outcome.pv[0]));
    let mut nodes = 0;
    for line in &log.0 {
        assert!(line.nodes >= nodes);
        nodes = line.nodes;
        let mut pos = *job.game.position();
        for &mv in &line.pv {
            assert!(pos.is_legal(mv), "{mv} in {:?} of {}", line.pv, job.game.position());
            pos = pos.make(mv);
        }
        if let Some(plies) = line.score.mate_plies()
            && line.pv.len() as i32 == plies
        {
            assert!(!pos.has_legal_move(), "{:?} is no mate", line.pv);
        }
    }
    let last = log.0.iter().rfind(|line| line.multipv == 1).expect("at least one report");
    assert_eq!(last.pv, outcome.pv);
}

struct MatePuzzle {
    fen: String,
    moves: i32,
    exact: bool,
}

fn mate_puzzles() -> Vec<MatePuzzle> {
    let text = std::fs::read_to_string("tests/data/mates.epd").unwrap();
    text.lines()
        .map(|line| {
            let (fen, rest) = line.split_once(" bm ").unwrap();
            let moves = rest.split("dm ").nth(1).unwrap().split(';').next().unwrap();
            MatePuzzle {
                fen: fen.to_string(),
                moves: moves.trim().parse().unwrap(),
                exact: line.contains("c0 \"exact\""),
            }
        })
        .collect()
}

#[test]
fn finds_short_mates_and_never_a_false_one() {
    let mut bench = Bench::new();
    let puzzles: Vec<_> = mate_puzzles().into_iter().filter(|p| p.exact).step_by(14).collect();
    let mut found = 0;
    for puzzle in &puzzles {
        bench.clear();
        let limits =
            Limits { nodes: Some(60_000), mate: Some(puzzle.moves as u32), ..Limits::default() };
        let (outcome, _) = bench.search(&job(&puzzle.fen, limits), &Control::new(false));
        if let Some(plies) = outcome.score.mate_plies() {
            assert!(outcome.score.is_win(), "{}", puzzle.fen);
            let moves = (plies + 1) / 2;
            assert!(moves >= puzzle.moves, "mate in {moves} is false: {}", puzzle.fen);
            found += i32::from(moves == puzzle.moves);
        }
    }
    let wanted = puzzles.len() as i32 * 8 / 10;
    assert!(found >= wanted, "{found} shortest mates of {}", puzzles.len());
}

#[test]
fn plain_positions_show_no_mate() {
    let mut bench = Bench::new();
    let text = std::fs::read_to_string("tests/data/openings.epd").unwrap();
    for line in text.lines().step_by(60) {
        let fen = line.split(" id ").next().unwrap();
        let limits = Limits { nodes: Some(30_000), ..Limits::default() };
        let (outcome, _) = bench.search(&job(fen, limits), &Control::new(false));
        assert!(!outcome.score.is_decisive(), "{:?} in {fen}", outcome.score);
    }
}

#[test]
fn same_search_same_nodes() {
    let mut bench = Bench::new();
    let job = job(Position::START_FEN, depth(9));
    let mut totals = Vec::new();
    for _ in 0..2 {
        bench.clear();
        bench.search(&job, &Control::new(false));
        totals.push(bench.counters.total());
    }
    assert_eq!(totals[0], totals[1]);
}

#[test]
fn a_stop_before_the_start_still_gets_a_move() {
    let mut bench = Bench::new();
    let control = Control::new(false);
    control.stop();
    let (outcome, log) = bench.search(&job(Position::START_FEN, Limits::default()), &control);
    assert_eq!((outcome.depth, log.0.len()), (0, 1));
    assert_eq!(log.0[0].depth, 1);
}

#[test]
fn limits_end_the_search() {
    let mut bench = Bench::new();
    let one_node = Limits { nodes: Some(1), ..Limits::default() };
    let (outcome, _) = bench.search(&job(Position::START_FEN, one_node), &Control::new(false));
    assert_eq!(outcome.depth, 1, "the first iteration is always completed");

    let nodes = Limits { nodes: Some(20_000), ..Limits::default() };
    bench.search(&job(Position::START_FEN, nodes), &Control::new(false));
    assert!((20_000..22_000).contains(&bench.counters.total()), "{}", bench.counters.total());

    let budget = Budget { soft: Duration::from_millis(40), hard: Duration::from_millis(60) };
    let time = Limits { budget: Some(budget), ..Limits::default() };
    let control = Control::new(false);
    bench.search(&job(Position::START_FEN, time), &control);
    assert!(control.elapsed() < Duration::from_millis(1500), "{:?}", control.elapsed());

    let nothing = Budget { soft: Duration::ZERO, hard: Duration::ZERO };
    let none = Limits { budget: Some(nothing), ..Limits::default() };
    let (outcome, _) = bench.search(&job(Position::START_FEN, none), &Control::new(false));
    assert_eq!(outcome.depth, 1);

    let (outcome, _) = bench.search(&job(Position::START_FEN, depth(5)), &Control::new(false));
    assert_eq!(outcome.depth, 5);
}

#[test]
fn the_clock_stands_still_while_pondering() {
    let mut bench = Bench::new();
    let budget = Budget { soft: Duration::from_millis(10), hard: Duration::from_millis(20) };
    let limits = Limits { budget: Some(budget), ..Limits::default() };
    let control = Control::new(true);
    let held = Duration::from_millis(150);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(held);
            control.ponderhit();
        });
        bench.search(&job(Position::START_FEN, limits), &control);
    });
    assert!(control.elapsed() >= held, "ended before the ponder hit");
}

#[test]
fn several_lines_are_distinct_and_sorted() {
    let mut bench = Bench::new();
    let mut job = job(Position::START_FEN, depth(7));
    job.multipv = 5;
    let (_, log) = bench.search(&job, &Control::new(false));
    let last: Vec<_> = log.0.iter().filter(|line| line.depth == 7).collect();
    assert_eq!(last.iter().map(|line| line.multipv).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let mut firsts: Vec<_> = last.iter().map(|line| line.pv[0]).collect();
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    firsts.sort_unstable();
    firsts.dedup();
    assert_eq!(firsts.len(), 5);

    job.multipv = 500;
    let (_, log) = bench.search(&job, &Control::new(false));
    assert_eq!(log.0.iter().filter(|line| line.depth == 7).count(), 44);
}

#[test]
fn only_root_moves_are_answered() {
    let mut bench = Bench::new();
    let mut job = job(Position::START_FEN, depth(6));
    let (outcome, _) = bench.search(&job, &Control::new(false));
    job.root_moves.retain(|mv| *mv != outcome.pv[0]);
    let (second, _) = bench.search(&job, &Control::new(false));
    assert_ne!(second.pv[0], outcome.pv[0]);
}

#[test]
fn perpetual_check_saves_nobody() {
    // Red is a rook up for nothing but checks: with the draw by repetition barred to the checking
    // side, a perpetual check is a rule loss and not 0.
    let fen = "3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1";
    let moves = "a2d2 d9e9 d2e2 e9d9 e2d2 d9e9 d2e2 e9d9";
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for text in moves.split(' ') {
        assert!(game.play(text.parse().unwrap()));
    }
    let losing: Move = "e2d2".parse().unwrap();
    let mut job = job(fen, depth(8));
    job.root_moves = game.position().legal_moves();
    job.game = game;
    let (outcome, _) = Bench::new().search(&job, &Control::new(false));
    assert_ne!(outcome.pv[0], losing, "completes the third occurrence");
    job.root_moves = [losing].into_iter().collect();
    let (outcome, _) = Bench::new().search(&job, &Control::new(false));
    assert!(outcome.score.is_loss() && outcome.score.is_rule(), "{:?}", outcome.score);
}

#[test]
fn the_natural_limit_draws() {
    let fen = "3k5/9/9/9/9/9/9/R8/9/5K3 w - - 119 60";
    let (outcome, _) = Bench::new().search(&job(fen, depth(6)), &Control::new(false));
    assert!(outcome.score.value().abs() <= 1, "{:?}", outcome.score);
    // a mate on the last ply counts
    let fen = "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 119 60";
    let (outcome, _) = Bench::new().search(&job(fen, depth(6)), &Control::new(false));
    assert_eq!(outcome.score, Score::mate_in(1));
}

#[test]
fn stalemate_is_a_loss() {
    // d0d1 leaves Black without a move, not in check
    let fen = "4k4/9/4P4/9/9/9/9/9/5R3/3K5 w - - 0 1";
    let (outcome, _) = Bench::new().search(&job(fen, depth(4)), &Control::new(false));
    assert!(outcome.score.is_mate() && outcome.score.is_win(), "{:?}", outcome.score);
}
