// Package repotest helps tests to find what they need. It is imported by tests
// only.
package repotest

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Shared is the path of a file or folder of the shared material: real memories,
// transcripts, and language-neutral cases, which are not part of the repository.
// They lie in $WHENCE_SHARED, by default beside the repository. Without them the
// test is skipped, or fails if $WHENCE_REQUIRE names "shared".
func Shared(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("WHENCE_SHARED")
	if dir == "" {
		dir = filepath.Join(Root(t), "..", "shared")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		Missing(t, "shared", err.Error())
	}
	return path
}

// Program is the path of a program that is installed beside Go. Without it the test is skipped.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Missing(t, name, "it is not installed")
	}
	return path
}

// remedies are how to run tests that are skipped, by what they need; for all else it is what .ci/run does.
var remedies = map[string]string{
	"shared":   "set WHENCE_SHARED to its folder",
	"chromium": "install the package chromium",
}

// Missing skips a test that needs something which is not there, or fails it if
// $WHENCE_REQUIRE (a list with commas) names what it needs.
func Missing(t testing.TB, what, reason string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("WHENCE_REQUIRE"), ","), what) {
		t.Fatalf("%s is required, but: %s", what, reason)
	}
	t.Skipf("needs %s: %s: %s", what, reason, cmp.Or(remedies[what], "install it, as .ci/run does"))
}

// startedIn is the folder of the package that is tested; a test may work in another one.
var startedIn, errStartedIn = os.Getwd()

// Root is the root folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := startedIn, errStartedIn
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	t.Fatalf("no go.mod above the working folder: %v", err)
	return ""
}
