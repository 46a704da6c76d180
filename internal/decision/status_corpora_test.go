package decision_test

import (
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/test/repotest"
)

// The records of real projects, read by hand.
func TestStatusesOfRealFolders(t *testing.T) {
	for _, c := range []struct {
		folder      string
		none        []string // templates and indexes
		counts      map[decision.StatusKind]int
		doesNotHold map[string][]string // and its successors
		wantTexts   map[string]string
	}{
		{
			"govuk-aws", nil,
			map[decision.StatusKind]int{decision.NoStatus: 1, decision.Accepted: 29, decision.Proposed: 7, decision.Superseded: 1},
			map[string][]string{"0004-dns-definitions-for-hosts-and-services.md": {"0015-dns-infrastructure.md"}},
			map[string]string{"0003-aws-networking-outline.md": "Partly superseded", "0010-terraform-directory-structure.md": "Accepted", "0033-ip-ranges.md": "Pending", "0038-mongo_replacement_by_documentdb.md": "Approved"},
		},
		{
			"madr", []string{"adr-template.md", "index.md"},
			map[decision.StatusKind]int{decision.NoStatus: 18, decision.Proposed: 1},
			map[string][]string{},
			map[string]string{"0003-provide-own-madr-tools.md": "on hold", "0008-add-status-field.md": ""},
		},
		{
			"log4brains", []string{"template.md", "index.md", "README.md"},
			map[decision.StatusKind]int{decision.Accepted: 8, decision.Superseded: 1},
			map[string][]string{"20200926-use-the-adr-number-as-its-unique-id.md": {"20201016-use-the-adr-slug-as-its-unique-id.md"}},
			map[string]string{"20201016-use-the-adr-slug-as-its-unique-id.md": "accepted"},
		},
		{
			"log4brains-edge-cases", []string{"template.md"},
			map[decision.StatusKind]int{decision.NoStatus: 6, decision.Accepted: 5, decision.Proposed: 2, decision.Rejected: 1, decision.Superseded: 1},
			map[string][]string{"20201028-superseded-adr.md": {"20201029-superseder.md"}, "20201029-rejected-adr.md": nil},
			map[string]string{"20201030-draft-adr.md": "draft", "20200102-adr-without-status.md": "", "20200102-adr-with-intro.md": "accepted"},
		},
	} {
		t.Run(c.folder, func(t *testing.T) {
			texts, counts, doesNotHold := map[string]string{}, map[decision.StatusKind]int{}, map[string][]string{}
			tree := os.DirFS(repotest.Shared(t, "corpora/adr/"+c.folder))
			require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
				if err != nil || path.Ext(name) != ".md" {
					return err
				}
				src, err := fs.ReadFile(tree, name)
				if err != nil {
					return err
				}
				status := decision.ParseDocument(name, src).Status()
				for _, other := range c.none {
					if path.Base(name) == other {
						require.True(t, status.Holds(), name) // a template only lists what a status may be
						return nil
					}
				}
				counts[status.Kind]++
				texts[path.Base(name)] = status.Text
				if !status.Holds() {
					doesNotHold[path.Base(name)] = status.Successors
				}
				return nil
			}))
			require.Equal(t, c.counts, counts)
			require.Equal(t, c.doesNotHold, doesNotHold)
			for name, text := range c.wantTexts {
				require.Equal(t, text, texts[name], name)
			}
		})
	}
}
