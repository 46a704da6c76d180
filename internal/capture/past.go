package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"whence/internal/agent"
	"whence/internal/agent/transcript"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/home"
	"whence/internal/store"
	"whence/internal/worktree"
)

// Past holds the transcripts of sessions that no event has registered, and counts those that are left out.
type Past struct {
	Transcripts []store.Transcript // to be registered, the newest first
	Projects    int                // number of projects that these belong to
	Since       time.Time          // when the oldest of these was last written to

	TooOld  int // for the settings of their folders
	Gone    int // whose folders do not exist any more
	Off     int // where nothing is captured
	Without int // in which no folder is named
}

// FindPast looks for unregistered transcripts of the agents that the consents name, and reads the first records of
// each. The errors are about what cannot be read. Without a store, no transcript is registered.
func FindPast(ctx context.Context, dir string, consents []store.Consent, getenv func(string) string, now time.Time) (p Past, failed []error) {
	registered, err := registeredPaths(ctx, dir)
	if err != nil {
		return p, []error{err}
	}
	folders := pastFolders{getenv: getenv, known: map[string]pastFolder{}}
	projects := map[string]bool{}
	for _, client := range agent.Clients {
		if !slices.ContainsFunc(consents, func(c store.Consent) bool { return c.Agent == string(client) }) {
			continue
		}
		folder, err := client.Transcripts(home.UserFolder(getenv), getenv)
		if err != nil {
			continue // the agent has none on this machine
		}
		found, skipped := TranscriptsIn(ctx, worktree.Resolved(folder))
		failed = append(failed, skipped...)
		for _, file := range found {
			name := file.Name
			if registered[name] {
				continue
			}
			cwd, session, err := headOf(ctx, name)
			if err != nil {
				failed = append(failed, err)
				continue
			}
			in := folders.of(cwd)
			switch {
			case cwd == "":
				p.Without++
			case !in.exists:
				p.Gone++
			case !in.captures || !store.AnyCovers(consents, string(client), in.project):
				p.Off++
			case in.days > 0 && file.Written.Before(now.AddDate(0, 0, -in.days)):
				p.TooOld++
			case redactText(name) != name || redactText(cwd) != cwd:
				failed = append(failed, errSecretPath)
			default:
				projects[in.project] = true
				p.Transcripts = append(p.Transcripts, store.Transcript{
					Path: name, Session: redactText(session), Agent: string(client), Cwd: cwd, Project: in.project,
					Days: in.days, Seen: file.Written, Ended: now.Sub(file.Written) > minSilence, Watch: (&watch{First: now}).stored(),
				})
			}
		}
	}
	slices.SortFunc(p.Transcripts, func(a, b store.Transcript) int {
		return cmp.Or(b.Seen.Compare(a.Seen), cmp.Compare(a.Path, b.Path))
	})
	if n := len(p.Transcripts); n > 0 {
		p.Since = p.Transcripts[n-1].Seen
	}
	p.Projects = len(projects)
	return p, failed
}

// Text says in a sentence what was found, and what is left out.
func (p Past) Text() string {
	text := "no past sessions to read"
	if len(p.Transcripts) > 0 {
		text = fmt.Sprintf("%s of %s since %s", cli.Count(len(p.Transcripts), "past session", "past sessions"),
			cli.Count(p.Projects, "project", "projects"), p.Since.Local().Format(time.DateOnly))
	}
	var left []string
	for _, of := range []struct {
		n    int
		what string
	}{
		{p.Gone, "whose folder is gone"}, {p.Off, "where nothing is captured"}, {p.TooOld, "older than memory_turn_days"}, {p.Without, "that name no folder"},
	} {
		if of.n > 0 {
			left = append(left, fmt.Sprintf("%d %s", of.n, of.what))
		}
	}
	if left != nil {
		text += "; left out: " + strings.Join(left, ", ")
	}
	return text
}

// Consents returns the user's consents; none if there is no store.
func Consents(ctx context.Context, dir string) ([]store.Consent, error) {
	s, err := store.OpenReadOnly(ctx, dir)
	if errors.Is(err, store.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	given, err := s.Consents(ctx)
	return given, errors.Join(err, s.Close())
}

func registeredPaths(ctx context.Context, dir string) (map[string]bool, error) {
	paths := map[string]bool{}
	s, err := store.OpenReadOnly(ctx, dir)
	if errors.Is(err, store.ErrNone) {
		return paths, nil
	}
	if err != nil {
		return nil, err
	}
	all, err := s.Transcripts(ctx)
	for _, t := range all {
		paths[t.Path] = true
	}
	return paths, errors.Join(err, s.Close())
}

// minSilence is the time since the last write to a transcript after which its session counts as ended.
const minSilence = time.Hour

// maxHeadRecords is the maximum number of records of a transcript to read in search of its folder.
const maxHeadRecords = 100

// headOf returns the first folder that a transcript names, and its session.
func headOf(ctx context.Context, name string) (cwd, session string, err error) {
	src, err := OpenTranscript(ctx, name)
	if src == nil {
		return "", "", err
	}
	defer src.Close()
	records := 0
	_, _, err = src.Read(transcript.Cursor{}, func(r transcript.Record) error {
		records++
		cwd, session = r.Cwd, cmp.Or(session, r.Session)
		if cwd != "" || records == maxHeadRecords {
			return errFull
		}
		return nil
	})
	if errors.Is(err, errFull) {
		err = nil
	}
	return cwd, session, err
}

// pastFolders remembers what the settings of folders say.
type pastFolders struct {
	getenv func(string) string
	known  map[string]pastFolder
}

type pastFolder struct {
	exists, captures bool
	days             int
	project          string
}

func (f pastFolders) of(cwd string) pastFolder {
	in, isKnown := f.known[cwd]
	if !isKnown {
		in = f.read(cwd)
		f.known[cwd] = in
	}
	return in
}

func (f pastFolders) read(cwd string) (in pastFolder) {
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() || !filepath.IsAbs(cwd) {
		return in
	}
	in.exists = true
	tree, err := worktree.Open(cli.Root(cwd))
	if err != nil {
		return in
	}
	defer tree.Close()
	c, wrong := config.Load(tree, f.getenv)
	scope, unknown := cli.ScopeOf(cwd, cwd)
	in.captures, in.days, in.project = c.TurnCapture && wrong == nil && unknown == nil, c.TurnDays, scope.Turns
	return in
}

// RegisterPast registers past transcripts for the next worker to capture. Those that events have registered meanwhile
// are left unchanged.
func RegisterPast(ctx context.Context, dir string, p Past) error {
	s, err := store.OpenExisting(ctx, dir)
	if err != nil {
		return err
	}
	return errors.Join(s.RegisterAll(ctx, p.Transcripts), s.Close())
}
