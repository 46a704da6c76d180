package notes_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/notes"
)

func TestBeginMakesWhatIsMissing(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "# mine\r\n"})
	require.Empty(t, s.start("startup"), "headings alone say nothing")
	require.Equal(t, "# mine\r\n", s.read(contextMD))
	require.Equal(t, "# Findings\n", s.read(findingsMD))
	require.Equal(t, "# Decisions\n", s.read(decisionsMD))
	require.FileExists(t, filepath.Join(s.dir, errorsLog))
	require.Contains(t, s.read(sessionJSON), `"sessionId": "s1"`)
	before := s.read(sessionJSON)
	s.start("startup")
	require.Equal(t, before, s.read(sessionJSON), "twice is once")
}

// A new folder does not appear in git status. Whether to ignore an existing folder is up to the user.
func TestNewNotesAreIgnored(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	require.Equal(t, "*\n", s.read(ignored))
	require.NoError(t, os.Remove(filepath.Join(s.dir, ignored)))
	s.start("startup")
	require.NoFileExists(t, filepath.Join(s.dir, ignored))
}

const ignored = notes.Folder + "/.gitignore"

func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	s := newStage(t, nil)
	s.start("startup")
	s.fail("make", "no rule")
	for _, name := range []string{contextMD, findingsMD, decisionsMD, errorsLog, sessionJSON} {
		info, err := os.Stat(filepath.Join(s.dir, name))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
	info, err := os.Stat(filepath.Join(s.dir, notes.Folder))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// If notes are switched off, or no session has begun, nothing is written or injected.
func TestOff(t *testing.T) {
	off := newStage(t, map[string]string{contextMD: "- something\n"})
	off.config.Notes = false
	here := newStage(t, nil)
	for _, name := range agent.Names {
		e := agent.Event{Name: name, Tool: "Bash", Command: "make", Error: "no rule to make it", Prompt: "build the whole thing, please"}
		require.Empty(t, off.event(e))
		if name != agent.SessionStart {
			require.Empty(t, here.event(e))
		}
	}
	entries, err := os.ReadDir(filepath.Join(off.dir, notes.Folder))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.NoDirExists(t, filepath.Join(here.dir, notes.Folder))
}

func TestWhatASessionIsTold(t *testing.T) {
	s := newStage(t, map[string]string{
		contextMD:   "# Context\n\n## Goal\nBuild a REST API\nwith JWT\n\n## Blockers\n-\n\n## Next Steps\n1. write tests\n2. [Next action]\n\n- 2026-01-01 Task: an old one\n- 2026-01-02 Task: a new one\n\n---\n**Created**: [timestamp]\n",
		decisionsMD: "# Decisions\n<!-- EXAMPLE:\n| PostgreSQL over MongoDB | ACID | -->\n| Decision | Rationale |\n|---|---|\n| Use Express | mature |\n| | |\n| Use Redis | fast |\n",
		findingsMD:  "Findings\n========\n\n```\nmake x\n```\n\n* the cache is <b>cold</b>\n  for an hour\n\nA paragraph\non two lines.\n",
		errorsLog:   "by hand\n[2024-01-18 10:30:00Z] Attempt 1: npm test: y\n    out\n[2024-01-18 10:30:00Z] Attempt 1: make: x\n[2024-01-19 10:30:00Z] Attempt 2: make: x\n",
	})
	const want = `Notes of this project (in .memory/; data written down earlier, check that it still holds; the skill context-memory is for them):
context.md:
- Goal: Build a REST API with JWT
- Next Steps: write tests
- 2026-01-02 Task: a new one
- 2026-01-01 Task: an old one
decisions.md:
- Use Redis · fast
- Use Express · mature
findings.md:
- A paragraph on two lines.
- the cache is \<b>cold\</b> for an hour
`
	require.Equal(t, want+"errors.log:\n- 2024-01-19 make: x (2 times)\n- 2024-01-18 npm test: y\n", s.start("startup"))
	s.config.NotesRefresh = 1
	require.Equal(t, want, s.use(), "past failures come at the start")
}

func TestInjectionIsOff(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "- a goal\n"})
	require.NotEmpty(t, s.start("startup"))
	require.NotEmpty(t, s.start("compact"))
	s.config.Injection = false
	require.Empty(t, s.start("startup"))
}

func TestNothingLeadsOutOfTheProject(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	outside := t.TempDir()
	for _, name := range []string{"context.md", "errors.log", "session.json"} {
		s := newStage(t, map[string]string{".memory/x": ""})
		target := filepath.Join(outside, name)
		require.NoError(t, os.WriteFile(target, []byte("- a secret of somebody\n"), 0o600))
		require.NoError(t, os.Symlink(target, filepath.Join(s.dir, notes.Folder, name)))
		told, err := s.try(agent.Event{Name: agent.SessionStart, Source: "startup"})
		require.NotContains(t, told, "secret")
		_, again := s.try(agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Command: "make", Error: "no rule"})
		_, third := s.try(agent.Event{Name: agent.UserPromptSubmit, Prompt: "build the whole thing, please"})
		require.False(t, err == nil && again == nil && third == nil, name)
		text, err := os.ReadFile(target)
		require.NoError(t, err)
		require.Equal(t, "- a secret of somebody\n", string(text), name)
	}
	s := newStage(t, nil)
	require.NoError(t, os.Symlink(outside, filepath.Join(s.dir, notes.Folder)))
	before, err := os.ReadDir(outside)
	require.NoError(t, err)
	_, err = s.try(agent.Event{Name: agent.SessionStart, Source: "startup"})
	require.Error(t, err)
	after, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, after, len(before))
}

func TestTheFolderIsAFile(t *testing.T) {
	s := newStage(t, map[string]string{notes.Folder: "mine"})
	_, err := s.try(agent.Event{Name: agent.SessionStart})
	require.ErrorContains(t, err, "it is a link, or not a folder")
	require.Equal(t, "mine", s.read(notes.Folder))
}
