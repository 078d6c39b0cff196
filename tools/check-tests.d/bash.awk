# bash.awk - bats files and what they load.
#
# A test fails at the first command that fails, except where bash looks the other way: after `!`, and on the left of
# `&&`. What `run` runs never fails by itself.

# Text in place of a file is not ours.
here_document != "" {
    if ($1 == here_document)
        here_document = ""
    next
}
/<<-?'?[A-Z]/ {
    here_document = $0
    sub(/.*<<-?'?/, "", here_document)
    sub(/[^A-Z].*/, "", here_document)
}

function is_run(command) {
    return command ~ /^run / && command !~ /^run (--[a-z-]+ )*(!|-[0-9]+)( |$)/
}

function looks(command, first) {
    gsub(/--separate-stderr/, "", command)
    return command ~ /(status|output|lines|stderr)/ || first in looks_at
}

# Without what is quoted, substituted or in brackets.
function bare(command) {
    gsub(/\\./, "", command)
    gsub(/'[^']*'/, "", command)
    gsub(/"[^"]*"/, "", command)
    gsub(/\[\[ .* \]\]/, "", command)
    while (gsub(/[(][^()]*[)]/, "", command))
        ;
    return command
}

function leave_unseen() {
    if (unseen && reported)
        report(unseen, "what this command came to is never looked at: run -0, or look at $status")
    unseen = 0
}

# An `and` or a `not` before the end.
function check_held() {
    if (held && reported)
        report(held, why_held)
    held = 0
}

/^[a-z_]+[(][)] [{]/ {
    inside = substr($0, 1, index($0, "(") - 1)
    is_test = 0
    next
}
/^@test / {
    inside = $0
    is_test = 1
    next
}
/^}/ {
    if (is_test)
        leave_unseen()
    inside = ""
    held = unseen = 0
    next
}

{
    command = $0
    sub(/^[ \t]+/, "", command)
    sub(/(^|[ \t])#.*/, "", command)
}
command == "" { next }

reported && has_word(command, "u?sleep|SECONDS|EPOCHSECONDS|EPOCHREALTIME|timeout|date") { report_clock(FNR, $0) }

inside == "" { next }

{
    check_held()
    first = command
    while (first ~ /^[A-Za-z_]+=[^ ]* /) # a variable for this command alone
        sub(/^[^ ]* /, "", first)
    sub(/ .*/, "", first)
}

is_test {
    if (is_run(command) || first in runs) {
        leave_unseen()
        unseen = FNR
    } else if (looks(command, first)) {
        unseen = 0
    }
}
!is_test {
    if (is_run(command) || first in runs)
        runs[inside]
    if (looks(command, first) && command !~ /(^|; )(status|stderr|output)=/)
        looks_at[inside]
    if (inside in runs && inside in looks_at)
        delete runs[inside]
}

command ~ /^! / {
    held = FNR
    why_held = "`! command` fails no test: run ! command"
}
command ~ /^(\[|\[\[|test|grep|diff|cmp|jq) .*\|\| *(true|:)$/ {
    if (reported)
        report(FNR, "`|| true` takes the assertion away")
}
bare(command) ~ /&&/ && command !~ /^(if|elif|while|until) / && bare(command) !~ /; (then|do)$/ &&
    bare(command) !~ /&& *(break|continue|return|skip|exit)/ && bare(command) !~ /&&.*\|\|/ {
    held = FNR
    why_held = "`a && b` fails no test if a fails: one command a line"
}
