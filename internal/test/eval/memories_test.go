package eval_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/test/repotest"
)

// memoryName is the name of a real memory.
type memoryName string

const (
	commands    memoryName = "commands"    // of a command-line tool: 374 decisions, 8 situations each
	conventions memoryName = "conventions" // published conventions: 267 decisions, 16 situations each
)

// memory is a real memory, and moments for which people have judged what applies.
type memory struct {
	tree    fstest.MapFS
	moments []moment // with triggers in lower case
}

// openMemory returns a memory with up to so many situations for each decision.
func openMemory(t *testing.T, name memoryName, situations int) memory {
	if name == commands {
		tree, _ := withSituations(t, realMemory(t), situations)
		return memory{tree, readMoments(t)}
	}
	tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/conventions"))
	comments := map[string]string{} // by file and title key
	for _, s := range repotest.JSONLines[struct {
		File, Title string
		Situations  []string
	}](t, repotest.Shared(t, "eval/situations-conventions.jsonl")) {
		comments["agents/decisions/"+s.File+".md"+decision.Key(s.Title)] = commentOf(s.Situations, situations)
	}
	tree, _ = insertComments(tree, comments)
	triggers := map[string][]string{} // by title key
	for _, e := range entriesOf(tree) {
		key := decision.Key(e.Title.Text)
		triggers[key] = append(triggers[key], strings.ToLower(e.Trigger.Text))
	}
	moments := repotest.JSONLines[moment](t, repotest.Shared(t, "eval/prompts-conventions.jsonl"))
	for i, m := range moments {
		moments[i].Gold = nil
		for _, title := range m.Gold {
			require.NotEmpty(t, triggers[decision.Key(title)], title)
			moments[i].Gold = append(moments[i].Gold, triggers[decision.Key(title)]...)
		}
	}
	return memory{tree, moments}
}

// commentOf returns a comment with the first situations.
func commentOf(phrases []string, situations int) string {
	phrases = phrases[:min(situations, len(phrases))]
	if len(phrases) == 0 {
		return ""
	}
	return "\n<!-- situations:\n" + strings.Join(phrases, "\n") + "\n-->\n"
}

// insertComments inserts comments below the semantic headings of decision files, by file and title key.
func insertComments(tree fstest.MapFS, comments map[string]string) (full fstest.MapFS, written int) {
	full = fstest.MapFS{}
	for name, file := range tree {
		src := file.Data
		if name != config.DefaultIndex && strings.HasSuffix(name, ".md") {
			var out bytes.Buffer
			at := 0
			for _, h := range decision.Parse(name, src).Headings {
				comment := comments[name+h.Key]
				if comment == "" || !h.Semantic() {
					continue
				}
				out.Write(src[at:h.Body])
				out.WriteString(comment)
				at = h.Body
				written++
			}
			out.Write(src[at:])
			src = out.Bytes()
		}
		full[name] = &fstest.MapFile{Data: src}
	}
	return full, written
}
