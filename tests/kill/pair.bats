# pair.bats - two programs on the same files at the same time: one stands still at its 1st, 2nd, ...
# deed while the other runs from beginning to end. Either the other is told that the files are in use,
# or it does its work, and so does the first; what is there in the end is whole.

bats_require_minimum_version 1.5.0
load helpers

# Who has it; unless it has just begun, or is only reading.
IN_USE='\(process [0-9]* on \|another process\|another program\)'

# Where the second one ran: its exit status and what it said.
second() { # COMMAND: the script for stop_at
    echo "$1 >/dev/null 2>second.err; echo \$? >second.status"
}

# For every moment of the first: the pair, then CHECK FIRST_STATUS SECOND_STATUS, which sees what is
# left. Some of the second ones must have been refused.
pairs_everywhere() { # PREPARE CHECK SECOND FIRST...
    local prepare=$1 check=$2 other=$3 n code status refused=0 pairs=0
    shift 3
    for n in $(moments "$prepare" "$@"); do
        rm -f second.status
        "$prepare"
        code=0
        "$STOP_AT" "$n" "$(second "$other")" "$@" >/dev/null 2>first.err || code=$?
        [ -e second.status ] || break
        status=$(cat second.status)
        for who in first second; do
            if grep -q . $who.err && ! grep -q "is in use by $IN_USE" $who.err; then
                fail "at deed $n the $who says: $(cat $who.err)"
            fi
        done
        pairs=$((pairs + 1))
        refused=$((refused + (status == 1)))
        "$check" "$code" "$status" || fail "at deed $n: exit $code and $status"
    done
    [ "$refused" -gt 0 ] || fail "none of $pairs was refused"
    echo "$pairs pairs, $refused refused"
}

from_nothing() {
    rm -rf o
}

# At least one has succeeded; who did not was told why.
one_succeeds() { # FIRST SECOND
    [[ ($1 -eq 0 || $2 -eq 0) && $1 -le 1 && $2 -le 1 && "$(contents o)" = "$wanted" ]]
}

# As short as TINY, but better than chance, so that nothing is to be warned of.
QUIET="--data data --set dataset=tiny --set samples_per_task=4 --set test_samples_per_task=4 --set model=columns --jobs 1 --quiet"

@test "two tacos run" {
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $QUIET --no-page --out o
    "$@"
    wanted=$(contents o)
    pairs_everywhere from_nothing one_succeeds "$*" "$@"
}

@test "tacos run --force beside tacos run" {
    EVERY=$((EVERY * 3))
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $QUIET --no-page --out o
    "$@"
    wanted=$(contents o)
    pairs_everywhere from_nothing one_succeeds "$* --force" "$@"
}

@test "two tacos sweep" {
    printf '%s\n' 'experiment = demo' "$OWN" 'samples_per_task = 2' 'test_samples_per_task = 2' 'hidden = 6' 'steps = 20' \
        'm_max = choice(5 | 10)' >plan.conf
    EVERY=$((EVERY * 7)) ENDS=0 # at some of them the second waits for the reader that the first is in the end
    set -- "$TACOS" sweep plan.conf --data data --store o/s.db --jobs 1 --quiet
    "$@"
    wanted=$(contents o)
    pairs_everywhere from_nothing one_succeeds "$*" "$@"
}

samples() { # N
    for ((k = 0; k < $1; k++)); do echo "$((k % 2)),0.5,1,0,$((k % 2))"; done
}

learned() {
    "$TACOS" inspect o/m.tacos | sed -n 's/.*, \([0-9]*\) samples learned.*/\1/p'
}

@test "two tacos learn: no sample is lost" {
    samples 3 >three
    samples 4 >four
    mkdir o
    "$TACOS" learn o/begun.tacos --new --set inputs=4 --set steps=10 --quiet </dev/null
    begun() {
        rm -f o/m.tacos*
        cp o/begun.tacos o/m.tacos
    }
    every_sample() { # FIRST SECOND
        [[ "$(learned)" -eq $((($1 == 0) * 3 + ($2 == 0) * 4)) && "$(ls o)" = "$(printf 'begun.tacos\nm.tacos')" ]]
    }
    set -- "$TACOS" learn o/m.tacos --save-every 1 --quiet
    pairs_everywhere begun every_sample "$* <four" bash -c "exec $* <three"
    # Through another name of the same file.
    ln -s m.tacos o/link
    every_sample() { [ "$(learned)" -eq $((($1 == 0) * 3 + ($2 == 0) * 4)) ]; }
    pairs_everywhere begun every_sample "$TACOS learn o/link --quiet <four" bash -c "exec $* <three"
}

@test "tacos learn --new beside tacos import: the model is one of both" {
    samples 3 >three
    mkdir o
    "$TACOS" learn other.tacos --new --set inputs=4 --set steps=10 --seed 2 --quiet </dev/null
    "$TACOS" export other.tacos w
    fresh() {
        rm -f o/*
    }
    who_was_first() { # FIRST SECOND
        local n
        n=$(learned)
        # The second of them in time finds a model there: 2 for `learn`, 1 for `import`.
        case "$1 $2" in
        "0 1") [ "$n" -eq 3 ] ;;
        "2 0") cmp other.tacos o/m.tacos ;;
        *) return 1 ;;
        esac
    }
    new="$TACOS learn o/m.tacos --new --set inputs=4 --set steps=10 --quiet"
    for n in $(moments fresh bash -c "exec $new <three"); do
        rm -f second.status
        fresh
        code=0
        "$STOP_AT" "$n" "$(second "$TACOS import w o/m.tacos")" bash -c "exec $new <three" 2>first.err || code=$?
        [ -e second.status ] || break
        who_was_first "$code" "$(cat second.status)" || fail "at deed $n: $code, $(cat second.status first.err second.err)"
    done
    [ "$n" -gt 5 ]
}

@test "tacos run leaves a model alone that somebody learns with" {
    samples 3 >three
    # shellcheck disable=SC2086
    set -- "$TACOS" run demo $TINY --no-page --force --out o
    "$@"
    wanted=$(contents o)
    learn="$TACOS learn o/model-1.tacos --quiet"
    "$STOP_AT" 3 "$(second "$*")" bash -c "exec $learn </dev/null"
    [ "$(cat second.status)" -eq 1 ]
    grep -q "o/model-1.tacos is in use by $IN_USE" second.err
    [ "$(contents o)" = "$wanted" ]
}

@test "two reports, exports and figures: the last one wins, whole" {
    # shellcheck disable=SC2086
    "$TACOS" run demo $TINY --no-page --out r
    mkdir o
    for command in "report r -o o/page.html" "export r/model-1.tacos o/w" "plot accuracy r -o o/a.svg"; do
        rm -f o/*
        # shellcheck disable=SC2086
        "$TACOS" $command
        wanted=$(contents o)
        for n in $(moments true "$TACOS" $command); do
            rm -f second.status o/*
            # shellcheck disable=SC2086
            "$STOP_AT" "$n" "$(second "$TACOS $command")" "$TACOS" $command
            [ -e second.status ] || break
            [ "$(cat second.status)" -eq 0 ]
            [ "$(contents o)" = "$wanted" ]
        done
        [ "$n" -gt 3 ]
    done
}

# What "curl" finds is in the folder `site`.
two_get() { # NAME
    mkdir bin
    # shellcheck disable=SC2016
    printf '%s\n' '#!/bin/sh' 'while [ "$1" != -o ]; do shift; done' "cp '$PWD/site/'\"\$2\" \"\$2\"" >bin/curl
    chmod +x bin/curl
    PATH=$PWD/bin:$PATH
    set -- "$TACOS" data get "$1" --mirror http://nowhere --data o
    "$@"
    wanted=$(contents o)
    for n in $(moments from_nothing "$@"); do
        [ "$n" -ge 6 ] || continue # it has the lock from then on
        rm -rf second.status o
        "$STOP_AT" "$n" "$(second "$*")" "$@"
        [ -e second.status ] || break
        if [ "$(cat second.status)" -eq 1 ]; then
            grep -q "is in use by $IN_USE" second.err
            refused=1
        fi
        [ "$(contents o)" = "$wanted" ]
    done
    [ "$refused" = 1 ]
}

@test "two tacos data get: the second is told, or finds it there" {
    [ -e "$TACOS_DATA/omniglot" ] || skip "no data in \$TACOS_DATA"
    EVERY=$((EVERY * 3))
    cp -r "$TACOS_DATA/omniglot" site
    two_get omniglot
}

@test "two tacos data get, files that are unpacked to be checked" {
    [ -e "$TACOS_DATA/mnist" ] || skip "no data in \$TACOS_DATA"
    [ "${TACOS_TEST_ALL:-0}" = 1 ] || skip "only with TACOS_TEST_ALL=1"
    EVERY=$((EVERY * 40))
    mkdir site
    for file in "$TACOS_DATA"/mnist/*; do
        case $file in
        *.gz) cp "$file" site ;;
        *) gzip -1 -c "$file" >"site/$(basename "$file").gz" ;;
        esac
    done
    two_get mnist
}
