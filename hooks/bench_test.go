package hooks_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/learning"
	"whence/internal/repotest"
	"whence/internal/store"
)

// talk makes texts of invented words, the same at each run.
type talk struct{ random *rand.Rand }

func (t talk) words(n int) string {
	syllables := []string{"ba", "co", "di", "fer", "gon", "hu", "kil", "lam", "mor", "nes", "pra", "ru", "sto", "tev", "wix", "zel"}
	some := make([]string, n)
	for i := range some {
		some[i] = syllables[t.random.IntN(16)] + syllables[t.random.IntN(16)] + syllables[t.random.IntN(4)]
	}
	return strings.Join(some, " ")
}

// memory is one of 374 entries in 23 files, with eight situations and six lines each.
func memory(t talk) fstest.MapFS {
	const files, entries = 23, 374
	tree := fstest.MapFS{}
	var idx strings.Builder
	idx.WriteString("# Memory Index\n\nRun `/when <trigger>` to see a decision.\n")
	for f := range files {
		path := fmt.Sprintf("agents/decisions/area%02d.md", f)
		fmt.Fprintf(&idx, "\n## %s\n\n", path)
		var file strings.Builder
		fmt.Fprintf(&file, "# Area %d\n", f)
		for e := f * entries / files; e < (f+1)*entries/files; e++ {
			title := fmt.Sprintf("Thing %d of %s", e, t.words(2))
			fmt.Fprintf(&idx, "/when deciding %d %s | %s | %s\n", e, t.words(2), title, t.words(5))
			fmt.Fprintf(&file, "\n## %s\n\n<!-- situations:\n", title)
			for range 8 {
				file.WriteString(t.words(8) + "\n")
			}
			file.WriteString("-->\n\n")
			for range 6 {
				file.WriteString(t.words(14) + "\n")
			}
		}
		tree[path] = &fstest.MapFile{Data: []byte(file.String())}
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(idx.String())}
	return tree
}

// fill stores so many learnings.
func fill(b *testing.B, home string, t talk, learnings int) {
	ctx := context.Background()
	s, err := store.Open(ctx, home)
	require.NoError(b, err)
	var all []learning.Learning
	for range learnings {
		all = append(all, learning.Learning{
			Name: t.words(5), Description: t.words(30), Reasoning: t.words(10), Category: learning.Heuristics, Confidence: learning.Medium, Source: learning.Retro,
		})
	}
	_, err = s.Import(ctx, all, time.Now())
	require.NoError(b, err)
	require.NoError(b, s.Close())
}

// BenchmarkProcess measures the whole program, event by event.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program := repotest.Build(b, dir, "whence/hooks/memory-hooks")
	t := talk{rand.New(rand.NewPCG(1, 2))}
	repository := filepath.Join(dir, "repository")
	require.NoError(b, os.CopyFS(repository, memory(t)))
	require.NoError(b, os.Mkdir(filepath.Join(repository, ".git"), 0o755))
	event := func(kind, name, more string) {
		n := 0
		b.Run(kind, func(b *testing.B) {
			n++
			input := fmt.Sprintf(`{"session_id":"%s %d","cwd":%q,%s}`, kind, n, repository, more)
			repotest.CompareInput(b, input, program, name)
		})
	}
	event("nothing to do", "PreCompact", `"trigger":"auto"`)
	event("another tool", "PostToolUse", `"tool_name":"Grep","tool_input":{"pattern":"x"}`)
	for _, size := range []int{10_000, 100_000} {
		if size > 10_000 && testing.Short() {
			continue
		}
		home := filepath.Join(dir, fmt.Sprint(size))
		fill(b, home, t, size)
		b.Setenv("WHENCE_HOME", home)
		name := fmt.Sprintf("learnings=%d/", size)
		event(name+"prompt", "UserPromptSubmit", `"prompt":"the bacoba of difer gonhu, and why killam mornes pradi"`)
		event(name+"command", "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"make bacoba && gonhu --killam pradi"}`)
		event(name+"failure", "PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"make bacoba"},"error":"Exit code 2 no rule to make target bacoba, needed by gonhu"`)
		event(name+"start", "SessionStart", `"source":"resume"`)
	}
}
