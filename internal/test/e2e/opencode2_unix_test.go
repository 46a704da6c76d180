//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/test/repotest"
)

// openCode2 plays OpenCode 2, which cannot be installed, as its published types describe it: it calls setup with the
// hooks of sessions and tools and the events, and then goes through a session that hooks keep from stopping once.
const openCode2 = `
import plugin from "./whence.mjs"
const hooks = {}
let emit
const queue = []
const session = {
  hook: async (name, run) => { hooks[name] = run },
  get: async ({ sessionID }) => ({ id: sessionID, parentID: sessionID === "child" ? "main" : undefined, location: { directory: process.cwd() }, tokens: { input: 0, output: 0 } }),
  prompt: async (input) => { queue.push(input) },
}
async function* subscribe() {
  for (;;) { const event = await new Promise((next) => { emit = next }); yield event }
}
const happened = async (type, data) => { emit({ type, data }); await new Promise((next) => setTimeout(next, 300)) }
const cleanUp = await plugin.setup({ session, tool: session, event: { subscribe }, location: { directory: process.cwd() } })
const typed = { sessionID: "main", prompt: { text: "rename a column" }, delivery: "steer" }
await hooks.prompt(typed)
const ran = { tool: "shell", sessionID: "main", id: "c1", input: { command: "make" }, status: "completed", result: { content: [{ type: "text", text: "no rule" }], metadata: { exit: 2 } } }
await hooks["execute.after"](ran)
const failed = { tool: "read", sessionID: "main", id: "c2", input: { path: "a.go" }, status: "error", error: new Error("no such file") }
await hooks["execute.after"](failed)
await hooks.prompt({ sessionID: "child", prompt: { text: "look around" }, delivery: "steer" })
await happened("session.execution.succeeded", { sessionID: "child" })
await happened("session.text.ended", { sessionID: "main", text: "done" })
await happened("session.execution.succeeded", { sessionID: "main" })
for (const prompt of queue) {
  await hooks.prompt({ ...prompt, prompt: { text: prompt.text } })
  await happened("session.execution.succeeded", { sessionID: "main" })
}
await happened("session.compaction.ended", { sessionID: "main" })
await happened("session.execution.succeeded", { sessionID: "not one of ours" })
const again = { sessionID: "main", prompt: { text: "go on" }, delivery: "steer" }
await hooks.prompt(again)
await cleanUp()
console.log(JSON.stringify([typed.prompt.text, ran.result.content.at(-1).text, failed.error.message, queue[0].text, again.prompt.text]))
process.exit(0)
`

// OpenCode 2 tells of its sessions what version 1 tells of them, and puts the replies before its model.
func TestOpenCode2Plugin(t *testing.T) {
	node := repotest.Program(t, "node")
	dir := t.TempDir()
	program := filepath.Join(dir, "memory-hooks")
	require.NoError(t, os.WriteFile(program, []byte(`#!/bin/sh
cat >> events; echo >> events
case $1 in
Stop) echo '{"decision":"block","reason":"the index is broken"}';;
*) echo '{"hookSpecificOutput":{"additionalContext":"about '$1'"}}';;
esac
`), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "whence.mjs"), agent.Plugin(program), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "opencode2.mjs"), []byte(openCode2), 0o644))
	cmd := exec.Command(node, "opencode2.mjs")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	shown := func(event string) string { return "\n\n<hook_context>\nabout " + event + "\n</hook_context>" }
	var got []string
	require.NoError(t, json.Unmarshal(out, &got), string(out))
	require.Equal(t, []string{
		"rename a column" + shown(agent.SessionStart) + shown(agent.UserPromptSubmit), shown(agent.PostToolUse), "no such file" + shown(agent.PostToolUseFailure),
		"the index is broken", "go on" + shown(agent.SessionStart) + shown(agent.UserPromptSubmit),
	}, got)

	sent, err := os.ReadFile(filepath.Join(dir, "events"))
	require.NoError(t, err)
	var events []string
	for _, line := range strings.Split(strings.TrimSpace(string(sent)), "\n") {
		e, err := agent.Read(strings.NewReader(line), agent.OpenCode, "")
		require.NoError(t, err, line)
		require.Equal(t, "main", e.Session)
		events = append(events, strings.TrimSpace(strings.Join([]string{e.Name, e.Source, e.Tool, e.Command, e.Path, e.Prompt}, " ")))
	}
	require.Equal(t, []string{
		"SessionStart startup", "UserPromptSubmit     rename a column", "PostToolUseFailure  Bash make", "PostToolUseFailure  Read  a.go", "SubagentStop",
		"Stop", "Stop", "SessionStart compact", "UserPromptSubmit     go on", "SessionEnd",
	}, events)
}
