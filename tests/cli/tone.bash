# tone.bash - sounds for tests.

# A WAV file with a tone of so many Hz: a quarter of a second, 8000 bytes per second.
tone() { # HZ
    printf '%b' "$(awk -v hz="$1" 'BEGIN {
        n = 2000
        printf "RIFF%sWAVEfmt %s%s%s", le(36 + n, 4), le(16, 4), le(1, 2), le(1, 2)
        printf "%s%s%s%sdata%s", le(8000, 4), le(8000, 4), le(1, 2), le(8, 2), le(n, 4)
        for (i = 0; i < n; i++)
            printf "%s", le(int(128 + 100 * sin(6.2831853 * hz * i / 8000)), 1)
    }
    function le(value, n,    text) {
        for (; n > 0; n--) { text = text sprintf("\\0%03o", value % 256); value = int(value / 256) }
        return text
    }')"
}
