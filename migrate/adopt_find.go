package migrate

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/index"
	"whence/internal/parallel"
	"whence/internal/text"
	"whence/internal/worktree"
)

// adoptSearch looks for decisions among the files of a tree.
type adoptSearch struct {
	tree    fs.FS
	absent  func(names []string) string // returns the command that checks out files which git has left out
	folders []string                    // sorted
	files   map[string][]string         // Markdown files by folder
	named   map[string]string           // folders that settings of another tool name → these settings
	plan    adoptPlan
}

// findAdoptable plans how the files of a repository are used. What the memory has already is not in
// the plan.
func findAdoptable(env cli.Env, tree *worktree.Tree, c config.Config) (adoptPlan, error) {
	names, err := adoptableFiles(env, tree)
	if err != nil {
		return nil, err
	}
	s := adoptSearch{tree: tree.FS(), absent: checkOut(env, tree), files: map[string][]string{}, named: map[string]string{}}
	layout := c.Layout()
	for _, name := range names {
		switch base := path.Base(name); {
		case layout.Holds(name) || layout.Excepts(name):
		case base == ".adr-dir" || base == ".log4brains.yml":
			s.readFolderSettings(name)
		case isInstructions(name):
			s.instructions(name)
		case isMarkdown(name):
			s.files[path.Dir(name)] = append(s.files[path.Dir(name)], name)
		}
	}
	for folder := range s.files {
		s.folders = append(s.folders, folder)
	}
	slices.Sort(s.folders)
	for _, folder := range s.folders {
		if rules := ruleFolderOf(folder); rules != nil {
			s.rules(folder, rules)
		} else {
			s.folder(folder)
		}
	}
	s.plan.sort()
	return s.plan, nil
}

func isMarkdown(name string) bool { return slices.Contains([]string{".md", ".mdc"}, path.Ext(name)) }

// exists reports whether a file that git tracks is in the worktree.
func (s *adoptSearch) exists(name string) bool {
	_, err := fs.Lstat(s.tree, name)
	return !errors.Is(err, fs.ErrNotExist)
}

// isRegular reports whether a file is not a link.
func (s *adoptSearch) isRegular(name string) bool {
	info, err := fs.Lstat(s.tree, name)
	return err == nil && info.Mode().IsRegular()
}

func (s *adoptSearch) add(use, path string, files int, format string, args ...any) {
	s.plan = append(s.plan, adoptRow{use, path, files, fmt.Sprintf(format, args...)})
}

// readFolderSettings reads which folder holds the records: adr-tools has its path in .adr-dir,
// log4brains in keys adrFolder, one for each package.
func (s *adoptSearch) readFolderSettings(name string) {
	src, err := worktree.ReadText(s.tree, name)
	if err != nil {
		return
	}
	folders := []string{string(src)}
	if path.Ext(name) == ".yml" {
		folders = nil
		for _, match := range adrFolder().FindAllStringSubmatch(string(src), -1) {
			folders = append(folders, match[1])
		}
	}
	for _, folder := range folders {
		folder = path.Join(path.Dir(name), strings.Trim(strings.TrimSpace(folder), `"'`))
		if fs.ValidPath(folder) {
			s.named[folder] = name
		}
	}
}

var adrFolder = text.Lazy(`(?m)^[ \t-]*adrFolder:(.*)$`)

// recordFolders are the usual names of folders of records.
var recordFolders = []string{"adr", "adrs", "decisions", "decision-records", "architecture-decisions", "architecture_decisions", "architectural-decisions"}

// folder plans the use of a folder's files.
func (s *adoptSearch) folder(folder string) {
	base := strings.ToLower(path.Base(folder))
	reason := ""
	if by := s.named[folder]; by != "" {
		reason = by + " names the folder"
	} else if slices.Contains(recordFolders, base) {
		reason = "the folder is named " + base
	}
	glob := path.Join(globOf(folder), "*.md")
	layout := corpus.Layout{Documents: []string{glob}}
	var records, absent []string
	var others adoptPlan
	for _, name := range s.files[folder] {
		why := ""
		switch {
		case !s.exists(name):
			absent = append(absent, name)
			continue
		case !isUsable(name):
			why = "its name cannot be that of a decision file: rename it"
		case !s.isRegular(name):
			why = "it is a link"
		case !layout.Holds(name):
			why = "its name is that of a template or an index"
		default:
			records = append(records, name)
			continue
		}
		others = append(others, adoptRow{asTheyAre, globOf(name), 1, why})
	}
	if reason != "" && len(absent) > 0 {
		why := "they are not here"
		if command := s.absent(absent); command != "" {
			why = "git has not checked them out: run " + command
		}
		s.add(asTheyAre, glob, len(absent), "%s", why)
		return
	}
	if reason == "" && len(records) < 2 && !slices.ContainsFunc(records, isDecisionList) {
		return
	}
	shapes := s.shapes(records)
	count := countShapes(shapes)
	switch {
	case reason != "" && len(records) == 0:
	case reason != "" && (count.records*2 >= len(records) || count.lists*2 < len(records)):
		s.add(asDocuments, glob, len(records), "%s", reason)
	case reason != "":
		s.add(asDecisions, glob, len(records), "%s, and its files have several sections each", reason)
	case count.formed >= 2 && count.formed*2 >= len(records):
		s.add(asDocuments, glob, len(records), "%d of them have headings as Context and Decision", count.formed)
	case len(records) >= 2 && count.numbered == len(records):
		s.add(asTheyAre, glob, len(records), "they are numbered, but have no headings as Context and Decision")
		return
	default:
		s.decisionLists(records, shapes)
		return
	}
	s.plan = append(s.plan, others...)
}

// decisionLists plans the use of files whose names say that they hold many decisions.
func (s *adoptSearch) decisionLists(names []string, shapes []shape) {
	for i, name := range names {
		if isDecisionList(name) && shapes[i].sections >= 2 {
			s.add(asDecisions, globOf(name), 1, "%s", cli.Count(shapes[i].sections, "section", "sections"))
		}
	}
}

func isDecisionList(name string) bool {
	base := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(path.Base(name)))
	return slices.Contains([]string{"decisions.md", "decisionlog.md", "adr.md", "adrs.md", "architecturedecisions.md"}, base)
}

// isUsable reports whether a file may be named in the index.
func isUsable(name string) bool {
	return utf8.ValidString(name) && index.IsSectionPath(name) && !strings.ContainsFunc(name, text.IsUnseen)
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

// shape describes a file.
type shape struct {
	numbered bool // its name begins with a number or a date
	formed   bool // it has headings of a record
	sections int  // H2
}

// minRecordHeadings is the number of different headings that make a file a record: one alone, such as
// Status, is in many files.
const minRecordHeadings = 2

// recordHeadings are the headings of the usual forms of records.
var recordHeadings = []string{
	"status", "context", "context and problem statement", "decision", "decision outcome", "decision drivers", "considered options",
	"consequences", "pros and cons of the options",
}

// shapes looks at files. One that cannot be read has none; that is reported when it is read for use.
func (s *adoptSearch) shapes(names []string) []shape {
	shapes := make([]shape, len(names))
	parallel.For(len(names), func(i int) {
		src, _ := worktree.ReadText(s.tree, names[i])
		shapes[i] = shapeOf(names[i], src)
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
		if key := strings.ToLower(strings.Trim(title, "# *:\t\r")); slices.Contains(recordHeadings, key) {
			found[key] = true
		}
	}
	return shape{numberedName().MatchString(path.Base(name)), len(found) >= minRecordHeadings, sections}
}

var numberedName = text.Lazy(`(?i)^(adr[-_ ]?)?(\d{3,}|\d{4}[-_.]?\d{2}[-_.]?\d{2})[-_. ]`)

// shapeCount counts files by shape.
type shapeCount struct {
	numbered, formed int
	records          int // numbered or formed
	lists            int // neither, and with several sections
}

func countShapes(shapes []shape) (n shapeCount) {
	for _, s := range shapes {
		if s.numbered {
			n.numbered++
		}
		if s.formed {
			n.formed++
		}
		if s.numbered || s.formed {
			n.records++
		} else if s.sections >= 2 {
			n.lists++
		}
	}
	return n
}
