package hooks_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// fill stores so many learnings.
func fill(b *testing.B, home string, t repotest.Talk, learnings int) {
	ctx := context.Background()
	s, err := store.Open(ctx, home)
	require.NoError(b, err)
	var all []learning.Learning
	for range learnings {
		all = append(all, learning.Learning{
			Name: t.Words(5), Description: t.Words(30), Reasoning: t.Words(10), Category: learning.Heuristics, Confidence: learning.Medium, Source: learning.Retro,
		})
	}
	_, err = s.Import(ctx, all, time.Now())
	require.NoError(b, err)
	require.NoError(b, s.Close())
}

// bench builds the program in a folder, beside it the one that captures, and a repository with 374 entries.
func bench(b *testing.B, t repotest.Talk) (dir, repository, program string) {
	dir = b.TempDir()
	repository = filepath.Join(dir, "repository")
	require.NoError(b, os.CopyFS(repository, t.Memory(23, 374)))
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir = repository
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, string(out))
	}
	git("init", "-q")
	git("add", ".")
	for range 4 {
		git("commit", "-q", "--allow-empty", "-m", "all")
	}
	repotest.Build(b, dir, "whence/remember/memory-remember")
	return dir, repository, repotest.Build(b, dir, "whence/hooks/memory-hooks")
}

// BenchmarkProcess measures the whole program, event by event.
func BenchmarkProcess(b *testing.B) {
	t := repotest.NewTalk()
	dir, repository, program := bench(b, t)
	event := func(kind, name, more string) {
		n := 0
		b.Run(kind, func(b *testing.B) {
			n++
			input := fmt.Sprintf(`{"session_id":"%s %d","cwd":%q,%s}`, kind, n, repository, more)
			repotest.CompareInput(b, input, program, name)
		})
	}
	b.Setenv("WHENCE_HOME", storetest.ConsentingClaim(b, filepath.Join(dir, "0"))) // not the user's
	fill(b, os.Getenv("WHENCE_HOME"), t, 1)
	event("nothing to do", "PreCompact", `"trigger":"auto"`)
	event("another tool", "PostToolUse", `"tool_name":"Grep","tool_input":{"pattern":"x"}`)
	event("stop", "Stop", `"transcript_path":"`+filepath.ToSlash(largeTranscript(b))+`"`)
	require.NoError(b, exec.Command(filepath.Join(dir, "memory-remember"), "capture").Run()) // waits for those that run
	time.Sleep(2100 * time.Millisecond)                                                      // until no change of the files could be missed
	for _, size := range []int{10_000, 100_000} {
		home := storetest.ConsentingClaim(b, filepath.Join(dir, fmt.Sprint(size)))
		fill(b, home, t, size)
		b.Setenv("WHENCE_HOME", home)
		name := fmt.Sprintf("learnings=%d/", size)
		event(name+"prompt", "UserPromptSubmit", `"prompt":"the bacoba of difer gonhu, and why killam mornes pradi"`)
		event(name+"command", "PostToolUse", `"tool_name":"Bash","tool_input":{"command":"make bacoba && gonhu --killam pradi"}`)
		event(name+"failure", "PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"make bacoba"},"error":"Exit code 2 no rule to make target bacoba, needed by gonhu"`)
		event(name+"start", "SessionStart", `"source":"resume"`)
	}
}

// largeTranscript writes a transcript of 100 MB, most of it what tools have printed.
func largeTranscript(b *testing.B) (path string) {
	path = filepath.Join(b.TempDir(), "transcript.jsonl")
	line := []byte(`{"type":"user","uuid":"a","message":{"content":[{"type":"tool_result","content":"` + strings.Repeat("bacoba ", 1<<12) + `"}]}}` + "\n")
	require.NoError(b, os.WriteFile(path, bytes.Repeat(line, (100<<20)/len(line)), 0o600))
	return path
}
