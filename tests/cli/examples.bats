# examples.bats - every example of help, README.md and docs works. $TACOS is the program. A new example needs a line in
# examples.txt, which says how it is run. Of the runs every eighth is long enough to be held to its floor, and the others
# only have to end; with TACOS_TEST_ALL=1 all are.

bats_require_minimum_version 1.5.0
load tone

root=$BATS_TEST_DIRNAME/../..
table=$BATS_TEST_DIRNAME/examples.txt
SMALL="--set samples_per_task=400 --set test_samples_per_task=50" # enough to learn something
TINY="--set samples_per_task=5 --set test_samples_per_task=5"     # enough to end

rows() { # MODE: "VALUE<tab>EXAMPLE" of every line with this mode
    awk -F '\t' -v mode="$1" '/^[^#]/ { if (split($1, how, " ") && how[1] == mode) print (sub(/^[^ ]+ /, "", $1) ? $1 : "-") "\t" $2 }' "$table"
}

# Ten classes of 784 pixels: each has a bright row of its own, with a little noise.
samples() { # N [none]
    awk -v n="$1" -v none="${2:-}" 'BEGIN { srand(1); for (i = 0; i < n; i++) { c = i % 10; line = none ? "" : c ","
        for (j = 0; j < 784; j++) line = line (j ? "," : "") (int(j / 78) == c && rand() < 0.9 ? 255 : rand() < 0.02 ? 255 : 0)
        print line } }'
}

# All that the examples speak of.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    mkdir -p bin docs home/.config/fish/completions results
    ln -s "$TACOS" bin/tacos
    ln -s "$(realpath "$root")/experiments" experiments
    cp "$root/docs/columns.csv" docs
    "$TACOS" help demo >mine.conf
    samples 600 >train.csv
    samples 100 >test.csv
    samples 10 none >images.csv
    cp test.csv more.csv
    tone 300 >low.wav
    tone 2000 >high.wav
    printf 'low.wav,low\nhigh.wav,high\n' | tee files.csv >others.csv
    "$TACOS" learn m --new --quiet <train.csv
    mkdir -p home/my-data/mine
    cp train.csv test.csv home/my-data/mine
    for name in m model; do
        "$TACOS" learn $name.tacos --new --quiet --set inputs=784 --set hidden=50 --set outputs=10 --scale 255 <test.csv
    done
    for name in a b columns; do
        "$TACOS" learn $name.tacos --new --quiet --set model=columns --set inputs=784 --set outputs=10 --scale 255 <test.csv
    done
    "$TACOS" export model.tacos weights.safetensors
    "$TACOS" export --small columns.tacos state.bin
    for time in 101530 111530; do
        # shellcheck disable=SC2086
        "$TACOS" run demo --quiet --no-page $SMALL --set model=snn --out "results/split-mnist-20261115-$time" >/dev/null
    done
    for name in trade-off future rivals mine; do
        cp results/split-mnist-20261115-101530/results.db results/$name.db
    done
    export PATH=$PWD/bin:$PATH HOME=$PWD/home
}

setup() {
    cd "$BATS_FILE_TMPDIR" || return
}

# `tacos run NAME` with other settings, before what the example sets.
with() { # SETTINGS EXAMPLE
    sed -E "s,^(tacos run [^ ]+),\1 --quiet --no-page $1," <<<"$2"
}

# Runs the examples of a mode; those that end below their floor, or are silent, are told.
run_all() { # MODE
    bad=0 n=0
    while IFS=$'\t' read -r floor example; do
        n=$((n + 1))
        if [ $((n % 8)) -ne 1 ] && [ "${TACOS_TEST_ALL:-0}" != 1 ]; then
            run -0 --separate-stderr bash -c "$(with "$TINY" "$example")"
            [[ "$(<"${lines[-1]}")" == *'"status": "complete"'* ]]
            continue
        fi
        silent=50
        if [[ "$floor" == *" silent" ]]; then
            silent=100
        fi
        floor=${floor% silent}
        run -0 --separate-stderr bash -c "$(with "$SMALL" "$example")"
        found=$(jq -c '[.summary.MA.mean, .summary.silent.mean // 0]' "${lines[-1]}")
        jq -e ".[0] >= $floor and .[1] <= $silent" <<<"$found" >/dev/null && continue
        echo "$example: [MA, silent] is $found, the floor of MA is $floor"
        bad=1
    done < <(rows "$1")
    [ "$n" -gt 10 ] && [ "$bad" -eq 0 ]
}

@test "every example has a line in the table, and the table no other" {
    diff <("$BATS_TEST_DIRNAME/list-examples" "$TACOS" "$root") <(sed '/^#/d' "$table" | cut -f 2 | LC_ALL=C sort)
    [ "$(wc -l <"$table")" -gt 150 ]
    # a mode that nobody knows would not be run
    [ "$(sed '/^#/d; s/[ \t].*//' "$table" | sort -u | tr '\n' ' ')" = "data dry in makes ok right run " ]
}

@test "what another test runs: that test exists" {
    while IFS=$'\t' read -r file example; do
        echo "$file: $example"
        [ -e "$root/$file" ]
    done < <(rows in)
}

@test "the job scripts of docs/cluster.md are the files in examples/slurm" {
    for script in "$root"/examples/slurm/*.sh; do
        echo "$script"
        [[ "$(cat "$root/docs/cluster.md")" == *'```bash'$'\n'"$(cat "$script")"$'\n''```'* ]]
    done
    [ "$(ls "$root"/examples/slurm | wc -l)" -eq 3 ]
}

@test "commands do what they are said to" {
    while IFS=$'\t' read -r _ example; do
        echo "$example"
        bash -o pipefail -c "$example" >/dev/null
    done < <(rows ok)
    while IFS=$'\t' read -r file example; do
        echo "$example"
        rm -f "$file"
        bash -c "$example" >/dev/null
        [ -s "$file" ]
    done < <(rows makes)
}

@test "sweeps, as far as --dry-run goes" {
    while IFS=$'\t' read -r _ example; do
        run -0 bash -c "$example --dry-run"
        [[ "$output" == *" runs" ]]
    done < <(rows dry)
}

@test "learners learn from a stream" {
    while IFS=$'\t' read -r floor example; do
        model=$(awk '{ print $3 }' <<<"$example")
        rm -f "$model"
        bash -c "$example --quiet"
        run -0 --separate-stderr tacos predict "$model" --scale 255 <test.csv
        echo "$example: $stderr"
        [ "$(sed -n 's/\.[0-9]*% of .*//p' <<<"$stderr")" -ge "$floor" ]
    done < <(rows right)
}

@test "runs on built-in data end above their floors, and answer" {
    run_all run
}

@test "runs on real data do" {
    [ -d "${TACOS_DATA:-none}/mnist" ] || skip "no data: set TACOS_DATA"
    run_all data
}
