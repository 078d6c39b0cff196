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
    "$TACOS" report o -o page.html
    grep -q '<section id="function"' page.html
}

@test "help names every part, and every part is known" {
    run "$TACOS" help reproduce
    for part in columns headline transfer similarity plasticity reduced omniglot orders rivals methods function score; do
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
    run --separate-stderr "$TACOS" reproduce scor
    refuses 2 "the paper has no part 'scor'; the nearest is 'score'"
    run --separate-stderr "$TACOS" reproduce score --set m_maxx=5
    refuses 2 "m_max"
    run --separate-stderr "$TACOS" reproduce score --set m_max=many
    refuses 2 "m_max"
    run --separate-stderr "$TACOS" reproduce score --set m_max
    refuses 2 "--set m_max: expected KEY=VALUE"
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
    run --separate-stderr "$TACOS" reproduce orders score --quick --seeds 1 --dry-run --data "$REAL_DATA"
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == *"plan"*"missing runs"*"in the store"*"time"* ]]
    [[ "${lines[1]}" =~ ^\ *orders\ +5\ +0\ +[0-9.]+\ (s|min|h)$ ]]
    [[ "$output" == *"together"*"estimated for "*" from the runs in the store and, where there are none, a few samples"* ]]
    [ ! -e results ]
    run --separate-stderr "$TACOS" reproduce orders --quick --seeds 1 --quiet --data "$REAL_DATA"
    [ "$status" -eq 0 ]
    [[ "$output" == *"orders: "*"QUICK"*"order 5"*"numbers match the paper's"* ]]
    out=results/reproduce-quick
    [ "$(ls $out)" = "orders-accuracy.csv
orders.csv
orders.json
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
    run --separate-stderr "$TACOS" reproduce orders --quick --seeds 3 --dry-run --data "$REAL_DATA"
    [[ "${lines[1]}" =~ ^\ *orders\ +10\ +5\ +[0-9.]+\ (s|min|h)$ ]]
    # a verdict is green where it is a match, else yellow; files have no colours
    run --separate-stderr "$TACOS" reproduce orders --quick --seeds 1 --show --color=always
    [ "$(grep -o $'\x1b\\[32m=\x1b' <<<"$output" | wc -l)" -eq "$(grep -c ,match $out/orders.csv)" ]
    [ "$(grep -o $'\x1b\\[33m[+-]\x1b' <<<"$output" | wc -l)" -eq \
        "$(grep -c ',\(above\|below\)$' $out/orders.csv)" ]
    run ! grep -q $'\x1b' $out/orders.md $out/orders.csv
    # the page's numbers are those of the table
    "$TACOS" report $out -o page.html
    grep -q 'Made with --quick' page.html
    for verdict in match above below; do
        [ "$(grep -c "class=\"verdict $verdict\"" page.html)" -eq "$(grep -c ",$verdict$" $out/orders.csv)" ]
    done
}

tiny_score() { # [OPTION...]: the score of runs that take a moment
    run --separate-stderr "$TACOS" reproduce score --seeds 1 --set samples_per_task=20 \
        --set test_samples_per_task=10 --set steps=40 --quiet --out o "$@"
}
TINY=o/samples_per_task=20/test_samples_per_task=10/steps=40

@test "the score, on real data: its runs alone, a table, and files of their own for each setting" {
    [ -n "$REAL_DATA" ] && [ -d "$REAL_DATA/mnist" ] || skip "no MNIST in \$TACOS_DATA"
    tiny_score --data "$REAL_DATA"
    [ "$status" -eq 0 ]
    [[ "$output" == "score: mean absolute difference"*"; with samples_per_task=20, test_samples_per_task=10, steps=40"* ]]
    [[ "$output" == *"transfer, all rows "*"(81)"*"(36)"*"(36)"*"(153)"* ]]
    [[ "$output" == *"over 209 of the paper's 209 numbers"* ]]
    [[ "$output" != *fashion* && "$output" != *2layer* && "$output" != *"order 1"* ]]
    [ "$(ls $TINY)" = $'score.csv\nscore.md' ]
    [ "$(ls o)" = $'runs.db\nsamples_per_task=20' ] # the paper's own tables would be here
    [ "$(grep -c . $TINY/score.csv)" -eq $((1 + 9 * 4 + 4 * 2 + 4 * 4 + 4 + 2 + 4 + 4)) ]
    grep -q "^transfer,all,accuracy,9,9,81,81,[0-9.]*$" $TINY/score.csv
    grep -q "^all,all,all,17,17,209,209,[0-9.]*$" $TINY/score.csv
    grep -q "^| \*\*all parts, all rows\*\* | 17 |" $TINY/score.md

    # the same cells as the tables of the parts
    run -0 --separate-stderr "$TACOS" reproduce transfer --show --seeds 1 --set samples_per_task=20 \
        --set test_samples_per_task=10 --set steps=40 --out o
    grep '^tacos m=10,FWT,[1-4],' $TINY/transfer.csv |
        awk -F, '{ d = $6 - $8; sum += d < 0 ? -d : d } END { printf "%.4f\n", sum / NR }' >wanted
    awk -F, '$2 == "tacos m=10" && $3 == "FWT" { printf "%.4f\n", $8 }' $TINY/score.csv | diff wanted -
    "$TACOS" plot transfer $TINY -o plot.csv # from the store, which is above the tables
    [ "$(grep '^"MA, %",tacos m=10,5,' plot.csv | cut -d, -f5)" = "$(grep '^tacos m=10,MA,5,' $TINY/transfer.csv | cut -d, -f6)" ]

    # the same again, from the runs that there are
    cp $TINY/score.csv before
    tiny_score --show
    [ "$status" -eq 0 ]
    cmp before $TINY/score.csv

    # another setting has runs and files of its own, in the same store
    tiny_score --show --set silence=wrong
    [ "$status" -eq 0 ]
    [[ "$output" == *"over only 0 of the paper's 209 numbers"* ]]
    [[ "$output" == *"left out, since they have no runs: tacos m=50, "*", order 5"* ]]
    [ -f $TINY/silence=wrong/score.csv ]
    cmp before $TINY/score.csv

    # held-out images of the training set; runs that are planned and not made are told
    tiny_score --show --seeds 2
    [ "$status" -eq 0 ]
    [[ "$output" == *"fewer runs than planned: tacos m=50, "* && "$output" == *"1 of 2"* ]]
    tiny_score --data "$REAL_DATA" --set validation=0.1
    [ "$status" -eq 0 ]
    run ! cmp -s before $TINY/validation=0.1/score.csv
}

@test "--set keeps what makes a row" {
    [ -n "$REAL_DATA" ] && [ -d "$REAL_DATA/mnist" ] || skip "no MNIST in \$TACOS_DATA"
    tiny_score --data "$REAL_DATA"
    [ "$status" -eq 0 ]
    cp $TINY/score.csv before
    tiny_score --show --set m_max=7 --set model=fixed --set tasks=0-1,2-3 # orders has tasks of its own
    [ "$status" -eq 0 ]
    [ "$(grep '^orders,' $TINY/m_max=7/model=fixed/tasks=0-1,2-3/score.csv)" = "$(grep '^orders,' before)" ]
    grep -q '^transfer,all,all,0,9,0,153,$' $TINY/m_max=7/model=fixed/tasks=0-1,2-3/score.csv
    tiny_score --show --set m_max=7 --set model=fixed
    [ "$status" -eq 0 ]
    [ "$(grep '^orders\|^transfer,[tf]' $TINY/m_max=7/model=fixed/score.csv)" = \
        "$(grep '^orders\|^transfer,[tf]' before)" ]
}

@test "--with-rivals asks for the part methods, once" {
    run --separate-stderr "$TACOS" reproduce function --with-rivals --show --out o
    refuses 1 "cannot read o/runs.db" # which the function alone does not want
    run --separate-stderr "$TACOS" reproduce methods --with-rivals --quick --seeds 1 --data nowhere --out o
    refuses 1 'tacos data get mnist --data nowhere'
    [ "$(grep -c '^methods' <<<"$stderr")" -eq 1 ]
}
