#!/usr/bin/env bash
# Plays one game of the engine against itself in XBoard on a virtual display, and checks that it
# ended with a result on the board.
#
# Usage: tests/games/xboard_game.sh [--mode MODE] ENGINE [DIRECTORY]
#   MODE       native: XBoard loads the engine itself, with pondering
#              ucci, uci, plain: through the adapter UCI2WB in that mode (default: ucci)
#   ENGINE     the engine binary
#   DIRECTORY  where to leave game.pgn and xboard.debug (default: a temporary directory)
# Needs xboard, uci2wb and xvfb-run. Exit status 0 when a game was played to its end.
# XBOARD_GAME_SECONDS bounds each of two attempts (default 240).

set -euo pipefail
export PATH="$PATH:/usr/games"

mode=ucci
if [[ ${1-} == --mode ]]; then
    mode=${2-}
    shift 2 || shift
fi
if [[ $# -lt 1 || $# -gt 2 || ! -x $1 ]]; then
    echo "usage: $0 [--mode native|ucci|uci|plain] ENGINE [DIRECTORY]" >&2
    exit 2
fi
engine=$(readlink -f "$1")
directory=$(readlink -f "${2:-$(mktemp -d)}")
limit=${XBOARD_GAME_SECONDS:-240}
for tool in xboard uci2wb xvfb-run; do
    command -v "$tool" >/dev/null || { echo "$0: $tool is not installed" >&2; exit 2; }
done

# XBoard splits the command at blanks, so the adapter gets a name without any.
mkdir -p "$directory"
work=$(mktemp -d /tmp/xboard-game.XXXXXX)
trap 'rm -rf "$work"' EXIT
ln -s "$engine" "$work/engine"
case $mode in
    native) player="$work/engine" ponder=-ponder ;;
    ucci) player="uci2wb -x $work/engine" ponder=-xponder ;;
    uci) player="uci2wb -c $work/engine" ponder=-xponder ;;
    plain) player="uci2wb $work/engine" ponder=-xponder ;;
    *) echo "$0: no mode '$mode'" >&2; exit 2 ;;
esac

play() {
    rm -rf "$directory/game.pgn" "$directory/xboard.debug" "$work/home"
    mkdir "$work/home" # no settings of an earlier run
    # A search depth keeps the game short; the clock is there to lose on time if the engine hangs.
    # Draws are adjudicated late, after XBoard's own tests for mate and repetition.
    HOME=$work/home timeout --kill-after=10 "$limit" \
        xvfb-run --auto-servernum xboard \
        -variant xiangqi -matchGames 1 \
        -fcp "$player" -scp "$player" \
        -timeControl 3 -timeIncrement 1 -searchDepth 4 $ponder \
        -adjudicateDrawMoves 150 -matchPause 0 -popupExitMessage false \
        -saveGameFile "$directory/game.pgn" \
        -debug -nameOfDebugFile "$directory/xboard.debug" \
        >"$work/output" 2>&1
}

check() {
    local pgn=$directory/game.pgn
    if [[ ! -s $pgn ]]; then
        echo "no game was saved"
        return 1
    fi
    if ! grep -q '^\[Variant "xiangqi"\]' "$pgn"; then
        echo "not a game of xiangqi"
        return 1
    fi
    if ! grep -q -E '^\[Result "(1-0|0-1|1/2-1/2)"\]' "$pgn"; then
        echo "no result"
        return 1
    fi
    local moves
    moves=$(grep -v '^\[' "$pgn" | tr -s ' \n' '\n' | grep -c -E '^[a-zA-Z+]*[a-i]?[0-9]?x?[a-i][0-9]' || true)
    if ((moves < 10)); then
        echo "only $moves moves"
        return 1
    fi
    # The comment at the end says how it ended; these ends are an engine's fault.
    if grep -i -E 'illegal|forfeit|disconnect|exited|crash|resigns|time ' <(grep -v '^\[' "$pgn"); then
        echo "ended by a fault"
        return 1
    fi
    if grep -i 'UCI violation' "$directory/xboard.debug"; then
        echo "the adapter complains"
        return 1
    fi
    echo "XBoard game ($mode): $moves plies, $(sed -n 's/^\[Result "\(.*\)"\]/\1/p' "$pgn"):" \
        "$(grep -v '^\[' "$pgn" | grep -o '{[^{}]*}' | tail -n 1)"
}

for attempt in 1 2; do
    status=0
    play || status=$?
    if verdict=$(check); then
        echo "$verdict"
        exit 0
    fi
    echo "attempt $attempt failed (status $status): $verdict" >&2
    tail -n 5 "$work/output" >&2 || true
    # A game that was played and went wrong is a finding; only a start that failed deserves a retry.
    [[ -s $directory/game.pgn ]] && break
done
tail -n 20 "$directory/game.pgn" "$directory/xboard.debug" >&2 || true
exit 1
