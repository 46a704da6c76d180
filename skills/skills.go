// Package skills holds the instructions by which agents use the programs, a folder for each.
package skills

import (
	"embed"
	"io/fs"
)

//go:embed */SKILL.md
var files embed.FS

// Text is the text of a skill.
type Text struct {
	Name string
	Text []byte
}

// All returns all skills.
func All() (all []Text) {
	folders, _ := fs.ReadDir(files, ".") // what is embedded can be read
	for _, folder := range folders {
		text, _ := fs.ReadFile(files, folder.Name()+"/SKILL.md")
		all = append(all, Text{folder.Name(), text})
	}
	return all
}
