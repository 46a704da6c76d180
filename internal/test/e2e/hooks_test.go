package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/test/repotest"
)

// recorded is a folder for the PATH in which memory-hooks notes what it answers: a file
// for each event, which is there, empty, if the event came and nothing was said.
func recorded(t *testing.T, program string) (dir, replies string) {
	t.Helper()
	dir, replies = t.TempDir(), t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n'%s' \"$@\" | tee -a '%s'/\"$1\"\n", program, replies)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "memory-hooks"), []byte(script), 0o755))
	return dir, replies
}

// texts are the files below a folder.
func texts(t *testing.T, dir string) map[string]any {
	t.Helper()
	all := map[string]any{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(text)
		return err
	}))
	return all
}

// first returns the number of the first request in which the model was sent a text, from 1;
// 0 if there is none.
func (p played) first(text string) int {
	for i, request := range p.requests {
		if strings.Contains(request, text) {
			return i + 1
		}
	}
	return 0
}

// What the hooks say is in the model's next request, at each event; where they have
// nothing to say they print nothing; and the settings are given back as they were.
func TestClaudeCodeHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	shim, replies := recorded(t, filepath.Join(bin, "memory-hooks"))
	env := append(os.Environ(), "PATH="+shim+":"+bin+":"+os.Getenv("PATH"), "WHENCE_HOME="+filepath.Join(t.TempDir(), "store"))
	hooks := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command(filepath.Join(bin, "memory-hooks"), append(args, "--repo", dir)...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}

	const settings = "{\n    \"permissions\" : { \"deny\": [ \"WebFetch\" ] },\r\n\t\"env\": {\"A\": \"\\u0026\"}\n}"
	template := t.TempDir()
	require.NoError(t, os.CopyFS(template, os.DirFS(filepath.Join(repotest.Root(t), "examples", "ferry"))))
	require.NoError(t, os.Mkdir(filepath.Join(template, ".claude"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(template, ".claude", "settings.json"), []byte(settings), 0o644))
	hooks(template, "install", "--yes", "--scope", "project")
	files := texts(t, template)
	files[backfill] = "package backfill // as it was read\n"
	require.NotEqual(t, settings, files[".claude/settings.json"])

	run := func(prompt string) clientRun { return clientRun{Args: append([]string{"-p", prompt}, printMode...)} }
	compact := run("/compact")
	compact.Args = append(compact.Args, "--resume", "@SESSION@")
	after := run("What now?")
	after.Args = append(after.Args, "--resume", "@SESSION@")
	p := play(t, scene{
		Name: "hooks", Hooks: []string{}, Files: files,
		Env:  map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": shim + ":" + bin + ":/usr/local/bin:/usr/bin:/bin"},
		Runs: []clientRun{run(chargedTwice), compact, after},
		Routes: []route{
			{"cc_is_subagent=true", []turn{{Text: "nothing found"}}},
			{"CRITICAL: Respond with TEXT ONLY", []turn{{Text: "<summary>it was mended</summary>"}}},
			{"What now\\?", []turn{{Text: "nothing"}}},
			{"charged twice", []turn{
				{Tool: "Read", Input: map[string]any{"file_path": "@PROJECT@/" + backfill}},
				{Tool: "Bash", Input: map[string]any{"command": copying, "description": "copy"}},
				{Tool: "Bash", Input: map[string]any{"command": failing, "description": "migrate"}},
				{Tool: "Read", Input: map[string]any{"file_path": "@PROJECT@/agents/memory-index.md"}},
				{Tool: "Edit", Input: map[string]any{"file_path": "@PROJECT@/agents/memory-index.md", "old_string": declined, "new_string": declinedGone}},
				{Tool: "Agent", Input: map[string]any{"description": "look", "prompt": "look around", "subagent_type": "general-purpose", "run_in_background": false}},
				{Text: "done before it is mended"},
				{Text: "done for good"},
			}},
		},
	})

	shown := map[string]string{}
	for name, text := range texts(t, replies) {
		shown[name] = text.(string)
	}
	for _, c := range []struct{ event, told, with string }{ // what is injected, and what else is in the first request that has it
		{"SessionStart", "Tip: ", "charged twice"},
		{"UserPromptSubmit", "- /when retrying a charge safely  (", "charged twice"},
		{"PostToolUse", "- /how write a backfill  (", "package backfill // as it was read"},
		{"PostToolUse", "- /when querying data as an agent  (", "ran: grep agent_ro"},
		{"PostToolUseFailure", "- /when altering a busy table  (", "Exit code 3"},
		{"PostToolUse", "memory-validate has findings since the last event:", "agents/memory-index.md has been updated"},
		{"Stop", "The memory was changed in this session, and memory-validate has findings now:", "done before it is mended"},
	} {
		require.Contains(t, shown[c.event], c.told)
		require.NotZero(t, p.first(c.told), "%s: %s did not reach the model", c.event, c.told)
		require.Equal(t, p.first(c.with), p.first(c.told), "%s: %s", c.event, c.told)
	}
	require.Equal(t, 1, strings.Count(shown["Stop"], `"decision":"block"`), "the agent is kept from stopping once")
	require.NotZero(t, p.first("done for good"), "and then it may")
	require.NotZero(t, p.first("it was mended"), "the compaction came")
	for _, event := range []string{"SubagentStop", "PreCompact", "SessionEnd"} {
		text, came := shown[event]
		require.True(t, came, "%s did not come", event)
		require.Empty(t, text, event)
	}
	require.NotContains(t, shown, "PreToolUse")

	hooks(p.project, "uninstall", "--scope", "project")
	given, err := os.ReadFile(filepath.Join(p.project, ".claude", "settings.json"))
	require.NoError(t, err)
	require.Equal(t, settings, string(given))
}

// The plugin alone does the same, and brings /when, which is answered before the model is
// asked.
func TestClaudeCodePluginHooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	plugin := []string{"--plugin-dir", repotest.Root(t)}
	run := func(prompt string) clientRun {
		return clientRun{Args: slices.Concat([]string{"-p", prompt}, printMode, plugin)}
	}
	const typed = "scheduling at low water"
	p := play(t, scene{
		Name: "plugin-hooks", Hooks: []string{}, Files: texts(t, filepath.Join(repotest.Root(t), "examples", "ferry")),
		Env:  map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"},
		Runs: []clientRun{run(chargedTwice), run("/when " + typed)},
		Routes: []route{
			{"charged twice", []turn{{Text: "done"}}},
			{typed, []turn{
				{Tool: "Bash", Input: map[string]any{"description": "when", "command": "memory-when - <<'END_OF_QUERIES'\n/how write a backfill\nEND_OF_QUERIES"}},
				{Text: "done"},
			}},
		},
	})
	const recalled = "- /when retrying a charge safely  ("
	require.Equal(t, p.first("charged twice"), p.first(agent.PointersHead+"use the skill: /when <trigger>\n"+recalled))
	require.NotZero(t, p.first(recalled))
	require.Equal(t, p.first("charged twice"), p.first(recalled))
	require.Equal(t, 1, strings.Count(p.requests[p.first(recalled)-1], recalled), "once")
	const answer = "Stray slip: 0.9 metres over the sill\n"
	require.NotZero(t, p.first(answer))
	require.Equal(t, p.first("<command-args>"+typed+"</command-args>"), p.first(answer), "answered with the prompt")
	require.Contains(t, p.requests[p.first(answer)-1], "memory-when - <<'END_OF_QUERIES'", "the skill")
	require.NotZero(t, p.first("# Backfills run from `tools/backfill`, never in a migration"), "the program, by the skill")
}
