package hooks

import (
	"embed"
	"errors"
	"fmt"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/team"
)

// captureNotice says what is captured under some settings, and why, where it lies, for how long,
// and how it is switched off; a line each. Wrong is what cannot be read of the settings.
func captureNotice(env cli.Env, c config.Config, wrong error) []string {
	dir, err := home.Dir(env.Getenv)
	if err != nil {
		return []string{"nothing is captured: " + err.Error()}
	}
	var bad *config.Error
	switch {
	case errors.As(wrong, &bad) && bad.Capture:
		return []string{"nothing is captured until this setting is fixed, which may say whether or where: " + bad.Message}
	case !c.TurnCapture:
		return []string{"nothing is captured: memory_turn_capture is false"}
	}
	kept := "for ever (memory_turn_days: 0)"
	if c.TurnDays > 0 {
		kept = fmt.Sprintf("%d days (memory_turn_days)", c.TurnDays)
	}
	where := filepath.Join(dir, "memory.db") + ", which only you can read; whence sends it nowhere"
	shared, remark, err := team.Of(c, dir)
	if shared != nil {
		where = shared.Dir() + ", and your team's store " + shared.Name()
	}
	lines := []string{
		"what      your prompts, the agent's answers, the commands it runs (not what they print), failures and their fixes;",
		"          secrets in known forms and text in <private>…</private> are removed first",
		"why       what applies is shown to your agent in later sessions",
		"where     " + where,
		"how long  " + kept + "; `memory-remember prune --older-than 30d` deletes sooner",
		"off       write memory_turn_capture: false into " + filepath.Join(dir, config.UserFile) + " (everywhere) or " + config.ProjectFile + " (one repository)",
		"undo      " + programName + " uninstall; what was captured stays until you prune it",
	}
	if remark != "" {
		lines = append(lines, "          "+remark)
	}
	if err != nil {
		lines = append(lines, "          "+err.Error())
	}
	return lines
}

// printNotice prints the notice below a heading.
func printNotice(env cli.Env, c config.Config, wrong error) {
	fmt.Fprintln(env.Stdout, "What whence captures of agent sessions:")
	for _, line := range captureNotice(env, c, wrong) {
		fmt.Fprintf(env.Stdout, "  %s\n", line)
	}
}

// agreesToCapture shows what install will have captured, and asks. In the settings of a user it
// is installed for all repositories: those of this one do not matter.
func (o *registerOptions) agreesToCapture(env cli.Env) bool {
	c, wrong := config.Load(embed.FS{}, config.UserOf(env.Getenv))
	printNotice(env, c, wrong)
	switch {
	case o.yes || o.dryRun:
		return true
	case !cli.IsTerminal(env.Stdin):
		fmt.Fprintln(env.Stdout, "nothing is installed: there is no terminal to ask on, so add --yes")
		return false
	}
	agreed := cli.Confirm(env, "Install?")
	if !agreed {
		fmt.Fprintln(env.Stdout, "nothing is installed")
	}
	return agreed
}
