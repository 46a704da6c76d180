package transcript

import (
	"cmp"
	"io"
)

// Survey counts what is at the end of a transcript.
type Survey struct {
	Version string         // of the agent
	Lines   int            // or parts, in a database
	Unknown map[string]int // of these, those of a kind that is not known, by their kind
}

// MaxSurveyedBytes limits what is read of a transcript: its end, in about 40 ms.
const MaxSurveyedBytes = 1 << 20

// SurveyLines counts the last lines of a transcript.
func SurveyLines(src io.ReaderAt, size int64) (Survey, error) {
	var s Survey
	from := max(0, size-MaxSurveyedBytes)
	format, c := beginning(src, from, size)
	lines := newLines(src, from, size)
	if from > 0 {
		lines.next() // the end of a line
	}
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
