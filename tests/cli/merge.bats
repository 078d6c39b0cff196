# merge.bats - `tacos merge`: learners of model columns that learned apart. $TACOS is the program.

bats_require_minimum_version 1.5.0
load bars

learn() { # MODEL OPTION...
    local model=$1
    shift
    "$TACOS" learn "$model" --new --quiet --scale 100 --set model=columns --set inputs=64 --set outputs=4 \
        --set input_shape=8,8 --set column_cells=7 --set column_stride=2 "$@"
}

# Four learners that know one class each.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    for c in 0 1 2 3; do
        samples $((100 * c)) $((100 * c + 80)) $c | learn $c.tacos --set column_units=120
    done
    samples 1000 1100 >test.csv
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cp "$BATS_FILE_TMPDIR"/*.tacos "$BATS_FILE_TMPDIR"/test.csv .
}

refuses() { # CODE TEXT
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
    [ ! -e out.tacos ]
}

merge() { # ARGUMENT...
    run --separate-stderr "$TACOS" merge "$@"
}

json() { # MODEL FILTER
    "$TACOS" inspect "$1" --json | jq -r "$2"
}

@test "what learners of one class each know, one learner knows, in whatever order they are named" {
    run --separate-stderr "$TACOS" predict 2.tacos --scale 100 <test.csv
    [ "$stderr" = "25.00% of 100 right" ]
    merge 0.tacos 1.tacos 2.tacos 3.tacos -o out.tacos
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    run --separate-stderr "$TACOS" predict out.tacos --scale 100 <test.csv
    echo "$stderr"
    [ "${stderr%%.*}" -ge 95 ]
    [ "$(json out.tacos .samples_learned)" -eq 320 ]
    for order in "3 2 1 0" "1 3 0 2" "2 0 3 1"; do
        # shellcheck disable=SC2086
        merge $(printf '%s.tacos ' $order) --out other.tacos --force
        [ "$status" -eq 0 ]
        cmp out.tacos other.tacos
    done
    TACOS_KERNEL=ref merge {0..3}.tacos -o other.tacos --force
    [ "$status" -eq 0 ]
    cmp out.tacos other.tacos
}

@test "it learns on, and is merged again" {
    merge 0.tacos 1.tacos -o a.tacos
    [ "$status" -eq 0 ]
    merge 2.tacos 3.tacos -o b.tacos
    [ "$status" -eq 0 ]
    samples 500 600 | "$TACOS" learn a.tacos --quiet --scale 100
    merge a.tacos b.tacos -o out.tacos
    [ "$status" -eq 0 ]
    [ "$(json out.tacos .samples_learned)" -eq 420 ]
    run --separate-stderr "$TACOS" predict out.tacos --scale 100 <test.csv
    [ "${stderr%%.*}" -ge 95 ]
}

@test "in another size" {
    merge {0..3}.tacos -o out.tacos --units 30
    [ "$status" -eq 0 ]
    [ "$(json out.tacos .config.column_units)" -eq 30 ]
    small=$(stat -c %s out.tacos)
    merge {0..3}.tacos -o out.tacos --memory-kb 30 --force
    [ "$status" -eq 0 ]
    [ "$(json out.tacos .config.column_memory_kb)" -eq 30 ]
    [ "$(stat -c %s out.tacos)" -gt "$small" ]
    merge {0..3}.tacos -o out.tacos --match 0.5 --force
    [ "$status" -eq 0 ]
    merge {0..3}.tacos -o other.tacos --force
    [ "$status" -eq 0 ]
    ! cmp -s out.tacos other.tacos
}

@test "the result may be one of them, if it may be replaced" {
    cp 0.tacos before.tacos
    merge 0.tacos 1.tacos -o 0.tacos
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"0.tacos exists; --force replaces it"* ]]
    cmp 0.tacos before.tacos
    merge 0.tacos 1.tacos -o 0.tacos --force
    [ "$status" -eq 0 ]
    [ "$(json 0.tacos .samples_learned)" -eq 160 ]
}

@test "learners that differ are refused, with what differs" {
    samples 0 4 | learn seed.tacos --seed 2
    merge 0.tacos seed.tacos -o out.tacos
    refuses 2 "the first has seed 1, learner 2 has 2"
    samples 0 4 | learn cells.tacos --set column_cells=8
    merge 0.tacos 1.tacos cells.tacos -o out.tacos
    refuses 2 "the first has column_cells = 7, learner 3 has 8"
    "$TACOS" learn net.tacos --new --quiet --set inputs=64 --set outputs=4 </dev/null
    merge net.tacos net.tacos -o out.tacos
    refuses 2 "only learners of model columns can be merged; learner 1 has model tacos"
}

@test "wrong command lines" {
    merge 0.tacos -o out.tacos
    refuses 2 "expected two MODELs or more"
    merge 0.tacos 1.tacos
    refuses 2 "expected -o MODEL"
    merge 0.tacos none.tacos -o out.tacos
    refuses 1 "cannot read none.tacos"
    merge 0.tacos test.csv -o out.tacos
    refuses 1 "test.csv is not a saved learner"
    merge 0.tacos 1.tacos -o out.tacos --units 9 --memory-kb 9
    refuses 2 "exclude each other"
    merge 0.tacos 1.tacos -o out.tacos --memory-kb 0
    refuses 2 "--memory-kb 0: expected a number from 1"
    merge 0.tacos 1.tacos -o out.tacos --memory-kb 1
    refuses 2 "column_memory_kb is 1;"
    for match in 0 1.1 x nan 0.5x; do
        merge 0.tacos 1.tacos -o out.tacos --match "$match"
        refuses 2 "--match $match: expected a number above 0, up to 1"
    done
    merge 0.tacos 1.tacos -o nowhere/out.tacos
    refuses 1 "nowhere"
}
