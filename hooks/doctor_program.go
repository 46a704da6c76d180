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
	"whence/internal/dispatch"
)

// patience is how long a program that is tried may take.
const patience = 10 * time.Second

// timed is how often the time of a reply is taken.
const timed = 5

// checkPath says how to type the commands that are named below, if this program is not on the PATH.
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
	for _, s := range d.surveys {
		for _, path := range s.programs() {
			if s.scope != agent.User && path != programName {
				// the repository may have brought the settings, and the program with them
				d.note("program", "%s, which the %s settings of this project have %s run, was not tried: it may not be yours", path, s.scope, s.client.Title())
				continue
			}
			if r := (run{s.client, path}); !slices.Contains(runs, r) {
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
	path, err := exec.LookPath(name)
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
	for i := range timed {
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
	if silent*2 > timed {
		d.found("recall", programName+" explain "+quoteProgram("", "", d.prompt), "%s finds nothing for the words of the first entry of the index", path)
		return
	}
	slices.Sort(times)
	if median, deadline := times[timed/2], dispatch.DeadlineOf(d.env.Getenv); median > deadline {
		d.found("recall", programName+" explain "+quoteProgram("", "", d.prompt), "a prompt takes %s to answer, and agents get no reply after %v", milliseconds(median), deadline)
	} else {
		d.ok("recall", "the words of the first entry of the index recall it, in %s (median of %d)", milliseconds(median), timed)
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
	ctx, cancel := context.WithTimeout(d.Context, patience)
	defer cancel()
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, path, c.NativeEvent(event), "--agent", string(c))
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = d.project, bytes.NewReader(input), &out, &problems
	cmd.Env = append(os.Environ(), "WHENCE_DISABLE=", dispatch.TrialVariable+"=1") // what is switched off is reported on its own
	cmd.WaitDelay = time.Second
	d.tries++
	start := time.Now()
	err = cmd.Run()
	took = time.Since(start)
	switch {
	case ctx.Err() != nil:
		return nil, took, fmt.Errorf("no reply after %v", patience)
	case err != nil && problems.Len() > 0:
		return nil, took, fmt.Errorf("%w: %s", err, dispatch.Beginning(strings.Join(strings.Fields(problems.String()), " "), 200))
	case err != nil:
		return nil, took, err
	case out.Len() > 0 && !json.Valid(out.Bytes()):
		return nil, took, fmt.Errorf("its reply is not JSON: %s", dispatch.Beginning(out.String(), 100))
	}
	return out.Bytes(), took, nil
}

// milliseconds writes a duration for people.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
