//! A deliberately simple move generator, the oracle for the real one.
//!
//! It shares nothing with the library: its own board of letters, its own FEN reader, moves as text.
//! A move is legal when no enemy reply takes the king, and every reply is tried. Slow and obvious.

/// A board of FEN letters, `.` for an empty point; `cells[rank][file]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    cells: [[char; 9]; 10],
    red_to_move: bool,
}

type Point = (i32, i32);

impl Board {
    /// Reads board and side of a FEN with the letters KABNRCP; panics on anything else.
    pub(crate) fn from_fen(fen: &str) -> Board {
        let mut fields = fen.split_whitespace();
        let mut cells = [['.'; 9]; 10];
        for (row, text) in fields.next().expect("a board").split('/').enumerate() {
            let mut file = 0;
            for c in text.chars() {
                match c.to_digit(10) {
                    Some(gap) => file += gap as usize,
                    None => {
                        assert!("KABNRCPkabnrcp".contains(c), "letter {c}");
                        cells[9 - row][file] = c;
                        file += 1;
                    }
                }
            }
            assert_eq!(file, 9, "width of {text}");
        }
        let red_to_move = match fields.next() {
            Some("w") => true,
            Some("b") => false,
            other => panic!("side {other:?}"),
        };
        Board { cells, red_to_move }
    }

    /// Board and side in FEN form, without counters.
    pub(crate) fn fen(&self) -> String {
        let mut rows = Vec::new();
        for rank in (0..10).rev() {
            let mut row: String = self.cells[rank].iter().collect();
            for gap in (1..=9).rev() {
                row = row.replace(&".".repeat(gap), &gap.to_string());
            }
            rows.push(row);
        }
        format!("{} {}", rows.join("/"), if self.red_to_move { "w" } else { "b" })
    }

    fn at(&self, (file, rank): Point) -> char {
        self.cells[rank as usize][file as usize]
    }

    fn is_own(&self, point: Point) -> bool {
        self.at(point) != '.' && self.at(point).is_uppercase() == self.red_to_move
    }

    fn on_board((file, rank): Point) -> bool {
        (0..9).contains(&file) && (0..10).contains(&rank)
    }

    /// Legal moves as ICCS text, sorted.
    pub(crate) fn legal_moves(&self) -> Vec<String> {
        let mut moves: Vec<String> = self
            .pseudo_moves()
            .into_iter()
            .filter(|&(from, to)| !self.after(from, to).can_take_king())
            .map(|(from, to)| text(from) + &text(to))
            .collect();
        moves.sort();
        moves
    }

    /// The board after a move given as text; the move is trusted.
    pub(crate) fn make(&self, mv: &str) -> Board {
        let digits: Vec<i32> = mv.bytes().map(i32::from).collect();
        let (a, zero) = (i32::from(b'a'), i32::from(b'0'));
        self.after((digits[0] - a, digits[1] - zero), (digits[2] - a, digits[3] - zero))
    }

    /// Whether the side to move is in check.
    pub(crate) fn in_check(&self) -> bool {
        Board { red_to_move: !self.red_to_move, ..self.clone() }.can_take_king()
    }

    /// Whether the side to move can take the enemy king, along an open file by its own king too.
    pub(crate) fn can_take_king(&self) -> bool {
        self.pseudo_moves().iter().any(|&(_, to)| matches!(self.at(to), 'K' | 'k'))
    }

    /// Leaves `depth` plies below.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.legal_moves().iter().map(|mv| self.make(mv).perft(depth - 1)).sum(),
        }
    }

    fn after(&self, from: Point, to: Point) -> Board {
        let mut board = self.clone();
        board.cells[to.1 as usize][to.0 as usize] = self.at(from);
        board.cells[from.1 as usize][from.0 as usize] = '.';
        board.red_to_move = !self.red_to_move;
        board
    }

    fn pseudo_moves(&self) -> Vec<(Point, Point)> {
        let mut moves = Vec::new();
        for rank in 0..10 {
            for file in 0..9 {
                let from = (file, rank);
                if self.is_own(from) {
                    let mut targets = self.targets(from);
                    targets.retain(|&to| !self.is_own(to));
                    moves.extend(targets.into_iter().map(|to| (from, to)));
                }
            }
        }
        moves
    }

    /// Points the man on `from` goes to, own men not yet excluded.
    fn targets(&self, from: Point) -> Vec<Point> {
        const STRAIGHT: [Point; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        const ASKEW: [Point; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
        let red = self.at(from).is_uppercase();
        let (file, rank) = from;
        let mut targets = Vec::new();
        match self.at(from).to_ascii_uppercase() {
            'K' => {
                targets.extend(
                    STRAIGHT
                        .map(|(df, dr)| (file + df, rank + dr))
                        .iter()
                        .filter(|&&to| palace(to, red)),
                );
                let up = if red { 1 } else { -1 };
                let first =
                    (1..10).map(|n| (file, rank + n * up)).take_while(|&p| Board::on_board(p));
                targets.extend(
                    first
                        .filter(|&p| self.at(p) != '.')
                        .take(1)
                        .filter(|&p| matches!(self.at(p), 'K' | 'k')),
                );
            }
            'A' => targets.extend(
                ASKEW.map(|(df, dr)| (file + df, rank + dr)).iter().filter(|&&to| palace(to, red)),
            ),
            'B' => {
                for (df, dr) in ASKEW {
                    let (eye, to) = ((file + df, rank + dr), (file + 2 * df, rank + 2 * dr));
                    let home = if red { to.1 <= 4 } else { to.1 >= 5 };
                    if Board::on_board(to) && home && self.at(eye) == '.' {
                        targets.push(to);
                    }
                }
            }
            'N' => {
                for (df, dr) in STRAIGHT {
                    let leg = (file + df, rank + dr);
                    if !Board::on_board(leg) || self.at(leg) != '.' {
                        continue;
                    }
                    for side in [-1, 1] {
                        let to = (leg.0 + df + dr * side, leg.1 + dr + df * side);
                        if Board::on_board(to) {
                            targets.push(to);
                        }
                    }
                }
            }
            'P' => {
                let up = if red { 1 } else { -1 };
                targets.push((file, rank + up));
                if if red { rank >= 5 } else { rank <= 4 } {
                    targets.extend([(file - 1, rank), (file + 1, rank)]);
                }
                targets.retain(|&to| Board::on_board(to));
            }
            slider => {
                for (df, dr) in STRAIGHT {
                    let mut men = 0;
                    for n in 1..10 {
                        let to = (file + n * df, rank + n * dr);
                        if !Board::on_board(to) {
                            break;
                        }
                        let empty = self.at(to) == '.';
                        men += i32::from(!empty);
                        match (slider, empty, men) {
                            (_, true, 0) | ('R', false, 1) | ('C', false, 2) => targets.push(to),
                            _ => {}
                        }
                    }
                }
            }
        }
        targets
    }
}

fn palace((file, rank): Point, red: bool) -> bool {
    (3..=5).contains(&file) && if red { (0..=2).contains(&rank) } else { (7..=9).contains(&rank) }
}

fn text((file, rank): Point) -> String {
    format!("{}{rank}", (b'a' + file as u8) as char)
}
