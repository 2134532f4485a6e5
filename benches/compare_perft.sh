#!/usr/bin/env bash
# Compares the speed of `chuhe perft` with fairy-stockfish, both on one thread, interleaved in one
# run so that a busy machine disturbs both alike.
#
# usage: benches/compare_perft.sh [ROUNDS] [CHUHE] [FAIRY]
#
# fairy-stockfish prints no time, so processor time is measured from outside, for both in the same
# way: that of the count less that of a count to depth 1, which is start-up. Prints the medians over
# ROUNDS (default 5). Exit status 1 when counts differ, 2 when a program is missing; never for speed.
set -eu

rounds=${1:-5}
ours=${2:-target/release/chuhe}
fairy=${3:-fairy-stockfish}
PATH=$PATH:/usr/games

for program in "$ours" "$fairy"; do
    command -v "$program" >/dev/null || { echo "$program: not found" >&2; exit 2; }
done

# Each prints the node count; $1 is the depth, $2 the position.
run_ours() { "$ours" perft "$1" --fen "$2" | sed -n 's/^Nodes searched: //p'; }
run_fairy() {
    printf 'setoption name UCI_Variant value xiangqi\nposition fen %s\ngo perft %s\nquit\n' \
        "$2" "$1" | "$fairy" 2>/dev/null | sed -n 's/^Nodes searched: //p'
}

# Milliseconds of processor time of a command; its output goes to the file $scratch/out.
TIMEFORMAT='%U %S'
processor() { { time "$@" >"$scratch/out"; } 2>&1 | awk '{ printf "%d", ($1 + $2) * 1000 }'; }

# Prints nodes and nodes per second: $1 the runner, $2 the depth, $3 the position.
measure() {
    local startup total
    startup=$(processor "$1" 1 "$3")
    total=$(processor "$1" "$2" "$3")
    awk -v ms=$((total - startup)) '{ printf "%d %d", $1, $1 * 1000 / (ms > 0 ? ms : 1) }' "$scratch/out"
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# name, depth for us, depth for fairy-stockfish (shallower where it takes long), position
cases='start 6 5 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
middle 5 4 r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1
open 5 4 1C2ka3/9/C1Nab1n2/p3p3p/6p2/9/P3P3P/3AB4/3p2c2/c1BAK4 w - - 0 1
checks 5 5 1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1
ending 6 5 C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 w - - 0 1'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    while read -r name deep shallow fen; do
        read -r nodes our_speed <<<"$(measure run_ours "$deep" "$fen")"
        read -r nodes fairy_speed <<<"$(measure run_fairy "$shallow" "$fen")"
        check=$(run_ours "$shallow" "$fen")
        if [ "$check" != "$nodes" ]; then
            echo "$name depth $shallow: ours $check, fairy-stockfish $nodes" >&2
            failed=1
        fi
        echo "$our_speed" >>"$scratch/$name.ours"
        echo "$fairy_speed" >>"$scratch/$name.fairy"
        echo "$our_speed $fairy_speed" | awk '{ print $1 / $2 }' >>"$scratch/$name.ratio"
    done <<LIST
$cases
LIST
done

printf '%-8s %14s %14s %8s\n' position 'ours nodes/s' 'fairy nodes/s' ratio
echo "$cases" | while read -r name rest; do
    printf '%-8s %14s %14s %8.1f\n' "$name" "$(median <"$scratch/$name.ours")" \
        "$(median <"$scratch/$name.fairy")" "$(median <"$scratch/$name.ratio")"
done
cat "$scratch"/*.ratio | median | sed 's/^/median ratio over all positions: /'
median <"$scratch/start.ratio" | sed 's/^/ratio from the start position: /'
exit "$failed"
