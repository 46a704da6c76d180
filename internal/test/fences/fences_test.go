package fences_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// pkg is the output of go list for a package.
type pkg struct {
	ImportPath, Name, Dir, Doc         string
	GoFiles, CgoFiles                  []string
	Imports, TestImports, XTestImports []string
	Deps                               []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json", "./...")
	cmd.Dir = repotest.Root(t)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var all []pkg
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p pkg
		require.NoError(t, decoder.Decode(&p))
		all = append(all, p)
	}
	require.NotEmpty(t, all)
	return all
}

// layers are the packages of the module from top to bottom. A package imports only
// from layers below its own.
var layers = [][]string{
	{"validate/memory-validate", "migrate/memory-migrate", "when/memory-when", "remember/memory-remember", "hooks/memory-hooks"},
	{"hooks"},
	{"remember/mcp", "remember/embedding"},
	{"migrate", "remember"},
	{"validate", "when", "internal/report"},
	{"internal/dispatch", "internal/notes"},
	{"internal/capture"},
	{"internal/test/storetest"},
	{"internal/cli", "internal/store"},
	{"internal/config", "internal/learning"},
	{"internal/memory"},
	{"internal/record", "internal/repo", "internal/trigger"},
	{"internal/index", "internal/decision"},
	{"internal/test/transcripttest"},
	{"internal/test/repotest", "internal/test/eval", "internal/test/fences", "internal/test/e2e"},
	{"internal/program"},
	{"internal/home"},
	{"internal/merge", "internal/finding", "internal/rank", "internal/worktree", "internal/agent/transcript"},
	{"internal/agent", "internal/shell", "internal/textdiff", "internal/redact", "docs", "skills"},
	{"internal/inert"},
	{"internal/words", "internal/lazyregexp", "internal/test/model"},
}

// forTests are imported by tests only.
var forTests = []string{"internal/test/repotest", "internal/test/storetest", "internal/test/transcripttest", "internal/test/eval", "internal/test/model"}

// owners are the outside libraries, each with the packages that may import it; nil is for tests only.
var owners = map[string][]string{
	"github.com/sergi/go-diff":               {"internal/textdiff"},
	"github.com/urfave/cli/v2":               {"internal/cli", "internal/dispatch", "validate", "migrate", "when", "remember", "hooks"},
	"github.com/go-git/go-git/v5":            {"internal/repo"},
	"github.com/go-git/go-billy/v5":          {"internal/repo"},
	"github.com/mattn/go-isatty":             {"internal/cli"},
	"github.com/gofrs/flock":                 {"internal/worktree", "internal/test/repotest", "internal/test/e2e"},
	"go.yaml.in/yaml/v3":                     {"internal/config", "internal/decision"},
	"github.com/bmatcuk/doublestar/v4":       {"internal/worktree"},
	"github.com/blevesearch/snowballstem":    {"internal/words"},
	"mvdan.cc/sh/v3":                         {"internal/shell"},
	"github.com/clipperhouse/uax29/v2":       {"internal/words"},
	"modernc.org/sqlite":                     {"internal/store", "internal/capture", "internal/test/transcripttest"},
	"golang.org/x/text":                      {"internal/words"},
	"github.com/tailscale/hujson":            {"internal/agent"},
	"github.com/modelcontextprotocol/go-sdk": {"remember/mcp"},
	"github.com/go-json-experiment/json":     {"internal/agent/transcript", "internal/store"},
	"github.com/dustin/go-humanize":          {"remember"},
	"github.com/sourcegraph/conc":            {"internal/memory", "internal/dispatch", "internal/rank", "migrate", "validate", "when"},
	"github.com/stretchr/testify":            nil,
	"github.com/rogpeppe/go-internal":        nil,
	"github.com/yuin/goldmark":               {"internal/decision"},
	"golang.org/x/tools":                     nil,
}

func layerOf(name string) int {
	return slices.IndexFunc(layers, func(layer []string) bool { return slices.Contains(layer, name) })
}

func TestImportsPointDown(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "whence/")
		from := layerOf(name)
		require.GreaterOrEqual(t, from, 0, "%s is in no layer", name)
		for _, imported := range p.Imports {
			target, inModule := strings.CutPrefix(imported, "whence/")
			if !inModule {
				continue
			}
			below := layerOf(target) > from
			require.True(t, below, "%s imports %s, which is not below it", name, target)
			if !slices.Contains(forTests, name) {
				require.NotContains(t, forTests, target, "%s imports it outside of its tests", name)
			}
		}
	}
}

func TestLibrariesHaveOwners(t *testing.T) {
	used := map[string]bool{}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "whence/")
		for _, imported := range p.Imports {
			library, outside := libraryOf(imported)
			if !outside {
				continue
			}
			allowed, known := owners[library]
			require.True(t, known, "%s imports %s, which has no owner", name, imported)
			require.True(t, slices.Contains(allowed, name) || allowed == nil && slices.Contains(forTests, name),
				"%s imports %s, which belongs to %v", name, imported, allowed)
			used[library] = true
		}
		for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
			if library, outside := libraryOf(imported); outside {
				require.Contains(t, owners, library, "tests of %s", name)
				used[library] = true
			}
		}
	}
	for library := range owners {
		require.True(t, used[library], "%s is listed but not used", library)
	}
}

// Agents start memory-hooks at each event, which never asks a server: it does not link what would.
func TestHooksLinkNoServer(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != "whence/hooks/memory-hooks" {
			continue
		}
		for _, dep := range p.Deps {
			library, _ := libraryOf(dep)
			require.NotEqual(t, "github.com/modelcontextprotocol/go-sdk", library)
			require.NotEqual(t, "net/http", dep)
		}
	}
}

// libraryOf returns the library of a package outside of the module and the
// standard library. One that is not listed is named by the whole path.
func libraryOf(imported string) (library string, outside bool) {
	first, _, _ := strings.Cut(imported, "/")
	if first == "whence" || !strings.Contains(first, ".") {
		return "", false
	}
	for library := range owners {
		if imported == library || strings.HasPrefix(imported, library+"/") {
			return library, true
		}
	}
	return imported, true
}

// published are all programs that there will be. Whatever else is a main package
// would end up on the PATH of everybody who installs a hook.
var published = []string{
	"validate/memory-validate", "migrate/memory-migrate", "when/memory-when",
	"remember/memory-remember", "hooks/memory-hooks",
}

func TestPublishedPrograms(t *testing.T) {
	found := 0
	for _, p := range packages(t) {
		require.Empty(t, p.CgoFiles, "%s needs cgo", p.ImportPath)
		if p.Name != "main" {
			continue
		}
		found++
		name := strings.TrimPrefix(p.ImportPath, "whence/")
		require.Contains(t, published, name)
		require.Equal(t, []string{"main.go"}, p.GoFiles)
		src, err := os.ReadFile(filepath.Join(p.Dir, "main.go"))
		require.NoError(t, err)
		require.LessOrEqual(t, bytes.Count(src, []byte("\n")), 20, "a main is a door")
		readme, err := os.ReadFile(filepath.Join(repotest.Root(t), "README.md"))
		require.NoError(t, err)
		require.Contains(t, string(readme), "`"+path.Base(name)+"`", "README.md does not name the program")
	}
	require.NotZero(t, found)
}

func TestOnlyMainsExit(t *testing.T) {
	for _, p := range packages(t) {
		if p.Name == "main" {
			continue
		}
		for _, file := range p.GoFiles {
			src, err := os.ReadFile(filepath.Join(p.Dir, file))
			require.NoError(t, err)
			require.NotContains(t, string(src), "os.Exit(", "%s/%s", p.ImportPath, file)
		}
	}
}

// What a cloned repository names is not executed: programs are found and started in one file, and git is run in one,
// which guards each command.
func TestGitIsRunInOnePlace(t *testing.T) {
	starts := regexp.MustCompile(`\bexec\.(Command|LookPath)|\bexec\.Cmd\{|\b(os|syscall)\.StartProcess|\bsyscall\.(Exec|ForkExec)`)
	forged := regexp.MustCompile(`\bhome\.Program\([^)]`)
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "whence/")
		if strings.HasPrefix(name, "internal/test/") {
			continue
		}
		for _, file := range p.GoFiles {
			src, err := os.ReadFile(filepath.Join(p.Dir, file))
			require.NoError(t, err)
			place := name + "/" + file
			require.Equal(t, place == "internal/program/program.go", starts.Match(src), "%s starts a program", place)
			require.False(t, forged.Match(src), "%s runs a path that was not checked", place)
			require.Equal(t, place == "internal/repo/command.go", strings.Contains(string(src), `.Program("git")`), place)
		}
	}
}
