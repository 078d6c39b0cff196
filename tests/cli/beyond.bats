# beyond.bats - a sparse expansion, plasticity that falls with use, and counting, from outside. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

SMALL="--quiet --set tasks=0-1,2-3 --set samples_per_task=60 --set test_samples_per_task=40"
EXPANDED="--set expansion=1000 --set expansion_active=0.02 --set hidden=none --set init_w=0 --set learning_rate=0.05"

expanded() { # FOLDER OPTION...
    folder=$1
    shift
    # shellcheck disable=SC2086
    "$TACOS" run demo $SMALL $EXPANDED --set model=use "$@" --out "$folder"
}

@test "a run with an expansion learns, and is told as one everywhere" {
    run expanded a
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "demo: use with an expansion of 1000 and hidden layer none on glyphs"* ]]
    [ "$(jq '.summary.MA.mean > 80' a/results.json)" = true ]
    [ "$(jq '.runs[0].bytes.model < .runs[0].bytes.baseline_model' a/results.json)" = true ]
    [[ "$("$TACOS" compare a)" == *"use (1000) none"* ]]
    run "$TACOS" inspect a/model-1.tacos
    [[ "${lines[0]}" == *": use 784-(1000)-2, seed 1, 120 samples learned" ]]
    [[ "${lines[2]}" == *"fixed synapses onto 1000 units, if they were stored: they are drawn from the seed" ]]
    [[ "$output" == *"layer 1 of 1: 1000 units to 2 outputs"* ]]
    grep -q '<dt>expansion</dt><dd>1000' a/report.html
}

@test "stored synapses, other kernels and several threads: the same numbers" {
    expanded a >/dev/null
    for how in "--set expansion_synapses=stored" "--jobs 2"; do
        # shellcheck disable=SC2086
        expanded b --force $how >/dev/null
        [ "$(jq -c '.runs[0] | [.model_digest, .R]' a/results.json)" = "$(jq -c '.runs[0] | [.model_digest, .R]' b/results.json)" ]
    done
    TACOS_KERNEL=ref expanded b --force >/dev/null
    [ "$(jq .runs[0].model_digest a/results.json)" = "$(jq .runs[0].model_digest b/results.json)" ]
}

@test "counting: no errors, and the order of the tasks hardly matters" {
    counted() { # FOLDER TASKS
        # shellcheck disable=SC2086
        "$TACOS" run demo $SMALL $EXPANDED --set model=counting --set scenario=class --set output_inhibition=1 \
            --set r_output=1 --set tau_syn_input_ms=25 --set samples_per_task=0 --set "tasks=$2" --out "$1" >/dev/null
    }
    counted a 0-1,2-3,4-5
    counted b 4-5,0-1,2-3
    [ "$(jq -s 'map(.summary.MA.mean) | (.[0] - .[1]) | fabs < 3' a/results.json b/results.json)" = true ]
    [ "$(jq '.summary.MA.mean > 80' a/results.json)" = true ]
    [ "$(jq '.runs[0].counters.learning.error_spikes' a/results.json)" -eq 0 ]
}

@test "learn and predict with an expansion; export and import" {
    pixels() { # CLASS
        awk -v c="$1" 'BEGIN { for (j = 0; j < 40; j++) printf ",%s", (j < 20) == (c == 0) ? 1 : 0; print "" }'
    }
    for k in $(seq 40); do echo "$((k % 2))$(pixels $((k % 2)))"; done >all.csv
    for model in use counting; do
        # shellcheck disable=SC2086
        "$TACOS" learn $model.tacos --new --quiet --set inputs=40 $EXPANDED --set model=$model \
            --set output_inhibition=1 <all.csv
        [ "$("$TACOS" predict $model.tacos --quiet <all.csv | cut -d, -f1 | head -20 | sort -u | wc -l)" -eq 2 ]
        "$TACOS" export $model.tacos w.safetensors
        "$TACOS" import w.safetensors back-$model.tacos
        [ "$("$TACOS" predict $model.tacos --quiet <all.csv)" = "$("$TACOS" predict back-$model.tacos --quiet <all.csv)" ]
    done
}

@test "what does not fit together is told" {
    run -2 --separate-stderr "$TACOS" run demo --set expansion=100 --set expansion_active=0 --out x
    [[ "$stderr" == *"expansion_active = 0"* ]]
    run -2 --separate-stderr "$TACOS" run demo --set expansion=1000 --set expansion_rate_hz=2000 --out x
    [[ "$stderr" == *"more than a spike in a step"* ]]
}
