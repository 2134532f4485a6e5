#!/usr/bin/env python3
"""Plays games between two xiangqi engines and counts results and faults.

Each opening is played twice with colours exchanged. A third program, Fairy-Stockfish, is the
referee: it lists the legal moves of every position, so neither player is believed. A game ends by
mate or stalemate (the side without a move has lost), by the third occurrence of a position (a side
that alone gave check with every move of the loop loses, otherwise a draw), after 120 plies without
a capture, or at the cap on plies (both draws).

Exit status: 0 when the engine under test made no fault, 1 when it played an illegal move, crashed,
gave no answer or lost on time, 2 for wrong usage or a program that does not start.

    tests/games/versus.py --engine target/release/chuhe --games 10 --movetime 100
"""

import argparse
import math
import os
import queue
import random
import re
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"
FAIRY = next((p for p in ("/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish") if os.path.exists(p)),
             "fairy-stockfish")
START_SECONDS = 20  # for a greeting, generous: a machine may be busy
ROOT_MOVE = re.compile(r"([a-i][0-9][a-i][0-9]): \d+$")  # of the referee's perft
NATURAL_LIMIT = 120  # plies without a capture


class EngineFault(Exception):
    """What an engine did wrong; it loses the game."""


class Engine:
    """A child process that speaks UCI or UCCI with ranks 0 to 9."""

    def __init__(self, command, protocol, options=()):
        self.protocol = protocol
        self.lines = queue.Queue()
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, bufsize=1, errors="replace")
        threading.Thread(target=self._read, daemon=True).start()
        self.send(protocol)
        self.wait_for(protocol + "ok", START_SECONDS)
        for name, value in options:
            if protocol == "uci":
                self.send(f"setoption name {name} value {value}")
            else:
                self.send(f"setoption {name} {value}")
        self.ready()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            raise EngineFault("crash (input is closed)") from None

    def next_line(self, deadline):
        """The next line, or None when the deadline has passed."""
        try:
            line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            try:
                status = f"exit status {self.process.wait(timeout=1)}"
            except subprocess.TimeoutExpired:
                status = "output closed"
            raise EngineFault(f"crash ({status})")
        return line

    def wait_for(self, text, seconds):
        deadline = time.monotonic() + seconds
        while (line := self.next_line(deadline)) is not None:
            if line == text:
                return
        raise EngineFault(f"no {text} within {seconds} s")

    def ready(self):
        self.send("isready")
        self.wait_for("readyok", START_SECONDS)

    def new_game(self):
        self.send("ucinewgame" if self.protocol == "uci" else "setoption newgame")
        self.ready()

    def move(self, fen, moves, go, seconds):
        """The answer to a search, the seconds it took, and the depth and nodes last reported."""
        self.send(f"position fen {fen}" + (" moves " + " ".join(moves) if moves else ""))
        start = time.monotonic()
        self.send(go)
        deadline = start + seconds
        depth = nodes = 0
        while (line := self.next_line(deadline)) is not None:
            words = line.split()
            if words[:2] == ["info", "depth"] and "pv" in words and "nodes" in words:
                depth = int(words[2])
                nodes = int(words[words.index("nodes") + 1])
            elif words and words[0] in ("bestmove", "nobestmove"):
                best = words[1] if words[0] == "bestmove" and len(words) > 1 else "none"
                return best, time.monotonic() - start, depth, nodes
        raise EngineFault(f"no answer within {seconds:.1f} s")

    def close(self):
        try:
            self.send("quit")
            self.process.wait(timeout=5)
        except (EngineFault, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


class Referee:
    """Lists legal moves and checks, whoever is playing."""

    def __init__(self):
        self.engine = Engine(FAIRY, "ucci", [("UCI_Variant", "xiangqi")])

    def look(self, fen, moves):
        """Position after the moves: (board and side, in check, legal moves)."""
        self.engine.send(f"position fen {fen}" + (" moves " + " ".join(moves) if moves else ""))
        self.engine.send("d")
        self.engine.send("go perft 1")
        deadline = time.monotonic() + START_SECONDS
        board, check, legal = "", False, set()
        while (line := self.engine.next_line(deadline)) is not None:
            if line.startswith("Fen: "):
                board = " ".join(line.split()[1:3])
            elif line.startswith("Checkers:"):
                check = bool(line[len("Checkers:"):].strip())
            elif line.startswith("Nodes searched"):
                return board, check, legal
            elif move := ROOT_MOVE.match(line):
                legal.add(move[1])
        raise EngineFault("the referee does not answer")

    def close(self):
        self.engine.close()


class Clock:
    """Limits of one game: a time or nodes per move, or a clock for each side (0 red, 1 black)."""

    def __init__(self, args):
        self.args = args
        self.left = [args.base, args.base]

    def go(self, side, protocol):
        """The go line, and the seconds after which the game is lost."""
        args = self.args
        if args.nodes:
            return f"go nodes {args.nodes}", 120 * args.slowness
        if args.movetime:
            return f"go movetime {args.movetime}", (args.movetime + args.margin) / 1000
        own, other = (max(1, round(self.left[s] * 1000)) for s in (side, 1 - side))
        inc = round(args.increment * 1000)
        seconds = self.left[side] + args.margin / 1000
        if protocol == "uci":
            red, black = (own, other) if side == 0 else (other, own)
            return f"go wtime {red} btime {black} winc {inc} binc {inc}", seconds
        return f"go time {own} increment {inc} opptime {other} oppincrement {inc}", seconds

    def used(self, side, seconds):
        self.left[side] = max(0.001, self.left[side] - seconds) + self.args.increment


class Game:
    """One game; `result` is Red's score, `loser_fault` the fault that ended it."""

    def __init__(self, number, fen, red_is_ours):
        self.number = number
        self.fen = fen
        self.red_is_ours = red_is_ours
        self.moves = []
        self.result = None
        self.reason = ""
        self.fault = None  # (side, text)
        self.depths = {0: [], 1: []}

    def ours(self, side):
        return (side == 0) == self.red_is_ours

    def end(self, result, reason):
        self.result, self.reason = result, reason

    def play(self, players, referee, args):
        clock = Clock(args)
        seen = {}  # position -> plies at which it stood on the board
        checks = []  # whether the move that led to each ply gave check
        quiet = int(self.fen.split()[4]) if len(self.fen.split()) > 4 else 0
        side = 0 if self.fen.split()[1] in "wr" else 1
        men = None
        while True:
            board, check, legal = referee.look(self.fen, self.moves)
            checks.append(check)
            now = sum(c.isalpha() for c in board.split()[0])
            quiet = 0 if men is not None and now < men else quiet + (men is not None)
            men = now
            plies = seen.setdefault(board, [])
            plies.append(len(self.moves))
            if self.is_over(side, check, legal, plies, checks, quiet, args):
                return
            player = players[side]
            go, seconds = clock.go(side, player.protocol)
            try:
                best, took, depth, _ = player.move(self.fen, self.moves, go, seconds)
                if best not in legal:
                    raise EngineFault(f"illegal move {best}")
                if took > seconds:
                    raise EngineFault(f"time loss ({took:.3f} s)")
            except EngineFault as fault:
                self.fault = (side, str(fault))
                self.end(side, str(fault))  # Red's score: 0 when Red is at fault, 1 when Black is
                return
            clock.used(side, took)
            self.depths[side].append(depth)
            self.moves.append(best)
            side = 1 - side

    def is_over(self, side, check, legal, plies, checks, quiet, args):
        if not legal:
            self.end(side, "checkmate" if check else "stalemate")
        elif len(plies) >= 3:
            self.judge_loop(side, plies, checks)
        elif quiet >= NATURAL_LIMIT:
            self.end(0.5, f"{NATURAL_LIMIT} plies without a capture")
        elif len(self.moves) >= args.max_plies:
            self.end(0.5, f"{args.max_plies} plies")
        return self.result is not None

    def judge_loop(self, side, plies, checks):
        """Ends the game at a third occurrence with `side` to move."""
        loop = range(plies[0] + 1, plies[-1] + 1)  # plies reached by the moves of the loop
        # The move that led to ply p was made by the side that is not to move there.
        mover = lambda p: side if (plies[-1] - p) % 2 else 1 - side
        always = [all(checks[p] for p in loop if mover(p) == s) for s in (0, 1)]
        if always[0] != always[1]:
            loser = 0 if always[0] else 1
            self.end(loser, "perpetual check")
        else:
            self.end(0.5, "repetition")

    def our_score(self):
        return self.result if self.red_is_ours else 1 - self.result

    def pgn(self, name, opponent, args):
        red, black = (name, opponent) if self.red_is_ours else (opponent, name)
        result = {1: "1-0", 0: "0-1", 0.5: "1/2-1/2"}[self.result]
        words = []
        number, black_first = 1, self.fen.split()[1] == "b"
        for i, move in enumerate(self.moves):
            if (i + black_first) % 2 == 0 or i == 0:
                words.append(f"{number}." + ("..." if black_first and i == 0 else ""))
            words.append(f"{move[:2].upper()}-{move[2:].upper()}")
            number += (i + black_first) % 2
        return (f'[Game "Chinese Chess"]\n[Round "{self.number}"]\n[Red "{red}"]\n'
                f'[Black "{black}"]\n[Result "{result}"]\n[Format "ICCS"]\n[FEN "{self.fen}"]\n'
                f'[TimeControl "{args.control}"]\n\n{" ".join(words)} {{{self.reason}}} {result}\n\n')


def elo(score):
    """Rating difference of an expected score, infinite at its ends."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def summary(scores):
    """Wins, draws, losses, score and Elo with a 95 % interval."""
    n = len(scores)
    mean = sum(scores) / n
    error = 1.96 * math.sqrt(sum((s - mean) ** 2 for s in scores) / n / n)
    low, high = elo(mean - error), elo(mean + error)
    return (f"W {scores.count(1)} D {scores.count(0.5)} L {scores.count(0)} of {n}, "
            f"score {100 * mean:.1f} %, Elo {elo(mean):+.0f} ({low:+.0f} to {high:+.0f})")


def play_one(game, args):
    """Plays a game with fresh processes. Returns the fault of a program that did not start."""
    players = {}
    referee = None
    try:
        referee = Referee()
        for side in (0, 1):
            ours = game.ours(side)
            command = args.engine if ours else args.opponent
            protocol = args.protocol if ours else args.opponent_protocol
            options = args.option if ours else args.opponent_option
            try:
                players[side] = Engine(command, protocol, options)
                players[side].new_game()
            except EngineFault as fault:
                game.fault = (side, str(fault))
                game.end(side, f"does not start: {fault}")
                return
        game.play(players, referee, args)
    finally:
        for program in [*players.values(), *([referee] if referee else [])]:
            program.close()


def openings(path, pairs, seed):
    """Openings in a shuffled order that depends on the seed only."""
    fens = [" ".join(line.split()[:6]) for line in path.read_text().splitlines() if line.strip()]
    random.Random(seed).shuffle(fens)
    return [fens[i % len(fens)] for i in range(pairs)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    option = lambda text: tuple(text.split("=", 1))
    parser.add_argument("--engine", required=True, help="command of the engine under test")
    parser.add_argument("--name", default="chuhe")
    parser.add_argument("--protocol", choices=["uci", "ucci"], default="ucci")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--opponent", default=FAIRY, help="command of the opponent")
    parser.add_argument("--opponent-name", default="opponent")
    parser.add_argument("--opponent-protocol", choices=["uci", "ucci"], default="ucci")
    parser.add_argument("--opponent-option", type=option, action="append", default=[],
                        metavar="NAME=VALUE")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--movetime", type=int, default=0, help="milliseconds a move")
    parser.add_argument("--nodes", type=int, default=0, help="nodes a move")
    parser.add_argument("--tc", default="", metavar="BASE+INC", help="clock in seconds")
    parser.add_argument("--margin", type=int, default=1000,
                        help="milliseconds over the limit that are forgiven")
    parser.add_argument("--max-plies", type=int, default=300)
    parser.add_argument("--openings", type=Path, default=DATA / "openings.epd")
    parser.add_argument("--seed", type=int, default=1, help="order of the openings")
    parser.add_argument("--pgn", type=Path, help="append the games to this file")
    parser.add_argument("--slowness", type=int, default=int(os.environ.get("CHUHE_TEST_SLOWNESS", 3)),
                        help="factor for waiting limits without a clock")
    args = parser.parse_args()
    if sum(map(bool, (args.movetime, args.nodes, args.tc))) != 1:
        parser.error("give one of --movetime, --nodes and --tc")
    args.base = args.increment = 0.0
    if args.tc:
        try:
            base, _, increment = args.tc.partition("+")
            args.base, args.increment = float(base), float(increment or 0)
        except ValueError:
            parser.error("--tc wants seconds, as in 10+0.1")
    if args.games < 1 or args.concurrency < 1:
        parser.error("--games and --concurrency must be at least 1")
    args.control = args.tc or (f"{args.movetime} ms" if args.movetime else f"{args.nodes} nodes")
    return args


def main():
    args = arguments()
    fens = openings(args.openings, (args.games + 1) // 2, args.seed)
    games = [Game(i + 1, fens[i // 2], i % 2 == 0) for i in range(args.games)]
    todo, lock, broken = queue.SimpleQueue(), threading.Lock(), []
    for game in games:
        todo.put(game)

    def work():
        while not broken:
            try:
                game = todo.get_nowait()
            except queue.Empty:
                return
            try:
                play_one(game, args)
            except (EngineFault, OSError) as fault:  # the referee, or a command that is not there
                broken.append(str(fault))
                return
            with lock:
                side = "red" if game.red_is_ours else "black"
                print(f"game {game.number:3}: {args.name} {side:5} "
                      f"{game.our_score():>3} {game.reason}, {len(game.moves)} plies", flush=True)
                if args.pgn:
                    with args.pgn.open("a") as file:
                        file.write(game.pgn(args.name, args.opponent_name, args))

    workers = [threading.Thread(target=work) for _ in range(args.concurrency)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if broken:
        print(f"versus.py: {broken[0]}", file=sys.stderr)
        return 2

    print(f"{args.name} against {args.opponent_name} at {args.control}: "
          + summary([game.our_score() for game in games]))
    for ours in (True, False):
        depths = [d for g in games for s in (0, 1) if g.ours(s) == ours for d in g.depths[s]]
        if depths:
            name = args.name if ours else args.opponent_name
            print(f"{name}: mean depth {sum(depths) / len(depths):.1f} over {len(depths)} moves")
    faults = [game for game in games if game.fault]
    for game in faults:
        name = args.name if game.ours(game.fault[0]) else args.opponent_name
        print(f"fault in game {game.number} by {name}: {game.fault[1]}; position fen {game.fen}"
              f" moves {' '.join(game.moves)}")
    return 1 if any(game.ours(game.fault[0]) for game in faults) else 0


if __name__ == "__main__":
    sys.exit(main())
