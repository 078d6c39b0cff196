# helpers.bash - what the tests that stop programs at counted moments share. $TACOS is the program,
# $STOP_AT is stop_at, $EVERY about how many deeds there are from one moment that is tried to the next; with
# TACOS_TEST_ALL=1 it is one, and every moment is tried.
EVERY=${TACOS_TEST_ALL:-$EVERY}

# A run that is over in a moment, of images of 8 x 8 pixels that `setup` makes: most of a run of few samples would be the
# drawing of built-in symbols.
# shellcheck disable=SC2034 # for those who load this
OWN="dataset = tiny"
# shellcheck disable=SC2034
TINY="--data data --set dataset=tiny --set samples_per_task=2 --set test_samples_per_task=2 --set hidden=12 --set steps=40 --set init_w=9 --set threshold_output=0.01 --jobs 1 --quiet"

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" # it traces too
    "$STOP_AT" 1 true true || [ $? -ne 77 ] || skip "programs cannot be traced here"
    mkdir -p data/tiny
    awk 'BEGIN { for (i = 0; i < 40; i++) { line = i % 10 # each class is bright in pixels of its own
        for (p = 0; p < 64; p++) line = line "," (int(p / 6) == i % 10 ? 200 + i : 0)
        print line } }' | tee data/tiny/train.csv >data/tiny/test.csv
}

# Everything in a folder but what depends on the hour.
contents() { # FOLDER
    (
        cd "$1" || exit
        find . -type f ! -name '*.db' ! -name report.html ! -name results.json -exec sha256sum {} + | LC_ALL=C sort -k 2
        find . -name results.json -exec sed -e '/"train": [0-9]/d; /"test": [0-9]/d' {} + | sha256sum
        find . -name '*.db' -exec sqlite3 {} 'SELECT seed, MA, model_digest, status FROM run ORDER BY id' \;
    )
}

# The moments that are tried of the deeds of a command: $ENDS first and last ones, and some between, at odd distances so
# that they do not always meet the same of what is done again and again.
ENDS=3
moments() { # PREPARE COMMAND...
    local n=1 last
    "$1" >&2
    shift
    last=$("$STOP_AT" 0 count "$@" 2>&1 >/dev/null | sed -n 's/^deeds: //p')
    while [ "$n" -le "$last" ]; do
        echo "$n"
        if [ "$EVERY" -gt 1 ] && [ "$n" -ge "$ENDS" ] && [ "$n" -le $((last - ENDS)) ]; then
            n=$((n + EVERY + n % 3 - 1))
            [ "$n" -le $((last - ENDS)) ] || n=$((last - ENDS + 1))
        else
            n=$((n + 1))
        fi
    done
}

# Kill a command at each of its moments; each time prepare before, and see afterwards that the same command, left alone,
# makes the same as one that never was killed.
killed_everywhere() { # PREPARE WANTED FOLDER COMMAND...
    local prepare=$1 wanted=$2 folder=$3 n code kills=0
    shift 3
    for n in $(moments "$prepare" "$@"); do
        "$prepare"
        code=0
        "$STOP_AT" "$n" kill "$@" >/dev/null 2>&1 || code=$?
        if [ "$code" -ne 137 ]; then
            [ "$code" -eq 0 ] || fail "undisturbed, it exits with $code"
            break
        fi
        kills=$((kills + 1))
        "$@" >out 2>&1 || fail "killed at deed $n, then: $(cat out)"
        [ "$(contents "$folder")" = "$wanted" ] ||
            fail "killed at deed $n: $(diff <(echo "$wanted") <(contents "$folder"))"
    done
    [ "$kills" -ge 3 ] || fail "killed at $kills deeds only"
    echo "killed $kills times"
}

fail() {
    echo "$*"
    return 1
}
