package e2e

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/store"
	"whence/internal/test/model"
	"whence/internal/test/repotest"
	"whence/remember"
)

// realAgent is how an agent is started, and how its model calls its tools.
type realAgent struct {
	name       string
	registered string   // the name by which memory-hooks registers it
	program    string   // a pattern, below the folder where agents are installed
	prompted   []string // its arguments, before a prompt
	trusting   []string // and after it, if it is to ask its user nothing

	env, home, files map[string]string // what it needs in a scene

	shell func(command string) model.Turn
	read  func(path string) model.Turn // nil: it has no tool for reading
	edit  func(path, before, after string) model.Turn

	silent []string // what it does not tell hooks of
}

// realAgents are those that tests try. Copilot CLI also runs what is registered with Claude Code, and an old Claude
// Code would refuse the whole settings for one event that it does not know.
func realAgents() []realAgent {
	old, copilotAsClaude := claudeCode, copilot
	old.name, old.program = "claude-old", "claude-old/node_modules/@anthropic-ai/claude-code/cli.js"
	copilotAsClaude.name, copilotAsClaude.registered = "copilot-as-claude", "claude"
	return []realAgent{claudeCode, old, copilot, copilotAsClaude, gemini, codex, openCode}
}

// calls is a turn in which the model calls a tool, with fields of its input and their values.
func calls(tool string, fields ...string) model.Turn {
	input := map[string]any{}
	for pair := range slices.Chunk(fields, 2) {
		input[pair[0]] = pair[1]
	}
	return model.Turn{Tool: tool, Input: input}
}

func says(text string) model.Turn { return model.Turn{Say: text} }

// command is the agent with arguments. Without it the test is skipped.
func (a realAgent) command(t *testing.T, args ...string) []string {
	t.Helper()
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	pattern := filepath.Join(home, ".cache", "whence-clients", "agents", filepath.FromSlash(a.program)) // where .ci/run installs it
	found, err := filepath.Glob(pattern)
	require.NoError(t, err)
	if len(found) == 0 {
		name, _, _ := strings.Cut(a.program, "/")
		repotest.Missing(t, name, "the agent is not in ~/.cache/whence-clients")
	}
	if strings.HasSuffix(a.program, ".js") {
		return slices.Concat([]string{repotest.Program(t, "node"), found[0]}, args)
	}
	return append(found[:1], args...)
}

// run is a run of the agent with a prompt: it asks its user nothing.
func (a realAgent) run(t *testing.T, prompt string, more ...string) []string {
	t.Helper()
	return slices.Concat(a.asking(t, prompt), a.trusting, more)
}

// asking is a run with a prompt in which it asks its user, who is not there, before it does what no setting allows.
func (a realAgent) asking(t *testing.T, prompt string) []string {
	t.Helper()
	return a.command(t, append(slices.Clone(a.prompted), prompt)...)
}

// asSent returns a text of a hook as the agent sends it to the model.
func (a realAgent) asSent(text string) string {
	if a.name == "gemini" {
		return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(text)
	}
	return text
}

// inFerry is a scene in the example, with what agents need there.
func inFerry(t *testing.T, bin string, agents ...realAgent) scene {
	t.Helper()
	sc := scene{
		bin: bin, files: texts(t, ferry(t)), env: map[string]string{},
		home: map[string]string{".profile": "PATH=" + bin + ":$PATH\n"}, // for the login shells of Codex
	}
	sc.files[backfill] = "package backfill // as it was read\n"
	for _, a := range agents {
		maps.Copy(sc.files, a.files)
		maps.Copy(sc.home, a.home)
		maps.Copy(sc.env, a.env)
	}
	return sc
}

func ferry(t *testing.T) string { return filepath.Join(repotest.Root(t), "examples", "ferry") }

// registered is a scene in whose project the hooks are registered with agents.
func (sc scene) registered(t *testing.T, agents ...realAgent) scene {
	t.Helper()
	project := t.TempDir()
	for _, a := range agents {
		register(t, sc.bin, project, a.registered)
	}
	maps.Copy(sc.files, texts(t, project))
	return sc
}

// installed is a scene whose user has installed the hooks for an agent.
func (sc scene) installed(t *testing.T, a realAgent) scene {
	t.Helper()
	home := t.TempDir()
	for name, text := range sc.home {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(home, name), []byte(text), 0o644))
	}
	install := exec.Command(filepath.Join(sc.bin, "memory-hooks"), "install", "--yes", "--agent", a.registered)
	install.Dir, install.Env = home, []string{"HOME=" + home, "PATH=" + sc.bin + ":/usr/local/bin:/usr/bin:/bin"}
	out, err := install.CombinedOutput()
	require.NoError(t, err, string(out))
	sc.home = texts(t, home)
	return sc
}

const (
	chargedTwice = "A retry of a payment was charged twice. How do we take and retry payments?"
	byCommand    = agent.PointersHead + "memory-when '<trigger>' ['<another>']\n"
	toRetry      = "- /when retrying a charge safely  (Idempotency keys live in `payment_attempt`)\n"
	toPayment    = "- /when taking a payment  (Authorise at hold, capture at ticket issue)\n"
	readPayment  = "memory-when 'taking a payment'"
	payment      = "Authorisation first; the tickets are written; then the capture."
)

const (
	backfill  = "tools/backfill/resumable_batched_update_throttle.go"
	copying   = "echo ran: grep agent_ro masked staging copy"
	failing   = "echo 'ERROR 55P03: canceling statement due to lock timeout' >&2; exit 3"
	indexFile = "agents/memory-index.md"
	declined  = "/when card is declined | Never retry a declined card | insufficient funds, bank said no, fraud score, other methods"
	shortened = "/when card is declined | Never retry a card | insufficient funds, bank said no, fraud score, other methods"
)

// work returns the model's turns in each agent: it looks up a decision, reads a file, runs a command, and one that fails,
// breaks the index, and stops.
func (a realAgent) work() (turns []model.Turn) {
	reading := func(path string) {
		if a.read != nil {
			turns = append(turns, a.read("@PROJECT@/"+path))
		}
	}
	turns = append(turns, a.shell(readPayment))
	reading(backfill)
	turns = append(turns, a.shell(copying), a.shell(failing))
	reading(indexFile)
	return append(turns, a.edit("@PROJECT@/"+indexFile, declined, shortened), says("done before it is mended"), says("done for good"))
}

// What hooks say is in the next request to the model, at each event, in each agent.
func TestAgentsAreTold(t *testing.T) {
	bin := installed(t)
	for _, a := range realAgents() {
		if (a.name == "claude" || a.name == "copilot-as-claude") && !repotest.Long() {
			continue // TestClaudeCodeHooks does more
		}
		t.Run(a.name, func(t *testing.T) {
			sc := inFerry(t, bin, a).registered(t, a)
			sc.runs = [][]string{a.run(t, chargedTwice)}
			sc.routes = []model.Route{{When: "charged twice", Turns: a.work()}}
			p := play(t, sc)
			for _, c := range []struct{ what, told, with string }{
				{"beginning", "Tip: ", "charged twice"},
				{"prompt", a.asSent(byCommand + toRetry), "charged twice"},
				{"decision", payment, ""},
				{"reading", "- /how write a backfill  (", "package backfill // as it was read"},
				{"running", "- /when querying data as an agent  (", "ran: grep agent_ro"},
				{"failing", "/when altering a busy table", "ERROR 55P03: canceling statement due to lock timeout\n"},
				{"editing", "memory-validate has findings since the last event:", ""},
				{"stopping", "The memory was changed in this session, and memory-validate has findings now:", "done before it is mended"},
			} {
				if slices.Contains(a.silent, c.what) {
					require.Zero(t, p.first(c.told), "%s is reported after all: remove it from silent", c.what)
					continue
				}
				require.NotZero(t, p.first(c.told), "%s: %s did not reach the model", c.what, c.told)
				if c.with != "" {
					require.Equal(t, p.first(c.with), p.first(c.told), "%s: %s", c.what, c.told)
				}
			}
			require.Equal(t, p.first(toPayment)+1, p.first(payment))
			requests := len(a.work()) // the agent is kept from stopping once, and then it may
			if slices.Contains(a.silent, "stopping") {
				requests--
			}
			require.Len(t, p.requests, requests)
		})
	}
}

// Agents name their session to the commands of their model, so that the budget of what these store unasked is the budget of a
// session. Gemini CLI does not.
func TestAgentsNameTheirSession(t *testing.T) {
	bin := installed(t)
	const stored = `{"name": "Tides", "description": "The tide tables are those of the harbour office.", "reasoning": "It said so.", "category": "heuristics"}`
	for _, a := range realAgents() {
		if a.name == "claude-old" || a.name == "copilot-as-claude" {
			continue // as the new one, as copilot
		}
		t.Run(a.name, func(t *testing.T) {
			sc := inFerry(t, bin, a).registered(t, a)
			sc.settings = "memory_model_capture_mode: silent\n"
			sc.runs = [][]string{a.run(t, "note the tides")}
			sc.routes = []model.Route{{When: "note the tides", Turns: []model.Turn{a.shell("memory-remember store --stdin <<'END'\n" + stored + "\nEND"), says("done")}}}
			p := play(t, sc)
			require.NotZero(t, p.first("Silent captures this session: 1/5"))
			s, err := store.OpenReadOnly(t.Context(), p.store)
			require.NoError(t, err)
			defer s.Close()
			unnamed := remember.SessionOf(func(string) string { return "" }, filepath.Join(p.project, ".git"), time.Now())
			n, err := s.SilentCaptures(t.Context(), unnamed)
			require.NoError(t, err)
			require.Equal(t, a.name == "gemini", n == 1)
		})
	}
}
