package hooks

import (
	"context"
	"fmt"
	"io"
	"slices"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/text"
	"whence/internal/worktree"
)

// doctorCommand checks that what agents need works, link by link.
func doctorCommand(env cli.Env) *urfave.Command {
	format, dir := "text", ""
	return &urfave.Command{
		Name: "doctor", Usage: "check that everything works, and print how to fix faults",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: format, Destination: &format},
			repoFlag(&dir),
		},
		Action: func(ctx context.Context, _ *urfave.Command) error {
			if err := cli.Format(format, "text", "json"); err != nil {
				return err
			}
			d := &doctor{Context: ctx, env: env, project: project(env, dir)}
			d.examine()
			write := d.writeText
			if format == "json" {
				write = d.writeJSON
			}
			if err := write(env.Stdout); err != nil {
				return err
			}
			if slices.ContainsFunc(d.results, func(r result) bool { return r.State == stateFinding }) {
				return cli.ErrFound
			}
			return nil
		},
	}
}

// doctor checks the chain link by link, and collects what it finds.
type doctor struct {
	context.Context
	env      cli.Env
	project  string
	home     string          // the folder of package home; "" before checkStore, or if there is none
	homeless error           // why there is none
	files    []*settingsFile // of all agents
	rules    []installedRules
	runs     bool   // some agent runs this program
	prompt   string // words that recall a decision, if there is one
	tries    int    // how often a program was run
	results  []result
}

// examine checks everything, in the order in which faults are best fixed.
func (d *doctor) examine() {
	for _, c := range agent.Clients {
		d.files = append(d.files, settingsFiles(d.env, c, d.project)...)
	}
	d.rules = findRules(d.project)
	d.checkPath()
	d.checkSettings()
	d.checkRegistered()
	d.checkRules()
	d.checkSwitches()
	d.checkAgents()
	d.checkTranscripts()
	d.checkPermissions()
	d.checkStore()
	d.checkProject()
	if d.home == "" {
		d.checkPrograms()
		return
	}
	faults := dispatch.ReadFaults(d.home)
	d.checkPrograms()
	d.checkLog(faults)
}

// checkProject checks what depends on the settings of the project.
func (d *doctor) checkProject() {
	root := cli.Root(d.project)
	tree, err := worktree.Open(root)
	if err != nil {
		d.found("memory", "name a folder that exists with --repo", "%v", err)
		return
	}
	defer tree.Close()
	c, err := config.Load(tree, d.env.Getenv)
	if err != nil {
		d.found("settings", "correct that setting in the file named; all others count", "%v", err)
	}
	d.checkConsent(c, err)
	if c.TurnCapture && d.home != "" {
		d.checkCapture()
	}
	d.checkMemory(tree, c)
	d.checkMerges(root)
	d.checkNotes(root, c)
}

// The states of a link.
const (
	stateOK      = "ok"
	stateNote    = "note" // not a fault, but worth knowing
	stateFinding = "finding"
)

// result is the state of one link.
type result struct {
	Check  string `json:"check"`
	State  string `json:"state"`
	Text   string `json:"text"`
	Remedy string `json:"remedy,omitempty"` // the command or the change that fixes it
}

func (d *doctor) ok(check, format string, args ...any) {
	d.results = append(d.results, result{check, stateOK, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) note(check, format string, args ...any) {
	d.results = append(d.results, result{check, stateNote, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) found(check, remedy, format string, args ...any) {
	d.results = append(d.results, result{check, stateFinding, fmt.Sprintf(format, args...), remedy})
}

func (d *doctor) writeText(w io.Writer) error {
	for _, r := range d.results {
		if _, err := fmt.Fprintf(w, "%-8s %-10s %s\n", r.State, r.Check, text.Printable(r.Text)); err != nil {
			return err
		}
		if r.Remedy != "" {
			if _, err := fmt.Fprintf(w, "%19s fix: %s\n", "", text.Printable(r.Remedy)); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "\n%s\n", d.summary())
	return err
}

// summary returns the last line: whether anything is wrong, and what to do next.
func (d *doctor) summary() string {
	findings := 0
	for _, r := range d.results {
		if r.State == stateFinding {
			findings++
		}
	}
	if findings == 0 {
		return "no findings: " + programName + " works"
	}
	return fmt.Sprintf("%s: do what \"fix\" says, from top to bottom, then run %s doctor again", cli.Count(findings, "finding", "findings"), programName)
}

func (d *doctor) writeJSON(w io.Writer) error {
	return text.WriteJSON(w, struct {
		Version string   `json:"version"`
		Results []result `json:"results"`
	}{cli.Version, d.results})
}
