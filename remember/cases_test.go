package remember_test

import (
	"testing"

	"whence/internal/test/repotest"
)

// unmet lists the cases of cases/remember.jsonl that are not met, with the reason.
var unmet = map[string]string{
	"store-01":     "expects no keywords: they are filled in, since their absence was a defect (keywords-04)",
	"store-02":     "expects the new name in the answer and the new text in the row: store-04 and store-05 forbid both",
	"validate-08":  "LOW is low: what an agent's words mean without doubt is taken",
	"validate-09":  "store_memory has no source: what an agent stores comes from its session (SC-5 counts it)",
	"config-04":    "there is no memory_vector_weight: the ranking is fixed by measurement, and an unknown key is an error",
	"config-05":    "as config-04",
	"config-15":    "-2 is no budget: it is refused, with what is allowed",
	"import-04":    "a folder that was named and is not there is an error: nothing is passed over in silence",
	"lifecycle-15": "design, third edition: equal texts are one learning, near ones are two",
	"lifecycle-16": "as lifecycle-15",
	"lifecycle-21": "design, third edition: feedback is out of the scope of the specification",
	"inject-11":    "design, third edition: figures are the report's",
	"remember-10":  "time is measured by TestSC1TheConfirmationComesAtOnce",
	"policy-20":    "TestAC11TheSkillNamesItsTriggers reads the skill",
	"robust-05":    "the tests of internal/store kill a writer",
	"cli-04":       "the words of another program: store says it in those of store_memory",
	"cli-05":       "as cli-04",
	"cli-06":       "as cli-04",
	"cli-07":       "as cli-04: a reason is missing, too",
	"cli-09":       "what is not an object of a learning is a usage error, exit status 3",
	"cli-13":       "as cli-04: store reads flags or standard input",
	"cli-14":       "design 9: only the user says where the store is, no flag that an agent may pass",
	"kb":           "its corpus, kb.jsonl, is not among the shared material",
}

// TestSharedCases runs the cases of a program that keeps learnings. Those that need neither
// store nor program are run by internal/learning.
func TestSharedCases(t *testing.T) {
	run := map[string]func(*repotest.Case){}
	for group, judge := range map[string]func(*repotest.Case) string{
		"length": lengthCase, "remember": rememberCase, "store": storeCase, "validate": validateCase, "confidence": storeCase,
		"cli": cliCase, "policy": policyCase, "config": configCase, "session_start": sessionCase, "search": searchCase,
		"context": contextCase, "embed": embedCase, "robust": robustCase,
		"inject-07": injectCase, "inject-09": injectCase, "import-04": importCase,
		"lifecycle-11": lifecycleCase, "lifecycle-20": lifecycleCase,
	} {
		run[group] = repotest.Judged(func(c *repotest.Case) string {
			if testing.Short() && group != "robust" {
				c.Skip("nothing here runs side by side")
			}
			return judge(c)
		})
	}
	repotest.Cases{File: "remember.jsonl", Package: "remember", Run: run, Unmet: unmet}.Test(t)
}
