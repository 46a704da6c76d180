package agent_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// oddPermissions holds settings files with permissions as people and programs leave them.
var oddPermissions = map[string]string{
	"none":                      "{\n  \"permissions\": {}\n}\n",
	"none, lines":               "{\n  \"permissions\": {\n  }\n}\n",
	"empty list":                "{\n  \"permissions\": {\n    \"allow\": []\n  }\n}\n",
	"empty list, blank":         `{"permissions": {"allow": [ ]}}`,
	"empty list, lines":         "{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t]\n\t}\n}\n",
	"others":                    "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(git status:*)\",\n      \"Read(~/x)\"\n    ],\n    \"deny\": [\"Bash(curl:*)\"]\n  },\n  \"model\": \"opus\"\n}\n",
	"others, Windows":           "{\r\n  \"permissions\": {\r\n    \"allow\": [\r\n      \"Bash(ls)\"\r\n    ]\r\n  }\r\n}\r\n",
	"others, one line":          `{"permissions": {"allow": ["Bash(ls)"], "defaultMode": "plan"}}`,
	"others, minified":          `{"permissions":{"allow":["Bash(ls)"]}}`,
	"others, aligned":           "{ \"permissions\" : { \"allow\" : [ \"Bash(ls)\"\n                               , \"Bash(pwd)\"\n                               ]\n                  }\n}\n",
	"only refusals":             "{\n  \"permissions\": {\n    \"deny\": [\"Bash(curl:*)\"],\n    \"ask\": []\n  }\n}\n",
	"two objects":               "{\n  \"permissions\": {\"allow\": [\"a\"]},\n  \"permissions\": {\"allow\": []}\n}\n",
	"two lists":                 `{"permissions": {"allow": [], "allow": ["Bash(ls)"]}}`,
	"odd elements":              `{"permissions": {"allow": [null, 1, {}, [], "Bash(", "Bash()", ""]}}`,
	"escaped name":              "{\"permi\\u0073sions\": {\"allow\": []}}",
	"half of ours, the command": `{"permissions": {"allow": ["Bash(memory-when)"]}}`,
	"half of ours, by path":     `{"permissions": {"allow": ["Bash(/opt/memory-when:*)"]}}`,
	"half of ours, sessions":    `{"permissions": {"allow": ["Bash(memory-remember session:*)", "Bash(memory-remember:*)"]}}`,
	"another program":           `{"permissions": {"allow": ["Bash(memory-whence)", "Bash(memory-whence:*)"]}}`,
}

func allOddPermissions() map[string]string {
	all := oddFor(agent.Claude)
	maps.Copy(all, oddPermissions)
	delete(all, "huge")
	return all
}

// Permit and Revoke together restore the bytes of any file, whether hooks are registered or not. Permitting again
// changes nothing.
func TestPermitAndBack(t *testing.T) {
	for name, text := range allOddPermissions() {
		t.Run(name, func(t *testing.T) { permitAndBack(t, text) })
	}
}

func permitAndBack(t *testing.T, text string) {
	c := agent.Claude
	for _, commands := range [][]string{{"memory-when", "memory-remember session"}, {"/opt/a/memory-when", "/opt/a/memory-remember session"}} {
		for _, hooks := range [][]agent.Registration{nil, registrations(c, "memory-hooks")} {
			src, err := c.Register([]byte(text), hooks)
			require.NoError(t, err)
			src, err = c.Permit(src, commands...)
			require.NoError(t, err)
			again, err := c.Permit(src, commands...)
			require.NoError(t, err)
			require.Equal(t, string(src), string(again), "permitting twice")
			for _, command := range commands {
				require.Contains(t, string(src), `"Bash(`+command+`:*)"`)
			}
			require.True(t, json.Valid([]byte(strings.TrimPrefix(string(src), "\uFEFF"))), "%s", src)
			src, err = c.Revoke(src)
			require.NoError(t, err)
			src, err = c.Unregister(src, ours)
			require.NoError(t, err)
			require.Equal(t, text, string(src))
		}
	}
}

func FuzzPermitAndBack(f *testing.F) {
	for _, text := range allOddPermissions() {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := agent.Claude
		src, err := c.Permit(text, "memory-when", "memory-remember session")
		if err != nil {
			return
		}
		if none, err := c.Revoke(text); err != nil || string(none) != string(text) {
			return // there was something of ours before
		}
		again, err := c.Permit(src, "memory-when", "memory-remember session")
		require.NoError(t, err)
		require.Equal(t, string(src), string(again))
		back, err := c.Revoke(src)
		require.NoError(t, err)
		require.Equal(t, string(text), string(back), "by way of %q", src)
	})
}

// Rules that the user wrote are kept, whatever they say, and so are those of other agents.
func TestPermitLeavesOwnRules(t *testing.T) {
	for _, text := range []string{
		`{"permissions": {"allow": ["Bash(memory-when:*)"]}}`,
		`{"permissions": {"allow": ["Bash"]}}`,
		`{"permissions": {"deny": ["Bash(memory-when:*)"]}}`,
		`{"permissions": {"ask": ["Bash(memory-*)"], "allow": []}}`,
	} {
		src, err := agent.Claude.Permit([]byte(text), "memory-when")
		require.NoError(t, err)
		require.Contains(t, string(src), `"Bash(memory-when)"`)
		src, err = agent.Claude.Revoke(src)
		require.NoError(t, err)
		require.Equal(t, text, string(src))
	}
	for _, c := range []agent.Client{agent.Codex, agent.Gemini, agent.Copilot} {
		src, err := c.Permit([]byte(`{"version": 1}`), "memory-when")
		require.NoError(t, err)
		require.Equal(t, `{"version": 1}`, string(src), "its rules are elsewhere")
	}
}

func TestPermitRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"permissions\": []}":            "line 2: \"permissions\" must be an object, {…}: replace it with one, or remove it",
		`{"permissions": {"allow": "Bash"}}`: "line 1: \"permissions.allow\" must be a list, […]: replace it with one, or remove it",
	} {
		src, err := agent.Claude.Permit([]byte(text), "memory-when")
		require.EqualError(t, err, want)
		require.Nil(t, src)
	}
}

func TestIsRule(t *testing.T) {
	require.True(t, agent.IsRule([]byte(agent.Rule("memory-when"))))
	require.True(t, agent.IsRule([]byte(agent.Rule(`C:\my tools\memory-when.exe`))))
	require.True(t, agent.IsRule([]byte(agent.Rule("memory-when", "/opt/memory-remember session"))))
	require.False(t, agent.IsRule([]byte(agent.Rule("memory-when", "memory-remember"))))
	require.False(t, agent.IsRule([]byte(agent.Rule("rm"))))
	require.False(t, agent.IsRule([]byte(agent.Rule("memory-when")+"\n")))
	require.False(t, agent.IsRule(nil))
}
