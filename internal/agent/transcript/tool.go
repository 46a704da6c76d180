package transcript

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
	"whence/internal/words"
)

// input is an Input in the form in which agents write it.
type input struct {
	Input
	File     string `json:"file_path"`
	Name     string `json:"name"`     // of a skill, in Gemini CLI and OpenCode
	FilePath string `json:"filePath"` // OpenCode
	Notebook string `json:"notebook_path"`
	Content  string `json:"content"`
	New      string `json:"new_string"`
	NewText  string `json:"newString"` // OpenCode
	Cell     string `json:"new_source"`
	Edits    []struct {
		New string `json:"new_string"`
	} `json:"edits"`
}

// read returns the Input.
func (in input) read() Input {
	in.Path = cmp.Or(in.File, in.FilePath, in.Notebook, in.Path)
	in.Skill = cmp.Or(in.Skill, in.Name)
	in.Written = cmp.Or(in.Content, in.New, in.NewText, in.Cell)
	for _, e := range in.Edits {
		in.Written += e.New + "\n"
	}
	return in.Input
}

// patchInput returns the input of a patch in Codex's format: its first file, and all text that it adds.
func patchInput(patch string) (in Input) {
	for _, edit := range agent.PatchEdits(patch) {
		in.Path = cmp.Or(in.Path, edit.Path)
		in.Written += edit.New
	}
	return in
}

// answer is the result of a tool, or the text of hooks. In JSON it is a string, or a list of strings or of blocks with
// texts.
type answer []string

// UnmarshalJSON accepts any value. It skips values of unexpected types.
func (a *answer) UnmarshalJSON(src []byte) error {
	*a = nil
	for _, element := range elementsOf(src) {
		var b struct{ Type, Text string }
		if json.Unmarshal(element, &b.Text) == nil && element[0] == '"' {
			*a = append(*a, b.Text)
		} else if decode(element, &b) == nil && strings.HasSuffix(b.Type, "text") { // in Codex also input_text, output_text
			*a = append(*a, b.Text)
		}
	}
	return nil
}

func (a answer) text() string { return clip(strings.Join(a, "\n")) }

// finished returns a result block with an output and, if it is not "0", an exit status, in Claude Code's form.
func (b Block) finished(status, output string) Block {
	b.Text = clip(strings.TrimSpace(output))
	if status != "0" {
		b.Text, b.Error = strings.TrimSpace("Exit code "+status+"\n"+b.Text), true
	}
	return b
}

// maxEndChars is the length of the kept beginning, and of the kept end, of a result. Callers show less than that, so
// that half a secret at the cut is not shown.
const maxEndChars = 16 << 10

// clip returns a result or, if it is long, its beginning and end.
func clip(result string) string { return words.Ends(result, maxEndChars, maxEndChars) }
