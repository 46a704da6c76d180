package hooks

import (
	"errors"
	"fmt"
	"path/filepath"

	"whence/internal/config"
	"whence/internal/home"
)

// captureNotice describes what is captured under some settings, why, where it is stored, for how
// long, and how to switch it off; a line each. Dir is the folder of package home, and homeless the
// error if there is none. Wrong is the error in the settings, if any.
func captureNotice(dir string, homeless error, c config.Config, wrong error) []string {
	if homeless != nil {
		return []string{"nothing is captured: " + homeless.Error()}
	}
	var bad *config.Error
	switch {
	case errors.As(wrong, &bad) && bad.Capture:
		return []string{"nothing is captured until this setting is fixed (it may be about capture): " + bad.Message}
	case !c.TurnCapture:
		return []string{"nothing is captured: memory_turn_capture is false"}
	}
	kept := "forever (memory_turn_days: 0)"
	if c.TurnDays > 0 {
		kept = fmt.Sprintf("%d days (memory_turn_days)", c.TurnDays)
	}
	return []string{
		"what      your prompts, the agent's answers, the commands it runs (not what they print), failures and their fixes;",
		"          secrets in known forms and text in <private>…</private> are removed first",
		"why       what applies is shown to your agent in later sessions",
		"where     " + filepath.Join(dir, "memory.db") + ", which only you can read; whence sends it nowhere, unless you join a team",
		"how long  " + kept + "; `memory-remember prune --older-than 30d` deletes sooner",
		"off       write memory_turn_capture: false into " + filepath.Join(dir, config.UserFile) + " (everywhere) or " + config.ProjectFile + " (one repository)",
		"undo      " + programName + " uninstall; what was captured stays until you prune it",
	}
}

// agreesToCapture shows what will be captured and allowed after an installation, and asks. A user's
// settings are for all repositories, so those of this one do not count.
func (o *registerOptions) agreesToCapture() bool {
	dir, homeless := home.Place(o.env.Getenv)
	c, wrong := config.Load(nil, o.env.Getenv)
	fmt.Fprintln(o.env.Stdout, "What whence captures of agent sessions:")
	for _, line := range captureNotice(dir, homeless, c, wrong) {
		fmt.Fprintf(o.env.Stdout, "  %s\n", line)
	}
	if o.allows() {
		fmt.Fprintf(o.env.Stdout, "What your agent may then run without asking you:\n  %s, which only reads, and prints the decisions of the repository\n  %s, which only reads, and prints what was said in its past sessions\n", o.reading[0], o.reading[1])
	}
	if !agrees(o.env, o.yes || o.dryRun, "Install?", "nothing was installed") {
		return false
	}
	if !o.dryRun {
		_, _ = o.env.Home() // if it cannot be made, the notice has said so
	}
	return true
}
