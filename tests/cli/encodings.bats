# encodings.bats - files that begin with a byte order mark, that are UTF-16, or that hold a zero byte:
# every kind of text that the program reads. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME TACOS_KERNEL
    export HOME=$BATS_FILE_TMPDIR
    cat >run.conf <<'END'
dataset = glyphs
hidden = 5
steps = 30
tasks = 0-1,2-3
samples_per_task = 20
test_samples_per_task = 5
END
    printf 'experiment = ./run.conf\nseeds = 1\nm_max = choice(5 | 25)\n' >plan.conf
    mkdir -p data/mine
    printf '%s\n' 'label,a,b,c,d' 0,255,255,0,0 1,0,0,255,255 >data/mine/train.csv
    cp data/mine/train.csv data/mine/test.csv
    printf '%s\n' 'dataset = mine' 'tasks = 0-1' 'hidden = 5' 'steps = 30' >own.conf
    "$TACOS" run run.conf --seeds 1 --quiet --out run >/dev/null
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME TACOS_KERNEL
    export HOME=$BATS_TEST_TMPDIR
    cp -r "$BATS_FILE_TMPDIR"/* .
}

# The command with FILE as it is, with a mark, and in forms that cannot be read.
reads() { # FILE WORD...
    local file=$1
    shift
    cp "$file" kept
    "$TACOS" "$@" >plain.txt
    { printf '\xef\xbb\xbf'; cat kept; } >"$file"
    "$TACOS" "$@" >marked.txt
    diff <(sed 's/ *[0-9]* us .*//' plain.txt) <(sed 's/ *[0-9]* us .*//' marked.txt)
    iconv -f UTF-8 -t UTF-16 kept >"$file"
    run --separate-stderr "$TACOS" "$@"
    echo "UTF-16: $stderr"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"${UTF16:-$file is UTF-16 text; expected UTF-8}"* ]]
    { head -n 1 kept; printf '\0'; tail -n +2 kept; } >"$file"
    run --separate-stderr "$TACOS" "$@"
    echo "zero byte: $stderr"
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"${ZERO:-$file:2: this is not text: it holds a zero byte}"* ]]
    cp kept "$file"
}

@test "an experiment" {
    reads ./run.conf run ./run.conf --seeds 1 --quiet --out o --force
}

@test "a plan" {
    reads ./plan.conf sweep ./plan.conf --store s.db --quiet
}

@test "a data set" {
    reads data/mine/train.csv run ./own.conf --data data --seeds 1 --quiet --out o --force
    reads data/mine/test.csv run ./own.conf --data data --seeds 1 --quiet --out o --force
    jq -e '.data.train_images == 2 and .data.test_images == 2' o/results.json
}

@test "data show says what is read, and which line was skipped" {
    printf '%s\n' 0,255,255,0,0 1,0,0,255,255 2,0,0,0,0 >data/mine/test.csv
    run --separate-stderr "$TACOS" data show mine glyphs --data data
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "mine: 2 training and 3 test images, 2 x 2, labels below 3" ]
    [ "${lines[1]}" = "mine: train.csv, line 1: column names, skipped" ]
    [[ "${lines[2]}" == "glyphs: "*" training and "*" test images, 28 x 28, labels below 10" ]]
    [ "${#lines[@]}" -eq 3 ]
    run --separate-stderr "$TACOS" data show other --data data
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"no data set 'other'"* ]]
    run --separate-stderr "$TACOS" data show
    [ "$status" -eq 2 ]
}

@test "results, which are JSON" {
    UTF16="run/results.json: line 1: " ZERO="run/results.json: line 2: " reads run/results.json compare run
    UTF16="run/results.json: line 1: " ZERO="run/results.json: line 2: " \
        reads run/results.json plot accuracy run
}

@test "the tables that reproduce leaves are not read back" {
    "$TACOS" reproduce function --out r >/dev/null
    "$TACOS" plot function r >plain.svg
    iconv -f UTF-8 -t UTF-16 r/function.csv >other
    mv other r/function.csv
    "$TACOS" plot function r | cmp - plain.svg
}
