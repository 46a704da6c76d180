package repo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// A .git folder counts only if it counts for git: sandboxes of agents leave empty ones behind, even in /tmp.
func TestGitFoldersAreThoseOfGit(t *testing.T) {
	hash := strings.Repeat("a1", 20)
	for name, c := range map[string]map[string]string{
		"empty":                {},
		"head alone":           {"HEAD": "ref: refs/heads/main"},
		"empty head":           {"HEAD": "", "objects/x": "", "refs/x": ""},
		"no refs":              {"HEAD": "ref: refs/heads/main", "objects/x": ""},
		"foreign head":         {"HEAD": "ref: elsewhere", "objects/x": "", "refs/x": ""},
		"short hash":           {"HEAD": hash[1:], "objects/x": "", "refs/x": ""},
		"branch":               {"HEAD": "ref: refs/heads/main\n", "objects/x": "", "refs/x": ""},
		"branch without space": {"HEAD": "ref:refs/heads/main", "objects/x": "", "refs/x": ""},
		"commit":               {"HEAD": hash + "\n", "objects/x": "", "refs/x": ""},
		"upper case":           {"HEAD": strings.ToUpper(hash), "objects/x": "", "refs/x": ""},
		"linked":               {"HEAD": hash, "commondir": "../../.git\n"},
		"linked to nowhere":    {"HEAD": hash, "commondir": "nowhere"},
		"linked, without head": {"commondir": "../../.git"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := realPath(t, t.TempDir())
			require.NoError(t, exec.Command("git", "init", "-q", dir).Run())
			inner := filepath.Join(dir, "inner")
			require.NoError(t, os.MkdirAll(filepath.Join(inner, ".git"), 0o755))
			for file, text := range c {
				path := filepath.Join(inner, ".git", filepath.FromSlash(file))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			cmd := exec.Command("git", "rev-parse", "--show-toplevel")
			cmd.Dir = inner
			want, err := cmd.Output()
			require.NoError(t, err)
			r, err := repo.Open(inner, inner, func(string) string { return "" })
			require.NoError(t, err)
			require.Equal(t, strings.TrimSpace(string(want)), filepath.ToSlash(r.Root))
		})
	}
}
