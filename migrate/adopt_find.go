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
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/worktree"
)

// foreign lists the names of folders that hold files of others or test data.
var foreign = []string{
	"node_modules", "vendor", "third_party", "site-packages", "testdata", "fixtures", "__fixtures__", ".memory", "templates", "output-styles",
}

// isInstructions reports whether agents load a file in every session.
func isInstructions(name string) bool {
	return name == ".github/copilot-instructions.md" || memory.IsInstructions(name) ||
		slices.Contains([]string{".cursorrules", ".windsurfrules"}, path.Base(name))
}

// adoptableFiles lists the Markdown files of a repository that git does not ignore, or with ignored, all of them.
// Hidden files are listed only if git tracks them: others cannot be memory.
func adoptableFiles(env cli.Env, tree *worktree.Tree, ignored bool) ([]string, error) {
	r, err := repo.Open(tree.Dir, env.Dir, env.Getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		return nil, fmt.Errorf("%s is in no git repository: run this in one, name one with --repo, or run \"git init\" first", tree.Dir)
	}
	if err != nil {
		return nil, err
	}
	tracked, err := r.Files(context.Background(), tree.Dir, nil, ignored)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(tracked)), func(name string) bool {
		isForeign := slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(folder string) bool { return slices.Contains(foreign, folder) })
		isHidden := !tracked[name] && strings.Contains("/"+name, "/.")
		return isForeign || !isInstructions(name) && (isHidden || !strings.HasSuffix(name, ".md") && !strings.HasSuffix(name, ".mdc"))
	}), err
}

// candidate is a Markdown file that may hold decisions.
type candidate struct {
	name          string
	why           string // why it cannot be used; "" if it can
	isNumbered    bool   // its name begins with a number or a date
	isRecord      bool   // it has headings of a record
	isLog         bool   // it has sections with headings of a record
	sections      int    // number of H2, or if there are none, of H3
	isConditional bool   // it is a rule that its agent loads only at times
	titles        titles // its name, H1 and H2, if a lost section has that title
}

// findAdoptable plans how the files of a repository that are not in the memory are used, and lists the records that git
// has not checked out.
func findAdoptable(env cli.Env, tree *worktree.Tree, c config.Config) (plan adoptPlan, absent []string, err error) {
	names, err := adoptableFiles(env, tree, false)
	if err != nil {
		return nil, nil, err
	}
	layout := c.Layout()
	var found []candidate
	for _, name := range names {
		if layout.Holds(name) || layout.Excepts(name) {
			continue
		}
		info, err := fs.Lstat(tree.FS(), name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // git tracks it, but has not checked it out
			if isNamedRecord(name) {
				absent = append(absent, name)
			}
		case !isInstructions(name):
			found = append(found, candidate{name: name})
		case err == nil && info.Mode().IsRegular():
			plan = append(plan, adoptRow{asTheyAre, globOf(name), []string{name}, "agents load it in every session"})
		}
	}
	lost, err := findLost(env, tree, c)
	if err != nil {
		return nil, nil, err
	}
	iter.ForEach(found, func(f *candidate) { f.inspect(tree.FS(), lost) })
	folders := map[string][]candidate{}
	for _, f := range found {
		folders[path.Dir(f.name)] = append(folders[path.Dir(f.name)], f)
	}
	plan = append(plan, planRecordFolders(folders)...)
	for folder, files := range folders {
		if rules := ruleFolderOf(folder); rules != nil {
			plan = append(plan, planRules(folder, rules, files)...)
		} else {
			plan = append(plan, planFolder(folder, files, lost)...)
		}
	}
	return plan.with(nil), absent, nil
}

// planRecordFolders plans the use of folders that are one record each, in a README, and deletes them from folders.
func planRecordFolders(folders map[string][]candidate) (plan adoptPlan) {
	byParent := map[string][]string{}
	for folder, files := range folders {
		isReadme := len(files) == 1 && files[0].why == "" && files[0].name != decision.RecordPath(files[0].name)
		if isReadme && isRecordFolder(path.Dir(folder)) {
			byParent[path.Dir(folder)] = append(byParent[path.Dir(folder)], files[0].name)
			delete(folders, folder)
		}
	}
	for parent, names := range byParent {
		slices.Sort(names)
		glob := path.Join(globOf(parent), "*", path.Base(names[0]))
		plan = append(plan, adoptRow{asDocuments, glob, names, "each is the README of a folder in " + path.Base(parent)})
	}
	return plan
}

// ignoredRecords lists the records that git ignores, in a repository without a memory.
func ignoredRecords(env cli.Env, tree *worktree.Tree, c config.Config) ([]string, error) {
	names, err := adoptableFiles(env, tree, false)
	if err != nil || slices.ContainsFunc(names, c.Layout().Holds) {
		return nil, err
	}
	all, err := adoptableFiles(env, tree, true)
	return slices.DeleteFunc(all, func(name string) bool {
		_, known := slices.BinarySearch(names, name)
		return known || !isNamedRecord(name) || c.Layout().Holds(name)
	}), err
}

var numberedName = lazyregexp.New(`(?i)^(adr[-_ ]?)?(\d{3,}|\d{4}[-_.]?\d{2}[-_.]?\d{2})[-_. ]`)

// minRecordHeadings is the number of different headings that make a file a record: a single one, such as Status, is in
// many files.
const minRecordHeadings = 2

// inspect reads the file and fills in the other fields.
func (f *candidate) inspect(tree fs.FS, lost lostSections) {
	if !utf8.ValidString(f.name) || !index.IsSectionPath(f.name) || strings.ContainsFunc(f.name, inert.IsUnseen) {
		f.why = "its name cannot be that of a decision file: rename it"
		return
	}
	if info, err := fs.Lstat(tree, f.name); err != nil || !info.Mode().IsRegular() {
		f.why = "it is a link"
		return
	}
	src, err := worktree.ReadText(tree, f.name)
	if err != nil {
		f.why = err.Error()
		return
	}
	if len(bytes.TrimSpace(src)) == 0 {
		f.why = "it is empty"
		return
	}
	f.titles.add(lost, decision.Key(decision.NameInWords(f.name)))
	f.titles.add(lost, decision.Key(strings.TrimSuffix(path.Base(f.name), path.Ext(f.name))))
	titles, repeated, thirdLevel := map[string]bool{}, false, 0
	lines := bufio.NewScanner(bytes.NewReader(src))
	lines.Buffer(nil, worktree.MaxTextBytes)
	for lines.Scan() {
		title, isSection := strings.CutPrefix(lines.Text(), "## ")
		if isSection {
			f.sections++
		}
		if strings.HasPrefix(lines.Text(), "### ") {
			thirdLevel++
		}
		h1, isTitle := strings.CutPrefix(title, "# ")
		if isTitle || isSection {
			f.titles.add(lost, decision.Key(h1))
		}
		if key := strings.ToLower(strings.Trim(title, "# *:\t\r")); decision.IsRecordTitle(key) {
			repeated = repeated || titles[key]
			titles[key] = true
		}
	}
	if f.sections == 0 {
		f.sections = thirdLevel
	}
	f.isLog = repeated && decision.IsLog(src)
	f.isNumbered, f.isRecord = numberedName().MatchString(path.Base(f.name)), len(titles) >= minRecordHeadings
	if rules := ruleFolderOf(path.Dir(f.name)); rules != nil {
		f.isConditional = rules.isConditional(decision.FrontMatter(src))
	}
}

// globOf returns a glob that matches only a path, except that each unprintable or invalid character matches any.
func globOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if inert.IsUnseen(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, name)
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `[`, `\[`, `{`, `\{`).Replace(name)
}

// isRecordFolder reports whether a folder has a usual name for folders of records.
func isRecordFolder(folder string) bool {
	return slices.Contains([]string{
		"adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture_decisions", "architectural-decisions",
	}, strings.ToLower(path.Base(folder)))
}

// isNamedRecord reports whether a file has the name of a list of decisions, or is in a folder of records.
func isNamedRecord(name string) bool {
	return isRecordFolder(path.Dir(name)) || decision.IsLogName(name)
}

// asList returns the row for a file that is a list of decisions.
func (f *candidate) asList() adoptRow {
	return adoptRow{asDecisions, globOf(f.name), []string{f.name}, cli.Count(f.sections, "section", "sections")}
}

// planFolder plans the use of a folder's files.
func planFolder(folder string, files []candidate, lost lostSections) (plan adoptPlan) {
	glob := path.Join(globOf(folder), "*.md")
	layout := memory.Layout{Documents: []string{glob}}
	var records []candidate
	var names []string // of the records
	var left adoptPlan
	for _, f := range files {
		if f.why == "" && !layout.Holds(f.name) && f.isLog {
			left = append(left, f.asList())
			continue
		}
		if f.why == "" && !layout.Holds(f.name) {
			f.why = "its name is that of a template or an index"
		}
		if f.why == "" {
			records, names = append(records, f), append(names, f.name)
		} else {
			left = append(left, adoptRow{asTheyAre, globOf(f.name), []string{f.name}, f.why})
		}
	}
	count := func(is func(f candidate) bool) (n int) {
		for _, f := range records {
			if is(f) {
				n++
			}
		}
		return n
	}
	n := len(records)
	numbered := count(func(f candidate) bool { return f.isNumbered })
	formed := count(func(f candidate) bool { return f.isRecord })
	lists := count(func(f candidate) bool { return !f.isNumbered && !f.isRecord && f.sections >= 2 })
	named := "the folder is named " + strings.ToLower(path.Base(folder))
	isFolder := isRecordFolder(folder)
	if from := lost.folderOf(records); from != "" && !isFolder {
		named, isFolder = "its files have the titles of the entries in "+from, true
	}
	switch {
	case isFolder && n == 0:
		return left
	case isFolder && lists*2 < n:
		return append(left, adoptRow{asDocuments, glob, names, named})
	case isFolder:
		return append(left, adoptRow{asDecisions, glob, names, named + ", and its files have several sections each"})
	case formed >= 1 && formed*2 >= n && (formed >= 2 || numbered == n):
		have := "%d of them have headings such as Context and Decision"
		if formed == 1 {
			have = "%d of them has headings such as Context and Decision"
		}
		return append(left, adoptRow{asDocuments, glob, names, fmt.Sprintf(have, formed)})
	case n >= 2 && numbered == n:
		return adoptPlan{{asTheyAre, glob, names, "they are numbered, but have no headings such as Context and Decision"}}
	}
	for _, f := range records {
		if from := lost.fileOf(f); from != "" {
			plan = append(plan, adoptRow{asDecisions, globOf(f.name), []string{f.name}, "it has the headings of the entries in " + from})
		} else if f.isLog || decision.IsLogName(f.name) && f.sections >= 2 {
			plan = append(plan, f.asList())
		}
	}
	return plan
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

// planRules plans the use of a folder of rules: those that the agent always loads are left to it, the others are
// documents. If some are left to the agent, the documents are named one by one.
func planRules(folder string, kind *ruleFolder, files []candidate) (plan adoptPlan) {
	byExtension := map[string][]string{}
	for _, f := range files {
		if f.why == "" && !f.isConditional {
			f.why = kind.agent + " loads it in every session"
		}
		if f.why != "" {
			plan = append(plan, adoptRow{asTheyAre, globOf(f.name), []string{f.name}, f.why})
			continue
		}
		ext := path.Ext(f.name)
		byExtension[ext] = append(byExtension[ext], f.name)
	}
	why, areAll := "only "+kind.agent+" loads them, and not in every session", len(plan) == 0
	for ext, names := range byExtension {
		if areAll {
			plan = append(plan, adoptRow{asDocuments, path.Join(globOf(folder), "*"+ext), names, why})
			continue
		}
		for _, name := range names {
			plan = append(plan, adoptRow{asDocuments, globOf(name), []string{name}, why})
		}
	}
	return plan
}
