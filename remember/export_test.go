package remember_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/test/repotest"
)

// exported returns the learnings that an export has, by text and scope, each without what differs between two repositories.
func exported(t *testing.T, l *learner) (export string, all map[string]learning.Learning) {
	t.Helper()
	export, all = l.good("export")+"\n", map[string]learning.Learning{}
	for line := range strings.Lines(strings.TrimSpace(export)) {
		var found learning.Learning
		require.NoError(t, json.Unmarshal([]byte(line), &found))
		if found.Project != "" {
			found.Project = "a repository"
		}
		key := strings.TrimSuffix(found.Description, "!") + found.Project
		require.NotContains(t, all, key, "there twice")
		all[key] = found
	}
	return export, all
}

// Learnings go from one machine to another and back: nothing is lost, nothing is there twice, and a learning that was
// forgotten is back if it was in what is imported.
func TestExportsOfTwoMachines(t *testing.T) {
	rounds := 3
	if repotest.Long() {
		rounds = 40
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		here, there := newLearner(t), newLearner(t)
		for i := range 2 + random.IntN(6) {
			text := fmt.Sprintf("the depot %d of %s answers slowly in the spring", i, []string{"Zürich", "東京", `C:\temp "x"`, "a\nlist"}[random.IntN(4)])
			machine := []*learner{here, there, here}[random.IntN(3)]
			args := [][]string{{}, {"--global"}, {"--reference", "ci.yml"}, {"--category", "patterns"}}[random.IntN(4)]
			machine.good(append([]string{text, "--quiet"}, args...)...)
			if random.IntN(2) == 0 {
				there.good(append([]string{text + "!", "--quiet"}, args...)...)
			}
		}
		first, before := exported(t, here)
		_, own := exported(t, there)
		bring := func(to *learner, export string) string {
			got := to.runWith(export, "import", "-")
			require.Zero(t, got.Status, got.Stderr)
			return got.Stdout
		}
		bring(there, first)
		second, both := exported(t, there)
		for text, l := range before {
			if known, is := own[text]; is {
				l = known // what is known stays as it is
			}
			require.Equal(t, l, both[text], text)
		}
		for range 2 {
			require.Contains(t, bring(there, first), "Imported 0 learnings")
		}
		again, _ := exported(t, there)
		require.Equal(t, second, again)
		bring(here, second)
		_, back := exported(t, here)
		require.Len(t, back, len(both), "both machines have all")

		var forgotten []string
		for text, l := range both {
			if random.IntN(2) == 0 {
				there.good("forget", l.ID)
				forgotten = append(forgotten, text)
			}
		}
		_, left := exported(t, there)
		require.Len(t, left, len(both)-len(forgotten))
		returned := 0
		for _, text := range forgotten {
			if _, is := before[text]; is {
				returned++
			}
		}
		require.Contains(t, bring(there, first), fmt.Sprintf("Imported %d learning", returned))
	}
}
