package transcript

import (
	"cmp"
	"io"
)

// Survey counts what is in a transcript.
type Survey struct {
	Version string         // of the agent
	Lines   int            // or parts, in a database
	Unknown map[string]int // of these, those of a kind that is not known, by their kind
}

// SurveyLines counts the lines of a transcript.
func SurveyLines(src io.ReaderAt, size int64) (Survey, error) {
	var s Survey
	_, format := formatOf(firstOf(src, size))
	lines := newLines(src, 0, size)
	var c carried
	for lines.next() {
		if lines.tooLong {
			s.add("", true)
			continue
		}
		records, known := format.parse(lines.line, &c)
		s.add(kindOf(lines.line), known)
		for _, r := range records {
			s.Version = cmp.Or(r.Version, s.Version)
		}
	}
	return s, lines.err
}

// AddPart counts a part.
func (s *Survey) AddPart(p Part) {
	_, _, known := p.Records()
	s.add(kindOf(p.Data), known)
}

func (s *Survey) add(kind string, known bool) {
	s.Lines++
	if known {
		return
	}
	if s.Unknown == nil {
		s.Unknown = map[string]int{}
	}
	s.Unknown[kind]++
}

// kindOf returns the kind that a line or part names.
func kindOf(src []byte) string {
	var in struct {
		Type    string `json:"type"`
		Payload struct {
			Type string `json:"type"`
		} `json:"payload"` // of Codex
	}
	_ = decode(src, &in)
	if in.Payload.Type != "" {
		return clean(in.Type + " " + in.Payload.Type)
	}
	return clean(in.Type)
}
