package transcript

import (
	"encoding/json"
	"strings"
)

// answer is the result of a tool, or the text of hooks: a text, or a list of texts or of blocks
// with texts.
type answer []string

// UnmarshalJSON accepts any value.
func (a *answer) UnmarshalJSON(src []byte) error {
	*a = nil
	var parts []resultPart
	if src[0] == '"' {
		parts = make([]resultPart, 1)
		_ = json.Unmarshal(src, &parts[0])
	} else {
		_ = decode(src, &parts)
	}
	for _, p := range parts {
		if p.Type == "text" || p.Type == "input_text" { // of Codex
			*a = append(*a, p.Text)
		}
	}
	return nil
}

// resultPart is part of an answer.
type resultPart struct{ Type, Text string }

// UnmarshalJSON accepts any value. A bare text counts as a block.
func (s *resultPart) UnmarshalJSON(src []byte) error {
	*s = resultPart{}
	switch src[0] {
	case '"':
		s.Type = "text"
		return json.Unmarshal(src, &s.Text)
	case '{':
		var b struct{ Type, Text string }
		_ = decode(src, &b)
		*s = resultPart(b)
	}
	return nil
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
