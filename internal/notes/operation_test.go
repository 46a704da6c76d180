package notes_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestSignificantChanges(t *testing.T) {
	for _, c := range []struct {
		edit agent.Edit
		file string
		line string // behind the day; "" is none
	}{
		{agent.Edit{Path: "agents/decisions/api.md", New: "# API\n\n## Page by cursor\n## API\n", Created: true}, decisionsMD, "agents/decisions/api.md (decision record) created: “API”; “Page by cursor”"},
		{agent.Edit{Path: "agents/decisions/0003-queue.md", Old: "## A\n", New: "## A\n## Use a queue #\r\n"}, decisionsMD, "agents/decisions/0003-queue.md (decision record) changed: “Use a queue”"},
		{agent.Edit{Path: "agents/decisions/logo.png", New: "x"}, "", ""},
		{agent.Edit{Path: "go.mod", Old: "x", New: "require a.io/x v1.1.0\n"}, decisionsMD, "go.mod (dependencies) changed: added a.io/x"},
		{agent.Edit{Path: "web/package.json", Old: "x", New: "y"}, decisionsMD, "web/package.json (dependencies) changed"},
		{agent.Edit{Path: "requirements-dev.txt", Old: "x", New: "y"}, decisionsMD, "requirements-dev.txt (dependencies) changed: added y; removed x"},
		{agent.Edit{Path: "Cargo.toml", Old: "x", New: "y"}, decisionsMD, "Cargo.toml (dependencies) changed"},
		{agent.Edit{Path: "pyproject.toml", Old: "x", New: "y"}, decisionsMD, "pyproject.toml (dependencies) changed"},
		{agent.Edit{Path: "pom.xml", Old: "x", New: "y"}, decisionsMD, "pom.xml (dependencies) changed"},
		{agent.Edit{Path: "Gemfile", Old: "x", New: "y"}, decisionsMD, "Gemfile (dependencies) changed"},
		{agent.Edit{Path: "app/build.gradle.kts", Old: "x", New: "y"}, decisionsMD, "app/build.gradle.kts (dependencies) changed"},
		{agent.Edit{Path: "App.csproj", Old: "x", New: "y"}, decisionsMD, "App.csproj (dependencies) changed"},
		{agent.Edit{Path: "go.mod", New: "module x\n"}, decisionsMD, "go.mod (dependencies) changed"},
		{agent.Edit{Path: ".env", New: "x"}, "", ""},
		{agent.Edit{Path: "go.sum", New: "x"}, "", ""},
		{agent.Edit{Path: "node_modules/x/package.json", New: "x"}, "", ""},
		{agent.Edit{Path: ".memory/decisions.md", New: "x"}, "", ""},
		{agent.Edit{Path: "../else/go.mod", New: "x"}, "", ""},
		{agent.Edit{Path: "main.go", New: "x", Created: true}, "", ""},
		{agent.Edit{Path: "agents/decisions/0001.md", Deleted: true}, decisionsMD, "agents/decisions/0001.md (decision record) deleted"},
		{agent.Edit{Path: "agents/decisions/0002.md", Deleted: true}, "", ""},
		{agent.Edit{Path: "a\n# b/go.mod", New: "x"}, decisionsMD, "a # b/go.mod (dependencies) changed"},
	} {
		if runtime.GOOS == "windows" && strings.Contains(c.edit.Path, "\n") { // no name of a file there
			continue
		}
		s := newStage(t, map[string]string{"agents/decisions/0002.md": "it is still there"})
		s.start("startup")
		s.edit(c.edit)
		for name, heading := range map[string]string{contextMD: "# Context\n", findingsMD: "# Findings\n", decisionsMD: "# Decisions\n"} {
			if c.edit.Path == name {
				continue
			}
			if name == c.file {
				heading += "\n- 2026-01-02 " + c.line + "\n"
			}
			require.Equal(t, heading, s.read(name), c.edit.Path)
		}
	}
}

// Ten changes of a file in a day make one line.
func TestOneLineForAFile(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	for range 10 {
		s.edit(agent.Edit{Path: "agents/decisions/1.md", Old: "a", New: "## a.io\n"})
		s.edit(agent.Edit{Path: "go.mod", New: "x"})
	}
	const first = "# Decisions\n\n- 2026-01-02 agents/decisions/1.md (decision record) changed: “a.io”\n- 2026-01-02 go.mod (dependencies) changed\n"
	require.Equal(t, first, s.read(decisionsMD))
	s.now = s.now.AddDate(0, 0, 1)
	s.edit(agent.Edit{Path: "agents/decisions/1.md", Old: "a", New: "## b.io\n"})
	require.Equal(t, first+"- 2026-01-03 agents/decisions/1.md (decision record) changed: “b.io”\n", s.read(decisionsMD))
}

// A line that the user has edited stays as it is, and new lines have the line ends of the file.
func TestLinesOfTheUser(t *testing.T) {
	s := newStage(t, map[string]string{decisionsMD: "# Decisions\r\n\r\nOurs.\r\n"})
	s.start("startup")
	s.edit(agent.Edit{Path: "agents/decisions/1.md", Old: "a", New: "## a.io\n"})
	require.Equal(t, "# Decisions\r\n\r\nOurs.\r\n\r\n- 2026-01-02 agents/decisions/1.md (decision record) changed: “a.io”\r\n", s.read(decisionsMD))
	edited := strings.Replace(s.read(decisionsMD), "“a.io”", "“a.io”, for the queue", 1)
	s.write(decisionsMD, edited+"no line end")
	s.edit(agent.Edit{Path: "agents/decisions/1.md", Old: "a", New: "## a.io\n"})
	require.Equal(t, edited+"no line end", s.read(decisionsMD))
	s.edit(agent.Edit{Path: "agents/decisions/2.md", Old: "a", New: "## b.io\n"})
	require.Equal(t, edited+"no line end\r\n\r\n- 2026-01-02 agents/decisions/2.md (decision record) changed: “b.io”\r\n", s.read(decisionsMD))
}

// Dates are local, and times have the offset.
func TestLocalDates(t *testing.T) {
	s := newStage(t, nil)
	s.now = time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC).In(time.FixedZone("Kiritimati", 14*60*60))
	s.start("startup")
	s.prompt("make the buoys of the harbour blink")
	s.edit(agent.Edit{Path: "go.mod", New: "x"})
	s.fail("make", "no rule")
	require.Contains(t, s.read(contextMD), "- 2026-01-03 Task: ")
	require.Contains(t, s.read(decisionsMD), "- 2026-01-03 go.mod ")
	require.Contains(t, s.read(errorsLog), "[2026-01-03 05:04:05+14:00] Attempt 1: make: no rule\n")
	s.fail("make", "no rule")
	require.Contains(t, s.read(errorsLog), "[2026-01-03 05:04:05+14:00] Attempt 2: make: no rule\n")
}

func TestUTF16(t *testing.T) {
	s := newStage(t, map[string]string{decisionsMD: "\xff\xfeD\x00"})
	_, err := s.try(agent.Event{Name: agent.PostToolUse, Tool: "Write", Edits: []agent.Edit{{Path: "../" + filepath.Base(s.dir) + "/.memory/../go.mod"}}})
	require.NoError(t, err, "there is no such file")
	s.write("go.mod", "x")
	_, err = s.try(agent.Event{Name: agent.PostToolUse, Tool: "Write", Edits: []agent.Edit{{Path: "go.mod"}}})
	require.ErrorContains(t, err, "UTF-16")
	require.Equal(t, "\xff\xfeD\x00", s.read(decisionsMD))
}

func TestLinkedRoot(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(s.dir, link); err != nil {
		t.Skip("no links here:", err)
	}
	real, err := filepath.EvalSymlinks(s.dir)
	require.NoError(t, err)
	s.dir = link
	s.write("go.mod", "x")
	s.event(agent.Event{Name: agent.PostToolUse, Tool: "Write", Edits: []agent.Edit{{Path: filepath.Join(real, "go.mod")}}})
	require.Contains(t, s.read(decisionsMD), " go.mod (dependencies) changed\n")
}
