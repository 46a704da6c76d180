package fences_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// starters are the packages, without those of tests, that start other programs, and what they
// start. Git is started by internal/repo alone.
var starters = map[string]string{
	"internal/repo":          "git",
	"internal/cli":           "workers",
	"hooks":                  "memory-validate, memory-hooks itself and agents, for --git and doctor",
	"internal/test/pgtest":   "PostgreSQL",
	"internal/test/repotest": "go, and the programs of this module",
}

// gitVariables are the packages that name variables of git, and why.
var gitVariables = map[string]string{
	"internal/repo":          "honours those of a hook, and guards its commands",
	"internal/cli":           "hides all of them from workers, and from programs that an agent starts",
	"internal/capture":       "hides all of them from the settings of other sessions",
	"internal/test/repotest": "gives scripts of tests an author",
}

// calls returns the calls of functions of a package in a file, by name, with the first arguments
// that are literals.
func calls(file *ast.File, path string) (found [][2]string) {
	name := ""
	for _, spec := range file.Imports {
		if value, _ := strconv.Unquote(spec.Path.Value); value == path {
			if name = filepath.Base(path); spec.Name != nil {
				name = spec.Name.Name
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || name == "" {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if of, ok := selector.X.(*ast.Ident); ok && of.Name == name {
			literal := ""
			for _, argument := range call.Args {
				if value, ok := argument.(*ast.BasicLit); ok && literal == "" {
					literal, _ = strconv.Unquote(value.Value)
				}
			}
			found = append(found, [2]string{selector.Sel.Name, literal})
		}
		return true
	})
	return found
}

// starts reports whether a function starts a program.
func starts(path, name string) bool {
	switch path {
	case "os/exec":
		return name == "Command" || name == "CommandContext"
	case "os":
		return name == "StartProcess"
	}
	return name == "ForkExec" || name == "StartProcess" || name == "Exec"
}

// Git is run in one place, which guards each command: what a cloned repository names is not
// executed, and no variable says which repository is meant but those of the caller.
func TestGitIsRunInOnePlace(t *testing.T) {
	commands, starting, naming := 0, map[string]bool{}, map[string]bool{}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "whence/")
		for _, goFile := range p.GoFiles {
			where := name + "/" + goFile
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, goFile), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, path := range []string{"os/exec", "os", "syscall"} {
				for _, call := range calls(file, path) {
					if !starts(path, call[0]) {
						continue
					}
					require.Contains(t, starters, name, "%s starts a program", where)
					starting[name] = true
					program := strings.TrimSuffix(filepath.Base(call[1]), ".exe")
					if name == "internal/repo" {
						require.Equal(t, "command.go git", goFile+" "+program, "where git is run")
						commands++
					} else {
						require.NotEqual(t, "git", program, "%s runs git", where)
					}
				}
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					if value, err := strconv.Unquote(literal.Value); err == nil && strings.HasPrefix(value, "GIT_") {
						require.Contains(t, gitVariables, name, "%s names %s", where, value)
						naming[name] = true
						if name == "internal/repo" {
							for _, variable := range []string{"GIT_DIR=", "GIT_WORK_TREE=", "GIT_COMMON_DIR="} {
								require.False(t, strings.HasPrefix(value, variable) && goFile != "repo.go", "%s sets %s", where, value)
							}
						}
					}
				}
				return true
			})
		}
	}
	require.Equal(t, 1, commands, "all commands of git go through one call")
	for name := range starters {
		require.True(t, starting[name], "%s starts no program", name)
	}
	for name := range gitVariables {
		require.True(t, naming[name], "%s names no variable of git", name)
	}
}

// The one function that starts git is called where a command is guarded only.
func TestCommandsOfGitAreGuarded(t *testing.T) {
	all := packages(t)
	p := all[slices.IndexFunc(all, func(p pkg) bool { return p.ImportPath == "whence/internal/repo" })]
	guarded := []string{"answer", "mergeFile", "readHooksPath"}
	for _, goFile := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, goFile), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declared := range file.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if called, ok := call.Fun.(*ast.Ident); ok && called.Name == "run" {
						require.Contains(t, guarded, function.Name.Name, "%s runs git by itself", goFile)
					}
					if called, ok := call.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "readHooksPath" {
						require.Contains(t, []string{"hooksDir", "checkShared"}, function.Name.Name, "only there core.hooksPath counts")
					}
				}
				return true
			})
		}
	}
}
