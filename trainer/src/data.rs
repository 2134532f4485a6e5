//! Positions to learn from: read from game archives, filtered, split by games.

use std::collections::HashSet;
use std::path::PathBuf;

use chuhe::record::archive::{ArchiveError, Game, Label, Packed, Reader};
use chuhe::tools::datagen::fit_scale;

use crate::Error;
use crate::random::mix;

/// Scores beyond this are not learned from, in centipawns: such positions are decided.
const HIGHEST_SCORE: i16 = 2_000;
/// One game in so many is kept for validation: 3 %.
const VALIDATION_SHARE: u64 = 33;
/// Positions that are enough to fit the scale.
const FIT_POSITIONS: usize = 2_000_000;

/// A training set and the validation set beside it.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Positions to learn from.
    pub train: Vec<Packed>,
    /// Positions of other games.
    pub validation: Vec<Packed>,
    /// Games read.
    pub games: u64,
    /// Positions read, before any filter.
    pub positions: u64,
    /// A number that stands for the content of both sets.
    pub fingerprint: u64,
}

/// The quiet, undecided positions of a game with their labels.
pub fn positions_of(game: &Game) -> impl Iterator<Item = (u64, Packed)> + '_ {
    game.samples().filter_map(|sample| {
        let pos = &sample.position;
        let score = sample.score? * pos.side().sign() as i16;
        let label = Label {
            score,
            points: game.result.points(pos.side()),
            check: pos.in_check(),
            capture: pos.captured(sample.mv).is_some(),
            ply: sample.ply as u16,
        };
        let useful = !label.check && !label.capture && score.abs() <= HIGHEST_SCORE;
        useful.then(|| (pos.key(), Packed::new(pos, label)))
    })
}

impl Data {
    /// Reads archives, the oldest first. Of a position that occurs several times the newest label
    /// is kept. `seed` decides which games are for validation. A file that is still being written
    /// counts up to its last complete game.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged, or there is nothing to learn from.
    pub fn load(paths: &[PathBuf], seed: u64) -> Result<Data, Error> {
        let mut data = Data::default();
        let mut seen = HashSet::new();
        for (file, path) in paths.iter().enumerate().rev() {
            let failed = |error| Error::Archive(path.clone(), error);
            let mut reader = Reader::open(path).map_err(failed)?;
            while let Some(game) = reader.next() {
                let game = match game {
                    Ok(game) => game,
                    Err(error @ (ArchiveError::CutShort(_) | ArchiveError::Count(..))) => {
                        log::warn!("{}: {error}; using what is before", path.display());
                        break;
                    }
                    Err(error) => return Err(failed(error)),
                };
                let number = (file as u64) << 40 | reader.games();
                let validate = mix(mix(seed) ^ number).is_multiple_of(VALIDATION_SHARE);
                let set = if validate { &mut data.validation } else { &mut data.train };
                data.games += 1;
                data.positions += game.moves.len() as u64;
                for (key, packed) in positions_of(&game) {
                    if seen.insert(key) {
                        data.fingerprint =
                            mix(data.fingerprint ^ key) ^ packed.label().score as u64;
                        set.push(packed);
                    }
                }
            }
        }
        if data.train.is_empty() || data.validation.is_empty() {
            return Err(Error::NoData);
        }
        Ok(data)
    }

    /// The scale that best turns the scores of the training set into its results.
    pub fn fit_scale(&self) -> i32 {
        let step = self.train.len().div_ceil(FIT_POSITIONS).max(1);
        let pairs: Vec<(i16, f32)> = self
            .train
            .iter()
            .step_by(step)
            .map(|packed| packed.label())
            .map(|label| (label.score, f32::from(label.points) / 2.0))
            .collect();
        fit_scale(&pairs).round() as i32
    }
}
