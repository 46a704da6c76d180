package transcript

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/v1"

	"whence/internal/agent"
	"whence/internal/words"
)

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

// patchInput returns the input of a patch in Codex's format: the first file, and what is written.
func patchInput(patch string) (in Input) {
	for _, edit := range agent.PatchEdits(patch) {
		in.Path = cmp.Or(in.Path, edit.Path)
		in.Written += edit.New
	}
	return in
}

// answer is the result of a tool, or the text of hooks: a text, or a list of texts or of blocks
// with texts.
type answer []string

// UnmarshalJSON accepts any value.
func (a *answer) UnmarshalJSON(src []byte) error {
	*a = nil
	for _, element := range elementsOf(src) {
		var b struct{ Type, Text string }
		if json.Unmarshal(element, &b.Text) == nil && element[0] == '"' {
			*a = append(*a, b.Text)
		} else if decode(element, &b) == nil && strings.HasSuffix(b.Type, "text") { // of Codex: input_text, output_text
			*a = append(*a, b.Text)
		}
	}
	return nil
}

func (a answer) text() string { return clip(strings.Join(a, "\n")) }

// finished returns the result of a command with its exit status as Claude Code writes it.
func (b Block) finished(status, output string) Block {
	b.Text = clip(strings.TrimSpace(output))
	if status != "0" {
		b.Text, b.Error = strings.TrimSpace("Exit code "+status+"\n"+b.Text), true
	}
	return b
}

// maxEndChars limits the kept beginning and end of a result. Callers show less, so that half a
// secret at the cut is not shown.
const maxEndChars = 16 << 10

// clip returns the beginning and the end of a result.
func clip(result string) string { return words.Ends(result, maxEndChars, maxEndChars) }
