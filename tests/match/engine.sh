#!/bin/sh
# An engine that misbehaves on purpose or plays what it is told to, for the tests of the match runner.
#
#   engine.sh MODE [FILE]
#
# It greets in UCCI, notes its process id and banned moves in FILE if given, and at its first `go` of a game does what
# MODE says. All modes but `deaf` end at `quit`.

mode=$1
notes=$2
[ -n "$notes" ] && echo $$ >> "$notes"

answer() {
    case $mode in
    crash) exit 3 ;;
    hang) ;;
    illegal) echo "bestmove a0a9" ;;
    garbage) echo "bestmove \\xff%s()" ;;
    other-side) echo "bestmove h9g7" ;;
    none) echo "nobestmove" ;;
    resign) echo "bestmove h2e2 resign" ;;
    draw) echo "bestmove h2e2 draw" ;;
    slow) sleep 0.4; echo "bestmove h2e2" ;;
    # answers `stop` only
    overdue) ;;
    # fills every pipe before it answers
    flood)
        i=0
        while [ $i -lt 3000 ]; do
            echo "info depth $i score $i nodes $i time 1 pv h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5"
            echo "noise on the other stream, line $i, to fill its pipe as well" >&2
            i=$((i + 1))
        done
        echo "nobestmove"
        ;;
    # a rook from a2 that gives check on files d and e for ever
    checker)
        turn=$((turn + 1))
        case $turn in
        1) echo "bestmove a2d2" ;;
        *[02468]) echo "bestmove d2e2" ;;
        *) echo "bestmove e2d2" ;;
        esac
        ;;
    # a king between d9 and e9
    runner)
        turn=$((turn + 1))
        case $turn in
        *[13579]) echo "bestmove d9e9" ;;
        *) echo "bestmove e9d9" ;;
        esac
        ;;
    deaf) echo "nobestmove" ;;
    esac
}

while read -r line; do
    case $line in
    ucci)
        case $mode in
        silent) ;;
        uci-only) echo "unknown command" ;;
        *)
            echo "id name Scripted"
            echo "option usemillisec type check default true"
            echo "ucciok"
            ;;
        esac
        ;;
    uci)
        if [ "$mode" = uci-only ]; then
            echo "id name Scripted"
            echo "uciok"
        fi
        ;;
    isready)
        turn=0
        echo "readyok"
        ;;
    banmoves*) [ -n "$notes" ] && echo "$line" >> "$notes" ;;
    "go "*) answer ;;
    stop) [ "$mode" = overdue ] && echo "bestmove h2e2" ;;
    quit) [ "$mode" = deaf ] || exit 0 ;;
    esac
done

# `deaf` does not even notice that its input has ended.
[ "$mode" = deaf ] && sleep 60
