package hooks

import (
	"bytes"
	"errors"
	"os/exec"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/text"
	"whence/internal/worktree"
	"whence/validate"
)

// rulesFile is the file of a project that agents without hooks read.
const rulesFile = "AGENTS.md"

// The block that install --agents-md adds to that file is between two lines by which every version finds
// it again: a line that begins with blockBegin, and blockEnd.
const (
	blockBegin = "<!-- whence:begin"
	blockEnd   = "<!-- whence:end -->"

	rulesBlock = blockBegin + ` (written by memory-hooks install --agents-md; edits in this block are lost) -->
## Decisions of this project

Earlier decisions are in a memory that you query. Before you change code, before a command that deploys,
deletes or migrates, and after anything fails, run this with what you are about to do, or with the error:

    memory-when recall 'rename a column of a large table'

It prints nothing, or lines such as ` + "`- /when <trigger>  (<title>)`" + `. Read each decision that may apply, and
follow it: run ` + "`memory-when '<trigger>'`, or call the MCP tool `when`" + ` with the trigger.
` + blockEnd
)

// withRules runs the rest of a command, or with --agents-md only edits the rules file.
func (o *registerOptions) withRules(cmd *urfave.Context, edit func(*agentFile) (edited, error), rest func() error) error {
	o.agents = cmd.StringSlice("agent")
	if !o.rules {
		return rest()
	}
	if len(o.agents) > 0 || o.mcp || o.skills {
		return cli.Usagef("--agents-md is for agents without hooks: leave out --agent, --mcp and --skills, or run them on their own")
	}
	return o.change(func() (*agentFile, edited, error) {
		f, err := openRules(project(o.env, o.dir))
		if err != nil {
			return nil, edited{}, err
		}
		e, err := edit(f)
		e.title = f.path
		return f, e, f.wrap(err)
	})
}

// openRules reads the rules file of a project.
func openRules(root string) (*agentFile, error) {
	f := newAgentFile(root, rulesFile)
	return &f, f.read()
}

const rulesLine = "block that asks agents to query the memory: "

// addRules returns the rules file with the block.
func (o *registerOptions) addRules(f *agentFile) (e edited, err error) {
	outcome := o.done("added")
	if hasBlock(f.src) {
		outcome = o.done("replaced")
	}
	e.after = []byte(rulesBlock + "\n") // of which removeBlock leaves nothing
	if f.exists {
		e.after, err = addBlock(f.src)
	}
	if bytes.Equal(e.after, f.src) {
		outcome = "already there"
	}
	e.lines = append([]string{rulesLine + outcome}, o.rulesNeeds(f.folder)...)
	return e, err
}

// removeRules returns the rules file without the block.
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
	tree, err := worktree.Open(root)
	if err != nil {
		return lines
	}
	defer tree.Close()
	c, _ := config.Load(tree, o.env.Getenv) // whose error doctor reports
	memory, err := cli.Memory(o.env, tree, c)
	if err != nil {
		return append(lines, err.Error())
	}
	if _, err := validate.Load(memory, c); errors.Is(err, corpus.ErrNoMemory) {
		lines = append(lines, root+" has no memory yet: until it has, agents find nothing")
	}
	return lines
}

// addBlock returns the text of an existing file with the block of this version: in place of another
// version's, or else at the end. A damaged block is an *agent.SettingsError.
func addBlock(src []byte) ([]byte, error) {
	start, end, err := findBlock(src)
	if err != nil {
		return nil, err
	}
	if start < end {
		return slices.Concat(src[:start], blockWith(text.LineEnd(src[start:end])), src[end:]), nil
	}
	eol := []byte(text.LineEnd(src))
	block := blockWith(string(eol))
	switch {
	case len(src) == 0:
		return block, nil
	case bytes.HasSuffix(src, []byte("\n")):
		return slices.Concat(src, eol, block, eol), nil
	}
	return slices.Concat(src, eol, eol, block), nil // no final newline, so that removeBlock knows
}

// removeBlock returns a text without the block, and without the line ends that addBlock has put around
// it. A damaged block is an *agent.SettingsError.
func removeBlock(src []byte) ([]byte, error) {
	start, end, err := findBlock(src)
	if err != nil || start == end {
		return src, err
	}
	eol := []byte(text.LineEnd(src[start:end]))
	before, after := src[:start], src[end:]
	if len(after) == 0 {
		return bytes.TrimSuffix(before, slices.Concat(eol, eol)), nil
	}
	rest, ends := bytes.CutPrefix(after, eol)
	if shorter, found := bytes.CutSuffix(before, eol); ends && found && bytes.HasSuffix(shorter, []byte("\n")) {
		before = shorter
	}
	return slices.Concat(before, rest), nil
}

// hasBlock reports whether a text has the block, of any version.
func hasBlock(src []byte) bool {
	start, end, err := findBlock(src)
	return err == nil && start < end
}

// isCurrentBlock reports whether a text has the block of this version.
func isCurrentBlock(src []byte) bool {
	start, end, err := findBlock(src)
	return err == nil && start < end && bytes.Equal(src[start:end], blockWith(text.LineEnd(src[start:end])))
}

// findBlock returns where the block of a text begins and ends; twice 0 if it has none. Its last line is
// without its end. A block that is not whole, or not the only one, is an *agent.SettingsError.
func findBlock(src []byte) (start, end int, err error) {
	at, line, begin := 0, 0, 0
	for text := range bytes.Lines(src) {
		line++
		trimmed := bytes.TrimPrefix(text, []byte("\ufeff"))
		if bytes.HasPrefix(trimmed, []byte(blockBegin)) {
			if begin > 0 {
				return 0, 0, damagedBlock(line)
			}
			start, begin = at+len(text)-len(trimmed), line
		}
		if string(bytes.TrimRight(trimmed, " \t\r\n")) == blockEnd {
			if begin == 0 || end > 0 {
				return 0, 0, damagedBlock(line)
			}
			end = at + len(bytes.TrimRight(text, "\r\n"))
		}
		at += len(text)
	}
	if begin > 0 && end == 0 {
		return 0, 0, damagedBlock(begin)
	}
	return start, end, nil
}

func damagedBlock(line int) error {
	return &agent.SettingsError{Line: line, Message: "the block of " + programName + " is damaged: leave one line that begins with " + blockBegin + ", and below it one line " + blockEnd + ", or neither"}
}

// blockWith returns the block with these line ends.
func blockWith(eol string) []byte {
	return []byte(strings.ReplaceAll(rulesBlock, "\n", eol))
}
