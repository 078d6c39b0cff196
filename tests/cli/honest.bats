# honest.bats - what is no result is not reported as one. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

SMALL="--quiet --set samples_per_task=100 --set test_samples_per_task=40"

# ---- rivals that diverge ----

@test "a rival that diverges is a failed run with a sentence, and leaves no results" {
    for keys in "model=l2 strength=1e3 optimizer=sgd optimizer_rate=0.1 batch=4" "model=bgd sigma_init=1000"; do
        sets=
        for key in $keys; do
            sets="$sets --set $key"
        done
        # shellcheck disable=SC2086
        run -1 --separate-stderr "$TACOS" run demo $SMALL $sets --out out
        [[ "$stderr" == "tacos: "*" diverged: its "*" task "[1-5]" are no longer finite numbers; "*" may help" ]]
        [ "$output" = "" ]
        [ ! -e out ]
    done
}

@test "a sweep goes on with the others, and reports the ones that diverged" {
    cat >plan.conf <<'END'
# two of three diverge
experiment = demo
samples_per_task = 100
test_samples_per_task = 40
model = bgd
sigma_init = choice(0.02 | 500 | 1000)
END
    run -1 --separate-stderr "$TACOS" sweep ./plan.conf --quiet --store plan.db
    [[ "$stderr" == *"2 runs failed; the first: bgd diverged: "* ]]
    [[ "$output" == *"1 configuration; 1 run complete, 2 failed"* ]]
    [[ "$output" == *"2 runs failed"*"x  bgd diverged: "* ]]
    [ "$(sqlite3 plan.db "SELECT count(*) FROM run WHERE status = 'failed' AND MA IS NULL AND error LIKE 'bgd diverged%'")" = 2 ]
    [ "$("$TACOS" sweep show plan.db --json | jq '[.configurations[0].metrics[].mean | isnormal or . == 0] | all')" = true ]
}
