//! The engine itself: game, options, table, workers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use super::evalfile;
use super::level::{Choosing, Dice, Heard, Listener, Randomness};
use super::library::{BookAnswer, BookRefused, Library};
use super::memory;
use super::options::{OptionId, Options, Value};
use super::pool::{BoxedSink, Pool};
use super::vote;
use crate::eval::nnue::{self, NetError, Network};
use crate::eval::{Calibration, Evaluator};
use crate::position::Position;
use crate::rules::Game;
use crate::search::{Control, Job, Limits, NodeCounters, Outcome};
use crate::tt::{Entry, OutOfMemory, Table};
use crate::types::{Move, MoveList, Score};

/// What one search is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// When to stop.
    pub limits: Limits,
    /// Restricts the root to these moves; what is not legal among them is skipped.
    pub only: Option<Vec<Move>>,
}

/// What a search comes back with.
#[derive(Clone, Debug)]
pub enum Answer {
    /// There is no position: the last one given was invalid.
    NoPosition,
    /// There is no move: mated, or every legal move excluded.
    NoMove,
    /// A move and what is behind it.
    Found(Outcome),
    /// Nothing was searched: the opening books have moves.
    Book(BookAnswer),
}

/// Something the user should know about an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// The hash size was cut down to what memory allows, in MB.
    HashLimited(i64),
    /// A network file cannot be used, and why; the present network is kept. The name is not repeated:
    /// it may hold words or characters that no line of the protocols may carry.
    NetworkRefused(NetError),
    /// An opening book cannot be used.
    BookRefused(BookRefused),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notice::HashLimited(mb) => {
                write!(f, "hash limited to {mb} MB, three quarters of the memory")
            }
            Notice::NetworkRefused(error) => {
                write!(f, "network file {error}, keeping the present network")
            }
            Notice::BookRefused(refused) => refused.fmt(f),
        }
    }
}

/// A window on the hash table that other threads may keep.
#[derive(Clone, Debug, Default)]
pub struct HashView(Arc<Mutex<Viewed>>);

#[derive(Debug, Default)]
struct Viewed {
    table: Option<Arc<Table>>,
    /// What the scores in the table mean.
    calibration: Option<Calibration>,
}

impl HashView {
    /// The record of a position, if there is one, and its score as it is shown.
    pub fn probe(&self, pos: &Position) -> Option<(Entry, Score)> {
        let entry = self.table()?.probe(pos.key())?;
        let score = Score::from_table(entry.score, 0);
        Some((entry, self.lock().calibration.map_or(score, |calibration| calibration.shown(score))))
    }

    fn lock(&self) -> MutexGuard<'_, Viewed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self) -> Option<Arc<Table>> {
        self.lock().table.clone()
    }

    fn set(&self, table: Arc<Table>) {
        self.lock().table = Some(table);
    }

    fn calibrate(&self, calibration: Calibration) {
        self.lock().calibration = Some(calibration);
    }
}

/// Hash size when "automatic" cannot ask the system, in MB.
const HASH_FALLBACK: i64 = 256;
/// Automatic hash size never exceeds this, in MB.
const HASH_AUTOMATIC_MAX: i64 = 1024;
/// Tables to try, in MB, when there is none yet and the size asked for cannot be had.
const HASH_EMERGENCY: [i64; 2] = [16, 1];

/// A xiangqi engine.
pub struct Engine {
    options: Options,
    /// `None` when the last position given was invalid.
    game: Option<Game>,
    banned: MoveList,
    view: HashView,
    /// The option value the present table was made for.
    table_size: i64,
    /// Whether a search has written to the table since it was last empty.
    table_used: bool,
    pool: Option<Pool>,
    /// The network that was loaded; `None` for the one that is built in.
    loaded: Option<Arc<Network>>,
    /// What the workers ask.
    in_use: Option<Arc<Network>>,
    /// Whether the network there is, if any, is to be asked.
    use_network: bool,
    /// For choices among several moves.
    dice: Dice,
    library: Library,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine at the start position. Nothing large is allocated before it is needed.
    pub fn new() -> Engine {
        Engine {
            options: Options::default(),
            game: Some(Game::new(Position::startpos())),
            banned: MoveList::new(),
            view: HashView::default(),
            table_size: 0,
            table_used: false,
            pool: None,
            loaded: None,
            in_use: None,
            use_network: true,
            dice: Dice::new(0),
            library: Library::default(),
        }
    }

    /// The options as they are.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sets an option or presses a button. Takes effect at once, or with the next search where
    /// something large has to be allocated.
    pub fn set_option(&mut self, id: OptionId, value: Value) -> Option<Notice> {
        match (id, &value) {
            (OptionId::EvalFile, Value::Path(file)) => return self.read_network(file),
            (OptionId::BookFile, Value::Path(list)) => {
                return self.library.open(list).map(Notice::BookRefused);
            }
            _ => {}
        }
        match id {
            OptionId::ClearHash => self.clear_hash(),
            OptionId::NewGame => self.new_game(),
            OptionId::UseNetwork => {
                let loaded = self.loaded.take();
                self.evaluate_with(loaded, value == Value::Flag(true));
            }
            _ => {
                let rules = self.options.rules();
                self.options.set(id, value);
                // Values in the table rest on the verdicts of the rules.
                if self.options.rules() != rules {
                    self.new_game();
                }
            }
        }
        if id == OptionId::Seed {
            self.dice = Dice::new(self.options.seed);
        }
        let most = i64::try_from(memory::total_megabytes()? / 4 * 3).ok()?.max(1);
        if id == OptionId::Hash && self.options.hash > most {
            self.options.hash = most;
            return Some(Notice::HashLimited(most));
        }
        None
    }

    /// The game on the board; `None` when the last position given was invalid.
    pub fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Sets the game, or leaves none. Bans end.
    pub fn set_game(&mut self, game: Option<Game>) {
        self.game = game;
        self.banned.clear();
    }

    /// Forbids moves at the root until the next [`Engine::set_game`]; illegal ones are skipped.
    pub fn ban_moves(&mut self, moves: &[Move]) {
        let Some(game) = &self.game else { return };
        for &mv in moves {
            if game.position().is_legal(mv) && !self.banned.contains(&mv) {
                // Legal moves without repeats always fit.
                let _ = self.banned.try_push(mv);
            }
        }
    }

    /// Forgets everything learned from earlier searches; the board stays.
    pub fn new_game(&mut self) {
        self.clear_hash();
        if let Some(pool) = &self.pool {
            pool.forget();
        }
    }

    /// The network that is asked from the next search on; `None` for the hand-made evaluation.
    pub fn network(&self) -> Option<Arc<Network>> {
        let network = || self.loaded.clone().or_else(nnue::embedded);
        self.use_network.then(network).flatten()
    }

    /// The evaluation that is used from the next search on.
    pub fn evaluator(&self) -> Evaluator {
        self.network().map_or_else(Evaluator::classical, Evaluator::with_network)
    }

    /// What the scores of the next search mean.
    pub fn calibration(&self) -> Calibration {
        Calibration::of(self.network().as_deref())
    }

    /// Reads a network and uses it from the next search on, or goes back to the one built in.
    fn read_network(&mut self, file: &str) -> Option<Notice> {
        let loaded = if evalfile::is_internal(file) {
            None
        } else {
            match evalfile::read(file) {
                Ok(network) => Some(Arc::new(network)),
                Err(error) => return Some(Notice::NetworkRefused(error)),
            }
        };
        self.evaluate_with(loaded, self.use_network);
        None
    }

    /// Changes the evaluation. What was learned with another one is forgotten: its values have
    /// another scale.
    fn evaluate_with(&mut self, loaded: Option<Arc<Network>>, use_network: bool) {
        self.loaded = loaded;
        self.use_network = use_network;
        // Without workers nothing is learned, and the built-in network need not be read yet.
        let Some(pool) = &self.pool else { return };
        let network = self.network();
        let checksum = |network: &Option<Arc<Network>>| network.as_ref().map(|n| n.checksum());
        if checksum(&network) != checksum(&self.in_use) {
            pool.use_network(network.as_ref());
            self.in_use = network;
            self.view.calibrate(self.calibration());
            self.new_game();
        }
    }

    fn clear_hash(&mut self) {
        if let Some(table) = self.view.table().filter(|_| self.table_used) {
            table.clear();
        }
        self.table_used = false;
    }

    /// A window on the hash table.
    pub fn hash_view(&self) -> HashView {
        self.view.clone()
    }

    /// Allocates what the options ask for and starts the workers, as far as that is not done.
    ///
    /// # Errors
    /// When there is not enough memory for the hash table: the old table stays in use and its size
    /// becomes the option's value again.
    pub fn prepare(&mut self) -> Result<(), OutOfMemory> {
        let result = self.prepare_table();
        let wanted = match self.options.threads {
            0 => available_parallelism().map_or(1, |n| n.get()),
            n => usize::try_from(n).unwrap_or(1),
        };
        if let Some(table) = self.view.table()
            && self.pool.as_ref().is_none_or(|pool| pool.asked() != wanted)
        {
            // The old threads end first: their tables are large.
            self.pool = None;
            let pool = Pool::new(wanted, &table);
            self.in_use = self.network();
            self.view.calibrate(self.calibration());
            pool.use_network(self.in_use.as_ref());
            self.pool = Some(pool);
        }
        result
    }

    fn prepare_table(&mut self) -> Result<(), OutOfMemory> {
        if self.table_size == self.options.hash && self.table_size != 0 {
            return Ok(());
        }
        let wanted = match self.options.hash {
            0 => automatic_hash(),
            size => size,
        };
        if self.view.table().is_some() && self.table_size == wanted {
            return Ok(());
        }
        let mut made = Table::new(usize::try_from(wanted).unwrap_or(1));
        let mut size = wanted;
        let failure = made.as_ref().err().copied();
        if failure.is_some() && self.view.table().is_none() {
            for smaller in HASH_EMERGENCY {
                made = Table::new(smaller as usize);
                size = smaller;
                if made.is_ok() {
                    break;
                }
            }
        }
        if let Ok(table) = made {
            let table = Arc::new(table);
            if let Some(pool) = &self.pool {
                pool.use_table(&table);
            }
            self.view.set(table);
            self.table_size = size;
            self.table_used = false;
        }
        if let Some(error) = failure {
            self.options.hash = self.table_size;
            return Err(error);
        }
        Ok(())
    }

    /// Searches the position on the board and waits for the answer. `control` ends it early.
    /// [`Engine::prepare`] should have been called; a search without table or threads answers with
    /// the first legal move. Below full strength the answer may be another move than the best one
    /// reported, with its own value and line; analysis without limits and the search for a mate
    /// answer with the best.
    ///
    /// A move that is to be played by the clock may come from the opening books: never in infinite
    /// analysis, in a search for a mate, while pondering, or when only depth or nodes are limited.
    pub fn go(&mut self, request: &Request, control: &Arc<Control>, sink: BoxedSink) -> Answer {
        let Some(game) = &self.game else { return Answer::NoPosition };
        let allowed = |mv: &Move| {
            !self.banned.contains(mv) && request.only.as_ref().is_none_or(|only| only.contains(mv))
        };
        let root_moves: MoveList =
            game.position().legal_moves().into_iter().filter(allowed).collect();
        let Some(&first) = root_moves.first() else { return Answer::NoMove };
        let plays = !request.limits.infinite && request.limits.mate.is_none();
        let timed = plays && request.limits.budget.is_some() && !control.is_pondering();
        if timed && self.options.own_book {
            let varied = self.options.randomness != Randomness::None;
            let random = || varied.then(|| self.dice.roll());
            if let Some(answer) = self.library.ask(game, self.options.rules(), &root_moves, random)
            {
                return Answer::Book(answer);
            }
        }
        let choosing = Choosing::of(&self.options).filter(|_| plays);
        let lines = choosing.map_or(1, |choosing| choosing.lines).max(self.options.multipv);
        let heard = Heard::default();
        let sink = match choosing {
            Some(_) => {
                Box::new(Listener { passes: self.options.multipv, sink, heard: heard.clone() })
            }
            None => sink,
        };
        let job = Job {
            game: game.clone(),
            root_moves,
            limits: request.limits,
            multipv: lines,
            rules: self.options.rules(),
        };
        if let Some(table) = self.view.table() {
            table.age();
            self.table_used = true;
        }
        let mut outcomes = match &self.pool {
            Some(pool) => pool.search(job, control, sink),
            None => Vec::new(),
        };
        if let Some(pool) = &self.pool
            && outcomes.len() < pool.running()
        {
            // A thread has died; the next search gets new ones.
            self.pool = None;
        }
        // With several lines only the main worker's order of them means anything.
        let best = if lines > 1 { Some(0) } else { vote::pick(&outcomes) };
        let chosen = choosing
            .and_then(|choosing| heard.choose(choosing, self.calibration(), self.dice.roll()));
        if let Some(outcome) = chosen {
            return Answer::Found(outcome);
        }
        Answer::Found(match best.filter(|&index| index < outcomes.len()) {
            Some(index) => outcomes.swap_remove(index),
            None => Outcome { depth: 0, seldepth: 0, score: Score::DRAW, pv: vec![first] },
        })
    }

    /// Node counters of the present pool.
    pub fn counters(&self) -> Option<Arc<NodeCounters>> {
        self.pool.as_ref().map(|pool| Arc::clone(pool.counters()))
    }

    /// Occupied part of the hash table in per mille.
    pub fn hashfull(&self) -> u32 {
        self.view.table().map_or(0, |table| table.hashfull())
    }
}

/// One eighth of the memory, within bounds.
fn automatic_hash() -> i64 {
    memory::total_megabytes()
        .and_then(|total| i64::try_from(total / 8).ok())
        .unwrap_or(HASH_FALLBACK)
        .clamp(HASH_EMERGENCY[0], HASH_AUTOMATIC_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Silent;

    fn depth(depth: u32) -> Request {
        Request { limits: Limits { depth: Some(depth), ..Limits::default() }, only: None }
    }

    fn go(engine: &mut Engine, request: &Request) -> Answer {
        engine.prepare().unwrap();
        engine.go(request, &Arc::new(Control::new(false)), Box::new(Silent))
    }

    fn answer(engine: &mut Engine, request: &Request) -> String {
        match go(engine, request) {
            Answer::Found(outcome) => outcome.pv[0].to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn bans_and_restrictions_leave_what_they_leave() {
        let mut engine = Engine::new();
        let pos = Position::from_fen("3k5/9/9/9/9/9/p8/9/4R4/4K4 b").unwrap();
        engine.set_game(Some(Game::new(pos)));
        let moves = ["a3a2", "a3b3", "d9d8"].map(|text| text.parse::<Move>().unwrap());
        engine.ban_moves(&[moves[0], moves[0], "a0a1".parse().unwrap(), moves[2]]);
        assert_eq!(answer(&mut engine, &depth(2)), "a3b3");
        engine.ban_moves(&moves);
        assert_eq!(answer(&mut engine, &depth(2)), "NoMove");
        engine.set_game(Some(Game::new(pos)));
        let only = Request { only: Some(vec![moves[2], "a0a1".parse().unwrap()]), ..depth(2) };
        assert_eq!(answer(&mut engine, &only), "d9d8");
        assert_eq!(answer(&mut engine, &Request { only: Some(vec![]), ..depth(2) }), "NoMove");
        engine.set_game(None);
        assert_eq!(answer(&mut engine, &depth(2)), "NoPosition");
    }

    #[test]
    fn an_impossible_hash_keeps_the_old_table() {
        let mut engine = Engine::new();
        engine.prepare().unwrap();
        engine.options.hash = i64::MAX;
        assert!(engine.prepare().is_err());
        assert_eq!(engine.options().hash, 16);
        assert!(engine.prepare().is_ok());
        engine.options.hash = 2;
        engine.prepare().unwrap();
        assert_eq!(engine.view.table().unwrap().megabytes(), 2);
    }

    #[test]
    fn too_much_hash_is_cut_down_where_memory_is_known() {
        let mut engine = Engine::new();
        let notice = engine.set_option(OptionId::Hash, Value::Number(33_554_432));
        if memory::total_megabytes().is_some() {
            assert_eq!(notice, Some(Notice::HashLimited(engine.options().hash)));
        }
        assert_eq!(engine.set_option(OptionId::Hash, Value::Number(8)), None);
        assert_eq!(engine.options().hash, 8);
    }

    #[test]
    fn threads_come_and_go_between_searches() {
        let mut engine = Engine::new();
        for threads in [3, 1, 2, 0] {
            engine.set_option(OptionId::Threads, Value::Number(threads));
            assert!(matches!(go(&mut engine, &depth(2)), Answer::Found(_)));
            if threads > 0 {
                assert_eq!(engine.pool.as_ref().unwrap().running(), threads as usize);
            }
        }
        engine.new_game();
        assert!(matches!(go(&mut engine, &depth(2)), Answer::Found(_)));
    }

    #[test]
    fn a_stop_before_the_start_still_answers() {
        let mut engine = Engine::new();
        engine.set_option(OptionId::Threads, Value::Number(2));
        engine.prepare().unwrap();
        let control = Arc::new(Control::new(false));
        control.stop();
        let request =
            Request { limits: Limits { infinite: true, ..Limits::default() }, only: None };
        let Answer::Found(outcome) = engine.go(&request, &control, Box::new(Silent)) else {
            panic!("no answer")
        };
        assert!(Position::startpos().is_legal(outcome.pv[0]));
    }

    #[test]
    fn weak_play_is_repeatable_and_analysis_is_not_weakened() {
        let play = |seed: i64| {
            let mut engine = Engine::new();
            engine.set_option(OptionId::SkillLevel, Value::Number(-4));
            engine.set_option(OptionId::Seed, Value::Number(seed));
            engine.prepare().unwrap();
            (0..6).map(|_| answer(&mut engine, &depth(2))).collect::<Vec<String>>()
        };
        let games: Vec<Vec<String>> = (1..5).map(play).collect();
        assert_eq!(play(1), games[0]);
        assert!(games.iter().flatten().any(|mv| *mv != games[0][0]), "{games:?}");
        let mut engine = Engine::new();
        engine.prepare().unwrap();
        let best = answer(&mut engine, &depth(2));
        engine.set_option(OptionId::SkillLevel, Value::Number(-4));
        for _ in 0..6 {
            engine.new_game();
            let limits = Limits { depth: Some(2), infinite: true, ..Limits::default() };
            assert_eq!(answer(&mut engine, &Request { limits, only: None }), best);
        }
    }

    #[test]
    fn other_rules_clear_the_table() {
        let mut engine = Engine::new();
        engine.prepare().unwrap();
        answer(&mut engine, &depth(4));
        let known = |engine: &Engine| engine.hash_view().probe(&Position::startpos()).is_some();
        engine.set_option(OptionId::Rule60MaxPly, Value::Number(120));
        assert!(known(&engine), "nothing has changed");
        engine.set_option(OptionId::Rule60MaxPly, Value::Number(100));
        assert!(!known(&engine));
    }

    #[test]
    fn the_table_is_seen_with_scores_as_shown() {
        let mut engine = Engine::new();
        for use_network in [true, false] {
            engine.set_option(OptionId::UseNetwork, Value::Flag(use_network));
            engine.prepare().unwrap();
            answer(&mut engine, &depth(4));
            let known = engine.hash_view().probe(&Position::startpos()).map(|(entry, shown)| {
                (engine.calibration().shown(Score::from_table(entry.score, 0)), shown)
            });
            assert!(known.is_some_and(|(wanted, shown)| wanted == shown), "{known:?}");
        }
    }
}
