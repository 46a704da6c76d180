package hooks

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
)

// whyNoCapture returns why nothing is captured under some settings; "" if sessions are captured. Homeless is the error
// if there is no folder for the store; wrong is the error in the settings, if any.
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

// withTranscripts returns the agents whose sessions can be captured.
func withTranscripts(all []agent.Client) []agent.Client {
	return slices.DeleteFunc(slices.Clone(all), func(c agent.Client) bool { return !c.HasTranscripts() })
}

// neverCaptured returns a sentence that says that the sessions of an agent cannot be captured.
func neverCaptured(c agent.Client) string {
	return "sessions of " + c.Title() + " are not captured: it has no transcripts that can be read again exactly"
}

// keptFor returns a phrase that says how long turns are kept.
func keptFor(c config.Config) string {
	if c.TurnDays == 0 {
		return "forever (memory_turn_days: 0)"
	}
	return fmt.Sprintf("%d days (memory_turn_days)", c.TurnDays)
}

// agreesToCapture shows what will be captured and allowed after an installation, and asks for it. It reports whether
// the user agrees to the installation, and whether that is a consent to capture.
func (o *registerOptions) agreesToCapture() (agreed, captures bool) {
	if !o.noCapture {
		captures = o.showCapture()
	}
	if o.allows() {
		fmt.Fprintf(o.env.Stdout, "What your agent may then run without asking you:\n  %s, which only reads, and prints the decisions of the repository\n  %s, which only reads, and prints what was said in its past sessions\n", o.reading[0], o.reading[1])
	}
	if !agrees(o.env, o.yes || o.dryRun, "Install?", "nothing was installed") {
		return false, false
	}
	return true, captures
}

// showCapture shows what is captured once the user consents, why, where it is stored, for how long, and how to switch it
// off. It reports whether consent is possible: an agent, in its shell, cannot give it. It ignores the settings of this
// repository, since those of the user apply to all.
func (o *registerOptions) showCapture() (captures bool) {
	dir, _, homeless := home.Place(o.env.Getenv)
	c, wrong := config.Load(nil, o.env.Getenv)
	isAgent := agent.InShellTool(o.env.Getenv)
	fmt.Fprintln(o.env.Stdout, "What whence captures of agent sessions:")
	for _, client := range o.clients {
		if !client.HasTranscripts() {
			fmt.Fprintf(o.env.Stdout, "  %s\n", neverCaptured(client))
		}
	}
	clients := withTranscripts(o.clients)
	switch why := whyNoCapture(homeless, c, wrong); {
	case why != "":
		fmt.Fprintf(o.env.Stdout, "  %s\n", why)
	case len(clients) == 0:
		captures = !isAgent // giveConsent still creates the store
	case isAgent:
		fmt.Fprintln(o.env.Stdout, "  nothing, until you agree to it in a terminal of your own, which an agent cannot do for you: type")
		for _, client := range clients {
			fmt.Fprintf(o.env.Stdout, "    %s\n", o.typedAgain(client))
		}
	default:
		captures = true
		fmt.Fprintf(o.env.Stdout, `  what      your prompts, the agent's answers, the commands it runs (not what they print), failures and their fixes;
            secrets in known forms and text in <private>…</private> are removed first
  why       what applies is shown to your agent in later sessions
  where     %s, which only you can read; it never leaves your machine
  how long  %s; "memory-remember prune --older-than 30d" deletes sooner
  off       write memory_turn_capture: false into %s (everywhere) or %s (one repository)
  undo      %s uninstall ends it; what was captured stays until you prune it
`, filepath.Join(dir, "memory.db"), keptFor(c), filepath.Join(dir, config.UserFile), config.ProjectFile, programName)
	}
	return captures
}

// typedAgain returns the command line of this installation, for one agent, as the user types it.
func (o *registerOptions) typedAgain(c agent.Client) string {
	line := installLine(c)
	if o.scope != agent.User {
		line += " --scope " + string(o.scope) + cli.Typed(o.env, o.dir).Repo
	}
	return cli.Command(o.env, line)
}
