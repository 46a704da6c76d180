package remember_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repotest"
)

// sharedCase is one line of cases/remember.jsonl: what goes in, and what is expected of
// a program that keeps learnings, in any language. Those that need neither store nor
// program are run by internal/learning.
type sharedCase struct {
	ID, Area, Kind string
	Input, Expect  map[string]any
}

// pure are the areas that internal/learning runs, but for the cases that runs have here.
var pure = map[string]bool{"hash": true, "category": true, "keywords": true, "rank": true, "lifecycle": true, "inject": true, "import": true}

// areas are those that are run here. A run says what is not as expected, or "".
var areas = map[string]func(*testing.T, sharedCase) string{
	"length": lengthCase, "remember": rememberCase, "store": storeCase, "validate": validateCase, "confidence": storeCase,
	"cli": cliCase, "policy": policyCase, "config": configCase, "session_start": sessionCase, "search": searchCase,
	"context": contextCase, "embed": embedCase, "robust": robustCase,
}

// runs are the cases of pure areas that need a store.
var runs = map[string]func(*testing.T, sharedCase) string{
	"inject-07": injectCase, "inject-09": injectCase, "inject-11": injectCase, "import-04": importCase,
	"lifecycle-11": lifecycleCase, "lifecycle-15": lifecycleCase, "lifecycle-16": lifecycleCase, "lifecycle-20": lifecycleCase, "lifecycle-21": lifecycleCase,
}

// elsewhere are the cases that other tests run.
var elsewhere = map[string]string{
	"remember-10": "TestSC1TheConfirmationComesAtOnce",
	"policy-20":   "TestAC11TheSkillNamesItsTriggers",
	"robust-05":   "the tests of internal/store that kill a writer",
}

// refused are the cases that are not met, with the reason. One that is met after all
// fails the test.
var refused = map[string]string{
	"store-01":     "expects no keywords: they are filled in, since their absence was a defect (keywords-04)",
	"store-02":     "expects the new name in the answer and the new text in the row: store-04 and store-05 forbid both",
	"validate-09":  "store_memory has no source: what an agent stores comes from its session (SC-5 counts it)",
	"config-04":    "there is no memory_vector_weight: the ranking is fixed by measurement, and an unknown key is an error",
	"config-05":    "as config-04",
	"config-15":    "-2 is no budget: it is refused, with what is allowed",
	"import-04":    "a folder that was named and is not there is an error: nothing is passed over in silence",
	"lifecycle-16": "the answer has one form wherever a learning was known (store-03)",
	"lifecycle-21": "use is recorded by record_feedback, which answers in words of its own",
}

// absent is the reason why the area kb is not run.
const absent = "its corpus, kb.jsonl, is not among the shared material"

func TestSharedCases(t *testing.T) {
	ran, unrun := 0, 0
	for _, c := range repotest.JSONLines[sharedCase](t, repotest.Shared(t, "cases/remember.jsonl")) {
		run := runs[c.ID]
		switch {
		case run != nil:
		case pure[c.Area]:
			continue
		case elsewhere[c.ID] != "":
			continue
		case c.Area == "kb":
			unrun++
			continue
		default:
			run = areas[c.Area]
			require.NotNil(t, run, "%s is neither run nor listed", c.ID)
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			repotest.Met(t, run(t, c), refused[c.ID])
		})
	}
	t.Logf("%d cases were run, %d of kb were not: %s", ran, unrun, absent)
	require.GreaterOrEqual(t, ran, 98)
}

func has(values map[string]any, key string) bool {
	_, found := values[key]
	return found
}
