package transcript

import "cmp"

// input is an Input as agents write it.
type input struct {
	Input
	File     string `json:"file_path"`
	Name     string `json:"name"`     // of a skill, of Gemini CLI and OpenCode
	FilePath string `json:"filePath"` // of OpenCode
	Notebook string `json:"notebook_path"`
	Content  string `json:"content"`
	New      string `json:"new_string"`
	NewText  string `json:"newString"` // of OpenCode
	Cell     string `json:"new_source"`
	Edits    []struct {
		New string `json:"new_string"`
	} `json:"edits"`
}

// cleaned returns the Input.
func (in input) cleaned() Input {
	in.Path = cmp.Or(in.File, in.FilePath, in.Notebook, in.Path)
	in.Skill = cmp.Or(in.Skill, in.Name)
	in.Written = cmp.Or(in.Content, in.New, in.NewText, in.Cell)
	for _, e := range in.Edits {
		in.Written += e.New + "\n"
	}
	for _, text := range []*string{&in.Command, &in.Description, &in.Path, &in.Skill, &in.Args, &in.Query, &in.Written, &in.ID} {
		*text = clean(*text)
	}
	return in.Input
}
