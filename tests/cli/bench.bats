# bench.bats - `tacos bench`: the table, the JSON, the comparison, and how it refuses.
# $TACOS is the program. Times are never judged here, only that they are told.

bats_require_minimum_version 1.5.0
load events

CASE=mnist-784-200-2

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    REAL_DATA=${TACOS_DATA:-}
    unset TACOS_DATA XDG_CACHE_HOME TACOS_KERNEL
    export HOME=$BATS_TEST_TMPDIR
}

bench() { # OPTION...
    run --separate-stderr "$TACOS" bench "$@"
}

quick() { # OPTION...: one small case, one thread
    bench $CASE --quick --threads 1 "$@"
}

refuses() { # CODE TEXT: the last command ended with CODE and said TEXT, and nothing on stdout
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

# ---- what it prints ----

@test "a case is a line of a table, and the input is named" {
    bench $CASE --quick --threads 2
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ "${lines[0]}" == "tacos "*", kernel "*" cores" ]]
    [[ "${lines[1]}" == "peaks of one thread: "*"multiply-adds/s"*"L1"*"L2"* ]]
    [[ "${lines[3]}" == "case "*"threads"*"us"*"ns"*"MB"*"%"*"bound"* ]]
    [[ "${lines[4]}" =~ ^$CASE\ +1\ .*(memory|compute) ]]
    [[ "${lines[5]}" =~ ^$CASE\ +2\ .*\ -\  ]] # too narrow for two threads to train
    [[ "${lines[6]}" == "input: mnist look-alikes" ]]
    [ "${#lines[@]}" -eq 7 ]
}

@test "--json: an array of cases with all figures" {
    bench "mnist-784-200-*" --quick --threads 2 --json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$(jq -c '[.[] | [.name, .threads, .train_threads]]' <<<"$output")" = \
        '[["mnist-784-200-2",1,1],["mnist-784-200-2",2,1],["mnist-784-200-200-2",1,1],["mnist-784-200-200-2",2,1]]' ]
    jq -e 'all(.[]; .kernel and .version and .input == "mnist look-alikes"
        and .train_us_per_sample >= .train_us_fastest and .train_us_fastest > 0
        and .test_us_per_sample >= .test_us_fastest and .test_us_fastest > 0
        and .train_us_spread >= 0 and .test_us_spread >= 0
        and .train_batches >= 2 and .train_samples == 32 * .train_batches and .test_samples > 0
        and .events_per_sample > 5e5 and .bytes_per_sample > 0 and .operations_per_sample > 1e5
        and .working_set_bytes > 1e5 and .roofline_us_per_sample > 0
        and (.roofline_bound == "memory" or .roofline_bound == "compute"))' <<<"$output"
    jq -e 'all(.[]; (.ns_per_event - 1000 * .train_us_per_sample / .events_per_sample | fabs) < 1e-3
        and (.roofline_fraction - .roofline_us_per_sample / .train_us_per_sample | fabs) < 1e-3)' \
        <<<"$output"
    jq -e 'all(.[].peaks; .fma_per_s > 0 and .l1_read_bytes_per_s > 0
        and .l1_update_bytes_per_s > 0 and .l2_read_bytes_per_s > 0
        and .l2_update_bytes_per_s > 0 and .own_read_bytes_per_s > 0
        and .own_update_bytes_per_s > 0)' <<<"$output"
}

@test "what is counted is the same every time, and with every kernel" {
    quick --json
    local once
    once=$(jq '.[0] | [.events_per_sample, .bytes_per_sample, .working_set_bytes]' <<<"$output")
    for kernel in ref avx2 avx512 avx512-vnni neon neon-dot; do
        TACOS_KERNEL=$kernel quick --json
        [ "$status" -eq 0 ] || continue # not on this machine
        [ "$(jq -r '.[0].kernel' <<<"$output")" = $kernel ]
        [ "$(jq '.[0] | [.events_per_sample, .bytes_per_sample, .working_set_bytes]' \
            <<<"$output")" = "$once" ]
    done
}

@test "an installed data set is used" {
    [ -n "$REAL_DATA" ] && [ -d "$REAL_DATA/mnist" ] || skip "no MNIST in \$TACOS_DATA"
    quick --json --data "$REAL_DATA"
    [ "$(jq -r '.[0].input' <<<"$output")" = mnist ]
    jq -e '.[0].events_per_sample > 6e5 and .[0].events_per_sample < 9e5' <<<"$output"
    TACOS_DATA=$REAL_DATA quick
    [[ "$output" == *"input: mnist" ]]
}

@test "a damaged data set is an error, not replaced" {
    mkdir -p d/mnist
    for file in train-images-idx3 train-labels-idx1 t10k-images-idx3 t10k-labels-idx1; do
        echo nonsense >d/mnist/$file-ubyte
    done
    quick --data d
    refuses 1 "d/mnist/train-"
}

# ---- --against ----

@test "--against: ratios for each case, the machine's own, and their mean in the last line" {
    "$TACOS" bench $CASE --quick --threads 2 --json >then.json
    # As if all had taken a year, on a machine that did one thing a second.
    jq '[.[] | .train_us_per_sample = 3e13 | .test_us_per_sample = 3e13 | .peaks |= map_values(1)]' then.json >slow.json
    bench $CASE --quick --threads 2 --against slow.json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ "${lines[3]}" =~ train\ +test$ ]]
    [[ "${lines[4]}" =~ \|\ +0\.000\ +0\.000$ ]]
    [[ "${lines[5]}" =~ \|\ +-\ +0\.000$ ]]
    [[ "${lines[-3]}" =~ "the machine itself, now / then".*fma\ [0-9]+\..*l2_read\ [0-9]+\. ]]
    [[ "${lines[-2]}" =~ ^"geometric mean of the fastest batches, now / then".*train\ [0-9.]+,\ test ]]
    [[ "${lines[-1]}" =~ ^"geometric mean, now / then".*train\ 0\.000,\ test\ 0\.000$ ]]
}

@test "--against with --json adds the ratios" {
    "$TACOS" bench $CASE --quick --threads 1 --json >then.json
    quick --json --against then.json
    [ "$status" -eq 0 ]
    jq -e --slurpfile before then.json '.[0] |
        (.train_ratio - .train_us_per_sample / $before[0][0].train_us_per_sample | fabs) < 1e-3 and
        (.test_ratio - .test_us_per_sample / $before[0][0].test_us_per_sample | fabs) < 1e-3' \
        <<<"$output"
}

@test "--against: cases in one of the two only, and another kernel then" {
    "$TACOS" bench $CASE --quick --threads 1 --json | jq '.[0].kernel = "abacus"' >then.json
    bench "mnist-784-200-*" --quick --threads 1 --against then.json
    [ "$status" -eq 0 ]
    [[ "${lines[4]}" == *"*" ]]
    [[ "${lines[5]}" =~ \|\ +-\ +-$ ]]
    [[ "$output" == *"* measured with another kernel or other input then"* ]]
}

@test "--against: files that make no sense are refused before any work" {
    "$TACOS" bench $CASE --quick --threads 1 --json >good.json
    quick --against nowhere.json
    refuses 1 "cannot read nowhere.json: No such file"
    quick --against .
    refuses 1 ""
    : >bad.json
    quick --against bad.json
    refuses 1 "bad.json: line 1"
    head -c 100 good.json >bad.json
    quick --against bad.json
    refuses 1 "bad.json: line "
    for shape in '{}' '[]' '{"name": "mnist-784-200-2"}'; do
        echo "$shape" >bad.json
        quick --against bad.json
        refuses 1 "bad.json is not the output of tacos bench --json"
    done
    echo '[1, 2]' >bad.json
    quick --against bad.json
    refuses 1 "bad.json: case 1: 'name' is missing or invalid"
    for member in name kernel input threads train_threads train_us_per_sample \
        test_us_per_sample train_us_fastest test_us_fastest; do
        jq ".[0].$member = -1" good.json >bad.json
        quick --against bad.json
        refuses 1 "case 1: '$member' is missing or invalid"
        jq "del(.[0].$member)" good.json >bad.json
        quick --against bad.json
        refuses 1 "case 1: '$member' is missing or invalid"
    done
    jq 'del(.[0].peaks.fma_per_s)' good.json >bad.json
    quick --against bad.json
    refuses 1 "'peaks.fma_per_s' is missing"
    jq 'del(.[0].peaks)' good.json >bad.json
    quick --against bad.json
    refuses 1 "'peaks.fma_per_s' is missing"
    jq '. + .' good.json >bad.json
    quick --against bad.json
    refuses 1 "bad.json contains the case mnist-784-200-2 with 1 thread(s) twice"
    jq '.[0].name = "mnist-784-300-2"' good.json >bad.json
    quick --against bad.json
    refuses 1 "bad.json contains none of the cases to be measured"
    jq '.[0].threads = 64' good.json >bad.json
    quick --against bad.json
    refuses 1 "bad.json contains none of the cases to be measured"
}

# ---- usage ----

@test "unknown cases: the nearest is named" {
    bench mnist-784-20-2
    refuses 2 "no case 'mnist-784-20-2'; the nearest is 'mnist-784-200-2'"
    bench $CASE fashoin-784-200-2
    refuses 2 "the nearest is 'fashion-784-200-2'"
    bench zzzzzzzz
    refuses 2 "an example of a case is 'mnist-784-200-2'"
    bench "cifar-*"
    refuses 2 "no case 'cifar-*'"
    bench "*-4000-4000-2"
    refuses 2 "only if given by their full name"
}

@test "options: wrong, missing" {
    for n in 0 -1 257 two ""; do
        quick --threads "$n"
        refuses 2 "--threads $n: expected a number from 1 to 256"
    done
    bench --qiuck
    refuses 2 "unknown option --qiuck; the nearest is --quick"
    bench --json=file
    refuses 2 "--json takes no value"
    bench --against
    refuses 2 "--against requires a value"
    TACOS_KERNEL=abacus quick
    refuses 2 "TACOS_KERNEL is 'abacus'"
}

@test "help" {
    bench --help
    [ "$status" -eq 0 ]
    [[ "$output" == "usage: tacos bench"* ]]
    [ "$output" = "$("$TACOS" help bench)" ]
}

# ---- the end ----

@test "a table that cannot be printed is an error" {
    run bash -c "'$TACOS' bench $CASE --quick --threads 1 >/dev/full"
    [ "$status" -eq 1 ]
    [[ "$output" == *"cannot write to standard output"* ]]
}

@test "Ctrl-C ends it; what is complete is printed" {
    # with the large case it takes minutes if nobody stops it
    # shellcheck disable=SC2016
    begin bash -c 'exec "$TACOS" bench "mnist-*" --large --threads 1 >&2'
    await "$CASE "
    end_by INT
    [ "$status" -eq 130 ]
    [[ "$stderr" == *"tacos: interrupted; "*" complete case(s)"* ]]
    grep -q "^input: mnist" <<<"$stderr"
}

@test "on a terminal progress is on stderr alone" {
    script -qec true /dev/null >/dev/null 2>&1 || skip "no terminal can be made here"
    script -qec "'$TACOS' bench $CASE --quick --threads 1 >out" typescript >/dev/null
    grep -q "0/1  $CASE" typescript
    run ! grep -q $'\r' out
}
