package remember_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/remember"
)

// A learning that two repositories have made holds in all if the user has allowed both;
// otherwise nothing of one is seen in another, and none changes what another has.
func TestPromotionNeedsPermission(t *testing.T) {
	home := repotest.Home(t)
	getenv := func(name string) string { return map[string]string{"WHENCE_HOME": home}[name] }
	repositories := map[string]string{}
	for _, name := range []string{"hostile", "clone", "innocent"} {
		repositories[name] = filepath.Join(t.TempDir(), name)
		require.NoError(t, exec.Command("git", "init", "-q", repositories[name]).Run())
	}
	learn := func(name, reason string, global bool) remember.RememberResult {
		t.Helper()
		b, err := remember.Open(repositories[name], repositories[name], getenv, "s", time.Now())
		require.NoError(t, err)
		r, err := b.Remember(t.Context(), learning.Learning{Description: "Always run the setup script before a test", Reasoning: reason}, global)
		require.NoError(t, err)
		return r
	}
	sees := func(name string) (all []learning.Learning) {
		t.Helper()
		b, err := remember.Open(repositories[name], repositories[name], getenv, "s", time.Now())
		require.NoError(t, err)
		require.NoError(t, b.ReadLocal(t.Context(), func(_ context.Context, s *store.Store) (err error) {
			all, err = s.List(t.Context(), store.Filter{Project: b.Project})
			return err
		}))
		return all
	}
	learn("hostile", "a reason of its own", false)
	again := learn("clone", "another reason", false)
	require.True(t, again.Apart)
	require.NotContains(t, again.Message(), "reason of its own")
	require.Len(t, sees("hostile"), 1)
	require.Equal(t, 1, sees("hostile")[0].Observations)
	require.Empty(t, sees("clone"))
	require.Empty(t, sees("innocent"))

	require.NoError(t, config.Allow(home, config.RepositoryOf(repositories["clone"]), nil, time.Now()))
	require.True(t, learn("clone", "another reason", false).Apart, "one of the two is not allowed")
	require.Empty(t, sees("innocent"))

	global := learn("innocent", "what the user has typed", true)
	require.False(t, global.Apart)
	require.Equal(t, "what the user has typed", sees("clone")[0].Reasoning, "what holds in all has the user's words, not those of a repository")

	home = repotest.Home(t)
	for _, name := range []string{"hostile", "clone"} {
		require.NoError(t, config.Allow(home, config.RepositoryOf(repositories[name]), nil, time.Now()))
	}
	learn("hostile", "a reason", false)
	require.True(t, learn("clone", "", false).Reinforced)
	require.Len(t, sees("innocent"), 1)
}
