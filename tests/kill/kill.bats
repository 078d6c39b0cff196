# kill.bats - a program that is killed, whatever it was doing to files: the same command then does
# what it would have done, and nothing is left lying about.

bats_require_minimum_version 1.5.0
load helpers

from_nothing() {
    rm -rf o
}

@test "tacos run" {
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $TINY --no-page --checkpoint-every 4 --out o
    "$@"
    wanted=$(contents o)
    killed_everywhere from_nothing "$wanted" o "$@"
}

@test "tacos run, columns" {
    EVERY=$((EVERY * 2))
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $TINY --no-page --checkpoint-every 4 --set model=columns --set column_units=20 --out o
    "$@"
    wanted=$(contents o)
    killed_everywhere from_nothing "$wanted" o "$@"
}

@test "tacos run --force, over another configuration" {
    EVERY=$((EVERY * 3))
    # shellcheck disable=SC2086
    "$TACOS" run demo $TINY --no-page --set m_max=7 --out other
    begun() {
        rm -rf o
        cp -r other o
    }
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $TINY --no-page --force --out o
    begun
    "$@"
    wanted=$(contents o)
    killed_everywhere begun "$wanted" o "$@"
}

@test "tacos sweep" {
    EVERY=$((EVERY * 3))
    printf '%s\n' 'experiment = demo' "$OWN" 'samples_per_task = 2' 'test_samples_per_task = 2' 'hidden = 6' 'steps = 20' \
        'm_max = choice(5 | 10)' >plan.conf
    set -- "$TACOS" sweep plan.conf --data data --store o/s.db --jobs 1 --quiet
    "$@"
    wanted=$(contents o)
    killed_everywhere from_nothing "$wanted" o "$@"
}

@test "tacos sweep merge" {
    printf '%s\n' 'experiment = demo' "$OWN" 'samples_per_task = 2' 'test_samples_per_task = 2' 'hidden = 6' 'steps = 20' \
        'm_max = choice(5 | 10)' >plan.conf
    for k in 1 2; do
        "$TACOS" sweep plan.conf --data data --part $k/2 --quiet
    done
    set -- "$TACOS" sweep merge results/plan-1-of-2.db results/plan-2-of-2.db -o o/s.db
    "$@"
    wanted=$(contents o)
    [ "$(grep -c complete <<<"$wanted")" -eq 2 ]
    killed_everywhere from_nothing "$wanted" o "$@"
}

@test "tacos reproduce" {
    set -- "$TACOS" reproduce function --out o/deep
    "$@"
    wanted=$(contents o)
    from_nothing
    killed_everywhere from_nothing "$wanted" o "$@"
}

samples() {
    for k in 0 1 0 1 1 0; do echo "$k,0.5,1,0,$k"; done
}

learn_anew() { # OPTION...
    samples >samples.csv
    fresh() {
        rm -rf o
        mkdir o
    }
    # A model that has learned is not made anew.
    new="'$TACOS' learn o/m.tacos --new --set inputs=4 --set steps=10 --quiet $*"
    again="'$TACOS' inspect o/m.tacos 2>/dev/null | grep -q ' 6 samples learned'"
    fresh
    set -- bash -c "if $again; then exec '$TACOS' learn o/m.tacos --quiet </dev/null; fi; exec $new <samples.csv"
    "$@"
    wanted=$(contents o)
    killed_everywhere fresh "$wanted" o "$@"
}

@test "tacos learn --new" {
    learn_anew --set hidden=5
}

@test "tacos learn --new, columns" {
    learn_anew --set model=columns --set column_units=40
}

# The model, and the evaluation beside it, which are two files.
@test "tacos learn --resume, with a classifier" {
    printf '%s\n' label,size,colour a,1,red b,7,blue ,2,red a,2, c,9,green b,8,blue a,0,red >samples.csv
    fresh() {
        rm -rf o
        mkdir o
    }
    fresh
    set -- bash -c "exec '$TACOS' learn o/m --resume --quiet --save-every 2 --set column_units=30 <samples.csv"
    "$@"
    wanted=$(contents o)
    [ "$("$TACOS" inspect o/m --json | jq -c '[.samples_seen, (.labels | length)]')" = '[7,3]' ]
    killed_everywhere fresh "$wanted" o "$@"
}

@test "tacos learn, export, import, report and plot" {
    # shellcheck disable=SC2086
    "$TACOS" run demo $TINY --no-page --out r
    fresh() {
        rm -rf o
        mkdir o
    }
    fresh
    "$TACOS" export r/model-1.tacos w.safetensors
    for command in "export r/model-1.tacos o/w.safetensors" "report r -o o/page.html" \
        "plot accuracy r -o o/a.svg" "plot accuracy r -o o/a.csv"; do
        fresh
        # shellcheck disable=SC2086
        "$TACOS" $command
        wanted=$(contents o)
        # shellcheck disable=SC2086
        killed_everywhere fresh "$wanted" o "$TACOS" $command
    done
    # A model that is there is not imported again.
    fresh
    set -- bash -c "if [ -e o/m.tacos ]; then exec '$TACOS' learn o/m.tacos --quiet </dev/null; fi
        exec '$TACOS' import w.safetensors o/m.tacos"
    "$@"
    wanted=$(contents o)
    killed_everywhere fresh "$wanted" o "$@"
}

# Most of what it does is copying; each check of MNIST takes most of a second.
@test "tacos data get" {
    [ -e "$TACOS_DATA/omniglot" ] || skip "no data in \$TACOS_DATA"
    EVERY=$((EVERY * 2))
    got omniglot
}

@test "tacos data get, files that are unpacked to be checked" {
    [ -e "$TACOS_DATA/mnist" ] || skip "no data in \$TACOS_DATA"
    [ "${TACOS_TEST_ALL:-0}" = 1 ] || skip "only with TACOS_TEST_ALL=1"
    EVERY=$((EVERY * 40))
    got mnist
}

got() { # NAME
    set -- "$TACOS" data get "$1" --from "$TACOS_DATA/$1" --data o
    "$@"
    wanted=$(contents o)
    killed_everywhere from_nothing "$wanted" o "$@"
}

# ---- what was left behind ----

# A folder is taken up if nothing is in it but what a start makes before there is anything to keep.
@test "rests of a start are taken up, other files are not" {
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $TINY --no-page --out o
    for rest in results.db results.db-lock results.json.tmp-123 model-1.tacos.tmp-1 run-1.checkpoint.tmp-4; do
        rm -rf o
        mkdir o
        touch "o/$rest"
        "$@"
        [ "$(ls o)" = "$(printf '%s\n' accuracy.csv model-1.tacos results.db results.json)" ]
    done
    for other in results.json notes.txt results.json.tmp- results.json.tmp-x notes.txt.tmp-1 model-.tacos.tmp-1 \
        xresults.db results.dbx; do
        rm -rf o
        mkdir o
        touch "o/$other"
        run -1 --separate-stderr "$@"
        [[ "$stderr" == "tacos: o exists and is not empty"* ]]
        [ "$(ls o)" = "$other" ]
    done
}

@test "temporary files of others are left alone" {
    mkdir o
    touch o/m.tacos.tmp-2 o/m.tacos.tmp-99 o/n.tacos.tmp-1
    ln -s nowhere o/m.tacos.tmp-1
    "$TACOS" learn o/m.tacos --new --set inputs=4 --quiet </dev/null
    [ "$(ls o)" = "$(printf '%s\n' m.tacos m.tacos.tmp-1 m.tacos.tmp-99 n.tacos.tmp-1)" ]
    [ -L o/m.tacos.tmp-1 ]
}

@test "a symbolic link is written through, and a device stays one" {
    samples >samples.csv
    "$TACOS" learn real.tacos --new --set inputs=4 --set steps=10 --quiet <samples.csv
    ln -s real.tacos link.tacos
    "$TACOS" learn link.tacos --quiet <samples.csv
    [ -L link.tacos ]
    [[ "$("$TACOS" inspect real.tacos)" == *" 12 samples learned"* ]]
    mkfifo pipe
    "$TACOS" export real.tacos pipe &
    cat pipe >through
    wait $!
    [ -p pipe ]
    "$TACOS" export real.tacos direct
    cmp through direct
}
