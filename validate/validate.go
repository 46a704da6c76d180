package validate

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/text"
)

// Run checks the memory of a tree and returns the findings, sorted. An error means that
// the memory could not be read, or that a setting is wrong.
func Run(tree fs.FS, c config.Config) ([]finding.Finding, error) {
	m, err := Load(tree, c)
	if err != nil {
		return nil, err
	}
	return Check(m, c), nil
}

// Load reads the memory of a tree. It returns [corpus.ErrNoMemory] if there is none, and another
// error if a setting or a file cannot be used.
func Load(tree fs.FS, c config.Config) (*corpus.Corpus, error) {
	optIn := ruleNames(func(r rule) bool { return r.optIn })
	for _, name := range c.Enable {
		if !slices.Contains(optIn, name) {
			return nil, &config.Error{Message: fmt.Sprintf("validate.enable: %s is not a rule that is off by default: those are %s", text.Quoted(name), strings.Join(optIn, ", "))}
		}
	}
	m, err := corpus.Load(tree, c.Layout())
	if err != nil {
		return nil, err
	}
	if r, refused := corpus.WhyNot(tree, c.Index); refused {
		return nil, fmt.Errorf("memory index %w", r.For(c.Typed))
	}
	if refusing, is := tree.(*corpus.Memory); is && m.IndexMissing && len(m.Decisions) == 0 {
		for _, r := range refusing.Refusals() {
			return nil, r.For(c.Typed)
		}
	}
	if m.IndexMissing && len(m.Decisions) == 0 {
		return nil, fmt.Errorf("%w: neither %s nor a file that matches %s is here; to begin one, write a decision below a heading (## or deeper) in such a file, then run \"%s\"; for a memory elsewhere, use --repo",
			corpus.ErrNoMemory, c.Typed.Path(c.Index), strings.Join(c.Decisions, " or "), c.Typed.Command("memory-remember entry draft --write"))
	}
	return m, nil
}

// Check checks a memory that has been read, and returns the findings of all rules except for some, sorted.
func Check(m *corpus.Corpus, c config.Config, except ...string) []finding.Finding {
	return newCheck(m, c).findings(except...)
}

// findings runs the rules, except for some, in parallel.
func (k *check) findings(except ...string) []finding.Finding {
	found := make([][]finding.Finding, len(rules))
	var running conc.WaitGroup
	for i, r := range rules {
		if isOn := !r.optIn || slices.Contains(k.config.Enable, r.name); isOn && !slices.Contains(except, r.name) {
			running.Go(func() { found[i] = k.run(r.name, r.run) })
		}
	}
	running.Wait()
	all := k.withoutNoise(slices.Concat(found...))
	finding.Sort(all)
	return all
}

// run returns the findings of a rule.
func (k *check) run(name string, run runFunc) (found []finding.Finding) {
	run(k, func(f finding.Finding) {
		f.Rule = name
		found = append(found, f)
	})
	return found
}
