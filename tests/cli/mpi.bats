# mpi.bats - the same commands under mpirun. $TACOS is the program, with tacos-mpi beside it, and
# $MPIRUN starts several of it.

bats_require_minimum_version 1.5.0
load plans
load events
load bars

MORE=$'alpha = choice(0.0005 | 0 | 0.001)\ncurve_points = 9' # 24 runs

# What one process makes of the plan.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    plan "$MORE" >p.conf
    "$TACOS" sweep ./p.conf --store one.db --jobs 1 --quiet >/dev/null
}

setup() {
    HERE=$BATS_TEST_DIRNAME
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME
    export HOME=$BATS_TEST_TMPDIR
    cp "$BATS_FILE_TMPDIR"/* .
}

ranks() { # N COMMAND...
    local n=$1
    shift
    run --separate-stderr "$MPIRUN" --oversubscribe -n "$n" "$TACOS" "$@"
}

@test "the same store with 1, 2 and 4 ranks as with 1 and 2 jobs" {
    "$TACOS" sweep ./p.conf --store jobs2.db --jobs 2 --quiet >/dev/null
    diff <(contents one.db) <(contents jobs2.db)
    for n in 1 2 4; do
        ranks $n sweep ./p.conf --store ranks$n.db --quiet
        echo "$stderr"
        [ "$status" -eq 0 ]
        [ "$(grep -c "best configurations" <<<"$output")" -eq 1 ] # one of them talks
        diff <(contents one.db) <(contents ranks$n.db)
        [ "$(sqlite3 ranks$n.db "PRAGMA integrity_check")" = ok ]
    done
}

@test "the same store from three hosts" {
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
    rm one.db
    "$TACOS" sweep ./p.conf --store one.db --jobs 1 --quiet >/dev/null
    ranks 3 sweep ./p.conf --store ranks.db --quiet
    [ "$status" -eq 0 ]
    diff <(contents one.db) <(contents ranks.db)
}

@test "run spreads its seeds" {
    few=(--set hidden=20 --set steps=80 --set samples_per_task=60 --set test_samples_per_task=20 --seeds 4 --quiet --no-page)
    "$TACOS" run demo "${few[@]}" --out one >/dev/null
    ranks 2 run demo "${few[@]}" --out two
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

# ---- a stream that processes share ----

COLUMNS_NEW="--new --scale 100 --set model=columns --set inputs=64 --set outputs=4 --set input_shape=8,8
    --set column_units=90"

# What the k-th of n processes learns: blocks of 64 samples, in turns.
share() { # K N <SAMPLES
    awk -v k="$1" -v n="$2" 'int((NR - 1) / 64) % n == k'
}

# shellcheck disable=SC2086
@test "learn: the same as learning the shares apart and merging; the model goes on in the same way" {
    samples 0 1000 >first.csv
    samples 1000 1500 >then.csv
    for n in 2 3; do
        for ((k = 0; k < n; k++)); do
            share $k $n <first.csv | "$TACOS" learn a$k.tacos $COLUMNS_NEW --quiet
            share $k $n <then.csv | "$TACOS" learn b$k.tacos $COLUMNS_NEW --quiet
        done
        "$TACOS" merge a?.tacos -o a.tacos --force
        "$TACOS" merge a.tacos b?.tacos -o b.tacos --force
        for ((turn = 0; turn < 2; turn++)); do
            rm -f m.tacos
            ranks $n learn m.tacos $COLUMNS_NEW <first.csv
            echo "$stderr"
            [ "$status" -eq 0 ]
            [ -z "$output" ]
            [[ "$stderr" == *"1000 samples  predicted correctly before learning: "* ]]
            cmp a.tacos m.tacos
        done
        ranks $n learn m.tacos --scale 100 --quiet <then.csv
        echo "$stderr"
        [ "$status" -eq 0 ]
        cmp b.tacos m.tacos
        rm [ab]?.tacos
    done
}

# shellcheck disable=SC2086
@test "learn: how often each process was right before is told in the order of the samples" {
    samples 0 400 >all.csv
    for k in 0 1; do
        share $k 2 <all.csv | "$TACOS" learn $k.tacos $COLUMNS_NEW --tell-every 64 2>$k.txt
    done
    ranks 2 learn m.tacos $COLUMNS_NEW --tell-every 64 <all.csv
    right() { # FILE N: of the first N samples
        awk -v n="$2" '$1 == n { sub("%.*", "", $7); print int($7 * n / 100 + 0.5) }' "$1" | tail -1
    }
    for n in 64 128 192; do
        [ $(($(right 0.txt $n) + $(right 1.txt $n))) -eq "$(right <(echo "$stderr") $((2 * n)))" ]
    done
    [ "$(right 0.txt 64)" -eq "$(right <(echo "$stderr") 64)" ]
}

# shellcheck disable=SC2086
@test "learn: few samples, or none" {
    samples 0 40 >few.csv
    ranks 3 learn m.tacos $COLUMNS_NEW <few.csv # all of them are the first one's
    [ "$status" -eq 0 ]
    "$TACOS" learn alone.tacos $COLUMNS_NEW --quiet <few.csv
    cmp alone.tacos m.tacos
    ranks 3 learn m.tacos --scale 100 --quiet </dev/null
    [ "$status" -eq 0 ]
    cmp alone.tacos m.tacos
    ranks 3 learn none.tacos $COLUMNS_NEW --quiet </dev/null
    [ "$status" -eq 0 ]
    "$TACOS" learn empty.tacos $COLUMNS_NEW --quiet </dev/null
    cmp empty.tacos none.tacos
}

# shellcheck disable=SC2086
@test "learn: a malformed line ends it; what came before is learned" {
    samples 0 200 >good.csv
    ranks 2 learn good.tacos $COLUMNS_NEW --quiet <good.csv
    [ "$status" -eq 0 ]
    {
        cat good.csv
        echo 1,2
        samples 200 900
    } >bad.csv
    ranks 2 learn bad.tacos $COLUMNS_NEW --quiet <bad.csv
    echo "$stderr"
    [ "$status" -ne 0 ]
    [ "$(grep -c "tacos: line 201: it has 2 numbers" <<<"$stderr")" -eq 1 ]
    cmp good.tacos bad.tacos
    samples 200 900 >>good.csv
    ranks 2 learn whole.tacos $COLUMNS_NEW --quiet <good.csv
    [ "$status" -eq 0 ]
    ranks 2 learn skipped.tacos $COLUMNS_NEW --quiet --on-error skip <bad.csv
    [ "$status" -eq 0 ]
    [ "$(grep -c "line 201: .*; skipped" <<<"$stderr")" -eq 1 ]
    cmp whole.tacos skipped.tacos
}

# shellcheck disable=SC2086
@test "learn: what cannot be shared is told once, and nothing is made" {
    ranks 3 learn m.tacos --new --set inputs=64 --set outputs=4 </dev/null
    [ "$status" -ne 0 ]
    [ "$(grep -c "tacos: only a learner of model columns can be shared by several processes; this one has model tacos" \
        <<<"$stderr")" -eq 1 ]
    [ ! -e m.tacos ]
    ranks 3 learn m.tacos $COLUMNS_NEW --save-every 10 </dev/null
    [ "$status" -ne 0 ]
    [ "$(grep -c "tacos: --save-every does not apply to several processes" <<<"$stderr")" -eq 1 ]
    [ ! -e m.tacos ]
    ranks 3 learn m.tacos --nwe </dev/null
    [ "$status" -ne 0 ]
    [ "$(grep -c "tacos: unknown option --nwe" <<<"$stderr")" -eq 1 ]
    ranks 3 learn none.tacos </dev/null
    [ "$status" -ne 0 ]
    [ "$(grep -c "tacos: cannot read none.tacos" <<<"$stderr")" -eq 1 ]
}

# shellcheck disable=SC2086
@test "learn: a signal to the first process: what was dealt is learned and saved" {
    samples 0 500 >all.csv
    mkfifo pipe
    exec 7<>pipe
    # The first process's number: a launcher passes signals on, and kills soon after.
    cat >start <<'END'
[ "$OMPI_COMM_WORLD_RANK" -ne 0 ] || echo $$ >first
exec "$@"
END
    begin "$MPIRUN" --oversubscribe -n 2 sh ./start "$TACOS" learn m.tacos $COLUMNS_NEW --tell-every 1 <pipe
    cat all.csv >&7
    await "64 samples" # the answers to the first block are there, and the stream has not ended
    kill -TERM "$(cat first)"
    finish
    exec 7>&-
    [ "$status" -ne 0 ]
    n=$("$TACOS" inspect m.tacos --json | jq .samples_learned)
    [ "$n" -ge 64 ]
    head -"$n" all.csv >part.csv
    ranks 2 learn part.tacos $COLUMNS_NEW --quiet <part.csv
    [ "$status" -eq 0 ]
    cmp part.tacos m.tacos
}
