#!/usr/bin/env python3
"""Drives the engine through Python packages that drive xiangqi engines; see python_clients.sh.

Usage: python_clients.py ENGINE

Each function below is one client. What a client does that the protocol reference advises against,
or that the engine deliberately does not follow, is noted with it.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
ENGINE = ""


def check(condition, what):
    """Fails the client with a reason."""
    if not condition:
        raise AssertionError(what)


def cchess_wrapper():
    """cchess, both protocols: options in UCI form also in UCCI, CR LF at the end of lines."""
    import cchess
    from cchess.engine import UcciEngine, UciEngine

    for kind in (UcciEngine, UciEngine):
        engine = kind()
        check(engine.load(ENGINE), "the engine does not start")
        check(engine.wait_for_ready(10), f"{kind.__name__}: not ready")
        check(engine.ids.get("name", "").startswith("Chuhe "), f"id lines: {engine.ids}")
        engine.set_option("Threads", 1)
        board = cchess.ChessBoard(START)
        for params in [{"depth": 5}] * 4 + [{"movetime": 200}] * 2:
            check(engine.go_from(board.to_fen() + " - - 0 1", params), "go was refused")
            deadline = time.monotonic() + 30
            action = None
            while time.monotonic() < deadline:
                action = engine.get_action()
                if action is not None and action["action"] in ("bestmove", "dead", "draw"):
                    break
                time.sleep(0.01)
            check(action is not None and action["action"] == "bestmove", f"answer: {action}")
            check("score" in action or "mate" in action, f"no score read: {action}")
            move = board.move_iccs(action["move"])
            check(move is not None, f"{action['move']} is illegal for cchess")
            board.next_turn()
        engine.stop_thinking()
        engine.running = False
        engine.quit()
        check(engine.process.wait(5) == 0, "exit status")


def fairyfishnet_driver():
    """fairyfishnet: Fairy-Stockfish's UCI, so ranks from 1; the variant option makes the engine count
    so, though it is not announced: announced, it breaks the XBoard adapter. The FEN of the board is
    read from the output of `d`."""
    from fairyfishnet import engine as driver

    process = driver.open_process([ENGINE], shell=False)
    info, variants = driver.uci(process)
    check(info["name"].startswith("Chuhe ") and not variants, f"greeting: {info} {variants}")
    driver.setoption(process, "UCI_Variant", "xiangqi")
    driver.setoption(process, "Threads", 1)
    driver.setoption(process, "Hash", 16)
    driver.setoption(process, "UCI_AnalyseMode", True)
    driver.isready(process)
    moves = ["h3e3", "h10g8"]
    answer = driver.go(process, START, moves, depth=6)
    check(re.fullmatch(r"[a-i]\d+[a-i]\d+", answer["bestmove"]), f"answer: {answer}")
    check(answer["pv"].split()[0] == answer["bestmove"] and "score" in answer, f"info: {answer}")
    fen = driver.current_fen(process)
    check(fen.startswith("rnbakab1r/9/1c4nc1/"), f"board: {fen}")
    clock = {"wtime": 100, "btime": 100, "inc": 1}
    check(driver.go(process, START, moves, clock=clock, movetime=200)["bestmove"], "no move")
    driver.send(process, "quit")
    check(process.wait(5) == 0, "exit status")


def pikafish_terminal_wrapper():
    """pikafish-terminal: legal moves are read from the answer to `go perft 1`."""
    from pikafish_terminal.engine import PikafishEngine

    engine = PikafishEngine(path=ENGINE, depth=6)
    engine.new_game()
    check(engine.is_move_legal(START, [], "h2e2"), "h2e2 is legal")
    check(not engine.is_move_legal(START, [], "a0a9"), "a0a9 is not legal")
    moves = []
    for _ in range(4):
        move = engine.best_move(START, moves)
        check(engine.is_move_legal(START, moves, move), f"{move} is not legal")
        moves.append(move)
    candidates = engine.get_candidate_moves(START, moves, 3)
    check(len({move for move, _ in candidates}) == 3, f"candidates: {candidates}")
    check(isinstance(engine.get_position_evaluation(START, moves), int), "evaluation")
    mated = "1R2k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1"
    check(engine.is_game_over(mated, [])[0], "a mate is the end")
    check(not engine.is_game_over(START, [])[0], "the start is not the end")
    engine.quit()


def uci_test_suite():
    """uci-test-suite is for chess: it sets chess positions and checks moves by the rules of chess, so
    only its first three tests apply to an engine for xiangqi. The others must not make us crash."""
    result = subprocess.run(
        [str(Path(sys.executable).with_name("uci-test-suite")), ENGINE],
        capture_output=True, text=True, timeout=120, check=False)
    passed = set(re.findall(r"PASS: (\w+)", result.stdout))
    needed = {"engine_identification", "uci_protocol_support", "options_reporting"}
    check(needed <= passed, f"only {passed} of {needed} passed:\n{result.stdout}")
    check("died" not in result.stdout + result.stderr, "the engine ended by itself")


def xiangqibench_defender():
    """xiangqibench: its doctor, and its defender on composed positions. Pieces on points that they
    cannot reach are refused with a message, after which it falls back to a defender of its own."""
    import json
    from importlib import resources

    from xiangqibench.defender import PikafishDefender, PikafishEngine

    environment = {**os.environ, "PIKAFISH_PATH": ENGINE}
    result = subprocess.run(
        [str(Path(sys.executable).with_name("xiangqibench")), "doctor"],
        capture_output=True, text=True, timeout=120, env=environment, check=False)
    check(re.search(r"\[ok\]\s+Pikafish Chuhe ", result.stdout), result.stdout + result.stderr)
    check("bestmove" in result.stdout, f"no test search:\n{result.stdout}")
    text = resources.files("xiangqibench").joinpath("data/cases.jsonl").read_text("utf-8")
    cases = [json.loads(line) for line in text.splitlines()[:25]]
    with PikafishEngine(path=ENGINE, depth=6, hash_mb=16) as engine:
        ours = 0
        for case in cases:
            fen = case["fen"]
            mover = "black" if fen.split()[1] == "b" else "red"
            other = "red" if mover == "black" else "black"
            choice = PikafishDefender(other, engine, fallback_depth=1).choose(fen)
            ours += choice.backend == "pikafish"
        check(ours >= len(cases) - 5, f"moves of the engine in {ours} of {len(cases)} cases")
        print(f"    moves of the engine in {ours} of {len(cases)} composed positions")


CLIENTS = [
    cchess_wrapper, fairyfishnet_driver, pikafish_terminal_wrapper, uci_test_suite,
    xiangqibench_defender,
]


def main():
    """Runs every client, reports each."""
    global ENGINE
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} ENGINE")
    ENGINE = str(Path(sys.argv[1]).resolve())
    failures = 0
    for client in CLIENTS:
        start = time.monotonic()
        try:
            client()
            print(f"{client.__name__}: ok, {time.monotonic() - start:.1f} s", flush=True)
        except Exception as error:  # every client gets its turn
            failures += 1
            print(f"{client.__name__}: FAILED: {type(error).__name__}: {error}", flush=True)
    # Threads of the packages may still wait for pipes.
    sys.stdout.flush()
    os._exit(1 if failures else 0)


main()
