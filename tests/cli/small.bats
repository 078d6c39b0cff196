# small.bats - `tacos export --small` and `tacos import`: a learner for a microcontroller, and back. $TACOS is the program.

bats_require_minimum_version 1.5.0
load bars

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    samples 0 200 | "$TACOS" learn m.tacos --new --quiet --scale 100 --set model=columns --set inputs=64 \
        --set outputs=4 --set input_shape=8,8 --set column_units=60 --set column_trust=0.001
    samples 200 300 >more.csv
    samples 1000 1100 >test.csv
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cp "$BATS_FILE_TMPDIR"/{m.tacos,more.csv,test.csv} .
}

@test "a learner comes back, with all that it has learned" {
    run --separate-stderr "$TACOS" export --small m.tacos state.bin
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    [ "$(head -c 8 state.bin)" = TACOSMCU ]
    run --separate-stderr "$TACOS" import state.bin back.tacos
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    cmp m.tacos back.tacos
    "$TACOS" export --small back.tacos again.bin
    cmp state.bin again.bin
}

@test "it learns on as if it had never been away" {
    "$TACOS" export --small m.tacos state.bin
    "$TACOS" import state.bin back.tacos
    for model in m back; do
        "$TACOS" learn $model.tacos --quiet --scale 100 <more.csv
        "$TACOS" predict $model.tacos --scale 100 <test.csv >$model.txt 2>&1
    done
    cmp m.tacos back.tacos
    diff m.txt back.txt
    [ "$("$TACOS" inspect back.tacos --json | jq .samples_learned)" -eq 300 ]
}

@test "a spiking network comes back, and learns on" {
    samples 0 20 | "$TACOS" learn snn.tacos --new --quiet --scale 100 --set inputs=64 --set outputs=4 --set hidden=20
    run --separate-stderr "$TACOS" export --small snn.tacos state.bin
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    [ "$(head -c 8 state.bin)" = TACOSSNN ]
    "$TACOS" import state.bin back.tacos
    cmp snn.tacos back.tacos
    for model in snn back; do
        "$TACOS" learn $model.tacos --quiet --scale 100 <more.csv
    done
    cmp snn.tacos back.tacos
    printf x | dd of=state.bin bs=1 seek=600 conv=notrunc status=none
    run --separate-stderr "$TACOS" import state.bin bad.tacos
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"a damaged state: the checksum of its constants is wrong"* ]]
    [ ! -e bad.tacos ]
}

@test "a damaged state is refused, and nothing is written" {
    "$TACOS" export --small m.tacos state.bin
    for at in 9 40 130 500 4000; do
        cp state.bin bad.bin
        byte=$(tail -c +$((at + 1)) bad.bin | head -c 1 | od -An -tu1)
        printf '%b' "\\0$(printf %o $((byte ^ 1)))" | dd of=bad.bin bs=1 seek="$at" conv=notrunc status=none
        run --separate-stderr "$TACOS" import bad.bin back.tacos
        echo "$at: $stderr"
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"cannot import bad.bin: a "* ]]
        [ ! -e back.tacos ]
    done
    head -c 3000 state.bin >bad.bin
    run --separate-stderr "$TACOS" import bad.bin back.tacos
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"a damaged state: it has 3000 bytes instead of "* ]]
    [ ! -e back.tacos ]
}

@test "a learner that no device can have is refused with the reason" {
    samples 0 4 | "$TACOS" learn new.tacos --new --quiet --scale 100 --set inputs=64 --set outputs=4 --set neurogenesis_m=1
    run --separate-stderr "$TACOS" export --small new.tacos state.bin
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"a device has nothing of the paper's future work"* ]]
    [ ! -e state.bin ]
    run --separate-stderr "$TACOS" export m.tacos weights.safetensors
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"--small exports it for a microcontroller"* ]]
}
