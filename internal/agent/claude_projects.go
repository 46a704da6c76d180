package agent

import (
	"path"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// ClaudeProjects returns the folder in which Claude Code keeps transcripts and notes, in a folder
// for each project.
func ClaudeProjects(home string, getenv func(string) string) (string, error) {
	folder, name, err := Claude.SettingsFile(User, home, "", getenv)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.FromSlash(path.Dir(name)), "projects"), nil
}

// ClaudeProject returns the name of the folder of a project: its path, in which each
// UTF-16 unit other than letters and digits of ASCII becomes a hyphen. Claude Code cuts names of more than 200 characters.
func ClaudeProject(dir string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(dir)) {
		if unit < '0' || unit > '9' && unit < 'A' || unit > 'Z' && unit < 'a' || unit > 'z' {
			unit = '-'
		}
		b.WriteByte(byte(unit))
	}
	return b.String()
}
