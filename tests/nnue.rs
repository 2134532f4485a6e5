//! The network inside the engine: sums along a line, files, and searching with it.

mod common;

use std::sync::Arc;

use chuhe::engine::options::{OptionId, Value};
use chuhe::engine::{Answer, Engine, Request};
use chuhe::eval::Evaluator;
use chuhe::eval::nnue::features::{self, View};
use chuhe::eval::nnue::{Backend, Change, NetError, Network, Parts, State, embedded};
use chuhe::position::Position;
use chuhe::rules::{Game, RuleSet};
use chuhe::search::{Control, Job, Limits, NodeCounters, Silent, Worker};
use chuhe::tt::Table;
use chuhe::types::{Color, MAX_PLY, Move, PieceType};
use common::walk::Random;

/// A network of random weights; `spread` is the largest.
fn parts(buckets: usize, width: usize, spread: i32, seed: u64) -> Parts {
    let mut random = Random::new(seed);
    let mut weights = |count: usize, limit: i32| -> Vec<i16> {
        let below = 2 * limit as usize + 1;
        (0..count).map(|_| (random.below(below) as i32 - limit) as i16).collect()
    };
    Parts {
        buckets,
        width,
        scale: 300,
        weights: weights(buckets * features::PER_BUCKET * width, spread),
        bias: weights(width, spread),
        output: weights(features::OUTPUT_BUCKETS * 2 * width, spread.min(127)),
        output_unit: 128,
        output_bias: std::array::from_fn(|i| 1_000 * i as i32 - 3_000),
        description: format!("random weights, seed {seed}"),
    }
}

fn network(buckets: usize, width: usize, spread: i32, seed: u64) -> Arc<Network> {
    Arc::new(Network::new(&parts(buckets, width, spread, seed)).expect("a sound network"))
}

/// The value straight from the formula, in floating point but for the last division.
fn definition(parts: &Parts, pos: &Position) -> i32 {
    let &Parts { buckets, width, .. } = parts;
    let bucket = features::output_bucket(pos);
    let mut sum = 0i64;
    for (n, side) in [pos.side(), !pos.side()].into_iter().enumerate() {
        let view = View::of(pos, side);
        for j in 0..width {
            let mut x = i64::from(parts.bias[j]);
            for &feature in &features::active(pos, view) {
                let row = view.bucket(buckets) * features::PER_BUCKET + feature as usize;
                x += i64::from(parts.weights[row * width + j]);
            }
            let active = x.clamp(0, 255);
            sum += active * active * i64::from(parts.output[(2 * bucket + n) * width + j]);
        }
    }
    let value = sum + 255 * i64::from(parts.output_bias[bucket]);
    (value * i64::from(parts.scale) / (255 * 255 * 128)) as i32
}

/// Moves of the king across the middle file make new views: they are played often.
fn choose(pos: &Position, random: &mut Random) -> Option<Move> {
    let moves = pos.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let king = pos.king(pos.side());
    let wanted: Vec<Move> = match random.below(5) {
        0 => moves.iter().copied().filter(|mv| mv.from() == king).collect(),
        1 => moves.iter().copied().filter(|&mv| pos.captured(mv).is_some()).collect(),
        _ => Vec::new(),
    };
    let choice = if wanted.is_empty() { &moves[..] } else { &wanted[..] };
    Some(choice[random.below(choice.len())])
}

/// Makes a move at a ply of the line.
fn make(line: &mut State, pos: &Position, mv: Move, ply: usize) -> Position {
    let mut change = Change::default();
    let child = pos.make_observed(mv, &mut change);
    line.push(&child, change, ply);
    child
}

#[test]
fn values_follow_the_formula() {
    for (buckets, width) in [(1, 32), (6, 64), (6, 96)] {
        let parts = parts(buckets, width, 120, 3);
        let net = Arc::new(Network::new(&parts).expect("a sound network"));
        let mut state = State::new(net);
        let mut random = Random::new(11);
        let mut signs = [0; 2];
        for _ in 0..20 {
            common::walk::walk(Position::startpos(), 80, &mut random, |pos| {
                let value = state.evaluate(pos);
                assert_eq!(value, definition(&parts, pos), "{}", pos.fen());
                assert_eq!(value, state.evaluate(&pos.flip()), "{}", pos.fen());
                signs[(value > 0) as usize] += 1;
            });
        }
        assert!(signs.iter().all(|&n| n > 20), "{signs:?}: a test of nothing");
    }
}

/// Random walks through a tree, back and forth, with passes: the value at a ply is the value of the
/// position, whatever was computed before and however.
#[test]
fn a_line_gives_the_value_of_its_position() {
    for (backend, games) in Backend::available().into_iter().zip([2_000, 700, 700]) {
        let net = network(6, 32, 505, 1);
        let mut line = State::with_backend(Arc::clone(&net), backend);
        let mut random = Random::new(77);
        let (mut checked, mut kings, mut passes) = (0, 0, 0);
        for game in 0..games {
            let mut fresh = State::with_backend(Arc::clone(&net), Backend::PLAIN);
            let mut path = vec![Position::startpos()];
            line.reset(&path[0]);
            for _ in 0..60 {
                let ply = path.len() - 1;
                let pos = path[ply];
                if path.len() > 1 && random.below(4) == 0 {
                    path.truncate(path.len() - random.below(path.len().min(4)).max(1));
                    continue;
                }
                let child = if random.below(12) == 0 && !pos.in_check() {
                    passes += 1;
                    let child = pos.make_null();
                    line.push(&child, Change::default(), ply);
                    child
                } else {
                    let Some(mv) = choose(&pos, &mut random) else { break };
                    let king = pos.piece_on(mv.from()).map(|piece| piece.kind());
                    kings += (king == Some(PieceType::King)) as u32;
                    make(&mut line, &pos, mv, ply)
                };
                path.push(child);
                if random.below(3) == 0 {
                    checked += 1;
                    let value = line.evaluate_at(&child, ply + 1);
                    assert_eq!(value, fresh.evaluate(&child), "game {game}: {}", child.fen());
                }
            }
        }
        assert!(checked > games && kings > games / 2 && passes > games / 4, "{checked} {kings}");
    }
}

/// The refresh cache is patched from board to board; a state without history must agree.
#[test]
fn cached_and_fresh_values_agree() {
    let net = network(6, 64, 300, 9);
    let mut cached = State::new(Arc::clone(&net));
    let mut random = Random::new(5);
    for _ in 0..20 {
        let mut pos = Position::startpos();
        for _ in 0..100 {
            let Some(mv) = choose(&pos, &mut random) else { break };
            pos = pos.make(mv);
            assert_eq!(cached.evaluate(&pos), State::new(Arc::clone(&net)).evaluate(&pos));
        }
    }
}

#[test]
fn deepest_lines_fit() {
    let mut state = State::new(network(1, 32, 100, 2));
    let mut pos = Position::startpos();
    state.reset(&pos);
    let moves = ["h0g2", "h9g7", "g2h0", "g7h9"].map(|text| text.parse().expect("a move"));
    for ply in 0..MAX_PLY {
        pos = make(&mut state, &pos, moves[ply % 4], ply);
    }
    assert_eq!(state.evaluate_at(&pos, MAX_PLY), state.evaluate(&pos));
}

#[test]
fn files_round_trip_and_damage_is_noticed() {
    let parts = parts(1, 32, 505, 4);
    let net = Network::new(&parts).expect("a sound network");
    let bytes = net.to_bytes();
    assert_eq!(bytes.len() % 64, 0);
    let again = Network::from_bytes(&bytes).expect("what we wrote");
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!((again.checksum(), again.description()), (net.checksum(), net.description()));
    assert_eq!((again.width(), again.buckets(), again.scale()), (32, 1, 300));
    let mut random = Random::new(8);
    for cut in [0, 1, 7, 8, 55, 56, 64, 127, 128, bytes.len() - 64, bytes.len() - 1] {
        assert!(Network::from_bytes(&bytes[..cut]).is_err(), "{cut} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Network::from_bytes(&longer).unwrap_err(), NetError::Length);
    for round in 0..400 {
        let mut damaged = bytes.clone();
        // mostly in the header, where a number decides how the rest is read
        let at = random.below(if round % 4 == 0 { bytes.len() } else { 64 });
        damaged[at] ^= 1 << random.below(8);
        let error = Network::from_bytes(&damaged).expect_err("a changed bit");
        let text = error.to_string();
        assert!(text.is_ascii() && !text.contains('\n') && text.len() < 100, "{text}");
    }
}

#[test]
fn unfit_numbers_are_refused() {
    let good = parts(1, 32, 20, 1);
    let refused = |change: fn(&mut Parts)| {
        let mut parts = good.clone();
        change(&mut parts);
        Network::new(&parts).expect_err("unfit")
    };
    assert_eq!(refused(|p| p.weights[7] = 506), NetError::Range);
    assert_eq!(refused(|p| p.bias[7] = -506), NetError::Range);
    assert_eq!(refused(|p| p.output[7] = 128), NetError::Range);
    assert_eq!(refused(|p| p.output_unit = 100), NetError::Range);
    assert_eq!(refused(|p| p.scale = 0), NetError::Range);
    assert_eq!(refused(|p| p.weights.truncate(100)), NetError::Length);
    assert_eq!(refused(|p| p.width = 48), NetError::Shape(1, 48, 8));
    assert_eq!(refused(|p| p.buckets = 2), NetError::Shape(2, 32, 8));
    assert_eq!(refused(|p| p.width = 1 << 40), NetError::Shape(1, 1 << 40, 8));
    let missing = Network::load(std::path::Path::new("no/such.nnue")).unwrap_err();
    assert!(matches!(missing, NetError::Unreadable(_)), "{missing}");
    let directory = Network::load(std::path::Path::new("src")).unwrap_err();
    assert!(matches!(directory, NetError::Unreadable(_)), "{directory}");
}

/// Searches with a network keep the line and the sums in step: debug assertions compare the key of
/// every position valued, through null moves, verification searches and quiescence.
#[test]
fn searches_stay_on_their_line() {
    let table = Arc::new(Table::new(4).expect("memory"));
    let counters = Arc::new(NodeCounters::new(1));
    let mut worker = Worker::new(0, Arc::clone(&table), counters);
    let fens = [
        Position::START_FEN,
        "2bak4/4a4/4b4/9/2p3p2/9/2P1R1P2/2N1C4/4A4/2BAK1B2 w - - 0 1",
        "3k5/4P4/4b4/9/9/9/9/4B4/4A4/3AK1B2 b - - 0 1",
    ];
    let mut search = |network: Option<Arc<Network>>, fen: &str| {
        table.clear();
        worker.clear();
        worker.set_network(network);
        let pos = Position::from_fen(fen).expect("a position");
        let job = Job {
            root_moves: pos.legal_moves(),
            game: Game::new(pos),
            limits: Limits { depth: Some(10), nodes: Some(100_000), ..Limits::default() },
            multipv: 1,
            rules: RuleSet::default(),
        };
        let outcome = worker.search(&job, &Control::new(false), &mut Silent);
        (outcome.score, outcome.pv)
    };
    for fen in fens {
        let net = network(6, 32, 40, 6);
        let first = search(Some(Arc::clone(&net)), fen);
        assert_eq!(first, search(Some(net), fen), "the same search twice");
        assert_ne!(first, search(None, fen), "the network is not asked: {fen}");
    }
}

/// The option of the engine: a network is used, anything else refused with one line.
#[test]
fn engines_load_the_file_they_are_told() {
    let path = std::env::temp_dir().join(format!("chuhe-{}.nnue", std::process::id()));
    let file = path.to_string_lossy().into_owned();
    let net = network(6, 32, 40, 6);
    std::fs::write(&path, net.to_bytes()).expect("written");
    let mut engine = Engine::new();
    let mut score = |option: Option<(OptionId, Value)>| {
        let notice = option.and_then(|(id, value)| engine.set_option(id, value));
        engine.prepare().expect("memory");
        engine.new_game();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let request = Request { limits, only: None };
        let answer = engine.go(&request, &Arc::new(Control::new(false)), Box::new(Silent));
        let Answer::Found(outcome) = answer else { panic!("{answer:?}") };
        (outcome.score, notice.map(|notice| notice.to_string()))
    };
    let use_network = |on| Some((OptionId::UseNetwork, Value::Flag(on)));
    let eval_file = |name: &str| Some((OptionId::EvalFile, Value::Path(name.to_string())));
    let (built_in, _) = score(None);
    let (by_hand, notice) = score(use_network(false));
    assert_eq!(notice, None);
    assert_eq!(built_in == by_hand, embedded().is_none(), "{built_in:?} {by_hand:?}");
    // a network may be loaded for later
    assert_eq!(score(eval_file(&file)), (by_hand, None));
    let (with_network, notice) = score(use_network(true));
    assert_eq!(notice, None);
    assert_ne!(with_network, by_hand);
    for name in ["Cargo.toml", "no\nsuch.nnue", "src"] {
        let (kept, notice) = score(eval_file(name));
        let notice = notice.expect("a word about it");
        assert!(notice.is_ascii() && !notice.contains('\n'), "{notice}");
        assert_eq!(kept, with_network, "{name}");
    }
    for name in ["<empty>", "<built-in>", "", "<internal>"] {
        assert_eq!(score(eval_file(name)), (built_in, None), "{name}");
        assert_eq!(score(eval_file(&file)), (with_network, None));
    }
    assert_eq!(score(eval_file(&format!("\"{file}\""))), (with_network, None));
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn evaluators_ask_their_network() {
    let net = network(6, 32, 100, 12);
    let mut evaluator = Evaluator::with_network(Arc::clone(&net));
    let pos = Position::startpos();
    assert_eq!(evaluator.evaluate(&pos).value(), State::new(net).evaluate(&pos));
    assert!(Evaluator::classical().network().is_none());
    assert_eq!(Evaluator::new().network().is_some(), embedded().is_some());
    evaluator.reset(&pos);
    let child = evaluator.make(&pos, "h2e2".parse().expect("a move"), 0);
    assert_eq!(child, pos.make("h2e2".parse().expect("a move")));
    assert_eq!(child.side(), Color::Black);
    assert_eq!(evaluator.evaluate_at(&child, 1), evaluator.evaluate(&child));
}
