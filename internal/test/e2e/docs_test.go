package e2e

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

var updateDocs = flag.Bool("update", false, "write what the console blocks of the documents print")

// notTyped are the blocks that are not run: of a file (a pattern), by their first line ("": all),
// with the reason. Each is there.
var notTyped = []struct{ file, first, reason string }{
	{"docs/hooks.md", `claude plugin marketplace add "$PWD" && claude plugin install whence@whence`, needsAgent},
	{"docs/hooks.md", "claude mcp add --scope user memory -- memory-remember serve", needsAgent},
	{"docs/hooks.md", "$ memory-hooks report --since 2026-01-01", "needs transcripts: TestDocumentedReport has them"},
	{"skills/capturing-learnings/SKILL.md", "memory-remember store --stdin <<'END_OF_LEARNING'", "proposes, and exits with 1: TestSkillCommands types it"},
	{"skills/context-memory/SKILL.md", "", "needs notes: TestSkillCommands has some"},
	{"skills/remember/SKILL.md", "", "has placeholders, which are refused: TestSkillCommands replaces them"},
	{"skills/wording-entries/SKILL.md", "", "needs drafts: TestWordingSkill has some"},
	{"skills/recording-decisions/SKILL.md", "", "needs the decision that the agent has written: TestSkillCommands writes it"},
	{"examples/ferry/agents/decisions/*.md", "", "commands of a project that does not exist"},
}

const needsAgent = "needs the agent"

// block is a fenced block of commands in a document.
type block struct {
	file, kind, text string
	line             int
}

// fence is a line that begins or ends a block.
var fence = regexp.MustCompile("^( *)(```+)([a-z]*)\n?$")

// blocksOf are the blocks of commands of a document.
func blocksOf(file, text string) (blocks []block) {
	var open []string // the fence of the block that we are in
	var body strings.Builder
	number, begun := 0, 0
	for line := range strings.Lines(text) {
		number++
		m := fence.FindStringSubmatch(line)
		switch {
		case open == nil && m != nil:
			open, begun = m, number
			body.Reset()
		case open != nil && m != nil && m[3] == "" && len(m[2]) >= len(open[2]):
			if slices.Contains([]string{"sh", "bash", "console"}, open[3]) {
				blocks = append(blocks, block{file, open[3], body.String(), begun})
			}
			open = nil
		case open != nil:
			body.WriteString(strings.TrimPrefix(line, open[1]))
		}
	}
	return blocks
}

// excepted is the place in notTyped of a block, or -1.
func (b block) excepted() int {
	first, _, _ := strings.Cut(b.text, "\n")
	for i, e := range notTyped {
		if matches, err := path.Match(e.file, b.file); err == nil && matches && (e.first == "" || e.first == first) {
			return i
		}
	}
	return -1
}

// Every command that a document shows works as it is typed. The blocks of a document are run
// in one shell session, from the top, in a clone of this repository: sh blocks have to
// succeed, console blocks print what they show. Skills are read in a project with a memory:
// their session begins in examples/ferry.
func TestDocumentedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	repotest.Program(t, "sh")
	root := repotest.Root(t)
	bin := installed(t)
	used := make([]bool, len(notTyped))
	for _, pattern := range []string{"README.md", "SECURITY.md", "CONTRIBUTING.md", "docs/*.md", "skills/*/SKILL.md", "examples/*/*.md", "examples/*/*/*.md", "examples/*/*/*/*.md"} {
		names, err := fs.Glob(os.DirFS(root), pattern)
		require.NoError(t, err)
		for _, name := range names {
			src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			require.NoError(t, err)
			var blocks []block
			for _, b := range blocksOf(name, string(src)) {
				if i := b.excepted(); i >= 0 {
					used[i] = true
					continue
				}
				blocks = append(blocks, b)
			}
			if len(blocks) > 0 {
				t.Run(name, func(t *testing.T) { typeBlocks(t, bin, string(src), blocks) })
			}
		}
	}
	for i, e := range notTyped {
		require.True(t, used[i], "no block of %s begins with %q", e.file, e.first)
		require.NotEmpty(t, e.reason)
	}
}

// withYes gives the answer to commands that ask for it on a terminal.
var withYes = strings.NewReplacer("memory-hooks install ", "memory-hooks install --yes ", "memory-hooks init ", "memory-hooks init --yes ")

// typeBlocks types the blocks of a document, and compares or updates what it shows.
func typeBlocks(t *testing.T, bin, src string, blocks []block) {
	s := newShell(t, bin)
	if path.Base(blocks[0].file) == "SKILL.md" {
		s.here = filepath.Join(s.here, "examples", "ferry")
	}
	updated := src
	for _, b := range blocks {
		if b.kind != "console" {
			out, err := s.enter(withYes.Replace(b.text))
			require.NoError(t, err, "%s:%d: %s\n%s", b.file, b.line, b.text, out)
			continue
		}
		var shown strings.Builder
		for _, command := range strings.SplitAfter("\n"+b.text, "\n$ ")[1:] {
			line, want, _ := strings.Cut(strings.TrimSuffix(command, "\n$ "), "\n")
			if want != "" && !strings.HasSuffix(want, "\n") {
				want += "\n"
			}
			out, _ := s.enter(line)
			if !*updateDocs {
				require.True(t, agrees(want, out), "%s:%d: %s prints\n%s\nnot\n%s\n(go test ./internal/test/e2e -run Documented -update writes it)", b.file, b.line, line, out, want)
			} else if agrees(want, out) {
				out = want
			}
			shown.WriteString("$ " + line + "\n" + out)
		}
		updated = strings.Replace(updated, b.text, shown.String(), 1)
	}
	if *updateDocs && updated != src {
		require.NoError(t, os.WriteFile(filepath.Join(repotest.Root(t), filepath.FromSlash(blocks[0].file)), []byte(updated), 0o644))
	}
}

// agrees reports whether a document shows what is printed. A line "…" stands for any lines.
func agrees(shown, printed string) bool {
	parts := strings.Split("\n"+shown, "\n…\n")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`\A` + strings.Join(parts, `\n(?s:.*\n)?`) + `\z`).MatchString("\n" + printed)
}

// shell is a session of somebody at a terminal: each block begins where the last one ended.
type shell struct {
	*sandbox
	here string // the folder
}

func newShell(t *testing.T, bin string) *shell {
	t.Helper()
	s := newSandbox(t, bin)
	s.env = append(s.env, "GOPROXY=off", "https_proxy=http://127.0.0.1:1", "http_proxy=http://127.0.0.1:1", "EDITOR=true", "LC_ALL=C.UTF-8")
	dir, _ := s.published()
	return &shell{s, dir}
}

// enter types lines, which end where one fails, and returns what is printed.
func (s *shell) enter(lines string) (string, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Minute)
	defer cancel()
	state := filepath.Join(s.dir, "state")
	cmd := exec.CommandContext(ctx, "sh", "-c", `if [ -f "$0.env" ]; then . "$0.env"; fi
trap 'pwd > "$0.dir"; export -p > "$0.env"' EXIT
set -e
`+lines, state)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.here, s.env, time.Minute
	out, err := cmd.CombinedOutput()
	if here, readErr := os.ReadFile(state + ".dir"); readErr == nil {
		s.here = strings.TrimSuffix(string(here), "\n")
	} else if !errors.Is(readErr, fs.ErrNotExist) {
		s.t.Fatal(readErr)
	}
	return string(out), err
}
