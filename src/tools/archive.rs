//! `chuhe archive`: game archives from one format to the other.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

use crate::record::archive::{ArchiveError, Costs, Format, Reader, Writer};

/// Arguments of `chuhe archive`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Clone, Debug)]
enum Command {
    /// Write an archive in the other format, or in the one asked for
    Convert(Convert),
}

#[derive(clap::Args, Clone, Debug)]
struct Convert {
    /// Archive to read
    input: PathBuf,
    /// Archive to write; it must not exist
    output: PathBuf,
    /// Format to write
    #[arg(long, value_enum, default_value = "xgr2")]
    format: Format,
}

/// Why an archive was not converted.
#[derive(Debug)]
pub enum ConvertError {
    /// A file cannot be read or written.
    Archive(PathBuf, ArchiveError),
    /// The file to write exists.
    Exists(PathBuf),
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertError::Archive(path, error) => write!(f, "{}: {error}", path.display()),
            ConvertError::Exists(path) => write!(f, "{} exists already", path.display()),
        }
    }
}

impl std::error::Error for ConvertError {}

/// What was converted.
#[derive(Clone, Copy, Debug)]
pub struct Converted {
    /// Games written.
    pub games: u64,
    /// Moves of these games.
    pub positions: u64,
    /// Bytes of the new file.
    pub bytes: u64,
    /// What they were spent on, in `XGR2`.
    pub costs: Option<Costs>,
    /// The number of the game in which the old file ends, when it was cut off.
    pub cut: Option<u64>,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    let Command::Convert(args) = &args.command;
    match convert(&args.input, &args.output, args.format) {
        Ok(done) => {
            eprintln!("{}: {done}", args.output.display());
            if let Some(game) = done.cut {
                let input = args.input.display();
                eprintln!("{input}: cut short within game {game}; converted what is before");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("chuhe archive: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the games of one archive to another. The new file appears when it is complete.
///
/// # Errors
/// When a file cannot be read or written, the old one is damaged, or the new one exists. A file
/// that was cut off is converted up to there.
pub fn convert(input: &Path, output: &Path, format: Format) -> Result<Converted, ConvertError> {
    if output.exists() {
        return Err(ConvertError::Exists(output.to_path_buf()));
    }
    let part = with_suffix(output, ".part");
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |error: ArchiveError| ConvertError::Archive(path, error)
    };
    let system = |error: std::io::Error| failed(output)(error.into());
    let reader = Reader::open(input).map_err(failed(input))?;
    if part.exists() {
        // of a conversion that was interrupted
        fs::remove_file(&part).map_err(system)?;
    }
    let opened = Writer::open(&part, reader.header(), format);
    let (mut writer, ..) = opened.map_err(failed(&part))?;
    let bar = ProgressBar::new(reader.promised());
    let style = "{bar:30} {pos}/{len} games, {per_sec}, ETA {eta}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    let (mut positions, mut cut) = (0, None);
    for game in reader {
        let game = match game {
            Ok(game) => game,
            Err(ArchiveError::CutShort(game)) => {
                cut = Some(game);
                break;
            }
            Err(error) => return Err(failed(input)(error)),
        };
        writer.append(&game).map_err(failed(&part))?;
        positions += game.moves.len() as u64;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let (games, costs) = (writer.games(), writer.costs());
    writer.close().map_err(failed(&part))?;
    fs::rename(&part, output).map_err(system)?;
    let bytes = fs::metadata(output).map_err(system)?.len();
    Ok(Converted { games, positions, bytes, costs, cut })
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    PathBuf::from(name)
}

impl fmt::Display for Converted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = |bytes: f64| bytes / self.positions.max(1) as f64;
        write!(
            f,
            "{} games, {} positions, {:.3} bytes a position",
            self.games,
            self.positions,
            each(self.bytes as f64)
        )?;
        if let Some(Costs { moves, scores, .. }) = self.costs {
            write!(f, " (moves {:.3}, scores {:.3})", each(moves), each(scores))?;
        }
        Ok(())
    }
}
