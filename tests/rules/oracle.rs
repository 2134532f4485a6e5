//! The repetition rules once more, written down as they are defined and without a thought for
//! speed: letters on ninety points, men numbered, every set spelled out.

use std::collections::BTreeSet;

/// A man: its number stays with it through the game.
pub(crate) type Man = usize;
type Point = (i32, i32);
type Pairs = BTreeSet<(Man, Man)>;

#[derive(Clone)]
pub(crate) struct Board {
    /// Letter and number of the man on each point, `index = rank * 9 + file`.
    cells: Vec<Option<(char, Man)>>,
    red: bool,
}

fn index((file, rank): Point) -> usize {
    (rank * 9 + file) as usize
}

fn is_red(letter: char) -> bool {
    letter.is_uppercase()
}

fn has_crossed(letter: char, (_, rank): Point) -> bool {
    if is_red(letter) { rank >= 5 } else { rank <= 4 }
}

impl Board {
    pub(crate) fn from_fen(fen: &str) -> Board {
        let mut cells = vec![None; 90];
        let mut fields = fen.split_whitespace();
        for (row, text) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for c in text.chars() {
                if let Some(gap) = c.to_digit(10) {
                    file += gap as i32;
                } else {
                    let at = index((file, 9 - row as i32));
                    cells[at] = Some((c, at));
                    file += 1;
                }
            }
        }
        Board { cells, red: fields.next() == Some("w") }
    }

    /// Board and side to move, men of one letter being alike.
    fn key(&self) -> String {
        let letters = self.cells.iter().map(|cell| cell.map_or('.', |(letter, _)| letter));
        letters.chain([if self.red { 'w' } else { 'b' }]).collect()
    }

    fn at(&self, point: Point) -> Option<(char, Man)> {
        self.cells[index(point)]
    }

    fn men(&self, red: bool) -> Vec<(Point, char, Man)> {
        let all = (0..90).map(|i| (i % 9, i / 9));
        let found = all.filter_map(|p| self.at(p).map(|(letter, man)| (p, letter, man)));
        found.filter(|&(_, letter, _)| is_red(letter) == red).collect()
    }

    fn place(&self, man: Man) -> Option<Point> {
        let all = [self.men(true), self.men(false)].concat();
        all.iter().find(|&&(_, _, other)| other == man).map(|&(point, _, _)| point)
    }

    pub(crate) fn play(&self, (from, to): (Point, Point)) -> Board {
        let mut board = self.clone();
        board.cells[index(to)] = board.cells[index(from)].take();
        board.red = !self.red;
        board
    }

    fn passed(&self) -> Board {
        Board { red: !self.red, ..self.clone() }
    }

    /// Whether the man on `from` reaches `to`: an empty point, or a man of either side it bears on.
    fn reaches(&self, from: Point, to: Point) -> bool {
        let Some((letter, _)) = self.at(from) else { return false };
        let (df, dr) = (to.0 - from.0, to.1 - from.1);
        let red = is_red(letter);
        let palace = (3..=5).contains(&to.0)
            && if red { (0..=2).contains(&to.1) } else { (7..=9).contains(&to.1) };
        let free = |point: Point| self.at(point).is_none();
        match letter.to_ascii_uppercase() {
            'K' => palace && df.abs() + dr.abs() == 1,
            'A' => palace && df.abs() == 1 && dr.abs() == 1,
            'B' => {
                let home = if red { to.1 <= 4 } else { to.1 >= 5 };
                home && df.abs() == 2 && dr.abs() == 2 && free((from.0 + df / 2, from.1 + dr / 2))
            }
            'N' => {
                let leap = df.abs() * dr.abs() == 2;
                leap && free((from.0 + df / 2, from.1 + dr / 2))
            }
            'P' => {
                let ahead = if red { 1 } else { -1 };
                (df == 0 && dr == ahead) || (has_crossed(letter, from) && dr == 0 && df.abs() == 1)
            }
            slider => {
                if (df == 0) == (dr == 0) {
                    return false;
                }
                let steps = df.abs().max(dr.abs());
                let step = (df.signum(), dr.signum());
                let between = (1..steps)
                    .filter(|n| !free((from.0 + n * step.0, from.1 + n * step.1)))
                    .count();
                match (slider, free(to)) {
                    ('C', false) => between == 1,
                    _ => between == 0,
                }
            }
        }
    }

    fn king(&self, red: bool) -> Point {
        let king = if red { 'K' } else { 'k' };
        self.men(red).into_iter().find(|&(_, letter, _)| letter == king).unwrap().0
    }

    fn kings_face(&self) -> bool {
        let (red, black) = (self.king(true), self.king(false));
        red.0 == black.0 && (red.1 + 1..black.1).all(|rank| self.at((red.0, rank)).is_none())
    }

    /// Men that attack the king of a side.
    fn checkers(&self, red: bool) -> BTreeSet<Man> {
        let king = self.king(red);
        let enemies = self.men(!red).into_iter();
        enemies.filter(|&(p, _, _)| self.reaches(p, king)).map(|(_, _, man)| man).collect()
    }

    fn in_check(&self, red: bool) -> bool {
        self.kings_face() || !self.checkers(red).is_empty()
    }

    /// Whether the side to move may play this.
    fn is_legal(&self, from: Point, to: Point) -> bool {
        let Some((letter, _)) = self.at(from) else { return false };
        let own_goal = self.at(to).is_some_and(|(other, _)| is_red(other) == self.red);
        is_red(letter) == self.red
            && !own_goal
            && self.reaches(from, to)
            && !self.play((from, to)).in_check(self.red)
    }

    fn legal_moves(&self) -> Vec<(Point, Point)> {
        let points: Vec<Point> = (0..90).map(|i| (i % 9, i / 9)).collect();
        let men = self.men(self.red).into_iter();
        men.flat_map(|(from, _, _)| points.iter().map(move |&to| (from, to)))
            .filter(|&(from, to)| self.is_legal(from, to))
            .collect()
    }

    /// A mating move, were it the turn of the side that has just moved.
    fn threatens_mate(&self) -> bool {
        let passed = self.passed();
        passed.legal_moves().into_iter().any(|mv| {
            let after = passed.play(mv);
            after.in_check(after.red) && after.legal_moves().is_empty()
        })
    }

    /// Whether, once `from` has taken on `to`, the enemy can take back. `before_too`: only with a
    /// man that bears on the point already.
    fn is_rooted(&self, from: Point, to: Point, before_too: bool) -> bool {
        let after = self.play((from, to));
        let defenders = after.men(after.red).into_iter();
        defenders
            .filter(|&(p, _, _)| !before_too || self.reaches(p, to))
            .any(|(p, _, _)| after.is_legal(p, to))
    }

    /// Whether a capture by the side to move is possible; `forgiving`: a check it is in anyway
    /// does not matter.
    fn may_capture(&self, from: Point, to: Point, forgiving: bool) -> bool {
        if self.is_legal(from, to) {
            return true;
        }
        let before = self.checkers(self.red);
        let after = self.play((from, to));
        forgiving
            && self.reaches(from, to)
            && !before.is_empty()
            && !after.kings_face()
            && after.checkers(self.red).is_subset(&before)
    }

    /// All threats (attacker, victim) of the side to move.
    fn threats(&self, star: bool, forgiving: bool, outranks: fn(char, char) -> bool) -> Pairs {
        let mut pairs = Pairs::new();
        for (a, attacker, a_man) in self.men(self.red) {
            for (v, victim, v_man) in self.men(!self.red) {
                let kinds = (attacker.to_ascii_uppercase(), victim.to_ascii_uppercase());
                let target = kinds.1 != 'K' && (kinds.1 != 'P' || has_crossed(victim, v));
                if matches!(kinds.0, 'K' | 'P') || !target || !self.reaches(a, v) {
                    continue;
                }
                let offer = kinds.0 == kinds.1 && self.passed().is_legal(v, a);
                let held = || !outranks(kinds.0, kinds.1) && self.is_rooted(a, v, star);
                if self.may_capture(a, v, forgiving) && !offer && !held() {
                    pairs.insert((a_man, v_man));
                }
            }
        }
        pairs
    }
}

fn federation_outranks(attacker: char, victim: char) -> bool {
    match attacker {
        'N' | 'C' => victim == 'R',
        'A' | 'B' => "RNC".contains(victim),
        _ => false,
    }
}

fn club_outranks(attacker: char, victim: char) -> bool {
    "NC".contains(attacker) && victim == 'R'
}

/// A game from its start.
pub(crate) struct Record {
    boards: Vec<Board>,
    moves: Vec<(Point, Point)>,
}

fn victims(pairs: &Pairs) -> BTreeSet<Man> {
    pairs.iter().map(|&(_, victim)| victim).collect()
}

impl Record {
    pub(crate) fn new(fen: &str) -> Record {
        Record { boards: vec![Board::from_fen(fen)], moves: Vec::new() }
    }

    /// Plays a move written `h2e2`; it is trusted to be legal.
    pub(crate) fn play(&mut self, text: &str) {
        let digits: Vec<i32> = text.bytes().map(i32::from).collect();
        let (a, zero) = (i32::from(b'a'), i32::from(b'0'));
        let mv = ((digits[0] - a, digits[1] - zero), (digits[2] - a, digits[3] - zero));
        self.boards.push(self.boards[self.moves.len()].play(mv));
        self.moves.push(mv);
    }

    fn is_capture(&self, ply: usize) -> bool {
        self.boards[ply].at(self.moves[ply].1).is_some()
    }

    /// Numbers of the positions like the last one since the last capture, first to last.
    pub(crate) fn occurrences(&self) -> Vec<usize> {
        let last = self.moves.len();
        let start = (0..last).rev().find(|&ply| self.is_capture(ply)).map_or(0, |ply| ply + 1);
        let key = self.boards[last].key();
        (start..=last).filter(|&i| self.boards[i].key() == key).collect()
    }

    fn gives_check(&self, ply: usize) -> bool {
        let after = &self.boards[ply + 1];
        after.in_check(after.red)
    }

    fn own(&self, red: bool, start: usize) -> Vec<usize> {
        (start..self.moves.len()).filter(|&ply| self.boards[ply].red == red).collect()
    }

    /// What a move chases under the federation's rules, in a loop that began at `start`.
    fn chased_pairs(&self, ply: usize, start: usize) -> BTreeSet<Man> {
        let now = self.boards[ply + 1].passed().threats(false, false, federation_outranks);
        let before = self.boards[ply].threats(true, true, federation_outranks);
        let later = if ply + 1 < self.moves.len() {
            self.boards[ply + 2].clone()
        } else {
            self.boards[ply + 1].play(self.moves[start])
        };
        let later = later.threats(false, false, federation_outranks);
        victims(
            &now.into_iter()
                .filter(|pair| !before.contains(pair) && !later.contains(pair))
                .collect(),
        )
    }

    fn chased_victims(&self, ply: usize) -> BTreeSet<Man> {
        let now = self.boards[ply + 1].passed().threats(false, false, federation_outranks);
        let before = self.boards[ply].threats(false, false, federation_outranks);
        victims(&now).difference(&victims(&before)).copied().collect()
    }

    fn chased_by_mover(&self, ply: usize) -> BTreeSet<Man> {
        let board = &self.boards[ply + 1];
        let (from, a) = self.moves[ply];
        let attacker = board.at(a).unwrap().0.to_ascii_uppercase();
        let listed = match attacker {
            'N' => "RCP",
            'R' => "NCP",
            'C' => "RNP",
            _ => "",
        };
        let upright = from.0 == a.0;
        let mut chased = BTreeSet::new();
        for (v, victim, man) in board.men(board.red) {
            let along = attacker != 'N' && if upright { v.0 == a.0 } else { v.1 == a.1 };
            let kind = victim.to_ascii_uppercase();
            let target = kind != 'P' || has_crossed(victim, v);
            if !listed.contains(kind) || along || !target || !board.reaches(a, v) {
                continue;
            }
            let guarded = board.men(board.red).iter().any(|&(p, _, _)| board.reaches(p, v));
            if kind == 'R' || !guarded {
                chased.insert(man);
            }
        }
        chased
    }

    /// Grade of a side over the moves from `start` on, under a set that grades.
    fn grade(&self, set: &str, red: bool, start: usize) -> u8 {
        let own = self.own(red, start);
        let checks: Vec<bool> = own.iter().map(|&ply| self.gives_check(ply)).collect();
        if set == "alwaysdraw" {
            return 0;
        }
        if checks.iter().all(|&check| check) {
            return 2;
        }
        let some_check = checks.contains(&true);
        let fourfold = matches!(set, "hk4" | "prc4");
        if fourfold && some_check {
            let strict =
                |(&ply, &check): (&usize, &bool)| check || self.boards[ply + 1].threatens_mate();
            return if own.iter().zip(&checks).all(strict) { 2 } else { 0 };
        }
        let anybody = (start..self.moves.len()).any(|ply| self.gives_check(ply));
        let excused = some_check || (set == "computer" && anybody);
        if excused || matches!(set, "checkonly" | "prc4") {
            return 0;
        }
        let sets = own.iter().map(|&ply| match set {
            "computer" => self.chased_victims(ply),
            "ucci" => self.chased_by_mover(ply),
            _ => self.chased_pairs(ply, start),
        });
        let common = sets.reduce(|a, b| a.intersection(&b).copied().collect());
        u8::from(common.is_some_and(|common| !common.is_empty()))
    }

    /// `red_loss`, `black_loss` or `draw` when the last position has occurred `needed` times.
    pub(crate) fn repetition(&self, set: &str, needed: usize) -> Option<&'static str> {
        let occurrences = self.occurrences();
        let start = *occurrences.iter().rev().nth(needed - 1)?;
        let (red, black) = (self.grade(set, true, start), self.grade(set, false, start));
        Some(match red.cmp(&black) {
            std::cmp::Ordering::Greater => "red_loss",
            std::cmp::Ordering::Less => "black_loss",
            std::cmp::Ordering::Equal => "draw",
        })
    }

    /// Plies since the last capture; checks of a side after its first `counted` and their answers
    /// are left out. `clock` is that of the first position.
    pub(crate) fn quiet_plies(&self, clock: usize, counted: usize) -> usize {
        let mut backwards = (0..self.moves.len()).rev();
        let start = backwards.find(|&ply| self.is_capture(ply)).map_or(0, |ply| ply + 1);
        let mut plies = if start == 0 { clock } else { 0 };
        for ply in start..self.moves.len() {
            let is_free = |ply: usize| {
                let same = |&other: &usize| self.boards[other].red == self.boards[ply].red;
                let given = (start..=ply).filter(same).filter(|&ply| self.gives_check(ply));
                self.gives_check(ply) && given.count() > counted
            };
            let answers_free = ply > start && is_free(ply - 1);
            plies += usize::from(!is_free(ply) && !answers_free);
        }
        plies
    }

    fn mover(&self, ply: usize) -> Man {
        self.boards[ply].at(self.moves[ply].0).unwrap().1
    }

    /// What a move attacks under the club's rules.
    fn attacked_in_series(&self, ply: usize) -> BTreeSet<Man> {
        let board = self.boards[ply + 1].passed();
        let (mover, to) = (self.mover(ply), self.moves[ply].1);
        let mut attacked = BTreeSet::new();
        for (a, v) in board.threats(false, false, club_outranks) {
            let (from, target) = (board.place(a).unwrap(), board.place(v).unwrap());
            let cannon =
                board.at(from).is_some_and(|(letter, _)| letter.eq_ignore_ascii_case(&'c'));
            let between =
                |low: i32, mid: i32, high: i32| low.min(high) < mid && mid < low.max(high);
            let screen = (from.0 == to.0 && to.0 == target.0 && between(from.1, to.1, target.1))
                || (from.1 == to.1 && to.1 == target.1 && between(from.0, to.0, target.0));
            if a == mover || (cannon && screen) {
                attacked.insert(v);
            }
        }
        attacked
    }

    /// The club's rules on series, up to the last move; limits of slow play left out.
    pub(crate) fn series(&self) -> Option<&'static str> {
        #[derive(Default)]
        struct Side {
            checks: usize,
            checkers: BTreeSet<Man>,
            attacks: usize,
            attackers: BTreeSet<Man>,
            victims: BTreeSet<Man>,
        }
        let allowed = |men: &BTreeSet<Man>| 6 * men.len().clamp(1, 3);
        let mut sides = [Side::default(), Side::default()];
        for ply in 0..self.moves.len() {
            let (board, red) = (&self.boards[ply + 1], self.boards[ply].red);
            let side = &mut sides[usize::from(red)];
            let mut attacked = BTreeSet::new();
            if self.gives_check(ply) {
                side.checks += 1;
                side.checkers.extend(board.checkers(!red));
            } else {
                (side.checks, side.checkers) = (0, BTreeSet::new());
                attacked = self.attacked_in_series(ply);
            }
            if side.victims.is_disjoint(&attacked) {
                side.attacks = usize::from(!attacked.is_empty());
                side.attackers.clear();
                side.victims = attacked;
            } else {
                side.attacks += 1;
                side.victims.retain(|victim| attacked.contains(victim));
            }
            if side.attacks > 0 {
                side.attackers.insert(self.mover(ply));
            }
            let grade = |side: &Side, slack: usize| {
                if side.checks + slack > allowed(&side.checkers) {
                    2
                } else {
                    u8::from(side.attacks + slack > allowed(&side.attackers))
                }
            };
            let mine = grade(&sides[usize::from(red)], 0);
            let theirs = grade(&sides[usize::from(!red)], 1);
            if mine > 0 {
                let loser = if mine > theirs { red } else { !red };
                let loss = if loser { "red_loss" } else { "black_loss" };
                return Some(if mine == theirs { "draw" } else { loss });
            }
        }
        None
    }
}
