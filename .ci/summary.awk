# Reads what "go test -v" prints, and after it a line "exit STATUS". Shows what the packages
# that fail print, without the tests that pass; then which tests were skipped, by reason, and
# how to run them; then which failed, and the summary of go test. Ends with STATUS.

$1 == "exit" && NF == 2 { status = $2; next }

/^=== (RUN|PAUSE|CONT|NAME)/ { test = $3; next }

/^ *--- PASS: / { next }

{ output = output $0 "\n" }

# A message of a test; the last one before it is skipped is the reason.
/^ +[A-Za-z0-9_]+\.go:[0-9]+: / {
	message = $0
	sub(/^ +[A-Za-z0-9_]+\.go:[0-9]+: /, "", message)
	said[test] = message
}

/^ *--- SKIP: / { count[said[$3]]++; skipped++ }

/^ *--- FAIL: / { failed = failed $0 "\n" }

/^(ok  |FAIL|\?   )\t/ || /^\t.*coverage: / {
	if ($1 == "FAIL") printf "%s", output
	summary = summary $0 "\n"
	output = ""
	split("", said)
	printf "." > "/dev/stderr"
}

END {
	printf "\n" > "/dev/stderr"
	if (skipped > 0) {
		printf "%d tests were skipped:\n", skipped
		fflush()
		for (reason in count) printf "%6d  %s\n", count[reason], reason | "sort -k1,1nr -k2"
		close("sort -k1,1nr -k2")
		print "To run a test that needs something, do what its reason says; one that root cannot fail, run as another user."
		print "WHENCE_REQUIRE, a list of what tests need, makes a failure of what is missing."
	}
	printf "%s%s%s", failed, summary, output # what is left is its last FAIL
	exit status
}
