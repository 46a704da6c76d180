package validate_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/validate"
)

// threeWay is a merge by the driver and by git itself.
type threeWay struct {
	base, ours, theirs string
	plain, diff3       string // what git merge-file makes of them
	plainClean         bool
	status             int // of the driver
	merged             string
	baseAfter          string
}

func (m threeWay) String() string {
	return fmt.Sprintf("%s\n--- ours\n%s\n--- theirs\n%s\n--- git, clean: %t\n%s\n--- driver, status %d\n%s", m.base, m.ours, m.theirs, m.plainClean, m.plain, m.status, m.merged)
}

// newThreeWay merges three texts as a file of the memory.
func newThreeWay(t *testing.T, base, ours, theirs, path string) threeWay {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	m := threeWay{base: base, ours: ours, theirs: theirs}
	m.plain, m.plainClean = mergeFile(t, dir)
	m.diff3, _ = mergeFile(t, dir, "--diff3", "--marker-size=60")
	var printed bytes.Buffer
	m.status = validate.Main(cli.Env{
		Args: []string{"memory-validate", "merge-driver", "--", "base", "ours", "theirs", path}, Dir: dir,
		Getenv: repotest.NoHome, Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &printed,
	})
	m.merged, m.baseAfter = readFile(t, dir, "ours"), readFile(t, dir, "base")
	if m.status == cli.OK {
		require.Empty(t, printed.String())
		return m
	}
	require.Equal(t, ours, m.merged, "only a merge is written")
	left, clean := mergeFile(t, dir)
	require.False(t, clean, "what the driver refuses is a conflict\n%s\n%s", m, left)
	if m.plainClean || printed.Len() > 0 {
		require.Empty(t, m.baseAfter)
		require.Contains(t, printed.String(), "this is a conflict, since ")
	} else {
		require.Equal(t, m.plain, left)
		require.Empty(t, printed.String())
	}
	return m
}

// mergeFile returns what git merge-file makes of the three files in a folder.
func mergeFile(t *testing.T, dir string, options ...string) (text string, clean bool) {
	t.Helper()
	git := exec.Command("git", append(append([]string{"merge-file", "-p"}, options...), "ours", "base", "theirs")...)
	git.Dir = dir
	out, err := git.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		require.Less(t, exit.ExitCode(), 128)
		return string(out), false
	}
	require.NoError(t, err)
	return string(out), true
}

func readFile(t *testing.T, dir, name string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(src)
}

// requireSound requires what is true of every merge of generated texts.
func (m threeWay) requireSound(t *testing.T, isIndex bool) {
	t.Helper()
	if m.status != cli.OK {
		return
	}
	known := linesByHeading(m.ours, isIndex)
	for at := range linesByHeading(m.theirs, isIndex) {
		known[at] = true
	}
	for at := range linesByHeading(m.merged, isIndex) {
		require.True(t, known[at] || isIndex && m.plainClean, "%q\n%s", at, m)
	}
	if m.plainClean {
		require.Equal(t, m.plain, m.merged, "%s", m)
		return
	}
	require.False(t, baseLine.MatchString(m.diff3), "the base has a line in a conflict\n%s\n%s", m.diff3, m)
	parts := regexp.MustCompile(`(?s)<{60} ours\n(.*?)\|{60} base\n={60}\n(.*?)>{60} theirs\n`)
	want := countLines(parts.ReplaceAllString(m.diff3, ""))
	for _, part := range parts.FindAllStringSubmatch(m.diff3, -1) {
		ours, theirs := countLines(part[1]), countLines(part[2])
		for line := range theirs {
			ours[line] = max(ours[line], theirs[line])
		}
		for line, n := range ours {
			want[line] += n
		}
	}
	require.Equal(t, want, countLines(m.merged), "each addition is there, and what both added alike once\n%s", m)
}

// countLines counts the lines that have a number, which each draft writes once.
func countLines(text string) map[string]int {
	count := map[string]int{}
	for line := range strings.Lines(text) {
		if strings.ContainsAny(line, "0123456789") {
			count[line]++
		}
	}
	return count
}

// baseLine matches a line of the base in a conflict, with its marker.
var baseLine = regexp.MustCompile(`(?m)^\|{60} .*\n(?:[^=]|=[^=])`)

var headingLine = regexp.MustCompile(`^(#+) (.*)`)

// linesByHeading returns each line, with each heading above it, as "heading: line". That of the file is above
// the lines up to the next heading.
func linesByHeading(text string, isIndex bool) map[string]bool {
	found := map[string]bool{}
	open := make([]string, 8)
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		m := headingLine.FindStringSubmatch(line)
		isHeading := m != nil && !fenced && (!isIndex || len(m[1]) == 2)
		if isHeading {
			clear(open[len(m[1]):])
			if len(m[1]) > 1 {
				open[1] = ""
			}
		}
		if line == "" {
			continue
		}
		for _, heading := range open {
			if heading != "" {
				found[heading+": "+line] = true
			}
		}
		if isHeading {
			open[len(m[1])] = m[2]
		}
	}
	return found
}

// generate calls a function with pairs of edited texts, some of which only have additions.
func generate(pairs int, use func(isIndex bool, path, base, ours, theirs string)) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range pairs {
		isIndex, path := i%3 == 0, "agents/decisions/a.md"
		if isIndex {
			path = "agents/memory-index.md"
		}
		base, onlyAdds := newDraft(random, isIndex), random.IntN(3) == 0
		ours, theirs := base.side("ours", onlyAdds), base.side("theirs", onlyAdds)
		use(isIndex, path, base.text(), ours.text(), theirs.text())
	}
}

// The driver merges as git does, or leaves a conflict, except where both sides only added something. It loses nothing, and
// moves nothing under another heading.
func TestMergesOfGeneratedPairs(t *testing.T) {
	pairs := 300
	if repotest.Long() {
		pairs = 5000
	}
	conflicts, additions, resolved, refused := 0, 0, 0, 0
	generate(pairs, func(isIndex bool, path, base, ours, theirs string) {
		m := newThreeWay(t, base, ours, theirs, path)
		m.requireSound(t, isIndex)
		if !m.plainClean {
			conflicts++
			if m.status == cli.OK {
				resolved++
				require.Equal(t, m.merged, newThreeWay(t, base, ours, theirs, path).merged)
			}
			if !baseLine.MatchString(m.diff3) {
				additions++
			}
		} else if m.status != cli.OK {
			refused++
		}
	})
	t.Logf("%d pairs: git has conflicts in %d, %d of two additions alone, of which %d are resolved; refused where git has none: %d", pairs, conflicts, additions, resolved, refused)
	require.Greater(t, resolved, pairs/20)
}
