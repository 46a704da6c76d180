package capture_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/capture"
	"whence/internal/test/repotest"
	"whence/internal/test/transcripttest"
)

// talk is a transcript that is being written: the lines that its agent will have written in
// the end, as they are on the disk.
type talk struct {
	name   string // of what it was made of
	path   string
	lines  [][]byte // each with its end
	shared int      // number of the first that are in other talks too

	head int                  // lines before which no agent writes anything
	rows []transcripttest.Row // of OpenCode's database, one for each line
}

func (k talk) source() []byte {
	var src []byte
	for _, line := range k.lines {
		src = append(src, line...)
	}
	return src
}

// transcript is the name of the transcript.
func (k talk) transcript() string {
	if k.rows != nil {
		return capture.TranscriptName(k.path, k.rows[0].Session.ID)
	}
	return k.path
}

// write writes the first bytes of a talk, of a database the rows of the lines in them.
func (k talk) write(t *testing.T, size int) {
	t.Helper()
	if k.rows == nil {
		require.NoError(t, os.WriteFile(k.path, k.source()[:size], 0o600))
		return
	}
	whole, end := 0, 0
	for whole < len(k.lines) && end+len(k.lines[whole]) <= size {
		end += len(k.lines[whole])
		whole++
	}
	transcripttest.Write(t, k.path, k.rows[:whole]...)
}

// agentTalks are transcripts of other agents.
func agentTalks(t *testing.T) (all []talk) {
	t.Helper()
	for _, name := range transcripttest.Names(t, "*") {
		k := talk{name: name, head: 2}
		if strings.HasPrefix(name, transcripttest.OpenCode) {
			if strings.HasSuffix(name, "/delegated") { // two sessions
				continue
			}
			k.rows = transcripttest.InTime(t, transcripttest.Rows(t, name))
			for _, row := range k.rows {
				src, err := json.Marshal(row)
				require.NoError(t, err)
				k.lines = append(k.lines, append(src, '\n'))
			}
		} else {
			src, err := os.ReadFile(transcripttest.Path(t, name))
			require.NoError(t, err)
			k.lines = linesOf(src)
		}
		all = append(all, k)
	}
	return all
}

// sharedTalks are the transcripts of the shared material.
func sharedTalks(t *testing.T) (all []talk) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(repotest.Shared(t, "transcripts"), "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		all = append(all, talk{name: filepath.Base(name), lines: linesOf(src)})
	}
	return all
}

func linesOf(src []byte) (lines [][]byte) {
	for line := range strings.Lines(string(src)) {
		if !strings.HasSuffix(line, "\n") {
			line += "\n" // as it will have when it goes on
		}
		lines = append(lines, []byte(line))
	}
	return lines
}

// invented is a talk of made-up words with all that transcripts have: prompts in both
// forms, messages in several records, commands that fail, are fixed and pass, subagents,
// records without a turn, lines that are not records.
func invented(random *rand.Rand, session string, turns int) talk {
	var k talk
	words := func(n int) string {
		some := make([]string, n)
		for i := range some {
			some[i] = fmt.Sprintf("w%03d", random.IntN(1000))
		}
		return strings.Join(some, " ")
	}
	number := 0
	id := func() string {
		number++
		return fmt.Sprintf("%s-%04d", session, number)
	}
	add := func(kind string, content any, more map[string]any) {
		message := map[string]any{"content": content}
		if kind == "assistant" {
			message["id"] = "msg-" + id()
		}
		line := map[string]any{"uuid": id(), "sessionId": session, "type": kind, "timestamp": "2026-11-20T10:00:00Z", "message": message}
		for key, value := range more {
			if key == "message.id" {
				message["id"] = value
				continue
			}
			line[key] = value
		}
		src, err := json.Marshal(line)
		if err != nil {
			panic(err)
		}
		k.lines = append(k.lines, append(src, '\n'))
	}
	text := func(s string) []map[string]any { return []map[string]any{{"type": "text", "text": s}} }
	use := func(command string) string {
		tool := id()
		add("assistant", []map[string]any{{"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{"command": command}}}, nil)
		return tool
	}
	result := func(tool, out string, failed bool) {
		add("user", []map[string]any{{"type": "tool_result", "tool_use_id": tool, "is_error": failed, "content": out}}, nil)
	}
	commands := []string{"make test", "go vet ./...", "npm run build"}
	for range turns {
		switch random.IntN(12) {
		case 0, 1:
			add("user", words(4+random.IntN(30)), nil)
		case 2:
			add("user", text(words(6)), nil)
		case 3, 4:
			add("assistant", text(words(11+random.IntN(30))), nil)
		case 5: // a message in several records
			message := map[string]any{"message.id": "msg-" + id()}
			for range 1 + random.IntN(4) {
				add("assistant", text(words(3+random.IntN(80))), message)
			}
		case 6, 7:
			result(use(commands[random.IntN(3)]), "exit status 1\n"+words(8), true)
		case 8, 9:
			result(use(commands[random.IntN(3)]), words(5), false)
		case 10:
			add("user", words(9), map[string]any{"isSidechain": true})
			add("assistant", text(words(15)), map[string]any{"isSidechain": true})
		case 11:
			k.lines = append(k.lines, []byte([]string{"\n", "no JSON\n", "[1]\n", `{"type":"summary","summary":"x"}` + "\n"}[random.IntN(4)]))
		}
	}
	k.name = session
	return k
}

// message returns the id of the message that a line is a part of, or "".
func (k *talk) message(line int) string {
	var r struct{ Message struct{ ID string } }
	if line < len(k.lines) {
		_ = json.Unmarshal(k.lines[line], &r)
	}
	return r.Message.ID
}

// forked is a talk that begins with the first lines of another, under the same UUIDs and the
// id of a new session, and goes on by itself. No agent forks a session within a message.
func (k *talk) forked(random *rand.Rand, session string) talk {
	at := random.IntN(len(k.lines) + 1)
	for at > 0 && k.message(at) != "" && k.message(at) == k.message(at-1) {
		at--
	}
	k.shared = max(k.shared, at)
	fork := talk{name: k.name + " forked", shared: at}
	for _, line := range k.lines[:at] {
		var r map[string]json.RawMessage
		if json.Unmarshal(line, &r) != nil || r["sessionId"] == nil {
			fork.lines = append(fork.lines, line)
			continue
		}
		r["sessionId"], _ = json.Marshal(session)
		src, err := json.Marshal(r)
		if err != nil {
			panic(err)
		}
		fork.lines = append(fork.lines, append(src, '\n'))
	}
	fork.lines = append(fork.lines, invented(random, session, 15).lines...)
	return fork
}
