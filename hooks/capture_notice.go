package hooks

import (
	"errors"
	"fmt"
	"path/filepath"

	"whence/internal/config"
	"whence/internal/home"
)

// whyNoCapture returns why nothing is captured under some settings; "" if sessions are. Homeless is the error
// if there is no folder for the store, and wrong the error in the settings, if any.
func whyNoCapture(homeless error, c config.Config, wrong error) string {
	var bad *config.Error
	switch {
	case homeless != nil:
		return "nothing is captured: " + homeless.Error()
	case errors.As(wrong, &bad) && bad.Capture:
		return "nothing is captured until this setting is fixed (it may be about capture): " + bad.Message
	case !c.TurnCapture:
		return "nothing is captured: memory_turn_capture is false"
	}
	return ""
}

// keptFor says for how long turns are kept.
func keptFor(c config.Config) string {
	if c.TurnDays == 0 {
		return "forever (memory_turn_days: 0)"
	}
	return fmt.Sprintf("%d days (memory_turn_days)", c.TurnDays)
}

// agreesToCapture shows what will be captured and allowed after an installation, why, where it is stored, for
// how long, and how to switch it off; and asks. A user's settings are for all repositories, so those of this
// one do not count.
func (o *registerOptions) agreesToCapture() bool {
	dir, _, homeless := home.Place(o.env.Getenv)
	c, wrong := config.Load(nil, o.env.Getenv)
	fmt.Fprintln(o.env.Stdout, "What whence captures of agent sessions:")
	if why := whyNoCapture(homeless, c, wrong); why != "" {
		fmt.Fprintf(o.env.Stdout, "  %s\n", why)
	} else {
		fmt.Fprintf(o.env.Stdout, `  what      your prompts, the agent's answers, the commands it runs (not what they print), failures and their fixes;
            secrets in known forms and text in <private>…</private> are removed first
  why       what applies is shown to your agent in later sessions
  where     %s, which only you can read; it never leaves your machine
  how long  %s; "memory-remember prune --older-than 30d" deletes sooner
  off       write memory_turn_capture: false into %s (everywhere) or %s (one repository)
  undo      %s uninstall; what was captured stays until you prune it
`, filepath.Join(dir, "memory.db"), keptFor(c), filepath.Join(dir, config.UserFile), config.ProjectFile, programName)
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
