# sh.awk - scripts that test: clocks. They run with `set -e`, and look at what may fail themselves.
{
    sub(/(^|[ \t])#.*/, "")
    if (has_word($0, "u?sleep|SECONDS|EPOCHSECONDS|EPOCHREALTIME|timeout|date"))
        report_clock(FNR, $0)
}
