//! Scores of old games by a new network; moves and results stay.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use super::play::{Player, seen_by_red};
use super::{Args, DatagenError, Output, Progress, network, players};
use crate::record::archive::{ArchiveError, Flags, Game, Header, NO_SCORE, Reader, Writer};
use crate::rules;

/// The games of several archives, one after the other.
struct Source {
    /// Those not yet opened, the next one last.
    paths: Vec<PathBuf>,
    open: Option<(PathBuf, Reader<std::io::BufReader<std::fs::File>>)>,
    /// Games read.
    games: u64,
    /// Why there are no more.
    error: Option<DatagenError>,
}

impl Source {
    fn new(paths: &[PathBuf]) -> Source {
        let paths = paths.iter().rev().cloned().collect();
        Source { paths, open: None, games: 0, error: None }
    }

    /// The next game. An archive that is still being written counts up to its last complete game.
    fn next(&mut self) -> Option<Game> {
        while self.error.is_none() {
            let Some((path, reader)) = &mut self.open else {
                let path = self.paths.pop()?;
                match Reader::open(&path) {
                    Ok(reader) => self.open = Some((path, reader)),
                    Err(error) => self.error = Some(DatagenError::Archive(path, error)),
                }
                continue;
            };
            match reader.next() {
                Some(Ok(game)) => {
                    self.games += 1;
                    return Some(game);
                }
                Some(Err(error @ (ArchiveError::CutShort(_) | ArchiveError::Count(..)))) => {
                    log::warn!("{}: {error}; using what is before", path.display());
                    self.open = None;
                }
                Some(Err(error)) => {
                    self.error = Some(DatagenError::Archive(path.clone(), error));
                }
                None => self.open = None,
            }
        }
        None
    }
}

/// Searches the positions of the archives `args.relabel` again and writes their games with the new
/// scores, until all are done or `interrupted` is set; returns how many games the new archive has.
/// One that was begun is continued.
///
/// # Errors
/// When a file or memory fails, or the new archive has other games than the old ones; what was
/// written until then is kept.
pub fn relabel(args: &Args, out: PathBuf, interrupted: &AtomicBool) -> Result<u64, DatagenError> {
    let network = network(args)?;
    let mut games = Some(0);
    let mut header: Option<Header> = None;
    for path in &args.relabel {
        let reader = Reader::open(path);
        let reader = reader.map_err(|error| DatagenError::Archive(path.clone(), error))?;
        let promised = Some(reader.promised()).filter(|&games| games > 0);
        games = games.zip(promised).map(|(all, more)| all + more);
        let flags = header.map_or(Flags::RELABELLED, |header| header.flags);
        let first = header.unwrap_or(reader.header());
        header = Some(Header { flags: flags | reader.header().flags, ..first });
    }
    let header = Header {
        network: network.as_ref().map_or(0, |network| network.checksum()),
        nodes: args.nodes,
        scale: network.as_ref().map_or(0, |network| network.scale() as u32),
        ..header.unwrap_or_default()
    };
    let mut source = Source::new(&args.relabel);
    let mut positions = 0;
    let opened = Writer::open_with(&out, header, args.format, |_, game| {
        positions += game.moves.len() as u64;
        source.next().is_some_and(|old| is_same(&old, game))
    });
    if let Some(error) = source.error {
        return Err(error);
    }
    let writer = opened.map_err(|error| DatagenError::Archive(out.clone(), error))?;
    let progress = Progress::new(games, writer.games(), positions);
    let source = Mutex::new(source);
    let make = |player: &mut Player| {
        let (k, game) = {
            let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
            let k = source.games;
            (k, source.next()?)
        };
        Some((k, player.relabelled(game)))
    };
    let players = players(args, network.as_ref())?;
    let games = Output { path: out, writer, progress }.fill(players, make, interrupted)?;
    match source.into_inner().unwrap_or_else(PoisonError::into_inner).error {
        Some(error) => Err(error),
        None => Ok(games),
    }
}

/// Whether two games differ in nothing but scores.
fn is_same(one: &Game, other: &Game) -> bool {
    one.start == other.start
        && (one.result, one.ending) == (other.result, other.ending)
        && one.moves == other.moves
        && one.scores.len() == other.scores.len()
}

impl Player {
    /// The game with scores of its own; positions without a score stay so. Depends on nothing but
    /// the game and the settings.
    fn relabelled(&mut self, game: Game) -> Game {
        self.forget();
        let mut job = self.job(rules::Game::new(game.start));
        let unscored = game.unscored();
        let mut scores = game.scores;
        for (ply, &mv) in game.moves.iter().enumerate() {
            let score = ply.checked_sub(unscored).map(|i| &mut scores[i]);
            if let Some(score) = score.filter(|score| **score != NO_SCORE) {
                let side = job.game.position().side();
                let (new, _) = self.search(&mut job, self.nodes());
                *score = seen_by_red(new, side);
            }
            job.game.play(mv);
        }
        Game { scores, ..game }
    }
}
