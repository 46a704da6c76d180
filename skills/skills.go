// Package skills holds the skills that agents get: what to do when the user types /when or /remember, and when to store what
// was learned.
package skills

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed */SKILL.md
var files embed.FS

// FileName is the name of the file of a skill, in a folder of its name.
const FileName = "SKILL.md"

// Names returns the names of all skills, sorted.
func Names() (names []string) {
	entries, _ := fs.ReadDir(files, ".") // cannot fail
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Text returns the file of a skill.
func Text(name string) string {
	src, _ := files.ReadFile(path.Join(name, FileName)) // cannot fail
	return string(src)
}
