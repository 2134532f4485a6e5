//! The opening books in use: read when they are named, asked before a search.

use super::file::locate;
use super::options::EMPTY;
use crate::book::{Book, BookError, BookMove, draw};
use crate::rules::{Game, RuleSet};
use crate::types::MoveList;

/// Most files in one list.
const MAX_FILES: usize = 8;

/// What the books say of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookAnswer {
    /// The move to play.
    pub best: BookMove,
    /// The others there were to choose from, highest weight first.
    pub others: Vec<BookMove>,
}

/// A file of a list that cannot be used, and what is used instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookRefused {
    /// Its place in the list, from 1; `None` when it is the only one.
    place: Option<usize>,
    /// `None` when there are too many before it.
    error: Option<BookError>,
    instead: Instead,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instead {
    Nothing,
    Present,
    Others,
}

impl std::fmt::Display for BookRefused {
    /// The name is not repeated: it may hold words or characters that no line of the protocols may
    /// carry.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("book file ")?;
        if let Some(place) = self.place {
            write!(f, "{place} of the list ")?;
        }
        let instead = match self.instead {
            Instead::Nothing => "playing without a book",
            Instead::Present => "keeping the present book",
            Instead::Others => "using the others",
        };
        match &self.error {
            Some(error) => write!(f, "{error}, {instead}"),
            None => write!(f, "is one too many, {instead}"),
        }
    }
}

/// Books in the order they are asked.
#[derive(Clone, Default, Debug)]
pub(super) struct Library {
    books: Vec<Book>,
    /// The value they were read for, if all of it could be read.
    named: Option<String>,
}

impl Library {
    /// Reads the files of a list, separated by `;`, in place of those there are. When none of them
    /// can be used everything stays as it is. Returns what is wrong with the first that cannot.
    pub(super) fn open(&mut self, list: &str) -> Option<BookRefused> {
        if self.named.as_deref() == Some(list) {
            return None;
        }
        let names: Vec<&str> = list
            .split(';')
            .map(|name| name.trim().trim_matches('"').trim())
            .filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case(EMPTY))
            .collect();
        let mut books = Vec::new();
        let mut failure = (names.len() > MAX_FILES).then_some((MAX_FILES + 1, None));
        for (index, name) in names.iter().take(MAX_FILES).enumerate().rev() {
            match Book::load(&locate(name)) {
                Ok(book) => books.insert(0, book),
                Err(error) => failure = Some((index + 1, Some(error))),
            }
        }
        self.named = failure.is_none().then(|| list.to_string());
        let read = !books.is_empty();
        if read || failure.is_none() {
            self.books = books;
        }
        failure.map(|(place, error)| BookRefused {
            place: (names.len() > 1).then_some(place),
            error,
            instead: match (read, self.books.is_empty()) {
                (true, _) => Instead::Others,
                (false, false) => Instead::Present,
                (false, true) => Instead::Nothing,
            },
        })
    }

    /// What the first book that knows the position says of it. Moves that are not `allowed`, that
    /// lose by the rules of repetition or that repeat a position are left out. `random`, uniform in
    /// 0..1, draws a move by weight; without it the heaviest is taken.
    pub(super) fn ask(
        &self,
        game: &Game,
        rules: RuleSet,
        allowed: &MoveList,
        random: impl FnOnce() -> Option<f64>,
    ) -> Option<BookAnswer> {
        let usable = |book: &Book| {
            let mut moves = book.moves(game.position());
            moves.retain(|known| allowed.contains(&known.mv) && !game.repeats(known.mv));
            if !moves.is_empty() {
                let banned = game.banned_moves(rules);
                moves.retain(|known| !banned.contains(&known.mv));
            }
            (!moves.is_empty()).then_some(moves)
        };
        let mut others = self.books.iter().find_map(usable)?;
        let chosen = random().map_or(Some(0), |random| draw(&others, random))?;
        Some(BookAnswer { best: others.remove(chosen), others })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::key;
    use crate::position::Position;
    use crate::types::Square;

    /// A book that gives the position on the board of `game` these moves.
    fn book(game: &Game, moves: &[(&str, u16)]) -> Book {
        let number = |sq: Square| (12 - sq.rank()) * 16 + sq.file() + 3;
        let mut bytes = Vec::new();
        for (text, weight) in moves {
            let mv: crate::types::Move = text.parse().unwrap();
            bytes.extend(key(game.position())[2].to_le_bytes());
            bytes.extend([number(mv.from()), number(mv.to())]);
            bytes.extend(weight.to_le_bytes());
        }
        Book::from_bytes(&bytes).unwrap()
    }

    fn best(library: &Library, game: &Game, rules: &str) -> Option<String> {
        let rules = RuleSet::by_name(rules).unwrap();
        let allowed = game.position().legal_moves();
        library.ask(game, rules, &allowed, || None).map(|answer| answer.best.mv.to_string())
    }

    /// A series of checks may be forbidden although no position comes back.
    #[test]
    fn moves_that_lose_by_the_rules_are_left_out() {
        let start = "3k5/9/9/9/9/9/9/R8/9/5K3 w - - 0 1";
        let mut game = Game::new(Position::from_fen(start).unwrap());
        let line = "a2a9 d9d8 a9a8 d8d7 a8a7 d7d8 a7a8 d8d9 a8a9 d9d8";
        let banned = |game: &Game| game.banned_moves(RuleSet::by_name("threecheck").unwrap());
        let mut moves = line.split(' ');
        while banned(&game).is_empty() {
            let mv = moves.next().expect("a ban in time").parse().unwrap();
            assert!(game.play(mv), "{mv}");
        }
        let check = banned(&game).into_iter().find(|&mv| !game.repeats(mv));
        let check = check.expect("not a repetition").to_string();
        let library =
            Library { books: vec![book(&game, &[(&check, 90), ("f0f1", 5)])], named: None };
        assert_eq!(best(&library, &game, "threecheck").as_deref(), Some("f0f1"));
        assert_eq!(best(&library, &game, "alwaysdraw"), Some(check.clone()));
        let library = Library { books: vec![book(&game, &[(&check, 90)])], named: None };
        assert_eq!(best(&library, &game, "threecheck"), None);
    }

    #[test]
    fn the_same_list_is_not_read_twice() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.dat");
        let game = Game::new(Position::startpos());
        std::fs::write(&path, [0xd5, 0x56, 0x26, 0x05, 0xaa, 0xa7, 1, 0]).unwrap();
        let list = format!(" \"{}\" ;", path.display());
        let mut library = Library::default();
        for removed in [false, true] {
            if removed {
                std::fs::remove_file(&path).unwrap();
            }
            assert_eq!(library.open(&list), None);
            assert_eq!(best(&library, &game, "ucci").as_deref(), Some("h2e2"));
        }
        // what has failed is tried again
        let other = path.display().to_string();
        for _ in 0..2 {
            let refused = library.open(&other).unwrap();
            assert!(refused.to_string().ends_with(", keeping the present book"), "{refused}");
        }
        assert_eq!(library.open("<EMPTY>"), None);
        assert_eq!(best(&library, &game, "ucci"), None);
        let refused = library.open(&other).unwrap();
        assert!(refused.to_string().ends_with(", playing without a book"), "{refused}");
    }
}
