package agent

import (
	"encoding/json"
	"strings"
)

// Edit is a change that a tool has made to one file, as far as it is known.
type Edit struct {
	Path     string
	Old, New string // the text before and after
	Created  bool   // the file is new
	Deleted  bool
}

// writingInput is the input of tools that write files.
type writingInput struct {
	Old      string `json:"old_string"`
	New      string `json:"new_string"`
	OldStr   string `json:"old_str"`
	NewStr   string `json:"new_str"`
	Content  string `json:"content"`
	FileText string `json:"file_text"`
	Edits    []struct {
		Old string `json:"old_string"`
		New string `json:"new_string"`
	} `json:"edits"`
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
	var w writingInput
	_ = json.Unmarshal(in.Input, &w) // what has another shape tells nothing
	one := Edit{Path: e.Path, Old: w.Old + w.OldStr, New: w.New + w.NewStr + w.Content + w.FileText}
	for _, part := range w.Edits {
		one.Old += part.Old + "\n"
		one.New += part.New + "\n"
	}
	one.Created = e.Tool == "Write" && (in.Tool == "create" || in.created())
	return []Edit{one}
}

// created reports whether the tool has replied that it made the file.
func (in *wireEvent) created() bool {
	var response struct {
		Type string `json:"type"`
		Text string `json:"llmContent"`
	}
	return json.Unmarshal(in.Response, &response) == nil &&
		(response.Type == "create" || strings.HasPrefix(response.Text, "Successfully created"))
}

// patchEdits returns the changes of a patch in Codex's format, one a file.
func patchEdits(patch string) (all []Edit) {
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
