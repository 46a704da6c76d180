package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/inert"
	"whence/internal/store"
	"whence/validate"
)

// removal is one run of uninstall --everything. It removes what init and install set up, and what was stored since.
type removal struct {
	asking
	dir  string // --repo
	left bool   // a question was answered with no
}

func (r *removal) run(ctx context.Context) error {
	if agent.InShellTool(r.env.Getenv) {
		return cli.Usagef("uninstall --everything deletes what you have stored, which an agent cannot do for you: type it in a terminal of your own")
	}
	folder, err := r.begin("uninstall --everything", r.dir)
	if err != nil {
		return err
	}
	for _, scope := range agent.Scopes {
		if err := r.removeHooks(ctx, scope); err != nil {
			return err
		}
	}
	if err := r.removeFromGit(ctx, folder); err != nil {
		return err
	}
	if err := r.deleteStore(ctx); err != nil {
		return err
	}
	if r.dryRun || r.left {
		return nil
	}
	r.say("what was recorded in repositories is theirs, and stays: decisions, index, %s and notes, and in other repositories git hooks and shared settings; in each: %s uninstall --everything", config.ProjectFile, programName)
	if program, err := os.Executable(); err == nil {
		r.say("the programs are in %s: to remove them, delete memory-* there, or uninstall them as you installed them", filepath.Dir(program))
	}
	return nil
}

// wants asks whether to do a step, and sets left if not.
func (r *removal) wants(format string, args ...any) bool {
	agreed := r.agrees(format, args...)
	r.left = r.left || !agreed
	return agreed
}

// removeHooks offers to remove, for a scope, what is registered in the settings of agents, skills, permissions, and the
// user's consent to capture.
func (r *removal) removeHooks(ctx context.Context, scope agent.Scope) error {
	o := registerOptions{env: r.env, scopeName: string(scope), dir: r.dir}
	if err := o.verify(nil); err != nil {
		return err
	}
	o.clients = agent.Clients
	consents, err := r.consentsOf(ctx, &o)
	if err != nil {
		return err
	}
	var edits []editFunc
	var installed []agent.Client
	for _, c := range agent.Clients {
		of := o.otherRemovals(c)
		if o.hasSettings(c) {
			of = append(of, o.unregister(c))
		}
		has, err := changesAny(of)
		if err != nil {
			return err
		}
		if has {
			installed = append(installed, c)
		}
		edits = append(edits, of...)
		if f, err := openSettings(r.env, c, scope, project(r.env, r.dir)); err == nil && f.plugin != "" {
			r.say("%s has the plugin %s, which it removes itself: type /plugin there", c.Title(), f.plugin)
		}
	}
	question := ""
	switch {
	case len(installed) == 0 && (!consents || scope == agent.Project): // the local scope has the same consent
		return nil
	case len(installed) == 0:
		question = "End the capture of sessions"
	case scope == agent.User:
		question = fmt.Sprintf("Remove the hooks, skills and permissions of whence from your settings of %s", titles(installed))
	case scope == agent.Project:
		question = fmt.Sprintf("Remove the hooks of whence from the settings of %s that all who work on this project share", titles(installed))
	case scope == agent.Local:
		question = fmt.Sprintf("Remove the hooks of whence from your settings of %s in this project", titles(installed))
	}
	if consents && len(installed) > 0 {
		question += ", and end the capture of sessions"
	}
	if !r.wants("%s?", question) {
		return nil
	}
	_, err = o.remove(ctx, edits)
	return err
}

// changesAny reports whether any edit would change a file.
func changesAny(edits []editFunc) (bool, error) {
	for _, edit := range edits {
		made, err := edit()
		if err != nil || made.file != nil && !bytes.Equal(made.after, made.file.src) {
			return err == nil, err
		}
	}
	return false, nil
}

// consentsOf reports whether the user has given a consent that uninstalling in this scope withdraws.
func (r *removal) consentsOf(ctx context.Context, o *registerOptions) (bool, error) {
	dir, err := home.Dir(r.env.Getenv)
	if err != nil {
		return false, nil // nothing is stored there
	}
	given, err := capture.Consents(ctx, dir)
	if err != nil || len(given) == 0 {
		return false, err
	}
	return slices.ContainsFunc(o.clients, func(c agent.Client) bool {
		to, err := o.consentTo(c)
		return err == nil && slices.Contains(given, to)
	}), nil
}

// removeFromGit offers to remove the git hooks and the merge driver of the repository.
func (r *removal) removeFromGit(ctx context.Context, folder string) error {
	has, err := validate.ChecksCommits(r.env, folder)
	if err != nil || !has || !r.wants("Remove the git hooks and the merge driver of whence from %s?", inert.Printable(folder)) {
		return err
	}
	return r.runProgram(ctx, "memory-validate", "uninstall-git-hook", "--repo", folder)
}

// deleteStore offers to delete what is stored, in the folder of the store and in the user's cache.
func (r *removal) deleteStore(ctx context.Context) error {
	dir, err := home.Dir(r.env.Getenv)
	if err != nil {
		return nil // nothing is stored there
	}
	files, err := home.Files(dir)
	if err != nil || len(files) == 0 {
		return err
	}
	what, err := stored(ctx, dir)
	if err != nil {
		return err
	}
	if !r.wants("Delete %s, with %s and your settings? (To keep the learnings, first type: %s export --everywhere > learnings.jsonl)", inert.Printable(dir), what, cli.Command(r.env, "memory-remember")) {
		return nil
	}
	left, err := home.Delete(dir)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		r.say("deleted what whence has stored in %s; these files there are not of whence, and stay: %s", inert.Printable(dir), inert.Printable(strings.Join(left, ", ")))
		return nil
	}
	r.say("deleted %s; a session that is still running may write there again, so end it, and type this once more", inert.Printable(dir))
	return nil
}

// stored returns a phrase for how much is in the store.
func stored(ctx context.Context, dir string) (string, error) {
	s, err := store.OpenReadOnly(ctx, dir)
	if errors.Is(err, store.ErrNone) {
		return "nothing learned or captured", nil
	}
	if err != nil {
		return fmt.Sprintf("a store that cannot be read (%s)", inert.Printable(err.Error())), nil
	}
	st, err := s.Stats(ctx, time.Now())
	return fmt.Sprintf("%s, %s of %s", cli.Count(st.Learnings, "learning", "learnings"), cli.Count(st.Turns, "turn", "turns"), cli.Count(st.Sessions, "session", "sessions")), errors.Join(err, s.Close())
}
