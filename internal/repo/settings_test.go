package repo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var settingsFiles = []string{
	"",
	"[core]\n\tbare = true\n\tworktree = ../tree\n",
	"[core] bare\n",
	"[CORE]\r\n\tBare = No\r\n[remote \"a \\\"b\\\\ C\"]\r\n\turl = x\r\n",
	"\ufeff[core]\nbare = yes ; why\nworktree = \"  a # b ; \" c  \t# more\n",
	"[core]\nworktree = one \\\n two\\tthree\\n\n",
	"[core]\nworktree = \"one \\\ntwo\"\n",
	"[core.Sub]\nbare = true\n[core]\nbare = off\nbare = 1\n",
	"[core \"\"]\nbare = true\n[branch \"x\"] merge=refs/heads/x\n",
	"[remote \"origin\"]\nurl =\nurl = a=b\n\n; comment\n# comment",
	"[core]\nworktree = a\tb  c",
	"[core]\nworktree = end\\",
	// What git refuses:
	"bare = true\n",
	"[core\nbare = true\n",
	"[core]\nworktree = \"open\n",
	"[core]\nworktree = \\x\n",
	"[core]\n2bare = true\n",
	"[core]\nbare true\n",
	"[core \"a\nb\"]\nx = y\n",
	"[co re]\nx = y\n",
	"[]\nx = y\n",
	"[core]\na_b = c\n",
}

// FuzzSettings shows that settings are read as git reads them.
func FuzzSettings(f *testing.F) {
	for _, src := range settingsFiles {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if strings.ContainsRune(src, 0) {
			t.Skip("git ends lines there in some versions")
		}
		path := filepath.Join(t.TempDir(), "config")
		require.NoError(t, os.WriteFile(path, []byte(src), 0o600))
		out, err := exec.Command("git", "config", "--file", path, "--null", "--list").Output()
		settings, ok := parseSettings([]byte(src))
		require.Equal(t, err == nil, ok)
		if err != nil {
			return
		}
		var want, got []string
		for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if line != "" {
				key, value, is := strings.Cut(line, "\n")
				if !is {
					value = "true"
				}
				want = append(want, key+"="+strings.Map(blank, value))
			}
		}
		for _, s := range settings {
			got = append(got, s.key+"="+strings.Map(blank, s.value))
		}
		assert.Equal(t, want, got)
	})
}

// blank makes all white space one character: versions of git differ in it.
func blank(c rune) rune {
	if strings.ContainsRune("\t\v\f\r", c) {
		return ' '
	}
	return c
}

func TestIsTrue(t *testing.T) {
	for value, want := range map[string]bool{"true": true, "YES": true, "on": true, "1": true, "-2": true, "false": false, "0": false, "": false, "no": false, "x": false} {
		assert.Equal(t, want, isTrue(value), value)
	}
}
