# sweep_parts.bats - `tacos sweep --part` and `tacos sweep merge`: a plan made in parts. $TACOS is the program.

bats_require_minimum_version 1.5.0
load plans
load events

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME
    export HOME=$BATS_TEST_TMPDIR
    plan "alpha = choice(0.0005 | 0)" >p.conf # 16 runs
}

sweep() { # ARGUMENT...
    run --separate-stderr "$TACOS" sweep "$@"
}

refuses() { # CODE TEXT: the last command ended with CODE and said TEXT, and nothing on stdout
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

make_parts() { # N
    local k
    for ((k = $1; k >= 1; k--)); do
        "$TACOS" sweep ./p.conf --part "$k/$1" --quiet >/dev/null
    done
}

@test "merged parts are the store of the whole sweep, row by row, in whatever order" {
    "$TACOS" sweep ./p.conf --store whole.db --quiet >/dev/null
    for n in 1 3 5; do
        make_parts $n
        [ "$(echo results/p-*-of-$n.db | wc -w)" -eq $n ]
        # shellcheck disable=SC2046 # names without blanks
        sweep merge $(ls -r results/p-*-of-$n.db) -o merged-$n.db
        [ "$status" -eq 0 ]
        [ "$output" = "merged-$n.db: 16 runs complete" ]
        diff <(contents whole.db) <(contents merged-$n.db)
        [ "$(sqlite3 merged-$n.db "PRAGMA integrity_check")" = ok ]
    done
    [ "$(echo merged-5.db*)" = merged-5.db ] # no log, no lock
}

@test "a run is made by one part alone, and keeps its host and its time" {
    make_parts 3
    for part in results/p-*-of-3.db; do
        sqlite3 "$part" "SELECT id, host, finished, train_seconds FROM run WHERE status = 'complete'"
    done | sort >made
    [ "$(wc -l <made)" -eq 16 ]
    "$TACOS" sweep merge results/p-*-of-3.db -o merged.db
    sqlite3 merged.db "SELECT id, host, finished, train_seconds FROM run" | sort | diff made -
}

@test "a part that is killed resumes, and makes no run of another" {
    "$TACOS" sweep ./p.conf --store whole.db --quiet >/dev/null
    make_parts 2
    rm results/p-2-of-2.db
    TACOS_TEST_CLOCK=10 begin "$TACOS" sweep ./p.conf --part 2/2 --jobs 1 >out # 8 runs of some 220 lines
    await "runs 1/8"
    end_by KILL
    [ "$status" -eq 137 ]
    sqlite3 results/p-2-of-2.db "SELECT id, finished, train_seconds FROM run WHERE status = 'complete'" >before
    n=$(wc -l <before)
    [ "$n" -ge 1 ]
    [ "$n" -lt 8 ]
    sweep merge results/p-*-of-2.db -o early.db
    [ "$output" = "early.db: $((8 + n)) runs complete, $((8 - n)) missing: \`tacos sweep PLAN --store\` makes them" ]
    "$TACOS" sweep ./p.conf --part 2/2 --quiet >/dev/null
    [ "$(sqlite3 results/p-2-of-2.db "SELECT count(*) FROM run WHERE status = 'complete'")" -eq 8 ]
    sqlite3 results/p-2-of-2.db "SELECT id, finished, train_seconds FROM run WHERE status = 'complete'" >after
    [ "$(sort before after | uniq -d | wc -l)" -eq "$n" ]
    "$TACOS" sweep merge results/p-*-of-2.db -o merged.db
    diff <(contents whole.db) <(contents merged.db)
}

@test "a part that is lost: the sweep makes its runs" {
    "$TACOS" sweep ./p.conf --store whole.db --quiet >/dev/null
    make_parts 4
    "$TACOS" sweep merge results/p-[124]-of-4.db -o merged.db
    sqlite3 merged.db "SELECT id, finished FROM run WHERE status = 'complete'" >before
    [ "$(wc -l <before)" -eq 12 ]
    "$TACOS" sweep ./p.conf --store merged.db --quiet >/dev/null
    diff <(contents whole.db) <(contents merged.db)
    [ "$(sqlite3 merged.db "SELECT id, finished FROM run" | sort - before | uniq -d | wc -l)" -eq 12 ]
}

@test "merging again adds what is new" {
    make_parts 2
    sweep merge results/p-1-of-2.db --out merged.db
    [ "$output" = "merged.db: 8 runs complete, 8 missing: \`tacos sweep PLAN --store\` makes them" ]
    sweep merge results/p-1-of-2.db results/p-2-of-2.db --out merged.db
    [ "$output" = "merged.db: 16 runs complete" ]
}

@test "--dry-run tells the size of a part" {
    sweep ./p.conf --part 1/3 --dry-run
    [ "$output" = "p: 8 configurations x 2 seeds: 16 runs, 6 of them in part 1/3" ]
    sweep ./p.conf --part 3/3 --dry-run
    [ "$output" = "p: 8 configurations x 2 seeds: 16 runs, 5 of them in part 3/3" ]
    [ ! -e results ]
}

@test "--store takes the place of the part's own name" {
    sweep ./p.conf --part 2/8 --store s.db --quiet
    [ "$status" -eq 0 ]
    [[ "$output" == "s.db: 2 configurations; 2 runs complete, 14 planned"* ]]
    [ ! -e results ]
}

@test "what is no part is refused" {
    for part in 0/3 4/3 1 1/ /3 1/3/5 -1/3 1/3x " 1/3" 1/0 1//3 "" 1/99999999999; do
        sweep ./p.conf --part "$part"
        refuses 2 "--part $part: expected K/N, the K-th of N parts, such as 2/8"
    done
    plan "halving = 2" "rungs = 1" "validation = 0.2" >p.conf
    sweep ./p.conf --part 1/3
    refuses 2 "the plan p halves, which compares the results of all runs: it has no parts"
    [ ! -e results ]
}

@test "what cannot be merged is refused, and nothing is made" {
    make_parts 2
    sweep merge results/p-1-of-2.db
    refuses 2 "expected -o STORE"
    sweep merge -o merged.db
    refuses 2 "expected the stores to merge"
    sweep merge results/p-1-of-2.db none.db -o merged.db
    refuses 1 "cannot read none.db"
    sweep merge results/p-1-of-2.db p.conf -o merged.db
    refuses 1 "p.conf"
    sweep merge results/p-1-of-2.db -o results/p-1-of-2.db
    refuses 2 "results/p-1-of-2.db cannot be merged into itself"
    [ ! -e merged.db ]
    sweep mrge results/p-1-of-2.db
    refuses 2 "unknown subcommand 'mrge'; the nearest is 'merge'"
}
