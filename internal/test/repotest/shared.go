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
	"testing/fstest"
)

// Shared is the path of a file or folder of the shared material: real memories,
// transcripts, and language-neutral cases, which are not part of the repository.
// They lie in $WHENCE_SHARED, by default beside the repository. Without them the
// test is skipped, or fails if $WHENCE_REQUIRE names "shared".
func Shared(t testing.TB, name string) string {
	t.Helper()
	path, err := shared(t, name)
	if err != nil {
		t.Log(err)
		Missing(t, "shared", "real memories, transcripts and cases do not lie beside the repository")
	}
	return path
}

func shared(t testing.TB, name string) (path string, err error) {
	t.Helper()
	dir := cmp.Or(os.Getenv("WHENCE_SHARED"), filepath.Join(Root(t), "..", "shared"))
	path = filepath.Join(dir, filepath.FromSlash(name))
	_, err = os.Stat(path)
	return path, err
}

// required reports whether $WHENCE_REQUIRE, a list with commas, names what a test needs.
func required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv("WHENCE_REQUIRE"), ","), what)
}

// Memories are the example, the memory of this project, and real ones of the shared material, by name. Of these there
// are as many as lie beside the repository.
func Memories(t testing.TB, real ...string) map[string]fstest.MapFS {
	t.Helper()
	all := map[string]fstest.MapFS{"ferry": MarkdownTree(t, filepath.Join(Root(t), "examples", "ferry")), "whence": {}}
	for name, file := range MarkdownTree(t, filepath.Join(Root(t), "agents")) {
		all["whence"]["agents/"+name] = file
	}
	for _, name := range real {
		path, err := shared(t, "corpora/"+name)
		if err != nil && !required("shared") {
			continue
		}
		all[name] = MarkdownTree(t, path)
	}
	return all
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

// remedies say how to run tests that are skipped, by what they need; .ci/run does the rest.
var remedies = map[string]string{
	"shared":   "set WHENCE_SHARED to its folder",
	"chromium": "install the package chromium",
}

// Missing skips a test that needs something which is not there, or fails it if it is required.
func Missing(t testing.TB, what, reason string) {
	t.Helper()
	if required(what) {
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
