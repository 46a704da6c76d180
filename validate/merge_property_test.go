package validate_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/merge"
	"whence/internal/test/repotest"
	"whence/validate"
)

// draft is a text that is edited piece by piece: a line, and the lines below it.
type draft struct {
	*rand.Rand
	name   string // of the side, which is in all that it writes
	pieces []string
	made   int
}

func (d *draft) text() string { return strings.Join(d.pieces, "\n") + "\n" }

func (d *draft) entry() string {
	d.made++
	return fmt.Sprintf("/when doing %s %d | %s %d | words of it", d.name, d.made, d.name, d.made)
}

func (d *draft) heading() string {
	d.made++
	situations := ""
	if d.IntN(2) == 0 {
		situations = fmt.Sprintf("<!-- situations:\ntyping %s %d\n-->\n\n", d.name, d.made)
	}
	return fmt.Sprintf("\n%s %s %d\n\n%sText of %[2]s %[3]d.", strings.Repeat("#", 2+d.IntN(3)), d.name, d.made, situations)
}

// add puts a new piece anywhere behind the first one.
func (d *draft) add(piece func() string) {
	d.pieces = slices.Insert(d.pieces, 1+d.IntN(len(d.pieces)), piece())
}

// edit changes, removes or moves a piece.
func (d *draft) edit() {
	at := 1 + d.IntN(len(d.pieces)-1)
	switch d.IntN(5) {
	case 0:
		d.pieces = slices.Delete(d.pieces, at, at+1)
	case 1:
		to := 1 + d.IntN(len(d.pieces)-1)
		d.pieces[at], d.pieces[to] = d.pieces[to], d.pieces[at]
	default:
		d.made++
		d.pieces[at] += fmt.Sprintf(" %s %d", d.name, d.made)
	}
}

// triple returns a base and two sides, and whether both only added pieces.
func triple(random *rand.Rand, isIndex bool) (base, ours, theirs string, onlyAdded bool) {
	b := draft{Rand: random, name: "base", pieces: []string{"# File\n\nAbout it."}}
	piece := b.heading
	if isIndex {
		b.pieces = []string{"# Index\n\nAbout it.\n\n## a.md\n"}
		piece = b.entry
	}
	for range 3 + random.IntN(8) {
		b.pieces = append(b.pieces, piece())
		if isIndex && random.IntN(4) == 0 {
			b.pieces = append(b.pieces, fmt.Sprintf("\n## %d.md\n", len(b.pieces)))
		}
	}
	onlyAdded = random.IntN(2) == 0
	var sides [2]string
	for i, name := range []string{"ours", "theirs"} {
		d := draft{Rand: random, name: name, pieces: slices.Clone(b.pieces)}
		piece := d.heading
		if isIndex {
			piece = d.entry
		}
		for range 1 + random.IntN(3) {
			if onlyAdded || random.IntN(2) == 0 {
				d.add(piece)
			} else {
				d.edit()
			}
		}
		sides[i] = d.text()
	}
	return b.text(), sides[0], sides[1], onlyAdded
}

// countLines counts the lines that only one draft has written, since each has its name in them.
func countLines(text string) map[string]int {
	count := map[string]int{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "<!--") && line != "-->" {
			count[line]++
		}
	}
	return count
}

// A merge by pieces has what each side added and lacks what one removed, line by line. Entries that both
// only added never conflict.
func TestMergesOfGeneratedPairs(t *testing.T) {
	const pairs = 2000
	for name, c := range map[string]struct {
		cut     merge.Cut
		isIndex bool
	}{"index": {index.Pieces, true}, "decisions": {decision.Pieces, false}} {
		t.Run(name, func(t *testing.T) {
			random, merged, added, kept := rand.New(rand.NewPCG(1, 2)), 0, 0, 0
			for range pairs {
				base, ours, theirs, onlyAdded := triple(random, c.isIndex)
				text, ok := merge.Pieces([]byte(base), []byte(ours), []byte(theirs), c.cut)
				if onlyAdded {
					added++
					require.True(t, ok || !c.isIndex, "%s\n--- ours\n%s\n--- theirs\n%s", base, ours, theirs)
				}
				if !ok {
					continue
				}
				merged++
				if onlyAdded {
					kept++
				}
				b, o, th, m := countLines(base), countLines(ours), countLines(theirs), countLines(string(text))
				for _, lines := range []map[string]int{b, o, th, m} {
					for line := range lines {
						want := o[line] + th[line] - b[line]
						if o[line] == th[line] {
							want = o[line]
						}
						require.Equal(t, want, m[line], "%q\n%s\n--- ours\n%s\n--- theirs\n%s\n--- merged\n%s", line, base, ours, theirs, text)
					}
				}
			}
			t.Logf("%d pairs: %d merged by pieces; both only added in %d, of which %d merged", pairs, merged, added, kept)
			require.Greater(t, merged, pairs/2)
		})
	}
}

// Two branches that add a decision each, with situations, do not conflict: their comments begin and end alike.
func TestAdditionsWithSituationsAreMerged(t *testing.T) {
	const base, situations = "# API\n\n## Paging\n\nBy cursor.\n", "\n\n<!-- situations:\nsomething is seen\n-->\n\n"
	ours, theirs := base+"\n## Retries"+situations+"Three.\n", base+"\n## Errors"+situations+"Documents.\n"
	merged, ok := merge.Pieces([]byte(base), []byte(ours), []byte(theirs), decision.Pieces)
	require.True(t, ok)
	require.Equal(t, ours+"\n## Errors"+situations+"Documents.\n", string(merged))
}

// What is not merged by pieces stays as it is, for git to merge.
func TestTheRestIsLeftToGit(t *testing.T) {
	random, compared := rand.New(rand.NewPCG(3, 4)), 0
	for compared < 20 {
		isIndex := random.IntN(2) == 0
		path, cut := "agents/decisions/a.md", merge.Cut(decision.Pieces)
		if isIndex {
			path, cut = "agents/memory-index.md", index.Pieces
		}
		base, ours, theirs, _ := triple(random, isIndex)
		if _, ok := merge.Pieces([]byte(base), []byte(ours), []byte(theirs), cut); ok {
			continue
		}
		compared++
		dir, status, out := mergeByDriver(t, base, ours, theirs, path)
		got, err := os.ReadFile(filepath.Join(dir, "ours"))
		require.NoError(t, err)
		require.Equal(t, ours, string(got))
		if strings.Contains(out, "this is a conflict") {
			continue
		}
		require.Equal(t, cli.Found, status, out)
		require.Empty(t, out)
	}
}

// mergeByDriver runs the driver on three files in a new folder.
func mergeByDriver(t *testing.T, base, ours, theirs, path string) (dir string, status int, out string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var printed bytes.Buffer
	status = validate.Main(cli.Env{
		Args: []string{"memory-validate", "merge-driver", "--", "base", "ours", "theirs", path}, Dir: dir,
		Getenv: repotest.NoHome, Stdin: strings.NewReader(""), Stdout: &printed, Stderr: &printed,
	})
	return dir, status, printed.String()
}

// sections returns decisions of one paragraph each.
func (d *draft) sections(n int) {
	for range n {
		d.made++
		d.pieces = append(d.pieces, fmt.Sprintf("## %s %d\n\nText of %[1]s %[2]d.", d.name, d.made))
	}
}

// revise appends a paragraph to a decision, or replaces, removes or moves one.
func (d *draft) revise() {
	at := d.IntN(len(d.pieces))
	d.made++
	switch d.IntN(5) {
	case 0:
		d.pieces[at] = fmt.Sprintf("## %s %d\n\nText of %[1]s %[2]d.", d.name, d.made)
	case 1:
		if len(d.pieces) > 1 {
			d.pieces = slices.Delete(d.pieces, at, at+1)
		}
	case 2:
		to := d.IntN(len(d.pieces))
		d.pieces[at], d.pieces[to] = d.pieces[to], d.pieces[at]
	default:
		d.pieces[at] += fmt.Sprintf("\n\nMore of %s %d.", d.name, d.made)
	}
}

// headingOf returns the heading above each line.
func headingOf(text string) map[string]string {
	above, heading := map[string]string{}, ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "## ") {
			heading = line
		} else if line = strings.TrimSpace(line); line != "" {
			above[line] = heading
		}
	}
	return above
}

// After a merge without a conflict, each paragraph is under a heading under which one side has it.
func TestMergedTextStaysUnderItsHeading(t *testing.T) {
	random, clean := rand.New(rand.NewPCG(5, 6)), 0
	const merges = 300
	for range merges {
		b := draft{Rand: random, name: "base"}
		b.sections(2 + random.IntN(4))
		var sides []string
		for _, name := range []string{"ours", "theirs"} {
			d := draft{Rand: random, name: name, pieces: slices.Clone(b.pieces)}
			for range 1 + random.IntN(2) {
				d.revise()
			}
			sides = append(sides, "# File\n\n"+strings.Join(d.pieces, "\n\n")+"\n")
		}
		base := "# File\n\n" + strings.Join(b.pieces, "\n\n") + "\n"
		dir, status, _ := mergeByDriver(t, base, sides[0], sides[1], "agents/decisions/a.md")
		merged, err := os.ReadFile(filepath.Join(dir, "ours"))
		require.NoError(t, err)
		if status != cli.OK {
			git := exec.Command("git", "merge-file", "-p", "ours", "base", "theirs")
			git.Dir = dir
			merged, err = git.Output()
			if err != nil {
				for _, side := range sides {
					for line := range strings.Lines(side) {
						if !strings.Contains(base, line) {
							require.Contains(t, string(merged), line, "what a side has written is in the file")
						}
					}
				}
				continue
			}
		}
		clean++
		ours, theirs := headingOf(sides[0]), headingOf(sides[1])
		for line, heading := range headingOf(string(merged)) {
			require.Contains(t, []string{ours[line], theirs[line]}, heading, "%q\n%s\n--- ours\n%s\n--- theirs\n%s\n--- merged\n%s", line, base, sides[0], sides[1], merged)
		}
	}
	require.Greater(t, clean, merges/3)
}
