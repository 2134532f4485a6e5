#!/usr/bin/env python3
"""Has an independent program dispute the verdicts of match games.

Reads the JSON lines that `chuhe match` writes. For every game it asks another judge what the rules say
of the last position, and of the position one ply before, which must be undecided: otherwise the game
went on too long. The judge is a command; it is started once a question with the name of the rule set,
the FEN and the moves as arguments and prints a line with one of the words red_loss, black_loss, draw
or undecided. Games that did not end by the rules must be undecided. Where a side was mated or no
attacking men were left, a judge of repetitions may call the game undecided.

Exit status: 0 when no verdict is disputed, 1 when one is, 2 for wrong usage or a judge that does not
answer.

    tests/games/rules_check.py --judge "python3 other_judge.py" games.jsonl
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

VERDICT = re.compile(r"\b(red_loss|black_loss|draw|undecided)\b")
LOSER = {"1-0": "black_loss", "0-1": "red_loss", "1/2-1/2": "draw"}
BOARD = re.compile(r"checkmate|stalemate|attacking")  # ends that have nothing to do with repetition
SECONDS = 120  # for one answer


class JudgeFault(Exception):
    """The judge did not answer."""


class BadFile(Exception):
    """A file that is not one of `chuhe match`."""


def ask(judge, rules, fen, moves):
    """The verdict of the other judge."""
    try:
        done = subprocess.run([*judge, rules, fen, *moves], capture_output=True, text=True,
                              timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise JudgeFault(str(error)) from error
    found = VERDICT.search(done.stdout)
    if done.returncode or not found:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise JudgeFault(f"status {done.returncode}: {said}")
    return found.group(1)


def read(paths, rules):
    """The games of the files, each with its rule set."""
    for path in paths:
        in_force = rules
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    entry = json.loads(line)
                    if entry["type"] == "match":
                        in_force = rules or entry["rules"]
                        continue
                    moves = (entry.get("opening", "") + " " + entry["moves"]).split()
                    yield {"place": f"{path}:{number}", "rules": in_force or "wxf", "moves": moves,
                           "fen": entry["fen"], "ending": entry["ending"],
                           "result": entry["result"], "reason": entry["reason"]}
                except (ValueError, KeyError, TypeError) as error:
                    raise BadFile(f"{path}:{number}: not a line of a match: {error!r}") from error


def dispute(judge, game):
    """What the other judge holds against a game; None when it agrees."""
    moves = game["moves"]
    expected = LOSER.get(game["result"]) if game["ending"] == "rules" else "undecided"
    said = ask(judge, game["rules"], game["fen"], moves)
    on_board = game["ending"] == "rules" and BOARD.search(game["reason"])
    if said != expected and not (on_board and said == "undecided"):
        return f"{game['place']} ({game['rules']}): {expected}, the judge says {said}"
    if moves:
        before = ask(judge, game["rules"], game["fen"], moves[:-1])
        if before != "undecided":
            return f"{game['place']} ({game['rules']}): already {before} one ply before the end"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", help="JSON lines of `chuhe match`")
    parser.add_argument("--judge", required=True, help="the command of the other judge")
    parser.add_argument("--rules", help="rule set, when another than the match was played by")
    parser.add_argument("--jobs", type=int, default=2, help="questions at a time")
    options = parser.parse_args()
    judge = shlex.split(options.judge)
    try:
        games = list(read(options.games, options.rules))
        with ThreadPoolExecutor(max(options.jobs, 1)) as pool:
            disputes = [said for said in pool.map(lambda game: dispute(judge, game), games) if said]
    except (OSError, BadFile) as error:
        print(f"rules_check: {error}", file=sys.stderr)
        return 2
    except JudgeFault as error:
        print(f"rules_check: the judge gives no verdict: {error}", file=sys.stderr)
        return 2
    for said in disputes:
        print(said)
    by_rules = sum(game["ending"] == "rules" for game in games)
    print(f"{len(games)} games, {by_rules} ended by the rules, {len(disputes)} disputed")
    return 1 if disputes else 0


if __name__ == "__main__":
    sys.exit(main())
