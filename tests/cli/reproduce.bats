# reproduce.bats - `tacos reproduce`: the paper's tables from outside. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    REAL_DATA=${TACOS_DATA:-}
    unset TACOS_DATA XDG_CACHE_HOME
    export HOME=$BATS_TEST_TMPDIR
}

refuses() { # CODE TEXT: the last command ended with CODE and said TEXT, and nothing on stdout
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

@test "the function of figure 2 needs no data" {
    run --separate-stderr "$TACOS" reproduce function --out o
    [ "$status" -eq 0 ]
    [[ "$output" == *"exp(-|m w|)"* ]]
    grep -qx "25,0.20,0.006737946999" o/function.csv
    grep -qx "0,-1.00,1" o/function.csv
    [ "$(wc -l <o/function.csv)" -eq $((1 + 6 * 41)) ]
}

@test "help names every part, and every part is known" {
    run "$TACOS" help reproduce
    for part in headline transfer similarity plasticity reduced omniglot orders rivals methods function; do
        [[ "$output" == *"  $part "* ]]
        run -0 --separate-stderr "$TACOS" help reproduce
    done
}

@test "usage" {
    run --separate-stderr "$TACOS" reproduce
    refuses 2 "which part of the paper?"
    run --separate-stderr "$TACOS" reproduce headlin
    refuses 2 "the paper has no part 'headlin'; the nearest is 'headline'"
    run --separate-stderr "$TACOS" reproduce all --seeds 0
    refuses 2 "--seeds 0"
    run --separate-stderr "$TACOS" reproduce all --quik
    refuses 2 "the nearest is --quick"
    [ ! -e results ]
}

@test "a data set that is not there: how to get it" {
    run --separate-stderr "$TACOS" reproduce transfer --data nowhere --quiet
    refuses 1 'tacos data get mnist --data nowhere'
}

@test "--show without runs says what is missing" {
    run --separate-stderr "$TACOS" reproduce transfer --show --out o
    refuses 1 "cannot read o/runs.db"
}

@test "a folder that cannot be made" {
    echo >file
    run --separate-stderr "$TACOS" reproduce function --out file/o
    refuses 1 "cannot make the folder file/o"
}

@test "quick, on real data: tables, files, and nothing to do the second time" {
    [ -n "$REAL_DATA" ] && [ -d "$REAL_DATA/mnist" ] || skip "no MNIST in \$TACOS_DATA"
    run --separate-stderr "$TACOS" reproduce orders --quick --seeds 1 --quiet --data "$REAL_DATA"
    [ "$status" -eq 0 ]
    [[ "$output" == *"orders: "*"QUICK"*"order 5"*"numbers match the paper's"* ]]
    out=results/reproduce-quick
    [ "$(ls $out)" = "orders-accuracy.csv
orders.csv
orders.md
runs.db" ]
    [ "$(grep -c . $out/orders.csv)" -eq $((1 + 5 * 15)) ]
    grep -q "^order 1,MA,5,0,1,.*,81.94,,\(match\|above\|below\)$" $out/orders.csv
    [ "$(grep -c . $out/orders-accuracy.csv)" -eq $((1 + 5 * 6 * 5)) ]
    grep -q "^| order 2 |" $out/orders.md
    cp $out/orders.csv before
    sqlite3 $out/runs.db "SELECT id, finished, train_seconds FROM run" >runs
    [ "$(wc -l <runs)" -eq 5 ]
    run --separate-stderr "$TACOS" reproduce orders --quick --seeds 1 --quiet --data "$REAL_DATA"
    [ "$status" -eq 0 ]
    sqlite3 $out/runs.db "SELECT id, finished, train_seconds FROM run" | cmp runs -
    cmp before $out/orders.csv
    run --separate-stderr "$TACOS" reproduce orders --quick --seeds 1 --show
    [ "$status" -eq 0 ]
    cmp before $out/orders.csv
    # a verdict is green where it is a match, else yellow; files have no colours
    run --separate-stderr "$TACOS" reproduce orders --quick --seeds 1 --show --color=always
    [ "$(grep -o $'\x1b\\[32m=\x1b' <<<"$output" | wc -l)" -eq "$(grep -c ,match $out/orders.csv)" ]
    [ "$(grep -o $'\x1b\\[33m[+-]\x1b' <<<"$output" | wc -l)" -eq \
        "$(grep -c ',\(above\|below\)$' $out/orders.csv)" ]
    run ! grep -q $'\x1b' $out/orders.md $out/orders.csv
}

@test "--with-rivals asks for the part methods, once" {
    run --separate-stderr "$TACOS" reproduce function --with-rivals --show --out o
    refuses 1 "cannot read o/runs.db" # which the function alone does not want
    run --separate-stderr "$TACOS" reproduce methods --with-rivals --quick --seeds 1 --data nowhere --out o
    refuses 1 'tacos data get mnist --data nowhere'
    [ "$(grep -c '^methods' <<<"$stderr")" -eq 1 ]
}
