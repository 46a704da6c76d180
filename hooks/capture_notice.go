package hooks

import (
	"fmt"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
)

// captureNotice says what is captured under some settings, where it lies, for how long, and how
// it is switched off; a line each.
func captureNotice(env cli.Env, c config.Config) []string {
	dir, err := home.Dir(env.Getenv)
	if err != nil {
		return []string{"nothing is captured: " + err.Error()}
	}
	own := filepath.Join(dir, config.UserFile)
	if !c.TurnCapture {
		return []string{"nothing is captured: memory_turn_capture is false"}
	}
	kept := "for ever (memory_turn_days: 0)"
	if c.TurnDays > 0 {
		kept = fmt.Sprintf("%d days (memory_turn_days)", c.TurnDays)
	}
	where := filepath.Join(dir, "memory.db") + ", which only you can read; it never leaves this machine"
	if c.Store != "" {
		where = dir + " and " + c.Store + ", your team's store"
	}
	return []string{
		"what      prompts, answers, commands with their output, and failures with their fixes, of every session;",
		"          secrets in known forms and text in <private>…</private> are removed first",
		"where     " + where,
		"how long  " + kept + "; `memory-remember prune` deletes it sooner",
		"off       memory_turn_capture: false in " + own + " (everywhere) or " + config.ProjectFile + " (one repository); WHENCE_DISABLE=1; " + programName + " uninstall",
	}
}

// printNotice prints the notice below a heading.
func printNotice(env cli.Env, c config.Config) {
	fmt.Fprintln(env.Stdout, "What whence captures:")
	for _, line := range captureNotice(env, c) {
		fmt.Fprintf(env.Stdout, "  %s\n", line)
	}
}

// agreesToCapture shows what install will have captured, and asks.
func (o *registerOptions) agreesToCapture(env cli.Env) (bool, error) {
	c, err := projectSettings(env, cli.Root(project(env, o.dir)))
	if err != nil {
		return false, cli.SettingsError(err)
	}
	printNotice(env, c)
	switch {
	case o.yes || o.dryRun:
		return true, nil
	case !cli.IsTerminal(env.Stdin):
		fmt.Fprintln(env.Stdout, "nothing is installed: there is no terminal to ask on, so add --yes")
		return false, nil
	}
	agreed := confirm(env, "Install?")
	if !agreed {
		fmt.Fprintln(env.Stdout, "nothing is installed")
	}
	return agreed, nil
}
