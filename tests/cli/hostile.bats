# hostile.bats - texts that a terminal would obey, in every place where one can come in. Whatever the
# command makes of them, it prints none of them as they are. $TACOS is the program.

bats_require_minimum_version 1.5.0
load terminal

# What clears the screen, in two ways; DEL; writing from right to left; a line of its own; no UTF-8.
hostile=($'x\e[2Jy' $'x\xc2\x9b2Jy' $'x\x7fy\rz' $'x\xe2\x80\xaey\xe2\x81\xa6' $'x\ntacos: FORGED' $'x\xff\x9b2Jy')

# A small run, a store, a model: made once.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME TACOS_KERNEL
    export HOME=$BATS_FILE_TMPDIR
    cat >tiny.conf <<'END'
experiment = demo
hidden = 5
steps = 30
tasks = 0-1,2-3
samples_per_task = 20
test_samples_per_task = 5
seeds = 1
m_max = choice(5 | 25)
END
    "$TACOS" sweep tiny.conf --store s.db --quiet >/dev/null
    sed '/^seeds\|^m_max\|^experiment/d; 1i dataset = glyphs' tiny.conf >run.conf
    "$TACOS" run run.conf --seeds 1 --quiet --out run >/dev/null
    "$TACOS" learn m.tacos --new --set inputs=2 --set hidden=3 --set outputs=2 --quiet <<<"0,0,1"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    unset TACOS_DATA XDG_CACHE_HOME TACOS_KERNEL
    export HOME=$BATS_TEST_TMPDIR
    cp -r "$BATS_FILE_TMPDIR"/* .
}

# Nothing but ink, blanks and ends of lines, in UTF-8; no line that begins as one of ours.
harmless() { # FILE
    local controls='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]|\xe2\x81[\xa6-\xa9]'
    if LC_ALL=C grep -aqP "$controls" "$1" || grep -aq '^tacos: FORGED' "$1"; then
        cat -v "$1"
        return 1
    fi
    iconv -f UTF-8 -t UTF-8 "$1" >/dev/null
}

# The command says something (of the text or not), and that is harmless.
tries() { # WORD...
    local code=0
    "$TACOS" "$@" >out.txt 2>&1 </dev/null || code=$?
    [ "$code" -le 2 ] || { printf 'exit %d: %q\n' "$code" "$*"; return 1; }
    harmless out.txt || { printf 'not harmless: %q\n' "$*"; return 1; }
}

shows() { # TEXT: the last output has it
    grep -aqF -- "$1" out.txt || { cat out.txt; return 1; }
}

@test "what counts as harmless here" {
    for h in "${hostile[@]}"; do
        printf '%s\n' "$h" >bad.txt
        run ! harmless bad.txt
    done
    printf 'Gr\xc3\xb6\xc3\x9fe \xe2\x82\xac\n\tindented\n' >good.txt
    harmless good.txt
}

@test "arguments" {
    for h in "${hostile[@]}"; do
        tries "$h"
        tries "--$h"
        tries "--color=$h"
        for command in bench compare completion data export help import inspect learn man plot predict report \
            reproduce run sweep version; do
            tries "$command" "$h"
            tries "$command" "$h" "$h"
            tries "$command" "--$h"
        done
        tries bench --quick --against "$h"
        tries data get "$h"
        tries data list --data "$h"
        shows "data folder: x"
        tries data verify mnist --data "$h"
        tries data get mnist --from "$h" --data "$h"
        tries data get mnist --mirror "file:///$h" --data d
        tries export m.tacos "$h"
        tries export --small m.tacos "$h"
        tries learn "$h" --new --set "inputs=$h"
        tries learn m.tacos --label "$h"
        tries learn m.tacos --scale "$h"
        tries learn "$h/m.tacos" --new --set inputs=2
        tries plot "$h" run
        tries plot accuracy "$h"
        tries plot accuracy run --out "$h"
        tries report run --out "$h/page.html"
        tries reproduce "$h" --out r
        tries run demo --set "$h=1"
        tries run demo --set "hidden=$h"
        tries run demo --set "model=$h"
        tries run demo --set "dataset=$h"
        tries run demo --seeds "$h"
        tries run demo --jobs "$h"
        tries run "$h.conf"
        tries run "./$h"
        tries sweep show "$h"
        tries sweep tiny.conf --store "$h/$h"
    done
}

@test "names of files and folders, where all goes well" {
    for h in "${hostile[@]}"; do
        cp run.conf "$h.conf"
        tries run "./$h.conf" --seeds 1 --quiet --out "$h"
        shows "x"
        tries compare "$h" run
        tries report "$h" --out "$h.html"
        tries plot accuracy "$h" --out "$h.svg"
        tries plot accuracy "$h"
        cp m.tacos "$h.tacos"
        tries inspect "$h.tacos"
        tries inspect "$h.tacos" --json
        jq -e . out.txt >/dev/null
        tries export "$h.tacos" "$h.safetensors"
        tries import "$h.safetensors" "$h.2.tacos"
        tries sweep tiny.conf --store "$h.db" --quiet
        tries sweep show "$h.db"
        tries sweep show "$h.db" --json
        jq -e . out.txt >/dev/null
    done
}

@test "what is in files: configurations, plans, data sets" {
    mkdir -p data/mine
    printf '0,1,2\n' >data/mine/test.csv
    for h in "${hostile[@]}"; do
        printf 'dataset = glyphs\n%s = 1\n' "$h" >bad.conf
        tries run bad.conf
        printf 'dataset = %s\n' "$h" >bad.conf
        tries run bad.conf --out o
        printf 'experiment = %s\n' "$h" >bad.conf
        tries sweep bad.conf --store t.db
        printf 'experiment = demo\nseeds = 1\n[%s]\nhidden = choice(%s | 2)\n' "$h" "$h" >bad.conf
        tries sweep bad.conf --store t.db
        printf '%s,1,2\n' "$h" >data/mine/train.csv
        printf 'dataset = mine\ntasks = 0\n' >own.conf
        tries run own.conf --data data --out o
        mkdir -p "data/set/train/$h" data/set/test/0
        printf 'height = %s\n' "$h" >data/set/size.conf
        touch "data/set/train/$h/$h.png" data/set/test/0/a.png
        tries run demo --set dataset=set --data data --out o
        rm -rf data/set o
    done
}

@test "what is in stores" {
    command -v sqlite3 >/dev/null || skip "no sqlite3 here"
    for h in "${hostile[@]}"; do
        cp "$BATS_FILE_TMPDIR"/s.db .
        sqlite3 s.db "UPDATE config SET experiment = CAST(x'$(printf %s "$h" | od -An -tx1 | tr -d ' \n')' AS TEXT);
            UPDATE setting SET value = (SELECT experiment FROM config) || config WHERE key = 'm_max';
            INSERT INTO run (config, data, seed, status, error)
                SELECT 1, 1, 99, 'failed', experiment FROM config WHERE id = 1;"
        tries sweep show s.db
        shows "x"
        tries sweep show s.db --all
        tries sweep show s.db --json
        jq -e . out.txt >/dev/null
        "$TACOS" sweep show s.db --csv >kept.csv # data for programs stay as they are, ...
        LC_ALL=C grep -aqF -- "$(head -n 1 <<<"$h")" kept.csv
    done
}

@test "data on a terminal" {
    command -v sqlite3 >/dev/null || skip "no sqlite3 here"
    need_terminal
    export NO_COLOR=1
    sqlite3 s.db "UPDATE config SET experiment = 'x' || char(27) || '[2Jy' || char(155) || 'z'"
    on_terminal 100 "$TACOS" sweep show s.db --csv >out.txt
    harmless out.txt
    shows 'x\u001b[2Jy\u009bz'
}

@test "what is in results" {
    for h in "${hostile[@]}"; do
        # 1 where something was left out, in newer versions
        name=$(printf %s "$h" | iconv -c -f UTF-8 -t UTF-8 || [ $? -eq 1 ])
        jq --arg h "$name" '.experiment = $h | .config.model = $h | .config.hidden = $h' run/results.json >new.json
        mkdir -p changed
        cp -r run/. changed
        cp new.json changed/results.json
        tries compare changed run
        shows "x"
        tries report changed --out page.html
        tries plot accuracy changed --out a.svg
        printf '{"schema": "%s"' "$h" >changed/results.json
        tries compare changed
        tries report changed --out page.html
    done
}

@test "what is in streams, weights, saved measurements and the environment" {
    for h in "${hostile[@]}"; do
        for line in "$h" "0,$h,1" "{\"x\": [$h]}" "{\"$h\": 1}"; do
            printf '0,0,1\n%s\n' "$line" >lines.txt
            for command in learn predict; do
                "$TACOS" $command m.tacos --on-error skip <lines.txt >out.txt 2>&1
                harmless out.txt
            done
        done
        header="{\"$h\": {\"dtype\": \"$h\"}}"
        { printf '%b' "\\0$(printf %o ${#header})\0\0\0\0\0\0\0"; printf %s "$header"; } >w.safetensors
        tries import w.safetensors n.tacos
        printf '[{"case": "%s"' "$h" >bench.json
        tries bench glyphs-784-200-2 --quick --against bench.json
        TACOS_DATA=$h tries data list
        TACOS_KERNEL=$h tries learn n.tacos --new --set inputs=2
        XDG_CACHE_HOME=/$h tries data list
    done
}
