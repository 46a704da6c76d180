package transcript

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"whence/internal/text"
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

// cleaned returns the Input.
func (in input) cleaned() Input {
	in.Path = cmp.Or(in.File, in.FilePath, in.Notebook, in.Path)
	in.Skill = cmp.Or(in.Skill, in.Name)
	in.Written = cmp.Or(in.Content, in.New, in.NewText, in.Cell)
	for _, e := range in.Edits {
		in.Written += e.New + "\n"
	}
	for _, text := range []*string{&in.Command, &in.Description, &in.Path, &in.Skill, &in.Args, &in.Query, &in.Written} {
		*text = clean(*text)
	}
	return in.Input
}

// answer is the result of a tool, or the text of hooks: a text, or a list of texts or of blocks
// with texts.
type answer []string

// UnmarshalJSONFrom accepts any value.
func (a *answer) UnmarshalJSONFrom(in *jsontext.Decoder) error {
	*a = nil
	switch in.PeekKind() {
	case '"':
		return a.addFrom(in)
	case '[':
		return eachOf(in, func(int) error { return a.addFrom(in) })
	}
	return in.SkipValue()
}

// addFrom reads a text, or a block with one.
func (a *answer) addFrom(in *jsontext.Decoder) error {
	switch in.PeekKind() {
	case '"':
		token, err := in.ReadToken()
		if err != nil {
			return err
		}
		*a = append(*a, token.String())
		return nil
	case '{':
		var b struct{ Type, Text string }
		if err := decodeFrom(in, &b); err != nil {
			return err
		}
		if b.Type == "text" || b.Type == "input_text" { // of Codex
			*a = append(*a, b.Text)
		}
		return nil
	}
	return in.SkipValue()
}

func (a answer) text() string { return clip(clean(strings.Join(a, "\n"))) }

// finished returns the result of a command with its exit status as Claude Code writes it.
func (b Block) finished(status, output string) Block {
	b.Text = clip(clean(strings.TrimSpace(output)))
	if status != "0" {
		b.Text, b.Error = strings.TrimSpace("Exit code "+status+"\n"+b.Text), true
	}
	return b
}

// maxEndChars limits the kept beginning and end of a result. Callers show less, so that half a
// secret at the cut is not shown.
const maxEndChars = 16 << 10

// clip returns the beginning and the end of a result.
func clip(result string) string { return text.Ends(result, maxEndChars, maxEndChars) }
