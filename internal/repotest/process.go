package repotest

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Build builds a program, a package path or a file, into a folder.
func Build(t testing.TB, dir, pkg string) (program string) {
	t.Helper()
	program = filepath.Join(dir, strings.TrimSuffix(filepath.Base(pkg), ".go"))
	if out, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return program
}

// Time runs a program with an empty standard input, requires that it exits with 0,
// and returns how long the whole process took.
func Time(t testing.TB, program string, args ...string) time.Duration {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = bytes.NewReader(nil)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	duration := time.Since(start)
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return duration
}

// Ratio is the median of times divided by the median of base.
func Ratio(times, base []time.Duration) float64 {
	return float64(median(times)) / float64(median(base))
}

func median(values []time.Duration) time.Duration {
	values = slices.Clone(values)
	slices.Sort(values)
	return values[len(values)/2]
}
