# scenarios.bats - the keys scenario, permute, blur, centre and soften from outside.
# $TACOS is the program.

bats_require_minimum_version 1.5.0

TINY="--quiet --set hidden=20 --set tasks=0-1,2-3,4-5 --set samples_per_task=60"
TINY="$TINY --set test_samples_per_task=30 --set steps=100"

setup() {
    cd "$BATS_TEST_TMPDIR" || return
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

refuses() { # CODE TEXT
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

@test "the defaults, said aloud, change nothing" {
    tiny --out plain
    [ "$status" -eq 0 ]
    tiny --set scenario=domain --set permute=none --set blur=0 --set centre=none --set soften=0 --out said
    [ "$status" -eq 0 ]
    diff <(numbers plain) <(numbers said)
    tiny --set scenario=domain --set blur=0 --out plain # the same configuration: nothing to do
    [ "$status" -eq 0 ]
    tiny --set blur=0.5 --out plain
    refuses 1 "another configuration"
}

@test "each key changes the result, and each in its own way" {
    tiny --out domain
    [ "$status" -eq 0 ]
    tiny --set scenario=class --out class
    [ "$status" -eq 0 ]
    tiny --set scenario=task --out task
    [ "$status" -eq 0 ]
    tiny --set permute=pixels --out permuted
    [ "$status" -eq 0 ]
    tiny --set blur=0.5 --out blurred
    [ "$status" -eq 0 ]
    tiny --set centre=mass --out centred
    [ "$status" -eq 0 ]
    tiny --set soften=1 --out softened
    [ "$status" -eq 0 ]
    tiny --set permute=pixels --set blur=0.5 --set scenario=class --set centre=mass --set soften=1 --out all
    [ "$status" -eq 0 ]
    [ "$(jq -c '.runs[0].R' ./*/results.json | sort -u | wc -l)" -eq 8 ]
    [ "$(jq -r '.runs[0].model_digest' ./*/results.json | sort -u | wc -l)" -eq 7 ]
    [ "$(jq -r '.runs[0].model_digest' {class,task}/results.json | sort -u | wc -l)" -eq 1 ]
    jq -e '.config.blur == 0.5 and .config.scenario == "class" and .config.permute == "pixels" and
        .config.centre == "mass" and .config.soften == 1' all/results.json
}

@test "classes have outputs of their own; being told the task only helps" {
    for scenario in domain class task; do
        tiny --set scenario=$scenario --set tasks=0-1,2-1,3-0 --out $scenario
        [ "$status" -eq 0 ]
    done
    [ "$(jq -c .config.outputs {domain,class,task}/results.json | tr '\n' ' ')" = "2 4 4 " ]
    jq -se '[.[].runs[0].R | flatten] | transpose | all(.[1] >= .[0]) and any(.[1] > .[0])' \
        {class,task}/results.json
}

@test "the first task is as it is; permuted, the others are strange to it" {
    tiny --set tasks=0-1,0-1 --out same
    [ "$status" -eq 0 ]
    tiny --set tasks=0-1,0-1 --set permute=pixels --out permuted
    [ "$status" -eq 0 ]
    jq -se '.[0].runs[0].R[0][0] == .[1].runs[0].R[0][0] and
        .[0].runs[0].b[0] == .[1].runs[0].b[0]' {same,permuted}/results.json
    jq -e '.runs[0].R[0] | .[0] == .[1]' same/results.json
    jq -e '.runs[0].R[0] | .[0] > .[1] + 20' permuted/results.json
}

@test "1 job, 2 jobs, threads that share a run: the same numbers" {
    all="--set scenario=task --set permute=pixels --set blur=0.4"
    # shellcheck disable=SC2086
    {
        tiny $all --seeds 3 --jobs 1 --out a
        [ "$status" -eq 0 ]
        tiny $all --seeds 3 --jobs 2 --out b
        [ "$status" -eq 0 ]
        tiny $all --seed 2 --jobs 2 --out c
        [ "$status" -eq 0 ]
    }
    diff <(numbers a) <(numbers b)
    diff <(numbers a | jq '.runs[1]') <(numbers c | jq '.runs[0]')
}

@test "a sweep goes over scenarios, permutations and blurs" {
    printf '%s\n' "experiment = demo" "hidden = 20" "steps = 80" "tasks = 0-1,2-3" \
        "samples_per_task = 40" "test_samples_per_task = 30" "seeds = 1" \
        "scenario = choice(domain | class | task)" "permute = choice(none | pixels)" \
        "blur = choice(0 | 0.3)" >plan.conf
    run --separate-stderr "$TACOS" sweep ./plan.conf --quiet --store s.db
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(sqlite3 s.db "SELECT count(*) FROM run WHERE status = 'complete'")" -eq 12 ]
    [ "$(sqlite3 s.db "SELECT count(DISTINCT model_digest) FROM run")" -eq 8 ] # class is task
}

@test "values that are none" {
    tiny --set scenario=clas --out o
    refuses 2 "scenario = clas: it must be one of domain, class, task"
    tiny --set permute=yes --out o
    refuses 2 "permute = yes: it must be one of none, pixels"
    tiny --set blur=1.5 --out o
    refuses 2 "blur = 1.5 is out of range: it must be from 0 to 1"
    tiny --set blur=-0.1 --out o
    refuses 2 "blur = -0.1 is out of range"
    [ ! -e o ]
}

@test "a task of one class cannot be told from itself" {
    tiny --set scenario=task --set tasks=0-1,2 --out o
    refuses 2 "scenario = task compares the outputs of a task's own classes, but task 2 has only one class"
    [ ! -e o ]
}

@test "the built-in scenarios are listed" {
    for name in split-mnist-class permuted-mnist blurred-mnist; do
        [[ "$("$TACOS" help experiments)" == *"$name"* ]]
        run --separate-stderr "$TACOS" run $name --data nowhere --out o
        refuses 1 "tacos data get mnist"
    done
    [[ "$("$TACOS" help experiments)" == *split-fashion-class* ]]
    run --separate-stderr "$TACOS" run split-fashion-class --data nowhere --out o
    refuses 1 "tacos data get fashion"
}
