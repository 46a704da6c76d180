package hooks

import (
	"fmt"
	"strings"
	"time"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/spool"
	"whence/internal/text"
	"whence/internal/turns"
	"whence/internal/worktree"
	"whence/validate"
)

// printCapture prints what is captured of the sessions in a project: turns and notes. Nothing is
// unless an agent runs this program. It also prints how many decisions have situations.
func printCapture(env cli.Env, root string, runs bool) error {
	fmt.Fprintln(env.Stdout, text.Printable(root))
	c, wrong := projectSettings(env, root)
	if wrong != nil {
		fmt.Fprintf(env.Stdout, "  a setting cannot be read: %s\n", text.Printable(wrong.Error()))
	}
	dir, err := env.Home()
	if err != nil {
		return err
	}
	s, err := spool.StatusOf(turns.SpoolDir(dir))
	if err != nil {
		return err
	}
	capture, notesState := "off", "off"
	switch {
	case c.TurnCapture && runs:
		capture = "on"
	case c.TurnCapture:
		capture = "nothing, since no agent runs " + programName
	}
	if s.Waiting > 0 {
		capture += fmt.Sprintf(", %s waiting to be stored since %s", cli.Count(s.Waiting, "job", "jobs"), s.Oldest.UTC().Format(time.RFC3339))
	}
	if s.Failed > 0 {
		capture += fmt.Sprintf(", %s could not be stored (%s doctor says why)", cli.Count(s.Failed, "job", "jobs"), programName)
	}
	if c.Notes {
		notesState = "on, in " + notes.Folder + "/"
	}
	fmt.Fprintf(env.Stdout, "  capture  %s\n  notes    %s\n", capture, notesState)
	if n := situationsOf(env, root, c); n.All > 0 {
		fmt.Fprintf(env.Stdout, "  memory   %s\n", n)
	}
	if len(c.Asks) > 0 {
		fmt.Fprintf(env.Stdout, "  asks     %s; to allow it: %s allow\n", strings.Join(settingsOf(c.Asks), ", "), programName)
	}
	heading := "What whence captures of agent sessions:"
	if !runs {
		heading = "What whence will capture once an agent runs it:"
	}
	printNotice(env, heading, captureNotice(dir, nil, c, wrong))
	return nil
}

// projectSettings returns the settings that count in a folder.
func projectSettings(env cli.Env, root string) (config.Config, error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return config.Config{}, err
	}
	defer tree.Close()
	return config.Load(tree, env.Getenv)
}

// situationsOf returns how many decisions of a project have situations; zero if the memory cannot be
// read, which doctor reports.
func situationsOf(env cli.Env, root string, c config.Config) validate.SituationCount {
	tree, err := worktree.Open(root)
	if err != nil {
		return validate.SituationCount{}
	}
	defer tree.Close()
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return validate.SituationCount{}
	}
	m, err := validate.Load(memory, c)
	if err != nil {
		return validate.SituationCount{}
	}
	return validate.CountSituations(m, c)
}
