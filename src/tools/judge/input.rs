//! The games to judge: a position with moves, or the games of PGN files.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use crate::record::{Problem, Record, pgn};
use crate::rules::Game;
use crate::tools::common::{InputError, read_game};

/// A game to judge.
pub(super) struct Subject {
    /// The file it comes from, if it comes from one.
    pub file: Option<String>,
    /// Its number in the file, from 1.
    pub number: usize,
    pub game: Game,
    /// What the file says of it.
    pub record: Option<Record>,
}

/// The game of `--fen` and `--moves`.
pub(super) fn from_arguments(
    fen: Option<&str>,
    moves: Option<&str>,
) -> Result<Subject, InputError> {
    let mut words = vec![fen.unwrap_or("startpos").to_string()];
    words.extend(moves.map(str::to_string));
    let game = read_game(&words)?;
    Ok(Subject { file: None, number: 1, game, record: None })
}

/// The games of a file and what was wrong with it.
pub(super) struct Contents {
    pub subjects: Vec<Subject>,
    /// Complaints that cost a game or a part of one.
    pub damage: Vec<String>,
    /// Other remarks.
    pub remarks: Vec<String>,
}

/// Reads a PGN file, or standard input for `-`.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn from_file(path: &Path) -> io::Result<Contents> {
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        ("standard input".to_string(), bytes)
    } else {
        (path.display().to_string(), fs::read(path)?)
    };
    let reading = pgn::read(&bytes);
    let (remarks, damage): (Vec<_>, Vec<_>) =
        reading.warnings.iter().partition(|warning| warning.problem == Problem::ResultsDiffer);
    let lines = |warnings: Vec<&crate::record::Warning>| {
        warnings.into_iter().map(|warning| format!("{name}: {warning}")).collect()
    };
    let subjects = reading.records.into_iter().enumerate().map(|(index, record)| {
        let mut game = Game::new(record.start);
        for mv in record.moves() {
            game.play(mv);
        }
        Subject { file: Some(name.clone()), number: index + 1, game, record: Some(record) }
    });
    let subjects = subjects.collect();
    Ok(Contents { subjects, damage: lines(damage), remarks: lines(remarks) })
}

/// The first plies of a game.
pub(super) fn cut(mut subject: Subject, plies: usize) -> Subject {
    let mut game = Game::new(*subject.game.start());
    for &mv in subject.game.moves().iter().take(plies) {
        game.play(mv);
    }
    subject.game = game;
    subject
}
