package capture

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// transcriptExtension ends the names of transcripts of lines.
const transcriptExtension = ".jsonl"

// subagents returns the transcripts of the subagents of a session of Gemini CLI, which has no event
// for them; none for another agent. They are in a folder beside that of the session, named for it.
func subagents(name, session string) (names []string, err error) {
	isGemini := strings.HasPrefix(filepath.Base(name), "session-") && filepath.Ext(name) == transcriptExtension
	if !isGemini || !filepath.IsLocal(session) || filepath.Base(session) != session {
		return nil, nil
	}
	folder := filepath.Join(filepath.Dir(name), session)
	below, err := fs.Glob(os.DirFS(folder), "*"+transcriptExtension)
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
