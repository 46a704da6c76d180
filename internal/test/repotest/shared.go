// Package repotest helps tests to find what they need. It is imported by tests
// only.
package repotest

import (
	"os"
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

// remedies are how to run tests that are skipped, by what they need.
var remedies = map[string]string{
	"shared":   "set WHENCE_SHARED to its folder",
	"clients":  "install it, as .ci/run does",
	"gitleaks": "go install github.com/zricethezav/gitleaks/v8@v8.30.1",
	"chromium": "install the package chromium",
}

// Missing skips a test that needs something which is not there, or fails it if
// $WHENCE_REQUIRE (a list with commas) names what it needs.
func Missing(t testing.TB, what, reason string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("WHENCE_REQUIRE"), ","), what) {
		t.Fatalf("%s is required, but: %s", what, reason)
	}
	if remedy := remedies[what]; remedy != "" {
		reason += ": " + remedy
	}
	t.Skipf("needs %s: %s", what, reason)
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
