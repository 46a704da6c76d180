package validate

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
)

// Load reads the memory of a tree. It returns [memory.ErrNoMemory] if there is none, and another
// error if a setting or a file cannot be used.
func Load(tree fs.FS, c config.Config) (*memory.Memory, error) { return load(opening(tree, c), c) }

// load is Load for a memory that open opens.
func load(open func() (*memory.Memory, error), c config.Config) (*memory.Memory, error) {
	m, err := begin(open, c)
	if err != nil {
		return nil, err
	}
	if m.IndexMissing && len(m.Files) == 0 {
		if missing := append(slices.Clone(m.Problems), refusals(m)...); len(missing) > 0 {
			return nil, missing[0]
		}
		return nil, fmt.Errorf("%w: neither %s nor a file that matches %s is here; to begin one, run \"%s\"; for a memory elsewhere, use --repo",
			memory.ErrNoMemory, c.Typed.Path(c.Index), strings.Join(c.Decisions, " or "), c.Typed.Command("memory-remember decide 'TITLE' --text 'WHAT, AND WHY'"))
	}
	return m, nil
}

// Begin is Load for a tree that need not have a memory yet.
func Begin(tree fs.FS, c config.Config) (*memory.Memory, error) { return begin(opening(tree, c), c) }

func opening(tree fs.FS, c config.Config) func() (*memory.Memory, error) {
	return func() (*memory.Memory, error) { return memory.Open(tree, c.Layout()) }
}

func begin(open func() (*memory.Memory, error), c config.Config) (*memory.Memory, error) {
	optIn := ruleNames(func(r rule) bool { return r.optIn })
	for _, name := range c.Enable {
		if !slices.Contains(optIn, name) {
			return nil, &config.Error{Message: fmt.Sprintf("validate.enable: %s is not a rule that is off by default: those are %s", inert.Quoted(name), strings.Join(optIn, ", "))}
		}
	}
	return open()
}

// Check returns the findings of all rules, except those named, sorted.
func Check(m *memory.Memory, c config.Config, except ...string) []finding.Finding {
	return newAudit(m, c).findings(except...)
}

// findings runs all rules, except those named, in parallel.
func (a *audit) findings(except ...string) []finding.Finding {
	a.joined = a.joinedParagraphs()
	found := make([][]finding.Finding, len(rules))
	var running conc.WaitGroup
	for i, r := range rules {
		if isOn := !r.optIn || slices.Contains(a.config.Enable, r.name); isOn && !slices.Contains(except, r.name) {
			running.Go(func() { found[i] = a.run(r.name, r.run) })
		}
	}
	running.Wait()
	all := a.withoutJoined(a.withoutNoise(slices.Concat(found...)))
	finding.Sort(all)
	return all
}

// run returns the findings of a rule.
func (a *audit) run(name string, run runFunc) (found []finding.Finding) {
	run(a, func(f finding.Finding) {
		f.Rule = name
		found = append(found, f)
	})
	return found
}
