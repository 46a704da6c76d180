package remember_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A learning of another repository does not exist, for any command and any tool: the answer is that
// for an id that nothing has. A global one exists everywhere.
func TestAnIDNamesNothingElsewhere(t *testing.T) {
	l := newLearner(t)
	l.good("the locale of the runner is C, not ours")
	l.good("all clocks of all machines run in UTC", "--global")
	ids := func(args ...string) (all []string) {
		for line := range strings.Lines(l.good(append(args, "--format", "json")...)) {
			var one struct{ ID string }
			require.NoError(t, json.Unmarshal([]byte(line), &one))
			all = append(all, one.ID)
		}
		return all
	}
	known := ids("list")
	require.Len(t, known, 2)
	global, id := known[0], known[1]
	before := l.good("export", "--everywhere")
	home := l.dir
	l.dir = newLearner(t).dir

	const none = "0123456789abcdef"
	like := func(text, id string) string { return strings.ReplaceAll(text, id, none) }
	for _, name := range []string{id, id[:5], strings.ToUpper(id)} {
		for _, args := range [][]string{
			{"show", name}, {"forget", name}, {"edit", name, "--name", "Mine"},
			{"show", name, "--format", "json"},
		} {
			other := append([]string{args[0], none}, args[2:]...)
			got, want := l.run(args...), l.run(other...)
			require.Equal(t, 1, got.Status, args)
			require.Equal(t, want, answer{got.Status, like(got.Stdout, name), like(got.Stderr, name)})
		}
		for tool, arguments := range map[string]map[string]any{
			"forget_memory": {"id": name},
		} {
			got, isError := l.call(tool, arguments)
			arguments["id"] = none
			want, _ := l.call(tool, arguments)
			require.True(t, isError, tool)
			require.Equal(t, want, []string{like(got[0], name)})
		}
	}
	require.Contains(t, l.good("show", global), "clocks")

	// One that says the same as a learning elsewhere is another one, and shows nothing of that.
	l.good("tests sort by the locale of their container")
	l.good("edit", "Tests sort by the locale of their container", "The locale of the RUNNER is C, not ours!")
	require.Contains(t, l.good("the locale of the runner is C, not ours"), "Reinforced: ")
	require.Len(t, ids("list"), 2)
	l.good("forget", "The locale of the RUNNER is C, not ours")
	require.Equal(t, before, l.good("export", "--everywhere"), "nothing has changed")

	// Nor may the shell tool of an agent leave its repository by a flag.
	for _, args := range [][]string{{"list", "--everywhere"}, {"search", "locale", "--everywhere"}, {"export", "--everywhere"}, {"list", "--repo", home}, {"show", id, "--repo", home}, {"forget", id, "--repo=" + home}} {
		for _, variable := range []string{"CLAUDECODE", "GEMINI_CLI"} {
			l.settings[variable] = "1"
			got := l.run(args...)
			require.Equal(t, 3, got.Status, args)
			require.Contains(t, got.Stderr, "run this in a terminal of your own", args)
			require.Empty(t, got.Stdout)
			delete(l.settings, variable)
		}
		if args[0] != "forget" {
			require.Contains(t, l.good(args...), "locale", "a person may")
		}
	}

	l.dir = home
	l.good("forget", id[:5])
}

// The learnings of a repository that was moved can be brought along afterwards, as docs/remember.md says.
func TestARepositoryThatIsMoved(t *testing.T) {
	l := newLearner(t)
	l.good("the locale of the runner is C, not ours")
	l.captured("s-1", "", 0, "The quokka swims to the island.")
	old := l.project()
	require.NoError(t, os.Rename(l.dir, l.dir+".moved"))
	l.dir += ".moved"
	l.good("tests of the mole need the causeway")
	var moved strings.Builder
	for line := range strings.Lines(l.good("export", "--everywhere")) {
		if strings.Contains(line, fmt.Sprintf(`"project":%q`, old)) {
			moved.WriteString(line)
		}
	}
	file := filepath.Join(t.TempDir(), "moved.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(moved.String()), 0o600))
	require.Equal(t, "Imported 1 learning, 0 already known", l.good("import", file))
	require.Contains(t, l.good("list"), "the locale of the runner")
	require.Contains(t, l.good("prune", "--session", "s-1", "--everywhere"), "Deleted: 1 turn")
}
