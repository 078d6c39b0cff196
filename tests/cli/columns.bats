# columns.bats - `tacos reproduce columns`, its figure and its page, from outside. $TACOS is the program.

bats_require_minimum_version 1.5.0

root=$BATS_TEST_DIRNAME/../..

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    for set in mnist fashion omniglot; do
        [ -d "${TACOS_DATA:-none}/$set" ] || skip "no $set in \$TACOS_DATA"
    done
}

# Files of the form of CIFAR-10: 40 images of noise in each.
make_noise() { # FOLDER
    local file k from="$TACOS_DATA/mnist/train-images-idx3-ubyte.gz" at=1
    mkdir "$1"
    for file in data_batch_{1..5} test_batch; do
        for k in {0..39}; do
            printf "\\x0$((k % 10))"
            tail -c "+$at" "$from" | head -c 3072
            at=$((at + 3072))
        done >"$1/$file.bin" 2>/dev/null
    done
}

# Every row of the plan, on as few samples as there can be.
setup_file() {
    [ -d "${TACOS_DATA:-none}/omniglot" ] || return 0
    cd "$BATS_FILE_TMPDIR" || return
    mkdir data
    ln -s "$TACOS_DATA"/* data
    [ -d data/cifar10 ] || make_noise data/cifar10
    "$TACOS" reproduce columns --quick --seeds 1 --set samples_per_task=40 --set test_samples_per_task=10 --quiet \
        --data data --out o >printed
    export TABLES=$BATS_FILE_TMPDIR/o/samples_per_task=40/test_samples_per_task=10
}

@test "every row of the table has a run, and every number is there" {
    [ "$(ls "$TABLES")" = "columns-accuracy.csv
columns.csv
columns.json
columns.md" ]
    [ "$(grep -c . "$TABLES/columns.csv")" -eq "$(sed 1,2d "$root/experiments/paper/columns.csv" | grep -c .)" ]
    sed 1d "$TABLES/columns.csv" | awk -F, '($5 != 1 || $6 == "") && !(/all at once/ && $2 == "BWT") { print; bad = 1 } END { exit bad }'
    # columns take no more memory than a row asks for
    sed -n 's/^memory [a-z]*: \([0-9]*\) kB[^,]*,kilobytes,0,0,1,\([0-9.]*\),.*/\1 \2/p' "$TABLES/columns.csv" >sizes
    [ "$(wc -l <sizes)" -eq 24 ]
    [ -z "$(awk '$2 > $1 || $2 < 0.98 * $1' sizes)" ]
}

@test "a table for every group of rows" {
    for group in "class mnist" "shared fashion" "memory mnist" "orders mnist" "pairs fashion" streams "parts fashion"; do
        grep -q "^| $group | MA |" "$TABLES/columns.md"
        grep -q "^  $group  *MA " "$BATS_FILE_TMPDIR/printed"
    done
    grep -q "^| columns 5 looks | " "$TABLES/columns.md"
    run ! grep -q "^| class mnist: " "$TABLES/columns.md"
}

@test "a configuration that is in two tables has one run" {
    # of either data set: one look and five are also in the table by memory, one look in those by arrival and by part
    [ "$(sqlite3 "$BATS_FILE_TMPDIR/o/runs.db" "SELECT count(*) FROM run WHERE status = 'complete'")" -eq \
        $(($(grep -c '^\[' "$root/experiments/plans/beyond.conf") - 2 * 4)) ]
    [ "$(grep '^class mnist: columns,MA,' "$TABLES/columns.csv" | cut -d, -f6)" = \
        "$(grep '^memory mnist: 667 kB,MA,' "$TABLES/columns.csv" | cut -d, -f6)" ]
    [ "$(grep '^class mnist: columns,MA,' "$TABLES/columns.csv" | cut -d, -f6)" = \
        "$(grep '^parts mnist: all,MA,' "$TABLES/columns.csv" | cut -d, -f6)" ]
}

@test "every part that is switched off changes what is learned" {
    awk '/^\[parts mnist: / { on = 1 } /^\[parts fashion/ { on = 0 } on && /^[a-z_]+ = / && !/^model/' \
        "$root/experiments/plans/beyond.conf" | sort -u | tr -d ' ' >keys
    [ "$(wc -l <keys)" -ge 9 ]
    digest() {
        "$TACOS" run split-mnist-class --set model=columns --set column_memory_kb=16 --set samples_per_task=600 \
            --set test_samples_per_task=10 --seed 1 --quiet --no-page --force --out run "$@" >/dev/null
        jq .runs[0].model_digest run/results.json
    }
    plain=$(digest)
    while read -r key; do
        echo "$key"
        [ "$(digest --set "$key")" != "$plain" ]
    done <keys
}

@test "the figure has the curves and a name for every other method" {
    "$TACOS" plot memory "$TABLES" -o figure.csv
    [ "$(grep -c '^split-MNIST,"columns, one look"' figure.csv)" -eq 8 ]
    [ "$(grep -c '^split-Fashion-MNIST,"columns, five looks"' figure.csv)" -eq 4 ]
    [ "$(grep '^split-MNIST,"columns, one look",15.9' figure.csv | cut -d, -f5)" = \
        "$(grep '^memory mnist: 16 kB,MA,' "$TABLES/columns.csv" | cut -d, -f6)" ]
    "$TACOS" plot memory "$TABLES" >figure.svg
    sed -n '/: columns/d; s/^class mnist: \(.*\),MA,.*/\1/p' "$TABLES/columns.csv" >methods
    [ "$(wc -l <methods)" -ge 3 ]
    while read -r method; do
        [ "$(grep -o ">$method</text>" figure.svg | wc -l)" -eq 2 ] # in either panel
    done <methods
    "$TACOS" report "$TABLES" -o page.html
    grep -q '<section id="columns"' page.html
    grep -q 'Accuracy by memory' page.html
}

@test "the figure is the same from the table alone" {
    "$TACOS" plot memory "$TABLES" -o figure.svg
    cp "$TABLES/columns.csv" alone.csv
    "$TACOS" plot memory alone.csv | diff - figure.svg
}

@test "the page is filled with the numbers of the table" {
    "$root/tools/reproduction" "$TABLES" beyond >beyond.md
    run ! grep -q '{{' beyond.md
    grep -q "^    tacos reproduce columns$" beyond.md
    grep -q '^\*\*columns was made with `--quick`' beyond.md
    diff <(grep '^| columns from' "$TABLES/columns.md") <(grep '^| columns from' beyond.md)
    mean=$(awk -F, '/^orders mnist: / && $2 == "MA" { sum += $6; n++ } END { printf "%.1f", sum / n }' "$TABLES/columns.csv")
    tr '\n' ' ' <beyond.md | grep -Eq "with a mean of $mean and a deviation of [0-9]+\.[0-9]{2}\."
}

@test "a number that is not there is an error" {
    run -1 --separate-stderr "$root/tools/fill-numbers" "$TABLES" columns <<<"{{class mnist: nobody, MA}}"
    [[ "$stderr" == *"no number class mnist: nobody, MA" ]]
    run -1 --separate-stderr "$root/tools/fill-numbers" "$TABLES" columns <<<"{{table nothing}}"
    [[ "$stderr" == *"no table of nothing" ]]
}
