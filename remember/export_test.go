package remember_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/test/repotest"
)

// exported returns the learnings in an export, by text and scope, without the fields that differ between two
// repositories.
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

// Learnings that go from one machine to another and back are neither lost nor doubled.
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
	}
}

// What is forgotten on a machine stays forgotten there, whatever is imported, until its text is stored again; on the
// other machine it stays.
func TestForgottenStaysForgotten(t *testing.T) {
	type machine struct {
		*learner
		has, forgot map[string]bool // by text
	}
	rounds := 3
	if repotest.Long() {
		rounds = 40
	}
	for seed := range rounds {
		random := rand.New(rand.NewPCG(uint64(seed), 2))
		machines := [2]machine{}
		for i := range machines {
			machines[i] = machine{newLearner(t), map[string]bool{}, map[string]bool{}}
		}
		for range 30 {
			which := random.IntN(2)
			here, there := machines[which], machines[1-which]
			switch kept := slices.Sorted(maps.Keys(here.has)); {
			case random.IntN(3) == 0:
				i := random.IntN(6)
				text := fmt.Sprintf("the depot %d of Straße 網 answers slowly", i)
				args := [][]string{{strings.ToUpper(text) + "!"}, {text}}[random.IntN(2)]
				if i%2 == 0 {
					args = append(args, "--global")
				}
				here.good(args...)
				here.has[text] = true
				delete(here.forgot, text)
			case random.IntN(2) == 0 && len(kept) > 0:
				text := kept[random.IntN(len(kept))]
				var l learning.Learning
				for line := range strings.Lines(here.good("export")) {
					if l = (learning.Learning{}); json.Unmarshal([]byte(line), &l) == nil && learning.Folded(l.Description) == learning.Folded(text) {
						break
					}
				}
				here.good("forget", l.ID)
				delete(here.has, text)
				here.forgot[text] = true
			default:
				skipped := 0
				for text := range there.has {
					if here.forgot[text] {
						skipped++
					} else {
						here.has[text] = true
					}
				}
				got := here.runWith(there.good("export")+"\n", "import", "-")
				require.Zero(t, got.Status, got.Stderr)
				if skipped > 0 {
					require.Contains(t, got.Stderr, fmt.Sprintf("skipped %d forgotten learning", skipped))
				} else {
					require.Empty(t, got.Stderr)
				}
			}
			for _, m := range machines {
				var texts []string
				for line := range strings.Lines(m.good("export")) {
					var l learning.Learning
					require.NoError(t, json.Unmarshal([]byte(line), &l))
					texts = append(texts, learning.Folded(l.Description))
				}
				var want []string
				for text := range m.has {
					want = append(want, learning.Folded(text))
				}
				require.ElementsMatch(t, want, texts, "seed %d", seed)
			}
		}
	}
}
