package transcripts

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// extension ends the names of transcripts of lines.
const extension = ".jsonl"

// Folder returns where the agent of a transcript keeps those of the same project, or of all projects:
// a folder, or OpenCode's database. It returns "" for a name that no agent gives a transcript.
//
//	Claude Code  projects/PROJECT/SESSION.jsonl
//	Gemini CLI   tmp/PROJECT/chats/session-….jsonl, of a subagent tmp/PROJECT/chats/SESSION/….jsonl
//	Codex        sessions/YEAR/MONTH/DAY/rollout-….jsonl
//	Copilot CLI  session-state/SESSION/events.jsonl
//	OpenCode     opencode.db#SESSION
func Folder(name string) string {
	if path, _, is := strings.Cut(name, ".db"+sessionMark); is {
		return path + ".db"
	}
	if filepath.Ext(name) != extension {
		return ""
	}
	return filepath.Join(filepath.Dir(name), filepath.FromSlash(strings.Repeat("../", len(levels(name))-1)))
}

// levels returns the patterns of the names below the folder of a transcript.
func levels(name string) []string {
	switch base := filepath.Base(name); {
	case strings.HasPrefix(base, "rollout-"):
		return []string{"[0-9][0-9][0-9][0-9]", "[0-9][0-9]", "[0-9][0-9]", "rollout-*" + extension}
	case base == "events"+extension:
		return []string{"*", base}
	}
	return []string{"*" + extension}
}

// Siblings returns the transcripts in the Folder of a transcript that were written to since a time,
// the newest first: none if it is missing.
func Siblings(ctx context.Context, name string, since time.Time) (names []string, err error) {
	folder := Folder(name)
	switch {
	case folder == "":
		return nil, nil
	case strings.HasSuffix(folder, ".db"):
		sessions, err := sessionsIn(ctx, folder, since)
		for _, f := range sessions {
			names = append(names, f.Name)
		}
		return names, err
	}
	var all []File
	below, err := fs.Glob(os.DirFS(folder), path.Join(levels(name)...))
	if err != nil {
		return nil, err
	}
	if isGemini(name) {
		ofSubagents, err := fs.Glob(os.DirFS(folder), "*/*"+extension)
		if err != nil {
			return nil, err
		}
		below = append(below, ofSubagents...)
	}
	for _, name := range below {
		path := filepath.Join(folder, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if err == nil && info.Mode().IsRegular() && !info.ModTime().Before(since) {
			all = append(all, File{path, info.Size(), info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b File) int { return b.Written.Compare(a.Written) })
	for _, f := range all {
		names = append(names, f.Name)
	}
	return names, nil
}

// isGemini reports whether a transcript is one that Gemini CLI names. Those of its subagents are in a
// folder beside it, named for the session.
func isGemini(name string) bool { return strings.HasPrefix(filepath.Base(name), "session-") }

// Subagents returns the transcripts of the subagents of a session of Gemini CLI, which has no event for
// them; none for another agent.
func Subagents(name, session string) (names []string, err error) {
	if !isGemini(name) || filepath.Ext(name) != extension || !filepath.IsLocal(session) || filepath.Base(session) != session {
		return nil, nil
	}
	folder := filepath.Join(filepath.Dir(name), session)
	below, err := fs.Glob(os.DirFS(folder), "*"+extension)
	for _, name := range below {
		names = append(names, filepath.Join(folder, name))
	}
	return names, err
}

// parentOf returns the session whose subagent has written a transcript of Gemini CLI.
func parentOf(name string) string {
	folder := filepath.Dir(name)
	if filepath.Base(filepath.Dir(folder)) != "chats" {
		return ""
	}
	return filepath.Base(folder)
}
