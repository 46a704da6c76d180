package migrate

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/test/repotest"
)

func TestProposeSplit(t *testing.T) {
	long := strings.Repeat("Some words about it. ", 20)
	src := "# Guide\n\nIntro.\n\n## Project overview\n" + long + "\n## Tests\n" + long + "\n## Short\nYes.\n\n## Imports\n@docs/a.md\n" + long +
		"\n## Mail\nWrite to me@example.org about `@docs/a.md`. " + long + "\n## Odd things\n1. One. " + long + "\n2. Two.\n3. Three.\n\n## When the build is red\n" + long +
		"\n## Work\n" + long + "\n### Deployment\n" + long + "\n### Style\n" + long + "\n## Taken\n" + long + "\n## Twice\n" + long + "\n## Twice\n" + long +
		"\n## Moved\n\nThis section is in agents/decisions/guide.md: `memory-when '§ Moved'` prints it.\n"
	f := decision.Parse("GUIDE.md", []byte(src))
	var got []string
	for _, s := range proposeSplit(f, func(key string) bool { return key == "taken" || key == "twice" }) {
		got = append(got, fmt.Sprintf("%s %s: %s", s.use(), s.title, s.why))
	}
	require.Equal(t, []string{
		"stay Project overview: every session needs it (project)",
		"move Tests: it applies to one kind of work (tests)",
		"stay Short: it is short",
		"stay Imports: it imports a file, which agents do only here",
		"stay Mail: in doubt",
		"move Odd things: it is a procedure",
		"move When the build is red: its title says when it applies",
		"stay Work: in doubt",
		"move Deployment: it applies to one kind of work (deployment)",
		"stay Style: every session needs it (style)",
		`stay Taken: another heading is called "Taken", or it cannot be a header title`,
		`stay Twice: another heading is called "Twice", or it cannot be a header title`,
		`stay Twice: another heading is called "Twice", or it cannot be a header title`,
		"stay Moved: it is in agents/decisions/guide.md",
	}, got)
}

// Whatever the file, moving any of its sections and restoring them gives its bytes back, and each is
// a section of its own meanwhile.
func TestSplitIsRestored(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"Text.\n", "\n", "\n\n", "- a list\n  - in it\n", "    code\n", "```\n## no heading\n[a](b.md)\n```\n", "[a](docs/b.md) and [c](#d) and [e](https://x.org)\n", "`[a](b)` [x]: y\n", "[ref]: ../x.md\n",
		"<div>\n", "<!-- a comment -->\n", "---\n", "\n---\n", "\n***\n\n", "last words  ", "\t\n", "See [own](GUIDE.md#x).\n", "![i](<a b.png>)\n", "> quote\n", "| a | b |\n| - | - |\n"}
	moved := 0
	for range 5000 {
		var src strings.Builder
		if random.IntN(3) > 0 {
			src.WriteString("# Guide\n\n")
		}
		for i := range random.IntN(6) {
			switch level := 2 + random.IntN(3); {
			case random.IntN(6) == 0 && level == 2:
				fmt.Fprintf(&src, "\nSetext %d\n---\n", i)
			default:
				fmt.Fprintf(&src, "%s Heading %d\n", strings.Repeat("#", level), i)
			}
			for range random.IntN(5) {
				src.WriteString(pieces[random.IntN(len(pieces))])
			}
		}
		text := src.String()
		if random.IntN(4) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		if random.IntN(8) == 0 {
			text = "\uFEFF" + text
		}
		if requireRestored(t, "GUIDE.md", text, random) {
			moved++
		}
	}
	require.Greater(t, moved, 4500, "hardly any file is refused")
}

func TestSplitOfRealFilesIsRestored(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, name := range []string{"adr/instructions/prometheus/AGENTS.md", "adr/instructions/claudeutils/CLAUDE.md", "dirty/CLAUDE.md", "seedformat/CLAUDE.md"} {
		src, err := os.ReadFile(repotest.Shared(t, "corpora/"+name))
		require.NoError(t, err)
		for range 30 {
			require.True(t, requireRestored(t, "docs/AGENTS.md", string(src), random))
		}
	}
}

// requireRestored moves some of the topmost sections of a file, and restores them. It returns false if
// the file is refused, such as for an unclosed comment that would hide what follows.
func requireRestored(t *testing.T, name, text string, random *rand.Rand) bool {
	t.Helper()
	f := decision.Parse(name, []byte(text))
	s := splitFile{name: name, target: "agents/decisions/guide.md"}
	var headings []int
	end := 0
	for i, h := range f.Headings {
		_, core, _ := coreOf(f.Body(i))
		if h.Start >= end && h.Level > 1 && len(core) > 0 && s.movable(f.Body(i)) && random.IntN(3) > 0 {
			headings, end = append(headings, i), h.End
		}
	}
	rest, moved, err := s.move(f, nil, headings)
	if err != nil {
		return false
	}
	d := decision.Parse(s.target, moved)
	for _, i := range headings {
		require.Contains(t, string(rest), s.pointer(f.Headings[i].Title))
	}
	whole, left, err := s.restore(decision.Parse(name, rest), moved)
	require.NoError(t, err)
	require.Equal(t, text, string(whole))
	require.Empty(t, left)
	for _, h := range d.Headings {
		require.False(t, h.Intro)
	}
	return true
}
