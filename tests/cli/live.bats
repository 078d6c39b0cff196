#!/usr/bin/env bats
# live.bats - `tacos run --live`: a page that says how far the run is, whole at any moment.
# shellcheck source=tests/cli/events.bash
bats_require_minimum_version 1.5.0

setup() {
    load events
    load plans
    cd "$BATS_TEST_TMPDIR" || return
    few=(--set hidden=20 --set samples_per_task=60 --set test_samples_per_task=30 --set steps=60)
}

begin_live() {
    TACOS_TEST_CLOCK=10 begin "$TACOS" run demo "${few[@]}" --live --checkpoint-every 20 --out r >out
}

is_whole() { # PAGE
    [ "$(head -c 15 "$1")" = "<!DOCTYPE html>" ]
    [ "$(tail -n 1 "$1")" = "</html>" ]
}

@test "while it runs, the page says so and reloads itself; so does tacos report" {
    begin_live
    await " tasks "
    is_whole r/report.html
    grep -q 'http-equiv="refresh"' r/report.html
    grep -q '<strong>In progress: ' r/report.html
    grep -q 'After [1-4] of 5 tasks: 0 vs 1 [0-9]' r/report.html
    "$TACOS" report r -o now.html
    is_whole now.html
    grep -q '<strong>In progress: ' now.html
    run ! grep -q 'http-equiv="refresh"' now.html
    run --separate-stderr "$TACOS" plot accuracy r
    [ "$status" -ne 0 ]
    # shellcheck disable=SC2154 # run sets it
    [[ "$stderr" == *"is the folder of a run in progress"* ]]
    # shellcheck disable=SC2154 # events.bash sets it
    finish
    [ "$status" -eq 0 ]
    [ ! -e r/running.json ]
    is_whole r/report.html
    run ! grep -q 'http-equiv="refresh"' r/report.html
    grep -q '<strong>Learned each task to' r/report.html
}

@test "killed at any moment: the page is whole, and the same command resumes" {
    few+=(--set samples_per_task=600) # far from its end at every kill, though each resumes the one before
    for lines in 1 33 60 95 200; do
        begin_live
        await_lines "$lines"
        end_by KILL
        is_whole r/report.html
        jq -e '.status == "running"' r/running.json >/dev/null
        "$TACOS" report r -o killed.html
        is_whole killed.html
    done
    "$TACOS" run demo "${few[@]}" --live --out r --quiet >out
    [ ! -e r/running.json ]
    "$TACOS" run demo "${few[@]}" --out straight --quiet >out
    cmp r/accuracy.csv straight/accuracy.csv
    run ! grep -q 'In progress' r/report.html
}

@test "interrupted before anything is complete: no page that says it goes on" {
    begin_live
    await " tasks "
    end_by INT
    [ "$status" -eq 130 ]
    [ ! -e r/running.json ]
    [ ! -e r/report.html ]
}

@test "--live and --no-page do not go together" {
    run --separate-stderr "$TACOS" run demo --live --no-page
    [ "$status" -eq 2 ]
}

@test "a sweep: its page is current while it runs, whole after a kill, and final in the end" {
    plan >p.conf
    TACOS_TEST_CLOCK=10 begin "$TACOS" sweep ./p.conf --store s.db --live --jobs 1 >out
    await " runs 2/8 "
    is_whole s.html
    grep -q 'http-equiv="refresh"' s.html
    grep -q '<strong>In progress: ' s.html
    end_by KILL
    is_whole s.html
    "$TACOS" sweep ./p.conf --store s.db --live --quiet >out
    grep -qx s.html out
    is_whole s.html
    run ! grep -q 'http-equiv="refresh"' s.html
    grep -q '<strong>4 configurations' s.html
    [ "$(grep -c '<th scope="row">demo</th>' s.html)" -eq 4 ]
}
