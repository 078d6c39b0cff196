# bars.bash - a stream for tests of columns: four classes of 8 x 8 images, a bar that stands or lies, at one side or the
# other.

samples() { # FROM TO [CLASS]
    awk -v from="$1" -v to="$2" -v only="${3:-}" 'BEGIN {
        for (k = from; k < to; k++) {
            c = only == "" ? k % 4 : only
            line = c
            for (j = 0; j < 64; j++) {
                at = c % 2 ? int(j / 8) : j % 8
                first = c < 2 ? 1 : 5
                bright = at == first || at == first + 1
                line = line "," (bright ? 60 + (k * 7 + j * 3) % 40 : (k * 5 + j * 11) % 15)
            }
            print line
        }
    }'
}
