package dispatch_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

func TestWithResult(t *testing.T) {
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "a.go"), []byte("package outside"), 0o600))
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/config": "[core]", "a.go": "package a", "empty.go": "", "zero.bin": "a\x00b", "noise.bin": strings.Repeat("\xff\xfe ab", 100),
		"long.txt": strings.Repeat("é", 4<<10), "huge.txt": strings.Repeat("a\n", 1<<20), "folder/a.go": "",
	} {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	for link, target := range map[string]string{"out.go": filepath.Join(outside, "a.go"), "in.go": "a.go", "in.git": ".git/config"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	read := func(path, content string) agent.Event {
		return agent.Event{Name: agent.PostToolUse, Tool: "Read", Path: path, Content: content}
	}
	ran := func(output string) agent.Event {
		return agent.Event{Name: agent.PostToolUse, Tool: "Bash", Command: "make", Output: output}
	}
	for name, c := range map[string]struct {
		event agent.Event
		want  string // after the command or path
	}{
		"output":                {ran("built"), "\nbuilt"},
		"no output":             {ran(""), ""},
		"long output":           {ran("begin" + strings.Repeat("x", 1<<20) + "end"), "\nbegin" + strings.Repeat("x", 1<<10-5) + "\n…\n" + strings.Repeat("x", 1<<10-3) + "end"},
		"binary output":         {ran("PNG\x00"), ""},
		"unreadable output":     {ran(strings.Repeat("\ufffd\x01 a", 100)), ""},
		"colours":               {ran("\x1b[32mok\x1b[0m"), "\n\x1b[32mok\x1b[0m"},
		"other letters":         {ran("тест не прошёл ✓"), "\nтест не прошёл ✓"},
		"content":               {read("b.go", "package b"), "\npackage b"},
		"long content":          {read("b.go", strings.Repeat("x", 1<<20)), "\n" + strings.Repeat("x", 4<<10)},
		"binary content":        {read("b.png", "\x00"), ""},
		"content outside":       {read(filepath.Join(outside, "a.go"), "package outside"), ""},
		"unreported":            {read("a.go", ""), "\npackage a"},
		"unreported, long":      {read("long.txt", ""), "\n" + strings.Repeat("é", 2<<10)},
		"unreported, huge":      {read("huge.txt", ""), ""},
		"unreported, zero byte": {read("zero.bin", ""), ""},
		"unreported, binary":    {read("noise.bin", ""), ""},
		"unreported, empty":     {read("empty.go", ""), ""},
		"missing":               {read("c.go", ""), ""},
		"folder":                {read("folder", ""), ""},
		"outside":               {read(filepath.Join(outside, "a.go"), ""), ""},
		"above":                 {read("../a.go", ""), ""},
		"link out":              {read("out.go", ""), ""},
		"link":                  {read("in.go", ""), ""},
		"link into git":         {read("in.git", ""), ""},
		"git":                   {read(".git/config", ""), ""},
		"failure":               {agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Output: "x"}, ""},
		"other tool":            {agent.Event{Name: agent.PostToolUse, Tool: "Edit", Path: "a.go", Content: "x", Output: "x"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c.event.Cwd = dir
			home := t.TempDir()
			r, err := dispatch.Open(cli.Env{Dir: dir, Getenv: func(string) string { return home }}, c.event, time.Now())
			require.NoError(t, err)
			defer r.Close()
			require.Equal(t, "text"+c.want, r.WithResult("text"))
		})
	}
}

// What the agent has asked of the memory is not looked up again, and of a long prompt or error only the ends.
func TestWhatIsLookedUp(t *testing.T) {
	long, log := strings.Repeat("x", 1<<10), strings.Repeat("x", 300-4)
	for name, c := range map[string]struct {
		event, json string
		want        []string
	}{
		"prompt":              {"UserPromptSubmit", `"prompt":"Why?"`, []string{"Why?"}},
		"long prompt":         {"UserPromptSubmit", `"prompt":"Why?` + log + strings.Repeat("y", 2000) + log + `How?"`, []string{"Why?" + log + "\n…\n" + log + "How?"}},
		"command":             {"PostToolUse", `"tool_input":{"command":"make"},"tool_response":{"stdout":"built"}`, []string{"make"}},
		"query":               {"PostToolUse", `"tool_input":{"command":"cd web && memory-when 'x' | head"},"tool_response":{"stdout":"a decision"}`, nil},
		"query and more":      {"PostToolUse", `"tool_input":{"command":"memory-when 'x' && make"},"tool_response":{"stdout":"a decision"}`, nil},
		"failure":             {"PostToolUseFailure", `"tool_input":{"command":"make"},"error":"Exit code 2\nno rule to make"`, []string{"make\nno rule to make"}},
		"long failure":        {"PostToolUseFailure", `"tool_input":{"command":"make"},"error":"` + long + "yyy" + long + `"`, []string{"make\n" + long + "\n…\n" + long}},
		"binary failure":      {"PostToolUseFailure", `"tool_input":{"command":"make"},"error":"\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000"`, []string{"make\n"}},
		"missed query":        {"PostToolUseFailure", `"tool_input":{"command":"memory-when 'x' && make"},"error":"Exit code 1\nmemory-when: no trigger \"x\""`, nil},
		"missed query inside": {"PostToolUseFailure", `"tool_input":{"command":"echo \"$(memory-when 'x')\""},"error":"Exit code 1\nmemory-when: no trigger \"x\""`, nil},
		"failure after query": {"PostToolUseFailure", `"tool_input":{"command":"memory-when 'x' && make"},"error":"Exit code 2\nno rule to make"`, []string{"\nno rule to make"}},
		"our tool":            {"PostToolUseFailure", `"tool_name":"memory-when","error":"no trigger is like that"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			handlers := dispatch.RecallHandlers(nil, func(_ context.Context, _ *dispatch.Request, text string, _ dispatch.Limits) ([]dispatch.Item, error) {
				got = append(got, text)
				return nil, nil
			})
			tool := `"tool_name":"Bash",`
			if strings.Contains(c.json, "tool_name") {
				tool = ""
			}
			_, err := run(t, t.TempDir(), t.TempDir(), c.event, `{"session_id":"s",`+tool+c.json+`}`, handlers, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}
