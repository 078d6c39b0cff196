# limit.bats - files that may not grow (`ulimit -f`): a sentence and exit 1, never an end by signal;
# what was there before is whole, nothing is left beside it, and without the limit the same command
# does its work.

bats_require_minimum_version 1.5.0
load helpers

# Under 0, 1, 2, 4, ... KiB until it succeeds.
limited() { # FOLDER COMMAND...
    local folder=$1 limit code failures=0
    shift
    for limit in 0 1 2 4 8 16 32 64 128 256 512 1024 2048 4096; do
        code=0
        # shellcheck disable=SC2016
        bash -c 'ulimit -f "$0" && exec "$@"' "$limit" "$@" 2>&1 | cat >said
        code=${PIPESTATUS[0]}
        [ "$code" -ne 0 ] || break
        [ "$code" -eq 1 ] || fail "$limit KiB: exit $code: $(cat said)"
        grep -q "^tacos: cannot [a-z]* .*: [A-Za-z]" said || fail "$limit KiB: $(cat said)"
        failures=$((failures + 1))
        if find "$folder" -name '*.tmp-*' -o -name '*-lock' | grep .; then fail "$limit KiB: left behind"; fi
    done
    [ "$failures" -gt 0 ] || fail "no limit was felt"
    "$@" >/dev/null
}

@test "tacos run" {
    mkdir x
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $TINY --no-page --seeds 2
    "$@" --out wanted
    limited x "$@" --out x/o
    [ "$(contents x/o)" = "$(contents wanted)" ]
}

@test "tacos sweep" {
    printf '%s\n' 'experiment = demo' "$OWN" 'samples_per_task = 2' 'test_samples_per_task = 2' 'hidden = 6' 'steps = 20' \
        'm_max = choice(5 | 10)' >plan.conf
    mkdir x
    limited x "$TACOS" sweep plan.conf --data data --store x/s.db --jobs 1 --quiet
    [ "$(sqlite3 x/s.db "SELECT count(*) FROM run WHERE status = 'complete'")" -eq 2 ]
}

@test "tacos learn, export, import, report and plot" {
    # shellcheck disable=SC2086
    "$TACOS" run demo $TINY --no-page --out r
    cp r/model-1.tacos m.tacos
    "$TACOS" export m.tacos w
    mkdir x
    for command in "export m.tacos x/w" "import w x/m.tacos" "report r -o x/page.html" \
        "plot accuracy r -o x/a.svg" "learn x/m.tacos --new --set inputs=4 --quiet"; do
        limited x bash -c "rm -f x/*; exec '$TACOS' $command </dev/null"
    done
    cp m.tacos x/m.tacos
    # shellcheck disable=SC2016
    run bash -c 'ulimit -f 8; for k in $(seq 64); do printf ",0.5"; done | sed "s/^/1/" | "$TACOS" learn x/m.tacos --quiet'
    [ "$status" -eq 1 ]
    [[ "$output" == *"cannot write x/m.tacos: File too large"* ]]
    cmp m.tacos x/m.tacos
}

@test "what is printed into a file" {
    # shellcheck disable=SC2016
    run bash -c 'ulimit -f 1; "$TACOS" help keys >out'
    [ "$status" -eq 1 ]
    [[ "$output" == *"cannot write to standard output: File too large"* ]]
}
