# completion.bats - what shells offer while one types. $TACOS is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    PATH=$(dirname "$TACOS"):$PATH
    export LC_ALL=C # one order for all
}

# What bash would offer for the last word, one a line. '=' breaks words as it does in bash.
offers() { # WORD...
    COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
    COMP_WORDS=(tacos "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _tacos
    printf '%s\n' "${COMPREPLY[@]}" | sort
}

load_bash() {
    # shellcheck disable=SC1090
    . <("$TACOS" completion bash)
}

# ---- bash ----

@test "bash: commands" {
    load_bash
    [ "$(offers ru)" = run ]
    [ "$(offers '' | grep -c .)" -eq "$("$TACOS" help --man | grep -c 'tacos-.*[.]1')" ]
    [ "$(offers --ver)" = --version ]
    [ -z "$(offers nonsense '')" ]
    [ "$(complete -p tacos)" = "complete -F _tacos tacos" ]
}

@test "bash: every option of every command" {
    load_bash
    for command in $("$TACOS" help --man | sed -n 's/^tacos-\(.*\)[.]1$/\1/p'); do
        # those of subcommands follow another heading
        "$TACOS" help "$command" | sed -n '/^options:/,/^$/s/^  \(--[a-z-]*\).*/\1/p' | sort >wanted
        diff wanted <(offers "$command" --)
    done
    [ "$(offers run --see)" = $'--seed\n--seeds' ]
    [ "$(offers sweep show --t)" = --top ]
    [ -z "$(offers sweep show --st)" ] # is of sweep alone
    [ "$(offers sweep --st)" = --store ]
}

@test "bash: names of experiments, plans, parts, data sets, cases, topics, shells" {
    load_bash
    [ "$(offers run split-m)" = $'split-mnist\nsplit-mnist-class' ]
    [ "$(offers run --quiet de)" = demo ]
    [ "$(offers sweep trade)" = trade-off ]
    [ "$(offers sweep sh)" = show ]
    [ "$(offers reproduce headline fun)" = function ]
    [ "$(offers reproduce sc)" = score ]
    [ "$(offers data ver)" = verify ]
    [ "$(offers data get fa)" = fashion ]
    [ -z "$(offers data list fa)" ]
    [[ "$(offers bench mnist-)" == *mnist-784-200-2* ]]
    [ "$(offers help tau_tr)" = tau_trace_ms ]
    [ "$(offers help online)" = online-ewc ]
    [ "$(offers completion '')" = $'bash\nfish\nzsh' ]
}

@test "bash: keys and their values" {
    load_bash
    [ "$(offers run demo --set m_thr | head -1)" = m_threshold_hidden= ]
    [ "$(offers run demo --set mod)" = model= ]
    [ "$(offers run demo --set model = ew)" = ewc ]
    [ "$(offers run demo --set model =)" = "$("$TACOS" help models | cut -d ' ' -f 1 | sort)" ]
    [ "$(offers run demo --set scenario = c)" = class ]
    [ "$(offers run demo --set dataset = omn)" = omniglot ]
    [ "$(offers run demo --set = model = ew)" = ewc ] # --set=model=ew
    [ -z "$(offers run demo --set outputs)" ] # cannot be set
    [ "$(offers --color al)" = always ]
    [ "$(offers run --color = ne)" = never ]
    [ -z "$(offers run --seeds '')" ]
}

@test "bash: files and folders" {
    load_bash
    mkdir one-folder
    touch one-file one.conf
    [ "$(offers inspect one-)" = $'one-file\none-folder' ]
    [ "$(offers run one)" = $'one-file\none-folder\none.conf' ]
    [ "$(offers compare one)" = one-folder ]
    [ "$(offers run demo --data one)" = one-folder ]
    [ "$(offers run demo --data = one)" = one-folder ]
    [ "$(offers sweep show one-fi)" = one-file ]
}

@test "bash: the script is clean" {
    command -v shellcheck >/dev/null || skip "there is no shellcheck"
    run -0 shellcheck -s bash <("$TACOS" completion bash)
}

# ---- zsh and fish ----

@test "zsh reads its script" {
    command -v zsh >/dev/null || skip "there is no zsh"
    "$TACOS" completion zsh >script
    run -0 zsh -n script
    [ -z "$output" ]
    [ "$(head -1 script)" = "#compdef tacos" ]
}

@test "fish completes" {
    command -v fish >/dev/null || skip "there is no fish"
    export HOME=$PWD
    "$TACOS" completion fish >script
    run -0 fish -n script
    touch some.tacos
    fish_offers() {
        fish --no-config -c "source script; complete -C '$1'" | cut -f 1
    }
    [ "$(fish_offers "tacos ru")" = run ]
    [ "$(fish_offers "tacos run demo --set model=ew")" = model=ewc ]
    [ "$(fish_offers "tacos sweep show --to")" = --top ]
    [ "$(fish_offers "tacos inspect some")" = some.tacos ]
}

# ---- usage ----

@test "which shell?" {
    run -2 --separate-stderr "$TACOS" completion
    [[ "$stderr" == *"expected a shell: bash, zsh or fish"* ]]
    run -2 --separate-stderr "$TACOS" completion bahs
    [[ "$stderr" == *"unknown shell 'bahs'; the nearest is 'bash'"* ]]
    run -2 --separate-stderr "$TACOS" completion powershell
    [[ "$stderr" == *"known are bash, zsh, fish"* ]]
}
