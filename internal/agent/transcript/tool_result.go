package transcript

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

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
		text, err := in.ReadToken()
		if err != nil {
			return err
		}
		*a = append(*a, text.String())
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

// maxResultBytes limits the kept beginning and end of a result. Callers show less, so that half a
// secret at the cut is not shown.
const maxResultBytes = 64 << 10

// clip returns the beginning and the end of a result.
func clip(text string) string {
	if len(text) <= maxResultBytes {
		return text
	}
	const half = maxResultBytes / 2
	return strings.ToValidUTF8(text[:half], "") + "\n…\n" + strings.ToValidUTF8(text[len(text)-half:], "")
}
