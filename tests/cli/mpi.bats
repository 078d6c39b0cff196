# mpi.bats - the same commands under mpirun. $TACOS is the program, with tacos-mpi beside it, and
# $MPIRUN starts several of it.

bats_require_minimum_version 1.5.0
load plans
load events

setup() {
    HERE=$BATS_TEST_DIRNAME
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME
    export HOME=$BATS_TEST_TMPDIR
    plan "$MORE" >p.conf
}

MORE="alpha = choice(0.0005 | 0 | 0.001)" # 24 runs

ranks() { # N COMMAND...
    local n=$1
    shift
    run --separate-stderr "$MPIRUN" --oversubscribe -n "$n" "$TACOS" "$@"
}

@test "the same store with 1, 2 and 4 ranks as with 1 and 2 jobs" {
    "$TACOS" sweep ./p.conf --store jobs1.db --jobs 1 --quiet >/dev/null
    "$TACOS" sweep ./p.conf --store jobs2.db --jobs 2 --quiet >/dev/null
    diff <(contents jobs1.db) <(contents jobs2.db)
    for n in 1 2 4; do
        ranks $n sweep ./p.conf --store ranks$n.db --quiet
        echo "$stderr"
        [ "$status" -eq 0 ]
        [ "$(grep -c "best configurations" <<<"$output")" -eq 1 ] # one of them talks
        diff <(contents jobs1.db) <(contents ranks$n.db)
        [ "$(sqlite3 ranks$n.db "PRAGMA integrity_check")" = ok ]
    done
}

@test "the same store from three hosts" {
    "$TACOS" sweep ./p.conf --store one.db --quiet >/dev/null
    run --separate-stderr "$HERE/../mpi/hosts" 2 "$TACOS" sweep "$PWD/p.conf" \
        --store "$PWD/three.db" --quiet
    [ "$status" -ne 77 ] || skip "no network namespaces here"
    echo "$stderr"
    [ "$status" -eq 0 ]
    diff <(contents one.db) <(contents three.db)
    [ "$(sqlite3 three.db "SELECT count(DISTINCT host) FROM run")" -eq 3 ]
}

@test "halving under mpirun chooses the same" {
    plan "$MORE" "halving = 2" "rungs = 1" "validation = 0.2" >p.conf
    "$TACOS" sweep ./p.conf --store one.db --jobs 1 --quiet >/dev/null
    ranks 3 sweep ./p.conf --store ranks.db --quiet
    [ "$status" -eq 0 ]
    diff <(contents one.db) <(contents ranks.db)
}

@test "run spreads its seeds" {
    "$TACOS" run demo --set hidden=20 --set steps=80 --seeds 4 --quiet --out one >/dev/null
    ranks 2 run demo --set hidden=20 --set steps=80 --seeds 4 --quiet --out two
    [ "$status" -eq 0 ]
    diff <(jq 'del(.runs[].seconds)' one/results.json) <(jq 'del(.runs[].seconds)' two/results.json)
    for seed in 1 2 3 4; do
        cmp one/model-$seed.tacos two/model-$seed.tacos
    done
}

@test "errors are told once, and all leave" {
    ranks 3 sweep ./none.conf
    [ "$status" -ne 0 ]
    [ "$(grep -c "tacos: cannot read ./none.conf" <<<"$stderr")" -eq 1 ]
    plan "dataset = mnist" >p.conf
    ranks 3 sweep ./p.conf --store s.db --data nowhere --quiet
    [ "$status" -ne 0 ]
    [ "$(grep -c "tacos: .*nowhere/mnist" <<<"$stderr")" -eq 1 ]
    ranks 2 help version
    [ "$status" -eq 0 ]
}

# Wait until all processes of a session have ended; nobody may have asked yet how.
await_end() { # SESSION
    while ps -o stat= -s "$1" | grep -q '^[^Z]'; do
        :
    done
}

@test "the whole job killed again and again, no run is lost and none doubled" {
    "$TACOS" sweep ./p.conf --store one.db --quiet >/dev/null
    for k in {0..3}; do
        TACOS_TEST_CLOCK=10 begin setsid "$MPIRUN" --oversubscribe -n 2 "$TACOS" sweep ./p.conf --store s.db >out
        await_lines $((1 + 30 * k)) || break # the other process may have done the rest
        pkill -KILL -s "$pid" || true # it may have come to its end
        await_end "$pid"
        finish
    done
    [ "$k" -gt 0 ]
    ranks 2 sweep ./p.conf --store s.db --quiet
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(sqlite3 s.db "PRAGMA integrity_check")" = ok ]
    diff <(contents one.db) <(contents s.db)
}

@test "without tacos-mpi it says so instead of running everything twice" {
    cp "$TACOS" alone
    run --separate-stderr "$MPIRUN" --oversubscribe -n 2 "$PWD/alone" sweep ./p.conf --store s.db
    [ "$status" -ne 0 ]
    [[ "$stderr" == *"there is no $PWD/alone-mpi: this build has no MPI"* ]]
    [ ! -e s.db ]
}
