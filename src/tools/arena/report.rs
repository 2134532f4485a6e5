//! Results for people and for programs. Text only; the callers own the streams.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::sprt::{Decision, Model, Sprt};
use super::standings::Standings;
use super::stats::{Elo, Tally};

/// The standings as lines of text.
pub fn text(standings: &Standings, sprt: Option<&Sprt>) -> String {
    let mut text = String::new();
    match standings.names() {
        [first, second] => duel(&mut text, first, second, &standings.duel(0, 1), sprt),
        _ => table(&mut text, standings),
    }
    for (index, name) in standings.names().iter().enumerate() {
        let faults: Vec<String> = standings
            .faults(index)
            .map(|(ending, n)| format!("{n} x {}", ending.label()))
            .collect();
        if !faults.is_empty() {
            let _ = writeln!(text, "{name} misbehaved: {}", faults.join(", "));
        }
    }
    let endings: Vec<String> =
        standings.endings().iter().map(|(ending, n)| format!("{} {n}", ending.label())).collect();
    if !endings.is_empty() {
        let _ = writeln!(text, "Ends: {}", endings.join(", "));
    }
    text
}

fn duel(text: &mut String, first: &str, second: &str, tally: &Tally, sprt: Option<&Sprt>) {
    let Tally { wins, draws, losses, pairs } = tally;
    let score = percent(tally.score());
    let _ = writeln!(
        text,
        "{first} - {second}: +{wins} ={draws} -{losses}, {score} of {} games",
        tally.games()
    );
    let elo = elo_text(tally.elo());
    let normalized = elo_text(tally.normalized_elo());
    let los = percent(tally.superiority());
    let _ = writeln!(text, "Elo {elo}, normalised {normalized}, LOS {los}");
    let [ll, ld, dd, wd, ww] = pairs;
    let _ = writeln!(text, "Pairs by points 0 .5 1 1.5 2: {ll} {ld} {dd} {wd} {ww}");
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let verdict = match sprt.decide(pairs) {
            Some(Decision::H0) => "H0 accepted",
            Some(Decision::H1) => "H1 accepted",
            None => "undecided",
        };
        let _ = writeln!(
            text,
            "SPRT [{}, {}] {} Elo: LLR {:.2} in ({low:.2}, {high:.2}), {verdict}",
            sprt.elo0,
            sprt.elo1,
            model_name(sprt.model),
            sprt.llr(pairs),
        );
    }
}

fn table(text: &mut String, standings: &Standings) {
    let width = standings.names().iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let ranking = standings.ranking();
    let _ = writeln!(
        text,
        "   # {:<width$}  games    won  drawn   lost   score  Elo against the field",
        "engine"
    );
    for (place, &one) in ranking.iter().enumerate() {
        let total = standings.total(one);
        let _ = writeln!(
            text,
            "{:>4} {:<width$} {:>6} {:>6} {:>6} {:>6} {:>7}  {}",
            place + 1,
            standings.names()[one],
            total.games(),
            total.wins,
            total.draws,
            total.losses,
            percent(total.score()),
            elo_text(total.elo()),
        );
    }
    for (place, &one) in ranking.iter().enumerate() {
        for &other in &ranking[place + 1..] {
            let tally = standings.duel(one, other);
            if tally.games() > 0 {
                let Tally { wins, draws, losses, .. } = tally;
                let names = (&standings.names()[one], &standings.names()[other]);
                let elo = elo_text(tally.elo());
                let _ = writeln!(
                    text,
                    "{} - {}: +{wins} ={draws} -{losses}, Elo {elo}",
                    names.0, names.1
                );
            }
        }
    }
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share))
}

/// `+12.3 +- 8.5`; `inf` when one side has every point.
fn elo_text(elo: Option<Elo>) -> String {
    match elo {
        None => "-".to_string(),
        Some(Elo { value, error }) => {
            let error = error.map_or("?".to_string(), |error| format!("{error:.1}"));
            // A difference of nothing has no sign.
            let value = if value.abs() < 0.05 { 0.0 } else { value };
            format!("{value:+.1} +- {error}")
        }
    }
}

fn model_name(model: Model) -> &'static str {
    match model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalised",
    }
}

/// The standings as one JSON object. Numbers that are unknown or infinite are null; `pairs` counts
/// pairs by half points, 0 to 4.
pub fn json(standings: &Standings, sprt: Option<&Sprt>, complete: bool) -> Value {
    let names = standings.names();
    let engines: Vec<Value> = standings
        .ranking()
        .into_iter()
        .map(|one| {
            let faults: serde_json::Map<String, Value> =
                standings.faults(one).map(|(ending, n)| (key(ending), json!(n))).collect();
            let mut value = tally_json(&standings.total(one));
            value["name"] = json!(names[one]);
            value["faults"] = Value::Object(faults);
            value
        })
        .collect();
    let mut duels = Vec::new();
    for one in 0..names.len() {
        for other in one + 1..names.len() {
            let tally = standings.duel(one, other);
            if tally.games() > 0 {
                let mut value = tally_json(&tally);
                value["first"] = json!(names[one]);
                value["second"] = json!(names[other]);
                duels.push(value);
            }
        }
    }
    let endings: serde_json::Map<String, Value> =
        standings.endings().iter().map(|(&ending, n)| (key(ending), json!(n))).collect();
    let test = sprt.map(|sprt| {
        let pairs = standings.duel(0, 1).pairs;
        let (low, high) = sprt.bounds();
        let decision = sprt.decide(&pairs).map(|decision| match decision {
            Decision::H0 => "H0",
            Decision::H1 => "H1",
        });
        json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "model": model_name(sprt.model),
            "llr": sprt.llr(&pairs), "lower": low, "upper": high, "decision": decision,
        })
    });
    json!({
        "games": standings.games(), "complete": complete, "engines": engines, "duels": duels,
        "endings": endings, "sprt": test,
    })
}

fn key(ending: super::game::Ending) -> String {
    ending.label().replace(' ', "_")
}

fn tally_json(tally: &Tally) -> Value {
    // serde_json writes infinite numbers as null.
    json!({
        "games": tally.games(), "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
        "pairs": tally.pairs, "score": tally.score(),
        "elo": tally.elo().map(|elo| elo.value),
        "elo_error": tally.elo().and_then(|elo| elo.error),
        "normalized_elo": tally.normalized_elo().map(|elo| elo.value),
        "normalized_elo_error": tally.normalized_elo().and_then(|elo| elo.error),
        "los": tally.superiority(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::journal::tests::game;
    use super::*;

    fn standings(names: &[&str], results: &[(&str, &str, &str)]) -> Standings {
        let mut standings = Standings::new(names.iter().map(|name| name.to_string()).collect());
        for (number, (red, black, result)) in results.iter().enumerate() {
            assert!(standings.add(&game(number as u64, red, black, result)));
        }
        standings
    }

    #[test]
    fn two_engines() {
        let results = [
            ("A", "B", "1-0"),
            ("B", "A", "1/2-1/2"),
            ("A", "B", "1/2-1/2"),
            ("B", "A", "1/2-1/2"),
        ];
        let standings = standings(&["A", "B"], &results);
        let sprt = Sprt::parse("elo0=0,elo1=5").unwrap();
        let text = text(&standings, Some(&sprt));
        assert!(text.starts_with("A - B: +1 =3 -0, 62.5 % of 4 games\nElo +88.7 +- "), "{text}");
        assert!(
            text.contains("0 .5 1 1.5 2: 0 0 1 1 0\nSPRT [0, 5] logistic Elo: LLR 0."),
            "{text}"
        );
        assert!(text.contains("undecided") && text.is_ascii());
        let json = json(&standings, Some(&sprt), true);
        assert_eq!(json["duels"][0]["pairs"], json!([0, 0, 1, 1, 0]));
        assert_eq!(json["engines"][1]["losses"], 1);
        assert_eq!(json["sprt"]["decision"], Value::Null);
    }

    #[test]
    fn several_engines_and_one_sided_results() {
        let results = [("A", "B", "1-0"), ("B", "A", "0-1"), ("C", "B", "0-1"), ("B", "C", "1-0")];
        let standings = standings(&["A", "B", "C"], &results);
        let text = text(&standings, None);
        let places: Vec<&str> = text.lines().skip(1).take(3).map(|line| &line[5..6]).collect();
        assert_eq!(places, ["A", "B", "C"]);
        assert!(text.contains("A - B: +2 =0 -0, Elo +inf +- ?"), "{text}");
        assert_eq!(json(&standings, None, false)["engines"][0]["elo"], Value::Null);
    }
}
