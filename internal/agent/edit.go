package agent

import (
	"strings"

	"whence/internal/text"
)

// Edit is a change that a tool has made to one file, as far as the event reports it.
type Edit struct {
	Path     string
	Old, New string // the text before and after
	Created  bool   // the file is new
	Deleted  bool
}

// edits returns the changes that a tool has made to files.
func (in *wireEvent) edits(e Event) []Edit {
	switch e.Tool {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
	default:
		return nil
	}
	if e.Path == "" {
		return nil
	}
	w := in.Input
	edit := Edit{Path: e.Path, Old: w.Old + w.OldStr + w.OldText, New: w.New + w.NewStr + w.NewText + w.Content + w.FileText}
	for _, part := range w.Edits {
		edit.Old += part.Old + part.OldText + "\n"
		edit.New += part.New + part.NewText + "\n"
	}
	reported := in.Response.Type == "create" || strings.HasPrefix(in.Response.Text, "Successfully created")
	if exists := in.Response.Metadata.Exists; exists != nil {
		reported = !*exists
	}
	edit.Created = e.Tool == "Write" && (in.Tool == "create" || reported)
	return []Edit{edit}
}

// patchedFile matches the lines of a patch that name a file.
var patchedFile = text.Lazy(`^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$`)

// PatchEdits returns the changes of a patch in Codex's format, one a file.
func PatchEdits(patch string) (all []Edit) {
	if !strings.Contains(patch, "*** ") {
		return nil
	}
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		if m := patchedFile().FindStringSubmatch(line); m != nil {
			all = append(all, Edit{
				Path: m[1], Created: strings.HasPrefix(line, "*** Add"), Deleted: strings.HasPrefix(line, "*** Delete"),
			})
			if strings.HasPrefix(line, "*** Move") && len(all) > 1 { // from the file before it
				all[len(all)-1].Created, all[len(all)-2].Deleted = true, true
			}
			continue
		}
		if len(all) == 0 || line == "" {
			continue
		}
		switch last := &all[len(all)-1]; line[0] {
		case '-':
			last.Old += line[1:] + "\n"
		case '+':
			last.New += line[1:] + "\n"
		}
	}
	return all
}
