# report.bats - `tacos report` and `tacos plot` from outside. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup_file() { # one small run, and another to compare it with
    cd "$BATS_FILE_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME
    small=(--set samples_per_task=12 --set test_samples_per_task=8 --set hidden=24 --set steps=60)
    "$TACOS" run demo "${small[@]}" --set measure=all --set curve_points=5 --seeds 2 --out run --quiet >/dev/null
    "$TACOS" run demo "${small[@]}" --set model=snn --out snn --quiet >/dev/null
    "$TACOS" reproduce function --out parts >/dev/null
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    ln -s "$BATS_FILE_TMPDIR"/{run,snn,parts} .
    unset TACOS_DATA XDG_CACHE_HOME
}

refuses() { # CODE TEXT: the last command ended with CODE and said TEXT, and nothing on stdout
    echo "status $status, stderr: $stderr"
    [ "$status" -eq "$1" ]
    [[ "$stderr" == *"$2"* ]]
    [ -z "$output" ]
}

# ---- report ----

@test "a report goes where it is told, or beside the results" {
    run -0 --separate-stderr "$TACOS" report run -o page.html
    [ "$output" = page.html ]
    [ -z "$stderr" ]
    grep -q '</html>' page.html
    run -0 --separate-stderr "$TACOS" report run --out other.html
    cmp page.html other.html
    cp -r run/. mine
    run -0 --separate-stderr "$TACOS" report mine
    [ "$output" = mine/report.html ]
    run -0 --separate-stderr "$TACOS" report run snn
    [ "$output" = report.html ]
    grep -q '2 runs compared' report.html
}

@test "the same folder by the same name gives the same page, at any time and place" {
    "$TACOS" report run -o a.html
    TZ=Asia/Tokyo LC_ALL=C "$TACOS" report run -o b.html
    cmp a.html b.html
}

@test "the page needs nothing but itself, and is small" {
    "$TACOS" report run -o page.html
    run ! grep -qE '(src|href)="(http|//|file|/)' page.html
    run ! grep -q 'url(' page.html
    grep -q "default-src 'none'" page.html
    [ "$(stat -c %s page.html)" -lt 2000000 ]
}

@test "the command on the page gives the same numbers" {
    "$TACOS" report run -o page.html
    command=$(sed -n 's:.*<pre class="command"[^>]*><code>tacos \(run .*\)</code>.*:\1:p' page.html)
    [[ "$command" == "run demo --set "*" --seeds 2" ]]
    # shellcheck disable=SC2086 # words
    "$TACOS" $command --out again --quiet >/dev/null
    cmp <(jq '.config, [.runs[] | .R, .model_digest]' run/results.json) \
        <(jq '.config, [.runs[] | .R, .model_digest]' again/results.json)
}

@test "an experiment of one's own: its file is on the page" {
    printf 'dataset = glyphs\ntasks = 0-1,2-3\nsamples_per_task = 10\ntest_samples_per_task = 6\nhidden = 9\n' >mine.conf
    "$TACOS" run ./mine.conf --seed 4 --out own --quiet >/dev/null
    "$TACOS" report own -o page.html
    grep -q '<code>tacos run ./mine.conf --seed 4</code>' page.html
    sed -n '/<pre class="conf"/,/<\/pre>/p' page.html | sed 's/<[^>]*>//g' | grep . >theirs.conf
    mkdir there
    cp theirs.conf there/mine.conf
    "$TACOS" run there/mine.conf --seed 4 --out again --quiet >/dev/null
    cmp <(jq .config own/results.json) <(jq .config again/results.json)
}

@test "an interrupted run says so" {
    cp -r run/. part
    jq '.status = "partial" | .runs_wanted = 7' run/results.json >part/results.json
    "$TACOS" report part
    grep -q 'This run was interrupted: 2 of 7 seeds are complete' part/report.html
}

@test "report: usage and what cannot be read" {
    run --separate-stderr "$TACOS" report
    refuses 2 "expected 1 to 32 folders"
    run --separate-stderr "$TACOS" report run --aut x
    refuses 2 "the nearest is --out"
    run --separate-stderr "$TACOS" report nowhere
    refuses 1 "cannot read nowhere"
    mkdir empty
    run --separate-stderr "$TACOS" report empty
    refuses 1 "holds neither the results.json"
    run --separate-stderr "$TACOS" report run parts
    refuses 2 "it cannot be compared with other folders"
    run --separate-stderr "$TACOS" report run -o nowhere/page.html
    refuses 1 "cannot write nowhere/page.html"
    mkdir newer
    jq '.schema_version = 9' run/results.json >newer/results.json
    run --separate-stderr "$TACOS" report newer
    refuses 1 "newer program (schema version 9; this one reads up to 2)"
    [ ! -e newer/report.html ]
}

@test "a page that is there stays if the new one cannot be made" {
    cp -r run/. mine
    "$TACOS" report mine
    cp mine/report.html before
    echo '{' >mine/results.json
    run --separate-stderr "$TACOS" report mine
    refuses 1 "mine/results.json: line 2"
    cmp before mine/report.html
}

# ---- plot ----

@test "without arguments: every figure, and each of a run can be drawn from one" {
    "$TACOS" run demo --set model=columns --set samples_per_task=12 --set test_samples_per_task=8 --out columns --quiet >/dev/null
    run -0 --separate-stderr "$TACOS" plot
    [ "${lines[0]}" = 'from a folder of `tacos run`:' ]
    [[ "$output" == *'from a folder of `tacos reproduce`:'*"  omniglot  "* ]]
    n=0
    while read -r name _; do
        [ "$name" != from ] || break
        [ "$name" != beside ] || continue # the demo is not in the paper
        from=run
        [ "$name" != templates ] || from=columns
        "$TACOS" plot "$name" "$from" -o "$name.svg" >/dev/null
        grep -q '^<svg xmlns' "$name.svg"
        n=$((n + 1))
    done <<<"$(printf '%s\n' "${lines[@]:1}")"
    [ "$n" -eq 17 ]
}

@test "a figure as SVG, on standard output or in a file, and its numbers" {
    run -0 --separate-stderr "$TACOS" plot accuracy run
    [[ "$output" == "<svg xmlns="*"</svg>" ]]
    "$TACOS" plot accuracy run >a.svg
    "$TACOS" plot accuracy run -o b.svg
    cmp a.svg b.svg
    grep -q 'width="234pt"' b.svg
    "$TACOS" plot accuracy run -o c.csv
    [ "$(head -1 c.csv)" = "series,tasks_learned,mean,sd" ]
    [ "$(wc -l <c.csv)" -eq $((1 + 5 * 6)) ]
    mean=$(jq '[.runs[].R[4][0]] | add / length' run/results.json)
    grep -q "^0 vs 1,5,$mean," c.csv
    "$TACOS" plot function parts -o d.csv
    cmp <(tail -n +2 parts/function.csv | wc -l) <(tail -n +2 d.csv | wc -l)
}

@test "the figure of docs/beyond.md is that of the numbers in docs, with every method" {
    docs=$BATS_TEST_DIRNAME/../../docs
    "$TACOS" plot memory "$docs/columns.csv" | diff - "$docs/beyond.svg"
    sed -n '/: columns/d; s/^class mnist: \(.*\),MA,.*/\1/p' "$docs/columns.csv" >methods
    grep -q '^fly 10000$' methods
    while read -r method; do
        [ "$(grep -o ">$method</text>" "$docs/beyond.svg" | wc -l)" -eq 2 ] # in either panel
    done <methods
}

@test "a table: what is drawn from it, and what it must be" {
    cp "$BATS_TEST_DIRNAME/../../docs/columns.csv" .
    run -2 --separate-stderr "$TACOS" plot headline columns.csv
    refuses 2 "columns.csv is a table; figure 'headline' is made from a folder"
    echo "section,metric,mean" >other.csv
    run -1 --separate-stderr "$TACOS" plot memory other.csv
    refuses 1 "other.csv is not a table of \`tacos reproduce\`"
    sed 3q columns.csv >short.csv
    sed -i '3s/,5,/,five,/' short.csv
    run -1 --separate-stderr "$TACOS" plot memory short.csv
    refuses 1 "short.csv:3: 'five' is not a whole number"
    run -1 --separate-stderr "$TACOS" plot memory none.csv
    refuses 1 "cannot read none.csv"
}

@test "PDF and PNG, through rsvg-convert" {
    command -v rsvg-convert >/dev/null || skip "no rsvg-convert"
    "$TACOS" plot matrix run -o m.pdf
    [ "$(head -c 5 m.pdf)" = "%PDF-" ]
    "$TACOS" plot matrix run -o m.png
    [ "$(head -c 4 m.png | tail -c 3)" = PNG ]
    [ "$(ls)" = "m.pdf
m.png
parts
run
snn" ]
}

@test "without rsvg-convert: what to install, and nothing left behind" {
    mkdir bin
    run --separate-stderr env PATH="$PWD/bin" "$TACOS" plot matrix run -o m.pdf
    refuses 1 "rsvg-convert, which is not installed (Debian: librsvg2-bin)"
    [ ! -e m.pdf ]
    [ -z "$(find . -name 'm.pdf*')" ]
}

@test "an rsvg-convert that fails leaves what was there" {
    mkdir bin
    printf '#!/bin/sh\necho no >&2\nexit 3\n' >bin/rsvg-convert
    chmod +x bin/rsvg-convert
    echo before >m.pdf
    run --separate-stderr env PATH="$PWD/bin:$PATH" "$TACOS" plot matrix run -o m.pdf
    refuses 1 "rsvg-convert failed"
    [ "$(cat m.pdf)" = before ]
    [ "$(find . -name 'm.pdf*')" = ./m.pdf ]
}

@test "plot: usage, and which folder a figure wants" {
    run --separate-stderr "$TACOS" plot accuracy
    refuses 2 "expected a figure and a folder"
    run --separate-stderr "$TACOS" plot -o x.svg
    refuses 2 "expected a figure and a folder"
    run --separate-stderr "$TACOS" plot acuracy run
    refuses 2 "no figure 'acuracy'; the nearest is 'accuracy'"
    run --separate-stderr "$TACOS" plot omniglot run
    refuses 2 "figure 'omniglot' is made from one of \`tacos reproduce\`"
    run --separate-stderr "$TACOS" plot raster parts
    refuses 2 "figure 'raster' is made from one of \`tacos run\`"
    run --separate-stderr "$TACOS" plot headline parts
    refuses 1 "has no headline.json; \`tacos reproduce headline --out parts\` makes it"
    run --separate-stderr "$TACOS" plot plasticity snn
    refuses 1 "\`tacos run ... --set measure=all\` measures it"
    run --separate-stderr "$TACOS" plot accuracy run -o x.gif
    refuses 2 "x.gif does not end with .svg, .pdf, .png or .csv"
    run --separate-stderr "$TACOS" plot accuracy nowhere -o x.svg
    refuses 1 "cannot read nowhere"
    [ ! -e x.svg ]
}

@test "help explains both" {
    run -0 "$TACOS" help report
    [[ "$output" == *"usage: tacos report DIR [--baseline DIR]"* ]]
    run -0 "$TACOS" plot --help
    [[ "$output" == *"usage: tacos plot FIGURE DIR"* ]]
}
