package index_test

import (
	"flag"
	"testing"

	"whence/internal/index"
	"whence/internal/test/repotest"
)

var _ = flag.Bool("update", false, "write the expected results of archives anew")

func TestMerge(t *testing.T) { repotest.Merges(t, "testdata/merge", index.Merge) }

func FuzzMerge(f *testing.F) {
	const a, b, c = "# I\n\n## a.md\n\n/when a | A | x y\n/when b | B | x\n", "/when a | A | x\n\n## a.md\n- x\n", "\uFEFF## a.md\r\n\r\n/how b | B | x | y\r\n```\n## b.md\n"
	f.Add(a, b, c)
	f.Add(b, c, a)
	f.Add(a, a+"/when c | C | z\n", a+"\n## b.md\n/when d | D | z")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		repotest.RequireMerge(t, index.Merge, base, ours, theirs)
	})
}
