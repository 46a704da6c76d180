package migrate

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/validate"
)

// TestCorpora migrates the real memories in old formats.
func TestCorpora(t *testing.T) {
	for name, want := range map[string]struct {
		in, out, removed, byWords int
		left                      map[string]int // findings of memory-validate in the result
	}{
		"seedtime": {128, 126, 2, 0, map[string]int{}},
		"head":     {374, 374, 0, 0, map[string]int{"missing-entry": 2}},
		"dirty":    {274, 273, 1, 12, map[string]int{"missing-entry": 30, "duplicate-heading": 2}},
	} {
		t.Run(name, func(t *testing.T) {
			tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/"+name))
			outcome, err := Run(tree, config.Default())
			require.NoError(t, err)
			require.Len(t, outcome.rows, want.in)
			require.Equal(t, want.out, outcome.count(migrated))
			require.Equal(t, want.removed, outcome.count(removed))
			left := map[string]int{}
			for _, f := range outcome.left {
				left[f.Rule]++
			}
			require.Equal(t, want.left, left)
			requireRows(t, outcome, want.byWords)

			tree[config.DefaultIndex] = &fstest.MapFile{Data: outcome.After}
			m, err := validate.Load(tree, config.Default())
			require.NoError(t, err)
			require.Equal(t, outcome.left, validate.Check(m, config.Default()), "what is said to be left is what memory-validate finds")
			fixed, err := validate.FixMemory(m, config.Default(), false)
			require.NoError(t, err)
			require.Empty(t, fixed.Changes, "entries are in their places")
			again, err := Run(tree, config.Default())
			require.NoError(t, err)
			require.Equal(t, string(outcome.After), string(again.After), "a second run changes nothing")
		})
	}
}

// requireRows requires that the trigger of each row is valid, that its entry is in the result, and that a row without
// an entry says why and names candidates.
func requireRows(t *testing.T, outcome Outcome, byWords int) {
	t.Helper()
	entries := map[string]bool{}
	for _, line := range index.Parse(outcome.After).Lines {
		if line.Kind == index.EntryLine {
			entries[index.FormatEntry(line.Entry.Operator, line.Entry.Trigger.Text, line.Entry.Title.Text, line.Entry.Description.Text)] = true
		}
	}
	for _, r := range outcome.rows {
		if r.kind() != migrated {
			require.Regexp(t, "only groups other headings|to keep it, record it: memory-remember decide ", r.why, r.source)
			continue
		}
		require.Equal(t, index.NormalizeTrigger(r.trigger), r.trigger)
		require.True(t, entries[index.FormatEntry(r.operator, r.trigger, r.header, r.description)], r.source)
		if strings.Contains(r.source, " — ") {
			words := len(strings.Fields(r.trigger))
			require.True(t, words >= 1 && words <= 7, "trigger %q", r.trigger)
		}
		if r.why != "" {
			byWords--
		}
	}
	require.Zero(t, byWords)
}

// The entries of the oldest format's sections end up under their files. So do the six rules, since each has a heading:
// their section goes.
func TestRulesAreRefiled(t *testing.T) {
	tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/seedtime"))
	outcome, err := Run(tree, config.Default())
	require.NoError(t, err)
	f := index.Parse(outcome.After)
	for _, s := range f.Sections {
		require.False(t, validate.IsBehavioralRules(s.Path))
	}
	exempt := 0
	before := index.Parse(outcome.before)
	for _, r := range outcome.rows {
		if validate.IsBehavioralRules(before.Sections[before.Lines[r.line-1].Section].Path) {
			exempt++
			require.Equal(t, migrated, r.kind(), r.source)
		}
	}
	require.Equal(t, 6, exempt)
}
