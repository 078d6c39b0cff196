# sweep.bats - `tacos sweep`: plans from outside. $TACOS is the program.

bats_require_minimum_version 1.5.0
load plans
load events

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME
    export HOME=$BATS_TEST_TMPDIR
    plan >p.conf
}

sweep() { # OPTION...
    run --separate-stderr "$TACOS" sweep ./p.conf --store s.db --quiet "$@"
}

refuses() { # CODE TEXT: the last command ended with CODE and said TEXT, and nothing on stdout
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

@test "a sweep fills a store and prints the best" {
    sweep
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ "$output" == "s.db: 4 configurations; 8 runs complete"* ]]
    [[ "$output" == *"best configurations"*"effect of each key"*"stability and plasticity"* ]]
    [ "$(echo s.db*)" = s.db ] # no log, no lock
    [ "$(sqlite3 s.db "SELECT count(DISTINCT MA) > 4 FROM run")" = 1 ]
    [ "$(sqlite3 s.db "SELECT count(*) FROM accuracy")" -eq $((8 * 3 * 2)) ]
    [ "$(sqlite3 s.db "PRAGMA integrity_check")" = ok ]
    [ "$(sqlite3 s.db "SELECT DISTINCT host FROM run")" = "$(uname -n)" ]
}

@test "the store does not depend on the number of jobs" {
    sweep --jobs 1
    [ "$status" -eq 0 ]
    mv s.db one.db
    sweep --jobs 2
    [ "$status" -eq 0 ]
    diff <(contents one.db) <(contents s.db)
    mv s.db two.db
    sweep --jobs 7
    [ "$status" -eq 0 ]
    diff <(contents one.db) <(contents s.db)
}

@test "a run of a sweep is the run of an experiment" {
    sweep
    [ "$status" -eq 0 ]
    "$TACOS" run demo --set hidden=20 --set steps=80 --set tasks=0-1,2-3 --set m_max=5 \
        --set samples_per_task=100 --set test_samples_per_task=30 --set delta_m_hidden=1 --seed 2 --quiet --out o >/dev/null
    [ "$(jq -r '.runs[0].model_digest' o/results.json)" = "$(sqlite3 s.db "SELECT model_digest
        FROM run JOIN setting a ON a.config = run.config AND a.key = 'm_max' AND a.value = '5'
        JOIN setting b ON b.config = run.config AND b.key = 'model' AND b.value = 'tacos'
        WHERE seed = 2")" ]
}

@test "started again it has nothing to do; a larger plan only the rest" {
    sweep
    [ "$status" -eq 0 ]
    sqlite3 s.db "SELECT id, finished, train_seconds FROM run" >before
    sweep
    [ "$status" -eq 0 ]
    sqlite3 s.db "SELECT id, finished, train_seconds FROM run" | diff before -
    plan "alpha = choice(0.0005 | 0)" >p.conf # half of it is there
    sweep
    [ "$(sqlite3 s.db "SELECT count(*) FROM run WHERE status = 'complete'")" -eq 16 ]
    sqlite3 s.db "SELECT id, finished, train_seconds FROM run LIMIT 8" | diff before -
}

# A sweep in the background that says a line after every sample.
begin_sweep() { # PLAN
    TACOS_TEST_CLOCK=10 begin "$TACOS" sweep "$1" --store s.db --jobs 1 >out
}

@test "killed again and again, no run is lost and none doubled" {
    local before=0 n
    # 64 runs of some 220 lines; a sweep that is killed has made less than six of them
    plan "alpha = choice(0.0005 | 0)" "learning_rate = linear(0.01, 0.04, 4)" >p.conf
    "$TACOS" sweep ./p.conf --store whole.db --quiet >/dev/null
    for k in {0..9}; do
        begin_sweep ./p.conf
        await_lines $((1 + 20 * k))
        end_by KILL
        [ "$status" -eq 137 ]
        [ "$(sqlite3 s.db "PRAGMA integrity_check")" = ok ]
        n=$(sqlite3 s.db "SELECT count(*) FROM run WHERE status = 'complete'")
        [ "$n" -ge "$before" ]
        before=$n
    done
    [ "$before" -gt 0 ]
    sweep
    [ "$status" -eq 0 ]
    diff <(contents whole.db) <(contents s.db)
}

@test "without --store the store is named after the plan" {
    run --separate-stderr "$TACOS" sweep ./p.conf --quiet
    [ "$status" -eq 0 ]
    [ -f results/p.db ]
}

@test "--dry-run counts, and makes nothing" {
    plan "halving = 2" "rungs = 1" "validation = 0.2" >p.conf
    sweep --dry-run
    [ "$status" -eq 0 ]
    [ "$output" = "p: 4 configurations x 2 seeds, halved in 2 stages: 12 runs" ]
    [ ! -e s.db ]
}

@test "halving: the rest is shown as stopped, and chosen on training data" {
    plan "halving = 2" "rungs = 1" "validation = 0.2" >p.conf
    sweep
    [ "$status" -eq 0 ]
    [[ "$output" == *"4 configurations, 2 of them stopped early"* ]]
    [ "$(sqlite3 s.db "SELECT count(*) FROM run WHERE tasks = 1")" -eq 8 ]
    [ "$(sqlite3 s.db "SELECT count(*) FROM run WHERE tasks = 2")" -eq 4 ]
    plan "halving = 2" "rungs = 1" >p.conf
    sweep
    refuses 2 "validation"
}

@test "built-in plans are listed and explained" {
    run "$TACOS" help plans
    [[ "$output" == *"trade-off "*"m_max"* ]]
    run "$TACOS" help trade-off
    [[ "$output" == *"experiment = split-mnist"* ]]
    run "$TACOS" sweep trade-off --dry-run
    [ "$output" = "trade-off: 36 configurations x 2 seeds: 72 runs" ]
    run "$TACOS" sweep future --dry-run
    [ "$output" = "future: 8 configurations x 5 seeds: 40 runs" ]
}

# ---- bad input ----

@test "a million runs are asked about" {
    plan "alpha = linear(0, 0.001, 1000)" "learning_rate = linear(0.001, 0.1, 1000)" >p.conf
    sweep
    refuses 2 "./p.conf has 8000000 runs; --yes confirms that"
    [ ! -e s.db ]
}

@test "what is wrong in a plan is told with its line" {
    plan "alpha = linear(0.1, 0.1, 3)" >p.conf
    sweep
    refuses 2 "./p.conf:11: "
    plan "alpha = linear(0, 2, 3)" >p.conf
    sweep
    refuses 2 "out of range"
    plan "m_max = 3" >p.conf
    sweep
    refuses 2 "./p.conf:11: "
    plan "alpha = lienar(0, 1, 3)" >p.conf
    sweep
    refuses 2 "linear"
    [ ! -e s.db ]
}

@test "options: wrong, missing, contradictory" {
    run --separate-stderr "$TACOS" sweep
    refuses 2 "expected a plan"
    run --separate-stderr "$TACOS" sweep trade-of
    refuses 2 "the nearest is 'trade-off'"
    run --separate-stderr "$TACOS" sweep ./none.conf
    refuses 1 "cannot read ./none.conf"
    run --separate-stderr "$TACOS" sweep a b
    refuses 2 "one plan at a time"
    sweep --jobs 0
    refuses 2 "--jobs 0"
    sweep --stroe x
    refuses 2 "the nearest is --store"
}

@test "a configuration that cannot run is told at the end, and the others are run" {
    plan "i_min = choice(-11 | 20)" >p.conf # i_max is 13
    sweep
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"8 runs failed; the first: "*"i_min = 20 must be below i_max = 13"* ]]
    [[ "$output" == *"best configurations"* ]]
    [ "$(sqlite3 s.db "SELECT count(*) FROM run WHERE status = 'complete'")" -eq 8 ]
}

@test "a store of a newer program, another file, a folder" {
    sweep
    [ "$status" -eq 0 ]
    sqlite3 s.db "PRAGMA user_version = 99"
    cp s.db before
    sweep
    refuses 1 "s.db was made by a newer version (store version 99"
    cmp before s.db
    echo "my notes" >s.db
    sweep
    refuses 1 "s.db: it is not a store of results"
    [ "$(cat s.db)" = "my notes" ]
    rm s.db
    sqlite3 s.db "CREATE TABLE bees (n)"
    sweep
    refuses 1 "is a database, but not a store of results"
    rm s.db
    mkdir s.db
    sweep
    refuses 1 "s.db is not a file"
}

@test "a store in use is refused, and may be read" {
    plan "samples_per_task = 4000" | sed '/= 100$/d' >long.conf
    begin_sweep ./long.conf
    await " runs 0/8 "
    sweep
    refuses 1 "s.db is in use by process $pid on "
    run "$TACOS" sweep show s.db
    [ "$status" -eq 0 ]
    end_by TERM
    [ "$status" -eq 143 ]
}

@test "a disk that fills up: what was stored is there, and it goes on" {
    trap '' XFSZ
    plan "alpha = choice(0.0005 | 0)" "learning_rate = linear(0.01, 0.02, 8)" >p.conf # 128 runs
    run --separate-stderr bash -c "ulimit -f 100; exec '$TACOS' sweep ./p.conf --store s.db --quiet"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"cannot write s.db: "* ]]
    [ "$(sqlite3 s.db "PRAGMA integrity_check")" = ok ]
    sweep
    [ "$status" -eq 0 ]
    [ "$(sqlite3 s.db "SELECT count(*) FROM run WHERE status = 'complete'")" -eq 128 ]
}

@test "a folder that cannot be written" {
    run --separate-stderr "$TACOS" sweep ./p.conf --store /proc/none/s.db --quiet
    refuses 1 "cannot make the folder /proc/none"
    echo >file
    run --separate-stderr "$TACOS" sweep ./p.conf --store file/s.db --quiet
    refuses 1 "file is not a folder"
}

@test "a data set that is not there: how to get it" {
    plan "dataset = mnist" >p.conf
    sweep --data nowhere
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"tacos data get mnist --data nowhere"* ]]
}

@test "Ctrl-C shows what there is and tells how to go on" {
    plan "samples_per_task = 2000" | sed '/= 100$/d' >p.conf
    begin_sweep ./p.conf
    await " runs 1/8 "
    end_by INT
    [ "$status" -eq 130 ]
    [[ "$stderr" == *"interrupted; "*" complete run(s) kept in s.db"*'`tacos sweep ./p.conf --store s.db '*'` resumes'* ]]
    grep -q " planned" out
}

@test "the sweeps of docs/calibration.md are plans, and named there" {
    for file in "$BATS_TEST_DIRNAME"/../../experiments/calibration/*.conf; do
        run -0 "$TACOS" sweep "$file" --dry-run
        grep -qF "\`$(basename "$file" .conf)\`" "$BATS_TEST_DIRNAME/../../docs/calibration.md"
    done
}
