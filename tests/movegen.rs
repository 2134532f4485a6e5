//! Properties of position and move generation, on every position of the perft data and on random
//! games from there.

mod common;

use std::collections::BTreeSet;

use chuhe::position::{CheckInfo, MoveKinds, Position};
use chuhe::types::{Color, Move};
use common::naive::Board;
use common::walk::{Random, walk};
use proptest::prelude::*;

/// Calls `visit` with the positions of random games from everywhere we know.
fn each_position(seed: u64, plies: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(seed);
    for line in common::suite() {
        walk(line.position, plies, &mut random, &mut visit);
    }
    for start in common::openings(20) {
        walk(start, 2 * plies, &mut random, &mut visit);
    }
    for _ in 0..4 {
        walk(Position::startpos(), 120, &mut random, &mut visit);
    }
}

fn texts(moves: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut moves: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
    moves.sort();
    moves
}

fn generated(pos: &Position, info: &CheckInfo, kinds: MoveKinds) -> BTreeSet<Move> {
    let mut set = BTreeSet::new();
    pos.generate(info, kinds, |mv| assert!(set.insert(mv), "{mv} twice in {pos}"));
    set
}

#[test]
fn moves_equal_those_of_the_oracle() {
    let mut seen = 0;
    each_position(1, 12, |pos| {
        let board = Board::from_fen(&pos.fen());
        assert_eq!(texts(pos.legal_moves()), board.legal_moves(), "{pos}");
        assert_eq!(pos.in_check(), board.in_check(), "{pos}");
        assert!(!board.can_take_king(), "{pos}");
        seen += 1;
    });
    assert!(seen > 5000, "{seen}");
}

#[test]
fn making_moves_equals_the_oracle() {
    let mut random = Random::new(2);
    for line in common::suite() {
        let mut pos = line.position;
        let mut board = Board::from_fen(&pos.fen());
        for _ in 0..20 {
            let moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            let before = pos;
            pos = pos.make(mv);
            board = board.make(&mv.to_string());
            assert!(pos.fen().starts_with(&format!("{} ", board.fen())), "{mv} from {before}");
            let rule60 = if before.captured(mv).is_some() { 0 } else { before.rule60() + 1 };
            assert_eq!(pos.rule60(), rule60);
            let black = u16::from(before.side() == Color::Black);
            assert_eq!(pos.fullmove(), before.fullmove() + black);
        }
    }
}

#[test]
fn perft_equals_the_oracle() {
    let lines = common::suite();
    for line in lines.iter().step_by(23) {
        let fen = line.position.fen();
        let expected = Board::from_fen(&fen).perft(2);
        assert_eq!(chuhe::tools::perft::count(&line.position, 2), expected, "{fen}");
    }
}

/// Every encoding, not only those a generator would make: hash moves may come from anywhere.
#[test]
fn is_legal_is_membership() {
    let encodings: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_bits).collect();
    let check = |pos: &Position| {
        let legal: BTreeSet<Move> = pos.legal_moves().into_iter().collect();
        for &mv in &encodings {
            assert_eq!(pos.is_legal(mv), legal.contains(&mv), "{mv} in {pos}");
        }
    };
    each_position(3, 3, check);
}

#[test]
fn kinds_partition_the_legal_moves() {
    each_position(4, 10, |pos| {
        let info = pos.check_info();
        let captures = generated(pos, &info, MoveKinds::CAPTURES);
        let quiets = generated(pos, &info, MoveKinds::QUIETS);
        let all: BTreeSet<Move> = pos.legal_moves().into_iter().collect();
        assert!(captures.iter().all(|&mv| pos.captured(mv).is_some()), "{pos}");
        assert!(quiets.iter().all(|&mv| pos.captured(mv).is_none()), "{pos}");
        assert_eq!(&captures | &quiets, all, "{pos}");
        assert_eq!(generated(pos, &info, MoveKinds::all()), all, "{pos}");
        assert!(generated(pos, &info, MoveKinds::empty()).is_empty());
        assert_eq!(pos.count_legal() as usize, all.len(), "{pos}");
        assert_eq!(pos.has_legal_move(), !all.is_empty(), "{pos}");
        assert_eq!(info.checkers, pos.checkers(), "{pos}");
        assert_eq!(info.checkers.any(), pos.in_check(), "{pos}");
    });
}

#[test]
fn a_move_is_foretold_and_made_alike() {
    each_position(5, 10, |pos| {
        for mv in pos.legal_moves() {
            let after = pos.make(mv);
            assert_eq!(pos.gives_check(mv), after.in_check(), "{mv} in {pos}");
            assert_eq!(pos.key_after(mv), after.key(), "{mv} in {pos}");
            assert!(after.is_consistent(), "{mv} in {pos}");
            assert_eq!(after.validate(), Ok(()), "{mv} in {pos}");
        }
    });
}

#[test]
fn pins_and_gaps_are_exact_without_check() {
    each_position(6, 10, |pos| {
        let info = pos.check_info();
        if info.checkers.any() {
            return;
        }
        let (us, king) = (pos.side(), pos.king(pos.side()));
        for from in pos.color(us) {
            let legal: BTreeSet<Move> =
                pos.legal_moves().into_iter().filter(|m| m.from() == from).collect();
            for to in pos.attacks_from(from) - pos.color(us) {
                let allowed = info.pin_mask(from).has(to) && !info.forbidden.has(to);
                if from != king {
                    assert_eq!(
                        allowed,
                        legal.contains(&Move::new(from, to)),
                        "{from}{to} in {pos}"
                    );
                }
            }
        }
    });
}

#[test]
fn a_pass_changes_side_and_key_only() {
    each_position(7, 3, |pos| {
        let passed = pos.make_null();
        assert_eq!(passed.side(), !pos.side());
        assert_ne!(passed.key(), pos.key());
        assert!(passed.is_consistent());
        assert_eq!(passed.make_null(), *pos);
    });
}

#[test]
fn equal_keys_mean_equal_positions() {
    let mut seen = std::collections::HashMap::new();
    each_position(8, 30, |pos| {
        let fen = pos.fen();
        let board: Vec<&str> = fen.split(' ').take(2).collect();
        let board = board.join(" ");
        let known = seen.entry(pos.key()).or_insert_with(|| board.clone());
        assert_eq!(*known, board);
    });
}

#[test]
fn fen_round_trip() {
    each_position(9, 10, |pos| {
        assert_eq!(Position::from_fen(&pos.fen()), Ok(*pos), "{pos}");
    });
}

#[test]
fn images_have_the_images_of_the_moves() {
    each_position(10, 6, |pos| {
        let mirrored: Vec<Move> = pos.legal_moves().into_iter().map(Move::mirror).collect();
        let flipped: Vec<Move> = pos.legal_moves().into_iter().map(Move::flip).collect();
        for (image, moves) in [(pos.mirror(), mirrored), (pos.flip(), flipped)] {
            assert!(image.is_consistent());
            assert_eq!(image.validate(), Ok(()), "{pos}");
            assert_eq!(texts(image.legal_moves()), texts(moves), "{pos}");
            assert_eq!(image.in_check(), pos.in_check(), "{pos}");
        }
        assert_eq!(pos.mirror().mirror(), *pos);
        assert_eq!(pos.flip().flip(), *pos);
    });
}

/// `attackers_to` seen from the attackers: who reaches a man may take him.
#[test]
fn attackers_are_those_who_reach() {
    each_position(11, 4, |pos| {
        for sq in pos.occupied() {
            let attackers = pos.attackers_to(sq, pos.occupied());
            for from in pos.occupied() {
                assert_eq!(
                    attackers.has(from),
                    pos.attacks_from(from).has(sq),
                    "{from}{sq} in {pos}"
                );
            }
        }
    });
}

/// One board of every class that must be refused, with the words it is refused with.
#[test]
fn bad_boards_are_refused() {
    for (fen, reason) in [
        ("", "no board given"),
        ("   ", "no board given"),
        ("foobar", "rank 9: unknown letter"),
        ("3ak4/9/9/9/9/4Q4/9/9/9/3AK4 w", "rank 4: unknown letter"),
        ("3ak0/9/9/9/9/9/9/9/9/3AK4 w", "rank 9: unknown letter"),
        (
            "rnbakabnrr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
            "rank 9: more than nine files",
        ),
        ("3ak4/55/9/9/9/9/9/9/9/3AK4 w", "rank 8: more than nine files"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "9 ranks instead of ten"),
        ("3ak4/9/9/9/9/9/9/9/9/9/3AK4 w", "more than ten ranks"),
        ("4a4/9/9/9/9/9/9/9/9/4K4 w", "Black has no king"),
        ("4k4/9/9/9/9/9/9/9/9/4A4 w", "Red has no king"),
        ("4k4/9/9/9/9/9/9/3K5/9/4K4 w", "Red has 2 kings"),
        ("4k4/9/3k5/9/9/9/9/9/9/5K3 w", "Black has 2 kings"),
        ("4k4/9/9/9/9/9/9/9/9/2K6 w", "a red king cannot stand on c0"),
        ("4k4/9/9/4k4/9/9/9/9/9/3K5 w", "Black has 2 kings"),
        ("9/9/9/4k4/9/9/9/9/9/3K5 w", "a black king cannot stand on e6"),
        ("4k4/9/9/9/2B6/9/9/9/9/3K5 w", "a red elephant cannot stand on c5"),
        ("b3k4/9/9/9/9/9/9/9/9/3K5 w", "a black elephant cannot stand on a9"),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", "a red advisor cannot stand on d1"),
        ("4k4/9/4a4/9/9/9/9/9/9/3K5 w", "a black advisor cannot stand on e7"),
        ("3k5/9/9/9/9/9/9/P8/9/4K4 w", "a red pawn cannot stand on a2"),
        ("3k5/9/9/9/9/1P7/9/9/9/4K4 b", "a red pawn cannot stand on b4"),
        ("3k3p1/9/9/9/9/9/9/9/9/4K4 w", "a black pawn cannot stand on h9"),
        ("4k4/9/9/9/9/RRR6/9/9/9/3K5 b", "3 red rooks, a set has 2"),
        ("4k4/9/9/ppp1p1p1p/9/9/9/9/9/3K5 w", "a black pawn cannot stand on b6"),
        ("4k4/9/9/9/9/pppppp3/9/9/9/3K5 w", "6 black pawns, a set has 5"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other"),
        ("4k4/4R4/9/9/9/9/9/9/9/3K5 w", "the side to move could take the king"),
        ("3k5/9/9/9/9/9/9/9/3n5/5K3 b", "the side to move could take the king"),
    ] {
        match Position::from_fen(fen) {
            Ok(pos) => panic!("{fen} was read as {pos}"),
            Err(error) => assert_eq!(error.to_string(), reason, "{fen}"),
        }
    }
}

/// A position is accepted exactly when the oracle finds no king to take, men being well placed.
#[test]
fn side_and_checks_decide_like_the_oracle() {
    each_position(12, 5, |pos| {
        let fen = pos.fen();
        let turned = match fen.contains(" w ") {
            true => fen.replace(" w ", " b "),
            false => fen.replace(" b ", " w "),
        };
        let takes = Board::from_fen(&turned).can_take_king();
        assert_eq!(Position::from_fen(&turned).is_err(), takes, "{turned}");
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~]{0,80}|[KABNRCPkabnrcpeh0-9/ wb-]{0,90}|\\PC{0,40}") {
        if let Ok(pos) = Position::from_fen(&text) {
            prop_assert_eq!(Position::from_fen(&pos.fen()), Ok(pos));
        }
    }

    #[test]
    fn any_damaged_fen_is_read_or_refused(line in 0usize..400, at in 0usize..60, with in "\\PC{0,2}") {
        let fen = common::suite()[line].position.fen();
        let (head, tail) = fen.split_at(at.min(fen.len()));
        let text = format!("{head}{with}{}", tail.get(1..).unwrap_or(""));
        if let Ok(pos) = Position::from_fen(&text) {
            prop_assert_eq!(Position::from_fen(&pos.fen()), Ok(pos));
            let board = Board::from_fen(&pos.fen());
            prop_assert_eq!(texts(pos.legal_moves()), board.legal_moves());
        }
    }
}
