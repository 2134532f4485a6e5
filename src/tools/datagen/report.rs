//! What an archive contains, and whether it looks as it should.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::json;

use super::opening::Beginning;
use crate::record::archive::{ArchiveError, Ending, GameResult, Header, Reader};

/// Scores beyond this are left out of training and of the fit.
const FITTED: i16 = 2_000;
/// Fewer games than this are not judged.
const JUDGED_GAMES: u64 = 500;
/// Width of a histogram bin in centipawns.
const BIN: i32 = 200;
const BINS: usize = 20;

/// Everything that is counted.
#[derive(Default)]
struct Report {
    games: u64,
    positions: u64,
    scored: u64,
    /// Quiet, not in check, score within the range of training.
    kept: u64,
    results: [u64; 3],
    endings: [u64; Ending::ALL.len()],
    beginnings: [u64; Beginning::ALL.len()],
    /// Scores from the side to move by bin, with the points made from there.
    bins: [(u64, f64); BINS],
    /// Score from the side to move and points, for the fit.
    pairs: Vec<(i16, f32)>,
}

/// Prints a report of each archive; fails when one is damaged or does not look as it should.
pub(super) fn run(paths: &[PathBuf]) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in paths {
        match read(path) {
            Ok((header, report)) => match report.print(path, header) {
                Ok(()) if !report.problems().is_empty() => code = ExitCode::FAILURE,
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    eprintln!("chuhe datagen: cannot write: {error}");
                    return ExitCode::FAILURE;
                }
                _ => {}
            },
            Err(error) => {
                eprintln!("chuhe datagen: {}: {error}", path.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

fn read(path: &Path) -> Result<(Header, Report), ArchiveError> {
    let mut reader = Reader::open(path)?;
    let mut report = Report::default();
    for game in &mut reader {
        let game = game?;
        report.games += 1;
        report.results[game.result as usize] += 1;
        report.endings[game.ending as usize] += 1;
        report.beginnings[Beginning::of(&game.start) as usize] += 1;
        for sample in game.samples() {
            report.positions += 1;
            let Some(score) = sample.score else { continue };
            report.scored += 1;
            let side = sample.position.side();
            let score = score * side.sign() as i16;
            let points = f64::from(game.result.points(side)) / 2.0;
            let bin = (i32::from(score) + BIN * BINS as i32 / 2).div_euclid(BIN);
            let bin = &mut report.bins[bin.clamp(0, BINS as i32 - 1) as usize];
            *bin = (bin.0 + 1, bin.1 + points);
            let quiet = sample.position.captured(sample.mv).is_none();
            if quiet && score.abs() <= FITTED && !sample.position.in_check() {
                report.kept += 1;
                report.pairs.push((score, points as f32));
            }
        }
    }
    Ok((reader.header(), report))
}

/// Mean of (σ(score / scale) − points)² over scores in centipawns and points 0, ½, 1.
pub fn result_error(pairs: &[(i16, f32)], scale: f64) -> f64 {
    let chance = |score: i16| 1.0 / (1.0 + (-f64::from(score) / scale).exp());
    let sum: f64 = pairs.iter().map(|&(s, p)| (chance(s) - f64::from(p)).powi(2)).sum();
    sum / pairs.len().max(1) as f64
}

/// The scale that makes [`result_error`] smallest, by golden section search over 50..2,000.
pub fn fit_scale(pairs: &[(i16, f32)]) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50.0, 2_000.0);
    while high - low > 0.5 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if result_error(pairs, a) < result_error(pairs, b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

impl Report {
    /// What speaks against using the file. Small files are not judged: chance rules them.
    fn problems(&self) -> Vec<&'static str> {
        if self.games < JUDGED_GAMES {
            return Vec::new();
        }
        let share = |n: u64, of: u64| n as f64 / of.max(1) as f64;
        let [black, draws, red] = self.results.map(|n| share(n, self.games));
        let other_rules = share(self.endings[Ending::OtherRule as usize], self.games);
        let checks = [
            ((red - black).abs() > 0.15, "one colour wins far more often"),
            (draws > 0.7, "nearly all games are drawn"),
            (draws < 0.01, "hardly a game is drawn"),
            (other_rules > 0.2, "rules end games that search should"),
            (share(self.kept, self.scored) < 0.4, "most positions are of no use"),
            (share(self.positions, self.games) < 30.0, "games are very short"),
        ];
        checks.into_iter().filter(|&(wrong, _)| wrong).map(|(_, what)| what).collect()
    }

    fn print(&self, path: &Path, header: Header) -> io::Result<()> {
        let games = self.games.max(1) as f64;
        let share = |n: u64, of: u64| (1000.0 * n as f64 / of.max(1) as f64).round() / 10.0;
        let endings: serde_json::Map<String, serde_json::Value> = Ending::ALL
            .iter()
            .map(|&ending| (format!("{ending:?}"), json!(self.endings[ending as usize])))
            .collect();
        let scale = fit_scale(&self.pairs);
        let bins: Vec<_> = self
            .bins
            .iter()
            .enumerate()
            .filter(|(_, bin)| bin.0 > 0)
            .map(|(i, &(count, points))| {
                let middle = (i as i32 - BINS as i32 / 2) * BIN + BIN / 2;
                let mean = (1000.0 * points / count as f64).round() / 1000.0;
                json!([middle, count, mean])
            })
            .collect();
        let report = json!({
            "file": path.display().to_string(),
            "shard": format!("{}/{}", header.shard, header.shards),
            "seed": header.seed,
            "network": format!("{:016x}", header.network),
            "nodes": header.nodes,
            "games": self.games,
            "positions": self.positions,
            "plies_per_game": (self.positions as f64 / games * 10.0).round() / 10.0,
            "red_wins_percent": share(self.results[GameResult::RedWins as usize], self.games),
            "draws_percent": share(self.results[GameResult::Draw as usize], self.games),
            "black_wins_percent": share(self.results[GameResult::BlackWins as usize], self.games),
            "openings_percent": {
                "start_position": share(self.beginnings[Beginning::Start as usize], self.games),
                "middle_game": share(self.beginnings[Beginning::Middle as usize], self.games),
                "few_men": share(self.beginnings[Beginning::Sparse as usize], self.games),
            },
            "endings": endings,
            "scored": self.scored,
            "kept_percent": share(self.kept, self.scored),
            "scale": scale.round(),
            "result_error": (result_error(&self.pairs, scale) * 1e5).round() / 1e5,
            "problems": self.problems(),
            "score_count_points": bins,
        });
        writeln!(io::stdout(), "{report:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_files_are_noticed() {
        let sound = || Report {
            games: 1_000,
            positions: 100_000,
            scored: 92_000,
            kept: 70_000,
            results: [380, 200, 420],
            ..Report::default()
        };
        assert!(sound().problems().is_empty());
        let one_sided = Report { results: [200, 200, 600], ..sound() };
        assert_eq!(one_sided.problems(), ["one colour wins far more often"]);
        let no_draws = Report { results: [500, 0, 500], ..sound() };
        assert_eq!(no_draws.problems(), ["hardly a game is drawn"]);
        let noisy = Report { kept: 20_000, positions: 20_000, ..sound() };
        assert_eq!(noisy.problems().len(), 2);
        let small = Report { games: 100, results: [0, 0, 100], ..sound() };
        assert!(small.problems().is_empty());
    }

    #[test]
    fn the_fit_finds_the_scale_that_made_the_data() {
        for scale in [150.0, 300.0, 700.0] {
            let chance = |s: i16| 1.0 / (1.0 + (-f64::from(s) / scale).exp());
            let pairs: Vec<(i16, f32)> =
                (-1500..=1500).step_by(7).map(|s| (s, chance(s) as f32)).collect();
            assert!((fit_scale(&pairs) - scale).abs() < 3.0, "{} for {scale}", fit_scale(&pairs));
            assert!(result_error(&pairs, scale) < 1e-9);
        }
    }
}
