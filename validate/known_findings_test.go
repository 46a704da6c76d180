package validate_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/validate"
)

// In random memories whose last commit has findings, a commit is stopped exactly for what it breaks.
func TestACommitIsStoppedForWhatItBreaks(t *testing.T) {
	rounds := 12
	if repotest.Long() {
		rounds = 500
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "seed %d: %s", seed, out)
	}
	git("init", "-q", ".")
	for round := range rounds {
		s := newBrokenMemory(random, round)
		s.write(t, dir)
		git("add", "-A")
		git("commit", "-qm", "before", "--no-verify", "--allow-empty")
		breaks := round%2 == 1
		s.change(random, breaks)
		s.write(t, dir)
		git("add", "-A")
		getenv := func(name string) string { return map[string]string{"GIT_INDEX_FILE": ".git/index"}[name] }
		var out strings.Builder
		status := validate.Main(cli.Env{Args: []string{"memory-validate", "--staged"}, Dir: dir, Getenv: getenv, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
		want := cli.OK
		if breaks {
			want = cli.Found
		}
		require.Equal(t, want, status, "seed %d, round %d, breaks %v:\n%s", seed, round, breaks, out.String())
	}
}

// brokenMemory has headings with and without entries, and entries that lead nowhere.
type brokenMemory struct {
	headings, missing, lost []string
	text                    string
	n                       int
}

func newBrokenMemory(random *rand.Rand, round int) *brokenMemory {
	s := &brokenMemory{n: 1000 * round, text: "Text."}
	for range 1 + random.IntN(6) {
		s.headings = append(s.headings, s.name())
	}
	for range random.IntN(4) {
		s.missing = append(s.missing, s.name())
	}
	for range random.IntN(3) {
		s.lost = append(s.lost, s.name())
	}
	return s
}

func (s *brokenMemory) name() string {
	s.n++
	return fmt.Sprintf("rule number%d holds", s.n)
}

// change adds something right to a memory and moves everything else, or breaks something.
func (s *brokenMemory) change(random *rand.Rand, breaks bool) {
	s.text += strings.Repeat("\nMore text.", random.IntN(5))
	for range random.IntN(3) {
		s.headings = append([]string{s.name()}, s.headings...)
	}
	if len(s.missing) > 0 && random.IntN(2) == 0 {
		s.headings, s.missing = append(s.headings, s.missing[0]), s.missing[1:] // it gets its entry
	}
	if breaks && random.IntN(2) == 0 {
		s.missing = append(s.missing, s.name())
	} else if breaks {
		s.lost = append(s.lost, s.name())
	}
}

func (s *brokenMemory) write(t *testing.T, dir string) {
	t.Helper()
	index, decisions := "# Index\n\n## agents/decisions/a.md\n\n", "# A\n"
	entry := func(name string) string {
		return fmt.Sprintf("/when doing %s | %s | words that say what it is about\n", strings.ReplaceAll(name, " ", "-"), name)
	}
	for _, name := range s.headings {
		index, decisions = index+entry(name), decisions+"\n## "+name+"\n\n"+s.text+"\n"
	}
	for _, name := range s.missing {
		decisions += "\n## " + name + "\n\n" + s.text + "\n"
	}
	for _, name := range s.lost {
		index += entry(name)
	}
	for path, text := range map[string]string{"agents/memory-index.md": index, "agents/decisions/a.md": decisions} {
		path = filepath.Join(dir, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}
