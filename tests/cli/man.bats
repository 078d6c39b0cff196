# man.bats - the manual: complete, and clean for those who read it. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

pages() {
    "$BATS_TEST_DIRNAME"/../../tools/man "$TACOS" man
}

# Every command that help lists.
commands() {
    "$TACOS" help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' | grep -v tacos
}

# A page without its escapes: what one reads, as words.
text() { # PAGE
    sed 's/\\f[BIR]//g; s/\\-/-/g; s/\\(aq/'\''/g; s/\\(ha/^/g; s/\\(ti/~/g; s/\\&//g; s/\\e/\\/g' "$1" |
        tr '\n' ' '
}

@test "a page for the program, for every command, and for the keys" {
    pages
    for command in $(commands); do
        [ -s "man/man1/tacos-$command.1" ]
        [[ "$(text man/man1/tacos.1)" == *".TP tacos-$command("* ]]
    done
    [ -s man/man1/tacos.1 ]
    [ -s man/man5/tacos-keys.5 ]
    [ "$(find man -type f | wc -l)" -eq "$("$TACOS" help --man | wc -l)" ]
    [ "$(find man -type f | wc -l)" -eq $(($(commands | wc -l) + 2)) ]
}

@test "a page says what help says: every option, and every text" {
    pages
    n=0
    for command in $(commands); do
        page=$(text "man/man1/tacos-$command.1")
        for option in $("$TACOS" help "$command" | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
            [[ "$page" == *".TP $option "* ]]
            n=$((n + 1))
        done
        [[ "$page" == *"tacos-$command - "* ]]
    done
    [ "$n" -gt 50 ]
    [[ "$(text man/man1/tacos-run.1)" == *".TP split-mnist "* ]]
    [[ "$(text man/man1/tacos-reproduce.1)" == *".TP headline "* ]]
    [[ "$(text man/man1/tacos-sweep.1)" == *".SS Options of show .TP --top N "* ]]
}

@test "tacos-keys(5) has every key with default and range" {
    pages
    page=$(text man/man5/tacos-keys.5)
    declare -A entry # by its key
    while IFS= read -r line; do
        entry[${line%% *}]=$line
    done < <(sed 's/ \.TP \.B /\n/g' <<<"$page")
    for key in $("$TACOS" help keys | sed 1d | cut -d ' ' -f 1) inputs outputs; do
        [ -n "${entry[$key]}" ]
        range=$("$TACOS" help "$key" | sed -n 's/^  range  *//p')
        [[ "${entry[$key]}" == *" Range: $range."* ]]
    done
    [[ "$page" == *"tau_trace_ms"*"In the paper: tau_trace. A number. Default: 50 ms. Range: 1 to 1000000000 ms."* ]]
}

@test "groff has nothing to complain about" {
    command -v groff >/dev/null || skip "there is no groff"
    pages
    for page in man/*/*; do
        run -0 groff -man -ww -Tutf8 -z "$page"
        [ -z "$output" ]
    done
}

@test "mandoc has nothing to complain about" {
    command -v mandoc >/dev/null || skip "there is no mandoc"
    pages
    for page in man/*/*; do
        run -0 mandoc -T lint "$page"
        [ -z "$output" ]
    done
}

@test "whatis finds name and description" {
    command -v lexgrog >/dev/null || skip "there is no lexgrog"
    pages
    run -0 lexgrog man/man1/tacos-run.1
    [[ "$output" == *'"tacos-run - run an experiment and write its results"' ]]
    run -0 lexgrog man/man1/tacos.1
    run -0 lexgrog man/man5/tacos-keys.5
}

@test "the same page every time, and no page of another name" {
    [ "$("$TACOS" help --man tacos-run.1)" = "$("$TACOS" help --man tacos-run.1)" ]
    run -2 --separate-stderr "$TACOS" help --man tacos-rnu.1
    [[ "$stderr" == *"no manual page 'tacos-rnu.1'"* ]]
}
