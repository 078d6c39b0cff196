# sweep_show.bats - `tacos sweep show`: the table, CSV and JSON of a store, and how it refuses.
# $TACOS is the program. The store is made once: four small configurations, two seeds each, just
# large enough to learn something, with m that grows so fast that m_max matters: where all are the
# same nothing is tested.

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME TACOS_KERNEL
    export HOME=$BATS_FILE_TMPDIR
    cat >small.conf <<'END'
experiment = demo
hidden = 20
steps = 80
tasks = 0-1,2-3
samples_per_task = 100
test_samples_per_task = 20
delta_m_hidden = 1
seeds = 2
m_max = choice(5 | 25)
model = choice(tacos | snn)
END
    "$TACOS" sweep small.conf --store s.db --quiet >/dev/null
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME TACOS_KERNEL
    export HOME=$BATS_TEST_TMPDIR
    cp "$BATS_FILE_TMPDIR"/s.db* .
}

show() { # OPTION...
    run --separate-stderr "$TACOS" sweep show "$@"
}

change() { # SQL: as if other things had happened
    command -v sqlite3 >/dev/null || skip "no sqlite3 here"
    sqlite3 s.db "$1"
}

refuses() { # CODE TEXT: the last command ended with CODE and said TEXT, and nothing on stdout
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

@test "the numbers are those of tacos run, and not all the same" {
    local keys=(--set hidden=20 --set steps=80 --set tasks=0-1,2-3 --set samples_per_task=100
        --set test_samples_per_task=20 --set delta_m_hidden=1)
    show s.db --json
    jq -e '[.configurations[].metrics.MA.mean] | min > 20 and (unique | length) >= 3' <<<"$output"
    for m_max in 5 25; do
        "$TACOS" run demo "${keys[@]}" --set model=tacos --set m_max=$m_max --seeds 2 --quiet \
            --out run-$m_max >/dev/null
        jq -e --slurpfile run run-$m_max/results.json --argjson m_max $m_max '
            def near($a; $b): ($a - $b | fabs) < 1e-6;
            (.configurations[] | select(.keys == {model: "tacos", m_max: $m_max})) as $here
            | $run[0] as $there
            | $here.metrics.FWT == {mean: null, sd: null} and $there.summary.FWT == {mean: null, sd: null}
            and all("A", "MA", "BWT", "FWT_gem", "forgetting";
                near($here.metrics[.].mean; $there.summary[.].mean)
                and near($here.metrics[.].sd; $there.summary[.].sd))
            and $here.model_bytes == $there.runs[0].bytes.model
            and near($here.operations; [$there.runs[].counters.learning
                | (.synaptic_events + .error_updates + .decay_updates) / .samples] | add / 2)' \
            <<<"$output"
    done
}

# ---- the table ----

@test "the table: counts, the best, what each key does, the fronts" {
    show s.db
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ "${lines[0]}" =~ ^"s.db: 4 configurations; 8 runs complete; "[0-9.e-]+" s per run"$ ]]
    [ "${lines[1]}" = "keys that vary: model, m_max" ]
    [[ "${lines[2]}" == "best configurations"* ]]
    [[ "${lines[3]}" =~ ^\ +rank\ +model\ +m_max\ +runs\ +MA\ +A\ +BWT\ +forgetting\ +MO\ +kops$ ]]
    [[ "${lines[4]}" =~ ^\ +1\ +(tacos|snn)\ +[0-9]+\ +2\ +[0-9.]+\ \+-\ [0-9.]+\  ]]
    [[ "${lines[7]}" =~ ^\ +4\ +(tacos|snn) ]]
    [[ "${lines[8]}" == "effect of each key: "*" over 4 configurations" ]]
    [[ "${lines[9]}" =~ ^\ +key\ +share\ +level\ +n\ +MA\ +A\ +BWT$ ]]
    [[ "$output" == *"stability and plasticity: "*"accuracy against memory: "*"accuracy against operations: "* ]]
    run ! grep -q ' $' <<<"$output"
}

@test "the table is no wider than it need be" {
    show s.db
    [ "$(wc -L <<<"$output")" -le 120 ]
}

@test "the best come first, and every level is told" {
    show s.db
    [ "$(sed -n '/^best/,/^$/p' <<<"$output" | awk '$1 ~ /^[0-9]+$/ {print $5}' | sort -rn)" = \
        "$(sed -n '/^best/,/^$/p' <<<"$output" | awk '$1 ~ /^[0-9]+$/ {print $5}')" ]
    for level in 5 25 snn tacos; do
        sed -n '/^effect/,/^$/p' <<<"$output" | grep -Eq " $level  +2  "
    done
}

@test "--top and --all" {
    show s.db --top 3
    [ "$status" -eq 0 ]
    [ "$(sed -n '/^best/,/^$/p' <<<"$output" | grep -Ec '^ +[0-9]')" -eq 3 ]
    [[ "$output" == *"  ... and 1 more; --all shows them"* ]]
    show s.db --all
    [ "$(sed -n '/^best/,/^$/p' <<<"$output" | grep -Ec '^ +[0-9]')" -eq 4 ]
    [[ "$output" != *"more; --all"* ]]
}

@test "one seed has no spread" {
    change "DELETE FROM run WHERE seed = 2"
    show s.db
    [[ "${lines[0]}" == "s.db: 4 configurations; 4 runs complete; "* ]]
    run ! grep -Eq -- '\+-' <<<"$(sed -n '/^best/,/^$/p' <<<"$output")"
}

@test "one configuration is compared with nothing" {
    change "DELETE FROM run WHERE config > 1"
    show s.db
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "s.db: 1 configuration; 2 runs complete; "* ]]
    [[ "$output" != *"keys that vary"* ]]
    [[ "$output" != *"effect of each key"* ]]
    [[ "$output" != *"front"* ]]
}

@test "memory that does not vary is told in a line" {
    change "UPDATE run SET model_bytes = 1000000"
    show s.db
    [[ "$output" == *"accuracy against memory: all configurations hold 1.000 MB"* ]]
    show s.db --json
    jq -e '.configurations[0].metrics.MA.mean as $best
        | all(.configurations[]; .fronts.memory == (.metrics.MA.mean == $best))' <<<"$output"
}

@test "runs that failed are counted, with the reasons" {
    change "UPDATE run SET status = 'failed', error = 'no more tea' WHERE seed = 2 AND config < 3"
    change "UPDATE run SET status = 'planned' WHERE seed = 2 AND config = 3"
    show s.db
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "s.db: 4 configurations; 5 runs complete, 2 failed, 1 planned; "* ]]
    [ "${lines[-2]}" = "2 runs failed" ]
    [ "${lines[-1]}" = "  2 x  no more tea" ]
    show s.db --json
    [ "$(jq -c .failures <<<"$output")" = '["no more tea","no more tea"]' ]
    [ "$(jq '[.configurations[].failed] | add' <<<"$output")" -eq 2 ]
    [ "$(jq '[.configurations[].planned] | add' <<<"$output")" -eq 1 ]
}

@test "configurations that were stopped stand behind, and count for no key" {
    change "UPDATE setting SET value = '0-1' WHERE key = 'tasks' AND config = 1"
    change "UPDATE run SET tasks = 1, MA = 100 WHERE config = 1"
    show s.db
    [[ "${lines[0]}" == "s.db: 4 configurations, 1 of them stopped early; "* ]]
    sed -n '/^best/,/^$/p' <<<"$output" | grep -Eq '^ +4 .* task 1 +2  100.00 '
    [[ "$output" == *"over 3 whole configurations"* ]]
    show s.db --csv
    [[ "${lines[4]}" == 4,demo,*,1,1,2,* ]]
}

@test "nothing is complete yet" {
    change "UPDATE run SET status = 'planned'"
    show s.db
    [ "$status" -eq 0 ]
    [ "$output" = "no run in s.db is complete yet" ]
    show s.db --csv
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 1 ]
    show s.db --json
    [ "$(jq -c '[.configurations, .effects, .failures]' <<<"$output")" = '[[],[],[]]' ]
}

# ---- for other programs ----

@test "--csv: a line a configuration, as many fields in each" {
    show s.db --csv
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "${#lines[@]}" -eq 5 ]
    [[ "${lines[0]}" == rank,experiment,digest,stopped,n_tasks,n_runs,model,m_max,A_mean,A_sd,MA_mean,MA_sd,* ]]
    [[ "${lines[0]}" == *,memory_overhead,model_bytes,operations,seconds,transfer_front,memory_front,operations_front,chance,silent ]]
    [[ "${lines[1]}" == 1,demo,*,0,2,2,* ]]
    [ "$(awk -F, '{print NF}' <<<"$output" | sort -u)" = 29 ]
    show s.db --csv --top 2
    [ "${#lines[@]}" -eq 3 ]
}

@test "--csv: what has commas is quoted, quotes are doubled" {
    change "UPDATE setting SET value = '20,30' WHERE key = 'hidden' AND config = 1"
    change "UPDATE config SET experiment = 'my \"own\" one'"
    show s.db --csv
    grep -q ',"20,30",' <<<"$output"
    grep -q ',"my ""own"" one",' <<<"$output"
}

@test "--json: all of it" {
    show s.db --json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    jq -e '.schema == "tacos-sweep" and .schema_version == 2 and .store == "s.db"' <<<"$output"
    [ "$(jq -c '[.configurations[].rank]' <<<"$output")" = '[1,2,3,4]' ]
    jq -e '.configurations | all(.[]; .experiment == "demo" and (.digest | length) == 64
        and (.keys | keys) == ["m_max", "model"] and (.keys.m_max | type) == "number"
        and .runs == 2 and .failed == 0 and .planned == 0 and .tasks == 2 and .stopped == false
        and (.metrics | keys) == ["A", "BWT", "FWT", "FWT_gem", "MA", "forgetting"]
        and .MO >= 1 and .model_bytes > 0 and .operations > 0 and .seconds > 0
        and (.fronts | keys) == ["memory", "operations", "transfer"])' <<<"$output"
    jq -e '.configurations | map(.metrics.MA.mean) | . == (sort | reverse)' <<<"$output"
    # A front, by its definition.
    jq -e '[.configurations[] | {on: .fronts.transfer, a: .metrics.A.mean, b: .metrics.BWT.mean}]
        | . as $all | all(.[]; . as $p | .on == ($all | any(.[];
            .a >= $p.a and .b >= $p.b and (.a > $p.a or .b > $p.b)) | not))' <<<"$output"
    jq -e '.effects | length == 2 and .[0].share >= .[1].share
        and all(.[]; .share >= 0 and .share <= 1 and (.levels | map(.configurations) | add) == 4
            and all(.levels[]; .label and .MA.mean and .A.sd >= 0 and .BWT.sd >= 0))' <<<"$output"
    [ "$(jq -c '.effects[] | select(.key == "m_max") | [.levels[].label]' <<<"$output")" = \
        '["5","25"]' ]
}

@test "the same store says the same every time, and as often as it is asked" {
    "$TACOS" sweep show s.db >once
    "$TACOS" sweep show s.db >twice
    cmp once twice
}

# ---- what is no store, and usage ----

@test "what is no store is refused" {
    show nowhere.db
    refuses 1 "nowhere.db"
    [ ! -e nowhere.db ]
    echo "rank,experiment" >words.db
    show words.db
    refuses 1 "words.db"
    : >empty.db
    show empty.db
    refuses 1 "empty.db"
    show .
    refuses 1 ""
}

@test "options: wrong, missing, too many" {
    show
    refuses 2 "sweep show takes one store, not 0"
    show s.db s.db
    refuses 2 "sweep show takes one store, not 2"
    for n in 0 -1 ten ""; do
        show s.db --top "$n"
        refuses 2 "--top $n: expected a number from 1 to 1000000000"
    done
    show s.db --csv --json
    refuses 2 "--csv and --json cannot be combined"
    show s.db --top 2 --all
    refuses 2 "--top and --all cannot be combined"
    show s.db --jsn
    refuses 2 "unknown option --jsn; the nearest is --json"
    show s.db --all=3
    refuses 2 "--all takes no value"
    show s.db --top
    refuses 2 "--top requires a value"
}

@test "models and keys that are no longer there: shown as they were, defaults not at all" {
    change "UPDATE setting SET value = 'counting' WHERE key = 'model' AND value = 'snn'"
    change "INSERT INTO setting SELECT id, 'expansion', CASE id WHEN 1 THEN '0' ELSE '500' END FROM config"
    change "INSERT INTO setting SELECT id, 'use_slope', '0.1' FROM config WHERE id < 3"
    show s.db
    [ "$status" -eq 0 ]
    [[ "${lines[1]}" == "keys that vary: model, m_max, expansion" ]]
    [[ "$output" == *" counting "*" 500 "* ]]
}

@test "help" {
    show --help
    [ "$status" -eq 0 ]
    [ "$output" = "$("$TACOS" help sweep)" ]
}

@test "a table that cannot be printed is an error" {
    run bash -c "'$TACOS' sweep show s.db >/dev/full"
    [ "$status" -eq 1 ]
    [[ "$output" == *"cannot write to standard output"* ]]
}
