package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/home"
)

// patience is how long a program that is tried may take.
const patience = 10 * time.Second

// timedRuns is how often the time of a reply is taken.
const timedRuns = 5

// checkPath reports how to type the commands that are named below, if this program is not on the
// PATH.
func (d *doctor) checkPath() {
	if typed := typedProgram(d.env); typed != programName {
		d.note("program", "%s is not on the PATH: put its folder there, or type %s instead", programName, typed)
	}
}

// checkPrograms runs what the agents run, or this program if nothing is registered.
func (d *doctor) checkPrograms() {
	type run struct {
		client agent.Client
		path   string
	}
	var runs []run
	for _, f := range d.files {
		for _, path := range f.programs() {
			if f.isForeign(path) {
				d.note("program", "%s, which the %s settings of this project have %s run, was not tried: it may not be yours", path, f.scope, f.client.Title())
				continue
			}
			if r := (run{f.client, path}); !slices.Contains(runs, r) {
				runs = append(runs, r)
			}
		}
	}
	if len(runs) == 0 {
		if own, err := program(d.env, agent.User); err == nil {
			runs = []run{{agent.Claude, own}}
		}
	}
	for _, r := range runs {
		d.checkProgram(r.client, r.path)
	}
}

// checkProgram runs one program: whether it answers, whether it recalls, and how fast.
func (d *doctor) checkProgram(c agent.Client, name string) {
	install := programName + " install --agent " + string(c)
	path, err := exec.LookPath(name) // a path is the user's own word
	if !strings.ContainsAny(name, `/\`) {
		path, err = home.LookPath(name, d.project)
	}
	if err != nil {
		if strings.ContainsAny(name, `/\`) {
			d.found("program", install, "%s, which %s is to run, does not exist or cannot be run", name, c.Title())
		} else {
			d.found("program", "make install   # in your clone of whence; then add its folder to the PATH", "%s, which %s is to run, is not on the PATH", name, c.Title())
		}
		return
	}
	_, took, err := d.try(c, path, agent.SessionStart, "")
	if err != nil {
		d.found("program", install, "%s does not answer SessionStart: %v", path, err)
		return
	}
	d.ok("program", "%s answers SessionStart of %s in %s", path, c.Title(), milliseconds(took))
	if d.prompt == "" || dispatch.IsDisabled(d.env.Getenv) {
		return
	}
	var times []time.Duration
	silent := 0
	for i := range timedRuns {
		reply, took, err := d.try(c, path, agent.UserPromptSubmit, fmt.Sprintf("-%d", i))
		if err != nil {
			d.found("recall", install, "%s does not answer a prompt: %v", path, err)
			return
		}
		if !strings.Contains(string(reply), "additionalContext") {
			silent++
		}
		times = append(times, took)
	}
	if silent*2 > timedRuns {
		d.found("recall", programName+" explain "+cli.Word(d.prompt), "%s finds nothing for the words of the first entry of the index", path)
		return
	}
	slices.Sort(times)
	if median, deadline := times[timedRuns/2], dispatch.DeadlineOf(d.env.Getenv); median > deadline {
		d.found("recall", programName+" explain "+cli.Word(d.prompt), "a prompt takes %s to answer, and agents get no reply after %v", milliseconds(median), deadline)
	} else {
		d.ok("recall", "the words of the first entry of the index recall it, in %s (median of %d)", milliseconds(median), timedRuns)
	}
}

// try runs a program at an event, as an agent does. It is a trial, which leaves nothing behind.
func (d *doctor) try(c agent.Client, path, event, suffix string) (reply []byte, took time.Duration, err error) {
	session := fmt.Sprintf("doctor-%d%s", os.Getpid(), suffix)
	input, err := json.Marshal(map[string]string{
		"session_id": session, "hook_event_name": c.NativeEvent(event), "cwd": d.project, "source": "startup", "prompt": d.prompt,
	})
	if err != nil {
		return nil, 0, err
	}
	d.tries++
	start := time.Now()
	env := []string{"WHENCE_DISABLE=", dispatch.TrialVariable + "=1"} // checkSwitches has reported what is switched off
	reply, err = output(d.Context, d.project, input, env, path, c.NativeEvent(event), "--agent", string(c))
	took = time.Since(start)
	if err == nil && len(reply) > 0 && !json.Valid(reply) {
		err = fmt.Errorf("its reply is not JSON: %s", dispatch.Beginning(string(reply), 100))
	}
	return reply, took, err
}

// output runs a program that must not take longer than patience, and returns its standard output. The
// error quotes the beginning of its standard error.
func output(ctx context.Context, dir string, input []byte, env []string, path string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, bytes.NewReader(input), &out, &problems, time.Second
	cmd.Env = append(os.Environ(), env...)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("no reply after %v", patience)
	case err != nil && problems.Len() > 0:
		err = fmt.Errorf("%w: %s", err, dispatch.Beginning(strings.Join(strings.Fields(problems.String()), " "), 200))
	}
	return out.Bytes(), err
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
