//! `chuhe merge`: one summary of the shards of a match.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use super::journal::{self, Header, Journal};
use super::schedule::Schedule;
use super::sprt::Sprt;
use super::standings::Standings;
use super::{ArenaError, report};

/// Arguments of `chuhe merge`.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// JSON lines files written by `chuhe match`
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Judge the results of two engines, as in `chuhe match`
    #[arg(long, value_name = "elo0=..,elo1=..")]
    pub sprt: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> ExitCode {
    match summary(args) {
        Ok(text) => {
            // A reader that has gone away is no error.
            let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("merge: {error}");
            ExitCode::FAILURE
        }
    }
}

fn summary(args: &Args) -> Result<String, ArenaError> {
    let sprt = args.sprt.as_deref().map(Sprt::parse).transpose()?;
    let mut journals = Vec::new();
    for path in &args.files {
        journals.push((path.display().to_string(), journal::read(path)?));
    }
    let standings = add_up(&journals)?;
    if sprt.is_some() && standings.names().len() != 2 {
        return Err(ArenaError::Config("--sprt needs a match of two engines".to_string()));
    }
    let all = journals.first().map_or(0, |(_, journal)| all_games(&journal.header));
    let complete = standings.games() >= all;
    Ok(if args.json {
        report::json(&standings, sprt.as_ref(), complete).to_string()
    } else {
        report::text(&standings, sprt.as_ref())
    })
}

/// Games of the whole match.
fn all_games(header: &Header) -> u64 {
    Schedule::new(header.engines.len(), header.gauntlet, header.rounds, (0, 1)).games()
}

/// Adds up journals of one match. No game may be in two of them.
fn add_up(journals: &[(String, Journal)]) -> Result<Standings, ArenaError> {
    let Some((first_name, first)) = journals.first() else {
        return Err(ArenaError::Config("no file".to_string()));
    };
    let shared = |header: &Header| Header { shard: (1, 1), ..header.clone() };
    let names = first.header.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut standings = Standings::new(names);
    let mut seen: HashMap<u64, &str> = HashMap::new();
    for (name, journal) in journals {
        if shared(&journal.header) != shared(&first.header) {
            return Err(ArenaError::File(format!(
                "{name} and {first_name} are of different matches"
            )));
        }
        for game in &journal.games {
            if let Some(other) = seen.insert(game.game, name) {
                let number = game.game + 1;
                return Err(ArenaError::File(format!("game {number} is in {other} and in {name}")));
            }
            if !standings.add(game) {
                let number = game.game + 1;
                return Err(ArenaError::File(format!("{name}: game {number} has no result")));
            }
        }
    }
    Ok(standings)
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::{game, header};
    use super::*;

    fn shard(index: u64, games: &[u64]) -> (String, Journal) {
        let mut header = header(&["A", "B"]);
        header.shard = (index, 2);
        let games = games.iter().map(|&number| {
            let (red, black) = if number % 2 == 0 { ("A", "B") } else { ("B", "A") };
            game(number, red, black, "1-0")
        });
        (format!("shard{index}"), Journal { header, games: games.collect(), length: 0 })
    }

    #[test]
    fn shards_add_up() {
        // A pair may even be torn apart.
        let standings = add_up(&[shard(1, &[0, 1, 4]), shard(2, &[2, 3, 5])]).unwrap();
        let tally = standings.duel(0, 1);
        assert_eq!((tally.wins, tally.losses, tally.pairs), (3, 3, [0, 0, 3, 0, 0]));
        assert_eq!(all_games(&shard(1, &[]).1.header), 8, "four rounds");
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let twice = add_up(&[shard(1, &[0, 1]), shard(2, &[1])]).unwrap_err().to_string();
        assert!(twice.contains("game 2 is in shard1 and in shard2"), "{twice}");
        let mut other = shard(2, &[2]);
        other.1.header.engines[1].limits = "nodes=2".to_string();
        let error = add_up(&[shard(1, &[0]), other]).unwrap_err().to_string();
        assert!(error.contains("different matches"), "{error}");
    }
}
