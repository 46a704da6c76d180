package hooks

import (
	"fmt"
	"strings"
	"time"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/consent"
	"whence/internal/finding"
	"whence/internal/home"
	"whence/internal/ingest"
	"whence/internal/notes"
	"whence/internal/spool"
	"whence/internal/worktree"
)

// printKept tells what is kept of the sessions in a project: what is said in them, and
// notes.
func printKept(env cli.Env, root string) error {
	fmt.Fprintf(env.Stdout, "%s\n", root)
	c, wrong := projectSettings(env, root)
	if wrong != nil {
		fmt.Fprintf(env.Stdout, "  settings cannot be read: %s\n", finding.Printable(wrong.Error()))
	}
	dir, err := home.Dir(env.Getenv)
	if err != nil {
		return err
	}
	s, err := spool.Waiting(ingest.Dir(dir))
	if err != nil {
		return err
	}
	capture, kept := "off", "off"
	if c.TurnCapture {
		capture = "on"
	}
	if s.Waiting > 0 {
		capture += fmt.Sprintf(", %s to be stored since %s", cli.Count(s.Waiting, "job", "jobs"), s.Oldest.UTC().Format(time.RFC3339))
	}
	if s.Failed > 0 {
		capture += fmt.Sprintf(", %s could not be stored: %s doctor", cli.Count(s.Failed, "job", "jobs"), programName)
	}
	if c.Notes {
		kept = "on, in " + notes.Folder + "/"
	}
	fmt.Fprintf(env.Stdout, "  capture  %s\n  notes    %s\n", capture, kept)
	if len(c.Asks) > 0 {
		fmt.Fprintf(env.Stdout, "  asks     %s (%s allow)\n", strings.Join(settingsOf(c.Asks), ", "), programName)
	}
	printNotice(env, c, wrong)
	return nil
}

// projectSettings are those that count in a folder.
func projectSettings(env cli.Env, root string) (config.Config, error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return config.Config{}, err
	}
	defer tree.Close()
	return consent.Load(tree, env.Getenv)
}
