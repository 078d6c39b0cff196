# device.bats - --device cuda. $TACOS is the program; beside a copy of it stands $TACOS_FAKE, tacos-cuda with a GPU that is
# none (tests/cuda/fake_gpu.h).

bats_require_minimum_version 1.5.0
load plans
load events

MORE="alpha = choice(0.0005 | 0)" # 16 runs

# What the processor makes of the plan.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    plan "$MORE" >p.conf
    "$TACOS" sweep ./p.conf --store here.db --quiet >here
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME TACOS_FAKE_GPU
    export HOME=$BATS_TEST_TMPDIR
    mkdir bin
    cp "$TACOS" bin/tacos
    cp "$TACOS_FAKE" bin/tacos-cuda
    cp "$BATS_FILE_TMPDIR"/{p.conf,here,here.db} .
}

gpu() { # COMMAND...
    run --separate-stderr bin/tacos "$@" --device cuda
    echo "$stderr"
}

@test "sweep: the same store" {
    gpu sweep ./p.conf --store there.db --quiet
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    diff <(tail -n +2 here) <(echo "$output" | tail -n +2) # the first line says how long it took
    diff <(contents here.db) <(contents there.db)
    [ "$(sqlite3 there.db "PRAGMA integrity_check")" = ok ]
}

@test "the kernels, emulated: the same store, with every shape and stream" {
    cp "$TACOS_EMULATED" bin/tacos-cuda
    plan "[all]" "[two layers]" "hidden = 20,12" "[permuted]" "tasks = 0-1,0-1" "permute = pixels" "measure = all" \
        "[classes]" "scenario = class" "model = choice(fixed | snn+consolidation | snn+metaplasticity)" >p.conf
    sed -i 's/^samples_per_task.*/samples_per_task = 40/; s/^seeds.*/seeds = 1/' p.conf
    rm here.db
    "$TACOS" sweep ./p.conf --store here.db --quiet >/dev/null
    gpu sweep ./p.conf --store there.db --quiet
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    diff <(contents here.db) <(contents there.db)
}

@test "run: the same results and models" {
    few=(--set hidden=20 --set steps=80 --set samples_per_task=60 --set test_samples_per_task=20 --seeds 5 --quiet --no-page)
    "$TACOS" run demo "${few[@]}" --out run-here >/dev/null
    gpu run demo "${few[@]}" --out there
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    diff <(jq 'del(.runs[].seconds)' run-here/results.json) <(jq 'del(.runs[].seconds)' there/results.json)
    for seed in 1 2 3 4 5; do
        cmp run-here/model-$seed.tacos there/model-$seed.tacos
    done
    [ "$(find there -name '*.checkpoint' | wc -l)" -eq 0 ]
}

# What has the form of MNIST: 200 images to learn, 100 to test.
made_up_mnist() {
    local part n
    mkdir -p data/mnist
    for part in train:200:'\0\0\0\310' t10k:100:'\0\0\0\144'; do
        IFS=: read -r part n bytes <<<"$part"
        { printf '\0\0\10\3%b\0\0\0\34\0\0\0\34' "$bytes"; seq 200000 | head -c $((n * 784)); } \
            >data/mnist/"$part"-images-idx3-ubyte
        { printf '\0\0\10\1%b' "$bytes"; for ((i = 0; i < n; i++)); do printf '%b' "\\0$((i % 8))"; done; } \
            >data/mnist/"$part"-labels-idx1-ubyte
    done
}

@test "reproduce: the same tables; an option for nothing if no runs are made" {
    made_up_mnist
    small=(transfer --data data --seeds 1 --set samples_per_task=8 --set test_samples_per_task=4 --set steps=40
        --set "tasks=0-1,2-3,4-5,6-7" --quiet)
    "$TACOS" reproduce "${small[@]}" --out tables >here.txt
    gpu reproduce "${small[@]}" --out there
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    diff here.txt <(printf "%s\n\n" "$output")
    runs=$(cd tables && find . -name runs.db)
    diff <(contents "tables/$runs") <(contents "there/$runs")
    rm bin/tacos-cuda
    gpu reproduce "${small[@]}" --out there --show
    [ "$status" -eq 0 ]
    diff here.txt <(printf "%s\n\n" "$output")
    gpu reproduce "${small[@]}" --out there --dry-run
    [ "$status" -eq 0 ]
}

@test "what goes to the processor is told once" {
    plan "[all]" "[rivals]" "model = choice(naive | joint)" "[measured]" "measure = weights" >p.conf
    rm here.db
    "$TACOS" sweep ./p.conf --store here.db --quiet >/dev/null
    gpu sweep ./p.conf --store there.db --quiet
    [ "$status" -eq 0 ]
    [ "$(grep -c "tacos: note: the GPU has no rivals: such runs are made by the processor" <<<"$stderr")" -eq 1 ]
    [ "$(grep -c "note:" <<<"$stderr")" -eq 1 ]
    diff <(contents here.db) <(contents there.db)
}

@test "too little memory, and a GPU that is lost" {
    TACOS_FAKE_GPU="room=8 networks=3" gpu sweep ./p.conf --store memory.db --quiet
    [ "$status" -eq 0 ]
    [ "$(grep -c "tacos: note: the memory of the GPU is full: fewer networks at a time" <<<"$stderr")" -eq 1 ]
    diff <(contents here.db) <(contents memory.db)
    TACOS_FAKE_GPU="lost=4" gpu sweep ./p.conf --store lost.db --quiet
    [ "$status" -eq 0 ]
    [ "$(grep -c "tacos: note: the GPU is lost: .*; continuing on the processor" <<<"$stderr")" -eq 1 ]
    diff <(contents here.db) <(contents lost.db)
}

@test "no GPU, no tacos-cuda, no such device: nothing is written" {
    TACOS_FAKE_GPU=none gpu run demo
    [ "$status" -eq 1 ]
    [ "$stderr" = "tacos: there is no GPU" ]
    run --separate-stderr bin/tacos run demo --device cdua
    [ "$status" -eq 2 ]
    [[ "$stderr" == "tacos: unknown device 'cdua'; the nearest is 'cuda'"* ]]
    rm bin/tacos-cuda
    gpu sweep ./p.conf
    [ "$status" -eq 1 ]
    [ "$stderr" = "tacos: --device cuda: there is no $PWD/bin/tacos-cuda: this build has no CUDA" ]
    run --separate-stderr bin/tacos sweep ./p.conf --device cpu --store cpu.db --quiet
    [ "$status" -eq 0 ]
}

@test "killed again and again, no run is lost and none doubled" {
    for k in {0..3}; do
        TACOS_TEST_CLOCK=10 begin bin/tacos sweep ./p.conf --store s.db --device cuda >out
        await_lines $((2 + 10 * k)) || break # it may have done the rest
        end_by KILL
    done
    [ "$k" -gt 1 ]
    gpu sweep ./p.conf --store s.db --quiet
    [ "$status" -eq 0 ]
    [ "$(sqlite3 s.db "PRAGMA integrity_check")" = ok ]
    diff <(contents here.db) <(contents s.db)
}

@test "a run that is killed, and one that is interrupted, resume from their checkpoints" {
    # many more samples than a pipe holds lines
    set=(--set hidden=20 --set steps=60 --set samples_per_task=400 --set test_samples_per_task=20 --seeds 3 --checkpoint-every 2)
    "$TACOS" run demo "${set[@]}" --quiet --out run-here >/dev/null
    TACOS_TEST_CLOCK=10 begin bin/tacos run demo "${set[@]}" --out there --device cuda >out
    await_lines 600 # all of them have learned something
    end_by KILL
    [ "$(find there -name '*.checkpoint' | wc -l)" -eq 3 ]
    TACOS_TEST_CLOCK=10 begin bin/tacos run demo "${set[@]}" --out there --device cuda >out
    await_lines 5
    end_by INT
    [ "$status" -eq 130 ]
    [[ "$stderr" == *"--device cuda"*"resumes"* ]]
    gpu run demo "${set[@]}" --quiet --out there
    [ "$status" -eq 0 ]
    for seed in 1 2 3; do
        cmp run-here/model-$seed.tacos there/model-$seed.tacos
    done
    diff <(jq 'del(.runs[].seconds)' run-here/results.json) <(jq 'del(.runs[].seconds)' there/results.json)
}
