//! The JSON lines file of a match: first what was agreed, then a line for every finished game. It
//! is the memory of a match: resuming, merging and the PGN file need nothing else.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ArenaError;
use super::game::Ending;
use super::wire::{MATE, MATE_RANGE};
use crate::notation::Notation;
use crate::position::Position;
use crate::record::{Outcome, Ply, Record, pgn};

/// A line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry {
    /// The first line.
    Match(Header),
    /// All others.
    Game(Box<GameLine>),
}

/// What was agreed. Two files belong to one match when they differ in nothing but the shard.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the file format.
    pub format: u32,
    /// Name of the match.
    pub event: String,
    /// The engines in order.
    pub engines: Vec<EngineEntry>,
    /// The first engine against all others, instead of all against all.
    pub gauntlet: bool,
    /// Openings to be played by each two opponents.
    pub rounds: u64,
    /// Number of openings and a fingerprint of them in the order of play.
    pub openings: (usize, String),
    /// The rule set.
    pub rules: String,
    /// Adjudication and test as they were given.
    pub settings: String,
    /// This part of the match, from 1, and how many there are.
    pub shard: (u64, u64),
}

/// One engine in the header.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineEntry {
    /// Its name in the match.
    pub name: String,
    /// What ends its searches.
    pub limits: String,
    /// Options set, `name=value`.
    pub options: Vec<String>,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameLine {
    /// Number in the match, from 0; games `2n` and `2n + 1` are a pair.
    pub game: u64,
    /// Round, from 1.
    pub round: u64,
    /// Engine with the red men.
    pub red: String,
    /// Engine with the black men.
    pub black: String,
    /// Day of the game in UTC, `2026.01.31`.
    pub date: String,
    /// Position before the first move.
    pub fen: String,
    /// Moves of the opening, on the wire's coordinates.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// Moves of the engines.
    pub moves: String,
    /// For each move of the engines the last score, in hundredths of a pawn from the mover.
    pub scores: Vec<Option<i32>>,
    /// For each the depth.
    pub depths: Vec<Option<u32>>,
    /// For each the time in milliseconds.
    pub times: Vec<u64>,
    /// `1-0`, `0-1`, `1/2-1/2`.
    pub result: String,
    /// The kind of end.
    pub ending: Ending,
    /// The end in words.
    pub reason: String,
    /// The word of the rule that ended it, `checkmate` or `perpetual_chase`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The engine that misbehaved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The format this program writes.
pub const FORMAT: u32 = 1;

impl GameLine {
    /// The result.
    pub fn outcome(&self) -> Outcome {
        Outcome::parse(&self.result).unwrap_or_default()
    }

    /// The game for a PGN file. A line whose moves are not legal gives a record up to there.
    pub fn record(&self, header: &Header) -> Record {
        let start = Position::from_fen(&self.fen).unwrap_or_default();
        let mut record = Record::new(start);
        let limits = |name: &str| {
            let engine = header.engines.iter().find(|engine| engine.name == name);
            engine.map(|engine| engine.limits.clone()).unwrap_or_default()
        };
        let tags = [
            ("Event", header.event.clone()),
            ("Site", String::new()),
            ("Date", self.date.clone()),
            ("Round", format!("{}.{}", self.round, self.game % 2 + 1)),
            ("Red", self.red.clone()),
            ("Black", self.black.clone()),
            ("RedLimits", limits(&self.red)),
            ("BlackLimits", limits(&self.black)),
            ("Termination", self.ending.label().to_string()),
            ("GameNumber", (self.game + 1).to_string()),
        ];
        record.tags = tags.map(|(name, value)| (name.to_string(), value)).to_vec();
        record.outcome = self.outcome();
        let mut pos = start;
        let book = self.opening.split_ascii_whitespace().map(|mv| (mv, "book".to_string()));
        let own =
            self.moves.split_ascii_whitespace().enumerate().map(|(i, mv)| (mv, self.comment(i)));
        for (text, comment) in book.chain(own) {
            let Some(mv) = text.parse().ok().filter(|&mv| pos.is_legal(mv)) else { break };
            record.plies.push(Ply { mv, comment });
            pos = pos.make(mv);
        }
        let last = match record.plies.last_mut() {
            Some(ply) => &mut ply.comment,
            None => &mut record.comment,
        };
        if !last.is_empty() {
            last.push_str(", ");
        }
        last.push_str(&self.reason);
        record
    }

    /// `+0.32/12 1.5s`, as other programs write it.
    fn comment(&self, index: usize) -> String {
        let score = self.scores.get(index).copied().flatten().map(score_text);
        let depth = self.depths.get(index).copied().flatten();
        let time = self.times.get(index).map(|&ms| format!("{:.2}s", ms as f64 / 1000.0));
        let opinion = match (score, depth) {
            (Some(score), Some(depth)) => Some(format!("{score}/{depth}")),
            (score, _) => score,
        };
        [opinion, time].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// `+0.32`, `-M3`.
fn score_text(score: i32) -> String {
    let sign = if score < 0 { '-' } else { '+' };
    if score.abs() >= MATE_RANGE {
        return format!("{sign}M{}", MATE - score.abs());
    }
    format!("{sign}{}.{:02}", score.abs() / 100, score.abs() % 100)
}

/// A file read back.
#[derive(Clone, PartialEq, Debug)]
pub struct Journal {
    /// Its first line.
    pub header: Header,
    /// Its games in file order.
    pub games: Vec<GameLine>,
    /// Bytes up to the end of the last complete line.
    pub length: u64,
}

/// Reads a file. A last line without its end was being written when something ended the program; it
/// does not count.
///
/// # Errors
/// When the file cannot be read, is of another kind, or holds a game twice.
pub fn read(path: &Path) -> Result<Journal, ArenaError> {
    let shown = path.display();
    let text =
        std::fs::read(path).map_err(|error| ArenaError::File(format!("{shown}: {error}")))?;
    parse(&String::from_utf8_lossy(&text))
        .map_err(|text| ArenaError::File(format!("{shown}: {text}")))
}

fn parse(text: &str) -> Result<Journal, String> {
    let complete = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
    let (mut header, mut games, mut seen) = (None, Vec::new(), HashSet::new());
    for (index, line) in complete.lines().enumerate() {
        let place = |what: String| format!("line {}: {what}", index + 1);
        let entry = serde_json::from_str(line).map_err(|error| place(error.to_string()))?;
        match entry {
            Entry::Match(first) if header.is_none() && first.format == FORMAT => {
                header = Some(first)
            }
            Entry::Match(first) if header.is_none() => {
                return Err(place(format!("format {} is not {FORMAT}", first.format)));
            }
            Entry::Game(game) if header.is_some() => {
                if !seen.insert(game.game) {
                    return Err(place(format!("game {} a second time", game.game + 1)));
                }
                games.push(*game);
            }
            _ => return Err(place("not in its place".to_string())),
        }
    }
    let header = header.ok_or("no first line of a match")?;
    Ok(Journal { header, games, length: complete.len() as u64 })
}

/// The files a match writes. Either may be missing.
#[derive(Debug)]
pub struct Files {
    journal: Option<File>,
    pgn: Option<(File, Notation)>,
    header: Header,
}

impl Files {
    /// Opens the files of a new match, or of one that goes on after `old`; the PGN file is then
    /// written anew from what the journal knows.
    ///
    /// # Errors
    /// When a file of a new match exists or cannot be made.
    pub fn open(
        header: Header,
        journal: Option<&Path>,
        pgn_path: Option<(&Path, Notation)>,
        old: Option<&Journal>,
    ) -> Result<Files, ArenaError> {
        let mut files = Files { journal: None, pgn: None, header };
        if let Some(path) = journal {
            let file = match old {
                Some(old) => open(path, OpenOptions::new().append(true)).and_then(|file| {
                    file.set_len(old.length).map_err(|error| failed(path, &error))?;
                    Ok(file)
                }),
                None => open(path, OpenOptions::new().append(true).create_new(true)),
            }?;
            files.journal = Some(file);
            if old.is_none() {
                files.write_entry(&Entry::Match(files.header.clone()))?;
            }
        }
        if let Some((path, notation)) = pgn_path {
            let mut options = OpenOptions::new();
            options.write(true);
            match old {
                Some(_) => options.create(true).truncate(true),
                None => options.create_new(true),
            };
            files.pgn = Some((open(path, &options)?, notation));
            for game in old.map(|old| old.games.as_slice()).unwrap_or_default() {
                files.write_pgn(game)?;
            }
        }
        Ok(files)
    }

    /// Adds a game to both.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn add(&mut self, game: &GameLine) -> Result<(), ArenaError> {
        self.write_entry(&Entry::Game(Box::new(game.clone())))?;
        self.write_pgn(game)
    }

    fn write_entry(&mut self, entry: &Entry) -> Result<(), ArenaError> {
        let Some(file) = &mut self.journal else { return Ok(()) };
        let text = serde_json::to_string(entry)
            .map_err(|error| ArenaError::File(format!("journal: {error}")))?;
        // One write for the line and its end: a reader never sees half of it unless we are killed.
        file.write_all((text + "\n").as_bytes())
            .and_then(|()| file.flush())
            .map_err(|error| ArenaError::File(format!("journal: {error}")))
    }

    fn write_pgn(&mut self, game: &GameLine) -> Result<(), ArenaError> {
        let Some((file, notation)) = &mut self.pgn else { return Ok(()) };
        let text = pgn::write(&game.record(&self.header), *notation);
        file.write_all(text.as_bytes())
            .and_then(|()| file.flush())
            .map_err(|error| ArenaError::File(format!("PGN file: {error}")))
    }
}

fn open(path: &Path, options: &OpenOptions) -> Result<File, ArenaError> {
    options.open(path).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> ArenaError {
    let hint = match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            "exists already; take another name or --resume".to_string()
        }
        _ => error.to_string(),
    };
    ArenaError::File(format!("{}: {hint}", path.display()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn header(names: &[&str]) -> Header {
        let engine = |name: &&str| EngineEntry {
            name: name.to_string(),
            limits: "nodes=1".to_string(),
            options: Vec::new(),
        };
        Header {
            format: FORMAT,
            event: "Test".to_string(),
            engines: names.iter().map(engine).collect(),
            gauntlet: false,
            rounds: 4,
            openings: (1, "0".to_string()),
            rules: "test".to_string(),
            settings: String::new(),
            shard: (1, 1),
        }
    }

    pub(in super::super) fn game(game: u64, red: &str, black: &str, result: &str) -> GameLine {
        GameLine {
            game,
            round: game / 2 + 1,
            red: red.to_string(),
            black: black.to_string(),
            date: "2026.01.31".to_string(),
            fen: Position::START_FEN.to_string(),
            opening: "h2e2 h9g7".to_string(),
            moves: "h0g2 i9h9".to_string(),
            scores: vec![Some(-32), Some(29_997)],
            depths: vec![Some(4), None],
            times: vec![1_250],
            result: result.to_string(),
            ending: Ending::Rules,
            reason: "Red wins by checkmate".to_string(),
            rule: Some("checkmate".to_string()),
            fault: None,
        }
    }

    #[test]
    fn files_read_back_and_torn_lines_do_not_count() {
        let mut text = String::new();
        let games = [game(0, "A", "B", "1-0"), game(1, "B", "A", "0-1")];
        let entries = games.iter().map(|game| Entry::Game(Box::new(game.clone())));
        for entry in std::iter::once(Entry::Match(header(&["A", "B"]))).chain(entries) {
            text += &(serde_json::to_string(&entry).unwrap() + "\n");
        }
        let journal = parse(&text).unwrap();
        assert_eq!((journal.games.as_slice(), journal.length), (&games[..], text.len() as u64));
        let torn = format!("{text}{{\"type\":\"game\",\"ga");
        assert_eq!(parse(&torn).unwrap(), journal);
        let twice = format!("{text}{}\n", text.lines().last().unwrap());
        assert!(parse(&twice).unwrap_err().contains("line 4: game 2 a second time"));
        for bad in ["", "{}\n", "not JSON\n", text.lines().last().unwrap()] {
            assert!(parse(bad).is_err(), "{bad}");
        }
        let headless = format!("{}\n", text.lines().last().unwrap());
        assert!(parse(&headless).unwrap_err().contains("not in its place"));
    }

    #[test]
    fn records_tell_what_the_engines_thought() {
        let record = game(2, "A", "B", "1-0").record(&header(&["A", "B"]));
        let comments: Vec<&str> = record.plies.iter().map(|ply| ply.comment.as_str()).collect();
        assert_eq!(comments, ["book", "book", "-0.32/4 1.25s", "+M3, Red wins by checkmate"]);
        assert_eq!(record.tag("Round"), Some("2.1"));
        assert_eq!(record.tag("RedLimits"), Some("nodes=1"));
        assert_eq!(record.outcome, Outcome::RedWins);
    }
}
