#!/usr/bin/env python3
"""Lets the engine play itself over pipes on short clocks and watches every line.

Two processes, one speaking UCCI and one UCI, play each opening twice with colours exchanged. The
referee keeps the clocks itself and believes neither: the legal moves of every position come from a
third program, Fairy-Stockfish. What counts as a fault of the engine:

  time loss       the answer came after the clock, plus --margin milliseconds, had run out
  illegal move    the answer, or the move to ponder on, is not legal
  no answer       nothing came within --patience seconds after the flag fell
  extra answer    a second answer, or one that nobody asked for
  crash           the process ended

Processes live through all games, as they do under a tournament manager.

On a machine with more work than processors a process can wait for its turn longer than it has on the
clock. Linux counts that (`/proc/PID/task/*/schedstat`): an overstepped clock that the count explains
voids the game, is reported as such, and is no fault.

Exit status: 0 without a fault, 1 with one, 2 for wrong usage or a program that does not start.

    tests/games/referee.py --engine target/release/chuhe --games 20
"""

import argparse
import queue
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from versus import DATA, Clock, Engine, EngineFault, Game, Referee, openings

QUIET_SECONDS = 20  # for `readyok`: a machine may be busy


class Watched(Engine):
    """An engine whose answers are counted."""

    def starved(self):
        """Seconds the engine and this referee have waited for a processor, of each the thread that
        waited longest; 0 where the system does not tell."""
        return sum(longest_wait(process) for process in (self.process.pid, "self"))

    def settle(self):
        """Waits for `readyok`; an answer before it belongs to no search."""
        self.send("isready")
        deadline = time.monotonic() + QUIET_SECONDS
        while (line := self.next_line(deadline)) is not None:
            if line == "readyok":
                return
            if is_answer(line):
                raise EngineFault(f"extra answer: {line}")
        raise EngineFault(f"no readyok within {QUIET_SECONDS} s")

    def think(self, fen, moves, go, flag, patience):
        """Move, ponder move or None, seconds taken and seconds of them without a processor, for a
        search whose flag falls after `flag`."""
        self.send(f"position fen {fen}" + (" moves " + " ".join(moves) if moves else ""))
        self.settle()
        starved = self.starved()
        start = time.monotonic()
        self.send(go)
        deadline = start + flag + patience
        while (line := self.next_line(deadline)) is not None:
            took = time.monotonic() - start
            if not is_answer(line):
                continue
            words = line.split()
            if words[0] == "nobestmove":
                raise EngineFault("nobestmove in a position that has moves")
            starved = self.starved() - starved
            ponder = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None
            self.settle()
            return words[1] if len(words) > 1 else "", ponder, took, starved
        raise EngineFault(f"no answer within {flag + patience:.1f} s")


def longest_wait(process):
    """Seconds the threads of a process have waited for a processor, the longest."""
    longest = 0
    for path in Path(f"/proc/{process}/task").glob("*/schedstat"):
        try:
            longest = max(longest, int(path.read_text().split()[1]))
        except (OSError, IndexError, ValueError):
            continue  # a thread that ended meanwhile
    return longest / 1e9


def is_answer(line):
    return line.split(" ", 1)[0] in ("bestmove", "nobestmove")


class WatchedGame(Game):
    """A game in which both sides are under test."""

    def __init__(self, number, fen, red_is_first):
        super().__init__(number, fen, red_is_first)
        self.slack = []  # seconds left on the clock after each answer
        self.void = None  # why the machine, not the engine, ended the game

    def play(self, players, referee, args):
        clock = Clock(args)
        seen, checks, men = {}, [], None
        fields = self.fen.split()
        quiet = int(fields[4]) if len(fields) > 4 else 0
        side = 0 if fields[1] in "wr" else 1
        promised = None  # the move the last answer wanted to ponder on
        while True:
            board, check, legal = referee.look(self.fen, self.moves)
            if promised is not None and promised not in legal:
                self.lose(1 - side, f"illegal ponder move {promised}")
                return
            checks.append(check)
            now = sum(c.isalpha() for c in board.split()[0])
            quiet = 0 if men is not None and now < men else quiet + (men is not None)
            men = now
            plies = seen.setdefault(board, [])
            plies.append(len(self.moves))
            if self.is_over(side, check, legal, plies, checks, quiet, args):
                return
            player = players[side]
            go, _ = clock.go(side, player.protocol)
            flag = clock.left[side]
            try:
                answer = player.think(self.fen, self.moves, go, flag, args.patience)
                best, promised, took, starved = answer
                if best not in legal:
                    raise EngineFault(f"illegal move {best}")
                if took > flag + args.margin / 1000:
                    text = f"{took:.3f} s of {flag:.3f} s, {starved:.3f} s without a processor"
                    if took - starved <= flag:
                        self.void = text
                        self.end(0.5, "void")
                        return
                    raise EngineFault(f"time loss: {text}")
            except EngineFault as fault:
                self.lose(side, str(fault))
                return
            self.slack.append(flag - took)
            clock.used(side, took)
            self.moves.append(best)
            side = 1 - side

    def lose(self, side, text):
        self.fault = (side, text)
        self.end(side, text)


class Table:
    """The programs of one worker: two players and a referee."""

    def __init__(self, args):
        self.args = args
        self.referee = Referee()
        self.players = []
        self.start()

    def start(self):
        self.stop()
        for protocol in ("ucci", "uci"):
            self.players.append(Watched(self.args.engine, protocol, self.args.option))

    def stop(self):
        for player in self.players:
            player.close()
        self.players = []

    def play(self, game):
        first, second = self.players
        sides = {0: first, 1: second} if game.red_is_ours else {0: second, 1: first}
        for side, player in sides.items():
            try:
                player.new_game()
            except EngineFault as fault:
                game.lose(side, str(fault))
        if game.fault is None:
            game.play(sides, self.referee, self.args)
        if game.fault is not None:
            self.start()  # whatever state the players are in, the next game gets fresh ones

    def close(self):
        self.stop()
        self.referee.close()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    option = lambda text: tuple(text.split("=", 1))
    parser.add_argument("--engine", required=True, help="command of the engine")
    parser.add_argument("--option", type=option, action="append", metavar="NAME=VALUE",
                        help="option of both players, in the spelling of either protocol; "
                             "without any, Hash=16")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--tc", default="1+0.01", metavar="BASE+INC", help="clock in seconds")
    parser.add_argument("--margin", type=int, default=0,
                        help="milliseconds past the flag that are forgiven")
    parser.add_argument("--patience", type=float, default=10,
                        help="seconds after the flag until an engine counts as hung")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--max-plies", type=int, default=400)
    parser.add_argument("--openings", type=Path, default=DATA / "openings.epd")
    parser.add_argument("--seed", type=int, default=1, help="order of the openings")
    args = parser.parse_args()
    args.option = args.option or [("Hash", "16")]
    if args.games < 1 or args.concurrency < 1:
        parser.error("--games and --concurrency must be at least 1")
    try:
        base, _, increment = args.tc.partition("+")
        args.base, args.increment = float(base), float(increment or 0)
    except ValueError:
        parser.error("--tc wants seconds, as in 1+0.01")
    args.nodes = args.movetime = 0
    return args


def main():
    args = arguments()
    fens = openings(args.openings, (args.games + 1) // 2, args.seed)
    games = [WatchedGame(i + 1, fens[i // 2], i % 2 == 0) for i in range(args.games)]
    todo, lock = queue.SimpleQueue(), threading.Lock()
    finished, broken = [], []
    began = time.monotonic()
    for game in games:
        todo.put(game)

    def work():
        table = None
        try:
            table = Table(args)
            while not broken:
                game = todo.get_nowait()
                table.play(game)
                with lock:
                    finished.append(game)
                    if game.fault:
                        name = ("UCCI" if game.ours(game.fault[0]) else "UCI")
                        print(f"game {game.number}: fault of the {name} side: {game.fault[1]}; "
                              f"position fen {game.fen} moves {' '.join(game.moves)}", flush=True)
                    elif game.void:
                        print(f"game {game.number}: void: {game.void}", flush=True)
                    if len(finished) % 20 == 0:
                        print(f"{len(finished)} games, {time.monotonic() - began:.0f} s", flush=True)
        except queue.Empty:
            pass
        except (EngineFault, OSError) as fault:  # the referee, or a command that does not start
            broken.append(str(fault))
        finally:
            if table:
                table.close()

    workers = [threading.Thread(target=work) for _ in range(args.concurrency)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if broken:
        print(f"referee.py: {broken[0]}", file=sys.stderr)
        return 2
    return report(finished, time.monotonic() - began)


def report(games, seconds):
    """Prints what happened; the exit status."""
    slack = sorted(s for game in games for s in game.slack)
    plies = sum(len(game.moves) for game in games)
    print(f"{len(games)} games, {plies} plies, {seconds:.0f} s")
    for reason, count in Counter(game.reason for game in games if not game.fault).most_common():
        print(f"{count:6} {reason}")
    if slack:
        print(f"least time left after a move: {1000 * slack[0]:.0f} ms; "
              f"in one of a thousand moves {1000 * slack[len(slack) // 1000]:.0f} ms or less")
    faults = [game for game in games if game.fault]
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
