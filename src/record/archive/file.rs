//! Archives as files: read from any input, appended to on disk.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{ArchiveError, COUNT_AT, Format, Game, HEADER_LEN, Header, xgr1, xgr2};

/// Unit in which file systems keep data.
const PAGE: u64 = 4_096;

/// What the games of an `XGR2` file cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    /// Moves written.
    pub positions: u64,
    /// Bytes in all, without the header.
    pub bytes: u64,
    /// Bytes of information in the moves.
    pub moves: f64,
    /// Bytes of information in the scores.
    pub scores: f64,
}

/// What is between two games.
#[derive(Debug)]
enum State {
    Xgr1,
    Xgr2(Box<xgr2::Codec>),
}

impl State {
    fn new(format: Format, header: &[u8; HEADER_LEN]) -> State {
        match format {
            Format::Xgr1 => State::Xgr1,
            Format::Xgr2 => State::Xgr2(Box::new(xgr2::Codec::new(&header[..COUNT_AT as usize]))),
        }
    }

    fn format(&self) -> Format {
        match self {
            State::Xgr1 => Format::Xgr1,
            State::Xgr2(_) => Format::Xgr2,
        }
    }
}

/// Reads the games of an archive of either kind, checking every move.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    state: State,
    promised: u64,
    games: u64,
    /// Where the last complete game ends.
    good: u64,
    done: bool,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read or is no archive.
    pub fn open(path: &Path) -> Result<Reader<BufReader<File>>, ArchiveError> {
        Reader::new(BufReader::with_capacity(1 << 20, File::open(path)?))
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// When the input cannot be read or is no archive.
    pub fn new(mut input: R) -> Result<Reader<R>, ArchiveError> {
        let mut bytes = [0; HEADER_LEN];
        input.read_exact(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => ArchiveError::NotAnArchive,
            _ => ArchiveError::from(error),
        })?;
        let (header, format, promised) = Header::from_bytes(&bytes)?;
        let state = State::new(format, &bytes);
        let good = HEADER_LEN as u64;
        Ok(Reader { input, header, state, promised, games: 0, good, done: false })
    }

    /// How the games were made.
    pub fn header(&self) -> Header {
        self.header
    }

    /// How they are written.
    pub fn format(&self) -> Format {
        self.state.format()
    }

    /// Games that the header promises, 0 when the file was not closed.
    pub fn promised(&self) -> u64 {
        self.promised
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The next game, `None` at the end.
    fn game(&mut self) -> Result<Option<Game>, ArchiveError> {
        let number = self.games + 1;
        let read = match &mut self.state {
            State::Xgr1 => xgr1::read(&mut self.input, number),
            State::Xgr2(codec) => codec.read(&mut self.input, number),
        };
        match read? {
            Some((game, length)) => {
                self.games += 1;
                self.good += length;
                Ok(Some(game))
            }
            None if self.promised == 0 || self.promised == self.games => Ok(None),
            None => Err(ArchiveError::Count(self.games, self.promised)),
        }
    }
}

/// The next byte, `None` at the end.
pub(super) fn first_byte(input: &mut impl Read) -> Result<Option<u8>, ArchiveError> {
    let mut byte = [0];
    loop {
        match input.read(&mut byte) {
            Ok(0) => return Ok(None),
            Ok(_) => return Ok(Some(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ArchiveError::from(error)),
        }
    }
}

/// Bytes of the game with this number.
pub(super) fn fill(
    input: &mut impl Read,
    bytes: &mut [u8],
    number: u64,
) -> Result<(), ArchiveError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => ArchiveError::CutShort(number),
        _ => ArchiveError::from(error),
    })
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Game, ArchiveError>;

    /// Nothing follows an error.
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = self.game().transpose();
        self.done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// Whether there are pages behind `from` and all of them are empty: what a file system may leave of
/// a write when power fails.
fn is_blank(file: &mut File, from: u64) -> io::Result<bool> {
    let page = from.next_multiple_of(PAGE);
    if file.metadata()?.len() <= page {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(page))?;
    for byte in BufReader::new(file).bytes() {
        if byte? != 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Appends games to a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
    state: State,
    games: u64,
    buffer: Vec<u8>,
}

impl Writer {
    /// Opens a file to append to, and says how many games and positions with moves it holds. A new
    /// file gets the header; one that was cut off loses its incomplete last game. An existing file
    /// goes on in its own format.
    ///
    /// # Errors
    /// When the file cannot be written, is damaged, or was made with other settings.
    pub fn open(
        path: &Path,
        header: Header,
        format: Format,
    ) -> Result<(Writer, u64, u64), ArchiveError> {
        let mut positions = 0;
        let writer = Writer::open_with(path, header, format, |_, game| {
            positions += game.moves.len() as u64;
            true
        })?;
        let games = writer.games;
        Ok((writer, games, positions))
    }

    /// The same, with a check of each game in the file: its number, from 0, and itself.
    ///
    /// # Errors
    /// As above; [`ArchiveError::OtherGames`] when `check` refuses a game.
    pub fn open_with(
        path: &Path,
        header: Header,
        format: Format,
        mut check: impl FnMut(u64, &Game) -> bool,
    ) -> Result<Writer, ArchiveError> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        if file.metadata()?.len() < HEADER_LEN as u64 {
            // new, or cut off while the header was being written
            let bytes = header.to_bytes(format, 0);
            file.set_len(0)?;
            file.write_all(&bytes)?;
            return Ok(Writer {
                file,
                state: State::new(format, &bytes),
                games: 0,
                buffer: Vec::new(),
            });
        }
        let mut reader = Reader::new(BufReader::with_capacity(1 << 20, &file))?;
        if reader.header() != header {
            return Err(ArchiveError::OtherSettings);
        }
        reader.promised = 0;
        let (mut number, mut damage) = (0, None);
        for game in &mut reader {
            match game {
                Ok(game) if check(number, &game) => number += 1,
                Ok(_) => return Err(ArchiveError::OtherGames(number + 1)),
                Err(ArchiveError::CutShort(_)) => {}
                Err(error) => damage = Some(error),
            }
        }
        let Reader { state, games, good, .. } = reader;
        if let Some(error) = damage
            && !is_blank(&mut file, good)?
        {
            return Err(error);
        }
        file.set_len(good)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.to_bytes(state.format(), 0))?;
        file.seek(SeekFrom::End(0))?;
        Ok(Writer { file, state, games, buffer: Vec::new() })
    }

    /// Appends a game in one write.
    ///
    /// # Errors
    /// When the file cannot be written, or a move is not legal.
    pub fn append(&mut self, game: &Game) -> Result<(), ArchiveError> {
        self.buffer.clear();
        match &mut self.state {
            State::Xgr1 => xgr1::encode(game, &mut self.buffer),
            State::Xgr2(codec) => codec
                .encode(game, &mut self.buffer)
                .map_err(|what| ArchiveError::BadGame(self.games + 1, what))?,
        }
        self.file.write_all(&self.buffer)?;
        self.games += 1;
        Ok(())
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// What the games appended so far cost, in `XGR2`.
    pub fn costs(&self) -> Option<Costs> {
        match &self.state {
            State::Xgr1 => None,
            State::Xgr2(codec) => Some(codec.costs()),
        }
    }

    /// Writes the number of games into the header and makes sure that all is on disk.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn close(mut self) -> Result<(), ArchiveError> {
        self.file.seek(SeekFrom::Start(COUNT_AT))?;
        self.file.write_all(&self.games.to_le_bytes())?;
        self.file.sync_all()?;
        Ok(())
    }
}
