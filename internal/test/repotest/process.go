package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// built locks the programs of this test binary while they are built.
var built struct {
	sync.Mutex
	programs map[string]string // where they are, by package
}

// Build puts a program, a package path or a file, into a folder. It is built as make does,
// once for all test binaries: into bin/test of the module, from where it is linked. With
// -short, which is for the race detector, the test is skipped: no program is built with it.
// Benchmarks get a copy, as packages install one: while the pages that the linker has written are in
// memory, the system maps them one by one, and a program takes 15 % longer to start.
func Build(t testing.TB, dir, pkg string) (program string) {
	t.Helper()
	if _, is := t.(*testing.T); is && testing.Short() {
		t.Skip("runs a program that is built without the race detector")
	}
	built.Lock()
	defer built.Unlock()
	shared := built.programs[pkg]
	if shared == "" {
		shared = buildShared(t, pkg)
		if built.programs == nil {
			built.programs = map[string]string{}
		}
		built.programs[pkg] = shared
	}
	program = filepath.Join(dir, strings.TrimSuffix(filepath.Base(pkg), ".go"))
	if _, is := t.(*testing.B); is {
		src, err := os.ReadFile(shared)
		if err == nil {
			err = os.WriteFile(program, src, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		return program
	}
	if err := os.Link(shared, program); err != nil { // on another disk
		goBuild(t, dir, program, pkg)
	}
	return program
}

func buildShared(t testing.TB, pkg string) (program string) {
	t.Helper()
	root := Root(t)
	dir := filepath.Join(root, "bin", "test")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	name := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(pkg, root), "whence"), ".go")
	program = filepath.Join(dir, strings.ReplaceAll(strings.Trim(filepath.ToSlash(name), "/"), "/", "-"))
	goBuild(t, dir, program, pkg)
	return program
}

// goBuild builds a program, unless it is up to date. It is made in a folder on the same disk and
// renamed: a test that runs the old one is not disturbed.
func goBuild(t testing.TB, dir, program, pkg string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs", "-o", program, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOTMPDIR="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", pkg, err, out)
	}
}

// timeInput runs a program with a text on its standard input, requires that it exits with 0,
// and returns how long the whole process took.
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
	empty := Build(b, b.TempDir(), filepath.Join(Root(b), "internal", "test", "repotest", "testdata", "empty", "main.go"))
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
