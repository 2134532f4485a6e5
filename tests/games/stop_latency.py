#!/usr/bin/env python3
"""Measures how long the engine takes to answer `stop`, and prints a histogram.

Sends `go infinite`, waits 0, 1, 5 or 50 ms in turn, sends `stop`, and takes the time to `bestmove`.
Exit status 1 when an answer is missing, doubled or slower than --limit milliseconds.

    tests/games/stop_latency.py target/release/chuhe --rounds 1000
"""

import argparse
import subprocess
import sys
import time

PAUSES = (0.0, 0.001, 0.005, 0.05)  # seconds from go to stop
BUCKETS = (0.5, 1, 2, 5, 10, 20, 50, 100, float("inf"))  # milliseconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("engine")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=float, default=50.0, help="milliseconds")
    args = parser.parse_args()

    engine = subprocess.Popen([args.engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, bufsize=1)

    def send(line):
        engine.stdin.write(line + "\n")
        engine.stdin.flush()

    def read_until(word):
        """The line that starts with the word, and how many answers came before it."""
        answers = 0
        for line in engine.stdout:
            if line.startswith(word):
                return line, answers
            answers += line.startswith("bestmove")
        sys.exit(f"the engine ended while {word} was awaited")

    send("uci")
    read_until("uciok")
    send(f"setoption name Threads value {args.threads}")
    times, doubled = [], 0
    for i in range(args.rounds):
        send("position startpos" + (" moves h2e2" if i % 2 else ""))
        send("isready")
        doubled += read_until("readyok")[1]
        send("go infinite")
        time.sleep(PAUSES[i % len(PAUSES)])
        start = time.perf_counter()
        send("stop")
        read_until("bestmove")
        times.append((time.perf_counter() - start) * 1000)
    send("quit")
    engine.wait(timeout=10)

    low = 0.0
    for high in BUCKETS:
        count = sum(low <= t < high for t in times)
        bar = "#" * round(60 * count / len(times))
        print(f"{low:6.1f} to {high:6.1f} ms {count:6} {bar}")
        low = high
    times.sort()
    slow = sum(t > args.limit for t in times)
    print(f"{len(times)} stops: median {times[len(times) // 2]:.2f} ms, "
          f"99 % {times[int(len(times) * 0.99)]:.2f} ms, most {times[-1]:.2f} ms, "
          f"{slow} over {args.limit:g} ms, {doubled} doubled answers")
    return 1 if slow or doubled else 0


if __name__ == "__main__":
    sys.exit(main())
