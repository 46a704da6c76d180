package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/worktree"
	"whence/validate"
)

// defaultRulesFile is the file that most agents without hooks read.
const defaultRulesFile = "AGENTS.md"

// editRulesFunc returns a new version of a rules file.
type editRulesFunc func(*agentFile) (edited, error)

// withRules does what the other flags ask for, and if --agents-md is given, edits a rules file. If it is
// given alone, it does nothing else.
func (o *registerOptions) withRules(cmd *urfave.Context, edit editRulesFunc, rest func() error) error {
	o.rulesName = cmd.Args().First()
	o.agents = cmd.StringSlice("agent")
	switch {
	case cmd.NArg() > 1:
		return cli.Usagef("unexpected argument %q", cmd.Args().Get(1))
	case o.rulesName != "" && !o.rules:
		return cli.Usagef("unexpected argument %q: a rules file is named with --agents-md", o.rulesName)
	case !o.rules:
		return rest()
	}
	if err := o.verify(); err != nil {
		return err
	}
	if _, _, err := o.prepareRules(edit); err != nil {
		return fmt.Errorf("%w; nothing was written", err)
	}
	if len(o.agents) > 0 || o.mcp || o.skills {
		if err := rest(); err != nil {
			return err
		}
	}
	return o.change(func() (*agentFile, edited, error) { return o.prepareRules(edit) })
}

// prepareRules reads the rules file that is named, and edits its text.
func (o *registerOptions) prepareRules(edit editRulesFunc) (*agentFile, edited, error) {
	root, name := project(o.env, o.dir), defaultRulesFile
	if o.rulesName != "" {
		inside := false
		if name, inside = worktree.Name(root, o.env.Path(o.rulesName)); !inside {
			return nil, edited{}, cli.Usagef("%s is not in the project %s: name a file of it", o.rulesName, root)
		}
	}
	f, err := openRules(root, name)
	if err != nil {
		return nil, edited{}, err
	}
	e, err := edit(f)
	e.title = f.path
	return f, e, f.wrap(err)
}

// openRules reads a rules file of a project.
func openRules(root, name string) (*agentFile, error) {
	f := newAgentFile(root, name)
	f.ownFolders = strings.Count(name, "/")
	return &f, f.read()
}

// addRules returns a rules file with our block.
func (o *registerOptions) addRules(f *agentFile) (e edited, err error) {
	outcome := o.done("added")
	if hasBlock(f.src) {
		outcome = o.done("replaced")
	}
	e.after = newRules(f.name)
	if f.exists {
		e.after, err = addBlock(f.src)
	}
	if bytes.Equal(e.after, f.src) {
		outcome = "already there"
	}
	e.lines = append([]string{rulesLine + outcome}, o.rulesNeeds(f.folder)...)
	return e, err
}

const rulesLine = "block that asks agents to query the memory: "

// removeRules returns a rules file without our block.
func (o *registerOptions) removeRules(f *agentFile) (edited, error) {
	after, err := removeBlock(f.src)
	outcome := "not there"
	if hasBlock(f.src) {
		outcome = o.done("removed")
	}
	return edited{after: after, lines: []string{rulesLine + outcome}}, err
}

// rulesNeeds returns a line about each thing that the block needs, and that is missing here.
func (o *registerOptions) rulesNeeds(root string) (lines []string) {
	if _, err := exec.LookPath(agent.ReadingProgram); err != nil {
		lines = append(lines, agent.ReadingProgram+" is not on the PATH here, and the block names it without its folder: add the folder that holds it to the PATH")
	}
	c, _ := projectSettings(o.env, root)
	tree, err := worktree.Open(root)
	if err != nil {
		return lines
	}
	defer tree.Close()
	memory, err := cli.Memory(o.env, tree, c)
	if err != nil {
		return append(lines, err.Error())
	}
	if _, err := validate.Load(memory, c); errors.Is(err, corpus.ErrNoMemory) {
		lines = append(lines, root+" has no memory yet: until it has, agents find nothing")
	}
	return lines
}
