package decision_test

import (
	"flag"
	"testing"

	"whence/internal/decision"
	"whence/internal/test/repotest"
)

var _ = flag.Bool("update", false, "write the expected results of archives anew")

func TestMerge(t *testing.T) { repotest.Merges(t, "testdata/merge", decision.Merge) }

func FuzzMerge(f *testing.F) {
	const a, b, c = "# T\n\n## A\n\nx\ny\n\n## B\nz\n", "---\nx: y\n---\n# T\n## B\nz\n### C\n\n## A\nx\n", "\uFEFF# T\r\n\r\nA\r\n---\r\n```\r\n## B\r\n"
	f.Add(a, b, c)
	f.Add(b, c, a)
	f.Add(a, a+"\n## C\nc\n", a+"\n## D\nd")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		if len(base)+len(ours)+len(theirs) > 2000 {
			return
		}
		repotest.RequireMerge(t, decision.Merge, base, ours, theirs)
	})
}
