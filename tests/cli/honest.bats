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
    [[ "$stderr" == "tacos: warning: silent network: no output spiked on 100.0% of the test samples"*"init_w"*"threshold_output"* ]]
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
    [ "$stderr" = "" ]
    [ "$(jq -c '[.runs[0].silent, .summary.silent, .runs[0].measures]' r/results.json)" = "[null,null,null]" ]
    run -0 "$TACOS" compare r
    [[ "$output" != *"silent"* ]]
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

@test "predict says how often no output spiked" {
    for k in 1 2 3 4; do echo "$((k % 2)),1,0,1,0"; done >all.csv
    "$TACOS" learn m.tacos --new --quiet --set inputs=4 --set hidden=5 --set outputs=2 --set threshold_output=1e5 <all.csv
    run -0 --separate-stderr "$TACOS" predict m.tacos <all.csv
    [ "${lines[*]}" = "-1 -1 -1 -1" ]
    [[ "$stderr" == *"tacos: warning: silent network: no output spiked on 4 of 4 samples, answered with -1" ]]
    run -0 --separate-stderr "$TACOS" predict m.tacos --quiet <all.csv
    [ "$stderr" = "" ]
}
