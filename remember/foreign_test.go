package remember_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A store that another version or another program has made is refused by every command,
// and not a byte of it changes.
func TestAForeignStoreStaysAsItIs(t *testing.T) {
	for name, c := range map[string]struct{ make, says string }{
		"newer":   {`PRAGMA user_version = 99`, "it was written by a newer version: update whence"},
		"older":   {`PRAGMA user_version = 1`, "it was written by an older version: move it away"},
		"foreign": {`PRAGMA application_id = 7`, "it is the database of another program: set WHENCE_HOME to another folder"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLearner(t)
			l.good("a learning of the version that is installed")
			require.NoError(t, l.exec(c.make))
			require.NoError(t, l.exec(`PRAGMA journal_mode = DELETE`))
			before, err := os.ReadFile(l.file())
			require.NoError(t, err)
			input := filepath.Join(l.dir, "one.jsonl")
			require.NoError(t, os.WriteFile(input, []byte(`{"description":"a learning that is imported"}`), 0o644))
			for _, args := range [][]string{
				{"a learning that cannot be stored"}, {"search", "learning"}, {"list"}, {"show", "x"}, {"export"},
				{"forget", "x"}, {"edit", "x", "--name", "y"}, {"import", input},
				{"store", "--name", "n", "--description", "a learning that cannot be stored", "--reasoning", "r", "--category", "patterns", "--approved"},
			} {
				got := l.run(args...)
				require.Equal(t, 4, got.Status, args)
				require.Contains(t, got.Stderr, c.says, args)
				require.Contains(t, got.Stderr, "memory.db", args)
				require.Empty(t, got.Stdout, args)
			}
			got := l.runWith("{}", "hook", "SessionStart") // the agent goes on
			require.Zero(t, got.Status)
			require.Contains(t, got.Stdout, "Tip: ")
			require.Contains(t, got.Stderr, c.says)
			after, err := os.ReadFile(l.file())
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}
