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

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// scene is a scenario for a real agent, Claude Code if none is named: the files of the project, the arguments
// of the client, and what the model, which is a script, does.
type scene struct {
	Name      string            `json:"name"`
	Hooks     []string          `json:"hooks"`
	Files     map[string]any    `json:"files"`
	HomeFiles map[string]any    `json:"home_files,omitempty"`
	Env       map[string]string `json:"env"`
	Runs      []clientRun       `json:"runs"`
	Routes    []route           `json:"routes"`
	Own       string            `json:"-"` // the settings of the user
}

type clientRun struct {
	Program string            `json:"bin,omitempty"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

// route selects what the model does by words of the prompt.
type route struct {
	When  string `json:"when"`
	Turns []turn `json:"turns"`
}

type turn struct {
	Text   string `json:"text,omitempty"`
	Tool   string `json:"tool,omitempty"`
	Input  any    `json:"input,omitempty"`
	Blocks []any  `json:"blocks,omitempty"`
}

// played is the outcome of a scene.
type played struct {
	project  string   // its folder
	store    string   // what WHENCE_HOME names
	requests []string // the messages of each request to the model, in order: their texts
}

// play runs a scene in a network of its own that has nothing but the scripted model. The
// kit that does it is not part of the repository.
func play(t *testing.T, sc scene) played {
	t.Helper()
	kit := repotest.Shared(t, "clients/agents/run.sh")
	for _, name := range []string{"ip", "python3", "bash"} {
		client(t, name)
	}
	noNetwork(t)
	installations := installations(t)
	if sc.Runs[0].Program == "" {
		claudeCode(t)
	}

	// The installation is shared; all else is this test's own.
	work, out := repotest.TempDir(t), filepath.Join(t.TempDir(), "out")
	require.NoError(t, os.Symlink(installations, filepath.Join(work, "inst")))
	home := storetest.ConsentingClaim(t, filepath.Join(work, "store"))
	require.NoError(t, os.WriteFile(filepath.Join(home, config.UserFile), []byte(sc.Own), 0o600))
	src, err := json.Marshal(sc)
	require.NoError(t, err)
	file := filepath.Join(work, sc.Name+".json")
	require.NoError(t, os.WriteFile(file, src, 0o644))
	cmd := exec.Command(kit, file, out)
	cmd.Env = append(os.Environ(), "KIT_WORK="+work)
	log, err := cmd.CombinedOutput()
	require.NoError(t, err, string(log))

	p := played{project: filepath.Join(work, "work", sc.Name), store: filepath.Join(work, "store")}
	files, err := filepath.Glob(filepath.Join(out, "requests", "*.json"))
	require.NoError(t, err)
	slices.Sort(files)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		var request struct {
			Body struct{ System, Messages, Input, Contents any }
		}
		require.NoError(t, json.Unmarshal(src, &request))
		var texts strings.Builder
		collect(&texts, request.Body.System)
		collect(&texts, request.Body.Messages)
		collect(&texts, request.Body.Input)
		collect(&texts, request.Body.Contents)
		p.requests = append(p.requests, texts.String())
	}
	require.NotEmpty(t, p.requests, string(log))
	return p
}

// noNetwork is the command that runs another one without a network.
func noNetwork(t *testing.T) []string {
	t.Helper()
	unshare := client(t, "unshare")
	for _, flag := range []string{"-n", "-rn"} {
		if exec.Command(unshare, flag, "true").Run() == nil {
			return []string{unshare, flag}
		}
	}
	repotest.Missing(t, "clients", "this system allows no network namespaces")
	return nil
}

// installations is where agents are installed: in $KIT_WORK, by default a cache.
func installations(t *testing.T) string {
	t.Helper()
	cache := os.Getenv("KIT_WORK")
	if cache == "" {
		home, err := os.UserHomeDir()
		require.NoError(t, err)
		cache = filepath.Join(home, ".cache", "agent-kit")
	}
	return filepath.Join(cache, "inst")
}

// agentProgram is the path of a file of an installed agent.
func agentProgram(t *testing.T, path string) string {
	t.Helper()
	program := filepath.Join(installations(t), filepath.FromSlash(path))
	if _, err := os.Stat(program); err != nil {
		repotest.Missing(t, "clients", "an agent is not installed: "+err.Error())
	}
	return program
}

func claudeCode(t *testing.T) (program string) {
	t.Helper()
	return agentProgram(t, "claude/node_modules/@anthropic-ai/claude-code-linux-x64/claude")
}

// Claude Code accepts the plugin, and installs it from a clone.
func TestClaudeCodePlugin(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the client four times")
	}
	without := noNetwork(t)
	program := claudeCode(t)
	s := newSandbox(t)
	dir, _ := s.published()
	claude := func(args ...string) string {
		t.Helper()
		return s.run("", without[0], slices.Concat(without[1:], []string{program}, args)...)
	}
	require.Contains(t, claude("plugin", "validate", dir), "Validation passed")
	claude("plugin", "marketplace", "add", dir)
	claude("plugin", "install", "whence@whence")
	require.Contains(t, claude("plugin", "list"), "whence@whence")
}

// collect writes all texts of a JSON value.
func collect(out *strings.Builder, value any) {
	switch v := value.(type) {
	case string:
		out.WriteString(v + "\n")
	case []any:
		for _, item := range v {
			collect(out, item)
		}
	case map[string]any:
		for _, key := range []string{"content", "text", "output", "parts", "functionResponse", "response", "error"} {
			collect(out, v[key])
		}
	}
}

// reached counts the requests in which the model was sent a text.
func (p played) reached(text string) (n int) {
	for _, request := range p.requests {
		if strings.Contains(request, text) {
			n++
		}
	}
	return n
}

var printMode = []string{"--output-format", "json", "--dangerously-skip-permissions"}

// The server, registered by .mcp.json and by the plugin; the budget of a session; and
// /remember of the plugin.
func TestClaudeCodeRemembers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	bin := installed(t)
	program := filepath.Join(bin, "memory-remember")
	learning := func(i int, words string) map[string]any {
		return map[string]any{"name": fmt.Sprint("Learning ", i), "description": words, "reasoning": "It showed in the log.", "category": "heuristics", "confidence": "low"}
	}
	const plugin = "mcp__plugin_whence_memory__"
	five := []string{
		"Migrations run before the deploy job takes its lock.", "The staging database refuses prepared statements.",
		"Fixtures are regenerated by make fixtures, never by hand.", "The linter needs the generated protobuf code first.",
		"Currency amounts are integers of the smallest unit.",
	}
	const sixth = "Feature flags are read once per request, not per call."
	const typed = "always \"quote\" $(touch RUN) and !`touch RUN` in hooks,\nnever $HOME"
	silent := []turn{}
	for i, words := range five {
		silent = append(silent, turn{Tool: plugin + "store_memory", Input: learning(i, words)})
	}
	silent = append(silent,
		turn{Tool: plugin + "store_memory", Input: learning(5, sixth)},
		turn{Tool: plugin + "search_memory", Input: map[string]any{"query": "deploy job lock"}},
		turn{Tool: plugin + "when", Input: map[string]any{"query": "listing many rows"}},
		turn{Text: "done"})

	p := play(t, scene{
		Name: "remembers", Hooks: []string{},
		Files: map[string]any{
			".mcp.json":               map[string]any{"mcpServers": map[string]any{"memory": map[string]any{"type": "stdio", "command": program, "args": []string{"serve"}}}},
			"agents/memory-index.md":  index,
			"agents/decisions/api.md": decisions,
		},
		Own: "memory_model_capture_mode: silent\n",
		Env: map[string]string{"WHENCE_HOME": "@WORK@/store", "PATH": bin + ":/usr/local/bin:/usr/bin:/bin"},
		Runs: []clientRun{
			{Args: append([]string{"-p", "first by file"}, printMode...)},
			{Args: append([]string{"-p", "second by plugin", "--plugin-dir", repotest.Root(t)}, printMode...), Env: map[string]string{"ENABLE_TOOL_SEARCH": "false"}},
			// Without a general permission: that of the skill has to do.
			{Args: []string{"-p", "/remember " + typed, "--plugin-dir", repotest.Root(t), "--output-format", "json"}},
		},
		Routes: []route{
			{"first by file", []turn{
				{Tool: "ToolSearch", Input: map[string]any{"query": "select:mcp__memory__store_memory"}},
				{Tool: "mcp__memory__store_memory", Input: learning(9, "The mobile client retries uploads without a key.")},
				{Text: "done"},
			}},
			{"second by plugin", silent},
			{"remember", []turn{
				{Tool: "Bash", Input: map[string]any{"description": "remember", "command": "memory-remember - <<'END_OF_LEARNING'\n" + typed + "\nEND_OF_LEARNING"}},
				{Text: "done"},
			}},
		},
	})

	require.NotZero(t, p.reached("Captured: Learning 9 (heuristics)\nSilent captures this session: 1/5"), "called by .mcp.json")
	require.NotZero(t, p.reached("Capture mode: silent"), "the instructions of the server")
	for i := range five {
		require.NotZero(t, p.reached(fmt.Sprintf("Captured: Learning %d (heuristics)\nSilent captures this session: %d/5", i, i+1)))
	}
	require.NotZero(t, p.reached("Silent capture budget reached. Proposing remaining learnings for approval.\nLearning 5 (heuristics)\n"+sixth))
	require.NotZero(t, p.reached("Found 1 relevant memories:\n\n### Heuristic: Learning 0\n"+five[0]))
	require.NotZero(t, p.reached("# Paging\n\nPages are named by a cursor."))
	require.NotZero(t, p.reached("<command-args>"+typed+"</command-args>"), "the text of /remember, as it was typed")
	require.NotZero(t, p.reached("- <<'END_OF_LEARNING'"), "the skill")
	require.NotZero(t, p.reached("Stored: "))
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
		require.Equal(t, [2]string{"low", "session-capture"}, [2]string{l.Confidence, l.Source})
		require.True(t, strings.HasSuffix(l.Project, filepath.Join("work", "remembers", ".git")), l.Project)
		stored = append(stored, l.Description)
	}
	require.ElementsMatch(t, append(five, "The mobile client retries uploads without a key.", typed), stored)
}
