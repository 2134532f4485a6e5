#!/bin/sh
# An engine that misbehaves on purpose, for the tests of the match runner.
#
#   engine.sh MODE [FILE]
#
# It greets in UCCI, notes its process id in FILE if given, and at its first `go` of a game does what
# MODE says. All modes but `deaf` end at `quit`.

mode=$1
[ -n "$2" ] && echo $$ >> "$2"

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
    late) echo "bestmove h2e2" ;;
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
    isready) echo "readyok" ;;
    "go "*) answer ;;
    stop) [ "$mode" = overdue ] && echo "bestmove h2e2" ;;
    quit) [ "$mode" = deaf ] || exit 0 ;;
    esac
done

# `deaf` does not even notice that its input has ended.
[ "$mode" = deaf ] && sleep 60
