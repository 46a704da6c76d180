package when

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/rank"
	"whence/internal/repo"
	"whence/internal/words"
)

// Bounds of what is looked up for a change: its message, the lines of all its files, the lines of each file (at least),
// and the number of files that may speak for a decision.
const (
	maxMessageBytes   = 1 << 10
	maxLinesBytes     = 4 << 10
	minFileLinesBytes = 200
	maxSpeakingFiles  = 30
)

// recallChange returns the decisions that may govern what is staged or what a branch changes, each with the path that
// speaks for it. Changes to the memory itself are ignored.
func (o *options) recallChange(env cli.Env, l *Lookup, message string) (found []Recalled, err error) {
	r, err := repo.Open(o.dir, env.Dir, env.Getenv)
	if err != nil {
		return nil, err
	}
	folder, err := r.Rel(o.dir)
	if err != nil {
		return nil, err
	}
	commit := ""
	if o.diff != "" {
		if commit, err = r.ForkPoint(context.Background(), o.diff); err != nil {
			return nil, cli.Usagef("--diff: %v", err)
		}
	}
	if commit != "" && message == "" {
		if message, err = r.MessagesSince(context.Background(), commit); err != nil {
			return nil, err
		}
	}
	changes, err := r.StagedSince(context.Background(), commit)
	if err != nil {
		return nil, err
	}
	var files []repo.FileChange
	for _, c := range changes {
		if name, inside := repo.Below(folder, c.Path); inside && !l.Layout.Holds(name) {
			c.Path = name
			files = append(files, c)
		}
	}
	if len(files) == 0 {
		return nil, nil
	}
	return l.recallChange(words.Beginning(strings.TrimSpace(message), maxMessageBytes), files), nil
}

func (l *Lookup) recallChange(message string, files []repo.FileChange) (found []Recalled) {
	l.prepareRecall()
	each := max(minFileLinesBytes, maxLinesBytes/len(files))
	change := rank.Change{Message: message}
	var added, removed strings.Builder
	for _, f := range files {
		change.Paths = append(change.Paths, f.Path)
		added.WriteString(words.Beginning(f.Added, each))
		removed.WriteString(words.Beginning(f.Removed, each))
	}
	change.Lines = cmp.Or(added.String(), removed.String())
	slices.SortStableFunc(files, func(a, b repo.FileChange) int { return len(b.Added) + len(b.Removed) - len(a.Added) - len(a.Removed) })
	files = files[:min(len(files), maxSpeakingFiles)]
	var texts []string
	for _, f := range files {
		texts = append(texts, strings.Join([]string{f.Path, path.Base(f.Path), f.Added, f.Removed}, "\n"))
	}
	for _, m := range l.ranked.RecallChange(change, dispatch.ChangeLimits.Items) {
		d := l.decided[m.Document]
		found = append(found, Recalled{Lead: d.Lead, Match: m, Proposed: d.isProposed(), Path: files[l.ranked.NearestText(m.Document, texts)].Path})
	}
	return found
}
