package repotest

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Build builds a program, a package path or a file, into a folder, as make does.
func Build(t testing.TB, dir, pkg string) (program string) {
	t.Helper()
	program = filepath.Join(dir, strings.TrimSuffix(filepath.Base(pkg), ".go"))
	if out, err := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", program, pkg).CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
	return program
}

// Time runs a program with an empty standard input, requires that it exits with 0,
// and returns how long the whole process took.
func Time(t testing.TB, program string, args ...string) time.Duration {
	t.Helper()
	return timeInput(t, "", program, args...)
}

func timeInput(t testing.TB, input, program string, args ...string) time.Duration {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(input)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	duration := time.Since(start)
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return duration
}

// Compare runs a program beside an empty one that reads its standard input, in turns,
// and reports the ratio of the medians ("x-empty").
func Compare(b *testing.B, program string, args ...string) {
	b.Helper()
	CompareFunc(b, "", program, func() []string { return args })
}

// CompareInput is Compare for programs that read something.
func CompareInput(b *testing.B, input, program string, args ...string) {
	b.Helper()
	CompareFunc(b, input, program, func() []string { return args })
}

// CompareFunc is CompareInput with other arguments each time.
func CompareFunc(b *testing.B, input, program string, args func() []string) {
	b.Helper()
	empty := Build(b, b.TempDir(), filepath.Join(Root(b), "internal", "repotest", "testdata", "empty", "main.go"))
	var times, base []time.Duration
	for b.Loop() {
		times = append(times, timeInput(b, input, program, args()...))
		base = append(base, timeInput(b, input, empty))
	}
	b.ReportMetric(float64(median(times))/float64(median(base)), "x-empty")
}

func median(values []time.Duration) time.Duration {
	values = slices.Clone(values)
	slices.Sort(values)
	return values[len(values)/2]
}
