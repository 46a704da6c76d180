package agent

import (
	"path/filepath"
	"strings"
)

// Transcripts returns the folder in which the agent keeps the transcripts of all projects, or
// OpenCode's database.
func (c Client) Transcripts(home string, getenv func(string) string) (string, error) {
	p := *c.profile()
	if p.dataVariable != "" {
		if dir := getenv(p.dataVariable); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.Base(filepath.Dir(p.transcripts)), filepath.Base(p.transcripts)), nil
		}
		p.folderVariable = ""
	}
	folder, name, err := p.locate(User, p.transcripts, home, "", getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.FromSlash(name)), nil
}

// Transcript returns the transcript of a session of Copilot CLI, which most of its events don't name;
// "" for another agent.
func (c Client) Transcript(session, home string, getenv func(string) string) string {
	folder, err := c.Transcripts(home, getenv)
	if c != Copilot || err != nil || session == "" || strings.ContainsAny(session, `/\:`) || !filepath.IsLocal(session) {
		return ""
	}
	return filepath.Join(folder, session, "events.jsonl")
}
