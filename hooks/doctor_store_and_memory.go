package hooks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/internal/store"
	"whence/internal/worktree"
	"whence/validate"
)

// checkStore reports what is in the store, or why it cannot be read or written. It opens the store for later checks.
func (d *doctor) checkStore() {
	dir, err := d.env.Home()
	if err != nil {
		remedy := "export WHENCE_HOME=/a/folder/of/yours"
		if unclaimed := (*home.UnclaimedError)(nil); errors.As(err, &unclaimed) {
			remedy = "memory-remember list"
		}
		d.found("store", remedy, "nothing is stored: %v", err)
		return
	}
	d.home = dir
	s, err := store.OpenReadOnly(d.ctx, dir)
	if errors.Is(err, store.ErrNone) {
		d.ok("store", "%s is empty", dir)
		return
	}
	if err != nil {
		d.found("store", remedyOf(err, dir), "%v", err)
		return
	}
	d.store = s
	counts, err := s.Stats(d.ctx, time.Now())
	fault, damaged := s.Check(d.ctx)
	if err == nil && (fault != "" || damaged != nil) {
		d.found("store", remedyOf(store.ErrDamaged, dir), "%s is damaged: %v", dir, cmp.Or(fault, fmt.Sprint(damaged)))
	}
	if err = errors.Join(err, checkWritable(dir)); err != nil {
		d.found("store", remedyOf(err, dir), "%s: nothing is stored: %v", dir, err)
		return
	}
	d.ok("store", "%s: %s, %s of %s", dir, cli.Count(counts.Learnings, "learning", "learnings"), cli.Count(counts.Turns, "turn", "turns"), cli.Count(counts.Sessions, "session", "sessions"))
}

// remedyOf returns the command that fixes the error of a store.
func remedyOf(err error, dir string) string {
	file := shell.Word(filepath.Join(dir, "memory.db"))
	switch {
	case errors.Is(err, store.ErrNewer):
		return "git pull && make install   # in a clone of whence; or install the new version as you did this one"
	case errors.Is(err, store.ErrOlder):
		return fmt.Sprintf("mv %s %[1]s.old", file)
	case errors.Is(err, store.ErrForeign):
		return "export WHENCE_HOME=\"$HOME/.whence\""
	case errors.Is(err, store.ErrDamaged):
		return fmt.Sprintf("mv %s %[1]s.damaged", file)
	case store.Locked(err):
		return "lsof " + file + "   # the program that has locked it"
	case store.Full(err):
		return "df -h " + shell.Word(dir) + "   # and make room"
	case errors.Is(err, syscall.EROFS):
		return "export WHENCE_HOME=\"$HOME/.whence\"   # or a folder of another file system that can be written"
	}
	return "chmod -R u+rwX " + shell.Word(dir)
}

// checkWritable returns an error if no file can be created in the folder of the store. It leaves nothing behind.
func checkWritable(dir string) error {
	temp, err := os.CreateTemp(dir, ".whence-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// checkMemory reports what is wrong with the memory of the project.
func (d *doctor) checkMemory(tree *worktree.Tree, c config.Config) {
	root := tree.Dir
	shown := func(name string) string { return inert.Path(filepath.Join(root, filepath.FromSlash(name))) }
	show := c.Typed.Command("memory-validate")
	source, err := cli.Memory(d.env, tree, c)
	if p := (memory.Problem{}); errors.As(err, &p) {
		d.found("memory", p.Remedy, "%s %s", shown(p.Path), p.Reason)
		return
	}
	if err != nil {
		d.found("memory", "git -C "+shell.Word(root)+" status   # until it works", "%v", err)
		return
	}
	refusals := source.Refusals()
	for _, p := range refusals {
		d.found("memory", p.Remedy, "%s %s", shown(p.Path), p.Reason)
	}
	d.noteSubfolders(tree, c)
	m, err := validate.Load(source, c)
	if errors.Is(err, memory.ErrNoMemory) {
		if len(refusals) == 0 {
			d.note("memory", "%s has no memory: no decisions are recalled, learnings are", root)
		}
		return
	}
	if err != nil {
		d.found("memory", show, "%v", err)
		return
	}
	d.noteWithoutHeading(m)
	if shared := validate.SharedNumbers(m, c.Typed); shared != "" {
		d.note("memory", "%s", shared)
	}
	for _, unknown := range validate.UnknownStatuses(m) {
		d.note("memory", "%s", unknown)
	}
	found := validate.Check(m, c, "not-memory") // refusals were reported above
	if len(found) > 0 {
		first, remedy := found[0], show+" shows them; edit the files that it names"
		if flags := validate.FixFlags(found); flags != "" {
			remedy = c.Typed.Command("memory-validate " + flags)
		}
		d.found("memory", remedy, "%s, the first in %s:%d: %s [%s]", cli.Count(len(found), "finding", "findings"), shown(first.Path), first.Line, first.Message, first.Rule)
	}
	n := validate.CountWording(m, c)
	if len(found) == 0 {
		d.ok("memory", "%s: %s, %s, no findings", c.Index, cli.Count(len(m.Entries), "entry", "entries"), cli.Count(len(m.Files), "decision file", "decision files"))
	}
	if n.LacksSituations() {
		d.note("memory", "%s: %s", n, validate.WordingRemedy(c.Typed))
	}
	d.checkGitHook(tree.Dir, c)
}

// checkGitHook reports if nothing checks the memory of this clone at commits, or if git merges it without the driver.
func (d *doctor) checkGitHook(dir string, c config.Config) {
	if d.env.Getenv("CI") != "" {
		return
	}
	lack, install, err := validate.GitLacks(d.env, dir)
	command := c.Typed.Command("memory-validate " + strings.Join(install, " "))
	switch {
	case err != nil:
		d.note("git hook", "%v", err)
	case lack == validate.LacksHook:
		d.note("git hook", "not installed: %s has each commit checked", d.typed(command))
	case lack == validate.LacksDriver:
		d.note("git hook", "installed without the merge driver: %s has git keep what two branches add", d.typed(command))
	case lack == validate.LacksPatterns:
		d.found("git hook", command, "the merge driver is out of date: git merges files of the memory without it")
	}
}

// noteSubfolders adds a note if files below the folders of decision files are not read.
func (d *doctor) noteSubfolders(tree *worktree.Tree, c config.Config) {
	search, layout := worktree.NewGlobSearch(tree.FS()), c.Layout()
	for _, pattern := range c.Decisions {
		folder, name := path.Split(pattern)
		below := folder + "**/" + name
		g, err := worktree.ParseGlob(below)
		if err != nil || folder == "" || !strings.Contains(name, "*") || strings.HasPrefix(pattern, "!") {
			continue
		}
		found, _ := search.Find(g)
		found = slices.DeleteFunc(found, func(file string) bool { return layout.Holds(file) || layout.Excepts(file) })
		if len(found) > 0 {
			d.note("memory", "decisions are not read below %s (%s, the first is %s): move them up, or add %q to \"decisions\" in .whence.yaml",
				inert.Path(folder), cli.Count(len(found), "file", "files"), inert.Path(found[0]), below)
		}
	}
}

// noteWithoutHeading adds a note if decision files have no heading, and so no decision.
func (d *doctor) noteWithoutHeading(m *memory.Memory) {
	n, first := 0, ""
	for _, file := range m.Files {
		holdsDecisions := false
		for _, h := range file.Headings {
			holdsDecisions = holdsDecisions || h.Level > 1
		}
		if file.Document || holdsDecisions || len(file.Conflicts) > 0 {
			continue
		}
		n++
		first = cmp.Or(first, file.Path)
	}
	if n > 0 {
		d.note("memory", "%s no heading (##), so no decision, the first is %s: write \"## \" and a title above each decision", cli.Count(n, "decision file has", "decision files have"), inert.Path(first))
	}
}

// checkCapture reports whose sessions are captured, and what keeps turns from being stored.
func (d *doctor) checkCapture(c config.Config, wrong error) {
	if d.home == "" {
		return // checkStore has said why
	}
	if why := whyNoCapture(nil, c, wrong); why != "" {
		d.note("capture", "%s", why)
		return
	}
	if n, since := d.unreadTranscripts(); n > 0 {
		d.found("capture", "memory-remember capture", "%s not captured, the first since %s: no worker has finished it", cli.Count(n, "transcript is", "transcripts are"), since.Local().Format("2006-01-02 15:04"))
	}
	if len(d.running) == 0 {
		d.note("capture", "nothing is captured, since no agent runs %s", programName)
		return
	}
	var captured []string
	for _, c := range d.running {
		if !c.HasTranscripts() {
			d.note("capture", "%s", neverCaptured(c))
			continue
		}
		agreed, err := d.hasConsent(c)
		if err != nil {
			d.found("capture", "", "%v", err)
			return
		}
		if agreed {
			captured = append(captured, c.Title())
		} else {
			d.note("capture", "the sessions of %s are not captured until you type %s in a terminal, which says what is captured, and asks", c.Title(), d.typed(installLine(c)))
		}
	}
	if len(captured) > 0 {
		d.ok("capture", "sessions of %s are captured in %s, and kept %s", strings.Join(captured, ", "), filepath.Join(d.home, "memory.db"), keptFor(c))
	}
}

// hasConsent reports whether the user has agreed to the capture of an agent's sessions in the project.
func (d *doctor) hasConsent(c agent.Client) (bool, error) {
	if d.store == nil {
		return false, nil
	}
	scope, err := cli.ScopeOf(d.project, d.env.Dir)
	if err != nil {
		return false, err
	}
	return hasConsent(d.ctx, d.store, c, scope.Turns)
}

// unreadTranscripts returns the number of transcripts with unread turns that no worker has ever read, and the time of
// the last event of the oldest. Others don't count: agents keep writing to them, so they always have something unread.
func (d *doctor) unreadTranscripts() (n int, since time.Time) {
	if d.store == nil {
		return 0, since
	}
	all, _ := d.store.Transcripts(d.ctx) // checkStore has reported an error
	for _, t := range all {              // the newest events come first
		if t.State != nil || time.Since(t.Seen) < capture.MaxWorkTime {
			continue
		}
		if unread, err := capture.Unread(d.ctx, t); err != nil || unread > 0 {
			n, since = n+1, t.Seen
		}
	}
	return n, since
}
