package hooks_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/redact"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// secretPath is a way in which texts get onto the disk.
type secretPath struct {
	name  string
	store func(s *secretStage, t *testing.T, texts []string)

	// keeps says that texts are stored unchanged.
	keeps bool
}

var secretPaths = []secretPath{
	{"transcript", (*secretStage).transcript, true},
	{"events", (*secretStage).events, false},
	{"faults", (*secretStage).faults, false},
	{"command line", (*secretStage).commandLine, true},
	{"server", (*secretStage).server, true},
}

// secretStage is a project with notes and the log of prompts, and a folder for the store.
type secretStage struct{ dir, home string }

// TestSecretsByEachPath plants a quarter of the forms (with WHENCE_LONG all), with values that are new in each run, in
// everything that writes: no secret and no half of one is in any file, and ordinary texts
// are kept as they are. The scanner gitleaks, which has rules of its own, finds nothing
// either.
func TestSecretsByEachPath(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs hundreds of programs")
	}
	seed := rand.Uint64()
	require.GreaterOrEqual(t, len(secretForms)+len(looseForms), 80)
	require.GreaterOrEqual(t, len(ordinaryTexts), 28)
	known := repotest.Sample(secretForms, 4, int(seed%4))
	forms := slices.Concat(known, repotest.Sample(looseForms, 4, int(seed%4)), repotest.Sample(moreForms(t), 16, int(seed%16)))
	for _, path := range secretPaths {
		t.Run(path.name, func(t *testing.T) {
			p := &planter{rand.New(rand.NewPCG(seed, 1)), map[string]string{}}
			t.Logf("the seed is %d", seed)
			s := &secretStage{t.TempDir(), storetest.ConsentingHome(t)}
			require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
			writeLocalSettings(t, s.dir, "memory_notes_enabled: true\n")
			s.tell(t, "SessionStart", map[string]any{"source": "startup"})
			var texts []string
			for _, form := range forms {
				texts = append(texts, p.plantKnown("the ferry is late again, see what it says:\n", form, path.name))
			}
			for _, text := range ordinaryTexts {
				texts = append(texts, "the ferry crossed once more, this is ordinary: "+text)
			}
			path.store(s, t, texts)
			repotest.Drained(t, s.home, func() { _ = tryProgram(s.home, s.home, nil, "memory-remember", "capture", "--store", s.home) })

			written := s.written(t)
			for name, kept := range written {
				for secret, where := range p.planted {
					for _, part := range partsOf(secret) {
						require.False(t, strings.Contains(kept, part), "%s holds %q, %s", name, part, where)
					}
				}
			}
			if path.keeps {
				for _, text := range ordinaryTexts {
					require.Contains(t, written["rows"], text)
				}
			}
			requireUnsuspicious(t, written, texts[:len(known)])
		})
	}
}

// moreForms returns the forms of internal/redact.
func moreForms(t *testing.T) (forms []string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "internal", "redact", "testdata", "secrets.txt"))
	require.NoError(t, err)
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "# ") {
			forms = append(forms, strings.NewReplacer(`\\`, `\`, `\n`, "\n").Replace(line))
		}
	}
	return forms
}

// plantKnown is a text with a secret of a form that the rules know for one: one in 2,000 random
// values looks like a word. A path that redacts nothing still leaks all of them.
func (p *planter) plantKnown(before, form, where string) (text string) {
	for range 5 {
		drawn := &planter{p.random, map[string]string{}}
		text = before + drawn.plant(form, where)
		clean, _ := redact.Text(text)
		known := true
		for secret := range drawn.planted {
			known = known && !slices.ContainsFunc(partsOf(secret), func(part string) bool { return strings.Contains(clean, part) })
		}
		if known {
			maps.Copy(p.planted, drawn.planted)
			return text
		}
	}
	return before + p.plant(form, where)
}

// partsOf are a secret and, if they are long enough to be known again, its halves. A short number is in some time or
// size by chance, but not behind a space.
func partsOf(secret string) []string {
	const minSecret, minNumber = 16, 8
	if len(secret) < minNumber && strings.Trim(secret, "0123456789") == "" {
		return []string{" " + secret}
	}
	if len(secret) < minSecret {
		return []string{secret}
	}
	return []string{secret, secret[:len(secret)/2], secret[len(secret)/2:]}
}

// tell sends an event.
func (s *secretStage) tell(t *testing.T, name string, more map[string]any) {
	t.Helper()
	event := map[string]any{"session_id": "s", "cwd": s.dir, "hook_event_name": name}
	for key, value := range more {
		event[key] = value
	}
	input, err := json.Marshal(event)
	require.NoError(t, err)
	runProgram(t, s.home, s.dir, input, "memory-hooks", name)
}

// transcript writes a transcript with the texts everywhere an agent writes text.
func (s *secretStage) transcript(t *testing.T, texts []string) {
	var src strings.Builder
	number := 0
	add := func(kind string, content any, more map[string]any) {
		number++
		record := map[string]any{"type": kind, "uuid": fmt.Sprint("u", number), "sessionId": "s", "timestamp": time.Now().UTC().Format(time.RFC3339),
			"message": map[string]any{"id": fmt.Sprint("m", number), "content": content}}
		maps.Copy(record, more)
		line, err := json.Marshal(record)
		require.NoError(t, err)
		src.Write(append(line, '\n'))
	}
	for i, text := range texts {
		blocks := []map[string]any{{"type": "text", "text": text}}
		use := func(tool string, input map[string]any, result any, failed bool) {
			id := fmt.Sprint("tool", number)
			add("assistant", []map[string]any{{"type": "tool_use", "id": id, "name": tool, "input": input}}, nil)
			add("user", []map[string]any{{"type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed}}, nil)
		}
		add("user", text, nil)
		add("user", blocks, nil)
		add("user", "<command-name>/ferry</command-name>\n<command-args>"+text+"</command-args>", nil)
		add("assistant", blocks, nil)
		add("assistant", []map[string]any{{"type": "thinking", "thinking": text}}, nil)
		use("Bash", map[string]any{"command": text, "description": text}, text, i%2 == 0)
		use("Edit", map[string]any{"file_path": "/srv/" + text, "new_string": text}, text, false)
		use("Task", map[string]any{"description": text, "prompt": text}, blocks, true)
		use("Skill", map[string]any{"skill": "opsx:apply", "args": text}, text, false)
		use("Bash", map[string]any{"command": fmt.Sprint("make ", i)}, text, true)
		use("Bash", map[string]any{"command": fmt.Sprint("make ", i)}, text, false)
		use("Bash", map[string]any{"command": "rm -rf x"}, "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"+text, true)
		add("attachment", "", map[string]any{"attachment": map[string]any{"type": "queued_command", "commandMode": "prompt", "prompt": text}})
		src.WriteString("no JSON: " + strings.ReplaceAll(text, "\n", " ") + "\n")
	}
	name := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(src.String()), 0o600))
	s.tell(t, "Stop", map[string]any{"transcript_path": name, "last_assistant_message": strings.Join(texts, "\n")})
}

// faults sends events with texts in the wrong places, which are logged.
func (s *secretStage) faults(t *testing.T, texts []string) {
	for _, text := range texts {
		if !strings.Contains(text, "/") { // which would be cleaned
			s.tell(t, "Stop", map[string]any{"cwd": filepath.Join(s.dir, text)})
			s.tell(t, "PreCompact", map[string]any{"transcript_path": filepath.Join(s.dir, text)})
		}
		s.tell(t, "SessionEnd", map[string]any{"session_id": text, "transcript_path": strings.Repeat("x", 5000)})
		runProgram(t, s.home, s.dir, []byte("no JSON "+text), "memory-hooks", "Stop")
	}
	require.FileExists(t, filepath.Join(s.home, "hooks.log"))
}

// events sends events that are noted and logged.
func (s *secretStage) events(t *testing.T, texts []string) {
	for i, text := range texts {
		s.tell(t, "UserPromptSubmit", map[string]any{"prompt": text})
		input := map[string]any{"command": text, "description": text}
		s.tell(t, "PostToolUse", map[string]any{"tool_name": "Bash", "tool_input": input, "tool_response": map[string]any{"stdout": text}})
		s.tell(t, "PostToolUseFailure", map[string]any{"tool_name": "Bash", "tool_input": input, "error": "exit status 1\n" + text})
		if !strings.Contains(text, "/") { // which would be cleaned
			name := filepath.Join(s.dir, strings.Repeat("d", 100), text)
			s.tell(t, "PostToolUse", map[string]any{"tool_name": "Write", "tool_input": map[string]any{"file_path": name, "content": text}})
		}
		if i%16 == 0 {
			s.tell(t, "PreCompact", map[string]any{"custom_instructions": text})
			s.tell(t, "SubagentStop", map[string]any{"agent_type": "x", "last_assistant_message": text})
		}
	}
	require.FileExists(t, filepath.Join(s.dir, ".memory", "errors.log"))
}

// commandLine is what a user stores with memory-remember, and says of it.
func (s *secretStage) commandLine(t *testing.T, texts []string) {
	for i, text := range texts {
		runProgram(t, s.home, s.dir, nil, "memory-remember", text)
		if i%16 == 0 {
			_ = tryProgram(s.home, s.dir, nil, "memory-remember", "search", text) // which may find nothing
		}
	}
}

// server stores what agents store through the MCP server.
func (s *secretStage) server(t *testing.T, texts []string) {
	calls := []string{
		`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i, text := range texts {
		call, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": map[string]any{"name": "store_memory", "arguments": map[string]any{
			"name": fmt.Sprint(i, ": ", text), "description": text, "reasoning": text, "category": "heuristics", "references": []string{text}, "approved": true,
		}}})
		require.NoError(t, err)
		calls = append(calls, string(call))
	}
	runProgram(t, s.home, s.dir, []byte(strings.Join(calls, "\n")+"\n"), "memory-remember", "serve")
}

// written returns everything on the disk, by name; "rows" holds the texts of the database.
func (s *secretStage) written(t *testing.T) map[string]string {
	all := map[string]string{}
	for _, name := range slices.Concat(files(t, s.home), files(t, filepath.Join(s.dir, ".memory"))) {
		kept, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // a worker has closed the store
			continue
		}
		require.NoError(t, err)
		all[name] = name + "\n" + string(kept)
	}
	db, err := sql.Open("sqlite", filepath.Join(s.home, "memory.db")+"?_pragma=busy_timeout(60000)")
	require.NoError(t, err)
	defer db.Close()
	tables, err := db.Query(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
	require.NoError(t, err)
	var rows strings.Builder
	for _, table := range column(t, tables) {
		found, err := db.Query(`SELECT * FROM "` + table + `"`)
		if err != nil {
			continue // a table of the search that holds no texts
		}
		rows.WriteString(strings.Join(column(t, found), "\n"))
	}
	all["rows"] = rows.String()
	return all
}

// column returns the values of rows as texts.
func column(t *testing.T, rows *sql.Rows) (texts []string) {
	defer rows.Close()
	names, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		values := make([]any, len(names))
		for i := range values {
			values[i] = new(sql.RawBytes)
		}
		require.NoError(t, rows.Scan(values...))
		for _, value := range values {
			texts = append(texts, string(*value.(*sql.RawBytes)))
		}
	}
	return texts
}

// requireUnsuspicious runs the scanner gitleaks over what was written, and, so that its
// silence says something, over what was planted.
func requireUnsuspicious(t *testing.T, written map[string]string, planted []string) {
	t.Helper()
	gitleaks := repotest.Program(t, "gitleaks")
	scan := func(texts []string) (found []string) {
		dir, report := t.TempDir(), filepath.Join(t.TempDir(), "report.json")
		for i, text := range texts {
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".txt")), []byte(text), 0o600))
		}
		out, err := exec.Command(gitleaks, "dir", dir, "--no-banner", "--exit-code=0", "--report-format=json", "--report-path="+report).CombinedOutput()
		require.NoError(t, err, string(out))
		src, err := os.ReadFile(report)
		require.NoError(t, err)
		var findings []struct{ RuleID, Match, File string }
		require.NoError(t, json.Unmarshal(src, &findings), string(src))
		for _, f := range findings {
			found = append(found, filepath.Base(f.File)+" "+f.RuleID+": "+f.Match)
		}
		return found
	}
	var texts []string
	for _, text := range written {
		texts = append(texts, text)
	}
	require.Empty(t, scan(texts))
	found := map[string]bool{}
	for _, finding := range scan(planted) {
		name, _, _ := strings.Cut(finding, " ")
		found[name] = true
	}
	t.Logf("gitleaks finds %d of %d texts that were planted, and nothing that was written", len(found), len(planted))
	require.GreaterOrEqual(t, 2*len(found), len(planted), "the scanner does not see what it is to look for")
}
