package hooks

import (
	"errors"
	"fmt"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/worktree"
	"whence/validate"
)

// checkMemory reports a memory index that is not true.
func (d *doctor) checkMemory(tree *worktree.Tree, c config.Config) {
	root := tree.Dir
	m, err := validate.Load(tree.FS(), c)
	if errors.Is(err, validate.ErrNoMemory) {
		d.note("memory", "%s has no memory: no decisions are recalled, learnings are", root)
		return
	}
	if err != nil {
		d.found("memory", "memory-validate --repo "+quoteProgram("", "", root), "%v", err)
		return
	}
	entries := 0
	for _, line := range m.Index.Lines {
		if line.Kind == index.EntryLine {
			entries++
		}
	}
	found := validate.Check(m, c)
	if len(found) > 0 {
		d.found("memory", "memory-validate --fix --repo "+quoteProgram("", "", root), "%s: %d findings, the first in line %d: %s [%s]", c.Index, len(found), found[0].Line, found[0].Message, found[0].Rule)
	} else {
		d.ok("memory", "%s: %d entries in %d files of decisions, all true", c.Index, entries, len(m.Decisions))
	}
	for _, line := range m.Index.Lines {
		if line.Kind == index.EntryLine {
			d.prompt = fmt.Sprintf("%s: %s, %s", line.Entry.Trigger.Text, line.Entry.Title.Text, line.Entry.Description.Text)
			return
		}
	}
}
