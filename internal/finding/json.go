package finding

import (
	"io"

	"whence/internal/text"
)

type jsonFinding struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Fix     string `json:"fix"` // "safe", "unsafe" or "none"
}

// writeJSON prints an object with the arrays "findings" and "fixed".
func writeJSON(w io.Writer, r Report) error {
	return text.WriteJSON(w, struct {
		Findings []jsonFinding `json:"findings"`
		Fixed    []jsonFinding `json:"fixed"`
	}{toJSON(r.Findings), toJSON(r.Fixed)})
}

func toJSON(findings []Finding) []jsonFinding {
	out := make([]jsonFinding, len(findings))
	for i, f := range findings {
		out[i] = jsonFinding{f.Path, f.Line, f.Column, f.Rule, f.Message, f.Fix.Safety()}
	}
	return out
}

// Safety returns "none" for a nil fix, "unsafe" for one that guesses, else "safe".
func (f *Fix) Safety() string {
	switch {
	case f == nil:
		return "none"
	case f.Unsafe:
		return "unsafe"
	}
	return "safe"
}
