package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/test/model"
	"whence/internal/test/repotest"
)

var claudeCode = realAgent{
	name: "claude", registered: "claude",
	program:  "claude/node_modules/@anthropic-ai/claude-code-*/claude",
	prompted: []string{"--output-format", "json", "-p"},
	trusting: []string{"--dangerously-skip-permissions"},
	env: map[string]string{
		"ANTHROPIC_API_KEY": "none", "ANTHROPIC_BASE_URL": "@MODEL@", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
		"IS_SANDBOX": "1", // root may skip permissions
	},
	shell: func(command string) model.Turn {
		return calls("Bash", "command", command, "description", "run")
	},
	read: func(path string) model.Turn { return calls("Read", "file_path", path) },
	edit: func(path, before, after string) model.Turn {
		return calls("Edit", "file_path", path, "old_string", before, "new_string", after)
	},
}

// Claude Code accepts the plugin, and installs it from a clone.
func TestClaudeCodePlugin(t *testing.T) {
	s := newSandbox(t)
	s.offline()
	dir, _ := s.published()
	run := func(args ...string) string {
		t.Helper()
		return s.runAll("", claudeCode.command(t, args...))
	}
	require.Contains(t, run("plugin", "validate", dir), "Validation passed")
	run("plugin", "marketplace", "add", dir)
	run("plugin", "install", "whence@whence")
	require.Contains(t, run("plugin", "list"), "whence@whence")
}

// recorded is a folder for the PATH in which memory-hooks notes what it answers: a file
// for each event, which is there, empty, if the event came and nothing was said.
func recorded(t *testing.T, program string) (dir, replies string) {
	t.Helper()
	dir, replies = t.TempDir(), t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n'%s' \"$@\" | tee -a '%s'/\"$1\"\n", program, replies)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "memory-hooks"), []byte(script), 0o755))
	return dir, replies
}

// What the hooks say is in the model's next request, at each event; where they have
// nothing to say they print nothing; and the settings are given back as they were.
func TestClaudeCodeHooks(t *testing.T) {
	bin := installed(t)
	shim, replies := recorded(t, filepath.Join(bin, "memory-hooks"))
	hooks := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command(filepath.Join(bin, "memory-hooks"), append(args, "--scope", "project", "--repo", dir)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+shim+":"+bin+":"+os.Getenv("PATH"), "WHENCE_HOME="+filepath.Join(t.TempDir(), "store"))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	const settings = "{\n    \"permissions\" : { \"deny\": [ \"WebFetch\" ] },\r\n\t\"env\": {\"A\": \"\\u0026\"}\n}"
	template := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(template, ".claude"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(template, ".claude", "settings.json"), []byte(settings), 0o644))
	hooks(template, "install", "--yes")

	sc := inFerry(t, shim+":"+bin, claudeCode)
	sc.files[".claude/settings.json"] = texts(t, template)[".claude/settings.json"]
	require.NotEqual(t, settings, sc.files[".claude/settings.json"])
	sc.runs = [][]string{claudeCode.run(t, chargedTwice), claudeCode.run(t, "/compact", "--continue"), claudeCode.run(t, "What now?", "--continue")}
	agentCall := calls("Agent", "description", "look", "prompt", "look around", "subagent_type", "general-purpose")
	agentCall.Input.(map[string]any)["run_in_background"] = false
	sc.routes = []model.Route{
		{When: "cc_is_subagent=true", Turns: []model.Turn{says("nothing found")}},
		{When: "CRITICAL: Respond with TEXT ONLY", Turns: []model.Turn{says("<summary>it was mended</summary>")}},
		{When: "What now?", Turns: []model.Turn{says("nothing")}},
		{When: "charged twice", Turns: slices.Insert(claudeCode.work(), len(claudeCode.work())-2, agentCall)},
	}
	p := play(t, sc)

	shown := texts(t, replies)
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

	kept := "" // what Claude Code has told by hooks is known as such in its transcripts
	for name, text := range texts(t, filepath.Join(p.home, ".claude", "projects")) {
		if filepath.Ext(name) == ".jsonl" {
			kept += text
		}
	}
	injected := 0
	_, _, err := transcript.Read(strings.NewReader(kept), int64(len(kept)), transcript.Cursor{}, func(r transcript.Record) error {
		if r.Injected != "" {
			injected++
		}
		return nil
	})
	require.NoError(t, err)
	require.NotZero(t, injected)
	require.Equal(t, strings.Count(kept, `"hook_additional_context"`), injected)

	hooks(p.project, "uninstall")
	given, err := os.ReadFile(filepath.Join(p.project, ".claude", "settings.json"))
	require.NoError(t, err)
	require.Equal(t, settings, string(given))
}

// The plugin alone does the same, and brings /when, which is answered before the model is
// asked.
func TestClaudeCodePluginHooks(t *testing.T) {
	sc := inFerry(t, installed(t), claudeCode)
	plugin := []string{"--plugin-dir", repotest.Root(t)}
	const typed = "scheduling at low water"
	sc.runs = [][]string{claudeCode.run(t, chargedTwice, plugin...), claudeCode.run(t, "/when "+typed, plugin...)}
	sc.routes = []model.Route{
		{When: "charged twice", Turns: []model.Turn{says("done")}},
		{When: typed, Turns: []model.Turn{claudeCode.shell("memory-when - <<'END_OF_QUERIES'\n/how write a backfill\nEND_OF_QUERIES"), says("done")}},
	}
	p := play(t, sc)
	const recalled = "- /when retrying a charge safely  ("
	require.Equal(t, p.first("charged twice"), p.first(agent.PointersHead+"use the skill: /when <trigger>\n"+recalled))
	require.NotZero(t, p.first(recalled))
	require.Equal(t, 1, strings.Count(p.requests[p.first(recalled)-1], recalled), "once")
	const answer = "Stray slip: 0.9 metres over the sill\n"
	require.NotZero(t, p.first(answer))
	require.Equal(t, p.first("<command-args>"+typed+"</command-args>"), p.first(answer), "answered with the prompt")
	require.Contains(t, p.requests[p.first(answer)-1], "memory-when - <<'END_OF_QUERIES'", "the skill")
	require.NotZero(t, p.first("# Backfills run from `tools/backfill`, never in a migration"), "the program, by the skill")
}

// The server, registered by .mcp.json and by the plugin; the budget of a session; and
// /remember of the plugin.
func TestClaudeCodeRemembers(t *testing.T) {
	bin := installed(t)
	program := filepath.Join(bin, "memory-remember")
	store := func(server string, i int, words string) model.Turn {
		return calls("mcp__"+server+"__store_memory", "name", fmt.Sprint("Learning ", i), "description", words, "reasoning", "It showed in the log.", "category", "heuristics", "confidence", "low")
	}
	const plugin = "plugin_whence_memory"
	five := []string{
		"Migrations run before the deploy job takes its lock.", "The staging database refuses prepared statements.",
		"Fixtures are regenerated by make fixtures, never by hand.", "The linter needs the generated protobuf code first.",
		"Currency amounts are integers of the smallest unit.",
	}
	const byFile, sixth = "The mobile client retries uploads without a key.", "Feature flags are read once per request, not per call."
	const typed = "always \"quote\" $(touch RUN) and !`touch RUN` in hooks,\nnever $HOME"
	silent := []model.Turn{}
	for i, words := range append(slices.Clone(five), sixth) {
		silent = append(silent, store(plugin, i, words))
	}
	silent = append(silent, calls("mcp__"+plugin+"__search_memory", "query", "deploy job lock"), calls("mcp__"+plugin+"__when", "query", "listing many rows"), says("done"))

	withPlugin := []string{"--plugin-dir", repotest.Root(t)}
	p := play(t, scene{
		bin: bin, env: claudeCode.env, settings: "memory_model_capture_mode: silent\n",
		files: map[string]string{
			".mcp.json":               `{"mcpServers": {"memory": {"type": "stdio", "command": "` + program + `", "args": ["serve"]}}}`,
			indexFile:                 index,
			"agents/decisions/api.md": decisions,
		},
		runs: [][]string{
			claudeCode.run(t, "first by file"),
			slices.Concat([]string{"env", "ENABLE_TOOL_SEARCH=false"}, claudeCode.run(t, "second by plugin", withPlugin...)),
			append(claudeCode.asking(t, "/remember "+typed), withPlugin...), // the permission of the skill has to do
		},
		routes: []model.Route{
			{When: "first by file", Turns: []model.Turn{calls("ToolSearch", "query", "select:mcp__memory__store_memory"), store("memory", 9, byFile), says("done")}},
			{When: "second by plugin", Turns: silent},
			{When: "remember", Turns: []model.Turn{claudeCode.shell("memory-remember - <<'END_OF_LEARNING'\n" + typed + "\nEND_OF_LEARNING"), says("done")}},
		},
	})

	told := []string{
		"Captured: Learning 9 (heuristics)\nSilent captures this session: 1/5", // called by .mcp.json
		"Capture mode: silent", // the instructions of the server
		"Silent capture budget reached. Proposing remaining learnings for approval.\nLearning 5 (heuristics)\n" + sixth,
		"Found 1 relevant memories:\n\n### Heuristic: Learning 0\n" + five[0],
		"# Paging\n\nPages are named by a cursor.",
		"<command-args>" + typed + "</command-args>", // as it was typed
		"- <<'END_OF_LEARNING'", // the skill
		"Stored: ",
	}
	for i := range five {
		told = append(told, fmt.Sprintf("Captured: Learning %d (heuristics)\nSilent captures this session: %d/5", i, i+1))
	}
	for _, text := range told {
		require.NotZero(t, p.first(text), text)
	}
	require.NoFileExists(t, filepath.Join(p.project, "RUN"))

	cmd := exec.Command(program, "list", "--format", "json")
	cmd.Dir = p.project
	cmd.Env = append(os.Environ(), "WHENCE_HOME="+p.store)
	out, err := cmd.Output()
	require.NoError(t, err)
	stored := []string{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var l struct{ Description, Confidence, Source, Project string }
		require.NoError(t, decoder.Decode(&l))
		require.Equal(t, []string{"low", "session-capture"}, []string{l.Confidence, l.Source})
		require.Equal(t, filepath.Join(p.project, ".git"), l.Project)
		stored = append(stored, l.Description)
	}
	require.ElementsMatch(t, append(five, byFile, typed), stored)
}

// Who has typed install has the skills: /when with several triggers, /remember in the specification's own example, and the one for
// the notes. These come again after ten calls, two of which hooks see, and have what a command has added.
func TestClaudeCodeSkillsAndNotes(t *testing.T) {
	sc := inFerry(t, installed(t), claudeCode).installed(t, claudeCode)
	sc.settings = "memory_notes_enabled: true\n"
	const learned = "always suppress stderr in hook subprocesses to prevent JSON corruption"
	sc.runs = [][]string{
		claudeCode.run(t, "dredge it"), claudeCode.run(t, "/when\n- taking a payment\n- card is declined"),
		claudeCode.run(t, "/remember "+learned), claudeCode.run(t, "/context-memory clean memory"),
	}
	work := []model.Turn{claudeCode.shell(`printf -- '- mind the %s\n' tide >>.memory/context.md; printf 'module x\n\nrequire a.io/y v1.0.0\n' >go.mod`)}
	for range 9 {
		work = append(work, calls("Grep", "pattern", "harbour"))
	}
	sc.routes = []model.Route{
		{When: "dredge it", Turns: append(work, claudeCode.shell("true"), says("done"))},
		{When: "card is declined", Turns: []model.Turn{says("done")}},
		{When: learned, Turns: []model.Turn{claudeCode.shell("memory-remember --category heuristics - <<'END_OF_LEARNING'\n" + learned + "\nEND_OF_LEARNING"), says("done")}},
		{When: "clean memory", Turns: []model.Turn{says("Shall I?")}},
	}
	p := play(t, sc)
	require.Equal(t, 1, p.first("Tip: Use `/remember <learning>` to capture insights, or use the `store_memory` MCP tool directly.\n"))
	require.Equal(t, len(work)+2, p.first("- mind the tide\n"), "after the tenth call")
	require.Contains(t, texts(t, p.project)[".memory/decisions.md"], " go.mod (dependencies) created: added a.io/y\n")
	for _, answer := range []string{payment, "# Never retry a declined card\n"} {
		require.Equal(t, p.first("- card is declined"), p.first(answer), "answered with the prompt")
	}
	require.NotZero(t, p.first("Stored: always suppress stderr in hook subprocesses to prevent... (heuristics)"))
	require.NotZero(t, p.first("Ask before you delete anything"), "the skill")
}

// records are architecture decision records as two projects' tools write them, one of them superseded.
var records = map[string]string{
	"docs/adr/0001-labels-from-the-request.md": "# 1. Print labels from the request\n\n## Status\n\nSuperseded by [2. Labels are printed through a queue](0002-labels-by-queue.md)\n\n" +
		"## Decision\n\nThe request prints the label on the printer of the depot, and waits for it.\n",
	"docs/adr/0002-labels-by-queue.md": "# 2. Labels are printed through a queue\n\n## Status\n\nAccepted\n\n## Context\n\nThe label printer of a depot may be off for hours.\n\n" +
		"## Decision\n\nWe put each label into a queue table, and the depot fetches it. The request never waits for a printer.\n",
	"docs/adr/0003-weights-in-grams.md": "---\nstatus: accepted\n---\n# Weights are whole grams\n\nA weight is an integer in grams. Kilograms as floats made invoices differ by a cent.\n",
	"docs/adr/template.md":              "# TITLE\n",
}

// The first path of the README: records are adopted where they are, the hooks are installed, and a prompt
// leads the agent, which asks about all that no setting allows, to the record that holds.
func TestClaudeCodeRecords(t *testing.T) {
	bin := installed(t)
	dir := t.TempDir()
	for name, text := range records {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, args := range [][]string{{"git", "init", "-q"}, {filepath.Join(bin, "memory-migrate"), "adopt", "--write"}, {filepath.Join(bin, "memory-validate")}} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git")))

	sc := scene{bin: bin, files: texts(t, dir), env: claudeCode.env}.installed(t, claudeCode)
	sc.runs = [][]string{
		claudeCode.command(t, "mcp", "add", "--scope", "user", "memory", "--", "memory-remember", "serve"),
		claudeCode.asking(t, "requests are slow when the depot is offline"),
	}
	sc.routes = []model.Route{{When: "depot is offline", Turns: []model.Turn{claudeCode.shell("memory-when 'putting each label into a queue table'"), says("through the queue")}}}
	p := play(t, sc)
	require.Len(t, p.requests, 2)
	require.Contains(t, p.requests[0], byCommand+"- /when putting each label into a queue table  (2. Labels are printed through a queue)\n")
	require.NotContains(t, p.requests[0], "Print labels from the request")
	require.Contains(t, p.requests[1], "Status\n\nAccepted\n\n")
	require.Contains(t, p.requests[1], "The request never waits for a printer.")
}

// Claude Code passes the environment of committed settings on to its hooks.
func TestClaudeCodeInACloneThatSetsVariables(t *testing.T) {
	sc := inFerry(t, installed(t), claudeCode).registered(t, claudeCode)
	const key, file = `"hooks"`, ".claude/settings.json"
	require.Contains(t, sc.files[file], key)
	sc.files[file] = strings.Replace(sc.files[file], key, `"env": {
    "WHENCE_CAPTURE_MODE": "silent", "WHENCE_HOME": ".wh-evil",
    "WHENCE_EMBEDDING_URL": "http://127.0.0.1:5999/v1", "WHENCE_EMBEDDING_MODEL": "m"
  },
  `+key, 1)
	sc.runs = [][]string{claudeCode.run(t, chargedTwice)}
	sc.routes = []model.Route{{When: "charged twice", Turns: []model.Turn{says("done")}}}
	p := play(t, sc)
	require.NotZero(t, p.first("/when retrying a charge safely"), "the decision is pointed to")
	require.Zero(t, p.first("capture mode: silent"))
	require.NoDirExists(t, filepath.Join(p.project, ".wh-evil"))
	require.NoDirExists(t, filepath.Join(p.store, "sessions"), "the store of the user is left alone")
}
