package notes_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// anything sends a random event of a session.
func anything(r *rand.Rand, s *stage) {
	session := fmt.Sprint("s", r.Intn(3))
	path := []string{"go.mod", "go.mod", "agents/decisions/1.md", "src/a.go", "x.txt"}[r.Intn(5)]
	e := agent.Event{Session: session, Subagent: []string{"", "", "a"}[r.Intn(3)]}
	switch r.Intn(7) {
	case 0:
		e.Name, e.Source = agent.SessionStart, []string{"startup", "resume", "compact"}[r.Intn(3)]
	case 1:
		e.Name, e.Prompt = agent.UserPromptSubmit, fmt.Sprintf("please build the thing number %d for everybody", r.Intn(9))
	case 2:
		e.Name, e.Tool, e.Command, e.Error = agent.PostToolUseFailure, "Bash", fmt.Sprint("make ", r.Intn(3)), fmt.Sprintf("error %d: of kind %c", r.Intn(99), 'x'+rune(r.Intn(2)))
	case 3:
		e.Name, e.Tool, e.Command = agent.PostToolUse, "Bash", fmt.Sprint("make ", r.Intn(3))
	case 4:
		e.Name = agent.PreCompact
	default:
		s.write(path, "x")
		e.Name, e.Tool, e.Path = agent.PostToolUse, "Write", path
		e.Edits = []agent.Edit{{Path: path, Old: "x", New: fmt.Sprintf("# Title %d\nrequire a.io/x%d v1\n", r.Intn(3), r.Intn(9)), Created: r.Intn(2) == 0}}
	}
	s.event(e)
}

// Any edit that a person makes between events, to their lines or to ours, is kept: sessions only add lines, and change
// only lines that are still as a session wrote them.
func TestEditsInBetweenSurvive(t *testing.T) {
	for seed := range 4 {
		r := rand.New(rand.NewSource(int64(seed)))
		s := newStage(t, nil)
		s.start("startup")
		end := []string{"\n", "\r\n"}[seed%2]
		var own []string
		for step := range 80 {
			anything(r, s)
			if r.Intn(3) > 0 {
				continue
			}
			name := []string{decisionsMD, findingsMD, contextMD, errorsLog}[r.Intn(4)]
			lines := strings.SplitAfter(s.read(name), "\n")
			line := fmt.Sprintf("%s by hand %d%s", []string{"-", "##", "|", "    ", "- 2026-01-02", "[2026-01-02 15:04:05Z] Attempt 1:"}[r.Intn(6)], step, end)
			at := r.Intn(len(lines))
			if r.Intn(2) == 0 && strings.HasPrefix(lines[at], "- 2026") {
				line = strings.TrimRight(lines[at], "\r\n") + " by hand" + fmt.Sprint(step) + end // a line of ours becomes theirs
				lines = slices.Delete(lines, at, at+1)
			}
			s.write(name, strings.Join(slices.Insert(lines, at, line), ""))
			own = append(own, name+"\x00"+line)
		}
		for _, o := range own {
			name, line, _ := strings.Cut(o, "\x00")
			if strings.Contains(strings.TrimRight(line, "\r\n"), "by hand") && !strings.Contains(s.read(name), line) {
				// A person may have edited it again.
				require.Contains(t, s.read(name), strings.TrimRight(line, "\r\n")+" by hand", "seed %d", seed)
			}
		}
	}
}

// Any bytes in the files: no event fails or loses one of them, and the injection is short
// and inert.
func FuzzNotes(f *testing.F) {
	f.Add("# Context\n\n- a goal\n", "{}")
	f.Add("```\n# x\n| a |\n|-|\n<!-- y\n- 2026-01-02 z\r\n\x00\xff", "{\"sessions\":[{}]}")
	f.Add("1. [x](y)\n===\n- \n  * z\n---\n<b>", "null")
	f.Add("[2026-01-02 15:04:05Z] Attempt 1: make: no rule\nResolution:", "[]")
	f.Fuzz(func(t *testing.T, text, session string) {
		if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			t.Skip("UTF-16 is refused")
		}
		files := map[string]string{contextMD: text, findingsMD: text, decisionsMD: text, errorsLog: text, sessionJSON: session}
		s := newStage(t, files)
		s.config.NotesRefresh = 1
		s.write("go.mod", "x")
		injected := []string{s.start("startup"), s.edit(agent.Edit{Path: "go.mod", New: text}), s.fail("make", text), s.fail("make", text), s.run("make")}
		s.prompt(text)
		injected = append(injected, s.start("compact"))
		for _, name := range []string{contextMD, findingsMD, decisionsMD, errorsLog} {
			require.True(t, strings.HasPrefix(s.read(name), text), name)
		}
		sessionFields(s)
		for i, text := range injected {
			require.LessOrEqual(t, len(text), 1200+500)
			for line := range strings.Lines(text) {
				require.NotRegexp(t, `^(#|\x60\x60\x60|\||>|- (#|- |\x60\x60\x60|\|))`, line, i)
				require.NotRegexp(t, `(^|[^\\])<b>`, line)
			}
		}
	})
}
