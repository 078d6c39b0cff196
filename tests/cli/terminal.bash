# terminal.bash - a terminal of so many columns for the tests of what people see.

# Leaves the test out where no terminal can be made.
need_terminal() {
    script -qec true /dev/null >/dev/null 2>&1 || skip "no terminal can be made here"
}

# What a command prints on a terminal, both streams. Single quotes within words are not possible.
on_terminal() { # COLUMNS WORD...
    local columns=$1 line='' word
    shift
    for word in "$@"; do
        line+=" '$word'"
    done
    TERM=xterm script -qec "stty cols $columns; $line" /dev/null </dev/null | tr -d '\r'
}

# Without colours.
plain() {
    sed 's/\x1b\[[0-9;]*[mK]//g'
}

# Columns of the longest line.
widest() {
    plain | LC_ALL=C.UTF-8 wc -L
}
