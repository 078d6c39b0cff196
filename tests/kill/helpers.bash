# helpers.bash - what the tests that stop programs at counted moments share. $TACOS is the program,
# $STOP_AT is stop_at, $EVERY every how-manieth moment is tried.

# A run that is over in a moment.
# shellcheck disable=SC2034 # for those who load this
TINY="--set samples_per_task=2 --set test_samples_per_task=2 --set hidden=12 --set steps=40 --set init_w=9 --set threshold_output=0.01 --jobs 1 --quiet"

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    export ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0" # it traces too
    "$STOP_AT" 1 true true || [ $? -ne 77 ] || skip "programs cannot be traced here"
}

# Everything in a folder but what depends on the hour.
contents() { # FOLDER
    (
        cd "$1" || exit
        find . -type f ! -name '*.db' ! -name report.html -print | LC_ALL=C sort | while read -r file; do
            echo "$file $(sed -e '/"train": [0-9]/d; /"test": [0-9]/d' "$file" | sha256sum)"
        done
        find . -name '*.db' -exec sqlite3 {} 'SELECT seed, MA, model_digest, status FROM run ORDER BY id' \;
    )
}

# Kill a command at its 1st, 2nd, ... deed, until it comes to its end; each time prepare before, and
# see afterwards that the same command, left alone, makes the same as one that never was killed.
killed_everywhere() { # PREPARE WANTED FOLDER COMMAND...
    local prepare=$1 wanted=$2 folder=$3 n code
    shift 3
    for ((n = 1; ; n += EVERY)); do
        "$prepare"
        code=0
        "$STOP_AT" "$n" kill "$@" >/dev/null 2>&1 || code=$?
        if [ "$code" -ne 137 ]; then
            [ "$code" -eq 0 ] || fail "undisturbed, it exits with $code"
            break
        fi
        "$@" >out 2>&1 || fail "killed at deed $n, then: $(cat out)"
        [ "$(contents "$folder")" = "$wanted" ] ||
            fail "killed at deed $n: $(diff <(echo "$wanted") <(contents "$folder"))"
    done
    [ "$n" -gt 3 ] || fail "killed at $n deeds only"
    echo "killed $((n / EVERY)) times"
}

fail() {
    echo "$*"
    return 1
}
