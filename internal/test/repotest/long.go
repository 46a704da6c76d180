package repotest

import "os"

// Long reports whether tests that sample are to try everything: WHENCE_LONG is set.
func Long() bool { return os.Getenv("WHENCE_LONG") != "" }

// Sample returns one in n of all items, from a place on, or all of them if tests are long.
func Sample[T any](all []T, n, from int) []T {
	if Long() {
		return all
	}
	var some []T
	for at := from % n; at < len(all); at += n {
		some = append(some, all[at])
	}
	return some
}
