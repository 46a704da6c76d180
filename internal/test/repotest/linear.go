package repotest

import (
	"fmt"
	"testing"
	"time"
)

// RequireLinear requires that the work that run returns for a size takes about as long as sixteen
// times that for a sixteenth of it; what is quadratic takes sixteen times as long. Both are measured
// in turn, in the time of the processor where the system tells it, and again if the ratio is too
// high: a busy machine may have slowed down one. Nothing else may run in this process.
func RequireLinear(t testing.TB, size int, run func(size int) func()) {
	t.Helper()
	const parts, maxRatio, attempts = 16, 8, 20
	part, whole := run(size/parts), run(size)
	took := func(times int, work func()) time.Duration {
		begun := processorTime()
		for range times {
			work()
		}
		return processorTime() - begun
	}
	var last string
	for range attempts {
		once, inParts := took(1, whole), took(parts, part)
		if once <= maxRatio*inParts {
			return
		}
		last = fmt.Sprintf("%v, in %d parts %v", once, parts, inParts)
	}
	t.Fatalf("the time is not linear in the size: %s", last)
}

// RequireBrief requires that work takes this process no more than a second, which is what an event has. It
// is measured like that of RequireLinear, on the first attempt that is not disturbed.
func RequireBrief(t testing.TB, what string, work func()) {
	t.Helper()
	var took time.Duration
	for range 4 {
		begun := processorTime()
		work()
		if took = processorTime() - begun; took < time.Second {
			return
		}
	}
	t.Fatalf("%s takes %v of the processor", what, took)
}
