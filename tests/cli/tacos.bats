# tacos.bats - the program as a whole: commands, help, compare. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

tacos() {
    run --separate-stderr "$TACOS" "$@"
}

@test "version" {
    tacos --version
    [ "$status" -eq 0 ]
    [[ "$output" =~ ^tacos\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
    local once=$output
    tacos version
    [ "$output" = "$once" ]
}

@test "no command: the overview, and exit 2" {
    tacos
    [ "$status" -eq 2 ]
    [[ "$output" == *"usage: tacos COMMAND"* ]]
}

@test "help for every command, key and experiment" {
    for word in $("$TACOS" help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v tacos); do
        tacos help "$word"
        [ "$status" -eq 0 ]
        [[ "$output" == "usage: tacos $word"* ]]
    done
    n=0
    for key in $("$TACOS" help keys | sed 1d | cut -d ' ' -f 1); do
        tacos help "$key"
        [ "$status" -eq 0 ]
        [[ "$output" == "$key: "* ]]
        n=$((n + 1))
    done
    [ "$n" -ge 35 ]
    for name in demo split-mnist split-fashion; do
        [[ "$("$TACOS" help experiments)" == *"$name"* ]]
        tacos help $name
        [[ "$output" == *"dataset = "* ]]
    done
    tacos help tau_trace_ms
    [[ "$output" == *"50 ms"*"1 to 1000000000 ms"* ]]
}

@test "every command answers --help" {
    for word in run compare bench data; do
        tacos $word --help
        [ "$status" -eq 0 ]
        [[ "$output" == *"usage: tacos $word"* ]]
        [ -z "$stderr" ]
    done
}

@test "mistyped commands and topics get a suggestion" {
    tacos rnu
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"unknown command 'rnu'; the nearest is 'run'"* ]]
    tacos help m_mx
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"no help on 'm_mx'; the nearest is 'm_max'"* ]]
    tacos help dmeo
    [[ "$stderr" == *"the nearest is 'demo'"* ]]
    tacos help outputs
    [[ "$output" == *"follows from the data set"* ]]
}

@test "compare: two results side by side" {
    for model in tacos snn; do
        "$TACOS" run demo --quiet --set model=$model --set hidden=10 --set tasks=0-1 \
            --set samples_per_task=10 --set test_samples_per_task=10 --set steps=40 --out $model
    done
    tacos compare tacos snn
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 3 ]
    [[ "${lines[1]}" == *"tacos 10"*"2.50"* ]]
    [[ "${lines[2]}" == *"snn 10"*"+0.00" ]]
}

@test "compare: what it cannot read" {
    tacos compare
    [ "$status" -eq 2 ]
    tacos compare nowhere
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"cannot read nowhere/results.json: No such file"* ]]
    tacos compare --bogus
    [ "$status" -eq 2 ]
    mkdir x && echo '{"runs": [' >x/results.json
    tacos compare x
    [ "$status" -eq 1 ]
    echo '{}' >x/results.json
    tacos compare x
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"does not hold results"* ]]
    echo '{"schema": "tacos-results", "schema_version": 2}' >x/results.json
    tacos compare x
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"newer program"* ]]
}
