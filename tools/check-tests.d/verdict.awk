# verdict.awk - the last word, after all that is said at the end of a file.
END { exit n_found > 0 }
