# run.bats - `tacos run`: what it writes, what it promises, and how it refuses.
# $TACOS is the program.

bats_require_minimum_version 1.5.0
load events

# Seconds instead of minutes: two tasks of built-in symbols and a small network.
LOUD="--set hidden=20 --set tasks=0-1,2-3 --set samples_per_task=40"
LOUD="$LOUD --set test_samples_per_task=30 --set steps=80"
TINY="--quiet $LOUD"

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    REAL_DATA=${TACOS_DATA:-}
    unset TACOS_DATA XDG_CACHE_HOME
    export HOME=$BATS_TEST_TMPDIR
}

tiny() { # OPTION...
    # shellcheck disable=SC2086
    run --separate-stderr "$TACOS" run demo $TINY "$@"
}

numbers() { # FOLDER: everything in results.json that must not depend on the machine or the hour
    jq 'del(.runs[].seconds)' "$1/results.json"
}

refuses() { # CODE TEXT: the last command ended with CODE and said TEXT, and nothing on stdout
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

# ---- what it writes ----

@test "a run prints a table and writes results.json and accuracy.csv" {
    tiny --seeds 2 --out o
    [ "$status" -eq 0 ]
    [[ "$output" == *"after task"* ]]
    [[ "$output" == *"memory"*"paper 2.5x"* ]]
    [[ "${lines[-2]}" == "o/report.html" ]]
    [[ "${lines[-1]}" == "o/results.json" ]]
    [ -z "$stderr" ]
    [ "$(jq -r .schema o/results.json)" = tacos-results ]
    [ "$(jq -r .status o/results.json)" = complete ]
    [ "$(jq '.runs | length' o/results.json)" -eq 2 ]
    jq -e '.example | .target < 2 and (.pixels | length) == 2 * .height * .width' o/results.json
    [ "$(jq -c '[.runs[].seed]' o/results.json)" = "[1,2]" ]
    jq -e '.runs[0] | .R[1][0] and .b[1] and .after[1].MA and .after[1].BWT != null
        and .after[0].FWT != null and .after[0].BWT == null and .after[0].forgetting == null
        and (.after[1] | has("FWT") and .FWT == null) and .final.FWT == null and .counters.learning.synaptic_events > 0
        and .bytes.model > 0 and .seconds.train > 0' o/results.json
    jq -e '.summary.MA.mean and .summary.MA.sd != null and .summary.BWT.mean and
        .summary.MO.mean > 2.4 and .config.hidden == "20" and .config.inputs == 784 and
        .config.outputs == 2 and .config.m_max == 25' o/results.json
    [ "$(wc -l <o/accuracy.csv)" -eq $((1 + 2 * 3 * 2)) ] # header; seeds * (before + 2 tasks) * 2
    [ "$(ls o)" = "accuracy.csv
model-1.tacos
model-2.tacos
report.html
results.db
results.json" ]
    grep -q "<h1>demo</h1>" o/report.html
    tiny --out q --no-page
    [ ! -e q/report.html ]
    [[ "${lines[-2]}" != *report.html ]]
}

@test "the summary is the mean and sample deviation of the runs" {
    tiny --seeds 3 --out o
    [ "$status" -eq 0 ]
    jq -e '([.runs[].final.MA] | add / length) as $m | .summary.MA.mean - $m | fabs < 1e-9' \
        o/results.json
    jq -e '([.runs[].final.MA] | (add / length) as $m | map(pow(. - $m; 2)) | add / 2 | sqrt) as $s
        | .summary.MA.sd - $s | fabs < 1e-9' o/results.json
}

@test "every key of the resolved config can be set back to get the same numbers" {
    tiny --out o
    jq -r '.config | to_entries[] | select(.key != "inputs" and .key != "outputs")
        | "\(.key) = \(.value)"' o/results.json >again.conf
    run --separate-stderr "$TACOS" run ./again.conf --quiet --out p
    [ "$status" -eq 0 ]
    diff <(numbers o | jq .runs) <(numbers p | jq .runs)
    cmp o/model-1.tacos p/model-1.tacos
}

@test "same config and seed, same numbers: again, with 1 job, with 2 jobs" {
    tiny --seeds 3 --jobs 1 --out a
    [ "$status" -eq 0 ]
    tiny --seeds 3 --jobs 1 --out b
    [ "$status" -eq 0 ]
    tiny --seeds 3 --jobs 2 --out c
    [ "$status" -eq 0 ]
    diff <(numbers a) <(numbers b)
    diff <(numbers a) <(numbers c)
    cmp a/accuracy.csv c/accuracy.csv
}

@test "--seed K is the K-th of --seeds" {
    tiny --seeds 2 --out a
    [ "$status" -eq 0 ]
    tiny --seed 2 --out b
    [ "$status" -eq 0 ]
    diff <(numbers a | jq '.runs[1]') <(numbers b | jq '.runs[0]')
}

@test "every model runs, and they differ" {
    for model in tacos snn snn+metaplasticity snn+consolidation fixed; do
        tiny --set model=$model --out "$model"
        [ "$status" -eq 0 ]
    done
    [ "$(jq -r '.runs[0].model_digest' ./*/results.json | sort -u | wc -l)" -eq 5 ]
}

@test "hidden layers: none, two, three" {
    for hidden in none 20,10 12,11,10; do
        tiny --set hidden=$hidden --out "$hidden"
        [ "$status" -eq 0 ]
        [ "$(jq -r .config.hidden "$hidden/results.json")" = "$hidden" ]
    done
}

@test "tasks of three classes share three outputs" {
    tiny --set tasks=0-1-2,3-4-5 --out o
    [ "$status" -eq 0 ]
    [ "$(jq .config.outputs o/results.json)" -eq 3 ]
}

@test "without --out a dated folder under results/ is made" {
    tiny
    [ "$status" -eq 0 ]
    [[ "${lines[-1]}" == results/demo-20*/results.json ]]
    [ -f "${lines[-1]}" ]
    tiny
    [ "$status" -eq 0 ]
    [ "$(find results -name results.json | wc -l)" -eq 2 ]
}

@test "runs that start in the same second get folders of their own" {
    for model in tacos snn fixed; do
        # shellcheck disable=SC2086
        "$TACOS" run demo $TINY --set model=$model >/dev/null 3>&- &
    done
    wait
    [ "$(find results -name results.json | wc -l)" -eq 3 ]
    [ "$(jq -r .config.model results/*/results.json | sort | tr '\n' ' ')" = "fixed snn tacos " ]
}

@test "a .conf with an odd name: valid JSON all the same, or refused" {
    printf 'dataset = glyphs\n' >$'caf\xe9.conf'
    # shellcheck disable=SC2086
    run --separate-stderr "$TACOS" run $'./caf\xe9.conf' $TINY --out o
    [ "$status" -eq 0 ]
    "$TACOS" compare o
    printf 'dataset = glyphs\n' >.conf
    run --separate-stderr "$TACOS" run ./.conf
    refuses 2 "not a valid name for an experiment"
}

# ---- outputs that cannot be written ----

@test "an existing folder is not overwritten without --force" {
    mkdir o
    echo mine >o/results.json
    tiny --out o
    refuses 1 "o exists and is not empty
--force starts over in it"
    [ "$(cat o/results.json)" = mine ]
    tiny --out o --force
    [ "$status" -eq 0 ]
    [ "$(jq -r .status o/results.json)" = complete ]
}

@test "a folder with runs of the same configuration is resumed" {
    tiny --seeds 2 --out o
    [ "$status" -eq 0 ]
    tiny --seeds 4 --out o
    [ "$status" -eq 0 ]
    tiny --seeds 4 --out p
    [ "$status" -eq 0 ]
    diff <(numbers o) <(numbers p)
    cmp o/accuracy.csv p/accuracy.csv
    sqlite3 o/results.db "SELECT id, finished, train_seconds FROM run" >before
    [ "$(wc -l <before)" -eq 4 ]
    tiny --seeds 4 --set samples_per_task=40 --out o # the same, though it says so again
    [ "$status" -eq 0 ]
    sqlite3 o/results.db "SELECT id, finished, train_seconds FROM run" | cmp before -
    tiny --seed 2 --out o # fewer than are there: those are told
    [ "$status" -eq 0 ]
    [ "$(jq -c '[.runs[].seed]' o/results.json)" = "[2]" ]
}

@test "a folder with runs of another configuration is refused" {
    tiny --out o
    [ "$status" -eq 0 ]
    cp o/results.json before
    tiny --set m_max=5 --out o
    refuses 1 "o holds the results of another configuration
--force starts over in it"
    cmp before o/results.json
    tiny --set m_max=5 --out o --force
    [ "$status" -eq 0 ]
    [ "$(jq .config.m_max o/results.json)" -eq 5 ]
}

@test "an empty existing folder may be used" {
    mkdir o
    tiny --out o
    [ "$status" -eq 0 ]
}

@test "an output below a file is refused before any work" {
    echo >file
    tiny --set samples_per_task=0 --set steps=2000 --out file/o
    refuses 1 "cannot make the folder file"
}

@test "a full disk is an error, and no half file stays" {
    trap '' XFSZ
    # shellcheck disable=SC2086
    run --separate-stderr bash -c "ulimit -f 1; exec '$TACOS' run demo $TINY --out o"
    refuses 1 "cannot write o/results.db: "
    [ -z "$(ls -A o 2>/dev/null)" ]
}

@test "a table that cannot be printed is an error" {
    # shellcheck disable=SC2086
    run bash -c "'$TACOS' run demo $TINY --out o >/dev/full"
    [ "$status" -eq 1 ]
    [[ "$output" == *"cannot write to standard output"* ]]
    [ "$(jq -r .status o/results.json)" = complete ]
}

# A run in the background that says a line after every sample.
begin_run() { # OPTION...
    # shellcheck disable=SC2086
    TACOS_TEST_CLOCK=10 begin "$TACOS" run demo $LOUD --jobs 1 --out o "$@" >out
}

@test "Ctrl-C ends it and keeps the complete runs" {
    begin_run --set samples_per_task=400 --seeds 200
    await " runs 1/200 "
    end_by INT
    [ "$status" -eq 130 ]
    [[ "$stderr" == *"interrupted; "*" complete run(s) kept in o"* ]]
    # the command that it names does resume
    resume=$(sed -n 's/^`\(tacos run .*\)` resumes$/\1/p' <<<"$stderr")
    [[ "$resume" == "tacos run demo "*" --out o "* ]]
    grep -q "after task" out
    [ "$(jq -r .status o/results.json)" = partial ]
    [ "$(jq '.runs | length' o/results.json)" -ge 1 ]
    [ "$(jq '.runs | length' o/results.json)" -lt 200 ]
}

@test "killed, it goes on from the runs that were complete" {
    begin_run --set samples_per_task=400 --seeds 6
    await " runs 1/6 "
    end_by KILL
    [ "$status" -eq 137 ]
    [ ! -e o/results.json ]
    tiny --set samples_per_task=400 --seeds 6 --out o
    [ "$status" -eq 0 ]
    tiny --set samples_per_task=400 --seeds 6 --out p
    [ "$status" -eq 0 ]
    diff <(numbers o) <(numbers p)
}

@test "two programs do not write to one folder" {
    begin_run --set samples_per_task=4000 --seeds 50
    await " runs 0/50 "
    tiny --set samples_per_task=4000 --seeds 50 --out o
    refuses 1 "o/results.db is in use by process $pid on "
    end_by TERM
    [ "$status" -eq 143 ]
}

@test "Ctrl-C in the first run, without --out: the folder and the whole command that resumes" {
    TACOS_TEST_CLOCK=10 begin "$TACOS" run demo --set hidden=20 --set "tasks=0-1, 2-3" --set samples_per_task=2000 \
        --set test_samples_per_task=30 --set steps=80 --checkpoint-every 50 --force >out
    await_lines 200
    end_by INT
    [ "$status" -eq 130 ]
    folder=$(echo results/demo-*)
    [[ "$stderr" == *"interrupted; 0 complete run(s) and a checkpoint kept in $folder"* ]]
    resume=$(sed -n 's/^`tacos \(run .*\)` resumes$/\1/p' <<<"$stderr")
    [[ "$resume" == *" --set 'tasks=0-1, 2-3' "* ]]
    [[ "$resume" != *force* ]]
    [[ "$resume" == *" --out $folder" ]]
    eval "'$TACOS' $resume --quiet"
    "$TACOS" run demo --quiet --set hidden=20 --set "tasks=0-1, 2-3" --set samples_per_task=2000 \
        --set test_samples_per_task=30 --set steps=80 --out whole
    diff <(numbers whole) <(numbers "$folder")
}

@test "interrupted before anything is complete: no folder is left" {
    begin_run --set samples_per_task=0 --checkpoint-every 0
    await " runs 0/1 "
    end_by TERM
    [ "$status" -eq 143 ]
    [[ "$stderr" == *"interrupted; 0 complete run(s) kept"* ]]
    [ ! -s out ]
    [ ! -e o ]
}

@test "a signal is heeded in a run of few and long samples" {
    begin_run --set steps=10000 --set hidden=200 --set samples_per_task=0
    await " runs 0/1 "
    end_by TERM
    [ "$status" -eq 143 ]
}

@test "a signal that was ignored stays ignored" {
    trap '' TERM
    begin_run
    trap - TERM
    await " runs 0/1 "
    end_by TERM
    [ "$status" -eq 0 ]
    [ "$(jq -r .status o/results.json)" = complete ]
}

# ---- usage ----

@test "unknown key: the nearest is named" {
    tiny --set tau_trce_ms=3 --out o
    refuses 2 "unknown key 'tau_trce_ms'; the nearest is 'tau_trace_ms'"
    [ ! -e o ]
}

@test "values out of range tell the range and the unit" {
    tiny --set tau_trace_ms=0 --out o
    refuses 2 "tau_trace_ms = 0 is out of range: it must be from 1 to 1000000000 ms"
    tiny --set tau_trace_ms=nan --out o
    refuses 2 "tau_trace_ms = nan is out of range"
    tiny --set m_max=inf --out o
    refuses 2 "m_max = inf is out of range: it must be from 0 to 1000"
    tiny --set input_rate_hz=-1 --out o
    refuses 2 "from 0 to 100000 Hz"
    tiny --set m_max=1e999 --out o
    refuses 2 "m_max = 1e999 is out of range"
}

@test "values of the wrong kind" {
    tiny --set m_max=much --out o
    refuses 2 "m_max = much: expected a number"
    tiny --set tau_u_ms= --out o
    refuses 2 "tau_u_ms = (nothing): expected a number in ms"
    tiny --set steps=1.5 --out o
    refuses 2 "steps = 1.5: expected a whole number"
    tiny --set model=snnn --out o
    refuses 2 "model = snnn: it must be one of tacos, snn, snn+metaplasticity, snn+consolidation, fixed"
    tiny --set tasks=0-x --out o
    refuses 2 "'x' is a name, but the classes of this data set are numbers"
    tiny --set tasks=0-1,1-1 --out o
    refuses 2 "class 1 occurs twice in one task"
    tiny --set hidden=20,,20 --out o
    refuses 2 "hidden = (nothing): expected a number"
    tiny --set hidden --out o
    refuses 2 "expected KEY=VALUE"
    tiny --set inputs=3 --out o
    refuses 2 "inputs is not a key of an experiment"
}

@test "keys that do not fit together" {
    tiny --set i_min=5 --set i_max=5 --out o
    refuses 2 "i_min = 5 must be below i_max = 5"
    tiny --set init_w=1,2,3 --out o
    refuses 2 "init_w has 3 values; it takes 1, or one for each of the 2 synapse layers"
    tiny --set init_b=1,2 --out o
    refuses 2 "init_b has 2 values; it takes 1, or one for each of the 1 hidden layers"
    tiny --set tasks=0-1,2-12 --out o
    refuses 2 "task 2 has class 12, but the data set's classes are 0 to 9"
}

@test "options: wrong, missing, contradictory" {
    run --separate-stderr "$TACOS" run
    refuses 2 "expected one experiment"
    run --separate-stderr "$TACOS" run demo split-mnist
    refuses 2 "expected one experiment"
    run --separate-stderr "$TACOS" run demoo
    refuses 2 "no experiment 'demoo'; the nearest is 'demo'"
    run --separate-stderr "$TACOS" run zzzzzzzz
    refuses 2 "one of: "
    run --separate-stderr "$TACOS" run ./none.conf
    refuses 1 "cannot read ./none.conf: No such file or directory"
    tiny --seeds 2 --seed 1
    refuses 2 "cannot be combined"
    tiny --seeds 0
    refuses 2 "--seeds 0"
    tiny --seed -1
    refuses 2 "--seed -1"
    tiny --jobs many
    refuses 2 "--jobs many"
    tiny --nonsense
    refuses 2 "unknown option --nonsense"
    tiny --sedes 3
    refuses 2 "unknown option --sedes; the nearest is --seeds"
    tiny --force=1
    refuses 2 "--force takes no value"
    tiny -x
    refuses 2 "unknown option -x"
    tiny --out
    refuses 2 "--out requires a value"
}

@test "a .conf file: an error in it comes with its line" {
    printf '# mine\ndataset = glyphs\n\nm_maxx = 3\n' >bad.conf
    run --separate-stderr "$TACOS" run ./bad.conf
    refuses 2 "./bad.conf:4: unknown key 'm_maxx'; the nearest is 'm_max'"
    printf 'dataset glyphs\n' >bad.conf
    run --separate-stderr "$TACOS" run ./bad.conf
    refuses 2 "./bad.conf:1: expected 'key = value'"
    head -c 100 /dev/zero >bad.conf
    run --separate-stderr "$TACOS" run ./bad.conf
    refuses 1 "zero byte"
}

# ---- data ----

be32() { # NUMBER: four bytes, most significant first
    printf '%b' "$(printf '\\x%02x' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) \
        $(($1 & 255)))"
}

# A small data set in the place of MNIST: images of 28 x 28 for the labels given.
fake_mnist() { # LABEL...
    mkdir -p d/mnist
    for half in train t10k; do
        { be32 2051; be32 $#; be32 28; be32 28; head -c $(($# * 784)) /dev/urandom; } \
            >d/mnist/$half-images-idx3-ubyte
        { be32 2049; be32 $#; for label; do printf '%b' "$(printf '\\x%02x' "$label")"; done; } \
            >d/mnist/$half-labels-idx1-ubyte
    done
}

mnist() {
    run --separate-stderr "$TACOS" run split-mnist --quiet --set hidden=5 --set steps=20 \
        --set tasks=0-1,2-3 --data d --out o "$@"
}

@test "a data set that is not there: how to get it" {
    run --separate-stderr "$TACOS" run split-mnist --quiet --data nowhere --out o
    refuses 1 'tacos data get mnist --data nowhere'
    [ ! -e o ]
}

@test "IDX files of one's own are read, plain and gzipped" {
    fake_mnist 0 1 2 3 0 1
    mnist
    [ "$status" -eq 0 ]
    numbers o | jq .runs >plain
    gzip d/mnist/*
    mnist --force
    [ "$status" -eq 0 ]
    diff plain <(numbers o | jq .runs)
}

@test "data of one's own: recordings of an event camera, a file each" {
    for half in train test; do
        for class in 0 1 2 3; do
            mkdir -p d/mine/$half/$class
            for k in 1 2 3; do # column CLASS becomes lighter, row K darker
                printf "\\00$class\\00$k\\200\\0\\001\\001\\00$k\\0\\0\\002" >d/mine/$half/$class/$k.bin
            done
        done
    done
    printf 'dataset = mine\ntasks = 0-1,2-3\nhidden = 10\n' >mine.conf
    run --separate-stderr "$TACOS" run ./mine.conf --quiet --data d --out o
    [ "$status" -eq 0 ]
    jq -e '.data.train_images == 12 and .config.inputs == 2312' o/results.json
    for input in values spikes; do
        run -0 "$TACOS" run ./mine.conf --quiet --data d --out "c-$input" --set model=columns --set column_input=$input
        jq -e '.config.input_shape == "68,34"' "c-$input/results.json"
    done
    printf 'height = 4\nwidth = 3\n' >d/mine/size.conf
    run --separate-stderr "$TACOS" run ./mine.conf --quiet --data d --out p
    refuses 1 "d/mine/train/3/1.bin: at byte 0 is an event in column 3, row 1; the sensor's are 0 to 2 and 0 to 3"
}

@test "data of one's own: CSV files in a folder" {
    mkdir -p d/mine
    for half in train test; do
        for i in $(seq 0 39); do # four images of four pixels each, over and over
            echo "$((i % 4)),$((i % 4 == 0 ? 255 : 0)),$((i % 4 == 1 ? 255 : 0)),$((i % 4 == 2 ? 255 : 0)),$((i % 4 == 3 ? 255 : 0))"
        done >d/mine/$half.csv
    done
    printf 'dataset = mine\ntasks = 0-1,2-3\nhidden = 10\n' >mine.conf
    run --separate-stderr "$TACOS" run ./mine.conf --quiet --data d --out o
    [ "$status" -eq 0 ]
    jq -e '.data.name == "mine" and .data.train_images == 40 and .config.inputs == 4' o/results.json
    echo "5,1,2" >>d/mine/test.csv
    run --separate-stderr "$TACOS" run ./mine.conf --quiet --data d --out p
    refuses 1 "d/mine/test.csv:41: there are 2 pixels; the first image has 4"
    run --separate-stderr "$TACOS" run demo --set dataset=mnits --quiet --data d --out p
    refuses 1 "no data set 'mnits': there is no folder d/mnits; the nearest known one is 'mnist'"
    run --separate-stderr "$TACOS" run demo --set dataset=../d --quiet --data d --out p
    refuses 2 "dataset = ../d"
}

@test "damaged IDX files: truncated, too long, wrong magic, counts, labels" {
    fake_mnist 0 1 2 3
    truncate -s -1 d/mnist/train-images-idx3-ubyte
    mnist
    refuses 1 "train-images-idx3-ubyte is truncated"
    fake_mnist 0 1 2 3
    echo >>d/mnist/t10k-images-idx3-ubyte
    mnist
    refuses 1 "t10k-images-idx3-ubyte"
    fake_mnist 0 1 2 3
    cp d/mnist/train-labels-idx1-ubyte d/mnist/train-images-idx3-ubyte
    mnist
    refuses 1 "0x00000801"
    fake_mnist 0 1 2 3
    cp d/mnist/train-labels-idx1-ubyte keep
    fake_mnist 0 1 2 3 3
    cp keep d/mnist/train-labels-idx1-ubyte
    mnist
    refuses 1 "4 labels"
    fake_mnist 0 1 2 17
    mnist
    refuses 1 "17"
    [ ! -e o ]
}

@test "an empty task is named" {
    fake_mnist 0 1 0 1
    mnist
    refuses 2 "task 2 is empty"
}

@test "real MNIST: the first task is learned, TACOS and SNN alike" {
    [ -n "$REAL_DATA" ] && [ -d "$REAL_DATA/mnist" ] || skip "no MNIST in \$TACOS_DATA"
    for model in tacos snn; do
        run --separate-stderr "$TACOS" run split-mnist --quiet --set model=$model \
            --set tasks=0-1 --set samples_per_task=300 --set test_samples_per_task=200 \
            --data "$REAL_DATA" --out $model
        [ "$status" -eq 0 ]
        jq -e '.summary.MA.mean > 97' $model/results.json
        jq -e '.data.train_images == 60000 and .data.test_images == 10000' $model/results.json
    done
}

# ---- progress ----

@test "on a terminal progress is one line, redrawn" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "no terminal can be made here"
    # shellcheck disable=SC2086
    script -qec "'$TACOS' run demo ${TINY#--quiet} --set samples_per_task=3000 --out o" typescript \
        >/dev/null
    grep -q $'\r.*runs 0/1.*samples/s.*left' typescript
    [ "$(jq -r .status o/results.json)" = complete ]
}

@test "a rival is a model like any other" {
    run --separate-stderr "$TACOS" run demo --seeds 2 --quiet --out o --set model=ewc --set epochs=2
    [ "$status" -eq 0 ]
    [[ "$output" == *"x the plain network"* ]]
    [ "$(jq '.runs | length' o/results.json)" -eq 2 ]
    [ "$(jq -r '.config.model' o/results.json)" = ewc ]
    [ "$(jq '.config | has("strength") and has("hidden") and (has("w_ref_rate") | not)' o/results.json)" = true ]
    [ "$(jq '.runs[0].counters.learning.samples' o/results.json)" -eq 8000 ]
    [ "$(jq '.runs[0].counters.learning.macs > 0' o/results.json)" = true ]
    [ "$(jq '.runs[0].MO' o/results.json)" = 7 ] # weights, and after k tasks k pairs of them: 3, 5, 7, 9, 11
    cp o/results.json before
    run -0 "$TACOS" run demo --seeds 2 --quiet --out o --set model=ewc --set epochs=2 # all there already
    cmp before o/results.json
}

@test "columns are a model like any other" {
    tiny --set model=columns --out c
    [ "$status" -eq 0 ]
    [[ "$output" == *"memory"* ]]
    tiny --set model=snn --out s
    [ "$status" -eq 0 ]
    run -0 "$TACOS" compare c s
    [[ "${lines[1]}" =~ ^c\ +demo\ +columns\ +1\ +[0-9.]+ ]]
    run -0 "$TACOS" report c s --out both.html
    run -0 "$TACOS" inspect c/model-1.tacos
    [[ "$output" == *": columns 784-2, seed 1, 80 samples learned"* ]]
}

@test "a plan and an experiment are told apart" {
    for plan in trade-off ./mine.conf; do
        "$TACOS" help trade-off >mine.conf
        run --separate-stderr "$TACOS" run $plan
        refuses 2 "$plan is a plan: \`tacos sweep $plan\` runs it"
    done
    run --separate-stderr "$TACOS" sweep demo --dry-run
    refuses 2 "demo is an experiment: \`tacos run demo\` runs it"
    run --separate-stderr "$TACOS" run trade-of
    refuses 2 "no experiment 'trade-of'"
}

@test "every model is named by help, and a wrong one is refused with their names" {
    run -0 "$TACOS" help models
    [ "$(wc -l <<<"$output")" -gt 16 ]
    [[ "$output" == *$'\n'"columns "* ]]
    [[ "$output" == *"online-ewc "*"needs task boundaries"* ]]
    run --separate-stderr "$TACOS" run demo --set model=ecw --out o
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"online-ewc"* ]]
    [ ! -e o ]
}
