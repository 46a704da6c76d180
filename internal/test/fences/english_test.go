package fences_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

var (
	updateEnglish = flag.Bool("update", false, "write the counts to english.tsv; fails if the total would rise")
	listHabits    = flag.String("list-habits", "", "with -v, list the habits in files below `FOLDER`, or everywhere (.)")
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

// To add a habit, which raises counts, delete english.tsv before -update.
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

// Kinds of text, those with the most readers first.
const (
	visible  = "visible"  // documents, manuals, and string literals with a space
	exported = "exported" // doc comments of packages and exported names
	comments = "comments" // all other comments
	inTests  = "tests"    // comments of tests, and of packages for tests
)

// manuals are the package comments that the programs print.
var manuals = []string{"validate/doc.go", "migrate/doc.go", "when/doc.go", "remember/doc.go", "hooks/doc.go"}

// documents match the texts that are visible as a whole.
var documents = regexp.MustCompile(`^(?:README\.md|SECURITY\.md|\.pre-commit-hooks\.yaml|docs/[^/]+\.md|skills/.*\.md)$`)

// data lists files whose string literals are not messages, with the reason.
var data = map[string]string{
	"internal/learning/category.go":   "a table of words",
	"internal/learning/keywords.go":   "stop words",
	"internal/text/function_words.go": "function words",
	"internal/text/tokenize.go":       "stop words",
}

// A place is a kind of text of a folder.
type place struct{ folder, kind string }

// collector gathers habits by place, each as a line for developers.
type collector map[place][]string

func (c collector) add(file, kind string, line int, found, instead string) {
	at := place{path.Dir(file), kind}
	c[at] = append(c[at], fmt.Sprintf("%s:%d: %s → %s", file, line, found, instead))
}

// text looks for habits in a text that starts at a line of a file.
func (c collector) text(file, kind string, line int, text string) {
	for _, h := range habits {
		for _, m := range h.pattern.FindAllStringIndex(text, -1) {
			around := text[max(0, m[0]-30):min(len(text), m[1]+30)]
			if !h.except.MatchString(around) {
				found := strings.Join(strings.Fields(text[max(0, m[0]-40):min(len(text), m[1]+40)]), " ")
				c.add(file, kind, line+strings.Count(text[:m[0]], "\n"), strconv.Quote(found), h.instead)
			}
		}
	}
}

var commentMarks = regexp.MustCompile(`(?m)^[\t ]*(?://|/\*)[\t ]?`)

// source looks for habits in a Go file.
func (c collector) source(t *testing.T, name string, src []byte) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, src, parser.ParseComments)
	require.NoError(t, err)
	ofTests := strings.HasSuffix(name, "_test.go") || slices.Contains(forTests, path.Dir(name))
	kindOf := map[bool]string{true: exported, false: comments} // by whether the name is exported
	if ofTests {
		kindOf = map[bool]string{true: inTests, false: inTests}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok == token.CONST || n.Tok == token.VAR && slices.Contains(file.Decls, ast.Decl(n)) {
				for _, spec := range n.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						if superlative.MatchString(id.Name) {
							c.add(name, kindOf[id.IsExported()], files.Position(id.Pos()).Line, id.Name, "maxTitleChars, minWords, maxAge: with the unit")
						}
					}
				}
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && strings.Contains(n.Value, " ") && !ofTests && data[name] == "" {
				c.text(name, visible, files.Position(n.Pos()).Line, strings.ReplaceAll(n.Value, `\n`, "  "))
			}
		}
		return true
	})
	ast.FileExports(file) // what is left of its declarations is exported; file.Comments are still all
	ofExported := map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if group, ok := n.(*ast.CommentGroup); ok {
			ofExported[group] = true
		}
		return true
	})
	for _, group := range file.Comments {
		kind := kindOf[ofExported[group]]
		if group == file.Doc && slices.Contains(manuals, name) {
			kind = visible
		}
		start, end := files.Position(group.Pos()), files.Position(group.End())
		c.text(name, kind, start.Line, commentMarks.ReplaceAllString(string(src[start.Offset:end.Offset]), ""))
	}
}

// collect looks for habits in the files of a module.
func collect(t *testing.T, root string) collector {
	c, tree := collector{}, os.DirFS(root)
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		isGo := path.Ext(name) == ".go"
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git"):
			return fs.SkipDir
		case d.IsDir() || !isGo && !documents.MatchString(name):
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if isGo {
			c.source(t, name, src)
		} else {
			c.text(name, visible, 1, string(src))
		}
		return nil
	}))
	return c
}

// table lists how many habits each place may still have. Places that it does not list may have none.
const table = "english.tsv"

func readTable(t *testing.T) (allowed map[place]int, total int) {
	src, err := os.ReadFile(table)
	if *updateEnglish && errors.Is(err, fs.ErrNotExist) {
		return nil, math.MaxInt
	}
	require.NoError(t, err)
	allowed = map[place]int{}
	for line := range strings.Lines(string(src)) {
		var at place
		var n int
		_, err := fmt.Sscan(line, &at.folder, &at.kind, &n)
		require.NoError(t, err, line)
		allowed[at] = n
		total += n
	}
	return allowed, total
}

// TestEnglish fails if a folder has more habits of a kind than english.tsv allows. Fewer are fine.
//
//	go test ./internal/fences -run English -v -list-habits=internal/store   lists what is left
//	go test ./internal/fences -run English -update                          after fixing some, or moving a package
func TestEnglish(t *testing.T) {
	found := collect(t, repotest.Root(t))
	allowed, total := readTable(t)
	for name := range data {
		require.FileExists(t, filepath.Join(repotest.Root(t), name))
	}
	places := slices.SortedFunc(maps.Keys(found), func(a, b place) int {
		return cmp.Or(strings.Compare(a.folder, b.folder), strings.Compare(a.kind, b.kind))
	})
	var rows strings.Builder
	left := 0
	for _, at := range places {
		slices.Sort(found[at])
		n, lines := len(found[at]), strings.Join(found[at], "\n")
		left += n
		fmt.Fprintf(&rows, "%s\t%s\t%d\n", at.folder, at.kind, n)
		below := path.Clean(*listHabits)
		if *listHabits != "" && (below == "." || strings.HasPrefix(at.folder+"/", below+"/")) {
			fmt.Printf("%s: %d habits in %s\n%s\n", at.folder, n, at.kind, lines)
		}
		if n > allowed[at] && !*updateEnglish {
			t.Errorf("%s: %d habits in %s, %d allowed:\n%s", at.folder, n, at.kind, allowed[at], lines)
		}
	}
	if *updateEnglish {
		require.LessOrEqual(t, left, total, "english.tsv may only shrink")
		require.NoError(t, os.WriteFile(table, []byte(rows.String()), 0o644))
	}
}
