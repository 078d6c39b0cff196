# terminal.bats - what people see: colours, widths, progress. $TACOS is the program.

bats_require_minimum_version 1.5.0
load terminal.bash

ESC=$'\x1b'

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset NO_COLOR CLICOLOR_FORCE
}

SMALL="--set hidden=10 --set tasks=0-1,2-3 --set test_samples_per_task=10 --set steps=40 --set init_w=10 --set init_b=1"
TINY="--quiet $SMALL --set samples_per_task=10"

tiny_runs() { # NAME...
    for name in "$@"; do
        # shellcheck disable=SC2086
        "$TACOS" run demo $TINY --seeds 2 --out "$name" >/dev/null
    done
}

has_colour() {
    [[ "$1" == *"$ESC["* ]]
}

# ---- colours ----

@test "headings are bold on a terminal, and nowhere else" {
    need_terminal
    has_colour "$(on_terminal 80 "$TACOS" help)"
    [[ "$(on_terminal 80 "$TACOS" help)" == *"$ESC[1musage:$ESC[m tacos COMMAND"* ]]
    run ! has_colour "$("$TACOS" help)"
    [ "$(on_terminal 80 "$TACOS" help | plain)" = "$("$TACOS" help)" ]
}

@test "no command colours what it writes to a pipe or a file" {
    tiny_runs a b
    "$TACOS" reproduce function --out f >out 2>&1
    "$TACOS" compare a b >>out 2>&1
    "$TACOS" data list >>out 2>&1
    "$TACOS" sweep show a/results.db >>out 2>&1
    "$TACOS" help keys >>out
    "$TACOS" help run >>out
    run -1 "$TACOS" compare nowhere
    echo "$output" >>out
    run ! grep -q "$ESC" out
    # also if colours are asked for: files are for programs
    # shellcheck disable=SC2086
    "$TACOS" run demo $TINY --color=always --out c >/dev/null
    "$TACOS" reproduce function --out g --color=always >/dev/null
    run ! grep -rq "$ESC" c/results.json c/accuracy.csv g
}

@test "the matrix of accuracies is in heat colours, and the same without them" {
    # shellcheck disable=SC2086
    "$TACOS" run demo $TINY --color=always --out a >coloured
    # shellcheck disable=SC2086
    "$TACOS" run demo $TINY --out a --color=never >plain # complete: only shown again
    [ "$(grep -c "$ESC\[48;5;[0-9]*;38;5;[0-9]*m *[0-9.]*$ESC\[m" coloured)" -eq 3 ] # before, and after two tasks
    [ "$(sed "s/$ESC\[[0-9;]*m//g" coloured)" = "$(cat plain)" ]
}

@test "NO_COLOR, CLICOLOR_FORCE and TERM" {
    need_terminal
    run ! has_colour "$(NO_COLOR=1 on_terminal 80 "$TACOS" help)"
    has_colour "$(NO_COLOR='' on_terminal 80 "$TACOS" help)"
    has_colour "$(CLICOLOR_FORCE=1 "$TACOS" help)"
    run ! has_colour "$(CLICOLOR_FORCE=0 "$TACOS" help)"
    run ! has_colour "$(NO_COLOR=1 CLICOLOR_FORCE=1 "$TACOS" help)"
    run ! has_colour "$(on_terminal 80 env TERM=dumb "$TACOS" help)"
}

@test "--color decides before the environment, anywhere in the line" {
    need_terminal
    has_colour "$("$TACOS" help --color=always)"
    has_colour "$("$TACOS" --color=always help)"
    has_colour "$("$TACOS" --color always help run)"
    has_colour "$(NO_COLOR=1 "$TACOS" help --color=always)"
    run ! has_colour "$(on_terminal 80 "$TACOS" help --color=never)"
    run ! has_colour "$(on_terminal 80 "$TACOS" --color=never help)"
    run ! has_colour "$(CLICOLOR_FORCE=1 "$TACOS" help --color never)"
    run ! has_colour "$("$TACOS" help --color=auto)"
}

@test "--color wants auto, always or never" {
    for words in "help --color=maybe" "--color=maybe help" "run demo --color maybe"; do
        # shellcheck disable=SC2086
        run -2 --separate-stderr "$TACOS" $words
        [[ "$stderr" == *"--color maybe: expected auto, always or never"* ]]
    done
    run -2 --separate-stderr "$TACOS" --color
    [[ "$stderr" == *"--color requires a value"* ]]
    run -2 --separate-stderr "$TACOS" --colour=never help
    [[ "$stderr" == *"unknown option --colour=never"* ]]
}

@test "errors are red, the best value green, a damaged data set red" {
    need_terminal
    [[ "$(on_terminal 80 "$TACOS" rnu)" == *"$ESC[1;31mtacos:$ESC[m unknown command"* ]]
    tiny_runs a
    # Best is what is ahead by more than the deviations: made so, not hoped for.
    mkdir b c
    jq '.runs += .runs | .summary.MA = {mean: 70, sd: 3}' a/results.json >b/results.json
    jq '.runs += .runs | .summary.MA = {mean: 80, sd: 6}' a/results.json >c/results.json
    [[ "$("$TACOS" compare b c --color=always | grep -o "$ESC\[32m[^$ESC]*")" == *"80.00 +- 6.00"* ]]
    jq '.summary.MA.sd = 7' c/results.json >a/results.json # within the deviations
    run ! grep -q "$ESC\[32m" <("$TACOS" compare b a --color=always)
    jq '.runs |= .[:1]' c/results.json >a/results.json # of one run no deviation is known
    run ! grep -q "$ESC\[32m" <("$TACOS" compare b a --color=always)
    mkdir -p d/mnist
    echo x >d/mnist/train-images-idx3-ubyte
    [[ "$("$TACOS" data list --data d --color=always 2>&1)" == *"$ESC[1;31mdamaged"* ]]
    [[ "$("$TACOS" data verify glyphs --color=always)" == "$ESC[32mok$ESC[m glyphs"* ]]
}

# ---- widths ----

@test "help is as wide as the terminal" {
    need_terminal
    for columns in 60 90; do
        for topic in keys experiments models m_max; do
            [ "$(on_terminal $columns "$TACOS" help $topic | widest)" -le $columns ]
        done
    done
    [ "$(on_terminal 90 "$TACOS" help keys | widest)" -gt 60 ]
    [ "$(on_terminal 300 "$TACOS" help run | widest)" -le 100 ] # prose is no wider
}

@test "a table that is too wide comes in blocks, with every column once" {
    need_terminal
    tiny_runs a b
    on_terminal 60 "$TACOS" compare a b | plain >narrow
    [ "$(widest <narrow)" -le 60 ]
    for head in experiment model runs MA BWT forgetting MO "MA vs last"; do
        [ "$(grep -ow "$head" narrow | wc -l)" -ge 1 ]
    done
    [ "$(grep -c '^a ' narrow)" -eq "$(grep -c '^folder' narrow)" ]
    [ "$(grep -c '^folder' narrow)" -ge 2 ]
    [ "$(on_terminal 200 "$TACOS" compare a b | plain | grep -c '^folder')" -eq 1 ]
    # of many tasks too
    "$TACOS" run demo --quiet --set tasks=random:5x2 --set samples_per_task=4 \
        --set test_samples_per_task=2 --set steps=10 --set hidden=5 --out many >piped
    grep -q '^after task       1       2       3 ' piped # numbers, for the classes were drawn
    [ "$(on_terminal 40 "$TACOS" run demo --quiet --set tasks=random:5x2 --set samples_per_task=4 \
        --set test_samples_per_task=2 --set steps=10 --set hidden=5 --out many |
        plain | sed -n '/^percent/,/^  MA/p' | widest)" -le 40 ]
}

@test "bench leaves columns out where they do not fit, and says so" {
    need_terminal
    on_terminal 80 "$TACOS" bench mnist-784-200-2 --quick --threads 1 --data none | plain >narrow
    grep -q "too narrow for all columns" narrow
    [ "$(grep '|' narrow | widest)" -le 80 ]
    grep -q '^case  *threads |  *us |  *us |  *% bound$' narrow
    on_terminal 140 "$TACOS" bench mnist-784-200-2 --quick --threads 1 --data none | plain >wide
    run ! grep -q "too narrow" wide
    grep -q 'fastest' wide
}

@test "columns are aligned also where names are long" {
    "$TACOS" help demo >demo-with-a-very-long-name.conf
    # shellcheck disable=SC2086
    "$TACOS" run ./demo-with-a-very-long-name.conf $TINY --out x >/dev/null
    tiny_runs y
    "$TACOS" compare x y | head -3 >table
    # the model stands in the same column of every line
    [ "$(awk '{ print index($0, NR == 1 ? "model" : "tacos 10") }' table | sort -u | wc -l)" -eq 1 ]
    [ "$(awk '{ print length($0) }' table | sort -u | wc -l)" -eq 1 ]
}

# ---- progress ----

# A run of 120 samples that take a second each; what was drawn of its progress is in the file progress.
slow_run() { # COLUMNS LOCALE
    TACOS_TEST_CLOCK=1 LC_ALL=$2 TERM=xterm script -qec "stty cols $1; '$TACOS' run demo $SMALL \
        --set samples_per_task=30 --jobs 1 --force --out slow" /dev/null </dev/null | tr '\r' '\n' | plain |
        grep '%.*left' >progress
}

bar() { # CHARACTER FILLED EMPTY
    printf "$1%.0s" $(seq "$2")
    printf "%$3s"
}

@test "progress: bar, percent, runs, rate, elapsed and time left in one line" {
    need_terminal
    slow_run 100 C.UTF-8
    grep -qxF " 50% [$(bar █ 20 20)]  runs 0/1  1 samples/s  1:00 elapsed  1:00 left" progress
    [ "$(widest <progress)" -lt 100 ]
    slow_run 100 C
    grep -qxF " 50% [$(bar '#' 20 20)]  runs 0/1  1 samples/s  1:00 elapsed  1:00 left" progress
    run ! grep -q '█' progress
}

@test "progress: a narrow terminal gets less, never a second line" {
    need_terminal
    slow_run 60 C
    [ "$(widest <progress)" -lt 60 ]
    grep -Eqx ' 50% \[#+ +\]  runs 0/1  1 samples/s  1:00 left' progress
    slow_run 45 C
    [ "$(widest <progress)" -lt 45 ]
    grep -qx ' 50%  runs 0/1  1 samples/s  1:00 left' progress
    slow_run 20 C
    [ "$(widest <progress)" -lt 20 ]
    grep -qx ' 50%  1:00 left' progress
}

@test "without a terminal progress is plain lines, one in ten seconds" {
    # shellcheck disable=SC2086
    TACOS_TEST_CLOCK=1 "$TACOS" run demo $SMALL --set samples_per_task=30 --jobs 1 --out long >out 2>progress
    grep runs progress | diff - /dev/fd/3 3<<'END'
  8%  runs 0/1  1 samples/s  0:10 elapsed  1:50 left
 16%  runs 0/1  1 samples/s  0:20 elapsed  1:40 left
 25%  runs 0/1  1 samples/s  0:30 elapsed  1:30 left
 33%  runs 0/1  1 samples/s  0:40 elapsed  1:20 left
 41%  runs 0/1  1 samples/s  0:50 elapsed  1:10 left
 50%  runs 0/1  1 samples/s  1:00 elapsed  1:00 left
 58%  runs 0/1  1 samples/s  1:10 elapsed  0:50 left
 66%  runs 0/1  tasks 50  1 samples/s  1:20 elapsed  0:40 left
 75%  runs 0/1  tasks 50  1 samples/s  1:30 elapsed  0:30 left
 83%  runs 0/1  tasks 50  1 samples/s  1:40 elapsed  0:20 left
 91%  runs 0/1  tasks 50  1 samples/s  1:50 elapsed  0:10 left
100%  runs 0/1  tasks 50  1 samples/s  2:00 elapsed  0:00 left
END
}

# A datagram is one write.
@test "a line on stderr is one write, so that lines of several processes do not mix" {
    command -v python3 >/dev/null || skip "there is no python3"
    run python3 - "$TACOS" <<'EOF'
import socket, subprocess, sys
ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
subprocess.run([sys.argv[1], "run", "nowhere"], stderr=its)
its.close()
ours.setblocking(False)
n = 0
try:
    while line := ours.recv(65536):
        assert line.count(b"\n") == 1 and line.endswith(b"\n"), line
        n += 1
except (BlockingIOError, ConnectionResetError):
    pass
print(n)
EOF
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" -ge 1 ]
}
