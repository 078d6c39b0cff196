# events.bash - a program in the background, and what it says, line by line.
#
# Nothing here knows a time: it waits for a line or for an end, however long they take. With TACOS_TEST_CLOCK=10
# (CONTRIBUTING.md) a command says a line after every sample, and since it goes no further than a pipe holds what nobody
# reads, some 1,000 lines, it is still at work when the next signal comes, unless it has less to do than that.

# Start a command: its process is $pid, what it says on stderr comes through `await`.
begin() { # COMMAND...
    rm -f events
    mkfifo events
    # SIGINT alive, which shells take from jobs in the background; no file of ours open
    env --default-signal=INT "$@" <&0 2>events 3>&- 7>&- &
    pid=$!
    exec 8<events
}

# Wait for a line that has TEXT in it; fails if the command ends before.
await() { # TEXT
    local line
    while IFS= read -r line <&8; do
        [[ "$line" != *"$1"* ]] || return 0
    done
    echo "it ended before it said '$1'"
    return 1
}

# Wait for so many lines, likewise.
await_lines() { # N
    local n
    for ((n = 0; n < $1; n++)); do
        await ""
    done
}

# Wait for its end, as `run --separate-stderr` does: $status, and in $stderr what `await` has not read.
# shellcheck disable=SC2034 # tests look at them
finish() {
    stderr=$(cat <&8)
    exec 8<&-
    status=0
    wait "$pid" || status=$?
}

end_by() { # SIGNAL
    kill -"$1" "$pid"
    finish
}
