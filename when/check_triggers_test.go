package when_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/when"
)

// others are entries beside the one that is checked, so that its words are rare.
const others = `
/when spawning a worker | Workers | owner, lifetime, pool
/when rolling back a release | Rollbacks | previous image, five minutes
/when paging lists | Cursors | page size, opaque token
`

const otherSections = "## Workers\n\nEvery worker that is spawned has an owner.\n\n## Rollbacks\n\nThe previous image is kept.\n\n## Cursors\n\nLists are paged by cursor.\n"

func TestCheckTriggers(t *testing.T) {
	for name, test := range map[string]struct {
		entry, section string
		rule, message  string // "" for no finding
	}{
		"in its own words": {
			entry:   "/when retrying a call | Retries | jitter, upper bound",
			section: "## Retries\n\nA failed call is retried three times with jitter.\n",
		},
		"title and first sentence lead elsewhere": {
			entry:   "/when starting work early | No workers at import | shutdown method",
			section: "## No workers at import\n\n**Decision:** a worker is never spawned at import. Start it in main.\n",
			rule:    "misleading-trigger", message: `title and first sentence lead to "/when spawning a worker" (Workers) first: use words of the decision in the trigger, as in workers, import, never`,
		},
		"the trigger is in another one": {
			entry:   "/when paging | Footers | printed page numbers, margin",
			section: "## Footers\n\nA printed page has its number at the foot.\n",
		},
		"most situations lead elsewhere": {
			entry:   "/when deploying twice | Two deploys | lock, queue",
			section: "## Two deploys\n<!-- situations:\nroll back to the previous image\nhow long is the rollback, five minutes?\nrelease rolled back by itself\nthe queue is stuck\n-->\n\nOne deploys, the queue waits.\n",
			rule:    "misleading-trigger", message: `3 of 4 situations lead to "/when rolling back a release" (Rollbacks) first: use their words in the trigger, or move them there`,
		},
		"few situations mean nothing": {
			entry:   "/when deploying twice | Two deploys | lock, queue",
			section: "## Two deploys\n<!-- situations:\nroll back to the previous image\nrelease rolled back by itself\n-->\n\nOne deploys, the queue waits.\n",
		},
		"no word is shared": {
			entry:   "/when deleting the last import | Removing a dependency | vendor folder",
			section: "## Removing a dependency\n\nThis happens almost for free.\n",
			rule:    "unreached-trigger", message: "no word of title and first sentence is in trigger or description: use words of the decision in the trigger, as in removing, dependency, happens, or write situations",
		},
		"a situation shares a word": {
			entry:   "/when deleting the last import | Removing a dependency | vendor folder",
			section: "## Removing a dependency\n<!-- situations:\nnobody imports this library\n-->\n\nThis happens almost for free.\n",
		},
		"the title above shares a word": {
			entry:   "/when deleting the last import | Removing a dependency | vendor folder",
			section: "## .The vendor folder\n\n### Removing a dependency\n\nThis happens almost for free.\n",
		},
		"a beginning is shared": {
			entry:   "/when adding an option to config | Part one | alternatives",
			section: "## Part one\n\nKeep configuration small, and constant.\n",
		},
		"too few words to tell": {
			entry:   "/when verifying storage | Testing | version hash",
			section: "## Testing\n\nUpdates are required.\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := when.Open(fstest.MapFS{
				config.DefaultIndex:     {Data: []byte("## agents/decisions/a.md\n" + others + test.entry + "\n")},
				"agents/decisions/a.md": {Data: []byte("# A\n\n" + otherSections + "\n" + test.section)},
			}, config.Default())
			require.NoError(t, err)
			found, err := l.CheckTriggers()
			require.NoError(t, err)
			if test.rule == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Equal(t, test.rule, found[0].Rule)
			require.Equal(t, test.message, found[0].Message)
			require.Equal(t, config.DefaultIndex, found[0].Path)
			require.Equal(t, 6, found[0].Line)
		})
	}
}

// A trigger for which recall brings another entry first is found, and the other one named.
func TestCheckTriggersAsksRecall(t *testing.T) {
	l, err := when.Open(fstest.MapFS{
		config.DefaultIndex: {Data: []byte("## agents/decisions/a.md\n" + others +
			"/when opening a pull request | Drafts | cost\n/when opening a pull request early | Opening: requests to pull | pull requests, opened\n")},
		"agents/decisions/a.md": {Data: []byte("# A\n\n" + otherSections + "\n## Drafts\n\nThey save the pull of cost.\n\n## Opening: requests to pull\n\nA pull request that is opened asks to pull. Opening pull requests is free.\n")},
	}, config.Default())
	require.NoError(t, err)
	found, err := l.CheckTriggers()
	require.NoError(t, err)
	require.NotEmpty(t, found)
	require.Contains(t, found[0].Message, `recall by the words of this trigger brings "/when opening a pull request early" (Opening: requests to pull) first: say in the trigger what only "Drafts" is about`)
}

func TestFirstSentence(t *testing.T) {
	for markdown, want := range map[string]string{
		"":                                   "",
		"Retry three times. Then stop.\n":    "Retry three times.",
		"**Decision:** retry three times.\n": "retry three times.",
		"**Date:** 2026-01-02\n\nRetry three times!\n":                         "Retry three times!",
		"Yes. Retry three times.\n":                                            "Yes. Retry three times.",
		"```\ncode here now\n```\n\nSee [the guide](x.md) for retries.\n":      "See the guide for retries.",
		"Retry three\ntimes with jitter. Stop.\n":                              "Retry three times with jitter.",
		"- one item\n- two items\n- three items\n- four items\n- five items\n": "one item two items three items four items",
	} {
		require.Equal(t, want, when.FirstSentence(markdown), markdown)
	}
}

// What is listed in real memories was read, see docs/recall.md; more would be noise.
func TestCheckTriggersListsFewInRealMemories(t *testing.T) {
	maxFindings := map[string]int{"ferry": 8, "seedformat": 4, "lessons": 12, "head": 4, "conventions": 17, "seedtime": 2}
	for name, tree := range memories(t) {
		l, err := when.Open(tree, config.Default())
		require.NoError(t, err)
		found, err := l.CheckTriggers()
		require.NoError(t, err)
		t.Logf("%s: %d", name, len(found))
		require.LessOrEqual(t, len(found), maxFindings[name], name)
		for _, f := range found {
			require.False(t, strings.ContainsAny(f.Message, "\n\x00"), name)
		}
	}
}

func BenchmarkCheckTriggers(b *testing.B) {
	l, err := when.Open(repotest.NewTalk().Memory(500, 10_000), config.Default())
	require.NoError(b, err)
	for b.Loop() {
		_, err := l.CheckTriggers()
		require.NoError(b, err)
	}
}
