# honest.bats - what is no result is not reported as one. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

SMALL="--quiet --set samples_per_task=100 --set test_samples_per_task=40"

# ---- rivals that diverge ----

@test "a rival that diverges is a failed run with a sentence, and leaves no results" {
    for keys in "model=l2 strength=1e3 optimizer=sgd optimizer_rate=0.1 batch=4" "model=bgd sigma_init=1000"; do
        sets=
        for key in $keys; do
            sets="$sets --set $key"
        done
        # shellcheck disable=SC2086
        run -1 --separate-stderr "$TACOS" run demo $SMALL $sets --out out
        [[ "$stderr" == "tacos: "*" diverged: its "*" task "[1-5]" are no longer finite numbers; "*" may help" ]]
        [ "$output" = "" ]
        [ ! -e out ]
    done
}

@test "a sweep continues with the others, and reports the ones that diverged" {
    cat >plan.conf <<'END'
# two of three diverge
experiment = demo
samples_per_task = 100
test_samples_per_task = 40
model = bgd
sigma_init = choice(0.02 | 500 | 1000)
END
    run -1 --separate-stderr "$TACOS" sweep ./plan.conf --quiet --store plan.db
    [[ "$stderr" == *"2 runs failed; the first: bgd diverged: "* ]]
    [[ "$output" == *"1 configuration; 1 run complete, 2 failed"* ]]
    [[ "$output" == *"2 runs failed"*"x  bgd diverged: "* ]]
    [ "$(sqlite3 plan.db "SELECT count(*) FROM run WHERE status = 'failed' AND MA IS NULL AND error LIKE 'bgd diverged%'")" = 2 ]
    [ "$("$TACOS" sweep show plan.db --json | jq '[.configurations[0].metrics[].mean | . == null or isnormal or . == 0] | all')" = true ]
}

# ---- networks whose outputs never fire ----

answering() { # FOLDER OPTION...
    folder=$1
    shift
    # shellcheck disable=SC2086
    "$TACOS" run demo $SMALL --set hidden=20 --set init_w=4 "$@" --out "$folder"
}

silent() { # FOLDER OPTION...
    answering "$@" --set threshold_output=1e5
}

@test "a run that answers is not called silent" {
    run -0 --separate-stderr answering a
    [ "$stderr" = "" ]
    [ "$(jq '.runs[0].silent <= 50 and .runs[0].silent == .summary.silent.mean' a/results.json)" = true ]
    run ! grep -q "silent network" a/report.html
    run -0 "$TACOS" compare a
    [ "${#lines[@]}" -eq 2 ]
    [[ "$output" != *"!"* ]]
}

@test "a silent one is: on the terminal, in results.json, on its page" {
    run -0 --separate-stderr silent s --seeds 2
    [[ "$output" == *$'\n'"  silent       100.00 +- 0.00 % of the test samples: no output spiked, which counts as the first output"* ]]
    [[ "$stderr" == "tacos: warning: silent network: no output spiked on 100.0% of the test samples"*"too little of it reaches the outputs"*"threshold_output"* ]]
    [ "$(jq -c '[.runs[].silent, .summary.silent.mean, .summary.silent.sd, .summary.MA.mean]' s/results.json)" = "[100,100,100,0,50]" ]
    grep -q '<p class="warning">A silent network: no output spiked on 100.0% of the test samples' s/report.html
    [ "$(sqlite3 s/results.db "SELECT min(value), max(value) FROM measure WHERE name = 'silent'")" = "100.0|100.0" ]
}

@test "silence changes how a run is scored, and nothing else of it" {
    silent first --set scenario=task >/dev/null 2>&1
    run -0 --separate-stderr silent wrong --set scenario=task --set silence=wrong
    [[ "$output" == *$'\n'"  silent       100.00 % of the test samples: no output spiked, which counts as wrong"* ]]
    for field in .runs[0].model_digest .runs[0].silent .runs[0].counters; do
        [ "$(jq -c $field first/results.json)" = "$(jq -c $field wrong/results.json)" ]
    done
    # the first output of each task is right for half of its samples
    [ "$(jq -c '.runs[0] | [.silent, .R[0][], .b[]] | unique' first/results.json)" = "[50,100]" ]
    [ "$(jq -c '.runs[0] | [.silent, .R[0][], .b[]] | unique' wrong/results.json)" = "[0,100]" ]
    # a saved learner does not know the key: it still answers that it does not know
    awk 'BEGIN { for (j = 0; j < 784; j++) printf "%s", j ? ",1" : "1"; print "" }' >bright.csv
    for model in first wrong; do
        run -0 --separate-stderr "$TACOS" predict $model/model-1.tacos --label none <bright.csv
        [ "$output" = -1 ]
    done
}

@test "it counts what is compared: told the task, only the outputs of the task" {
    answering a --set scenario=class >/dev/null
    answering b --set scenario=task >/dev/null
    [ "$(jq -s '.[0].runs[0].model_digest == .[1].runs[0].model_digest' a/results.json b/results.json)" = true ]
    [ "$(jq -s '.[0].runs[0].silent < .[1].runs[0].silent' a/results.json b/results.json)" = true ]
}

@test "a rival always answers, and says nothing of it" {
    run -0 --separate-stderr answering r --set model=naive
    [ "$stderr" = "tacos: note: init_w has no effect with model=naive" ]
    [ "$(jq -c '[.runs[0].silent, .summary.silent, .runs[0].measures]' r/results.json)" = "[null,null,null]" ]
    run -0 "$TACOS" compare r
    [[ "$output" != *"silent"* ]]
}

@test "compare: says that experiments differ" {
    for n in 8 9; do
        run -0 "$TACOS" run demo --quiet --no-page --set samples_per_task=$n --set test_samples_per_task=8 --out $n
    done
    run -0 "$TACOS" run demo --quiet --no-page --set samples_per_task=9 --set test_samples_per_task=8 \
        --set model=snn --out snn
    run -0 --separate-stderr "$TACOS" compare 9 snn
    [ -z "$stderr" ] # models may differ
    run -0 --separate-stderr "$TACOS" compare 8 9 snn
    [ "$stderr" = "tacos: warning: 8 and snn differ in samples_per_task: their accuracies are of different experiments" ]
}

@test "compare: a mark, a footnote, and never the best" {
    answering a >/dev/null
    silent s >/dev/null 2>&1
    # better in MA than the one that answers, as far as the file says
    jq '.summary.MA.mean = 99' s/results.json >s/new
    mv s/new s/results.json
    run -0 "$TACOS" compare a s --color=always
    [[ "${lines[1]}" == a*" 1 "*$'\e'"[32m"* ]]
    [[ "${lines[2]}" == s*" 1! "* ]]
    [[ "${lines[2]}" != *$'\e'"[32m"* ]]
    [[ "${lines[3]}" == "! silent: no output spiked on more than 50% of the test samples"* ]]
    run -0 "$TACOS" compare s
    [[ "$output" == *"1!"*"! silent: "* ]]
}

@test "sweep show: a mark, a footnote, and on no front" {
    cat >plan.conf <<'END'
# one of two never answers
experiment = demo
samples_per_task = 100
test_samples_per_task = 40
hidden = 20
init_w = 4
threshold_output = choice(2 | 100000)
END
    run -0 "$TACOS" sweep ./plan.conf --quiet --store plan.db
    [[ "$output" == *" 1! "*"! silent: no output spiked on more than 50%"* ]]
    "$TACOS" sweep show plan.db --json >show.json
    [ "$(jq -c '[.configurations[] | [.silent > 50, .fronts.transfer, .fronts.memory, .fronts.operations]]' show.json)" = "[[false,true,true,true],[true,false,false,false]]" ]
    [ "$("$TACOS" sweep show plan.db --csv | tail -1 | sed 's/.*,//')" = 100 ]
}

# ---- networks that are right no more often than by chance, and what helps ----

tried() { # KEY=VALUE...: $ma of a small run, and what it said in $stderr
    local sets=()
    for key in "$@"; do
        sets+=(--set "$key")
    done
    rm -rf tried
    # shellcheck disable=SC2086
    run -0 --separate-stderr "$TACOS" run demo --no-page $SMALL "${sets[@]}" --out tried
    ma=$(jq .summary.MA.mean tried/results.json)
}

# fails TEXT KEY=VALUE...: the run is reported as a failure with a cause that has TEXT in it
fails() {
    local cause=$1
    shift
    tried "$@"
    echo "MA $ma: $stderr"
    [[ "$(tr '\n' ' ' <<<"$stderr")" == *"warning: "*"$cause"* ]]
    failed=$ma
}

# helps KEY=VALUE...: with it the run is no failure, and better by more than 10 points
helps() {
    tried "$@"
    echo "MA $ma: $stderr"
    [[ "$stderr" != *"warning"* ]]
    [ "$(jq -n "$ma > $failed + 10")" = true ]
}

@test "every remedy for a silent network helps" {
    cause="hidden neurons hardly spike. A smaller threshold_hidden helps; model=columns"
    fails "$cause" hidden=20 threshold_hidden=1000
    helps hidden=20 threshold_hidden=1
    helps hidden=20 threshold_hidden=1000 model=columns
    fails "smaller threshold_output or a larger r_output helps" hidden=20 init_w=4 threshold_output=3000
    helps hidden=20 init_w=4 threshold_output=2
    helps hidden=20 init_w=4 threshold_output=3000 r_output=5000
    fails "a larger learning_rate or label_rate_hz" hidden=20 learning_rate=0
    helps hidden=20 learning_rate=0.01
    fails "a larger learning_rate or label_rate_hz" hidden=20 label_rate_hz=0
    helps hidden=20 label_rate_hz=200
}

@test "a run at chance says so, with a cause; every remedy helps" {
    fails "A larger learning_rate, more samples_per_task, or model=columns" hidden=20 init_w=4 learning_rate=0
    [[ "$stderr" == "tacos: warning: MA is 50.50, at or below chance (50.00): "* ]]
    helps hidden=20 init_w=4
    helps hidden=20 init_w=4 learning_rate=0 model=columns
    fails "more samples_per_task" hidden=20 init_w=4 samples_per_task=1
    helps hidden=20 init_w=4 samples_per_task=100
    fails "More samples_per_task help" model=columns samples_per_task=1
    helps model=columns samples_per_task=20
    fails "Another optimizer_rate, more samples_per_task, or model=columns" model=naive optimizer_rate=1e-9
    helps model=naive optimizer_rate=1e-3
    fails "model=columns forgets least" model=naive optimizer_rate=100
    helps model=columns
    fails "more samples_per_task" model=naive optimizer_rate=1e-3 samples_per_task=1
    helps model=naive optimizer_rate=1e-3 samples_per_task=100
}

@test "tasks that contradict each other are at chance; an output per class helps" {
    for model in columns tacos naive; do
        fails "tasks want different answers for the same class" model=$model tasks=0-1,1-2,2-0
        helps model=$model tasks=0-1,1-2,2-0 scenario=class
    done
    # of three classes each with its own output, chance is a third
    jq -e '.chance > 33.3 and .chance < 33.4' tried/results.json
}

@test "compare, sweep show and the report: at chance is never the best" {
    # shellcheck disable=SC2086
    for name in good bad; do
        model=columns
        [ $name = good ] || model=naive
        "$TACOS" run demo $SMALL --seeds 2 --set model=$model --set optimizer_rate=1e-9 --out $name >/dev/null 2>&1
    done
    # better than others by MA, as far as the file says, and still at chance
    jq '.chance = 99 | .summary.MA.mean = 100 | .summary.MA.sd = 0' bad/results.json >new
    mv new bad/results.json
    run -0 "$TACOS" compare bad good --color=always
    [[ "${lines[1]}" == bad*" 2? "* && "${lines[1]}" != *$'\e'"[32m"* ]]
    [[ "${lines[2]}" == good*" 2 "*$'\e'"[32m"* ]]
    [[ "$output" == *$'\n'"? chance: MA is at or below"* ]]
    "$TACOS" report bad -o page.html
    grep -q 'right no more often than by chance, 50.0%' page.html
    "$TACOS" report bad good -o page.html
    grep -q 'bad is right no more often than by chance, 50.0%. None of its numbers is marked' page.html
    run ! grep -q 'right no more often' good/report.html
    cat >plan.conf <<'END'
# rivals whose steps are too small, and which of two is better is luck
experiment = demo
samples_per_task = 100
test_samples_per_task = 40
model = naive
optimizer_rate = choice(1e-3 | 1e-9 | 1e-8)
END
    run -0 "$TACOS" sweep ./plan.conf --quiet --store plan.db
    [[ "$output" == *" 1? "*"? chance: MA is at or below"* ]]
    "$TACOS" sweep show plan.db --json >show.json
    [ "$(jq -c '[.configurations[] | [.chance, .fronts.transfer or .fronts.memory or .fronts.operations]]' show.json)" = \
        "[[50,true],[50,false],[50,false]]" ]
    [ "$("$TACOS" sweep show plan.db --csv | head -1 | sed 's/.*_front,//')" = chance,silent ]
}

# ---- keys without effect ----

@test "run: a key that does not matter to the model is noted, once" {
    # shellcheck disable=SC2086
    run -0 --separate-stderr "$TACOS" run demo --no-page $SMALL --seeds 2 --set model=columns --set hidden=50 \
        --set strength=3 --set hidden=60 --out o
    [ "$stderr" = "tacos: note: hidden and strength have no effect with model=columns" ]
    # shellcheck disable=SC2086
    run -0 --separate-stderr "$TACOS" run demo --no-page $SMALL --set column_looks=5 --set shrinkage=0.5 --out p
    [ "$stderr" = "tacos: note: column_looks and shrinkage have no effect with model=tacos" ]
    # the experiment of a file says what is meant; a built-in one may be tried with any model
    printf '%s\n' '# mine' 'model = columns' 'hidden = 30' 'm_max = 3' 'samples_per_task = 50' 'test_samples_per_task = 20' >mine.conf
    run -0 --separate-stderr "$TACOS" run ./mine.conf --quiet --no-page --out q
    [ "$stderr" = "tacos: note: hidden and m_max have no effect with model=columns" ]
    run -0 --separate-stderr "$TACOS" run ./mine.conf --quiet --no-page --set model=tacos --out r
    [[ "$stderr" != *note* ]]
}

@test "learn --new: likewise" {
    echo 0,1,0 >one.csv
    run -0 --separate-stderr "$TACOS" learn m.tacos --new --quiet --set inputs=2 --set model=columns --set hidden=5 \
        --set column_places=1 <one.csv
    [ "$stderr" = "tacos: note: hidden has no effect with model=columns" ]
    run -0 --separate-stderr "$TACOS" learn n.tacos --new --quiet --set inputs=2 --set model=tacos --set hidden=5 \
        --set column_places=1 <one.csv
    [ "$stderr" = "tacos: note: column_places has no effect with model=tacos" ]
}

@test "sweep: a key that matters in no run of the plan, and no other" {
    cat >plan.conf <<'END'
# hidden matters to one of the models, m_max to none
experiment = demo
model = choice(columns | naive)
hidden = 20
m_max = 5
[a]
strength = 1
[b]
model = columns
strength = 2
column_looks = 5
END
    run -0 --separate-stderr "$TACOS" sweep ./plan.conf --dry-run
    [ "$stderr" = "tacos: note: m_max has no effect in any run of plan" ]
    for plan in "$BATS_TEST_DIRNAME"/../../experiments/{plans,calibration}/*.conf; do
        run -0 --separate-stderr "$TACOS" sweep "$plan" --dry-run
        [ "$stderr" = "" ]
    done
}

stream() { # N: lines of two classes that are easy to tell apart
    awk -v n="$1" 'BEGIN { for (k = 0; k < n; k++) print k % 2 (k % 2 ? ",1,0.9,0,0.1" : ",0,0.1,1,0.9") }'
}

learns() { # OPTION...: a new learner of 1200 samples
    rm -f m.tacos
    stream 1200 | "$TACOS" learn m.tacos --new --tell-every 2000 --set inputs=4 --set outputs=2 "$@" 2>&1
}

@test "learn says that a network never answers, or is at chance; what it names helps" {
    run -0 learns --set model=tacos --set hidden=20 --set threshold_output=1e5
    [[ "$output" == *"warning: the last 1200 samples were all answered with -1: no output spiked"*"model=columns"* ]]
    run -0 learns --set model=columns
    [[ "$output" != *warning* ]]
    run -0 learns --set model=tacos --set hidden=20 --set init_w=4 --set threshold_output=2
    [[ "$output" != *warning* ]]
    run -0 learns --set model=tacos --set hidden=20 --set init_w=4 --set learning_rate=0
    [[ "$output" == *"were all answered with -1"*"larger learning_rate may help"* ]]
    # labels that have nothing to do with the numbers
    stream() { awk -v n="$1" 'BEGIN { for (k = 0; k < n; k++) print int(k / 2) % 2 ",1,0.9,0,0.1" }'; }
    run -0 learns --set model=columns
    [[ "$output" == *"warning: of the last 1000 samples "*", at or below chance (50.00%)"*"do the labels follow"* ]]
}

@test "predict says how often no output spiked" {
    for k in 1 2 3 4; do echo "$((k % 2)),1,0,1,0"; done >all.csv
    "$TACOS" learn m.tacos --new --quiet --set inputs=4 --set hidden=5 --set outputs=2 --set threshold_output=1e5 <all.csv
    run -0 --separate-stderr "$TACOS" predict m.tacos <all.csv
    [ "${lines[*]}" = "-1 -1 -1 -1" ]
    [[ "$stderr" == *"tacos: warning: silent network: no output spiked on 4 of 4 samples, answered with -1" ]]
    run -0 --separate-stderr "$TACOS" predict m.tacos --quiet <all.csv
    [ "$stderr" = "" ]
}
