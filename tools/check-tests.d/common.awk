# common.awk - lines of a file, and what is wrong with them. Only of the last file, after reported=1, is it told.

function report(line, what) {
    printf "%s:%d: %s\n", FILENAME, line, what
    n_found++
}

# A word that is not part of another.
function has_word(text, words) {
    return text ~ "(^|[^A-Za-z0-9_.-])(" words ")([^A-Za-z0-9_-]|$)"
}

function has_call(text, names) {
    return text ~ "(^|[^A-Za-z0-9_])(" names ")[(]"
}

# Unless the line says that a time is only printed.
function report_clock(line, text) {
    if (text !~ /clock: /)
        report(line, "a test must not look at the clock")
}
