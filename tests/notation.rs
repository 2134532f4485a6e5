//! Move notations: published vectors in both directions, variants people type, and properties over
//! random games and crowds of pawns.

use chuhe::notation::{self, Notation, NotationError};
use chuhe::position::Position;
use chuhe::types::{Color, Move, PieceType, Square};
use proptest::prelude::*;

const VECTORS: &str = include_str!("data/notation.tsv");
const CASES: &str = include_str!("data/engine-cases.jsonl");
const OPENINGS: &str = include_str!("data/openings.epd");

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

#[test]
fn vectors_in_both_directions() {
    let mut count = 0;
    for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
        let [fen, wire, wxf, chinese] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}");
        };
        let (pos, expected) = (position(fen), mv(wire));
        assert!(pos.is_legal(expected), "{line}");
        assert_eq!(Notation::Wxf.write(&pos, expected), wxf, "{line}");
        assert_eq!(Notation::Chinese.write(&pos, expected), chinese, "{line}");
        assert_eq!(Notation::Wire.write(&pos, expected), wire);
        for text in [wire, wxf, chinese] {
            assert_eq!(notation::read(&pos, text), Ok(expected), "{line}: {text}");
        }
        count += 1;
    }
    assert_eq!(count, 77, "every vector is there");
}

/// Signs, letters and digits that two right spellings may differ in, made equal.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '=' => '.',
            'H' => 'N',
            'E' => 'B',
            '１'..='９' => char::from_u32(c as u32 - 0xFEE0).unwrap(),
            _ => c,
        })
        .collect()
}

#[test]
fn cases_of_the_suite() {
    let mut count = 0;
    for line in CASES.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        if case["kind"] != "notation" {
            continue;
        }
        let mut pos = position(case["fen"].as_str().unwrap());
        for played in case["moves"].as_str().unwrap_or("").split_whitespace() {
            pos = pos.make(notation::read(&pos, played).unwrap());
        }
        let expected = mv(case["expect"]["move"].as_str().unwrap());
        for (notation, key) in [(Notation::Wxf, "wxf"), (Notation::Chinese, "chinese")] {
            let Some(text) = case["expect"][key].as_str() else { continue };
            assert_eq!(plain(&notation.write(&pos, expected)), plain(text), "{line}");
            assert_eq!(notation::read(&pos, text), Ok(expected), "{line}");
            count += 1;
        }
    }
    assert_eq!(count, 7);
}

const START: &str = Position::START_FEN;
const TANDEM: &str = "3k5/9/9/9/4C4/9/9/4C4/9/5K3 w - - 0 1";
const THREE: &str = "4k4/9/4P4/9/4P4/9/4P4/9/9/3K5 w - - 0 1";
const FOUR: &str = "4k4/9/4P4/4P4/4P4/9/4P4/9/9/3K5 w - - 0 1";
const FIVE: &str = "2P2k3/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w - - 0 1";
const PAIRED: &str = "4k4/2P3P2/9/2P3P2/9/9/9/9/9/3K5 w - - 0 1";
const TWO_AND_THREE: &str = "4k4/9/2P3P2/2P3P2/2P6/9/9/9/9/3K5 w - - 0 1";

#[test]
fn variants_are_read() {
    let black = START.replace(" w ", " b ");
    for (fen, wire, texts) in [
        (START, "h2e2", "H2-E2 H2E2 h2-e2 C2.5 c2=5 62.5 炮2平5 炮２平５ 砲二平五 包二平5 炮二.五"),
        (START, "h2e2", "炮二＝五 Ｃ２．５ Ｈ２－Ｅ２"),
        (START, "h0g2", "N2+3 H2+3 h2+3 n2+3 42+3 马二进三 馬二進三 傌2進3 马二+三"),
        (START, "c0e2", "B7+5 E7+5 e7+5 37+5 相七进五 象七進五"),
        (START, "d0e1", "A6+5 26+5 a6+5 仕六进五 士六進5"),
        (START, "e0e1", "K5+1 15+1 帅五进一 帥五進一 将五进一 將5進1"),
        (START, "i0i1", "R1+1 51+1 车一进一 車一進一 俥一進一"),
        (START, "g3g4", "P3+1 73+1 兵三进一 卒三进一"),
        (&black, "h9g7", "N8+7 H8+7 马8进7 馬８進７ 马八进七"),
        (&black, "g6g5", "P7+1 卒7进1 兵七进一"),
        (TANDEM, "e5e4", "C+-1 +C-1 c+-1 +c-1 6+-1 前炮退一 前砲退1 前包退１"),
        (TANDEM, "e2d2", "C-.6 C-=6 -C.6 6-=6 后炮平六 後炮平六 後砲平6"),
        (THREE, "e5f5", "P..4 P.=4 P5.4 P5=4 中兵平四 二兵平四 75.4"),
        (THREE, "e7d7", "P+.6 +P=6 前兵平六 前卒平6 一兵平六"),
        (THREE, "e3e4", "P-+1 -P+1 后兵进一 後卒進一"),
        (FOUR, "e7d7", "Pa.6 pA=6 ++.6 ++=6 一兵平六 前兵平六 1兵平6 7a.6"),
        (FOUR, "e6d6", "Pb.6 PB.6 P+.6 二兵平六"),
        (FOUR, "e5d5", "Pc.6 P-.6 三兵平六"),
        (FOUR, "e3e4", "Pd+1 --+1 四兵进一 后兵进一 後兵進1"),
        (FIVE, "c9d9", "Pa.6 ++.6 一兵平六 前兵平六"),
        (FIVE, "c8d8", "Pb.6 P+.6 二兵平六"),
        (FIVE, "c7d7", "Pc.6 P7.6 三兵平六 中兵平六"),
        (FIVE, "c6d6", "Pd.6 P-.6 四兵平六"),
        (FIVE, "c5d5", "Pe.6 PE=6 --.6 五兵平六 后兵平六"),
        (PAIRED, "g8g9", "Pa+1 3++1 一兵进一 前兵进一"),
        (PAIRED, "g6f6", "Pb.4 3-.4 3-=4 二兵平四"),
        (PAIRED, "c8d8", "Pc.6 7+=6 三兵平六"),
        (PAIRED, "c6d6", "Pd.6 7-.6 四兵平六 后兵平六"),
        (TWO_AND_THREE, "c6b6", "Pd.8 77=8 四兵平八 中兵平八"),
        (TWO_AND_THREE, "c5b5", "Pe.8 7-=8 五兵平八 后兵平八"),
    ] {
        let pos = position(fen);
        for text in texts.split(' ') {
            assert_eq!(notation::read(&pos, text), Ok(mv(wire)), "{fen}: {text}");
        }
    }
    assert_eq!(notation::read(&Position::startpos(), " 炮 二\u{3000}平 五\r"), Ok(mv("h2e2")));
}

#[test]
fn federation_spelling() {
    for (fen, wire, text) in [
        (START, "h2e2", "C2=5"),
        (START, "h0g2", "H2+3"),
        (START, "c0e2", "E7+5"),
        (TANDEM, "e5a5", "C+=9"),
        (THREE, "e7d7", "P+=6"),
        (THREE, "e5f5", "P5=4"),
        (THREE, "e3e4", "P-+1"),
        (FOUR, "e7d7", "++=6"),
        (FOUR, "e6d6", "P+=6"),
        (FOUR, "e5d5", "P-=6"),
        (FOUR, "e3e4", "--+1"),
        (FIVE, "c7b7", "P7=8"),
        (FIVE, "c5b5", "--=8"),
        (PAIRED, "g8g9", "3++1"),
        (PAIRED, "g6f6", "3-=4"),
        (TWO_AND_THREE, "c6b6", "77=8"),
    ] {
        assert_eq!(Notation::WxfFederation.write(&position(fen), mv(wire)), text, "{fen} {wire}");
    }
}

#[test]
fn nonsense_is_an_error() {
    let start = Position::startpos();
    for text in [
        "",
        " ",
        "C",
        "C2",
        "C2.",
        "C2.4x",
        "炮二平",
        "炮二平五五",
        "前炮平五",
        "C2.2",
        "h2h2",
        "0000",
        "炮五平五",
        "炮2炮3",
        "\u{1F600}",
        "\0\0\0\0",
        "进进进进",
        "++++",
        "C+.5",
        "Pa+1",
        "(none)",
    ] {
        let error = notation::read(&start, text).unwrap_err();
        assert!(matches!(error, NotationError::NoSuchMove(_)), "{text:?}: {error}");
        assert!(!error.to_string().contains(|c: char| c.is_control()), "{error}");
    }
    let long = "炮".repeat(100_000);
    assert!(notation::read(&start, &long).unwrap_err().to_string().len() < 200);
    let error = notation::read(&start, "H2-H8").unwrap_err();
    assert_eq!(error, NotationError::Illegal(mv("h2h8")));
    assert_eq!(error.to_string(), "h2h8 is not a legal move");
    let error = notation::read(&position(TANDEM), "C5.6").unwrap_err();
    assert_eq!(error.to_string(), "\"C5.6\" is ambiguous: e2d2 e5d5");
    // a pinned man cannot be meant, so the text that forgets 前 and 后 is clear
    let pinned = position("4k4/4r4/9/9/4R4/9/9/4K4/9/4R4 w - - 0 1");
    assert_eq!(notation::read(&pinned, "R5.6"), Ok(mv("e0d0")));
}

#[test]
fn lines_are_written_move_by_move() {
    let start = Position::startpos();
    let line: Vec<Move> = ["h2e2", "h9g7", "h0g2", "i9h9"].map(mv).to_vec();
    assert_eq!(
        notation::write_line(&start, &line, Notation::Chinese),
        "炮二平五 马８进７ 马二进三 车９平８"
    );
    assert_eq!(notation::write_line(&start, &line, Notation::Wxf), "C2.5 N8+7 N2+3 R9.8");
    assert_eq!(notation::write_line(&start, &line, Notation::Iccs), "H2-E2 H9-G7 H0-G2 I9-H9");
    let cut = [line[0], line[0], line[1]];
    assert_eq!(notation::write_line(&start, &cut, Notation::Wire), "h2e2");
    assert_eq!(notation::write_line(&start, &[], Notation::Wxf), "");
}

/// Every legal move in every notation reads back to itself, and no two moves are written alike.
fn check_all_moves(pos: &Position) -> Result<(), TestCaseError> {
    let moves = pos.legal_moves();
    for notation in Notation::ALL {
        let mut texts: Vec<String> = moves.iter().map(|&mv| notation.write(pos, mv)).collect();
        for (text, &mv) in texts.iter().zip(&moves) {
            prop_assert_eq!(notation::read(pos, text), Ok(mv), "{} {}", pos, text);
            let upper = text.to_uppercase();
            prop_assert_eq!(notation::read(pos, &upper), Ok(mv), "{} {}", pos, upper);
        }
        texts.sort();
        texts.dedup();
        prop_assert_eq!(texts.len(), moves.len(), "{} {:?}", pos, notation);
    }
    check_mirror(pos)
}

/// Mirrored left to right, a file `f` is written `10 - f` and a count of ranks stays.
fn check_mirror(pos: &Position) -> Result<(), TestCaseError> {
    let turn = |c: char| char::from(b'1' + b'9' - c as u8);
    for mv in pos.legal_moves() {
        let kind = pos.piece_on(mv.from()).unwrap().kind();
        let text: Vec<char> = Notation::Wxf.write(pos, mv).chars().collect();
        let [piece, place, direction, number] = text[..] else { panic!("four: {text:?}") };
        // places in two columns of pawns are counted across the board
        let mirrored = Notation::Wxf.write(&pos.mirror(), mv.mirror());
        let counts_ranks = direction != '.'
            && !matches!(kind, PieceType::Advisor | PieceType::Elephant | PieceType::Knight);
        let number = if counts_ranks { number } else { turn(number) };
        let place = match place {
            '1'..='9' => turn(place),
            'a'..='e' => mirrored.chars().nth(1).unwrap(),
            _ => place,
        };
        let expected: String = [piece, place, direction, number].iter().collect();
        prop_assert_eq!(&mirrored, &expected, "{} {}", pos, mv);
        // to the other side, across the table, nothing changes at all
        let flipped = Notation::Wxf.write(&pos.flip().mirror(), mv.flip().mirror());
        prop_assert_eq!(flipped, text.iter().collect::<String>());
    }
    Ok(())
}

/// A position with up to five pawns a side crowded on three files of the far half, out of reach of
/// the kings.
fn pawn_crowd(men: &[(u8, u8)], side: Color) -> Position {
    let mut cells = ['1'; 90];
    cells[Square::D0.index()] = 'K';
    cells[Square::F9.index()] = 'k';
    for (i, &(file, depth)) in men.iter().enumerate() {
        let (letter, rank) = if i < 5 { ('P', 9 - depth) } else { ('p', depth) };
        let sq = Square::from_coords(file, rank).unwrap();
        cells[sq.index()] = letter;
    }
    let ranks: Vec<String> = cells.chunks(9).rev().map(|row| row.iter().collect()).collect();
    position(&format!("{} {}", ranks.join("/"), side.fen_char()))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_move_reads_back_in_games(
        opening in 0usize..1000,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..160),
    ) {
        let lines: Vec<&str> = OPENINGS.lines().filter(|line| line.contains(" id ")).collect();
        let mut pos = position(lines[opening % lines.len()]);
        for (ply, choice) in choices.iter().enumerate() {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % 8 == 0 {
                check_all_moves(&pos)?;
            }
            pos = pos.make(moves[choice.index(moves.len())]);
        }
        check_all_moves(&pos)?;
    }

    #[test]
    fn every_move_reads_back_in_crowds_of_pawns(
        men in prop::collection::vec((prop::sample::select(vec![0u8, 1, 7]), 0u8..5), 10),
        black in any::<bool>(),
    ) {
        let side = if black { Color::Black } else { Color::Red };
        check_all_moves(&pawn_crowd(&men, side))?;
    }

    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,8}|[A-Ea-e1-9+.=-]{3,5}|[一二三前后兵炮进退平1-9]{4}") {
        for fen in [START, TANDEM, FOUR, TWO_AND_THREE] {
            let pos = position(fen);
            if let Ok(mv) = notation::read(&pos, &text) {
                prop_assert!(pos.is_legal(mv));
            }
        }
    }
}
