package hooks

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/worktree"
	"whence/validate"
)

// checkMemory reports a memory index that is not true.
func (d *doctor) checkMemory(tree *worktree.Tree, c config.Config) {
	root := tree.Dir
	memory, err := cli.Memory(d.env, tree, c)
	if err != nil {
		d.found("memory", "git -C "+cli.Word(root)+" status   # until it works", "%v", err)
		return
	}
	refusals := memory.Refusals()
	for _, r := range refusals {
		d.found("memory", r.Remedy(), "%s %s", filepath.Join(root, filepath.FromSlash(r.Path)), r.Why())
	}
	m, err := validate.Load(memory, c)
	if errors.Is(err, validate.ErrNoMemory) && len(refusals) > 0 {
		return
	}
	if errors.Is(err, validate.ErrNoMemory) {
		d.note("memory", "%s has no memory: no decisions are recalled, learnings are", root)
		return
	}
	if err != nil {
		d.found("memory", "memory-validate --repo "+cli.Word(root), "%v", err)
		return
	}
	entries := 0
	for _, line := range m.Index.Lines {
		if line.Kind != index.EntryLine {
			continue
		}
		if entries++; entries == 1 {
			d.prompt = fmt.Sprintf("%s: %s, %s", line.Entry.Trigger.Text, line.Entry.Title.Text, line.Entry.Description.Text)
		}
	}
	found, err := validate.CheckFixes(m, c)
	if err != nil {
		d.found("memory", "memory-validate --repo "+cli.Word(root), "%v", err)
		return
	}
	found = slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Rule == "not-memory" }) // its refusals
	if len(found) > 0 {
		first := found[0]
		d.found("memory", remedyFor(root, found), "%s, the first in %s:%d: %s [%s]", cli.Count(len(found), "finding", "findings"), filepath.Join(root, filepath.FromSlash(first.Path)), first.Line, first.Message, first.Rule)
	} else {
		d.ok("memory", "%s: %s in %s of decisions, all true", c.Index, cli.Count(entries, "entry", "entries"), cli.Count(len(m.Decisions), "file", "files"))
	}
	switch n := validate.CountSituations(m, c); {
	case n.AreFew():
		d.note("situations", "%s: %s", n, validate.SituationsRemedy)
	case n.All > 0:
		d.ok("situations", "%s", n)
	}
}

// remedyFor returns the command that fixes findings of the memory in a folder.
func remedyFor(root string, found []finding.Finding) string {
	flags := validate.FixFlags(found)
	if flags == "" {
		return "memory-validate --repo " + cli.Word(root) + " shows them; edit the files that it names"
	}
	return "memory-validate " + flags + " --repo " + cli.Word(root)
}
