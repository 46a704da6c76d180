package migrate

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sourcegraph/conc/iter"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/repo"
	"whence/internal/text"
	"whence/internal/worktree"
)

// Bounds of what is looked at.
const (
	maxAdoptFiles = 100_000 // as many as a glob may visit
	maxAdoptDepth = 16      // folders; the deepest of the known conventions needs 5 below a package
)

// foreign are folders with files of others, or with material of tests.
var foreign = []string{"node_modules", "vendor", "third_party", "site-packages", "testdata", "fixtures", "__fixtures__", ".memory"}

func isForeign(name string) bool {
	folders := strings.Split(path.Dir(name), "/")
	return len(folders) > maxAdoptDepth || slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(foreign, folder) })
}

func isMarkdown(name string) bool { return slices.Contains([]string{".md", ".mdc"}, path.Ext(name)) }

// isInstructions reports whether agents load a file in every session.
func isInstructions(name string) bool {
	return name == ".github/copilot-instructions.md" ||
		slices.Contains([]string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules", ".windsurfrules"}, path.Base(name))
}

// adoptableFiles lists the Markdown of a tree: in a repository what git does not ignore. A hidden file is
// among it if git tracks it, since else it cannot be memory.
func adoptableFiles(env cli.Env, tree *worktree.Tree) ([]string, error) {
	tracked := map[string]bool{}
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if err == nil {
		tracked, err = r.Files(context.Background(), tree.Dir, nil, false)
	}
	names := slices.Sorted(maps.Keys(tracked))
	if errors.Is(err, repo.ErrNoRepository) {
		names, err = filesOnDisk(tree.FS())
	}
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		isHidden := !tracked[name] && strings.Contains("/"+name, "/.")
		return isForeign(name) || !isInstructions(name) && (isHidden || !isMarkdown(name))
	})
	return names[:min(len(names), maxAdoptFiles)], nil
}

func filesOnDisk(tree fs.FS) (names []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case len(names) == maxAdoptFiles:
			return fs.SkipAll
		case err != nil || entry.IsDir() && isForeign(name+"/x"):
			return fs.SkipDir
		case entry.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// adoptSearch looks for decisions among the files of a tree.
type adoptSearch struct {
	tree  fs.FS
	files map[string][]string // Markdown files by folder
	plan  adoptPlan
}

// findAdoptable plans how the files of a repository are used. What the memory has already is not in
// the plan.
func findAdoptable(env cli.Env, tree *worktree.Tree, c config.Config) (adoptPlan, error) {
	names, err := adoptableFiles(env, tree)
	if err != nil {
		return nil, err
	}
	s := adoptSearch{tree: tree.FS(), files: map[string][]string{}}
	layout := c.Layout()
	for _, name := range names {
		info, err := fs.Lstat(s.tree, name)
		isMissing := errors.Is(err, fs.ErrNotExist) // git tracks it
		switch {
		case isMissing || layout.Holds(name) || layout.Excepts(name):
		case !isInstructions(name):
			s.files[path.Dir(name)] = append(s.files[path.Dir(name)], name)
		case err == nil && info.Mode().IsRegular():
			s.add(asTheyAre, globOf(name), 1, "agents load it in every session")
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(s.files)) {
		if rules := ruleFolderOf(folder); rules != nil {
			s.rules(folder, rules)
		} else {
			s.folder(folder)
		}
	}
	s.plan.sort()
	return s.plan, nil
}

func (s *adoptSearch) add(use, path string, files int, format string, args ...any) {
	s.plan = append(s.plan, adoptRow{use, path, files, fmt.Sprintf(format, args...)})
}

// whyNot returns why a file cannot be memory, whatever it holds, or "".
func (s *adoptSearch) whyNot(name string) string {
	if !utf8.ValidString(name) || !index.IsSectionPath(name) || strings.ContainsFunc(name, text.IsUnseen) {
		return "its name cannot be that of a decision file: rename it"
	}
	if info, err := fs.Lstat(s.tree, name); err != nil || !info.Mode().IsRegular() {
		return "it is a link"
	}
	return ""
}

// globOf returns a glob that matches a path, and nothing else unless it has unprintable characters, or is not UTF-8.
func globOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if text.IsUnseen(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, name)
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `[`, `\[`, `{`, `\{`).Replace(name)
}

// recordFolders are the usual names of folders of records.
var recordFolders = []string{"adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture_decisions", "architectural-decisions"}

// folder plans the use of a folder's files.
func (s *adoptSearch) folder(folder string) {
	glob := path.Join(globOf(folder), "*.md")
	layout := corpus.Layout{Documents: []string{glob}}
	var records []string
	var others adoptPlan
	for _, name := range s.files[folder] {
		why := s.whyNot(name)
		if why == "" && !layout.Holds(name) {
			why = "its name is that of a template or an index"
		}
		if why == "" {
			records = append(records, name)
		} else {
			others = append(others, adoptRow{asTheyAre, globOf(name), 1, why})
		}
	}
	base := strings.ToLower(path.Base(folder))
	isNamed := slices.Contains(recordFolders, base)
	if !isNamed && len(records) < 2 && !slices.ContainsFunc(records, isDecisionList) {
		return
	}
	shapes := s.shapes(records)
	numbered, formed, either, lists := 0, 0, 0, 0
	for _, s := range shapes {
		numbered += count(s.numbered)
		formed += count(s.formed)
		either += count(s.numbered || s.formed)
		lists += count(!s.numbered && !s.formed && s.sections >= 2)
	}
	switch {
	case isNamed && len(records) == 0:
	case isNamed && (either*2 >= len(records) || lists*2 < len(records)):
		s.add(asDocuments, glob, len(records), "the folder is named %s", base)
	case isNamed:
		s.add(asDecisions, glob, len(records), "the folder is named %s, and its files have several sections each", base)
	case formed >= 2 && formed*2 >= len(records):
		s.add(asDocuments, glob, len(records), "%d of them have headings as Context and Decision", formed)
	case len(records) >= 2 && numbered == len(records):
		s.add(asTheyAre, glob, len(records), "they are numbered, but have no headings as Context and Decision")
		return
	default:
		for i, name := range records {
			if isDecisionList(name) && shapes[i].sections >= 2 {
				s.add(asDecisions, globOf(name), 1, "%s", cli.Count(shapes[i].sections, "section", "sections"))
			}
		}
		return
	}
	s.plan = append(s.plan, others...)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// isDecisionList reports whether a file has a name that says that it holds many decisions.
func isDecisionList(name string) bool {
	base := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(path.Base(name)))
	return slices.Contains([]string{"decisions.md", "decisionlog.md", "adr.md", "adrs.md", "architecturedecisions.md"}, base)
}

// shape describes a file.
type shape struct {
	numbered bool // its name begins with a number or a date
	formed   bool // it has headings of a record
	sections int  // H2
}

// minRecordHeadings is the number of different headings that make a file a record: one alone, such as
// Status, is in many files.
const minRecordHeadings = 2

var numberedName = text.Lazy(`(?i)^(adr[-_ ]?)?(\d{3,}|\d{4}[-_.]?\d{2}[-_.]?\d{2})[-_. ]`)

// shapes looks at files. One that cannot be read has none; that is reported when it is read for use.
func (s *adoptSearch) shapes(names []string) []shape {
	shapes := make([]shape, len(names))
	iter.ForEachIdx(names, func(i int, name *string) {
		src, _ := worktree.ReadText(s.tree, *name)
		shapes[i] = shapeOf(*name, src)
	})
	return shapes
}

func shapeOf(name string, src []byte) shape {
	found := map[string]bool{}
	sections := 0
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, worktree.MaxTextBytes)
	for lines.Scan() {
		title, marked := strings.CutPrefix(lines.Text(), "## ")
		if marked {
			sections++
		}
		if key := strings.ToLower(strings.Trim(title, "# *:\t\r")); decision.IsRecordTitle(key) {
			found[key] = true
		}
	}
	return shape{numberedName().MatchString(path.Base(name)), len(found) >= minRecordHeadings, sections}
}

// ruleFolder is a folder of rules for one agent.
type ruleFolder struct {
	path, agent string
	// isConditional reports whether the agent loads a rule with this front matter only at times.
	isConditional func(front map[string]string) bool
}

var ruleFolders = []ruleFolder{
	{".claude/rules", "Claude Code", func(front map[string]string) bool { return selects(front["paths"]) }},
	{".cursor/rules", "Cursor", func(front map[string]string) bool {
		return front["alwaysapply"] != "true" && (front["globs"] == "" || selects(front["globs"]))
	}},
	{".windsurf/rules", "Windsurf", func(front map[string]string) bool {
		trigger := front["trigger"]
		return trigger == "model_decision" || trigger == "manual" || trigger == "glob" && selects(front["globs"])
	}},
	{".github/instructions", "Copilot", func(front map[string]string) bool {
		return front["applyto"] == "" || selects(front["applyto"])
	}},
}

// selects reports whether the globs of a rule match some files, and not all.
func selects(globs string) bool {
	return globs != "" && !slices.Contains([]string{"*", "**", "**/*"}, globs)
}

// ruleFolderOf returns the kind of rules in a folder, or nil.
func ruleFolderOf(folder string) *ruleFolder {
	for i, r := range ruleFolders {
		if strings.Contains("/"+folder+"/", "/"+r.path+"/") {
			return &ruleFolders[i]
		}
	}
	return nil
}

// rules plans the use of a folder of rules: those that the agent loads always are left to it, the
// others are documents.
func (s *adoptSearch) rules(folder string, kind *ruleFolder) {
	globs := map[string]int{}
	for _, name := range s.files[folder] {
		if why := s.whyNot(name); why != "" {
			s.add(asTheyAre, globOf(name), 1, "%s", why)
			continue
		}
		src, _ := worktree.ReadText(s.tree, name)
		if kind.isConditional(decision.FrontMatter(src)) {
			globs[path.Join(globOf(folder), "*"+path.Ext(name))]++
		} else {
			s.add(asTheyAre, globOf(name), 1, "%s loads it in every session", kind.agent)
		}
	}
	for glob, n := range globs {
		s.add(asDocuments, glob, n, "only %s loads them, and only at times", kind.agent)
	}
}
