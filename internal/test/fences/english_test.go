package fences_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// A habit is a turn of phrase at which readers stumble.
type habit struct {
	pattern *regexp.Regexp
	except  *regexp.Regexp // good English, if it matches what was found with 30 bytes on both sides
	instead string
}

// newHabit compiles patterns in which a space also matches a line break.
func newHabit(pattern, except, instead string) habit {
	compile := func(p string) *regexp.Regexp { return regexp.MustCompile(strings.ReplaceAll(p, " ", `\s+`)) }
	return habit{compile(pattern), compile(cmp.Or(except, `[^\s\S]`)), instead}
}

var habits = []habit{
	newHabit(`\b[Tt]ells? (?:whether|if)\b`, ``, "reports whether"),
	newHabit(`^(?:(?:Package|The) )?(?:""|[^"\s]\S*)(?:,? (?:and )?[^\s.]+){0,2} (?:is|are) (?:that|what)\b`, ``, "is the …, returns …, reports that …"),
	newHabit(`\btold\b`, `\b(?:you are|user is) (?:not )?told|\btold (?:apart|from)\b`, "shown, reported, logged"),
	newHabit(`\b[Tt]ells? to\b`, `\bto (?:which|what|whom)\b`, "says to, asks … to"),
	newHabit(`\b(?:[Nn]obody|[Ww]hoever|[Ww]ho asks|(?:for|by|to|of|from) who)\b`, "[`\"]nobody|\\bnobody is a user", "no one, none; the caller, anyone who"),
	newHabit(`\b[Mm]end(?:s|ed|ing)?\b`, ``, "fix"),
	newHabit(`\b[Bb]lanks\b|\b(?:[Aa]|one|each|every|the|no) blank(?:[.,;:)"]|$| (?:on|at|around|between|behind|before|beside|and|or|of|in|for|is)\b)`, ``, "spaces"),
	newHabit(`\b(?:stands?|stood|standing)\b`, `\bstands? (?:for|in for|in the way|out|alone)\b|\bas (?:it|they) stands?\b`, "is"),
	newHabit(`\blacking\b`, ``, "missing, without"),
	newHabit(`\b[Pp]ass(?:es|ed|ing)? (?:by|over)\b`, `\bby (?:mistake|value|reference)\b`, "skip, ignore"),
	newHabit(`\b(?:takes?|taken|took|taking) out\b`, ``, "remove"),
	newHabit(`\bbut for\b`, ``, "except"),
	newHabit(`\bat once\b`, `(?i)\b(?:several|many|much|all|both|twice|calls|commits|events|files|formats|processes|servers|sessions|workers|programs|others|made|add|ask(?:ed|s)?|captured|feeding|pars\w+|read|reading|stored|write)\b(?: \S+){0,3} at once\b`, "immediately"),
	newHabit(`\b(?:an|the) own\b`, ``, "its own …, a … of its own"),
	newHabit(`\b(?:needs?|without|no|gives?|given|has|have|asks? for) leave\b`, ``, "permission"),
	newHabit(`(?:\band|\bor|[,:;]|\bfits) (?:this|it|that) is said\b|\b[Ii]t is said (?:what|why)\b`, ``, "and you are told, and the command says so"),
	newHabit(`\b(?:[Hh]e|[Hh]im|[Hh]is|[Hh]imself)\b`, ``, "they, them, their"),
	newHabit(`\b(?:is|are|was|were) no [a-z]`, `\b[Tt]here (?:is|are|was|were) no\b|\bno (?:longer|more|less|\w+er than)\b`, "is not a …"),
	newHabit(`\b(?:that|what|which) (?:is|are) none\b`, `\bnone of\b`, "that is not one, anything else"),
	newHabit(`\bof no use\b|\bsave for\b|\bwhatever is (?:asked|wrong|said|done|ranked|to be)\b`, ``, "useless; except; whatever the …"),
}

// superlative matches names of limits that do not say what is counted. It holds for constants and
// variables of packages: a variable of a function may well hold the longest of some.
var superlative = regexp.MustCompile(`^(?:[Ll]ongest|[Mm]ost|[Ll]east|[Ss]hortest|[Oo]ldest)(?:[A-Z]|$)`)

// documents match the texts that are visible as a whole.
var documents = regexp.MustCompile(`^(?:README\.md|SECURITY\.md|\.pre-commit-hooks\.yaml|docs/[^/]+\.md|skills/.*\.md)$`)

// data lists files whose string literals are not messages, with the reason.
var data = map[string]string{
	"internal/learning/category.go":    "a table of words",
	"internal/learning/keywords.go":    "stop words",
	"internal/words/function_words.go": "function words",
	"internal/words/tokenize.go":       "stop words",
}

// habitsIn returns the habits in a text that starts at a line of a file, each as a line for developers.
func habitsIn(file string, line int, text string) (found []string) {
	for _, h := range habits {
		for _, m := range h.pattern.FindAllStringIndex(text, -1) {
			if h.except.MatchString(text[max(0, m[0]-30):min(len(text), m[1]+30)]) {
				continue
			}
			around := strings.Join(strings.Fields(text[max(0, m[0]-40):min(len(text), m[1]+40)]), " ")
			found = append(found, fmt.Sprintf("%s:%d: %q → %s", file, line+strings.Count(text[:m[0]], "\n"), around, h.instead))
		}
	}
	return found
}

var commentMarks = regexp.MustCompile(`(?m)^[\t ]*(?://|/\*)[\t ]?`)

// habitsOfSource returns the habits in the comments, the messages and the names of a Go file.
func habitsOfSource(t *testing.T, name string, src []byte) (found []string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, src, parser.ParseComments)
	require.NoError(t, err)
	lineOf := func(n ast.Node) int { return files.Position(n.Pos()).Line }
	for _, group := range file.Comments {
		start, end := files.Position(group.Pos()), files.Position(group.End())
		found = append(found, habitsIn(name, start.Line, commentMarks.ReplaceAllString(string(src[start.Offset:end.Offset]), ""))...)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok != token.CONST && (n.Tok != token.VAR || !slices.Contains(file.Decls, ast.Decl(n))) {
				return true
			}
			for _, spec := range n.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					if superlative.MatchString(id.Name) {
						found = append(found, fmt.Sprintf("%s:%d: %s → maxTitleChars, minWords, maxAge: with the unit", name, lineOf(id), id.Name))
					}
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && strings.Contains(n.Value, " ") && data[name] == "" {
				found = append(found, habitsIn(name, lineOf(n), strings.ReplaceAll(n.Value, `\n`, "  "))...)
			}
		}
		return true
	})
	return found
}

// No document, message or comment has one of the habits, except in tests.
func TestEnglish(t *testing.T) {
	tree := os.DirFS(repotest.Root(t))
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		isGo := path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") && !slices.Contains(forTests, path.Dir(name))
		if d.IsDir() || !isGo && !documents.MatchString(name) {
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		found := habitsIn(name, 1, string(src))
		if isGo {
			found = habitsOfSource(t, name, src)
		}
		for _, line := range found {
			t.Error(line)
		}
		return nil
	}))
}
