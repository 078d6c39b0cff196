# inspect.bats - a look into saved learners. $TACOS is the program, $SAVE_LEARNER makes them.

bats_require_minimum_version 1.5.0
load terminal.bash

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# Lively enough that every mechanism works within a few samples.
LIVELY="inputs=40 hidden=20,10 outputs=2 steps=60 init_w=2 m_threshold_input=3 m_threshold_hidden=1
    m_threshold_output=0.1 delta_m_hidden=0.04 delta_m_output=0.004 w_ref_rate=0.12 alpha=0.01 m_max=2
    m_max_output=2 threshold_hidden=0.4 threshold_output=0.5"

# A learner in `learner`, and its numbers in `numbers`.
save() { # SEED SAMPLES SETTING...
    "$SAVE_LEARNER" learner "$@" >numbers
}

inspect() {
    run --separate-stderr "$TACOS" inspect "$@"
}

refuses() { # TEXT
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ "$stderr" == "tacos: "*"$1"* ]]
}

# The statistics of a list, worked out by jq alone.
STATISTICS='
    def near($a; $b): ($a - $b | fabs) <= 1e-6 * ([($a | fabs), ($b | fabs), 1e-6] | max);
    def quantile($q): sort | ($q * (length - 1)) as $at | ($at | floor) as $k
        | .[$k] + ($at - $k) * ((.[$k + 1] // .[$k]) - .[$k]);
    def mean: add / length;
    def sd: mean as $m | if length > 1 then (map((. - $m) * (. - $m)) | add / (length - 1) | sqrt) else 0 end;
    def agrees($s): $s.n == length and $s.not_finite == 0
        and near($s.min; min) and near($s.max; max) and near($s.mean; mean) and near($s.sd; sd)
        and near($s.q1; quantile(0.25)) and near($s.median; quantile(0.5))
        and near($s.q3; quantile(0.75))
        and $s.histogram.from == $s.min and $s.histogram.to == $s.max
        and ($s.histogram.counts | length == 12 and add == $s.n);'

@test "JSON: every statistic is that of the learner's own numbers" {
    # shellcheck disable=SC2086
    save 3 150 $LIVELY
    inspect learner --json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    echo "$output" >inspected
    jq -e -n --slurpfile i inspected --slurpfile n numbers "$STATISTICS"'
        [range($n[0].layers | length) | . as $l | $n[0].layers[$l] as $numbers | $i[0].layers[$l]
            | . as $layer
            | ($numbers.w | agrees($layer.w)), ($numbers.w_ref | agrees($layer.w_ref)),
              ([$numbers.w, $numbers.w_ref] | transpose | map(.[0] - .[1] | fabs)
                | agrees($layer.distance)),
              ($numbers.m | agrees($layer.m)),
              near($layer.at_m_max; ($numbers.m | map(select(. >= 2)) | length) / ($numbers.m | length))
        ] | length == 15 and all'
    # the mechanisms were at work, so that all this says something
    jq -e '.layers[0] | .at_m_max > 0 and .at_m_max < 1 and .distance.max > 0 and .m.median > 0' inspected
}

@test "JSON: the bins hold what lies in them" {
    # shellcheck disable=SC2086
    save 3 100 $LIVELY
    "$TACOS" inspect learner --json >inspected
    jq -e -n --slurpfile i inspected --slurpfile n numbers '
        $i[0].layers[0].w.histogram as $h | (($h.to - $h.from) / 12) as $width
        | [range(12) | . as $b | $n[0].layers[0].w | map(select(
            . >= $h.from + $b * $width - 1e-7 and (. < $h.from + ($b + 1) * $width or $b == 11))) | length]
        | [., $h.counts] | transpose | map(.[0] - .[1] | fabs) | max <= 1' # edges are rounded
}

@test "JSON: what it is" {
    # shellcheck disable=SC2086
    save 7 30 $LIVELY
    "$TACOS" inspect learner --json >inspected
    jq -e '.schema == "tacos-inspect" and .schema_version == 1 and .seed == 7
        and .samples_learned == 30 and .config.model == "tacos" and .config.inputs == 40
        and .config.hidden == "20,10" and .config.alpha == 0.01 and .config.dt_ms == 1
        and (.layers | map([.n_pre, .n_post]) == [[40, 20], [20, 10], [10, 2]])' inspected
    [ "$(jq .bytes.file inspected)" -eq "$(stat -c %s learner)" ]
    jq -e '.bytes | .model > .baseline_model and .workspace > 0' inspected
    # keys of experiments and of rivals are none of a learner's
    jq -e '.config | has("dataset") or has("strength") | not' inspected
    "$TACOS" inspect --json learner | cmp - inspected
}

@test "models without consolidation or metaplasticity" {
    # shellcheck disable=SC2086
    save 1 20 $LIVELY model=snn
    jq -e '.layers | map(.w_ref == null and .distance == null and .m.max == 0 and .at_m_max == 0) | all' \
        <("$TACOS" inspect learner --json)
    inspect learner
    [[ "$output" == *"The model has no reference weights."* ]]
    [[ "$output" == *"m is 0 in every synapse"* ]]
    [[ "$output" != *$'\n'"  w_ref "* ]] # but for the key w_ref_rate
    [[ "$output" != *"|w - w_ref|"* ]]
    # shellcheck disable=SC2086
    save 1 20 $LIVELY model=fixed
    jq -e '.layers | map(.w_ref.n > 0 and .m.min == 2 and .m.max == 2 and .at_m_max == 1) | all' \
        <("$TACOS" inspect learner --json)
    inspect learner
    [[ "$output" == *"m is 2 in every synapse"* ]]
    [[ "$output" == *"100.0%"* ]]
}

@test "text: what it is, what was changed, a table and histograms of every layer" {
    # shellcheck disable=SC2086
    save 7 30 $LIVELY
    inspect learner
    [ "$status" -eq 0 ]
    [[ "${lines[0]}" == "learner: tacos 40-20-10-2, seed 7, 30 samples learned" ]]
    [[ "$output" == *"  alpha                0.01   0.0005"* ]]
    [[ "$output" != *"  learning_rate "* ]] # is at its default
    [[ "$output" == *"layer 1 of 3: 40 inputs to 20 hidden neurons, 800 synapses"* ]]
    [[ "$output" == *"layer 3 of 3: 10 hidden neurons to 2 outputs, 20 synapses"* ]]
    [ "$(grep -c '^  |w - w_ref|  ' <<<"$output")" -eq 3 ]
    # shares of a histogram are 100 together
    shares=$(sed -n '/^  w$/,/^$/s/.* \([0-9.]*\)%$/\1/p' <<<"$output" | head -12)
    [ "$(wc -l <<<"$shares")" -eq 12 ]
    awk '{ sum += $1 } END { exit !(sum > 99.9 && sum < 100.1) }' <<<"$shares"
    # the median in the table is the one of the JSON
    median=$(jq '.layers[0].w.median' <("$TACOS" inspect learner --json))
    [[ "$(grep -m 1 '^  w  ' <<<"$output")" == *" $(printf %.3g "$median") "* ]]
}

@test "text: all at defaults" {
    save 1 0
    inspect learner
    [ "$status" -eq 0 ]
    [[ "$output" == *"all other keys are at their defaults"* ]]
    [[ "${lines[0]}" == *"784-200-2, seed 1, 0 samples learned" ]]
}

@test "columns: no layers, and the shape of the input" {
    "$TACOS" learn c.tacos --new --quiet --set model=columns --set inputs=64 --set outputs=3 --set input_shape=8,8 \
        </dev/null
    run --separate-stderr "$TACOS" inspect c.tacos
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = "c.tacos: columns 64-3, seed 1, 0 samples learned" ]
    [[ "${lines[4]}" =~ ^\ \ input_shape\ +8,8\ +none$ ]]
    [ "${#lines[@]}" -eq 5 ]
    [ "$("$TACOS" inspect c.tacos --json | jq -c '[.config.input_shape, .layers]')" = '["8,8",[]]' ]
}

@test "bars are blocks in a UTF-8 locale, else plain" {
    # shellcheck disable=SC2086
    save 1 20 $LIVELY
    [[ "$(LC_ALL=C.UTF-8 "$TACOS" inspect learner)" == *"█"* ]]
    LC_ALL=C "$TACOS" inspect learner >plain
    run ! grep -qP '[^\x00-\x7f]' plain
    grep -q '####' plain
}

@test "bars are as wide as the terminal, and 80 columns where there is none" {
    # shellcheck disable=SC2086
    save 1 20 $LIVELY
    [ "$("$TACOS" inspect learner | sed -n '/^  w$/,/^$/p' | widest)" -eq 80 ]
    [ "$(COLUMNS=120 "$TACOS" inspect learner | sed -n '/^  w$/,/^$/p' | widest)" -eq 80 ]
    need_terminal
    for columns in 60 130; do
        [ "$(on_terminal $columns "$TACOS" inspect learner | plain | sed -n '/^  w$/,/^$/p' |
            widest)" -eq $columns ]
        [ "$(on_terminal $columns "$TACOS" inspect learner | plain | sed -n '/^layer/,$p' |
            grep '^  ' | widest)" -le $columns ]
    done
}

@test "a weight that is no number is told and left out" {
    "$SAVE_LEARNER" learner 1 nan inputs=5 hidden=4 steps=10
    inspect learner
    [ "$status" -eq 0 ]
    [[ "$output" == *"w: 1 of 20 are not finite and are left out"* ]]
    jq -e '.layers[0].w | .n == 19 and .not_finite == 1' <("$TACOS" inspect learner --json)
}

@test "no hidden layer" {
    save 1 5 inputs=6 hidden=none steps=20
    inspect learner
    [[ "$output" == *"layer 1 of 1: 6 inputs to 2 outputs, 12 synapses"* ]]
}

# ---- what is no saved learner ----

@test "damaged, cut, foreign and newer files" {
    save 1 5 inputs=6 hidden=3 steps=20
    inspect nowhere
    refuses "cannot read nowhere: No such file"
    inspect .
    refuses ". is not a saved learner"
    echo "something else entirely" >foreign
    inspect foreign
    refuses "foreign is not a saved learner"
    : >empty
    inspect empty
    refuses "empty is not a saved learner"
    head -c 100 learner >cut
    inspect cut
    refuses "cut is damaged"
    head -c -1 learner >shorter
    inspect shorter
    refuses "shorter is damaged"
    cp learner flipped
    printf '\xff' | dd of=flipped bs=1 seek="$(($(stat -c %s learner) - 20))" conv=notrunc status=none
    inspect flipped --json
    refuses "flipped is damaged: the checksum of its weights is wrong"
    cp learner newer
    printf '\x63' | dd of=newer bs=1 seek=8 conv=notrunc status=none
    inspect newer
    refuses "newer has format version 99; this program reads up to 2"
}

@test "usage" {
    run -2 --separate-stderr "$TACOS" inspect
    [[ "$stderr" == *"expected one MODEL"* ]]
    run -2 --separate-stderr "$TACOS" inspect a b
    [[ "$stderr" == *"unexpected argument 'b'; expected one MODEL"* ]]
    run -2 --separate-stderr "$TACOS" inspect a --jsno
    [[ "$stderr" == *"unknown option --jsno; the nearest is --json"* ]]
    save 1 0
    run -1 bash -c "'$TACOS' inspect learner >/dev/full"
    [[ "$output" == *"cannot write to standard output"* ]]
}
