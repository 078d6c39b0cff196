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

@test "the overview is grouped, and names every command once" {
    tacos help
    [ "$status" -eq 0 ]
    for group in "run experiments" "view results" "data sets and speed" "help" \
        "first steps" "more help"; do
        grep -qx "$group" <<<"$output"
    done
    for word in run sweep reproduce compare inspect data bench help completion version; do
        [ "$(grep -c "^  $word  " <<<"$output")" -eq 1 ]
    done
    # aligned: every command's text begins in the same column
    [ "$(sed -n '/^run experiments/,/^first steps/s/^\(  [a-z]*  *\)[a-z].*/\1/p' <<<"$output" |
        awk '{ print length($0) }' | sort -u | wc -l)" -eq 1 ]
}

@test "lists are aligned, a line each" {
    for topic in experiments plans models; do
        tacos help $topic
        [ "$(awk '{ match($0, /^[^ ]+ +/); print RLENGTH }' <<<"$output" | sort -u | wc -l)" -eq 1 ]
    done
}

@test "every command answers --help" {
    for word in $("$TACOS" help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v tacos); do
        tacos $word --help
        [ "$status" -eq 0 ]
        [[ "$output" == "usage: tacos $word"* ]]
        [[ "$output" == *"options:"*"--color WHEN"*"--help"* ]]
        [ -z "$stderr" ]
        [ "$output" = "$("$TACOS" help "$word")" ]
        [ "$output" = "$("$TACOS" "$word" -h)" ]
    done
    tacos -h
    [ "$output" = "$("$TACOS" help)" ]
}

@test "help on a key: symbol, type, unit, default, range, and an example" {
    tacos help tau_trace_ms
    [ "$output" = "tau_trace_ms: time constant of the spike traces X
  symbol        tau_trace
  type          a number
  unit          ms
  default       50 ms
  range         1 to 1000000000 ms
  a key of      learners and experiments
  example       tacos run demo --set tau_trace_ms=25" ]
    tacos help scenario
    [[ "$output" == *"type          a choice"*"range         domain, class, task"*"--set scenario=class" ]]
    tacos help strength
    [[ "$output" == *"a key of      rival methods"* ]]
    tacos help ewc
    [[ "$output" == "ewc: penalises changes"*"tacos run demo --set model=ewc" ]]
}

# That it works, examples.bats shows.
@test "every key's example sets the key last, and not to the default" {
    n=0
    for key in $("$TACOS" help keys | sed 1d | cut -d ' ' -f 1); do
        setting=$("$TACOS" help "$key" | sed -n 's/^  example  *tacos run demo --set .*--set //p')
        [ -n "$setting" ] || setting=$("$TACOS" help "$key" | sed -n 's/^  example  *tacos run demo --set //p')
        [[ "$setting" == "$key="* ]]
        default=$("$TACOS" help "$key" | sed -n 's/^  default  *//p')
        [ "${setting#*=}" != "${default%% *}" ] || [[ "$key" == dataset || "$key" == tasks ]]
        n=$((n + 1))
    done
    [ "$n" -gt 60 ]
}

suggests() { # TEXT
    [ "$status" -eq 2 ]
    [ -z "$output" ]
    [[ "$stderr" == *"$1"* ]]
}

@test "mistyped commands and topics get a suggestion" {
    tacos rnu
    suggests "unknown command 'rnu'; the nearest is 'run'"
    tacos hlep
    suggests "the nearest is 'help'"
    tacos inspcet
    suggests "the nearest is 'inspect'"
    tacos --hlep
    suggests "unknown option --hlep; the nearest is --help"
    tacos help m_mx
    suggests "no help on 'm_mx'; the nearest is 'm_max'"
    tacos help dmeo
    suggests "the nearest is 'demo'"
    tacos help online-ecw
    suggests "the nearest is 'online-ewc'"
    tacos help xyzzyxyzzy
    suggests "no help on 'xyzzyxyzzy'"
    tacos help outputs
    [[ "$output" == *"follows from the data set"* ]]
}

@test "mistyped experiments, plans, parts, options, keys, models and subcommands too" {
    tacos run split-mnsit
    suggests "no experiment 'split-mnsit'; the nearest is 'split-mnist'"
    tacos run demo --sed 3
    suggests "unknown option --sed; the nearest is --seed"
    tacos run demo --set modle=snn
    suggests "unknown key 'modle'; the nearest is 'model'"
    tacos run demo --set model=ecw
    suggests "the nearest is 'ewc'"
    tacos run demo --set scenario=clas
    suggests "the nearest is 'class'"
    tacos sweep trade-of
    suggests "no plan 'trade-of'; the nearest is 'trade-off'"
    tacos sweep shwo x.db
    suggests "unknown subcommand 'shwo'; the nearest is 'show'"
    tacos reproduce headlin
    suggests "the nearest is 'headline'"
    tacos version x
    suggests "expected no arguments"
    tacos help run sweep
    suggests "expected at most one topic"
}

@test "compare: two results side by side" {
    for model in tacos snn; do
        "$TACOS" run demo --quiet --set model=$model --set hidden=10 --set tasks=0-1 \
            --set samples_per_task=10 --set test_samples_per_task=10 --set steps=40 --set init_w=10 --out $model
    done
    tacos compare tacos snn
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 3 ]
    [[ "${lines[1]}" == *"tacos 10"*"2.49"* ]]
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
    mkdir x
    echo '{"runs": [' >x/results.json
    tacos compare x
    [ "$status" -eq 1 ]
    echo '{}' >x/results.json
    tacos compare x
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"does not contain the results"* ]]
    echo '{"schema": "tacos-results", "schema_version": 3}' >x/results.json
    tacos compare x
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"newer version"* ]]
}
