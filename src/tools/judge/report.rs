//! A judgement as text, as a table over all rule sets, and as JSON.

use serde::Serialize;

use super::findings::{Banned, Earlier, Findings};
use super::input::Subject;
use super::words::{Lang, columns, explain, pad};
use crate::notation::Notation;
use crate::position::DiagramStyle;
use crate::rules::{Man, MoveClass, Reason, RuleSet, Verdict};
use crate::types::Color;

/// How results are shown.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub lang: Lang,
    pub notation: Notation,
    pub style: DiagramStyle,
}

/// The heading of a game of a file, if it is one of a file.
fn title(subject: &Subject, form: Form) -> Option<String> {
    let record = subject.record.as_ref()?;
    let name = |tag: &str| record.tag(tag).filter(|name| !name.is_empty()).unwrap_or("?");
    let (red, black) = (name("Red"), name("Black"));
    Some(form.lang.words().title(subject.number, red, black, record.outcome.as_str()))
}

/// Heading, board, FEN and side to move.
fn board(subject: &Subject, form: Form) -> String {
    let pos = subject.game.position();
    let heading = title(subject, form).map_or(String::new(), |title| title + "\n");
    let to_move = form.lang.words().to_move(pos.side());
    format!("{heading}{}\n{pos}\n{to_move}\n", pos.diagram(form.style))
}

/// Board and explanation.
pub(super) fn text(subject: &Subject, rules: RuleSet, form: Form) -> String {
    let found = Findings::new(&subject.game, rules, form.notation);
    format!("{}\n{}\n", board(subject, form), explain(&found, form.lang.words()).join("\n"))
}

/// The banned moves with the offence each would be, one a line.
pub(super) fn banned(subject: &Subject, rules: RuleSet, form: Form) -> String {
    let words = form.lang.words();
    let found = Findings::new(&subject.game, rules, form.notation);
    let heading = title(subject, form).map_or(String::new(), |title| title + "\n");
    if found.banned.is_empty() {
        return format!("{heading}{}\n", words.banned(found.side, &[]));
    }
    let width = found.banned.iter().map(|ban| columns(&ban.text)).max().unwrap_or(0);
    let lines = found
        .banned
        .iter()
        .map(|ban| format!("{}  {}\n", pad(&ban.text, width), words.reason(ban.reason)));
    heading + &lines.collect::<String>()
}

/// Board and one row a rule set.
pub(super) fn table(subject: &Subject, sets: &[RuleSet], form: Form) -> String {
    let words = form.lang.words();
    let heading = words.headings();
    let mut rows = vec![[
        heading.rules.to_string(),
        heading.verdict.to_string(),
        heading.reason.to_string(),
        heading.moves.to_string(),
        heading.banned.to_string(),
    ]];
    for &rules in sets {
        let found = Findings::new(&subject.game, rules, form.notation);
        let stretch = found.stretch().map(|(first, last)| format!("{first} - {last}"));
        let banned: Vec<&str> = found.banned.iter().map(|ban| ban.text.as_str()).collect();
        let dash = || "-".to_string();
        rows.push([
            rules.name().to_string(),
            words.verdict(found.judgement.verdict).to_string(),
            words.reason(found.judgement.reason).to_string(),
            stretch.unwrap_or_else(dash),
            if banned.is_empty() { dash() } else { banned.join(" ") },
        ]);
    }
    let mut text = board(subject, form) + "\n";
    let widths: [usize; 5] =
        std::array::from_fn(|i| rows.iter().map(|row| columns(&row[i])).max().unwrap_or(0));
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| pad(cell, width)).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn side_word(color: Color) -> &'static str {
    match color {
        Color::Red => "red",
        Color::Black => "black",
    }
}

/// A judged move in JSON.
#[derive(Serialize)]
struct MoveRecord<'a> {
    ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    mv: String,
    text: &'a str,
    #[serde(flatten)]
    class: &'a MoveClass,
    words: String,
}

#[derive(Serialize)]
struct BanRecord<'a> {
    #[serde(rename = "move")]
    mv: String,
    text: &'a str,
    reason: Reason,
}

impl<'a> From<&'a Banned> for BanRecord<'a> {
    fn from(ban: &'a Banned) -> BanRecord<'a> {
        BanRecord { mv: ban.mv.to_string(), text: &ban.text, reason: ban.reason }
    }
}

#[derive(Serialize)]
struct EarlierRecord {
    ply: usize,
    verdict: Verdict,
    reason: Reason,
}

impl From<&Earlier> for EarlierRecord {
    fn from(earlier: &Earlier) -> EarlierRecord {
        let Earlier { ply, verdict, .. } = *earlier;
        EarlierRecord { ply, verdict, reason: verdict.reason() }
    }
}

/// A judgement in JSON; see the help text.
#[derive(Serialize)]
struct JudgementRecord<'a> {
    rules: &'static str,
    verdict: Verdict,
    at_fault: Option<&'static str>,
    reason: Reason,
    window: Option<(usize, usize)>,
    occurrences: u32,
    clock: u16,
    per_move: Vec<MoveRecord<'a>>,
    victims: &'a [Man],
    banned: Vec<String>,
    bans: Vec<BanRecord<'a>>,
    earlier: Option<EarlierRecord>,
    explanation: String,
}

/// What a judgement is about, in JSON.
#[derive(Serialize)]
struct SubjectRecord<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    game: usize,
    fen: String,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    #[serde(flatten)]
    judged: T,
}

#[derive(Serialize)]
struct AllRecord<'a> {
    judgements: Vec<JudgementRecord<'a>>,
}

fn record<'a>(found: &'a Findings, form: Form) -> JudgementRecord<'a> {
    let words = form.lang.words();
    let judgement = &found.judgement;
    let per_move = judgement.moves.iter().zip(&found.moves).map(|(judged, told)| MoveRecord {
        ply: judged.ply,
        side: side_word(judged.side),
        mv: judged.mv.to_string(),
        text: &told.text,
        class: &told.class,
        words: words.class(told),
    });
    JudgementRecord {
        rules: judgement.rules,
        verdict: judgement.verdict,
        at_fault: found.at_fault().map(side_word),
        reason: judgement.reason,
        window: judgement.window,
        occurrences: judgement.occurrences,
        clock: judgement.clock,
        per_move: per_move.collect(),
        victims: &judgement.victims,
        banned: found.banned.iter().map(|ban| ban.mv.to_string()).collect(),
        bans: found.banned.iter().map(BanRecord::from).collect(),
        earlier: found.earlier.as_ref().map(EarlierRecord::from),
        explanation: explain(found, words).join("\n"),
    }
}

fn with_subject<'a, T: Serialize>(subject: &'a Subject, judged: T) -> SubjectRecord<'a, T> {
    SubjectRecord {
        file: subject.file.as_deref(),
        game: subject.number,
        fen: subject.game.position().fen(),
        plies: subject.game.moves().len(),
        result: subject.record.as_ref().map(|record| record.outcome.as_str()),
        judged,
    }
}

/// One judgement as a JSON object on one line.
///
/// # Errors
/// Never for these types; the serialiser cannot know.
pub(super) fn json(subject: &Subject, rules: RuleSet, form: Form) -> serde_json::Result<String> {
    let found = Findings::new(&subject.game, rules, form.notation);
    serde_json::to_string(&with_subject(subject, record(&found, form)))
}

/// The judgements of several sets as one JSON object on one line.
///
/// # Errors
/// As [`json`].
pub(super) fn json_table(
    subject: &Subject,
    sets: &[RuleSet],
    form: Form,
) -> serde_json::Result<String> {
    let found: Vec<Findings> =
        sets.iter().map(|&rules| Findings::new(&subject.game, rules, form.notation)).collect();
    let judgements = found.iter().map(|found| record(found, form)).collect();
    serde_json::to_string(&with_subject(subject, AllRecord { judgements }))
}
