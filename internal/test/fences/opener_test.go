package fences_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// openers are the functions that open or change files by their paths, or follow links.
var openers = map[string][]string{
	"os": {
		"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "DirFS", "Lchown", "Link", "Lstat", "Mkdir", "MkdirAll", "MkdirTemp",
		"Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadDir", "ReadFile", "Readlink", "Remove", "RemoveAll", "Rename", "Stat", "Symlink", "Truncate", "WriteFile",
	},
	"path/filepath": {"EvalSymlinks", "Glob", "Walk", "WalkDir"},
	"syscall":       {"Open", "Openat", "Mkdir", "Rename", "Unlink", "Symlink", "Link"},
	"io/ioutil":     {"ReadFile", "WriteFile", "ReadDir", "TempFile", "TempDir"},
}

// opens are the packages and files that may use them, each with what they open. A file that
// a repository holds is not among it: package worktree opens those, since somebody else may
// have put links there.
var opens = map[string]string{
	"internal/worktree": "the one way to the files of a repository; entries of an opened folder",

	"internal/repo":           "git directories, as git finds them",
	"internal/notes/notes.go": "looks whether .memory is a folder, and follows no link",

	"internal/program":                 "where programs lie",
	"internal/home":                    "state: the folder of the user's data, the name of the machine",
	"internal/store":                   "state: memory.db",
	"internal/config":                  "state: the user's own settings, and what the user has allowed",
	"internal/memory/git_names.go":     "state: which files are memory; looks whether git's settings have changed",
	"internal/dispatch/request.go":     "the plugin's own folder",
	"internal/dispatch/codex.go":       "the transcript that the agent names",
	"internal/dispatch/session.go":     "state: sessions",
	"internal/dispatch/given.go":       "state: sessions",
	"internal/dispatch/faultlog.go":    "state: the log of faults",
	"hooks/doctor_store_and_memory.go": "state: tries whether it can be written",

	"internal/notes/calls.go":   "the transcript that the agent names",
	"internal/capture":          "transcripts that the agent names, and those of its subagents",
	"hooks/asking.go":           "a folder named on the command line",
	"hooks/report_command.go":   "a folder named on the command line",
	"remember/import_export.go": "a file named on the command line",

	"hooks/agent_file.go":          "makes the folder of an agent's settings; the files in it are opened by package worktree",
	"hooks/register_options.go":    "looks whether an agent has a folder",
	"internal/test/repotest":       "tests",
	"internal/test/transcripttest": "transcripts for tests",
}

// A path that a repository has made up can only be opened in package worktree.
func TestFilesAreOpenedInFewPlaces(t *testing.T) {
	root, used := repotest.Root(t), map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		file := filepath.ToSlash(rel)
		allowed := ""
		for _, place := range []string{file, filepath.ToSlash(filepath.Dir(rel))} {
			if opens[place] != "" {
				allowed = place
			}
		}
		for _, call := range openersIn(t, name) {
			require.NotEmpty(t, allowed, "%s uses %s: files of a repository are opened by package worktree; for others add a line to opens", file, call)
			used[allowed] = true
		}
		return nil
	}))
	for place := range opens {
		require.True(t, used[place], "%s is listed and opens nothing", place)
	}
}

// openersIn are the openers that a file names, called or not.
func openersIn(t *testing.T, name string) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	packages := map[string]string{} // by the name that the file gives them
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		if openers[imported] == nil {
			continue
		}
		as := imported[strings.LastIndexByte(imported, '/')+1:]
		if spec.Name != nil {
			as = spec.Name.Name
		}
		require.NotEqual(t, ".", as, "%s imports %s without its name", name, imported)
		packages[as] = imported
	}
	ast.Inspect(file, func(n ast.Node) bool {
		selector, is := n.(*ast.SelectorExpr)
		if !is {
			return true
		}
		if pkg, is := selector.X.(*ast.Ident); is && slices.Contains(openers[packages[pkg.Name]], selector.Sel.Name) {
			found = append(found, pkg.Name+"."+selector.Sel.Name)
		}
		return true
	})
	return found
}
